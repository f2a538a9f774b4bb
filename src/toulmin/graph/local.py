"""A graph on this machine: tables, label index and SPARQL store, wherever they lie."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.closing import Closing
from toulmin.graph.csr import Csr, Ints, over
from toulmin.graph.label_index import LabelIndex, NameMatch
from toulmin.graph.merkle import Trees
from toulmin.graph.protocol import LabelMatch, QueryResult, Side, check_asked
from toulmin.graph.query_process import QueryProcess
from toulmin.graph.ranges import Ranges
from toulmin.graph.rdf_store import id_of_iri
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.tables import Tables
from toulmin.graph.types import DESCRIPTION, Entity, EntityInfo, Literal, Relation, Statement

__all__ = ["LocalGraph"]


class LocalGraph(Closing):
    """Everything that the protocol asks of a graph, over arrays. Base of the embedded and the in-memory graph.

    Attributes:
        name: a short name, used as prefix of statement ids in a union.
    """

    def __init__(
        self, tables: Tables, index: LabelIndex, name: str, languages: Sequence[str], trees: Callable[[], Trees]
    ) -> None:
        self.name, self._tables, self._index, self._trees = name, tables, index, trees
        self._languages = tuple(languages)
        self._subgraph = Subgraph(tables)
        self._queries = QueryProcess(self._store)

    @abstractmethod
    def _store(self) -> Path:
        """The directory of the SPARQL store; asked for whenever a query process starts."""

    @cached_property
    def fingerprint(self) -> str:
        """The Merkle root over the statements and names, 64 hexadecimal digits."""
        return self._trees().root

    @cached_property
    def ranges(self) -> Ranges:
        """The statements and names in the orders of the Merkle trees, and proofs of what is there."""
        return Ranges(self._tables, self._index, self._trees(), self.name)

    def statements(
        self,
        entities: Sequence[str],
        *,
        side: Side = "both",
        relations: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[list[Statement]]:
        """The statements of each entity, outgoing ones first, at most ``limit`` for each entity and side."""
        check_asked(side, limit)
        wanted: Ints | None = None
        if relations is not None:
            number = self._subgraph.relation_number
            known = {number[relation] for relation in relations if relation in number}
            wanted = np.array(sorted(known), dtype=np.int32)
        numbers = self._tables.find_many(entities)
        asked = np.flatnonzero((numbers >= 0) & (numbers < self._tables.n_entities))
        nodes = numbers[asked]
        rows, owner = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)  # owner: which of ``nodes`` a row is of
        if side != "incoming":
            rows, owner = _edges(self._subgraph.outgoing, nodes, wanted, limit)
        if side != "outgoing":
            incoming, of = _edges(self._subgraph.incoming, nodes, wanted, limit, loops=side == "incoming")
            rows, owner = np.concatenate([rows, incoming]), np.concatenate([owner, of])
            order = np.argsort(owner, kind="stable")
            rows, owner = rows[order], owner[order]
        ends = np.zeros(len(entities) + 1, dtype=np.int64)
        ends[asked + 1] = np.bincount(owner, minlength=len(nodes))
        statements = self._tables.statements(rows)
        return [statements[start:end] for start, end in pairwise(np.cumsum(ends).tolist())]

    def contains(self, statements: Sequence[Statement]) -> list[bool]:
        """Whether each statement, with exactly its qualifiers and rank, is in the graph."""
        return self._tables.holds([statement.digest for statement in statements])

    def describe(self, entities: Sequence[str]) -> list[EntityInfo | None]:
        """Label, aliases and description of each entity or relation; None for an unknown id."""
        numbers = self._tables.find_many(entities)
        is_entity = (numbers >= 0) & (numbers < self._tables.n_entities)
        relations = [self._subgraph.relation_number.get(entity) for entity in entities]
        owners = [
            number if entity else -1 - relation if relation is not None else None
            for number, entity, relation in zip(numbers.tolist(), is_entity.tolist(), relations, strict=True)
        ]
        labels = iter(self._tables.labels.many(numbers[is_entity]))
        forms = self._index.forms([owner for owner in owners if owner is not None])
        described = self.statements(entities, side="outgoing", relations=[DESCRIPTION])
        infos: list[EntityInfo | None] = []
        for entity, owner, descriptions in zip(entities, owners, described, strict=True):
            if owner is None:
                infos.append(None)
                continue
            label = next(labels) if owner >= 0 else self._tables.relations[-1 - owner].label
            aliases = tuple(form for form in forms[owner] if form != label)
            texts = [s.object for s in descriptions if isinstance(s.object, Literal) and s.object.kind == "string"]
            best = min(texts, key=lambda text: self._language_place(text.lang), default=None)
            infos.append(EntityInfo(Entity(entity, label), aliases, best.value if best else None))
        return infos

    def inverse_names(self, relations: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What each relation is called when it is walked backward; those without such a name are left out."""
        known = self._subgraph.relation_number
        owners = {relation: -1 - known[relation] for relation in relations if relation in known}
        forms = self._index.forms(list(owners.values()), backward=True)
        return {relation: tuple(forms[owner]) for relation, owner in owners.items() if forms[owner]}

    def _language_place(self, lang: str | None) -> int:
        for place, preferred in enumerate(self._languages):
            if lang == preferred or (lang or "").startswith(preferred + "-"):
                return place
        return len(self._languages) + (lang is not None)

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities having exactly these labels or aliases after normalisation, the most connected first, per form."""
        lists = self._index.lookup(forms)
        labelled = iter(self._label_matches([match for matches in lists for match in matches]))
        return [[next(labelled) for _ in matches] for matches in lists]

    def search(self, text: str, limit: int = 10) -> list[LabelMatch]:
        """Entities by full text and near matches of their labels and aliases, best first."""
        return self._label_matches(self._index.search(text, limit))

    def _label_matches(self, matches: Sequence[NameMatch]) -> list[LabelMatch]:
        ids = self._tables.keys.many(np.array([match.owner for match in matches], dtype=np.int64))
        return [
            LabelMatch(identifier, match.form, match.alias, match.score)
            for identifier, match in zip(ids, matches, strict=True)
        ]

    def relations(self) -> list[tuple[Relation, int]]:
        """Every relation with its number of statements, most frequent first; those of qualifiers only are left out."""
        counts = self._tables.relation_counts.tolist()
        return [(relation, count) for relation, count in zip(self._tables.relations, counts, strict=True) if count]

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        """All of the graph, without copying."""
        return self._subgraph

    def query(self, sparql: str, *, timeout: float = 30.0, limit: int | None = None) -> QueryResult:
        """Run a read-only SPARQL query (SELECT or ASK) in a process that is killed after ``timeout`` seconds.

        The prefixes of ``rdf_store.PREFIXES`` are declared. Numbers come back in canonical form ("1.5" for "1.50").

        Args:
            timeout: seconds.
            limit: rows after which to stop.

        Raises:
            QueryError: malformed, an update, or too slow.
        """
        from toulmin.graph.sparql import query_result

        result = self._queries.run(sparql, timeout, limit)
        rows = result.get("results", {}).get("bindings", ())
        return query_result(result["head"].get("vars", ()), rows, result.get("boolean"), self._entities)

    def _entities(self, iris: list[str]) -> dict[str, Entity]:
        def label(identifier: str) -> str | None:
            if (number := self._subgraph.index(identifier)) is not None:
                return self._tables.labels[number]
            relation = self._subgraph.relation_number.get(identifier)
            return None if relation is None else self._tables.relations[relation].label

        ids = {iri: id_of_iri(iri) for iri in iris}
        return {iri: Entity(identifier, label(identifier)) for iri, identifier in ids.items()}

    def close(self) -> None:
        """Close the label index and stop the query process."""
        self._queries.close()
        self._index.close()


def _edges(
    edges: Csr, nodes: NDArray[np.int64], wanted: Ints | None, limit: int | None, *, loops: bool = True
) -> tuple[Ints, NDArray[np.int64]]:
    """The statements of nodes, node after node, and which of ``nodes`` each is of.

    Args:
        wanted: of these relations only, ascending.
        limit: at most so many for each node.
        loops: whether self-loops are among them.
    """
    places, owner = over(edges, nodes, wanted)
    if not loops:
        straight = edges.neighbour[places] != nodes[owner]
        places, owner = places[straight], owner[straight]
    if limit is not None:
        first = np.searchsorted(owner, owner)  # where the node's own begin
        within = np.arange(len(owner)) - first < limit
        places, owner = places[within], owner[within]
    return edges.statement[places], owner
