"""The edges of a graph as numbers, and how likely each is: the scorer s of papers/okgqa A.7 (Li et al. 2016).

The model is bilinear: s(e1, r, e2) = sigmoid(u1 M_r u2 + b_r) with u = tanh(v W + b), trained to tell the graph's edges
from corrupted ones, which weigh as much together as the edges do. Where Li et al. embed the words of a node, v is what
the graph says of it: how often it is subject and object of each relation, log(1 + n), reduced to 64 singular directions
where there are more. No edge is evidence of itself: both ends of an edge of the graph are described by what is left of
them without it, and in training any other end by what is left without some edge of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_array

from toulmin.errors import InputError
from toulmin.graph.csr import row_starts
from toulmin.graph.tables import Tables
from toulmin.graph.types import DESCRIPTION

__all__ = ["Rows", "TripleScorer", "Triples", "edges", "groups"]

Rows = NDArray[np.int64]
Floats = NDArray[np.float32]

_WIDTH = 24  # of u
_DIRECTIONS = 64  # the most numbers of v
_STEPS, _BATCH, _RATE = 40, 4096, 0.01  # of Adam
_DECAY, _SQUARE_DECAY, _EPSILON = 0.9, 0.99, 1e-8  # of Adam's means; added to the root of the second
_HELD_OUT = 0.05  # share of the edges that the AUC is measured on
_TRIES = 20  # at an edge that the graph lacks
_SCORES = 8_000_000  # held at a time
_COPIES = 4  # of an edge among examples: itself, and with another subject, relation and object


def edges(tables: Tables) -> Rows:
    """The statements that count as edges, ascending: all but descriptions, which are texts about one node."""
    text = [number for number, relation in enumerate(tables.relations) if relation.id == DESCRIPTION]
    return np.flatnonzero(~np.isin(tables.relation, text))


def groups(*columns: NDArray[np.integer]) -> Rows:
    """A number for each row of parallel columns, int64[n]: equal rows have the same one."""
    order = np.lexsort(columns)
    new = np.zeros(len(order), dtype=np.bool_)
    for column in columns:
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(new)
    return numbers


@dataclass(frozen=True, slots=True)
class Triples:
    """Edges by numbers; nodes are entities and literals.

    Attributes:
        subject, relation, object: parallel, int64[m].
        n_nodes, n_relations: the numbers are below them.
    """

    subject: Rows
    relation: Rows
    object: Rows
    n_nodes: int
    n_relations: int

    @classmethod
    def of(cls, tables: Tables) -> Self:
        """The edges of a graph."""
        rows = edges(tables)
        subject, relation, obj = (c[rows].astype(np.int64) for c in (tables.subject, tables.relation, tables.object))
        return cls(subject, relation, obj, tables.n_nodes, len(tables.relations))

    @classmethod
    def numbered_as(cls, tables: Tables, others: Tables) -> Self:
        """The edges of a graph by the numbers of another one; what that one lacks is numbered from its counts on."""
        triples = cls.of(tables)
        nodes = others.find_many(tables.keys.many(np.arange(tables.n_nodes)))
        new = np.flatnonzero(nodes < 0)
        nodes[new] = others.n_nodes + np.arange(len(new))
        known = {relation.id: number for number, relation in enumerate(others.relations)}
        number = np.array([known.setdefault(relation.id, len(known)) for relation in tables.relations], dtype=np.int64)
        columns = nodes[triples.subject], number[triples.relation], nodes[triples.object]
        return cls(*columns, others.n_nodes + len(new), len(known))

    def __len__(self) -> int:
        return len(self.subject)

    def ends(self) -> tuple[Rows, Rows]:
        """All subjects, then all objects, each a node and a slot: a relation's number as subject, or as object."""
        node = np.concatenate([self.subject, self.object])
        return node, np.concatenate([self.relation, self.relation + self.n_relations])

    def take(self, rows: Rows) -> Triples:
        """Some of the edges."""
        return Triples(self.subject[rows], self.relation[rows], self.object[rows], self.n_nodes, self.n_relations)


