"""Beam search over relation paths from one linked entity (papers/fidelis section 2.2, with embeddings as the model)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from toulmin.english.lexicon import Lexicon
from toulmin.graph.csr import Ints, gather
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.alignment import Aligner, Slots
from toulmin.methods.fidelis.answer_kinds import SAMPLE
from toulmin.methods.fidelis.outward_words import OutwardWords
from toulmin.methods.fidelis.relation_scores import Floats, RelationScores
from toulmin.methods.fidelis.settings import WEIGHTS, FidelisSettings
from toulmin.retrieval.schema import GraphSchema, spoken_relation

__all__ = ["AlignedPath", "search", "spread"]

_LOOKED_AHEAD = 4  # times the beam's width: for how many paths the look-ahead is computed
_THROUGH = 4096  # machine-id nodes walked through at one depth
_VERBALISED = 24  # of the best paths, how many are compared with the whole question

_Number = TypeVar("_Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class AlignedPath:
    """A candidate.

    Args:
        hops: from the start, each as the slots it passes.
        score: how well the words of the question go with it.
        whole: the cosine of its words as a whole and the whole question.
    """

    hops: tuple[Slots, ...]
    score: float
    whole: float

    @property
    def slots(self) -> tuple[int, ...]:
        """The slot of each edge, in order."""
        return tuple(slot for hop in self.hops for slot in hop)


@dataclass(frozen=True, slots=True)
class _Beam:
    """The paths of one depth: their hops, a sample of the nodes each ends in, and their partial scores."""

    hops: list[tuple[Slots, ...]]
    ends: list[Ints]
    partial: Floats


def search(
    subgraph: Subgraph,
    schema: GraphSchema,
    lexicon: Lexicon,
    words: OutwardWords,
    start: int,
    settings: FidelisSettings,
) -> list[AlignedPath]:
    """The relation paths from a start node, best first, each leading to at least one node that can be an answer.

    Args:
        start: node number of the linked entity.
    """
    walker = _Walker(subgraph, settings.frontier)
    in_reach, around = walker.reach(start, settings.depth)
    if not len(in_reach):
        return []
    relations = RelationScores(words, schema, lexicon, in_reach)
    aligner = Aligner(relations, around)
    beam = _Beam([()], [np.array([start], dtype=np.int32)], aligner.root)
    paths: list[tuple[Slots, ...]] = []
    scores: list[Floats] = []
    for _ in range(settings.depth):
        parents, hops, ends = walker.expand(beam)
        if not hops:
            break
        previous = [beam.hops[parent][-1] if beam.hops[parent] else None for parent in parents]
        layer = aligner.extend(beam.partial, np.array(parents, dtype=np.int64), hops, previous)
        grown = [(*beam.hops[parent], hop) for parent, hop in zip(parents, hops, strict=True)]
        paths.extend(grown)
        asked = _per_end(hops, ends, relations, subgraph)
        final = layer.final + np.array([asked[hop[-1]] for hop in hops], dtype=np.float32)
        scores.append(final)
        beam_places = _keep(layer.partial, ends, relations, walker, settings)
        beam = _Beam([grown[at] for at in beam_places], [ends[at] for at in beam_places], layer.partial[beam_places])
    if not paths:
        return []  # everything ends in nodes that have only a machine id
    total = np.concatenate(scores)
    if words.returns:
        straight = np.array([not _turns_back(path) for path in paths])
        total = (total - WEIGHTS.no_return * straight).astype(np.float32)
    return _ranked(paths, total, subgraph, schema, relations)


def _per_end(
    hops: Sequence[Slots], ends: Sequence[Ints], relations: RelationScores, subgraph: Subgraph
) -> dict[int, float]:
    """By slot how well it, and the nodes that a path of this search reaches in it, give what the question asks for."""
    reached = {hop[-1]: nodes for hop, nodes in zip(hops, ends, strict=True)}
    slots = sorted(reached)
    asked = dict(zip(slots, relations.answer_score(np.array(slots, dtype=np.int64)).tolist(), strict=True))
    if relations.kind is not None:
        for slot, nodes in reached.items():
            asked[slot] += relations.value_score(subgraph.nodes(spread(nodes, SAMPLE)))
    return asked


def _turns_back(path: Sequence[Slots]) -> bool:
    return any(hop[-1] == following[0] ^ 1 for hop, following in pairwise(path))


def _keep(
    partial: Floats, ends: list[Ints], relations: RelationScores, walker: _Walker, settings: FidelisSettings
) -> NDArray[np.int64]:
    """The beam: the best scores so far plus α times the best that one further relation promises (as in eq. 3)."""
    promise = partial.max(axis=(1, 2))
    if len(promise) <= settings.beam_width:
        return np.arange(len(promise))
    likely = np.argsort(-promise, kind="stable")[: _LOOKED_AHEAD * settings.beam_width]
    ahead = walker.ahead([ends[at] for at in likely], relations.best_gain())
    order = likely[np.argsort(-(promise[likely] + WEIGHTS.alpha * ahead), kind="stable")]
    return np.sort(order[: settings.beam_width])


def _ranked(
    paths: list[tuple[Slots, ...]],
    total: Floats,
    subgraph: Subgraph,
    schema: GraphSchema,
    relations: RelationScores,
) -> list[AlignedPath]:
    """The best paths, with the likeness of their words as a whole to the whole question."""
    best = np.argsort(-total, kind="stable")[:_VERBALISED]
    relations_of = [[subgraph.relations[slot // 2] for hop in paths[at] for slot in hop] for at in best]
    spoken = [
        " of ".join(spoken_relation(relation.label or relation.id) for relation in walked[::-1])
        for walked in relations_of
    ]
    question = schema.embedder.embed([relations.words.text])[0]
    whole = schema.embedder.embed(spoken) @ question
    score = total[best] + WEIGHTS.whole * whole
    order = np.argsort(-score, kind="stable")
    return [AlignedPath(paths[best[at]], float(score[at]), float(whole[at])) for at in order]


class _Walker:
    """Which relations lead on from sets of nodes; large sets are sampled evenly, since only relations are wanted."""

    def __init__(self, subgraph: Subgraph, frontier: int) -> None:
        self._graph, self._frontier = subgraph, frontier
        self._slots = 2 * len(subgraph.relations)
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)

    def _edges(self, nodes: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64], Ints]:
        """Of all edges of nodes: the position of the node, the slot the edge leads into, and the node there."""
        positions, slots, reached = [], [], []
        places = np.flatnonzero(nodes < self._graph.n_entities)  # literals lead nowhere
        entities = nodes[places]
        for backward, csr in enumerate((self._graph.outgoing, self._graph.incoming)):
            at = gather(csr.indptr, entities)
            relation = csr.relation[at]
            walked = self._walked[relation]
            degrees = csr.indptr[entities.astype(np.int64) + 1] - csr.indptr[entities]
            positions.append(np.repeat(places, degrees)[walked])
            slots.append(2 * relation[walked].astype(np.int64) + backward)
            reached.append(csr.neighbour[at][walked])
        return np.concatenate(positions), np.concatenate(slots), np.concatenate(reached)

    def reach(self, start: int, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The relations within ``depth`` hops (of samples), ascending, and the slots that the start itself lies in.

        From now on only these relations are walked.
        """
        level = np.array([start], dtype=np.int32)
        relations_at: list[NDArray[np.int64]] = []
        around = np.unique(self._edges(level)[1] ^ 1)
        for _ in range(depth):
            _, slots, level = self._edges(level)
            relations_at.append(np.unique(slots // 2))
            through = self._wide(np.unique(level[self._graph.machine[level]]))
            if len(through):
                _, slots, beyond = self._edges(through)
                relations_at.append(np.unique(slots // 2))
                level = np.concatenate([level[~self._graph.machine[level]], beyond])
            level = self._wide(np.unique(level))
        relations = np.unique(np.concatenate(relations_at))
        self._walked = np.isin(np.arange(len(self._walked)), relations)
        return relations, around

    def _wide(self, nodes: Ints) -> Ints:
        return spread(nodes, 8 * self._frontier)

    def ahead(self, ends: Sequence[Ints], gains: Floats) -> Floats:
        """For each set of nodes the best gain of any relation that leads on from it; ``gains`` is per relation."""
        best = np.zeros(len(ends), dtype=np.float32)
        owners = np.repeat(np.arange(len(ends)), [len(nodes) for nodes in ends])
        positions, slots, _ = self._edges(np.concatenate(ends))
        np.maximum.at(best, owners[positions], gains[slots // 2])
        return best

    def expand(self, beam: _Beam) -> tuple[list[int], list[Slots], list[Ints]]:
        """Every hop from every path of the beam: its parent, the hop, and a sample of the nodes it leads to."""
        sizes = [len(nodes) for nodes in beam.ends]
        nodes = np.concatenate(beam.ends)
        owner = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        machine = self._graph.machine
        positions, slots, reached = self._edges(nodes)
        owners, nameless = owner[positions], machine[reached]
        keys = [(owners[~nameless] * self._slots + slots[~nameless]) * (self._slots + 1)]
        ends = [reached[~nameless]]
        if nameless.any():
            through = np.unique(
                np.stack([owners[nameless] * self._slots + slots[nameless], reached[nameless].astype(np.int64)]), axis=1
            )
            through = through[:, spread(np.arange(through.shape[1]), _THROUGH)]
            positions, seconds, beyond = self._edges(through[1].astype(np.int32))
            has_name = ~machine[beyond]
            keys.append(through[0][positions[has_name]] * (self._slots + 1) + seconds[has_name] + 1)
            ends.append(beyond[has_name])
        packed = np.unique(np.concatenate(keys) * self._graph.n_nodes + np.concatenate(ends))
        groups, packed_ends = np.divmod(packed, self._graph.n_nodes)
        bounds = np.flatnonzero(np.diff(groups, prepend=-1))
        parents: list[int] = []
        hops: list[Slots] = []
        samples: list[Ints] = []
        for start, nodes_there in zip(bounds, np.split(packed_ends, bounds[1:]), strict=False):
            key, second = divmod(int(groups[start]), self._slots + 1)
            parent, slot = divmod(key, self._slots)
            hop: Slots = (slot,) if second == 0 else (slot, second - 1)
            origins = beam.ends[parent]
            came = beam.hops[parent][-1] if beam.hops[parent] else None
            if len(hop) == 2:
                if hop[1] == slot ^ 1 and len(nodes_there) <= len(origins):
                    continue  # straight back to where it came from
                if len(origins) == 1:
                    nodes_there = nodes_there[nodes_there != origins[0]]
            elif came is not None and len(came) == 1 and slot == came[0] ^ 1 and len(nodes_there) <= 1:
                continue
            if len(nodes_there):
                parents.append(parent)
                hops.append(hop)
                samples.append(spread(nodes_there.astype(np.int32), self._frontier))
        return parents, hops, samples


def spread(nodes: NDArray[_Number], limit: int) -> NDArray[_Number]:
    """At most ``limit`` of some nodes, evenly spaced."""
    if len(nodes) <= limit:
        return nodes
    return nodes[np.linspace(0, len(nodes) - 1, limit).astype(np.int64)]
