"""Coverage ratio of gold paths at k = 1, 5, 10, 30: Path-RAG beside the plain vector retriever (papers/fidelis, 3.3).

    python benchmarks/coverage.py --data DIR [--limit 300] [--seed 0] [--half reported]
        [--hops 3] [--work FOLDER] [--alpha 0.3] [--outside cosine] [--m 100] [--keywords concatenated] [DATASET ...]

All are given the topic entity and rank relation paths of 1 to --hops hops with the same beam search; they differ in how
a step is scored. No model names keywords: Path-RAG's are the words of the question without those of the topic entity
and without function words. The plain retriever has the question, as in the paper, or those keywords instead. A row
"all" pools the data sets of one graph. Intervals are 95 %; those of differences (Path-RAG less the other) are paired.
Questions whose topic entity is not in the graph count as not covered.

The questions of each data set are shuffled by --seed and dealt into two halves: the figures of "reported" are given
out, "tuning" is for reading failures and choosing settings.

Graphs are built with their vectors in a temporary folder, or in --work, where they are kept for the next run. The words
of steps are embedded for the plain retriever when they are first asked for.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from relation_paths import RelationPath, StepScoring, rank_relation_paths
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import GoldPath, PathRelation, Question
from toulmin.evaluation.metrics.paths import coverage_ratio
from toulmin.evaluation.statistics import bootstrap_interval, paired_difference
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.labels import normalise
from toulmin.graph.readers.registry import read
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.path_rag import PathRag, PathRagSettings, VanillaRetriever
from toulmin.retrieval.vectors import StoredVectors, build_vectors

#: question -> candidate reasoning paths as relation sequences (labels, with directions where known), best first.
PathRetriever = Callable[[Question], Sequence[GoldPath]]
CUTOFFS = (1, 5, 10, 30)
DATASETS = ("metaqa/1-hop/dev", "metaqa/2-hop/dev", "metaqa/3-hop/dev", "webqsp")
HALVES = ("reported", "tuning")
FUNCTION_WORDS = frozenset(
    """a about after also am an and any are as at be been before being both but by can could did do does doing each for
    from had has have he her hers him his how i if in into is it its me my no nor not of off on one only or our out over
    own s same shall she should so some such than that the their them then there these they this those to too under
    until up us was we were what when where which while who whom whose why will with would you your""".split()
)


def coverage_at(retriever: PathRetriever, questions: Iterable[Question], cutoffs: Sequence[int]) -> list[list[float]]:
    """CR of the first k retrieved paths, [question][cutoff]; questions without a gold path are left out.

    Candidates that are the same relation sequence count once, at their best rank: CR is a ratio of such sequences.
    """
    ratios = []
    for question in questions:
        if question.gold_paths:
            ranked = list(dict.fromkeys(tuple(path) for path in retriever(question)))
            ratios.append([coverage_ratio(ranked[:k], question.gold_paths) for k in cutoffs])
    return ratios


def half(questions: Sequence[Question], which: str) -> list[Question]:
    """Every second question: of the half whose figures are given out, or of that on which settings are chosen."""
    return list(questions[HALVES.index(which) :: len(HALVES)])


def topic(graph: EmbeddedGraph, question: Question) -> int | None:
    """The node of the question's first gold entity: that of exactly this label, else the most connected alike one."""
    if not question.gold_entities:
        return None
    wanted = question.gold_entities[0]
    found = graph.lookup([wanted])[0]
    exact = [match for match in found if match.form == wanted]
    return graph.subgraph([], 0).index((exact or found)[0].id) if found else None


def keywords(question: Question) -> list[str]:
    """The words of a question without those of its entities and without function words."""
    text = f" {normalise(question.question)} "
    for entity in question.gold_entities:
        text = text.replace(f" {normalise(entity)} ", " ")
    words = text.split() or normalise(question.question).split()
    return list(dict.fromkeys(word for word in words if word not in FUNCTION_WORDS)) or words


def relation_sequences(subgraph: Subgraph, paths: Sequence[RelationPath]) -> list[GoldPath]:
    """Relation paths as data sets write them: a machine-id node in the middle of a hop is not seen."""
    return [
        tuple(
            PathRelation(relation.label or relation.id, "backward" if slot & 1 else "forward")
            for hop in path.hops
            for slot in hop
            if slot >= 0
            for relation in (subgraph.relations[slot >> 1],)
        )
        for path in paths
    ]


@dataclass(frozen=True, slots=True)
class Bench:
    """One graph and the retrievers over it, by the name of their column; the first is compared with the others."""

    graph: EmbeddedGraph
    retrievers: dict[str, PathRetriever]


