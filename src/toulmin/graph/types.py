"""The core types of a knowledge graph: entities, relations, literals, statements, reasoning paths.

All are frozen, hashable, and serialise to JSON and back through pydantic (``pydantic.TypeAdapter``).
Identity is by id (an IRI, or an id minted by a reader); labels are what people and models read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import chain
from typing import Literal as Choice

__all__ = [
    "DESCRIPTION",
    "Direction",
    "Entity",
    "EntityInfo",
    "Literal",
    "LiteralKind",
    "Node",
    "PathStep",
    "Qualifier",
    "Rank",
    "ReasoningPath",
    "Relation",
    "Statement",
    "canonical_key",
    "encode",
    "node_key",
    "parts_of",
    "relabelled",
]

LiteralKind = Choice["string", "quantity", "time", "coordinate", "boolean", "unknown_value", "no_value"]
Rank = Choice["preferred", "normal", "deprecated"]
Direction = Choice["forward", "backward"]

#: The relation of a description, which is a citable statement like any other.
DESCRIPTION = "http://schema.org/description"

_LITERAL = "\x1f"  # begins the ``node_key`` of a literal; no id of a graph holds a control character


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph that has an id. Equality and hash are by ``id`` and ``label``."""

    id: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge type."""

    id: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """A typed value.

    Args:
        value: the lexical form as the source gave it ("1.50" stays "1.50"). A time is ISO 8601 with an optional sign
            and astronomical years: ``1995-03``, ``-0043-03-15`` (15 March 44 BCE; 0000 is 1 BCE). A coordinate is
            ``lat,lon`` in degrees.
        kind: what the value is. ``unknown_value`` and ``no_value`` are Wikidata's; their ``value`` is "".
        unit: of a quantity: a unit name that pint knows (``metre``), an ISO 4217 currency code, or an entity id.
            None: dimensionless.
        precision: of a time: ``day``, ``month``, ``year``, ``decade``, ``century``, ``millennium`` …; None: as the
            lexical form has it. Of a quantity: its bounds ``lower..upper`` in its unit; None: exactly ``value``.
        lang: of a string: a BCP 47 tag.
        calendar: of a time: ``gregorian`` (None) or ``julian``.
    """

    value: str
    kind: LiteralKind = "string"
    unit: str | None = None
    precision: str | None = None
    lang: str | None = None
    calendar: str | None = None


Node = Entity | Literal


@dataclass(frozen=True, slots=True)
class Qualifier:
    """Says more about a statement: when, where, of what."""

    relation: Relation
    value: Node


def encode(*texts: str) -> str:
    """Texts end to end, each after its length in UTF-8 and a colon: no two lists of texts give the same one."""
    joined = "".join([f"{len(text)}:{text}" for text in texts])
    if joined.isascii():
        return joined
    return "".join([f"{len(text.encode('utf-8', 'surrogatepass'))}:{text}" for text in texts])


def canonical_key(node: Node) -> str:
    """The key of docs/certificate.md, "Evidence", which no other node has. Labels play no part."""
    if isinstance(node, Entity):
        return encode("e", node.id)
    others = _other_fields(node.kind, node.unit, node.precision, node.lang, node.calendar)
    return f"1:l{encode(node.value)}{others}"


@lru_cache(4096)  # a graph has few of them
def _other_fields(*fields: str | None) -> str:
    return encode(*["" if field is None else field for field in fields])


def node_key(node: Node) -> str:
    """What a graph finds a node by: the id of an entity, U+001F and the ``canonical_key`` of a literal."""
    return node.id if isinstance(node, Entity) else _LITERAL + canonical_key(node)


@dataclass(frozen=True)
class Statement:
    """The unit of grounding: subject, relation, object, and the qualifiers that belong to them.

    ``id`` is a function of the content, so that a statement whose content was altered no longer has its id, and equal
    statements of two graphs have the same one. In a union of graphs ``graph`` names the graph that holds it.
    """

    subject: Entity
    relation: Relation
    object: Node
    qualifiers: tuple[Qualifier, ...] = ()
    rank: Rank = "normal"
    graph: str | None = None

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the content, whatever the graph (docs/certificate.md, "Evidence")."""
        qualifiers = sorted((q.relation.id, canonical_key(q.value)) for q in self.qualifiers)  # in whatever order
        triple = self.subject.id, self.relation.id, canonical_key(self.object)
        content = encode(*triple, self.rank, *chain.from_iterable(qualifiers))
        return sha256(content.encode("utf-8", "surrogatepass")).digest()

    @cached_property
    def id(self) -> str:
        """The first 32 hexadecimal digits of the digest (prefixed ``graph:`` in a union)."""
        digest = self.digest[:16].hex()
        return f"{self.graph}:{digest}" if self.graph else digest


def parts_of(statement: Statement) -> Iterator[Entity | Relation]:
    """The entities and relations of a statement."""
    yield statement.subject
    yield statement.relation
    if isinstance(statement.object, Entity):
        yield statement.object
    for qualifier in statement.qualifiers:
        yield qualifier.relation
        if isinstance(qualifier.value, Entity):
            yield qualifier.value


def relabelled(
    statement: Statement, entity: Callable[[Entity], Entity], relation: Callable[[Relation], Relation]
) -> Statement:
    """The same statement with what two functions make of its entities and relations: these with other labels."""

    def node(part: Node) -> Node:
        return entity(part) if isinstance(part, Entity) else part

    qualifiers = tuple(Qualifier(relation(q.relation), node(q.value)) for q in statement.qualifiers)
    ends = entity(statement.subject), relation(statement.relation), node(statement.object)
    return Statement(*ends, qualifiers, statement.rank, statement.graph)


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a reasoning path: a relation walked forward (subject to object) or backward, and where it leads."""

    relation: Relation
    direction: Direction
    node: Node
    statement: str


@dataclass(frozen=True, slots=True)
class ReasoningPath:
    """A start entity and the steps from it (papers/fidelis, definitions 1-4). Valid iff each step is a statement."""

    start: Entity
    steps: tuple[PathStep, ...]

    @property
    def end(self) -> Node:
        """The node the path leads to."""
        return self.steps[-1].node if self.steps else self.start


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """What a graph says of an entity beside its statements."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    description: str | None = None
