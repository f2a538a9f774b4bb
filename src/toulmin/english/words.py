"""Lists of English words of closed classes: stop words, question words, auxiliaries, prepositions, "first" and "last".

The stop words stand in one list, by parts (``words.toml``). What is a stop word depends on what is read: "no" says
nothing of what a sentence is about, and all of what a question asks for. So each reader takes the union of parts that
is named for it.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

__all__ = [
    "ARGUMENT_STOP_WORDS",
    "AUXILIARIES",
    "COUNTS",
    "FIRST",
    "FUNCTION_WORDS",
    "LAST",
    "PREPOSITIONS",
    "PRONOUNS",
    "QUESTION_STOP_WORDS",
    "QUESTION_WORDS",
    "RULE_STOP_WORDS",
    "SAME",
    "YES_OR_NO",
    "word_lists",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a text, which white space separates."""
    return frozenset(text.split())


def word_lists(kind: str) -> dict[str, frozenset[str]]:
    """The lists of one kind in ``words.toml``, by name."""
    lists: dict[str, dict[str, str]] = tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
    return {name: word_set(text) for name, text in lists[kind].items()}


_PARTS = word_lists("stop_words")


def _union(parts: str) -> frozenset[str]:
    return frozenset().union(*(_PARTS[part] for part in parts.split()))


#: Words that name nothing by themselves: of names in a text, and of the words that passages are searched by.
FUNCTION_WORDS = _union("grammatical limiting about frequent light asking")
#: Words of a question that neither say a relation nor restrict the answer.
QUESTION_STOP_WORDS = _union("grammatical about asking listing")
#: Words of a rule ("if … then …") and of a relation's label that neither has in common with the other.
RULE_STOP_WORDS = _union("grammatical limiting")
#: Words of a sentence of an argument that say nothing of what it is about.
ARGUMENT_STOP_WORDS = _union("grammatical limiting about frequent arguing")

#: Function words that cannot follow an article: where they do ("the us", "the who"), they are names.
PRONOUNS = word_set("her him i it me she them they us we what who why you")

QUESTION_WORDS = word_set("what which who whom whose when where how")

#: A question that begins with one of these asks for yes or no.
YES_OR_NO = word_set("is are was were do does did has have had")

#: Two words with which a question asks for a number of things.
COUNTS = frozenset({("how", "many")})

#: With one of these the question ends in its verb, not in a noun: "what does she work on".
AUXILIARIES = word_set("do does did")

#: Words that choose the earliest and the latest.
FIRST = word_set("first earliest oldest")
LAST = word_set("last latest newest")

PREPOSITIONS = word_set("of in by on with for at to from")

#: Words that ask to go over a relation and back: "who has the same doctor as X", "who else works where X works".
SAME = word_set("same share shares shared sharing also another else together")
