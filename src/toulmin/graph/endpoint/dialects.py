"""Dialects: how statements and names lie in the triples of an endpoint, and how to tell which one it speaks.

A third party adds one through the entry-point group ``toulmin.dialects``: a ``EndpointDialect`` under its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.names import NameProfile
from toulmin.graph.endpoint.shape import Reification, StatementShape, TripleShape, find_reification
from toulmin.graph.endpoint.wikidata import WikidataShape
from toulmin.graph.readers.rdf_statements import ALIASES, DESCRIPTIONS, LABELS
from toulmin.graph.types import DESCRIPTION
from toulmin.graph.wikibase import WIKIBASE
from toulmin.graph.xsd import RDF, XSD
from toulmin.registry import Registry

__all__ = ["DIALECTS", "EndpointDialect", "detect_dialect", "find_dialect"]

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_DBO = "http://dbpedia.org/ontology/"
_FREEBASE = "http://rdf.freebase.com/ns/"
_WIKIDATA = "http://www.wikidata.org/"
_COMMON = {"rdf": RDF, "rdfs": _RDFS, "skos": _SKOS, "xsd": XSD, "schema": "http://schema.org/"}


@dataclass(frozen=True)
class EndpointDialect:
    """What sets one kind of endpoint apart.

    Args:
        name: as in ``--dialect``.
        probe: a pattern that matches something on every endpoint of this kind, and on no other.
        shape: makes the shape of its statements for a client and preferred languages; may ask the endpoint.
        names: where its labels are.
        prefixes: declared in queries of users that do not declare them.
        hubs: entities may have millions of statements: statements are always asked for with a limit for each entity,
            which is slower than one limit for all of them.
    """

    name: str
    probe: str
    shape: Callable[[SparqlClient, Sequence[str]], StatementShape]
    names: NameProfile
    prefixes: Mapping[str, str] = field(default_factory=dict)
    hubs: bool = False


_RDF_NAMES = NameProfile(LABELS, ALIASES, DESCRIPTIONS, every_language=True)
_DBPEDIA_NAMES = NameProfile(
    labels={_RDFS + "label": 0, "http://xmlns.com/foaf/0.1/name": 1},
    aliases=(_SKOS + "altLabel", _DBO + "alias"),
    descriptions=(_DBO + "abstract", _RDFS + "comment", DESCRIPTION),
    redirect=_DBO + "wikiPageRedirects",
)
_FREEBASE_NAMES = NameProfile(
    labels={_FREEBASE + "type.object.name": 0, _RDFS + "label": 1},
    aliases=(_FREEBASE + "common.topic.alias",),
    descriptions=(_FREEBASE + "common.topic.description",),
)
_WIKIDATA_NAMES = NameProfile(
    labels={_RDFS + "label": 0},
    aliases=(_SKOS + "altLabel",),
    descriptions=(DESCRIPTION,),
    tags=("mul",),
    scan=False,  # more than 10^9 names: no server looks through them in time
    no_entity=lambda identifier: re.search(r"/entity/[PL][1-9][^/]*\Z", identifier) is not None,
)
#: About the page of an entity, not about the entity.
_DBPEDIA_PAGES = (
    *(_DBO + name for name in ("wikiPageWikiLink", "wikiPageExternalLink", "wikiPageID", "wikiPageRevisionID")),
    *(
        _DBO + name
        for name in ("wikiPageLength", "wikiPageRedirects", "wikiPageDisambiguates", "wikiPageInterLanguageLink")
    ),
    "http://dbpedia.org/property/wikiPageUsesTemplate",
    "http://www.w3.org/ns/prov#wasDerivedFrom",
    "http://xmlns.com/foaf/0.1/isPrimaryTopicOf",
    "http://xmlns.com/foaf/0.1/primaryTopic",
    "http://www.w3.org/2002/07/owl#sameAs",
)


def _triples(
    names: NameProfile,
    languages: Sequence[str] | None = None,
    left_out: Sequence[str] = (),
    reification: Reification | None = None,
) -> StatementShape:
    return TripleShape((*names.labels, *names.aliases), names.descriptions, left_out, languages, reification)


_ALL = (
    EndpointDialect(
        "wikidata",
        f"?statement <{WIKIBASE}rank> <{WIKIBASE}NormalRank>",
        lambda client, languages: WikidataShape(languages),
        _WIKIDATA_NAMES,
        _COMMON
        | {
            "wd": f"{_WIKIDATA}entity/",
            "wdt": f"{_WIKIDATA}prop/direct/",
            "p": f"{_WIKIDATA}prop/",
            "ps": f"{_WIKIDATA}prop/statement/",
            "psv": f"{_WIKIDATA}prop/statement/value/",
            "pq": f"{_WIKIDATA}prop/qualifier/",
            "pqv": f"{_WIKIDATA}prop/qualifier/value/",
            "wikibase": WIKIBASE,
        },
        hubs=True,
    ),
    EndpointDialect(
        "freebase",
        f"?topic <{_FREEBASE}type.object.name> ?name",
        lambda client, languages: _triples(_FREEBASE_NAMES, languages),
        _FREEBASE_NAMES,
        _COMMON | {"ns": _FREEBASE},
    ),
    EndpointDialect(
        "dbpedia",
        f"?thing <{_DBO}abstract> ?abstract",
        lambda client, languages: _triples(_DBPEDIA_NAMES, languages, _DBPEDIA_PAGES),
        _DBPEDIA_NAMES,
        _COMMON
        | {
            "dbo": _DBO,
            "dbr": "http://dbpedia.org/resource/",
            "dbp": "http://dbpedia.org/property/",
            "foaf": "http://xmlns.com/foaf/0.1/",
        },
    ),
    EndpointDialect(
        "rdf",
        "?subject ?predicate ?object",
        lambda client, languages: _triples(_RDF_NAMES, reification=find_reification(client)),
        _RDF_NAMES,
        _COMMON,
    ),
)

#: The dialects that come with Toulmin, in the order in which they are tried; the last one fits everything.
DIALECTS: Mapping[str, EndpointDialect] = {dialect.name: dialect for dialect in _ALL}
_DIALECTS = Registry("dialect", "toulmin.dialects", DIALECTS, of=EndpointDialect)


def find_dialect(name: str) -> EndpointDialect:
    """The dialect of that name, ours or an installed package's.

    Raises:
        SettingsError: there is none, two packages bring one of that name, or what one brings is no ``EndpointDialect``.
    """
    return _DIALECTS.get(name)


def detect_dialect(client: SparqlClient) -> EndpointDialect:
    """The first of ``DIALECTS`` whose probe matches; one cheap request."""
    *special, plain = DIALECTS.values()
    matching = client.matching([dialect.probe for dialect in special])
    return next((dialect for dialect, fits in zip(special, matching, strict=True) if fits), plain)
