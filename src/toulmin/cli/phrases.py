"""Nodes and relations as people read them: labels, dates, quantities, coordinates."""

from __future__ import annotations

from toulmin.graph.labels import readable_id, readable_relation
from toulmin.graph.literal_words import literal_words as plain_words
from toulmin.graph.types import Entity, Literal, Node, Relation

__all__ = ["counted", "literal_words", "node_words", "relation_words", "shorten"]

_LONGEST = 300  # characters of a text in a line


def shorten(text: str, longest: int = _LONGEST) -> str:
    """A text in one line, cut off where it is very long."""
    line = " ".join(text.split())  # all of it first: blanks must not push out of sight what follows them
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def counted(number: int, noun: str) -> str:
    """``1 statement``, ``1,204 statements``, ``2 entities``, ``0 replies``."""
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun}"


def node_words(node: Node) -> str:
    """An entity's label, or a literal in words."""
    return literal_words(node) if isinstance(node, Literal) else shorten(node.label or readable_id(node.id))


def relation_words(relation: Relation | Entity) -> str:
    """A relation's label."""
    return shorten(relation.label or readable_relation(relation.id))


def literal_words(literal: Literal) -> str:
    """A literal in words: ``10 December 1815``, ``8,848.86 metre``, ``48.8567° N, 2.3522° E``."""
    return shorten(plain_words(literal))
