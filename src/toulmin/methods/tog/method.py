"""The method: explore relations, then entities, ask whether what was found suffices, go on or answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from toulmin.errors import ReplyError
from toulmin.graph.types import Node, Statement
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.fidelis.walking import Ends, Start, Trail, chosen_nodes
from toulmin.methods.model_answers import ModelAnswer, statement_lines
from toulmin.methods.prompting import numbers_schema, object_schema
from toulmin.methods.protocol import Event, FellBack
from toulmin.methods.tog.explorer import ExploredNode, Explorer, Lead, ToGSettings
from toulmin.program.answer import Answer
from toulmin.program.reasons import Other, Reason, Unread
from toulmin.retrieval.statement_words import statement_words

__all__ = ["AnswerDecided", "EntitiesPruned", "RelationsPruned", "SufficiencyAsked", "ToG"]

_THOUGHT = 1000  # characters of a thought in the trace


class RelationsPruned(Event):
    """Of so many relations that lead on, those kept, as they were shown, with the model's scores."""

    event: str = "relations pruned"
    depth: int
    candidates: int
    kept: tuple[tuple[str, float], ...]


class EntitiesPruned(Event):
    """Of so many entities that they lead to, those kept, with their scores and the statements that led there."""

    event: str = "entities pruned"
    depth: int
    candidates: int
    kept: tuple[tuple[Node, float], ...]
    statements: tuple[Statement, ...]


class SufficiencyAsked(Event):
    """Whether, by the model, all statements found so far suffice."""

    event: str = "sufficiency"
    depth: int
    statements: int
    sufficient: bool


class AnswerDecided(Event):
    """What the model answers, and the statements that it cites."""

    event: str = "decided"
    nodes: tuple[Node, ...]
    verdict: bool | None
    statements: tuple[Statement, ...]
    thought: str


