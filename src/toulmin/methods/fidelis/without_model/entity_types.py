"""What a graph itself says of the kinds of its things: by its classes, and by relations that are named after people."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.english.lexicon import Lexicon, get_lexicon
from toulmin.graph.classes import class_relation
from toulmin.graph.csr import Csr, Ints, gather, over
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.methods.fidelis.search import spread
from toulmin.methods.question.label_roles import Label
from toulmin.retrieval.schema import GraphSchema

__all__ = ["one_kind", "share_of_kind"]

_RELATED = 0.5  # from this relatedness on a noun and a class are of one kind
_PEOPLE = frozenset({"human", "humans", "people"})  # for WordNet kinds of animal and of group
_CLASSED = 24  # things whose classes are looked at
_OVERLAP = 0.1  # share of the larger end of a relation that is at its other end too
_ALIKE = 0.3  # Jaccard index of the other relations that the things at its two ends have
_APART = 0.5  # from this difference on of how far the two ends look like people, places or times they are no one kind
_LIKE = 0.35  # up to this difference the few things at the ends of a rare relation are taken for one kind
_FEW = 4  # things at an end, of which their other relations tell nothing yet
_SAMPLE = 256  # things at an end of a relation that are looked at

Booleans = NDArray[np.bool_]


def share_of_kind(subgraph: Subgraph, schema: GraphSchema, nodes: Ints, noun: str, lexicon: Lexicon) -> float:
    """The share of nodes of which the graph says that they are of the kind of a noun ("person", "moons"), 0 to 1."""
    entities = nodes[nodes < subgraph.n_entities]
    if not len(entities):
        return 0.0
    sample = spread(entities, _CLASSED)
    of_kind = _of_class(subgraph, sample, noun, lexicon)
    if lexicon.coarse_type(noun) == "person":
        of_kind |= _people(subgraph, schema, lexicon)[sample]
    return float(of_kind.mean()) * len(entities) / len(nodes)


def _of_class(subgraph: Subgraph, nodes: Ints, noun: str, lexicon: Lexicon) -> Booleans:
    """Which nodes have a class whose name means the noun, or a kind of it."""
    has_class, person = np.zeros(len(nodes), dtype=bool), lexicon.coarse_type(noun) == "person"
    relations = [at for at, relation in enumerate(subgraph.relations) if class_relation(relation) == "instance"]
    if relations:
        edges, owner = over(subgraph.outgoing, nodes, np.array(relations, dtype=np.int32))
        classes = subgraph.labels(subgraph.outgoing.neighbour[edges])
        for place, name in zip(owner.tolist(), classes, strict=True):
            heads = (name, name.split()[-1])
            has_class[place] |= any(lexicon.is_a(h, noun) or lexicon.relatedness(noun, h) >= _RELATED for h in heads)
            has_class[place] |= person and name.split()[-1].lower() in _PEOPLE
    return has_class


def _people(subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon) -> Booleans:
    """bool[n_nodes]: which nodes are at an end of a relation whose label is a noun for people ("manager", "author")."""
    if subgraph not in _known:
        people = np.zeros(subgraph.n_nodes, dtype=bool)
        for relation, relation_named in enumerate(subgraph.relations):
            label = Label.read(relation_named.label or relation_named.id, lexicon)
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


def one_kind(subgraph: Subgraph, schema: GraphSchema, relation: int) -> bool:
    """Whether a relation leads from things to things of the same kind.

    Either many of its objects are its subjects too, or those that are not have the same other relations; and the names
    of the two ends are of no other kind. Of few things only the names can tell.
    """
    by_relation = _kinds.setdefault(subgraph, {})
    if relation not in by_relation:
        apart = float(np.abs(schema.types[2 * relation] - schema.types[2 * relation + 1]).max())
        rows = np.flatnonzero(subgraph.outgoing.relation == relation)
        objects = np.unique(subgraph.outgoing.neighbour[rows])
        subjects = np.unique(np.searchsorted(subgraph.outgoing.indptr, rows, side="right") - 1).astype(np.int32)
        if not len(rows) or objects[-1] >= subgraph.n_entities:
            by_relation[relation] = False
        else:
            few = min(len(subjects), len(objects)) < _FEW and apart < _LIKE
            by_name = few and _is_of_people_or_deeds(subgraph.relations[relation])
            by_relation[relation] = (by_name and _is_between_names(subgraph, subjects, objects)) or (
                apart < _APART and _is_one_kind(subgraph, relation, subjects, objects)
            )
    return by_relation[relation]


_kinds: WeakKeyDictionary[Subgraph, dict[int, bool]] = WeakKeyDictionary()


def _is_between_names(subgraph: Subgraph, subjects: Ints, objects: Ints) -> bool:
    """Whether things at both ends are called by names, and not by words for what they are like ("bay")."""
    return all(any(not name.islower() for name in subgraph.labels(ends)) for ends in (subjects, objects))


def _is_of_people_or_deeds(relation: Relation) -> bool:
    """Whether a relation is called by a noun for people, or by a verb: "mother of", "hired", but not "colour"."""
    lexicon = get_lexicon()
    label = Label.read(relation.label or relation.id, lexicon)
    return label is not None and (label.part == "verb" or lexicon.coarse_type(label.word) == "person")


def _is_one_kind(subgraph: Subgraph, relation: int, subjects: Ints, objects: Ints) -> bool:
    both = len(np.intersect1d(subjects, objects))
    if both >= _OVERLAP * max(len(subjects), len(objects)):
        return True
    apart = np.setdiff1d(subjects, objects), np.setdiff1d(objects, subjects)
    ends = [_other_relations(subgraph, nodes, relation) for nodes in apart]
    if not any(share.any() for share in ends):
        return both >= _OVERLAP * min(len(subjects), len(objects))
    return float(np.minimum(*ends).sum()) >= _ALIKE * float(np.maximum(*ends).sum())


def _other_relations(subgraph: Subgraph, nodes: Ints, relation: int) -> NDArray[np.float64]:
    """The share of nodes that are subjects, and objects, of each other relation."""
    sample = spread(nodes, _SAMPLE)
    shares = [_share(csr, sample, len(subgraph.relations)) for csr in (subgraph.outgoing, subgraph.incoming)]
    for share in shares:
        share[relation] = 0
    return np.concatenate(shares)


def _share(csr: Csr, nodes: Ints, relations: int) -> NDArray[np.float64]:
    owner = np.repeat(np.arange(len(nodes)), csr.indptr[nodes.astype(np.int64) + 1] - csr.indptr[nodes])
    pairs = np.unique(np.stack([owner, csr.relation[gather(csr.indptr, nodes)].astype(np.int64)]), axis=1)
    return np.bincount(pairs[1], minlength=relations) / max(1, len(nodes))
