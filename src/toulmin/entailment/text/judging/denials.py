"""What a fact denies, and what it says beside: the fact as the entailment scorer is asked about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toulmin.entailment.text.judging.spot import Spot

__all__ = ["is_denied", "stated_of"]

_NEGATIONS = frozenset("not never no nor neither cannot without n't failed refused declined".split())
#: "is not his only book" and "was not just a poet" deny nothing of the book and the poet.
_DENIAL = re.compile(r" (?:not|never)\b|n['’]t\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"(?:\bnot|n['’]t)(?: [\w'’-]+){0,3}? (?:only|just|merely|simply)\b")
_BEFORE_VALUE = re.compile(
    r",? (?:(?:since|until|till|by|in|on|from|to|during|around|about)(?: the)? )?$", re.IGNORECASE
)


def is_denied(text: str) -> bool:
    """Whether a fact denies what it says."""
    text = _NOT_ONLY.sub("", text.lower())
    words = text.replace("n't", " n't").replace("n’t", " n't").split()
    return sum(word.strip(".,;:!?") in _NEGATIONS for word in words) % 2 == 1


def stated_of(text: str, spots: Sequence[Spot], ends: tuple[int, int]) -> str:
    """A fact without its denial, and without the dates that only qualify what joins two of its spots.

    Args:
        ends: places of the two spots.
    """
    own = [spots[place] for place in ends if place >= 0]
    dates = [spot for spot in spots if spot.value is not None and spot.value.time is not None]
    stated = text
    for spot in sorted(dates, key=lambda one: -one.start):
        if any(spot.meets(one) for one in own) or spot.end > len(stated):
            continue
        before = _BEFORE_VALUE.search(stated, 0, spot.start)
        if before is not None:
            stated = stated[: before.start()] + stated[spot.end :]
    return _DENIAL.sub("", stated) if is_denied(text) else stated
