"""The command report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["report"]

_FORMS = (".html", ".md", ".csv")


def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or folders that hold runs.", show_default=False)
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Its name says the form: .html, .md or .csv.")
    ],
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="NAME", help="What stands for a run in plots and tests; default: accuracy."),
    ] = None,
) -> None:
    """Write a report of runs: tables, plots, and every question with its certificates, in one file.

    Markdown and CSV hold the figures alone.

    \b
    Example:
      toulmin report runs --out report.html
    """
    from toulmin.errors import SettingsError, SourceError
    from toulmin.evaluation.report.runs import read_runs

    if out.suffix not in _FORMS:
        raise SettingsError(f"--out {out}: the name of a report ends in one of {', '.join(_FORMS)}")
    if out.is_dir() or not out.parent.is_dir():
        problem = "is a folder" if out.is_dir() else "its folder does not exist"
        raise SettingsError(f"--out {out}: {problem}: name a file")
    read = read_runs(runs, metric)
    if out.suffix == ".html":
        from toulmin.evaluation.report.page import report_page as made
    elif out.suffix == ".md":
        from toulmin.evaluation.report.plain import as_markdown as made
    else:
        from toulmin.evaluation.report.plain import as_csv as made
    text = made(read)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", out) from None
    questions = len({(run.data, name) for run in read for name in run.asked})
    typer.echo(f"{out}: {len(read)} run{'s' if len(read) > 1 else ''}, {questions:,} questions, {_size(len(text.encode()))}")


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{count / 1000:.0f} kB"
