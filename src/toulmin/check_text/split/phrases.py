"""A clause taken apart into facts: what is said together by "and", or by one phrase after another, is said apart.

Also clauses that say several things of several: "in London, not in Paris", "in Rome and Bonn, respectively".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise

from toulmin.check_text.split.appositions import AND, alternatives, examples, of_one
from toulmin.check_text.split.clauses import Clause
from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, TaggedWord, listed, word_at
from toulmin.check_text.split.verbs import (
    ADJECTIVE,
    AUXILIARY,
    IMPLIED,
    Phrase,
    denied,
    denies,
    glue,
    indefinite,
    is_copula,
    is_name,
    parted,
    trimmed,
)
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["facts_of"]

_NOUNS = ("common", "base", "verb")
_LYING = listed("lying")
_TO = listed("with_to")
_HAVING = POSSESSIVES | {"a", "an"}
_PLACED = ["name", "mark", "name"]
_WITHIN = ["name", "preposition", "name"]
_MOST = 40  # facts of a clause
#: What stands between what is so and what is not.
_INSTEAD = (("rather", "than"), ("instead", "of"), ("as", "opposed", "to"))


def facts_of(clause: Clause) -> list[Phrase]:
    """The facts that a clause states, each a clause of its own as words."""
    parts = [clause]  # one for each thing that it says: what is so, what is not, each pair of two lists
    for apart in (_paired, _contrasted, _predicated, _gapped):
        parts = [part for one in parts for part in apart(one)]
    facts = dict.fromkeys(fact for part in parts for fact in _facts(part))
    return [fact for fact in facts if len(fact) > 1]


def _facts(clause: Clause) -> list[Phrase]:
    facts: list[Phrase] = []
    rest = tuple(glue("including", "preposition") if word.text == ":" else word for word in clause.rest)
    if denies(clause.verb):  # each part of what is denied may be so
        subjects = alternatives(clause.subject, names_only=True)
        return [(*subject, *(of_one(clause.verb) if len(subjects) > 1 else clause.verb), *rest) for subject in subjects]
    having, rest = _having(clause.subject, rest, is_copula(clause.verb))
    static = clause.verb[-1].lower in _LYING
    items = alternatives(rest) if is_copula(clause.verb) else []
    listed = len(items) > 1 and all(item[-1].tag == "name" for item in items)
    single = singular(clause.subject[-1].lower) if listed and clause.subject[-1].tag == "common" else None
    if single is not None:  # "her parents are A and B": her parent is A
        clause = replace(clause, subject=(*clause.subject[:-1], glue(single)), verb=of_one(clause.verb))
    for subject in alternatives(clause.subject, names_only=True):
        verb = of_one(clause.verb) if subject != clause.subject else clause.verb
        one_of = _one_of(rest) if subject != clause.subject and is_copula(verb) else rest
        complements = _complements(one_of, copula=is_copula(verb), static=static, lead=clause.lead)
        facts += [(*subject, *verb, *complement) for complement in islice(complements, _MOST)]
    return [*facts, *having, *_lying(rest, static=static), *_kinds(rest)]


def _lying(rest: Phrase, *, static: bool) -> Iterator[Phrase]:
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
        within = [w.tag for w in named] == _WITHIN and (static or _lies_in_region(named[0], named[2]))
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
    return rest if single is None else (indefinite(single), glue(single), *rest[1:])


def _complements(rest: Phrase, *, copula: bool, static: bool, lead: Phrase) -> Iterator[Phrase]:
    """What is said after the verb, one thing at a time."""
    parts = _without_outer(_chunks(rest), static=static)
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
    if copula and object_:
        if further and object_[0].lower not in ("a", "an"):
            # "is the largest city in the state", "is 23 metres above the road": no sense without what follows
            first, *further = further
            yield from ((*item, *phrase) for item in objects for phrase in alternatives(first))
        else:
            yield from objects
        for phrase in chain(*map(alternatives, further)):
            yield phrase if _lies(object_, phrase) else (*objects[-1], *phrase)
        return
    yield from ((*item, *phrase) for phrase in chain(*map(alternatives, further)) for item in objects)
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
    parts = _chunks(rest)
    for before, part in pairwise(parts):
        items = part[2:] if part[0].lower == "such" else part[1:] if part[0].lower in ("including", "like") else ()
        if items and part[0].start >= 0:
            yield from examples(before, alternatives(items))


def _objects(object_: Phrase, *, copula: bool) -> Iterator[Phrase]:
    for item in alternatives(object_):
        named = copula and len(item) > 2 and item[0].lower in ("a", "an") and item[1].tag == "name"
        if named and ADJECTIVE.fullmatch(item[1].text) and item[2].tag in ("common", "base", "verb", "gerund"):
            yield item[1:2]  # the nationality
            yield (indefinite(item[2].text), *item[2:])
        else:
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


def _predicated(clause: Clause) -> list[Clause]:
    """Each of several things that a subject is, with its own phrases: "is a member of A and a friend of B"."""
    rest = clause.rest
    if not is_copula(clause.verb) or not rest or rest[0].lower not in ("a", "an"):
        return [clause]
    joints = [i for i, word in enumerate(rest[:-1]) if word.lower in AND and rest[i + 1].lower in ("a", "an")]
    if not joints or all(word.tag != "preposition" for word in rest[: joints[0]]):
        return [clause]
    return [replace(clause, rest=trimmed(part)) for part in parted(rest, joints)]


def _contrasted(clause: Clause) -> list[Clause]:
    """What is so, and what is denied beside it: "in London, not in Paris", "not in Paris but in London"."""
    subject, rest, denial = clause.subject, clause.rest, denied(clause.verb)
    nor = _place_of("nor", subject)
    if nor is not None and subject[0].lower == "neither":
        return [replace(clause, subject=trimmed(part), verb=denial) for part in (subject[1:nor], subject[nor + 1 :])]
    cut = _cut(subject)
    if cut is not None and cut[1]:
        return [replace(clause, subject=(*cut[0], *cut[2])), replace(clause, subject=cut[1], verb=denial)]
    but = _place_of("but", rest[1:-1]) if denies(clause.verb) else None
    if but is not None:
        verb = tuple(word for word in clause.verb if word.tag != "not")
        so, not_so = trimmed(rest[but + 2 :]), trimmed(rest[: but + 1])
        return [replace(clause, rest=not_so), replace(clause, verb=verb, rest=so)]
    neither, nor = _place_of("neither", rest), _place_of("nor", rest)
    if neither is not None and nor is not None:
        parts = trimmed(rest[neither + 1 : nor]), trimmed(rest[nor + 1 :])
        return [replace(clause, verb=denial, rest=(*rest[:neither], *part)) for part in parts]
    cut = _cut(rest)
    if cut is None:
        return [clause]
    so, not_so, after = cut
    clauses = [replace(clause, rest=(*so, *after))] if so or after else []
    if not_so:
        last = _chunks(so)[-1] if so else ()
        same = last and last[0].tag == "preposition" and not_so[0].tag != "preposition" and not is_copula(clause.verb)
        clauses.append(replace(clause, verb=denial, rest=(*last[:1], *not_so) if same else not_so))
    return clauses


def _place_of(text: str, words: Phrase) -> int | None:
    """Where a word first stands among others."""
    return next((place for place, word in enumerate(words) if word.lower == text), None)


def _cut(words: Phrase) -> tuple[Phrase, Phrase, Phrase] | None:
    """What is so, what is not, and what comes after; None where nothing is contrasted."""
    for place, word in enumerate(words):
        before = word_at(words, place - 1)
        opening = tuple(w.lower for w in words[place : place + 3])
        denial = word.tag == "not" and word.lower in ("not", "never")
        length = 1 if denial else next((len(some) for some in _INSTEAD if opening[: len(some)] == some), 0)
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


def _paired(clause: Clause) -> list[Clause]:
    """The clauses that "respectively" pairs: the first with the first, the second with the second."""
    if all(word.lower != "respectively" for word in (*clause.rest, *clause.lead)):
        return [clause]
    rest = trimmed([word for word in clause.rest if word.lower != "respectively"])
    lead = trimmed([word for word in clause.lead if word.lower != "respectively"])
    subjects = alternatives(clause.subject, names_only=True)
    parts = [_each(chunk) for chunk in _chunks(rest)]
    several = [len(options) for options in (subjects, *parts) if len(options) > 1]
    if len(several) < 2 or len(set(several)) > 1:
        return [replace(clause, rest=rest, lead=lead)]
    verb, paired = of_one(clause.verb) if len(subjects) > 1 else clause.verb, []
    for number in range(several[0]):
        subject, *chosen = (options[number] if len(options) > 1 else options[0] for options in (subjects, *parts))
        paired.append(replace(clause, subject=subject, verb=verb, rest=tuple(chain(*chosen)), lead=lead))
    return paired


def _each(chunk: Phrase) -> list[Phrase]:
    """The parts of a list, also of one behind "of": "the capitals of Austria and Germany"."""
    of = _place_of("of", chunk)
    items = alternatives(chunk)
    if len(items) > 1 or not of:
        return items
    noun = singular(chunk[of - 1].lower)
    shared = (*chunk[: of - 1], glue(noun) if noun else chunk[of - 1], chunk[of])
    return [(*shared, *item) for item in alternatives(chunk[of + 1 :])]


def _gapped(clause: Clause) -> list[Clause]:
    """What a verb says of two: "won one prize in 1903 and another in 1911", "A was born in Ulm and B in Bonn"."""
    parts = _chunks(clause.rest)
    for place, part in enumerate(parts[:-1]):
        following = parts[place + 1]
        inner = enumerate(pairwise(part))
        # "and", or a comma before "the latter"
        joints = (i for i, (a, b) in inner if i > 1 and (a.lower in AND or (a.text == "," and b.stands is not None)))
        joint = next(joints, None)
        if part[0].tag != "preposition" or joint is None or following[0].lower != part[0].lower:
            continue
        first, second = trimmed(part[:joint]), trimmed(part[joint + 1 :])
        before, after = tuple(chain(*parts[:place])), tuple(chain(*parts[place + 2 :]))
        if first[-1].tag != following[-1].tag or second[-1].tag == "number":
            continue
        if place == 0 and is_name(second) and not after and clause.subject[-1].tag == first[-1].tag == "name":
            return [replace(clause, rest=first), replace(clause, subject=second, rest=following)]
        if before and before[0].tag != "preposition" and (first[-1].tag == "number" or second[0].tag == "determiner"):
            return [replace(clause, rest=(*before, *first)), replace(clause, rest=(*second, *following, *after))]
    return [clause]


def _chunks(rest: Phrase) -> list[Phrase]:
    """An object and the prepositional phrases after it; "of" goes with what stands before."""
    starts = [0]
    for place, word in enumerate(rest):
        if place == 0 or word.tag != "preposition" or word.lower in ("of", "per", "than", "off"):
            if word.lower == "such" and place and word_at(rest, place + 1).lower == "as":
                starts.append(place)
                break
            continue
        before, after = rest[place - 1], word_at(rest, place + 1)
        if word.lower == "including" or after.tag == "gerund":
            starts.append(place)
            break
        counted = word.lower in ("over", "about", "around", "under", "below", "above") and after.tag == "number"
        if counted or before.lower in ("such", "as", "well") or before.tag in ("preposition", "coordinator"):
            continue
        if word.lower == "between" and before.tag == "common" and after.tag not in ("number", NO_WORD.tag):
            continue  # "the border between Nepal and China"
        if [w.lower for w in rest[place + 1 : place + 3]] == ["the", "same"]:
            continue  # tells nothing alone
        first = starts[-1]
        if word.lower == "to" and (before.lower in _TO or rest[first].lower == "from"):
            continue  # "contributions to music"
        if word.lower == "to" and after.tag in ("base", "be", "have", "do"):
            if before.tag not in ("common", "name", "base", "verb"):
                starts.append(place)  # "in 1990 to study art", but "for her gift to calm a ward"
            joints = [i for i in range(place + 2, len(rest) - 1) if rest[i].lower == "and"]
            again = [i for i in joints if rest[i + 1].tag == "preposition"]
            starts += [i for i in again if rest[i + 1].lower == rest[first].lower][:1]
            break
        starts.append(place)
        if word.lower == "like" and before.tag in ("common", "verb") and before.lower.endswith("s"):
            break
    bounds = [*dict.fromkeys(starts), len(rest)]
    return [chunk for first, last in pairwise(bounds) if (chunk := trimmed(rest[first:last]))]
