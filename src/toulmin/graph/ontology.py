"""What ontologies declare of relations: which ids are some, and whose inverse each is; kept apart from statements."""

from __future__ import annotations

import re

from toulmin.graph.readers.raw_statements import RawStatement
from toulmin.graph.xsd import RDF, XSD

__all__ = ["Ontology"]

_RDFS, _OWL = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
_LANGUAGES = (RDF, _RDFS, _OWL, XSD)  # in which ontologies are written
_OF_SCHEMA = frozenset(_RDFS + name for name in ("domain", "range", "subPropertyOf", "isDefinedBy"))
_TYPE, _SYMMETRIC, _SAME = RDF + "type", _OWL + "SymmetricProperty", _OWL + "sameAs"
#: What declares two relations to be each other's inverse.
_INVERSE = {
    _OWL + "inverseOf": "owl:inverseOf",
    "http://schema.org/inverseOf": "schema:inverseOf",
    "https://schema.org/inverseOf": "schema:inverseOf",
}
#: Wikidata's, which is looser: the inverse of *child* is *father*, and *mother*.
_LOOSE_INVERSE = "http://www.wikidata.org/entity/P1696"
_PROPERTY = re.compile(r"/entity/P[1-9][0-9]*\Z", re.ASCII)  # of a Wikibase


class Ontology:
    """Collects declarations.

    Attributes:
        inverses: of a relation, those whose statements are its own the other way round, and what says so; of a
            symmetric relation itself.
    """

    def __init__(self) -> None:
        self.inverses: dict[str, dict[str, str]] = {}
        self._loose: dict[str, set[str]] = {}
        self._properties: set[str] = set()

    def take(self, fact: RawStatement) -> bool:
        """Take in what a fact declares, and say whether it is of an ontology's own language.

        Such a fact says how an ontology is written, nothing of the things: that a class is an ``owl:Class``, which
        values a property takes.
        """
        subject, relation, value = fact.subject, fact.relation, fact.object
        if isinstance(value, str) and value.startswith(_LANGUAGES):
            if relation == _TYPE and value == _SYMMETRIC:
                self.inverses.setdefault(subject, {})[subject] = "owl:SymmetricProperty"
            if relation == _TYPE and value.endswith("Property"):
                self._properties.add(subject)
            return True
        if (why := _INVERSE.get(relation)) and isinstance(value, str):
            self.inverses.setdefault(subject, {})[value] = why
            self.inverses.setdefault(value, {})[subject] = why
            self._properties |= {subject, value}
            return True
        if relation == _LOOSE_INVERSE and isinstance(value, str):
            self._loose.setdefault(subject, set()).add(value)
        return relation in _OF_SCHEMA or (relation.startswith(_OWL) and relation != _SAME)

    def declares(self, identifier: str) -> bool:
        """Whether an id is declared to be a relation, or is one of a Wikibase by its form."""
        return identifier in self._properties or ("/entity/P" in identifier and bool(_PROPERTY.search(identifier)))

    def backward(self) -> dict[str, list[str]]:
        """Of each relation the inverses whose names are its own walked backward; a loose one only where it is alone."""
        found = {one: list(others) for one, others in self.inverses.items()}
        for one, others in self._loose.items():
            if len(others) == 1:
                found[one] = list(dict.fromkeys([*found.get(one, ()), *others]))
        return found
