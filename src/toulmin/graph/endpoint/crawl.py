"""The neighbourhood of some entities, fetched hop by hop from a remote graph."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import chain

from toulmin.errors import SettingsError
from toulmin.graph.labels import is_nameless
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Statement

__all__ = ["crawl"]

_log = logging.getLogger(__name__)
_MOST_NODES = 5000


def crawl(graph: Graph, seeds: Sequence[str], hops: int, limit: int, *, most_nodes: int = _MOST_NODES) -> Subgraph:
    """A sub-graph of what lies within ``hops`` of the seeds.

    Args:
        limit: statements taken for each node and side.
        most_nodes: nodes whose statements are asked for; beyond it a warning is logged and the rest left out.

    Raises:
        SettingsError: ``hops`` is negative.
    """
    if hops < 0:
        raise SettingsError(f"hops is {hops}: give 0 or more")
    statements: dict[str, Statement] = {}
    seen = dict.fromkeys(seeds)
    level = list(seen)
    asked = 0
    for hop in range(1, hops + 1):
        reached: dict[str, None] = {}
        while level:  # entities of this level, then the machine-id nodes beside them, which cost no hop
            if asked + len(level) > most_nodes:
                _log.warning("%s: hop %d is not whole: more than %d nodes", graph.name, hop, most_nodes)
                level = level[: most_nodes - asked]
            asked += len(level)
            through: list[str] = []
            for statement in chain.from_iterable(graph.statements(level, limit=limit)):
                statements.setdefault(statement.id, statement)
                for node in (statement.subject, statement.object):
                    if isinstance(node, Entity) and node.id not in seen:
                        seen[node.id] = None
                        if is_nameless(node.id, node.label):
                            through.append(node.id)
                        else:
                            reached[node.id] = None
            level = through
        level = list(reached)
    return Subgraph.from_statements(statements.values())
