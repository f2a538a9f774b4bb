"""Reasoning paths: what a model completed, as an explanation and a prediction (papers/rr, section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toulmin.proof.chains.completions import parse

__all__ = ["Chain", "normalised", "parse_chain"]

_ARGUMENT = re.compile(
    r"(?:thus|therefore|hence|so|consequently|as a result|in conclusion|this means)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class Chain:
    """A reasoning path.

    Args:
        text: as the model wrote it.
        sentences: of the explanation, without the conclusion; each stands in the text.
        prediction: "yes", "no", or the words of a short answer; None: none can be read, and the chain has no vote.
    """

    text: str
    sentences: tuple[str, ...]
    prediction: str | None = None

    @property
    def arguments(self) -> frozenset[int]:
        """Which sentences (positions) chain others: "Thus, …"."""
        return frozenset(place for place, one in enumerate(self.sentences) if _ARGUMENT.match(one))

    @property
    def facts(self) -> tuple[str, ...]:
        """The other sentences: the supporting facts S of A.2."""
        return tuple(one for one in self.sentences if not _ARGUMENT.match(one))


def parse_chain(text: str) -> Chain:
    """Read a completion."""
    said = parse(text)
    return Chain(text, said.sentences, said.prediction)


def normalised(prediction: str) -> str:
    """An answer as exact match compares it: small letters, no articles or punctuation (Rajpurkar et al., 2016)."""
    words = _PUNCTUATION.sub(" ", _ARTICLE.sub(" ", prediction.casefold()))
    return " ".join(words.split()) or prediction.casefold().strip()
