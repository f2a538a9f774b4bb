"""From what a search yields to the probability that its answer is right.

The method itself is asked questions that are generated from the graph (``generation``); a logistic regression then
learns how often it is right, from three signals of the search. It is fitted to no benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Node
from toulmin.methods.fidelis.generation import Generator
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import GraphSchema

__all__ = [
    "BUNDLED",
    "ROUGH",
    "Calibration",
    "Observation",
    "Observe",
    "Quality",
    "Signals",
    "calibrate",
    "calibration_of",
    "key_of",
]

_FILE = "fidelis.json"
_FORMAT = 2  # raised with every change of what is stored
_QUESTIONS, _FEW = 160, 12  # when a graph is built, and where one without a calibration is asked
_WIDE = 500  # relations from which on even a few questions take too long
_FOLDS, _BINS = 5, 5
_DECILES = tuple(tenth / 10 for tenth in range(11))
_STIFF = (2.0, 2.0, 2.0, 0.5)  # how little weights and offset leave what they are drawn towards (a ridge of each)
_KEPT = 16  # calibrations of graphs without a file that are remembered


@dataclass(frozen=True, slots=True)
class Signals:
    """What a search says of its best path.

    Args:
        score: of the path.
        margin: how much better it is than the best one that leads to something else, 0 to 1.
        whole: the cosine of the path's words and the question.
    """

    score: float
    margin: float
    whole: float


#: Of a question: the signals, and what was found (ids of entities, literals); None where nothing was.
Observation = tuple[Signals, frozenset[Hashable]] | None
Observe = Callable[[str, Retriever, Subgraph, GraphSchema], Observation]


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the confidence is on generated questions, each held out of the fit that judges it.

    Args:
        questions: how many.
        brier: mean squared error.
        auc: how often a right answer is surer than another.
        ece: mean difference of confidence and share of right answers (five bins of one size).
    """

    questions: int
    brier: float
    auc: float
    ece: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the signals are worth.

    Args:
        weights: of score, margin and whole in the logistic function.
        offset: of the same.
        unanswerable: ascending deciles (0 %, 10 %, … 100 %) of the confidence in answers to questions that the graph
            cannot answer.
        quality: None where it was not measured.
    """

    weights: tuple[float, float, float]
    offset: float
    unanswerable: tuple[float, ...]
    quality: Quality | None = None

    def confidence(self, signals: Signals) -> float:
        """The probability that the answer is right."""
        return float(_chance(_inputs([signals]), np.array([*self.weights, self.offset]))[0])

    def least(self, refused: float) -> float:
        """The confidence below which this share of the questions that the graph cannot answer lie."""
        return float(np.interp(refused, _DECILES, self.unanswerable)) if refused > 0 else 0.0

    def save(self, folder: Path, retriever: Retriever, settings: FidelisSettings) -> None:
        """Write it into a graph's directory, with what it was made with."""
        said = {"format": _FORMAT, **_made_with(retriever, settings), **asdict(self)}
        (folder / _FILE).write_text(json.dumps(said), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path, retriever: Retriever, settings: FidelisSettings) -> Calibration | None:
        """Read what ``save`` wrote; None where there is none, or one of another version, embedder or other settings.

        Raises:
            GraphError: it is damaged, or belongs to another graph.
        """
        path = folder / _FILE
        if not path.is_file():
            return None
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            if said["format"] != _FORMAT:
                return None
            made_with = _made_with(retriever, settings)
            fingerprint = str(said["fingerprint"])
            if fingerprint == made_with["fingerprint"] and any(said[key] != made_with[key] for key in made_with):
                return None
            first, second, third = (float(weight) for weight in said["weights"])
            deciles = tuple(float(said["unanswerable"][tenth]) for tenth in range(len(_DECILES)))
            quality = Quality(**said["quality"]) if said["quality"] is not None else None
            found = cls((first, second, third), float(said["offset"]), deciles, quality)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise GraphError(f"{path}: the calibration cannot be read ({error!r}): build the graph again") from None
        if fingerprint != made_with["fingerprint"]:
            raise GraphError(
                f"{path}: the calibration is of another graph ({fingerprint}, not {made_with['fingerprint']}): "
                "build the graph again, or delete the file"
            )
        return found


#: What the first calibration is drawn towards.
ROUGH = Calibration(weights=(1.0, 1.5, 2.5), offset=-3.0, unanswerable=_DECILES[:0])

#: Of the bundled graph (printed by ``scripts/calibrate_bundled.py``); endpoints take it, which cannot be asked cheaply,
#: and the fit of a few questions is drawn towards it.
BUNDLED = Calibration(
    weights=(0.57, 1.594, 2.548),
    offset=-3.11,
    unanswerable=(0.043, 0.057, 0.071, 0.083, 0.099, 0.138, 0.178, 0.267, 0.36, 0.675, 0.862),
)


