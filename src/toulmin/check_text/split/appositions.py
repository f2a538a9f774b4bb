"""Lists that "and" joins, and what nouns say of names beside them: "the film Heat", "his wife Mileva Marić"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from toulmin.check_text.split.tagged_words import FLOATING, NO_WORD, POSSESSIVES, TaggedWord, Words, word_at
from toulmin.check_text.split.verbs import IMPLIED, Phrase, glue, indefinite, is_name, run_end, trimmed
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["AND", "Owned", "alternatives", "examples", "has_names", "listing", "of_one", "said_by_the_way"]

Owned = tuple[list[Phrase], TaggedWord, Phrase, Phrase | None]

#: What joins the last item of a list.
AND = frozenset(("and", "as well as"))
_OF_ONE = {"are": "is", "were": "was", "have": "has"}
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_TYPES = ("person", "thing", "event", "organisation", "location")
_OF_WHOM = frozenset(
    (",", *which.split(), "of", whom)
    for which in ("all", "both", "each", "the latter", "the former")
    for whom in ("whom", "which")
)
_RELEASED = frozenset("film movie album single song game series show documentary musical comedy thriller".split())
_NO_KIND = frozenset("former latter late fellow future current lead then part side number".split())
_BOTH = frozenset(("series", "species"))  # singular and plural
_CALLED = frozenset(("called", "named", "namely"))
_NOUNS = ("common", "base", "verb", "participle", "gerund", "adverb")
_MODIFIERS = ("common", "base", "gerund", "participle", "verb")


def of_one(verb: Phrase) -> Phrase:
    """A verb group of several, said of one of them."""
    return tuple(replace(word, text=_OF_ONE.get(word.lower, word.text)) for word in verb)


def alternatives(phrase: Phrase, *, names_only: bool = False) -> list[Phrase]:
    """The phrases that a list joins by "and", each with what all of them share; the phrase alone if it is no list."""
    led = word_at(phrase, 0).tag == "preposition"
    opening, body = phrase[:led], phrase[led:]
    body = body[word_at(body, 0).lower == "both" :]
    joints = [i for i, word in enumerate(body) if word.lower in AND]
    if not joints or (opening and opening[0].lower == "between") or joints[0] == 0 or joints[-1] == len(body) - 1:
        return [phrase]
    inner = any(word.tag in ("relative", "be", "have", "modal") or word.lower in ("(", "between") for word in body)
    if inner or any(_reduced(body, i) for i in range(len(body))):
        return [phrase]
    items = _items(body)
    if len(items) < 2 or (names_only and not all(item[-1].tag == "name" for item in items)):
        return [phrase]
    shared = _shared(items)
    return [phrase] if shared is None else [(*opening, *item) for item in shared]


def said_by_the_way(words: Words, subject: Phrase) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words without what they say by the way of their names, and that as facts.

    Args:
        subject: of the sentence; what "his" stands for where it was left as it is.
    """
    words, named = _named_by_the_way(_of_whom(words), subject)
    kept, dated = _without_years(words)
    return kept, [*named, *dated, *_kinds_of(kept)]


def _of_whom(words: Words) -> list[TaggedWord]:
    """The words with names for "the latter of whom" and "all of which", as clauses of their own."""
    for place in range(len(words) - 3):
        opening = tuple(word.lower for word in words[place : place + 5])
        length = next((length for length in (4, 5) if opening[:length] in _OF_WHOM), 0)
        if not length:
            continue
        before = takewhile(lambda w: w.tag == "name" or w.text == "," or w.lower in AND, reversed(words[:place]))
        names = [word for word in before if word.tag == "name"][::-1]
        if not names:
            continue
        meant = names[-1:] if opening[2] == "latter" else names[:1] if opening[2] == "former" else names
        listed = [part for name in meant[:-1] for part in (name, glue("and", "coordinator"))]
        joint = glue(",", "mark"), glue("and", "coordinator")
        return [*words[:place], *joint, *listed, meant[-1], *words[place + length :]]
    return list(words)


