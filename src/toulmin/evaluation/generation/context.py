"""What a question is written from: the 2-hop sub-graph of its entities, pruned by PageRank, and the statements shown.

The paper shows the Wikipedia pages of the entities (section 3.1); here it is what the graph itself says of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from toulmin.errors import GraphError
from toulmin.graph.classes import class_relation
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.open_ended import Neighbourhood, RetrievalSettings

__all__ = ["SHOWN", "Sizes", "around", "sizes_of"]

#: How many statements are shown at most.
SHOWN = 30

_OWN = 0.7  # share of these that the entities' own statements may take
_UNPRUNED = RetrievalSettings(threshold=0.0)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Nodes and statements within two hops of the entities, and what pruning leaves (papers/okgqa, figure 1a)."""

    nodes: int
    statements: int
    kept_nodes: int
    kept_statements: int

    def as_json(self) -> dict[str, int]:
        """The four numbers by name."""
        return asdict(self)


def sizes_of(subgraph: Subgraph, entities: Sequence[Entity]) -> tuple[Neighbourhood, Sizes]:
    """The pruned neighbourhood of entities (section 3.1 and A.5), and the sizes.

    Raises:
        GraphError: the graph does not hold an entity, or PageRank does not settle.
    """
    numbers = [subgraph.index(one.id) for one in entities]
    if None in numbers:
        raise GraphError(f"the graph does not hold {entities[numbers.index(None)].id}")
    seeds = np.array(numbers, dtype=np.int32)
    whole = Neighbourhood.of(subgraph, seeds, _UNPRUNED)
    kept = Neighbourhood.of(subgraph, seeds, RetrievalSettings())
    return kept, Sizes(len(whole.nodes), len(whole.rows), len(kept.nodes), len(kept.rows))


def around(subgraph: Subgraph, entities: Sequence[Entity]) -> tuple[list[Statement], Sizes]:
    """The statements to show, at most ``SHOWN``: the entities' own first, then the nearest by PageRank, and the sizes.

    Raises:
        GraphError: as ``sizes_of``.
    """
    near, sizes = sizes_of(subgraph, entities)
    kinds = [at for at, one in enumerate(subgraph.relations) if class_relation(one) == "instance"]
    own = np.isin(near.subject, near.seeds) | np.isin(near.object, near.seeds)
    typed = np.isin(near.relation, kinds)
    # What is of the same class is not near for that: the way over a class is no way.
    beside = np.unique(np.concatenate([near.subject[own & ~typed], near.object[own & ~typed]]))
    told = own | (~typed & (np.isin(near.subject, beside) | np.isin(near.object, beside)))
    degree = np.bincount(np.concatenate([near.subject, near.object]), minlength=len(near.nodes))
    flow = near.nearness / np.maximum(degree, 1)  # of rank, over each statement: a hub's many say little
    # What an entity is said to be comes before what points to it, which of a hub is endless; classes tell little.
    weight = flow[near.subject] + flow[near.object] + np.isin(near.subject, near.seeds)
    order = np.lexsort((near.rows, -weight))
    order = order[told[order]]
    mine, others = order[own[order]], order[~own[order]]
    room = max(int(_OWN * SHOWN), SHOWN - len(others))
    chosen = np.concatenate([mine[:room], others[: SHOWN - min(len(mine), room)]])
    return subgraph.statements(near.rows[chosen]), sizes
