"""The method: relation paths are proposed or read from a file, walked, and what they lead to is the answer.

The model chooses numbers, or is kept to a grammar: a path that the graph has not cannot be said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Node
from toulmin.llm.prompts import block, data
from toulmin.llm.protocol import takes_grammar
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.fidelis.walking import DirectedRelation, Ends, Start, Trail, chosen_nodes, walked_path
from toulmin.methods.prompting import numbers_schema, object_schema
from toulmin.methods.protocol import Event, WalkedPath
from toulmin.methods.relation_plans.recorded import Record, RecordedPlans, RecordedStart
from toulmin.methods.relation_plans.trie import PathTrie
from toulmin.methods.relation_plans.walked_plans import Origin, Plan, Walked, combined_ends, plans_of, walk_plan
from toulmin.methods.setting_checks import check_choices, check_least
from toulmin.program.answer import Answer, node_text
from toulmin.program.reasons import Nothing, Other, Reason, Unread

__all__ = ["ChosenEnds", "PlanSettings", "PlanWalked", "PlansProposed", "RelationPlans", "Take", "Topic"]

_SHOWN = 10  # ends in an event
_NAME, _THOUGHT = 60, 1000  # characters in a prompt, and of a thought in the trace
_LINE, _PATH = 200, 400  # characters of a line that is no path, and of a path that was walked
_RELATIONS = 300  # relations that a prompt names

Take = Choice["first", "agreed", "all"]
Topic = Choice["linked", "recorded"]


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Relation paths are proposed, walked in the graph, and what they lead to is the answer (Luo et al., ICLR 2024).

    Args:
        plans: a file of recorded plans that take the model's place (docs/planning.md has its form). None: the model
            proposes them.
        width: K, relation paths that are proposed at most (the paper's beam: 3).
        hops: of a path at most; a node that has only a machine id counts as no hop (ours: 3).
        constraint: how a model is kept to paths that the graph has. "schema": it chooses numbers of a list. "grammar":
            it writes the paths, by a grammar made from the trie of all of them; for models in this process. "auto":
            by grammar where the model takes one and the trie has at most ``written`` paths, else by schema.
        listed: paths in one list; where there are more, the model chooses hop by hop, and of more continuations it
            sees those whose words are most like the question's (ours: 80).
        written: paths of a grammar at most (ours: 2000).
        answering: "walk": what the paths lead to is the answer. "model": the model chooses among it (the paper's
            reasoning over paths).
        take: of "walk". "first": what the first path leads to that leads anywhere. "agreed": that of it to which the
            paths of the most weight lead together; a weight is the path's score, or 1 by its rank. "all": everything.
        topic: where recorded plans are walked from. "linked": what the question's words are linked to. "recorded": the
            entities that the record names, where it names any.
        starts: linked entities that paths may start from, the likeliest first (ours: 4).
        shown: ends of one path that the model sees when it chooses (ours: 15).
        max_tokens: of one reply.
    """

    plans: str | None = None
    width: int = 3
    hops: int = 3
    constraint: Choice["auto", "schema", "grammar"] = "auto"
    listed: int = 80
    written: int = 2000
    answering: Choice["walk", "model"] = "walk"
    take: Take = "agreed"
    topic: Topic = "linked"
    starts: int = 4
    shown: int = 15
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_least(self, "width", "hops", "listed", "written", "starts", "shown", "max_tokens", of="plan: ")
        check_choices(self, "plan: unknown {name} {value}: use one of {known}")


class PlansProposed(Event):
    """Relation paths were proposed, the surest first.

    Args:
        by: the model, or the file that they are recorded in.
        plans: as they are written.
        how: "grammar", "list", "hop by hop" or "recorded".
    """

    event: str = "planned"
    by: str
    plans: tuple[str, ...]
    how: str


class PlanWalked(Event):
    """A plan was walked: from where, over which directed relation paths, and what they lead to; all empty: nowhere.

    Args:
        ends: how many nodes.
        shown: the first of them.
    """

    event: str = "walked"
    plan: str
    start: Entity | None = None
    paths: tuple[WalkedPath, ...] = ()
    ends: int = 0
    shown: tuple[Node, ...] = ()


