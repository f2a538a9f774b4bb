"""Success of entity linking on the questions of all data sets, from the question text alone (papers/r3, table 5).

    python benchmarks/linking.py --data PATH [--limit 2000 --seed 0] [--vectors] [--missed 0]

A question counts where all its gold entities are among the first k candidates of some mention, with 95 % bootstrap
intervals; questions with a gold entity that the graph lacks are left out. Graphs are built in a temporary directory;
with --vectors their labels are embedded too, which takes a minute or two for each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from toulmin.errors import SettingsError, ToulminError
from toulmin.evaluation.datasets import Question, load
from toulmin.evaluation.metrics.paths import known_as, linking_success
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.registry import read
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.linking import EntityLinker, Mention
from toulmin.retrieval.vectors import StoredVectors, build_vectors

#: Data sets, each with the place of its graph among those it names.
RUNS = (
    ("crlt/qa", 1),
    ("crlt/qa", 0),
    ("crlt/claims", 0),
    ("metaqa/1-hop/dev", 0),
    ("metaqa/2-hop/dev", 0),
    ("metaqa/3-hop/dev", 0),
    ("pathquestion/2", 0),
    ("pathquestion/3", 0),
    ("webqsp", 0),
)


#: question text -> for each mention the ids of its candidates, best first.
Linker = Callable[[str], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class LinkingResult:
    """The share of questions all of whose gold entities are among the first k candidates of some mention.

    Args:
        success: by k.
        missed: for each k the ids of the questions that failed.
        outside: ids of the questions left out: a gold entity is not in the graph, or none is named.
        mentions: how many mentions the linker found in a question, in the mean: finding many makes success easy.
    """

    success: Mapping[int, ConfidenceInterval]
    missed: Mapping[int, tuple[str, ...]]
    outside: tuple[str, ...]
    mentions: float


def evaluate_linking(
    questions: Sequence[Question], linker: Linker, graph: Graph, *, cutoffs: Sequence[int] = (1, 3), seed: int = 0
) -> LinkingResult:
    """Link each question whose gold entities are all in the graph, and count where all of them are found.

    A gold entity is in the graph iff one has its name as label or, failing that, as alias; where several share
    the name, each of them counts as found.

    Args:
        cutoffs: how many candidates of each mention count.
        seed: of the bootstrap.

    Raises:
        SettingsError: no question is left, or a cutoff is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise SettingsError(f"cutoffs must be at least 1, not {list(cutoffs)}")
    known = known_as(sorted({name for question in questions for name in question.gold_entities}), graph)
    inside = [q for q in questions if q.gold_entities and all(known[name] for name in q.gold_entities)]
    if not inside:
        raise SettingsError("no question has all its gold entities in the graph: is it the graph of this data set?")
    scores: dict[int, list[float]] = {k: [] for k in cutoffs}
    found = 0
    for question in inside:
        mentions = linker(question.question)
        found += len(mentions)
        for k in cutoffs:
            scores[k].append(linking_success(mentions, [known[name] for name in question.gold_entities], k))
    kept = {question.id for question in inside}
    return LinkingResult(
        success={k: bootstrap_interval(values, seed=seed) for k, values in scores.items()},
        missed={k: tuple(q.id for q, s in zip(inside, values, strict=True) if not s) for k, values in scores.items()},
        outside=tuple(question.id for question in questions if question.id not in kept),
        mentions=found / len(inside),
    )


def graph_of(source: Path, folder: Path, *, vectors: bool) -> EmbeddedGraph:
    """The graph of a file, built in ``folder`` unless it is there."""
    out = folder / source.stem
    if not out.exists():
        with build_directory(out) as work:
            build_graph([(source.name, read(source))], work, name=source.stem)
        if vectors:
            with open_graph(out) as graph:
                build_vectors(out, graph, get_embedder())
    return open_graph(out)


def shown(interval: ConfidenceInterval) -> str:
    """A share with its interval."""
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def rows(options: argparse.Namespace, folder: Path, console: Console) -> Iterator[Sequence[str]]:
    """One row of the table for each data set."""
    for name, place in RUNS:
        dataset = load(name, options.data)
        source = dataset.graphs[place]
        with graph_of(source, folder, vectors=options.vectors) as graph:
            embedder = get_embedder()
            index = StoredVectors(graph.path, embedder, graph.fingerprint) if options.vectors else None
            linker = EntityLinker(graph, index=index)
            linker.link("where was the author of Casablanca born")  # what is read once, is read now
            seconds: list[float] = []
            linked: dict[str, tuple[Mention, ...]] = {}

            def link(
                question: str,
                linker: EntityLinker = linker,
                seconds: list[float] = seconds,
                linked: dict[str, tuple[Mention, ...]] = linked,
            ) -> list[list[str]]:
                began = time.perf_counter()
                linked[question] = linker.link(question)
                seconds.append(time.perf_counter() - began)
                return [[candidate.entity.id for candidate in mention.candidates] for mention in linked[question]]

            questions = dataset.sample(options.limit, options.seed)
            result = evaluate_linking(questions, link, graph, cutoffs=(1, 3), seed=options.seed)
        missed = [question for question in questions if question.id in result.missed[1]]
        for question in missed[: options.missed]:
            found = [(m.text, [c.entity.label for c in m.candidates[:3]]) for m in linked[question.question]]
            console.print(f"{question.id}: {question.question} {question.gold_entities} {found}", markup=False)
        milliseconds = np.array(seconds) * 1000
        yield (
            name,
            source.name,
            f"{len(seconds)} ({len(result.outside)})",
            shown(result.success[1]),
            shown(result.success[3]),
            f"{result.mentions:.2f}",
            f"{np.median(milliseconds):.1f} / {np.percentile(milliseconds, 95):.1f}",
        )


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--limit", type=int, default=2000, help="questions of each data set")
    parser.add_argument("--seed", type=int, default=0, help="of the sample and the bootstrap")
    parser.add_argument("--vectors", action="store_true", help="link with the vector index too")
    parser.add_argument("--missed", type=int, default=0, help="print so many questions missed at top 1")
    options = parser.parse_args()
    console = Console(width=150)
    table = Table(
        "data set", "graph", "questions (left out)", "top 1 [95 %]", "top 3 [95 %]", "mentions", "ms, median / p95"
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            for row in rows(options, Path(folder), console):
                table.add_row(*row)
    except ToulminError as error:
        sys.exit(str(error))
    console.print(table)


if __name__ == "__main__":
    main()
