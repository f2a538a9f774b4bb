"""Numbers and dates of a claim against the value of its fact, compared by code where both can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toulmin.graph.quantities import in_common_unit
from toulmin.graph.types import Literal
from toulmin.graph.values import compare, literal_from_text, quantity_of

__all__ = ["differs"]

_WORD = re.compile(r"\S+")
_MOST_WORDS = 5  # of a date or a quantity with its unit
#: Where they stand, a number in the words need not be the number meant, or is not exact.
_LOOSE = re.compile(
    r"\b(?:hundreds?|thousands?|millions?|billions?|trillions?|dozens?|half|quarter|about|around|approximately|roughly"
    r"|circa|ca|nearly|almost|over|under|more|less|fewer|least|most|up|between|before|after|since|until|by"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third)\b",
    re.IGNORECASE,
)
_ROUNDED = 100  # a number in another unit is rounded: one percent is no other number


def differs(text: str, value: Literal, names: Sequence[str]) -> bool:
    """Whether the words give a number or date, and none that may be the value.

    False wherever the words leave it open: no number or date, one in words, one that is hedged.

    Args:
        names: parts of the words that name something else, whose numbers say nothing ("Apollo 11").
    """
    if value.kind not in ("time", "quantity"):
        return False
    for one in sorted(names, key=len, reverse=True):
        text = text.replace(one, " · ")
    if _LOOSE.search(text):
        return False
    same = [_same(found, value) for found in _values(text)]
    known = [one for one in same if one is not None]
    return bool(known) and not any(known) and len(known) == len(same)


def _values(text: str) -> Iterator[Literal]:
    """The longest runs of words that are a date, or a number with or without a unit."""
    words = [match[0].strip(",;:()“”\"'") for match in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        for length in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            written = " ".join(words[at : at + length])
            found = literal_from_text(written.rstrip(".")) if any(one.isdigit() for one in written) else None
            if found is not None:
                yield found
                at += length - 1
                break
        at += 1


def _same(found: Literal, value: Literal) -> bool | None:
    """Whether a value of the words may be the fact's; None where they cannot be compared."""
    if found.kind != value.kind:
        return None
    same = compare("=", found, value)
    if same is not False or value.kind == "time":
        return same is not False
    here, there = quantity_of(found), quantity_of(value)
    both = in_common_unit(here, there) if here and there else None
    if both is None:
        return None
    apart = abs(both[0].low - both[1].low)
    return found.unit != value.unit and apart * _ROUNDED <= abs(both[1].low)
