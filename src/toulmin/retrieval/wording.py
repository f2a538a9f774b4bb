"""Statements in words: what an embedding model compares, what a prompt shows, what a person reads."""

from __future__ import annotations

from toulmin.graph.labels import is_machine_label, readable_id, readable_relation
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement

__all__ = ["node_words", "relation_words", "statement_words"]


def node_words(node: Node) -> str:
    """What people read for a node: a label (else what its id says), or a value with its unit."""
    if isinstance(node, Entity):
        return node.label or readable_id(node.id) or node.id
    return _literal_words(node)


def _literal_words(literal: Literal) -> str:
    if literal.kind in ("unknown_value", "no_value"):
        return literal.kind.replace("_", " ")
    unit = literal.unit or ""
    precision = literal.precision if literal.kind == "time" else None
    return " ".join(part for part in (literal.value, unit, f"({precision})" if precision else "") if part)


def relation_words(relation: Relation) -> str:
    """A relation's label, else what its id says."""
    label = relation.label
    return label if label and not is_machine_label(label) else readable_relation(relation.id) or relation.id


def statement_words(statement: Statement) -> tuple[str, ...]:
    """The parts of a statement: subject, relation, object, then each qualifier as "relation: value"."""
    said = tuple(f"{relation_words(one.relation)}: {node_words(one.value)}" for one in statement.qualifiers)
    return (node_words(statement.subject), relation_words(statement.relation), node_words(statement.object), *said)
