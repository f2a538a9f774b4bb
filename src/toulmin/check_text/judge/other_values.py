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


def tells_class(hypothesis: Hypothesis) -> bool:
    """Whether the fact only says what kind of thing something is, "is a dish"; a person's kind may be an occupation."""
    object_ = hypothesis.object_mention
    if object_ is None or not object_.plain:
        return False
    classed = _IS_A.search(hypothesis.text[: object_.start]) and not hypothesis.text[object_.end :].strip(" .")
    return bool(classed) and get_lexicon().coarse_type(object_.text.split()[-1].lower()) != "person"


def is_of_kind(hypothesis: Hypothesis, *, named: bool) -> bool:
    """Whether the object's words are of the kind of the relation's values, so that both cannot hold.

    Args:
        named: whether the fact has the words of the relation; else what the graph knows must be known as of this kind.
    """
    object_, statistics, near = hypothesis.object_mention, hypothesis.statistics, hypothesis.features["near_objects"]
    if object_ is None:
        return False
    if object_.plain:
        return named and near > 0
    least = log_share(np.maximum(_OF_KIND, _OFTEN * statistics.object_share[hypothesis.relation]))
    if hypothesis.features["member"] > 0 or (object_.meant and hypothesis.features["range"] >= least):
        return True
    if object_.meant and object_.value is None and (not named or near <= -_ALIKE / 2):
        return False  # the graph knows it, as something else
    if object_.value is None and not named and near <= _ALIKE:
        return False
    dated = object_.value is not None and object_.value.time is not None and object_.value.quantity is None
    shape = "date" if dated else SHAPES[shape_of(object_.text)]
    if shape in ("code", "words") and object_.value is not None and object_.value.quantity is not None:
        shape = "decimal"  # "8.3m", "four years"
    if shape == "code" and object_.text.isalpha():
        shape = "capitals"
    alike = [SHAPES.index(kind) for kind in _KINDS.get(shape, (shape,))]
    return float(statistics.seen_shapes[hypothesis.relation, alike].sum()) >= _SHAPED


def excuse(hypothesis: Hypothesis) -> VerdictRule | None:
    """The rule by which what is said and the graph's value are both true; None where they are not."""
    for holds, rule in (
        (_are_joined, VerdictRule.JOINED),
        (_may_be_named_alike, VerdictRule.ALIKE),
        (_lies_within, VerdictRule.WITHIN),
        (is_in_qualifiers, VerdictRule.IN_QUALIFIER),
        (_is_bounded, VerdictRule.BOUNDED),
    ):
        if holds(hypothesis):
            return rule
    return None


def _are_joined(hypothesis: Hypothesis) -> bool:
    """Whether one of the graph's value and the one said lies in the other: died in Missolonghi, which is in Greece."""
    # "The owner of Rovers is Rovers Group": the second may look like the first
    object_, edges = hypothesis.object_mention, hypothesis.statistics.subgraph.outgoing
    meant = [node for node in object_.meant if node != hypothesis.subject] if object_ else []
    for value in hypothesis.values.tolist() if meant else ():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            rows = edges.edges(node)
            relations = edges.relation[rows][np.isin(edges.neighbour[rows], others)].tolist()
            if any(tells_where(hypothesis.statistics.texts[relation]) for relation in relations):
                return True
    return False


def _may_be_named_alike(hypothesis: Hypothesis) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    mention = hypothesis.object_mention
    if mention is None or mention.value is not None:
        return False
    words = mention.text
    ours = set(bare_words(words)) - FUNCTION_WORDS
    ours = ours - _TITLES or ours
    for value, label in hypothesis.named_values():
        theirs = set(bare_words(label)) - FUNCTION_WORDS
        if not ours or not theirs or mention.is_other(value, label):
            continue
        within = ours <= theirs or theirs <= ours
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        if (within and not sure) or may_be_one(words, label):
            return True
    return False


def _lies_within(hypothesis: Hypothesis) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    mention = hypothesis.object_mention
    if mention is None or hypothesis.subject in mention.bearers or not is_placed(hypothesis.text, mention.start):
        return False
    return any(
        lies_within(mention.text, name) and not mention.is_other(node, name) for node, name in hypothesis.named_values()
    )


def _is_bounded(hypothesis: Hypothesis) -> bool:
    """Whether the words only bound a number or a date: "at least 100", "about 100"."""
    object_ = hypothesis.object_mention
    return (
        object_ is not None and object_.value is not None and bound_before(hypothesis.text, object_.start) is not None
    )


def is_out_of_bounds(hypothesis: Hypothesis) -> bool:
    """Whether the graph's value, which the words name, is not within the bound that they set: 9 of "more than 9"."""
    object_ = hypothesis.object_mention
    if object_ is None or object_.value is None:
        return False
    bound, held = bound_before(hypothesis.text, object_.start), value_of(hypothesis.held_name)
    return bound is not None and held is not None and is_beyond(bound, object_.value, held)
