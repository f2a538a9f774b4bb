"""What the tests of perturbations share: a graph of a workshop, with dates, qualifiers and parallel statements."""

from __future__ import annotations

from pathlib import Path

from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.types import DESCRIPTION, Literal

PARTS = {f"shop:part{number}": f"part {number}" for number in range(20)}
FIRMS = {f"shop:firm{number}": f"Forge {name}" for number, name in enumerate(("Alder", "Birch", "Cedar", "Dogwood"))}


def time(value: str, precision: str | None = None) -> Literal:
    return Literal(value, "time", precision=precision)


def records() -> list[Record]:
    """20 parts; two suppliers each, one after the other; parallel statements that differ in a qualifier only."""
    found: list[Record] = [RawName(identifier, label) for identifier, label in (PARTS | FIRMS).items()]
    found.append(RawName("shop:part0", "first part", "alias"))
    found.append(RawName("shop:supplier", "supplied by"))
    found.append(RawName("shop:supplier", "comes from", "alias"))
    for number, part in enumerate(PARTS):
        old, new = f"shop:firm{number % 4}", f"shop:firm{(number + 1) % 4}"
        ended = (("shop:from", time(f"{2000 + number}")), ("shop:until", time(f"{2010 + number}-06")))
        found.append(RawStatement(part, "shop:supplier", old, ended))
        found.append(RawStatement(part, "shop:supplier", new, (("shop:from", time(f"{2011 + number}-02-03")),)))
        found.append(RawStatement(part, "shop:introduced", time(f"{1990 + number}-02-28")))
        found.append(RawStatement(part, "shop:price", Literal(f"{number}.50", "quantity", unit="EUR")))
        for count in (2, 4):
            other = f"shop:part{(number + 7) % 20}"
            found.append(RawStatement(part, "shop:holds", other, (("shop:number", Literal(str(count), "quantity")),)))
    found.append(RawStatement("shop:part3", "shop:introduced", time("1800", "century")))
    found.append(RawStatement("shop:part0", DESCRIPTION, Literal("where everything begins", lang="en")))
    found.append(RawStatement("shop:firm0", "shop:parent", "shop:firm1", (), "preferred"))
    return found


def workshop(folder: Path) -> Path:
    """The graph, built."""
    out = folder / "workshop"
    with build_directory(out) as work:
        build_graph([("parts", records())], work, name="workshop")
    return out
