"""Atomic facts by a language model, which must quote the words of the sentence that state each, and invents nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from typing import Any

from toulmin.entailment.text.atomic import NO_VERB, AtomicFact, SentenceFacts
from toulmin.errors import BudgetError, ReplyError
from toulmin.llm.prompts import Prompts, block, data
from toulmin.llm.session import Session

__all__ = ["ask_facts", "prompts_digest"]

_TOGETHER = 6  # sentences of one request
_AT_ONCE = 4  # requests
_BEFORE, _LONGEST = 1_500, 1_000  # characters of the text before, and of a sentence, in a request
_MOST_TOKENS = 2_048
_WORD = re.compile(r"\w+(?:[-.'’]\w+)*")
_ORDINARY = frozenset("the a an this that these those his her its their he she it they in on at there".split())


@cache
def _prompts() -> Prompts:
    return Prompts.of("toulmin.entailment.text", "check-text")


def prompts_digest() -> str:
    """The hash of the prompts, for the answer."""
    return _prompts().digest


async def ask_facts(text: str, by_rules: Sequence[SentenceFacts], session: Session) -> AsyncIterator[SentenceFacts]:
    """The facts of each sentence by the model, in order.

    Sentences that state nothing by the rules are not asked for. Where a reply stays unusable, which the session counts,
    or the budget is used up, the facts are those of the rules.

    Raises:
        ModelError: the model cannot be reached.
    """
    for some in _batches(by_rules, _TOGETHER * _AT_ONCE):
        asked = [one for one in some if one.unchecked in (None, NO_VERB)]
        parts = _batches(asked, _TOGETHER)
        replies = await asyncio.gather(*(_ask(text, part, session) for part in parts))
        found = {one.sentence: one for reply in replies for one in reply}
        for one in some:
            yield found.get(one.sentence, one)


def _batches(items: Sequence[SentenceFacts], size: int) -> list[Sequence[SentenceFacts]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


async def _ask(text: str, some: Sequence[SentenceFacts], session: Session) -> Sequence[SentenceFacts]:
    """The facts of a few sentences; those of the rules where the model gives none that can be used."""
    first = some[0].sentence.start
    before = [data(text[max(0, first - _BEFORE) : first], _BEFORE)] if text[:first].strip() else []
    shown = [data(one.sentence.text, _LONGEST) for one in some]
    told = text[: some[-1].sentence.end]
    values = {
        "before": block("before", before),
        "sentences": block("sentences", [f"[{number}] {line}" for number, line in enumerate(shown, 1)]),
    }
    try:
        reply = await session.ask(_prompts()["facts"], values, check=_check(shown, told), max_tokens=_MOST_TOKENS)
    except ReplyError:
        return some
    except BudgetError:
        session.failures["facts"] += 1  # the answer's usage tells that rules stood in
        return some
    return [
        _facts(text, one, [str(fact["fact"]) for fact in entry["facts"]])
        for one, entry in zip(some, reply["sentences"], strict=True)
    ]


def _check(shown: Sequence[str], told: str) -> Callable[[Any], str | None]:
    """What is wrong with a reply beyond its schema."""
    known = {word.casefold() for word in _WORD.findall(told)}

    def problem(reply: Any) -> str | None:
        numbers = [entry["number"] for entry in reply["sentences"]]
        if numbers != list(range(1, len(shown) + 1)):
            return f"it has the sentences {numbers}: give 1 to {len(shown)}, each once, in order"
        for entry, sentence in zip(reply["sentences"], shown, strict=True):
            for fact in entry["facts"]:
                if _plain(fact["words"]) not in _plain(sentence):
                    return f"{fact['words'][:100]!r} is not in sentence {entry['number']}: copy words of it exactly"
                if strange := _strange(fact["fact"], known):
                    return f"{strange!r} of the fact {fact['fact'][:100]!r} is not in the text: add nothing"
        return None

    return problem


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .,;:")


def _strange(fact: str, known: set[str]) -> str | None:
    """A name or number of a fact that the text does not have; None: there is none."""
    for place, word in enumerate(_WORD.findall(fact)):
        telling = word[0].isdigit() or (word[0].isupper() and place > 0)
        folded = word.casefold()
        stem = re.sub(r"['’]s?$", "", folded)
        if telling and folded not in known and stem not in known and stem not in _ORDINARY:
            return str(word)
    return None


def _facts(text: str, one: SentenceFacts, said: Sequence[str]) -> SentenceFacts:
    sentence = one.sentence
    number = one.facts[0].sentence if one.facts else 0
    facts = [
        AtomicFact(fact, sentence.start, sentence.end, number, _pieces(fact, text, sentence.start, sentence.end))
        for fact in dict.fromkeys(" ".join(fact.split()) for fact in said)
    ]
    return SentenceFacts(sentence, tuple(facts), None if facts else "no statement: the model finds no fact in it")


def _pieces(fact: str, text: str, start: int, end: int) -> tuple[tuple[int, int, int], ...]:
    """Where runs of words of a fact stand: in its sentence, else as near before it as possible."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(fact)]
    pieces: list[tuple[int, int, int]] = []
    place = 0
    while place < len(words):
        first = words[place][0]
        for last in range(len(words), place, -1):
            run = fact[first : words[last - 1][1]]
            at = text.find(run, start, end)
            at = at if at >= 0 else text.rfind(run, 0, end)
            if at >= 0 and _whole(text, at, at + len(run)):
                pieces.append((first, words[last - 1][1], at))
                place = last
                break
        else:
            place += 1
    return tuple(pieces)


def _whole(text: str, start: int, end: int) -> bool:
    """Whether no word is cut at either end."""
    return not (start and text[start - 1].isalnum()) and not (end < len(text) and text[end].isalnum())
