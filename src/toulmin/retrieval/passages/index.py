"""An index of passages: BM25, the ones most alike by embedding, the document behind an id, and its mapped files.

BM25 (the formula of ``retrieval.scorers``) is computed when the index is built. Word by word, the passages that have it
and what it adds to the score of each lie end to end in arrays; a query adds up the slices of its words. bm25s stores
the same; this one counts words as they come, so that a tenth of its memory does.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError
from scipy.sparse import csr_array

from toulmin.errors import GraphError, SettingsError
from toulmin.graph.tables import Strings, hash_keys
from toulmin.registry import known
from toulmin.retrieval.embedders import Embedder, Scores, Vectors, best, get_embedder
from toulmin.retrieval.passages.excerpts import LONGEST, WORDING, Excerpt, IndexedPassage, excerpt_for, query_words

__all__ = [
    "FORMAT",
    "KIND",
    "MANIFEST",
    "RETRIEVERS",
    "VECTORS",
    "PassageIndex",
    "PassageManifest",
    "PassageStore",
    "PostingBuilder",
    "Postings",
    "RetrieverName",
    "is_passages",
    "read_manifest",
    "save_ids",
]

FORMAT = 1
KIND = "toulmin passages"
MANIFEST, VECTORS = "manifest.json", "vectors.npy"
_ID_HASHES, _ID_ROWS = "id_hashes.npy", "id_rows.npy"
_WORDS, _STARTS, _POSTING_ROWS, _IMPACTS = "words.npy", "word_starts.npy", "posting_rows.npy", "posting_scores.npy"
_K1, _B = 1.5, 0.75

RetrieverName = Literal["bm25", "dense", "bm25+dense"]
#: Where candidates come from (papers/rr, A.3).
RETRIEVERS: tuple[RetrieverName, ...] = get_args(RetrieverName)

_FUSION = 60  # of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)
_FUSED = 100  # ranks of each retriever that are fused
_AT_ONCE = 64  # queries whose candidates are embedded together
_ROWS = 65_536  # vectors multiplied at a time

Found = list[tuple[Excerpt, float]]


class PassageManifest(BaseModel):
    """What ``manifest.json`` says of an index. ``embedder``: of the stored vectors; None: there are none."""

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str
    format: int
    wording: str
    passages: int
    words: int
    fingerprint: str
    sources: tuple[str, ...]
    embedder: str | None = None


def is_passages(path: Path) -> bool:
    """Whether a folder holds a manifest of an index of passages, of whatever format version."""
    return _manifest(path) is not None


def _manifest(path: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("kind") == KIND else None


def read_manifest(path: Path) -> PassageManifest:
    """The manifest of an index.

    Raises:
        GraphError: there is no index, or one of another format version.
    """
    manifest = _manifest(path)
    if manifest is None:
        what = "not an index of passages" if path.exists() else "no such folder"
        raise GraphError(f"{path}: {what}; build one with: toulmin passages build SOURCE --out {path}")
    if manifest.get("format") != FORMAT:
        raise GraphError(
            f"{path}: index of format {manifest.get('format')}, this Toulmin reads format {FORMAT}: build it again"
        )
    try:
        return PassageManifest.model_validate(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise GraphError(f"{path}: the index is damaged ({MANIFEST}, field {where!r}: {first['msg']})") from None


def save_ids(folder: Path, ids: Iterable[str]) -> None:
    """Write what finds the number of a passage by its id."""
    hashes = hash_keys(ids)
    order = np.argsort(hashes, kind="stable")
    np.save(folder / _ID_HASHES, hashes[order])
    np.save(folder / _ID_ROWS, order.astype(np.int32))


class PassageStore:
    """The passages of a folder by their number, and their numbers by their ids; its files are mapped.

    Raises:
        OSError, ValueError, EOFError: a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._texts, self._ids, self._titles = (_strings(folder, name) for name in ("texts", "ids", "titles"))
        self._hashes, self._rows = (np.load(folder / name, mmap_mode="r") for name in (_ID_HASHES, _ID_ROWS))
        arrays = (self._texts, self._ids, self._titles, self._hashes, self._rows)
        if len({len(array) for array in arrays}) > 1:
            raise ValueError("its files are of different lengths")

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> IndexedPassage:
        return IndexedPassage(self._ids[number], self._texts[number], self._titles[number])

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Bytes of each text."""
        return np.diff(self._texts.offsets)

    def find(self, source: str) -> int | None:
        """The number of the passage with this id."""
        wanted = hash_keys([source])[0]
        first, last = (int(np.searchsorted(self._hashes, wanted, side=side)) for side in ("left", "right"))
        return next((row for row in self._rows[first:last].tolist() if self._ids[row] == source), None)


def _strings(folder: Path, name: str) -> Strings:
    offsets = np.load(folder / f"{name}_offsets.npy", mmap_mode="r")
    path = folder / f"{name}.bin"
    size = path.stat().st_size
    if not len(offsets) or offsets[-1] != size:
        raise ValueError(f"{path.name} is not as long as it was written")
    blob = np.memmap(path, dtype=np.uint8, mode="r") if size else np.zeros(0, dtype=np.uint8)
    return Strings(blob, offsets)


class PostingBuilder:
    """Takes in passages one by one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._flat, self._lengths = array("i"), array("i")

    def add(self, words: Sequence[str]) -> None:
        """The next passage."""
        numbers = self._numbers
        self._flat.extend([numbers.setdefault(word, len(numbers)) for word in words])
        self._lengths.append(len(words))

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        n, lengths = len(self._lengths), np.frombuffer(self._lengths, dtype=np.int32)
        hashes = hash_keys(self._numbers)
        order = np.argsort(hashes)
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order))
        words = place[np.frombuffer(self._flat, dtype=np.int32)] if self._flat else place
        rows = np.repeat(np.arange(n, dtype=np.int32), lengths)
        times = csr_array((np.ones(len(words), dtype=np.int32), (words, rows)), shape=(len(order), n))
        del words, rows
        counts = np.diff(times.indptr)
        idf = np.log1p((n - counts + 0.5) / (counts + 0.5))
        norm = _K1 * (1 - _B + _B * lengths / (lengths.mean() if self._flat else 1.0))
        impacts = np.repeat(idf, counts) * times.data / (times.data + norm[times.indices])
        np.save(folder / _WORDS, hashes[order])
        np.save(folder / _STARTS, times.indptr.astype(np.int64))
        np.save(folder / _POSTING_ROWS, times.indices.astype(np.int32))
        np.save(folder / _IMPACTS, impacts.astype(np.float32))


