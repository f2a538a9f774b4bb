"""From records to tables: ids are numbered as they come, everything else is done on whole arrays at the end."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError, SourceError
from toulmin.graph.classes import class_nodes
from toulmin.graph.csr import Ints, gather, row_starts
from toulmin.graph.label_chooser import LabelChooser, UserWords, no_inverse
from toulmin.graph.label_index import NameKind, NameRow
from toulmin.graph.labels import is_unicode
from toulmin.graph.merkle import content_digests
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.tables import RANKS, Strings, Tables, hash_keys, literal_from_key
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key, parts_of
from toulmin.graph.xsd import RDF, XSD

__all__ = ["DERIVED", "Assembler", "Assembly", "Ontology"]


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
        """The inverses of each relation whose names it has walked backward; a loose one only if it has no other."""
        inverses = {relation: list(others) for relation, others in self.inverses.items()}
        for relation, others in self._loose.items():
            if len(others) == 1:
                inverses[relation] = list(dict.fromkeys([*inverses.get(relation, ()), *others]))
        return inverses


#: The qualifier of a statement that is not in a source but follows from another one, and of which declaration.
DERIVED = "http://www.w3.org/ns/prov#wasDerivedFrom"

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_RANK_NUMBER = {rank: number for number, rank in enumerate(RANKS)}
_MOST = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Assembly:
    """Tables, all names, and what was merged, dropped or added on the way.

    Args:
        names: the most connected entities' first, as the label index numbers them.
        digests: uint8[n_statements, 32].
        counts: of statements, as ``BuildReport`` has them: duplicates, deprecated, schema, derived.
        unfit: a user's own words that fit nothing in the graph.
    """

    tables: Tables
    names: list[NameRow]
    digests: NDArray[np.uint8]
    languages: dict[str, int]
    counts: dict[str, int]
    unfit: tuple[Rejected, ...] = ()


class Assembler:
    """Collects facts and names, then makes the tables of a graph.

    Args:
        languages: preferred languages of labels, best first; then labels without a language, then any.
    """

    def __init__(self, languages: tuple[str, ...] = ("en",)) -> None:
        self._names = LabelChooser(languages)
        self._symbols: dict[str, int] = {}  # ids of entities and relations alike
        self._literals: dict[str, int] = {}
        self._subject, self._relation, self._object = array("i"), array("i"), array("i")  # a literal is ~its number
        self._rank, self._graph = array("B"), array("i")
        self._graphs: dict[str | None, int] = {}
        self._qualifier_end = array("q")
        self._qualifier_relation, self._qualifier_value = array("i"), array("i")
        self._ontology = Ontology()
        self._counts = dict.fromkeys(("duplicates", "deprecated", "schema", "derived"), 0)

    def _symbol(self, identifier: str) -> int:
        number = self._symbols.get(identifier)
        if number is None:
            if not identifier:
                raise SourceError("an id is empty")
            if _CONTROL.search(identifier):
                raise SourceError(f"the id {identifier[:80]!r} holds a control character")
            _check_text(identifier)
            number = self._symbols[identifier] = len(self._symbols)
        return number

    def _node(self, node: str | Literal) -> int:
        if isinstance(node, str):
            return self._symbol(node)
        key = node_key(node)
        number = self._literals.get(key)
        if number is None:
            _check_text(key)
            number = self._literals[key] = len(self._literals)
        return ~number

    def take(self, record: Record) -> None:
        """Take in one record of a reader.

        Raises:
            SourceError: it is ``Rejected``, or cannot be used (``add``, ``name``).
        """
        if isinstance(record, RawStatement):
            self.add(record)
        elif isinstance(record, RawName):
            self.name(record)
        else:
            raise SourceError(record.reason, line=record.line)

    def add(self, fact: RawStatement, graph: str | None = None) -> None:
        """Take in one statement; one of deprecated rank, or of an ontology's own language, is counted only.

        What the latter say of symmetric and inverse properties is kept for ``add_inverses``.

        Raises:
            SourceError: an id is empty, or a text holds what cannot be stored; nothing of the fact is kept.
        """
        if fact.rank == "deprecated":
            self._counts["deprecated"] += 1
            return
        if self._ontology.take(fact):
            self._counts["schema"] += 1
            return
        rank = _RANK_NUMBER.get(fact.rank)
        if rank is None:
            raise SourceError(f"unknown rank {fact.rank!r}: use preferred, normal or deprecated")
        subject, relation = self._symbol(fact.subject), self._symbol(fact.relation)
        obj = self._node(fact.object)
        said: Iterable[tuple[int, int]] = ()
        if fact.qualifiers:
            said = dict.fromkeys((self._symbol(name), self._node(value)) for name, value in fact.qualifiers)
        self._subject.append(subject)
        self._relation.append(relation)
        self._object.append(obj)
        self._rank.append(rank)
        self._graph.append(self._graphs.setdefault(graph, len(self._graphs)))
        for qualifier, value in said:
            self._qualifier_relation.append(qualifier)
            self._qualifier_value.append(value)
        self._qualifier_end.append(len(self._qualifier_value))

    def add_inverses(self) -> None:
        """Add the other direction of each statement whose relation was declared symmetric, or inverse to another.

        Where it is not stated anyway; with the same qualifiers and one that says why (``DERIVED``), so that it is shown
        as what it is.
        """
        numbers, declared = self._symbols, self._ontology.inverses
        stated = {numbers[relation]: others for relation, others in declared.items() if relation in numbers}
        if not stated:
            return
        relations, objects = np.array(self._relation, dtype=np.int32), np.array(self._object, dtype=np.int32)
        rows = np.flatnonzero(np.isin(relations, list(stated)) & (objects >= 0)).tolist()
        ids, literals = list(self._symbols), list(self._literals)
        graphs = list(self._graphs)

        def node(number: int) -> str | Literal:
            return ids[number] if number >= 0 else literal_from_key(literals[~number])

        known = {(ids[self._subject[row]], ids[self._relation[row]], ids[self._object[row]]) for row in rows}
        facts: dict[tuple[RawStatement, str | None], None] = {}
        for row in rows:
            subject, obj = ids[self._subject[row]], ids[self._object[row]]
            first = self._qualifier_end[row - 1] if row else 0
            pairs = tuple(
                (ids[self._qualifier_relation[at]], node(self._qualifier_value[at]))
                for at in range(first, self._qualifier_end[row])
            )
            for other, why in stated[self._relation[row]].items():
                if (obj, other, subject) not in known:
                    fact = RawStatement(obj, other, subject, (*pairs, (DERIVED, Literal(why))), RANKS[self._rank[row]])
                    facts[fact, graphs[self._graph[row]]] = None
        for fact, graph in facts:
            self.add(fact, graph)
        self._counts["derived"] += len(facts)

    def name(self, name: RawName) -> None:
        """Take in one name.

        Raises:
            SourceError: the id is unusable, or the form is empty or cannot be stored.
        """
        _check_text(name.form)
        self._names.add(self._symbol(name.id), name)

    def add_statements(
        self, statements: Iterable[Statement], labels: Mapping[str, str], *, keep_graph: bool = True
    ) -> None:
        """Take in statements and the labels they carry, ``labels`` first."""
        named: set[tuple[str, str]] = set()

        def plain(node: Node) -> str | Literal:
            return node.id if isinstance(node, Entity) else node

        for statement in statements:
            for part in parts_of(statement):
                for label in (labels.get(part.id), part.label):
                    if label and (part.id, label) not in named:
                        named.add((part.id, label))
                        self.name(RawName(part.id, label))
            ends = statement.subject.id, statement.relation.id, plain(statement.object)
            qualifiers = tuple((q.relation.id, plain(q.value)) for q in statement.qualifiers)
            self.add(RawStatement(*ends, qualifiers, statement.rank), statement.graph if keep_graph else None)

    def finish(self, words: UserWords | None = None) -> Assembly:
        """Merge duplicates, number nodes and relations, and sort everything; the assembler is of no use afterwards.

        Args:
            words: a user's own, for what is in the graph.
        """
        if len(self._subject) > _MOST:
            raise GraphError(f"{len(self._subject):,} statements: more than {_MOST:,} need a SPARQL endpoint")
        backward = {iri: others for iri, others in self._ontology.backward().items() if iri in self._symbols}
        inverses = {self._symbols[iri]: [self._symbol(other) for other in others] for iri, others in backward.items()}
        digests = content_digests(
            list(self._symbols),
            list(self._literals),
            (self._subject, self._relation, self._object, self._rank, self._qualifier_end),
            (self._qualifier_relation, self._qualifier_value),
        )
        graph = np.array(self._graph, dtype=np.int32)
        kept = _first_of_each(digests, graph)
        digests, graph = digests[kept], graph[kept]
        self._counts["duplicates"] = len(self._subject) - len(kept)
        triple = self._subject, self._relation, self._object
        subject, relation, obj = (np.array(column, dtype=np.int32)[kept] for column in triple)
        rank = np.array(self._rank, dtype=np.uint8)[kept]
        ends = np.append(0, np.array(self._qualifier_end, dtype=np.int64))
        taken = gather(ends, kept)
        qualifier_relation = np.array(self._qualifier_relation, dtype=np.int32)[taken]
        qualifier_value = np.array(self._qualifier_value, dtype=np.int32)[taken]
        qualifier_count = np.diff(ends)[kept]

        relation_symbols, relation_number = self._number_relations(relation, qualifier_relation)
        declared = np.fromiter(map(self._ontology.declares, self._symbols), np.bool_, len(self._symbols))
        is_property = (relation_number >= 0) | declared
        keys, n_entities, node = self._number_nodes(np.concatenate([subject, obj, qualifier_value]), is_property)
        subject, obj, qualifier_value = node[subject], node[obj], node[qualifier_value]
        relation, qualifier_relation = relation_number[relation], relation_number[qualifier_relation]

        order = np.lexsort((obj, relation, subject))
        moved = gather(np.append(0, np.cumsum(qualifier_count)), order)
        start = np.append(0, np.cumsum(qualifier_count[order]))
        subject, relation, obj = subject[order], relation[order], obj[order]
        by_object = np.lexsort((subject, relation, obj)).astype(np.int32)
        digests = digests[order]
        high, low = _halves(digests)
        by_digest = np.lexsort((low, high)).astype(np.int32)

        out_start, in_start = row_starts(subject, len(keys)), row_starts(obj, len(keys))
        ids = list(self._symbols)
        degree = np.diff(out_start) + np.diff(in_start)
        unfit = [] if words is None else self._take_words(words, relation_number)

        def called(labels: Sequence[str]) -> tuple[Relation, ...]:
            return tuple(Relation(ids[symbol], label) for symbol, label in zip(relation_symbols, labels, strict=True))

        def find_classes(labels: Sequence[str]) -> NDArray[np.bool_]:
            return class_nodes(called(labels), subject, relation, obj, len(keys))[:n_entities]

        entity = node[: len(ids)]
        named = self._names.choose(ids, entity, relation_number, degree, is_property, inverses, find_classes)
        names = named.rows
        if words is not None:
            further = list(words.rows(names, self._symbols))
            unfit += [row for row in further if isinstance(row, Rejected)]
            names += [row for row in further if isinstance(row, NameRow)]
        machine = np.zeros(len(keys), dtype=np.bool_)
        machine[:n_entities] = named.machine
        hashes = hash_keys(keys)
        by_hash = np.argsort(hashes, kind="stable").astype(np.int32)
        tables = Tables(
            keys=Strings.of(keys),
            labels=Strings.of(named.entities),
            key_hash=hashes[by_hash],
            key_node=by_hash,
            machine=machine,
            relations=called(named.relations),
            relation_counts=np.bincount(relation, minlength=len(relation_symbols)).astype(np.int64),
            subject=subject,
            relation=relation,
            object=obj,
            rank=rank[order],
            qualifier_start=start,
            qualifier_relation=qualifier_relation[moved],
            qualifier_value=qualifier_value[moved],
            out_start=out_start,
            in_start=in_start,
            in_relation=relation[by_object],
            in_subject=subject[by_object],
            in_statement=by_object,
            digest_high=high[by_digest],
            digest_low=low[by_digest],
            digest_statement=by_digest,
            graph=graph[order] if len(self._graphs) > 1 else None,
            graph_names=tuple(self._graphs) or (None,),
        )
        return Assembly(
            tables,
            sorted(names, key=lambda name: -name.weight),
            digests,
            self._names.languages,
            self._counts,
            tuple(unfit),
        )

    def _take_words(self, words: UserWords, relation_number: Ints) -> list[Rejected]:
        """Take in the user's names of what is given by its id, and return those that fit nothing."""
        unfit: list[Rejected] = []
        for name, names in words.names.items():
            if (symbol := self._symbols.get(name)) is None:
                continue
            if names.get(NameKind.INVERSE) and relation_number[symbol] < 0:
                unfit.append(Rejected(None, no_inverse(name)))
                continue
            for kind, forms in names.items():
                for form in forms:
                    self._names.add(symbol, RawName(name, form, "inverse" if kind is NameKind.INVERSE else "alias"))
        return unfit

    def _number_relations(self, relation: Ints, qualifier_relation: Ints) -> tuple[list[int], Ints]:
        """Relation symbols by falling frequency, then id; and symbol -> relation number (-1: no relation)."""
        ids = list(self._symbols)
        count = np.bincount(relation, minlength=len(ids))
        used = np.unique(np.concatenate([relation, qualifier_relation])).tolist()
        symbols = sorted(used, key=lambda symbol: (-int(count[symbol]), ids[symbol]))
        number = np.full(len(ids), -1, dtype=np.int32)
        number[symbols] = np.arange(len(symbols), dtype=np.int32)
        return symbols, number

    def _number_nodes(self, used: Ints, is_property: NDArray[np.bool_]) -> tuple[list[str], int, Ints]:
        """Entities are the ids that statements use as nodes, and those that have a name and are no relation.

        Returns:
            Node keys in their final order, how many of them are entities', and the numbers there: of each symbol (-1:
            no node), and from the end backward of each literal, so that ~0 finds that of the first one.
        """
        is_entity = np.zeros(len(self._symbols), dtype=np.bool_)
        is_entity[self._names.owners()] = True
        is_entity &= ~is_property
        is_entity[used[used >= 0]] = True
        is_used = np.zeros(len(self._literals), dtype=np.bool_)
        is_used[~used[used < 0]] = True
        keys = [*compress(self._symbols, is_entity.tolist()), *compress(self._literals, is_used.tolist())]
        n_entities = int(is_entity.sum())
        of_symbol = np.where(is_entity, np.cumsum(is_entity) - 1, -1).astype(np.int32)
        of_literal = (n_entities + np.cumsum(is_used) - 1).astype(np.int32)
        return keys, n_entities, np.concatenate([of_symbol, of_literal[::-1]])


def _halves(digests: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The first 16 bytes of digests as two numbers each."""
    halves = np.ascontiguousarray(digests[:, :16]).view(">u8").astype(np.uint64)
    return halves[:, 0], halves[:, 1]


def _first_of_each(digests: NDArray[np.uint8], graph: Ints) -> NDArray[np.int64]:
    """The first place of each distinct (digest, graph), ascending."""
    high, low = _halves(digests)
    order = np.lexsort((graph, low, high))
    new = np.ones(len(order), dtype=np.bool_)
    columns = [column[order] for column in (high, low, graph)]
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.sort(order[new])


def _check_text(text: str) -> None:
    if not is_unicode(text):
        raise SourceError(f"{text[:80]!r} holds half of a surrogate pair, which is no Unicode text")
