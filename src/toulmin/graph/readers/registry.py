"""Which reader reads which file: by the name of a format, by suffix, or by the first bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from toulmin.errors import SourceError
from toulmin.graph.readers.fields import best_delimiter, is_table
from toulmin.graph.readers.raw_statements import Record, Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream, check_source, uncompressed_suffix
from toulmin.registry import Registry

__all__ = ["Reader", "detect_format", "formats", "read"]

Reader = Callable[[SourceStream, ReadOptions], Iterator[Record]]

#: Ours by name: where the reader is, and the suffixes of its files (none: told from what they hold). A new one is a
#: module of this package and its line here.
_FORMATS: dict[str, tuple[str, ...]] = {
    "ntriples": ("toulmin.graph.readers.rdf:read_ntriples", ".nt"),
    "nquads": ("toulmin.graph.readers.rdf:read_nquads", ".nq"),
    "turtle": ("toulmin.graph.readers.rdf:read_turtle", ".ttl"),
    "trig": ("toulmin.graph.readers.rdf:read_trig", ".trig"),
    "rdfxml": ("toulmin.graph.readers.rdf:read_rdfxml", ".rdf", ".owl", ".xml"),
    "jsonld": ("toulmin.graph.readers.rdf:read_jsonld", ".jsonld"),
    "triples": ("toulmin.graph.readers.delimited:read_delimited",),
    "table": (
        "toulmin.graph.readers.tables.table_statements:read_table_file",
        *(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".parquet", ".sqlite", ".sqlite3", ".db"),
    ),
    "wikidata": ("toulmin.graph.readers.wikidata:read_wikidata",),
    "jsonl": ("toulmin.graph.readers.jsonl:read_jsonl", ".jsonl", ".ndjson"),
}
#: A format that a package brings is named like the suffix of its files.
_READERS: Registry[Reader] = Registry(
    "format", "toulmin.readers", {name: where for name, (where, *_) in _FORMATS.items()}
)
_SUFFIXES = {suffix: name for name, (_, *suffixes) in _FORMATS.items() for suffix in suffixes}
_BY_CONTENT = (".json", ".txt", "")
_DELIMITED = (".tsv", ".tab", ".csv", ".psv")
_HEAD = 1 << 16


def formats() -> list[str]:
    """The names of all formats, ours and those of entry points."""
    return list(_READERS.names())


def read(
    source: str | Path,
    *,
    format: str | None = None,
    strict: bool = False,
    options: ReadOptions | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Record]:
    """Facts, names and rejected lines of one file, as a stream.

    Args:
        source: the file; gzip and bzip2 are recognised by content.
        format: one of ``formats()``; None: told from the suffix, or from the content of .json, .txt and delimited
            files (triples or a table).
        strict: raise at the first line that cannot be read, instead of yielding ``Rejected``.
        options: settings of the readers.
        progress: called with the number of bytes of the file consumed so far.

    Raises:
        SourceError: not a file, or an unknown suffix (at once); damaged or malformed data (while reading).
        SettingsError: no such format.
    """
    path = Path(source)
    check_source(path)
    settings = options or ReadOptions()
    reader = _READERS.get(format or detect_format(path, settings))

    def records() -> Iterator[Record]:
        with SourceStream(path, progress, encoding=settings.encoding) as stream:
            for record in reader(stream, settings):
                if strict and isinstance(record, Rejected):
                    raise SourceError(record.reason, path, record.line)
                yield record

    return records()


def detect_format(path: Path, options: ReadOptions | None = None) -> str:
    """The format of a file, by its suffix; of .json, .txt and files without suffix by their first lines.

    Delimited files are "triples" or a "table", as ``fields.is_table`` has it.

    Raises:
        SourceError: neither tells.
    """
    options = options or ReadOptions()
    suffix = uncompressed_suffix(path)
    if name := _SUFFIXES.get(suffix):
        return name
    if suffix in _DELIMITED:
        return "table" if is_table(_head(path, options)[0], options) else "triples"
    brought = formats()[len(_FORMATS) :]
    if suffix[1:] in brought:
        return suffix[1:]
    if suffix in _BY_CONTENT and (name := _by_content(path, options)):
        return name
    known = ", ".join([*_SUFFIXES, *_DELIMITED, ".json", ".txt", *(f".{name}" for name in brought)])
    raise SourceError(
        f"unknown kind of file; known suffixes are {known} (also with .gz, .bz2); or name the format", path
    )


def _head(path: Path, options: ReadOptions) -> tuple[list[str], str]:
    """The first whole lines of a file that hold something, and their text."""
    with SourceStream(path, encoding=options.encoding) as stream:
        head = stream.read(_HEAD)
    text = head.decode("utf-8", "replace")
    whole = text if len(head) < _HEAD else text.rpartition("\n")[0] or text
    return [line for line in whole.replace("\r\n", "\n").split("\n") if line and not line.isspace()], whole


def _by_content(path: Path, options: ReadOptions) -> str | None:
    lines, whole = _head(path, options)
    first = lines[0].strip() if lines else ""
    if not first:
        return "jsonl"  # nothing in it: every line-wise reader reads nothing
    if first.startswith(("{", "[")):
        if any(key in whole for key in ('"@context"', '"@id"', '"@graph"')):
            return "jsonld"
        of_wikidata = first == "[" or any(key in whole for key in ('"claims"', '"entities"', '"mainsnak"'))
        return "wikidata" if of_wikidata else "jsonl"
    if first.startswith(("<", "_:")) and first.endswith("."):
        return "ntriples"
    if best_delimiter(lines[:100]) is None:
        return None
    return "table" if is_table(lines, options) else "triples"
