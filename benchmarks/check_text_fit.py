"""Fits the weights by which the readings of a fact compete (``entailment/text/reading_weights.json``).

    python benchmarks/check_text.py --data PATH --fit

A conditional logit over the readings of each sentence of the tuning third in each of its conditions, and over "none of
the graph's relations": the weights that make the stated (subject, relation) likeliest, with a small L2 penalty. Two
stages: without the entailment scorer, by which the readings it sees are chosen, and with it. The two factors that
balance the verdicts are set by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import toulmin.entailment.text as package
from toulmin.entailment.protocol import ENTAIL, Scorer
from toulmin.entailment.text.reading_model import reading_model, scorer_features
from toulmin.entailment.text.readings import FEATURES, Readings, read, texts_to_embed
from toulmin.entailment.text.verdicts import JudgeSettings, premises, prepare
from toulmin.graph.protocol import Graph
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from check_text import Data, Item

__all__ = ["fit"]

_PENALTY = 1e-3
_SUPPORT, _CONTRADICTION = 0.7, 2.3
#: Where the fit starts: only used to choose the readings of the first stage.
_START = {
    "likeness": 6,
    "margin": 2,
    "label_said": 1,
    "said_margin": 0.5,
    "words_explained": 1,
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


@dataclass(frozen=True, slots=True)
class _Case:
    """The readings of a sentence, and which of them it states (none: none of the graph's relations)."""

    readings: Readings
    gold: NDArray[np.bool_]
    pairs: list[tuple[str, str]]


def fit(data: Data, scorer: Scorer, embedder: Embedder) -> None:
    """Fit both stages and write the file."""
    start = np.array([_START[name] for name in FEATURES], dtype=np.float32)
    cases = _cases(data, embedder, start)
    first, _ = _logit([one.readings.features.astype(float) for one in cases], [one.gold for one in cases])
    kept = [_best(one, first) for one in cases]
    pairs = list(dict.fromkeys(pair for one in kept for pair in one.pairs))
    score = dict(zip(pairs, scorer.score(pairs)[:, ENTAIL].tolist(), strict=True))
    features = [
        scorer_features(one.readings, np.array([score[pair] for pair in one.pairs], dtype=np.float32)).astype(float)
        for one in kept
    ]
    second, none = _logit(features, [one.gold for one in kept])
    said = {
        "first": _named(FEATURES, first),
        "second": _named((*FEATURES, "entailment"), second),
        "none": round(float(none), 4),
        "support": _SUPPORT,
        "contradiction": _CONTRADICTION,
    }
    target = Path(next(iter(package.__path__))) / "reading_weights.json"
    target.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    reading_model.cache_clear()
    print(json.dumps(said, indent=1))


def _named(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def _cases(data: Data, embedder: Embedder, weights: NDArray[np.float32]) -> list[_Case]:
    items = data.single("tuning")
    cases = _of_graph(data, data.graph, items, embedder, weights, removed=False)
    altered = sorted({item.triples[0] for item in items if data.one_value(item.triples[0])})
    for condition, graph, became in data.altered(altered):
        some = [item for item in items if item.triples[0] in became]
        cases += _of_graph(data, graph, some, embedder, weights, removed=condition == "removed")
    return cases


def _of_graph(
    data: Data, graph: Graph, items: Sequence[Item], embedder: Embedder, weights: NDArray[np.float32], *, removed: bool
) -> list[_Case]:
    retriever = Retriever(graph, embedder=embedder)
    facts, profile = prepare([item.text for item in items], retriever, graph)
    needed = list(dict.fromkeys(text for fact in facts for text in texts_to_embed(fact)))
    vector = dict(zip(needed, embedder.embed(needed), strict=True))
    cases: list[_Case] = []
    for item, fact in zip(items, facts, strict=True):
        readings = read(fact, profile, vector, weights)
        stated = data.statement[item.triples[0]]
        subject = profile.subgraph.index(stated.subject.id)
        gold = np.array(
            [
                node == subject and profile.subgraph.relations[relation].id == stated.relation.id
                for node, relation in zip(readings.subject.tolist(), readings.relation.tolist(), strict=True)
            ],
            dtype=bool,
        )
        if len(readings) and (gold.any() or removed):
            cases.append(_Case(readings, gold, premises(readings, profile)))
    return cases


def _best(case: _Case, weights: Floats) -> _Case:
    rows = np.argsort(-(case.readings.features @ weights), kind="stable")[: JudgeSettings().scored]
    return _Case(case.readings.take(rows), case.gold[rows], [case.pairs[row] for row in rows])


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
