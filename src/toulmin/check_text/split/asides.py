"""Where parts of a sentence begin and end: what is said by the way beside a noun, the next verb, the next clause.

By the way: relative clauses, appositions, participles and brackets.
"""

from __future__ import annotations

import re
from itertools import takewhile

from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, TaggedWord, Words, listed, word_at
from toulmin.check_text.split.verbs import (
    ADJECTIVE,
    AUXILIARY,
    Phrase,
    is_date_comma,
    is_finite,
    is_name,
    main_verb,
    parted,
    run_end,
    trimmed,
)
from toulmin.english.lexicon import get_lexicon

__all__ = ["denied_subject", "lifetime", "next_part", "tells", "verbs_together", "without_asides"]

_YEAR = re.compile(r"\d{4}")
_KIN = listed("kin")
_DATE = 4  # words of a date of birth or death
_LONGEST_PART = 4  # words in brackets that are part of a name
_ALWAYS_PASSIVE = listed("always_passive")
_OBJECTLESS = listed("objectless")

_IT = TaggedWord("it", -1, -1, "pronoun")
_NOMINAL = ("name", "common", "number", "verb", "base", "pronoun", "gerund")
_SUBJECTS = ("name", "determiner", "pronoun", "common", "preposition", "number")  # tags of what a subject begins with
_ELSEWHERE = frozenset("according despite besides like unlike as due including regarding off".split())
_PLAIN = ("preposition", "number", "name", "determiner", "mark")  # tags of the words of a date, or of a place
_LONG_LEAD = 8  # words of a leading phrase with a name or a number
_SHORT_LEAD = 5  # words of any other, and of what stands before the verb in "and in 1990 moved"
_LONGEST_SUBJECT = 12  # words


def lifetime(words: Words) -> tuple[Phrase, Phrase] | None:
    """The dates of birth and death in brackets after a name, "1879–1955"; None: they hold something else."""
    dashes = [place for place, word in enumerate(words) if word.text in ("–", "-", "—")]
    if len(dashes) != 1 or not all(word.tag in ("number", "name", "mark") for word in words):
        return None
    first, last = words[: dashes[0]], words[dashes[0] + 1 :]
    dated = all(any(_YEAR.fullmatch(w.text[-4:]) for w in part) and len(part) <= _DATE for part in (first, last))
    return (tuple(first), tuple(last)) if dated else None


def without_asides(
    words: Words, about: Phrase = (), *, keep: bool = False
) -> tuple[Phrase, list[tuple[Phrase, Phrase]]]:
    """Words without relative clauses, appositions, participles and brackets; these with what they are about.

    Args:
        about: the subject, where the words say what it is ("a film that …" is then said of it).
        keep: leave a clause that says which one is meant ("the man who shot Lincoln") where it stands.
    """
    core: list[TaggedWord] = []
    asides: list[tuple[Phrase, Phrase]] = []
    place = 0
    while place < len(words):
        end = _aside_end(words, place, core)
        if end is None:
            core.append(words[place])
            place += 1
            continue
        first = words[place]
        which = ("participle", "past", "relative", "preposition") if keep else ("participle", "past")
        if first.tag in which and core[-1].tag != "name" and not about:  # it says which one is meant
            core.extend(words[place:end])
            place = end
            continue
        bracket = first.text == "("
        inner = trimmed((_told_in(words[place + 1 : end - 1]) or ()) if bracket else words[place:end])
        antecedent = _meant(words[place:end], core)
        indefinite = bool(antecedent) and antecedent[0].lower in ("a", "an")
        common = indefinite or all(word.tag != "name" for word in antecedent) or antecedent != _antecedent(core)
        start = len(core) - len(antecedent)
        inside = start > 0 and core[start - 1].tag == "preposition" and is_name(inner)
        joints = [i for i, word in enumerate(inner) if word.text == ";"] if bracket else []
        *before, inner = map(trimmed, parted(inner, joints))  # "(born in Ulm; died in Princeton)"
        asides += [(antecedent, part) for part in before]
        if inner:  # "is the author of the novel, Heat": the novel is
            asides.append((about if about and common and not inside else antecedent, inner))
        comma = word_at(words, end).text == "," and bool(inner) and inner[0].tag != "number"
        place = end + (comma and word_at(words, end + 1).tag not in ("name", "common", "number", "coordinator"))
    kept = trimmed(core)
    while kept and kept[-1].tag == "adverb" and asides:
        kept = kept[:-1]  # "an actress best known for …"
    return kept, asides


