"""The settings of planning by relation paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.methods.setting_checks import check_choices, check_least

__all__ = ["PlanSettings", "Take", "Topic"]

Take = Choice["first", "agreed", "all"]
Topic = Choice["linked", "recorded"]


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Relation paths are proposed, walked in the graph, and what they lead to is the answer (Luo et al., ICLR 2024).

    Args:
        plans: a file of recorded plans that take the model's place (docs/planning.md has its form). None: the model
            proposes them.
        width: K, relation paths that are proposed at most (the paper's beam: 3).
        hops: of a path at most; a node that has only a machine id counts as no hop (ours: 3).
        constraint: how a model is kept to paths that the graph has. "schema": it chooses numbers of a list. "grammar":
            it writes the paths, by a grammar made from the trie of all of them; for models in this process. "auto":
            by grammar where the model takes one and the trie has at most ``written`` paths, else by schema.
        listed: paths in one list; where there are more, the model chooses hop by hop, and of more continuations it
            sees those whose words are most like the question's (ours: 80).
        written: paths of a grammar at most (ours: 2000).
        answering: "walk": what the paths lead to is the answer. "model": the model chooses among it (the paper's
            reasoning over paths).
        take: of "walk". "first": what the first path leads to that leads anywhere. "agreed": that of it to which the
            paths of the most weight lead together; a weight is the path's score, or 1 by its rank. "all": everything.
        topic: where recorded plans are walked from. "linked": what the question's words are linked to. "recorded": the
            entities that the record names, where it names any.
        starts: linked entities that paths may start from, the likeliest first (ours: 4).
        shown: ends of one path that the model sees when it chooses (ours: 15).
        max_tokens: of one reply.
    """

    plans: str | None = None
    width: int = 3
    hops: int = 3
    constraint: Choice["auto", "schema", "grammar"] = "auto"
    listed: int = 80
    written: int = 2000
    answering: Choice["walk", "model"] = "walk"
    take: Take = "agreed"
    topic: Topic = "linked"
    starts: int = 4
    shown: int = 15
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_least(self, "width", "hops", "listed", "written", "starts", "shown", "max_tokens", of="plan: ")
        check_choices(self, "plan: unknown {name} {value}: use one of {known}")
