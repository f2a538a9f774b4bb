"""What a model is shown of a graph, and the lines that say it; every name and value in them is data.

Ids are written as in queries: short names with prefixes where a namespace is used often, else IRIs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toulmin.graph.rdf_store import iri_of_id
from toulmin.graph.sparql import is_iri
from toulmin.graph.types import Entity, Literal, Node, Relation
from toulmin.llm.prompts import data

__all__ = ["LONGEST", "ClassSeen", "QueryTerms", "QuestionName", "RelationSeen", "SchemaView", "direct"]

_NAME, _DESCRIPTION, _VALUE = 60, 140, 50  # characters of a label, a description, a value


@dataclass(frozen=True, slots=True)
class ClassSeen:
    """A class.

    Args:
        count: how many things are of it; None: not counted.
        above: the classes that it is said to be a subclass of.
    """

    entity: Entity
    count: int | None
    example: Entity | None = None
    above: tuple[Entity, ...] = ()
    description: str | None = None


@dataclass(frozen=True, slots=True)
class RelationSeen:
    """A relation.

    Args:
        count: of its statements; None: not counted.
        domains, ranges: the classes of its subjects and objects, most frequent first.
        kinds: of its literal objects: "string", "number in a text", "quantity", "time" …, most frequent first.
        units: of quantities.
        values: all its objects, where they are few.
        example: a subject and an object.
        several: whether a subject has several objects.
        qualifiers: relations that qualify its statements.
        near: examples of what the question names, one in each direction; they take the place of ``example``.
    """

    relation: Relation
    count: int | None
    domains: tuple[Entity, ...] = ()
    ranges: tuple[Entity, ...] = ()
    kinds: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    values: tuple[Node, ...] = ()
    example: tuple[Entity, Node] | None = None
    several: bool = False
    qualifiers: tuple[Relation, ...] = ()
    description: str | None = None
    near: tuple[tuple[Entity, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionName:
    """Words of a question that are a name, or a value, of the graph.

    Args:
        nodes: what they may stand for, best first.
        classes: of each of these.
        relations: of a value, those that lead to it.
    """

    words: str
    nodes: tuple[Node, ...]
    classes: tuple[tuple[Entity, ...], ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class SchemaView:
    """A part of a graph's schema, chosen for a question.

    Args:
        kind: how statements and labels are stored: "local", "wikidata", "freebase", "dbpedia", "rdf".
        left_out: how many classes and relations of the graph are not shown.
        ids: whether things are shown by their terms beside their labels, or by labels alone, where there is one.
        instance, subclass: the ids of the relations that say of which class a thing is, and of which a class.
    """

    kind: str
    terms: QueryTerms
    classes: tuple[ClassSeen, ...]
    relations: tuple[RelationSeen, ...]
    named: tuple[QuestionName, ...] = ()
    left_out: tuple[int, int] = (0, 0)
    ids: bool = True
    instance: tuple[str, ...] = ()
    subclass: tuple[str, ...] = ()
    _written: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def prologue(self) -> str:
        """The PREFIX lines that a query with these terms needs, beside those that the graph declares."""
        return "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in self.terms.prefixes.items())

    def class_lines(self) -> list[str]:
        """``[1] pv:Lamp "lamp" | 120 things, such as pi:lamp7 "Red lamp" | subclass of pv:Thing | what it is``."""
        lines = []
        for number, seen in enumerate(self.classes, 1):
            parts = [f"[{number}] {self.node(seen.entity)}"]
            count = "" if seen.count is None else f"{seen.count:,} things"
            such = f"such as {self.node(seen.example)}" if seen.example else ""
            parts += [", ".join(filter(None, (count, such)))] if count or such else []
            parts += [f"subclass of {self.kinds(seen.above)}"] if seen.above else []
            lines.append(_joined(parts, seen.description))
        return lines

    def relation_lines(self) -> list[str]:
        """``[1] pv:madeBy "made by" | pv:Lamp -> pv:Firm | 118 statements, several for one | pi:lamp7 "…" -> …``."""
        return [f"[{number}] {self.relation_line(seen)}" for number, seen in enumerate(self.relations, 1)]

    def relation_line(self, seen: RelationSeen) -> str:
        """A relation without its number."""
        kinds = [self.kinds(seen.ranges), *(_kind(kind, seen.units) for kind in seen.kinds)]
        ends = [self.kinds(seen.domains) or "?", ", ".join(filter(None, kinds)) or "things"]
        count = "" if seen.count is None else f"{seen.count:,} statements"
        parts = [self._named(direct(seen.relation.id), seen.relation.label), " -> ".join(ends)]
        parts += [", ".join(filter(None, (count, "several for one" if seen.several else "")))]
        if seen.values:
            parts.append(f"only: {'; '.join(map(self.node, seen.values))}")
        elif such := seen.near or (seen.example and (seen.example,)):
            parts.append(
                f"such as {'; '.join(f'{self.node(subject)} -> {self.node(value)}' for subject, value in such)}"
            )
        if seen.qualifiers:
            parts.append(f"qualified by {', '.join(self._named(q.id, q.label) for q in seen.qualifiers)}")
        return _joined([part for part in parts if part], seen.description)

    def named_lines(self) -> list[str]:
        """``"red lamp": pi:lamp7 "Red lamp" (pv:Lamp)``."""
        lines = []
        for entry in self.named:
            classes = entry.classes or ((),) * len(entry.nodes)
            shown = [
                self.node(node) + (f" ({self.kinds(of)})" if of else "")
                for node, of in zip(entry.nodes, classes, strict=True)
            ]
            over = f" of {', '.join(self.term(direct(r.id)) for r in entry.relations)}" if entry.relations else ""
            lines.append(f'"{data(entry.words, _NAME)}": {"; or ".join(shown)}{over}')
        return lines

    def node(self, node: Node) -> str:
        """An entity by its term and label, a literal by its value."""
        if isinstance(node, Entity):
            return self._named(node.id, node.label)
        return _literal_words(node)

    def kinds(self, classes: Iterable[Entity]) -> str:
        """Classes by their terms, or by their labels alone."""
        return ", ".join(self.term(entity.id) if self.ids else self.node(entity) for entity in classes)

    def term(self, identifier: str) -> str:
        """The term of an id, or what stands for it where it cannot be shown."""
        if identifier not in self._written:
            self._written[identifier] = self.terms.write(identifier)
        return self._written[identifier] or "(an id that is too long)"

    def _named(self, identifier: str, label: str | None) -> str:
        named = f'"{data(label, _NAME)}"' if label else ""
        return named if named and not self.ids else f"{self.term(identifier)} {named}".rstrip()


def _literal_words(value: Literal) -> str:
    """A literal as a line shows it: texts in quotation marks, with their language; a quantity with its unit."""
    text = data(value.value, _VALUE)
    if value.kind == "string":
        return f'"{text}"' + (f"@{value.lang}" if value.lang else "")
    if value.kind in ("unknown_value", "no_value"):
        return value.kind.replace("_", " ")
    return f"{text} {data(value.unit, _NAME)}" if value.unit else text


def _kind(kind: str, units: Sequence[str]) -> str:
    names = {"quantity": "number", "string": "text"}
    if kind == "quantity" and units:
        return f"quantity in {', '.join(data(unit, _NAME) for unit in units)}"
    return names.get(kind, kind.replace("_", " "))


def _joined(parts: Iterable[str], description: str | None) -> str:
    return " | ".join([*parts, *([data(description, _DESCRIPTION)] if description else [])])


LONGEST = 160  # characters of an IRI that is shown
_OFTEN = 2  # times that a namespace is used before it gets a prefix
_MOST = 12  # prefixes
_LOCAL = re.compile(r"\w(?:[\w-]*\w)?", re.ASCII)  # engines differ in what else they read: dots, escapes
_NAMESPACE = re.compile(r".*[/#:]", re.DOTALL)
#: The names that these go by everywhere.
_KNOWN = {
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://purl.org/dc/terms/": "dct",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/2002/07/owl#": "owl",
    "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo",
    "http://dbpedia.org/resource/": "dbr",
    "http://dbpedia.org/ontology/": "dbo",
    "http://www.wikidata.org/entity/": "wd",
    "http://www.wikidata.org/prop/direct/": "wdt",
    "http://rdf.freebase.com/ns/": "ns",
}
_WORD = re.compile(r"[a-z][a-z0-9-]*")
_ENTITY, _DIRECT = "http://www.wikidata.org/entity/P", "http://www.wikidata.org/prop/direct/P"


def direct(relation: str) -> str:
    """The IRI of the triples of a relation: of a property of Wikidata the direct one, of others the id itself."""
    return _DIRECT + relation.removeprefix(_ENTITY) if relation.startswith(_ENTITY) else relation


class QueryTerms:
    """Writes ids as they stand in a query.

    Args:
        declared: prefixes that every query on this graph has.
        ids: what will be written; namespaces that these share get prefixes of their own.

    Attributes:
        prefixes: those of its own, which a query has to declare.
    """

    def __init__(self, declared: Mapping[str, str], ids: Iterable[str]) -> None:
        self._by_namespace = {namespace: prefix for prefix, namespace in declared.items()}
        used = Counter(namespace for identifier in ids if (namespace := _split(iri_of_id(identifier))[0]))
        self.prefixes: dict[str, str] = {}
        prefixes = set(declared)
        for namespace, times in used.most_common(_MOST):
            if namespace not in self._by_namespace and times >= _OFTEN:
                name = _name(namespace, prefixes)
                prefixes.add(name)
                self.prefixes[name], self._by_namespace[namespace] = namespace, name

    def write(self, identifier: str) -> str | None:
        """The term of an id; None: it is too long to be shown, or no query can name it."""
        iri = iri_of_id(identifier)
        if len(iri) > LONGEST or not is_iri(iri):
            return None
        namespace, local = _split(iri)
        if namespace in self._by_namespace:
            return f"{self._by_namespace[namespace]}:{local}"
        return f"<{iri}>"


def _split(iri: str) -> tuple[str, str]:
    """Namespace and local name; two empty texts where the rest is no plain name."""
    match = _NAMESPACE.match(iri)
    if match is None or not _LOCAL.fullmatch(iri[match.end() :]) or not is_iri(match[0]):
        return "", ""
    return match[0], iri[match.end() :]


def _name(namespace: str, prefixes: set[str]) -> str:
    """A prefix from the last word of a namespace: its initials where it has several, else its first letters."""
    usual = _KNOWN.get(namespace)
    if usual is not None and usual not in prefixes:
        return usual
    words = _WORD.findall(re.split(r"[/#:]+", namespace.rstrip("/#:"))[-1].lower())
    word = words[-1] if words else "ns"
    parts = word.split("-")
    name = "".join(part[0] for part in parts if part) if len(parts) > 1 else word[:8]
    if name not in prefixes:
        return name
    return next(numbered for number in range(2, 99) if (numbered := f"{name}{number}") not in prefixes)