def _reduced(body: Phrase, place: int) -> bool:
    """Whether a past form begins what is said of the noun before it, and is none like "acclaimed series"."""
    noun = word_at(body, place + 1).tag in ("common", "base", "name")
    return body[place].tag == "past" and not (noun and word_at(body, place - 1).tag in ("determiner", "adverb"))


def _items(body: Phrase) -> list[Phrase]:
    """A list at its commas and coordinators; a comma inside of a date or place parts nothing."""
    items: list[Phrase] = [()]
    last = max(i for i, word in enumerate(body) if word.lower in AND)
    for place, word in enumerate(body):
        joint = word.lower in AND or (word.text == "," and place <= last)
        items[-1] += () if joint else (word,)
        if joint or (place < last and word.text[-2:] in (',"', ",”")):  # "Alien," "Heat," and "Thief"
            items.append(())
    return [item for item in items if item]


def _shared(items: list[Phrase]) -> list[Phrase] | None:
    """The items of a list with the article of the first and the ending of the last; None: they are not alike."""
    last = items[-1]
    of = next((i for i, word in enumerate(last) if word.lower == "of" and i), None)
    tail: Phrase = ()
    if of == 1 and all(word.tag != "preposition" for item in items[:-1] for word in item):
        tail, last = last[of:], last[:of]
    if items[0][-1].tag == "name" and any(word.tag == "number" for word in items[0][:-1]) and len(last) == 1:
        return None  # the 2002 Baltic and Nordic Games
    bare = [item for item in items[:-1] if item[-1].tag == "common" and not get_lexicon().is_noun(item[-1].lower)]
    if len(bare) == len(items) - 1 and len(last) > 1 and last[0].tag == "common" and last[-1].tag in ("common", "base"):
        ending = (*last[1:], *tail)  # "his aggressive and powerful style"
        return [*((*item, *ending) for item in items[:-1]), (*_headed(items[0], last), *tail)]
    kinds = [_kind_of_item(item) for item in (*items[:-1], last)]
    if len(set(kinds)) > 1:
        apart = all(item[0].tag == "determiner" for item in (*items[1:-1], last))
        if apart and all(kind in ("name", "common") for kind in kinds):
            return [*items[:-1], (*last, *tail)]
        nominal = last[1:] if len(last) > 1 else ()
        if nominal and kinds[-1] == "common" and all(len(item) <= 2 for item in items[:-1]):
            # "the Under-19 and Under-23 levels", "the 2014 and 2018 Games"
            ending = tuple(nominal)
            return [*((*item, *ending, *tail) for item in items[:-1]), _headed(items[0], (*last, *tail))]
        return None
    inner = next((i for i, word in enumerate(items[0]) if word.tag == "preposition" and i), None)
    plain = [item for item in (*items[1:-1], last) if _is_plain(item)]
    if inner is not None and len(plain) == len(items) - 1 and not tail:
        prefix = items[0][: inner + 1]  # "a professor of religion and history"
        return [items[0], *((*prefix, *item) for item in plain)]
    return [(*_headed(items[0], item), *tail) for item in (*items[:-1], last)]


def _is_plain(item: Phrase) -> bool:
    """Whether an item is a noun alone, and none that tells what someone is: "history", not "a writer", "minister"."""
    nouns = all(word.tag in ("common", "base", "name", "gerund") for word in item)
    return nouns and get_lexicon().coarse_type(item[-1].lower) != "person"


def _headed(first: Phrase, item: Phrase) -> Phrase:
    """An item with the article of the first one, where it has none."""
    article = first[0]
    if article.tag != "determiner" or item[0].tag not in ("common", "base", "verb", "gerund"):
        return item
    return (indefinite(item[0].text) if article.lower in ("a", "an") else article, *item)


def _kind_of_item(item: Phrase) -> str:
    first, *tags = (word.tag for word in item)
    if "preposition" in tags and first != "preposition":
        tags = tags[: tags.index("preposition")]
    last = tags[-1] if tags else first
    return "common" if last in ("verb", "base", "gerund", "participle") else last


