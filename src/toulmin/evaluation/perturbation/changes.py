"""The list of what was changed in a graph: ``changes.jsonl``, one change a line (docs/perturbation.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from toulmin.errors import SourceError
from toulmin.evaluation.perturbation.edits import Edits, digest
from toulmin.graph.literal_words import literal_words
from toulmin.graph.ranges import plain_node
from toulmin.graph.readers.raw_statements import RawStatement
from toulmin.graph.types import Literal

__all__ = ["CHANGES", "changes", "false_statements", "read_changes"]

CHANGES = "changes.jsonl"


def changes(edits: Edits) -> Iterator[dict[str, Any]]:
    """Each change, as a line of ``changes.jsonl`` has it."""
    tables, telling = edits.tables, _Telling(edits)
    for number, label in edits.renamed.items():
        yield {"change": "renamed", "entity": tables.keys[number], "before": tables.labels[number], "after": label}
    for number, into in edits.merged.items():
        yield {"change": "merged", "entity": tables.keys[number], "into": tables.keys[into]}
    for fact in edits.facts(edits.removed, before=True):
        yield {"change": "removed", "before": telling.statement(fact, digest(fact))}
    for change, rows in (("altered", edits.altered), ("added", edits.added)):
        after = list(edits.facts(rows))
        digests = [digest(fact) for fact in after]
        true = tables.holds(digests)  # where merging entities makes two statements one
        before = edits.facts(edits.origin[rows], before=True)
        for old, new, identity, holds in zip(before, after, digests, true, strict=True):
            content = telling.statement(new, identity) | ({"true": True} if holds else {})
            beside = "before" if change == "altered" else "beside"
            yield {"change": change, beside: telling.statement(old, digest(old)), "after": content}


class _Telling:
    """Statements for people and programs to read."""

    def __init__(self, edits: Edits) -> None:
        tables = edits.tables
        numbers = np.arange(tables.n_entities)
        self._labels = dict(zip(tables.keys.many(numbers), tables.labels.many(numbers), strict=True))
        self._relations = {relation.id: relation.label or relation.id for relation in tables.relations}

    def statement(self, fact: RawStatement, identity: bytes) -> dict[str, Any]:
        """The id, the content, and the content in words."""
        qualifiers = [f"{self._relations[relation]}: {self._words(value)}" for relation, value in fact.qualifiers]
        words = [self._labels[fact.subject], self._relations[fact.relation], self._words(fact.object), *qualifiers]
        content: dict[str, Any] = {
            "id": identity[:16].hex(),
            "text": " | ".join(words),
            "subject": fact.subject,
            "relation": fact.relation,
            "object": _plain(fact.object),
        }
        if fact.qualifiers:
            content["qualifiers"] = [[relation, _plain(value)] for relation, value in fact.qualifiers]
        if fact.rank != "normal":
            content["rank"] = fact.rank
        return content

    def _words(self, node: str | Literal) -> str:
        return literal_words(node) if isinstance(node, Literal) else self._labels[node]


def _plain(node: str | Literal) -> str | dict[str, str]:
    return plain_node(node) if isinstance(node, Literal) else node


def read_changes(folder: str | Path) -> Iterator[dict[str, Any]]:
    """What was changed in a perturbed graph.

    Raises:
        SourceError: the folder holds no list of changes, or one that is damaged.
    """
    path = Path(folder) / CHANGES
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                change = json.loads(line)
                if not isinstance(change, dict) or "change" not in change:
                    raise SourceError("not a change as `toulmin perturb` writes it", path, number)
                yield change
    except OSError as error:
        raise SourceError(
            f"cannot be read ({error.strerror}): is it of a graph that `toulmin perturb` made?", path
        ) from None
    except ValueError as error:
        raise SourceError(f"not JSON ({error})", path) from None


def false_statements(folder: str | Path) -> frozenset[str]:
    """The ids of the statements of a perturbed graph that the graph it was made of lacks.

    Raises:
        SourceError: as ``read_changes``.
    """
    return frozenset(
        change["after"]["id"]
        for change in read_changes(folder)
        if change["change"] in ("altered", "added") and not change["after"].get("true")
    )
