"""The settings of R³, and those of the paper's ablations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.graph.protocol import Side
from toulmin.methods.setting_checks import check_choices, check_least
from toulmin.retrieval.pruning import PRUNERS

__all__ = ["ABLATIONS", "R3Settings"]

_LETTERS = 26  # options go by letters where one call judges several


@dataclass(frozen=True, slots=True)
class R3Settings:
    """See papers/r3, section 3; "not stated" is what the paper leaves open.

    Args:
        axiom: "program": the axiom is a program, and code evaluates what statements ground. "words": the paper's own
            form (eq. 3), premises in words that are joined by "and" or "or"; the model decides each from cited
            statements.
        depth: how often missing evidence is looked for in a branch (appendix A.3, table 8: 2).
        breadth: how many axioms are tried (not stated; 2).
        k: statements that similarity keeps at each depth (not stated; the paper's form 10, ours 20: what 10 and the
            model's choice hold, in fewer calls and tokens).
        pruning: one of ``retrieval.pruning.PRUNERS``.
        pick: whether the model picks statements beside those of similarity (eq. 4).
        listed: of how many statements, at most; the nearest that similarity did not keep (not stated; 30). So many of
            an option are shown.
        additions: what is done beside the paper. Pruning: premises and what is missing are part of the query, what only
            files a thing is left out, what shares a subject and a relation is shown together, on one line, an option is
            shown whole, and five or fewer are shown without asking. Linking: the model is asked for entities only where
            the linker leaves names of the question unread, and the entities of an axiom are looked up too. False:
            eq. 1, and eq. 4 but for ``listed``, by the axiom alone.
        window: tokens of statements in a prompt (4 bytes each); where given, as many as fit are shown in place of the
            first ``k``, which is how truncation fills the context (appendix A.2, table 7; its size is not stated).
        linker, mentions: whether the entity linker's, and the model's, entities are used (eq. 1).
        anchors: how many entities a question may have (not stated; 8).
        side: which statements of an entity are taken (eq. 2: outgoing).
        limit: how many of them at most (not stated; 500).
        facts: statements shown when an axiom is surfaced (appendix D shows some; how many is not stated; 10).
        parallel: all axioms are surfaced in one call and their branches run at once; False: each when the one before it
            gave no answer, which needs fewer calls.
        options_at_once: how many options one call judges, at most 26; of those that satisfy the axiom the surest is the
            answer. 1: option after option, until one satisfies it (the paper's).
        elimination: where an axiom rules out every option but one, of which it is open, that one is the answer, with
            little confidence.
        speaker: the label of the entity that "I" and "my" stand for, where the graph has it.
        temperature: of every call (not stated; 0).
        closed_world: what the graph does not say is not so, where nothing follows without that; shown as assumed.
        complete: ids of relations of which the graph says all there is.
        seed: of the order in which options are tried.

    Raises:
        SettingsError: a setting out of range.
    """

    axiom: Choice["program", "words"] = "program"
    depth: int = 2
    breadth: int = 2
    k: int = 20
    pruning: str = "combined"
    pick: bool = False
    listed: int = 30
    additions: bool = True
    window: int | None = None
    linker: bool = True
    mentions: bool = True
    anchors: int = 8
    side: Side = "outgoing"
    limit: int = 500
    facts: int = 10
    parallel: bool = False
    options_at_once: int = 12
    elimination: bool = True
    speaker: str = "user"
    temperature: float = 0.0
    closed_world: bool = False
    complete: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        check_least(self, "breadth", "k", "anchors", "limit", "options_at_once")
        check_least(self, "depth", "listed", "facts", "temperature", least=0)
        if self.options_at_once > _LETTERS:
            raise SettingsError(f"options_at_once is {self.options_at_once}: give {_LETTERS} or less")
        if self.window is not None and self.window < 1:
            raise SettingsError(f"window is {self.window}: give 1 or more, or none")
        check_choices(self, "{name} is {value}: give one of {known}", pruning=PRUNERS)


_PAPER = R3Settings(
    axiom="words", pruning="similarity", additions=False, k=10, pick=True, options_at_once=1, elimination=False
)

# What a window of 4,096 tokens leaves for statements beside the prompt (some 500) and the longest reply (1,500).
_WINDOW = 2000

#: The paper's own form, and what its appendix A changes in it (tables 5 to 8). Each also takes ``axiom="program"``.
ABLATIONS: Mapping[str, R3Settings] = MappingProxyType(
    {
        "paper": _PAPER,
        "without linker": replace(_PAPER, linker=False),
        "without mentions": replace(_PAPER, mentions=False),
        "truncation": replace(_PAPER, pruning="truncation", pick=False, window=_WINDOW),
        "depth 0": replace(_PAPER, depth=0),
        "depth 1": replace(_PAPER, depth=1),
        "depth 3": replace(_PAPER, depth=3),
    }
)
