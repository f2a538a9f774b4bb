"""Words, their senses and the relations between senses, as integer arrays in one small file."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import ArrayLike, NDArray

from toulmin.errors import SourceError

__all__ = ["Adjacency", "WordTables"]

_LISTS = ("senses", "hypernyms", "derivations", "wholes", "antonyms")


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Lists of numbers (of synsets, of words), one list per row, laid end to end.

    Args:
        start: where each list begins in ``targets``, int32[rows + 1].
        targets: the numbers, int32.
    """

    start: NDArray[np.int32]
    targets: NDArray[np.int32]

    def __getitem__(self, row: int) -> list[int]:
        targets: list[int] = self.targets[self.start[row] : self.start[row + 1]].tolist()
        return targets

    @classmethod
    def from_lists(cls, lists: list[list[int]]) -> Self:
        """One row per list."""
        return cls(
            _starts([len(row) for row in lists]), np.array([target for row in lists for target in row], dtype=np.int32)
        )


@dataclass(frozen=True, slots=True)
class WordTables:
    """What a lexicon knows. Synsets are integers; those of nouns come first.

    Args:
        words: row of each lemma (lower case, spaces between the words of a compound) in ``senses``.
        exceptions: irregular form -> its base forms, all in ``words`` ("men" -> "man"; "his" -> none, not "hi").
        senses: synsets of each word, the most frequent first whatever their part of speech.
        hypernyms: synset -> more general synsets (also: instance of; of an adjective, the similar ones).
        derivations: synset -> synsets with a word derived from one of its words (actor - act).
        wholes: synset -> synsets that it is a part of (Austin - Texas).
        antonyms: word -> words that are its opposite in some sense of the two (rise - fall).
        nouns: number of noun synsets; a synset below it is a noun.
    """

    words: dict[str, int]
    exceptions: dict[str, tuple[str, ...]]
    senses: Adjacency
    hypernyms: Adjacency
    derivations: Adjacency
    wholes: Adjacency
    antonyms: Adjacency
    nouns: int

    def save(self, path: Path) -> None:
        """Write a compressed ``.npz`` without pickles; the same tables give the same bytes."""
        arrays: dict[str, NDArray[Any]] = {
            "words": _pack("\n".join(self.words)),
            "exceptions": _pack("\n".join("\t".join((form, *bases)) for form, bases in self.exceptions.items())),
            "nouns": np.array(self.nouns, dtype=np.int32),
        }
        for name in _LISTS:
            adjacency: Adjacency = getattr(self, name)
            arrays[f"{name}_count"] = np.diff(adjacency.start)  # small numbers, which compress well
            arrays[name] = adjacency.targets
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what ``save`` wrote.

        Raises:
            SourceError: the file is missing or is not such a file.
        """
        try:
            with path.open("rb") as file, NpzFile(file, allow_pickle=False) as arrays:
                words, exceptions = _unpack(arrays["words"]), _unpack(arrays["exceptions"])
                lists = {name: Adjacency(_starts(arrays[f"{name}_count"]), arrays[name]) for name in _LISTS}
                nouns = int(arrays["nouns"])
        except (OSError, ValueError, KeyError, zlib.error, zipfile.BadZipFile) as error:
            raise SourceError(f"not a lexicon ({error}); build it with scripts/build_lexicon.py", path) from error
        forms = (line.split("\t") for line in exceptions)
        return cls(
            words={word: row for row, word in enumerate(words)},
            exceptions={form: tuple(bases) for form, *bases in forms},
            nouns=nouns,
            **lists,
        )


def _pack(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _unpack(packed: NDArray[np.uint8]) -> list[str]:
    return packed.tobytes().decode().split("\n") if packed.size else []


def _starts(counts: ArrayLike) -> NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int32)), dtype=np.int32)
