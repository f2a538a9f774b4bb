"""Timings of the embedded graph on generated statements, beside networkx and plain Python dictionaries.

    python benchmarks/graph.py [--statements 1000000] [--without-networkx]

Prints one table. The build runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import random
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.sparse import csr_array, diags_array

from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.csr import pagerank
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.subgraph import Subgraph

ENTITY, RELATION = "http://example.org/entity/", "http://example.org/relation/"
HUB = f"{ENTITY}0"
SEED = 7
SYLLABLES = ("ba", "cor", "den", "el", "fin", "gar", "hu", "is", "jo", "kal", "lem", "mor", "ni", "os", "pra", "qui")


def generated(n_statements: int) -> Iterator[Record]:
    """Random statements over n/5 entities with names and 50 relations of unequal frequency; the hub has 8,000."""
    rng = random.Random(SEED)
    n_entities = n_statements // 5
    for number in range(n_entities):
        words = ("".join(rng.choices(SYLLABLES, k=3)).capitalize() for _ in range(2))
        yield RawName(f"{ENTITY}{number}", f"{' '.join(words)} {number % 97}")
    for number in range(n_statements):
        subject = 0 if number < 8000 else 1 + int(rng.random() ** 2 * (n_entities - 1))
        relation = int(rng.random() ** 3 * 50)
        yield RawStatement(f"{ENTITY}{subject}", f"{RELATION}{relation}", f"{ENTITY}{rng.randrange(1, n_entities)}")


def build(n_statements: int, out: Path) -> tuple[float, float]:
    """Wall seconds and peak memory (MB)."""
    began = time.perf_counter()
    with build_directory(out) as work:
        build_graph([("generated", generated(n_statements))], work, name="generated")
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(action: Callable[[], object], repeat: int = 7) -> float:
    """Median seconds of one call."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return median(times)


def shown(seconds: float | None) -> str:
    """Seconds in a unit that reads well."""
    if seconds is None:
        return "-"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


class Dictionaries:
    """The plain-Python baseline: two dictionaries of lists."""

    def __init__(self, n_statements: int) -> None:
        self.outgoing: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.incoming: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for record in generated(n_statements):
            if isinstance(record, RawStatement) and isinstance(record.object, str):
                self.outgoing[record.subject].append((record.relation, record.object))
                self.incoming[record.object].append((record.relation, record.subject))

    def k_hop(self, seed: str, hops: int) -> set[str]:
        """Nodes within ``hops``, by breadth-first search."""
        seen = frontier = {seed}
        for _ in range(hops):
            found = {other for node in frontier for _, other in self.outgoing.get(node, ())}
            found |= {other for node in frontier for _, other in self.incoming.get(node, ())}
            frontier = found - seen
            seen = seen | frontier
        return seen

    def pagerank(self, seed: str, tol: float = 1e-6) -> dict[str, float]:
        """Personalised PageRank by power iteration over edges in both directions."""
        degree = {
            node: len(self.outgoing.get(node, ())) + len(self.incoming.get(node, ()))
            for node in self.outgoing.keys() | self.incoming.keys()
        }
        rank = {seed: 1.0}
        change = 1.0
        while change >= tol:
            new = {seed: 0.15}
            for node, mass in rank.items():
                share = 0.85 * mass / degree[node]
                for edges in (self.outgoing.get(node, ()), self.incoming.get(node, ())):
                    for _, other in edges:
                        new[other] = new.get(other, 0.0) + share
            change = sum(abs(new.get(node, 0.0) - rank.get(node, 0.0)) for node in new.keys() | rank.keys())
            rank = new
        return rank


def networkx_figures(n_statements: int, seed: str, *, skip: bool) -> dict[str, float]:
    """The same questions put to networkx."""
    if skip:
        return {}
    import networkx as nx

    began = time.perf_counter()
    graph = nx.MultiDiGraph()
    graph.add_edges_from(
        (r.subject, r.object, r.relation) for r in generated(n_statements) if isinstance(r, RawStatement)
    )
    figures = {"build": time.perf_counter() - began}
    figures["hub"] = timed(lambda: [(s, r, o) for s, o, r in graph.out_edges(HUB, keys=True)])
    figures["numeric"] = timed(lambda: [list(graph.out_edges(seed, keys=True)) for _ in range(1000)]) / 1000
    both = graph.to_undirected(as_view=True)
    figures["k_hop"] = timed(lambda: nx.single_source_shortest_path_length(both, seed, cutoff=2), 3)
    undirected = nx.MultiGraph(graph.edges())
    figures["pagerank"] = timed(lambda: nx.pagerank(undirected, personalization={seed: 1}, tol=1e-6 / len(graph)), 1)
    return figures


