"""The command that builds a graph from files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import counted, harmless, print_json, progress, result_console
from toulmin.cli.options import Json, argument, flag, option
from toulmin.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from toulmin.graph.build import BuildReport, Progress
    from toulmin.graph.readers import ReadOptions, Record
    from toulmin.graph.readers.tables import TableReading
    from toulmin.graph.readers.tables.mapping import TableOptions
    from toulmin.graph.readers.tables.provenance import TakenTable

__all__ = ["build"]

_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


def build(
    sources: Annotated[list[Path], argument("SOURCE", "Files; .gz and .bz2 are unpacked.")],
    out: Annotated[Path, option("DIR", "The graph's directory; an older graph is replaced.")],
    name: Annotated[str | None, typer.Option(help="The graph's name; default: that of the directory.")] = None,
    format: Annotated[str | None, option("NAME", "Of all sources; default: told from each file.")] = None,
    delimiter: Annotated[str | None, option("CHAR", "Of delimited files: a character, or `tab`.")] = None,
    header: Annotated[bool | None, flag("--header/--no-header", "Whether delimited files have a header line.")] = None,
    columns: Annotated[
        str | None, option("NAMES", "Columns of delimited files, e.g. subject,relation,object,since.")
    ] = None,
    literals: Annotated[
        bool | None,
        flag(
            "--literals/--no-literals",
            "Whether numbers and dates of delimited triples are values, or names of things. "
            "Default: values where a relation has hardly anything else.",
        ),
    ] = None,
    encoding: Annotated[str | None, option("NAME", "Of all sources, e.g. latin-1 or utf-16; default: UTF-8.")] = None,
    language: Annotated[
        list[str] | None,
        option(
            "TAG",
            "Keep texts in this language, and those without one; repeat in order of preference. "
            "Default: keep all, prefer English.",
        ),
    ] = None,
    key: Annotated[
        list[str] | None, option("TABLE=COLUMN", "Of tables: the column that identifies a row; repeat.")
    ] = None,
    link: Annotated[
        list[str] | None, option("TABLE.COLUMN=TABLE", "Of tables: whose rows a column's values name; repeat.")
    ] = None,
    type: Annotated[
        list[str] | None,
        option("TABLE.COLUMN=TYPE", "Of tables: number, date, date:dmy, date:mdy, text, yes_no, list or link; repeat."),
    ] = None,
    mapping: Annotated[
        Path | None, option("FILE", "Of tables: all this in a file, TOML or JSON (docs/tables.md).")
    ] = None,
    words: Annotated[
        Path | None, option("FILE", "Your words for relations and classes, and for their inverses (TOML, JSON).")
    ] = None,
    strict: Annotated[bool, flag("--strict", "Stop at the first line that cannot be read.")] = False,
    vectors: Annotated[
        bool, flag("--vectors/--no-vectors", "Whether to index it for `ask`, which is slow without.")
    ] = True,
    json: Json = False,
) -> None:
    """Build a graph from files.

    Formats: tables (CSV, TSV, Excel, Parquet, SQLite), N-Triples, N-Quads, Turtle, TriG, RDF/XML, JSON-LD, delimited
    triples, Wikidata's entity JSON, and Toulmin's own JSON lines. The graph appears in DIR only when it is complete;
    where nothing can be read, or the build is interrupted, an older one stays. What the rows and columns of tables were
    taken for is printed, and --key, --link, --type and --mapping change it.

    \b
    Example:
      toulmin build films.tsv people.nt.gz --out films
      toulmin build employees.csv departments.csv --out company --key employees=staff_no
    """
    from toulmin.graph.build import build_graph
    from toulmin.graph.build_directory import build_directory
    from toulmin.graph.label_chooser import read_user_words
    from toulmin.graph.readers import ReadOptions
    from toulmin.graph.readers.tables.mapping import TableOptions, read_mapping
    from toulmin.graph.readers.tables.provenance import save_places, taken
    from toulmin.graph.store import open_graph

    options = ReadOptions(
        delimiter=_DELIMITERS.get(delimiter, delimiter) if delimiter is not None else None,
        header=header,
        columns=tuple(columns.split(",")) if columns is not None else None,
        literals=literals,
        languages=tuple(language) if language else None,
        encoding=encoding,
    )
    decided = TableOptions(
        read_mapping(mapping) if mapping else None, keys=key or (), links=link or (), types=type or ()
    )
    user_words = read_user_words(words) if words is not None else None
    began = time.perf_counter()
    with progress() as tell, build_directory(out) as work:
        records, reading = _records(sources, format, options, decided, tell)
        report = build_graph(
            records,
            work,
            name=name or out.resolve().name,
            strict=strict,
            languages=options.languages or ("en",),
            words=user_words,
            progress=tell,
        )
        if not report.statements:
            raise SourceError(_why_empty(report), ", ".join(map(str, sources)))
        if reading is not None:
            save_places(reading, work)
        if vectors:
            from toulmin.retrieval.retriever import build_index

            with open_graph(work) as graph:
                build_index(work, graph, progress=tell)
    seconds = time.perf_counter() - began
    tables = [taken(read) for read in reading.tables] if reading is not None else []
    if json:
        of_tables = {"tables": [asdict(table) for table in tables]} if tables else {}
        print_json({"directory": str(out), "seconds": round(seconds, 3), **asdict(report), **of_tables})
    else:
        _print(report, out, seconds)
        _print_tables(tables)


def _records(
    sources: Sequence[Path], format: str | None, options: ReadOptions, decided: TableOptions, tell: Progress
) -> tuple[list[tuple[str, Iterator[Record]]], TableReading | None]:
    """The records of each source, and its tables where there are any; all are there before the first one is read."""
    from toulmin.graph.readers import detect_format, read
    from toulmin.graph.readers.stream import check_source
    from toulmin.graph.readers.tables.table_statements import read_table_files

    for path in sources:
        check_source(path)
    sizes = [path.stat().st_size for path in sources]
    before = {path: sum(sizes[:number]) for number, path in enumerate(sources)}

    def bar(path: Path) -> Callable[[int], None]:
        return lambda done: tell(before[path] + done, sum(sizes), f"reading {path}")

    formats = {path: format or detect_format(path, options) for path in sources}
    of_tables = [path for path in sources if formats[path] == "table"]
    if decided.given and not of_tables:
        raise SettingsError("--key, --link, --type and --mapping are of tables, and no source is one (see --format)")
    reading = read_table_files(of_tables, options, decided, lambda done, path: bar(path)(done)) if of_tables else None
    records = [
        (str(path), read(path, format=formats[path], options=options, progress=bar(path)))
        for path in sources
        if formats[path] != "table"
    ]
    if reading is not None:
        records += [(table.table.source, reading.records_of(table)) for table in reading.tables]
    return records, reading


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


def _print_tables(tables: Sequence[TakenTable]) -> None:
    """What each table was taken for, a line a column."""
    from rich.table import Table

    console = result_console()
    for table in tables:
        sheet = f", {table.sheet}" if table.sheet else ""
        rows = counted(table.rows, "row") + (f", each one is: {table.class_name}" if table.class_name else "")
        console.print(f"\n{table.table} ({table.file}{sheet}): {rows}", soft_wrap=True)
        for note in table.notes:
            console.print(f"  {note}", soft_wrap=True)
        grid = Table(box=None, pad_edge=True, padding=(0, 2, 0, 0), header_style="dim")
        for heading in ("column", "relation", "taken for", "", "values", "such as"):
            grid.add_column(heading, justify="right" if heading == "values" else "left", overflow="fold")
        for column in table.columns:
            texts = (column.header, column.relation or "", column.type, column.role)
            grid.add_row(*map(harmless, texts), f"{column.values:,}", harmless(column.example))
        console.print(grid)
        for column in table.columns:
            for note in column.notes:
                console.print(f"  {column.header}: {note}", soft_wrap=True)