class ChosenEnds(Event):
    """The model chose among what the plans lead to, and its reason in a sentence."""

    event: str = "chosen"
    nodes: tuple[Node, ...]
    thought: str


@dataclass(slots=True)
class _Planning(Answering):
    """The answering of one question."""

    settings: PlanSettings
    recorded: RecordedPlans | None = None

    async def answered(self) -> Answer:
        question, recorded = self.request.question, self.recorded
        record = recorded.of(question) if recorded else None
        if recorded and record is None:
            return self.abstained(Other(says=f"{recorded.name} has no plan for this question"))
        origins, starts = await self._origins(record)
        if not origins:
            return self.abstained(Unread(words=((0, len(question), "names nothing in the graph"),)))
        hops = max((len(path) for path, _ in record.plans), default=1) if record else self.settings.hops
        seeds = [origin.entity.id for origin in origins]
        subgraph = await asyncio.to_thread(self.context.graph.subgraph, seeds, hops)
        if recorded and record:
            plans = plans_of(record.plans[: self.settings.width], subgraph)
            self.emit(PlansProposed(by=recorded.name, plans=tuple(map(_written, plans)), how="recorded"))
        else:
            plans = await self._proposed(subgraph, starts)
        if not plans:
            return self.abstained(Other(says=f"{self._who} proposes no relation path"))
        walked = [result for plan in plans if (result := self._walked(subgraph, plan, origins))]
        if not walked:
            return self._nowhere(plans, origins)
        if self.settings.answering == "model":
            return await self._chosen(walked)
        place, weight = combined_ends(self.builder, walked, self.settings.take)
        total = sum(plan.weight for plan in plans)
        return self.answer_of(place, by=self._who, score=min(1.0, weight / total))

    @property
    def _who(self) -> str:
        """Who says that the paths lead to the answer."""
        return f"plans recorded in {self.recorded.name}" if self.recorded else self.prompter.model

    async def _origins(self, record: Record | None) -> tuple[list[Origin], list[Start]]:
        """The entities that a record names, if they are wanted; of several with a name each.

        Else what the question names, the likeliest first; told as an event.
        """
        if record is not None and self.settings.topic == "recorded" and record.starts:
            graph = self.context.graph
            entities = [Entity(match.id, match.form) for matches in graph.lookup(record.starts) for match in matches]
            entities += [info.entity for info in graph.describe(record.starts) if info is not None]
            if entities:
                return [RecordedStart(entity) for entity in dict.fromkeys(entities)], []
        starts = Start.likely(await self.link_quietly(), self.settings.starts)
        self.emit(Start.linked(starts))
        return list(starts), starts

    async def _proposed(self, subgraph: Subgraph, starts: Sequence[Start]) -> list[Plan]:
        settings, model = self.settings, self.context.model
        grammar = settings.constraint != "schema" and model is not None and takes_grammar(model)
        if settings.constraint == "grammar" and not grammar:
            raise SettingsError(f"plan: {self.prompter.model} takes no grammar: use constraint=schema")
        trie = PathTrie(subgraph, starts, settings.hops)
        paths, how = await self._paths(trie, grammar=grammar)
        plans = []
        for rank, path in enumerate(paths, 1):
            steps = tuple((hop,) for hop in path.pattern(subgraph))
            plans.append(Plan(steps, 1 / rank, tuple(trie.relations(path)), path.start))
        self.emit(PlansProposed(by=self._who, plans=tuple(map(_written, plans)), how=how))
        return plans

    async def _paths(self, trie: PathTrie, *, grammar: bool) -> tuple[list[Trail], str]:
        """The paths that the model proposes, the surest first, and how it was asked.

        Args:
            grammar: whether the model can be kept to a grammar.
        """
        settings = self.settings
        if grammar:
            every = trie.all(settings.written)
            if every is not None:
                return await self._by_grammar(trie, every) if every else [], "grammar"
        every = trie.all(settings.listed)
        if every is None:
            return await self._by_hops(trie), "hop by hop"
        if not every:
            return [], "list"
        reply = await self._ask("propose", trie, every, {"plans": numbers_schema(len(every), settings.width)})
        return [every[number - 1] for number in dict.fromkeys(reply["plans"])], "list"

    async def _by_grammar(self, trie: PathTrie, paths: Sequence[Trail]) -> list[Trail]:
        width = self.settings.width
        known = {trie.words(path): path for path in reversed(paths)}
        words = sorted({word for path in paths for word in trie.relations(path)})
        values = {
            "asked": self.asked,
            "entities": block("entities", dict.fromkeys(trie.name(root) for root in trie.roots)),
            "relations": block("relations", [", ".join(words[:_RELATIONS])]),
            "width": str(width),
        }

        def fault(text: str) -> str | None:
            lines = _lines(text)
            wrong = [line for line in lines if line not in known]
            if wrong:
                return f"{data(wrong[0], _LINE)!r} is no path that the graph has from these entities"
            return None if len(lines) <= width else f"there are {len(lines)} lines: write at most {width}"

        text = await self.prompter.ask("write", values, check=fault, grammar=trie.grammar(paths, width))
        return [known[line] for line in _lines(text)]

    async def _by_hops(self, trie: PathTrie) -> list[Trail]:
        settings, beam = self.settings, trie.roots
        complete_paths: list[Trail] = []
        for hop in range(1, settings.hops + 1):
            children = [path for trail in beam for path in trie.children(trail)]
            # Of too many those of which the last hop's words are most like the question.
            longer = self.likest(children, lambda path: " ".join(trie.relations_of(path.hops[-1])), settings.listed)
            if not longer:
                break
            numbers = numbers_schema(len(longer), settings.width)
            reply = await self._ask("extend", trie, longer, {"complete": numbers, "onward": numbers})
            complete = [longer[number - 1] for number in dict.fromkeys(reply["complete"])]
            complete_paths += complete
            beam = [longer[number - 1] for number in dict.fromkeys(reply["onward"])]
            beam = [path for path in beam if path not in complete]
            if hop == settings.hops:
                complete_paths += beam
            if not beam or len(complete_paths) >= settings.width:
                break
        return complete_paths[: settings.width]

    async def _ask(self, step: str, trie: PathTrie, paths: Sequence[Trail], properties: dict[str, Any]) -> Any:
        lines = []
        for number, path in enumerate(paths, 1):
            hops = " ? ".join(map(trie.hop_words, path.hops))  # "?" for what stands between them
            lines.append(f"[{number}] {trie.name(path)} {hops}")
        values = {"asked": self.asked, "paths": block("paths", lines), "width": str(self.settings.width)}
        return await self.prompter.ask(step, values, schema=object_schema(properties))

    def _walked(self, subgraph: Subgraph, plan: Plan, origins: Sequence[Origin]) -> Walked | None:
        walked = walk_plan(self.builder, subgraph, plan, origins)
        if walked is None:
            self.emit(PlanWalked(plan=_written(plan)))
            return None
        paths = tuple(walked_path(pattern, plan.weight) for pattern in walked.patterns)
        nodes = walked.ends.nodes
        self.emit(
            PlanWalked(
                plan=_written(plan), start=walked.origin.entity, paths=paths, ends=len(nodes), shown=nodes[:_SHOWN]
            )
        )
        return walked

    async def _chosen(self, walked: Sequence[Walked]) -> Answer:
        """What the model chooses of the ends of all plans."""
        model = self.prompter.model
        kept, thought = await self._kept(walked)
        nodes = tuple(dict.fromkeys(node for _, ends in kept for node in ends))
        self.emit(ChosenEnds(nodes=nodes, thought=thought))
        trace = {"thought": thought}
        if not kept:
            why = f"by {model} nothing that {len(walked)} paths lead to answers it: {thought}"
            return self.abstained(Other(says=why), trace=trace)
        picks = [(walked[number].ends, ends) for number, ends in kept]
        return self.answer_of(chosen_nodes(self.builder, picks, by=model), trace=trace)

    async def _kept(self, walked: Sequence[Walked]) -> tuple[list[tuple[int, list[Node]]], str]:
        """What of the ends of walked plans the model takes: nodes of plans, by their positions, and its thought."""
        values: list[tuple[int, Node]] = []
        shown: list[str] = []
        for number, plan in enumerate(walked):
            names = []
            for node in plan.ends.nodes[: self.settings.shown]:
                values.append((number, node))
                names.append(f"#{len(values)} {data(node_text(node), _NAME)}")
            more = f" … ({len(plan.ends.nodes)} in all)" if len(plan.ends.nodes) > len(names) else ""
            shown.append(f"[{number + 1}] {data(_from(plan), _PATH)} {'; '.join(names)}{more}")
        schema = object_schema(
            {
                "thought": {"type": "string", "maxLength": 2 * _THOUGHT},
                "values": numbers_schema(len(values)),
                "paths": numbers_schema(len(walked)),
            }
        )
        shown_values = {"asked": self.asked, "paths": block("paths", shown)}
        reply = await self.prompter.ask("choose", shown_values, schema=schema)
        chosen: dict[int, list[Node]] = {number - 1: list(walked[number - 1].ends.nodes) for number in reply["paths"]}
        for value in reply["values"]:
            number, node = values[value - 1]
            if node not in chosen.setdefault(number, []):
                chosen[number].append(node)
        return sorted(chosen.items(), key=lambda entry: entry[0]), data(reply["thought"], _THOUGHT)

    def _nowhere(self, plans: Sequence[Plan], origins: Sequence[Origin]) -> Answer:
        """The abstention that no plan leads anywhere: of each, what it is walked over from the likeliest entity."""
        reasons: list[Reason] = []
        tried: list[int] = []
        for plan in plans:
            if not all(plan.steps):
                lacking = [word for word, step in zip(plan.words, plan.steps, strict=True) if not step]
                reasons.append(Other(says=f"the graph has no relation {', '.join(lacking)}"))
                continue
            start = (plan.origin or origins[0]).place(self.builder)
            ends = Ends.of(self.builder, start, [tuple(step[0] for step in plan.steps)])
            if not ends.nodes and ends.place not in tried:
                tried.append(ends.place)
                reasons.append(Nothing(of=ends.place))
        reasons = list(dict.fromkeys(reasons)) or [Other(says="the plans lead nowhere")]
        return self.abstained(*reasons, tried=tried)


