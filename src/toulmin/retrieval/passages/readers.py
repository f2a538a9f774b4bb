"""Files of text, read as passages: paragraphs of plain text, JSON lines, and Wikipedia as WikiExtractor writes it.

    plain text       paragraphs, split at blank lines; the lines of a paragraph are joined by spaces; "notes#3"
    JSON lines       {"text": …, "title": …, "id": …}, the latter two optional; blank lines within the text split it
    Wikipedia        <doc id="…" url="…" title="…"> blocks, or JSON lines with "url" and "title" (``--json``): every
                     line is a paragraph, "Aristotle#3"; the title and headings (up to three words) are left out

A folder stands for the files in it, at any depth, but for an index that lies in it. gzip and bzip2 are unpacked.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.graph.readers.stream import SourceStream, check_source, uncompressed_suffix
from toulmin.retrieval.passages.excerpts import IndexedPassage
from toulmin.retrieval.passages.index import is_passages

__all__ = ["PlacedPassage", "SourceFile", "files_of", "read_passages"]

_SUFFIXES = frozenset(["", ".txt", ".text", ".md", ".wiki", ".json", ".jsonl", ".ndjson"])
_JSON = frozenset([".json", ".jsonl", ".ndjson"])
_BLANK = re.compile(r"\n\s*\n")
_DOC = re.compile(r'<doc id="[^"]*"(?: url="[^"]*")? title="(?P<title>.*)">\s*')
_END = "</doc>"
_HEADING = 3  # words
_LOOKED_AT = 20  # lines until one is not blank

Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read, and the name that the ids of its paragraphs begin with."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """A passage, and the line of its file on which it begins."""

    passage: IndexedPassage
    line: int


def files_of(source: Path) -> list[SourceFile]:
    """The files that a source stands for, in the order of their names; of a folder only those that may hold text.

    Raises:
        SourceError: there is no such file, or the folder has none.
    """
    if not source.is_dir():
        check_source(source)
        return [SourceFile(source, _name(Path(source.name)))]
    paths = sorted(path for path in source.rglob("*") if path.is_file() and _readable(path, source))
    if not paths:
        raise SourceError("no files of text in this folder (.txt, .md, .jsonl, .json, wiki_00, packed or not)", source)
    return [SourceFile(path, _name(path.relative_to(source))) for path in paths]


def _readable(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and uncompressed_suffix(path) in _SUFFIXES and not is_passages(path.parent)


def _name(path: Path) -> str:
    """The path without the suffixes that say how it is written."""
    suffix = uncompressed_suffix(path)
    name = path.name
    while name.lower().endswith((".gz", ".bz2")):
        name = name.rpartition(".")[0]
    if suffix in _SUFFIXES and suffix:
        name = name[: -len(suffix)]
    return path.with_name(name or path.name).as_posix()


def read_passages(file: SourceFile, progress: Callable[[int], None] | None = None) -> Iterator[PlacedPassage]:
    """The passages of a file, in its order; what it holds is told from its suffix and its first line.

    Raises:
        SourceError: the file cannot be read, is not UTF-8, or is not what it claims to be; with the line.
    """
    with SourceStream(file.path, progress) as stream:
        lines = _decoded(stream)
        head = list(islice(lines, _LOOKED_AT))
        first = next((text.lstrip() for _, text in head if text.strip()), "")
        rest = chain(head, lines)
        if first.startswith("<doc "):
            yield from _wikipedia(file, rest)
        elif uncompressed_suffix(file.path) in _JSON or _is_record(first):
            yield from _records(file, rest)
        else:
            yield from _text(file, rest)


def _decoded(stream: SourceStream) -> Iterator[Line]:
    for number, line in stream.lines():
        if line is None:
            raise SourceError("is not UTF-8 here; convert the file to UTF-8 first", stream.path, number)
        yield number, line


def _is_record(line: str) -> bool:
    if not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _joined(text: str) -> str:
    return " ".join(text.split())


def _text(file: SourceFile, lines: Iterable[Line]) -> Iterator[PlacedPassage]:
    count, began, held = 0, 0, list[str]()
    for number, line in chain(lines, [(0, "")]):
        if line.strip():
            began = began if held else number
            held.append(line)
        elif held:
            count += 1
            yield PlacedPassage(IndexedPassage(f"{file.name}#{count}", _joined(" ".join(held))), began)
            held = []


def _wikipedia(file: SourceFile, lines: Iterable[Line]) -> Iterator[PlacedPassage]:
    title: str | None = None
    count = began = 0
    for number, line in lines:
        text = line.strip()
        if title is None:
            if text:
                match = _DOC.fullmatch(text)
                if match is None:
                    raise SourceError(
                        '"<doc id= url= title=>" is expected here, as WikiExtractor writes it', file.path, number
                    )
                title, count, began = html.unescape(match["title"]), 0, number
        elif text == _END:
            title = None
        elif text.startswith("<doc id="):
            raise SourceError(f'"{_END}" is missing before this line', file.path, number)
        elif (paragraph := _joined(html.unescape(text))) and not _is_heading(paragraph, title):
            count += 1
            yield PlacedPassage(IndexedPassage(f"{title}#{count}", paragraph, title), number)
    if title is not None:
        raise SourceError(f'"{_END}" is missing after this line: is the file complete?', file.path, began)


def _is_heading(line: str, title: str) -> bool:
    return line == title or len(line.split()) <= _HEADING


def _records(file: SourceFile, lines: Iterable[Line]) -> Iterator[PlacedPassage]:
    counts: dict[str, int] = {}
    for number, line in lines:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise SourceError('is not JSON; give one object {"text": …} a line', file.path, number) from None
        except RecursionError:
            raise SourceError("is JSON nested too deeply to be read", file.path, number) from None
        if not isinstance(record, dict):
            raise SourceError('is not a JSON object; give one object {"text": …} a line', file.path, number)
        text, title = _field(record, "text", file, number), _field(record, "title", file, number, needed=False)
        if title and "url" in record:
            kept = [part for part in map(_joined, html.unescape(text).split("\n")) if part]
            paragraphs = [part for part in kept if not _is_heading(part, title)]
            names = [f"{title}#{place}" for place in range(1, len(paragraphs) + 1)]
        else:
            paragraphs = [part for part in map(_joined, _BLANK.split(text)) if part]
            names = _names(_id(record, file, number), title or file.name, len(paragraphs), counts)
        for name, paragraph in zip(names, paragraphs, strict=True):
            yield PlacedPassage(IndexedPassage(name, paragraph, title), number)


def _names(identifier: str, title: str, paragraphs: int, counts: dict[str, int]) -> list[str]:
    """Ids of the paragraphs of a record: its own, numbered where it has several, else those of its title."""
    if identifier:
        return [identifier] if paragraphs == 1 else [f"{identifier}#{place}" for place in range(1, paragraphs + 1)]
    first = counts.get(title, 0) + 1
    counts[title] = first + paragraphs - 1
    return [f"{title}#{place}" for place in range(first, first + paragraphs)]


def _field(record: dict[str, Any], name: str, file: SourceFile, line: int, *, needed: bool = True) -> str:
    value = record.get(name)
    if value is None and not needed:
        return ""
    if value is None:
        raise SourceError(f'has no "{name}"; give one object {{"text": …}} a line', file.path, line)
    if not isinstance(value, str):
        raise SourceError("must be a text", file.path, line, name)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise SourceError("holds half of a surrogate pair, which is no text", file.path, line, name) from None
    return value if name == "text" else _joined(value)


def _id(record: dict[str, Any], file: SourceFile, line: int) -> str:
    value = record.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _field(record, "id", file, line, needed=False)
