"""The quality of the reader, without a language model, on real data: one table beside the goals.

    python benchmarks/quality.py --data PATH [--limit N] [--seed S] [--only metaqa,pathquestion,webqsp]
                                 [--kg-dir DIR] [--json FILE]

Question text alone: no topic entity is given, entities are linked by our own linker, and a question that crashed or was
abstained from counts as wrong. Every answer is checked. Graphs are built with their vectors into --kg-dir where
they are not there yet (one that is there is used as it is: delete it after a change to what `build` writes). The same
command with the same code goes on where it was stopped; records lie in --kg-dir too. Times are of the method alone, in
one thread, after other questions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import toulmin
from built_graphs import KEPT, built
from toulmin.errors import SettingsError, ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.records import read_records, write_json
from toulmin.evaluation.runner import run
from toulmin.evaluation.statistics import ConfidenceInterval
from toulmin.evaluation.summary import Summary
from toulmin.graph.protocol import Graph
from toulmin.graph.store import open_graph
from toulmin.methods.protocol import Answered, QuestionContext
from toulmin.methods.registry import get_method
from toulmin.methods.request import Request
from toulmin.program.answer import Answer
from toulmin.retrieval.embedders import MiniLM
from toulmin.retrieval.retriever import Retriever

METHOD = "reader"
WARMING = 20  # questions asked first, that do not count
METAQA_LIMIT = 2000
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
DEPENDED_ON = (
    "english",
    "graph",
    "retrieval",
    "entailment",
    "check_text",
    "methods",
    "program",
    "kernel",
    "evaluation",
)  # packages that decide what a record says


@dataclass(frozen=True, slots=True)
class Goal:
    """What a data set must reach: Hits@1, and milliseconds per question (median, 95th percentile) where one is set."""

    hits: float
    milliseconds: tuple[float, float] | None = None


GOALS = {
    "metaqa/1-hop/dev": Goal(0.95),
    "metaqa/2-hop/dev": Goal(0.90, (30.0, 100.0)),
    "metaqa/3-hop/dev": Goal(0.80),
    "pathquestion/2": Goal(0.85),
    "pathquestion/3": Goal(0.75),
    "webqsp": Goal(0.60),
}
COLUMNS = (
    "data set\ngraph",
    "questions",
    "Hits@1",
    "goal",
    "F1 of set",
    "exact set",
    "abstained",
    "checked",
    "valid steps",
    "ms median\np95",
    "goal",
)
NOTES = (
    "Intervals are 95 % bootstrap intervals over questions. Goals are of the mean.",
    "webqsp: our half of its test questions, on the union of the triples that published runs printed. That graph is "
    "biased towards the gold, so that the figure is not one of WebQSP on Freebase.",
    "metaqa: a system of 2023 with ChatGPT reports Hits@1 0.942 / 0.939 / 0.802 with 1 / 2 / 3 hops.",
    "Answers check where the program `check` ends with exit code 0; so do abstentions. Valid steps: the share "
    "of the steps of all reasoning paths shown that are statements of the graph.",
    f"Times: the method without the check, one thread, after {WARMING} other questions.",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured on one data set.

    Args:
        validity: share of valid steps; None where no answer shows a path.
        steps: how many steps of reasoning paths the answers show.
        graph: the file that the graph was built from.
    """

    summary: Summary
    validity: float | None
    steps: int
    graph: str


def code() -> str:
    """Names what a record depends on, so that a run goes on with the same code only."""
    package = Path(toulmin.__file__).parent
    digest = blake2b(digest_size=6)
    for part in DEPENDED_ON:
        for module in sorted((package / part).rglob("*.py")):
            digest.update(module.relative_to(package).as_posix().encode() + b"\0" + module.read_bytes() + b"\0")
    return digest.hexdigest()


def asking(graph: Graph) -> Callable[[Question], Answer]:
    """The method on a graph, with an embedder of one thread."""
    method, context = get_method(METHOD), QuestionContext(graph, Retriever(graph, embedder=MiniLM(threads=1)))

    async def last(question: str) -> Answer:
        async for event in method.run(Request(question), context):
            if isinstance(event, Answered):
                return event.answer
        raise RuntimeError(f"{METHOD} ended without an answer")

    return lambda question: asyncio.run(last(question.question))


