"""Who or what a pronoun, "the film", "the Institute", "there" or a last name stands for, by what a text spoke of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from toulmin.check_text.split.clauses import clauses_of
from toulmin.check_text.split.referents import Referent, is_kind, is_place, is_there, learn, learn_what, owner_of
from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, TaggedWord, Words, listed, word_at
from toulmin.check_text.split.verbs import Phrase, glue, put, run_end
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["References"]

# Kinds of what a text may call its only subject by a noun alone, whatever that has been said to be.
_THINGS = ("artifact", "organization", "social group", "food", "event", "organism", "writing", "music", "message")
# What a text calls a place that it spoke of, whichever it is.
_REGIONS = frozenset("country nation state province county city town village island".split())
_FOLLOWS = ("be", "have", "do", "modal", "past", "verb", "genitive", "mark", "coordinator", "adverb")
_WORD = re.compile(r"\w+")
_LONGEST_NOUN = 5  # words of a noun with what tells of which kind
_NO_PART = frozenset("same first last other former latter most one only rest following reason man woman".split())
_TOLD = ("determiner", "name", "number", "common", "base", "adverb", "gerund")
_NOUNS = ("common", "base", "verb")
_CALLED = frozenset("called named known titled".split())
_PERSONAL = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she"}
_UNDERTAKINGS = listed("undertakings")
_PLURAL = frozenset(("they", "their", "them"))
_COUPLING = frozenset("married marries met wed divorced with and".split())
_SEVERAL = frozenset(("have", "are", "were"))
_YEARS = {
    "the following year": 1, "the next year": 1, "one year later": 1, "a year later": 1,
    "two years later": 2, "three years later": 3, "the same year": 0, "the previous year": -1,
}  # fmt: skip
_YEAR = re.compile(r"1\d{3}|20\d\d")
_PLACES = frozenset("in at near from to".split())  # what follows is a place, even if a person has its name
_REMEMBERED = 50  # subjects, and other names, the last ones
_CLAUSES = 6  # of a sentence, the first ones, whose subjects are remembered
_AFTER_IT = 6  # words that show whether "it" stands for something
_LONGEST = 12  # words of a subject that is put in for a pronoun


@dataclass
class References:
    """What the text has spoken of so far; give it the sentences in their order.

    Args:
        referents: subjects, the last one last.
        others: names that were no subject.
        pair: "A and B", of which it spoke last.
        subject: of the sentence itself, where it is a name and stands before the words.
        two: the two subjects of the last sentence, or its pair.
        couple: two people of one sentence: "John married Yoko".
    """

    referents: list[Referent] = field(default_factory=list)
    others: list[Referent] = field(default_factory=list)
    pair: tuple[Phrase, Phrase] | None = None
    subject: Referent | None = None
    two: tuple[Phrase, Phrase] | None = None
    couple: Referent | None = None

    @property
    def _known(self) -> list[Referent]:
        """All that it spoke of, the last subject first."""
        return [*reversed(self.referents), *reversed(self.others)]

    @property
    def topic(self) -> Phrase:
        """What the text spoke of last: its last subject, else the last name; empty where there is none."""
        spoken = self.referents or self.others
        return spoken[-1].phrase if spoken else ()

    def resolve(self, words: Words) -> list[TaggedWord]:
        """The words of the next sentence, with names in place of what stands for them, where that is known."""
        resolved: list[TaggedWord] = []
        self.subject = None
        place = 0
        while place < len(words):
            word = words[place]
            if self.subject is None and place and word.tag in ("be", "have", "do", "modal", "past", "verb"):
                self.subject = self._own_subject(resolved, words[place:])
            put_in = (
                self._both(words, place)
                or self._definite_at(words, place, resolved)
                or self._undertaken(words, place)
                or self._year(words, place, resolved)
                or (self._in_place_of(words, place) or (word,), 1)
            )
            resolved.extend(put_in[0])
            place += put_in[1]
        self._remember(resolved)
        return resolved

    def _own_subject(self, words: Words, rest: Words) -> Referent | None:
        """The subject of the sentence itself, which stands before its verb, where it is a name."""
        if words[0].tag in ("preposition", "adverb", "past", "participle", "gerund", "subordinator"):
            commas = [i for i, word in enumerate(words) if word.text == ","]
            words = words[commas[-1] + 1 :] if commas else words
        subject = owner_of(tuple(words))
        if not subject or not any(word.tag == "name" for word in subject):
            return None
        referent = Referent(subject)
        known = next((known for known in self.referents if known.name == referent.name), None)
        if known is not None:
            return known
        if rest[0].lower in _SEVERAL:
            referent.kind = "thing"  # "Rovers have …": a team
        if rest[0].tag == "be" and subject == tuple(words):
            learn_what(referent, rest[1:])
        return referent

    def _in_place_of(self, words: Words, place: int) -> Phrase | None:
        word, lower, subject = words[place], words[place].lower, self.subject
        if word.tag in ("pronoun", "determiner"):
            nearby = words[max(place - 3, 0) : place]
            among = [w.lower for w in nearby[-2:]] in (["one", "of"], ["some", "of"], ["two", "of"])
            predicative = [w.tag for w in (nearby[:1] if among else nearby[-1:])] == ["be"]
            if predicative or (place and word.tag == "pronoun" and _is_object(words, place)):
                subject = None  # "Byron was her father", "Byron adored her": of another than the subject
            opens = not place and word_at(words, 1).tag in ("be", "have", "past", "verb")
            owning = lower in ("his", "its", "their") or (lower == "her" and word.tag == "determiner")
            referent: Referent | None = None
            if lower in _PERSONAL:
                referent = self._person(_PERSONAL[lower], subject)
            elif (lower == "this" and opens) or lower == "its" or (lower == "it" and not _expletive(words, place)):
                referent = self._thing(subject, words[:place])
            elif lower in _PLURAL:
                referent = self._group(subject)
            return self._put(referent, word, owning)
        before = word_at(words, place - 1)
        elsewhere = before.tag == "determiner" or before.lower in _PLACES
        if word.tag == "name" and not elsewhere:
            return self._put(self._full_name(word), word, owning=False)
        return None

    def _both(self, words: Words, place: int) -> tuple[Phrase, int] | None:
        """The two that "both films" or "the two men" are, and how many words say it."""
        opening = [word.lower for word in words[place : place + 2]]
        length = 1 if opening[:1] == ["both"] else 2 if opening in (["the", "two"], ["these", "two"]) else 0
        noun, after = word_at(words, place + length), word_at(words, place + length + 1)
        plural = length > 0 and noun.tag in ("common", "verb") and singular(noun.lower) is not None
        if not plural or self.two is None or after.tag in ("name", "common"):
            return None
        first, second = (put(phrase, (words[place].start, noun.end)) for phrase in self.two)
        return (*first, glue("and", "coordinator"), *second), length + 1

    def _undertaken(self, words: Words, place: int) -> tuple[Phrase, int] | None:
        """What "construction" is of, alone as the subject of a clause, after a thing that was constructed."""
        word, before, after = (word_at(words, at) for at in (place, place - 1, place + 1))
        begins = before is NO_WORD or before.tag in ("coordinator", "subordinator") or before.text == ","
        alone = after.tag in ("be", "have", "past", "verb") or after.text == ","
        thing = self.referents[-1] if self.referents and self.referents[-1].kind != "person" else None
        if word.lower not in _UNDERTAKINGS or thing is None or not (begins and alone):
            return None
        return (word, glue("of", "preposition"), *thing.phrase), 1

    def _year(self, words: Words, place: int, resolved: Words) -> tuple[Phrase, int] | None:
        """The year that "the following year" is, after one that the text named, and how many words say it."""
        opening = [word.lower for word in words[place : place + 3]]
        if opening[:1] == ["in"] and len(words) > place + 3 and words[place + 1].lower in ("the", "that"):
            year = self._year(words, place + 1, resolved)
            return year and (year[0], year[1] + 1)
        step, length = (_YEARS[" ".join(opening)], 3) if " ".join(opening) in _YEARS else (0, 2)
        named = [word for word in resolved if word.tag == "number" and _YEAR.fullmatch(word.text)]
        if not named or (length == 2 and opening[:2] != ["that", "year"]):
            return None
        number = str(int(named[-1].text) + step)
        named_year = put((glue(number, "number"),), (words[place].start, words[place + length - 1].end))
        return (glue("in", "preposition"), *named_year), length

    def _put(self, referent: Referent | None, word: TaggedWord, owning: bool) -> Phrase | None:
        if referent is None or (owning and self.subject is not None and referent.phrase == self.subject.phrase):
            return None  # "Einstein left his wife" is clear by itself
        phrase = put(referent.phrase, (word.start, word.end))
        return (*phrase, glue("'s", "genitive")) if owning else phrase

    def _nearest(self, subject: Referent | None) -> list[Referent]:
        return [*([subject] if subject else []), *reversed(self.referents)]

    def _person(self, gender: str, subject: Referent | None) -> Referent | None:
        candidates = self._nearest(subject)
        people = [person for person in candidates if person.kind == "person"]
        unknown = [other for other in (*candidates, *reversed(self.others)) if other.kind == "unknown"]
        for referent in (*people, *(other for other in unknown if not is_place(other))):
            if referent.gender in (None, gender) and not referent.plural:
                referent.kind, referent.gender = "person", gender
                return referent
        return None

    def _thing(self, subject: Referent | None, before: Words) -> Referent | None:
        names = [word for word in before if word.tag == "name" and word.stands is None]
        if names and before[0].lower in _PERSONAL and before[-1].tag != "be":
            return Referent((names[-1],))  # "He joined the cast of Ferry for its second season"
        # Rather the hall that stands in Virginia than Virginia.
        others = self.others[::-1]
        candidates = [*self._nearest(subject), *sorted(others, key=is_there)]
        return next((referent for referent in candidates if referent.kind != "person" and not referent.plural), None)

    def _group(self, subject: Referent | None) -> Referent | None:
        candidates = self._nearest(subject)
        several = next((referent for referent in candidates if referent.plural), None)
        return several or self.couple or next((referent for referent in candidates if referent.kind != "person"), None)

    def _full_name(self, word: TaggedWord) -> Referent | None:
        """The person whose last name, first name or other name a word is."""
        for referent in reversed(self.referents):
            part = referent.kind == "person" and len(referent.phrase) == 1 and word.text in referent.name.split(" ")
            if (part and word.text != referent.name) or word.text in referent.also:
                return referent
        return None

    def _definite_at(self, words: Words, place: int, resolved: Words) -> tuple[Phrase, int] | None:
        """What words at a place stand for, and how many they are; None where that is not known.

        Args:
            resolved: the words before, with names for what stands for them.
        """
        there = self._there(words, place, resolved)
        if there:
            return there, 1
        word = words[place]
        this = word.lower in ("the", "this") or (word.lower == "that" and word.tag == "determiner")
        if not this or place + 1 >= len(words):
            return None
        named = self._definite(words, place, resolved)
        return (named, 2) if named else self._part(words, place)

    def _definite(self, words: Words, place: int, resolved: Words) -> Phrase:
        """What "the film" stands for among what the text spoke of before."""
        noun = words[place + 1]
        after = word_at(words, place + 2)
        bare = after is NO_WORD or after.tag in _FOLLOWS
        stands, lower, known = (words[place].start, noun.end), noun.lower, self._known
        if lower in ("former", "latter") and self.pair is not None:
            return put(self.pair[lower == "latter"], stands) if after.tag not in ("common", "base") else ()
        plays = after.tag == "base" and word_at(words, place + 3).tag == "preposition"
        if noun.tag == "name" and bare:  # "the Institute", of "Harrow Institute of Optics"
            whole = next((one for one in known if lower in _words(one.name) and lower != one.name.lower()), None)
            if whole is None or whole.kind == "person":
                return ()
            article = words[place : place + 1] if whole.phrase[0].tag == "name" else ()
            return (*article, *put(whole.phrase, stands))
        if noun.tag not in ("common", "base", "verb") or not (bare or (plays and _is_thing(lower))):
            return ()
        names = [word for word in resolved if word.tag == "name" and is_kind(word.text, lower)]
        if names:  # "Warsaw is the capital of Poland, and the country's currency …"
            return put(names[-1:], stands)
        for referent in known:
            called = lower in referent.nouns or lower in _words(referent.name)
            if called or (len(referent.phrase) == 1 and is_kind(referent.name, lower)):
                return put(referent.phrase, stands)
        things = [referent for referent in self.referents if referent.kind != "person" and not referent.plural]
        if not things:
            things = [other for other in self.others if other.kind == "unknown" and not is_place(other)][-1:]
        if _is_thing(lower) and things:
            last = things[-1]  # of several only what the text has not said to be something else
            if len(things) == 1 or not (last.nouns or is_place(last)):
                return put(last.phrase, stands)
        if lower in _REGIONS or (lower in ("area", "region") and words[place].lower != "the"):
            return put(self._place(resolved), stands)
        return ()

    def _part(self, words: Words, place: int) -> tuple[Phrase, int] | None:
        """ "The main ingredients" as those of what the text speaks of, and how many words it is."""
        before = word_at(words, place - 1)
        opens = before is NO_WORD or before.tag == "coordinator" or before.text in (",", ";", ".")
        of_that = before.lower == "of" and place > 1 and words[place - 2].tag in ("common", "number")
        if words[place].lower != "the" or not (opens or of_that):
            return None
        end = min(run_end(words, place + 1, (*_NOUNS, "gerund", "name")), place + 1 + _LONGEST_NOUN)
        noun, verb, after = words[place + 1 : end], word_at(words, end), word_at(words, end + 1)
        if any(word.tag == "name" and not (word.text.isupper() and len(word.text) > 1) for word in noun):
            return None  # "the B series"; "the PIN number" of what the text speaks of
        if not noun or noun[-1].tag not in _NOUNS or any(word.lower in _NO_PART for word in noun):
            return None
        head = singular(noun[-1].lower) or noun[-1].lower
        copula = verb.tag == "be" and (after.tag in _TOLD or after.lower in _CALLED)
        owning = verb.tag == "have" and after.tag in ("determiner", "number")
        about = self.subject or next(reversed(self.referents), None)
        if _is_thing(head) or head in _REGIONS or not (copula or owning) or about is None or about.plural:
            return None
        stands = (words[place].start, noun[-1].end)
        return (words[place], *noun, glue("of", "preposition"), *put(about.phrase, stands)), end - place

    def _there(self, words: Words, place: int, resolved: Words) -> Phrase:
        """The place that "there" is, where it does not begin "there is"."""
        word, before, after = (word_at(words, at) for at in (place, place - 1, place + 1))
        begins = before.tag in ("mark", "coordinator", "subordinator", "relative", "adverb", "preposition")
        begins = begins and after.tag in ("be", "have", "modal", "verb")
        owned = any(w.lower in POSSESSIVES for w in words[max(place - 3, 0) : place])  # "his time there"
        if word.lower != "there" or not place or begins or owned:
            return ()
        of = self._place(resolved)
        return (glue("in", "preposition"), *put(of, (word.start, word.end))) if of else ()

    def _place(self, resolved: Words) -> Phrase:
        """The place that it spoke of last: one in which something is, which owns something, or the lexicon knows."""
        names = [number for number, word in enumerate(resolved) if word.tag == "name"]
        for number in reversed(names):
            owning = word_at(resolved, number + 1).tag == "genitive"
            if owning or (number and resolved[number - 1].lower in ("in", "from", "near", "of")):
                return (resolved[number],)
        before = next((referent.phrase for referent in self._known if is_place(referent) or referent.located), ())
        return before or next((name for number in names[::-1] if is_place(Referent(name := (resolved[number],)))), ())

    def _remember(self, words: Words) -> None:
        """Take in the names of a sentence; of its subjects also what it says that they are."""
        names = [place for place, word in enumerate(words) if word.tag == "name"]
        joined = [(a, b) for a, b in pairwise(names) if b == a + 2 and words[a + 1].lower in ("and", "or")]
        if joined or len(names) == 2:
            a, b = joined[-1] if joined else names
            self.pair = (put(words[a : a + 1], None), put(words[b : b + 1], None))
        if self.couple and words[0].tag == "name" and words[0].text not in self.couple.name:
            self.couple = None
        if len(names) == 2 and names[0] == 0 and any(w.lower in _COUPLING for w in words[names[0] : names[1]]):
            both = put((words[0], glue("and", "coordinator"), words[names[1]]), None)
            self.couple = Referent(both, "person", plural=True)
        for place, word in enumerate(words):
            if word.tag == "name" and word.stands is None:
                before = word_at(words, place - 1)
                located = before.lower in _PLACES
                within = before.text == "," and bool(self.others) and self.others[-1].located
                other = Referent((word,), "thing" if located else "unknown", located=located or within)
                if before.tag in ("common", "base"):
                    other.nouns.add(before.lower)
                self.others.append(other)
        subjects: dict[str, Phrase] = {}
        for clause in reversed(list(clauses_of(words))[:_CLAUSES]):  # the main clause last: its subject is the last one
            subject = owner_of(clause.subject)
            named = any(word.tag == "name" for word in subject)
            if not subject or len(subject) > _LONGEST or not (named or _is_generic(subject, words)):
                continue
            name = " ".join(word.text for word in subject)
            known = next((referent for referent in self.referents if referent.name == name), None)
            if known is not None:
                self.referents.remove(known)
            referent = known or Referent(put(subject, None))
            referent.plural = any(word.lower == "and" for word in subject) or _is_several(subject)
            if referent.kind == "unknown" and _is_generic(subject, words):
                referent.kind = "person" if get_lexicon().coarse_type(subject[-1].lower) == "person" else "thing"
            subjects.setdefault(name, referent.phrase)
            learn(referent, clause, whole=subject == clause.subject)
            self.referents.append(referent)
        single = [phrase for phrase in subjects.values() if len(phrase) == 1][::-1]
        self.two = (single[0], single[1]) if len(single) == 2 else self.pair
        spoken = {referent.name for referent in self.referents}
        self.others = [other for other in self.others if other.name not in spoken][-_REMEMBERED:]
        del self.referents[:-_REMEMBERED]


def _is_object(words: Words, place: int) -> bool:
    """Whether a pronoun is the object of the first verb of a sentence, and so is not the sentence's subject."""
    governed = words[place - 1].tag in ("past", "verb", "base", "preposition")
    apart = any(word.tag in ("relative", "subordinator", "coordinator", "mark") for word in words[:place])
    return governed and not apart and not words[place].lower.endswith("self")


