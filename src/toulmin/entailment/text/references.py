"""Who or what a pronoun, "the film" or a last name stands for: the last subject of the text that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from toulmin.entailment.text.clauses import Clause, clauses_of
from toulmin.entailment.text.verbs import Phrase, glue, is_copula
from toulmin.entailment.text.words import Word
from toulmin.retrieval.lexicon import get_lexicon

__all__ = ["Mention", "References"]

Kind = Literal["person", "thing", "unknown"]

_PERSONAL = {"he": "he", "him": "he", "his": "he", "himself": "he", "she": "she", "her": "she", "herself": "she"}
_IMPERSONAL = frozenset(("it", "its"))
_PLURAL = frozenset(("they", "their", "them"))
_PEOPLE_VERBS = frozenset("born died married graduated educated studied wrote starred raised divorced".split())
_AFTER_NOUN = ("preposition", "mark", "relative", "past", "participle", "coordinator", "have", "be")
_MADE = frozenset(
    "created released founded built published directed produced designed opened completed located formed launched "
    "developed manufactured composed recorded filmed established constructed".split()
)
# What a text may call its only subject, whatever that has been said to be.
_GENERAL = frozenset(
    "dish food film movie book novel song album band group company firm team club show series game".split()
)
_REMEMBERED = 50
_LONGEST = 12  # words of a subject that is put in for a pronoun


@dataclass
class Mention:
    """A subject of the text.

    Args:
        nouns: what it is said to be: "film", "city".
        also: other names of it.
        gender: of the pronouns that stood for it.
    """

    phrase: Phrase
    kind: Kind = "unknown"
    gender: str | None = None
    nouns: set[str] = field(default_factory=set)
    also: set[str] = field(default_factory=set)
    plural: bool = False

    @property
    def name(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.phrase)


class References:
    """What the text has spoken of so far; give it the sentences in their order."""

    def __init__(self) -> None:
        self._mentions: list[Mention] = []  # subjects, the last one last
        self._others: list[Mention] = []  # names that were no subject
        #: The subject of the last sentence itself, where it is a name.
        self.own: Phrase = ()

    @property
    def topic(self) -> Phrase:
        """What the text spoke of last: its last subject, else the last name; empty where there is none."""
        spoken = self._mentions or self._others
        return spoken[-1].phrase if spoken else ()

    def resolve(self, words: Sequence[Word]) -> list[Word]:
        """The words of the next sentence, with names in place of what stands for them, where that is known."""
        found: list[Word] = []
        own: Mention | None = None
        self.own = ()
        place = 0
        while place < len(words):
            word = words[place]
            if own is None and place and word.tag in ("be", "have", "do", "modal", "past", "verb"):
                own = self._own_subject(found, words[place:])
                self.own = own.phrase if own else ()
            definite = self._definite(words, place)
            if definite:
                found.extend(definite)
                place += 2
                continue
            found.extend(self._in_place_of(words, place, own) or (word,))
            place += 1
        self._remember(found)
        return found

    def _own_subject(self, words: Sequence[Word], rest: Sequence[Word]) -> Mention | None:
        """The subject of the sentence itself, which stands before its verb, where it is a name."""
        if words[0].tag in ("preposition", "adverb", "past", "participle", "gerund", "subordinator"):
            commas = [i for i, word in enumerate(words) if word.text == ","]
            words = words[commas[-1] + 1 :] if commas else words
        subject = _owner(tuple(words))
        if not subject or not any(word.tag == "name" for word in subject):
            return None
        name = " ".join(word.text for word in subject)
        known = next((one for one in self._mentions if one.name == name), None)
        if known is not None:
            return known
        mention = Mention(subject)
        if rest[0].tag == "be" and subject == tuple(words):
            _learn_what(mention, rest[1:])
        return mention

    def _in_place_of(self, words: Sequence[Word], place: int, own: Mention | None) -> Phrase | None:
        word = words[place]
        lower = word.lower
        if word.tag in ("pronoun", "determiner"):
            if lower in _PERSONAL:
                mention = self._person(_PERSONAL[lower], own)
                owning = lower == "his" or (lower == "her" and word.tag == "determiner")
                return self._put(mention, word, owning)
            if lower in _IMPERSONAL and not (lower == "it" and _expletive(words, place)):
                return self._put(self._thing(own), word, lower == "its")
            if lower in _PLURAL:
                return self._put(self._group(own), word, lower == "their")
        if word.tag == "name" and (place == 0 or words[place - 1].tag != "determiner"):
            full = self._full_name(word)
            return None if full is None else tuple(replace(one, stands=(word.start, word.end)) for one in full.phrase)
        return None

    def _definite(self, words: Sequence[Word], place: int) -> Phrase | None:
        """What "the film" stands for among what the text spoke of before; None: not known."""
        if words[place].lower not in ("the", "this") or place + 1 >= len(words):
            return None
        noun = words[place + 1]
        after = words[place + 2] if place + 2 < len(words) else None
        bare = after is None or (
            after.tag in ("be", "have", "do", "modal", "past", "verb", "genitive", "mark", "coordinator", "adverb")
        )
        if noun.tag not in ("common", "base", "verb") or not bare:
            return None
        lower = noun.lower
        for mention in (*reversed(self._mentions), *reversed(self._others)):
            if lower in mention.nouns or lower == mention.name.lower().split()[-1]:
                stands = (words[place].start, noun.end)
                return tuple(replace(word, stands=stands) for word in mention.phrase)
        things = [mention for mention in self._mentions if mention.kind != "person" and not mention.plural]
        if lower in _GENERAL and len(things) == 1:
            return tuple(replace(word, stands=(words[place].start, noun.end)) for word in things[0].phrase)
        return None

    def _put(self, mention: Mention | None, word: Word, owning: bool) -> Phrase | None:
        if mention is None or (owning and mention.phrase == self.own):
            return None  # "Einstein left his wife" is clear by itself
        phrase = tuple(replace(one, stands=(word.start, word.end)) for one in mention.phrase)
        return (*phrase, glue("'s", "genitive")) if owning else phrase

    def _person(self, gender: str, own: Mention | None) -> Mention | None:
        candidates = [*([own] if own else []), *reversed(self._mentions)]
        for sure in (True, False):
            for mention in candidates if sure else [*candidates, *reversed(self._others)]:
                fits = mention.kind == "person" if sure else mention.kind == "unknown"
                if fits and mention.gender in (None, gender) and not mention.plural:
                    mention.kind, mention.gender = "person", gender
                    return mention
        return None

    def _thing(self, own: Mention | None) -> Mention | None:
        candidates = [*([own] if own else []), *reversed(self._mentions), *reversed(self._others)]
        return next((one for one in candidates if one.kind != "person" and not one.plural), None)

    def _group(self, own: Mention | None) -> Mention | None:
        candidates = [*([own] if own else []), *reversed(self._mentions)]
        return next((one for one in candidates if one.kind != "person" or one.plural), None)

    def _full_name(self, word: Word) -> Mention | None:
        """The person whose last name, or other name, a word is."""
        for mention in reversed(self._mentions):
            ending = mention.kind == "person" and len(mention.phrase) == 1 and mention.name.endswith(f" {word.text}")
            if ending or word.text in mention.also:
                return mention
        return None

    def _remember(self, words: Sequence[Word]) -> None:
        """Take in the names of a sentence; of its subjects also what it says that they are."""
        for place, word in enumerate(words):
            if word.tag == "name" and word.stands is None:
                other = Mention((word,))
                if place and words[place - 1].tag in ("common", "base"):
                    other.nouns.add(words[place - 1].lower)
                self._others.append(other)
        for clause in reversed(list(clauses_of(words))[:6]):  # the main clause last: its subject is the last one
            subject = _owner(clause.subject)
            if not subject or len(subject) > _LONGEST or not any(word.tag == "name" for word in subject):
                continue
            name = " ".join(word.text for word in subject)
            known = next((one for one in self._mentions if one.name == name), None)
            if known is not None:
                self._mentions.remove(known)
            mention = known or Mention(tuple(replace(word, stands=None) for word in subject))
            mention.plural = any(word.lower == "and" for word in subject)
            _learn(mention, clause, whole=subject == clause.subject)
            self._mentions.append(mention)
        subjects = {mention.name for mention in self._mentions}
        self._others = [one for one in self._others if one.name not in subjects][-_REMEMBERED:]
        del self._mentions[:-_REMEMBERED]


def _learn(mention: Mention, clause: Clause, *, whole: bool) -> None:
    """What a clause tells of its subject: a person, or a film, a city, another name."""
    before = [word.lower for word in clause.subject if word.tag in ("common", "base", "verb")]
    mention.nouns.update(before[-1:])
    if not whole:
        return
    if is_copula(clause.verb):
        _learn_what(mention, clause.rest)
    elif clause.verb[-1].lower in ("known", "called", "nicknamed", "named"):
        mention.also.update(word.text for word in clause.rest[:2] if word.tag == "name")
    elif mention.kind == "unknown" and (
        any(word.lower in _PEOPLE_VERBS for word in clause.verb)
        or (
            clause.verb[-1].lower in ("stars", "starred", "acted", "plays")
            and clause.rest[:1]
            and clause.rest[0].lower == "in"
        )
    ):
        mention.kind = "person"
    elif mention.kind == "unknown" and clause.verb[0].tag == "be" and clause.verb[-1].lower in _MADE:
        mention.kind = "thing"


def _learn_what(mention: Mention, told: Sequence[Word]) -> None:
    """What a mention is said to be: "a film", "the capital"."""
    if not told or told[0].tag not in ("determiner", "common"):
        return
    end = next((i for i, word in enumerate(told) if word.tag in _AFTER_NOUN), len(told))
    head = told[end - 1] if end else None
    if head is None or head.tag not in ("common", "base", "verb", "gerund"):
        return
    mention.nouns.add(head.lower)
    if mention.kind == "unknown":
        mention.kind = "person" if get_lexicon().coarse_type(head.lower) == "person" else "thing"


def _owner(subject: Phrase) -> Phrase:
    """The entity that a subject is about: of "the capital of France" and "France's capital" it is France."""
    while subject and subject[-1].tag in ("adverb", "mark"):
        subject = subject[:-1]
    for place, word in enumerate(subject):
        if word.tag == "genitive":
            return subject[:place]
        if word.lower in ("of", "for") and place and subject[place - 1].tag in ("common", "base", "verb"):
            return subject[place + 1 :]
        if word.tag in ("mark", "relative"):
            return subject[:place]
    return subject


def _expletive(words: Sequence[Word], place: int) -> bool:
    """Whether "it" stands for nothing: "it is known that", "it is said"."""
    nearby = words[place + 1 : place + 7]
    return any(word.lower == "that" for word in nearby) or any(word.lower in ("rains", "seems") for word in nearby[:1])
