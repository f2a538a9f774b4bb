"""What the reading of a question knows of English: function words, question words, and words that say "the same".

None of this belongs to a graph or a data set. Another language needs another module like this one.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "AUXILIARIES",
    "COUNTS",
    "FIRST",
    "LAST",
    "LINKING",
    "NAMED",
    "OCCUPATION",
    "PREPOSITIONS",
    "QUESTION_WORDS",
    "ROLE",
    "SAME",
    "STOP_WORDS",
    "TYPE_OF_QUESTION_WORD",
    "YES_OR_NO",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that carry no content of their own.
STOP_WORDS = _words(
    """a an the of in on at by for from to with and or is are was were be been being do does did has have had s
    what which who whom whose when where how that this these those it its their his her them they he she i you we as
    into about please tell me name give list find show can could would will there one both too"""
)

#: Stop words that may stand inside a phrase ("cause of death").
LINKING = frozenset({"of", "the", "a"})

QUESTION_WORDS = frozenset({"what", "which", "who", "whom", "whose", "when", "where", "how"})

#: Question words that say by themselves what kind of thing is asked for.
TYPE_OF_QUESTION_WORD: Mapping[str, str] = {"who": "person", "whom": "person", "where": "location", "when": "time"}

#: A question that begins with one of these asks for yes or no.
YES_OR_NO = _words("is are was were do does did has have had")

#: Two words with which a question asks for a number of things.
COUNTS = frozenset({("how", "many")})

#: With one of these the question ends in its verb, not in a noun: "what does she work on".
AUXILIARIES = frozenset({"do", "does", "did"})

#: Question words that, with a verb or a noun, ask for somebody's name.
NAMED = _words("who whom whose")

#: "Who is X" asks what X is by trade, and so does "what does X do".
ROLE = _words("who is was are were s")
OCCUPATION = _words("do does did")

#: Words that choose the earliest and the latest.
FIRST = _words("first earliest oldest")
LAST = _words("last latest newest")

PREPOSITIONS = frozenset({"of", "in", "by", "on", "with", "for", "at", "to", "from"})

#: Words that ask to go over a relation and back: "who has the same doctor as X", "who else works where X works".
SAME = _words("same share shares shared sharing also another else together")
