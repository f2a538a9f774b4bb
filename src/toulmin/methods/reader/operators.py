"""Which operators a question asks for: a linear model over its vector and its words, learned from questions with forms.

Takes the place of lists of English words: what "cheapest", "how many" or "without" ask for was learned
(``training/fit_operators.py``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from toulmin.english.numbers import NUMBER_WORDS
from toulmin.english.words import FIRST, LAST
from toulmin.errors import SettingsError
from toulmin.methods.reader.forms import (
    Agree,
    Calculated,
    Compared,
    Condition,
    Constant,
    Counted,
    Exists,
    Form,
    Grouped,
    Join,
    Key,
    Measured,
    Membership,
    Noted,
    Own,
    Ranked,
    Sets,
    Tabled,
    walk,
)
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.schema import unit

__all__ = ["OPERATORS", "OperatorModel", "asked_words", "operators_of", "shipped_operators"]

#: What a form may do beside following hops from what is named.
OPERATORS = (
    "count", "sum", "mean", "min", "max", "largest", "smallest", "places", "rank by count", ">", "<", "≥", "≤",
    "≠", "has", "lacks", "or", "count condition", "as another", "exists", "in", "compare", "agree", "calculate",
    "table", "group", "noted", "during", "either", "both",
)  # fmt: skip
#: The operator that a form is, whatever it holds.
_ALWAYS: Mapping[type, str] = {
    Counted: "count", Exists: "exists", Membership: "in", Compared: "compare", Agree: "agree",
    Calculated: "calculate", Tabled: "table", Grouped: "group", Noted: "noted",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+|\d+|[?%]")
_FILE = "operators.npz"


def operators_of(form: Form) -> frozenset[str]:
    """The operators of a form."""
    return frozenset(operator for part in walk(form) for operator in _operators(part))


def _operators(part: object) -> Iterator[str]:
    """The operators of a part of a form by itself."""
    if operator := _ALWAYS.get(type(part)):
        yield operator
    match part:
        case Measured():
            yield part.do
        case Ranked():
            yield "largest" if part.largest else "smallest"
            if (part.first, part.last) != (1, 1):
                yield "places"
            if part.key.measure == "count":
                yield "rank by count"
            if isinstance(part.of, Sets) and all(isinstance(member, Constant) for member in part.of.of):
                yield "either"
        case Condition():
            yield from _of_condition(part)
        case Compared() if part.do != "=":
            yield part.do
        case Grouped(having=(do, _)) if do != "=":
            yield do
        case Join() if part.within is not None:
            yield "during"
        case Sets():
            yield {"union": "or", "intersection": "both", "difference": "≠"}[part.do]
        case Key() if part.measure in ("sum", "mean", "min", "max"):
            yield part.measure


def _of_condition(part: Condition) -> Iterator[str]:
    if part.do in OPERATORS:
        yield part.do
    if part.key.measure == "count":
        yield "count condition"
    if len(part.values) > 1:
        yield "or"
    if any(not isinstance(value, Constant | Own) for value in part.values):
        yield "as another"
    if any(isinstance(value, Constant) and value.text == "no" for value in part.values):
        yield "≠"


def asked_words(question: str) -> list[str]:
    """The words and pairs of words of a question; numbers are one word."""
    words = ["#" if word.isdigit() else word for word in _WORD.findall(question.lower())]
    ends = [f"^{words[0]}", f"^{' '.join(words[:2])}"] if words else []
    return [*words, *(f"{a} {b}" for a, b in pairwise(words)), *ends]


_ORDERED = 0.2  # least probability of an order where the question says "first" or "latest"
_OF_PLACES = 0.8  # least probability of places where a number stands before a superlative: "four oldest"
_PLACES = re.compile(rf"\b(?:\d+|{NUMBER_WORDS}) \w+est\b", re.IGNORECASE)


@dataclass(frozen=True)
class OperatorModel:
    """Logistic regressions, one for each operator.

    Args:
        vocabulary: the place of each word or pair.
        words: float32[V, operators].
        vector: float32[d, operators].
        bias: float32[operators].
    """

    vocabulary: Mapping[str, int]
    words: NDArray[np.float32]
    vector: NDArray[np.float32]
    bias: NDArray[np.float32]

    def likely(self, question: str) -> dict[str, float]:
        """The probability of each of ``OPERATORS``; the vector is that of the embedder that ships, as it was fitted."""
        places = [self.vocabulary[word] for word in dict.fromkeys(asked_words(question)) if word in self.vocabulary]
        logits = self.bias + unit(get_embedder().embed([question]))[0] @ self.vector
        if places:
            logits = logits + self.words[places].sum(axis=0)
        likely = dict(zip(OPERATORS, (1 / (1 + np.exp(-logits))).tolist(), strict=True))
        words = set(asked_words(question))
        for operator, ordering in (("smallest", FIRST), ("largest", LAST)):
            if not words.isdisjoint(ordering):
                likely[operator] = max(likely[operator], _ORDERED)
        if _PLACES.search(question):
            likely["places"] = max(likely["places"], _OF_PLACES)
        return likely


@lru_cache(maxsize=1)
def shipped_operators() -> OperatorModel:
    """The model of the package.

    Raises:
        SettingsError: the package is installed without it.
    """
    with as_file(files("toulmin.methods.reader") / "model" / _FILE) as path:
        if not path.is_file():
            raise SettingsError(f"{path}: the reader's operators are not there; fit them (training/fit_operators.py)")
        with np.load(path) as held:
            vocabulary = {word: place for place, word in enumerate(json.loads(str(held["vocabulary"])))}
            parts = [held[name].astype(np.float32) for name in ("words", "vector", "bias")]
    return OperatorModel(vocabulary, *parts)
