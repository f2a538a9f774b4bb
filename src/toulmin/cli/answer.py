"""The commands about answers: ask, check."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import toulmin
from toulmin.cli.console import busy, error_console, result_console
from toulmin.cli.graphs import NO_GRAPH, GraphChoice, KnowledgeNames
from toulmin.cli.models import NO_MODEL, ModelChoice, Settings, settings_given
from toulmin.cli.options import EVERYTHING, SHOWN, Everything, Json, argument, flag, option, takes_groups
from toulmin.cli.storing import NOT_STORED, Storing
from toulmin.errors import InputError, SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from toulmin.llm.protocol import Model
    from toulmin.methods.protocol import Event
    from toulmin.program.answer import Answer

__all__ = ["ask", "check"]

_ROOT = re.compile(r"[0-9a-fA-F]{64}")


@takes_groups
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION")],
    graph_choice: GraphChoice = NO_GRAPH,
    personal: Annotated[str | None, option("GRAPH", "A graph of your own beside that of --kg.")] = None,
    method: Annotated[str, option("NAME", "How to answer; `toulmin methods` lists them.")] = "auto",
    set_: Settings = None,
    claim: Annotated[bool, flag("--claim", "QUESTION is a claim: say whether it is so.")] = False,
    option: Annotated[list[str] | None, option("TEXT", "One of the answers to choose from; repeat.")] = None,
    knowledge: KnowledgeNames = None,
    chains: Annotated[
        Path | None, option("FILE", "For --method rr: recorded chains of thought, in place of a model's; - is stdin.")
    ] = None,
    choice: ModelChoice = NO_MODEL,
    storing: Storing = NOT_STORED,
    trace: Annotated[bool, flag("--trace", "Show on stderr what the method does.")] = False,
    readings: Annotated[bool, flag("--readings", "Show what else the question may mean.")] = False,
    everything: Everything = False,
    json: Annotated[bool, flag("--json", "Print the trace as JSON and nothing else on stdout.")] = False,
) -> None:
    """Answer a question from a graph, with the program that computes the answer.

    Says "not answerable from this graph" where it finds no answer. Exit code 1 if it does not pass its own check, or if
    the language model gave nothing usable. What --json prints are all events of the method, the last of them with the
    answer; `toulmin check` reads it too.

    \b
    Example:
      toulmin ask "Where was the father of Ada Lovelace born?" --kg bundled

    \b
    Chains of thought from elsewhere, weighed by what the graph says of their sentences:
      echo "Newton died in 1727. Marie Curie was born in 1867. So the answer is no." |
        toulmin ask "Could Newton have met Marie Curie?" --kg bundled --method rr --knowledge temporal --chains -
    """
    from toulmin.methods import answer_from
    from toulmin.methods.asker import Asker, wait_for
    from toulmin.methods.protocol import Answered
    from toulmin.methods.registry import settings_from
    from toulmin.retrieval.knowledge.named import knowledge_from

    name, settings = settings_from(method, settings_given(set_), model=choice.named)
    budget = choice.budget()
    storing.check(json=json)
    recorded = _recorded_chains(chains, question)
    with graph_choice.opened(personal) as graph:
        passages = knowledge_from(knowledge, graph) if knowledge else None
        model = choice.open()
        asker = Asker(graph, method=name, settings=settings, model=model, budget=budget)
        stream = asker.events(
            toulmin.Request(question, "claim" if claim else "question", option or (), recorded, passages)
        )
        with nullcontext() if trace else busy("answering") as tell:
            events = wait_for(_events(stream, model, tell))
        answer = answer_from(events)
        if not json and (number := _asked_back(answer)) is not None:
            chosen = Asker(graph, settings=replace(settings_from("reader", {})[1], reading=number))
            with busy("answering"):
                events = wait_for(_events(chosen.events(question), None, None if trace else lambda _: None))
            answer = answer_from(events)
        with busy("checking"):
            answer = storing.attached(answer, graph)
            events[-1] = Answered(answer=answer)
            documents = passages.document if passages is not None else None
            report = toulmin.check(answer, graph, passages=documents, shown=EVERYTHING if everything else SHOWN)
    # An answer that cost something is stored though the reader goes away, and is seen though it cannot be stored.
    problem = storing.write(answer)
    if json:
        from toulmin.methods.trace import trace_json

        sys.stdout.write(trace_json(events) + "\n")
    else:
        from toulmin.cli.render import print_answer, print_readings

        print_answer(result_console(), answer, report, everything=everything)
        if readings:
            print_readings(result_console(), answer)
    if problem is not None:
        raise problem
    raise typer.Exit(report.exit_code)


def _recorded_chains(path: Path | None, question: str) -> tuple[str, ...]:
    """The chains of ``--chains``.

    Raises:
        SourceError: the file cannot be used, or has none of this question.
    """
    if path is None:
        return ()
    from toulmin.methods.rr.recorded import read_chains

    return read_chains(path, question, sys.stdin.buffer.read() if str(path) == "-" else None)


def _asked_back(answer: Answer) -> int | None:
    """Which reading somebody at a terminal means, where several are near and answer otherwise; None: the likeliest."""
    near = [number for number, reading in enumerate(answer.readings, 1) if reading["near"]]
    if len(near) < 2 or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    from toulmin.cli.render import print_readings

    console = error_console()
    print_readings(console, answer, only=near)
    typed = typer.prompt("Which one is meant? (Enter: the first)", default="1", show_default=False, err=True)
    return int(typed) if typed.isdecimal() and int(typed) in near and int(typed) > 1 else None


async def _events(stream: AsyncIterator[Event], model: Model | None, tell: Callable[[str], None] | None) -> list[Event]:
    """All events; they are shown on stderr as they come, or ``tell`` says how far it is. The model is then closed."""
    from toulmin.cli.render import print_event
    from toulmin.methods.protocol import Working

    console, events = error_console(), []
    try:
        async for event in stream:
            if tell is None:
                print_event(console, event)
            elif isinstance(event, Working):
                tell(f"{event.what}: {event.done:,} of {event.of:,}")
            events.append(event)
    finally:
        if model is not None:
            await model.close()
    return events


def _read(path: Path) -> Answer:
    """The answer of a file, "-" for stdin, with the stored answer or a trace in it.

    Raises:
        SourceError: the file cannot be read, or holds neither.
    """
    from toulmin.methods.trace import answer_of_json

    name = "stdin" if str(path) == "-" else path
    try:
        return answer_of_json(path.read_bytes() if isinstance(name, Path) else sys.stdin.buffer.read())
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
    except InputError as error:
        raise SourceError(str(error), name) from None


@takes_groups
def check(
    answer: Annotated[Path, argument("ANSWER.json", "What `toulmin ask` stored or printed; - is stdin.")],
    graph_choice: GraphChoice = NO_GRAPH,
    knowledge: Annotated[
        list[str] | None,
        option(
            "WHAT",
            "The passages that the answer rests on: folder of an index, table, lexical, given:FILE, as `ask` was "
            "told; repeat.",
            "--knowledge",
            "--passages",
        ),
    ] = None,
    root: Annotated[
        list[str] | None, option("HEX", "The root that the graph must have (64 digits); of several repeat.")
    ] = None,
    strict: Annotated[bool, flag("--strict", "What is judged or assumed does not pass either.")] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="That the check may take.")] = 10.0,
    everything: Everything = False,
    json: Json = False,
) -> None:
    """Check a stored answer, or a text that was checked, against a graph, or by the evidence that it holds.

    Without --kg the statements are those of the file, held against the root that --root gives or that the file names;
    so are those of a graph that is none of the graphs of --kg, where the answer is about several.
    SPARQL that it rests on is run again on the graph of --kg, read-only; nobody else can say that it is right.
    Without --knowledge, passages that it rests on are unverifiable. Exit code 0: nothing fails; 1: something fails, or
    the graph has changed beneath it; 2: it is no certificate.

    \b
    Example:
      toulmin check answer.json --kg bundled
    """
    from toulmin.retrieval.knowledge.named import knowledge_from

    stored = _read(answer)
    graphs = graph_choice.kg or ([] if stored.certificate.get("evidence") else graph_choice.named)
    if not graphs and not stored.certificate.get("evidence"):
        raise SettingsError(f"{answer} holds no evidence: name the graph with --kg, or ask again with --evidence")
    if not graphs and knowledge:
        raise SettingsError("--knowledge is looked up beside a graph: name it with --kg")
    for digest in root or ():
        if not _ROOT.fullmatch(digest):
            raise SettingsError(f"--root {digest}: a root has 64 hexadecimal digits")
    with ExitStack() as stack:
        graph = stack.enter_context(graph_choice.opened()) if graphs else None
        stack.enter_context(busy("checking"))
        passages = knowledge_from(knowledge, graph) if knowledge and graph is not None else None
        report = toulmin.check(
            stored,
            graph,
            strict=strict,
            passages=passages.document if passages is not None else None,
            root=[digest.lower() for digest in root or ()],
            seconds=seconds,
            shown=EVERYTHING if everything else SHOWN,
        )
    if report.exit_code == 2:
        raise SourceError(report.problems[0], answer)
    if json:
        sys.stdout.write(report.to_json() + "\n")
    else:
        from toulmin.cli.render import print_answer

        print_answer(result_console(), stored, report, everything=everything)
    raise typer.Exit(report.exit_code)