class Postings:
    """The arrays of a folder, mapped: words are known by a hash of 64 bits.

    Args:
        count: how many passages there are.

    Raises:
        OSError, ValueError, EOFError: a file is missing or damaged.
    """

    def __init__(self, folder: Path, count: int) -> None:
        # Hashes of words, uint64, ascending; where those of each begin, int64[len(words) + 1], in what follows: the
        # passages of each word, int32, and what it adds to their scores, float32.
        self.words, self.starts, self.rows, self.impacts = (
            np.load(folder / name, mmap_mode="r") for name in (_WORDS, _STARTS, _POSTING_ROWS, _IMPACTS)
        )
        self.count = count
        ends = self.starts[-1] if len(self.starts) else 0
        if len(self.starts) != len(self.words) + 1 or not len(self.rows) == len(self.impacts) == ends:
            raise ValueError("the arrays of words do not fit together")

    def scores(self, words: Iterable[str]) -> Scores:
        """BM25 of every passage, float32[count]; a word said twice counts twice."""
        scores = np.zeros(self.count, dtype=np.float32)
        for first, last in self._slices(list(words)):
            scores[self.rows[first:last]] += self.impacts[first:last]
        return scores

    def weights(self, words: Iterable[str]) -> dict[str, float]:
        """The idf of each word; of an unknown one that of a word in no passage."""
        counts = {word: sum(last - first for first, last in self._slices([word])) for word in words}
        return {word: float(np.log1p((self.count - n + 0.5) / (n + 0.5))) for word, n in counts.items()}

    def _slices(self, words: list[str]) -> list[tuple[int, int]]:
        hashes = hash_keys(words)
        places = np.minimum(np.searchsorted(self.words, hashes), max(len(self.words) - 1, 0))
        known = places[self.words[places] == hashes] if len(self.words) else places[:0]
        return list(zip(self.starts[known].tolist(), self.starts[known + 1].tolist(), strict=True))


