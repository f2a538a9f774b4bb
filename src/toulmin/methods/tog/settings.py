"""The settings of Think-on-Graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.methods.setting_checks import check_choices, check_least, check_range

__all__ = ["Pruning", "ToGSettings"]

Pruning = Choice["model", "random"]


@dataclass(frozen=True, slots=True)
class ToGSettings:
    """A model explores relations, then entities, until what it found suffices (Sun et al., ICLR 2024).

    Args:
        width: N, relations and then entities that are kept at each depth (the paper: 3).
        depth: hops from the question's entities at most (the paper: 3); a node that has only a machine id counts as
            none.
        pruning: of entities. "model": it scores them. "random": so many are drawn, as the paper's variant ToG-R does.
        together: whether one call prunes the relations, and one the entities, of a depth; the paper asks for each
            entity's relations and each relation's entities apart.
        fallback: what comes where the statements found never suffice. "abstain": an abstention (ours). "memory": the
            model answers from what it knows, marked as ungrounded (the paper).
        many: entities from which on those of one relation are sampled (the authors' code: 20).
        sampled: how many of them then are (the authors' code: 5).
        listed: relations in one prompt at most, those whose words are most like the question's (ours: 80).
        starts: entities of the question that are explored, the likeliest first (ours: 3).
        temperature: of what prunes (the paper: 0.4); what decides is asked at 0.
        seed: of sampling and of random pruning.
        max_tokens: of one reply (the paper: 256).
    """

    width: int = 3
    depth: int = 3
    pruning: Pruning = "model"
    together: bool = True
    fallback: Choice["abstain", "memory"] = "abstain"
    many: int = 20
    sampled: int = 5
    listed: int = 80
    starts: int = 3
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_least(self, "width", "depth", "many", "sampled", "listed", "starts", "max_tokens", of="tog: ")
        check_choices(self, "tog: unknown {name} {value}: use one of {known}")
        check_range(self, "temperature", most=2, of="tog: ")

    @classmethod
    def paper(cls, pruning: Pruning = "model") -> ToGSettings:
        """The algorithm as the paper has it."""
        return cls(pruning=pruning, together=False, fallback="memory", temperature=0.4, max_tokens=256)
