"""What there is to judge an answer by: statements of a graph and passages, found by words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from toulmin.graph.local import LocalGraph
from toulmin.graph.memory import MemoryGraph
from toulmin.llm.prompts import block, data
from toulmin.retrieval.knowledge.protocol import Evidence
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import statement_words
from toulmin.retrieval.triples import Reach, around, nearest

if TYPE_CHECKING:
    from toulmin.check_text.split.tagged_words import Names
    from toulmin.graph.protocol import Graph
    from toulmin.retrieval.knowledge.protocol import Knowledge

__all__ = ["Library", "line_of", "numbered"]

_PART, _PASSAGE = 300, 900  # characters of a part of a statement, and of a passage, in a prompt
_ENTITIES = 8  # that a text names, whose statements are looked at
_LEAST = 3  # statements of each thing, beside those that are most like the text
_QUERY = 1_000  # characters of a text that is looked up


class Library:
    """A graph, passages, or both.

    Args:
        graph: None: passages only.
        knowledge: None: the graph only.
    """

    def __init__(self, graph: Graph | None = None, knowledge: Knowledge | None = None) -> None:
        self.empty = graph is None and knowledge is None
        self.graph: Graph = MemoryGraph.from_statements([], name="none") if graph is None else graph
        self.knowledge = knowledge
        self.retriever = Retriever(self.graph)
        self._lock = Lock()  # an index and a linker serve one at a time
        # A remote graph would be asked for each run of words; there, names are read by their capitals alone.
        self.names: Names | None = self._are_names if isinstance(self.graph, LocalGraph) else None

    async def find(self, text: str, statements: int, passages: int) -> list[Evidence]:
        """What bears on a text: statements of the things that it names, most like it first, and passages like it."""
        return await asyncio.to_thread(self._find, text[:_QUERY], statements, passages)

    def _find(self, text: str, statements: int, passages: int) -> list[Evidence]:
        with self._lock:
            mentions = self.retriever.linker.link(text)
            named = dict.fromkeys(mention.candidates[0].entity.id for mention in mentions if mention.candidates)
            by_entity = [around(self.graph, [entity], Reach()) for entity in list(named)[:_ENTITIES]]
            embedder = self.retriever.embedder
            # Those that are most like the text, and of each thing some: of two that are compared, one may be more like
            # the text in all that is said of it.
            share = max(_LEAST, statements // (2 * len(by_entity))) if by_entity else 0
            everything = {statement.id: statement for beside in by_entity for statement in beside}
            chosen = nearest(text, list(everything.values()), statements, embedder)
            for beside in by_entity:
                chosen += nearest(text, beside, min(share, statements), embedder)
            distinct = {statement.id: statement for statement in chosen}
            evidence = [Evidence(" | ".join(statement_words(one)), statements=(one,)) for one in distinct.values()]
            if self.knowledge is not None and passages:
                evidence += self.knowledge.find([text], about=text)[0][:passages]
            return evidence

    def _are_names(self, forms: Sequence[str]) -> list[bool]:
        return [bool(matches) for matches in self.graph.lookup(list(forms))]


def line_of(evidence: Evidence) -> str:
    """One piece of evidence as a line of a prompt."""
    if evidence.excerpt is None and evidence.statements:
        return " | ".join(data(part, _PART) for s in evidence.statements for part in statement_words(s))
    return f"(passage) {data(evidence.text, _PASSAGE)}"


def numbered(name: str, lines: Iterable[str]) -> str:
    """Lines of data, numbered from 1, in a block."""
    return block(name, [f"[{number}] {line}" for number, line in enumerate(lines, 1)])
