"""The method: explore relations, then entities, ask whether what was found suffices, go on or answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Node, Statement
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.fidelis.trails import add_link_step, likely_starts, roots
from toulmin.methods.fidelis.walking import chosen_nodes, ends_of
from toulmin.methods.model_answers import ModelAnswer
from toulmin.methods.protocol import Event, FellBack
from toulmin.methods.tog.explorer import ExploredNode, Explorer, ToGSettings
from toulmin.methods.tog.guide import Guide
from toulmin.program.answer import Answer
from toulmin.program.reasons import Other, Reason, Unread
from toulmin.retrieval.statement_words import statement_words

__all__ = ["AnswerDecided", "EntitiesPruned", "RelationsPruned", "SufficiencyAsked", "ToG"]


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


class ToG(AnsweringMethod):
    """Think-on-Graph, for questions and claims."""

    name: ClassVar[str] = "tog"
    title: ClassVar[str] = "The model explores relations and entities from the question's, until what it found suffices"
    source: ClassVar[str] = "Think-on-Graph (Sun et al., 2024)"
    takes = frozenset({"claim"})
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

    async def answered(self, run: Answering) -> Answer:
        """The answer to a request; see ``AnsweringMethod.answered``."""
        settings, question = self.settings, run.request.question
        starts = likely_starts(await run.link(), settings.starts)
        if not starts:
            return await self._without(run, Unread(words=((0, len(question), "names nothing in the graph"),)))
        seeds = [start.entity.id for start in starts]
        subgraph = await asyncio.to_thread(run.context.graph.subgraph, seeds, settings.depth)
        explorer = Explorer(subgraph, question, settings)
        guide = Guide(run, explorer, settings)
        beam, paths = [ExploredNode(root) for root in roots(subgraph, starts)], list[ExploredNode]()
        for depth in range(1, settings.depth + 1):
            beam = await self._deeper(run, guide, explorer, beam, depth)
            if not beam:
                break
            paths += beam
            statements = explorer.statements(paths)
            enough = await guide.sufficient(statements)
            run.emit(SufficiencyAsked(depth=depth, statements=len(statements), sufficient=enough))
            if enough:
                first_paths = {node.node: node for node in reversed(paths)}
                reached = list(reversed(first_paths.values()))
                places, answer = await guide.conclude(reached, statements)
                return await self._concluded(run, subgraph, [reached[at] for at in places], answer)
        led = "what was found does not suffice" if paths else "nothing that leads on from the question's entities helps"
        return await self._without(run, Other(says=f"by {run.prompter.model} {led}"))

    async def _deeper(
        self, run: Answering, guide: Guide, explorer: Explorer, beam: Sequence[ExploredNode], depth: int
    ) -> list[ExploredNode]:
        """The nodes kept one hop further; none where nothing leads on, or nothing of it helps."""
        groups = [explorer.leads(node) for node in beam]
        if not any(groups):
            return []
        leads = await guide.relations(groups)
        shown = tuple((explorer.words(lead), lead.score) for lead in leads)
        run.emit(RelationsPruned(depth=depth, candidates=sum(map(len, groups)), kept=shown))
        reached = [explorer.reached(lead) for lead in leads]
        if not any(reached):
            return []
        if self.settings.pruning == "random":
            longer = explorer.drawn([node for nodes in reached for node in nodes], depth)
        else:
            longer = await guide.entities(reached)
        run.emit(
            EntitiesPruned(
                depth=depth,
                candidates=sum(map(len, reached)),
                kept=tuple((explorer.subgraph.node(node.node), node.score) for node in longer),
                statements=tuple(explorer.statements(longer)),
            )
        )
        return longer

    async def _concluded(
        self, run: Answering, subgraph: Subgraph, named: Sequence[ExploredNode], answer: ModelAnswer
    ) -> Answer:
        """The answer as the model concludes it: nodes that were reached, a verdict, or nothing."""
        nodes, thought = tuple(subgraph.node(reached.node) for reached in named), answer.thought
        run.emit(AnswerDecided(nodes=nodes, verdict=answer.verdict, statements=answer.cited, thought=thought))
        if answer.verdict is not None:
            return run.concluded(answer)
        builder, by = run.builder, run.prompter.model
        picks = []
        for reached, node in zip(named, nodes, strict=True):
            trail = reached.trail
            ends = ends_of(builder, add_link_step(builder, trail.start), [trail.pattern(subgraph)])
            if node in ends.nodes:
                picks.append((ends, [node]))
        if not picks:
            why = f"by {by} nothing that was found is the answer"
            return await self._without(run, Other(says=f"{why}: {thought}" if thought else why))
        cited = [list(statement_words(statement)) for statement in answer.cited]
        return run.answer_of(chosen_nodes(builder, picks, by=by), trace={"thought": thought, "cited": cited})

    async def _without(self, run: Answering, reason: Reason) -> Answer:
        """What comes where the graph does not suffice: an abstention, or the model's word alone, marked as such."""
        if self.settings.fallback == "abstain":
            return run.abstained(reason)
        instead = "the model's own answer, which rests on nothing in the graph"
        why = reason.says if isinstance(reason, Other) else "the question names nothing in the graph"
        run.emit(FellBack(step=self.name, problem=why, instead=instead))
        step = "memory_claim" if run.request.task == "claim" else "memory_question"
        return run.concluded(await run.reply(step), reasons=[reason])
