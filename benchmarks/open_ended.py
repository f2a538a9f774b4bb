"""Retrieval for open-ended questions: its time on a large sub-graph, its trees beside pcst_fast's, its greedy paths.

    python benchmarks/open_ended.py --kg DIR [--questions 20] [--seed 0]

--kg takes a graph built with vectors (MetaQA's has 133,581 statements). Questions are made of templates and of entities
drawn by the seed. "whole" retrieves from all of the graph, as where no entity was linked; "linked" from two hops around
the entity, pruned by PageRank. "prizes" embeds the question and ranks all nodes and edges; the time of each form is
without it, and their sum is what is waited for. The vectors of labels are read from the graph: not counted. Medians and
maxima of processor time of one thread, so that on an idle machine this is the wall time; the first question, on which
files are mapped, is left out.

Trees: prize less cost of ours and of pcst_fast called directly with a virtual node for each edge of high prize. Paths:
by how much the best path of the greedy search falls short of the exact one's, where 5 paths are looked at (as the
published code does) and where 1,000 are.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import TypeVar

import numpy as np
import pcst_fast
from rich.console import Console
from rich.table import Table

from toulmin.errors import ToulminError
from toulmin.graph.store import open_graph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import MiniLM
from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes, RetrievalSettings
from toulmin.retrieval.open_ended.retrieve import FORMS, PrizeRetriever, find_paths
from toulmin.retrieval.open_ended.steiner import steiner_tree, worth
from toulmin.retrieval.vectors import StoredVectors

T = TypeVar("T")

TEMPLATES = (
    "Describe {}.",
    "What is {} known for?",
    "How did the work of {} change?",
    "Who worked with {}, and on what?",
)
ENOUGH = 200_000  # paths looked at where the exact search must end by itself


def timed(action: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and milliseconds of this thread's processor time."""
    began = time.thread_time()
    result = action()
    return result, 1e3 * (time.thread_time() - began)


def drawn(subgraph: Subgraph, count: int, seed: int) -> list[tuple[str, str]]:
    """Questions and the id of the entity that each is about; an entity of ten statements or more."""
    degrees = np.diff(subgraph.outgoing.indptr) + np.diff(subgraph.incoming.indptr)
    usable = np.flatnonzero((degrees[: subgraph.n_entities] >= 10) & ~subgraph.machine[: subgraph.n_entities])
    chosen = np.random.default_rng(seed).choice(usable, count, replace=False)
    labels, keys = subgraph.labels(chosen), subgraph.tables.keys.many(chosen)
    return [
        (TEMPLATES[n % len(TEMPLATES)].format(label), key)
        for n, (label, key) in enumerate(zip(labels, keys, strict=True))
    ]


def directly(around: Neighbourhood, prizes: Prizes) -> float:
    """The better score of pcst_fast's two ways to prune, on virtual nodes (He et al. 2024)."""
    net = prizes.edge - prizes.cost
    plain, rich = np.flatnonzero(net <= 0), np.flatnonzero(net > 0)
    count = len(around.nodes)
    virtual = count + np.arange(len(rich))
    start = np.concatenate([around.subject[plain], around.subject[rich], virtual])
    end = np.concatenate([around.object[plain], virtual, around.object[rich]])
    costs, values = np.concatenate([-net[plain], np.zeros(2 * len(rich))]), np.concatenate([prizes.node, net[rich]])
    scores = []
    for pruning in ("gw", "strong"):
        nodes, edges = pcst_fast.pcst_fast(np.stack([start, end], axis=1), values, costs, -1, 1, pruning, 0)
        taken = np.concatenate([plain[edges[edges < len(plain)]], rich[nodes[nodes >= count] - count]])
        real = np.concatenate([nodes[nodes < count], around.subject[taken], around.object[taken]])
        scores.append(worth(prizes, np.unique(real), taken))
    return max(scores)


def lost(
    around: Neighbourhood, prizes: Prizes, settings: RetrievalSettings, looks: Sequence[int]
) -> list[float] | None:
    """The score of the exact best path, then what the greedy search loses; None where it cannot be certain."""
    starts = np.argsort(-prizes.node, kind="stable")[: settings.nodes]
    chosen = starts[prizes.node[starts] > 0].tolist()
    search = partial(find_paths, around, prizes, chosen, search="exact", depth=settings.depth, k=1)
    exact = search(most=ENOUGH)
    if not exact.complete or not exact.found:
        return None
    best = exact.found[0].score
    greedy = [
        find_paths(around, prizes, chosen, search="greedy", depth=settings.depth, k=1, most=most).found[0].score
        for most in looks
    ]
    return [best, *(best - one for one in greedy)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    console = Console(width=140)
    ways = {
        "default": RetrievalSettings(),
        "prizes not shared": RetrievalSettings(shared=False),
        "paper": RetrievalSettings.paper(),
    }
    times = Table(
        "settings", "from", "statements", "neighbourhood", "prizes", *FORMS, title="milliseconds, median (max)"
    )
    trees = Table(
        "settings", "from", "questions", "lower", "equal", "higher", "mean difference", title="prize less cost"
    )
    paths = Table(
        "settings", "from", "depth", "questions", "best", "loss at 5", "worse", "loss at 1000", "worse", title="paths"
    )
    try:
        with open_graph(options.kg) as graph:
            subgraph = graph.subgraph([], 0)
            index = StoredVectors(options.kg, MiniLM(threads=1), graph.fingerprint)
            questions = drawn(subgraph, options.questions + 1, options.seed)
            for name, settings in ways.items():
                retriever = PrizeRetriever(subgraph, index.embedder, index=index, settings=settings)
                for where in ("whole", "linked"):
                    took: dict[str, list[float]] = {}
                    sizes, differences, losses = [], [], []
                    for question, entity in questions:
                        around, spent = timed(partial(retriever.around, [entity] if where == "linked" else []))
                        took.setdefault("neighbourhood", []).append(spent)
                        prizes, spent = timed(partial(retriever.prizes, question, around))
                        took.setdefault("prizes", []).append(spent)
                        for form, retrieval in FORMS.items():
                            _, spent = timed(partial(retrieval, around, prizes, settings))
                            took.setdefault(form, []).append(spent)
                        sizes.append(len(around.rows))
                        differences.append(steiner_tree(around, prizes).score - directly(around, prizes))
                        losses.append(lost(around, prizes, settings, (5, 1000)))
                    cells = [f"{median(some[1:]):.0f} ({max(some[1:]):.0f})" for some in took.values()]
                    times.add_row(name, where, f"{median(sizes):,.0f}", *cells)
                    signs = [
                        sum(sign)
                        for sign in zip(*((d < -1e-6, abs(d) <= 1e-6, d > 1e-6) for d in differences), strict=True)
                    ]
                    trees.add_row(name, where, str(len(differences)), *map(str, signs), f"{fmean(differences):+.3f}")
                    known = np.array([one for one in losses if one is not None]).reshape(-1, 3)
                    best = known.mean(axis=0) if len(known) else [float("nan")] * 3
                    worse = (known > 1e-6).sum(axis=0)
                    paths.add_row(
                        name, where, str(settings.depth), str(len(known)), f"{best[0]:.1f}",
                        f"{best[1]:.2f}", str(worse[1]), f"{best[2]:.2f}", str(worse[2]),
                    )  # fmt: skip
    except ToulminError as error:
        sys.exit(str(error))
    console.print(times, trees, paths)


if __name__ == "__main__":
    main()
