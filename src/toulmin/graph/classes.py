"""What relations say of classes, by their labels or ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.labels import normalise, readable_relation
from toulmin.graph.types import Relation

__all__ = ["ClassRelation", "class_nodes", "class_relation"]

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


def class_nodes(
    relations: Sequence[Relation], subject: Ints, relation: Ints, obj: Ints, n_nodes: int
) -> NDArray[np.bool_]:
    """Which nodes are classes: what things are instances of, and both ends of a statement of two classes.

    Args:
        relations: by number.
        subject, relation, obj: of each statement, by number.
        n_nodes: how many nodes there are.
    """
    is_class = np.zeros(n_nodes, dtype=np.bool_)
    for number, kind in enumerate(map(class_relation, relations)):
        if kind is not None:
            rows = relation == number
            is_class[obj[rows]] = True
            if kind != "instance":
                is_class[subject[rows]] = True
    return is_class
