"""Entities by their labels and aliases at an endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from toulmin.errors import QueryError
from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.names import NameProfile, batches
from toulmin.graph.endpoint.shape import Row, number_of, union
from toulmin.graph.labels import normalise
from toulmin.graph.protocol import LabelMatch
from toulmin.graph.sparql import iri, literal, strings, values

__all__ = ["Lookup", "TextSearch"]

_LONGEST_ACRONYM = 5
_MOST_WORDS = 8  # of a text, each a condition that the server checks for every name
_INEXACT = 0.99  # times how alike they are: no other name scores as the name itself, which is 1
#: Not capitalised within names.
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "at", "by", "de", "der", "di", "du", "for", "from", "in", "la", "of", "on", "or", "the", "to"}
    | {"van", "von", "with"}
)


@dataclass(frozen=True, slots=True)
class TextSearch:
    """What a search for a text found.

    Args:
        parts: whether parts of names were looked for, and not whole ones alone.
        why_not: where they were not.
    """

    matches: list[LabelMatch]
    parts: bool
    why_not: str | None = None


class Lookup:
    """Finds entities by name, many names at once.

    Args:
        languages: preferred ones; names with their tags, or those of the profile, are found.
        batch_size: spellings of names in one request.
    """

    def __init__(self, client: SparqlClient, profile: NameProfile, languages: Sequence[str], batch_size: int) -> None:
        self._client, self._profile, self._batch_size = client, profile, batch_size
        self._tags = [tag for tag in dict.fromkeys((*languages, *profile.tags)) if tag]

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities named so, but for case: labels before aliases, then those with the most statements."""
        spellings = [_spellings(form) for form in forms]
        by_form: dict[str, dict[str, LabelMatch]] = {}
        for batch in batches(list(dict.fromkeys(chain.from_iterable(spellings))), self._batch_size):
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
        return TextSearch(ordered, why_not is None, why_not)

    def _look(self, spellings: Sequence[str], by_form: dict[str, dict[str, LabelMatch]]) -> None:
        """Add the entities with these names to ``by_form``, by the normal form of the name."""
        profile = self._profile
        if not (profile.labels or profile.aliases):
            return
        untagged = 0 if None in profile.tags else 1
        given = values(["text"], [[term] for form in spellings for term in strings(form, self._tags)[untagged:]])
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
        for batch in batches(sorted(ids), self._batch_size):
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
