"""Of what kind the words of an object are: whether they may be another value of a relation."""

from __future__ import annotations

import re

import numpy as np

from toulmin.check_text.judge.hypotheses import FEATURES, Hypotheses
from toulmin.check_text.judge.relation_statistics import SHAPES, RelationStatistics, shape_of
from toulmin.english.lexicon import get_lexicon

__all__ = ["is_of_kind", "tells_class"]

_MEMBER, _RANGE, _NEAR = (FEATURES.index(name) for name in ("member", "range", "near_objects"))
_OF_KIND = np.log(0.02 + 0.1)  # the feature "range" of a node that is an object of the relation one time in ten
_OFTEN = 3  # times as likely as any node
_ALIKE = 0.1  # likeness to a relation's objects from which on words may be another of them
_SHAPED = 0.04  # share of a relation's objects that look like the words, at least
_IS_A = re.compile(r"\b(?:is|was) an? $")
#: Shapes of one kind: a year is a coarse date, and "1,500" a rounded number.
_KINDS = {
    "date": ("date", "year"),
    "year": ("date", "year", "integer", "decimal"),
    "words": ("words", "name"),
    "capitals": ("code", "name"),  # "VELMED", "NOR"
} | dict.fromkeys(("integer", "decimal"), ("year", "integer", "decimal"))


def tells_class(hypotheses: Hypotheses, row: int) -> bool:
    """Whether the fact only says what kind of thing something is, "is a dish"; a person's kind may be an occupation."""
    place = int(hypotheses.object_mention[row])
    if place < 0 or not hypotheses.fact.mentions[place].plain:
        return False
    mention, text = hypotheses.fact.mentions[place], hypotheses.fact.words.text
    told = _IS_A.search(text[: mention.start]) and not text[mention.end :].strip(" .")
    return bool(told) and get_lexicon().coarse_type(mention.text.split()[-1].lower()) != "person"


def is_of_kind(hypotheses: Hypotheses, row: int, statistics: RelationStatistics, *, named: bool) -> bool:
    """Whether the object's words are of the kind of the relation's values, so that both cannot hold.

    Args:
        named: whether the fact has the words of the relation; else what the graph knows must be known as of this kind.
    """
    place, relation = int(hypotheses.object_mention[row]), int(hypotheses.relation[row])
    if place < 0:
        return False
    mention, features = hypotheses.fact.mentions[place], hypotheses.features[row]
    if mention.plain:
        return bool(named and features[_NEAR] > 0)
    usual = np.log(0.02 + _OFTEN * float(statistics.object_share[relation]))
    if features[_MEMBER] > 0 or (mention.meant and features[_RANGE] >= max(_OF_KIND, usual)):
        return True
    if mention.meant and mention.value is None and (not named or features[_NEAR] <= -_ALIKE / 2):
        return False  # the graph knows it, as something else
    if mention.value is None and not named and features[_NEAR] <= _ALIKE:
        return False
    dated = mention.value is not None and mention.value.time is not None and mention.value.quantity is None
    shape = "date" if dated else SHAPES[shape_of(mention.text)]
    if shape in ("code", "words") and mention.value is not None and mention.value.quantity is not None:
        shape = "decimal"  # "8.3m", "four years"
    if shape == "code" and mention.text.isalpha():
        shape = "capitals"
    alike = [SHAPES.index(kind) for kind in _KINDS.get(shape, (shape,))]
    return float(statistics.seen_shapes[relation, alike].sum()) >= _SHAPED