class PassageIndex:
    """An opened index; use ``open``. Its files are mapped, not read, and it may be used by several threads.

    Attributes:
        path: its folder.
        manifest: what it holds.
        fingerprint: names the content: a sum of the passages' digests.
    """

    def __init__(self, folder: str | Path, *, embedder: Embedder | None = None) -> None:
        self.path, self._given = Path(folder), embedder
        self.manifest = manifest = read_manifest(self.path)
        self.fingerprint = manifest.fingerprint
        if manifest.wording != WORDING:
            raise GraphError(f"{self.path}: its words were read in another way ({manifest.wording}): build it again")
        self._vectors: NDArray[np.float16] | None = None
        try:
            self._store = PassageStore(self.path)
            self._postings = Postings(self.path, len(self))
            if manifest.embedder:
                self._vectors = np.load(self.path / VECTORS, mmap_mode="r")
        except (OSError, ValueError, EOFError, TokenError) as error:
            raise GraphError(f"{self.path}: the index is damaged ({error}): build it again") from error
        if len(self) != manifest.passages or (self._vectors is not None and len(self._vectors) != len(self)):
            raise GraphError(f"{self.path}: the index is damaged (its files are of different lengths): build it again")

    @classmethod
    def open(cls, folder: str | Path, *, embedder: Embedder | None = None) -> PassageIndex:
        """Open the index in a folder that ``build_passages`` wrote.

        Args:
            folder: the folder.
            embedder: of queries and excerpts; None: the one that ships. Stored vectors of another one are not used.

        Raises:
            GraphError: no such folder, no index, one of another version, or a damaged one.
        """
        return cls(folder, embedder=embedder)

    def __len__(self) -> int:
        """How many passages it holds."""
        return len(self._store)

    @property
    def embedder(self) -> Embedder:
        """The embedding model."""
        return self._given or get_embedder()

    def document(self, source: str) -> str | None:
        """The text of the passage with this id, as it was indexed; None where there is none."""
        number = self._store.find(source)
        return None if number is None else self._store[number].text

    def search(self, queries: Sequence[str], *, k: int = 10) -> list[Found]:
        """BM25: whole passages that share a word with each query, at most ``k``, with their scores, best first."""
        results: list[Found] = []
        for query in queries:
            rows, scores = self._by_words(query, k)
            results.append([(Excerpt.of(self._store[row]), score) for row, score in zip(rows, scores, strict=True)])
        return results

    def nearest(
        self,
        queries: Sequence[str],
        *,
        candidates: int = 10,
        k: int = 1,
        retriever: RetrieverName = "bm25",
        longest: int | None = LONGEST,
    ) -> list[Found]:
        """The ``k`` candidates most similar to each query by embedding, with the cosine (papers/rr 4.2), best first.

        Of each candidate the piece that shares most with the query is compared and returned.

        Args:
            queries: sentences.
            candidates: how many the retriever proposes.
            k: how many are returned.
            retriever: "bm25"; "dense": the stored vectors of whole passages; "bm25+dense": both, by reciprocal rank.
            longest: characters of a piece; None: whole passages.

        Raises:
            SettingsError: a dense retriever, and the index was built without vectors, or with those of another model.
        """
        if retriever not in RETRIEVERS:
            raise SettingsError(f"no retriever is called {retriever!r}{known(retriever, RETRIEVERS)}")
        if retriever != "bm25" and self._usable is None:
            raise SettingsError(
                f"{self.path}: has no vectors of {self.embedder.name}, which the retriever {retriever!r} needs: "
                "build it with --vectors"
            )
        results: list[Found] = []
        for start in range(0, len(queries), _AT_ONCE):
            results += self._nearest(queries[start : start + _AT_ONCE], candidates, k, retriever, longest)
        return results

    @property
    def _usable(self) -> NDArray[np.float16] | None:
        return self._vectors if self.manifest.embedder == self.embedder.name else None

    def _by_words(self, query: str, k: int) -> tuple[list[int], list[float]]:
        rows, scores = best(self._postings.scores(query_words(query)), k)
        shared = scores > 0
        return rows[shared].tolist(), scores[shared].tolist()

    def _nearest(
        self, queries: Sequence[str], candidates: int, k: int, retriever: RetrieverName, longest: int | None
    ) -> list[Found]:
        asked, stored = self.embedder.embed(queries), self._usable
        proposed: list[list[tuple[Excerpt, Vectors | None]]] = []  # with its vector where one of the whole is stored
        for query, vector in zip(queries, asked, strict=True):
            weights = self._postings.weights(query_words(query))
            pieces = []
            for row in self._proposed(query, vector, candidates, retriever):
                passage = self._store[row]
                piece = excerpt_for(passage, query, longest=longest, weight=weights.__getitem__)
                whole = len(piece.text) == len(passage.text)
                pieces.append((piece, stored[row].astype(np.float32) if stored is not None and whole else None))
            proposed.append(pieces)
        texts = list(dict.fromkeys(piece.told for pieces in proposed for piece, kept in pieces if kept is None))
        made = dict(zip(texts, self.embedder.embed(texts), strict=True))
        results: list[Found] = []
        for vector, pieces in zip(asked, proposed, strict=True):
            vectors = [made[piece.told] if kept is None else kept for piece, kept in pieces]
            places, cosines = best(np.array([other @ vector for other in vectors], dtype=np.float32), k)
            ranked = zip(places.tolist(), cosines.tolist(), strict=True)
            results.append([(pieces[place][0], cosine) for place, cosine in ranked])
        return results

    def _proposed(self, query: str, vector: Vectors, candidates: int, retriever: RetrieverName) -> list[int]:
        vectors = self._usable
        if retriever == "bm25" or vectors is None:
            return self._by_words(query, candidates)[0]
        similarities = np.empty(len(vectors), dtype=np.float32)
        for start in range(0, len(vectors), _ROWS):
            similarities[start : start + _ROWS] = vectors[start : start + _ROWS].astype(np.float32) @ vector
        ranked = best(similarities, candidates if retriever == "dense" else max(candidates, _FUSED))[0]
        alike: list[int] = ranked.tolist()
        if retriever == "dense":
            return alike
        fused: dict[int, float] = {}
        for rows in (self._by_words(query, max(candidates, _FUSED))[0], alike):
            for rank, row in enumerate(rows, 1):
                fused[row] = fused.get(row, 0.0) + 1 / (_FUSION + rank)
        return sorted(fused, key=lambda row: (-fused[row], row))[:candidates]
