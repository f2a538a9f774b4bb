"""Writes the corpus beside it: ``PYTHONPATH=src:tests/kernel python -m false.write``."""

from __future__ import annotations

from pathlib import Path

from false import counting, details, judging, leaves, naming, numbers, open_world, sources, telling, times, types
from false.writing import graphs_file

HERE = Path(__file__).parent
THEMES = {
    "counting": counting,
    "details": details,
    "leaves": leaves,
    "naming": naming,
    "open_world": open_world,
    "numbers": numbers,
    "judging": judging,
    "telling": telling,
    "sources": sources,
    "times": times,
    "types": types,
}


def main() -> None:
    """Write all files."""
    (HERE / "graphs.json").write_text(graphs_file(), "utf-8")
    for name, module in THEMES.items():
        (HERE / f"{name}.jsonl").write_text(module.theme().written(), "utf-8")


if __name__ == "__main__":
    main()
