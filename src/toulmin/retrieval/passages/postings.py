"""BM25 of words in passages, computed when the index is built (the formula of ``retrieval.scorers``).

Word by word, the passages that have it and what it adds to the score of each lie end to end in arrays; a query adds up
the slices of its words. bm25s stores the same; this one counts words as they come, so that a tenth of its memory does.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from toulmin.graph.tables import hash_keys
from toulmin.retrieval.ranking import Scores

__all__ = ["PostingBuilder", "Postings"]

_K1, _B = 1.5, 0.75
_WORDS, _STARTS, _ROWS, _IMPACTS = "words.npy", "word_starts.npy", "posting_rows.npy", "posting_scores.npy"


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
        n = len(self._lengths)
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        hashes = hash_keys(self._numbers)
        order = np.argsort(hashes)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        pairs = place[np.frombuffer(self._flat, dtype=np.int32)] if self._flat else np.zeros(0, dtype=np.int64)
        pairs *= max(n, 1)
        pairs += np.repeat(np.arange(n), lengths)
        pairs.sort()
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        frequency = np.diff(first, append=len(pairs))
        words, rows = np.divmod(pairs[first], max(n, 1))
        del pairs, first
        starts = np.searchsorted(words, np.arange(len(order) + 1))
        counts = np.diff(starts)
        idf = np.log1p((n - counts + 0.5) / (counts + 0.5))
        norm = _K1 * (1 - _B + _B * lengths / (lengths.mean() if self._flat else 1.0))
        impacts = idf[words] * frequency / (frequency + norm[rows])
        np.save(folder / _WORDS, hashes[order])
        np.save(folder / _STARTS, starts.astype(np.int64))
        np.save(folder / _ROWS, rows.astype(np.int32))
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
            np.load(folder / name, mmap_mode="r") for name in (_WORDS, _STARTS, _ROWS, _IMPACTS)
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
