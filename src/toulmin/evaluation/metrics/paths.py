"""The way to an answer: what was linked, which relations were followed, and how far."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from toulmin.evaluation.datasets.types import GoldPath, PathRelation
from toulmin.evaluation.metrics.declared import Metric
from toulmin.evaluation.metrics.matching import value_key
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node, ReasoningPath, Relation, node_key
from toulmin.program.answer import Answer

__all__ = [
    "LINKING",
    "METRICS",
    "coverage_ratio",
    "followed",
    "linking_success",
    "mean_depth",
    "validity_ratio",
]

#: How many candidates of each mention count for the metrics ``linking_top1`` and ``linking_top3``.
LINKING = (1, 3)

_GOLD_PATHS = "questions with gold paths"
_DEPTH = "papers/fidelis, section 3.3, table 4"

METRICS = (
    *(
        Metric(
            f"linking_top{k}",
            f"1 iff every gold entity is among the first {k} candidates of some mention that the linker finds in the "
            "question; of entities that share a gold label each counts. Of the linker, whatever the answer.",
            "papers/r3, appendix A.1, table 5",
            "questions whose gold entities are named, and are all in the graph",
        )
        for k in LINKING
    ),
    Metric(
        "coverage_ratio",
        "|retrieved ∩ gold| / |gold| of relation sequences: of the gold paths, the share that the answer's program "
        "follows. Two are the same iff they have the same relations in the same order, and the same directions where "
        "both say them. 0 of an abstention.",
        "papers/fidelis, section 3.3 (CR)",
        _GOLD_PATHS,
    ),
    Metric(
        "validity_ratio",
        "Valid steps / all steps of the paths of an answer. A step of a program is valid iff the graph has statements "
        "of its relation, in its direction, from what stands before it.",
        "papers/fidelis, section 3.3 (VR)",
        "answers that follow relations",
    ),
    Metric(
        "depth",
        "The mean number of steps of the distinct relation sequences that an answer's program follows from what the "
        "question names.",
        _DEPTH,
        "answers that follow relations",
        high=None,
        better=None,
    ),
    Metric(
        "gold_depth",
        "The mean number of steps of the distinct gold paths: what depth is to be compared with.",
        f"{_DEPTH} (GT)",
        _GOLD_PATHS,
        high=None,
        better=None,
    ),
)


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


def mean_depth(paths: Collection[GoldPath]) -> float | None:
    """The mean length of distinct paths (papers/fidelis, table 4); None where there is none."""
    lengths = [len(path) for path in set(paths)]
    return sum(lengths) / len(lengths) if lengths else None


def followed(answer: Answer, graph: Graph) -> list[GoldPath]:
    """The relation sequences that a program follows from what the question names, by the relations' labels."""
    labels = {relation.id: _name(relation) for relation, _ in graph.relations()}
    program, ways = answer.certificate["program"], dict[int, GoldPath]()
    for place, node in enumerate(program):
        before = ways.get(node["of"], ()) if isinstance(node.get("of"), int) else ()
        if node["op"] == "follow":
            before += (PathRelation(labels.get(node["relations"][0], node["relations"][0]), node["direction"]),)
        ways[place] = before
    inner = {node["of"] for node in program if isinstance(node.get("of"), int)}
    ends = [place for place, node in enumerate(program) if node["op"] == "follow" and place not in inner]
    ends += [place for place, node in enumerate(program) if node["op"] == "named" and ways[place]]
    return [way for way in dict.fromkeys(ways[place] for place in ends) if way]


def _name(relation: Relation) -> str:
    return relation.label if relation.label is not None else relation.id


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
