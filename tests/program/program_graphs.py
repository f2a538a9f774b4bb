"""Small graphs, of which every answer can be told by hand."""

from __future__ import annotations

from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement

UNKNOWN, NONE = Literal("", "unknown_value"), Literal("", "no_value")


def entity(name: str) -> Entity:
    """An entity whose label is its id with a capital."""
    return Entity(name, name.capitalize())


def time(text: str, precision: str | None = None) -> Literal:
    """A time."""
    return Literal(text, "time", precision=precision)


def amount(text: str, unit: str | None = None) -> Literal:
    """A quantity."""
    return Literal(text, "quantity", unit=unit)


def said(subject: str, relation: str, value: str | Node, *, preferred: bool = False, **qualifiers: Node) -> Statement:
    """A statement; a text is an entity."""
    end = entity(value) if isinstance(value, str) else value
    pairs = tuple(Qualifier(Relation(one), other) for one, other in qualifiers.items())
    return Statement(entity(subject), Relation(relation), end, pairs, "preferred" if preferred else "normal")


PEOPLE = [
    said("ada", "manager", "cy"),
    said("bob", "manager", "cy"),
    said("cy", "manager", "dee"),
    said("dee", "manager", NONE),
    said("eve", "manager", UNKNOWN),
    said("fay", "manager", NONE, end=time("1990")),
    said("ada", "born", time("1950-05-01")),
    said("bob", "born", time("1950")),
    said("cy", "born", time("1920-02-03")),
    said("dee", "born", UNKNOWN),
    said("ada", "salary", amount("3", "kilogram")),
    said("bob", "salary", amount("2000", "gram")),
    said("cy", "salary", amount("5", "kilogram")),
    said("cy", "height", amount("2", "metre")),
    said("ada", "height", amount("150", "centimetre")),
    said("ada", "office", "mayor", start=time("1980"), end=time("1984")),
    said("ada", "office", "judge", start=time("1984"), end=NONE),
    said("bob", "office", "mayor", point=time("1990")),
    said("bob", "office", "judge"),
    said("cy", "office", "mayor", start=time("1970"), role=entity("deputy")),
    said("ada", "lives", "rome"),
    said("ada", "lives", "oslo", preferred=True),
    said("bob", "lives", "rome"),
    said("ada", "type", "engineer"),
    said("bob", "type", "cook"),
    said("engineer", "subclass", "worker"),
    said("worker", "subclass", "person"),
    said("cook", "subclass", "worker"),
    said("stone", "type", "mineral"),
    said("mineral", "disjoint", "person"),
    said("ada", "at", Literal("0,0", "coordinate")),
    said("bob", "at", Literal("0,1", "coordinate")),
    Statement(entity("ada"), Relation("event"), Entity("m.0abc")),
    Statement(Entity("m.0abc"), Relation("place"), entity("rome")),
]

FILMS = [
    said("one", "directed", "dan"),
    said("two", "directed", "dan"),
    said("three", "directed", "eli"),
    said("one", "starred", "ann"),
    said("two", "starred", "ann"),
    said("two", "starred", "ben"),
    said("three", "starred", "cal"),
    said("one", "year", time("1990")),
    said("two", "year", time("1995")),
    said("three", "year", time("1995")),
]
