"""What judges are given: what was asked, what was said and for which reasons; and what there is to judge it by."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from toulmin.check_text.split.tagged_words import Names
from toulmin.english.sentences import split_sentences
from toulmin.errors import InputError, SourceError
from toulmin.graph.local import LocalGraph
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.llm.prompts import block, data
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge.evidence import Evidence, Knowledge
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import statement_words
from toulmin.retrieval.triples import around, nearest

__all__ = ["Library", "Response", "line_of", "numbered", "response_of"]

_STATEMENTS, _LONGEST = 40, 2_000  # statements, and characters of a reading, among the reasons
_PART, _PASSAGE = 300, 900  # characters of a part of a statement, and of a passage, in a prompt
_ENTITIES = 8  # that a text names, whose statements are looked at
_LEAST = 3  # statements of each thing, beside those that are most like the text
_QUERY = 1_000  # characters of a text that is looked up
_ID = re.compile(r" \[[0-9a-f]{12}\]$")


@dataclass(frozen=True, slots=True)
class Response:
    """An answer as it is judged.

    Args:
        id, question: of the question.
        text: what was said in prose: a text, else the thought before the answer; empty where there is neither.
        answer: the answer, as it is told; empty where there is none.
        reasons: why, step by step: the thought, the recorded chain that won a vote, or what the program looked up and
            how it reads; of a text its sentences.
        gold: the right answer, in words, and the reference; empty where none is known.
        right: whether the answer is right; None where that is not known.
        options: of a multiple choice.
    """

    id: str
    question: str
    text: str = ""
    answer: str = ""
    reasons: tuple[str, ...] = ()
    gold: str = ""
    right: bool | None = None
    options: tuple[str, ...] = ()

    @property
    def responded(self) -> bool:
        """Whether there is an answer; an abstention is none."""
        return bool(self.answer)


def response_of(record: Mapping[str, Any], graph: Graph | None = None) -> Response:
    """What there is to judge of a record.

    Args:
        graph: that the answer was made on: what its program found is looked up there.

    Raises:
        SourceError: the record has no id or question, or holds no answer that can be read.
    """
    name, question = record.get("id"), record.get("question")
    if not isinstance(name, str) or not isinstance(question, str):
        raise SourceError("a record of the run has no id or question")
    gold, metrics = _object(record, "gold"), _object(record, "metrics")
    reference = _gold(gold)
    right = (
        metrics.get("accuracy", metrics.get("hits_at_1")) == 1 if reference and gold.get("text") != reference else None
    )
    options = tuple(map(str, record.get("options") or ()))
    silent = Response(name, question, gold=reference, right=right, options=options)
    stored = record.get("answer")
    if stored is None:
        return silent
    try:
        answer = Answer.from_json(json.dumps(stored))
    except InputError as error:
        raise SourceError(f"the answer to {name!r} cannot be read: {error}") from None
    if answer.abstained:
        return silent
    thought = _thought(answer)
    text = answer.question if answer.kind == "text" else thought
    return replace(
        silent,
        text=text,
        answer=text if answer.kind == "text" else answer.text,
        reasons=tuple(_sentences(thought)) + tuple(_reasons(answer, graph, thought=bool(thought))),
    )


def _object(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = record.get(name) or {}
    if not isinstance(value, dict):
        raise SourceError(f"the {name} of a record of the run is no object")
    return value


def _gold(gold: Mapping[str, Any]) -> str:
    verdict = gold.get("verdict")
    parts = [str(answer) for answer in gold.get("answers") or ()]
    parts += [{True: "yes", False: "no"}[verdict]] if isinstance(verdict, bool) else []
    reference = gold.get("text")
    return ". ".join([*([", ".join(parts)] if parts else []), *([str(reference)] if reference else [])])


def _thought(answer: Answer) -> str:
    trace = answer.certificate.get("trace")
    thought = trace.get("thought") if isinstance(trace, dict) else None
    return thought if isinstance(thought, str) else ""


def _sentences(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)] if text.strip() else []


def _reasons(answer: Answer, graph: Graph | None, *, thought: bool) -> Iterator[str]:
    if answer.kind == "text":
        yield from _sentences(answer.question)
        return
    if thought:
        return
    program = answer.certificate["program"]
    for node in program:
        if node["op"] == "vote":
            chains = (chain["text"] for chain in node["chains"] if chain.get("prediction") == answer.text)
            yield from _sentences(next(chains, ""))
            return
    report = answer.check(graph, shown=_STATEMENTS)
    used = [node for node in report.nodes if node["used"] and node["op"] != "entity"]
    statements = (_ID.sub("", text) for node in used for text in node["statements"])
    yield from list(dict.fromkeys(statements))[:_STATEMENTS]
    judged = [program[node["place"]] for node in used if node["op"] == "judged"]
    yield from dict.fromkeys(f"{node['says']} – judged: {node['decision']}" for node in judged)
    # A prompt has no angle brackets but those of its blocks.
    yield report.read_as[:_LONGEST].replace(" > ", " is greater than ").replace(" < ", " is less than ")


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
            by_entity = [around(self.graph, [entity]) for entity in list(named)[:_ENTITIES]]
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
