"""What the label of a relation says of its two ends: which is the father, which does what the verb says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as Choice

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import PREPOSITIONS, word_set
from toulmin.retrieval.statement_words import relation_text

__all__ = [
    "BE",
    "DETERMINERS",
    "HAVE",
    "RELATING",
    "Label",
    "PartOfSpeech",
    "is_deverbal",
    "is_doer",
    "is_doing",
    "is_participle",
    "turned",
]

PartOfSpeech = Choice["noun", "verb"]


#: Function words that labels and questions are read by.
BE = word_set("is are was were be been being am get gets got")
HAVE = word_set("has have had having")
DETERMINERS = word_set("the a an any all some each every both one other my your his her its their our")
RELATING = PREPOSITIONS | word_set("under over behind upon into after as about through")
_CACHED = 1 << 14  # words
_SENSES = 5  # of a noun, in which it may be such a kind
_DOER = ("er", "or", "ant", "ent")  # endings of nouns for who does something


class _Side:
    """One side of a relation: kinds of WordNet that its bearers are of, and other words for it."""

    def __init__(self, *kinds: str, words: frozenset[str] = frozenset()) -> None:
        self.kinds, self.words = kinds, words


#: The two sides of relations among people and firms: parents stand to children as ancestors to descendants.
_CONVERSES: tuple[tuple[_Side, _Side], ...] = (
    (_Side("parent", "ancestor"), _Side("offspring", "descendant")),
    (
        _Side("superior", "supervisor", "employer", "leader"),
        _Side("subordinate", "employee", "worker", words=word_set("report work answer serve staff team")),
    ),
    (_Side("teacher"), _Side("student")),
    (_Side("predecessor"), _Side("successor")),
    (_Side("owner", "buyer", "acquirer", words=word_set("parent")), _Side("subsidiary company")),
)


@dataclass(frozen=True, slots=True)
class Label:
    """What the label of a relation says of its ends.

    Args:
        word: the noun or verb.
        part: its part of speech.
        words: all words of the label before a preposition.
        of_object: whether the object holds the role of the noun, or does what the verb says.
        preposition: after a participle ("based on"), which may be passive or past; None elsewhere.
        noun: what the objects are called, beside a verb ("award received", "references"); None elsewhere.
    """

    word: str
    part: PartOfSpeech
    words: tuple[str, ...]
    of_object: bool
    preposition: str | None = None
    noun: str | None = None

    @classmethod
    @lru_cache(_CACHED)
    def read(cls, label: str, lexicon: Lexicon) -> Label | None:
        """Read a label; None where its words are unknown."""
        spoken = [word for word in relation_text(label).split() if word not in DETERMINERS]
        while len(spoken) > 1 and spoken[0] in BE | HAVE:
            del spoken[0]
        at = next((at for at, word in enumerate(spoken) if at and word in RELATING), len(spoken))
        head, after = spoken[: at or 1], spoken[at] if at < len(spoken) else None
        if not head:
            return None
        first, last, words = head[0], head[-1], tuple(head)
        participle, noun = is_participle(last, lexicon), lexicon.is_noun(last)
        if after == "by":
            return cls(last, "verb", words, of_object=True)
        if len(head) > 1 and noun and after is None:  # acquired company, citing paper, cites work
            if is_participle(first, lexicon) or is_doing(first, lexicon):
                return cls(first, "verb", (first,), of_object=first.endswith("ing"))
            role = first if lexicon.coarse_type(first) == "person" != lexicon.coarse_type(last) else last
            return cls(role, "noun", words, of_object=True)  # parent company, but line manager
        if after is not None and participle:
            return cls(last, "verb", words, of_object=True, preposition=after)
        third_person = last.endswith("s") and lexicon.is_verb(last) and lexicon.coarse_type(last) != "person"
        verb = participle or last.endswith("ing") or is_doing(last, lexicon) or (third_person and len(head) == 1)
        if verb and after != "of":
            called = first if len(head) > 1 else last
            plain = after is None and lexicon.is_noun(called)
            return cls(last, "verb", words, of_object=False, noun=called if plain else None)
        if noun:
            return cls(last, "noun", words, of_object=after is None or at < len(spoken) - 1)
        return cls(last, "verb", words, of_object=False) if lexicon.is_verb(last) else None


def is_deverbal(noun: str, lexicon: Lexicon) -> bool:
    """Whether a noun is derived from a verb."""
    tables = lexicon.tables
    related = (other for sense in lexicon.noun_senses(noun)[:_SENSES] for other in tables.derivations[sense])
    return any(sense >= tables.nouns for sense in related)


def is_doer(noun: str, lexicon: Lexicon) -> bool | None:
    """Whether a noun says who does something (manager), or what is done to (employee, acquisition); None: open."""
    base = next(iter(lexicon.lemmas(noun)), noun)
    if base.endswith("ee"):
        return False
    if base.endswith(_DOER) or lexicon.coarse_type(base) == "person":
        return True
    return None if lexicon.is_verb(base) and noun == base else False


@lru_cache(_CACHED)
def turned(word: str, label: Label, lexicon: Lexicon) -> bool | None:
    """Whether a word and a label name the two sides of one relation; None where they are of none."""
    mine, theirs = _sides(word, lexicon), [_sides(other, lexicon) for other in label.words]
    for relation, (above, below) in enumerate(mine):
        over, under = (any(sides[relation][side] for sides in theirs) for side in (0, 1))
        if above != below and over != under:
            return above != over
    return None


@lru_cache(_CACHED)
def _sides(word: str, lexicon: Lexicon) -> tuple[tuple[bool, bool], ...]:
    """Of each relation of ``_CONVERSES``, whether a word is of its higher and of its lower side.

    A word is of a side if it is a noun of it, or a verb for what those of that side do.
    """
    lemmas, tables = lexicon.lemmas(word), lexicon.tables
    senses = lexicon.noun_senses(word)[:_SENSES]
    rows = [tables.words[base] for base in lemmas]
    verbs = [sense for row in rows for sense in tables.senses[row][:_SENSES] if sense >= tables.nouns]
    doers = {noun for verb in verbs for noun in tables.derivations[verb] if noun < tables.nouns}
    senses += [noun for noun in doers if any(name.endswith(_DOER) for name in lexicon.bearers(noun))]

    def is_of(side: _Side) -> bool:
        return not side.words.isdisjoint(lemmas) or any(
            lexicon.is_kind(sense, kind) for sense in senses for kind in side.kinds
        )

    return tuple((is_of(higher), is_of(lower)) for higher, lower in _CONVERSES)


def is_participle(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is the past form or participle of a verb."""
    return word.endswith(("ed", "en", "t", "n", "d", "e")) and _is_past(word, lexicon)


def _is_past(word: str, lexicon: Lexicon) -> bool:
    bases = [base for base in lexicon.lemmas(word) if base != word and lexicon.is_verb(base)]
    return bool(bases) and not word.endswith(("ing", "s"))


def is_doing(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is first of all a verb: "cites", "uses", "manage"; not "children", "references"."""
    for base in lexicon.lemmas(word):
        row = lexicon.tables.words.get(base)
        if row is not None and lexicon.tables.senses[row]:
            return lexicon.tables.senses[row][0] >= lexicon.tables.nouns and lexicon.is_verb(base)
    return False
