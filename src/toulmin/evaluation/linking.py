"""Success of entity linking (papers/r3, table 5): are all gold entities of a question among the candidates?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.metrics import linking_success
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval
from toulmin.graph.protocol import Graph

__all__ = ["EntityLinker", "LinkingResult", "evaluate_linking", "known_as"]

#: question text -> for each mention the ids of its candidates, best first.
EntityLinker = Callable[[str], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class LinkingResult:
    """The share of questions all of whose gold entities are among the first k candidates of some mention.

    Args:
        success: by k.
        missed: for each k the ids of the questions that failed.
        outside: ids of the questions left out: a gold entity is not in the graph, or none is named.
        mentions: how many mentions the linker found in a question, in the mean: finding many makes success easy.
    """

    success: Mapping[int, ConfidenceInterval]
    missed: Mapping[int, tuple[str, ...]]
    outside: tuple[str, ...]
    mentions: float


def evaluate_linking(
    questions: Sequence[Question], linker: EntityLinker, graph: Graph, *, cutoffs: Sequence[int] = (1, 3), seed: int = 0
) -> LinkingResult:
    """Link each question whose gold entities are all in the graph, and count where all of them are found.

    A gold entity is in the graph iff one has its name as label or, failing that, as alias; where several share
    the name, each of them counts as found.

    Args:
        cutoffs: how many candidates of each mention count.
        seed: of the bootstrap.

    Raises:
        SettingsError: no question is left, or a cutoff is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise SettingsError(f"cutoffs must be at least 1, not {list(cutoffs)}")
    known = known_as(sorted({name for question in questions for name in question.gold_entities}), graph)
    inside = [q for q in questions if q.gold_entities and all(known[name] for name in q.gold_entities)]
    if not inside:
        raise SettingsError("no question has all its gold entities in the graph: is it the graph of this data set?")
    scores: dict[int, list[float]] = {k: [] for k in cutoffs}
    found = 0
    for question in inside:
        mentions = linker(question.question)
        found += len(mentions)
        for k in cutoffs:
            scores[k].append(linking_success(mentions, [known[name] for name in question.gold_entities], k))
    kept = {question.id for question in inside}
    return LinkingResult(
        success={k: bootstrap_interval(values, seed=seed) for k, values in scores.items()},
        missed={k: tuple(q.id for q, s in zip(inside, values, strict=True) if not s) for k, values in scores.items()},
        outside=tuple(question.id for question in questions if question.id not in kept),
        mentions=found / len(inside),
    )


def known_as(names: Sequence[str], graph: Graph) -> dict[str, frozenset[str]]:
    """For each name the ids of the entities that bear it: as their label or, failing that, as an alias."""
    known = {}
    for name, matches in zip(names, graph.lookup(names), strict=True):
        labelled = [match.id for match in matches if not match.alias]
        known[name] = frozenset(labelled or [match.id for match in matches])
    return known
