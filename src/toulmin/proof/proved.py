"""The answer that a proof is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toulmin.proof.answer import Answer

__all__ = ["Proved"]


class Proved:
    """The answer that a proof is of, if any. No part of the proof's content: proofs are equal whatever they are of."""

    def __init__(self, answer: Answer | None = None) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proved)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> Proved:
        return Proved()  # the copied answer makes itself known
