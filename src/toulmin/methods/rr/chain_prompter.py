"""What a model is asked: the outputs, the roles of fact generation, and the last word of the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toulmin.errors import ReplyError
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering
from toulmin.methods.protocol import FellBack
from toulmin.methods.rr.chains import ReasoningChain, is_of_kind, parse_chain
from toulmin.methods.rr.settings import Kind

__all__ = ["CHAINS", "ChainPrompter", "FactQuestion"]

_QUESTION, _LINE = 1000, 600  # characters in a prompt
_ASKED, _LINES = 300, 100  # of a question about a fact, and of the numbers of the lines that may answer it
_TOKENS = 2000  # of a reply that lists questions, answers or statements
#: The prompt of an output, by what is asked for.
CHAINS: Mapping[Kind, str] = {"yes/no": "chain_yes_no", "short": "chain_short", "table": "chain_table"}
_FORMS: Mapping[Kind, str] = {"yes/no": "yes or no", "short": "a name, a date or a number", "table": "true or false"}


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """A question about a fact, and the words of the fact that answer it.

    Args:
        fact: its position.
    """

    fact: int
    span: str
    text: str


@dataclass(slots=True)
class ChainPrompter:
    """The steps that need the model. A step without a usable reply is told as an event, and gives nothing."""

    run: Answering
    kind: Kind

    async def chains(self, table: Sequence[str]) -> list[str]:
        """N sampled outputs (papers/rr, section 3).

        Args:
            table: the sentences of a table that the question is about.
        """
        values, settings = {"question": data(self.run.request.question, _QUESTION)}, self.run.settings
        if self.kind == "table":
            values["table"] = " ".join(data(line, _LINE) for line in table)
        try:
            texts = await self.run.prompter.sample(
                CHAINS[self.kind],
                values,
                n=settings.samples(self.kind),
                temperature=settings.temperature,
                seed=settings.seed,
            )
        except ReplyError as error:
            self.run.emit(FellBack(step=error.step, problem=error.problem, instead="no output"))
            return []
        return [str(text) for text in texts]

    async def questions(self, facts: Sequence[str]) -> list[FactQuestion]:
        """Questions about the named entities, numbers and dates of facts."""
        most = self.run.settings.questions
        values = {"facts": _numbered("facts", facts), "most": str(most)}
        questions: list[FactQuestion] = []
        for entry in await self._entries("ask", values, "no fact is generated", "questions", "fact", len(facts)):
            fact, span = entry["fact"] - 1, entry["span"].strip()
            # what is no span of the fact asks about something else
            if span and span.casefold() in facts[fact].casefold() and sum(q.fact == fact for q in questions) < most:
                questions.append(FactQuestion(fact, span, entry["question"]))
        return questions

    async def answers(
        self, questions: Sequence[str], lines: Sequence[str], allowed: Sequence[Sequence[int]]
    ) -> list[tuple[int, str] | None]:
        """Extractive answers, each a span of a line that its question may be answered from: that line, and the span.

        Args:
            allowed: for each question the positions of these lines.
        """
        numbered = [
            f"{data(question, _ASKED)} (line{'s' if len(places) > 1 else ''} {', '.join(str(at + 1) for at in places)})"
            for question, places in zip(questions, allowed, strict=True)
        ]
        asked = _numbered("questions", numbered, limit=_ASKED + _LINES)
        values = {"text": _numbered("text", lines), "questions": asked}
        instead, most = "no question is answered", len(questions)
        extracted: list[tuple[int, str] | None] = [None] * most
        for entry in await self._entries("answer", values, instead, "answers", "question", most):
            number, line, answer = entry["question"] - 1, entry["line"], (entry["answer"] or "").strip()
            if line is None or not answer or line - 1 not in allowed[number]:
                continue
            if answer.casefold() in data(lines[line - 1], _LINE).casefold():
                extracted[number] = line - 1, answer
        return extracted

    async def statements(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """Questions with their answers as statements."""
        values = {"pairs": _numbered("pairs", [f"{question} - {answer}" for question, answer in pairs])}
        stated: list[str | None] = [None] * len(pairs)
        for entry in await self._entries("state", values, "no statement is made", "statements", "pair", len(pairs)):
            stated[entry["pair"] - 1] = " ".join(entry["statement"].split())
        return stated

    async def read(self, facts: Sequence[str]) -> ReasoningChain | None:
        """What the reader concludes from facts; None where its reply states no answer of the kind that is asked for."""
        question, lines = data(self.run.request.question, _QUESTION), [data(fact, _LINE) for fact in facts]
        values = {"question": question, "facts": "\n".join(lines), "form": _FORMS[self.kind]}
        text = await self.run.prompter.try_ask("read", values, "no conclusion", check=self._unread)
        return None if text is None else parse_chain(str(text))

    def _unread(self, text: Any) -> str | None:
        fits = is_of_kind(parse_chain(str(text)).prediction, self.kind)
        return None if fits else f'it does not end with "So the answer is" and {_FORMS[self.kind]}'

    async def _entries(
        self, step: str, values: Mapping[str, str], instead: str, field: str, number: str, most: int
    ) -> Sequence[Mapping[str, Any]]:
        """The entries of a list in a reply, each with the number, up to ``most``, of what it is about."""

        def fault(reply: Any) -> str | None:
            wrong = next((entry[number] for entry in reply[field] if not 1 <= entry[number] <= most), None)
            return None if wrong is None else f"there is no {number} {wrong}: the last one is {most}"

        reply = await self.run.prompter.try_ask(step, values, instead, check=fault, max_tokens=_TOKENS)
        return reply[field] if reply is not None else ()


def _numbered(name: str, lines: Sequence[str], limit: int = _LINE) -> str:
    return block(name, [f"[{number}] {data(line, limit)}" for number, line in enumerate(lines, 1)])
