"""Whether a text denies what it says: "not", "never", "cannot", "failed to"."""

from __future__ import annotations

import re

from toulmin.english.words import word_set

__all__ = ["DENYING", "DENYING_PREFIXES", "EXCEPTING", "denials", "is_denied", "negates", "without_denial"]

#: Words that deny what they stand by; "n't" is the end of a word.
DENYING = word_set("not n't never no nor neither cannot without")
#: What stands before a word that it denies: "unpaid", "contraindicated".
DENYING_PREFIXES = word_set("un in im il ir non dis contra anti")
#: Words that leave something out of what else is said.
EXCEPTING = word_set("except excluding non")
_WORDS = "|".join(sorted(DENYING - {"no", "n't"}))
_DENIAL = re.compile(
    rf"\b(?:{_WORDS}|no(?!\.? ?\d)|(?:failed|refused|declined)(?= (?:to|the|an?)\b)|false that|untrue that)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)  # "No. 5" is a number, and that health declined is no denial
#: "is not his only book" and "was not just a poet" deny nothing of the book and the poet; "no more than 9" is a bound.
_NO_DENIAL = re.compile(
    r"(?:\bnot|n['’]t)(?: [\w'’-]+){0,3}? (?:only|just|merely|simply)\b|\bnot? (?:more|less|fewer) than\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(r" (?:not|never)\b|n['’]t\b", re.IGNORECASE)


def denials(text: str) -> int:
    """How many words of a text deny something."""
    return sum(1 for _ in _DENIAL.finditer(_NO_DENIAL.sub("", text)))


def is_denied(text: str) -> bool:
    """Whether a sentence denies what it says; two denials deny nothing."""
    return denials(text) % 2 == 1


def negates(word: str) -> bool:
    """Whether a word in small letters, of a question or a label, denies or leaves out."""
    return word in DENYING or word in EXCEPTING or word.endswith("n't")


def without_denial(text: str) -> str:
    """A text without its "not", "never" and "n't"."""
    return _ADVERB.sub("", text)
