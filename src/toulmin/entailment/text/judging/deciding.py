"""From the readings of a fact to what speaks for it: that the graph holds it, holds otherwise, or says nothing.

A reading that the graph holds supports the fact. One whose subject has the relation with another object contradicts it,
where the subject has this one value, as most of its kind have; else the graph may be incomplete, and says nothing. That
the words are of the kind of its values speaks for a contradiction; how much, the fitted weights say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.entailment.text.judging.direction import are_inverse, is_turned
from toulmin.entailment.text.judging.object_kinds import NAMED, is_of_kind, tells_class
from toulmin.entailment.text.judging.profile import SHAPES, Floats, GraphProfile
from toulmin.entailment.text.judging.qualified import is_in_qualifiers, qualifies
from toulmin.entailment.text.judging.readings import FEATURES, Readings
from toulmin.entailment.text.judging.regions import is_placed, lies_within
from toulmin.entailment.text.judging.spelling import goes_on, is_another_name, is_place, may_be_one
from toulmin.entailment.text.judging.spot import Spot
from toulmin.retrieval.linking.words import FUNCTION_WORDS, bare_words

__all__ = ["VERDICT_FEATURES", "Decision", "decide"]

_MEMBER, _RANGE, _SAID, _EXPLAINED, _OPPOSED = (
    FEATURES.index(name) for name in ("member", "range", "label_said", "words_explained", "opposed")
)
_ALWAYS = 0.8  # share of a relation's subjects with one object from which on two objects are two records of one
_SURE = 0.85  # the same where the graph does not know the name that the fact begins with
_ABBREVIATED = 5  # letters of a word of capitals that is no name
_ENTAILED = 0.65  # of the reading and the fact, from which on the words mean the relation
_MUTUAL = 0.05  # share of statements that hold both ways, up to which a relation has a direction
_LEADING = 4  # characters before the name that a fact begins with: an article
_VALUED = [SHAPES.index(name) for name in ("date", "year", "integer", "decimal")]
_MOST = 0.5  # of a relation's objects
_TITLES = frozenset("president senator governor chancellor professor prof dr mr mrs ms sir dame general".split())
_WHERE = re.compile(r"(?:,? in |,? of |, )+")
_VERB = re.compile(r",? (?:is|was|are|were|has|had|lies|have) ")
_DIGITS = re.compile(r"\d+")
#: Relations to classes and free texts: there are always others, so that another one never contradicts.
_OPEN = frozenset("instance of|subclass of|type|is a|kind of|class|description|abstract|comment|label".split("|"))
#: Relations of which there may always be another, whatever the graph's subjects have.
_MANY = frozenset(
    (
        "child|children|son|daughter|sibling|brother|sister|relative|friend|student|award|awards|award received|prize|"
        "nominated for|notable work|known for|instrument|ingredient|ingredients|cast member|starring|actor|actors|"
        "product|products|influenced by|influenced|member|members"
    ).split("|")
)
_UNBOUNDED = _OPEN | _MANY

#: What the verdict is weighed by. The first five are logarithms of how likely readings of a kind are.
VERDICT_FEATURES = (
    "held",  # the graph has a statement that says this
    "other",  # it has another value, and nothing speaks against holding them against each other
    "doubtful",  # the same where the words hardly mean the relation, or the object is not of its kind
    "unsaid",  # the subject has nothing over the relation, or may have other values beside the graph's
    "none",  # it is none of the graph's relations
    "member",  # of the likeliest reading with another value: its object stands as an object of the relation elsewhere
    "range",  # how likely the object is one of the relation's
    "entailment",  # the scorer's log odds
    "single",  # the share of the subjects of its kind that have one value
    "apart",  # how unlike its object and the graph's value are in kind, by what is said of both
    "of_kind",  # 1 if the object's words are of the kind of its values, else 0
)
_LEAST = 0.003  # of a probability, before its logarithm is taken
_FLOOR = 1e-3  # of the scorer's


@dataclass(frozen=True, slots=True)
class Decision:
    """The readings sorted by what the graph says of them.

    Args:
        features: float32[len(VERDICT_FEATURES)].
        held, other: bool[n], readings that the graph holds, and that it contradicts.
    """

    features: Floats
    held: NDArray[np.bool_]
    other: NDArray[np.bool_]


def decide(readings: Readings, chances: Floats, profile: GraphProfile, single: float) -> Decision:
    """Sort the readings of a fact.

    Args:
        chances: float32[n], how likely each is meant.
        single: the share of the subjects of a kind with one object from which on another object may contradict.
    """
    held = np.array([bool(readings.held[row] >= 0 and _about(readings, row)) for row in range(len(readings))], bool)
    other = np.array([bool(held[row]) and _turned(readings, row, profile) for row in range(len(readings))], bool)
    held &= ~other
    doubtful, several, lacking = (np.zeros(len(readings), dtype=bool) for _ in range(3))
    weights = chances.copy()
    ends = list(zip(readings.subject.tolist(), readings.relation.tolist(), strict=True))
    stated = {ends[row]: row for row in np.flatnonzero(held)[::-1].tolist()}
    for row in np.flatnonzero(readings.held < 0).tolist():
        subject, relation = ends[row]
        if not len(profile.objects(subject, relation)) or _turned(readings, row, profile):
            lacking[row] = True
        elif profile.texts[relation] in _UNBOUNDED or not _has_one(subject, relation, profile, single):
            several[row] = True
        elif (subject, relation) in stated:  # other words of the fact are its one value
            weights[stated[subject, relation]] += weights[row]
            weights[row] = 0.0
        elif _about(readings, row) and not any(same(readings, row, profile) for same in _NOT_OTHERWISE):
            worded = _worded(readings, row) and not _more_is_said(readings, row, profile)
            sure = worded and _excludes(readings, row, profile)
            (other if sure else doubtful)[row] = True
        else:  # both may be true
            several[row] = True
    for row in np.flatnonzero(lacking).tolist():
        if _reversed(readings, row, profile):
            other[row], lacking[row] = True, False
    for row in np.flatnonzero(lacking).tolist():
        kin = _kin(readings, row, held | other, profile)
        if kin is not None:
            weights[kin] += weights[row]
            weights[row] = 0.0
    if _is_partly_told(readings, held, profile):
        doubtful |= held
        held[:] = False
    masses = [float(weights[rows].sum()) for rows in (held, other, doubtful, several | lacking)]
    masses.append(max(0.0, 1 - float(weights.sum())))
    features = [*np.log(np.array(masses) + _LEAST), *_likeliest(readings, weights, other, profile)]
    return Decision(np.array(features, dtype=np.float32), held, other)


def _kin(readings: Readings, row: int, among: NDArray[np.bool_], profile: GraphProfile) -> int | None:
    """A reading of the same words by a relation that means the same: "leader" where the graph says "leader name".

    One label has the words of the other; and both lead to the same kind of things, or the words are not of the kind of
    the first, or say all of the second: "the ICAO location identifier". Or the graph says it the other way round: that
    the child of Y is X, where the words are read as that the mother of X is Y.
    """
    relation = int(readings.relation[row])
    for kin in np.flatnonzero(among).tolist():
        ends = int(readings.subject_spot[kin]), int(readings.object_spot[kin])
        if ends == (int(readings.object_spot[row]), int(readings.subject_spot[row])):
            turned = relation == int(readings.relation[kin]) and _turned(readings, row, profile)
            if turned or are_inverse(profile.texts[relation], profile.texts[int(readings.relation[kin])]):
                return kin
        same = readings.object_spot[kin] == readings.object_spot[row] and readings.subject[kin] == readings.subject[row]
        other = int(readings.relation[kin])
        if same and kin != row and profile.kindred(relation, other):
            if readings.held[kin] < 0 and profile.says_more(relation, other, readings.fact.words.text):
                continue
            said = profile.is_said(other, readings.fact.words.text)
            if said or profile.same_range(relation, other) or not is_of_kind(readings, row, profile):
                return kin
    return None


def _likeliest(
    readings: Readings, weights: Floats, other: NDArray[np.bool_], profile: GraphProfile
) -> tuple[float, ...]:
    """The last features, of the likeliest of some readings; zeros where there are none."""
    if not other.any() or readings.entailment is None:
        return (0.0,) * len(VERDICT_FEATURES[VERDICT_FEATURES.index("member") :])
    row = int(np.where(other, weights, -1.0).argmax())
    entailed = min(max(float(readings.entailment[row]), _FLOOR), 1 - _FLOOR)
    return (
        float(readings.features[row, _MEMBER]),
        float(readings.features[row, _RANGE]),
        float(np.log(entailed / (1 - entailed))),
        profile.single_of(int(readings.subject[row]), int(readings.relation[row])),
        _apart(readings, row, profile),
        float(is_of_kind(readings, row, profile)),
    )


def _is_partly_told(readings: Readings, held: NDArray[np.bool_], profile: GraphProfile) -> bool:
    """Whether a number or a date of the fact is in none of the statements that the graph holds of it.

    They then say a part of the fact at most: that Bean is retired, and not that he retired in 1981.
    """
    rows = np.flatnonzero(held).tolist()
    spots = readings.fact.spots
    values = [spot for spot in spots if spot.value is not None and _DIGITS.search(spot.text)]
    if not rows or not values:
        return False
    told = {number for row in rows for text in _labels(readings, row, profile) for number in _DIGITS.findall(text)}
    ends = [spots[column[row]] for row in rows for column in (readings.subject_spot, readings.object_spot)]
    for spot in values:
        known = any(spot.meets(end) for end in ends) or told.issuperset(_DIGITS.findall(spot.text))
        if not known and not any(qualifies(readings, row, spot, profile) for row in rows):
            return True
    return False


def _labels(readings: Readings, row: int, profile: GraphProfile) -> list[str]:
    """Of the relation and of the object of what the graph holds."""
    return [profile.texts[int(readings.relation[row])], *profile.subgraph.labels(readings.held[row : row + 1])]


def _apart(readings: Readings, row: int, profile: GraphProfile) -> float:
    """How unlike the object's node and the graph's value are in kind, 0 to 1; 0 where the words stand for no node."""
    place = int(readings.object_spot[row])
    if place < 0:
        return 0.0
    meant = readings.fact.spots[place].meant
    held = profile.objects(int(readings.subject[row]), int(readings.relation[row])).tolist()
    if not meant or not held:
        return 0.0
    return 1 - max(profile.alike(one, other) for one in meant for other in held)


def _has_one(subject: int, relation: int, profile: GraphProfile, single: float) -> bool:
    """Whether another value than the graph's contradicts: the subject has one, as most of its kind have.

    Where it has several, only if nearly no subject has: two records of one birthday.
    """
    if profile.has_one(subject, relation):
        return profile.single_of(subject, relation) >= single
    return float(profile.single[relation]) >= max(single, _ALWAYS)


def _turned(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the words name the relation of a statement, and turn it round."""
    place, relation = int(readings.object_spot[row]), int(readings.relation[row])
    if place < 0 or profile.mutual[relation] > _MUTUAL:
        return False
    subject, value = readings.fact.spots[int(readings.subject_spot[row])], readings.fact.spots[place]
    first, second = (subject, value) if subject.start < value.start else (value, subject)
    between = readings.fact.words.text[first.end : second.start]
    return is_turned(between, profile.texts[relation], subject_first=first is subject)


