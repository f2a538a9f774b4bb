"""Building an index of passages: a folder of arrays that is written beside and renamed when it is complete.

manifest.json          kind, format, reading of words, counts, fingerprint, sources, embedder of the vectors
texts.bin, ids.bin, titles.bin    UTF-8, end to end; *_offsets.npy: where each begins
id_hashes.npy, id_rows.npy        hashes of the ids, ascending, and whose they are
words.npy, word_starts.npy, posting_rows.npy, posting_scores.npy    BM25
vectors.npy            float16[n, d], where it was built with vectors
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

import numpy as np

from toulmin.errors import GraphError, SourceError
from toulmin.graph.build import Progress
from toulmin.graph.build_directory import build_directory
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
from toulmin.retrieval.passages.readers import SourceFile, files_of, read_passages

__all__ = ["PassageReport", "build_passages"]

_CHUNK = 512  # passages embedded at a time
_EVERY = 200  # passages between two calls of the progress callback


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
            with closing(_PassageWriter(work)) as writer:
                _take_in(groups, writer, tell)
            tell(0, None, "writing the index")
            writer.finish()
            model = (embedder or get_embedder()) if vectors else None
            if model is not None:
                _embed(work, writer.count, model, tell)
            manifest = PassageManifest(
                kind=KIND,
                format=FORMAT,
                wording=WORDING,
                passages=writer.count,
                words=writer.words,
                fingerprint=writer.fingerprint,
                sources=tuple(source.name for source, _ in groups),
                embedder=model.name if model else None,
            )
            (work / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=1, ensure_ascii=False), "utf-8")
        except OSError as error:
            raise GraphError(f"{out}: the index cannot be written ({error.strerror}): is there space?") from error
    files = sum(len(files) for _, files in groups)
    return PassageReport(writer.count, writer.duplicates, files, writer.words, vectors, writer.fingerprint)


def _take_in(groups: Sequence[tuple[Path, Sequence[SourceFile]]], writer: _PassageWriter, tell: Progress) -> None:
    total = sum(file.path.stat().st_size for _, files in groups for file in files)
    done = 0
    for source, files in groups:
        before = writer.seen
        for file in files:
            for entry in read_passages(file, _told(tell, done, total, file.path)):
                writer.add(entry.passage, file.path, entry.line)
            done += file.path.stat().st_size
        if writer.seen == before:
            raise SourceError("holds no passage: it is empty, or all blank", source)


def _told(tell: Progress, before: int, total: int, path: Path) -> Callable[[int], None]:
    return lambda done: tell(before + done, total, f"reading {path}")


class _Blob:
    """Texts written end to end."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._file: IO[bytes] = (folder / f"{name}.bin").open("wb")
        self._offsets = array("q", [0])

    def add(self, text: str) -> None:
        self._offsets.append(self._offsets[-1] + self._file.write(text.encode()))

    def close(self) -> None:
        self._file.close()

    def finish(self) -> None:
        np.save(self._folder / f"{self._name}_offsets.npy", np.frombuffer(self._offsets, dtype=np.int64))


class _PassageWriter:
    """Takes in passages: their texts go to the disk at once, their words are kept as numbers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts, self._ids, self._titles = (_Blob(folder, name) for name in ("texts", "ids", "titles"))
        self._postings = PostingBuilder()
        self._known: dict[str, tuple[bytes, Path, int]] = {}
        self._sum = 0
        self.count = self.seen = self.duplicates = self.words = 0

    def close(self) -> None:
        for blob in (self._texts, self._ids, self._titles):
            blob.close()

    @property
    def fingerprint(self) -> str:
        """A sum of the passages' digests: it names the content, whatever its order."""
        return f"{self._sum:032x}"

    def add(self, passage: IndexedPassage, path: Path, line: int) -> None:
        self.seen += 1
        content = sha256("\x1f".join((passage.source, passage.title, passage.text)).encode()).digest()[:16]
        entry = content, path, line
        known = self._known.setdefault(passage.source, entry)
        if known is not entry:
            if known[0] != content:
                there = f"{known[1]}:{known[2]}"
                raise SourceError(
                    f"the id {passage.source!r} is that of another text ({there}); give each its own", path, line
                )
            self.duplicates += 1
            return
        self._sum = (self._sum + int.from_bytes(content)) % (1 << 128)
        self._texts.add(passage.text)
        self._ids.add(passage.source)
        self._titles.add(passage.title)
        words = passage_words(f"{passage.title} {passage.text}")
        self._postings.add(words)
        self.words += len(words)
        self.count += 1

    def finish(self) -> None:
        for blob in (self._texts, self._ids, self._titles):
            blob.finish()
        save_ids(self._folder, self._known)
        self._postings.save(self._folder)


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