class TripleScorer:
    """A scorer of one graph, trained when it is made.

    Attributes:
        auc: how often an edge held out of training scores higher than a corrupted one (of another subject, relation or
            object, in equal shares); 0.5 is chance; None where the graph has too few edges to hold some out.

    Raises:
        InputError: the graph has no edges.
    """

    def __init__(self, triples: Triples, *, seed: int = 0) -> None:
        if not len(triples):
            raise InputError("the graph has no statements, so that none can be scored")
        rng = np.random.default_rng(seed)
        self._known = _Known(triples)
        held_out, trained_on = np.split(rng.permutation(len(triples)), [round(_HELD_OUT * len(triples))])
        training = triples.take(trained_on)
        self._profile = _Profile(training, _basis(training, rng))
        self._weights = _trained(training, self._profile, self._known, rng)
        self.auc = self._auc(triples.take(held_out), rng) if len(held_out) else None
        self._profile = _Profile(triples, self._profile.basis)

    def score(self, triples: Triples) -> NDArray[np.float64]:
        """The score of each edge, from 0 to 1.

        Args:
            triples: by the numbers of the scorer's graph, or beyond: a node that it lacks is scored as one without
                edges, an edge of a relation that it lacks as 0.
        """
        scores = np.zeros(len(triples))
        places = np.flatnonzero(triples.relation < self._known.n_relations)
        known = triples.take(places)
        lost = self._known.holds(known)
        subjects = self._vectors(self._profile.ends(known.subject, known.relation, lost))
        objects = self._vectors(self._profile.ends(known.object, known.relation + self._known.n_relations, lost))
        scores[places] = _sigmoid(self._all_logits(subjects, known.relation, objects))
        return scores

    def least_likely(self, subject: Rows, obj: Rows, k: int) -> Rows:
        """The ``k`` relations (fewer where there are fewer) of lowest score between two nodes, lowest first."""
        relations = self._known.relations
        k = min(k, len(relations))
        least = np.empty((len(subject), k), dtype=np.int64)
        vectors = self._vectors(self._profile.nodes)
        rows = max(_SCORES // len(relations), 1)
        for start in range(0, len(subject), rows):
            at = slice(start, start + rows)
            subjects, objects = vectors[subject[at]], vectors[obj[at]]
            scores = np.stack([self._logits(subjects, number, objects) for number in relations.tolist()], axis=1)
            least[at] = relations[np.argsort(scores, axis=1, kind="stable")[:, :k]]
        return least

    def _vectors(self, profiles: Floats) -> Floats:
        return np.asarray(np.tanh(profiles @ self._weights.inner + self._weights.shift))

    def _logits(self, subjects: Floats, relation: int, objects: Floats) -> Floats:
        weights = self._weights
        return np.asarray(
            np.einsum("ij,ij->i", subjects @ weights.bilinear[relation], objects) + weights.bias[relation]
        )

    def _all_logits(self, subjects: Floats, relation: Rows, objects: Floats) -> Floats:
        logits = np.empty(len(subjects), dtype=np.float32)
        for number, at in _by_relation(relation):
            logits[at] = self._logits(subjects[at], number, objects[at])
        return logits

    def _auc(self, held_out: Triples, rng: np.random.Generator) -> float | None:
        """The AUC on held-out edges; they are corrupted with each other's ends, which all lost an edge in training."""
        drawn = _examples(held_out, np.arange(len(held_out)), _NodeSlots(held_out), self._known, rng)
        subjects, objects = (self._vectors(self._profile.nodes[node]) for node in (drawn.subject, drawn.object))
        ranks, true = scipy.stats.rankdata(self._all_logits(subjects, drawn.relation, objects)), int(drawn.true.sum())
        if true == len(ranks):  # no edge could be corrupted
            return None
        above = ranks[drawn.true].sum() - true * (true + 1) / 2
        return float(above / (true * (len(ranks) - true)))


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -60.0, 60.0))), dtype=np.float32)


def _by_relation(relation: Rows) -> Iterator[tuple[int, Rows]]:
    """Each relation number with the places it stands at."""
    order = np.argsort(relation, kind="stable")
    numbers, starts = np.unique(relation[order], return_index=True)
    yield from zip(numbers.tolist(), np.split(order, starts[1:]), strict=True)


