"""What the model is asked, step by step. What it cites or chooses is always a number of a list that it was shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Statement
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.prompting import fault_of, number_schema, object_schema
from toulmin.methods.question.missing_names import uncertainty_lines
from toulmin.methods.r3.axioms.language import Program, axiom_in_words, option_schema, schema
from toulmin.methods.r3.axioms.reasoning import Evaluation
from toulmin.methods.r3.axioms.replies import GroundingReply, OptionsReply
from toulmin.methods.r3.shown_statements import relation_names
from toulmin.methods.request import Task
from toulmin.program.answer import node_text

__all__ = ["AxiomPrompter"]

_QUESTION, _OPTION, _NOTE, _REASON = 1000, 300, 300, 2000  # characters in a prompt
_AXIOM, _SAID = 1000, 400  # characters of an axiom, and of one of its clauses or premises
# Tokens of a reply: of names or numbers alone, of a need in words, of a grounding; of several axioms or options.
_BRIEF, _NEED, _GROUNDING = 300, 400, 1500
_AXIOMS, _PER_AXIOM, _JUDGED, _PER_OPTION = 600, 1000, 500, 500
_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")  # what options go by where several are judged in one call
_TASKS: Mapping[Task, str] = {"question": "Question", "claim": "Claim"}
_OPTIONS = "Options"


@dataclass(slots=True)
class AxiomPrompter:
    """The steps that need the model. A step without a usable reply is told as an event, and gives None."""

    run: Answering

    @property
    def asked(self) -> str:
        """The question, claim or choice, as every prompt shows it."""
        line, options = self._asked_of(None), sorted(self.run.request.options)
        return f"{line}\n{_OPTIONS}: {'; '.join(data(option, _OPTION) for option in options)}" if options else line

    async def entities(self) -> list[str]:
        """The names of the entities that have to be looked up, as the model reads the question."""
        reply = await self._ask("entities", {"asked": self.asked}, "the linker's entities alone", max_tokens=_BRIEF)
        return [] if reply is None else [str(name) for name in reply["entities"]]

    async def axioms(
        self,
        facts: Sequence[Statement],
        around: Mapping[str, Sequence[Statement]],
        failed: Sequence[tuple[Program, str]],
        count: int,
    ) -> list[Program]:
        """Axioms that would decide the question, other than those that failed, each given with the reason.

        Args:
            facts: statements that are shown.
            around: by the name of each thing that was found what the graph says of it: names of relations are told.
        """
        words = self.run.settings.axiom == "words"
        name = "words" if words else "axiom_option" if self.run.request.options else "axiom"
        tried = [f"{data(program.text, _NOTE)} - {data(reason, _REASON)}" for program, reason in failed]
        values = {
            "asked": self.asked,
            "facts": statement_lines(facts, "facts", together=self.run.settings.additions),
            "tried": "\n" + block("tried", tried) if tried else "",
            "count": "one rule" if count == 1 else f"{count} different rules",
        }
        if not words:
            relations = relation_names(around, facts)
            values["relations"] = f"\n{relations}" if relations else ""
        qualified = any(statement.qualifiers for statements in around.values() for statement in statements)
        reply = await self._ask(
            name,
            values,
            "no further axiom",
            schema=_axioms_schema(0 if tried else 1, count, name, qualified=qualified),
            check=lambda value: fault_of(lambda: self._programs(value)),
            max_tokens=_AXIOMS + _PER_AXIOM * count,
        )
        return [] if reply is None else self._programs(reply)

    async def pick(self, program: Program, statements: Sequence[Statement]) -> list[Statement]:
        """Of statements those that bear on the axiom (LLM_T of eq. 4); whichever option is tried."""
        if not statements:
            return []
        values = {
            "asked": self._asked_of(None),
            "axiom": data(program.text, _AXIOM),
            "statements": self._listed(statements, None),
        }
        cited = {"type": "array", "items": number_schema(len(statements)), "maxItems": len(statements)}
        numbers = object_schema(statements=cited)
        reply = await self._ask("pick", values, "the most similar statements alone", schema=numbers, max_tokens=_BRIEF)
        return [] if reply is None else [statements[number - 1] for number in dict.fromkeys(reply["statements"])]

    async def ground(
        self, program: Program, option: str | None, statements: Sequence[Statement], notes: Sequence[str]
    ) -> GroundingReply | None:
        """What the statements say of the axiom's terms and clauses."""
        words = self.run.settings.axiom == "words"
        count = len(statements)
        values = {
            "asked": self._asked_of(option),
            "axiom": _in_words(program) if words and option is None else _as_program(program),
            "statements": self._listed(statements, option),
            "notes": _notes(notes),
        }
        name = "ground_option" if option is not None else "judge" if words else "ground"
        reply_schema = GroundingReply.schema_for(program, count, look=name == "ground")
        if name == "judge":  # an axiom in words has no terms to cite statements for
            del reply_schema["properties"]["groundings"]
        reply = await self._ask(
            name,
            values,
            "names of the graph alone",
            schema=reply_schema,
            check=lambda value: fault_of(lambda: GroundingReply.read(value, program, count)),
            max_tokens=_GROUNDING,
        )
        return None if reply is None else GroundingReply.read(reply, program, count)

    async def ground_options(
        self, program: Program, options: Sequence[str], statements: Sequence[Statement], notes: Sequence[str]
    ) -> list[GroundingReply] | None:
        """What the statements say of the axiom's terms and clauses for each of several options, in one call."""
        letters = _LETTERS[: len(options)]
        called = {option: letter for letter, option in zip(letters, options, strict=True)}
        count = len(statements)
        values = {
            "asked": self._asked_of(None),
            "axiom": _as_program(program),
            "options": block("options", [f"{called[option]}: {data(option, _OPTION)}" for option in options]),
            "statements": statement_lines(statements, called=called, together=True),
            "notes": _notes(notes),
        }
        reply = await self._ask(
            "ground_options",
            values,
            "names of the graph alone",
            schema=OptionsReply.schema_for(program, count, letters),
            check=lambda value: fault_of(lambda: OptionsReply.read(value, program, count, letters)),
            max_tokens=_JUDGED + _PER_OPTION * len(options),
        )
        if reply is None:
            return None
        options_reply = OptionsReply.read(reply, program, count, letters)
        return [options_reply.of(letter) for letter in letters]

    async def missing(
        self,
        program: Program,
        option: str | None,
        evaluation: Evaluation,
        statements: Sequence[Statement],
        entities: Sequence[tuple[Entity, str]],
    ) -> tuple[str, Entity | None] | None:
        """What evidence is missing, and which of the entities it is about, if any; None: no reply."""
        if not entities:
            return None
        unknown = []
        for lacking in evaluation.missing:
            judged = program.clause(lacking.clause).op == "words"
            why = "the statements shown do not say it" if judged else lacking.why
            unknown.append(f"{data(lacking.text, _NOTE)} - {data(why, _NOTE)}")
        lines = [f"[{number}] {data(node_text(entity))} | {note}" for number, (entity, note) in enumerate(entities, 1)]
        values = {
            "asked": self._asked_of(option),
            "axiom": data(program.text, _AXIOM),
            "unknown": block("unknown", unknown or ["(the rule as a whole)"]),
            "statements": self._listed(statements, option),
            "entities": block("entities", lines),
        }
        reply = await self._ask(
            "missing",
            values,
            "the branch ends",
            schema=object_schema(need=_TEXT, entity={**number_schema(len(entities)), "minimum": 0}),
            max_tokens=_NEED,
        )
        if reply is None:
            return None
        return str(reply["need"]), entities[reply["entity"] - 1][0] if reply["entity"] else None

    def _listed(self, statements: Sequence[Statement], option: str | None) -> str:
        called = None if option is None else {option: "the option"}
        return statement_lines(statements, called=called, together=self.run.settings.additions)

    def _asked_of(self, option: str | None) -> str:
        request, unsure = self.run.request, uncertainty_lines(self.run.uncertain)
        line = f"{_TASKS[request.task]}: {data(request.question, _QUESTION)}{unsure}"
        return line if option is None else f"{line}\nThe option: {data(option, _OPTION)}"

    def _programs(self, value: Any) -> list[Program]:
        """The axioms of a reply.

        Raises:
            InputError: one of them is none, or does not fit the task.
        """
        if self.run.settings.axiom == "words":
            return [
                axiom_in_words(axiom["text"], tuple(dict.fromkeys(axiom["premises"])), join=axiom.get("join", "and"))
                for axiom in value["axioms"]
            ]
        programs = [Program.read(axiom) for axiom in value["axioms"]]
        for program in programs:
            if self.run.request.options and not program.has_option:
                raise InputError("the axiom has no term of kind 'option', which stands for the option that is tried")
            if not self.run.request.options and program.has_option:
                raise InputError("the axiom has a term of kind 'option', but there are no options to choose from")
        return programs

    async def _ask(self, name: str, values: Mapping[str, str], instead: str, **more: Any) -> Any:
        temperature = self.run.settings.temperature
        return await self.run.prompter.try_ask(name, values, instead, temperature=temperature, **more)


