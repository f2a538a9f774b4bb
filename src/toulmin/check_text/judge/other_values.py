"""Whether the words for an object may be another value than the graph's: of its kind, and not true beside it."""

from __future__ import annotations

import re

import numpy as np

from toulmin.check_text.judge.hypotheses import Hypothesis
from toulmin.check_text.judge.qualified import is_in_qualifiers
from toulmin.check_text.judge.regions import is_placed, lies_within
from toulmin.check_text.judge.relation_labels import tells_where
from toulmin.check_text.judge.relation_statistics import SHAPES, log_share, shape_of
from toulmin.check_text.judge.spelling import goes_on, is_another_name, is_place, may_be_one
from toulmin.check_text.rules import VerdictRule
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import bound_before, is_beyond, value_of
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import bare_words

__all__ = ["excuse", "is_of_kind", "is_out_of_bounds", "tells_class"]

_OF_KIND = 0.1  # share of the nodes like it that are an object of the relation, from which on one may be
_OFTEN = 3  # times as likely as any node
_ALIKE = 0.1  # likeness to a relation's objects from which on words may be another of them
_SHAPED = 0.04  # share of a relation's objects that look like the words, at least
_IS_A = re.compile(r"\b(?:is|was) an? $")
_TITLES = frozenset("president professor prof dr mr mrs ms sir dame".split())
#: Shapes of one kind: a year is a coarse date, and "1,500" a rounded number.
_KINDS = {
    "date": ("date", "year"),
    "year": ("date", "year", "integer", "decimal"),
    "words": ("words", "name"),
    "capitals": ("code", "name"),  # "VELMED", "NOR"
} | dict.fromkeys(("integer", "decimal"), ("year", "integer", "decimal"))


def tells_class(one: Hypothesis) -> bool:
    """Whether the fact only says what kind of thing something is, "is a dish"; a person's kind may be an occupation."""
    said = one.object_mention
    if said is None or not said.plain:
        return False
    told = _IS_A.search(one.text[: said.start]) and not one.text[said.end :].strip(" .")
    return bool(told) and get_lexicon().coarse_type(said.text.split()[-1].lower()) != "person"


def is_of_kind(one: Hypothesis, *, named: bool) -> bool:
    """Whether the object's words are of the kind of the relation's values, so that both cannot hold.

    Args:
        named: whether the fact has the words of the relation; else what the graph knows must be known as of this kind.
    """
    said, statistics, near = one.object_mention, one.statistics, one.features["near_objects"]
    if said is None:
        return False
    if said.plain:
        return named and near > 0
    least = log_share(np.maximum(_OF_KIND, _OFTEN * statistics.object_share[one.relation]))
    if one.features["member"] > 0 or (said.meant and one.features["range"] >= least):
        return True
    if said.meant and said.value is None and (not named or near <= -_ALIKE / 2):
        return False  # the graph knows it, as something else
    if said.value is None and not named and near <= _ALIKE:
        return False
    dated = said.value is not None and said.value.time is not None and said.value.quantity is None
    shape = "date" if dated else SHAPES[shape_of(said.text)]
    if shape in ("code", "words") and said.value is not None and said.value.quantity is not None:
        shape = "decimal"  # "8.3m", "four years"
    if shape == "code" and said.text.isalpha():
        shape = "capitals"
    alike = [SHAPES.index(kind) for kind in _KINDS.get(shape, (shape,))]
    return float(statistics.seen_shapes[one.relation, alike].sum()) >= _SHAPED


def excuse(one: Hypothesis) -> VerdictRule | None:
    """The rule by which what is said and the graph's value are both true; None where they are not."""
    for holds, rule in (
        (_are_joined, VerdictRule.JOINED),
        (_may_be_named_alike, VerdictRule.ALIKE),
        (_lies_within, VerdictRule.WITHIN),
        (is_in_qualifiers, VerdictRule.IN_QUALIFIER),
        (_is_bounded, VerdictRule.BOUNDED),
    ):
        if holds(one):
            return rule
    return None


def _are_joined(one: Hypothesis) -> bool:
    """Whether one of the graph's value and the one said lies in the other: died in Missolonghi, which is in Greece."""
    # "The owner of Rovers is Rovers Group": the second may look like the first
    meant = [node for node in one.object_mention.meant if node != one.subject] if one.object_mention else []
    edges = one.statistics.subgraph.outgoing
    for value in one.values.tolist() if meant else ():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            rows = edges.edges(node)
            relations = edges.relation[rows][np.isin(edges.neighbour[rows], others)].tolist()
            if any(tells_where(one.statistics.texts[relation]) for relation in relations):
                return True
    return False


def _may_be_named_alike(one: Hypothesis) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    mention = one.object_mention
    if mention is None or mention.value is not None:
        return False
    words = mention.text
    said = set(bare_words(words)) - FUNCTION_WORDS
    said = said - _TITLES or said
    for value, label in one.named_values():
        held = set(bare_words(label)) - FUNCTION_WORDS
        if not said or not held or mention.is_other(value, label):
            continue
        within = said <= held or held <= said
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        if (within and not sure) or may_be_one(words, label):
            return True
    return False


def _lies_within(one: Hypothesis) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    mention = one.object_mention
    if mention is None or one.subject in mention.bearers or not is_placed(one.text, mention.start):
        return False
    return any(
        lies_within(mention.text, name) and not mention.is_other(value, name) for value, name in one.named_values()
    )


def _is_bounded(one: Hypothesis) -> bool:
    """Whether the words only bound a number or a date: "at least 100", "about 100"."""
    said = one.object_mention
    return said is not None and said.value is not None and bound_before(one.text, said.start) is not None


def is_out_of_bounds(one: Hypothesis) -> bool:
    """Whether the graph's value, which the words name, is not within the bound that they set: 9 of "more than 9"."""
    said = one.object_mention
    if said is None or said.value is None:
        return False
    bound, held = bound_before(one.text, said.start), value_of(one.held_name)
    return bound is not None and held is not None and is_beyond(bound, said.value, held)