def _kinds_of(words: Words) -> Iterator[Phrase]:
    """What nouns say of the names right behind them: "the film Heat" that Heat is a film."""
    for place, (noun, name) in enumerate(pairwise(words)):
        if name.tag != "name" or noun.tag not in ("common", "base") or noun.lower in _NO_KIND:
            continue
        if get_lexicon().coarse_type(noun.lower) not in _TYPES or singular(noun.lower) is not None:
            continue
        begin = place
        while begin and words[begin - 1].tag in _MODIFIERS:
            begin -= 1
        before = word_at(words, begin - 1)
        if noun.tag == "base" and before.tag not in ("determiner", "name", "number"):
            continue  # "helped lead Rovers"
        dated = bool(_YEAR.fullmatch(before.text))
        if before.tag == "genitive" or (not dated and (name.text.isupper() or before.tag == "number")):
            continue  # with a genitive it is told of its owner
        yield _is_a(name, _kind(words[begin : place + 1]))
        if dated and noun.lower in _RELEASED:
            yield _released(name, before)


def _kind(words: Words) -> Words:
    """A noun with the nouns that tell of which kind: "television series"; not "various", "famous"."""
    begin = len(words) - 1
    while begin and words[begin - 1].tag in ("common", "base") and get_lexicon().is_noun(words[begin - 1].lower):
        begin -= 1
    return words[begin:]


def examples(before: Words, items: Sequence[Phrase]) -> Iterator[Phrase]:
    """What "shows such as Ferry and Tide" says of each: that it is a show.

    Args:
        before: the words up to the examples.
    """
    kind = _kind(before) if before and before[-1].tag in ("common", "base", "verb") else ()
    noun = singular(kind[-1].lower) or (kind[-1].lower if kind[-1].lower in _BOTH else None) if kind else None
    for item in items:
        if noun is not None and is_name(item):
            yield _is_a(item[0], (*kind[:-1], glue(noun)))


def _is_a(name: TaggedWord, kind: Words) -> Phrase:
    return (name, glue("is", IMPLIED), indefinite(kind[0].text), *kind)


def _without_years(words: Words) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words without a year in brackets behind a name, and what it says: when this was released."""
    kept: list[TaggedWord] = []
    facts: list[Phrase] = []
    for word in words:
        kept.append(word)
        name, opening, year, end = kept[-4:] if len(kept) > 3 else (NO_WORD,) * 4
        if name.tag == "name" and opening.text == "(" and end.text == ")" and _YEAR.fullmatch(year.text):
            facts.append(_released(name, year))
            del kept[-3:]
    return kept, facts


def _released(name: TaggedWord, year: TaggedWord) -> Phrase:
    return (name, glue("was", IMPLIED), glue("released", "past"), glue("in", "preposition"), year)


def _named_by_the_way(words: Words, subject: Phrase) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words with only the name of "Einstein's wife Mileva Marić", and what that says: that she was his wife."""
    kept: list[TaggedWord] = []
    facts: list[Phrase] = []
    past = any(word.tag == "past" or word.lower in ("was", "were", "had") for word in words)
    place = 0
    while place < len(words):
        word = words[place]
        owner: Phrase = ()
        if word.tag == "genitive" and kept and kept[-1].tag == "name":
            owner = (kept[-1],)
        elif word.tag == "determiner" and word.lower in POSSESSIVES:
            owner = tuple(subject)
        end = run_end(words, place + 1, _NOUNS) if owner else place + 1
        head = words[end - 1]
        comma = bool(owner) and end > place + 1 and _set_off(words, end)
        end += comma
        named = word_at(words, end).tag == "name" and not words[end].text.isupper()
        if not owner or end - comma == place + 1 or head.tag != "common" or not named:
            kept.append(word)
            place += 1
            continue
        names, behind = _names(words, end, several=singular(head.lower) is not None)
        behind += comma
        facts += [_is_of(owner, words[place + 1 : end - comma], name, past=past) for name in names]
        if word.tag == "genitive":
            kept.pop()
        kept.extend(words[end : behind - comma])
        place = behind
    return kept, facts


