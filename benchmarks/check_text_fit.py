"""Fits the weights by which the readings of a fact compete (``entailment/text/judging/reading_weights.json``).

    python benchmarks/check_text.py --data PATH --fit

A conditional logit over the readings of each sentence of the tuning part in each of its conditions, and over "none of
the graph's relations": the weights that make the stated (subject, relation) likeliest, with a small L2 penalty. Two
stages: without the entailment scorer, by which the readings it sees are chosen, and with it. Then a logit over the
three verdicts, on readings weighed by weights that were fitted without the sentences of their relation; to its
sentences belong some in graphs that lack their relation altogether, as the graphs of others often will. Last, what is
added for support and for contradiction so that none of the six precisions and recalls stays far behind.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import toulmin.entailment.text.judging as package
from toulmin.entailment.protocol import ENTAIL, Scorer
from toulmin.entailment.text.judging.deciding import VERDICT_FEATURES, Decision, decide
from toulmin.entailment.text.judging.fact_verdict import JudgeSettings
from toulmin.entailment.text.judging.profile import GraphProfile
from toulmin.entailment.text.judging.qualified import without_qualifiers
from toulmin.entailment.text.judging.reading_model import ReadingModel, reading_model, scorer_features
from toulmin.entailment.text.judging.readings import FEATURES, Readings, read, texts_to_embed
from toulmin.entailment.text.judging.verdicts import premises, prepare
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from check_text import Data, Item

__all__ = ["fit"]

_PENALTY = 1e-3
_VERDICT_PENALTY = 1e-2
_FOLDS = 4
_OFFSETS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
_WANTED = (0.90, 0.85, 0.85)  # of support, contradiction, and what is not in the graph
_LACKING = 12  # of so many sentences in a graph without their relation, one is used
#: Where the fit starts: only used to choose the readings of the first stage.
_START = {
    "likeness": 6,
    "margin": 2,
    "label_said": 1,
    "said_margin": 0.5,
    "words_explained": 1,
    "opposed": -1.5,
    "member": 0.7,
    "usual": 0.3,
    "range": 0.5,
    "shape": 0.5,
    "near_objects": 1,
    "domain": 0.4,
    "frequency": 0.1,
    "joined": 2,
    "has": 0.5,
    "noun_of": 1,
    "genitive": 0.2,
    "subject_first": 0.1,
    "subject_link": 0.5,
    "no_object": -1,
    "plain": -1,
    "nested": -0.7,
    "unlinked": -0.3,
    "gap": -0.2,
}

Floats = NDArray[np.float64]


@dataclass(slots=True)
class _Case:
    """The readings of a sentence, which of them it states (none: none of the graph's relations), and its verdict.

    Args:
        verdict: its place in ``check_text.VERDICTS``; -1 where it is not asked.
        fold: the sentences of a relation are in one.
        clear: whether the altered graph surely says nothing, or otherwise: the relation has one value, and no other
            statement joins the two.
    """

    readings: Readings
    gold: NDArray[np.bool_]
    profile: GraphProfile
    verdict: int
    fold: int
    removed: bool
    clear: bool = True

    @property
    def stated(self) -> bool:
        """Whether it is known what is stated: a reading, or none since the statement is not in the graph."""
        return len(self.readings) > 0 and bool(self.gold.any() or self.removed)

    def best(self, weights: Floats) -> _Case:
        """The same with the readings that the entailment scorer sees."""
        rows = np.argsort(-(self.readings.features @ weights), kind="stable")[: JudgeSettings().scored]
        return replace(self, readings=self.readings.take(rows), gold=self.gold[rows])


@dataclass(frozen=True, slots=True)
class _Judged:
    """A case as its readings decide it, with the verdict that is right."""

    decision: Decision
    verdict: int
    fold: int
    clear: bool


def fit(data: Data, scorer: Scorer, embedder: Embedder) -> None:
    """Fit all stages and write the file."""
    start = np.array([_START[name] for name in FEATURES], dtype=np.float32)
    cases = _cases(data, embedder, start)
    known: dict[tuple[str, str], float] = {}
    first, second, none = _fit_readings(cases, scorer, known)
    lacking = _without_relations(data, embedder, start)
    judged: list[_Judged] = []
    for fold in range(_FOLDS):
        weights = _fit_readings([one for one in cases if one.fold != fold], scorer, known)
        model = ReadingModel(_float32(weights[0]), _float32(weights[1]), weights[2], np.zeros((2, 1), dtype=np.float32))
        asked = [case for case in (*cases, *lacking) if case.fold == fold and case.verdict >= 0]
        for one in (case.best(weights[0]) for case in asked):
            _score([one], scorer, known)
            assert one.readings.entailment is not None
            chances = model.probabilities(one.readings, one.readings.entailment)
            decision = decide(one.readings, chances, one.profile, JudgeSettings().single)
            judged.append(_Judged(decision, one.verdict, fold, one.clear))
    features = np.array([one.decision.features for one in judged], dtype=float)
    verdicts = np.array([one.verdict for one in judged])
    verdict = _fit_verdicts(features, verdicts)
    scores, right = _cross_fitted(judged, features, verdicts)
    added = _balance(scores, right)
    verdict[:, -1] += added
    names = (*VERDICT_FEATURES, "always")
    said = {
        "first": _named(FEATURES, first),
        "second": _named((*FEATURES, "entailment"), second),
        "none": round(none, 4),
        "verdict": {"supported": _named(names, verdict[0]), "contradicted": _named(names, verdict[1])},
    }
    target = Path(next(iter(package.__path__))) / "reading_weights.json"
    target.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    reading_model.cache_clear()
    print(json.dumps(said, indent=1))
    from check_text import VERDICTS

    print(f"\n{len(right)} cases, among them graphs without the relation, by weights fitted without the relation:")
    for name, precision, recall in zip(VERDICTS, *_precision_recall(scores, right, added), strict=True):
        print(f"{name:>18}: precision {precision:.3f}, recall {recall:.3f}")


def _cross_fitted(
    judged: Sequence[_Judged], features: Floats, verdicts: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.int64]]:
    """Scores of the three verdicts, float[n, 3], by weights fitted without the sentences of their relation.

    Only of the cases that surely have one verdict; with those verdicts, int[n].
    """
    fold = np.array([one.fold for one in judged])
    possible = np.array([(one.decision.held.any(), one.decision.other.any(), True) for one in judged])
    scores = np.zeros((len(judged), 3))
    for number in range(_FOLDS):
        weights = _fit_verdicts(features[fold != number], verdicts[fold != number])
        scores[fold == number, :2] = features[fold == number] @ weights[:, :-1].T + weights[:, -1]
    scores[~possible] = -np.inf
    clear = np.array([one.clear for one in judged])
    return scores[clear], verdicts[clear]


def _balance(scores: Floats, verdicts: NDArray[np.int64]) -> Floats:
    """What is added for support and for contradiction, float[2], so that no precision and no recall stays far behind.

    The least lead of the six over what is wanted of them is greatest.
    """
    found: dict[tuple[float, float], tuple[float, float]] = {}
    for added in product(_OFFSETS, _OFFSETS):
        shares = _precision_recall(scores, verdicts, added)
        found[added] = float(np.min(shares - _WANTED)), float(np.mean(shares))
    return np.array(max(found, key=lambda added: found[added]))


def _precision_recall(scores: Floats, verdicts: NDArray[np.int64], added: Sequence[float] | Floats) -> Floats:
    """Precision and recall of the three verdicts, float[2, 3], where something is added for the first two."""
    given = (scores + np.array([*added, 0.0])).argmax(axis=1)
    right = np.bincount(verdicts[given == verdicts], minlength=3)
    return np.array([right / np.maximum(np.bincount(some, minlength=3), 1) for some in (given, verdicts)])


def _float32(weights: Floats) -> NDArray[np.float32]:
    return np.asarray(weights, dtype=np.float32)


def _named(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def _fit_readings(
    cases: Sequence[_Case], scorer: Scorer, known: dict[tuple[str, str], float]
) -> tuple[Floats, Floats, float]:
    """The weights of both stages, and that of "none"."""
    used = [one for one in cases if one.stated]
    first, _ = _logit([one.readings.features.astype(float) for one in used], [one.gold for one in used])
    kept = [one.best(first) for one in used]
    _score(kept, scorer, known)
    features = []
    for one in kept:
        assert one.readings.entailment is not None
        features.append(scorer_features(one.readings, one.readings.entailment).astype(float))
    second, none = _logit(features, [one.gold for one in kept])
    return first, second, none


def _score(cases: Sequence[_Case], scorer: Scorer, known: dict[tuple[str, str], float]) -> None:
    """Take the scorer's entailment into the readings."""
    pairs = [premises(one.readings, one.profile) for one in cases]
    new = [pair for pair in dict.fromkeys(pair for some in pairs for pair in some) if pair not in known]
    if new:
        known.update(zip(new, scorer.score(new)[:, ENTAIL].tolist(), strict=True))
    for one, some in zip(cases, pairs, strict=True):
        one.readings.entailment = np.array([known[pair] for pair in some], dtype=np.float32)


def _cases(data: Data, embedder: Embedder, weights: NDArray[np.float32]) -> list[_Case]:
    items = data.single("tuning")
    cases = _of_graph(data, data.graph, items, embedder, weights, "as it is")
    altered = sorted({item.triples[0] for item in items if data.one_value(item.triples[0])})
    for condition, graph, became in data.altered(altered):
        some = [item for item in items if item.triples[0] in became]
        cases += _of_graph(data, graph, some, embedder, weights, condition)
    return cases


def _without_relations(data: Data, embedder: Embedder, weights: NDArray[np.float32]) -> list[_Case]:
    """Sentences in graphs that lack three quarters of the relations, theirs among them: these say nothing of them."""
    items = [item for item in data.single("tuning") if data.one_value(item.triples[0])]
    cases: list[_Case] = []
    for kept in range(_FOLDS):
        statements = [one for one in data.statements if _fold(one.relation.label or "", "graph") == kept]
        joined = {frozenset((one.subject.id, one.object.id)) for one in statements if isinstance(one.object, Entity)}
        graph = MemoryGraph.from_statements(statements)
        some = []
        for item in items:
            stated = data.statement[item.triples[0]]
            assert isinstance(stated.object, Entity)
            lacks = _fold(stated.relation.label or "", "graph") != kept
            if lacks and frozenset((stated.subject.id, stated.object.id)) not in joined:
                some.append(item)
        cases += _of_graph(
            data, graph, random.Random(kept).sample(some, len(some) // _LACKING), embedder, weights, "removed"
        )
    return cases


def _fold(relation: str, of: str) -> int:
    return int(hashlib.sha256(f"{of} {relation}".encode()).hexdigest(), 16) % _FOLDS


def _of_graph(
    data: Data, graph: Graph, items: Sequence[Item], embedder: Embedder, weights: NDArray[np.float32], condition: str
) -> list[_Case]:
    facts, profile = prepare([item.text for item in items], Retriever(graph, embedder=embedder), graph)
    needed = list(dict.fromkeys(text for fact in facts for text in texts_to_embed(fact)))
    vector = dict(zip(needed, embedder.embed(needed), strict=True))
    cases: list[_Case] = []
    for item, fact in zip(items, facts, strict=True):
        readings = without_qualifiers(read(fact, profile, vector, weights), profile)
        triple = item.triples[0]
        stated = data.statement[triple]
        subject = profile.subgraph.index(stated.subject.id)
        gold = np.array(
            [
                node == subject and profile.subgraph.relations[relation].id == stated.relation.id
                for node, relation in zip(readings.subject.tolist(), readings.relation.tolist(), strict=True)
            ],
            dtype=bool,
        )
        verdict = ("as it is", "exchanged", "removed").index(condition) if data.one_value(triple) else -1
        clear = data.single_share(triple[1]) >= 0.5 and data.joined[frozenset((triple[0], triple[2]))] == 1
        fold = _fold(triple[1], "readings")
        cases.append(_Case(readings, gold, profile, verdict, fold, condition == "removed", clear))
    return cases


def _fit_verdicts(features: Floats, verdicts: NDArray[np.int64]) -> Floats:
    """Weights of the first two verdicts against the third, float[2, features + 1]."""
    from scipy.optimize import minimize

    scale = features.std(axis=0) + 1e-6
    rows = np.c_[features / scale, np.ones(len(features))]
    wanted = np.eye(3)[verdicts]

    def loss(point: Floats) -> tuple[float, Floats]:
        weights = point.reshape(2, -1)
        scores = np.c_[rows @ weights.T, np.zeros(len(rows))]
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        free = weights.copy()
        free[:, -1] = 0.0
        value = -np.log(shares[np.arange(len(rows)), verdicts] + 1e-12).mean() + _VERDICT_PENALTY * (free**2).sum()
        slope = (shares - wanted)[:, :2].T @ rows / len(rows) + 2 * _VERDICT_PENALTY * free
        return float(value), slope.ravel()

    start = np.zeros(2 * rows.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x.reshape(2, -1)
    return np.asarray(np.c_[found[:, :-1] / scale, found[:, -1]])


def _logit(features: Sequence[Floats], gold: Sequence[NDArray[np.bool_]]) -> tuple[Floats, float]:
    """Weights, and that of "none", that maximise the likelihood of the gold readings (their sum, where several are)."""
    from scipy.optimize import minimize

    rows = np.concatenate(features)
    sizes = np.array([len(one) for one in features])
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    right = np.concatenate(gold).astype(float)
    none_right = np.array([not one.any() for one in gold], dtype=float)
    scale = rows.std(axis=0) + 1e-6
    scaled = rows / scale
    owner = np.repeat(np.arange(len(sizes)), sizes)

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, none = point[:-1], point[-1]
        scores = scaled @ weights
        top = np.maximum(np.maximum.reduceat(scores, starts), none)
        each, nothing = np.exp(scores - top[owner]), np.exp(none - top)
        total = np.add.reduceat(each, starts) + nothing
        hit = np.add.reduceat(each * right, starts) + nothing * none_right + 1e-12
        slope = scaled.T @ (each * (1 / total[owner] - right / hit[owner])) / len(sizes) + 2 * _PENALTY * weights
        of_none = (nothing / total - nothing * none_right / hit).mean()
        value = (np.log(total) - np.log(hit)).mean() + _PENALTY * (weights @ weights)
        return float(value), np.r_[slope, of_none]

    found = minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    return found[:-1] / scale, float(found[-1])
