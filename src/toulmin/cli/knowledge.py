"""The options about what an answer rests on beside a graph: knowledge by name, and recorded chains of thought."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from toulmin.cli.options import option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toulmin.graph.protocol import Graph
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["Chains", "KnowledgeNames", "RestsOn", "documents", "named_knowledge", "recorded_chains"]

KnowledgeNames = Annotated[
    list[str] | None,
    option(
        "WHAT",
        "For --method rr: folder of a passage index, table (.json, .csv), temporal, lexical, "
        "lexical:CONCEPTNET.tsv, given:FILE, own (what a data set's questions bring); repeat.",
    ),
]
RestsOn = Annotated[
    list[str] | None,
    option(
        "WHAT",
        "The passages that the answer rests on: folder of an index, table, lexical, given:FILE, as `ask` was "
        "told; repeat.",
        "--knowledge",
        "--passages",
    ),
]
Chains = Annotated[
    Path | None,
    option("FILE", "For --method rr: recorded chains of thought, in place of a model's; - is stdin."),
]


def named_knowledge(
    names: Sequence[str] | None, graph: Graph, question_knowledge: Knowledge | None = None
) -> Knowledge | None:
    """The knowledge of ``--knowledge``; ``question_knowledge`` is what the question of a data set brings.

    Raises:
        SettingsError: no such kind.
        SourceError: a file or folder that cannot be used.
    """
    if not names:
        return None
    from toulmin.retrieval.knowledge.named import knowledge_from

    return knowledge_from(names, graph, question_knowledge)


def recorded_chains(path: Path | None, question: str) -> tuple[str, ...]:
    """The chains of ``--chains``.

    Raises:
        SourceError: the file cannot be used, or has none of this question.
    """
    if path is None:
        return ()
    from toulmin.methods.rr.recorded import chains_of, read_chains

    if str(path) == "-":
        return chains_of(sys.stdin.buffer.read(), question, path)
    return read_chains(path, question)


def documents(knowledge: Knowledge | None) -> Callable[[str], str | None] | None:
    """Where a check finds documents again."""
    return knowledge.document if knowledge is not None else None
