"""Why a sentence states nothing that could be checked: a question, a request, an opinion, a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toulmin.entailment.text.words import Word

__all__ = ["why_unchecked"]

_FIRST_PERSON = re.compile(
    r"\b(?:I|we)\s+(?:\w+\s+)?(?:think|thought|believe|feel|guess|suppose|hope|love|like|hate|prefer|wish|recommend|"
    r"would|am|are|was|were|have|can|cannot|can't|don't|do|will|apologi[sz]e|hope|know)\b|\bI'm\b|\bI've\b"
    r"|\bin (?:my|our) (?:opinion|view)\b|\bif you ask me\b|\bas an AI\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:may(?! be (?:found|seen|used|known|called|served|made|eaten))|might|could|would|perhaps|maybe|possibly|"
    r"probably|presumably|supposedly|allegedly|reportedly|apparently|"
    r"rumou?red|it (?:is|was) (?:said|believed|thought|possible|unclear|unknown|likely)|seems? to|appears? to|"
    r"is (?:likely|unlikely|expected|believed|thought|said) to|if|unless|whether)\b"
)
_DENIED = re.compile(
    r"\b(?:false|untrue|not true|not the case|incorrect|wrong|a myth|a lie|an error|a misconception|doubtful|denie[sd]|"
    r"doubt(?:s|ed)?|disput(?:e|es|ed)|refut(?:e|es|ed))(?: \w+)? that\b",
    re.IGNORECASE,
)
#: They turn the order of letters round: what is read is then not what stands there.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OPINION = frozenset(
    "beautiful wonderful amazing awesome terrible awful great good bad best worst lovely fantastic boring interesting "
    "fascinating stunning brilliant impressive delicious ugly funny excellent overrated underrated unforgettable "
    "inspiring remarkable iconic legendary memorable perfect superb magnificent must-see charming exciting".split()
)
_REQUESTS = frozenset(
    "please note consider see remember let imagine suppose visit read check click try look enjoy feel tell write give "
    "list describe explain find keep make take go ask compare".split()
)


def why_unchecked(text: str, words: Sequence[Word]) -> str | None:
    """Why a sentence is not checked, in words; None: it states something."""
    plain = [word for word in words if word.tag != "mark"]
    if text.rstrip("\"'”’)]*_ ").endswith("?"):
        return "a question: it states nothing"
    if not plain:
        return "no words"
    if _TURNING.search(text):
        return "holds characters that turn the order of letters round: take them out"
    first = plain[0]
    subject = len(plain) > 1 and plain[1].tag in ("be", "have", "past", "genitive")
    if first.lower == "please" or (first.lower in _REQUESTS and not subject):
        return "a request: it states nothing"
    if _FIRST_PERSON.search(text):
        return "said of the writer: no statement about the world"
    hedge = _HEDGE.search(text)
    if hedge is not None:
        return f"hedged (“{hedge[0]}”): not stated as a fact"
    denied = _DENIED.search(text)
    if denied is not None:
        return f"says of another statement that it is denied (“{denied[0]}”): state the contrary itself"
    opinion = _opinion(plain)
    if opinion is not None:
        return f"an opinion (“{opinion}”)"
    return None


def _opinion(words: Sequence[Word]) -> str | None:
    """The word of praise or blame that a sentence says of its subject, and nothing else."""
    for place, word in enumerate(words):
        before = [one for one in words[:place] if one.tag != "adverb" and one.lower not in ("a", "an", "the")]
        said = bool(before) and (before[-1].tag == "be" or before[-1].lower in ("looks", "sounds", "feels"))
        if word.lower in _OPINION and said:
            concrete = any(one.tag in ("name", "number") for one in words[place + 1 :])
            return None if concrete else word.lower
    return None
