"""What the relations of a graph mean: their words and vectors, and the kinds of things they lead to.

A *slot* is one end of a relation: slot ``2r`` holds the objects of relation number r, slot ``2r + 1`` its subjects. A
hop that walks r forward ends in slot 2r, one that walks it backward in slot 2r + 1; a hop is therefore named by the
slot it ends in. Everything here is computed from the graph's own labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tokenize import TokenError
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from toulmin.english.lexicon import get_lexicon
from toulmin.errors import GraphError
from toulmin.graph.csr import Ints, gather
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import VectorIndex

__all__ = ["COARSE_TYPES", "GraphSchema", "spoken_relation", "time_role", "unit", "words"]

#: The kinds of things that question words and nouns tell apart; the last is everything else.
COARSE_TYPES = ("person", "location", "time", "thing")

_BEGINNING = frozenset("start started since from begin began beginning".split())
_ENDING = frozenset("end ended until to till finish".split())
_FOLDER = "schema"
_DESCRIPTION = "schema.json"
_SAMPLE = 48  # labels per slot: their mean no longer moves
_TEMPLATES = ("{}", "her {}")  # a noun alone, and as somebody's: "her other half" is nearer to "her spouse"
_TEMPERATURE = 0.12  # of the softmax over the probes
_BY_NOUN = 0.6  # weight of the graph's own nouns beside the probes
_FREQUENT = 0.15  # a noun is said of a slot where this share of its sample bears it

# What names of each kind look like, in English and for no graph in particular. The last three are kinds of "thing".
_PROBES = {
    "person": (
        "John Smith",
        "Mary Jones",
        "Robert Brown",
        "Anna Garcia",
        "Wei Zhang",
        "Mohammed Ali",
        "Peter the Great",
    ),
    "location": ("London", "France", "Texas", "Africa", "Mount Fuji", "New York City", "the Danube"),
    "time": ("1999", "2004", "12 May 1987", "March 1875", "1960s"),
    "quantity": ("12.5", "3,000", "42 kg", "7.8"),
    "organization": ("Microsoft", "United Nations", "Manchester United", "Harvard University"),
    "work": ("The Magic Flute", "Hotel California", "Frankenstein", "Hamlet", "The Godfather"),
    "concept": ("love", "science", "comedy", "blue", "Catholicism", "English", "engineer", "malaria"),
}

# Relations and nouns of everyday graphs: what a word is like "on average", so that likeness can be told from hubness.
_BACKGROUND_RELATIONS = (
    "place of birth", "date of death", "spouse", "owner", "employer", "instance of", "genre", "population",
    "capital", "author", "height", "award received", "country", "member of", "language", "religion", "cast member",
    "director", "founded by", "located in", "start time", "part of", "color", "composer", "publisher", "sport",
    "team", "named after", "website", "occupation", "price", "weight", "number of children", "gender",
    "cause of death", "parents", "brother", "school", "subject", "currency", "leader", "form of government",
    "time zone", "symptom", "character", "episode", "label", "product", "industry", "material", "distance",
    "length", "area", "event", "winner", "participant", "vehicle", "disease", "species", "habitat", "diet",
    "inventor", "discovery",
)  # fmt: skip
_BACKGROUND_NOUNS = (
    "city", "country", "person", "company", "film", "book", "song", "team", "animal", "plant", "river", "mountain",
    "school", "award", "language", "religion", "disease", "event", "date", "year", "number", "place", "color",
    "food", "car", "game", "sport", "art", "science", "law", "war", "king", "actor", "writer", "name", "title",
    "kind", "group", "thing", "part", "member", "leader", "type", "author", "street", "island", "artist",
)  # fmt: skip

_WORD = re.compile(r"[\w$]+")


def time_role(qualifier: Relation) -> Choice["start", "end", "point"]:
    """Whether a qualifier that has a time says since when a statement holds, until when, or when, by its name."""
    words = set(relation_text(qualifier.label or qualifier.id).split())
    return "start" if words & _BEGINNING else "end" if words & _ENDING else "point"


def spoken_relation(label: str) -> str:
    """The words of a relation's label; of a dotted one also those of its subjects' type: "person place of birth"."""
    kind = _domain(label)
    words = relation_text(label) if kind is None else f"{kind} {relation_text(label)}"
    return " ".join(dict.fromkeys(words.split()))


def words(text: str) -> list[str]:
    """The words of a text, lower-cased."""
    return _WORD.findall(text.lower())


class _Description(BaseModel):
    """What is stored beside the vectors."""

    embedder: str
    texts: tuple[str, ...]
    nouns: tuple[tuple[tuple[str, float], ...], ...]


class GraphSchema:
    """Vectors of relations and slots (d: dimension, R: relations, T: templates).

    Args:
        texts: the words of each relation's label.
        relations: float32[T, R, d], of unit length.
        slots: float32[2R, d], the mean label of each slot's nodes.
        types: float32[2R, 4], how far a slot's nodes are of each coarse type, 0 to 1.
        nouns: per slot, nouns said of its nodes, with the share of nodes; only graphs with dotted labels have them.
        embedder: the model of all vectors.
    """

    def __init__(
        self,
        texts: Sequence[str],
        relations: Vectors,
        slots: Vectors,
        types: NDArray[np.float32],
        nouns: Sequence[Sequence[tuple[str, float]]],
        embedder: Embedder,
    ) -> None:
        self.texts, self.relations, self.slots, self.types = tuple(texts), relations, slots, types
        self.nouns = tuple(tuple((noun, share) for noun, share in pairs) for pairs in nouns)
        self.embedder = embedder
        self._centre = slots.mean(axis=0) if len(slots) else np.zeros(embedder.dimension, dtype=np.float32)
        self._directions = unit(slots - self._centre)
        background = unit(embedder.embed(_BACKGROUND_NOUNS) - self._centre)
        self._slot_hubness = (background @ self._directions.T).mean(axis=0)
        self._background = np.stack([_phrases(embedder, _BACKGROUND_RELATIONS, form) for form in _TEMPLATES])
        self._hubness = np.stack([(b @ r.T).mean(axis=0) for b, r in zip(self._background, relations, strict=True)])
        names = sorted({noun for pairs in self.nouns for noun, _ in pairs})
        self.noun_vectors = dict(zip(names, embedder.embed(names), strict=True))

    def likeness(self, texts: Sequence[str], relations: NDArray[np.integer]) -> NDArray[np.float32]:
        """How like texts are to relations, float32[texts, relations]: cosine less what each side is like on average.

        The correction for hubs is that of cross-domain similarity local scaling (Conneau et al. 2018), with everyday
        relations and the relations at hand as neighbourhoods. Unrelated words have about 0, equal ones about 0.8.
        """
        total = np.zeros((len(texts), len(relations)), dtype=np.float32)
        if not total.size:
            return total
        count = len(relations)
        for form, all_vectors, background, hubness in zip(
            _TEMPLATES, self.relations, self._background, self._hubness, strict=True
        ):
            phrases, vectors = _phrases(self.embedder, texts, form), all_vectors[relations]
            at_hand = ((vectors @ vectors.T).sum(axis=1) - 1) / max(1, count - 1) if count > 1 else np.zeros(1)
            ordinary = (phrases @ background.T).mean(axis=1, keepdims=True)
            total += phrases @ vectors.T - ordinary - 0.5 * (at_hand + hubness[relations]) + 0.25
        return np.asarray(total / len(_TEMPLATES), dtype=np.float32)

    def alike(self, relations: NDArray[np.integer]) -> NDArray[np.float32]:
        """The cosines among relations, float32[k, k]."""
        vectors = self.relations[0][relations]
        return np.asarray(vectors @ vectors.T)

    def slot_likeness(self, nouns: Sequence[str]) -> NDArray[np.float32]:
        """How like nouns are to the labels of each slot's nodes, float32[nouns, 2R]; 0 on average."""
        if not nouns:
            return np.zeros((0, len(self._directions)), dtype=np.float32)
        directions = unit(self.embedder.embed(nouns) - self._centre)
        return np.asarray(directions @ self._directions.T - self._slot_hubness)

    @classmethod
    def of(
        cls, subgraph: Subgraph, embedder: Embedder, *, sample: int = _SAMPLE, vectors: VectorIndex | None = None
    ) -> GraphSchema:
        """The schema of a graph, from the labels of its relations and of a sample of each slot's nodes.

        Args:
            sample: nodes per slot.
            vectors: where the vectors of entities are already known.
        """
        labels = [relation.label or relation.id for relation in subgraph.relations]
        texts = [relation_text(label) for label in labels]
        dimension, count = embedder.dimension, len(texts)
        relations = np.zeros((len(_TEMPLATES), count, dimension), dtype=np.float32)
        for form, template in enumerate(_TEMPLATES):
            relations[form] = _phrases(embedder, texts, template)
        members = _members(subgraph, sample)
        chosen = np.unique(np.concatenate([*members, np.empty(0, dtype=np.int32)]))
        embedded = np.zeros((len(chosen), dimension), dtype=np.float32)
        known = (chosen < subgraph.n_entities) if vectors is not None else np.zeros(len(chosen), dtype=bool)
        if vectors is not None:
            embedded[known] = vectors.entity_vectors(chosen[known])
        embedded[~known] = embedder.embed(subgraph.labels(chosen[~known]))
        slots = np.zeros((2 * count, dimension), dtype=np.float32)
        for slot, nodes in enumerate(members):
            named = nodes[~subgraph.machine[nodes]]
            if len(named):
                slots[slot] = embedded[np.searchsorted(chosen, named)].mean(axis=0)
        nouns = _nouns(subgraph, members, [_domain(label) for label in labels])
        return cls(texts, relations, slots, _types(slots, nouns, embedder), nouns, embedder)

    def save(self, folder: Path) -> None:
        """Write it into a graph's directory."""
        target = folder / _FOLDER
        target.mkdir()
        np.save(target / "relations.npy", self.relations)
        np.save(target / "slots.npy", self.slots)
        np.save(target / "types.npy", self.types)
        description = _Description(embedder=self.embedder.name, texts=self.texts, nouns=self.nouns)
        (target / _DESCRIPTION).write_text(description.model_dump_json(), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> GraphSchema | None:
        """Read what ``save`` wrote; None where the graph was built without vectors.

        Raises:
            GraphError: it is damaged, or was made with another embedder.
        """
        source = folder / _FOLDER
        if not source.is_dir():
            return None
        try:
            stored = _Description.model_validate_json((source / _DESCRIPTION).read_bytes())
            relations, slots, types = (np.load(source / f"{name}.npy") for name in ("relations", "slots", "types"))
        except (OSError, EOFError, ValueError, TokenError) as error:  # the last: of a damaged header of an array
            reason = " ".join(str(error).split())
            raise GraphError(f"{source}: the schema cannot be read ({reason}): build the graph again") from None
        if stored.embedder != embedder.name:
            raise GraphError(f"{source} was made with {stored.embedder}, not {embedder.name}: build the graph again")
        count, dimension = len(stored.texts), embedder.dimension
        shapes = (len(_TEMPLATES), count, dimension), (2 * count, dimension), (2 * count, len(COARSE_TYPES))
        if (relations.shape, slots.shape, types.shape) != shapes or len(stored.nouns) != 2 * count:
            raise GraphError(f"{source}: the files of the schema do not belong together: build the graph again")
        return cls(stored.texts, relations, slots, types, stored.nouns, embedder)


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1 (zero rows stay)."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), dtype=np.float32)


def _phrases(embedder: Embedder, texts: Sequence[str], template: str) -> Vectors:
    return embedder.embed([template.format(text) for text in texts])


def _domain(label: str) -> str | None:
    """Of a dotted label ``domain.type.property``: the type, which is a noun for its subjects."""
    parts = label.split(".")
    return parts[-2].replace("_", " ") if len(parts) >= 3 and " " not in label else None


def _members(subgraph: Subgraph, sample: int) -> list[Ints]:
    """Per slot, evenly spaced ones of its distinct nodes."""
    rows_by_relation = np.argsort(subgraph.outgoing.relation, kind="stable")
    bounds = np.searchsorted(subgraph.outgoing.relation[rows_by_relation], np.arange(len(subgraph.relations) + 1))
    sources = np.repeat(np.arange(subgraph.n_nodes, dtype=np.int32), np.diff(subgraph.outgoing.indptr))
    members: list[Ints] = []
    for start, end in pairwise(bounds):
        rows = rows_by_relation[start:end]
        members.extend(
            nodes[np.linspace(0, len(nodes) - 1, min(sample, len(nodes))).astype(np.int64)]
            for nodes in (np.unique(subgraph.outgoing.neighbour[rows]), np.unique(sources[rows]))
        )
    return members


def _types(slots: Vectors, nouns: list[list[tuple[str, float]]], embedder: Embedder) -> NDArray[np.float32]:
    """How far each slot is of each coarse type: its mean label against the probes, and the graph's nouns for it."""
    probes = np.stack([embedder.embed(examples).mean(axis=0) for examples in _PROBES.values()])
    centre = probes.mean(axis=0)
    logits = unit(slots - centre) @ unit(probes - centre).T / _TEMPERATURE
    shares = np.exp(logits - logits.max(axis=1, keepdims=True, initial=0))
    shares /= shares.sum(axis=1, keepdims=True)
    named = shares[:, : len(COARSE_TYPES) - 1]
    lexicon = get_lexicon() if any(nouns) else None
    for slot, row in enumerate(nouns):
        for number, kind in enumerate(COARSE_TYPES[:-1]):
            if row and lexicon is not None:
                share = max((s for noun, s in row if lexicon.coarse_type(noun.split()[-1]) == kind), default=0.0)
                named[slot, number] = (1 - _BY_NOUN) * named[slot, number] + _BY_NOUN * min(1.0, 1.3 * share)
    thing = 1 - (named.max(axis=1, keepdims=True) if any(nouns) else named.sum(axis=1, keepdims=True))
    return np.concatenate([named, thing], axis=1).astype(np.float32)


def _nouns(subgraph: Subgraph, members: list[Ints], domains: list[str | None]) -> list[list[tuple[str, float]]]:
    """Of graphs whose relation labels name their subjects' type (Freebase): the types of a slot's nodes."""
    if not any(domains):
        return [[] for _ in members]
    numbered = {domain: number for number, domain in enumerate(sorted({d for d in domains if d}))}
    domain_of = np.array([numbered[domain] if domain else -1 for domain in domains])
    names = list(numbered)
    nouns: list[list[tuple[str, float]]] = []
    for slot, nodes in enumerate(members):
        edges = gather(subgraph.outgoing.indptr, nodes)
        owner = np.repeat(np.arange(len(nodes)), np.diff(subgraph.outgoing.indptr)[nodes])
        numbers = domain_of[subgraph.outgoing.relation[edges]]
        pairs = np.unique(np.stack([owner[numbers >= 0], numbers[numbers >= 0]]), axis=1)
        counts = np.bincount(pairs[1], minlength=len(names)) / max(1, len(nodes))
        best = [number for number in np.argsort(-counts, kind="stable")[:8] if counts[number] > _FREQUENT]
        shares = [(names[number], float(counts[number])) for number in best]
        domain = domains[slot // 2] if slot % 2 else None
        if domain and domain not in [noun for noun, _ in shares]:
            shares.append((domain, 0.5))
        nouns.append(shares)
    return nouns