def measured(name: str, options: argparse.Namespace, console: Console) -> Figures:
    """Ask the questions of one data set, and check what is answered."""
    dataset = load(name, options.data)
    limit = options.limit
    if limit is None and name.startswith("metaqa/"):
        limit = METAQA_LIMIT
    with (
        open_graph(built(options.kg_dir / dataset.graphs[0].stem, dataset.graphs[0])) as graph,
        tempfile.TemporaryDirectory() as nowhere,
    ):
        ask = asking(graph)
        others = dataset.sample(len(dataset.questions) if limit is None else limit + WARMING, options.seed)[-WARMING:]
        run(replace(dataset, questions=others), Asking(ask), Path(nowhere), name=METHOD)
        out = records_of(options) / name.replace("/", "-")
        summary = run(
            dataset,
            Asking(ask, lambda _, answer: answer.check(graph), graph=graph.fingerprint),
            out,
            name=METHOD,
            settings=asdict(get_method(METHOD).settings),
            limit=limit,
            seed=options.seed,
            console=console,
        )
        asked = {question.id for question in dataset.sample(limit, options.seed)}
        nodes = [node for record in read_records(out) if record["id"] in asked for node in followed(record, graph)]
        led = sum(bool(node["statements"]) for node in nodes)
    return Figures(summary, led / len(nodes) if nodes else None, len(nodes), dataset.graphs[0].name)


def records_of(options: argparse.Namespace) -> Path:
    """The folder of the runs of this code."""
    folder: Path = options.kg_dir / f"runs-{code()}"
    return folder


def followed(record: dict[str, Any], graph: Graph) -> Iterator[dict[str, Any]]:
    """What the kernel reports of each step of the paths that a record's answer follows."""
    if record["answer"] is not None:
        answer = Answer.from_json(json.dumps(record["answer"]))
        if not answer.abstained:
            yield from (node for node in answer.check(graph).nodes if node["used"] and node["op"] == "follow")


def share(interval: ConfidenceInterval) -> str:
    """A mean with its interval."""
    return f"{interval.estimate:.3f}\n{interval.low:.3f} … {interval.high:.3f}"


def against(value: float, goal: float, *, least: bool) -> str:
    """A goal, and whether it is met."""
    met = value >= goal if least else value <= goal
    return f"{goal:g} {'met' if met else 'missed'}"


def row(figures: Figures, goal: Goal) -> list[str]:
    """One line of the table."""
    summary = figures.summary
    hits = summary.metrics["hits_at_1"]
    median, p95 = summary.median_seconds * 1000, summary.p95_seconds * 1000
    limits = goal.milliseconds
    return [
        f"{summary.run['dataset']}\n{figures.graph}",
        f"{summary.n:,}",
        share(hits),
        against(hits.estimate, goal.hits, least=True),
        share(summary.metrics["f1"]),
        share(summary.metrics["exact"]),
        share(summary.abstention_rate),
        f"{summary.checks:,}\nof {summary.checked:,}",
        "-" if figures.validity is None else f"{figures.validity:.4f}\nof {figures.steps:,}",
        f"{median:.1f}\n{p95:.1f}",
        "-" if limits is None else "\n".join(map(partial(against, least=False), (median, p95), limits)),
    ]


def table(rows: list[list[str]]) -> Table:
    """All data sets."""
    shown = Table(title=f"{METHOD}, no language model: Hits@1 and answer sets, from the question text alone")
    for column in COLUMNS:
        shown.add_column(column, no_wrap=True)
    for line in rows:
        shown.add_row(*line, end_section=True)
    return shown


def chosen(only: str | None) -> list[str]:
    """The data sets named, by their id or its first parts.

    Raises:
        SettingsError: a name is of no data set of the table.
    """
    names = only.split(",") if only else [""]
    for name in names:
        if not any(_is_of(known, name) for known in GOALS):
            raise SettingsError(f"--only {name!r}: not in the table; take of {', '.join(GOALS)}")
    return [known for known in GOALS if any(_is_of(known, name) for name in names)]


def _is_of(known: str, name: str) -> bool:
    return not name or known == name or known.startswith(f"{name}/")


def load_of_machine() -> str:
    """How busy the machine is."""
    return f"{os.getloadavg()[0]:.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument(
        "--limit", type=int, help=f"questions of each data set (default: {METAQA_LIMIT:,} of each of MetaQA, else all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--only", help="of these data sets only, for example metaqa,webqsp or metaqa/2-hop")
    parser.add_argument("--kg-dir", type=Path, default=KEPT, help="graphs and records")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    progress, result = Console(stderr=True), Console(width=170)
    load_before = load_of_machine()
    try:
        figures = {name: measured(name, options, progress) for name in chosen(options.only)}
        busy = f"{os.cpu_count()} processors; load {load_before} at the beginning, {load_of_machine()} at the end"
        if options.json:
            goals = {name: asdict(GOALS[name]) for name in figures}
            measures = {name: asdict(one) | {"goal": goals[name]} for name, one in figures.items()}
            write_json(options.json, {"code": code(), "machine": busy, "notes": NOTES, "data sets": measures})
    except ToulminError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
    result.print(table([row(one, GOALS[name]) for name, one in figures.items()]))
    for note in (*NOTES, f"Machine: {busy}. Records: {records_of(options)}"):
        result.print(note, style="dim", highlight=False)


if __name__ == "__main__":
    if not ONE_THREAD.items() <= os.environ.items():  # numpy's threads are counted when it is first imported
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ONE_THREAD)  # noqa: S606
    main()