def _is_generic(subject: Phrase, words: Words) -> bool:
    """Whether a subject without a name opens its sentence and is a kind of thing: "Oaks", "a wool blanket"."""
    if subject[0] not in words[:1] or subject[-1].tag not in ("common", "base"):
        return False
    return subject[0].lower in ("a", "an") or (subject[0].tag in ("common", "base") and _is_several(subject))


def _is_several(subject: Phrase) -> bool:
    return subject[-1].tag == "common" and singular(subject[-1].lower) is not None


def _expletive(words: Words, place: int) -> bool:
    """Whether "it" stands for nothing: "it is known that", "it is said"."""
    nearby = words[place + 1 : place + 1 + _AFTER_IT] or [NO_WORD]
    relative = next((number for number, word in enumerate(nearby) if word.lower in ("who", "which")), 0)
    # "It was Tim Berners-Lee who"; not "it was written by Nora Field, who", "it comes from Bern, which".
    plain = all(word.tag not in ("past", "participle", "mark") for word in nearby[:relative])
    cleft = words[place].lower == "it" and relative > 0 and nearby[0].tag == "be" and plain
    return cleft or any(word.lower == "that" for word in nearby) or nearby[0].lower in ("rains", "seems")


def _words(name: str) -> list[str]:
    return _WORD.findall(name.lower())


@lru_cache(4096)
def _is_thing(noun: str) -> bool:
    """Whether a noun is one of a thing that a text may speak of at length: "film", "company", "tractor"."""
    lexicon = get_lexicon()
    return lexicon.coarse_type(noun) == "thing" and any(lexicon.is_a(noun, kind) for kind in _THINGS)