def python_figures(n_statements: int, seed: str) -> dict[str, float]:
    """The same questions put to dictionaries."""
    began = time.perf_counter()
    graph = Dictionaries(n_statements)
    figures = {"build": time.perf_counter() - began}
    figures["hub"] = timed(lambda: [(HUB, r, o) for r, o in graph.outgoing[HUB]])
    figures["numeric"] = timed(lambda: [list(graph.outgoing[seed]) for _ in range(1000)]) / 1000
    figures["k_hop"] = timed(lambda: graph.k_hop(seed, 2), 3)
    figures["pagerank"] = timed(lambda: graph.pagerank(seed), 1)
    return figures


def undirected(sub: Subgraph) -> csr_array:
    """The symmetric matrix of edge counts; a self-loop counts once."""
    shape, ones = (sub.n_nodes, sub.n_nodes), np.ones(sub.n_statements)
    forward = csr_array((ones, sub.outgoing.neighbour, sub.outgoing.indptr), shape=shape)
    backward = csr_array((ones, sub.incoming.neighbour, sub.incoming.indptr), shape=shape)
    return csr_array(forward + backward - diags_array(forward.diagonal()))


def figures(graph: EmbeddedGraph, seed: str) -> dict[str, float]:
    """Every timing of an opened graph, in seconds."""
    sub = graph.subgraph([], 0)
    number = sub.index(seed)
    assert number is not None
    seeds = np.array([number], dtype=np.int32)
    indptr, neighbour = sub.outgoing.indptr, sub.outgoing.neighbour
    hub = graph.statements([HUB], side="outgoing")[0]
    assert len(hub) > 7000 and all(graph.contains(hub))
    rng = np.random.default_rng(SEED)
    labels = sub.labels(rng.integers(0, sub.n_entities, 80))
    misspelt = labels[0].replace("a", "e", 1)
    ask = f"ASK {{ <{HUB}> ?relation <{hub[0].object.id}> }}"  # type: ignore[union-attr]
    graph.query(ask)
    adjacency = undirected(sub)
    return {
        "hub": timed(lambda: graph.statements([HUB], side="outgoing")),
        "numeric": timed(lambda: [neighbour[indptr[number] : indptr[number + 1]] for _ in range(1000)]) / 1000,
        "index": timed(lambda: [sub.index(seed) for _ in range(1000)]) / 1000,
        "k_hop": timed(lambda: sub.k_hop(seeds, 2)),
        "pagerank": timed(lambda: pagerank(adjacency, seeds)),
        "statements": timed(lambda: graph.statements([seed])),
        "contains": timed(lambda: graph.contains(hub[:1000])),
        "lookup": timed(lambda: graph.lookup(labels)),
        "search": timed(lambda: graph.search(misspelt)),
        "query": timed(lambda: graph.query(ask)),
    }


ROWS = {
    "build": "build from generated records",
    "open": "open",
    "hub": "the 8k-degree hub's outgoing statements",
    "numeric": "neighbours of one node, by number",
    "index": "node number of an id",
    "k_hop": "nodes within 2 hops",
    "pagerank": "personalised PageRank, tol 1e-6",
    "statements": "statements of one entity",
    "contains": "1,000 statements checked",
    "lookup": "80 labels looked up",
    "search": "a misspelt label searched",
    "query": "SPARQL ASK, warm",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=1_000_000)
    parser.add_argument("--without-networkx", action="store_true")
    options = parser.parse_args()
    n = options.statements
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        out = Path(folder) / "graph"
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            seconds, peak = pool.apply(build, (n, out))
        began = time.perf_counter()
        graph = open_graph(out)
        ours = {"build": seconds, "open": time.perf_counter() - began}
        size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file()) / 1e6
        seed = f"{ENTITY}{n // 10}"
        ours |= figures(graph, seed)
        graph.close()
        del graph
    gc.collect()
    theirs = networkx_figures(n, seed, skip=options.without_networkx)
    gc.collect()
    plain = python_figures(n, seed)
    table = Table(title=f"{n:,} generated statements; built: {size:.0f} MB on disk, peak memory {peak:.0f} MB")
    table.add_column("measured")
    for column in ("toulmin", "networkx", "dictionaries"):
        table.add_column(column, justify="right")
    for key, text in ROWS.items():
        table.add_row(text, *(shown(found.get(key)) for found in (ours, theirs, plain)))
    Console().print(table)


if __name__ == "__main__":
    main()
