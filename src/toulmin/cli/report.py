"""The command report."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import progress

if TYPE_CHECKING:
    from toulmin.evaluation.report.read_runs import Run

__all__ = ["report"]

_FORMS = (".html", ".md", ".csv")


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of runs, or folders that hold runs.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Its name says the form: .html, .md or .csv.")],
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="NAME", help="What stands for a run in plots and tests; default: accuracy."),
    ] = None,
    kg: Annotated[
        list[str] | None,
        typer.Option(
            "--kg",
            metavar="GRAPH",
            help="That runs were on; repeat it. Its statements get into the page, whose proofs then check themselves.",
        ),
    ] = None,
) -> None:
    """Write a report of runs: tables, plots, and every question with its certificates, in one file.

    Markdown and CSV hold the figures alone.

    \b
    Example:
      toulmin report runs --out report.html
    """
    from toulmin.errors import SettingsError, SourceError
    from toulmin.evaluation.report.read_runs import read_runs

    if out.suffix not in _FORMS:
        raise SettingsError(f"--out {out}: the name of a report ends in one of {', '.join(_FORMS)}")
    if out.is_dir() or not out.parent.is_dir():
        problem = "is a folder" if out.is_dir() else "its folder does not exist"
        raise SettingsError(f"--out {out}: {problem}: name a file")
    if kg and out.suffix != ".html":
        raise SettingsError(f"--kg: proofs are in a page: {out} has none; leave it out, or write a .html")
    read = read_runs(runs, metric)
    if out.suffix == ".html":
        text = _page(read, kg or [])
    else:
        from toulmin.evaluation.report.figures import as_csv, as_markdown

        text = as_csv(read) if out.suffix == ".csv" else as_markdown(read)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", out) from None
    questions = len({(run.data, name) for run in read for name in run.asked})
    typer.echo(
        f"{out}: {len(read)} run{'s' if len(read) > 1 else ''}, {questions:,} questions, {_size(len(text.encode()))}"
    )


def _page(runs: Sequence[Run], names: Sequence[str]) -> str:
    from toulmin.cli.graphs import opened
    from toulmin.evaluation.report.page import report_page
    from toulmin.graph.union import UnionGraph

    with ExitStack() as stack:
        graphs = [stack.enter_context(opened([name])) for name in names]
        graphs += [UnionGraph(graphs)] if len(graphs) > 1 else []
        tell = stack.enter_context(progress())
        return report_page(runs, {graph.fingerprint: graph for graph in graphs}, tell)


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{count / 1000:.0f} kB"
