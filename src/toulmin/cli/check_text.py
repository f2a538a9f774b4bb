"""The command check-text: a text against a graph, sentence by sentence."""

from __future__ import annotations

import json as json_format
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import counted, progress, result_console
from toulmin.cli.entail import ScorerName, opened_scorer
from toulmin.cli.graphs import NO_GRAPH, GraphChoice, tell_schema
from toulmin.cli.models import NO_MODEL, ModelChoice
from toulmin.cli.options import argument, flag, option, takes_groups
from toulmin.cli.storing import NOT_STORED, Storing
from toulmin.errors import InputError, NothingUsableError, SettingsError, SourceError

if TYPE_CHECKING:
    from asyncio import Runner

    from toulmin.check_text.checking import TextCheck, TextChecker
    from toulmin.graph.build import Progress
    from toulmin.graph.protocol import Graph
    from toulmin.llm.protocol import Model
    from toulmin.llm.session import Budget
    from toulmin.program.answer import Answer
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["check_text"]

_QUICK = 2.0  # seconds without a progress bar
_LINES = (".jsonl", ".ndjson")
_MOST_BYTES = 64_000_000  # of a file
#: What makes the exit code 1.
_FailOn = StrEnum("_FailOn", ["contradicted", "unsupported"])


@takes_groups
def check_text(
    text: Annotated[
        str,
        argument(
            "TEXT|FILE|-",
            'A text, or the name of a file with one, or - for stdin. A file .jsonl has lines {"id", "text"}.',
        ),
    ],
    graph_choice: GraphChoice = NO_GRAPH,
    passages: Annotated[
        list[Path] | None, option("DIR", "An index of passages (`toulmin passages build`) for what the graph lacks.")
    ] = None,
    scorer: ScorerName = "shipped",
    fail_on: Annotated[
        _FailOn | None,
        typer.Option(
            help="Exit with 1 if a sentence is contradicted, or claims what is not supported (also by 'perhaps')."
        ),
    ] = None,
    sure: Annotated[
        float,
        option(
            "SCORE",
            "Say supported or contradicted only from this score on, else not in the graph: 0.7 gives few false alarms.",
            min=0.0,
            max=1.0,
        ),
    ] = 0.0,
    explain: Annotated[
        bool, flag("--explain", "Name the rule that decided each verdict (in JSON: trace.rules).")
    ] = False,
    choice: ModelChoice = NO_MODEL,
    storing: Storing = NOT_STORED,
    json: Annotated[
        bool, flag("--json", "Print the answer, a certificate, as JSON, of several texts one line each.")
    ] = False,
) -> None:
    """Check each sentence of a text: supported by the graph, contradicted by it, or not in it.

    Needs no language model; with --model, one takes the sentences apart into facts. What --json prints for one text is
    an answer that `toulmin check` verifies, and --out stores it. Exit code 1 if --fail-on applies, or if the model gave
    nothing usable; 2 if something cannot be read.

    \b
    Example:
      toulmin check-text "Ada Lovelace was born in London. She died in Paris. She owned a parrot." --kg bundled
    """
    from asyncio import Runner

    from toulmin.check_text.checking import CheckSettings, TextChecker
    from toulmin.check_text.judge.verdicts import JudgeSettings
    from toulmin.cli.failures import told

    storing.check(json=json)
    texts = _texts(text)
    if storing.files and any(id_ is not None for id_, _ in texts):
        raise SettingsError(f"{next(iter(storing.files))} is for one text: with several, --json prints a line for each")
    budget = choice.budget()
    failed, problem = False, None
    with graph_choice.opened() as graph, ExitStack() as stack:
        tell_schema(graph)
        model = choice.open()
        runner = stack.enter_context(Runner())  # one for all texts: connections belong to it
        if model is not None:
            stack.callback(lambda: runner.run(model.close()))
        judge = opened_scorer(scorer, model, budget, stack)
        settings = CheckSettings(judge=JudgeSettings(sure=sure), explain=explain)
        checker = TextChecker(graph, scorer=judge, knowledge=_passages(passages), settings=settings)
        for id_, given in texts:
            try:
                with progress() as tell:
                    answer, ended = _check(checker, given, model, budget, tell, runner)
            except NothingUsableError as error:
                if id_ is None:
                    raise
                failed = told(error, f"text {id_}: ") != 0
                continue
            answer = storing.attached(answer, graph)
            problem = storing.write(answer)
            _print(answer, id_, graph, checker.knowledge, json=json)
            failed |= _fails(answer, fail_on)
            if ended is not None:
                raise KeyboardInterrupt(ended)
    if problem is not None:
        raise problem
    raise typer.Exit(1 if failed else 0)


def _passages(folders: Sequence[Path] | None) -> Knowledge | None:
    if not folders:
        return None
    from toulmin.retrieval.knowledge import KnowledgeUnion, PassageKnowledge
    from toulmin.retrieval.passages.index import PassageIndex

    known = [PassageKnowledge(PassageIndex.open(folder)) for folder in folders]
    return known[0] if len(known) == 1 else KnowledgeUnion(*known)


