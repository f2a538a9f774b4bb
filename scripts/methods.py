"""Write docs/methods.md from the methods themselves: all of them in one table, and their forms and settings.

python scripts/methods.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from toulmin.methods.describing import Description, describe
from toulmin.methods.registry import OWN

__all__ = ["PAGE", "markdown"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "methods.md"
_HEAD = """# Methods

Written by `python scripts/methods.py` from the methods themselves; a test compares them. Each answers the same
request on the same graph with a certificate (`--method NAME`, `--method NAME:FORM`, `--set SETTING=VALUE`).
`toulmin methods` prints this, with the methods that installed packages bring. A setting whose meaning names no source
is ours.

*Calls* are those of a language model for one question at most, without repairs of replies that cannot be used;
*n*: the method sets no bound, `--budget-calls` does.
"""


def markdown() -> str:
    """The document."""
    described = [describe(name) for name in sorted(OWN)]
    rows = [_row(("method", "form", "what it does", "from", "needs", "takes", "calls")), _row(["---"] * 7)]
    for one in described:
        for place, form in enumerate(one.forms):
            first = (f"[{one.name}](#{one.name})", form.name, one.title, one.source)
            later = ("", form.name, "", "")
            needs = "a model" if form.needs_model else "nothing"
            rows.append(
                _row(
                    (
                        *(later if place else first),
                        needs,
                        ", ".join(form.takes),
                        form.most.replace("n", "*n*") if form.calls is None else form.most,
                    )
                )
            )
    return "\n".join([_HEAD, "\n".join(rows) + "\n", *map(_section, described)])


def _section(one: Description) -> str:
    parts = [f"## {one.name}\n", f"{one.title}. {one.source}.\n"]
    shown: set[str] = set()
    for form in one.forms:
        if form.about in shown:
            changes = ", ".join(f"`{name}={_value(value)}`" for name, value in form.differs.items())
            parts.append(f"**{one.name}:{form.name}**: as above, with {changes or 'the same settings'}.\n")
            continue
        shown.add(form.about)
        rows = [_row(("setting", "default", "meaning and source")), _row(["---"] * 3)]
        rows += [_row((f"`{one.name}`", f"`{_value(one.value)}`", one.meaning)) for one in form.settings]
        parts += [f"**{one.name}:{form.name}**: {form.about}\n"] + (["\n".join(rows) + "\n"] if form.settings else [])
    return "\n".join(parts)


def _value(value: object) -> str:
    return "none" if value in (None, ()) else ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(markdown(), "utf-8")
