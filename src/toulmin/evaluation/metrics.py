"""What the figures mean. Every score is in [0, 1] and of one question unless it says otherwise.

Two values match iff their labels are equal after normalisation (``value_key``): no substrings, no near matches.
Questions abstained from, crashed or timed out score 0 and stay in the denominator. The scripts of the field often do
otherwise: what they compute is in the functions named ``legacy_…``, for comparison with published figures only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import NamedTuple

from toulmin.evaluation.datasets.types import GoldPath
from toulmin.graph.labels import normalise, readable_id
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node, ReasoningPath, node_key

__all__ = [
    "SetScores",
    "coverage_ratio",
    "hits_at_1",
    "legacy_hit",
    "legacy_mean",
    "linking_success",
    "plain_number",
    "set_scores",
    "validity_ratio",
    "value_id",
    "value_key",
    "value_label",
    "verdict_accuracy",
]

_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_MINUS = re.compile(r"\s*[-\u2212]\s*(?=[0-9])")


def value_label(node: Node) -> str:
    """What is compared with a gold label: an entity's label (its readable id where it has none), a literal's value."""
    if isinstance(node, Entity):
        return node.label if node.label is not None else readable_id(node.id)
    return node.value


def value_id(node: Node) -> str:
    """What is compared with a gold id: an entity's id, a literal's value, of a number its shortest form."""
    return node.id if isinstance(node, Entity) else plain_number(node.value)


def plain_number(text: str) -> str:
    """A decimal number in its shortest form, to twelve digits (engines round otherwise); other texts as they are."""
    if not _DECIMAL.fullmatch(text):
        return text
    return f"{Decimal(text).normalize(Context(prec=12)):f}"


def value_key(label: str) -> str:
    """A label as it is compared: normalised (case, width, punctuation, underscores); the minus of a number counts."""
    minus = _MINUS.match(label)
    return "-" + normalise(label[minus.end() :]) if minus else normalise(label)


def _keys(labels: Iterable[str]) -> set[str]:
    return {value_key(label) for label in labels}


def hits_at_1(values: Sequence[str], gold: Collection[str]) -> float:
    """1 iff the first value, in the order that the answer states, is one of the gold values."""
    return float(bool(values) and value_key(values[0]) in _keys(gold))


class SetScores(NamedTuple):
    """How an answer set A agrees with a gold set G."""

    precision: float
    recall: float
    f1: float
    exact: float


def set_scores(values: Iterable[str], gold: Iterable[str]) -> SetScores:
    """Agreement of the sets A of values and G of gold, whatever their order and repetitions.

    precision = |A ∩ G| / |A|, recall = |A ∩ G| / |G|, f1 = 2 |A ∩ G| / (|A| + |G|), exact = 1 iff A = G. With nothing
    to divide by, precision and recall are 0; two empty sets agree (all 1). Hence f1 = 1 iff A = G.
    """
    a, g = _keys(values), _keys(gold)
    if not a and not g:
        return SetScores(1.0, 1.0, 1.0, 1.0)
    common = len(a & g)
    return SetScores(
        precision=common / len(a) if a else 0.0,
        recall=common / len(g) if g else 0.0,
        f1=2 * common / (len(a) + len(g)),
        exact=float(a == g),
    )


def verdict_accuracy(verdict: bool | None, gold: bool) -> float:
    """1 iff the verdict is the gold one; no verdict (unknown) is wrong."""
    return float(verdict is gold)


def _covers(retrieved: GoldPath, gold: GoldPath) -> bool:
    return len(retrieved) == len(gold) and all(
        value_key(r.relation) == value_key(g.relation)
        and (r.direction is None or g.direction is None or r.direction == g.direction)
        for r, g in zip(retrieved, gold, strict=True)
    )


def coverage_ratio(retrieved: Collection[GoldPath], gold: Collection[GoldPath]) -> float:
    """CR of papers/fidelis, section 3.3: the share of gold paths that are among the retrieved ones.

    CR = |retrieved ∩ gold| / |gold|, over relation sequences. Two are the same iff they have the same relations in the
    same order, and the same directions where both say them. 0 where there is no gold path: leave such questions out.
    """
    wanted = set(gold)
    return sum(any(_covers(path, g) for path in retrieved) for g in wanted) / len(wanted) if wanted else 0.0


def validity_ratio(paths: Sequence[ReasoningPath], graph: Graph) -> float | None:
    """VR of papers/fidelis, section 3.3: the share of the steps of reasoning paths that are statements of the graph.

    VR = valid steps / all steps. A step is valid iff the graph holds a statement of its relation between the node
    before it and its own, in its direction, and, where the step names one, that very statement. None where there is no
    step.
    """
    wanted = []
    for path in paths:
        node: Node = path.start
        for step in path.steps:
            ends = (node, step.node) if step.direction == "forward" else (step.node, node)
            wanted.append((*ends, step.relation.id, step.statement))
            node = step.node
    if not wanted:
        return None
    subjects = [subject.id if isinstance(subject, Entity) else "" for subject, *_ in wanted]
    relations = sorted({relation for _, _, relation, _ in wanted})
    found = graph.statements(subjects, side="outgoing", relations=relations)
    valid = sum(
        any(
            held.relation.id == relation and node_key(held.object) == node_key(obj) and name in ("", held.id)
            for held in statements
        )
        for (_, obj, relation, name), statements in zip(wanted, found, strict=True)
    )
    return valid / len(wanted)


def linking_success(mentions: Sequence[Sequence[str]], gold: Collection[Collection[str]], k: int) -> float:
    """1 iff every gold entity is among the first ``k`` candidates of some mention (papers/r3, table 5).

    Args:
        mentions: for each mention its candidates' ids, best first.
        gold: for each gold entity the ids that count as it (several where entities share its label).
        k: how many candidates of each mention count.
    """
    top = {candidate for mention in mentions for candidate in mention[:k]}
    return float(all(not top.isdisjoint(ids) for ids in gold))


def legacy_hit(values: Iterable[str], gold: Iterable[str]) -> float:
    """1 iff any value contains a gold value or is contained in one, after normalisation.

    The published scripts' Hits@1: any value counts, not only the first, and substrings match both ways, so that "male"
    hits "female" and an answer that lists everything is right.
    """
    a, g = _keys(values) - {""}, _keys(gold) - {""}
    return float(any(x in y or y in x for x in a for y in g))


def legacy_mean(scores: Mapping[str, float], answered: Collection[str]) -> float | None:
    """The mean score over the answered questions only, as scripts report that drop the others; None for none."""
    kept = [score for question, score in scores.items() if question in answered]
    return sum(kept) / len(kept) if kept else None
