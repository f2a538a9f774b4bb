"""Nodes of a graph, statements, and the bytes by which both are ordered and hashed."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
KINDS = ("string", "quantity", "time", "coordinate", "boolean", "unknown_value", "no_value")


class KernelError(Exception):
    """What is given is no certificate, or goes beyond a limit: one line that says what and where."""


def refuse_if(is_so: object, why: str) -> None:
    """Raise a KernelError where something is so."""
    if is_so:
        raise KernelError(why)


class Literal(NamedTuple):
    """A value with its kind; an entity is a ``str``, its id."""

    value: str
    kind: str
    unit: str | None = None
    precision: str | None = None
    lang: str | None = None
    calendar: str | None = None


Node = str | Literal
Label = Callable[[str], str | None]  # the label of an entity, given its id


class Statement(NamedTuple):
    """A statement of the graph at a place in the certificate's ``graphs``."""

    graph: int
    subject: str
    relation: str
    object: Node
    qualifiers: tuple[tuple[str, Node], ...]
    rank: str


def literal_from(value: Any) -> Literal:
    """The literal of a JSON object; KernelError, with a line that says why, where it is none."""
    right = isinstance(value, dict) and value.keys() <= set(Literal._fields) and "value" in value
    more = ", ".join(Literal._fields[2:])
    refuse_if(not right, f"a literal must be an object with value and kind, and may have {more}")
    refuse_if(value.get("kind") not in KINDS, f"kind of a literal must be one of {', '.join(KINDS)}")
    for name, text in value.items():
        must, optional = f"{name} of a literal must", name != "value"
        refuse_if(not isinstance(text, str) and (text is not None or not optional), f"{must} be a text")
        refuse_if(len(text or "") > 100_000 or (text == "" and optional), f"{must} have 1 to 100,000 characters")
    made = Literal(**value)
    numbers = (made.value, *(made.precision or "").split("..")) if made.kind == "quantity" else ()
    refuse_if(any(len(number) > 1000 for number in numbers), "a number must have at most 1,000 characters")
    known = made.calendar in (None, "gregorian", "julian")
    refuse_if(not known, "calendar of a literal must be gregorian or julian")
    return made


def text_of(node: Node, label: Label) -> str:
    """What people read: of an entity its label, else its id; of a literal its value and unit."""
    if isinstance(node, str):
        return label(node) or node
    return f"{node.value} {label(node.unit) or node.unit}" if node.unit else node.value


def utf8(text: str) -> bytes:
    """The bytes by which texts are ordered."""
    return text.encode("utf-8", "surrogatepass")


def enc(*parts: str | bytes) -> bytes:
    """Texts one after another, each after its length in bytes: no two lists of texts have the same bytes."""
    encoded = [part if isinstance(part, bytes) else utf8(part) for part in parts]
    return b"".join(b"%d:%b" % (len(part), part) for part in encoded)


def key(node: Node) -> bytes:
    """The canonical form of an entity or literal."""
    if isinstance(node, str):
        return enc("e", node)
    return enc("l", node.value, node.kind, *(field or "" for field in node[2:]))


def digest(statement: Statement) -> bytes:
    """SHA-256 of all that a statement says; the order of qualifiers plays no part."""
    pairs = sorted((utf8(relation), key(value)) for relation, value in statement.qualifiers)
    said = (part for pair in pairs for part in pair)
    return sha256(enc(statement.subject, statement.relation, key(statement.object), statement.rank, *said)).digest()


def statement_id(statement: Statement) -> str:
    """What people cite a statement by: 32 hexadecimal digits."""
    return digest(statement).hex()[:32]


def order(node: Node) -> tuple[bool, bytes]:
    """For canonical order: entities by the bytes of their id, then literals by those of their key."""
    return (False, utf8(node)) if isinstance(node, str) else (True, key(node))
