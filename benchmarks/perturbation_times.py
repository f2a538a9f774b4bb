"""How long perturbing a graph and comparing it takes, at several levels.

    python benchmarks/perturbation_times.py --data PATH [--levels L,L…]

MetaQA's graph (133,581 distinct statements). Printed are wall and processor seconds: of writing a perturbation into the
arrays ("perturbed"), of SC2D with SD2, and of ATS; of training the scorer that ATS and relation replacement need; and
of a whole graph folder with its list of changes and vectors. Beside each perturbation: the statements that are lost.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from built_graphs import KEPT, built
from toulmin.evaluation.datasets import load
from toulmin.evaluation.perturbation import KINDS, Perturbation, perturbed
from toulmin.evaluation.perturbation.edits import Edits
from toulmin.evaluation.perturbation.scorer import Triples, TripleScorer
from toulmin.evaluation.perturbation.similarity import structure
from toulmin.graph.store import open_graph

HEURISTICS = ("relation-swapping", "relation-replacement", "edge-rewiring", "edge-deletion")
T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[T, str]:
    """What an action returns, and its wall and processor seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    found = action()
    return found, f"{time.perf_counter() - wall:.2f} ({time.process_time() - processor:.2f})"


def after(edits: Edits) -> Triples:
    """The edges that are left."""
    rows = np.flatnonzero(edits.kept)
    columns = (edits.subject[rows], edits.relation[rows], edits.object[rows])
    return Triples(*columns, edits.tables.n_nodes, len(edits.tables.relations))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--levels", type=lambda text: [float(one) for one in text.split(",")], default=[0.3, 1.0])
    parser.add_argument("--kg-dir", type=Path, default=KEPT, help="graphs")
    options = parser.parse_args()
    console = Console(width=140)
    source = load("metaqa/2-hop/dev", options.data).graphs[0]
    table = Table("perturbation", "level", "perturbed", "statements lost", "SC2D and SD2", "ATS", "graph folder")
    with open_graph(built(options.kg_dir / source.stem, source)) as graph, TemporaryDirectory() as folder:
        tables = graph.subgraph([], 0).tables
        triples = Triples.of(tables)
        scorer, seconds = timed(lambda: TripleScorer(triples))
        console.print(f"{len(triples):,} statements; the scorer: {seconds} s, AUC {scorer.auc:.3f}")
        for number, kind in enumerate(HEURISTICS):
            for level in options.levels:
                edits = Edits(tables)
                edits.__dict__["scorer"] = scorer  # trained above
                rng = np.random.default_rng([0, number])
                _, perturbing = timed(lambda: KINDS[kind](edits, level, rng))  # noqa: B023
                left = after(edits)
                wanted = len(triples) - (round(level * len(triples)) if kind == "edge-deletion" else 0)
                distinct = len(np.unique(np.stack([left.subject, left.relation, left.object]), axis=1).T)
                (sc2d, sd2), structural = timed(lambda: structure(triples, left))  # noqa: B023
                ats, scoring = timed(lambda: scorer.score(left).mean() if len(left) else 0.0)  # noqa: B023
                out = Path(folder) / "perturbed"
                _, whole = timed(lambda: perturbed(source, Perturbation(kind, level), out))  # noqa: B023
                table.add_row(
                    *(kind, f"{level:g}", perturbing, f"{wanted - distinct:,}"),
                    *(f"{structural}: {sc2d:.3f}, {sd2:.3f}", f"{scoring}: {ats:.3f}", whole),
                )
    console.print(table)
    console.print("seconds by the clock (of the processor); similarities after the colon")


if __name__ == "__main__":
    main()
