"""The way to an answer: what was linked, which relations were followed and how far, which statements it rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from toulmin.evaluation.datasets.types import GoldPath, PathRelation, Question
from toulmin.evaluation.metrics.answers import citation_scores, faithfulness, statement_scores, value_key
from toulmin.graph.protocol import Graph
from toulmin.program.answer import STATED, Answer
from toulmin.retrieval.retriever import Retriever

__all__ = ["coverage_ratio", "followed", "known_as", "linking_success", "mean_depth", "measured"]

#: How many candidates of each mention count for the metrics ``linking_top1`` and ``linking_top3``.
LINKING = (1, 3)


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
    distinct = set(gold)
    return sum(any(_covers(path, g) for path in retrieved) for g in distinct) / len(distinct) if distinct else 0.0


def mean_depth(paths: Collection[GoldPath]) -> float | None:
    """The mean length of distinct paths (papers/fidelis, table 4); None where there is none."""
    lengths = [len(path) for path in set(paths)]
    return sum(lengths) / len(lengths) if lengths else None


def followed(answer: Answer, graph: Graph) -> list[GoldPath]:
    """The relation sequences that a program follows from what the question names, by the relations' labels."""
    relations = [relation for relation, _ in graph.relations()]
    labels = {relation.id: relation.id if relation.label is None else relation.label for relation in relations}
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


def linking_success(mentions: Sequence[Sequence[str]], gold: Collection[Collection[str]], k: int) -> float:
    """1 iff every gold entity is among the first ``k`` candidates of some mention (papers/r3, table 5).

    Args:
        mentions: for each mention its candidates' ids, best first.
        gold: for each gold entity the ids that count as it (several where entities share its label).
        k: how many candidates of each mention count.
    """
    top = {candidate for mention in mentions for candidate in mention[:k]}
    return float(all(not top.isdisjoint(ids) for ids in gold))


_EVERY = 1_000_000  # statements that a report lists
_CITED = 12  # digits of a statement's id in a report


def measured(
    question: Question, answer: Answer | None, graph: Graph, retriever: Callable[[], Retriever]
) -> dict[str, float]:
    """The metrics of linking, paths and evidence that the question and its answer have; see their declarations.

    Args:
        retriever: of the graph; opened only where the question names its entities.
    """
    given = answer if answer is not None and not answer.abstained else None
    metrics = _linking(question, graph, retriever)
    if (depth := mean_depth(question.gold_paths)) is not None:
        metrics["gold_depth"] = depth
    ways = followed(given, graph) if given else []
    if question.gold_paths:
        metrics["coverage_ratio"] = coverage_ratio(set(ways), question.gold_paths)
    if (depth := mean_depth(ways)) is not None:
        metrics["depth"] = depth
    metrics |= _statements(question, given, graph, measure_steps=bool(ways))
    has_gold = bool(question.answers) or question.verdict is not None or question.unknown
    if given.kind == "text" if given else not has_gold:
        metrics |= citation_scores(given)
    if given and (faithful := faithfulness(given)) is not None:
        metrics["faithfulness"] = faithful
    return metrics


def _statements(question: Question, answer: Answer | None, graph: Graph, *, measure_steps: bool) -> dict[str, float]:
    """The metrics that need the kernel's report: the validity of steps, and which statements the answer rests on."""
    bare = (statement.id.rpartition(":")[2] for statement in question.gold_statements)  # without the graph's name
    gold = {identifier[:_CITED] for identifier in bare}
    if answer is None or not (gold or measure_steps):
        return statement_scores((), gold) if gold else {}
    used = [node for node in answer.check(graph, shown=_EVERY).nodes if node["used"]]
    metrics = {}
    if steps := [node for node in used if node["op"] == "follow"]:
        metrics["validity_ratio"] = sum(bool(node["statements"]) for node in steps) / len(steps)
    if gold:
        texts = [text for node in used if node["op"] in STATED for text in node["statements"]]
        metrics |= statement_scores({text.rpartition("[")[2][:-1] for text in texts}, gold)
    return metrics


def _linking(question: Question, graph: Graph, retriever: Callable[[], Retriever]) -> dict[str, float]:
    bearers = known_as(question.gold_entities, graph) if question.gold_entities else {}
    if not bearers or not all(bearers.values()):
        return {}
    mentions = [
        [candidate.entity.id for candidate in mention.candidates]
        for mention in retriever().linker.link(question.question)
    ]
    return {f"linking_top{k}": linking_success(mentions, list(bearers.values()), k) for k in LINKING}


def known_as(names: Sequence[str], graph: Graph) -> dict[str, frozenset[str]]:
    """For each name the ids of the entities that bear it: as their label or, failing that, as an alias."""
    bearers = {}
    for name, matches in zip(names, graph.lookup(names), strict=True):
        labelled = [match.id for match in matches if not match.alias]
        bearers[name] = frozenset(labelled or [match.id for match in matches])
    return bearers