def _told_in(bracket: Words) -> Phrase | None:
    """What the words of a bracket say of the noun before it; None: they are part of its name, "(New Zealand)"."""
    bracket = bracket[next((place for place, word in enumerate(bracket) if word.tag != "adverb"), 0) :]
    if bracket[0].tag in ("past", "participle", "gerund", "relative", "determiner"):
        return tuple(bracket)
    born = next((place for place, word in enumerate(bracket) if word.lower in ("born", "died", "founded")), None)
    if born is not None:
        return tuple(bracket[born:])
    last = max((place for place, word in enumerate(bracket) if word.text in (";", ",")), default=-1)
    if lifetime(bracket[last + 1 :]) is not None:
        return tuple(bracket[last + 1 :])
    return () if len(bracket) > _LONGEST_PART or last >= 0 else None


def _aside_end(words: Words, place: int, core: Words) -> int | None:
    """Where what begins at a place as an aside ends; None: nothing does."""
    word = words[place]
    after = word_at(words, place + 1)
    if word.text == "(":
        close = next((i for i in range(place, len(words)) if words[i].text == ")"), place)
        inside = words[place + 1 : close] if core and core[-1].tag in _NOMINAL else ()
        return close + 1 if inside and _told_in(inside) is not None else None
    if not core or after is NO_WORD:
        return None
    if word.tag == "relative" or (word.tag == "preposition" and after.tag == "relative"):
        return _relative_end(words, place)
    if word.text == ",":
        if after.tag == "relative" or (after.tag == "preposition" and word_at(words, place + 2).tag == "relative"):
            return _relative_end(words, place + 1)
        stop = _comma_after(words, place + 1)
        if after.lower in ("née", "nee", "né"):
            return stop
        further = next((w for w in words[place + 1 :] if w.tag != "adverb"), after)
        object_ = word_at(words, place + 2).tag in ("number", "determiner")
        if core[-1].text[-4:].isdigit() and further.tag == "past" and object_:
            return None  # "was born in 1930, received 20 awards and …"
        if further.tag in ("participle", "past") and core[-1].tag in _NOMINAL:
            return _comma_after(words, place + 1, participle=True)
        if after.tag == "name" and _is_named(words, place, core):
            return place + 2
        if after.lower in ("a", "an", "the") and core[-1].tag == "name":
            inner, behind = words[place + 1 : stop], word_at(words, stop + 1)
            listed = behind.tag == "coordinator" and behind.lower == "and" and after.lower == "the"
            phrase = takewhile(lambda w: w.tag not in ("preposition", "participle", "past"), inner)
            noun = any(w.tag in ("common", "base", "verb") for w in phrase)
            if noun and not listed and not any(is_finite(inner, i) for i in range(len(inner))):
                return stop
        placed = after.tag == "common" and core[-1].tag == "name" and word_at(words, place + 2).lower == "of"
        return stop if placed else None  # Lindau, capital of Velda,
    last = next((w for w in reversed(core) if w.tag != "adverb"), core[-1])
    describing = after.tag in ("preposition", "adverb", "determiner", "name", "number")
    if word.tag in ("participle", "past") and last.tag in ("name", "common", "verb", "base") and describing:
        return _comma_after(words, place, participle=True)
    if word.lower in ("starring", "featuring", "containing", "serving", "belonging", "consisting") and core:
        return _comma_after(words, place)
    return None


def _is_named(words: Words, place: int, core: Words) -> bool:
    """Whether a comma and a name tell who or what is meant: "his wife, Mileva Marić, was born"."""
    noun = core[-1].tag == "common" and any(word.tag in ("determiner", "genitive") for word in _antecedent(core))
    behind, further = word_at(words, place + 2), word_at(words, place + 3)
    apart = behind.text == "," and further.tag not in ("coordinator", "name", "number")
    return noun and (behind is NO_WORD or apart)


