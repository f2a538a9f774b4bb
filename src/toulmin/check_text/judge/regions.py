"""Things of one name in two regions: Paris in Texas and in France, the American and the Canadian dollar."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from toulmin.check_text.judge.spelling import main_part
from toulmin.english.lexicon import get_lexicon
from toulmin.graph.labels import normalise
from toulmin.retrieval.linking.mention_words import bare_words

__all__ = [
    "is_foreign",
    "is_namesake",
    "is_placed",
    "is_regional",
    "lies_in",
    "lies_within",
    "region_after",
    "region_before",
    "region_stated",
]

Senses = frozenset[int]  # of the lexicon

_REGION = r"(?:the )?([A-Z][\w.]*(?:[ -](?:of )?[A-Z][\w.]*){0,3})"
_AFTER = re.compile(
    r"(?:, (?:in )?| in | \()(?:(?:an?|the) (?:[A-Z][\w.]+ )?(?:[a-z]+ ){1,3}(?:in|of) )?" + _REGION,
)
_STATED = re.compile(r" (?:is|was|lies|stands)(?: (?:located|situated))? in " + _REGION)
_BEFORE = re.compile(r"(?<![\w.])((?:[A-Z]\.){2,}|(?:[A-Z][a-z]+ )?[A-Z][\w-]*) \Z")
_ABBREVIATED = ("us", "usa", "uk")
_PLACED = re.compile(r"\b(?:in|at|near|from|within)(?: the)? \Z", re.IGNORECASE)


def region_after(text: str, start: int, end: int) -> str:
    """The region that a name has, or that follows it: "Texas" of "Paris, Texas", "in Paris in Texas"; else "".

    After another "in" only where the name is that of a place by the word before it: "in Texas" of "beat Lincoln in
    Texas" is where it was done.
    """
    match = _AFTER.match(text, end)
    elsewhere = match is not None and match[0].startswith(" in ") and not is_placed(text, start)
    return _region_of(text[start:end]) or ("" if match is None or elsewhere else _if_region(match[1]))


def is_placed(text: str, start: int) -> bool:
    """Whether the word before a name tells that it is a place: "in", "near"."""
    return bool(_PLACED.search(text, 0, start))


def is_regional(name: str) -> bool:
    """Whether a name is that of a region, or the adjective or people of one."""
    return bool(_regions(normalise(name)) or _regions_of(name.lower()))


def region_stated(text: str, end: int) -> str:
    """The region in which a sentence says that what it names lies: "Texas" of "Paris is in Texas"; else ""."""
    match = _STATED.match(text, end)
    return _if_region(match[1]) if match else ""


def _region_of(name: str) -> str:
    """What tells a name from its namesakes, if it is a region: "France" of "Paris, France"; else ""."""
    return _if_region(name[len(main_part(name)) :])


def _if_region(words: str) -> str:
    region = normalise(words)
    return region if _regions(region) else ""


def lies_in(region: str, name: str, said_of: Iterable[str]) -> bool | None:
    """Whether a place of a graph lies in a region, by the region in its name, else by what the graph says of it.

    "Paris, France" does not lie in Texas, and Austin does where the graph says of it "United States". None: no region
    is known of it.

    Args:
        region: what a text says after the place.
        name: of the place in the graph.
        said_of: names of what the graph's statements say of it.
    """
    ours, others = _regions(region), _known_regions(name, said_of)
    return any(not _apart(ours, other) for other in others) if others else None


def is_namesake(region: str, name: str, said_of: Iterable[str]) -> bool:
    """Whether a place in a region that it does not lie in by ``lies_in`` is known to be another of its name.

    The lexicon has a place of the name in the region (a Paris in Texas), or both regions are of one country (Illinois,
    Ohio). Else the text may speak of another time ("Lviv, Poland"), or of another view of a border.
    """
    lexicon, ours, others = get_lexicon(), _regions(region), _known_regions(name, said_of)
    there = any(not ours.isdisjoint(lexicon.wholes(sense)) for sense in lexicon.noun_senses(main_part(name)))
    return there or (bool(others) and all(_countries(ours) & _countries(other) for other in others))


def _known_regions(name: str, said_of: Iterable[str]) -> list[Senses]:
    known = _region_of(name)
    return [senses for place in ((known,) if known else said_of) if (senses := _regions(normalise(place)))]


def _countries(regions: Senses) -> Senses:
    """The regions that some regions are parts of."""
    lexicon = get_lexicon()
    return frozenset(
        whole for region in regions for whole in lexicon.wholes(region) if whole != region and lexicon.is_region(whole)
    )


@lru_cache(1 << 14)
def lies_within(name: str, other: str) -> bool:
    """Whether one of two names is that of a place in the other, in some sense of theirs: "Austin" and "Texas"."""
    lexicon = get_lexicon()
    places = [normalise(main_part(place)) for place in (name, other)]
    ours, theirs = (frozenset(lexicon.noun_senses(place)) for place in places)
    return all(lexicon.coarse_type(place) == "location" for place in places) and not _apart(ours, theirs)


def region_before(text: str, start: int) -> str:
    """The word right before a name that says a region's people or adjective: "American" of "the American dollar"."""
    match = _BEFORE.search(text, 0, start)
    words = [match[1], match[1].split()[-1]] if match else []
    return next((word for word in words if _region_said_by(word)), "")


def is_foreign(before: str, text: str, name: str) -> bool:
    """Whether the word before what is said of a name is of another region than the rest of the name.

    Of the "Canadian dollar", "dollar" is said, after "American".
    """
    words = set(bare_words(text))
    rest = _regions_of(" ".join(word for word in bare_words(main_part(name)) if word not in words))
    ours = _region_said_by(before)
    return bool(ours and rest) and _apart(ours, rest)


def _region_said_by(word: str) -> Senses:
    """The region whose people or adjective a word is; that of a noun ("After Canada London …") only abbreviated."""
    lowered = word.lower()
    noun = bool(_regions(lowered)) and not (word.isupper() and lowered.replace(".", "") in _ABBREVIATED)
    return frozenset() if noun else _regions_of(lowered)


@lru_cache(1 << 14)
def _regions(name: str) -> Senses:
    """The countries, states and provinces of a name, and no towns."""
    return get_lexicon().regions(name)


@lru_cache(1 << 12)
def _regions_of(word: str) -> Senses:
    """The regions that a word names, or whose people or adjective it is: France of "french"."""
    return frozenset(filter(get_lexicon().is_region, get_lexicon().related_senses(word)))


@lru_cache(1 << 14)
def _apart(ours: Senses, theirs: Senses) -> bool:
    """Whether none of some senses is a part of one of others, nor the other way round."""
    lexicon = get_lexicon()
    return all(
        outer.isdisjoint(lexicon.wholes(sense)) for inner, outer in ((ours, theirs), (theirs, ours)) for sense in inner
    )
