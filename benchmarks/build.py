"""Wall time and peak memory of building MetaQA's graph, by the command that users run.

    python benchmarks/build.py --data PATH [--source FILE]

Each build runs in a process of its own, so that its peak memory is its own, into a temporary directory.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

SECONDS, MEGABYTES = 120, 700  # goals, of the build with vectors


def build(source: Path, out: Path, *extra: str) -> tuple[float, float, float, int]:
    """Wall seconds, processor seconds, peak memory (MB) and statements of one build; its progress is shown."""
    report = out.with_suffix(".json")
    command = [sys.executable, "-m", "toulmin.cli.main", "build", str(source), "--out", str(out), "--json", *extra]
    began = time.perf_counter()
    with report.open("wb") as stream:
        process = os.posix_spawn(
            sys.executable, command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, stream.fileno(), 1)]
        )
        _, status, used = os.wait4(process, 0)
    seconds = time.perf_counter() - began
    if status:
        sys.exit(f"{source}: the graph could not be built; see above")
    statements = int(json.loads(report.read_bytes())["statements"])
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, statements


def size(directory: Path) -> float:
    """Megabytes on disk."""
    return sum(file.stat().st_size for file in directory.rglob("*") if file.is_file()) / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the folder metaqa")
    parser.add_argument("--source", type=Path, help="build this file instead")
    options = parser.parse_args()
    source = options.source or options.data / "metaqa" / "kb.txt"
    table = Table(
        "build",
        "wall",
        "goal",
        "processor",
        "peak memory",
        "goal",
        "statements",
        "on disk",
        title=f"Build {source.name}",
    )
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        for name, extra in (("without vectors", ("--no-vectors",)), ("with vectors", ())):
            out = Path(folder) / name.replace(" ", "-")
            seconds, processor, memory, statements = build(source, out, *extra)
            goals = ("-", "-")
            if not extra:
                goals = (
                    f"{SECONDS} s {'met' if seconds <= SECONDS else 'missed'}",
                    f"{MEGABYTES} MB {'met' if memory <= MEGABYTES else 'missed'}",
                )
            table.add_row(
                name,
                f"{seconds:.1f} s",
                goals[0],
                f"{processor:.1f} s",
                f"{memory:.0f} MB",
                goals[1],
                f"{statements:,}",
                f"{size(out):.0f} MB",
            )
    console = Console(width=130)
    console.print(table)
    console.print(f"Machine: {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f} at the end.", highlight=False)


if __name__ == "__main__":
    main()
