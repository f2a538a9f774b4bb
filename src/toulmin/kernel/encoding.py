"""Statements and their digests: the bytes that the Merkle tree of a graph is made of."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from .values import Literal, Node

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"


class Statement(NamedTuple):
    """A statement of the graph at a place in the certificate's ``graphs``."""

    graph: int
    subject: str
    relation: str
    object: Node
    qualifiers: tuple[tuple[str, Node], ...] = ()
    rank: str = "normal"


def enc(*parts: str | bytes) -> bytes:
    """Texts one after another, each after its length in bytes: no two lists of texts have the same bytes."""
    encoded = [part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(b"%d:%b" % (len(part), part) for part in encoded)


def key(node: Node) -> bytes:
    """The canonical form of an entity or literal."""
    if isinstance(node, Literal):
        fields = (node.value, node.kind, node.unit, node.precision, node.lang, node.calendar)
        return enc("l", *("" if field is None else field for field in fields))
    return enc("e", node)


def digest(statement: Statement) -> bytes:
    """SHA-256 of all that a statement says; the order of qualifiers plays no part."""
    pairs = sorted((relation.encode("utf-8", "surrogatepass"), key(value)) for relation, value in statement.qualifiers)
    said = (part for pair in pairs for part in pair)
    return sha256(enc(statement.subject, statement.relation, key(statement.object), statement.rank, *said)).digest()


def statement_id(statement: Statement) -> str:
    """What people cite a statement by: 32 hexadecimal digits."""
    return digest(statement).hex()[:32]


def order(node: Node) -> tuple[bool, bytes]:
    """For canonical order: entities by the bytes of their id, then literals by those of their key."""
    return (True, key(node)) if isinstance(node, Literal) else (False, node.encode("utf-8", "surrogatepass"))
