"""From what a model says to an answer with a certificate: one way for all methods whose model answers in its own words.

A reply has the same form everywhere (``reply_schema``): a thought where one is wanted, the numbers of the statements
that it rests on, out of the list that was shown (``statement_lines``), and the answer: yes or no, or names, dates,
numbers, or the number of an option. What becomes of it:

- yes or no: ``judged`` by the model, having seen the statements cited.
- a text that is the name of an end of a cited statement: that node, which is reached over the statement from its other
  end, and so on from what the question names where other cited statements lead there. The value is the graph's; that it
  answers the question is judged, by the statements cited.
- a text that is the name of an entity of a statement that was shown, and not cited: that entity, by its name alone.
- any other text, and an option: as the model wrote it, judged by the statements cited.
- where it cites nothing, or writes a text that is no end of what it cites, that is the model's word alone:
  ``Answer.grounded`` is False. Only yes or no, and an option, have no node that they could be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toulmin.graph.labels import normalise
from toulmin.graph.types import Statement
from toulmin.llm.prompts import block, data
from toulmin.methods.grounding import Grounder
from toulmin.methods.prompting import number_schema, object_schema
from toulmin.methods.request import Request
from toulmin.program.builder import Builder
from toulmin.program.nodes import Decision
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.statement_words import statement_words

__all__ = ["ModelAnswer", "judged", "place_of", "reply_schema", "request_lines", "statement_line", "statement_lines"]

_QUESTION, _OPTION, _PART = 1000, 300, 160  # characters of the question, an option, a part of a statement in a prompt
_MOST, _LONGEST = 60, 300  # answers of a reply, and characters of each
_UNKNOWN = frozenset({"", "unknown", "not known", "i do not know", "i don t know", "don t know"})
_JOINERS = "\u200c\u200d"  # invisible, and part of words in several scripts
_VERDICTS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model says.

    Args:
        answers: texts: names, dates, numbers; of a multiple choice one of its options.
        verdict: yes (True) or no, where that is asked.
        cited: the statements that it says this rests on.
        thought: how it came to it.
    """

    answers: tuple[str, ...] = ()
    verdict: bool | None = None
    cited: tuple[Statement, ...] = ()
    thought: str = ""

    @classmethod
    def read(cls, value: Mapping[str, Any], request: Request, shown: Sequence[Statement] = ()) -> ModelAnswer:
        """What a reply says, once it satisfies the schema.

        Args:
            shown: the statements that were listed, in their order.
        """
        cited = tuple(shown[number - 1] for number in dict.fromkeys(value.get("statements", ())))
        answer, thought = value["answer"], _clean(value.get("thought", ""))
        if request.options:
            return cls((request.options[answer - 1],) if answer else (), None, cited, thought)
        if isinstance(answer, str):
            return cls((), _VERDICTS.get(answer), cited, thought)
        texts = {normalise(text): text for text in map(_clean, reversed(answer))}  # of equal ones the first
        answers = [text for key, text in reversed(texts.items()) if key not in _UNKNOWN]
        if [normalise(text) for text in answers] in (["yes"], ["no"]):
            return cls((), _VERDICTS[normalise(answers[0])], cited, thought)
        return cls(tuple(answers), None, cited, thought)

    @property
    def decided(self) -> bool:
        """Whether there is an answer: else the model says that it does not know."""
        return self.verdict is not None or bool(self.answers)

    @property
    def key(self) -> tuple[str, ...]:
        """The answer in a form that two equal ones share, for votes."""
        if self.verdict is not None:
            return ("yes" if self.verdict else "no",)
        return tuple(sorted(map(normalise, self.answers)))


def request_lines(request: Request) -> str:
    """The question, claim or multiple choice, as prompts show it; options are numbered from 1."""
    name = "Claim" if request.task == "claim" else "Question"
    line = f"{name}: {data(request.question, _QUESTION)}"
    if not request.options:
        return line
    options = [f"[{number}] {data(option, _OPTION)}" for number, option in enumerate(request.options, 1)]
    return f"{line}\n{block('options', options)}"