def _notes(notes: Sequence[str]) -> str:
    return "\n" + block("notes", [data(note, _NOTE) for note in notes]) if notes else ""


def _as_program(program: Program) -> str:
    """The program as the model wrote it, without what is left to defaults; its words made safe, its operators kept."""
    written = program.model_dump(exclude_defaults=True)
    for part in (written, *written.get("terms", ()), *written["clauses"]):
        if "text" in part:
            part["text"] = data(part["text"], _QUESTION)
    return json.dumps(written, ensure_ascii=False)


def _in_words(program: Program) -> str:
    lines = [f"{clause.name}: {data(clause.text, _SAID)}" for clause in program.clauses]
    enough = ["Any one of these is enough:"] if program.tree.op == "or" else []
    return "\n".join([data(program.text, _AXIOM), *enough, *lines])


_TEXT = {"type": "string", "maxLength": _AXIOM}


@cache
def _axioms_schema(least: int, count: int, name: str, *, qualified: bool) -> Mapping[str, Any]:
    premise = {"type": "string", "minLength": 1, "maxLength": _SAID}
    in_words = object_schema(
        text={**premise, "maxLength": _AXIOM},
        premises={"type": "array", "items": premise, "minItems": 1, "maxItems": 6},
    )
    in_words["properties"]["join"] = {"type": "string", "enum": ["and", "or"]}  # left out: "and"
    programs = option_schema() if name == "axiom_option" else schema(option=False, qualifiers=qualified)
    items = in_words if name == "words" else programs
    return object_schema(thought=_TEXT, axioms={"type": "array", "items": items, "minItems": least, "maxItems": count})
