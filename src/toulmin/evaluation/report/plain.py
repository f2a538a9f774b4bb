"""The report as Markdown and as CSV: its figures, without plots and questions."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO

from toulmin.evaluation.report.figures import GROUPS, FigureTable, group_table, rows, tables
from toulmin.evaluation.report.read_runs import Run
from toulmin.page.page import one_line

__all__ = ["as_csv", "as_markdown"]

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would run begins so


def as_markdown(runs: Sequence[Run]) -> str:
    """The tables of runs as Markdown; what a name holds is text there, and no markup."""
    groups = (group_table(runs, group, main) for group in GROUPS for main in dict.fromkeys(run.main for run in runs))
    return "# Report\n\n" + "\n".join(map(_table, (*tables(runs), *filter(None, groups))))


def _table(table: FigureTable) -> str:
    lines = [f"## {_text(table.title)}", ""]
    lines += [_text(table.note), ""] if table.note else []
    lines += [_row(_texts(table.head)), _row(["---"] * len(table.head)), *map(_row, map(_texts, table.rows))]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _texts(cells: Sequence[str]) -> list[str]:
    return [_text(cell) for cell in cells]


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(text))


def as_csv(runs: Sequence[Run]) -> str:
    """Every figure in one long table; a name that a spreadsheet would take for a formula has a ' before it."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(rows(runs)):
        names, numbers = (row, ()) if number == 0 else (row[:-4], row[-4:])
        writer.writerow([*(f"'{one}" if one.startswith(_FORMULA) else one for one in map(one_line, names)), *numbers])
    return out.getvalue()
