"""What the label of a relation alone tells of it, by the words in it. Every list of such words stands in this table."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import words_of

__all__ = [
    "BEGINNINGS",
    "CHILDREN",
    "CLASSES",
    "ENDINGS",
    "GENERIC",
    "INVERSES",
    "PARENTS",
    "TEXTS",
    "LabelWords",
    "has_many_values",
    "holds_both_ways",
    "is_symmetric",
    "is_verb_form",
    "is_verb_label",
    "singular_label",
    "tells_where",
]


class LabelWords(NamedTuple):
    """Words of labels, and why relations that have them are treated apart."""

    words: frozenset[str]
    reason: str


def _listed(words: str, reason: str) -> LabelWords:
    return LabelWords(frozenset(word.strip() for word in words.split("|")), reason)


CLASSES = _listed(
    "instance of|subclass of|type|is a|kind of|class",
    "lead from a thing to what it is: always more classes, and no word of the label is said in a sentence",
)
TEXTS = _listed("description|abstract|comment", "lead to free texts, of which a name is never all")
_NAMES = _listed("label", "a thing may have any number of labels")
_SEVERAL = _listed(
    "child|son|daughter|sibling|brother|sister|relative|friend|student|award|prize|product|member|ingredient|part|"
    "component|example|hobby|language|skill|effect|symptom",
    "nouns of which there may always be another, whatever the graph's subjects have",
)
_BOTH_WAYS = _listed(
    "sibling|spouse|married|partner|cousin|twin|friend|neighbour|neighbor|colleague|relative|rival|synonym|border|"
    "adjacent",
    "hold both ways, also where a graph says them one way: exchanged ends are no other statement",
)
_PLACES = _listed(
    "countr|state|locat|situated|part of|contain|city|town|region|provinc|county|territor|capital of",
    "beginnings of words; lead to where the subject lies: two such values, a town and its country, are both true",
)
_LIVES = _listed("origin|citizen|birth|death", "name a place, and tell of a life, not where a place lies")
GENERIC = _listed(
    "name|number|amount|date|year|day|time|place|kind|type",
    "only tell of what kind a value is, so that a sentence need not say them: “date of birth”, “number of floors”",
)
ENDINGS = _listed(
    "end|ended|until|till|to|expiry|left|last|death|dissolved|closed",
    "of qualifiers: when something ended, so that “since” does not say it",
)
BEGINNINGS = _listed(
    "start|started|since|from|begin|beginning|joined|first|opened",
    "of qualifiers: when something began, so that “until” does not say it",
)
CHILDREN = _listed("son|daughter|child", "who is one is no parent of the same")
PARENTS = _listed("father|mother|parent", "who is one is no child of the same")
_STUDENTS = _listed("student|pupil|disciple|doctoral student", "who is one is no teacher of the same")
_TEACHERS = _listed("teacher|mentor|tutor|doctoral advisor", "who is one is no student of the same")
#: Roles, and their inverses: "X was the son of Y" denies that the graph's son of X is Y.
INVERSES = tuple(
    (role.words, inverse.words)
    for pair in ((CHILDREN, PARENTS), (_STUDENTS, _TEACHERS))
    for role, inverse in (pair, pair[::-1])
)


def tells_where(label: str) -> bool:
    """Whether a relation tells where its subject lies, or of what it is a part."""
    lower = label.lower()
    return any(word in lower for word in _PLACES.words) and not any(word in lower for word in _LIVES.words)


def holds_both_ways(label: str) -> bool:
    """Whether a relation holds both ways: "sibling", "married to"."""
    return any(is_symmetric(singular_label(word)) for word in label.replace("_", " ").split())


def is_symmetric(word: str) -> bool:
    """Whether a word, in the singular, is one for a relation that holds both ways."""
    return word in _BOTH_WAYS.words


def singular_label(label: str) -> str:
    """A label in small letters without the "s" of a plural."""
    singular = label.lower().strip().removesuffix("s")
    return "child" if singular == "children" else singular


def has_many_values(label: str) -> bool:
    """Whether there may always be another value: by a plural, or by a noun of which one may have several."""
    if label in CLASSES.words | TEXTS.words | _NAMES.words:
        return True
    lexicon = get_lexicon()
    nouns = label.split(" of ")[0].split() if " of " in label else label.split()
    last = nouns[-1] if nouns else ""
    plural = last.endswith("s") and not last.endswith("ss") and any(lemma != last for lemma in lexicon.lemmas(last))
    singular = [lemma for lemma in lexicon.lemmas(last) if lemma != last]
    return not _SEVERAL.words.isdisjoint((*nouns, *singular)) or (plural and last not in lexicon.lemmas(last))


@lru_cache(4096)
def is_verb_label(label: str) -> bool:
    """Whether a label is a verb: "treats", "works on", "housed in"; not "headquarters", which may be one."""
    words = [word.lower for word in words_of(label)]
    last = next((word for word in reversed(words) if word not in FUNCTION_WORDS), "")
    led = bool(words) and words[-1] in FUNCTION_WORDS
    return is_verb_form(last) and (led or (len(words) == 1 and last not in get_lexicon().lemmas(last)))


def is_verb_form(word: str) -> bool:
    """Whether a word is a form of a verb other than its base: "treats", "housed"."""
    lexicon = get_lexicon()
    return word.endswith(("s", "ed", "en")) and any(
        base != word and lexicon.is_verb(base) for base in lexicon.lemmas(word)
    )
