"""Which linked names a search may start from: a name that the graph lacks is not replaced by one that is like it.

The linker finds what is nearest by spelling, shared words or vectors. That is a name misspelt ("Lovelase"), shortened
("Curie"), in initials or by a synonym, or another name altogether: penicillin is no amoxicillin, though it is near.
A model is told of links by a name that is merely near, so that it does not take one thing for another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from rapidfuzz.distance import OSA

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity
from toulmin.llm.prompts import data
from toulmin.retrieval.linking import Candidate, Mention
from toulmin.retrieval.linking.mention_words import Word, bare_words, is_common, is_dictionary_word, variants, words_of

__all__ = ["MissingName", "named_mentions", "uncertain_links", "uncertainty_lines"]

_LONG = 7  # letters of a word from which on two may be misspelt, not one
_LEAST = 5  # letters of a word of which one may be
_SHORTENED = 3  # letters of a short form, at least ("Ben")
_PROMPTED = 160  # characters of a name in a prompt
_ROMAN = frozenset("ivx")
_TITLES = frozenset("mr mrs ms miss dr prof professor sir dame lord lady".split())  # that may stand before a name


@dataclass(frozen=True, slots=True)
class MissingName:
    """Words of a question that are no name in the graph, ``question[start:end]``, and what is nearest by its name."""

    start: int
    end: int
    nearest: Entity


def named_mentions(
    question: str, mentions: Sequence[Mention], lexicon: Lexicon
) -> tuple[list[Mention], list[MissingName]]:
    """The mentions with those candidates that their words are a name of, and the names that the graph lacks.

    A mention without any such candidate is lacking if its words are a name, or if no mention is left.
    """
    words = words_of(question)
    named: list[Mention] = []
    unnamed: list[tuple[Mention, tuple[int, int]]] = []
    for mention in mentions:
        whole = span = (mention.start, mention.end)
        neighbours = [neighbour for neighbour in mentions if neighbour is not mention]
        candidates: list[Candidate] = []
        for candidate in mention.candidates:
            extended = _extended_span(question, words, mention, candidate, neighbours, lexicon)
            if extended == span and _stands_for(mention.text, candidate, lexicon):
                candidates.append(candidate)
            elif extended[1] - extended[0] > whole[1] - whole[0]:
                whole = extended
        if candidates:
            named.append(replace(mention, candidates=tuple(candidates)))
        else:
            unnamed.append((mention, whole))
    lacking: list[MissingName] = []
    for mention, (start, end) in unnamed:
        if not _is_rest_of_neighbour(mention, named) and (_is_name(question[start:end], words, mention) or not named):
            lacking.append(MissingName(start, end, mention.candidates[0].entity))
    return named, lacking


def _is_rest_of_neighbour(mention: Mention, named: list[Mention]) -> bool:
    """Whether words are the rest of the name that the mention before or after them begins; that one is then meant."""
    remainder = [word.bare for word in words_of(mention.text)]
    for place, neighbour in enumerate(named):
        if min(abs(neighbour.end - mention.start), abs(mention.end - neighbour.start)) <= 1:
            forms = [(candidate, bare_words(candidate.form)) for candidate in neighbour.candidates]
            whole = [
                candidate
                for candidate, form in forms
                if "".join(remainder) in form or all(word in form or len(word) == 1 for word in remainder)
            ]
            if whole:
                named[place] = replace(neighbour, candidates=tuple(whole))
                return True
    return False


def _is_name(text: str, words: Sequence[Word], mention: Mention) -> bool:
    """Whether words are a name by their case, or by being no English word."""
    first = words[0].start if words else 0
    return any(
        (word.text != word.lower and mention.start + word.start > first) or not is_dictionary_word(word.lower)
        for word in words_of(text)
        if word.lower not in FUNCTION_WORDS and not word.lower.isdecimal()
    )


def _extended_span(
    question: str,
    words: Sequence[Word],
    mention: Mention,
    candidate: Candidate,
    neighbours: Sequence[Mention],
    lexicon: Lexicon,
) -> tuple[int, int]:
    """Start and end of the mention with the words of a name right beside it that the candidate's name lacks."""
    form = set(bare_words(candidate.form))
    cased = any(word.text != word.lower for word in words[1:])
    inside = [at for at, word in enumerate(words) if mention.start <= word.start and word.end <= mention.end]
    if not inside:
        return mention.start, mention.end
    first, last = inside[0], inside[-1]
    unsaid = form - {words[at].bare for at in inside} - FUNCTION_WORDS

    def belongs(at: int, beside: int, *, after: bool) -> bool:
        word, edge = words[at], words[beside]
        between = question[min(word.end, edge.end) : max(word.start, edge.start)]
        if between.strip(" -.") or word.lower in FUNCTION_WORDS | _TITLES or word.bare in form:
            return False
        if word.lower.isdecimal():
            return any(map(str.isdecimal, unsaid))  # "Volume 3" is not "Volume 2"
        if len(word.lower) == 1:  # an initial may be left out
            return False
        if any(
            neighbour.start <= word.start < neighbour.end and neighbour.candidates[0].how == "exact"
            for neighbour in neighbours
        ):
            return False
        if not cased or (at == 0 and not after):
            return not is_dictionary_word(word.lower)
        if after:
            kind = lexicon.is_a(mention.text, word.lower)  # "Danube River"
        else:  # "King Lear"; but where more of the name is unsaid, "Lower Mill Lane" is another than "Upper Mill Lane"
            person = lexicon.is_a(word.lower, "person") and not lexicon.is_adjective(word.lower)
            kind = is_common(word.lower) and (person or not unsaid)
        return word.text != word.lower and not kind

    while first > 0 and belongs(first - 1, first, after=False):
        first -= 1
    while last + 1 < len(words) and belongs(last + 1, last, after=True):
        last += 1
    return min(words[first].start, mention.start), max(words[last].end, mention.end)


