"""A graph as RDF: the mapping between ids and IRIs, and the N-Quads that the SPARQL engine loads.

The default graph holds one triple per statement and nothing else. Statements with qualifiers or of preferred rank are
in the named graph ``urn:toulmin:qualifiers`` as well, each with an RDF 1.2 reifier ``urn:toulmin:statement:<digest>``
that carries them: ``GRAPH toulmin:qualifiers { ?s ?p ?o {| ?qualifier ?value |} }``. Names (rdfs:label,
skos:altLabel; of a relation walked backward owl:inverseOf) are in the named graph ``urn:toulmin:names``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.label_index import NameRow
from toulmin.graph.merkle import NAMING
from toulmin.graph.tables import Tables, literal_from_key
from toulmin.graph.xsd import COMMON_PREFIXES, RDF

__all__ = ["BASE_IRI", "NAMES_GRAPH", "PREFIXES", "build_store", "count_quads", "id_of_iri", "iri_of_id"]

#: Where ids that are no IRI live: ``:Kismet`` in a query is the entity "Kismet".
BASE_IRI = "toulmin://graph/"
_STATEMENT_PREFIX = "urn:toulmin:statement:"
NAMES_GRAPH = "urn:toulmin:names"
_QUALIFIERS_GRAPH = "urn:toulmin:qualifiers"
_RANK_IRI = "urn:toulmin:rank"

#: Declared in every query.
PREFIXES = {
    "": BASE_IRI,
    "e": "urn:toulmin:e:",
    "r": "urn:toulmin:r:",
    "toulmin": "urn:toulmin:",
    **COMMON_PREFIXES,
}

_CHUNK = 100_000  # lines loaded at a time


def id_of_iri(iri: str) -> str:
    """The id that an IRI of a query result stands for."""
    return unquote(iri[len(BASE_IRI) :]) if iri.startswith(BASE_IRI) else iri


def iri_of_id(identifier: str) -> str:
    """The IRI of an id in a query. An id that is no IRI (a blank node, a plain name) gets one of ours."""
    from toulmin.graph.sparql import is_iri

    is_own = identifier.startswith(BASE_IRI) or not is_iri(identifier)
    return BASE_IRI + quote(identifier, safe="") if is_own else identifier


def build_store(
    path: Path, tables: Tables, names: Sequence[NameRow], loaded: Callable[[int], bool] = lambda _: True
) -> None:
    """Make the pyoxigraph store of a graph in a new directory.

    Args:
        loaded: told how many quads were just loaded; returns whether to go on.
    """
    from pyoxigraph import RdfFormat, Store

    store = Store(path)
    quads = _quads(tables, names)
    # The loader holds all that one call gives it in memory, several times over.
    while chunk := list(islice(quads, _CHUNK)):
        store.bulk_load(input="".join(chunk).encode(), format=RdfFormat.N_QUADS)
        if not loaded(len(chunk)):
            return
    store.optimize()
    store.flush()


def count_quads(tables: Tables, names: Sequence[NameRow]) -> int:
    """How many quads a graph has."""
    reifying = 2 * len(_reified(tables)) + int((tables.rank > 0).sum()) + len(tables.qualifier_value)
    return tables.n_statements + reifying + len(names)


def _reified(tables: Tables) -> NDArray[np.int64]:
    """The statements that have qualifiers or another rank than normal."""
    return np.flatnonzero((np.diff(tables.qualifier_start) > 0) | (tables.rank > 0))


def _quads(tables: Tables, names: Iterable[NameRow]) -> Iterator[str]:
    """The lines of a graph as N-Quads (RDF 1.2), whose literals are written as SPARQL's are."""
    from toulmin.graph.sparql import literal, node

    numbers = np.arange(tables.n_nodes)
    keys = tables.keys.many(numbers)
    nodes = [f"<{iri_of_id(key)}>" for key in keys[: tables.n_entities]]
    nodes += [node(literal_from_key(key)) for key in keys[tables.n_entities :]]
    relations = [f"<{iri_of_id(relation.id)}>" for relation in tables.relations]
    for start in range(0, tables.n_statements, _CHUNK):
        chunk = slice(start, start + _CHUNK)
        columns = (tables.subject[chunk].tolist(), tables.relation[chunk].tolist(), tables.object[chunk].tolist())
        for s, r, o in zip(*columns, strict=True):
            yield f"{nodes[s]} {relations[r]} {nodes[o]} .\n"
    yield from _reifiers(tables, nodes, relations)
    for name in names:
        owner = nodes[name.owner] if name.owner >= 0 else relations[-1 - name.owner]
        yield f"{owner} <{NAMING[name.kind]}> {literal(name.form)} <{NAMES_GRAPH}> .\n"


def _reifiers(tables: Tables, nodes: list[str], relations: list[str]) -> Iterator[str]:
    graph = f"<{_QUALIFIERS_GRAPH}>"
    place = np.empty(tables.n_statements, dtype=np.int64)  # of each statement among the digests
    place[tables.digest_statement] = np.arange(tables.n_statements)
    for row in _reified(tables).tolist():
        at = place[row]
        reifier = f"<{_STATEMENT_PREFIX}{int(tables.digest_high[at]):016x}{int(tables.digest_low[at]):016x}>"
        triple = f"{nodes[tables.subject[row]]} {relations[tables.relation[row]]} {nodes[tables.object[row]]}"
        yield f"{triple} {graph} .\n"
        yield f"{reifier} <{RDF}reifies> <<( {triple} )>> {graph} .\n"
        if tables.rank[row]:
            yield f'{reifier} <{_RANK_IRI}> "preferred" {graph} .\n'
        for number in range(int(tables.qualifier_start[row]), int(tables.qualifier_start[row + 1])):
            value = nodes[tables.qualifier_value[number]]
            yield f"{reifier} {relations[tables.qualifier_relation[number]]} {value} {graph} .\n"
