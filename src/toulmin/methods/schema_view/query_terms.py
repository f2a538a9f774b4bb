"""How ids are written in queries: short names with prefixes where a namespace is used often, else IRIs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from toulmin.graph.rdf_store import iri_of_id
from toulmin.graph.sparql import is_iri

__all__ = ["LONGEST", "QueryTerms", "direct"]

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