class RelationPlans(AnsweringMethod):
    """Relation paths as plans, walked in the graph.

    Args:
        settings: None: the model proposes, and what its paths lead to is the answer.

    Raises:
        SettingsError: settings of another type.
        SourceError: the file of recorded plans cannot be read.
    """

    name: ClassVar[str] = "plan"
    title: ClassVar[str] = "Relation paths, proposed among those that the graph has, or recorded, and walked"
    source: ClassVar[str] = "Reasoning on Graphs (Luo et al., 2024)"
    settings: PlanSettings

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.needs_model = self.settings.plans is None or self.settings.answering == "model"
        recorded = RecordedPlans.read(Path(self.settings.plans)) if self.settings.plans is not None else None
        self.answering = partial(_Planning, recorded=recorded)

    @classmethod
    def forms(cls) -> Mapping[str, PlanSettings]:
        """Ours, which walks; the paper's, whose model reasons over what was walked."""
        return {"walk": PlanSettings(), "paper": PlanSettings(answering="model")}

    def most_calls(self, options: int = 0) -> int:
        """One for each hop at most, and one that chooses."""
        proposing = self.settings.hops if self.settings.plans is None else 0
        return proposing + (self.settings.answering == "model")


def _written(plan: Plan, between: str = " ") -> str:
    """A plan in one line."""
    start = f"{plan.origin.entity.label or plan.origin.entity.id} " if plan.origin else ""
    return start + between.join(_step(word, step) for word, step in zip(plan.words, plan.steps, strict=True))


def _step(word: str, step: Sequence[DirectedRelation]) -> str:
    directions = {hop.direction for hop in step}
    if directions == {"forward"}:
        return f"—{word}→"
    return f"←{word.removeprefix('^')}—" if directions == {"backward"} else f"—{word}—"


def _from(walked: Walked) -> str:
    """A walked plan as the model sees it, "?" standing for what is between its hops."""
    start = "" if walked.plan.origin else f"{walked.origin.entity.label or walked.origin.entity.id} "
    return start + _written(walked.plan, " ? ")


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line for part in text.split("\n") if (line := part.strip())))