def _set_off(words: Words, place: int) -> bool:
    """Whether a name stands between commas: "his father, Leopold, and …"."""
    nearby = words[place : place + 4]
    marks = len(nearby) == 4 and nearby[0].text == nearby[2].text == "," and nearby[1].tag == "name"
    return marks and (nearby[3].tag in ("be", "have", "past", "verb", "modal") or nearby[3].lower in (*AND, *FLOATING))


def has_names(subject: Phrase, rest: Phrase) -> Owned | None:
    """What "had a sister, Clara, who was a pianist" says of names; None where it names nobody.

    Returns:
        the facts ("SUBJECT's sister was Clara"), the last name, the words after the names, and those before them where
        they say a number that the names do not fill ("had four children, including Clara"), else None.
    """
    if not rest or (rest[0].lower not in ("a", "an", "several", "many") and rest[0].tag != "number"):
        return None
    noun = tuple(takewhile(lambda word: word.tag in _NOUNS and word.lower not in _CALLED, rest[1:]))
    end, marks = 1 + len(noun), (",", ":", "including", *_CALLED)
    first = next((place for place in range(end, len(rest)) if rest[place].lower not in marks), len(rest))
    part = any(word.lower == "including" for word in rest[end:first])
    if not noun or noun[-1].tag not in ("common", "base", "verb") or word_at(rest, first).tag != "name":
        return None
    if first == end and get_lexicon().coarse_type(singular(noun[-1].lower) or noun[-1].lower) != "person":
        return None  # "has a career ERA of 2.5"
    single = rest[0].lower in ("a", "an", "one")
    names, behind = _names(rest, first, several=not single)
    owners = alternatives(subject, names_only=True)
    facts = [_is_of(owner, noun, name, past=True) for owner in owners for name in names]
    wanted = 1 if single else rest[0].count
    noun_end = next((place for place, word in enumerate(rest) if word.tag == "name" or word.text in (",", ":")), 0)
    counted = trimmed(rest[:noun_end]) if part or wanted != len(names) else None
    return facts, names[-1], trimmed(rest[behind:]), counted


def listing(subject: Phrase, rest: Phrase) -> list[Phrase]:
    """What "films by Mann include Heat and Thief" says of each name; empty where it names none."""
    head = next((place for place, word in enumerate(subject) if singular(word.lower) and word.tag != "name"), None)
    items = alternatives(rest)
    if head is None or any(not is_name(item) for item in items):
        return []
    noun = glue(singular(subject[head].lower) or "")
    if any(word.tag == "genitive" or word.lower in POSSESSIVES for word in subject[:head]):
        owned = (*subject[:head], noun, *subject[head + 1 :], glue("is", "be"))
        return [(*owned, *item) for item in items]
    kept = tuple(word for word in subject[:head] if word.tag in _NOUNS)
    kind = (indefinite((*kept, noun)[0].text), *kept, noun, *subject[head + 1 :])
    return [(*item, glue("is", "be"), *kind) for item in items]


def _names(words: Words, place: int, *, several: bool) -> tuple[list[TaggedWord], int]:
    """The names of a list that begins at a place, and where it ends."""
    names, behind = [words[place]], place + 1
    while several:
        joints = sum(1 for _ in takewhile(lambda word: word.text == "," or word.lower in AND, words[behind:]))
        name = word_at(words, behind + joints)
        if not joints or name.tag != "name":
            break
        names.append(name)
        behind += joints + 1
    return names, behind


def _is_of(owner: Phrase, noun: Words, name: TaggedWord, *, past: bool) -> Phrase:
    single = singular(noun[-1].lower) if noun[-1].start >= 0 else None
    role = (*noun[:-1], glue(single)) if single is not None else tuple(noun)
    return (*trimmed(owner), glue("'s", "genitive"), *role, glue("was" if past else "is", "be"), name)
