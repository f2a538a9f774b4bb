"""The schema of an endpoint, kept in the user's cache: relations and what they lead to, never statements.

A local graph has its schema from all of its statements. An endpoint is asked for examples of each relation when a
question first comes near it; their labels' vectors are kept on disk for a week. What is kept ranks relations only:
every statement of an answer is asked for when it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.build_directory import keep, user_cache
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Statement
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.schema import GraphSchema
from toulmin.retrieval.statement_words import relation_text

if TYPE_CHECKING:
    from toulmin.graph.endpoint.graph import EndpointGraph
    from toulmin.retrieval.embedders import Embedder

__all__ = ["EndpointSchema", "KeptFile", "kept_file"]

_FORMAT = 3
_LASTS = timedelta(days=7)
_EXAMPLES = 16  # statements of each relation


@dataclass(frozen=True, slots=True)
class KeptFile:
    """Where the schema of an endpoint is kept.

    Args:
        path: an ``.npz`` file.
        asked: when its first relation was asked for; None: nothing is kept, or it is too old or cannot be read.
        relations: how many it holds.
    """

    path: Path
    asked: datetime | None
    relations: int

    def forget(self) -> None:
        """Delete it, so that the endpoint is asked again."""
        self.path.unlink(missing_ok=True)


def kept_file(graph: EndpointGraph, embedder: Embedder | None = None) -> KeptFile:
    """The file for an endpoint, as it is asked (dialect, languages), and for an embedding model (None: ours)."""
    asked_as = json.dumps([_FORMAT, *graph.asked_as, (embedder or get_embedder()).name])
    digest = blake2b(asked_as.encode(), digest_size=6).hexdigest()
    path = user_cache() / "endpoints" / f"{graph.name}-{digest}.npz"
    content = _read(path)
    return KeptFile(path, *((content.asked, len(content.rows)) if content else (None, 0)))


@dataclass(slots=True)
class _Row:
    """What is kept of a relation: its words, and float32[2, d] of its slots."""

    text: str
    slots: NDArray[np.float32]


@dataclass(slots=True)
class _Content:
    asked: datetime
    rows: dict[str, _Row]


class EndpointSchema:
    """Makes the schema of sub-graphs of one endpoint.

    Args:
        embedder: of all vectors.
    """

    def __init__(self, graph: EndpointGraph, embedder: Embedder) -> None:
        self._graph, self._embedder = graph, embedder
        self._path = kept_file(graph, embedder).path
        self._content = _read(self._path) or _Content(datetime.now(UTC), {})

    def of(self, subgraph: Subgraph) -> GraphSchema:
        """The schema of the relations of a sub-graph; those that are not known yet are asked for and kept."""
        texts = {relation.id: relation_text(relation.label or relation.id) for relation in subgraph.relations}
        rows = self._content.rows
        # A relation that was given another label since is another one, for all that the schema is for.
        missing = [relation for relation, text in texts.items() if relation not in rows or rows[relation].text != text]
        if missing:
            self._learn(missing, subgraph)
            _write(self._path, self._content)
        kept = np.array([rows[relation].slots for relation in texts], dtype=np.float32)
        return GraphSchema(list(texts.values()), kept.reshape(-1, self._embedder.dimension), self._embedder)

    def _learn(self, relations: Sequence[str], subgraph: Subgraph) -> None:
        statements = [statement for examples in self._graph.examples(relations, _EXAMPLES) for statement in examples]
        self._take(Subgraph.from_statements(statements), relations)
        # Relations of qualifiers alone have no statements: their words are all that is to be known of them.
        silent = [relation for relation in relations if relation not in self._content.rows]
        if silent:
            self._take(Subgraph.from_statements(_mentions(subgraph, silent)), silent)

    def _take(self, examples: Subgraph, relations: Sequence[str]) -> None:
        schema, wanted = GraphSchema.of(examples, self._embedder, sample=_EXAMPLES), set(relations)
        for number, relation in enumerate(examples.relations):
            if relation.id in wanted:
                both = slice(2 * number, 2 * number + 2)
                self._content.rows[relation.id] = _Row(schema.texts[number], schema.slots[both])


def _mentions(subgraph: Subgraph, relations: Sequence[str]) -> list[Statement]:
    """For each relation a statement of the sub-graph that has it, or has it in a qualifier."""
    tables, number = subgraph.tables, {relation.id: place for place, relation in enumerate(subgraph.relations)}
    rows: list[int] = []
    for relation in relations:
        of = np.flatnonzero(tables.relation == number[relation])[:1].tolist()
        qualifier = np.flatnonzero(tables.qualifier_relation == number[relation])[:1]
        rows += of or (np.searchsorted(tables.qualifier_start, qualifier, side="right") - 1).tolist()
    return subgraph.statements(rows)


def _read(path: Path) -> _Content | None:
    """What is kept; None where nothing is, where it is too old, or where it is damaged: then it is asked for again."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            header: dict[str, Any] = json.loads(str(arrays["said"]))
            slots = arrays["slots"]
        asked = datetime.fromisoformat(header["asked"])
        if not timedelta() <= datetime.now(UTC) - asked < _LASTS:
            return None
        rows = {identifier: _Row(text, slots[place]) for place, (identifier, text) in enumerate(header["rows"])}
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError, BadZipFile):
        return None
    return _Content(asked, rows)


def _write(path: Path, content: _Content) -> None:
    """Keep it; where the cache cannot be written to, the endpoint is asked again the next time."""
    rows = content.rows
    header = {"asked": content.asked.isoformat(), "rows": [[name, row.text] for name, row in rows.items()]}
    slots = np.stack([row.slots for row in rows.values()])
    keep(path, lambda written: np.savez(written, said=np.array(json.dumps(header)), slots=slots))
