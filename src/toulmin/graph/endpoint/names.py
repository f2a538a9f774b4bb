"""Labels, aliases and descriptions of entities and relations at an endpoint, and entities by their names."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from threading import Lock
from typing import TypeVar

from toulmin.errors import QueryError
from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.shape import Row, choices, in_languages, number_of, union
from toulmin.graph.endpoint.transport import Term
from toulmin.graph.label_chooser import language_rank
from toulmin.graph.labels import is_machine_id, normalise, readable_id, readable_relation
from toulmin.graph.protocol import LabelMatch
from toulmin.graph.readers.minting import clean_text
from toulmin.graph.sparql import iri, is_iri, literal, values
from toulmin.graph.types import Entity, EntityInfo

__all__ = ["EndpointNames", "NameProfile", "TextSearch", "batches"]

_REMEMBERED = 200_000  # labels
_PAIRS = 600  # of ids and predicates in one request for labels: some 60 kB, which every server takes
_LONGEST_ACRONYM = 5
_MOST_WORDS = 8  # of a text, each a condition that the server checks for every name
_INEXACT = 0.99  # times how alike they are: no other name scores as the name itself, which is 1
#: Not capitalised within names.
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "at", "by", "de", "der", "di", "du", "for", "from", "in", "la", "of", "on", "or", "the", "to"}
    | {"van", "von", "with"}
)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class NameProfile:
    """Where names are.

    Args:
        labels: predicates of labels with their standing: the smaller, the better.
        aliases: predicates of aliases.
        descriptions: predicates of descriptions, best first.
        redirect: predicate from another name's page to the entity; that page's labels are aliases.
        tags: language tags that names may have beside the preferred languages; None: no tag.
        every_language: labels in any language count; else only where there is none in a preferred language.
        scan: whether looking through all names for a part of them is worth trying.
        no_entity: tells ids that are named as well but are no entities.
    """

    labels: Mapping[str, int]
    aliases: Sequence[str] = ()
    descriptions: Sequence[str] = ()
    redirect: str | None = None
    tags: Sequence[str | None] = (None,)
    every_language: bool = False
    scan: bool = True
    no_entity: Callable[[str], bool] | None = None

    def in_use(self, client: SparqlClient) -> NameProfile:
        """Without the predicates that an endpoint has no triple of: each one makes every look-up of names longer."""
        every = [*self.labels, *self.aliases, *self.descriptions]
        used = dict(zip(every, client.matching([f"?e {iri(predicate)} ?text" for predicate in every]), strict=True))
        return replace(
            self,
            labels={predicate: standing for predicate, standing in self.labels.items() if used[predicate]},
            aliases=[predicate for predicate in self.aliases if used[predicate]],
            descriptions=[predicate for predicate in self.descriptions if used[predicate]],
        )

    def redirected(self) -> str:
        """A pattern: a page redirects to ``?e``; its labels are bound to ``?text``, the redirect to ``?by``."""
        redirect = iri(self.redirect or "")
        labels = ", ".join(map(iri, self.labels))
        return f"?page {redirect} ?e ; ?of ?text . FILTER(?of IN ({labels})) BIND({redirect} AS ?by)"


@dataclass(frozen=True, slots=True)
class TextSearch:
    """What a search for a text found.

    Args:
        why_not: why whole names alone were looked for; None: parts of names were too.
    """

    matches: list[LabelMatch]
    why_not: str | None = None


class EndpointNames:
    """Asks for names of many ids at once, and remembers labels; finds entities by name, many names at once.

    Args:
        languages: preferred ones, best first; entities are found by names with their tags, or those of the profile.
        batch_size: spellings of names in one request; of ids four times as many.
    """

    def __init__(self, client: SparqlClient, profile: NameProfile, languages: Sequence[str], batch_size: int) -> None:
        self._client, self._profile = client, profile
        self._languages, self._spellings_at_once, self._batch_size = tuple(languages), batch_size, 4 * batch_size
        self._tags = list(dict.fromkeys((*languages, *profile.tags)))  # RDF has a text in each as another term
        self._labels: OrderedDict[str, str | None] = OrderedDict()
        self._lock = Lock()

    def labels(self, ids: Iterable[str]) -> dict[str, str | None]:
        """The label of each id; None where it has none."""
        wanted = dict.fromkeys(ids)
        with self._lock:
            missing = [entity for entity in wanted if entity not in self._labels]
        size = max(self._batch_size, _PAIRS // max(1, len(self._profile.labels)))
        for batch in batches(list(filter(is_iri, missing)), size):
            rows = self._texts(batch, self._profile.labels)
            unnamed = [entity for entity in batch if entity not in rows]
            if unnamed and not self._profile.every_language:
                rows |= self._texts(unnamed, self._profile.labels, every_language=True)
            with self._lock:
                for entity in batch:
                    self._labels[entity] = next(iter(self._forms(entity, rows.get(entity, ()))), None)
        with self._lock:
            labels = {entity: self._labels.get(entity) for entity in wanted}
            while len(self._labels) > _REMEMBERED:
                self._labels.popitem(last=False)
        return labels

    def describe(self, ids: Sequence[str]) -> list[EntityInfo | None]:
        """Label, aliases and description of each id; None for one that the endpoint does not know."""
        profile = self._profile
        predicates = [*profile.labels, *profile.aliases, *profile.descriptions]
        texts: dict[str, list[tuple[str, Term]]] = {}
        asked = list(dict.fromkeys(filter(is_iri, ids)))
        for batch in batches(asked, self._batch_size):
            texts |= self._texts(batch, predicates, redirects=True)
        unnamed = [entity for entity in asked if not any(p in profile.labels for p, _ in texts.get(entity, ()))]
        for batch in batches(unnamed if not profile.every_language else [], self._batch_size):
            for entity, more in self._texts(batch, profile.labels, every_language=True).items():
                texts.setdefault(entity, []).extend(more)
        silent = [entity for entity in asked if entity not in texts]
        relations = self._used(silent, "EXISTS { ?a ?e ?b }")
        others = [entity for entity in silent if entity not in relations]
        nodes = set(texts) | self._used(others, "EXISTS { ?e ?a ?b } || EXISTS { ?c ?d ?e }")
        infos = {entity: self._info(entity, texts.get(entity, ())) for entity in nodes}
        infos |= {entity: EntityInfo(Entity(entity, readable_relation(entity))) for entity in relations}
        return [infos.get(entity) for entity in ids]

    def _texts(
        self, ids: Sequence[str], predicates: Iterable[str], *, every_language: bool = False, redirects: bool = False
    ) -> dict[str, list[tuple[str, Term]]]:
        """The texts of each id: pairs of predicate and literal."""
        asked = list(predicates)
        parts = [f"{choices('e', ids, 'by', asked)} ?e ?by ?text ."] if asked else []
        if redirects and self._profile.redirect and self._profile.labels:
            parts.append(f"{values(['e'], [[iri(entity)] for entity in ids])} {self._profile.redirected()}")
        if not parts:
            return {}
        tests = ["isLiteral(?text)"]
        if not (every_language or self._profile.every_language):
            tests.append(in_languages("text", self._languages))
        texts: dict[str, list[tuple[str, Term]]] = {}
        for row in self._client.rows(("e", "by", "text"), f"{{ {union(parts)} }} FILTER({' && '.join(tests)})"):
            if row["by"]["value"] in self._profile.descriptions or clean_text(row["text"]["value"]):
                texts.setdefault(row["e"]["value"], []).append((row["by"]["value"], row["text"]))
        return texts

    def _forms(self, identifier: str, texts: Sequence[tuple[str, Term]]) -> list[str]:
        """The forms, best first, without those that only repeat a machine's id."""
        standing = self._profile.labels
        least = min((standing[by] for by, _ in texts if by in standing), default=0)

        def place(pair: tuple[str, Term]) -> tuple[bool, int, int, str]:
            by, term = pair
            return standing.get(by) != least, self._language_place(term), standing.get(by, 99), term["value"]

        forms = dict.fromkeys(clean_text(term["value"]) for _, term in sorted(texts, key=place))
        return [form for form in forms if not (identifier.endswith(form) and is_machine_id(form))]

    def _language_place(self, term: Term) -> int:
        return language_rank(str(term.get("xml:lang", "")).lower(), self._languages)

    def _info(self, identifier: str, texts: Sequence[tuple[str, Term]]) -> EntityInfo:
        profile = self._profile
        named = [pair for pair in texts if pair[0] not in profile.descriptions]
        forms = self._forms(identifier, named)
        labelled = any(by in profile.labels for by, _ in named) or is_machine_id(identifier)
        label = forms[0] if forms and labelled else readable_id(identifier)
        described = [pair for pair in texts if pair[0] in profile.descriptions]
        described.sort(
            key=lambda pair: (self._language_place(pair[1]), profile.descriptions.index(pair[0]), pair[1]["value"])
        )
        description = described[0][1]["value"] if described else None
        return EntityInfo(Entity(identifier, label), tuple(form for form in forms if form != label), description)

    def _used(self, ids: Sequence[str], test: str) -> set[str]:
        """The ids ``?e`` for which a test of triples holds."""
        used: set[str] = set()
        for batch in batches(ids, self._batch_size):
            given = values(["e"], [[iri(entity)] for entity in batch])
            used |= {row["e"]["value"] for row in self._client.rows(("e",), f"{given} FILTER({test})")}
        return used

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities named so, but for case: labels before aliases, then those with the most statements."""
        spellings = [_spellings(form) for form in forms]
        by_form: dict[str, dict[str, LabelMatch]] = {}
        for batch in batches(list(dict.fromkeys(chain.from_iterable(spellings))), self._spellings_at_once):
            self._look(batch, by_form)
        weights = self._weights({entity for matches in by_form.values() if len(matches) > 1 for entity in matches})
        return [
            sorted(
                by_form.get(normalise(form), {}).values(),
                key=lambda match: (match.alias, -weights.get(match.id, 0), match.id),
            )
            for form in forms
        ]

    def search(self, text: str, limit: int, seconds: float) -> TextSearch:
        """Entities named so, then those with all the words in a name.

        Args:
            seconds: for looking through the names, which is given up after so long.
        """
        best = {match.id: match for match in self.lookup([text])[0]}
        words = [word for word in re.findall(r"\w+", normalise(text)) if len(word) > 1][:_MOST_WORDS]
        why_not: str | None = None
        if not self._profile.scan:
            why_not = "there are too many to look through"
        elif words and len(best) < limit and (self._profile.labels or self._profile.aliases):
            try:
                for match in self._scan(text, words, limit, seconds):
                    if match.id not in best or best[match.id].score < match.score:
                        best[match.id] = match
            except QueryError as error:
                why_not = str(error)
        ordered = sorted(best.values(), key=lambda match: (-match.score, match.alias, match.id))[:limit]
        return TextSearch(ordered, why_not)

    def _look(self, spellings: Sequence[str], by_form: dict[str, dict[str, LabelMatch]]) -> None:
        """Add the entities with these names to ``by_form``, by the normal form of the name."""
        profile = self._profile
        if not (profile.labels or profile.aliases):
            return
        given = values(["text"], [[literal(form, lang=tag)] for form in spellings for tag in self._tags])
        parts = [f"{given} ?e ?by ?text . FILTER(?by IN ({', '.join(map(iri, (*profile.labels, *profile.aliases)))}))"]
        if profile.redirect and profile.labels:
            parts.append(f"{given} {profile.redirected()}")
        relation = "" if profile.no_entity else "FILTER NOT EXISTS { ?subject ?e ?object }"
        for row in self._client.rows(("e", "by", "text"), f"{{ {union(parts)} }} FILTER(isIRI(?e)) {relation}"):
            self._add(row, by_form)

    def _add(self, row: Row, by_form: dict[str, dict[str, LabelMatch]]) -> None:
        identifier, form = row["e"]["value"], row["text"]["value"]
        if self._profile.no_entity and self._profile.no_entity(identifier):
            return
        matches = by_form.setdefault(normalise(form), {})
        alias = row["by"]["value"] not in self._profile.labels
        if identifier not in matches or (matches[identifier].alias and not alias):
            matches[identifier] = LabelMatch(identifier, form, alias, 1.0)

    def _weights(self, ids: Iterable[str]) -> dict[str, int]:
        """How many triples each entity has as subject: the better known, the more."""
        weights: dict[str, int] = {}
        for batch in batches(sorted(ids), self._spellings_at_once):
            given = values(["e"], [[iri(entity)] for entity in batch])
            pattern = f"{{ SELECT ?e (COUNT(*) AS ?n) WHERE {{ {given} ?e ?p ?o }} GROUP BY ?e }}"
            weights |= {row["e"]["value"]: number_of(row["n"]) for row in self._client.rows(("e", "n"), pattern)}
        return weights

    def _scan(self, text: str, words: Sequence[str], limit: int, seconds: float) -> list[LabelMatch]:
        """Names with all the words; QueryError where it takes too long."""
        from rapidfuzz import fuzz

        profile, norm = self._profile, normalise(text)
        predicates = values(["by"], [[iri(predicate)] for predicate in (*profile.labels, *profile.aliases)])
        contained = " && ".join(f"CONTAINS(LCASE(STR(?text)), {literal(word)})" for word in words)
        relation = "" if profile.no_entity else "FILTER NOT EXISTS { ?subject ?e ?object }"
        by_scan = f"{predicates} ?e ?by ?text . FILTER(isIRI(?e) && isLiteral(?text) && {contained}) {relation}"
        patterns = [by_scan]
        if self._client.is_virtuoso:  # its index of texts, where it has one, answers on graphs of any size
            expression = literal(" AND ".join(f"'{word}'" for word in words))
            indexed = f"?e ?by ?text . ?text <bif:contains> {expression} . {predicates} FILTER(isIRI(?e)) {relation}"
            patterns.insert(0, indexed)
        for pattern in patterns:
            query = f"SELECT ?e ?by ?text WHERE {{ {pattern} }} LIMIT {10 * limit}"
            rows = self._client.run(query, timeout=seconds, blame=QueryError).rows
            if rows:
                break
        by_form: dict[str, dict[str, LabelMatch]] = {}
        for row in rows:
            self._add(row, by_form)
        return [
            LabelMatch(match.id, match.form, match.alias, round(_INEXACT * fuzz.token_sort_ratio(norm, form) / 100, 4))
            for form, matches in by_form.items()
            for match in matches.values()
        ]


def _spellings(form: str) -> list[str]:
    """The ways in which a graph may write a name that a question writes so."""
    plain = " ".join(form.split())
    words = plain.split(" ")
    capitals = [word[:1].upper() + word[1:] for word in words]
    titled = [word if place and word.lower() in _SMALL_WORDS else capitals[place] for place, word in enumerate(words)]
    ways = [form, plain, plain.lower(), plain.casefold(), " ".join(capitals), " ".join(titled), plain.title()]
    ways += [plain[:1].upper() + plain[1:], *([plain.upper()] if len(plain) <= _LONGEST_ACRONYM else [])]
    return [way for way in dict.fromkeys(ways) if way]


def batches(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Runs of at most ``size``."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
