"""Labels, aliases and descriptions of entities and relations at an endpoint."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeVar

from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.results import Term
from toulmin.graph.endpoint.shape import choices, union
from toulmin.graph.endpoint.triples import in_languages
from toulmin.graph.label_chooser import language_rank
from toulmin.graph.labels import is_machine_id, readable_id, readable_relation
from toulmin.graph.readers.minting import clean_text
from toulmin.graph.sparql import iri, is_iri, values
from toulmin.graph.types import Entity, EntityInfo

__all__ = ["EndpointNames", "NameProfile", "batches"]

_REMEMBERED = 200_000  # labels
_PAIRS = 600  # of ids and predicates in one request for labels: some 60 kB, which every server takes
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


class EndpointNames:
    """Asks for names of many ids at once, and remembers labels.

    Args:
        languages: preferred ones, best first.
        batch_size: ids in one request.
    """

    def __init__(self, client: SparqlClient, profile: NameProfile, languages: Sequence[str], batch_size: int) -> None:
        self._client, self._profile = client, profile
        self._languages, self._batch_size = tuple(languages), batch_size
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
                self._labels.update((entity, self._best_label(entity, rows.get(entity, ()))) for entity in batch)
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
        if unnamed and not profile.every_language:
            for entity, more in self._labels_in_any_language(unnamed).items():
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

    def _labels_in_any_language(self, ids: Sequence[str]) -> dict[str, list[tuple[str, Term]]]:
        texts: dict[str, list[tuple[str, Term]]] = {}
        for batch in batches(ids, self._batch_size):
            texts |= self._texts(batch, self._profile.labels, every_language=True)
        return texts

    def _best_label(self, identifier: str, texts: Iterable[tuple[str, Term]]) -> str | None:
        return next(iter(self._forms(identifier, [pair for pair in texts if pair[0] in self._profile.labels])), None)

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


def batches(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Runs of at most ``size``."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