class _Exploring(Answering):
    """The exploring for one question: every relation, entity and statement that the model names is a number."""

    settings: ToGSettings
    _explorer: Explorer

    async def answered(self) -> Answer:
        """Explore until what was found suffices, and answer by it."""
        settings, question = self.settings, self.request.question
        starts = Start.likely(await self.link(), settings.starts)
        if not starts:
            return await self._without(Unread(words=((0, len(question), "names nothing in the graph"),)))
        seeds = [start.entity.id for start in starts]
        subgraph = await asyncio.to_thread(self.context.graph.subgraph, seeds, settings.depth)
        explorer = self._explorer = Explorer(subgraph, question, settings)
        beam, paths = [ExploredNode(root) for root in Trail.roots(subgraph, starts)], list[ExploredNode]()
        for depth in range(1, settings.depth + 1):
            beam = await self._deeper(beam, depth)
            if not beam:
                break
            paths += beam
            statements = explorer.statements(paths)
            enough = await self._sufficient(statements)
            self.emit(SufficiencyAsked(depth=depth, statements=len(statements), sufficient=enough))
            if enough:
                first_paths = {node.node: node for node in reversed(paths)}
                reached = list(reversed(first_paths.values()))
                return await self._settled(*await self._decided(reached, statements))
        led = "what was found does not suffice" if paths else "nothing that leads on from the question's entities helps"
        return await self._without(Other(says=f"by {self.prompter.model} {led}"))

    async def _deeper(self, beam: Sequence[ExploredNode], depth: int) -> list[ExploredNode]:
        """The nodes kept one hop further; none where nothing leads on, or nothing of it helps."""
        explorer = self._explorer
        groups = [explorer.leads(node) for node in beam]
        if not any(groups):
            return []
        leads = await self._relations(groups)
        shown = tuple((explorer.words(lead), lead.score) for lead in leads)
        self.emit(RelationsPruned(depth=depth, candidates=sum(map(len, groups)), kept=shown))
        reached = [explorer.reached(lead) for lead in leads]
        if not any(reached):
            return []
        if self.settings.pruning == "random":
            longer = explorer.drawn([node for nodes in reached for node in nodes], depth)
        else:
            longer = await self._entities(reached)
        self.emit(
            EntitiesPruned(
                depth=depth,
                candidates=sum(map(len, reached)),
                kept=tuple((explorer.subgraph.node(node.node), node.score) for node in longer),
                statements=tuple(explorer.statements(longer)),
            )
        )
        return longer

    async def _settled(self, named: Sequence[ExploredNode], answer: ModelAnswer) -> Answer:
        """The answer as the model concludes it: nodes that were reached, a verdict, or nothing."""
        subgraph = self._explorer.subgraph
        nodes, thought = tuple(subgraph.node(reached.node) for reached in named), answer.thought
        self.emit(AnswerDecided(nodes=nodes, verdict=answer.verdict, statements=answer.cited, thought=thought))
        if answer.verdict is not None:
            return self.concluded(answer)
        builder, by = self.builder, self.prompter.model
        picks = []
        for reached, node in zip(named, nodes, strict=True):
            trail = reached.trail
            ends = Ends.of(builder, trail.start.place(builder), [trail.pattern(subgraph)])
            if node in ends.nodes:
                picks.append((ends, [node]))
        if not picks:
            why = f"by {by} nothing that was found is the answer"
            return await self._without(Other(says=f"{why}: {thought}" if thought else why))
        cited = [list(statement_words(statement)) for statement in answer.cited]
        return self.answer_of(chosen_nodes(builder, picks, by=by), trace={"thought": thought, "cited": cited})

    async def _without(self, reason: Reason) -> Answer:
        """What comes where the graph does not suffice: an abstention, or the model's word alone, marked as such."""
        if self.settings.fallback == "abstain":
            return self.abstained(reason)
        instead = "the model's own answer, which rests on nothing in the graph"
        why = reason.says if isinstance(reason, Other) else "the question names nothing in the graph"
        self.emit(FellBack(step=ToG.name, problem=why, instead=instead))
        step = "memory_claim" if self.request.task == "claim" else "memory_question"
        return self.concluded(await self.reply(step), reasons=[reason])

    # -- what the model is asked ---------------------------------------------------------------------------------------

    async def _relations(self, groups: Sequence[Sequence[Lead]]) -> list[Lead]:
        """The relations worth following, with the model's scores, the best first, at most the width.

        Args:
            groups: those of each entity.
        """
        if self.settings.together:
            groups = [[lead for group in groups for lead in group]]
        most, hop_words = self.settings.listed, self._explorer.hop_words
        listed = [self.likest(group, lambda lead: hop_words(lead.hop), most) for group in groups if group]
        leads = [replace(lead, score=score) for lead, score in await self._each("relations", listed)]
        return sorted(leads, key=lambda lead: -lead.score)[: self.settings.width]

    async def _entities(self, groups: Sequence[Sequence[ExploredNode]]) -> list[ExploredNode]:
        """The entities worth keeping, the best first, at most the width; where no more are left, without asking.

        Args:
            groups: those of each relation.
        """
        width = self.settings.width
        if self.settings.together:
            together = [node for group in groups for node in group]
            groups, enough = [together], len(together) <= width
        else:
            enough = False
        sure = [node for group in groups if enough or len(group) == 1 for node in group]
        asked_of = [list(group) for group in groups if not enough and len(group) > 1]
        scored = await self._each("entities", asked_of)
        nodes = [*sure, *(replace(node, score=node.score * score) for node, score in scored)]
        return sorted(nodes, key=lambda node: -node.score)[:width]

    async def _sufficient(self, statements: Sequence[Statement]) -> bool:
        """Whether the statements suffice for an answer."""
        schema = object_schema({"sufficient": {"type": "string", "enum": ["yes", "no"]}})
        values = {"asked": self.asked, "statements": statement_lines(statements)}
        reply = await self.prompter.ask("sufficient", values, schema=schema)
        return bool(reply["sufficient"] == "yes")

    async def _decided(
        self, reached: Sequence[ExploredNode], statements: Sequence[Statement]
    ) -> tuple[list[ExploredNode], ModelAnswer]:
        """The answer, from statements and from what they lead to: which of that it names, and what it says."""
        claim = self.request.task == "claim"
        verdict = {"type": "string", "enum": ["yes", "no", "unknown"]}
        numbers = numbers_schema(len(reached))
        schema = object_schema(
            {
                "thought": {"type": "string", "maxLength": 2 * _THOUGHT},
                "statements": numbers_schema(len(statements)),
                "answer": verdict if claim else {"anyOf": [verdict, numbers]},
            }
        )
        values = {"asked": self.asked, "statements": statement_lines(statements)}
        if not claim:
            names = [f"#{at} {self._explorer.name(node.node)}" for at, node in enumerate(reached, 1)]
            values["found"] = block("found", names)
        step = "claim" if claim else "answer"
        reply = await self.prompter.ask(step, values, schema=schema, check=_uncited)
        answer, thought = reply["answer"], data(reply["thought"], _THOUGHT)
        cited = tuple(statements[number - 1] for number in dict.fromkeys(reply["statements"]))
        if isinstance(answer, str):
            return [], ModelAnswer((), {"yes": True, "no": False}.get(answer), cited, thought)
        return [reached[number - 1] for number in dict.fromkeys(answer)], ModelAnswer((), None, cited, thought)

    async def _each(self, step: str, groups: Sequence[list[Any]]) -> list[tuple[Any, float]]:
        """Those of several lists that the model gives a score above 0; a list without a usable reply counts as none.

        Raises:
            ReplyError: there is no usable reply to any list.
        """
        replies = await asyncio.gather(*(self._scored(step, group) for group in groups), return_exceptions=True)
        scored: list[tuple[Any, float]] = []
        failed: list[ReplyError] = []
        for reply in replies:
            if isinstance(reply, ReplyError):
                failed.append(reply)
            elif isinstance(reply, BaseException):
                raise reply
            else:
                scored += reply
        if failed and len(failed) == len(groups):
            raise failed[0]
        for error in failed:
            self.emit(FellBack(step=error.step, problem=error.problem, instead="nothing of that list is kept"))
        return scored

    async def _scored(self, step: str, group: list[Any]) -> list[tuple[Any, float]]:
        explorer, width = self._explorer, self.settings.width
        words = explorer.words if step == "relations" else explorer.path_words
        lines = [f"[{number}] {words(item)}" for number, item in enumerate(group, 1)]
        number = {"type": "integer", "enum": list(range(1, len(group) + 1))}
        part = object_schema({"number": number, "score": {"type": "number", "minimum": 0, "maximum": 1}})
        values = {"asked": self.asked, step: block(step, lines), "width": str(width)}
        schema = object_schema({step: {"type": "array", "items": part, "maxItems": width}})
        asker, temperature = self.prompter, self.settings.temperature
        reply = await asker.ask(step, values, schema=schema, temperature=temperature)
        scores = {entry["number"]: float(entry["score"]) for entry in reversed(reply[step])}
        return [(group[at - 1], score) for at, score in reversed(scores.items()) if score > 0]


