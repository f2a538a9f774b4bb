"""A second entity of the question as a constraint on a path: "who plays Hamlet in the film by Olivier?"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toulmin.graph.subgraph import Subgraph

__all__ = ["meeting"]


def meeting(
    subgraph: Subgraph, start: int, relations: Sequence[tuple[int, bool]], other: int
) -> tuple[int, int, bool] | None:
    """Where a path from ``start`` passes nodes that have a statement with ``other``, but not only such nodes.

    Args:
        relations: (relation number, walked backward) of each edge of the path.

    Returns:
        Position (1: after the first edge), relation number, and whether ``other`` is the subject of that statement; the
        last position if there are several, the relation that most nodes there share. None where there is none.
    """
    outgoing, incoming = subgraph.outgoing, subgraph.incoming
    neighbours = [
        (csr.neighbour[edges], csr.relation[edges], is_subject)
        for csr, is_subject in ((outgoing, True), (incoming, False))
        for edges in (slice(int(csr.indptr[other]), int(csr.indptr[other + 1])),)
    ]
    nodes = np.array([start], dtype=np.int32)
    best: tuple[int, int, bool] | None = None
    for position, (relation, backward) in enumerate(relations, 1):
        nodes = subgraph.follow(nodes[nodes < subgraph.n_entities], relation, backward=backward)
        counts: dict[tuple[int, bool], int] = {}
        for met, by, is_subject in neighbours:
            for one in by[np.isin(met, nodes)].tolist():
                counts[one, is_subject] = counts.get((one, is_subject), 0) + 1
        if counts:
            chosen = max(sorted(counts), key=lambda key: counts[key])
            if counts[chosen] < len(nodes) or subgraph.machine[nodes].any():
                best = (position, *chosen)
    return best
