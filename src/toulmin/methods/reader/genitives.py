"""How many relations a chain of genitives asks for: "the wage of Zuri's keeper's trainer" goes three steps from Zuri.

A reading with fewer passes over one of them. Only what hangs together with a name by "'s" and "of the" is counted, and
only nouns: "date of birth" is one step, "the name of", "the number of" are none. A verb behind them is one step more.
"""

from __future__ import annotations

import re

from toulmin.english.inflection import is_past, singular
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import AUXILIARIES, FUNCTION_WORDS, word_set

__all__ = ["genitive_chain"]

_OWNED = re.compile(r" ?(?:['’]s|(?<=s)['’])((?: [^\W_][\w-]*){1,4})")
_OF = re.compile(r"([\w-]+) of ((?:the|a|an|his|her|its|their) )?$", re.IGNORECASE)
_OF_NOUN = re.compile(r"([\w-]+) of [\w-]+$", re.IGNORECASE)
_VERB = re.compile(r" ([a-z]+)\b")
_LINKING = AUXILIARIES | word_set("was were had did called named titled")
#: They name nothing that a relation of their own leads to: "the year of X's promotion" is when X was promoted.
_LIGHT = word_set(
    "name names title number count kind type sort list all one some any each most none both many much part half rest "
    "total sum average amount value set size share extent degree level year date day month time start end beginning"
)


def genitive_chain(question: str, span: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """The steps that the genitives around a name ask for, and where they stand in the question.

    Args:
        span: of the name, ``question[start:end]``.
    """
    steps, (start, end) = 0, span
    while (owned := _OWNED.match(question, end)) is not None:
        words = owned[1].lower().removeprefix(" other").split()
        phrase = next((n for n, word in enumerate(words) if word in FUNCTION_WORDS), len(words))
        goes_on = _OWNED.match(question, owned.end()) is not None
        nouns = [word for word in words[:phrase] if _is_noun(word)]
        if not nouns or (goes_on and phrase < len(words)):
            break
        steps += (singular(nouns[-1]) or nouns[-1]) != "name"
        end = owned.start(1) + owned[1].lower().index(nouns[-1]) + len(nouns[-1])
    verb = _VERB.match(question, end) if end > span[1] else None
    if verb is not None and (is_past(verb[1]) or verb[1] == "born") and verb[1] not in _LINKING:
        steps += 1  # "X's father born"
    while (of := _OF.search(question, 0, start)) is not None:
        head = of[1].lower()
        if start == span[0] and not of[2] and get_lexicon().is_a(head, "location"):
            break  # "the city of Paris"
        if head in FUNCTION_WORDS or not _is_noun(head):
            break
        steps += head not in _LIGHT
        start = of.start()
        while (compound := _OF_NOUN.search(question, 0, of.end(1))) is not None:  # "date of birth"
            start = compound.start()
            of = compound
    return steps, (start, end)


def _is_noun(word: str) -> bool:
    return word != "born" and not is_past(word) and get_lexicon().is_noun(singular(word) or word)