def _relative_end(words: Words, place: int) -> int:
    """Where a relative clause ends: at a comma after which the main clause goes on, or with the words."""
    for comma in range(place + 1, len(words)):
        if words[comma].text != ",":
            continue
        after = run_end(words, comma + 1, ("coordinator", "adverb"))
        following, behind, further = (word_at(words, after + step) for step in range(3))
        # "Heat, which …, and Thief, which …, are films"
        named = after > comma + 1 and following.tag == "name" and behind.text == "," and further.tag == "relative"
        relative = following.tag == "relative" or (following.tag == "preposition" and behind.tag == "relative")
        if named or relative or (following is not NO_WORD and is_finite(words, after)):
            return comma
    return len(words)


def _comma_after(words: Words, place: int, *, participle: bool = False) -> int:
    """The next comma that is none of a date or place, or the end."""
    for comma in range(place, len(words)):
        before, after = words[comma - 1], word_at(words, comma + 1)
        inside = is_date_comma(words, comma) or (before.tag == "name" and after.tag == "name")
        # "born on May 4, 1949, in Cleveland": a place or time more, where that ends the words
        further = participle and after.lower in ("in", "at", "on", "to")
        further = further and not any(word.text == "," for word in words[comma + 4 :])
        ends = words[comma].text == "," and not inside and not further
        if ends or (words[comma].tag == "relative" and comma > place):
            return comma
    return len(words)


def _meant(aside: Words, core: Words) -> Phrase:
    """What an aside is about: the noun before it, or the one that this noun only tells more of.

    "That" says which of several is meant, so it is never a name; "which" is no person, and who directs a film is one.
    """
    nearest = _antecedent(core)
    pronoun = next((word for word in aside[:2] if word.tag == "relative"), None)
    start = len(core) - len(nearest)
    related = pronoun is not None and pronoun.lower in ("which", "who") and start > 1
    if related and nearest and nearest[-1].tag == "number" and core[start - 1].tag == "preposition":
        return _meant(aside, core[: start - 1])  # "released it in 2005, which": not the year
    if pronoun is None or not nearest or nearest[-1].tag != "name" or start < 2 or core[start - 1].tag != "preposition":
        return nearest
    before = _antecedent(core[: start - 1])
    if not before or before[-1].tag not in ("common", "base", "verb"):
        return nearest
    link, head = core[start - 1].lower, before[-1].lower
    person = get_lexicon().coarse_type(head) == "person"
    other = (
        (pronoun.lower == "that" and pronoun is aside[0])
        or (pronoun.lower == "which" and link == "by" and not person)
        or (pronoun.lower == "who" and person and head not in _KIN and link in ("of", "in", "at", "from", "for"))
    )
    return (*before, *core[start - 1 :]) if other else nearest


def _antecedent(core: Words) -> Phrase:
    """The noun phrase at the end of some words."""
    first, determined = len(core), False
    while first > 0 and not determined:
        word, before = core[first - 1], word_at(core, first - 2)
        whole = word.lower == "of" and first < len(core) and before.tag == "name"  # the University of Oxford
        if word.tag not in ("name", "common", "number", "determiner", "genitive", "base", "verb") and not whole:
            break
        first -= 1
        determined = word.tag == "determiner" and before.lower != "of"
    if first == len(core) - 1 and first > 2 and core[first - 1].text == "," and core[first - 2].tag == "name":
        return tuple(core[first - 2 : first - 1]) if core[first - 3].tag == "preposition" else tuple(core[first:])
    return trimmed(core[first:])


def tells(lead: Phrase) -> bool:
    """Whether a leading phrase is a time or place: "in May 1990", not "in addition to his work at a bank"."""
    if lead[0].lower in _ELSEWHERE:
        return False
    telling = lead[-1].tag == "name" or any(word.tag == "number" for word in lead)
    verbal = any(word.tag in ("gerund", "relative", "be", "have") for word in lead)
    named = telling and not verbal and len(lead) <= _LONG_LEAD  # "in the autumn of 1950", "at the University of Oxford"
    return named or (len(lead) <= _SHORT_LEAD and all(word.tag in _PLAIN for word in lead))