def calibration_of(retriever: Retriever, settings: FidelisSettings, observe: Observe) -> Calibration:
    """The calibration stored with a graph; else one made now of a few questions; else ``BUNDLED``.

    ``BUNDLED`` is for graphs that are not at hand as a whole (endpoints) or have too many relations.

    Raises:
        GraphError: the stored one is damaged, or of another graph.
    """
    graph = retriever.graph
    stored = Calibration.open(graph.path, retriever, settings) if isinstance(graph, EmbeddedGraph) else None
    if stored is not None:
        return stored
    whole = graph.subgraph([], 0)  # of an endpoint nothing, without a seed
    if not whole.n_statements or len(whole.relations) > _WIDE:
        return BUNDLED
    key = "\x1f".join(_made_with(retriever, settings).values())
    if key not in _made:
        while len(_made) >= _KEPT:
            del _made[next(iter(_made))]
        _made[key] = calibrate(retriever, settings, observe, count=_FEW)
    return _made[key]


_made: dict[str, Calibration] = {}


def calibrate(
    retriever: Retriever,
    settings: FidelisSettings,
    observe: Observe,
    *,
    count: int | None = None,
    seed: int = 0,
) -> Calibration:
    """Ask a local graph questions that are generated from it, and fit the confidence.

    Args:
        observe: asks one.
        count: questions; None: 160, or twice as many as the graph has statements. A fit of fewer than 160 is drawn
            towards ``BUNDLED`` and has no ``quality``.
    """
    subgraph, schema = retriever.around([], 0)
    count = max(_FEW, min(_QUESTIONS, 2 * subgraph.n_statements)) if count is None else count
    towards = ROUGH if count >= _QUESTIONS else BUNDLED
    signals: list[Signals] = []
    right: list[bool] = []
    answerable: list[bool] = []
    for made in Generator(retriever.graph, subgraph, schema, retriever.lexicon, seed=seed).generate(count):
        observed = observe(made.question, retriever, subgraph, schema)
        if observed is not None:
            signals.append(observed[0])
            answerable.append(bool(made.answers))
            gold = frozenset(map(key_of, subgraph.nodes(sorted(made.answers))))
            right.append(bool(gold) and observed[1] == gold)
    if not signals:
        return towards
    inputs, outcome = _inputs(signals), np.array(right, dtype=np.float64)
    beta = _fit(inputs, outcome, towards)
    unanswerable = np.append(_chance(inputs, beta)[~np.array(answerable)], towards.unanswerable)
    return Calibration(
        weights=(float(beta[0]), float(beta[1]), float(beta[2])),
        offset=float(beta[3]),
        unanswerable=tuple(np.quantile(unanswerable, _DECILES).tolist()),
        quality=_quality(_held_out(inputs, outcome, towards, seed), outcome) if count >= _QUESTIONS else None,
    )


def key_of(node: Node) -> Hashable:
    """What tells a found node from others: an entity's id, a literal itself."""
    return getattr(node, "id", node)


def _made_with(retriever: Retriever, settings: FidelisSettings) -> dict[str, str]:
    """What a calibration depends on beside the code: the settings (but for how much is refused), embedder and graph."""
    said = json.dumps(asdict(replace(settings, refused=0.0)), sort_keys=True)
    digest = blake2b(said.encode(), digest_size=8).hexdigest()
    return {"settings": digest, "embedder": retriever.embedder.name, "fingerprint": retriever.graph.fingerprint}


def _inputs(signals: list[Signals]) -> NDArray[np.float64]:
    return np.array([[one.score, one.margin, one.whole, 1.0] for one in signals], dtype=np.float64)


def _chance(inputs: NDArray[np.float64], beta: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(inputs @ beta, -60, 60))))


def _fit(inputs: NDArray[np.float64], outcome: NDArray[np.float64], towards: Calibration) -> NDArray[np.float64]:
    """Logistic regression with a ridge; no signal may count against an answer."""
    from scipy.optimize import minimize

    prior, stiff = np.array([*towards.weights, towards.offset]), np.array(_STIFF)

    def loss(beta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits, apart = inputs @ beta, beta - prior
        value = np.logaddexp(0, logits).sum() - outcome @ logits + 0.5 * float(stiff @ apart**2)
        return float(value), inputs.T @ (_chance(inputs, beta) - outcome) + stiff * apart

    bounds = [(0, None)] * 3 + [(None, None)]
    return np.asarray(minimize(loss, prior, jac=True, bounds=bounds, method="L-BFGS-B").x)


def _held_out(
    inputs: NDArray[np.float64], outcome: NDArray[np.float64], towards: Calibration, seed: int
) -> NDArray[np.float64]:
    """For each question the confidence by a fit on the others' folds."""
    held = np.zeros(len(outcome))
    fold = np.random.default_rng(seed).permutation(len(outcome)) % _FOLDS
    for out in range(_FOLDS):
        held[fold == out] = _chance(inputs[fold == out], _fit(inputs[fold != out], outcome[fold != out], towards))
    return held


def _quality(held: NDArray[np.float64], outcome: NDArray[np.float64]) -> Quality:
    surer = held[outcome > 0][:, None] - held[outcome == 0][None, :]
    auc = float((surer > 0).mean() + (surer == 0).mean() / 2) if surer.size else 0.5
    bins = np.array_split(np.argsort(held, kind="stable"), _BINS)
    ece = sum(len(some) * abs(float(held[some].mean() - outcome[some].mean())) for some in bins if len(some))
    return Quality(
        questions=len(outcome),
        brier=round(float(((held - outcome) ** 2).mean()), 4),
        auc=round(auc, 4),
        ece=round(ece / len(outcome), 4),
    )
