"""Building an index of passages from files of text: a folder that is written beside and renamed when it is complete.

    plain text       paragraphs, split at blank lines; the lines of a paragraph are joined by spaces; "notes#3"
    JSON lines       {"text": …, "title": …, "id": …}, the latter two optional; blank lines within the text split it
    Wikipedia        <doc id="…" url="…" title="…"> blocks, or JSON lines with "url" and "title" (``--json``): every
                     line is a paragraph, "Aristotle#3"; the title and headings (up to three words) are left out

A folder stands for the files in it, at any depth, but for an index that lies in it. gzip and bzip2 are unpacked. What
is written:

    manifest.json    kind, format, reading of words, counts, fingerprint, sources, embedder of the vectors
    texts.bin, ids.bin, titles.bin    UTF-8, end to end; *_offsets.npy: where each begins
    id_hashes.npy, id_rows.npy        hashes of the ids, ascending, and whose they are
    words.npy, word_starts.npy, posting_rows.npy, posting_scores.npy    BM25
    vectors.npy      float16[n, d], where it was built with vectors
"""

from __future__ import annotations

import html
import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from toulmin.errors import GraphError, SourceError
from toulmin.graph.build import Progress
from toulmin.graph.build_directory import build_directory
from toulmin.graph.labels import is_unicode
from toulmin.graph.readers.stream import SourceStream, check_source, uncompressed_suffix
from toulmin.retrieval.embedders import Embedder, get_embedder
from toulmin.retrieval.passages.excerpts import WORDING, Excerpt, IndexedPassage, passage_words
from toulmin.retrieval.passages.index import (
    FORMAT,
    KIND,
    MANIFEST,
    VECTORS,
    PassageManifest,
    PassageStore,
    PostingBuilder,
    is_passages,
    save_ids,
)

__all__ = ["PassageReport", "SourceFile", "build_passages", "decoded", "files_of", "joined", "read_passages"]

_SUFFIXES = frozenset(["", ".txt", ".text", ".md", ".wiki", ".json", ".jsonl", ".ndjson"])
_JSON = frozenset([".json", ".jsonl", ".ndjson"])
_BLANK = re.compile(r"\n\s*\n")
_DOC = re.compile(r'<doc id="[^"]*"(?: url="[^"]*")? title="(?P<title>.*)">\s*')
_END = "</doc>"
_HEADING = 3  # words
_LOOKED_AT = 20  # lines until one is not blank

