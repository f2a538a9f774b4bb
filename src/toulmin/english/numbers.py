"""Numbers in words: "sixty", "twenty-five", "a hundred and fifty thousand", "nineteen ninety-nine", "twenty-first".

One table of the words, a pattern for the longest number that is written with them, and a reader of what it finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["CARDINALS", "DECADES", "NUMBER_WORDS", "ORDINALS", "SCALES", "read_number", "read_ordinal"]

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_DOZEN = 12
#: The words for whole numbers below a hundred.
CARDINALS: dict[str, int] = {
    **{word: number for number, word in enumerate(["zero", *_ONES, *_TEENS])},
    **dict(zip(_TENS, range(20, 100, 10), strict=True)),
}
#: The words that multiply the number before them.
SCALES: dict[str, int] = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
#: The single words for a place in an order.
ORDINALS: dict[str, int] = dict(
    zip(
        (
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth "
            "seventieth eightieth ninetieth hundredth thousandth millionth billionth trillionth"
        ).split(),
        [*CARDINALS.values(), *SCALES.values()][1:],
        strict=True,
    )
)
#: The words for decades of the last century, with the year in which each began: "the nineties".
DECADES: dict[str, int] = {f"{word[:-1]}ies": 1900 + CARDINALS[word] for word in _TENS}
_CARDINAL_OF = {number: word for word, number in [*CARDINALS.items(), *SCALES.items()]}


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


_TENS_AND_ONES = rf"{_any_of(_TENS)}(?:[ -]{_any_of(_ONES)}\b)?"
_SMALL = rf"(?:{_TENS_AND_ONES}|{_any_of([*_TEENS, *_ONES, 'zero'])})\b"
_YEAR = rf"{_any_of([*_TEENS[1:], 'twenty'])}[ -](?:{_TENS_AND_ONES}|{_any_of(_TEENS)})\b"
_HUNDREDS = rf"(?:(?:{_SMALL}|an?) hundred\b(?:(?: and)? {_SMALL})?|{_SMALL})"
_THOUSANDS = rf"(?:{_HUNDREDS}|an?)[ -]{_any_of([*SCALES][1:])}\b"
_AND = r"(?:,? and|,)? "
#: A pattern for a number in words, in small letters: the longest at a place. ``read_number`` says which it is.
NUMBER_WORDS = (
    rf"(?:(?:{_SMALL}|an?) dozen\b|{_YEAR}|{_THOUSANDS}(?:{_AND}{_THOUSANDS})*(?:{_AND}{_HUNDREDS})?|{_HUNDREDS})"
)
_NUMBER, _SPOKEN_YEAR = re.compile(NUMBER_WORDS), re.compile(_YEAR)
_WORD = re.compile(r"[a-z]+")
_FIGURES = re.compile(r"(\d+)(?:st|nd|rd|th)", re.ASCII)


@lru_cache(maxsize=4096)
def read_number(text: str) -> int | None:
    """The whole number that a text says in words, all of it; None where it says more, or less.

    "fifty thousand", "a hundred and twelve", "two dozen", "nineteen ninety-nine" (of a year). Figures are no words.
    """
    text = text.lower()
    if not _NUMBER.fullmatch(text):
        return None
    words = _WORD.findall(text)
    if _SPOKEN_YEAR.fullmatch(text):
        return CARDINALS[words[0]] * 100 + sum(CARDINALS[word] for word in words[1:])
    total, part, scale = 0, 0, 1_000 * max(SCALES.values())
    for word in words:
        if word in CARDINALS:
            part += CARDINALS[word]
        elif word in ("hundred", "dozen"):
            part = (part or 1) * (_DOZEN if word == "dozen" else 100)
        elif word in SCALES:
            if SCALES[word] >= scale:
                return None  # "two thousand three million"
            scale = SCALES[word]
            total, part = total + (part or 1) * scale, 0
    return total + part


@lru_cache(maxsize=4096)
def read_ordinal(text: str) -> int | None:
    """The place in an order that a text says, all of it: "third", "twenty-first", "21st"; None where it says none."""
    text = text.lower()
    if figures := _FIGURES.fullmatch(text):
        return int(figures[1])
    last = max(text.rfind(" "), text.rfind("-")) + 1
    number = ORDINALS.get(text[last:])
    return number if number is None or not last else read_number(text[:last] + _CARDINAL_OF[number])
