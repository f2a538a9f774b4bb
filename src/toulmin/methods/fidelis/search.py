"""Beam search over relation paths from one linked entity (papers/fidelis section 2.2, with embeddings as the model)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints, gather
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.alignment import Aligner, Hop
from toulmin.methods.fidelis.evidence import Evidence, Floats
from toulmin.methods.fidelis.reading import Reading
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.schema import GraphSchema

__all__ = ["RelationPath", "search"]

_VERBALISED = 24  # of the best paths, how many are compared with the whole question


@dataclass(frozen=True, slots=True)
class RelationPath:
    """A candidate: hops from the start (each as the slots it passes) and its score.

    Args:
        relations: (relation number, walked backward) of each edge, in order.
    """

    hops: tuple[Hop, ...]
    score: float

    @property
    def relations(self) -> tuple[tuple[int, bool], ...]:
        """(relation number, walked backward) of each edge, in order."""
        return tuple((slot // 2, bool(slot % 2)) for hop in self.hops for slot in hop)


@dataclass(frozen=True, slots=True)
class _Beam:
    """The paths of one depth: their hops, a sample of the nodes each ends in, and their partial scores."""

    hops: list[tuple[Hop, ...]]
    ends: list[Ints]
    partial: Floats


def search(
    subgraph: Subgraph,
    schema: GraphSchema,
    lexicon: Lexicon,
    reading: Reading,
    start: int,
    settings: FidelisSettings,
) -> list[RelationPath]:
    """The relation paths from a start node, best first, each leading to at least one node that can be an answer.

    Args:
        start: node number of the linked entity.
    """
    walker = _Walker(subgraph, settings.frontier)
    relations, around = walker.reach(start, settings.depth)
    if not len(relations):
        return []
    evidence = Evidence(reading, schema, lexicon, relations, settings)
    aligner = Aligner(evidence, around, settings)
    beam = _Beam([()], [np.array([start], dtype=np.int32)], aligner.root)
    paths: list[tuple[Hop, ...]] = []
    scores: list[Floats] = []
    for _ in range(settings.depth):
        parents, hops, ends = walker.expand(beam)
        if not hops:
            break
        previous = [beam.hops[parent][-1] if beam.hops[parent] else None for parent in parents]
        layer = aligner.extend(beam.partial, np.array(parents, dtype=np.int64), hops, previous)
        grown = [(*beam.hops[parent], hop) for parent, hop in zip(parents, hops, strict=True)]
        paths.extend(grown)
        asked = dict(zip(*_per_end(hops, evidence), strict=True))
        scores.append(layer.final + np.array([asked[hop[-1]] for hop in hops], dtype=np.float32))
        kept = _keep(layer.partial, ends, evidence, walker, settings)
        beam = _Beam([grown[at] for at in kept], [ends[at] for at in kept], layer.partial[kept])
    total = np.concatenate(scores)
    if reading.returns:
        straight = np.array([not _turns_back(path) for path in paths])
        total = (total - settings.no_return * straight).astype(np.float32)
    return _ranked(paths, total, schema, reading, settings)


def _per_end(hops: Sequence[Hop], evidence: Evidence) -> tuple[list[int], list[float]]:
    slots = sorted({hop[-1] for hop in hops})
    return slots, evidence.asked(np.array(slots, dtype=np.int64)).tolist()


def _turns_back(path: Sequence[Hop]) -> bool:
    return any(one[-1] == other[0] ^ 1 for one, other in zip(path, path[1:], strict=False))


def _keep(
    partial: Floats, ends: list[Ints], evidence: Evidence, walker: _Walker, settings: FidelisSettings
) -> NDArray[np.int64]:
    """The beam: the paths with the best scores so far plus α times the best that one further relation promises (eq. 3)."""
    promise = partial.max(axis=(1, 2))
    if len(promise) <= settings.beam_width:
        return np.arange(len(promise))
    best = evidence.gain.max(axis=0, initial=0)
    ahead = np.zeros(len(ends), dtype=np.float32)
    for at, nodes in enumerate(ends):
        columns = [evidence.position[r] for r in walker.relations_at(nodes) if r in evidence.position]
        ahead[at] = best[columns].max(initial=0)
    order = np.argsort(-(promise + settings.alpha * ahead), kind="stable")
    return np.sort(order[: settings.beam_width])


def _ranked(
    paths: list[tuple[Hop, ...]],
    total: Floats,
    schema: GraphSchema,
    reading: Reading,
    settings: FidelisSettings,
) -> list[RelationPath]:
    """The best paths, with the likeness of their words as a whole to the whole question."""
    best = np.argsort(-total, kind="stable")[:_VERBALISED]
    spoken = [" of ".join(schema.texts[slot // 2] for hop in paths[at][::-1] for slot in hop[::-1]) for at in best]
    question = schema.embedder.embed([reading.text])[0]
    whole = total[best] + settings.whole * (schema.embedder.embed(spoken) @ question)
    order = np.argsort(-whole, kind="stable")
    return [RelationPath(paths[best[at]], float(whole[at])) for at in order]


class _Walker:
    """Which relations lead on from sets of nodes; large sets are sampled evenly, since only relations are wanted."""

    def __init__(self, subgraph: Subgraph, frontier: int) -> None:
        self._graph, self._frontier = subgraph, frontier
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)

    def _sample(self, nodes: Ints) -> Ints:
        if len(nodes) <= self._frontier:
            return nodes
        return nodes[np.linspace(0, len(nodes) - 1, self._frontier).astype(np.int64)]

    def edges(self, nodes: Ints) -> tuple[NDArray[np.int64], Ints]:
        """The slot that each edge of the nodes leads into, and the node there; literals lead nowhere."""
        entities = nodes[nodes < self._graph.n_entities]
        slots, reached = [], []
        for backward, csr in enumerate((self._graph.outgoing, self._graph.incoming)):
            at = gather(csr.indptr, entities)
            relation = csr.relation[at]
            shown = self._walked[relation]
            slots.append(2 * relation[shown].astype(np.int64) + backward)
            reached.append(csr.neighbour[at][shown])
        return np.concatenate(slots), np.concatenate(reached)

    def reach(self, start: int, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The relations within ``depth`` hops (of samples), ascending, and the slots that the start itself lies in.

        From now on only these relations are walked.
        """
        level = np.array([start], dtype=np.int32)
        found: list[NDArray[np.int64]] = []
        around = np.unique(self.edges(level)[0] ^ 1)
        for _ in range(depth):
            slots, level = self.edges(level)
            found.append(np.unique(slots // 2))
            through = self._wide(np.unique(level[self._graph.machine[level]]))
            if len(through):
                slots, beyond = self.edges(through)
                found.append(np.unique(slots // 2))
                level = np.concatenate([level[~self._graph.machine[level]], beyond])
            level = self._wide(np.unique(level))
        relations = np.unique(np.concatenate(found))
        self._walked = np.isin(np.arange(len(self._walked)), relations)
        return relations, around

    def _wide(self, nodes: Ints) -> Ints:
        limit = 8 * self._frontier
        return nodes if len(nodes) <= limit else nodes[np.linspace(0, len(nodes) - 1, limit).astype(np.int64)]

    def relations_at(self, nodes: Ints) -> list[int]:
        """The relations of the edges of these nodes."""
        found: list[int] = np.unique(self.edges(nodes)[0] // 2).tolist()
        return found

    def expand(self, beam: _Beam) -> tuple[list[int], list[Hop], list[Ints]]:
        """Every hop from every path of the beam: its parent, the hop, and a sample of the nodes it leads to."""
        parents: list[int] = []
        hops: list[Hop] = []
        ends: list[Ints] = []
        for parent, nodes in enumerate(beam.ends):
            came = beam.hops[parent][-1] if beam.hops[parent] else None
            for hop, reached in self._hops(nodes):
                if came is not None and len(came) == 1 and hop == (came[0] ^ 1,) and len(reached) <= 1:
                    continue  # straight back to where it came from
                parents.append(parent)
                hops.append(hop)
                ends.append(self._sample(reached))
        return parents, hops, ends

    def _hops(self, nodes: Ints) -> list[tuple[Hop, Ints]]:
        found: list[tuple[Hop, Ints]] = []
        machine = self._graph.machine
        for slot, reached in _by_slot(*self.edges(nodes)):
            through = reached[machine[reached]]
            if len(through) < len(reached):
                found.append(((slot,), reached[~machine[reached]]))
            if len(through):
                for second, beyond in _by_slot(*self.edges(self._sample(through))):
                    named = beyond[~machine[beyond]]
                    if second != slot ^ 1:
                        named = named if len(nodes) > 1 else named[named != nodes[0]]
                    elif len(named) <= len(nodes):
                        continue  # back to where it came from
                    if len(named):
                        found.append(((slot, second), named))
        return found


def _by_slot(slots: NDArray[np.int64], reached: Ints) -> list[tuple[int, Ints]]:
    """The distinct nodes per slot, slots ascending."""
    if not len(slots):
        return []
    order = np.argsort(slots, kind="stable")
    slots, reached = slots[order], reached[order]
    bounds = np.flatnonzero(np.diff(slots, prepend=-1))
    return [
        (int(slots[start]), np.unique(nodes))
        for start, nodes in zip(bounds, np.split(reached, bounds[1:]), strict=True)
    ]