def statement_lines(
    statements: Sequence[Statement],
    name: str = "statements",
    *,
    longest: int = _PART,
    called: Mapping[str, str] | None = None,
    together: bool = False,
) -> str:
    """Statements as data of a prompt, numbered from 1: ``[1] subject | relation | object | qualifier: value``.

    Args:
        longest: characters of a part.
        called: what some nodes are called in place of their names: the option that is tried, the letters of options.
        together: those of one subject and relation in a row share a line: "[4] bench | made of | oak [5] ash".
    """
    lines: list[str] = []
    for number, statement in enumerate(statements, 1):
        before = statements[number - 2] if together and number > 1 else None
        if before is not None and (before.subject, before.relation) == (statement.subject, statement.relation):
            lines[-1] += " " + statement_line(number, statement, longest, called, of=2)
        else:
            lines.append(statement_line(number, statement, longest, called))
    return block(name, lines or ["(none)"])


def statement_line(
    number: int,
    statement: Statement,
    longest: int = _PART,
    called: Mapping[str, str] | None = None,
    of: int = 0,
) -> str:
    """A statement as ``statement_lines`` has it, its parts from one on."""
    names = {normalise(name): letter for name, letter in (called or {}).items()}  # an option's text and a label differ
    parts = statement_words(statement)[of:]
    words = ((names and names.get(normalise(part))) or data(part, longest) for part in parts)
    return f"[{number}] {' | '.join(words)}"


def reply_schema(request: Request, shown: int = 0, *, thought: bool = False) -> dict[str, Any]:
    """The JSON schema of a reply: ``thought``, ``statements``, ``answer``, in this order.

    Args:
        shown: statements that were listed; 0: none can be cited.
        thought: whether the reply begins with its reasons.
    """
    properties: dict[str, Any] = {"thought": {"type": "string", "maxLength": 4000}} if thought else {}
    if shown:
        properties["statements"] = {"type": "array", "items": number_schema(shown), "maxItems": shown}
    verdict = {"type": "string", "enum": ["yes", "no", "unknown"]}
    texts = {"type": "array", "items": {"type": "string", "maxLength": _LONGEST}, "maxItems": _MOST}
    if request.options:
        properties["answer"] = {"type": "integer", "minimum": 0, "maximum": len(request.options)}
    else:
        properties["answer"] = verdict if request.task == "claim" else {"anyOf": [verdict, texts]}
    return object_schema(properties)


def _clean(text: str) -> str:
    """A text in one line, without what can be neither stored nor shown: control characters, halves of pairs."""
    whole = text.encode("utf-8", "replace").decode()
    return " ".join("".join(char if char.isprintable() or char in _JOINERS else " " for char in whole).split())


def place_of(
    builder: Builder,
    request: Request,
    model_answer: ModelAnswer,
    shown: Sequence[Statement],
    mentions: Sequence[Mention],
    by: str,
    score: float,
) -> tuple[int, bool]:
    """The node of a program that is what a model says, and whether each text of it is an end of a cited statement."""

    def answers(text: str, seen: Sequence[Statement], *, yes: bool = True) -> int:
        return judged(builder, f"{text} answers: {request.question}", "yes" if yes else "no", seen, by, score)

    cited = model_answer.cited
    if model_answer.verdict is not None:
        verdict: Decision = "yes" if model_answer.verdict else "no"
        return judged(builder, request.question, verdict, cited, by, score), True
    if request.options:
        (option,) = model_answer.answers
        return builder.choice((text, answers(text, cited, yes=text == option)) for text in request.options), True
    grounder = Grounder(builder, cited, shown, mentions)
    by_text = grounder.reached(model_answer.answers)
    nodes = [end for reached in by_text.values() if reached for end in reached]
    parts: list[int] = []
    if nodes:
        ends = builder.intersection(
            builder.union(*(end.place for end in nodes)), builder.union(*(grounder.named(end.node) for end in nodes))
        )
        answering = answers("it", list(dict.fromkeys([*cited, *(used for end in nodes for used in end.used)])))
        parts.append(builder.where(ends, lambda _: answering))
    words = [text for text, reached in by_text.items() if not reached]
    if words:
        parts.append(builder.choice((text, answers(text, cited)) for text in words))
    return builder.union(*parts), not words and all(end.used for end in nodes)


def judged(builder: Builder, says: str, decision: Decision, seen: Sequence[Statement], by: str, score: float) -> int:
    """The model's word, having seen statements."""
    places = [builder.statement(statement) for statement in seen]
    return builder.judged(says, by=by, score=score, decision=decision, seen=places)
