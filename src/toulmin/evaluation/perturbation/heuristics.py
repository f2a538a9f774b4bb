"""The four heuristics of papers/okgqa 3.2 (Raman et al. 2020; papers/fidelis H has the same).

A level is the share of the edges that are changed. Edges are all statements but descriptions. The same seed chooses the
edges of a lower level among those of a higher one.
"""

from __future__ import annotations

import numpy as np

from toulmin.errors import InputError
from toulmin.evaluation.perturbation.edits import Edits, Rows, edges

__all__ = ["chosen", "edge_deletion"]


def chosen(possible: Rows, level: float, rng: np.random.Generator, needed: str) -> Rows:
    """A share of what can be changed.

    Args:
        needed: what a graph needs that can be changed so, to be told where there is none.

    Raises:
        InputError: nothing can be changed.
    """
    if not len(possible):
        raise InputError(f"the graph holds nothing to perturb so: it needs {needed}")
    return rng.permutation(possible)[: round(level * len(possible))]


def edge_deletion(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Remove edges."""
    possible = edges(edits.tables)
    edits.kept[chosen(possible, level, rng, "statements")] = False
    return len(possible)
