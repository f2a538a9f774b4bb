"""Write docs/licences.md from docs/licences.toml: what ships, where it is from, and under which licence.

python scripts/licences.py
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["TABLE", "markdown"]

TABLE = Path(__file__).resolve().parents[1] / "docs" / "licences.toml"
_HEAD = """# What ships, and under which licence

Written by `python scripts/licences.py` from [licences.toml](licences.toml); a test compares them, and finds every file
of the package that is no Python module in exactly one row. Toulmin's own code and texts are under the Apache License
2.0.
"""
_SECTIONS = (
    ("package", "In the package", ("files", "what", "origin", "licence")),
    ("dependency", "Installed beside it, with weights of others", ("name", "what", "origin", "licence")),
    ("repository", "In the repository, not in the package", ("files", "what", "origin", "licence")),
    ("evaluated", "Data that figures are measured on", ("name", "licence", "use")),
)
_NOTE = """The licences of the last table are those named where the data were taken from. None of these data are in the
repository but for what the table before it says.
"""


def markdown(table: dict[str, list[dict[str, Any]]]) -> str:
    """The document.

    Raises:
        KeyError: an entry lacks a field.
    """
    parts = [_HEAD]
    for key, title, fields in _SECTIONS:
        lines = [_row(fields), _row("---" for _ in fields)]
        lines += [_row(_cell(entry[field]) for field in fields) for entry in table[key]]
        parts += [f"## {title}\n", "\n".join(lines) + "\n"]
    return "\n".join([*parts, _NOTE])


def _cell(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ", ".join(f"`{one.removeprefix('src/toulmin/')}`" for one in value)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    TABLE.with_suffix(".md").write_text(markdown(tomllib.loads(TABLE.read_text("utf-8"))), "utf-8")
