"""What the relations of a graph mean: their words and vectors, and what the things they lead to are like.

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

from toulmin.errors import GraphError
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import VectorIndex

__all__ = ["GraphSchema", "spoken_relation", "time_role", "unit", "words"]

_BEGINNING = frozenset("start started since from begin began beginning".split())
_ENDING = frozenset("end ended until to till finish".split())
_FOLDER = "schema"
_DESCRIPTION = "schema.json"
_SAMPLE = 48  # labels per slot: their mean no longer moves
_TEMPLATES = ("{}", "her {}")  # a noun alone, and as somebody's: "her other half" is nearer to "her spouse"

# Relations of everyday graphs: what a word is like "on average", so that likeness can be told from hubness.
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


class GraphSchema:
    """Vectors of relations and slots (d: dimension, R: relations, T: templates).

    Args:
        texts: the words of each relation's label.
        relations: float32[T, R, d], of unit length.
        slots: float32[2R, d], the mean label of each slot's nodes.
        embedder: the model of all vectors.
    """

    def __init__(self, texts: Sequence[str], relations: Vectors, slots: Vectors, embedder: Embedder) -> None:
        self.texts, self.relations, self.slots, self.embedder = tuple(texts), relations, slots, embedder
        self._background = np.stack([_phrases(embedder, _BACKGROUND_RELATIONS, form) for form in _TEMPLATES])
        self._hubness = np.stack([(b @ r.T).mean(axis=0) for b, r in zip(self._background, relations, strict=True)])

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

    @classmethod
    def of(
        cls, subgraph: Subgraph, embedder: Embedder, *, sample: int = _SAMPLE, vectors: VectorIndex | None = None
    ) -> GraphSchema:
        """The schema of a graph, from the labels of its relations and of a sample of each slot's nodes.

        Args:
            sample: nodes per slot.
            vectors: where the vectors of entities are already known.
        """
        texts = [relation_text(relation.label or relation.id) for relation in subgraph.relations]
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
        return cls(texts, relations, slots, embedder)

    def save(self, folder: Path) -> None:
        """Write it into a graph's directory."""
        target = folder / _FOLDER
        target.mkdir()
        np.save(target / "relations.npy", self.relations)
        np.save(target / "slots.npy", self.slots)
        description = _Description(embedder=self.embedder.name, texts=self.texts)
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
            relations, slots = (np.load(source / f"{name}.npy") for name in ("relations", "slots"))
        except (OSError, EOFError, ValueError, TokenError) as error:  # the last: of a damaged header of an array
            reason = " ".join(str(error).split())
            raise GraphError(f"{source}: the schema cannot be read ({reason}): build the graph again") from None
        if stored.embedder != embedder.name:
            raise GraphError(f"{source} was made with {stored.embedder}, not {embedder.name}: build the graph again")
        count, dimension = len(stored.texts), embedder.dimension
        if (relations.shape, slots.shape) != ((len(_TEMPLATES), count, dimension), (2 * count, dimension)):
            raise GraphError(f"{source}: the files of the schema do not belong together: build the graph again")
        return cls(stored.texts, relations, slots, embedder)


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
