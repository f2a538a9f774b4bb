"""Claims made of FEVER's training evidence: what a sentence states taken apart, changed values, what it leaves open.

FEVER's sample is small. Its evidence says much more than its claims ask, and the rules that take a text apart for
``check-text`` say it in sentences of the claims' kind: entailed. With another year, number, nationality, place or kind
of thing, or denied, they are contradicted; a fact from another sentence of the page, or of another page, is left open.
The labels are guesses by rule, mostly right, and weigh less than those of people.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from negation import denied
from nli_data import Pair, fever_sentences
from toulmin.check_text.split.atomic import split_facts
from toulmin.english.sentences import split_sentences

__all__ = ["claim_pairs"]

_SPACED = (
    (re.compile(r" ([,.;:!?)\]%])"), r"\1"),
    (re.compile(r"([(\[]) "), r"\1"),
    (re.compile(r" ('s|n't)\b"), r"\1"),
)
_PRONOUN = re.compile(
    r"^(?:He|She|It|They|The (?:film|series|show|band|song|album|novel|book|company|city|game|group|team))\b(?!')"
)
_OWNING = re.compile(r"^(?:His|Her|Its|Their)\b")
_BRACKET = re.compile(r" \([^)]*\)$")
_OF_A_SENTENCE = 3  # facts that are entailed
_CONTENT = re.compile(r"[a-z0-9]{3,}")
_SMALL = frozenset("the and was were for with that this from has have had are his her its their which who also".split())

_NATIONS = (
    "American British English French German Italian Spanish Canadian Australian Indian Irish Scottish Japanese Chinese "
    "Russian Swedish Dutch Mexican Brazilian Korean Polish Greek Turkish Norwegian Danish Belgian Austrian Swiss"
).split()
_PLACES = (
    "France Germany Italy Spain Canada Australia India Ireland Scotland England Japan China Russia Sweden Mexico "
    "Brazil Poland Greece Turkey Norway Denmark Belgium Austria Switzerland California Texas Florida London Paris "
    "Chicago"
).split()
_MONTHS = "January February March April May June July August September October November December".split()
#: Words that exclude each other where one stands for the other.
_SETS = (
    _NATIONS,
    _PLACES,
    _MONTHS,
    "film novel album song band sitcom painting".split(),
    "comedy horror drama western documentary".split(),
    "two three four five six seven nine eleven".split(),
    "first second third fourth fifth last".split(),
    "city river mountain island village country lake".split(),
    "largest smallest".split(),
    "north south east west".split(),
    "northern southern eastern western".split(),
    "male female".split(),
    "before after".split(),
    "won lost".split(),
    "born died".split(),
    "father mother son daughter brother sister".split(),
    "began ended".split(),
    "oldest youngest".split(),
)
_OTHERS = {word: tuple(other for other in group if other != word) for group in _SETS for word in group}
_CHANGEABLE = re.compile(r"\b(?:1[5-9]\d\d|20[01]\d|" + "|".join(map(re.escape, _OTHERS)) + r"|\d{1,3})\b(?![,.]\d)")


def claim_pairs(root: Path, seed: int) -> list[Pair]:
    """Pairs made of the sentences of FEVER's training side; other ones for another seed."""
    rng = np.random.default_rng(seed)
    stated = _stated(fever_sentences(root))
    titles = list(stated)
    out: list[Pair] = []
    for title, sentences in stated.items():
        for sentence, facts in sentences.items():
            premise = f"{title}: {sentence}"
            for fact in rng.permutation(facts)[:_OF_A_SENTENCE]:
                out.append(_pair(premise, str(fact), 0))
                no = _contradicted(str(rng.choice(facts)), sentence, rng)
                out.extend([_pair(premise, no, 2)] if no else [])
            out.extend(_pair(premise, fact, 1) for fact in _open(title, sentence, stated, titles, rng))
    return list(dict.fromkeys(out))


def _pair(premise: str, claim: str, label: int) -> Pair:
    return Pair(premise, claim, label, "fever sentences", "train")


def _drawn(facts: Sequence[str], rng: np.random.Generator) -> str:
    return facts[int(rng.integers(len(facts)))]


def _stated(sentences: Mapping[str, Sequence[str]]) -> dict[str, dict[str, list[str]]]:
    """For each page its sentences, and for each sentence what it states, with the page's name for a pronoun."""
    out: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for title, said in sentences.items():
        name = _BRACKET.sub("", title)
        for sentence in said:
            plain = sentence
            for pattern, replacement in _SPACED:
                plain = pattern.sub(replacement, plain)
            facts = [fact.text for one in split_facts(plain, split_sentences(plain)) for fact in one.facts]
            named = [_named(fact, name) for fact in facts]
            out[title][sentence] = [fact for fact in named if 3 <= len(fact.split()) <= 25]
    return out


def _named(fact: str, name: str) -> str:
    return _OWNING.sub(lambda _: f"{name}'s", _PRONOUN.sub(lambda _: name, fact))


def _contradicted(fact: str, sentence: str, rng: np.random.Generator) -> str | None:
    """The fact with another value, which the sentence does not have too; or denied; None where no rule fits."""
    places = list(_CHANGEABLE.finditer(fact))
    if places and rng.random() < 0.75:
        place = places[int(rng.integers(len(places)))]
        other = _other(place[0], rng)
        if not re.search(rf"\b{re.escape(other)}\b", sentence):
            return f"{fact[: place.start()]}{other}{fact[place.end() :]}"
    forms = [form.replace(" .", ".") for form in denied(fact) if "There is no" not in form]
    return forms[0] if forms else None


def _other(value: str, rng: np.random.Generator) -> str:
    if not value.isdigit():
        return str(rng.choice(_OTHERS[value]))
    if len(value) == 4:
        return str(int(value) + int(rng.choice([-100, -20, -12, -5, -3, -2, -1, 1, 2, 3, 4, 7, 11])))
    return str(int(value) + int(rng.choice([1, 2, 3, 5, 8, 20])))


def _open(
    title: str,
    sentence: str,
    stated: Mapping[str, Mapping[str, list[str]]],
    titles: list[str],
    rng: np.random.Generator,
) -> Iterator[str]:
    """A fact of another sentence of the page, and one of another page told of this one: neither is in the sentence."""
    others = [fact for other, facts in stated[title].items() if other != sentence for fact in facts]
    if others:
        fact = _drawn(others, rng)
        if _new_words(fact, f"{title} {sentence}") >= 2:
            yield fact
    other_title = titles[int(rng.integers(len(titles)))]
    name, other_name = _BRACKET.sub("", title), _BRACKET.sub("", other_title)
    others = [fact for facts in stated[other_title].values() for fact in facts if fact.startswith(other_name)]
    if others and other_title != title:
        fact = name + _drawn(others, rng)[len(other_name) :]
        if _new_words(fact, f"{title} {sentence}") >= 2 and not re.search(r"\bborn\b|\bis an? \w+\.$|\d{4}", fact):
            yield fact


def _new_words(fact: str, text: str) -> int:
    return len(set(_CONTENT.findall(fact.lower())) - set(_CONTENT.findall(text.lower())) - _SMALL)
