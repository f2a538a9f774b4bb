"""Reasoning paths: what a model completed, as an explanation and a prediction (papers/rr, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.proof.chains.completions import parse

__all__ = ["Chain", "parse_chain"]


@dataclass(frozen=True, slots=True)
class Chain:
    """A reasoning path.

    Args:
        text: as the model wrote it.
        sentences: of the explanation, without the conclusion; each stands in the text.
        facts: of these the supporting facts S of A.2: all but those that chain others ("Thus, …").
        prediction: "yes", "no", or the words of a short answer; None: none can be read, and the chain has no vote.
    """

    text: str
    sentences: tuple[str, ...]
    facts: tuple[str, ...]
    prediction: str | None = None


def parse_chain(text: str) -> Chain:
    """Read a completion."""
    said = parse(text)
    return Chain(text, said.sentences, said.facts, said.prediction)
