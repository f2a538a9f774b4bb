"""Questions generated from a graph: such as it can answer, and such as it cannot.

Both are worded alike (``wording``): the second kind asks for a relation that the entity lacks, of its own class or of
another one, for words that no relation says, or about an entity that does not exist. No benchmark plays a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.wording import Wording
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.schema import BACKGROUND_RELATIONS, COARSE_TYPES, GraphSchema, relation_text

__all__ = ["Generated", "Generator"]

_UNLIKE = 0.5  # what is to be lacking must be less like all that the entity has than this (cosine)
_ALIASED = 0.3  # of entities and relations that have aliases, how many are called by one
_LONGEST_NAME = 60  # characters: longer ones are texts
_TRIES = 30

#: (relation number, walked backward) of each edge.
Walk = tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated question.

    Args:
        answers: the node numbers that it asks for; empty where the graph does not say.
        kind: how it was made ("one hop", "back", "two hops", "there and on"), or what is wrong with it.
    """

    question: str
    answers: frozenset[int]
    kind: str


class Generator:
    """Generates questions from a graph.

    Args:
        seed: the same questions for the same graph and seed.
    """

    def __init__(
        self, graph: Graph, subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon, *, seed: int = 0
    ) -> None:
        self._graph, self._subgraph, self._schema = graph, subgraph, schema
        self._random = np.random.default_rng(seed)
        self._wording = Wording(lexicon, self._random)
        self._kinds = [COARSE_TYPES[int(place)] for place in schema.types.argmax(axis=1)]
        numbers = range(len(subgraph.relations))
        self._asked = np.array([subgraph.relations[number].id != DESCRIPTION for number in numbers], dtype=bool)
        self._counts = np.bincount(subgraph.outgoing.relation, minlength=len(numbers))
        self._sources = np.repeat(np.arange(subgraph.n_nodes, dtype=np.int32), np.diff(subgraph.outgoing.indptr))
        self._edges = np.argsort(subgraph.outgoing.relation, kind="stable")
        self._first = np.concatenate([[0], np.cumsum(self._counts)])

    def generate(self, count: int) -> Iterator[Generated]:
        """At most ``count`` questions, in turn such as the graph answers and such as it does not."""
        if not (self._counts[self._asked] > 0).any():
            return
        answerable = (self._one_hop, self._one_hop, self._back, self._two_hops, self._there_and_on)
        unanswerable = (*(self._lacking, self._foreign, self._other_class) * 2, self._nobody, self._beyond)
        for number in range(count):
            half, turn = (answerable, unanswerable)[number % 2], number // 2
            for attempt in range(_TRIES):
                made = half[(turn + attempt // (_TRIES // 3)) % len(half)]()
                if made is not None:
                    yield made
                    break

    def _edge(self) -> tuple[int, int, int] | None:
        """A random edge between nodes with names; rare relations are drawn more often than they occur."""
        weights = np.sqrt(self._counts) * self._asked
        relation = int(self._random.choice(len(weights), p=weights / weights.sum()))
        at = int(self._edges[self._random.integers(self._first[relation], self._first[relation + 1])])
        source, end = int(self._sources[at]), int(self._subgraph.outgoing.neighbour[at])
        return None if self._subgraph.machine[[source, end]].any() or source == end else (source, relation, end)

    def _one_hop(self) -> Generated | None:
        edge = self._edge()
        name = self._name(edge[0]) if edge else None
        if edge is None or name is None:
            return None
        return self._of(edge[0], ((edge[1], False),), self._asking(edge[1], name), "one hop")

    def _back(self) -> Generated | None:
        edge = self._edge()
        if edge is None or edge[2] >= self._subgraph.n_entities:
            return self._one_hop()
        name = self._name(edge[2])
        if name is None:
            return None
        question = self._wording.backward(self._text(edge[1]), self._kinds[2 * edge[1] + 1], name)
        return self._of(edge[2], ((edge[1], True),), question, "back")

    def _two_hops(self) -> Generated | None:
        edge = self._edge()
        if edge is None or edge[2] >= self._subgraph.n_entities:
            return None
        onward, name = self._had(edge[2]), self._name(edge[0])
        if not len(onward) or name is None:
            return None
        relation = int(self._random.choice(onward))
        question = self._asking(relation, self._wording.phrase(self._text(edge[1]), name))
        return self._of(edge[0], ((edge[1], False), (relation, False)), question, "two hops")

    def _there_and_on(self) -> Generated | None:
        """Back over one relation and on over another: "the genre of what she directed"."""
        edge = self._edge()
        if edge is None or edge[2] >= self._subgraph.n_entities:
            return None
        onward, name = np.setdiff1d(self._had(edge[0]), [edge[1]]), self._name(edge[2])
        if not len(onward) or name is None:
            return None
        relation = int(self._random.choice(onward))
        question = self._asking(relation, self._wording.clause(self._text(edge[1]), name))
        return self._of(edge[2], ((edge[1], True), (relation, False)), question, "there and on")

    def _lacking(self) -> Generated | None:
        """A relation that others have of which the same is said, and that this entity has not."""
        edge = self._edge()
        if edge is None:
            return None
        peers = self._subgraph.follow(np.array([edge[2]], dtype=np.int32), edge[1], backward=True)
        if len(peers) < 2:
            first, last = self._first[edge[1]], self._first[edge[1] + 1]
            peers = self._sources[self._edges[self._random.integers(first, last, size=4)]]
        theirs = np.unique(np.concatenate([self._had(int(peer)) for peer in self._random.permutation(peers)[:4]]))
        return self._without(edge[0], theirs, "lacks it")

    def _other_class(self) -> Generated | None:
        edge, other = self._edge(), self._edge()
        return None if edge is None or other is None else self._without(edge[0], np.array([other[1]]), "other class")

    def _beyond(self) -> Generated | None:
        """A second hop that is not there."""
        edge, other = self._edge(), self._edge()
        if edge is None or other is None or edge[2] >= self._subgraph.n_entities:
            return None
        name = self._name(edge[0])
        around = np.union1d(self._around(edge[0]), self._around(edge[2]))
        if name is None or not self._unlike(self._text(other[1]), around):
            return None
        phrase = self._wording.phrase(self._text(edge[1]), name)
        return Generated(self._asking(other[1], phrase), frozenset(), "second hop lacks it")

    def _without(self, node: int, relations: NDArray[np.integer], kind: str) -> Generated | None:
        around, name = self._around(node), self._name(node)
        for relation in self._random.permutation(np.setdiff1d(relations, around)).tolist():
            if name is not None and self._unlike(self._schema.texts[relation], around):
                return Generated(self._asking(relation, name), frozenset(), kind)
        return None

    def _foreign(self) -> Generated | None:
        edge = self._edge()
        name = self._name(edge[0]) if edge else None
        if edge is None or name is None:
            return None
        if self._random.random() < 0.5:
            said = BACKGROUND_RELATIONS[int(self._random.integers(len(BACKGROUND_RELATIONS)))]
            kind = COARSE_TYPES[int(self._random.integers(len(COARSE_TYPES)))]
            question = self._wording.forward(said, kind, name)
        else:
            question, said = self._wording.foreign(name)
        return Generated(question, frozenset(), "no such words") if self._unlike(said, self._around(edge[0])) else None

    def _nobody(self) -> Generated | None:
        """The name of nobody: half of one and half of another, or letters changed."""
        edge, other = self._edge(), self._edge()
        if edge is None or other is None:
            return None
        name, second = (self._subgraph.labels([some[0]])[0].split() for some in (edge, other))
        made = " ".join([*name[: max(1, len(name) // 2)], *second[len(second) // 2 :]])
        if self._random.random() < 0.5:
            letters = list(" ".join(name))
            places = self._random.integers(len(letters), size=max(2, len(letters) // 3))
            for place in places.tolist():
                letters[place] = chr(ord("a") + int(self._random.integers(26)))
            made = "".join(letters).title()
        if len(made) > _LONGEST_NAME or self._graph.lookup([made])[0]:
            return None
        return Generated(self._asking(edge[1], made), frozenset(), "no such entity")

    def _of(self, start: int, walk: Walk, question: str, kind: str) -> Generated | None:
        nodes: Ints = np.array([start], dtype=np.int32)
        for relation, backward in walk:
            nodes = self._subgraph.follow(nodes[nodes < self._subgraph.n_entities], relation, backward=backward)
        ends = frozenset(nodes[~self._subgraph.machine[nodes]].tolist())
        ends = ends - {start} or ends
        return Generated(question, ends, kind) if ends and ends != {start} else None

    def _asking(self, relation: int, about: str) -> str:
        return self._wording.forward(self._text(relation), self._kinds[2 * relation], about)

    def _had(self, node: int) -> NDArray[np.int64]:
        """The relations that lead on from a node to nodes with names."""
        csr = self._subgraph.outgoing
        edges = slice(int(csr.indptr[node]), int(csr.indptr[node + 1]))
        named = ~self._subgraph.machine[csr.neighbour[edges]] & self._asked[csr.relation[edges]]
        return np.unique(csr.relation[edges][named]).astype(np.int64)

    def _around(self, node: int) -> NDArray[np.int64]:
        """All relations at a node, those at machine-id nodes beside it too, in either direction."""
        found = [np.empty(0, dtype=np.int64)]
        nodes = [node]
        for csr in (self._subgraph.outgoing, self._subgraph.incoming):
            beside = csr.neighbour[csr.indptr[node] : csr.indptr[node + 1]]
            nodes += beside[self._subgraph.machine[beside]][:20].tolist()
        for csr in (self._subgraph.outgoing, self._subgraph.incoming):
            found += [csr.relation[csr.indptr[one] : csr.indptr[one + 1]].astype(np.int64) for one in nodes]
        return np.unique(np.concatenate(found))

    def _unlike(self, said: str, relations: NDArray[np.integer]) -> bool:
        vector = self._schema.embedder.embed([said])[0]
        return float((self._schema.relations[0][relations] @ vector).max(initial=-1)) < _UNLIKE

    def _name(self, node: int) -> str | None:
        """What to call an entity: its label, or an alias."""
        entity = self._subgraph.nodes([node])[0]
        name = self._alias(entity.id) if hasattr(entity, "id") else None
        name = name or self._subgraph.labels([node])[0]
        return name if len(name) <= _LONGEST_NAME else None

    def _text(self, relation: int) -> str:
        """The words of a relation's label, or of an alias of it."""
        alias = self._alias(self._subgraph.relations[relation].id)
        return relation_text(alias) if alias else self._schema.texts[relation]

    def _alias(self, identifier: str) -> str | None:
        if self._random.random() >= _ALIASED:
            return None
        if identifier not in self._aliases:
            info = self._graph.describe([identifier])[0]
            self._aliases[identifier] = info.aliases if info else ()
        known = self._aliases[identifier]
        return known[int(self._random.integers(len(known)))] if known else None

    @cached_property
    def _aliases(self) -> dict[str, tuple[str, ...]]:
        return {}
