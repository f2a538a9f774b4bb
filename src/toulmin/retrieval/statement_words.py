"""Statements in words: what an embedding model compares, what a prompt shows, what a person reads."""

from __future__ import annotations

import re

from toulmin.graph.labels import is_machine_label, readable_id, readable_relation
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement

__all__ = ["is_filing", "node_words", "relation_text", "relation_words", "statement_words"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Relations that file a thing, picture it or point to pages about it, and say nothing of the thing itself.
_FILING = re.compile(
    r"commons (category|gallery|creator page)|hashtag|category( for .*| of associated people| combines topics)?"
    r"|topic's main (category|template|Wikimedia portal)|(.* )?image|(.* )?template|native label|described (by|at) .*"
    r"|(.* )?(ID|identifier|username|URL|URI)|permanent duplicated item|maintained by WikiProject|on focus list .*",
    re.IGNORECASE,
)


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


def relation_text(label: str) -> str:
    """The words of a relation's label: of a dotted one the last part, underscores and camel case as spaces."""
    last = label.rsplit(".", 1)[-1] if "." in label.strip(".") and " " not in label else label
    return " ".join(_CAMEL.sub(" ", last.replace("_", " ")).lower().split())


def relation_words(relation: Relation) -> str:
    """A relation's label, else what its id says."""
    label = relation.label
    return label if label and not is_machine_label(label) else readable_relation(relation.id) or relation.id


def statement_words(statement: Statement) -> tuple[str, ...]:
    """The parts of a statement: subject, relation, object, then each qualifier as "relation: value"."""
    triple = (node_words(statement.subject), relation_words(statement.relation), node_words(statement.object))
    return (*triple, *(f"{relation_words(q.relation)}: {node_words(q.value)}" for q in statement.qualifiers))


def is_filing(relation: Relation) -> bool:
    """Whether a relation only files a thing, pictures it or points to pages about it."""
    return _FILING.fullmatch(relation_words(relation)) is not None
