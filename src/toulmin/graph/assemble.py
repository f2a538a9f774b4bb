"""From records to tables: ids are numbered as they come, everything else is done on whole arrays at the end."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError, SourceError
from toulmin.graph.csr import Ints, gather, row_starts
from toulmin.graph.label_index import NameRow
from toulmin.graph.labels import is_machine_id, readable_id, readable_relation
from toulmin.graph.readers.protocol import Fact, Name
from toulmin.graph.tables import RANKS, Strings, Tables, hash_keys, is_canonical
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key, statement_digest

__all__ = ["Assembler", "Assembly"]

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_RANK_NUMBER = {rank: number for number, rank in enumerate(RANKS)}
_ALIAS = 1 << 16  # the standing of any alias, above that of any label
_MOST = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Assembly:
    """Tables, all names, and what was merged or dropped on the way."""

    tables: Tables
    names: list[NameRow]
    languages: dict[str, int]
    duplicates: int
    deprecated: int


class Assembler:
    """Collects facts and names, then makes the tables of a graph.

    Args:
        languages: preferred languages of labels, best first; then labels without a language, then any.
    """

    def __init__(self, languages: tuple[str, ...] = ("en",)) -> None:
        self._preferred = languages
        self._symbols: dict[str, int] = {}  # ids of entities and relations alike
        self._literals: dict[str, int] = {}
        self._subject, self._relation, self._object = array("i"), array("i"), array("i")  # a literal is ~its number
        self._rank, self._graph = array("B"), array("i")
        self._graphs: dict[str | None, int] = {}
        self._qualifier_end = array("q")
        self._qualifier_relation, self._qualifier_value = array("i"), array("i")
        self._digests = bytearray()
        self._owner, self._form = array("i"), list[str]()
        self._standing = array("i")  # of a name: less is better; aliases from _ALIAS on
        self._languages: dict[str, int] = {}
        self.deprecated = 0

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

    def _node(self, node: str | Literal) -> tuple[str, int]:
        if isinstance(node, str):
            return node, self._symbol(node)
        key = node_key(node)
        number = self._literals.get(key)
        if number is None:
            if not is_canonical(node):
                raise SourceError(f"the value {node.value[:80]!r} holds a control character (U+001E or U+001F)")
            _check_text(key)
            number = self._literals[key] = len(self._literals)
        return key, ~number

    def add(self, fact: Fact, graph: str | None = None) -> None:
        """Take in one statement; one of deprecated rank is counted only.

        Raises:
            SourceError: an id is empty, or a text holds what cannot be stored; nothing of the fact is kept.
        """
        if fact.rank == "deprecated":
            self.deprecated += 1
            return
        rank = _RANK_NUMBER.get(fact.rank)
        if rank is None:
            raise SourceError(f"unknown rank {fact.rank!r}: use preferred, normal or deprecated")
        subject, relation = self._symbol(fact.subject), self._symbol(fact.relation)
        key, obj = self._node(fact.object)
        pairs: list[tuple[str, str]] = []
        numbers: list[tuple[int, int]] = []
        for qualifier, value in fact.qualifiers:
            qualifier_number = self._symbol(qualifier)
            value_key, value_number = self._node(value)
            if (qualifier_number, value_number) not in numbers:
                pairs.append((qualifier, value_key))
                numbers.append((qualifier_number, value_number))
        self._digests += statement_digest(fact.subject, fact.relation, key, pairs, fact.rank)
        self._subject.append(subject)
        self._relation.append(relation)
        self._object.append(obj)
        self._rank.append(rank)
        self._graph.append(self._graphs.setdefault(graph, len(self._graphs)))
        for qualifier_number, value_number in numbers:
            self._qualifier_relation.append(qualifier_number)
            self._qualifier_value.append(value_number)
        self._qualifier_end.append(len(self._qualifier_value))

    def name(self, name: Name) -> None:
        """Take in one label or alias.

        Raises:
            SourceError: the id is unusable, or the form is empty or cannot be stored.
        """
        form = name.form.strip()
        if not form:
            raise SourceError(f"an empty {name.kind} of {name.id[:80]!r}")
        _check_text(form)
        self._owner.append(self._symbol(name.id))
        self._form.append(form)
        lang = name.lang or ""
        self._languages[lang] = self._languages.get(lang, 0) + 1
        self._standing.append(self._language_rank(lang) + (_ALIAS if name.kind == "alias" else 0))

    def _language_rank(self, lang: str) -> int:
        for place, preferred in enumerate(self._preferred):
            if lang == preferred:
                return 2 * place
            if lang.startswith(preferred + "-"):
                return 2 * place + 1
        return 2 * len(self._preferred) + ({"": 0, "mul": 1}.get(lang, 2))

    def add_statements(
        self, statements: Iterable[Statement], labels: Mapping[str, str], *, keep_graph: bool = True
    ) -> None:
        """Take in statements and the labels they carry, ``labels`` first."""
        named: set[tuple[str, str]] = set()

        def put(identifier: str, label: str | None) -> None:
            if label and (identifier, label) not in named:
                named.add((identifier, label))
                self.name(Name(identifier, label))

        def known(named: Entity | Relation) -> str:
            put(named.id, labels.get(named.id))
            put(named.id, named.label)
            return named.id

        def plain(node: Node) -> str | Literal:
            return known(node) if isinstance(node, Entity) else node

        for statement in statements:
            subject, relation, obj = known(statement.subject), known(statement.relation), plain(statement.object)
            qualifiers = tuple((known(q.relation), plain(q.value)) for q in statement.qualifiers)
            self.add(Fact(subject, relation, obj, qualifiers, statement.rank), statement.graph if keep_graph else None)

    def finish(self) -> Assembly:
        """Merge duplicates, number nodes and relations, and sort everything; the assembler is of no use afterwards."""
        if len(self._subject) > _MOST:
            raise GraphError(f"{len(self._subject):,} statements: more than {_MOST:,} need a SPARQL endpoint")
        digests = np.frombuffer(bytes(self._digests), dtype=">u8").astype(np.uint64).reshape(-1, 2)
        graph = np.array(self._graph, dtype=np.int32)
        kept = _first_of_each(digests, graph)
        digests, graph = digests[kept], graph[kept]
        duplicates = len(self._subject) - len(kept)
        subject = np.array(self._subject, dtype=np.int32)[kept]
        relation = np.array(self._relation, dtype=np.int32)[kept]
        obj = np.array(self._object, dtype=np.int32)[kept]
        rank = np.array(self._rank, dtype=np.uint8)[kept]
        ends = np.zeros(len(self._qualifier_end) + 1, dtype=np.int64)
        ends[1:] = np.array(self._qualifier_end, dtype=np.int64)
        taken = gather(ends, kept)
        qualifier_relation = np.array(self._qualifier_relation, dtype=np.int32)[taken]
        qualifier_value = np.array(self._qualifier_value, dtype=np.int32)[taken]
        qualifier_count = np.diff(ends)[kept]

        relation_symbols, relation_number = self._number_relations(relation, qualifier_relation)
        node = self._number_nodes(np.concatenate([subject, obj, qualifier_value]), relation_number)
        subject, obj, qualifier_value = node.of(subject), node.of(obj), node.of(qualifier_value)
        relation, qualifier_relation = relation_number[relation], relation_number[qualifier_relation]

        order = np.lexsort((obj, relation, subject))
        start = np.zeros(len(kept) + 1, dtype=np.int64)
        np.cumsum(qualifier_count, out=start[1:])
        moved = gather(start, order)
        np.cumsum(qualifier_count[order], out=start[1:])
        subject, relation, obj = subject[order], relation[order], obj[order]
        by_object = np.lexsort((subject, relation, obj)).astype(np.int32)
        digests = digests[order]
        by_digest = np.lexsort((digests[:, 1], digests[:, 0])).astype(np.int32)

        keys = node.keys
        out_start, in_start = row_starts(subject, len(keys)), row_starts(obj, len(keys))
        label_of, names, machine = self._choose_names(
            node, relation_number, weight=np.diff(out_start) + np.diff(in_start)
        )
        ids = list(self._symbols)
        hashes = hash_keys(keys)
        by_hash = np.argsort(hashes, kind="stable").astype(np.int32)
        tables = Tables(
            keys=Strings.of(keys),
            labels=Strings.of(label_of[: node.n_entities]),
            key_hash=hashes[by_hash],
            key_node=by_hash,
            machine=machine,
            relations=tuple(
                Relation(ids[symbol], label)
                for symbol, label in zip(relation_symbols, label_of[node.n_entities :], strict=True)
            ),
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
            digest_high=digests[by_digest, 0],
            digest_low=digests[by_digest, 1],
            digest_statement=by_digest,
            graph=graph[order] if len(self._graphs) > 1 else None,
            graph_names=tuple(self._graphs) or (None,),
        )
        return Assembly(tables, names, self._languages, duplicates, self.deprecated)

    def _number_relations(self, relation: Ints, qualifier_relation: Ints) -> tuple[list[int], Ints]:
        """Relation symbols by falling frequency, then id; and symbol -> relation number (-1: no relation)."""
        ids = list(self._symbols)
        count = np.bincount(relation, minlength=len(ids))
        used = np.unique(np.concatenate([relation, qualifier_relation])).tolist()
        symbols = sorted(used, key=lambda symbol: (-int(count[symbol]), ids[symbol]))
        number = np.full(len(ids), -1, dtype=np.int32)
        number[symbols] = np.arange(len(symbols), dtype=np.int32)
        return symbols, number

    def _number_nodes(self, used: Ints, relation_number: Ints) -> _Nodes:
        """Entities are the ids that statements use as nodes, and those that have a name and are no relation."""
        is_entity = np.zeros(len(self._symbols), dtype=np.bool_)
        is_entity[np.array(self._owner, dtype=np.int32)] = True
        is_entity &= relation_number < 0
        is_entity[used[used >= 0]] = True
        is_used = np.zeros(len(self._literals), dtype=np.bool_)
        is_used[~used[used < 0]] = True
        keys = [*compress(self._symbols, is_entity.tolist()), *compress(self._literals, is_used.tolist())]
        n_entities = int(is_entity.sum())
        of_symbol = np.where(is_entity, np.cumsum(is_entity) - 1, -1).astype(np.int32)
        of_literal = (n_entities + np.cumsum(is_used) - 1).astype(np.int32)
        return _Nodes(keys, n_entities, of_symbol, of_literal)

    def _choose_names(
        self, node: _Nodes, relation_number: Ints, weight: NDArray[np.int64]
    ) -> tuple[list[str], list[NameRow], NDArray[np.bool_]]:
        """The label of each entity, then of each relation; every name for the index; which nodes are machine ids."""
        n_relations = int(relation_number.max(initial=-1)) + 1
        labels = [""] * (node.n_entities + n_relations)
        machine = np.zeros(len(node.keys), dtype=np.bool_)
        names: list[NameRow] = []
        ids = list(self._symbols)
        of_symbol, of_relation = node.of_symbol.tolist(), relation_number.tolist()
        for symbol, forms, alias_from in self._grouped_names():
            identifier = ids[symbol]
            told = [form for form in forms if not (identifier.endswith(form) and is_machine_id(form))]
            if told and alias_from == 0 and not is_machine_id(identifier):
                told.insert(0, readable_id(identifier))  # aliases only: the id reads better
            forms = list(dict.fromkeys(told or forms[:1]))
            number, relation = of_symbol[symbol], of_relation[symbol]
            if number >= 0:
                labels[number], machine[number] = forms[0], not told
                if told:
                    owed = int(weight[number])
                    names.extend(NameRow(number, form, place > 0, owed) for place, form in enumerate(forms))
            if relation >= 0:
                labels[node.n_entities + relation] = forms[0]
                names.extend(NameRow(-1 - relation, form, place > 0, 0) for place, form in enumerate(forms))
        for symbol, identifier in enumerate(ids):
            number, relation = of_symbol[symbol], of_relation[symbol]
            if number >= 0 and not labels[number]:
                labels[number], machine[number] = readable_id(identifier), is_machine_id(identifier)
                if not machine[number]:
                    names.append(NameRow(number, labels[number], False, int(weight[number])))
            if relation >= 0 and not labels[node.n_entities + relation]:
                label = labels[node.n_entities + relation] = readable_relation(identifier)
                names.append(NameRow(-1 - relation, label, False, 0))
        return labels, names, machine

    def _grouped_names(self) -> Iterator[tuple[int, list[str], int]]:
        """For each named id: its symbol, its forms best first, and how many of these are labels."""
        owner = np.array(self._owner, dtype=np.int32)
        standing = np.array(self._standing, dtype=np.int32)
        order = np.lexsort((standing, owner))
        bounds = np.flatnonzero(np.diff(owner[order], prepend=-1, append=-1)).tolist()
        for start, end in pairwise(bounds):
            places = order[start:end]
            forms = [self._form[place] for place in places.tolist()]
            yield int(owner[places[0]]), forms, int((standing[places] < _ALIAS).sum())


@dataclass(frozen=True, slots=True)
class _Nodes:
    """Node keys in their final order, and the numbers of symbols and literals among them."""

    keys: list[str]
    n_entities: int
    of_symbol: Ints
    of_literal: Ints

    def of(self, found: Ints) -> Ints:
        """Node numbers of symbols (0 or more) and literals (~number)."""
        if not len(self.of_literal):
            return self.of_symbol[found]
        literal = found < 0
        return np.where(
            literal, self.of_literal[np.where(literal, ~found, 0)], self.of_symbol[np.where(literal, 0, found)]
        )


def _first_of_each(digests: NDArray[np.uint64], graph: Ints) -> NDArray[np.int64]:
    """The first place of each distinct (digest, graph), ascending."""
    order = np.lexsort((graph, digests[:, 1], digests[:, 0]))
    ordered, graphs = digests[order], graph[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1) | (graphs[1:] != graphs[:-1])
    return np.sort(order[new])


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SourceError(f"{text[:80]!r} holds half of a surrogate pair, which is no Unicode text") from None
