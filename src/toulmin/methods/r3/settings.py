"""The settings of R³, and those of the paper's ablations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.graph.protocol import Side
from toulmin.retrieval.pruning import PRUNERS

__all__ = ["ABLATIONS", "R3Settings"]


@dataclass(frozen=True, slots=True)
class R3Settings:
    """See papers/r3, section 3; "not stated" is what the paper leaves open.

    Args:
        axiom: "program": the axiom is a program, and code evaluates what statements ground. "words": the paper's own
            form; the model decides each premise from cited statements.
        depth: how often missing evidence is looked for in a branch (the paper: 2).
        breadth: how many axioms are tried (not stated; 2).
        k: statements that similarity keeps at each depth (not stated; 10).
        pruning: one of ``retrieval.pruning.PRUNERS``.
        pick: whether the model picks statements beside those of similarity (eq. 4).
        listed: of how many statements, at most.
        linker, mentions: whether the entity linker's, and the model's, entities are used (eq. 1).
        anchors: how many entities a question may have.
        side: which statements of an entity are taken (eq. 2: outgoing).
        limit: how many of them at most.
        facts: statements shown when an axiom is surfaced.
        parallel: all axioms are surfaced in one call and their branches run at once, as do the options of a multiple
            choice; False: each when the one before it gave no answer, which needs fewer calls.
        options_at_once: how many options are tried at a time; the first in order that satisfies the axiom is the answer
            all the same, so that more of them cost calls and save time.
        speaker: the label of the entity that "I" and "my" stand for, where the graph has it.
        temperature: of every call (the paper: 0).
        closed_world: what the graph does not say is not so, where nothing follows without that; shown as assumed.
        complete: ids of relations of which the graph says all there is.
        seed: of the order in which options are tried.

    Raises:
        SettingsError: a setting out of range.
    """

    axiom: Choice["program", "words"] = "program"
    depth: int = 2
    breadth: int = 2
    k: int = 10
    pruning: str = "combined"
    pick: bool = True
    listed: int = 30
    linker: bool = True
    mentions: bool = True
    anchors: int = 8
    side: Side = "outgoing"
    limit: int = 500
    facts: int = 10
    parallel: bool = False
    options_at_once: int = 3
    speaker: str = "user"
    temperature: float = 0.0
    closed_world: bool = False
    complete: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"breadth": 1, "k": 1, "anchors": 1, "limit": 1, "options_at_once": 1}
        least |= {"depth": 0, "listed": 0, "facts": 0, "temperature": 0}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in least and not value >= least[field.name]:
                raise SettingsError(f"{field.name} is {value}: give {least[field.name]} or more")
        for name, known in (
            ("axiom", ("program", "words")),
            ("pruning", PRUNERS),
            ("side", ("outgoing", "incoming", "both")),
        ):
            if getattr(self, name) not in known:
                raise SettingsError(f"{name} is {getattr(self, name)!r}: give one of {', '.join(known)}")


_PAPER = R3Settings(axiom="words", pruning="similarity")

#: The paper's own form, and what its appendix A changes in it (tables 5 to 8). Each also takes ``axiom="program"``.
ABLATIONS: Mapping[str, R3Settings] = MappingProxyType(
    {
        "paper": _PAPER,
        "without linker": replace(_PAPER, linker=False),
        "without mentions": replace(_PAPER, mentions=False),
        "truncation": replace(_PAPER, pruning="truncation", pick=False),
        "depth 0": replace(_PAPER, depth=0),
        "depth 1": replace(_PAPER, depth=1),
        "depth 3": replace(_PAPER, depth=3),
    }
)
