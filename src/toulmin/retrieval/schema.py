"""What the relations of a graph mean: their words, and what the things they lead to are like.

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
from pydantic import BaseModel

from toulmin.errors import GraphError
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import VectorIndex, relation_texts

__all__ = ["GraphSchema", "spoken_relation", "time_role", "unit", "words"]

_BEGINNING = frozenset("start started since from begin began beginning".split())
_ENDING = frozenset("end ended until to till finish".split())
_FOLDER = "schema"
_DESCRIPTION = "schema.json"
_SAMPLE = 48  # labels per slot: their mean no longer moves

_WORD = re.compile(r"[\w$]+")


def time_role(qualifier: Relation) -> Choice["start", "end", "point"]:
    """Whether a qualifier that has a time says since when a statement holds, until when, or when, by its name."""
    words = set(relation_text(qualifier.label or qualifier.id).split())
    return "start" if words & _BEGINNING else "end" if words & _ENDING else "point"


def spoken_relation(label: str) -> str:
    """The words of a relation's label; of a dotted one also those of its subjects' type: "person place of birth"."""
    parts, words = label.split("."), relation_text(label)
    if len(parts) >= 3 and " " not in label:  # "domain.type.property": the type is a noun for its subjects
        words = f"{parts[-2].replace('_', ' ')} {words}"
    return " ".join(dict.fromkeys(words.split()))


def words(text: str) -> list[str]:
    """The words of a text, lower-cased."""
    return _WORD.findall(text.lower())


class _Description(BaseModel):
    """What is stored beside the vectors."""

    embedder: str
    texts: tuple[str, ...]


class GraphSchema:
    """The words of relations, and vectors of their slots (d: dimension, R: relations).

    Args:
        texts: the words of each relation's label.
        slots: float32[2R, d], the mean label of each slot's nodes.
        embedder: the model of all vectors.
    """

    def __init__(self, texts: Sequence[str], slots: Vectors, embedder: Embedder) -> None:
        self.texts, self.slots, self.embedder = tuple(texts), slots, embedder

    @classmethod
    def of(
        cls, subgraph: Subgraph, embedder: Embedder, *, sample: int = _SAMPLE, vectors: VectorIndex | None = None
    ) -> GraphSchema:
        """The schema of a graph, from the labels of its relations and of a sample of each slot's nodes.

        Args:
            sample: nodes per slot.
            vectors: where the vectors of entities are already known.
        """
        texts = relation_texts(subgraph.relations)
        dimension, count = embedder.dimension, len(texts)
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
        return cls(texts, slots, embedder)

    def save(self, folder: Path) -> None:
        """Write it into a graph's directory."""
        target = folder / _FOLDER
        target.mkdir()
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
            slots = np.load(source / "slots.npy")
        except (OSError, EOFError, ValueError, TokenError) as error:  # the last: of a damaged header of an array
            reason = " ".join(str(error).split())
            raise GraphError(f"{source}: the schema cannot be read ({reason}): build the graph again") from None
        if stored.embedder != embedder.name:
            raise GraphError(f"{source} was made with {stored.embedder}, not {embedder.name}: build the graph again")
        if slots.shape != (2 * len(stored.texts), embedder.dimension):
            raise GraphError(f"{source}: the files of the schema do not belong together: build the graph again")
        return cls(stored.texts, slots, embedder)


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1 (zero rows stay)."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), dtype=np.float32)


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
