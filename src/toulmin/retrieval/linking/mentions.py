"""What linking yields: mentions with their candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.graph.types import Entity

__all__ = ["Candidate", "How", "Mention"]

How = Choice["exact", "near", "full text", "vector"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that some words may stand for; of a certificate's entity node it gives id, words and name.

    Args:
        form: the label or alias that matched, as the graph writes it.
        score: 1.0 for "exact"; for "near" how like the name is; else the linker's own.
    """

    entity: Entity
    form: str
    score: float
    how: How


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question, ``text = question[start:end]``, with what they may stand for, best first.

    Args:
        weight: 0 to 1, how likely these words are meant as a name at all: low for years, for common words, and where
            the case speaks against it.
    """

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...]
    weight: float
