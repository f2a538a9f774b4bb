"""How relations are said, those of a graph and others: a graph's relations are not the only ones a sentence may state.

"Tolkien fought at the Somme" is nearer to the place of death than to any other relation of a small graph, and nearer
still to a relation that the graph lacks. The table (``relations.txt``) has four hundred relations with sentences that
state them; each is known by its labels and by the mean of its sentences' vectors, the names left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from toulmin.retrieval.embedders import Embedder, MiniLM
from toulmin.retrieval.linking.words import FUNCTION_WORDS, words_of

__all__ = ["Wordings", "embedded", "relation_rows", "wordings_of"]

Floats = NDArray[np.float32]

_HOME = files("toulmin.entailment.text.judging")
_TABLE, _VECTORS = "relations.txt", "relation_vectors.npz"
_SAME_LABEL = 0.75  # cosine of two labels that name one relation
_LIKE_LABEL = 0.6  # of two that may
_LIKE_SENTENCES = 0.65  # of the means of two relations' sentences: they may be one, perhaps the other way round
_FEW = 4  # sentences of a relation that are embedded where the vectors of all do not ship
_END = re.compile(r"\b[SO]\b(?:'s)?")


def relation_rows() -> list[list[str]]:
    """The fields of each relation of the table: labels, kinds of subjects, of objects, values, families, sentences."""
    lines = (_HOME / _TABLE).read_text("utf-8").splitlines()
    return [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]


@dataclass(frozen=True, slots=True)
class Wordings:
    """The relations of the table (W) and their labels (L) as unit vectors (d).

    Attributes:
        relation: int64[L], of which relation each label is.
        labels: float32[L, d].
        means: float32[W, d], of the sentences.
    """

    relation: NDArray[np.int64]
    labels: Floats
    means: Floats

    def known(self, vectors: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of them each relation of a graph is, bool[W, R], and which none may be, bool[W].

        Args:
            vectors: float32[R, d], of the graph's labels.
        """
        best = np.full((len(self.means), len(vectors)), -1.0, dtype=np.float32)
        np.maximum.at(best, self.relation, self.labels @ vectors.T)
        same = best >= _SAME_LABEL
        there = (best >= _LIKE_LABEL).any(axis=1)
        alike = (self.means @ self.means[there].T).max(axis=1, initial=-1.0) >= _LIKE_SENTENCES
        return same, ~(there | alike)


def wordings_of(embedder: Embedder) -> Wordings:
    """The table in an embedder's vectors: those of the default one ship, others are made of fewer sentences."""
    return _shipped() if embedder.name == MiniLM.name else embedded(embedder, _FEW)


@lru_cache(maxsize=1)
def _shipped() -> Wordings:
    with (_HOME / _VECTORS).open("rb") as file, np.load(file) as shipped:
        return Wordings(shipped["relation"].astype(np.int64), _unit(shipped["labels"]), _unit(shipped["means"]))


def embedded(embedder: Embedder, most: int | None = None) -> Wordings:
    """The table in an embedder's vectors, made now.

    Args:
        most: sentences of each relation; None for all.
    """
    rows = relation_rows()
    labels = [(number, label.strip()) for number, row in enumerate(rows) for label in row[0].split(",")]
    said = [(number, text) for number, row in enumerate(rows) for text in _sentences(row[5])[:most]]
    relation = np.array([number for number, _ in labels], dtype=np.int64)
    vectors = embedder.embed([f"{label} of" for _, label in labels] + [text for _, text in said])
    means = np.zeros((len(rows), vectors.shape[1]), dtype=np.float32)
    np.add.at(means, [number for number, _ in said], vectors[len(labels) :])
    return Wordings(relation, vectors[: len(labels)], _unit(means))


def _sentences(field: str) -> list[str]:
    """The sentences without their ends; those of function words alone only where there are no others."""
    texts = [" ".join(_END.sub(" ", one).split()).strip(" .,;:\"'()!?") for one in field.split(";")]
    telling = [text for text in texts if any(word.lower not in FUNCTION_WORDS for word in words_of(text))]
    return list(dict.fromkeys(telling or texts))


def _unit(vectors: NDArray[np.generic]) -> Floats:
    floats = vectors.astype(np.float32)
    return np.asarray(floats / np.linalg.norm(floats, axis=1, keepdims=True), dtype=np.float32)