class ToG(AnsweringMethod):
    """Think-on-Graph, for questions and claims."""

    name: ClassVar[str] = "tog"
    title: ClassVar[str] = "The model explores relations and entities from the question's, until what it found suffices"
    source: ClassVar[str] = "Think-on-Graph (Sun et al., 2024)"
    takes = frozenset({"claim"})
    answering = _Exploring
    settings: ToGSettings

    @classmethod
    def forms(cls) -> Mapping[str, ToGSettings]:
        """Ours, with a call for all entities together; the paper's ToG and ToG-R."""
        return {
            "together": ToGSettings(),
            "paper": ToGSettings.paper(),
            "paper-r": ToGSettings.paper(pruning="random"),
        }

    def most_calls(self, options: int = 0) -> int:
        """At each depth for relations, for entities and whether all suffices; then the answer."""
        settings = self.settings
        relations = entities = settings.depth
        if not settings.together:
            relations = settings.starts + (settings.depth - 1) * settings.width
            entities = settings.depth * settings.width
        asked = relations + (entities if settings.pruning == "model" else 0)
        return asked + settings.depth + 1 + (settings.fallback == "memory")


def _uncited(value: Any) -> str | None:
    """A verdict rests on statements."""
    if value["answer"] in ("yes", "no") and not value["statements"]:
        return "a verdict cites the numbers of the statements that it rests on; without any it is unknown"
    return None
