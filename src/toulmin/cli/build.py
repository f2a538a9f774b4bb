"""The command that builds a graph from files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.options import Json

if TYPE_CHECKING:
    from toulmin.graph.build import BuildReport, Progress
    from toulmin.graph.readers import ReadOptions, Record

__all__ = ["build"]

_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


def build(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE", help="Files; .gz and .bz2 are unpacked.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The graph's directory; an older graph is replaced.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="The graph's name; default: that of the directory.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="Of all sources; default: told from each file.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option("--delimiter", metavar="CHAR", help="Of delimited files: a character, or `tab`.")
    ] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether delimited files have a header line.")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Columns of delimited files, e.g. subject,relation,object,since."),
    ] = None,
    literals: Annotated[
        bool, typer.Option("--literals", help="Read numbers and dates of delimited files as values, not as entities.")
    ] = False,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of all sources, e.g. latin-1 or utf-16; default: UTF-8.")
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG",
            help="Keep texts in this language, and those without one; repeat in order of preference. "
            "Default: keep all, prefer English.",
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Whether to index it for `ask`, which is slow without.")
    ] = True,
    json: Json = False,
) -> None:
    """Build a graph from files.

    Formats: N-Triples, N-Quads, Turtle, TriG, RDF/XML, JSON-LD, delimited triples, Wikidata's entity JSON, and
    Toulmin's own JSON lines. The graph appears in DIR only when it is complete; where nothing can be read, or the build
    is interrupted, an older one stays.

    \b
    Example:
      toulmin build films.tsv people.nt.gz --out films
    """
    from toulmin.cli.console import print_json, progress
    from toulmin.errors import SourceError
    from toulmin.graph.build import build_graph, building
    from toulmin.graph.readers import ReadOptions
    from toulmin.graph.store import open_graph

    options = ReadOptions(
        delimiter=_DELIMITERS.get(delimiter, delimiter) if delimiter is not None else None,
        header=header,
        columns=tuple(columns.split(",")) if columns is not None else None,
        literals=literals,
        languages=tuple(language) if language else None,
        encoding=encoding,
    )
    began = time.perf_counter()
    with progress() as tell, building(out) as work:
        report = build_graph(
            _records(sources, format, options, tell),
            work,
            name=name or out.resolve().name,
            strict=strict,
            languages=options.languages or ("en",),
            progress=tell,
        )
        if not report.statements:
            raise SourceError(_why_empty(report), ", ".join(map(str, sources)))
        if vectors:
            from toulmin.retrieval import build_index

            with open_graph(work) as graph:
                build_index(work, graph, progress=tell)
    seconds = time.perf_counter() - began
    if json:
        print_json({"directory": str(out), "seconds": round(seconds, 3), **asdict(report)})
    else:
        _print(report, out, seconds)


def _records(
    sources: Sequence[Path], format: str | None, options: ReadOptions, tell: Progress
) -> list[tuple[str, Iterator[Record]]]:
    """The records of each source; all are there to be read before the first one is."""
    from toulmin.graph.readers import read
    from toulmin.graph.readers.stream import check_source

    for path in sources:
        check_source(path)
    sizes = [path.stat().st_size for path in sources]

    def told(before: int, path: Path) -> Callable[[int], None]:
        return lambda done: tell(before + done, sum(sizes), f"reading {path}")

    return [
        (str(path), read(path, format=format, options=options, progress=told(sum(sizes[:number]), path)))
        for number, path in enumerate(sources)
    ]


def _why_empty(report: BuildReport) -> str:
    """Why no statement was read, and what to do."""
    if report.rejected:
        return f"no statement can be read: {report.rejected:,} rejected, first {report.first_rejected[0]}"
    if report.schema:
        return f"no statement is left: all {report.schema:,} are on the ontology itself (such as owl:Class)"
    if report.deprecated:
        return f"no statement is left: all {report.deprecated:,} are of deprecated rank"
    return "holds no statement; name a file that does"


def _print(report: BuildReport, out: Path, seconds: float) -> None:
    from toulmin.cli.console import result_console
    from toulmin.cli.wording import counted

    console = result_console()
    console.print(f"{out}: {counted(report.statements, 'statement')}, in {seconds:.1f} s", soft_wrap=True)
    console.print(
        f"  {counted(report.entities, 'entity')}, {counted(report.literals, 'literal')}, "
        f"{counted(report.relations, 'relation')}, {counted(report.names, 'name')}"
    )
    if report.duplicates or report.deprecated:
        console.print(
            f"  left out: {counted(report.duplicates, 'duplicate')}, {report.deprecated:,} of deprecated rank"
        )
    if report.schema:
        console.print(f"  left out: {counted(report.schema, 'statement')} on the ontology itself (such as owl:Class)")
    if report.derived:
        console.print(f"  added: {counted(report.derived, 'statement')} of symmetric and inverse properties")
    if report.rejected:
        console.print(f"  rejected: {counted(report.rejected, 'record')} that could not be read")
        for line in report.first_rejected:
            console.print(f"    {line}", soft_wrap=True)
        if report.rejected > len(report.first_rejected):
            console.print(f"    … and {report.rejected - len(report.first_rejected):,} more")
