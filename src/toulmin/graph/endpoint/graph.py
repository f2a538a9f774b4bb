"""A SPARQL endpoint as a graph: one request per batch of entities, names in further ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from itertools import chain
from urllib.parse import urlsplit

from toulmin.errors import QueryError, SettingsError
from toulmin.graph.classes import class_relation
from toulmin.graph.closing import Closing
from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.dialects import EndpointDialect, detect_dialect, find_dialect
from toulmin.graph.endpoint.names import EndpointNames, TextSearch, batches
from toulmin.graph.endpoint.settings import ClientSettings
from toulmin.graph.endpoint.shape import number_of
from toulmin.graph.labels import readable_id, readable_relation
from toulmin.graph.protocol import LabelMatch, QueryResult, Side, check_asked, crawl
from toulmin.graph.sparql import check_read_only, is_iri, query_result
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, EntityInfo, Literal, Node, Relation, Statement, parts_of, relabelled

__all__ = ["EndpointGraph", "open_endpoint"]

_TOGETHER = 5_000  # rows of one answer with the statements of several entities
_SEARCHING = 10.0  # seconds that parts of names are looked for, for a question
_LABELLED = 1000  # ids in a query's result that are given their labels
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):", re.IGNORECASE)


def open_endpoint(
    url: str,
    *,
    dialect: str | EndpointDialect | None = None,
    name: str | None = None,
    languages: Sequence[str] = ("en",),
    timeout: float | None = None,
    limit: int = 200,
    batch_size: int = 50,
    settings: ClientSettings | None = None,
) -> EndpointGraph:
    """Open a SPARQL endpoint.

    Args:
        dialect: a name or a profile; None: the endpoint is asked a few cheap questions.
        name: in a union of graphs; None: made from the address.
        languages: preferred languages of names, best first.
        timeout: seconds for one request (unless ``settings`` say so); None: 30.
        limit: statements taken for each node and side where a sub-graph is extracted.
        batch_size: entities in one request.
        settings: paging, retries, bounds and cache of the client.

    Raises:
        SettingsError: the address, the dialect, a language tag or a number cannot be used.
        EndpointError: the endpoint cannot be reached or does not answer in SPARQL JSON.
    """
    if limit < 1 or batch_size < 1:
        raise SettingsError(f"limit is {limit}, batch_size is {batch_size}: both must be at least 1")
    wrong = [language for language in languages if not re.fullmatch(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", language)]
    if wrong:
        raise SettingsError(f"not a language tag: {wrong[0]!r}")
    client = SparqlClient(url, settings or (ClientSettings() if timeout is None else ClientSettings(timeout=timeout)))
    try:
        profile = find_dialect(dialect) if isinstance(dialect, str) else dialect or detect_dialect(client)
        lowered = [language.lower() for language in languages]
        return EndpointGraph(client, profile, name or _name_of(url), lowered, limit, batch_size)
    except BaseException:
        client.close()
        raise


class EndpointGraph(Closing):
    """A SPARQL endpoint; make one with ``open_endpoint``.

    What it answers is as fresh as the client's cache: at most as old as this object.

    Attributes:
        name: a short name, used as prefix of statement ids in a union.
        fingerprint: the address, without keys.
        asked_as: what its statements and names depend on: the address, the dialect, the languages.
    """

    def __init__(
        self,
        client: SparqlClient,
        dialect: EndpointDialect,
        name: str,
        languages: Sequence[str],
        limit: int,
        batch_size: int,
    ) -> None:
        self.name, self.fingerprint, self.dialect = name, client.url, dialect
        self.asked_as = (client.url, dialect.name, *languages)
        self._client, self._limit, self._batch_size = client, limit, batch_size
        self._crowded: set[str] = set()  # entities that were seen to have more statements than a limit
        self._shape = dialect.shape(client, languages)
        self._names = EndpointNames(client, dialect.names.in_use(client), languages, batch_size)

    def examples(self, relations: Sequence[str], limit: int) -> list[list[Statement]]:
        """About ``limit`` statements of each relation, without qualifiers; which ones is up to the server."""
        by_relation: dict[str, list[Statement]] = {relation: [] for relation in relations}
        for batch in batches([relation for relation in by_relation if is_iri(relation)], self._batch_size // 2 or 1):
            for statement in self._statements(self._shape.examples(batch, limit)):
                by_relation[statement.relation.id].append(statement)
        return list(self._labelled(by_relation).values())

    def statements(
        self,
        entities: Sequence[str],
        *,
        side: Side = "both",
        relations: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[list[Statement]]:
        """The statements of each entity, outgoing ones first; with a limit, which ones is up to the server."""
        check_asked(side, limit)
        by_entity: dict[str, list[Statement]] = {}
        asked = [] if limit == 0 else list(dict.fromkeys(entity for entity in entities if is_iri(entity)))
        if limit is not None and not self.dialect.hubs:
            for many in batches([entity for entity in asked if entity not in self._crowded], 4 * self._batch_size):
                by_entity |= self._together(many, side, relations, limit)
            asked = [entity for entity in asked if entity not in by_entity]
        for batch in batches(asked, self._batch_size):
            around = self._statements(self._shape.around(batch, side, relations, limit))
            by_entity |= _shared_out(batch, around, side, limit)
        by_entity = self._labelled(by_entity)
        return [list(by_entity.get(entity, ())) for entity in entities]

    def contains(self, statements: Sequence[Statement]) -> list[bool]:
        """Whether each statement, with exactly its qualifiers and rank, is there. Numbers are compared by value.

        Looked up afresh from the statements with the same subject and relation, in one request per batch.
        """
        known: set[str] = set()
        for batch in batches(statements, self._batch_size):
            known.update(map(_content, self._statements(self._shape.like(batch))))
        return [_content(statement) in known for statement in statements]

    def describe(self, entities: Sequence[str]) -> list[EntityInfo | None]:
        """Label, aliases and description of each entity or relation; None for an unknown id."""
        return self._names.describe(entities)

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities with these labels or aliases as given, in lower case, Capitalised, or (short ones) in upper case.

        A local graph finds every spelling with the same normal form; an endpoint can only be asked for exact texts,
        in the preferred languages and without one.
        """
        return self._names.lookup(forms)

    def search(self, text: str, limit: int = 10) -> list[LabelMatch]:
        """Best effort: what ``lookup`` finds, then names that hold all the words, where that takes no 10 seconds.

        Misspelt names are not found. On Wikidata only ``lookup``'s names are.
        """
        return self.search_names(text, limit, min(_SEARCHING, self._client.settings.timeout)).matches

    def search_names(self, text: str, limit: int = 10, seconds: float | None = None) -> TextSearch:
        """As ``search``, with what could not be looked for.

        Args:
            seconds: for looking through the names; None: as the timeout of any request.
        """
        return self._names.search(text, limit, seconds or self._client.settings.timeout)

    def relations(self) -> list[tuple[Relation, int]]:
        """Every relation with its number of statements, most frequent first.

        One request that has the server count everything; on the largest ones it runs into their time limit.
        """
        counts: dict[str, int] = {}
        for row in self._client.rows(("p", "n"), self._shape.counts()):
            relation = self._shape.relation(row["p"]["value"])
            counts[relation] = counts.get(relation, 0) + number_of(row["n"])
        labels = self._names.labels(counts)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [(Relation(r, labels[r] or readable_relation(r)), count) for r, count in ordered if count]

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        """What lies within ``hops`` of the seeds, at most ``limit`` statements for each node and side.

        Machine-id nodes on the way count as no hop. Literals are ends: no further nodes are reached through them.
        """
        return crawl(self, seeds, hops, self._limit)

    def query(self, sparql: str, *, timeout: float = 30.0, limit: int | None = None) -> QueryResult:
        """Run a read-only SPARQL query (SELECT or ASK), anew each time; the dialect's prefixes need not be declared.

        Args:
            timeout: seconds.
            limit: rows after which to stop.

        Raises:
            QueryError: malformed, an update, refused by the server, or slower than ``timeout``.
            EndpointError: the server cannot be reached or answers something unusable.
        """
        if not timeout > 0:
            raise SettingsError(f"timeout is {timeout}: must be more than 0")
        check_read_only(sparql, self.dialect.prefixes)
        declared = set(_DECLARED.findall(sparql))
        missing = [f"PREFIX {prefix}: <{to}>" for prefix, to in self.dialect.prefixes.items() if prefix not in declared]
        answer = self._client.run("\n".join([*missing, sparql]), timeout=timeout, blame=QueryError, anew=True)
        if answer.capped and (limit is None or len(answer.rows) < limit):
            raise QueryError(
                f"{self._client.url}: the server sends {len(answer.rows):,} rows at most, and may have left some out: "
                "ask for fewer, with LIMIT and OFFSET"
            )
        return query_result(answer.variables, answer.rows[:limit], answer.boolean, self._entities)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _together(
        self, entities: Sequence[str], side: Side, relations: Sequence[str] | None, limit: int
    ) -> dict[str, list[Statement]]:
        """The statements of those entities that have few, asked for together: a limit for each takes servers longer.

        Where one answer does not hold all, the entities that fill it are left out, and the others asked for again.
        """
        by_entity: dict[str, list[Statement]] = {}
        groups = [list(entities)]
        while groups:
            group = groups.pop()
            pattern = self._shape.around(group, side, relations, None) if len(group) > 1 else None
            if pattern is None:
                continue
            rows, whole = self._client.first(self._shape.required, pattern, self._shape.optional, most=_TOGETHER)
            statements = self._shape.read(rows)
            if whole:
                by_entity |= _shared_out(group, statements, side, limit)
                continue
            seen = Counter(node.id for s in statements for node in {s.subject, s.object} if isinstance(node, Entity))
            few = [entity for entity in group if seen[entity] <= limit]
            self._crowded.update(set(group) - set(few))
            groups += [few] if len(few) < len(group) else [group[: len(group) // 2], group[len(group) // 2 :]]
        return by_entity

    def _statements(self, pattern: str | None) -> list[Statement]:
        shape = self._shape
        return [] if pattern is None else shape.read(self._client.rows(shape.required, pattern, shape.optional))

    def _labelled(self, lists: Mapping[str, Sequence[Statement]]) -> dict[str, list[Statement]]:
        """The same statements with labels of entities and relations."""
        statements = list(chain.from_iterable(lists.values()))
        labels = self._names.labels(part.id for statement in statements for part in parts_of(statement))

        def related(relation: Relation) -> Relation:
            return Relation(relation.id, labels[relation.id] or readable_relation(relation.id))

        classes = {
            node.id
            for statement in statements
            if (kind := class_relation(related(statement.relation)))
            for node in ([] if kind == "instance" else [statement.subject]) + [statement.object]
            if isinstance(node, Entity)
        }

        def entity(node: Entity) -> Entity:
            return Entity(node.id, labels[node.id] or readable_id(node.id, common=node.id in classes))

        return {key: [relabelled(statement, entity, related) for statement in some] for key, some in lists.items()}

    def _entities(self, iris: list[str]) -> dict[str, Entity]:
        labels = self._names.labels(iris[:_LABELLED])
        return {iri: Entity(iri, labels.get(iri) or readable_id(iri)) for iri in iris}


def _shared_out(
    entities: Sequence[str], statements: Iterable[Statement], side: Side, limit: int | None
) -> dict[str, list[Statement]]:
    """The statements of each entity. A self-loop is outgoing, unless only incoming ones are wanted."""
    outgoing: dict[str, list[Statement]] = {entity: [] for entity in entities}
    incoming: dict[str, list[Statement]] = {entity: [] for entity in entities}
    for statement in statements:
        subject, obj = statement.subject.id, statement.object.id if isinstance(statement.object, Entity) else None
        if side != "incoming" and subject in outgoing:
            outgoing[subject].append(statement)
        if side != "outgoing" and obj in incoming and (side == "incoming" or obj != subject):
            incoming[obj].append(statement)
    return {entity: outgoing[entity][:limit] + incoming[entity][:limit] for entity in entities}


def _content(statement: Statement) -> str:
    """What says that two statements are the same. Engines rewrite numbers (1.50: 1.5), so these count by value."""
    qualifiers = tuple(replace(qualifier, value=_canonical(qualifier.value)) for qualifier in statement.qualifiers)
    return replace(statement, object=_canonical(statement.object), qualifiers=qualifiers, graph=None).id


def _canonical(node: Node) -> Node:
    if isinstance(node, Literal) and node.kind == "boolean":
        return replace(node, value={"1": "true", "0": "false"}.get(node.value, node.value))
    if isinstance(node, Literal) and node.kind == "quantity":
        room = "..".join(map(_number, node.precision.split(".."))) if node.precision else None
        return replace(node, value=_number(node.value), precision=room)
    return node


def _number(text: str) -> str:
    try:
        return str(Decimal(text).normalize())
    except InvalidOperation:
        return text


def _name_of(url: str) -> str:
    """A name from the address: the host with its port, and the path where it is no common one."""
    parts = urlsplit(url)
    path = re.sub(r"\b(?:sparql|query|endpoint|bigdata|namespace|wdq)\b", "", parts.path)
    text = f"{parts.hostname}-{parts.port or ''}-{path}"
    return re.sub(r"[^\w.]+", "-", text).strip("-")