def _texts(given: str) -> list[tuple[str | None, str]]:
    """The texts of the argument with their ids; that of the only one is None.

    Raises:
        InputError: there is no text.
        SourceError: a file that is not there, or cannot be read as text.
    """
    if not given.strip():
        raise InputError("the text is empty: give a text with at least one sentence")
    if given == "-":
        return [(None, _decoded(sys.stdin.buffer.read(_MOST_BYTES + 1), "stdin"))]
    path, is_file, is_folder = Path(given), False, False
    with suppress(OSError, ValueError):  # longer than a name may be, or with a NUL
        is_file = path.exists()  # a pipe, as the shell's <(…) gives one, is read as well
        is_folder = path.is_dir()
    if is_folder:
        raise SourceError("is a folder: name a file, or give a text", given)
    if not is_file:
        if not any(character.isspace() for character in given) and "." in given.strip("."):
            raise SourceError("there is no such file; a text to check has more than one word", given)
        return [(None, given)]
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
    decoded = _decoded(content, str(path))
    return list(_lines(decoded, path)) if path.suffix.lower() in _LINES else [(None, decoded)]


def _decoded(content: bytes, name: str) -> str:
    if len(content) > _MOST_BYTES:
        raise SourceError(f"is larger than {_MOST_BYTES // 1_000_000} MB: check it in parts", name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"is no text in UTF-8 (byte {error.start + 1}): convert it", name) from None
    if "\0" in text:
        raise SourceError("holds NUL characters: it is no text", name)
    if not text.strip():
        raise SourceError("is empty: there is no text to check", name)
    return text


def _lines(content: str, path: Path) -> Iterator[tuple[str, str]]:
    """The ids and texts of a JSON-lines file."""
    from toulmin.graph.labels import is_unicode

    seen: dict[str, int] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json_format.loads(line)
        except (ValueError, RecursionError):
            raise SourceError("is no JSON: write one object per line", path, number) from None
        if not isinstance(value, dict):
            raise SourceError('is no object: write {"id": …, "text": …}', path, number)
        text, key = value.get("text"), value.get("id")
        if not isinstance(text, str) or not text.strip():
            raise SourceError("is missing or empty: give a text", path, number, "text")
        if not is_unicode(text):
            raise SourceError("holds half a character (a lone surrogate): write it in UTF-8", path, number, "text")
        if not isinstance(key, str | int) or isinstance(key, bool) or str(key) == "":
            raise SourceError("is missing: give a string or a number", path, number, "id")
        if str(key) in seen:
            raise SourceError(f"{key!r} stands in line {seen[str(key)]} already: give each text its own", path, number)
        seen[str(key)] = number
        yield str(key), text


def _check(
    checker: TextChecker, text: str, model: Model | None, budget: Budget | None, tell: Progress, runner: Runner
) -> tuple[Answer, str | None]:
    """The answer for a text; where the user interrupts, for what was checked so far, and what to say then."""
    from toulmin.llm.session import Session

    begun = checker.start(text, Session(model, budget) if model is not None else None)
    try:
        runner.run(_run(begun, tell))
    except KeyboardInterrupt:
        if not begun.done:
            raise
        total = counted(len(begun.sentences), "sentence")
        return begun.answer(ended="the check was interrupted"), f"interrupted: {begun.done:,} of {total} checked"
    return begun.answer(), None


async def _run(begun: TextCheck, tell: Progress) -> None:
    began = time.monotonic()
    async for done in begun.run():
        if time.monotonic() - began > _QUICK:
            tell(done, len(begun.sentences), "checking")


def _fails(answer: Answer, fail_on: _FailOn | None) -> bool:
    """Whether ``--fail-on`` applies; what is claimed with "perhaps" or "I think" is no more supported than a lie."""
    from toulmin.check_text.rules import rule_of_reason

    bad = {None: (), _FailOn.contradicted: ("contradicted",)}.get(fail_on, ("contradicted", "not in the graph"))
    guarded = fail_on is _FailOn.unsupported
    return any(
        s.verdict in bad or (guarded and s.verdict == "not checked" and rule_of_reason(s.reason or "").claims)
        for s in answer.sentences
    )


def _print(answer: Answer, id_: str | None, graph: Graph, knowledge: Knowledge | None, *, json: bool) -> None:
    if json and id_ is None:
        sys.stdout.write(answer.to_json() + "\n")
        return
    if json:
        line = {"id": id_, "answer": answer.certificate}
        sys.stdout.write(json_format.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.flush()  # a long list of texts is read as it comes
        return
    import toulmin
    from toulmin.cli.render import print_checked

    report = toulmin.check(answer, graph, passages=knowledge.document if knowledge is not None else None)
    print_checked(result_console(), answer, report, heading=id_)