Line = tuple[int, str]
#: A passage, and the line of its file on which it begins.
PlacedPassage = tuple[IndexedPassage, int]
_CHUNK = 512  # passages embedded at a time
_EVERY = 200  # passages between two calls of the progress callback


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read, and the name that the ids of its paragraphs begin with."""

    path: Path
    name: str


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
        lines = decoded(stream)
        head = list(islice(lines, _LOOKED_AT))
        first = next((text.lstrip() for _, text in head if text.strip()), "")
        rest = chain(head, lines)
        if first.startswith("<doc "):
            yield from _wikipedia(file, rest)
        elif uncompressed_suffix(file.path) in _JSON or _is_record(first):
            yield from _records(file, rest)
        else:
            yield from _text(file, rest)


def decoded(stream: SourceStream) -> Iterator[Line]:
    """The lines of a source with their numbers; one that is not UTF-8 is a SourceError."""
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


def joined(text: str) -> str:
    """A text in one line, with single spaces."""
    return " ".join(text.split())


def _text(file: SourceFile, lines: Iterable[Line]) -> Iterator[PlacedPassage]:
    count, began, held = 0, 0, list[str]()
    for number, line in chain(lines, [(0, "")]):
        if line.strip():
            began = began if held else number
            held.append(line)
        elif held:
            count += 1
            yield IndexedPassage(f"{file.name}#{count}", joined(" ".join(held))), began
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
        elif (paragraph := joined(html.unescape(text))) and not _is_heading(paragraph, title):
            count += 1
            yield IndexedPassage(f"{title}#{count}", paragraph, title), number
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
            kept = [part for part in map(joined, html.unescape(text).split("\n")) if part]
            paragraphs = [part for part in kept if not _is_heading(part, title)]
            names = [f"{title}#{place}" for place in range(1, len(paragraphs) + 1)]
        else:
            paragraphs = [part for part in map(joined, _BLANK.split(text)) if part]
            names = _names(_id(record, file, number), title or file.name, len(paragraphs), counts)
        for name, paragraph in zip(names, paragraphs, strict=True):
            yield IndexedPassage(name, paragraph, title), number


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
    if not is_unicode(value):
        raise SourceError("holds half of a surrogate pair, which is no text", file.path, line, name)
    return value if name == "text" else joined(value)


def _id(record: dict[str, Any], file: SourceFile, line: int) -> str:
    value = record.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _field(record, "id", file, line, needed=False)


@dataclass(frozen=True, slots=True)
class PassageReport:
    """What a build took in.

    Args:
        passages: paragraphs in the index.
        duplicates: left out, because id and text were there already.
        files: files read.
        words: words of all passages.
        vectors: whether vectors were stored.
    """

    passages: int
    duplicates: int
    files: int
    words: int
    vectors: bool
    fingerprint: str


def build_passages(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    vectors: bool = False,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> PassageReport:
    """Index the passages of files and folders in the folder ``out``; an older index there is replaced.

    Args:
        sources: see ``readers`` for what they may hold.
        out: the folder; it appears when it is complete, and on any error stays as it was.
        vectors: store the vector of each passage, for the retrievers "dense" and "bm25+dense", and for speed.
        embedder: None: the one that ships.

    Raises:
        SourceError: a source cannot be read, holds no passage, or gives one id to two texts; with file and line.
        SettingsError, GraphError: ``out`` is something else, or cannot be written.
    """
    tell = progress or (lambda _done, _total, _message: None)
    groups = [(Path(source), files_of(Path(source))) for source in sources]
    if not groups:
        raise SourceError("no source was given; name files or folders")
    with build_directory(out, recognise=is_passages, what="passage index") as work:
        try:
            with _blob(work, "texts") as texts, _blob(work, "ids") as ids, _blob(work, "titles") as titles:
                writer = _PassageWriter((texts, ids, titles))
                _take_in(groups, writer, tell)
            tell(0, None, "writing the index")
            save_ids(work, writer.ids)
            writer.postings.save(work)
            model = (embedder or get_embedder()) if vectors else None
            if model is not None:
                _embed(work, len(writer.ids), model, tell)
            manifest = PassageManifest(
                kind=KIND,
                format=FORMAT,
                wording=WORDING,
                passages=len(writer.ids),
                words=writer.words,
                fingerprint=writer.fingerprint,
                sources=tuple(source.name for source, _ in groups),
                embedder=model.name if model else None,
            )
            (work / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=1, ensure_ascii=False), "utf-8")
        except OSError as error:
            raise GraphError(f"{out}: the index cannot be written ({error.strerror}): is there space?") from error
    files = sum(len(files) for _, files in groups)
    return PassageReport(len(writer.ids), writer.duplicates, files, writer.words, vectors, writer.fingerprint)


def _take_in(groups: Sequence[tuple[Path, Sequence[SourceFile]]], writer: _PassageWriter, tell: Progress) -> None:
    total = sum(file.path.stat().st_size for _, files in groups for file in files)
    done = 0
    for source, files in groups:
        before = writer.seen
        for file in files:
            for passage, line in read_passages(file, _told(tell, done, total, file.path)):
                writer.add(passage, file.path, line)
            done += file.path.stat().st_size
        if writer.seen == before:
            raise SourceError("holds no passage: it is empty, or all blank", source)


def _told(tell: Progress, before: int, total: int, path: Path) -> Callable[[int], None]:
    return lambda done: tell(before + done, total, f"reading {path}")


@contextmanager
def _blob(folder: Path, name: str) -> Iterator[Callable[[str], None]]:
    """A file of texts end to end, to which a call adds one; where each begins is written when it is complete."""
    offsets = array("q", [0])
    with (folder / f"{name}.bin").open("wb") as file:
        yield lambda text: offsets.append(offsets[-1] + file.write(text.encode()))
    np.save(folder / f"{name}_offsets.npy", np.frombuffer(offsets, dtype=np.int64))


class _PassageWriter:
    """Takes in passages: their texts go to the disk at once, their words are kept as numbers.

    Args:
        write: takes the text, the id and the title of each.
    """

    def __init__(self, write: Sequence[Callable[[str], None]]) -> None:
        self._write = write
        self.postings = PostingBuilder()
        self.ids: dict[str, tuple[bytes, Path, int]] = {}
        self._sum = 0
        self.seen = self.duplicates = self.words = 0

    @property
    def fingerprint(self) -> str:
        """A sum of the passages' digests: it names the content, whatever its order."""
        return f"{self._sum:032x}"

    def add(self, passage: IndexedPassage, path: Path, line: int) -> None:
        self.seen += 1
        content = sha256("\x1f".join((passage.source, passage.title, passage.text)).encode()).digest()[:16]
        entry = content, path, line
        known = self.ids.setdefault(passage.source, entry)
        if known is not entry:
            if known[0] != content:
                there = f"{known[1]}:{known[2]}"
                raise SourceError(
                    f"the id {passage.source!r} is that of another text ({there}); give each its own", path, line
                )
            self.duplicates += 1
            return
        self._sum = (self._sum + int.from_bytes(content)) % (1 << 128)
        for write, text in zip(self._write, (passage.text, passage.source, passage.title), strict=True):
            write(text)
        words = passage_words(f"{passage.title} {passage.text}")
        self.postings.add(words)
        self.words += len(words)


def _embed(work: Path, count: int, embedder: Embedder, tell: Progress) -> None:
    """Write the vectors, passages of like length together, so that a batch holds little padding."""
    store = PassageStore(work)
    shape = (count, embedder.dimension)
    vectors = np.lib.format.open_memmap(work / VECTORS, mode="w+", dtype=np.float16, shape=shape)
    order = np.argsort(store.lengths, kind="stable")
    for start in range(0, count, _CHUNK):
        tell(start, count, "embedding passages")
        rows = order[start : start + _CHUNK]
        vectors[rows] = embedder.embed([Excerpt.of(store[row]).told for row in rows.tolist()])
    tell(count, count, "embedding passages")
    vectors.flush()
