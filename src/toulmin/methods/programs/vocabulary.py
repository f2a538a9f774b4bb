"""What a model's steps can name, by numbers: classes, relations, qualifiers and names of one question's schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toulmin.graph.types import Entity, Node, Relation
from toulmin.llm.prompts import block, data
from toulmin.methods.prompting import object_schema
from toulmin.methods.schema_view.view import QuestionName, SchemaView, direct
from toulmin.program.periods import comparisons
from toulmin.retrieval.linking import Mention

__all__ = ["CALCULATIONS", "MEASURES", "Vocabulary"]

MEASURES = ("value", "count", "sum", "mean", "min", "max")
CALCULATIONS = (
    *("add", "subtract", "multiply", "divide", "round", "floor", "duration", "days", "distance", "convert"),
    *("year", "month", "day", "century"),
)
_NAME = 60  # characters


@dataclass(frozen=True)
class Vocabulary:
    """What is shown for a question, and the schema of a reply that can name nothing else.

    Args:
        view: of the graph's schema.
        mentions: of the question.
    """

    view: SchemaView
    mentions: Sequence[Mention]

    @cached_property
    def names(self) -> tuple[tuple[QuestionName, int], ...]:
        """Each thing that words of the question may stand for."""
        return tuple((name, place) for name in self.view.named for place in range(len(name.nodes)))

    @cached_property
    def qualifiers(self) -> tuple[Relation, ...]:
        """Every relation that qualifies one that is shown."""
        return tuple(
            {qualifier.id: qualifier for relation in self.view.relations for qualifier in relation.qualifiers}.values()
        )

    def node(self, number: int) -> tuple[Node, tuple[int, int] | None, str | None]:
        """What a name stands for; of an entity the words of the question, and the name that they matched."""
        named, place = self.names[number - 1]
        node = named.nodes[place]
        for mention in self.mentions:
            for candidate in mention.candidates:
                if mention.text == named.words and isinstance(node, Entity) and candidate.entity.id == node.id:
                    return node, (mention.start, mention.end), candidate.form
        return node, None, None

    def relation(self, number: int) -> str:
        """The id of a relation as statements have it."""
        return self.view.relations[number - 1].relation.id

    # -- what is shown -----------------------------------------------------------------------------------------------

    def lines(self) -> str:
        """Classes, relations, qualifiers and names, numbered."""
        view = self.view
        parts = [block("classes", view.class_lines())] if view.classes else []
        parts.append(block("relations", view.relation_lines()))
        if self.qualifiers:
            shown = (_quoted(qualifier.label) or view.term(direct(qualifier.id)) for qualifier in self.qualifiers)
            parts.append(block("qualifiers", [f"[{number}] {line}" for number, line in enumerate(shown, 1)]))
        classes, relations = view.left_out
        if classes or relations:
            parts.append(f"Left out, as far from the question: {classes:,} classes, {relations:,} relations.")
        if self.names:
            parts.append(block("names", [self._name(number) for number in range(1, len(self.names) + 1)]))
        return "\n".join(parts)

    def _name(self, number: int) -> str:
        named, place = self.names[number - 1]
        kinds = named.classes[place] if named.classes else ()
        of = f" ({self.view.kinds(kinds)})" if kinds else ""
        leading = (_quoted(relation.label) or self.view.term(direct(relation.id)) for relation in named.relations)
        over = f" of {', '.join(leading)}" if named.relations else ""
        return f'[{number}] "{data(named.words, _NAME)}": {self.view.node(named.nodes[place])}{of}{over}'

    # -- what can be said --------------------------------------------------------------------------------------------

    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the steps of a program."""
        whole: dict[str, Any] = {"type": "integer"}
        hop = object_schema(relation=_numbers(self.view.relations), direction=_one_of("forward", "backward", "either"))
        one_way = {**hop["properties"], "direction": _one_of("forward", "backward")}
        path = {"type": "array", "items": hop}
        text, refs, optional = {"type": "string"}, {"type": "array", "items": whole}, {"type": ["integer", "null"]}
        measure, compared = _one_of(*MEASURES), _one_of(*comparisons())
        measured = {"path": path, "measure": measure, "among": optional}
        qualified = {"type": "array", "items": object_schema(qualifier=_numbers(self.qualifiers), **{"is": whole})}
        places = {"from": whole, "to": whole}
        restricted, period = {"qualified": qualified}, {"from": text, "to": text}
        columns = {"type": "array", "items": object_schema(measured)}
        steps = [
            *([_step("name", name=_numbers(self.names))] if self.names else []),
            _step("value", kind=_one_of("number", "date", "text", "yes or no"), value=text, unit=text),
            *([_step("class", **{"class": _numbers(self.view.classes)})] if self.view.classes else []),
            _step("follow", of=whole, path=path, among=optional),
            *([_step("qualified", of=whole, **one_way, **restricted, **period)] if self.qualifiers else []),
            *([_step("qualifier", of=whole, qualifier=_numbers(self.qualifiers))] if self.qualifiers else []),
            _step("complete", of=whole),
            _step("union", of=refs),
            _step("intersection", of=refs),
            _step("difference", of=refs),
            _step("where", of=whole, **measured, do=compared, value=whole),
            _step("having", of=whole, path=path, among=optional),
            _step("lacking", of=whole, path=path, among=optional),
            _step("rank", of=whole, **measured, order=_one_of("highest", "lowest"), **places),
            _step("measure", of=whole, path=path, measure=measure),
            _step("calculate", do=_one_of(*CALCULATIONS), left=whole, right=optional),
            _step("compare", do=compared, left=whole, right=whole),
            _step("exists", of=whole),
            *([_step("is a", of=whole, **{"class": _numbers(self.view.classes)})] if self.view.classes else []),
            _step("and", of=refs),
            _step("or", of=refs),
            _step("not", of=whole),
            _step("table", of=whole, columns=columns),
            _step("group", of=whole, path=path, columns=columns),
            _step("each", of=whole),
            _step("keep", each=whole, test=whole),
            _step("order", each=whole, by=whole, order=_one_of("highest", "lowest"), **places),
            _step("total", each=whole, by=whole, measure=_one_of(*MEASURES[2:])),
            _step("any", each=whole, test=whole),
            _step("all", each=whole, test=whole),
            _step("rows", each=whole, columns=refs),
        ]
        return {"type": "array", "items": {"anyOf": steps}}


def _numbers(of: Sequence[Any]) -> dict[str, Any]:
    return {"type": "integer", "enum": list(range(1, len(of) + 1))}


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _step(op: str, **properties: Any) -> dict[str, Any]:
    return object_schema(op=_one_of(op), **properties)


def _quoted(label: str | None) -> str:
    return f'"{data(label, _NAME)}"' if label else ""
