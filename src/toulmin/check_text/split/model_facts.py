"""Atomic facts by a language model, which must quote the words of the sentence that state each, and invents nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any

from toulmin.check_text.split.atomic import NO_VERB, AtomicFact, SentenceFacts
from toulmin.english.inflection import singular
from toulmin.english.sentences import Sentence
from toulmin.errors import BudgetError, ReplyError
from toulmin.llm.prompts import block, data, prompts_of
from toulmin.llm.session import Session

__all__ = ["ask_facts", "prompts"]

_TOGETHER = 6  # sentences of one request
_AT_ONCE = 4  # requests
_BEFORE, _LONGEST = 1_500, 1_000  # characters of the text before, and of a sentence, in a request
_MOST_TOKENS = 2_048
_WORD = re.compile(r"\w+(?:[-–.'’]\w+)*")
_SPELLED = str.maketrans("’‘“”–‑", "''\"\"--")  # models write quotes and dashes in their own way
_ORDINARY = frozenset("the a an this that these those his her its their he she it they in on at there".split())
prompts = partial(prompts_of, "toulmin.check_text.split", "check-text")


async def ask_facts(text: str, by_rules: Sequence[SentenceFacts], session: Session) -> AsyncIterator[SentenceFacts]:
    """The facts of each sentence by the model, in order.

    Sentences that state nothing by the rules are shown, but not asked for. Where the model gives no facts of a sentence
    that can be used, which the session counts, or the budget is used up, they are those of the rules.

    Raises:
        NothingUsableError: of no sentence of the text it gave facts that can be used. Raised at the end.
        ModelError: the model cannot be reached.
    """
    taken = 0
    numbers = {split.sentence: number for number, split in enumerate(by_rules)}
    for batch in _batches(by_rules, _TOGETHER * _AT_ONCE):
        asked = [split for split in batch if split.unchecked in (None, NO_VERB)]
        spans = [(numbers[part[0].sentence], numbers[part[-1].sentence] + 1) for part in _batches(asked, _TOGETHER)]
        replies = await asyncio.gather(*(_ask(text, by_rules[first:last], session) for first, last in spans))
        by_model = {sentence: facts for reply in replies for sentence, facts in reply.items()}
        taken += len(by_model)
        for split in batch:
            facts = by_model.get(split.sentence)
            yield split if facts is None else _facts(text, split, facts)
    if not taken and (error := session.nothing_usable()):
        raise error


def _batches(items: Sequence[SentenceFacts], size: int) -> list[Sequence[SentenceFacts]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


async def _ask(text: str, splits: Sequence[SentenceFacts], session: Session) -> dict[Sentence, list[str]]:
    """What the model says of a few sentences; of those that are left out it says nothing that can be used."""
    asked = [split.sentence for split in splits if split.unchecked in (None, NO_VERB)]
    first = splits[0].sentence.start
    before = [data(text[max(0, first - _BEFORE) : first], _BEFORE)] if text[:first].strip() else []
    lines = {split.sentence: data(split.sentence.text, _LONGEST) for split in splits}
    marks = {sentence: f"[{number}]" for number, sentence in enumerate(asked, 1)}
    values = {
        "before": block("before", before),
        "sentences": block("sentences", [f"{marks.get(sentence, '–')} {line}" for sentence, line in lines.items()]),
    }
    known = _known(text[: splits[-1].sentence.end])
    usable: dict[Sentence, list[str]] = {}  # of the last reply in which nothing is wrong with them

    def problem(reply: Any) -> str | None:
        """The first thing that is wrong with a reply beyond its schema, in one line."""
        numbers = [entry["number"] for entry in reply["sentences"]]
        if numbers != list(range(1, len(asked) + 1)):
            return f"it has the sentences {numbers}: give 1 to {len(asked)}, each once, in order"
        problems = []
        for sentence, entry in zip(asked, reply["sentences"], strict=True):
            problems.append(_problem(entry, _plain(lines[sentence]), known))
            if problems[-1] is None:
                usable[sentence] = [str(fact["fact"]) for fact in entry["facts"]]
        return next((wrong for wrong in problems if wrong is not None), None)

    try:
        await session.ask(prompts()["facts"], values, check=problem, max_tokens=_MOST_TOKENS)
    except ReplyError:
        pass  # counted; sentences in which nothing is wrong are taken
    except BudgetError:
        session.failures["facts"] += 1  # the answer's usage tells that rules stood in
    return usable


def _problem(entry: Any, sentence: str, known: frozenset[str]) -> str | None:
    """What is wrong with the facts of a sentence.

    Args:
        sentence: as the model sees it, plain.
        known: the words that facts may take names and numbers from.
    """
    for fact in entry["facts"]:
        if _plain(fact["words"]) not in sentence:
            return f"{fact['words'][:100]!r} is not in sentence {entry['number']}: copy words of it exactly"
        if strange := _strange(fact["fact"], known):
            return f"{strange!r} of the fact {fact['fact'][:100]!r} is not in the text: add nothing"
    return None


def _plain(text: str) -> str:
    return " ".join(text.translate(_SPELLED).split()).casefold().strip(" .,;:")


def _known(text: str) -> frozenset[str]:
    """The words of a text, and those that stand within them: "Polish-French", "1895–1906", "the Prizes"."""
    words = set(_WORD.findall(text))
    capitals = {word for word in words if word[0].isupper()}  # "Nobel Prizes in …": of one the fact says "Prize"
    singulars = {single for word in capitals if (single := singular(_plain(word))) is not None}
    plain = {_plain(word) for word in words}
    return frozenset(part for word in plain for part in (word, *word.split("-"))) | singulars


def _strange(fact: str, known: frozenset[str]) -> str | None:
    """A name or number of a fact that the text does not have; None: there is none."""
    words = enumerate(map(str, _WORD.findall(fact)))
    telling = (word for place, word in words if word[0].isdigit() or (word[0].isupper() and place > 0))
    new = (word for word in telling if _plain(word) not in known)
    return next((word for word in new if re.sub(r"'s?$", "", _plain(word)) not in known | _ORDINARY), None)


def _facts(text: str, split: SentenceFacts, stated: Sequence[str]) -> SentenceFacts:
    sentence = split.sentence
    spelled = {_plain(word): word for word in reversed(_WORD.findall(text[: sentence.end]))}
    said = dict.fromkeys(_WORD.sub(lambda word: _as_spelled(word[0], spelled), " ".join(one.split())) for one in stated)
    if not said:
        return SentenceFacts(sentence, (), "no statement: the model finds no fact in it")
    facts = tuple(AtomicFact(fact, _pieces(fact, text, sentence.start, sentence.end)) for fact in said)
    return SentenceFacts(sentence, facts, beside=split.beside)


def _as_spelled(word: str, spelled: Mapping[str, str]) -> str:
    """A word with the text's own quotes and dashes, so that it is found there."""
    there = spelled.get(_plain(word), word)
    return there if there.translate(_SPELLED) == word.translate(_SPELLED) else word


def _pieces(fact: str, text: str, start: int, end: int) -> tuple[tuple[int, int, int], ...]:
    """Where runs of words of a fact stand: in its sentence, else as near before it as possible."""
    words = [match.span() for match in _WORD.finditer(fact)]
    pieces: list[tuple[int, int, int]] = []
    for place, (first, _) in enumerate(words):
        if pieces and first < pieces[-1][1]:
            continue
        for _, last in reversed(words[place:]):
            run = fact[first:last]
            at = text.find(run, start, end)
            at = at if at >= 0 else text.rfind(run, 0, end)
            cut = text[at - 1 : at].isalnum() or text[at + len(run) : at + len(run) + 1].isalnum()
            if at >= 0 and not cut:
                pieces.append((first, last, at))
                break
    return tuple(pieces)
