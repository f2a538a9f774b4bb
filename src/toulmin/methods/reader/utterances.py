"""Canonical utterances: what a logical form says in plain, unadorned English, for the network that reads it.

They are short, since each is read beside the question, and made by one template per form, as in Wang, Berant, Liang,
"Building a Semantic Parser Overnight" (2015). What a user is shown is the kernel's sentence of the program, not these.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from toulmin.methods.reader.forms import (
    Agree,
    Calculated,
    Compared,
    Condition,
    Constant,
    Counted,
    Exists,
    Form,
    Grouped,
    Hop,
    Join,
    Key,
    Measured,
    Membership,
    Noted,
    Own,
    Path,
    Ranked,
    Restricted,
    Sets,
    Tabled,
    Things,
)

__all__ = ["utterance"]

_THING = "thing"
_STATISTICS = {"sum": "total", "mean": "average", "min": "smallest", "max": "largest"}
_COMPARED = {
    "=": "is",
    "≠": "is not",
    "<": "is smaller than",
    "≤": "is at most",
    ">": "is larger than",
    "≥": "is at least",
    "contains": "contains",
    "starts": "starts with",
}
_CALCULATED = {
    "subtract": "difference between {} and {}",
    "add": "sum between {} and {}",
    "divide": "ratio between {} and {}",
    "duration": "time from {} to {}",
    "full years": "time from {} to {}",
    "days": "time from {} to {}",
}
_SETS = {"union": " or ", "intersection": " that is also ", "difference": " but not "}


def utterance(form: Form) -> str:
    """The utterance of a form: ``employee whose department is Finance and whose salary is larger than 50000 EUR``."""
    match form:
        case Constant():
            return form.text
        case Things():
            return form.kind.label
        case Join():
            return _followed(form)
        case Own():
            return f"its {_path(form.path)}"
        case Noted():
            to = f" being {form.to.text}" if form.to else ""
            return f"{form.label} noted with {utterance(form.of)}{to}"
        case Restricted():
            against = isinstance(form.of, Join) and form.of.hop.against  # "… whose manager is X and whose wage is …"
            return f"{utterance(form.of)} {'and ' if against else ''}{' and '.join(map(_condition, form.conditions))}"
        case Ranked():
            return _ranked(form)
        case Sets():
            return _SETS[form.do].join(map(utterance, form.of))
        case Counted():
            return f"number of {utterance(form.of)}"
        case Measured():
            return f"{_STATISTICS[form.do]} {reduce(_hop_of, form.path, utterance(form.of))}"
        case Calculated():
            return _CALCULATED[form.do].format(utterance(form.left), utterance(form.right))
        case Compared():
            return f"whether {utterance(form.left)} {_COMPARED[form.do]} {utterance(form.right)}"
        case Exists():
            return f"whether there is {utterance(form.of)}"
        case Membership():
            return f"whether {utterance(form.item)} is {utterance(form.of)}"
        case Agree():
            return f"whether {utterance(form.left)} is the same as {utterance(form.right)}"
        case Tabled():
            return f"for each {utterance(form.of)} its {' and '.join(map(_key, form.columns))}"
        case Grouped():
            return _grouped(form)


def _followed(form: Join) -> str:
    during = ""
    if form.within is not None:
        begin, end = (time.text if time else "" for time in form.within)
        during = f" in {begin}" if begin == end else f" since {begin}" if not end else f" until {end}"
        during = f" from {begin} to {end}" if begin and end and begin != end else during
    if (before := form.before) is not None and before.hop.against == form.hop.against:
        return _hop_of(utterance(before.of), replace(form.hop, label=_both(before.hop, form.hop))) + during
    return _hop_of(utterance(form.of), form.hop) + during


def _both(first: Hop, second: Hop) -> str:
    """The words of two hops over a node without a name, as of one: ``film character``."""
    ahead, behind = (second.label, first.label) if second.against else (first.label, second.label)
    said = {_stem(word) for word in behind.split()}
    return " ".join([*(word for word in ahead.split() if len(word) > 1 and _stem(word) not in said), behind])


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _hop_of(of: str, hop: Hop) -> str:
    """``manager of X``; backward ``employee whose manager is X``."""
    return f"{hop.far or _THING} whose {hop.label} is {of}" if hop.against else f"{hop.label} of {of}"


def _path(path: Path) -> str:
    """A path from the thing at hand: ``country of city``; backward ``employee whose manager it is``."""
    words = ""
    for hop in path:
        step = f"{hop.far or _THING} that has it as {hop.label}" if hop.against else hop.label
        words = step if not words else f"{step} of {words}"
    return words


def _key(key: Key) -> str:
    if key.measure == "value":
        return _path(key.path)
    if key.measure == "count":
        return f"number of {_path(key.path)}"
    return f"{_STATISTICS[key.measure]} {_path(key.path)}"


def _condition(condition: Condition) -> str:
    if condition.do in ("has", "lacks"):
        return f"that {'has a' if condition.do == 'has' else 'has no'} {_path(condition.key.path)}"
    values = " or ".join(map(utterance, condition.values))
    if not condition.key.path:
        return f"that {_COMPARED[condition.do]} {values}"
    return f"whose {_key(condition.key)} {_COMPARED[condition.do]} {values}"


def _ranked(form: Ranked) -> str:
    count = form.last - form.first + 1
    places = "the" if form.last == 1 else f"the {count}" if form.first == 1 else f"number {form.first}"
    places += f" to {form.last}" if form.first > 1 and count > 1 else ""
    return f"{utterance(form.of)} with {places} {'largest' if form.largest else 'smallest'} {_key(form.key)}"


def _grouped(form: Grouped) -> str:
    measure = "number" if form.key.measure == "count" and not form.key.path else _key(form.key)
    words = f"{measure} of {utterance(form.of)} for each {_path(form.by)}"
    if form.having is not None:
        do, value = form.having
        words += f" where it {_COMPARED[do]} {utterance(value)}"
    return words