def opened(source: Path, folder: Path, hops: int, settings: PathRagSettings) -> Bench:
    """A graph, built with its vectors if it is not there yet, and its retrievers."""
    out = folder / source.stem
    if not out.exists():
        with build_directory(out) as work:
            build_graph([(source.name, read(source))], work, name=source.stem)
            with open_graph(work) as graph:
                build_vectors(work, graph, get_embedder())
    graph = open_graph(out)
    subgraph = graph.subgraph([], 0)
    index = StoredVectors(out, get_embedder(), graph.fingerprint)
    rag, plain = PathRag(subgraph, index, settings), VanillaRetriever(subgraph, get_embedder())

    k = 2 * CUTOFFS[-1]  # those with and without a machine-id node may read the same

    def ranked(scoring: Callable[[Question], StepScoring]) -> PathRetriever:
        def retriever(question: Question) -> list[GoldPath]:
            node = topic(graph, question)
            if node is None:
                return []
            paths = rank_relation_paths(subgraph, node, scoring(question), hops=hops, k=k)
            return relation_sequences(subgraph, paths)

        return retriever

    return Bench(
        graph,
        {
            "Path-RAG": ranked(lambda q: rag.query(keywords(q))),
            "vanilla": ranked(lambda q: plain.query(q.question)),
            "vanilla, keywords": ranked(lambda q: plain.query(" ".join(keywords(q)))),
        },
    )


#: Of each retriever, CR by question and cutoff.
Ratios = dict[str, list[list[float]]]


def rows(table: Table, name: str, ratios: Ratios, seed: int) -> None:
    """One line for each cutoff."""
    (_, ours), *others = ratios.items()
    for column, k in enumerate(CUTOFFS):
        figure = bootstrap_interval([row[column] for row in ours], seed=seed)
        cells = [f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}]"]
        for _, theirs in others:
            a, b = [row[column] for row in ours], [row[column] for row in theirs]
            difference = paired_difference(a, b, seed=seed)
            cells.append(f"{sum(b) / len(b):.3f}")
            cells.append(f"{difference.estimate:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]")
        first = f"{name} (n = {len(ours)})" if column == 0 else ""
        table.add_row(first, str(k), *cells, end_section=k == CUTOFFS[-1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", default=DATASETS)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=300, help="questions of each data set (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of questions and of the bootstrap")
    parser.add_argument("--half", choices=HALVES, default=HALVES[0], help="of the questions (default reported)")
    parser.add_argument("--hops", type=int, default=3, help="longest relation path (default 3)")
    parser.add_argument("--work", type=Path, help="a folder where graphs are kept from run to run")
    defaults = PathRagSettings()
    parser.add_argument("--alpha", type=float, default=defaults.alpha, help="Path-RAG's weight of what lies ahead")
    parser.add_argument("--outside", default=defaults.outside, help="score outside the top m: cosine (default) or zero")
    parser.add_argument("--m", type=int, default=defaults.m, help="how many are not outside (default 100)")
    parser.add_argument("--keywords", default=defaults.keywords, help="concatenated (default) or one_by_one")
    options = parser.parse_args()
    settings = PathRagSettings(options.alpha, options.m, options.outside, options.keywords)
    console = Console(width=170)
    table = Table(title=f"CR@k of relation paths of up to {options.hops} hops, {options.half} half")
    table.add_column("data set")
    table.add_column("k", justify="right")
    results: dict[Path, dict[str, Ratios]] = {}
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as temporary:
        benches: dict[Path, Bench] = {}
        for name in options.datasets:
            dataset = load(name, options.data)
            source = dataset.graphs[0]
            if source not in benches:
                benches[source] = opened(source, options.work or Path(temporary), options.hops, settings)
            sampled = dataset.sample(len(dataset.questions), options.seed)
            with_gold = [question for question in sampled if question.gold_paths]
            questions = half(with_gold, options.half)[: options.limit]
            began = time.perf_counter()
            results.setdefault(source, {})[name] = {
                column: coverage_at(retriever, questions, CUTOFFS)
                for column, retriever in benches[source].retrievers.items()
            }
            asked = len(questions) * len(benches[source].retrievers)
            console.print(f"{name}: {1000 * (time.perf_counter() - began) / asked:.0f} ms per question and retriever")
        columns = list(next(iter(benches.values())).retrievers)
        table.add_column(columns[0])
        for column in columns[1:]:
            table.add_column(column)
            table.add_column("difference")
        for source, of_sets in results.items():
            for name, ratios in of_sets.items():
                rows(table, name, ratios, options.seed)
            if len(of_sets) > 1:
                pooled = {column: [row for ratios in of_sets.values() for row in ratios[column]] for column in columns}
                rows(table, f"all of {source.parent.name}", pooled, options.seed)
        for bench in benches.values():
            bench.graph.close()
    console.print(table)


if __name__ == "__main__":
    main()