def _stands_for(text: str, candidate: Candidate, lexicon: Lexicon) -> bool:
    """Whether words are a name, misspelt or shortened perhaps, of what a candidate's form names."""
    if candidate.how == "exact":
        return True
    spoken, form = words_of(text), bare_words(candidate.form)
    if candidate.how == "vector":
        synonyms = {normalise(synonym) for synonym in lexicon.synonyms(normalise(text))}
        return normalise(candidate.form) in synonyms or _abbreviates(text, form) or _describes(spoken)
    if len(spoken) != len(form) and _misspelt("".join(word.bare for word in spoken), "".join(form)):
        return True  # written in one word, or in two
    content = [word for word in spoken if word.lower not in FUNCTION_WORDS | _TITLES] or spoken
    strange = [word for word in content if not _is_part(word, form, lexicon)]
    kinds = [word for word in strange if lexicon.is_a(candidate.form, word.lower)]  # "Danube River"
    plain = [word for word in strange if is_common(word.lower) and word.text == word.lower]
    return len(strange) < len(content) and all(word in kinds or word in plain for word in strange)


def _is_part(word: Word, form: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a word stands for one of a name, or is the initials of two ("NY"); one letter is let pass.

    A numeral stands for itself alone: "Volume III" is not "Volume II".
    """
    if _is_numeral(word.bare) and any(_is_numeral(name_word) for name_word in form):
        return word.bare in form
    pairs = [form[first : first + 2] for first in range(len(form) - 1)]
    initials = any(_abbreviates(word.bare, pair) for pair in pairs)
    return len(word.bare) == 1 or initials or any(_same(word, name_word, lexicon) for name_word in form)


def _is_numeral(word: str) -> bool:
    return word.isdecimal() or _ROMAN.issuperset(word)


def _same(word: Word, name_word: str, lexicon: Lexicon) -> bool:
    """Whether a word of a question is one of a name: itself, its plural, an initial, a short or a misspelt form."""
    bare = word.bare
    if (
        bare == name_word
        or name_word in variants(word.lower)
        or not set(lexicon.lemmas(bare)).isdisjoint(lexicon.lemmas(name_word))
    ):
        return True
    if bare and name_word.startswith(bare) and (len(bare) == 1 or len(bare) >= _SHORTENED):
        return True
    return _misspelt(bare, name_word)


def _misspelt(word: str, right: str) -> bool:
    """Whether a word is another with a letter or two wrong: an English word of its own is none."""
    if word == right:
        return True
    least = min(len(word), len(right))
    if word[:1] != right[:1]:
        return False  # one slips in the middle of a word: Southfield is another place than Northfield
    if least < _LEAST or is_dictionary_word(word) or any(char.isdigit() for char in word + right):
        return False
    return OSA.distance(word, right) <= (1 if least < _LONG else 2)


def _abbreviates(text: str, form: Sequence[str]) -> bool:
    """Whether letters are the initials of a name; Roman numerals stay: "wwii"."""
    letters = normalise(text).replace(" ", "")
    content = [word for word in form if word not in FUNCTION_WORDS]
    return len(letters) > 1 and any(
        letters == "".join(word if word.isdigit() or _ROMAN.issuperset(word) else word[0] for word in name_words)
        for name_words in (form, content)
    )


def _describes(words: Sequence[Word]) -> bool:
    """Whether words describe something instead of naming it: several common nouns in lower case."""
    content = [word for word in words if word.lower not in FUNCTION_WORDS]
    return len(content) > 1 and all(word.text == word.lower and is_common(word.lower) for word in content)


def uncertain_links(question: str, mentions: Sequence[Mention], lexicon: Lexicon) -> dict[Mention, str]:
    """The mentions whose words are no name of any candidate, not misspelt or shortened either, with these words."""
    named, lacking = named_mentions(question, mentions, lexicon)
    sure = {(mention.start, mention.end) for mention in named}
    uncertain: dict[Mention, str] = {}
    for mention in mentions:
        if mention.candidates[0].how != "exact" and (mention.start, mention.end) not in sure:
            whole = [
                (name.start, name.end) for name in lacking if name.start <= mention.start and mention.end <= name.end
            ]
            uncertain[mention] = question[slice(*whole[0])] if whole else mention.text
    return uncertain


def uncertainty_lines(mentions: Mapping[Mention, str]) -> str:
    """Lines of a prompt that say so of each; empty where there is none."""
    pairs = dict.fromkeys(
        (data(words, _PROMPTED), data(mention.candidates[0].form, _PROMPTED)) for mention, words in mentions.items()
    )
    return "".join("\n" + _line().replace("{name}", name).replace("{words}", words) for words, name in pairs)


@cache
def _line() -> str:
    return (files("toulmin.methods") / "uncertain.md").read_text(encoding="utf-8").strip()
