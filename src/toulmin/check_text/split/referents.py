"""What a text spoke of, and what it said that this is: a person, a film, a city."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from toulmin.check_text.split.clauses import Clause
from toulmin.check_text.split.tagged_words import Words, listed, word_at
from toulmin.check_text.split.verbs import ADJECTIVE, Phrase, is_copula
from toulmin.english.lexicon import get_lexicon

__all__ = ["Referent", "is_kind", "is_place", "is_there", "learn", "learn_what", "owner_of"]

Kind = Literal["person", "thing", "unknown"]

_KIND = 0.7  # relatedness of a name and a noun from which on it is one of them
_PEOPLE_VERBS = frozenset("born died married graduated educated studied wrote starred raised divorced".split())
_AFTER_NOUN = ("preposition", "mark", "relative", "past", "participle", "coordinator", "have", "be")
_MADE = listed("made")
_DONE = frozenset("directed wrote composed painted founded discovered invented studied taught".split())


@dataclass
class Referent:
    """A subject of the text.

    Args:
        nouns: what it is said to be: "film", "city".
        also: other names of it.
        gender: of the pronouns that stood for it.
        located: something is said to be there, or to be from there.
    """

    phrase: Phrase
    kind: Kind = "unknown"
    gender: str | None = None
    nouns: set[str] = field(default_factory=set)
    also: set[str] = field(default_factory=set)
    plural: bool = False
    located: bool = False

    @property
    def name(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.phrase)


def is_place(referent: Referent) -> bool:
    """Whether what is mentioned bears the name of a place, by WordNet."""
    return get_lexicon().coarse_type(referent.name.lower()) == "location"


def is_kind(name: str, noun: str) -> bool:
    """Whether the lexicon knows a name as one of a kind: Poland is a country."""
    lexicon = get_lexicon()
    place = lexicon.coarse_type(noun) == "location" and lexicon.coarse_type(name.lower()) == "location"
    return place and lexicon.relatedness(name.lower(), noun) >= _KIND


def is_there(referent: Referent) -> bool:
    """Whether a referent is where something is or from where it is, or a people."""
    return referent.located or is_place(referent) or bool(ADJECTIVE.fullmatch(referent.name))


def learn(referent: Referent, clause: Clause, *, whole: bool) -> None:
    """What a clause tells of its subject: a person, or a film, a city, another name."""
    before = [word.lower for word in clause.subject if word.tag in ("common", "base", "verb")]
    referent.nouns.update(before[-1:])
    if not whole:
        return
    if is_copula(clause.verb):
        learn_what(referent, clause.rest)
    elif clause.verb[-1].lower in ("known", "called", "nicknamed", "named"):
        called = clause.rest[1:2] if clause.rest[:1] and clause.rest[0].lower == "as" else clause.rest[:1]
        referent.also.update(word.text for word in called if word.tag == "name")
    elif referent.kind == "unknown":
        first, last = clause.verb[0], clause.verb[-1].lower
        acts = last in ("stars", "starred", "acted", "plays") and clause.rest[:1] and clause.rest[0].lower == "in"
        does = first.tag == "past" and first.lower in _DONE
        if acts or does or any(word.lower in _PEOPLE_VERBS for word in clause.verb):
            referent.kind = "person"
        elif (first.tag == "be" and last in _MADE) or (first.lower == "have" and not referent.plural):
            referent.kind = "thing"  # "Rovers have …": a team


def learn_what(referent: Referent, predicate: Words) -> None:
    """What a referent is said to be: "a film", "the capital"."""
    if not predicate or predicate[0].tag not in ("determiner", "common"):
        return
    end = next((i for i, word in enumerate(predicate) if word.tag in _AFTER_NOUN), len(predicate))
    head = word_at(predicate, end - 1)
    if head.tag not in ("common", "base", "verb", "gerund"):
        return
    referent.nouns.add(head.lower)
    if referent.kind == "unknown":
        referent.kind = "person" if get_lexicon().coarse_type(head.lower) == "person" else "thing"


def owner_of(subject: Phrase) -> Phrase:
    """The entity that a subject is about: of "the capital of France" and "France's capital" it is France."""
    while subject and subject[-1].tag in ("adverb", "mark"):
        subject = subject[:-1]
    for place, word in enumerate(subject):
        if word.tag in ("genitive", "mark", "relative"):
            return subject[:place]
        if word.lower in ("of", "for") and place and subject[place - 1].tag in ("common", "base", "verb"):
            return subject[place + 1 :]
    return subject
