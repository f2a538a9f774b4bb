"""A clause taken apart into facts: what is said together by "and", or by one phrase after another, is said apart.

Also clauses that say several things of several: "in London, not in Paris", "in Rome and Bonn, respectively".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from toulmin.check_text.split.appositions import AND, alternatives, examples, of_one
from toulmin.check_text.split.clauses import Clause
from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, TaggedWord, word_at
from toulmin.check_text.split.verbs import (
    ADJECTIVE,
    AUXILIARY,
    IMPLIED,
    Phrase,
    chunks,
    denied,
    denies,
    glue,
    indefinite,
    is_copula,
    is_name,
    trimmed,
)
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["facts_of"]

_NOUNS = ("common", "base", "verb")
_LYING = frozenset(
    "hangs hang hung lies lay stands stood buried interred entombed housed kept displayed exhibited located "
    "situated".split()
)
_HAVING = POSSESSIVES | {"a", "an"}
_PLACED = ["name", "mark", "name"]
_WITHIN = ["name", "preposition", "name"]
_MOST = 40  # facts of a clause
#: What stands between what is so and what is not.
_INSTEAD = (("rather", "than"), ("instead", "of"), ("as", "opposed", "to"))


def facts_of(clause: Clause) -> list[Phrase]:
    """The facts that a clause states, each a clause of its own as words."""
    facts = [fact for part in _each_apart(clause) for fact in _facts(part)]
    return [fact for fact in dict.fromkeys(facts) if len(fact) > 1]


def _facts(clause: Clause) -> list[Phrase]:
    facts: list[Phrase] = []
    rest = tuple(glue("including", "preposition") if word.text == ":" else word for word in clause.rest)
    if denies(clause.verb):  # each part of what is denied may be so
        subjects = alternatives(clause.subject, names_only=True)
        return [(*subject, *(of_one(clause.verb) if len(subjects) > 1 else clause.verb), *rest) for subject in subjects]
    having, rest = _having(clause.subject, rest, is_copula(clause.verb))
    items = alternatives(rest) if is_copula(clause.verb) else []
    listed = len(items) > 1 and all(item[-1].tag == "name" for item in items)
    single = singular(clause.subject[-1].lower) if listed and clause.subject[-1].tag == "common" else None
    if single is not None:  # "her parents are A and B": her parent is A
        clause = replace(clause, subject=(*clause.subject[:-1], glue(single)), verb=of_one(clause.verb))
    for subject in alternatives(clause.subject, names_only=True):
        verb = of_one(clause.verb) if subject != clause.subject else clause.verb
        one_of = _one_of(rest) if subject != clause.subject and is_copula(verb) else rest
        complements = list(_complements(one_of, copula=is_copula(verb), static=_static(verb), lead=clause.lead))
        facts += [(*subject, *verb, *complement) for complement in complements[:_MOST]]
    return [*facts, *having, *_lying(clause, rest), *_kinds(rest)]


def _static(verb: Phrase) -> bool:
    """Whether a verb tells where something is, so that "in the Louvre in Paris" tells where the Louvre is."""
    return verb[-1].lower in _LYING


def _lying(clause: Clause, rest: Phrase) -> Iterator[Phrase]:
    """Where a place lies, said by the way: "in Lindau, Bavaria", "in Ulm in Germany", "in Ulm, in the south"."""
    for place, word in enumerate(rest[:-3]):
        if word.lower not in ("in", "at", "near", "from"):
            continue
        step = place + 1 + (rest[place + 1].lower == "the")
        inner, named = rest[place + 1 : step + 1], rest[step : step + 3]
        if [w.lower for w in named[1:]] == ["in", "the"]:  # "in Ulm in the United States"
            named = (*named[:2], *rest[step + 3 : step + 4])
            step += 1
        after = word_at(rest, step + 3)
        ends = after is NO_WORD or after.tag == "preposition"
        listed = any(w.tag == "coordinator" for w in rest[step + 3 :])
        chained = after.tag == "coordinator" or (after.text == "," and not listed)
        if [w.tag for w in named] == _PLACED and named[1].text == "," and (ends or chained):
            yield (*inner, glue("is", IMPLIED), glue("in", "preposition"), named[2])
        within = [w.tag for w in named] == _WITHIN and (_static(clause.verb) or _lies_in_region(named[0], named[2]))
        if within and word.lower != "from" and named[1].lower == "in" and ends:
            yield (*inner, glue("is", IMPLIED), *named[1:])


def _lies_in_region(place: TaggedWord, region: TaggedWord) -> bool:
    """Whether "in PLACE in REGION" tells where a place lies: "in Geneva in Switzerland", not "in Cats in Austria"."""
    lexicon = get_lexicon()
    return lexicon.coarse_type(place.text) == "location" and bool(lexicon.regions(region.text))


def _without_outer(parts: list[Phrase], *, static: bool) -> list[Phrase]:
    """Phrases without the second of "in the Louvre in Paris": it tells where the first lies. A region stays by it."""
    kept: list[Phrase] = []
    for part in parts:
        before = kept[-1] if kept else ()
        inner = len(before) > 1 and before[0].lower in ("in", "at", "near") and before[-1].tag == "name"
        outer = inner and part[0].lower == "in" and is_name([word for word in part[1:] if word.lower != "the"])
        if outer and len(before) == 2 and _lies_in_region(before[-1], part[-1]):
            kept[-1] = (*before, *part)
        elif not (outer and static):
            kept.append(part)
    return kept


def _one_of(rest: Phrase) -> Phrase:
    """What is said of several, said of one: "leaders of France", "a leader of France"."""
    single = singular(rest[0].lower) if rest and rest[0].tag in ("common", "verb") else None
    if single is None:
        return rest
    return (indefinite(single), glue(single), *rest[1:])


def _complements(rest: Phrase, *, copula: bool, static: bool, lead: Phrase) -> Iterator[Phrase]:
    """What is said after the verb, one thing at a time."""
    parts = _without_outer(chunks(rest), static=static)
    such = bool(parts) and parts[0][0].lower == "such" and len(parts[0]) > 1
    object_ = parts[0] if parts and parts[0][0].tag != "preposition" and not such else ()
    further = parts[1:] if object_ else parts
    examples = [chunk for chunk in further if chunk[0].lower in ("including", "such", "like")]
    further = [chunk for chunk in further if chunk not in examples]
    kinds = (*_NOUNS, "name") if examples and examples[0][0].start < 0 else _NOUNS  # "in Paris: London"
    elaborated = next((chunk for chunk in (*further[::-1], object_) if chunk and chunk[-1].tag in kinds), object_)
    if lead:
        further.append((replace(lead[0], text=lead[0].text[:1].lower() + lead[0].text[1:]), *lead[1:]))
    objects = list(_objects(object_, copula=copula)) if object_ else [()]
    if copula and object_ and further and object_[0].lower not in ("a", "an"):
        # "is the largest city in the state", "is 23 metres above the road": no sense without what follows
        yield from ((*item, *phrase) for item in objects for phrase in alternatives(further[0]))
        yield from ((*objects[-1], *phrase) for chunk in further[1:] for phrase in alternatives(chunk))
        return
    if copula and object_:
        yield from objects
        for phrase in (phrase for chunk in further for phrase in alternatives(chunk)):
            yield phrase if _lies(object_, phrase) else (*objects[-1], *phrase)
        return
    for chunk in further:
        for phrase in alternatives(chunk):
            yield from ((*item, *phrase) for item in objects)
    counted = object_[0].count if len(object_) > 1 and object_[0].tag == "number" else 0
    complete = len(examples) == 1 and counted == len(alternatives(examples[0][1:]))
    if not further and not (complete and examples[0][0].start < 0):  # "three films: A, B and C"
        yield from objects
    for chunk in examples:
        items = chunk[2:] if chunk[0].lower == "such" else chunk[1:]
        before = (*object_, *elaborated[:1]) if elaborated != object_ else ()
        yield from ((*before, *item) for item in alternatives(items))


def _lies(object_: Phrase, phrase: Phrase) -> bool:
    """Whether a place is told of the subject itself: "is an airport in Texas", so it is in Texas.

    "Was a lawyer in Leeds" tells where the work was, and a delegate from Leeds need not come from there.
    """
    place = phrase[0].lower in ("in", "from", "at") and object_[0].lower in ("a", "an") and phrase[-1].tag == "name"
    return place and get_lexicon().coarse_type(object_[-1].lower) != "person"


def _kinds(rest: Phrase) -> Iterator[Phrase]:
    """What the examples of a clause are: of "shows such as Ferry", that Ferry is a show."""
    parts = chunks(rest)
    for before, part in pairwise(parts):
        items = part[2:] if part[0].lower == "such" else part[1:] if part[0].lower in ("including", "like") else ()
        if items and part[0].start >= 0:
            yield from examples(before, alternatives(items))


def _objects(object_: Phrase, *, copula: bool) -> Iterator[Phrase]:
    for item in alternatives(object_):
        if copula and len(item) > 2 and item[0].lower in ("a", "an") and item[1].tag == "name":
            nationality, after = item[1], item[2]
            if ADJECTIVE.fullmatch(nationality.text) and after.tag in ("common", "base", "verb", "gerund"):
                yield (nationality,)
                yield (indefinite(after.text), *item[2:])
                continue
        yield item


def _having(subject: Phrase, rest: Phrase, copula: bool) -> tuple[list[Phrase], Phrase]:
    """Facts of "with its capital being …" and "with 5,000 inhabitants", and what is left without them."""
    for place, word in enumerate(rest):
        if word.lower != "with" or place + 1 >= len(rest):
            continue
        inner = trimmed(rest[place + 1 :])
        being = next((i for i, w in enumerate(inner) if w.lower == "being"), None)
        if being and inner[0].tag == "determiner":
            owner = (*subject, glue("'s", "genitive"), *inner[1:being])
            return [(*owner, glue("is", "be"), *inner[being + 1 :])], trimmed(rest[:place])
        owned = inner and (inner[0].lower in _HAVING or inner[0].tag == "number")
        if owned and place and (rest[place - 1].text == "," or copula):
            verb = glue("has", "have")
            return [(*subject, verb, *item) for item in alternatives(inner)], trimmed(rest[:place])
    return [], rest


def _each_apart(clause: Clause) -> Iterator[Clause]:
    """The clause, or one for each thing that it says: what is so, what is not, each pair of two lists."""
    for paired in _paired(clause):
        for contrasted in _contrasted(paired):
            for predicated in _predicated(contrasted):
                yield from _gapped(predicated)


def _predicated(clause: Clause) -> Iterator[Clause]:
    """Each of several things that a subject is, with its own phrases: "is a member of A and a friend of B"."""
    rest = clause.rest
    if not is_copula(clause.verb) or not rest or rest[0].lower not in ("a", "an"):
        yield clause
        return
    joints = [i for i, word in enumerate(rest[:-1]) if word.lower in AND and rest[i + 1].lower in ("a", "an")]
    if not joints or all(word.tag != "preposition" for word in rest[: joints[0]]):
        yield clause
        return
    for first, last in pairwise([-1, *joints, len(rest)]):
        yield replace(clause, rest=trimmed(rest[first + 1 : last]))


def _contrasted(clause: Clause) -> Iterator[Clause]:
    """What is so, and what is denied beside it: "in London, not in Paris", "not in Paris but in London"."""
    nor = next((place for place, word in enumerate(clause.subject) if word.lower == "nor"), None)
    if nor is not None and clause.subject[0].lower == "neither":
        for part in (clause.subject[1:nor], clause.subject[nor + 1 :]):
            yield replace(clause, subject=trimmed(part), verb=denied(clause.verb))
        return
    subject = _cut(clause.subject)
    if subject is not None and subject[1]:
        yield replace(clause, subject=(*subject[0], *subject[2]))
        yield replace(clause, subject=subject[1], verb=denied(clause.verb))
        return
    if denies(clause.verb):
        but = next((place for place, word in enumerate(clause.rest) if word.lower == "but" and place), None)
        if but is not None and but + 1 < len(clause.rest):
            yield replace(clause, rest=trimmed(clause.rest[:but]))
            verb = tuple(word for word in clause.verb if word.tag != "not")
            yield replace(clause, verb=verb, rest=trimmed(clause.rest[but + 1 :]))
            return
    neither = next((place for place, word in enumerate(clause.rest) if word.lower == "neither"), None)
    if neither is not None and any(word.lower == "nor" for word in clause.rest):
        nor = next(place for place, word in enumerate(clause.rest) if word.lower == "nor")
        shared = clause.rest[:neither]
        for part in (clause.rest[neither + 1 : nor], clause.rest[nor + 1 :]):
            yield replace(clause, verb=denied(clause.verb), rest=(*shared, *trimmed(part)))
        return
    cut = _cut(clause.rest)
    if cut is None:
        yield clause
        return
    so, not_so, after = cut
    if so or after:
        yield replace(clause, rest=(*so, *after))
    if not_so:
        last = chunks(so)[-1] if so else ()
        same = last and last[0].tag == "preposition" and not_so[0].tag != "preposition" and not is_copula(clause.verb)
        yield replace(clause, verb=denied(clause.verb), rest=(*last[:1], *not_so) if same else not_so)


def _cut(words: Phrase) -> tuple[Phrase, Phrase, Phrase] | None:
    """What is so, what is not, and what comes after; None where nothing is contrasted."""
    for place, word in enumerate(words):
        before = word_at(words, place - 1)
        length = _contrast(words, place)
        if not length or (before.tag in (*AUXILIARY, "adverb") and word.tag == "not"):
            continue
        after = words[place + length :]
        if word.tag == "not" and after and after[0].lower == "only":  # not only in Ulm but also in Bern: both
            but = next((i for i, w in enumerate(after) if w.lower == "but"), None)
            if but is None:
                return None
            also = 1 + (word_at(after, but + 1).lower == "also")
            return (*words[:place], *after[1:but], glue("and", "coordinator"), *after[but + also :]), (), ()
        end = next((i for i, w in enumerate(after) if w.text in (",", ")") or w.lower == "but"), len(after))
        if not after or after[0].tag in ("subordinator", "adverb", *AUXILIARY):
            continue
        return trimmed(words[:place]), trimmed(after[:end]), trimmed(after[end:])
    return None


def _contrast(words: Sequence[TaggedWord], place: int) -> int:
    """How many words at a place say that the following is not so; 0: it is."""
    word = words[place]
    if word.tag == "not" and word.lower in ("not", "never"):
        return 1
    opening = tuple(w.lower for w in words[place : place + 3])
    return next((len(phrase) for phrase in _INSTEAD if opening[: len(phrase)] == phrase), 0)


def _paired(clause: Clause) -> Iterator[Clause]:
    """The clauses that "respectively" pairs: the first with the first, the second with the second."""
    if all(word.lower != "respectively" for word in (*clause.rest, *clause.lead)):
        yield clause
        return
    rest = trimmed([word for word in clause.rest if word.lower != "respectively"])
    lead = trimmed([word for word in clause.lead if word.lower != "respectively"])
    subjects = alternatives(clause.subject, names_only=True)
    parts = [_each(chunk) for chunk in chunks(rest)]
    several = [len(options) for options in (subjects, *parts) if len(options) > 1]
    if len(several) < 2 or len(set(several)) > 1:
        yield replace(clause, rest=rest, lead=lead)
        return
    for number in range(several[0]):
        subject, *chosen = (options[number] if len(options) > 1 else options[0] for options in (subjects, *parts))
        verb = of_one(clause.verb) if len(subjects) > 1 else clause.verb
        joined = tuple(word for part in chosen for word in part)
        yield replace(clause, subject=subject, verb=verb, rest=joined, lead=lead)


def _each(chunk: Phrase) -> list[Phrase]:
    """The parts of a list, also of one behind "of": "the capitals of Austria and Germany"."""
    of = next((place for place, word in enumerate(chunk) if word.lower == "of"), None)
    items = alternatives(chunk)
    if len(items) > 1 or not of:
        return items
    noun = singular(chunk[of - 1].lower)
    shared = (*chunk[: of - 1], glue(noun) if noun else chunk[of - 1], chunk[of])
    return [(*shared, *item) for item in alternatives(chunk[of + 1 :])]


def _gapped(clause: Clause) -> Iterator[Clause]:
    """What a verb says of two: "won one prize in 1903 and another in 1911", "A was born in Ulm and B in Bonn"."""
    parts = chunks(clause.rest)
    for place, part in enumerate(parts[:-1]):
        following = parts[place + 1]
        joint = next((i for i, word in enumerate(part) if _joins(part, i) and 1 < i < len(part) - 1), None)
        if part[0].tag != "preposition" or joint is None or following[0].lower != part[0].lower:
            continue
        first, second = trimmed(part[:joint]), trimmed(part[joint + 1 :])
        before = tuple(word for chunk in parts[:place] for word in chunk)
        after = tuple(word for chunk in parts[place + 2 :] for word in chunk)
        named = is_name(second)
        if first[-1].tag != following[-1].tag or second[-1].tag == "number":
            continue
        if place == 0 and named and not after and clause.subject[-1].tag == first[-1].tag == "name":
            yield replace(clause, rest=first)
            yield replace(clause, subject=second, rest=following)
            return
        if before and before[0].tag != "preposition" and (first[-1].tag == "number" or second[0].tag == "determiner"):
            yield replace(clause, rest=(*before, *first))
            yield replace(clause, rest=(*second, *following, *after))
            return
    yield clause


def _joins(words: Sequence[TaggedWord], place: int) -> bool:
    """Whether a word joins two that one verb is said of: "and", or a comma before "the latter"."""
    after = word_at(words, place + 1)
    return words[place].lower in AND or (words[place].text == "," and after.stands is not None)
