"""The Merkle root of a generated graph and proofs of ranges: what they cost, and how large a proof is.

    python benchmarks/merkle.py [--statements 1000000] [--repeat 2]

Builds take turns with and without the root, each in a process of its own, and the quickest of each counts; a proof is
verified by the kernel. Prints one table.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Self
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.table import Table

from graph import ENTITY, generated
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.merkle import LABEL, Content, MerkleTree, Trees
from toulmin.graph.ranges import Asked, Ranges
from toulmin.graph.readers import read
from toulmin.graph.readers.raw_statements import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.kernel.certificate import Source

SHARE, KILOBYTES, MILLISECONDS = 0.15, 2.048, 1.0  # goals; kilobytes of 1,000
SEED = 3
RANGES = 1000


class NoRoot:
    """Stands for ``Growing`` in a build without a root; what it writes cannot be opened."""

    def __init__(self, content: Content) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def trees(self) -> Trees:
        """Trees of nothing."""
        tree = MerkleTree(np.empty(0, dtype=np.int32), np.zeros((1, 32), dtype=np.uint8))
        return Trees(tree, tree)


def write(n_statements: int, path: Path) -> None:
    """The generated graph as N-Triples."""
    with path.open("w", encoding="utf-8") as lines:
        for record in generated(n_statements):
            if isinstance(record, RawStatement):
                lines.write(f"<{record.subject}> <{record.relation}> <{record.object}> .\n")
            elif isinstance(record, RawName):
                lines.write(f'<{record.id}> <{LABEL}> "{record.form}" .\n')


def build(source: Path, out: Path, root: bool) -> tuple[float, float]:
    """Wall and processor seconds of one build from a file, without vectors."""
    began, spent = time.perf_counter(), processor()
    made = nullcontext() if root else patch("toulmin.graph.build.Growing", NoRoot)
    with made, build_directory(out) as work:
        build_graph([(source.name, read(source))], work, name="generated")
    return time.perf_counter() - began, processor() - spent


def processor() -> float:
    """Seconds of the processors for this process and those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def drawn(n_statements: int) -> list[Asked]:
    """Ranges of both orders: of few statements, with and without a relation, and of nothing."""
    rng = random.Random(SEED)
    n_entities = n_statements // 5
    asked: list[Asked] = []
    for number in range(RANGES):
        node = f"{ENTITY}{rng.randrange(1, n_entities + n_entities // 10)}"
        relation = None if number % 3 else f"http://example.org/relation/{rng.randrange(50)}"
        asked.append(("in" if number % 2 else "out", node, relation))
    return asked


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of the quickest of three calls."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


def verified(evidence: dict[str, Any], root: str) -> None:
    """Verify one graph's evidence by the kernel."""
    if Source(None, [evidence], [{"name": "generated", "root": root}]).roots != [root]:
        raise SystemExit("a proof leads to another root")


def size(value: object) -> float:
    """Kilobytes as JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) / 1000


def proofs(graph: EmbeddedGraph, asked: Sequence[Asked], table: Table) -> None:
    """Add what single proofs and one of all ranges cost."""
    root = graph.fingerprint
    ranges: Ranges = graph.ranges
    ranges.prove(asked[:10])
    found = [ranges.prove([one]) for one in asked]
    sizes = [size(one) for one in found]
    bare = [size(one) - sum(size(r["statements"]) for s in ("out", "in") for r in one[s]["ranges"]) for one in found]
    making = [timed(lambda one=one: ranges.prove([one])) for one in asked]  # type: ignore[misc]
    verifying = [timed(lambda one=one: verified(one, root)) for one in found]  # type: ignore[misc]
    statements = [len(ranges.range(*one)) for one in asked]
    table.add_row("statements of a range", spread(statements, ""), "")
    table.add_row("a range as JSON, with its statements", spread(sizes, "kB"), "")
    table.add_row("the proof alone", spread(bare, "kB"), goal(max(bare), KILOBYTES, "kB"))
    table.add_row("make a proof", spread(making, "ms"), "")
    table.add_row("verify a range", spread(verifying, "ms"), goal(median(verifying), MILLISECONDS, "ms"))
    every = ranges.prove(asked)
    table.add_row(f"{len(asked):,} ranges in one proof, each", f"{size(every) / len(asked):.2f} kB", "")
    table.add_row("- make", f"{timed(lambda: ranges.prove(asked)) / len(asked):.3f} ms", "")
    table.add_row("- verify", f"{timed(lambda: verified(every, root)) / len(asked):.3f} ms", "")


def spread(values: Sequence[float], unit: str) -> str:
    """Median, 95th percentile and most."""
    return f"median {median(values):.2f}, p95 {quantiles(values, n=20)[-1]:.2f}, most {max(values):.2f} {unit}".strip()


def goal(value: float, most: float, unit: str) -> str:
    """A goal and whether it is met."""
    return f"<= {most:g} {unit} {'met' if value <= most else 'missed'}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=2, help="builds of each kind")
    options = parser.parse_args()
    table = Table("what", "measured", "goal")
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        times: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
        source = Path(folder) / "generated.nt"
        write(options.statements, source)
        for turn in range(options.repeat):
            for root in (True, False):
                with context.Pool(1) as pool:
                    out = Path(folder) / f"{root}{turn}"
                    times[root].append(pool.apply(build, (source, out, root)))
        for place, name in enumerate(("wall", "processor")):
            given, without = (min(one[place] for one in times[root]) for root in (True, False))
            share = 1 - without / given
            table.add_row(
                f"build, {name}: with the root, without, its share",
                f"{given:.1f} s, {without:.1f} s, {100 * share:.0f} %",
                f"<= {100 * SHARE:.0f} % {'met' if share <= SHARE else 'missed'}" if name == "wall" else "",
            )
        with open_graph(Path(folder) / "True0") as graph:
            table.add_row("leaves", f"{graph.ranges.size:,}", "")
            proofs(graph, drawn(options.statements), table)
    console = Console(width=130)
    console.print(table)
    console.print(f"Machine: {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f} at the end.", highlight=False)


if __name__ == "__main__":
    main()
