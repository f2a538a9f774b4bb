"""Where the next verb of a subject, or the next clause, begins in what follows a verb."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, TaggedWord, word_at
from toulmin.check_text.split.verbs import ADJECTIVE, AUXILIARY, NOMINAL, Phrase, is_finite, main_verb

__all__ = ["denied_subject", "next_part", "tells", "verbs_together"]

_ALWAYS_PASSIVE = frozenset(
    ("located", "situated", "based", "named", "called", "known", "considered", "born", "titled")
)
# Without an object behind them these are active all the same: "was born in Ulm and died in Princeton".
_OBJECTLESS = frozenset(
    "died lived moved grew worked served went came returned retired studied played starred appeared debuted remained "
    "graduated rose fell ran performed competed emigrated immigrated resigned settled began continued ended arrived "
    "left became fought taught lectured travelled traveled trained finished stayed participated joined enrolled "
    "enlisted survived succeeded acted sang wrote painted flew sailed drove walked spoke married divorced collapsed "
    "exploded sank merged expanded contributed collaborated converted transferred qualified voted campaigned ruled "
    "reigned existed occurred happened stood lay flowed lasted belonged "
    "consisted differed resulted emerged evolved".split()
)

_IT = TaggedWord("it", -1, -1, "pronoun")
_SUBJECTS = ("name", "determiner", "pronoun", "common", "preposition", "number")  # tags of what a subject begins with
_ELSEWHERE = frozenset("according despite besides like unlike as due including regarding off".split())
_PLAIN = ("preposition", "number", "name", "determiner", "mark")  # tags of the words of a date, or of a place
_LONG_LEAD = 8  # words of a leading phrase with a name or a number
_SHORT_LEAD = 5  # words of any other, and of what stands before the verb in "and in 1990 moved"
_LONGEST_SUBJECT = 12  # words


def tells(lead: Phrase) -> bool:
    """Whether a leading phrase is a time or place: "in May 1990", not "in addition to his work at a bank"."""
    if lead[0].lower in _ELSEWHERE:
        return False
    telling = lead[-1].tag == "name" or any(word.tag == "number" for word in lead)
    verbal = any(word.tag in ("gerund", "relative", "be", "have") for word in lead)
    if telling and not verbal and len(lead) <= _LONG_LEAD:
        return True  # "in the autumn of 1950", "at the University of Oxford"
    return len(lead) <= _SHORT_LEAD and all(word.tag in _PLAIN for word in lead)


def next_part(rest: Sequence[TaggedWord], group: Phrase) -> tuple[int, str]:
    """Where the next verb of the same subject, or the next clause, begins, and which of them it is."""
    passive = group[-1].tag in ("past", "participle") and any(word.tag in ("be", "have") for word in group)
    pending = 0
    for place, word in enumerate(rest):
        if word.tag == "relative":
            pending += 1
        if word.text == ";" or (word.text in ("–", "—", ":") and main_verb(rest[place + 1 :]) is not None):
            return place, "clause"
        comma = word.text == ","
        gerund_next = word_at(rest, place + 1).tag == "gerund"
        if word.lower in ("before", "after", "while") and gerund_next and place:
            return place, "gerund"
        if word.tag not in ("coordinator", "subordinator") and not comma:
            continue
        after = place + 1
        while word_at(rest, after).tag in ("coordinator", "adverb", "not"):
            after += 1
        if after >= len(rest):
            break
        following = rest[after]
        coordinated = word.tag == "coordinator" or (after > place + 1 and rest[place + 1].tag == "coordinator")
        if coordinated and pending and not comma:
            continue  # it goes on with the relative clause
        if coordinated and following.tag in ("past", "participle") and passive and _shares(rest, place, after, group):
            return place, "participle"
        if coordinated and following.tag == "preposition":
            verb = main_verb((_IT, *rest[after:]))
            if verb is not None and verb <= _SHORT_LEAD and tells(tuple(rest[after : after + verb - 1])):
                return place, "verb"
        if comma and after == place + 1 and following.tag in AUXILIARY and is_finite(rest, after):
            return place, "verb"
        dated = comma and place > 0 and rest[place - 1].text[-4:].isdigit() and following.tag == "past"
        if dated and after == place + 1 and word_at(rest, after + 1).tag in ("number", "determiner"):
            return place, "verb"  # "was born on 20 January 1930, received 20 awards and …"
        verbal = following.tag in (*AUXILIARY, "past") or (following.tag == "verb" and after + 1 < len(rest))
        if coordinated and verbal and is_finite((_IT, *rest[after:]), 1):
            return place, "verb"
        if coordinated and following.tag == "base" and "base" in (group[0].tag, group[-1].tag):
            return place, "verb" if group[0].tag == "base" else "infinitive"
        owned = comma and after == place + 1 and following.lower in POSSESSIVES
        if owned and _is_absolute(rest[after + 1 : after + 5]):
            return place, "absolute"  # "its libretto written by Schikaneder"
        if comma and following.lower == "having":
            return place, "gerund"
        listed = not coordinated or group[0].start < 0  # "…, earning fifty caps and scoring ten goals"
        behind = word_at(rest, after + 2)
        item = behind.text == "," or behind.tag == "coordinator"
        gerund = following.tag == "gerund" and following.lower not in ("including", "being")
        if (comma or coordinated) and gerund and listed and not item:
            return place, "gerund"
        if word.tag == "subordinator" and word.lower not in ("that", "if", "whether", "so"):
            verb = main_verb(rest[after:])
            if verb is not None:
                return place, "clause"
        referring = following.tag == "pronoun" or following.stands is not None or following.lower in POSSESSIVES
        if coordinated and denied_subject(rest[after:]) is not None:
            return place, "clause"
        if (coordinated or (comma and referring)) and following.tag in _SUBJECTS and _opens_clause(rest[after:]):
            return place, "clause"
    return len(rest), ""


def _is_absolute(ahead: Sequence[TaggedWord]) -> bool:
    """Whether nouns with a participle and a preposition follow: "libretto written by"."""
    at = next((i for i, word in enumerate(ahead) if word.tag in ("past", "participle")), 0)
    nouns = all(word.tag in ("common", "base") for word in ahead[:at])
    return at > 0 and nouns and word_at(ahead, at + 1).tag == "preposition"


def _opens_clause(words: Sequence[TaggedWord]) -> bool:
    """Whether words behind a coordinator are a clause with a subject of its own."""
    verb = main_verb(words)
    if verb is None:
        return False
    if verb == 1 and words[1].tag == "verb" and ADJECTIVE.fullmatch(words[0].text):
        return False  # "of religion and Hispanic studies"
    if words[verb].tag == "base" and word_at(words, verb + 1).tag == "name":
        return False  # "and League club Rovers"
    sure = words[0].tag != "common" or words[verb].tag in (*AUXILIARY, "past")
    return sure and _simple(words[:verb])


def _shares(rest: Sequence[TaggedWord], place: int, after: int, group: Phrase) -> bool:
    """Whether a participle behind "and" goes with the auxiliary before: "was written and directed by"."""
    by = word_at(rest, after + 1).lower == "by"
    present = any(word.lower in ("is", "are", "has", "have", "been", "being") for word in group)
    objectless = word_at(rest, after + 1).tag in ("preposition", "mark", "coordinator", NO_WORD.tag)
    certain = rest[after].tag == "participle" or rest[after].lower in _ALWAYS_PASSIVE
    certain = certain or (objectless and rest[after].lower not in _OBJECTLESS)
    return by or present or certain or place == 0


def denied_subject(words: Sequence[TaggedWord]) -> tuple[Phrase, Phrase] | None:
    """The words without ", not Mary," before their verb, and who it is; None where nothing of the kind stands there."""
    for place, word in enumerate(words[:-4]):
        if word.text == "," and words[place + 1].tag == "not" and words[place + 2].tag in ("name", "determiner"):
            end = next((i for i in range(place + 2, len(words)) if words[i].text == ","), len(words))
            if end + 1 < len(words) and place and is_finite((*words[:place], *words[end + 1 :]), place):
                return (*words[:place], *words[end + 1 :]), tuple(words[place + 2 : end])
        if word.tag in (*AUXILIARY, "past", "verb", "participle", "preposition"):
            return None
    return None


def _simple(words: Sequence[TaggedWord]) -> bool:
    """Whether words before a verb can be its subject alone, and are no more of a list."""
    return (
        0 < len(words) <= _LONGEST_SUBJECT
        and words[-1].tag in NOMINAL
        and not any(word.tag in ("relative", "past", "participle") or word.text in (",", ";") for word in words)
    )


def verbs_together(rest: Sequence[TaggedWord], group: Phrase) -> tuple[list[TaggedWord], int] | None:
    """The verbs between the first and the last of "written, directed and produced by X", and where the last stands.

    They share what follows. None where there is no such list.
    """
    verbs: list[TaggedWord] = []
    place, joined = 0, False
    while not joined:
        step = place
        while step < len(rest) and (rest[step].text == "," or rest[step].lower == "and"):
            joined |= rest[step].lower == "and"
            step += 1
        if step == place or step >= len(rest) or rest[step].tag not in ("past", "participle"):
            return None
        verbs.append(rest[step])
        place = step + 1
    following = word_at(rest, place)
    shared = following.tag in ("preposition", "determiner", "name", "number")
    if not shared or group[-1].tag not in ("past", "participle"):
        return None
    return verbs[:-1], place - 1
