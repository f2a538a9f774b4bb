"""What the relations of a graph mean: their words, and what the things they lead to are like.

A *slot* is one end of a relation: slot ``2r`` holds the objects of relation number r, slot ``2r + 1`` its subjects. A
hop that walks r forward ends in slot 2r, one that walks it backward in slot 2r + 1; a hop is therefore named by the
slot it ends in. Everything here is computed from the graph's own labels.

A local graph has its schema from all of its statements. That of an endpoint is kept in the user's cache: relations and
what they lead to, never statements. The endpoint is asked for examples of each relation when a question first comes
near it; their labels' vectors are kept on disk for a week. What is kept ranks relations only: every statement of an
answer is asked for when it is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any
from typing import Literal as Choice
from zipfile import BadZipFile

import numpy as np
from pydantic import BaseModel

from toulmin.errors import GraphError
from toulmin.graph.build_directory import keep, user_cache
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation, Statement
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import VectorIndex, relation_texts

if TYPE_CHECKING:
    from toulmin.graph.endpoint.graph import EndpointGraph

__all__ = ["EndpointSchema", "GraphSchema", "KeptFile", "kept_file", "spoken_relation", "time_role", "unit", "words"]

_BEGINNING = frozenset("start started since from begin began beginning".split())
_ENDING = frozenset("end ended until to till finish".split())
_FOLDER = "schema"
_DESCRIPTION = "schema.json"
_SAMPLE = 48  # labels per slot: their mean no longer moves

_WORD = re.compile(r"[\w$]+")
_FORMAT = 3
_LASTS = timedelta(days=7)
_EXAMPLES = 16  # statements of each relation


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


@dataclass(frozen=True, slots=True)
class KeptFile:
    """Where the schema of an endpoint is kept.

    Args:
        path: an ``.npz`` file.
        asked: when its first relation was asked for; None: nothing is kept, or it is too old or cannot be read.
        rows: of each relation, by its id, its words, and float32[2, d] of its slots.
    """

    path: Path
    asked: datetime | None
    rows: dict[str, tuple[str, Vectors]]

    def forget(self) -> None:
        """Delete it, so that the endpoint is asked again."""
        self.path.unlink(missing_ok=True)


def kept_file(graph: EndpointGraph, embedder: Embedder | None = None) -> KeptFile:
    """The file for an endpoint, as it is asked (dialect, languages), and for an embedding model (None: ours).

    Of what is too old or damaged nothing is taken: it is asked for again.
    """
    asked_as = json.dumps([_FORMAT, *graph.asked_as, (embedder or get_embedder()).name])
    digest = blake2b(asked_as.encode(), digest_size=6).hexdigest()
    path = user_cache() / "endpoints" / f"{graph.name}-{digest}.npz"
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            header: dict[str, Any] = json.loads(str(arrays["said"]))
            slots = arrays["slots"]
        asked = datetime.fromisoformat(header["asked"])
        if not timedelta() <= datetime.now(UTC) - asked < _LASTS:
            return KeptFile(path, None, {})
        rows = {identifier: (text, slots[place]) for place, (identifier, text) in enumerate(header["rows"])}
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError, BadZipFile):
        return KeptFile(path, None, {})
    return KeptFile(path, asked, rows)


class EndpointSchema:
    """Makes the schema of sub-graphs of one endpoint.

    Args:
        embedder: of all vectors.
    """

    def __init__(self, graph: EndpointGraph, embedder: Embedder) -> None:
        self._graph, self._embedder = graph, embedder
        kept = kept_file(graph, embedder)
        self._path, self._asked, self._rows = kept.path, kept.asked or datetime.now(UTC), kept.rows

    def of(self, subgraph: Subgraph) -> GraphSchema:
        """The schema of the relations of a sub-graph; those that are not known yet are asked for and kept."""
        texts = {relation.id: relation_text(relation.label or relation.id) for relation in subgraph.relations}
        rows = self._rows
        # A relation that was given another label since is another one, for all that the schema is for.
        missing = [relation for relation, text in texts.items() if relation not in rows or rows[relation][0] != text]
        if missing:
            self._learn(missing, subgraph)
            _write_kept(self._path, self._asked, rows)
        kept = np.array([rows[relation][1] for relation in texts], dtype=np.float32)
        return GraphSchema(list(texts.values()), kept.reshape(-1, self._embedder.dimension), self._embedder)

    def _learn(self, relations: Sequence[str], subgraph: Subgraph) -> None:
        statements = [statement for examples in self._graph.examples(relations, _EXAMPLES) for statement in examples]
        self._take(Subgraph.from_statements(statements), relations)
        # Relations of qualifiers alone have no statements: their words are all that is to be known of them.
        silent = [relation for relation in relations if relation not in self._rows]
        if silent:
            self._take(Subgraph.from_statements(_mentioning(subgraph, silent)), silent)

    def _take(self, examples: Subgraph, relations: Sequence[str]) -> None:
        schema, wanted = GraphSchema.of(examples, self._embedder, sample=_EXAMPLES), set(relations)
        for number, relation in enumerate(examples.relations):
            if relation.id in wanted:
                both = slice(2 * number, 2 * number + 2)
                self._rows[relation.id] = schema.texts[number], schema.slots[both]


def _mentioning(subgraph: Subgraph, relations: Sequence[str]) -> list[Statement]:
    """For each relation a statement of the sub-graph that has it, or has it in a qualifier."""
    tables, number = subgraph.tables, subgraph.relation_number
    rows: list[int] = []
    for relation in relations:
        of = np.flatnonzero(tables.relation == number[relation])[:1].tolist()
        qualifier = np.flatnonzero(tables.qualifier_relation == number[relation])[:1]
        rows += of or (np.searchsorted(tables.qualifier_start, qualifier, side="right") - 1).tolist()
    return subgraph.statements(rows)


def _write_kept(path: Path, asked: datetime, rows: Mapping[str, tuple[str, Vectors]]) -> None:
    """Keep it; where the cache cannot be written to, the endpoint is asked again the next time."""
    header = {"asked": asked.isoformat(), "rows": [[name, text] for name, (text, _) in rows.items()]}
    slots = np.stack([slots for _, slots in rows.values()])
    keep(path, lambda written: np.savez(written, said=np.array(json.dumps(header)), slots=slots))
