"""Small and larger graphs with prizes, at random: parallel statements, both directions, self-loops."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes, RetrievalSettings

NODES = 8
RELATIONS = ("moors at", "built by", "carries")
Triple = tuple[int, int, int]

triples = st.lists(
    st.tuples(st.integers(0, NODES - 1), st.integers(0, len(RELATIONS) - 1), st.integers(0, NODES - 1)),
    min_size=1,
    max_size=14,
)
whole = st.integers(0, 4).map(float)
node_prizes = st.lists(whole, min_size=NODES, max_size=NODES)
relation_prizes = st.lists(st.sampled_from((0.0, 0.25, 0.5, 1.0, 2.0)), min_size=3, max_size=3)


def subgraph(found: list[Triple]) -> Subgraph:
    """The sub-graph of numbered entities."""
    return Subgraph.from_statements(
        Statement(Entity(f"e:{s}", f"ship {s}"), Relation(f"r:{r}", RELATIONS[r % 3]), Entity(f"e:{o}", f"ship {o}"))
        for s, r, o in found
    )


def everything(sub: Subgraph) -> Neighbourhood:
    """All of a sub-graph."""
    return Neighbourhood.of(sub, np.empty(0, dtype=np.int32), RetrievalSettings())


def prizes_of(around: Neighbourhood, nodes: list[float], relations: list[float], cost: float = 1.0) -> Prizes:
    """Given prizes, by node and by relation number."""
    node = np.array(nodes[: len(around.nodes)], dtype=np.float64)
    edge = np.array(relations, dtype=np.float64)[around.relation % len(relations)]
    none = np.zeros(len(node), dtype=np.float32), np.zeros(len(edge), dtype=np.float32)
    return Prizes(node, edge, np.full(len(edge), cost), *none)


def at_random(seed: int) -> tuple[Neighbourhood, Prizes]:
    """A graph of up to 3,000 statements with hubs, twenty relations and prizes as the paper gives them."""
    rng = np.random.default_rng(seed)
    size, edges = int(rng.integers(20, 900)), int(rng.integers(60, 3000))
    ends = np.minimum(rng.zipf(1.7, edges) - 1, size - 1)
    sub = subgraph(list(zip(rng.integers(0, size, edges), rng.integers(0, 20, edges), ends, strict=True)))
    around = everything(sub)
    chosen = RetrievalSettings(nodes=12, edges=int(rng.integers(0, 6)) or 1, shared=bool(seed % 2))
    return around, Prizes.of(
        around,
        rng.random(len(around.nodes)).astype(np.float32),
        rng.random(20).astype(np.float32),
        chosen,
    )
