"""What relations say of classes, by their labels or ids."""

from __future__ import annotations

from typing import Literal as Choice

from toulmin.graph.labels import normalise, readable_relation
from toulmin.graph.types import Relation

__all__ = ["ClassRelation", "class_relation"]

ClassRelation = Choice["instance", "subclass", "disjoint"]

_RELATIONS: dict[str, ClassRelation] = {
    "instance of": "instance",
    "type": "instance",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type": "instance",
    "subclass of": "subclass",
    "sub class of": "subclass",
    "subclassof": "subclass",
    "http://www.w3.org/2000/01/rdf-schema#subClassOf": "subclass",
    "disjoint with": "disjoint",
    "disjoint from": "disjoint",
    "http://www.w3.org/2002/07/owl#disjointWith": "disjoint",
}


def class_relation(relation: Relation) -> ClassRelation | None:
    """What a relation says of classes; None: nothing."""
    return _RELATIONS.get(relation.id) or _RELATIONS.get(normalise(relation.label or readable_relation(relation.id)))
