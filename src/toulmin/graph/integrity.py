"""Whether the arrays of a graph fit together, so that a damaged file is told when it is opened and not later."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.merkle import Trees
from toulmin.graph.tables import RANKS, Tables

__all__ = ["misfit", "misfit_of_trees"]


def misfit(tables: Tables) -> str | None:
    """The first array with a number that names nothing, and the number; None where there is none.

    One pass over each array: about 10 ms for a million statements.
    """
    m, nodes, entities, relations = tables.n_statements, tables.n_nodes, tables.n_entities, len(tables.relations)
    starts: dict[str, tuple[NDArray[Any], int]] = {
        "keys_offsets": (tables.keys.offsets, len(tables.keys.blob)),
        "labels_offsets": (tables.labels.offsets, len(tables.labels.blob)),
        "qualifier_start": (tables.qualifier_start, len(tables.qualifier_value)),
        "out_start": (tables.out_start, m),
        "in_start": (tables.in_start, m),
    }
    numbers: dict[str, tuple[NDArray[Any], int]] = {
        "key_node": (tables.key_node, nodes),
        "subject": (tables.subject, entities),
        "relation": (tables.relation, relations),
        "object": (tables.object, nodes),
        "rank": (tables.rank, len(RANKS)),
        "qualifier_relation": (tables.qualifier_relation, relations),
        "qualifier_value": (tables.qualifier_value, nodes),
        "in_relation": (tables.in_relation, relations),
        "in_subject": (tables.in_subject, entities),
        "in_statement": (tables.in_statement, m),
        "digest_statement": (tables.digest_statement, m),
    }
    for name, (array, end) in starts.items():
        if problem := _type(array) or _starts(array, end):
            return f"{name}.npy: {problem}"
    for name, (array, limit) in numbers.items():
        if problem := _type(array) or _range(array, limit):
            return f"{name}.npy: {problem}"
    return None


def misfit_of_trees(trees: Trees, hashes: dict[str, str], root: str) -> str | None:
    """The first array of the Merkle trees that is not the one that was written, or that their root is another."""
    for name, digest in trees.checksums.items():
        if hashes.get(name) != digest:
            return f"{name}.npy: not as it was written"
    return None if trees.root == root else "out_tree.npy, in_tree.npy: their root is not the fingerprint"


def _type(array: NDArray[Any]) -> str | None:
    return None if array.dtype.kind in "iu" else f"holds {array.dtype}, not whole numbers"


def _starts(array: NDArray[Any], end: int) -> str | None:
    if array[0] != 0 or array[-1] != end:
        return f"goes from {array[0]} to {array[-1]}, not from 0 to {end}"
    falls = np.flatnonzero(array[1:] < array[:-1])
    return f"falls after place {falls[0]}" if len(falls) else None


def _range(array: NDArray[Any], limit: int) -> str | None:
    if not len(array):
        return None
    low, high = int(array.min()), int(array.max())
    return f"holds {low if low < 0 else high}, where 0 to {limit - 1} are known" if low < 0 or high >= limit else None