def _reversed(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the graph says it the other way round, of a relation that does not hold both ways.

    Not where the words do, too: "X was a daughter of Y" does not say that Y is a child of X.
    """
    place, relation = int(readings.object_spot[row]), int(readings.relation[row])
    if place < 0 or profile.mutual[relation] > _MUTUAL or _turned(readings, row, profile):
        return False
    meant = readings.fact.spots[place].meant
    return any(int(readings.subject[row]) in profile.objects(node, relation) for node in meant)


def _joined(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether a statement joins the graph's value with the one said: died in Missolonghi, which is in Greece."""
    place = int(readings.object_spot[row])
    if place < 0:
        return False
    subject = int(readings.subject[row])  # "The owner of Rovers is Rovers Holding": the second may look like the first
    meant = [node for node in readings.fact.spots[place].meant if node != subject]
    edges = profile.subgraph.outgoing
    for value in profile.objects(subject, int(readings.relation[row])).tolist():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            if np.isin(edges.neighbour[edges.indptr[node] : edges.indptr[node + 1]], others).any():
                return True
    return False


def _worded(readings: Readings, row: int) -> bool:
    """Whether the words speak for the relation, beyond its being the likeliest for a thing of this kind."""
    features = readings.features[row]
    if features[_OPPOSED]:
        return False
    return bool(_is_entailed(readings, row) or features[_SAID] >= NAMED or features[_EXPLAINED] >= NAMED)


def _more_is_said(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the words say all of a longer label between the same ends: "ICAO location identifier"."""
    same = (readings.subject_spot == readings.subject_spot[row]) & (readings.object_spot == readings.object_spot[row])
    text, relation = readings.fact.words.text, int(readings.relation[row])
    others = np.unique(readings.relation[same]).tolist()
    return any(profile.says_more(other, relation, text) and profile.kindred(other, relation) for other in others)


def _is_entailed(readings: Readings, row: int) -> bool:
    """Whether the scorer says that the fact follows from the reading."""
    return readings.entailment is not None and bool(readings.entailment[row] >= _ENTAILED)


def _named_alike(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    place = int(readings.object_spot[row])
    if place < 0 or readings.fact.spots[place].value is not None:
        return False
    words = readings.fact.spots[place].text
    said = set(bare_words(words)) - FUNCTION_WORDS
    said = said - _TITLES or said
    values = profile.objects(int(readings.subject[row]), int(readings.relation[row]))
    for value, label in zip(values.tolist(), profile.subgraph.labels(values), strict=True):
        held = set(bare_words(label)) - FUNCTION_WORDS
        if not said or not held or readings.fact.spots[place].is_other(value, label):
            continue
        within = said <= held or held <= said
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        if (within and not sure) or may_be_one(words, label):
            return True
    return False


def _lies_within(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    place = int(readings.object_spot[row])
    if place < 0:
        return False
    spot, subject = readings.fact.spots[place], int(readings.subject[row])
    if subject in spot.bearers or not is_placed(readings.fact.words.text, spot.start):
        return False
    values = profile.objects(subject, int(readings.relation[row]))
    names = zip(values.tolist(), profile.subgraph.labels(values), strict=True)
    return any(lies_within(spot.text, name) and not spot.is_other(value, name) for value, name in names)


#: Where the words and the graph's value are both true.
_NOT_OTHERWISE = (_joined, _named_alike, _lies_within, is_in_qualifiers)


def _about(readings: Readings, row: int) -> bool:
    """Whether the fact is about the subject: not where it begins with another name, which the graph does not know.

    Such a name may be the object, if the words name the relation: "Jane Doe directed Heat".
    """
    spots = readings.fact.spots
    names = [place for place, spot in enumerate(spots) if _is_name(spot, spots)]
    first = names[0] if names else None
    if first is not None and _only_tells_where(readings, row, spots[first]):
        return False
    if first is None or spots[first].meant or spots[first].start > _LEADING:
        return True
    if int(readings.object_spot[row]) == first:
        sure = readings.entailment is not None and readings.entailment[row] >= _SURE
        return bool(readings.held[row] >= 0 or sure or readings.features[row, _SAID] >= NAMED)
    return int(readings.subject_spot[row]) == first


def _only_tells_where(readings: Readings, row: int, first: Spot) -> bool:
    """Whether the subject only tells where the name lies that the fact is about: "Lee County in Alabama is …"."""
    text = readings.fact.words.text
    subject = readings.fact.spots[int(readings.subject_spot[row])]
    place = int(readings.object_spot[row])
    if text[: first.start].lower().strip() not in ("", "the") or place < 0:
        return False
    after = text[subject.end : readings.fact.spots[place].start]
    if not _VERB.match(after):
        return False
    if subject.within(first) and subject.start > first.start:
        return bool(first.meant) and int(readings.subject[row]) not in first.bearers
    inside = [spot for spot in readings.fact.spots if first.end <= spot.start and spot.end <= subject.start]
    between = text[first.end : subject.start]
    for spot in inside:
        between = between.replace(spot.text, "")
    return subject.start >= first.end and bool(_WHERE.fullmatch(between))


def _is_name(spot: Spot, spots: list[Spot]) -> bool:
    """Whether a spot is a name by itself: no abbreviation ("the ISBN of …"), and none around a name that is known."""
    if spot.plain or spot.value is not None:
        return False
    letters = spot.text.replace(".", "")
    if letters.isupper() and len(letters) <= _ABBREVIATED:
        return False
    return not any(one.within(spot) and one.meant for one in spots)


def _excludes(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the object's words say another value: one of the kind, or one of which the fact means this relation."""
    if tells_class(readings, row):
        return False
    if is_of_kind(readings, row, profile):
        return True
    place, relation = int(readings.object_spot[row]), int(readings.relation[row])
    if place < 0 or not _is_entailed(readings, row):
        return False
    spot = readings.fact.spots[place]
    if spot.meant and spot.value is None:
        return False  # the graph knows it, as something else
    return (spot.value is not None) == (float(profile.seen_shapes[relation, _VALUED].sum()) >= _MOST)
