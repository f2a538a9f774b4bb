"""What the model is asked: which relation paths, and which of what they lead to. It chooses numbers, or is kept to a
grammar: a path that the graph has not cannot be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal as Choice

from toulmin.graph.types import Node
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering
from toulmin.methods.fidelis.trails import Trail
from toulmin.methods.prompting import numbers_schema, object_schema
from toulmin.methods.relation_plans.trie import PathTrie
from toulmin.methods.relation_plans.walked_plans import Walked
from toulmin.methods.setting_checks import check_choices, check_least
from toulmin.program.answer import node_text

__all__ = ["PlanSettings", "Planner", "Take", "Topic"]

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


class Planner:
    """Asks the model."""

    def __init__(self, run: Answering, settings: PlanSettings) -> None:
        self._run, self._prompter, self._settings = run, run.prompter, settings

    async def plans(self, trie: PathTrie, *, grammar: bool) -> tuple[list[Trail], str]:
        """The paths that the model proposes, the surest first, and how it was asked.

        Args:
            grammar: whether the model can be kept to a grammar.

        Raises:
            ReplyError, BudgetError, ModelError: as ``Prompter.ask``.
        """
        settings = self._settings
        if grammar:
            every = trie.all(settings.written)
            if every is not None:
                return await self._written(trie, every) if every else [], "grammar"
        every = trie.all(settings.listed)
        if every is None:
            return await self._by_hops(trie), "hop by hop"
        if not every:
            return [], "list"
        reply = await self._ask("propose", trie, every, {"plans": numbers_schema(len(every), settings.width)})
        return [every[number - 1] for number in dict.fromkeys(reply["plans"])], "list"

    async def _written(self, trie: PathTrie, paths: Sequence[Trail]) -> list[Trail]:
        width = self._settings.width
        known = {trie.words(path): path for path in reversed(paths)}
        words = sorted({word for path in paths for word in trie.relations(path)})
        values = {
            "asked": self._run.asked,
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

        text = await self._prompter.ask("write", values, check=fault, grammar=trie.grammar(paths, width))
        return [known[line] for line in _lines(text)]

    async def _by_hops(self, trie: PathTrie) -> list[Trail]:
        settings, beam = self._settings, trie.roots
        complete_paths: list[Trail] = []
        for hop in range(1, settings.hops + 1):
            children = [path for trail in beam for path in trie.children(trail)]
            # Of too many those of which the last hop's words are most like the question.
            longer = self._run.likest(
                children, lambda path: " ".join(trie.relations_of(path.hops[-1])), settings.listed
            )
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
        values = {"asked": self._run.asked, "paths": block("paths", lines), "width": str(self._settings.width)}
        return await self._prompter.ask(step, values, schema=object_schema(properties))

    async def choose(self, walked: Sequence[Walked], lines: Sequence[str]) -> tuple[list[tuple[int, list[Node]]], str]:
        """What of the ends of walked plans answers the question: nodes of plans, by their positions, and the thought.

        Args:
            lines: the plans as they are written.

        Raises:
            ReplyError, BudgetError, ModelError: as ``Prompter.ask``.
        """
        values: list[tuple[int, Node]] = []
        shown: list[str] = []
        for number, (plan, line) in enumerate(zip(walked, lines, strict=True)):
            names = []
            for node in plan.ends.nodes[: self._settings.shown]:
                values.append((number, node))
                names.append(f"#{len(values)} {data(node_text(node), _NAME)}")
            more = f" … ({len(plan.ends.nodes)} in all)" if len(plan.ends.nodes) > len(names) else ""
            shown.append(f"[{number + 1}] {data(line, _PATH)} {'; '.join(names)}{more}")
        schema = object_schema(
            {
                "thought": {"type": "string", "maxLength": 2 * _THOUGHT},
                "values": numbers_schema(len(values)),
                "paths": numbers_schema(len(walked)),
            }
        )
        shown_values = {"asked": self._run.asked, "paths": block("paths", shown)}
        reply = await self._prompter.ask("choose", shown_values, schema=schema)
        chosen: dict[int, list[Node]] = {number - 1: list(walked[number - 1].ends.nodes) for number in reply["paths"]}
        for value in reply["values"]:
            number, node = values[value - 1]
            if node not in chosen.setdefault(number, []):
                chosen[number].append(node)
        return sorted(chosen.items(), key=lambda entry: entry[0]), data(reply["thought"], _THOUGHT)


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line for part in text.split("\n") if (line := part.strip())))
