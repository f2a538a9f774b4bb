"""What operators share: the inputs of a computation, the order of an answer set, and which nodes can be in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toulmin.errors import InputError
from toulmin.graph.labels import is_machine_id, is_nameless
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, node_key
from toulmin.proof.model import Step

__all__ = ["machine_ids", "ordered", "values_of"]


def values_of(of: str, steps: Mapping[str, Step]) -> tuple[Node, ...]:
    """The values that an earlier step yields.

    Raises:
        InputError: there is no such step, or it yields no values.
    """
    output = steps[of].yields() if of in steps else None
    if output is None or output.verdict is not None:
        raise InputError(f"{of!r} is no step that yields values")
    return output.values


def ordered(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """The distinct nodes of an answer set in its order: entities by id, then literals by their canonical form."""
    distinct = {node_key(node): node for node in nodes}
    return tuple(distinct[key] for key in sorted(distinct, key=lambda key: (isinstance(distinct[key], Literal), key)))


def machine_ids(nodes: Sequence[Node], graph: Graph) -> set[str]:
    """The ids of those entities whose only name is a machine id; they are walked through and never answers."""
    entities = [node for node in nodes if isinstance(node, Entity)]
    suspects = [one.id for one in entities if is_machine_id(one.id) or is_machine_id(one.label or "")]
    found = zip(suspects, graph.describe(suspects), strict=True) if suspects else ()
    return {suspect for suspect, info in found if is_nameless(suspect, info.entity.label if info else None)}
