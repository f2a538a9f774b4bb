"""Figures with a language model: CR-LT with R3, WebQSP with FiDeLiS and programs, recipes, CK25; one row at a time.

    python benchmarks/with_model.py ROW --data PATH --model KIND:NAME [--base-url URL] [--record FILE]
                                    [--work DIR] [--limit 15] [--skip 0] [--offset 0]
                                    [--concurrency 15]

ROW is one of those below. Graphs are built in --work where they are not there yet, and so are the records of each row,
with which the same command goes on where it was stopped. --model random:SEED tries a row without any model. --report
prints the figures of the records that are there and asks nothing.

Of CR-LT every seventh question by number is asked; of the others a sample by seed. The graph "gold" is the cache of
Wikidata with the annotators' statements and their qualifiers added (crlt_graph.py), so that nearly every question can
be grounded; "cache" is the cache alone. The graph of WebQSP is the union of what published runs printed, biased
towards the gold.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from built_graphs import KEPT, built
from crlt_graph import write_graph
from drawn import RandomModel
from pruning import gold_texts
from toulmin.errors import SettingsError, ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.records import read_records
from toulmin.evaluation.runner import run
from toulmin.evaluation.statistics import mean_interval
from toulmin.evaluation.system import System
from toulmin.graph.labels import normalise
from toulmin.graph.store import open_graph
from toulmin.llm.protocol import Model
from toulmin.llm.registry import get_model
from toulmin.methods.fidelis import GuidedSettings
from toulmin.methods.programs import ProgramsSettings
from toulmin.methods.r3 import R3Settings
from toulmin.program.answer import Answer

EVERY = 7
NUMBERS = frozenset({"temporal reasoning", "number comparison"})  # strategies whose conclusions should be recomputed


@dataclass(frozen=True, slots=True)
class Row:
    """What is measured: a method on the questions of a data set, on a graph (None: each question brings its own)."""

    dataset: str
    graph: str | None
    method: str
    settings: Any
    decided: bool = False  # only the questions of which the data set names a statement that decides


ROWS = {
    "crlt-gold-program": Row("crlt/qa", "crlt-gold", "r3", R3Settings()),
    "crlt-gold-words": Row("crlt/qa", "crlt-gold", "r3", R3Settings(axiom="words")),
    "crlt-cache-program": Row("crlt/qa", "crlt-cache", "r3", R3Settings()),
    "crlt-cache-words": Row("crlt/qa", "crlt-cache", "r3", R3Settings(axiom="words")),
    "webqsp-guided": Row("webqsp", "webqsp", "fidelis", GuidedSettings()),
    "webqsp-frugal": Row("webqsp", "webqsp", "fidelis", GuidedSettings.frugal()),
    "webqsp-programs": Row("webqsp", "webqsp", "programs", ProgramsSettings()),
    "ck25-programs": Row("ck25", "ck25", "programs", ProgramsSettings()),
    "recipes-program": Row("recipe_mpr_personal", None, "r3", R3Settings()),
    "recipes-words": Row("recipe_mpr_personal", None, "r3", R3Settings(axiom="words")),
    "recipes-decisive": Row("recipe_mpr_personal", None, "r3", R3Settings(), decided=True),
}


def chosen_questions(dataset: Dataset, limit: int, seed: int, skip: int = 0, offset: int = 0) -> tuple[Question, ...]:
    """The questions that are asked: ``limit`` of them, none of which is in the sample of the first ``skip``.

    Of CR-LT every seventh, from the one at the place ``offset`` on.
    """
    if dataset.id != "crlt/qa":
        before = {question.id for question in dataset.sample(skip, seed)} if skip else set()
        rest = replace(dataset, questions=tuple(one for one in dataset.questions if one.id not in before))
        return rest.sample(limit, seed)
    return tuple(sorted(dataset.questions, key=_number)[offset::EVERY][skip : skip + limit])


def _number(question: Question) -> int:
    found = re.search(r"\d+", question.id)
    return int(found[0]) if found else 0


def graph_named(name: str, data: Path, work: Path, sources: Sequence[Path] | None = None) -> Path:
    """A graph, built unless it is there.

    Args:
        sources: its files; None: those of the data set of this name, of CR-LT the cache.

    Raises:
        SettingsError: it cannot be built.
    """
    out = work / name
    if out.exists():
        return out
    work.mkdir(parents=True, exist_ok=True)
    if name == "crlt-gold":
        write_graph(data, out)
        return out
    if sources is None:
        sources = load("crlt/qa", data).graphs[1:] if name == "crlt-cache" else load(name, data).graphs
    return built(out, *sources)


def open_model(options: argparse.Namespace) -> Model:
    """The model; a reader may take long, so a request may too.

    Raises:
        SettingsError: no such model.
    """
    kind, _, name = options.model.partition(":")
    if kind == "random":
        return RandomModel(int(name or 0), sound=0.95)
    at_once = {"timeout": options.timeout, "concurrency": 8 * options.concurrency} if kind == "openai" else {}
    return get_model(options.model, base_url=options.base_url, record=options.record, cache=options.cache, **at_once)


@dataclass(slots=True)
class MeasuredAnswer:
    """What a record says of an answer.

    Args:
        recomputed: of a verdict: whether it rests on no clause that was judged.
        statements, absent: cited anywhere in the answer; those of them that the graph does not hold.
        decisive: whether the answer rests on the statement that decides, where the data set names it.
        f1: of the set of answers, where the data set has one.
    """

    id: str
    outcome: str
    right: bool
    grounded: bool
    recomputed: bool | None
    calls: int
    tokens: int
    statements: int
    absent: int
    text: str
    failures: Mapping[str, int]
    decisive: bool | None = None
    f1: float | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any], question: Question, system: System) -> MeasuredAnswer:
        """The record of a question, its answer checked once more."""
        metrics = record["metrics"]
        right = metrics.get("accuracy", metrics.get("hits_at_1", 0.0)) == 1.0
        measured = cls(
            record["id"], record["outcome"], right, metrics["grounded_accuracy"] == 1.0, None, 0, 0, 0, 0, "", {}
        )
        measured.f1 = metrics.get("f1")
        if "gold_statement_used" in metrics:
            measured.decisive = metrics["gold_statement_used"] == 1.0
        if record["answer"] is None:
            measured.text = record["error"]["message"]
            return measured
        answer = Answer.from_json(json.dumps(record["answer"]))
        report = answer.check(system.graph_of(question), shown=1_000_000)
        measured.statements = len({text for node in report.nodes for text in node["statements"]})
        measured.absent = sum(node["op"] == "statement" and node["status"] != "holds" for node in report.nodes)
        measured.calls, measured.failures = answer.usage.model_calls, answer.usage.failures
        measured.tokens = answer.usage.prompt_tokens + answer.usage.completion_tokens
        measured.text = answer.text
        if answer.verdict is not None and not answer.abstained:
            measured.recomputed = not judged(answer)
        return measured


def judged(answer: Answer) -> bool:
    """Whether a verdict rests on a clause that was judged, or on nothing that was computed."""
    program = answer.certificate["program"]
    return not any(node["op"] == "follow" for node in program) or any(node["op"] == "judged" for node in program)


def strategies(data: Path) -> dict[str, frozenset[str]]:
    """The strategies that CR-LT names of each question."""
    lines = (data / "crlt" / "qa.jsonl").read_text("utf-8").splitlines()
    return {record["id"]: frozenset(record["Reasoning Strategy"]) for record in map(json.loads, lines)}


def lacking(data: Path, graph: str) -> dict[str, tuple[str, ...]]:
    """Of each question of CR-LT the gold triples whose subject and relation are in no statement of a graph."""
    dataset = load("crlt/qa", data)
    lines = dataset.graphs[graph == "crlt-cache"].read_text("utf-8").splitlines()
    there = {normalise(" ".join(line.split("\t")[:2])) for line in lines}
    found = {}
    for record in map(json.loads, (data / "crlt" / "qa.jsonl").read_text("utf-8").splitlines()):
        texts = gold_texts(record)
        found[record["id"]] = tuple(text for text in texts if not _starts(normalise(text).split(), there))
    return found


def _starts(words: Sequence[str], there: Collection[str]) -> bool:
    return any(" ".join(words[:count]) in there for count in range(2, len(words)))


def report(name: str, answers: Sequence[MeasuredAnswer], data: Path, console: Console) -> None:
    """A line for each question, and the figures."""
    lacks: Mapping[str, tuple[str, ...]] = {}
    if name.startswith("crlt"):
        lacks = lacking(data, ROWS[name].graph or "")
    columns = ("question", "right", "grounded", "recomputed", "calls", "tokens", "cited", "gold absent", "said")
    table = Table(*columns, title=name)
    for one in answers:
        marks = ("yes" if mark else "–" if mark is None else "no" for mark in (one.right, one.grounded, one.recomputed))
        absent = str(len(lacks[one.id])) if lacks.get(one.id) else ""
        table.add_row(one.id, *marks, str(one.calls), f"{one.tokens:,}", str(one.statements), absent, one.text[:300])
    console.print(table)
    for what, value in figures(answers, strategies(data) if lacks else {}):
        console.print(f"{what:<48} {value}", highlight=False)
    without = [one for one in answers if lacks.get(one.id)]
    if without:
        outcomes = Counter("right" if one.right else one.outcome for one in without)
        shown = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
        console.print(f"{'questions of which gold triples are absent':<48} {shown}", highlight=False)


def figures(answers: Sequence[MeasuredAnswer], by_strategy: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """What a row is about, in words."""

    def share(some: Sequence[Any]) -> str:
        return f"{sum(map(bool, some)) / len(some):.3f} ({sum(map(bool, some))} of {len(some)})" if some else "–"

    outcomes = Counter(one.outcome for one in answers)
    yield "accuracy", share([one.right for one in answers])
    sets = [one.f1 for one in answers if one.f1 is not None]
    if sets:
        around = mean_interval(sets)
        yield "F1 of the set", f"{around.estimate:.3f} [{around.low:.3f}, {around.high:.3f}] of {len(sets)}"
    yield "grounded accuracy", share([one.grounded for one in answers])
    yield "accuracy among the answered", share([one.right for one in answers if one.outcome == "answered"])
    yield "outcomes", ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
    cited, absent = sum(one.statements for one in answers), sum(one.absent for one in answers)
    yield "cited statements that exist in the graph", f"{cited - absent} of {cited}; hallucinated: {absent}"
    decided = [one for one in answers if one.recomputed is not None]
    if decided:
        yield "yes/no conclusions recomputed, not judged", share([one.recomputed for one in decided])
    numbers = [one for one in decided if by_strategy.get(one.id, frozenset()) & NUMBERS]
    if numbers:
        yield "of these, temporal or of numbers", share([one.recomputed for one in numbers])
    named = [one for one in answers if one.decisive is not None]
    if named:
        yield "right, resting on the triple that decides", share([one.right and one.decisive for one in named])
    calls = sorted(one.calls for one in answers)
    yield "model calls per question", f"mean {sum(calls) / len(calls):.1f}, at most {calls[-1]}"
    yield "tokens per question", f"mean {sum(one.tokens for one in answers) / len(answers):,.0f}"
    failures: Counter[str] = Counter()
    for one in answers:
        failures.update(one.failures)
    yield "steps without a usable reply", ", ".join(f"{step} {n}" for step, n in failures.items()) or "none"


def measured(options: argparse.Namespace, console: Console) -> None:
    """Ask what has not been asked, and report.

    Raises:
        ToulminError: see ``runner.run``.
    """
    row = ROWS[options.row]
    dataset = load(row.dataset, options.data)
    if row.decided:
        dataset = replace(dataset, questions=tuple(one for one in dataset.questions if one.gold_statements))
    dataset = replace(
        dataset, questions=chosen_questions(dataset, options.limit, options.seed, options.skip, options.offset)
    )
    out = options.work / "runs" / f"{options.row}-{re.sub(r'[^A-Za-z0-9.-]+', '-', options.model)}"
    graph = None if row.graph is None else graph_named(row.graph, options.data, options.work)
    answers = [one for one, _ in ask_what_is_left(dataset, graph, row.method, row.settings, out, options)]
    if not answers:
        raise SettingsError(f"{out} holds no record of this row: leave --report out")
    report(options.row, answers, options.data, console)


def ask_what_is_left(
    dataset: Dataset, kg: Path | None, method: str, settings: Any, out: Path, options: argparse.Namespace
) -> list[tuple[MeasuredAnswer, Mapping[str, Any]]]:
    """Ask a method what it has not been asked (nothing, with --report); what its records tell, each with its record.

    Raises:
        ToulminError: see ``runner.run``.
    """
    with ExitStack() as stack:
        graph = None if kg is None else stack.enter_context(closing(open_graph(kg)))
        model = open_model(options)
        system = stack.enter_context(System(graph, method=method, settings=settings, model=model))
        if options.report:
            asyncio.run(model.close())
        else:
            fingerprint = "" if graph is None else graph.fingerprint
            how = Asking(system.answer, system.check, system.measure, model.close, graph=fingerprint, model=model.name)
            run(
                dataset,
                how,
                out,
                name=method,
                settings=asdict(settings),
                seed=options.seed,
                concurrency=options.concurrency,
                console=Console(stderr=True),
            )
        questions = {question.id: question.shuffled(options.seed) for question in dataset.questions}
        records = [one for one in read_records(out) if one["id"] in questions]
        return [(MeasuredAnswer.of(one, questions[one["id"]], system), one) for one in records]


def add_model_options(parser: argparse.ArgumentParser, *, concurrency: int, timeout: float) -> None:
    """What ``ask_what_is_left`` takes, but for the model and the questions."""
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--base-url", help="of an OpenAI-compatible endpoint")
    parser.add_argument("--record", type=Path, help="append every exchange to this file")
    parser.add_argument("--cache", type=Path, help="keep replies in this file")
    parser.add_argument("--work", type=Path, default=KEPT, help="graphs and records")
    parser.add_argument("--concurrency", type=int, default=concurrency, help="questions asked at a time")
    parser.add_argument("--timeout", type=float, default=timeout, help="seconds for one request to an endpoint")
    parser.add_argument("--report", action="store_true", help="ask nothing, print what is there and each answer")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", choices=ROWS, metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--model", required=True, help="openai:NAME, gguf:FILE, replay:FILE, random:SEED")
    add_model_options(parser, concurrency=15, timeout=1800.0)
    parser.add_argument("--limit", type=int, default=15, help="questions")
    parser.add_argument("--seed", type=int, default=0, help="of the sample, and of the order of options")
    parser.add_argument("--skip", type=int, default=0, help="ask none of the questions of --limit SKIP")
    parser.add_argument("--offset", type=int, default=0, help="of CR-LT: place of the first question, 0 to 6")
    options = parser.parse_args()
    try:
        measured(options, Console(width=170))
    except ToulminError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")


if __name__ == "__main__":
    main()