def next_part(rest: Words, group: Phrase) -> tuple[int, str]:
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
        after = run_end(rest, place + 1, ("coordinator", "adverb", "not"))
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
        # "was born on 20 January 1930, received 20 awards and …"
        dated = comma and place > 0 and rest[place - 1].text[-4:].isdigit() and following.tag == "past"
        dated = dated and after == place + 1 and word_at(rest, after + 1).tag in ("number", "determiner")
        verbal = following.tag in (*AUXILIARY, "past") or (following.tag == "verb" and after + 1 < len(rest))
        if dated or (coordinated and verbal and is_finite((_IT, *rest[after:]), 1)):
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
        subordinated = word.tag == "subordinator" and word.lower not in ("that", "if", "whether", "so")
        referring = following.tag == "pronoun" or following.stands is not None or following.lower in POSSESSIVES
        subject = (coordinated or (comma and referring)) and following.tag in _SUBJECTS
        if (
            (subordinated and main_verb(rest[after:]) is not None)
            or (coordinated and denied_subject(rest[after:]) is not None)
            or (subject and _opens_clause(rest[after:]))
        ):
            return place, "clause"
    return len(rest), ""


def _is_absolute(ahead: Words) -> bool:
    """Whether nouns with a participle and a preposition follow: "libretto written by"."""
    at = next((i for i, word in enumerate(ahead) if word.tag in ("past", "participle")), 0)
    nouns = all(word.tag in ("common", "base") for word in ahead[:at])
    return at > 0 and nouns and word_at(ahead, at + 1).tag == "preposition"


def _opens_clause(words: Words) -> bool:
    """Whether words behind a coordinator are a clause with a subject of its own."""
    verb = main_verb(words)
    if verb is None or (verb == 1 and words[1].tag == "verb" and ADJECTIVE.fullmatch(words[0].text)):
        return False  # "of religion and Hispanic studies"
    if words[verb].tag == "base" and word_at(words, verb + 1).tag == "name":
        return False  # "and League club Rovers"
    sure = words[0].tag != "common" or words[verb].tag in (*AUXILIARY, "past")
    alone = 0 < verb <= _LONGEST_SUBJECT and words[verb - 1].tag in _NOMINAL
    listed = any(word.tag in ("relative", "past", "participle") or word.text in (",", ";") for word in words[:verb])
    return sure and alone and not listed


def _shares(rest: Words, place: int, after: int, group: Phrase) -> bool:
    """Whether a participle behind "and" goes with the auxiliary before: "was written and directed by"."""
    word, behind = rest[after], word_at(rest, after + 1)
    present = any(word.lower in ("is", "are", "has", "have", "been", "being") for word in group)
    objectless = behind.tag in ("preposition", "mark", "coordinator", NO_WORD.tag)
    certain = word.tag == "participle" or word.lower in _ALWAYS_PASSIVE
    certain = certain or (objectless and word.lower not in _OBJECTLESS)
    return behind.lower == "by" or present or certain or place == 0


def denied_subject(words: Words) -> tuple[Phrase, Phrase] | None:
    """The words without ", not Mary," before their verb, and who it is; None where nothing of the kind stands there."""
    for place, word in enumerate(words[:-4]):
        if word.text == "," and words[place + 1].tag == "not" and words[place + 2].tag in ("name", "determiner"):
            end = next((i for i in range(place + 2, len(words)) if words[i].text == ","), len(words))
            if end + 1 < len(words) and place and is_finite((*words[:place], *words[end + 1 :]), place):
                return (*words[:place], *words[end + 1 :]), tuple(words[place + 2 : end])
        if word.tag in (*AUXILIARY, "past", "verb", "participle", "preposition"):
            return None
    return None


def verbs_together(rest: Words, group: Phrase) -> tuple[list[TaggedWord], int] | None:
    """The verbs between the first and the last of "written, directed and produced by X", and where the last stands.

    They share what follows. None where there is no such list.
    """
    verbs: list[TaggedWord] = []
    place, joined = 0, False
    while not joined:
        joints = list(takewhile(lambda word: word.text == "," or word.lower == "and", rest[place:]))
        joined = any(word.lower == "and" for word in joints)
        verb = word_at(rest, place + len(joints))
        if not joints or verb.tag not in ("past", "participle"):
            return None
        verbs.append(verb)
        place += len(joints) + 1
    shared = word_at(rest, place).tag in ("preposition", "determiner", "name", "number")
    return (verbs[:-1], place - 1) if shared and group[-1].tag in ("past", "participle") else None
