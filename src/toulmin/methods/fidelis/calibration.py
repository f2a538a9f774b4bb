"""From the score of a relation path to a probability, fitted on questions that are generated from the graph itself.

Half of them ask for something the graph says, in the words of its labels or in synonyms of them; the other half ask
the same way for a relation that the entity does not have. No benchmark plays a part.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError
from toulmin.graph.protocol import Graph
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.reading import read
from toulmin.methods.fidelis.search import search
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.schema import BACKGROUND_RELATIONS, GraphSchema

__all__ = ["BUNDLED", "Calibration", "Generated", "calibrate", "calibration_of", "generate"]

_FILE = "fidelis.json"
_FORMAT = 1  # raised with every change of how paths are scored by default
_DECILES = tuple(tenth / 10 for tenth in range(11))
_UNLIKE = 0.5  # a relation that the entity lacks must be less like any it has than this (cosine)
_FORMS = (
    "what is the {asked} of {name}?",
    "{name}'s {asked}?",
    "tell me the {asked} of {name}",
    "which {asked} has {name}?",
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the score of a relation path is worth.

    Args:
        slope, offset: of the logistic function from score to probability.
        unanswerable: ascending deciles (0 %, 10 %, … 100 %) of the best scores of questions that it cannot answer.
    """

    slope: float
    offset: float
    unanswerable: tuple[float, ...]

    def confidence(self, score: float) -> float:
        """The probability that a path of this score is what was asked for."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.slope * score + self.offset))))

    def least(self, refused: float) -> float:
        """The score below which this share of the questions that the graph cannot answer lie."""
        return float(np.interp(refused, np.linspace(0, 1, len(self.unanswerable)), self.unanswerable))

    def save(self, folder: Path) -> None:
        """Write it into a graph's directory."""
        (folder / _FILE).write_text(json.dumps({"format": _FORMAT, **asdict(self)}), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> Calibration | None:
        """Read what ``save`` wrote; None where there is none.

        Raises:
            GraphError: it is damaged.
        """
        path = folder / _FILE
        if not path.is_file():
            return None
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            if said["format"] != _FORMAT:
                raise GraphError(f"{path}: a calibration of another version of fidelis: build the graph again")
            deciles = tuple(float(said["unanswerable"][tenth]) for tenth in range(len(_DECILES)))
            return cls(float(said["slope"]), float(said["offset"]), deciles)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise GraphError(f"{path}: the calibration cannot be read ({error!r}): build the graph again") from None


#: Of the bundled graph; taken for graphs that were built without one of their own.
BUNDLED = Calibration(
    slope=3.83,
    offset=-3.28,
    unanswerable=(-0.556, -0.396, -0.216, -0.147, -0.11, -0.038, 0.024, 0.088, 0.269, 0.785, 2.223),
)


def calibration_of(graph: Graph) -> Calibration:
    """The calibration stored with a graph, or that of the bundled graph.

    Raises:
        GraphError: the stored one is damaged.
    """
    return (Calibration.open(graph.path) if isinstance(graph, EmbeddedGraph) else None) or BUNDLED


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated question.

    Args:
        start, end: of the entity's name in it.
        node: the entity's number.
        relation: what it asks for; None where the entity has no such relation.
    """

    question: str
    start: int
    end: int
    node: int
    relation: int | None


def generate(
    subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon, count: int, *, seed: int = 0
) -> Iterator[Generated]:
    """Questions about random entities, in turn about a relation that they have and one that they have not."""
    random = np.random.default_rng(seed)
    degrees = np.diff(subgraph.outgoing.indptr)[: subgraph.n_entities]
    nodes = np.flatnonzero((degrees > 0) & ~subgraph.machine[: subgraph.n_entities])
    described = {number for number, relation in enumerate(subgraph.relations) if relation.id == DESCRIPTION}
    made = 0
    for _ in range(20 * count if len(nodes) else 0):
        if made == count:
            return
        node = int(random.choice(nodes))
        edges = slice(subgraph.outgoing.indptr[node], subgraph.outgoing.indptr[node + 1])
        ends = subgraph.outgoing.neighbour[edges]
        had = [r for r in np.unique(subgraph.outgoing.relation[edges]).tolist() if r not in described]
        named = [r for r in np.unique(subgraph.outgoing.relation[edges][~subgraph.machine[ends]]).tolist() if r in had]
        if not named:
            continue
        relation: int | None = None
        if made % 2 == 0:
            relation = int(random.choice(named))
            text = schema.texts[relation]
        else:
            other = _unlike(schema, had, random)
            if other is None:
                continue
            text = other
        name = subgraph.labels([node])[0]
        form = str(random.choice(_FORMS)).format(asked=_rephrased(text, lexicon, random), name="\0")
        at = form.index("\0")
        made += 1
        yield Generated(form.replace("\0", name), at, at + len(name), node, relation)


def _unlike(schema: GraphSchema, had: list[int], random: np.random.Generator) -> str | None:
    """The words of a relation, of this graph or an everyday one, that is unlike all those an entity has."""
    own = schema.relations[0][had]
    others: list[str] = [*schema.texts, *BACKGROUND_RELATIONS]
    for at in random.permutation(len(others))[:20].tolist():
        vector = schema.embedder.embed([others[at]])[0]
        if float((own @ vector).max()) < _UNLIKE:
            text: str = others[at]
            return text
    return None


def _rephrased(text: str, lexicon: Lexicon, random: np.random.Generator) -> str:
    """The words of a relation, half of those that have synonyms replaced by one."""
    said: list[str] = []
    for word in text.split():
        synonyms = [other for other in lexicon.synonyms(word) if other.isalpha()]
        said.append(str(random.choice(synonyms)) if synonyms and random.random() < 0.5 else word)
    return " ".join(said)


def calibrate(
    subgraph: Subgraph,
    schema: GraphSchema,
    lexicon: Lexicon,
    settings: FidelisSettings,
    *,
    count: int = 120,
    seed: int = 0,
) -> Calibration | None:
    """Fit the calibration of a graph; None where too few questions can be generated.

    Args:
        count: questions.
    """
    scores: list[float] = []
    right: list[bool] = []
    unanswerable: list[float] = []
    for made in generate(subgraph, schema, lexicon, count, seed=seed):
        reading = read(made.question, made.start, made.end, lexicon)
        paths = search(subgraph, schema, lexicon, reading, made.node, settings)
        if paths:
            scores.append(paths[0].score)
            right.append(made.relation is not None and paths[0].relations == ((made.relation, False),))
            if made.relation is None:
                unanswerable.append(paths[0].score)
    if min(sum(right), len(unanswerable)) < 10:
        return None
    slope, offset = _fit(np.array(scores), np.array(right, dtype=np.float64))
    return Calibration(slope, offset, tuple(np.quantile(unanswerable, _DECILES).tolist()))


def _fit(scores: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[float, float]:
    """Logistic regression with a weak ridge, both outcomes weighing the same (Newton's method)."""
    weights = np.where(right > 0, 0.5 / right.mean(), 0.5 / (1 - right.mean()))
    inputs = np.stack([scores, np.ones_like(scores)], axis=1)
    beta = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ beta, -30, 30)))
        gradient = inputs.T @ (weights * (right - chance)) - 0.1 * beta
        hessian = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs + 0.1 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        beta = beta + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(beta[0]), float(beta[1])
