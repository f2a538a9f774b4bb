"""Dialects: how statements and names lie in the triples of an endpoint, and how to tell which one it speaks.

Ours are described in ``dialects.toml``, but for the shape of their statements.

A third party adds one through the entry-point group ``toulmin.dialects``: a ``EndpointDialect`` under its name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.names import NameProfile
from toulmin.graph.endpoint.shape import Reification, StatementShape, TripleShape, find_reification
from toulmin.graph.endpoint.wikidata import WikidataShape
from toulmin.graph.readers.rdf_statements import ALIASES, DESCRIPTIONS, LABELS
from toulmin.graph.xsd import COMMON_PREFIXES
from toulmin.registry import Registry

__all__ = ["DIALECTS", "EndpointDialect", "detect_dialect", "find_dialect"]


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


_TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("dialects.toml").read_text("utf-8"))
_NAMES = {name: NameProfile(**table["names"]) for name, table in _TABLE.items() if "names" in table}
_NAMES["rdf"] = NameProfile(LABELS, ALIASES, DESCRIPTIONS, every_language=True)
_NAMES["wikidata"] = replace(
    _NAMES["wikidata"], no_entity=lambda identifier: re.search(r"/entity/[PL][1-9][^/]*\Z", identifier) is not None
)


def _triples(
    name: str, languages: Sequence[str] | None = None, reification: Reification | None = None
) -> StatementShape:
    names, left_out = _NAMES[name], _TABLE[name].get("left_out", ())
    return TripleShape((*names.labels, *names.aliases), names.descriptions, left_out, languages, reification)


_SHAPES: dict[str, Callable[[SparqlClient, Sequence[str]], StatementShape]] = {
    "wikidata": lambda client, languages: WikidataShape(languages),
    "freebase": lambda client, languages: _triples("freebase", languages),
    "dbpedia": lambda client, languages: _triples("dbpedia", languages),
    "rdf": lambda client, languages: _triples("rdf", reification=find_reification(client)),
}

#: The dialects that come with Toulmin, in the order in which they are tried; the last one fits everything.
DIALECTS: Mapping[str, EndpointDialect] = {
    name: EndpointDialect(
        name,
        table["probe"],
        _SHAPES[name],
        _NAMES[name],
        prefixes=COMMON_PREFIXES | table.get("prefixes", {}),
        hubs=table.get("hubs", False),
    )
    for name, table in _TABLE.items()
}
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
