"""An index of passages: BM25, the ones most alike by embedding, and the document behind an id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError, SettingsError
from toulmin.registry import known
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.passages.excerpts import LONGEST, WORDING, Excerpt, excerpt_for, query_words
from toulmin.retrieval.passages.passage_files import VECTORS, PassageManifest, PassageStore, Postings, read_manifest
from toulmin.retrieval.ranking import best

__all__ = ["RETRIEVERS", "PassageIndex", "RetrieverName"]

RetrieverName = Literal["bm25", "dense", "bm25+dense"]
#: Where candidates come from (papers/rr, A.3).
RETRIEVERS: tuple[RetrieverName, ...] = get_args(RetrieverName)

_FUSION = 60  # of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)
_FUSED = 100  # ranks of each retriever that are fused
_AT_ONCE = 64  # queries whose candidates are embedded together
_ROWS = 65_536  # vectors multiplied at a time

Found = list[tuple[Excerpt, float]]


class PassageIndex:
    """An opened index; use ``open``. Its files are mapped, not read, and it may be used by several threads.

    Attributes:
        path: its folder.
        manifest: what it holds.
    """

    def __init__(
        self,
        path: Path,
        manifest: PassageManifest,
        store: PassageStore,
        postings: Postings,
        vectors: NDArray[np.float16] | None,
        embedder: Embedder | None = None,
    ) -> None:
        self.path, self.manifest = path, manifest
        self._store, self._postings, self._vectors = store, postings, vectors
        self._given = embedder

    @classmethod
    def open(cls, folder: str | Path, *, embedder: Embedder | None = None) -> PassageIndex:
        """Open the index in a folder that ``build_passages`` wrote.

        Args:
            folder: the folder.
            embedder: of queries and excerpts; None: the one that ships. Stored vectors of another one are not used.

        Raises:
            GraphError: no such folder, no index, one of another version, or a damaged one.
        """
        path = Path(folder)
        manifest = read_manifest(path)
        if manifest.wording != WORDING:
            raise GraphError(f"{path}: its words were read in another way ({manifest.wording}): build it again")
        try:
            store = PassageStore(path)
            postings = Postings(path, len(store))
            vectors = np.load(path / VECTORS, mmap_mode="r") if manifest.embedder else None
        except (OSError, ValueError, EOFError, TokenError) as error:
            raise GraphError(f"{path}: the index is damaged ({error}): build it again") from error
        if len(store) != manifest.passages or (vectors is not None and len(vectors) != len(store)):
            raise GraphError(f"{path}: the index is damaged (its files are of different lengths): build it again")
        return cls(path, manifest, store, postings, vectors, embedder)

    def __len__(self) -> int:
        """How many passages it holds."""
        return len(self._store)

    @property
    def fingerprint(self) -> str:
        """Names the content: a sum of the passages' digests."""
        return self.manifest.fingerprint

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
        asked = self.embedder.embed(queries)
        proposed = [
            self._candidates(query, vector, candidates, retriever, longest)
            for query, vector in zip(queries, asked, strict=True)
        ]
        texts = list(dict.fromkeys(piece.told for pieces in proposed for piece, stored in pieces if stored is None))
        made = dict(zip(texts, self.embedder.embed(texts), strict=True))
        results: list[Found] = []
        for vector, pieces in zip(asked, proposed, strict=True):
            vectors = [made[piece.told] if stored is None else stored for piece, stored in pieces]
            places, cosines = best(np.array([other @ vector for other in vectors], dtype=np.float32), k)
            ranked = zip(places.tolist(), cosines.tolist(), strict=True)
            results.append([(pieces[place][0], cosine) for place, cosine in ranked])
        return results

    def _candidates(
        self, query: str, vector: Vectors, candidates: int, retriever: RetrieverName, longest: int | None
    ) -> list[tuple[Excerpt, Vectors | None]]:
        """Pieces that may be the nearest, each with its vector where it is a whole passage whose vector is stored."""
        pieces = []
        vectors = self._usable
        weights = self._postings.weights(query_words(query))
        for row in self._proposed(query, vector, candidates, retriever):
            passage = self._store[row]
            piece = excerpt_for(passage, query, longest=longest, weight=weights.__getitem__)
            whole = len(piece.text) == len(passage.text)
            pieces.append((piece, vectors[row].astype(np.float32) if vectors is not None and whole else None))
        return pieces

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