class _Known:
    """Which edges a graph has.

    Attributes:
        relations: the numbers of those that it uses, ascending.
    """

    def __init__(self, triples: Triples) -> None:
        self._n_nodes, self.n_relations = triples.n_nodes, triples.n_relations
        self.relations = np.unique(triples.relation)
        self._keys = np.unique(self._key(triples.subject, triples.relation, triples.object))

    def _key(self, subject: Rows, relation: Rows, obj: Rows) -> Rows:
        return (subject * self._n_nodes + obj) * self.n_relations + relation

    def has(self, subject: Rows, relation: Rows, obj: Rows) -> NDArray[np.bool_]:
        """Whether each edge is one of the graph."""
        keys = self._key(subject, relation, obj)
        return np.asarray(self._keys[np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)] == keys)

    def holds(self, triples: Triples) -> NDArray[np.bool_]:
        """Whether each edge is one of the graph; its numbers may be beyond those of the graph."""
        inside = (triples.subject < self._n_nodes) & (triples.object < self._n_nodes)
        return inside & self.has(triples.subject, triples.relation, triples.object)


class _NodeSlots:
    """The ends of edges, by node."""

    def __init__(self, triples: Triples) -> None:
        node, slot = triples.ends()
        order = np.argsort(node, kind="stable")
        self._node, self._slot = node[order], slot[order]
        self._starts = row_starts(self._node.astype(np.int32), triples.n_nodes)
        self._used = np.flatnonzero(np.diff(self._starts))

    def drawn(self, n: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
        """Nodes, each as likely as the others, each with one of its slots."""
        node = rng.choice(self._used, n)
        start, count = self._starts[node], self._starts[node + 1] - self._starts[node]
        return node, self._slot[start + (rng.random(n) * count).astype(np.int64)]


class _Examples(NamedTuple):
    """Edges and corrupted ones, with the slot that each end is described without."""

    subject: Rows
    subject_slot: Rows
    relation: Rows
    object: Rows
    object_slot: Rows
    true: NDArray[np.bool_]


def _examples(triples: Triples, rows: Rows, ends: _NodeSlots, known: _Known, rng: np.random.Generator) -> _Examples:
    """Edges, and for each one three that the graph lacks: of another subject, relation and object.

    Where none is found after some tries, it is left out.
    """
    n = len(rows)
    subject, relation, obj = (
        np.tile(column[rows], _COPIES) for column in (triples.subject, triples.relation, triples.object)
    )
    subject_slot, object_slot = relation.copy(), relation + triples.n_relations
    wrong = np.arange(n, _COPIES * n)
    for _ in range(_TRIES):
        part = wrong // n
        for number, node, slot in ((1, subject, subject_slot), (3, obj, object_slot)):
            at = wrong[part == number]
            node[at], slot[at] = ends.drawn(len(at), rng)
        at = wrong[part == 2]
        relation[at] = rng.choice(known.relations, len(at))
        wrong = wrong[known.has(subject[wrong], relation[wrong], obj[wrong])]
    lacking = np.ones(_COPIES * n, dtype=np.bool_)
    lacking[wrong] = False
    true = np.arange(_COPIES * n) < n
    return _Examples(
        subject[lacking], subject_slot[lacking], relation[lacking], obj[lacking], object_slot[lacking], true[lacking]
    )


def _basis(triples: Triples, rng: np.random.Generator) -> Floats:
    """The directions that profiles are reduced to, float32[2 * n_relations, k]."""
    slots = 2 * triples.n_relations
    if slots <= _DIRECTIONS:
        return np.eye(slots, dtype=np.float32)
    counts = _counts(triples)
    counts.data = np.log1p(counts.data)
    smaller = min(counts.shape)
    right = scipy.sparse.linalg.svds(counts, k=min(_DIRECTIONS, smaller - 1), v0=rng.standard_normal(smaller))[2]
    return np.ascontiguousarray(right.T, dtype=np.float32)


def _counts(triples: Triples) -> csr_array:
    node, slot = triples.ends()
    ones = np.ones(len(node), dtype=np.float32)
    return csr_array((ones, (node, slot)), shape=(triples.n_nodes, 2 * triples.n_relations))


class _Profile:
    """v of each node of a graph.

    Attributes:
        nodes: float32[n_nodes + 1, k]; the last is of a node without edges.
        basis: float32[2 * n_relations, k].
    """

    def __init__(self, triples: Triples, basis: Floats) -> None:
        self.basis, self._counts, n = basis, _counts(triples), triples.n_nodes
        logs = self._counts.copy()
        logs.data = np.log1p(logs.data)
        self.nodes: Floats = np.zeros((n + 1, basis.shape[1]), dtype=np.float32)
        self.nodes[:n] = logs @ basis

    def ends(self, node: Rows, slot: Rows, lost: NDArray[np.bool_] | None = None) -> Floats:
        """v of nodes, without one edge at a slot where that is ``lost`` (None: everywhere)."""
        vectors = self.nodes[np.minimum(node, len(self.nodes) - 1)]
        places = np.arange(len(node)) if lost is None else np.flatnonzero(lost)
        if not len(places):  # of no place the counts are no array
            return vectors
        counts = np.asarray(self._counts[node[places], slot[places]]).ravel()
        vectors[places] += (np.log(counts) - np.log1p(counts))[:, None] * self.basis[slot[places]]
        return vectors


class _Weights(NamedTuple):
    """W, b, M and the bias of each relation; or their gradients."""

    inner: Floats
    shift: Floats
    bilinear: Floats
    bias: Floats


def _trained(triples: Triples, profile: _Profile, known: _Known, rng: np.random.Generator) -> _Weights:
    """Weights by Adam on the cross-entropy of edges and corrupted ones."""
    k, n, ends = profile.basis.shape[1], triples.n_relations, _NodeSlots(triples)

    def drawn(*shape: int, spread: float) -> Floats:
        return (spread * rng.standard_normal(shape)).astype(np.float32)

    weights = _Weights(
        drawn(k, _WIDTH, spread=k**-0.5),
        np.zeros(_WIDTH, dtype=np.float32),
        drawn(n, _WIDTH, _WIDTH, spread=0.1),
        np.zeros(n, dtype=np.float32),
    )
    means, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    for step in range(1, _STEPS + 1):
        rows = rng.integers(0, len(triples), min(_BATCH, len(triples)))
        gradient = _gradient(weights, profile, _examples(triples, rows, ends, known, rng))
        for part, change, mean, square in zip(weights, gradient, means, squares, strict=True):
            mean += (1 - _DECAY) * (change - mean)
            square += (1 - _SQUARE_DECAY) * (change * change - square)
            part -= _RATE * (mean / (1 - _DECAY**step)) / (np.sqrt(square / (1 - _SQUARE_DECAY**step)) + _EPSILON)
    return weights


def _gradient(weights: _Weights, profile: _Profile, examples: _Examples) -> _Weights:
    first = profile.ends(examples.subject, examples.subject_slot)
    second = profile.ends(examples.object, examples.object_slot)
    subjects, objects = np.tanh(first @ weights.inner + weights.shift), np.tanh(second @ weights.inner + weights.shift)
    of_subjects, of_objects = np.empty_like(subjects), np.empty_like(objects)
    bilinear, bias = np.zeros_like(weights.bilinear), np.zeros_like(weights.bias)
    weight = np.where(examples.true, 0.5 / max(examples.true.sum(), 1), 0.5 / max((~examples.true).sum(), 1))
    for number, at in _by_relation(examples.relation):
        u, w, matrix = subjects[at], objects[at], weights.bilinear[number]
        logit = np.einsum("ij,ij->i", u @ matrix, w) + weights.bias[number]
        slope = ((_sigmoid(logit) - examples.true[at]) * weight[at]).astype(np.float32)[:, None]
        bilinear[number], bias[number] = u.T @ (slope * w), slope.sum()
        of_subjects[at], of_objects[at] = slope * (w @ matrix.T), slope * (u @ matrix)
    of_subjects *= 1 - subjects * subjects
    of_objects *= 1 - objects * objects
    return _Weights(
        first.T @ of_subjects + second.T @ of_objects, of_subjects.sum(axis=0) + of_objects.sum(axis=0), bilinear, bias
    )
