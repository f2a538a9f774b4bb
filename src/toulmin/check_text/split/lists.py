"""Lists: the phrases that "and" joins, each with what all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toulmin.check_text.split.tagged_words import TaggedWord, word_at
from toulmin.check_text.split.verbs import Phrase, glue, indefinite
from toulmin.english.lexicon import get_lexicon

__all__ = ["AND", "alternatives", "of_one", "of_whom"]

#: What joins the last item of a list.
AND = frozenset(("and", "as well as"))
_OF_ONE = {"are": "is", "were": "was", "have": "has"}


def of_one(verb: Phrase) -> Phrase:
    """A verb group of several, said of one of them."""
    return tuple(replace(word, text=_OF_ONE.get(word.lower, word.text)) for word in verb)


def alternatives(phrase: Phrase, *, names_only: bool = False) -> list[Phrase]:
    """The phrases that a list joins by "and", each with what all of them share; the phrase alone if it is no list."""
    opening: Phrase = ()
    body = phrase
    if body and body[0].tag == "preposition":
        opening, body = body[:1], body[1:]
    if body and body[0].lower == "both":
        body = body[1:]
    joints = [i for i, word in enumerate(body) if word.lower in AND]
    if not joints or (opening and opening[0].lower == "between") or joints[0] == 0 or joints[-1] == len(body) - 1:
        return [phrase]
    if any(word.tag in ("relative", "be", "have", "modal") or word.text == "(" for word in body):
        return [phrase]
    if any(word.lower == "between" for word in body) or any(_reduced(body, i) for i in range(len(body))):
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


def of_whom(words: Sequence[TaggedWord]) -> list[TaggedWord]:
    """The words with names for "the latter of whom" and "all of which", as clauses of their own."""
    for place in range(len(words) - 3):
        opening = [word.lower for word in words[place : place + 5]]
        short = opening[:1] == [","] and opening[1:2] in (["all"], ["both"], ["each"]) and opening[2:3] == ["of"]
        long = opening[:2] == [",", "the"] and opening[2:3] in (["latter"], ["former"]) and opening[3:4] == ["of"]
        length = 4 if short else 5 if long else 0
        if not length or opening[length - 1 : length] not in (["whom"], ["which"]):
            continue
        first = place
        while first and (
            words[first - 1].tag == "name" or words[first - 1].text == "," or words[first - 1].lower in AND
        ):
            first -= 1
        names = [word for word in words[first:place] if word.tag == "name"]
        if not names:
            continue
        meant = [names[-1]] if opening[2] == "latter" else [names[0]] if opening[2] == "former" else names
        listed = [part for name in meant[:-1] for part in (name, glue("and", "coordinator"))]
        joint = glue(",", "mark"), glue("and", "coordinator")
        return [*words[:place], *joint, *listed, meant[-1], *words[place + length :]]
    return list(words)


def _reduced(body: Phrase, place: int) -> bool:
    """Whether a past form begins what is said of the noun before it, and is none like "acclaimed series"."""
    if body[place].tag != "past":
        return False
    before = word_at(body, place - 1)
    after = word_at(body, place + 1)
    noun = after.tag in ("common", "base", "name")
    return not (noun and before.tag in ("determiner", "adverb"))


def _items(body: Phrase) -> list[Phrase]:
    """A list at its commas and coordinators; a comma inside of a date or place parts nothing."""
    items: list[list[TaggedWord]] = [[]]
    last = max(i for i, word in enumerate(body) if word.lower in AND)
    listed = any(word.text == "," for word in body[:last])
    for place, word in enumerate(body):
        if word.lower in AND or (word.text == "," and listed and place <= last):
            if items[-1]:
                items.append([])
            continue
        items[-1].append(word)
        if place < last and word.text[-2:] in (',"', ",”"):  # "Alien," "Heat," and "Thief"
            items.append([])
    return [tuple(item) for item in items if item]


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
    kinds = [_kind(item) for item in (*items[:-1], last)]
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
    lacks = item[0].tag in ("common", "base", "verb", "gerund") and item[0] is not article
    if article.tag != "determiner" or not lacks:
        return item
    if article.lower in ("a", "an"):
        article = indefinite(item[0].text)
    return (article, *item)


def _kind(item: Phrase) -> str:
    tags = [word.tag for word in item]
    if "preposition" in tags and tags[0] != "preposition":
        tags = tags[: tags.index("preposition")]
    last = tags[-1] if tags else "common"
    return {"verb": "common", "base": "common", "gerund": "common", "participle": "common"}.get(last, last)
