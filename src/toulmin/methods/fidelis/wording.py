"""Words a question about one relation in many ways: as a noun, a verb, a passive, with who, when, where, which.

What a relation's label is made of is read from its words and from WordNet (*director* -> *direct*), so that it works
for any graph. Some of what comes out is poor English.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toulmin.methods.fidelis.english import PREPOSITIONS
from toulmin.retrieval.lexicon import Lexicon

__all__ = ["Wording"]

_VERBS = 13_767  # verb synsets of WordNet 3.0; they are numbered right after the nouns
_PLACES, _TIMES = frozenset({"place", "location", "city"}), frozenset({"date", "time", "year", "day"})
_AFTER = PREPOSITIONS | {"after", "into"}
_PARAPHRASED = 0.35  # of the words that have synonyms, how many are replaced
_DRAWN = 400  # words drawn until one is common enough


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a label is made of.

    Args:
        noun: as a noun phrase; None for "directed by".
        verb: the base form of the verb that says the same.
        agent: whether the object does what the verb says ("directed by", "director").
        asks: the question word of an event's place or time.
        after: the preposition that a participle ends in ("educated at").
    """

    noun: str | None
    verb: str | None = None
    agent: bool = False
    asks: str | None = None
    after: str | None = None


class Wording:
    """Words questions.

    Args:
        random: decides among the ways to say it.
    """

    def __init__(self, lexicon: Lexicon, random: np.random.Generator) -> None:
        self._lexicon, self._random = lexicon, random

    def forward(self, text: str, kind: str, about: str) -> str:
        """Asks for the objects of a relation.

        Args:
            text: the words of the relation's label.
            kind: the coarse type of what it leads to.
            about: the words for the subject.
        """
        shape = self._shape(text)
        who = {"person": "who", "location": self._one("what", "where", "which place")}.get(kind, "what")
        forms: list[str] = []
        if shape.noun:
            noun = self._rephrased(shape.noun)
            forms += [f"{who} is the {noun} of {about}?", f"what is the {noun} of {about}?", f"{about}'s {noun}?"]
            forms += [f"{who} is {about}'s {noun}?", f"which {noun} does {about} have?", f"name the {noun} of {about}"]
        if shape.verb:
            verb = self._synonym(shape.verb)
            past, done = self._past(verb)
            if shape.asks:
                forms += 2 * [f"{shape.asks} did {about} {verb}?", f"{shape.asks} was {about} {done}?"]
            elif shape.agent:
                who = "who" if kind == "person" else self._one("what", "who")
                forms += 2 * [f"{who} {past} {about}?", f"by whom was {about} {done}?", f"{who} was {about} {done} by?"]
            elif shape.after:
                forms += 2 * [f"{who} was {about} {done} {shape.after}?"]
        if shape.after:
            forms += [f"{who} is {about} {text}?", f"what was {about} {text}?", f"which one is {about} {text}?"]
        return self._one(*forms)

    def backward(self, text: str, kind: str, about: str) -> str:
        """Asks for the subjects of a relation, given its object."""
        shape = self._shape(text)
        who = {"person": "who"}.get(kind, "what")
        forms: list[str] = []
        if shape.noun:
            noun = self._rephrased(shape.noun)
            forms += [f"{who} has {about} as {noun}?", f"whose {noun} is {about}?", f"{about} is the {noun} of {who}?"]
        if shape.verb:
            verb = self._synonym(shape.verb)
            past, done = self._past(verb)
            if shape.asks:
                forms += 2 * [f"{who} {past} in {about}?", f"{who} was {done} in {about}?"]
            elif shape.agent:
                forms += 2 * [f"what did {about} {verb}?", f"{who} was {done} by {about}?"]
            elif shape.after:
                forms += 2 * [f"{who} was {done} {shape.after} {about}?"]
        if shape.after:
            forms += [f"{who} is {text} {about}?", f"who was {text} {about}?", f"tell me what is {text} {about}"]
        return self._one(*forms)

    def phrase(self, text: str, about: str) -> str:
        """A noun phrase for the objects of a relation, to be asked about in turn."""
        shape = self._shape(text)
        if shape.noun is None:
            said = f"the one that {about} is {text}"
            return self._one(f"who {self._past(shape.verb)[0]} {about}", said) if shape.verb and shape.agent else said
        noun = self._rephrased(shape.noun)
        return self._one(f"the {noun} of {about}", f"{about}'s {noun}")

    def clause(self, text: str, about: str) -> str:
        """A noun phrase for the subjects of a relation, given its object, to be asked about in turn."""
        shape = self._shape(text)
        if shape.verb and shape.agent:
            past, done = self._past(self._synonym(shape.verb))
            return self._one(f"what {about} {past}", f"those {done} by {about}", f"what was {done} by {about}")
        if shape.noun is None:
            return f"those {text} {about}"
        noun = self._rephrased(shape.noun)
        return self._one(f"those with {noun} {about}", f"those whose {noun} is {about}", f"what has {noun} {about}")

    def foreign(self, about: str) -> tuple[str, str]:
        """A question about common words, drawn at random, and those words."""
        noun, verb = self._common(noun=True), self._common(noun=False)
        past, done = self._past(verb)
        asked, said = (
            (f"what is the {noun} of {about}?", noun),
            (f"who is {about}'s {noun}?", noun),
            (f"which {noun} does {about} have?", noun),
            (f"who {past} {about}?", verb),
            (f"when was {about} {done}?", verb),
            (f"what did {about} {verb}?", verb),
            (f"which {noun} did {about} {verb}?", f"{noun} {verb}"),
            (f"where does {about} {verb} the {noun}?", f"{noun} {verb}"),
        )[int(self._random.integers(8))]
        return asked, said

    def _one(self, *forms: str) -> str:
        return forms[int(self._random.integers(len(forms)))]

    def _shape(self, text: str) -> _Shape:
        words = text.split()
        while len(words) > 1 and words[0] in ("has", "have", "is", "was", "in", "of"):
            words = words[1:]
        head = self._base_verb(words[-2]) if len(words) == 2 and words[-1] in _AFTER else None
        if head and words[-1] == "by":
            return _Shape(None, head, agent=True)
        if len(words) > 1 and words[-1] in _AFTER:  # "educated at", "member of": the object is no member of the subject
            return _Shape(None, head, after=words[-1])
        noun = " ".join(words)
        event = self._verb(words[-1]) if "of" in words[1:] else self._verb(words[0])
        said = {words[0], words[-1]}
        if event and len(words) > 1 and said & (_PLACES | _TIMES):
            return _Shape(noun, event, asks="where" if said & _PLACES else "when")
        verb = self._verb(words[-1])
        if verb and self._lexicon.is_a(words[-1], "person"):
            return _Shape(noun, verb, agent=True)
        return _Shape(noun)

    def _is_verb(self, word: str) -> bool:
        tables = self._lexicon.tables
        row = tables.words.get(word)
        return row is not None and any(tables.nouns <= sense < tables.nouns + _VERBS for sense in tables.senses[row])

    def _base_verb(self, word: str) -> str | None:
        """The base form of a participle; None for another word."""
        return next((lemma for lemma in self._lexicon.lemmas(word) if lemma != word and self._is_verb(lemma)), None)

    def _verb(self, noun: str) -> str | None:
        """The verb that a noun is derived with, of like spelling where there are several."""
        tables = self._lexicon.tables
        for lemma in self._lexicon.lemmas(noun)[:1]:
            found = [
                word
                for sense in tables.senses[tables.words[lemma]][:2]
                for derived in tables.derivations[sense]
                if tables.nouns <= derived < tables.nouns + _VERBS
                for word in self._lexicon.bearers(derived)
                if word.isalpha()
            ]
            if self._is_verb(lemma):
                found.append(lemma)
            if found:
                return max(found, key=lambda word: _alike(word, lemma))
        return None

    def _rephrased(self, text: str) -> str:
        said: list[str] = []
        for word in text.split():
            synonyms = [other for other in self._lexicon.synonyms(word) if other.isalpha()]
            replaced = synonyms and self._random.random() < _PARAPHRASED
            said.append(self._one(*synonyms) if replaced else word)
        return " ".join(said)

    def _synonym(self, verb: str) -> str:
        """A verb, or now and then another for its most frequent sense."""
        tables = self._lexicon.tables
        others = [word for word in self._lexicon.bearers(tables.senses[tables.words[verb]][0]) if word.isalpha()]
        return self._one(*others) if others and self._random.random() < _PARAPHRASED else verb

    def _past(self, verb: str) -> tuple[str, str]:
        """Past tense and participle."""
        forms = self._irregular.get(verb)
        if forms:
            done = next((form for form in forms if form.endswith("n")), forms[-1])
            return next((form for form in forms if form != done), done), done
        regular = verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") else verb + "ed"
        return regular, regular

    @cached_property
    def _irregular(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for form, bases in self._lexicon.tables.exceptions.items():
            for base in bases:
                if self._is_verb(base) and not form.endswith(("s", "ing", "er", "est")):
                    found.setdefault(base, []).append(form)
        return found

    @cached_property
    def _vocabulary(self) -> Sequence[str]:
        return tuple(self._lexicon.tables.words)

    def _common(self, *, noun: bool) -> str:
        """A word of several senses, that is, a common one."""
        tables = self._lexicon.tables
        for _ in range(_DRAWN):
            word = self._vocabulary[int(self._random.integers(len(self._vocabulary)))]
            senses = tables.senses[tables.words[word]]
            if (
                word.isalpha()
                and len(senses) >= 3
                and (senses[0] < tables.nouns) == noun
                and (noun or self._is_verb(word))
            ):
                return word
        return "pebble" if noun else "juggle"


def _alike(one: str, other: str) -> int:
    """How many letters two words begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
