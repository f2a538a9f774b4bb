"""Path-RAG candidates with look-ahead at one node, by its degree, beside loops in plain Python.

    python benchmarks/path_rag.py (--kg DIR | --source FILE) [--repeat 15]

--kg takes a graph built with vectors, --source a file (MetaQA's kb.txt) of which one is built into a temporary folder,
with its time and peak memory. "eq. 2 + 3" is the first node that a question asks about: the entities that it needs are
scored too. "eq. 3" has them scored already, as the baseline has, which adds them up in loops over lists; the scores of
both are compared. "again" is the same node for the same question. Medians of processor time; all is one thread, so
that on an idle machine this is the wall time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

from relation_paths import step_candidates
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.registry import read
from toulmin.graph.store import open_graph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import MiniLM
from toulmin.retrieval.path_rag import PathRag, PathRagQuery
from toulmin.retrieval.vectors import StoredVectors, build_vectors

DEGREES = (20, 150, 400, 1000, 4000)
KEYWORDS = ("directed", "written", "release year", "actors")


class Loops:
    """Eq. 3 in loops, for a graph without machine-id nodes."""

    def __init__(self, subgraph: Subgraph) -> None:
        self.edges: list[list[tuple[int, int]]] = [[] for _ in range(subgraph.n_nodes)]
        for csr in (subgraph.outgoing, subgraph.incoming):
            relation, neighbour = csr.relation.tolist(), csr.neighbour.tolist()
            starts = csr.indptr.tolist()
            for node in range(subgraph.n_nodes):
                places = range(starts[node], starts[node + 1])
                self.edges[node].extend((relation[place], neighbour[place]) for place in places)

    def candidates(self, node: int, relations: list[float], entities: list[float], alpha: float) -> list[float]:
        """The scores of a node's steps, best first."""
        found = []
        for relation, neighbour in self.edges[node]:
            ahead = [relations[r] + entities[e] for r, e in self.edges[neighbour] if e != node]
            found.append(relations[relation] + entities[neighbour] + alpha * max(ahead, default=0.0))
        return sorted(found, reverse=True)


def build(source: Path, out: Path) -> tuple[float, float]:
    """Wall seconds and peak memory (MB) of a graph with its vectors."""
    began = time.perf_counter()
    with build_directory(out) as work:
        build_graph([(source.name, read(source))], work, name=source.stem)
        with open_graph(work) as graph:
            build_vectors(work, graph, MiniLM())
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of this thread's processor time for one call."""
    began = time.thread_time()
    action()
    return 1e3 * (time.thread_time() - began)


def near(degrees: np.ndarray, wanted: int, repeat: int) -> list[int]:
    """The nodes of most nearly this degree, at most 5 % off (at least one)."""
    order = np.argsort(np.abs(degrees - wanted), kind="stable")[:repeat]
    close = [int(node) for node in order if abs(int(degrees[node]) - wanted) <= 0.05 * wanted]
    return close or [int(order[0])]


def measure(directory: Path, repeat: int) -> Table:
    """The table of one graph."""
    with open_graph(directory) as graph:
        subgraph = graph.subgraph([], 0)
        rag = PathRag(subgraph, StoredVectors(directory, MiniLM(threads=1), graph.fingerprint))
        degrees = np.diff(subgraph.outgoing.indptr) + np.diff(subgraph.incoming.indptr)
        loops = Loops(subgraph)
        whole = rag.query(KEYWORDS).views[0]
        entities = whole.entities(np.arange(subgraph.n_nodes)).tolist()
        relations, alpha = whole.relations.tolist(), rag.settings.alpha
        title = f"{directory.name}: {subgraph.n_statements:,} statements; milliseconds of the candidates at one node"
        table = Table(title=title, caption=f"eq. 2, embedding the keywords: {fresh_query(rag):.1f} ms")
        for column in ("degree", "nodes", "edges looked at", "eq. 2 + 3", "eq. 3", "again", "loops", "loops / eq. 3"):
            table.add_column(column, justify="right")
        for wanted in DEGREES:
            nodes = near(degrees, wanted, repeat)
            edges = median(sum(len(loops.edges[e]) for _, e in loops.edges[node]) for node in nodes)
            times: list[tuple[float, ...]] = []
            for place in range(max(repeat, len(nodes))):
                node = nodes[place % len(nodes)]
                query, scored = rag.query(KEYWORDS), rag.query(KEYWORDS)
                both, again = (timed(partial(step_candidates, subgraph, query, node)) for _ in range(2))
                scored.views[0].entities(np.arange(subgraph.n_nodes))
                ahead = timed(partial(step_candidates, subgraph, scored, node))
                plain = timed(partial(loops.candidates, node, relations, entities, alpha))
                check(rag, query, node, loops.candidates(node, relations, entities, alpha))
                times.append((both, ahead, again, plain))
            figures = [median(column) for column in zip(*times, strict=True)]
            table.add_row(
                f"{median(degrees[nodes].tolist()):.0f}",
                str(len(nodes)),
                f"{edges:,.0f}",
                *(f"{figure:.2f}" for figure in figures),
                f"{figures[3] / figures[1]:.1f}",
            )
    return table


def check(rag: PathRag, query: PathRagQuery, node: int, wanted: list[float]) -> None:
    """The loops find the same scores."""
    found = step_candidates(rag.subgraph, query, node)[1]
    assert np.allclose(found, wanted, atol=1e-5), "the loops disagree"


def fresh_query(rag: PathRag) -> float:
    """Milliseconds of eq. 2's embeddings for words not seen before, median of nine."""
    return median(timed(partial(rag.query, [f"film number {n}", "who directed it"])) for n in range(9))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--kg", type=Path)
    where.add_argument("--source", type=Path)
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    console = Console()
    if options.kg:
        console.print(measure(options.kg, options.repeat))
        return
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        out = Path(folder) / options.source.stem
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            seconds, peak = pool.apply(build, (options.source, out))
        console.print(f"built with vectors in {seconds:.0f} s, peak memory {peak:.0f} MB")
        console.print(measure(out, options.repeat))


if __name__ == "__main__":
    main()
