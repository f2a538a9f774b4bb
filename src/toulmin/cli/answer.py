"""The commands about answers: ask, check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.options import Dialect, Everything, Json, Kg

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.proof.answer import Answer

__all__ = ["ask", "check"]

Method = Annotated[str, typer.Option("--method", metavar="NAME", help="How to answer; `toulmin methods` lists them.")]


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION")],
    kg: Kg = None,
    dialect: Dialect = None,
    method: Method = "fidelis",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="ANSWER.json", help="Also store the answer, for `toulmin check`.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show on stderr what the method does.")] = False,
    everything: Everything = False,
    json: Json = False,
) -> None:
    """Answer a question from a graph, with the proof of the answer.

    Says "not answerable from this graph" where it finds no answer. Exit code 1 if its own proof does not check.

    \b
    Example:
      toulmin ask "Where was the father of Ada Lovelace born?" --kg bundled
    """
    import toulmin
    from toulmin.cli.console import busy, result_console
    from toulmin.cli.opened import opened

    with opened(kg, dialect) as graph:
        if trace:
            answer = _traced(question, graph, method)
        else:
            with busy("answering"):
                answer = toulmin.ask(graph, question, method=method)
        with busy("checking"):
            report = toulmin.check(answer, graph)
            bearers = _bearers(answer, graph)
    if out is not None:
        _write(answer, out)
    if json:
        sys.stdout.write(answer.to_json() + "\n")
    else:
        from toulmin.cli.render import AnswerPrinter

        AnswerPrinter(result_console(), answer, everything=everything, bearers=bearers).print(report)
    raise typer.Exit(report.exit_code)


def _bearers(answer: Answer, graph: Graph) -> dict[str, int]:
    """How many entities bear the name that each linking step took."""
    from toulmin.proof.model import Link

    links = [step for step in answer.proof.steps if isinstance(step, Link)]
    found = graph.lookup([link.form for link in links])
    return {link.id: len({match.id for match in some}) for link, some in zip(links, found, strict=True)}


def _traced(question: str, graph: Graph, method: str) -> Answer:
    import asyncio

    from toulmin.cli.console import error_console
    from toulmin.cli.trace import print_event
    from toulmin.methods import events
    from toulmin.methods.protocol import Answered

    async def last() -> Answer:
        console = error_console()
        async for event in events(question, graph, method=method):
            print_event(console, event)
            if isinstance(event, Answered):
                return event.answer
        raise RuntimeError(f"method {method!r} ended without an answer")

    return asyncio.run(last())


def _write(answer: Answer, out: Path) -> None:
    from toulmin.errors import SourceError

    try:
        out.write_text(answer.to_json() + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", out) from None


def check(
    answer: Annotated[Path, typer.Argument(metavar="ANSWER.json", help="What `toulmin ask --out` stored; - is stdin.")],
    kg: Kg = None,
    dialect: Dialect = None,
    strict: Annotated[bool, typer.Option("--strict", help="What is judged or assumed does not pass either.")] = False,
    everything: Everything = False,
    json: Json = False,
) -> None:
    """Check a stored answer against a graph.

    Exit code 0: nothing fails; 1: something fails, or the graph has changed beneath it; 2: it cannot be read.

    \b
    Example:
      toulmin check answer.json --kg bundled
    """
    import toulmin
    from toulmin.cli.console import busy, print_json, result_console
    from toulmin.cli.opened import opened
    from toulmin.proof.answer import Answer

    stored = Answer.from_json(sys.stdin.buffer.read()) if str(answer) == "-" else Answer.read(answer)
    with opened(kg, dialect) as graph, busy("checking"):
        report = toulmin.check(stored, graph, strict=strict)
    if json:
        print_json({**report.model_dump(mode="json"), "counts": report.counts, "exit_code": report.exit_code})
    else:
        from toulmin.cli.render import AnswerPrinter, print_report

        console = result_console()
        AnswerPrinter(console, stored, everything=everything).print()
        print_report(console, report, everything=everything)
    raise typer.Exit(report.exit_code)
