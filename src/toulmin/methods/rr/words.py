"""What the words of outputs tell: whose sentences the evidence speaks of, and what both sides say.

A chain whose sentences name things that the evidence names, too, was thinking of what is the case; and what chains of
other answers say as well speaks for none of them. Words of the question tell neither: every chain repeats them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from toulmin.english.words import ARGUMENT_STOP_WORDS
from toulmin.graph.types import Entity
from toulmin.methods.rr.chains import normalised

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["Shares", "content_words", "evidence_texts", "shares_of"]

_WORD = re.compile(r"\d[\d,.]*\d|[^\W_]+")
_ENDINGS = ("ing", "ed", "es", "s", "ly")
_STEM = 4  # letters that an ending leaves at least


class Shares(NamedTuple):
    """Of one chain, each from 0 to 1.

    Attributes:
        grounded: of its sentences, those with a word that stands in the evidence.
        disputed: of its words, those that also stand in a chain of another prediction.
    """

    grounded: float = 0.0
    disputed: float = 0.0


@lru_cache(8192)
def content_words(text: str) -> frozenset[str]:
    """The words of a text without case, endings, function words and single letters; numbers as they stand."""
    words = (word for word in _WORD.findall(text.casefold()) if len(word) > 1)
    return frozenset(_stem(word) for word in words if word not in ARGUMENT_STOP_WORDS)


def shares_of(
    question: str, chains: Sequence[tuple[str | None, Sequence[str]]], evidence: Iterable[str]
) -> list[Shares]:
    """The shares of each chain.

    Args:
        chains: the prediction of each, None where it does not vote, and its sentences.
        evidence: all that was laid beside a sentence of any of them.
    """
    asked = content_words(question)
    found = frozenset[str]().union(*map(content_words, evidence))
    said = [None if prediction is None else normalised(prediction) for prediction, _ in chains]
    sentences = [[content_words(one) - asked for one in some] for _, some in chains]
    words = [frozenset[str]().union(*some) for some in sentences]
    by: dict[str, list[frozenset[str]]] = {}
    for prediction, own in zip(said, words, strict=True):
        if prediction is not None:
            by.setdefault(prediction, []).append(own)
    shares = []
    for prediction, some, own in zip(said, sentences, words, strict=True):
        others = [one for other, them in by.items() if other != prediction for one in them] if prediction else []
        both = own & frozenset[str]().union(*others)
        grounded = sum(not one.isdisjoint(found) for one in some)
        shares.append(Shares(grounded / len(some) if some else 0.0, len(both) / len(own) if own else 0.0))
    return shares


def evidence_texts(piece: Evidence) -> Iterator[str]:
    """What evidence says: the text of a passage, the names and values of statements."""
    if piece.excerpt is not None:
        yield piece.excerpt.text
    for one in piece.statements:
        nodes = (one.subject, one.object, *(qualifier.value for qualifier in one.qualifiers))
        yield " ".join((node.label or "") if isinstance(node, Entity) else node.value for node in nodes)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word.removesuffix(ending)
    return word
