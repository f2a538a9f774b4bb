"""Complete or refused: words that restrict, deny, compare, count or permit, which a reading has no part for.

The network passes over "should" and "without" at times. Where such a word stands in the question, the reading must do
what it asks for (an operator), name it, or walk a relation that is called so; else there is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toulmin.english.denials import negates
from toulmin.english.lexicon import Lexicon
from toulmin.methods.question.restrictions import BOUNDING, Kind, Restriction, compares, tokens
from toulmin.methods.question.unread_words import unread_words
from toulmin.methods.reader.forms import Hop, walk
from toulmin.methods.reader.operators import operators_of
from toulmin.methods.reader.reading import Reading, Readings, values_of

__all__ = ["left_unread"]

_ORDERS = frozenset({"<", ">", "≤", "≥"})
_FIRST = frozenset({"largest", "smallest", "min", "max", "places"})
#: The operators that read words of a kind; no operator reads "should", nor "can I".
_READ_BY: Mapping[Kind, frozenset[str]] = {
    "negation": frozenset({"≠", "lacks"}),
    "comparison": _ORDERS | _FIRST | {"compare", "as another", "calculate", "agree", "mean", "count condition", "has"},
    "order": _ORDERS | _FIRST,
    "count": frozenset({"count", "count condition", "rank by count", "sum", "mean", "group", "table"}),
    "number": frozenset({"places"}),
    "time": frozenset({"during"}),
    "choice": frozenset({"or", "either", "in"}),
}


def left_unread(question: str, chosen: Reading, readings: Readings, lexicon: Lexicon) -> list[Restriction]:
    """The words that restrict or deny and that a reading accounts for in no way."""
    draft, asked = chosen.draft, readings.asked
    used = [one for one in asked.mentioned if one.mask & draft.mask and one.named.words is not None]
    names = [(*one.named.words, one.named.name or one.named.text) for one in used if one.named.words is not None]
    labels = [part.label for part in walk(draft.form) if isinstance(part, Hop)]
    operators = draft.operators | operators_of(draft.form)
    asks_when = draft.kind == "time" and len(values_of(chosen)) == 1
    left = []
    for word in unread_words(question, names, labels, lexicon):
        named = _places(word, asked.words) & draft.mask
        follows = next(iter(tokens(question[word.end :])), None)
        if asks_when and word.kind in ("comparison", "order"):
            continue  # "since when", "when was it last …": of one time the first and the last are the same
        if word.kind == "negation" and follows is not None and _turns(follows.text, operators, lexicon):
            continue
        if not _is_read(word, operators, draft.kind, named):
            left.append(word)
    return left


def _turns(follows: str, operators: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether a negation and what follows it are one bound, which is read: "no more than", "not above"; "but not …"."""
    if negates(follows):
        return True  # which has to be read itself
    bounds = follows in BOUNDING or follows in ("more", "less") or compares(follows, lexicon)
    return bounds and not operators.isdisjoint({"≤", "≥"})


def _is_read(word: Restriction, operators: frozenset[str], kind: str, named: int) -> bool:
    if word.kind == "yes or no":
        return kind == "truth"
    if word.kind == "count" and kind == "number":
        return True  # "how many seats" has a relation to a number
    if word.kind in ("number", "time") and named:
        return True
    return not operators.isdisjoint(_READ_BY.get(word.kind, frozenset()))


def _places(word: Restriction, words: Sequence[tuple[str, int, int]]) -> int:
    """A bit for each word of the question that a marked one covers."""
    return sum(1 << place for place, (_, start, end) in enumerate(words) if start < word.end and end > word.start)
