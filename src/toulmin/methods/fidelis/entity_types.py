"""What a graph itself says of the kinds of its things: by its classes, and by relations that are named after people."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints, over
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.direction import Label, one_kind
from toulmin.proof.axioms.classes import class_relation
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.schema import GraphSchema

__all__ = ["share_of_kind"]

_RELATED = 0.5  # from this relatedness on a noun and a class are of one kind
_PEOPLE = frozenset({"human", "humans", "people"})  # for WordNet kinds of animal and of group
_SAMPLE = 24  # things whose classes are looked at

Booleans = NDArray[np.bool_]


def share_of_kind(subgraph: Subgraph, schema: GraphSchema, nodes: Ints, noun: str, lexicon: Lexicon) -> float:
    """The share of nodes of which the graph says that they are of the kind of a noun ("person", "moons"), 0 to 1."""
    entities = nodes[nodes < subgraph.n_entities]
    if not len(entities):
        return 0.0
    sample = entities[np.linspace(0, len(entities) - 1, min(len(entities), _SAMPLE)).astype(np.int64)]
    of_kind = _of_class(subgraph, sample, noun, lexicon)
    if lexicon.coarse_type(noun) == "person":
        of_kind |= _people(subgraph, schema, lexicon)[sample]
    return float(of_kind.mean()) * len(entities) / len(nodes)


def _of_class(subgraph: Subgraph, nodes: Ints, noun: str, lexicon: Lexicon) -> Booleans:
    """Which nodes have a class whose name means the noun, or a kind of it."""
    found, person = np.zeros(len(nodes), dtype=bool), lexicon.coarse_type(noun) == "person"
    relations = [at for at, one in enumerate(subgraph.relations) if class_relation(one) == "instance"]
    if relations:
        edges, owner = over(subgraph.outgoing, nodes, np.array(relations, dtype=np.int32))
        classes = subgraph.labels(subgraph.outgoing.neighbour[edges])
        for place, name in zip(owner.tolist(), classes, strict=True):
            heads = (name, name.split()[-1])
            found[place] |= any(lexicon.is_a(h, noun) or lexicon.relatedness(noun, h) >= _RELATED for h in heads)
            found[place] |= person and name.split()[-1].lower() in _PEOPLE
    return found


def _people(subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon) -> Booleans:
    """bool[n_nodes]: which nodes are at an end of a relation whose label is a noun for people ("manager", "author")."""
    if subgraph not in _known:
        people = np.zeros(subgraph.n_nodes, dtype=bool)
        for relation, named in enumerate(subgraph.relations):
            label = Label.read(named.label or named.id, lexicon)
            if label is None or label.part != "noun" or lexicon.coarse_type(label.word) != "person":
                continue
            rows = np.flatnonzero(subgraph.outgoing.relation == relation)
            both = one_kind(subgraph, schema, relation)
            if label.of_object or both:
                people[subgraph.outgoing.neighbour[rows]] = True
            if not label.of_object or both:
                people[np.searchsorted(subgraph.outgoing.indptr, rows, side="right") - 1] = True
        people[subgraph.n_entities :] = False
        _known[subgraph] = people
    return _known[subgraph]


_known: WeakKeyDictionary[Subgraph, Booleans] = WeakKeyDictionary()
