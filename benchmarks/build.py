"""Wall time, processor time and peak memory of building a graph, by the command that users run.

    python benchmarks/build.py --data PATH        MetaQA's graph
    python benchmarks/build.py --source FILE      another file's
    python benchmarks/build.py --generated        three generated graphs: of a small company, a dense and a wide one

Each build runs in a process of its own, so that its peak memory is its own, into a temporary directory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

SECONDS, MEGABYTES = 120, 700  # goals, of MetaQA's build with vectors


@dataclass(frozen=True, slots=True)
class Generated:
    """A graph to be generated; every entity's label and alias counts as a name.

    Args:
        seconds: the goal for its build with vectors.
    """

    statements: int
    entities: int
    aliases: int
    seconds: float


GENERATED = {
    "company": Generated(4_200, 3_500, 1_500, 9),
    "dense": Generated(24_000, 2_600, 0, 9),
    "wide": Generated(47_000, 50_000, 0, 80),
}

# Kinds of things with their share of a graph's entities, and relations between them.
_KINDS = {"employee": 0.5, "product": 0.2, "supplier": 0.1, "city": 0.08, "project": 0.08, "department": 0.04}
_RELATIONS = (
    ("employee", "works in", "department"), ("employee", "manager", "employee"), ("employee", "lives in", "city"),
    ("employee", "works on", "project"), ("employee", "mentor", "employee"), ("employee", "place of birth", "city"),
    ("product", "supplied by", "supplier"), ("product", "part of", "product"), ("product", "designed by", "employee"),
    ("product", "replaced by", "product"), ("supplier", "headquarters", "city"), ("supplier", "contact", "employee"),
    ("project", "led by", "employee"), ("project", "located in", "city"), ("project", "follows", "project"),
    ("department", "head", "employee"), ("department", "based in", "city"), ("department", "part of", "department"),
    ("city", "twin town", "city"), ("city", "mayor", "employee"), ("product", "tested in", "project"),
    ("employee", "date of birth", "time"), ("employee", "salary", "quantity"), ("product", "price", "quantity"),
    ("product", "release date", "time"), ("project", "start date", "time"), ("supplier", "founded in", "time"),
)  # fmt: skip
_SYLLABLES = "an bel cor da el fin gar hol is jun ka lor mar nes or pel quin ros sel tan ul ver wil xan yor zan".split()
_SUFFIXES = {
    "employee": ("",),
    "product": ("valve", "sensor", "relay", "board", "pump", "cable"),
    "supplier": ("Ltd", "and Sons", "Industries", "Components"),
    "city": ("", "Bay", "upon Lea"),
    "project": ("migration", "audit", "study", "upgrade"),
    "department": ("operations", "research", "services"),
}


def lines(graph: Generated) -> Iterator[str]:
    """A graph in Toulmin's JSON lines, the same one for the same numbers."""
    draw = random.Random(graph.statements)
    things = {kind: range(max(2, int(share * graph.entities))) for kind, share in _KINDS.items()}
    things["employee"] = range(graph.entities - sum(map(len, things.values())) + len(things["employee"]))
    aliased = set(draw.sample(range(graph.entities), graph.aliases))
    number = 0
    for kind, numbers in things.items():
        for place in numbers:
            entity: dict[str, object] = {"id": f"{kind}:{place}", "label": _name(draw, kind)}
            if number in aliased:
                entity["aliases"] = [_name(draw, kind)]
            number += 1
            yield json.dumps(entity)
    made: set[tuple[str, str, str]] = set()
    while len(made) < graph.statements:
        kind, relation, to = draw.choice(_RELATIONS)
        subject = f"{kind}:{draw.choice(things[kind])}"
        value: object = f"{to}:{draw.choice(things[to])}" if to in things else _value(draw, to)
        said = (subject, relation, str(value))
        if said not in made:
            made.add(said)
            yield json.dumps({"subject": subject, "relation": relation, "object": value})


def _name(draw: random.Random, kind: str) -> str:
    words = ["".join(draw.choices(_SYLLABLES, k=draw.choice((2, 2, 3)))).capitalize() for _ in range(2)]
    return " ".join(filter(None, (*words, draw.choice(_SUFFIXES[kind]))))


def _value(draw: random.Random, kind: str) -> dict[str, object]:
    if kind == "time":
        return {"time": f"{draw.randint(1950, 2025)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"}
    return {"quantity": draw.randint(100, 90_000), "unit": "EUR"}


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
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--data", type=Path, help="the folder that holds the folder metaqa")
    given.add_argument("--source", type=Path, help="build this file instead")
    given.add_argument("--generated", action="store_true", help="build the generated graphs instead")
    options = parser.parse_args()
    table = Table("graph", "build", "wall", "goal", "processor", "peak memory", "goal", "statements", "on disk")
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        sources: list[tuple[Path, float | None, float | None]] = []  # with the goals: seconds, megabytes
        if options.generated:
            for name, graph in GENERATED.items():
                source = Path(folder) / f"{name}.jsonl"
                source.write_text("\n".join(lines(graph)), "utf-8")
                sources.append((source, graph.seconds, None))
        elif options.source:
            sources.append((options.source, None, None))
        else:
            sources.append((options.data / "metaqa" / "kb.txt", SECONDS, MEGABYTES))
        for source, goal, most in sources:
            for name, extra in (("without vectors", ("--no-vectors",)), ("with vectors", ())):
                out = Path(folder) / f"{source.stem}-{name.replace(' ', '-')}"
                seconds, processor, memory, statements = build(source, out, *extra)
                table.add_row(
                    source.name,
                    name,
                    f"{seconds:.1f} s",
                    _against(seconds, None if extra else goal, "s"),
                    f"{processor:.1f} s",
                    f"{memory:.0f} MB",
                    _against(memory, None if extra else most, "MB"),
                    f"{statements:,}",
                    f"{size(out):.0f} MB",
                )
    console = Console(width=130)
    console.print(table)
    console.print(f"Machine: {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f} at the end.", highlight=False)


def _against(value: float, goal: float | None, unit: str) -> str:
    return "-" if goal is None else f"{goal:g} {unit} {'met' if value <= goal else 'missed'}"


if __name__ == "__main__":
    main()
