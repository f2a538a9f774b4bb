"""A clause taken apart into facts: what is said together by "and", or by one phrase after another, is said apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from toulmin.entailment.text.clauses import Clause
from toulmin.entailment.text.inflection import singular
from toulmin.entailment.text.verbs import Phrase, glue, is_copula, trimmed
from toulmin.entailment.text.words import Word

__all__ = ["facts_of"]

_ADJECTIVE = re.compile(
    r"(?:(?:North|South|West|East|New|Northern) )?[A-Z][a-z]+(?:an|ian|ish|ese|ic|ch|ek|sh|ss|li|ni|qi|i)"
)
_AND = frozenset(("and", "as well as"))
_HAVING = frozenset(("a", "an", "its", "his", "her", "their"))
_PLACED = ["name", "mark", "name"]
_MOST = 40  # facts of a clause
_SINGULAR = {"are": "is", "were": "was", "have": "has"}


def facts_of(clause: Clause) -> list[Phrase]:
    """The facts that a clause states, each a clause of its own as words."""
    facts: list[Phrase] = []
    rest = clause.rest
    having, rest = _having(clause.subject, rest, is_copula(clause.verb))
    for subject in _alternatives(clause.subject, names_only=True):
        verb = clause.verb
        if subject != clause.subject:
            verb = tuple(replace(word, text=_SINGULAR.get(word.lower, word.text)) for word in verb)
        one_of = _one_of(rest) if subject != clause.subject and is_copula(verb) else rest
        said = list(_said(one_of, copula=is_copula(verb), lead=clause.lead))
        facts += [(*subject, *verb, *one) for one in said[:_MOST]]
    return [fact for fact in dict.fromkeys((*facts, *having, *_lying(rest))) if len(fact) > 1]


def _lying(rest: Phrase) -> Iterator[Phrase]:
    """That a place lies in another: "in Xalapa, Veracruz"."""
    for place, word in enumerate(rest[:-3]):
        if word.lower in ("in", "at", "near", "from") and [one.tag for one in rest[place + 1 : place + 4]] == _PLACED:
            after = rest[place + 4] if place + 4 < len(rest) else None
            if rest[place + 2].text == "," and (after is None or after.tag in ("preposition", "coordinator")):
                yield (rest[place + 1], glue("is", "be"), glue("in", "preposition"), rest[place + 3])


def _one_of(rest: Phrase) -> Phrase:
    """What is said of several, said of one: "leaders of France", "a leader of France"."""
    single = singular(rest[0].lower) if rest and rest[0].tag in ("common", "verb") else None
    if single is None:
        return rest
    return (glue("an" if single[0] in "aeiou" else "a", "determiner"), glue(single), *rest[1:])


def _said(rest: Phrase, *, copula: bool, lead: Phrase) -> Iterator[Phrase]:
    """What is said after the verb, one thing at a time."""
    chunks = _chunks(rest)
    object_ = chunks[0] if chunks and not _opens(chunks[0]) else ()
    further = chunks[1:] if object_ else chunks
    examples = [chunk for chunk in further if chunk[0].lower in ("including", "such")]
    further = [chunk for chunk in further if chunk not in examples]
    if lead:
        further.append(
            tuple(
                replace(word, text=word.text[:1].lower() + word.text[1:]) if i == 0 else word
                for i, word in enumerate(lead)
            )
        )
    objects = list(_objects(object_, copula=copula)) if object_ else [()]
    if copula and object_ and further and object_[0].lower not in ("a", "an"):
        # "is the largest city in the state", "is 23 metres above sea level": no sense without what follows
        yield from ((*one, *phrase) for one in objects for phrase in _alternatives(further[0]))
        yield from ((*objects[-1], *phrase) for chunk in further[1:] for phrase in _alternatives(chunk))
        return
    if copula and object_:
        yield from objects
        for phrase in (phrase for chunk in further for phrase in _alternatives(chunk)):
            # "is an airport in Texas" is said of the airport: it is in Texas.
            lies = (
                phrase[0].lower in ("in", "from", "at") and object_[0].lower in ("a", "an") and phrase[-1].tag == "name"
            )
            yield phrase if lies else (*objects[-1], *phrase)
        return
    for chunk in further:
        for phrase in _alternatives(chunk):
            yield from ((*one, *phrase) for one in objects)
    if not further:
        yield from objects
    for chunk in examples:
        items = chunk[2:] if chunk[0].lower == "such" else chunk[1:]
        before = further[0][:1] if further and not object_ else ()
        yield from ((*before, *item) for item in _alternatives(items))


def _chunks(rest: Phrase) -> list[Phrase]:
    """An object and the prepositional phrases after it; "of" goes with what stands before."""
    starts = [0]
    for place, word in enumerate(rest):
        if place == 0 or word.tag != "preposition" or word.lower in ("of", "per", "than", "off"):
            if word.lower == "such" and place and place + 1 < len(rest) and rest[place + 1].lower == "as":
                starts.append(place)
                break
            continue
        before = rest[place - 1]
        if word.lower == "including":
            starts.append(place)
            break
        after = rest[place + 1] if place + 1 < len(rest) else None
        if word.lower in ("over", "about", "around", "under", "below", "above") and after and after.tag == "number":
            continue
        if after is not None and after.tag == "gerund":
            starts.append(place)
            break
        if before.lower in ("such", "as", "well") or before.tag in ("preposition", "coordinator"):
            continue
        if word.lower == "to" and (
            (place + 1 < len(rest) and rest[place + 1].tag in ("base", "be", "have", "do"))
            or rest[starts[-1]].lower == "from"
        ):
            if rest[starts[-1]].lower == "from":
                continue
            starts.append(place)
            break
        starts.append(place)
    bounds = [*dict.fromkeys(starts), len(rest)]
    found = [trimmed(rest[first:last]) for first, last in pairwise(bounds)]
    return [chunk for chunk in found if chunk]


def _opens(chunk: Phrase) -> bool:
    return chunk[0].tag == "preposition" or (chunk[0].lower == "such" and len(chunk) > 1)


def _objects(object_: Phrase, *, copula: bool) -> Iterator[Phrase]:
    for one in _alternatives(object_):
        if copula and len(one) > 2 and one[0].lower in ("a", "an") and one[1].tag == "name":
            nationality, after = one[1], one[2]
            if _ADJECTIVE.fullmatch(nationality.text) and after.tag in ("common", "base", "verb", "gerund"):
                yield (nationality,)
                yield (glue("an" if after.lower[0] in "aeiou" else "a", "determiner"), *one[2:])
                continue
        yield one


def _alternatives(phrase: Phrase, *, names_only: bool = False) -> list[Phrase]:
    """The phrases that a list joins by "and", each with what all of them share; the phrase alone if it is no list."""
    opening: Phrase = ()
    body = phrase
    if body and body[0].tag == "preposition":
        opening, body = body[:1], body[1:]
    if body and body[0].lower == "both":
        body = body[1:]
    joints = [i for i, word in enumerate(body) if word.lower in _AND]
    if not joints or (opening and opening[0].lower == "between") or joints[0] == 0 or joints[-1] == len(body) - 1:
        return [phrase]
    if any(word.tag in ("relative", "be", "have", "modal", "past") or word.text == "(" for word in body):
        return [phrase]
    items = _items(body)
    if len(items) < 2 or any(not item for item in items):
        return [phrase]
    if names_only and not all(item[-1].tag == "name" for item in items):
        return [phrase]
    shared = _shared(items)
    if shared is None:
        return [phrase]
    return [(*opening, *item) for item in shared]


def _items(body: Phrase) -> list[Phrase]:
    """A list at its commas and coordinators; a comma inside of a date or place parts nothing."""
    items: list[list[Word]] = [[]]
    last = max(i for i, word in enumerate(body) if word.lower in _AND)
    listed = any(word.text == "," for word in body[:last])
    for place, word in enumerate(body):
        if word.lower in _AND or (word.text == "," and listed and place <= last):
            if items[-1]:
                items.append([])
        else:
            items[-1].append(word)
    return [tuple(item) for item in items]


def _shared(items: list[Phrase]) -> list[Phrase] | None:
    """The items of a list with the article of the first and the ending of the last; None: they are not alike."""
    last = items[-1]
    of = next((i for i, word in enumerate(last) if word.lower == "of" and i), None)
    tail: Phrase = ()
    if of == 1 and all(word.lower != "of" for item in items[:-1] for word in item):
        tail, last = last[of:], last[:of]
    if items[0][-1].tag == "name" and any(word.tag == "number" for word in items[0][:-1]) and len(last) == 1:
        return None  # the 2002 Central American and Caribbean Championships
    kinds = [_kind(item) for item in (*items[:-1], last)]
    if len(set(kinds)) > 1:
        apart = all(item[0].tag == "determiner" for item in (*items[1:-1], last))
        if apart and all(kind in ("name", "common") for kind in kinds):
            return [*items[:-1], (*last, *tail)]
        nominal = last[1:] if len(last) > 1 else ()
        if nominal and kinds[-1] == "common" and all(len(item) <= 2 for item in items[:-1]):
            # "the Under-19 and Under-23 levels", "the 2014 and 2018 World Cups"
            ending = tuple(nominal)
            return [*((*item, *ending, *tail) for item in items[:-1]), _headed(items[0], (*last, *tail))]
        return None
    return [(*_headed(items[0], item), *tail) for item in (*items[:-1], last)]


def _headed(first: Phrase, item: Phrase) -> Phrase:
    """An item with the article of the first one, where it has none."""
    article = first[0]
    lacks = item[0].tag in ("common", "base", "verb", "gerund") and item[0] is not article
    if article.tag != "determiner" or not lacks:
        return item
    if article.lower in ("a", "an"):
        article = glue("an" if item[0].lower[0] in "aeiou" else "a", "determiner")
    return (article, *item)


def _kind(item: Phrase) -> str:
    tags = [word.tag for word in item]
    if "preposition" in tags and tags[0] != "preposition":
        tags = tags[: tags.index("preposition")]
    last = tags[-1] if tags else "common"
    return {"verb": "common", "base": "common", "gerund": "common", "participle": "common"}.get(last, last)


def _having(subject: Phrase, rest: Phrase, copula: bool) -> tuple[list[Phrase], Phrase]:
    """Facts of "with its capital being …" and "with 5,000 inhabitants", and what is left without them."""
    for place, word in enumerate(rest):
        if word.lower != "with" or place + 1 >= len(rest):
            continue
        inner = trimmed(rest[place + 1 :])
        being = next((i for i, one in enumerate(inner) if one.lower == "being"), None)
        if being and inner[0].tag == "determiner":
            owner = (*subject, glue("'s", "genitive"), *inner[1:being])
            return [(*owner, glue("is", "be"), *inner[being + 1 :])], trimmed(rest[:place])
        told = inner and (inner[0].lower in _HAVING or inner[0].tag == "number")
        if told and place and (rest[place - 1].text == "," or copula):
            verb = glue("has", "have")
            return [(*subject, verb, *one) for one in _alternatives(inner)], trimmed(rest[:place])
    return [], rest
