"""Where the verbs of a sentence are, and what phrases are made of."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from itertools import pairwise

from toulmin.check_text.split.tagged_words import FLOATING, NO_WORD, TaggedWord, Words, word_at

__all__ = [
    "ADJECTIVE",
    "AUXILIARY",
    "IMPLIED",
    "Phrase",
    "denied",
    "denies",
    "glue",
    "indefinite",
    "is_copula",
    "is_date_comma",
    "is_finite",
    "is_name",
    "main_verb",
    "parted",
    "put",
    "run_end",
    "trimmed",
    "verb_end",
]

Phrase = tuple[TaggedWord, ...]

#: Verbs with which a clause may end: "in which Nora Field stars".
_ENDING = frozenset("stars plays appears lives works lies sings teaches dies ends begins exists occurs".split())
#: A nationality, by its ending.
ADJECTIVE = re.compile(
    r"(?:(?:North|South|West|East|New|Northern) )?[A-Z][a-z]+(?:an|ian|ish|ese|ic|ch|ek|sh|ss|li|ni|qi|i)"
)
#: The tag of the verb of what is said by the way.
IMPLIED = "implied"
AUXILIARY = ("be", "have", "do", "modal")
#: Tags of what stands behind a finite verb.
_FOLLOWING = ("determiner", "name", "number", "preposition", "adverb", "pronoun", "gerund", "participle")


def glue(text: str, tag: str = "common") -> TaggedWord:
    """A word that does not stand in the text."""
    return TaggedWord(text, -1, -1, tag)


def put(words: Words, stands: tuple[int, int] | None) -> Phrase:
    """Words put in for those at some characters of the text; None: they stand for themselves."""
    return tuple(replace(word, stands=stands) for word in words)


def indefinite(word: str) -> TaggedWord:
    """The article "a" or "an" before a word."""
    return glue("an" if word[0].lower() in "aeiou" else "a", "determiner")


def is_name(words: Words) -> bool:
    """Whether words are one name, and nothing else."""
    return [word.tag for word in words] == ["name"]


def trimmed(words: Words) -> Phrase:
    """Words without marks and coordinators at their ends."""
    joints = [word.tag == "coordinator" or (word.tag == "mark" and word.text not in "()%") for word in words]
    first = next((place for place, joint in enumerate(joints) if not joint), len(words))
    last = len(words)
    while last > first and (joints[last - 1] or words[last - 1].tag == "relative"):
        last -= 1
    return tuple(words[first:last])


def parted(words: Words, joints: Iterable[int]) -> list[Phrase]:
    """The words between some places, which are left out."""
    return [tuple(words[first + 1 : last]) for first, last in pairwise([-1, *joints, len(words)])]


def is_copula(verb: Words) -> bool:
    """Whether a verb group is a form of "to be" alone."""
    return any(word.tag == "be" for word in verb) and all(
        word.tag in ("be", "have", "modal", "adverb", "not") for word in verb
    )


def is_finite(words: Words, place: int, *, plain: bool = False) -> bool:
    """Whether the verb of a clause may begin at a place.

    Args:
        plain: also a base form after a name ("Rovers play in Ulm"), which is more often a noun ("Norwegian club").
    """
    word = words[place]
    if word.tag in AUXILIARY:
        month = word.lower == "may" and word.text[0].isupper()
        return word.lower not in ("been", "being", "be", "having") and not month
    before = next((words[i] for i in range(place - 1, -1, -1) if words[i].tag not in ("adverb", "not")), NO_WORD)
    after = word_at(words, place + 1)
    if word.tag == "past":
        # "the 1990 televised debate", "a cup of dried fruit": before a noun of its phrase it is none.
        noun_next = after.tag in ("common", "verb", "base", "name")
        counted = before.tag == "number" and noun_next and not before.text.isdigit()
        return not (before.tag == "preposition" or before.lower in ("a", "an", "the") or counted)
    if word.tag == "verb":
        if after is NO_WORD:
            return before.tag in ("name", "pronoun") and word.lower in _ENDING
        listing = word.lower in ("include", "includes") and before.tag == "verb"
        led = listing or before.tag in ("name", "common", "pronoun", "relative", "coordinator", "mark")
        object_ = after.tag in ("common", "base") and (plain or before.tag in ("name", "pronoun", "relative"))
        noun = before.tag == "common" and after.tag == "preposition" and after.lower == "of"
        return led and (object_ or after.tag in _FOLLOWING) and not noun
    if word.tag == "base":
        several = before.lower.endswith("s") and (plain or before.tag == "common")
        plural = several or before.lower in ("they", "we", "you", "i", "who") or (plain and before.tag == "name")
        goes_on = after is not NO_WORD and (plain or after.tag in ("determiner", "name", "preposition", "number"))
        return plural and goes_on
    return False


def verb_end(words: Words, place: int) -> int:
    """Where the verb group that begins at a place ends."""
    end = place + 1
    if words[place].tag not in AUXILIARY:
        return _infinitive_end(words, end)  # used to play, went on to work
    while end < len(words):
        word = words[end]
        behind = word_at(words, end + 1).tag
        verbal = behind in ("past", "participle", "base", "gerund", "not", "adverb", *AUXILIARY)
        between = verbal and (word.tag == "adverb" or word.lower in FLOATING)
        if between or (word.tag in ("not", *AUXILIARY) and word.tag != "do"):
            end += 1
        elif word.tag in ("past", "participle"):
            return _infinitive_end(words, end + 1)
        elif word.tag in ("base", "gerund") and words[end - 1].tag in ("modal", "do", "be", "not", "adverb"):
            return end + (word.tag == "gerund" or any(w.tag in ("modal", "do") for w in words[place:end]))
        else:
            break
    return end


def denies(verb: Phrase) -> bool:
    """Whether a verb group says that something is not so."""
    return sum(word.tag == "not" for word in verb) % 2 == 1


def denied(verb: Phrase) -> Phrase:
    """A verb group with its contrary: "was born" and "was not born"; "directed" and "never directed"."""
    if denies(verb):
        return verb
    auxiliary = verb[0].tag in AUXILIARY and (len(verb) > 1 or verb[0].tag == "be")
    return (verb[0], glue("not", "not"), *verb[1:]) if auxiliary else (glue("never", "not"), *verb)


def run_end(words: Words, place: int, tags: Container[str]) -> int:
    """Where the words with some tags that stand at a place end."""
    return next((end for end in range(place, len(words)) if words[end].tag not in tags), max(place, len(words)))


def _infinitive_end(words: Words, end: int) -> int:
    on = end + (word_at(words, end).lower == "on")
    infinitive = word_at(words, on).lower == "to" and word_at(words, on + 1).tag in ("base", "be", "have")
    return on + 2 if infinitive else end


def main_verb(words: Words) -> int | None:
    """The place of the verb that all words before are the subject of; relative clauses have verbs of their own."""
    place = _verb_place(words, plain=False)
    return _verb_place(words, plain=True) if place is None else place


def _verb_place(words: Words, *, plain: bool) -> int | None:
    pending, inside = 0, False
    place = 0
    while place < len(words):
        word = words[place]
        if word.text == "(":
            place = next((i for i in range(place, len(words)) if words[i].text == ")"), place)
        elif word.tag in ("relative", "subordinator"):
            pending += 1
        elif is_finite(words, place, plain=plain):
            end = verb_end(words, place)
            if pending:
                pending, inside, place = pending - 1, True, end
                continue
            joined = place > 0 and words[place - 1].tag == "coordinator"
            if place > 0 and not (joined and inside) and not _reduced(words, place):
                return place
            place = end
            continue
        place += 1
    return None


def _reduced(words: Words, place: int) -> bool:
    """Whether a past form is a participle without its auxiliary: "the film directed by X stars Y"."""
    if words[place].tag != "past" or place == 0:
        return False
    by, before = word_at(words, place + 1).lower == "by", words[place - 1]
    if not by and before.tag in ("name", "pronoun"):
        return False
    for later in range(place + 1, len(words)):
        apart = by or before.text == ","
        if words[later].tag in ("relative", "subordinator") or (words[later].tag == "coordinator" and not apart):
            return False
        if is_finite(words, later):
            return words[later - 1].tag != "coordinator" and (apart or words[later - 1].text != ",")
    return False


def is_date_comma(words: Words, place: int) -> bool:
    """Whether a comma stands between a day and its year, or a place and what it lies in."""
    before, after = words[place - 1], word_at(words, place + 1)
    return after.tag == "number" and (before.tag == "number" or before.text[-1].isdigit())
