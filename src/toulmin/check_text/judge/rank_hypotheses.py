"""The hypotheses of a fact that are looked at: those that its words and the graph's statistics speak for.

Those of a fact compete with each other over the relations of the whole graph, so that what the sentence does not state
is outdone by what it does. Whether the graph holds the winning one is another question (``verdicts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toulmin.check_text.judge.hypotheses import MEANT, Fact, FactMention, Hypothesis
from toulmin.check_text.judge.relation_statistics import Floats, RelationStatistics, log_share, word_weight
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import words_of

__all__ = ["ranked_hypotheses", "texts_to_embed"]

#: What speaks for a hypothesis before the entailment scorer is asked, and how much, set by hand: only used to choose
#: those that are looked at closely, not to judge them.
_RANKED_BY = {
    "likeness": 6,  # cosine of the sentence without its names and the relation's words, less the mean over relations
    "label_said": 2,  # share of the relation's words that the sentence has
    "words_explained": 1,  # share of the sentence's words that the relation's label has
    "opposed": -2,  # the sentence has the opposite of a word of the relation: "last" and "first aired"
    "member": 1,  # the object stands as an object of the relation elsewhere
    "range": 0.5,  # how likely it is one, by what else is said of it
    "near_objects": 1,  # likeness to the relation's objects
    "domain": 0.5,  # how likely the subject has the relation, by what else is said of it
    "joined": 2,  # a statement joins both by the relation
    "has": 1,  # the subject has the relation
    "noun_of": 1,  # "the RELATION of SUBJECT", "SUBJECT's RELATION"
    "subject_first": 0.5,
    "plain": -1,  # the object is said in common words
    "nested": -1,  # a name within a longer name
    "gap": -0.2,  # words between subject and object
}
_WEIGHTS = np.array(list(_RANKED_BY.values()), dtype=np.float32)
_SUBJECTS = 3  # bearers of a name that are taken as subjects
_OBJECTS = 4
_KEPT = 80  # hypotheses of one fact that are kept
_WHOLLY = 0.99  # share of a label's words that are all of them
_CLASS_OF = re.compile(
    r"\b(?:in|from|at|to|for|within|near|of|around|into|throughout|under) the [\w ]{2,30} of (?:the )?$", re.ASCII
)
_COPULAS = frozenset(("is", "was", "are", "were", "be", "been"))


def texts_to_embed(fact: Fact) -> list[str]:
    """What ``ranked_hypotheses`` needs the vectors of."""
    return [*fact.masked.values(), *map(fact.object_text, fact.pairs)]


def ranked_hypotheses(fact: Fact, vector: dict[str, Floats]) -> list[Hypothesis]:
    """What a fact may state, the likeliest first.

    Args:
        vector: the vectors of ``texts_to_embed``.
    """
    statistics = fact.statistics
    object_of = cache(lambda place, text: _object(fact.mention(place), statistics, vector[text]))
    ranked = [
        group for a, b in fact.pairs for group in _of_pair(fact, (a, b), vector, object_of(b, fact.object_text((a, b))))
    ]
    scores = np.concatenate([[], *(np.where(statistics.present, group.scores, -np.inf) for group in ranked)])
    chosen = np.argsort(-scores, kind="stable")[:_KEPT]
    kept = []
    for place in chosen[np.isfinite(scores[chosen])].tolist():
        group, relation = ranked[place // statistics.count], place % statistics.count
        held = int(group.held[relation]) if group.held[relation] >= 0 else None
        features = dict(zip(_RANKED_BY, group.features[relation].tolist(), strict=True))
        kept.append(Hypothesis(fact, group.subject, group.ends, relation, held, features))
    return kept


class _Ranked(NamedTuple):
    """All relations of one subject, with one choice of words for the object.

    Args:
        features: float32[R, features].
        scores: float[R], their weighted sum; minus infinity where the words exclude the relation.
        held: int[R], the object of the statement that says just this; -1 where there is none.
    """

    subject: int
    ends: tuple[int, int]
    features: Floats
    scores: NDArray[np.floating]
    held: NDArray[np.int64]


def _of_pair(
    fact: Fact, pair: tuple[int, int], vector: dict[str, Floats], objects: tuple[Floats, ...]
) -> Iterator[_Ranked]:
    """The relations of each node that the first of two mentions may stand for, with the second as the object."""
    (a, b), masked, statistics = pair, fact.masked[pair], fact.statistics
    likeness, label_said, explained = _relation(masked, statistics, vector)
    opposed = statistics.opposed(masked)
    member, within, near = objects
    first, gap, plain, nested = _order(fact, a, b)
    common = plain * (1 + _echo(fact.mentions[b].text, statistics)) if plain else np.zeros_like(near)
    noun_of, other_noun = _noun_of(fact, a), np.zeros(statistics.count, dtype=bool)
    excluded = np.asarray(common > 1 + _WHOLLY)  # "the country of …" names the relation, not its object
    if b >= 0:  # "OBJECT's parent is SUBJECT" turns "child" round, and says it
        opposed = np.maximum(opposed - statistics.opposed(" ".join(_nouns_of(fact, b))), 0)
        other_noun = _noun_of(fact, b)
        if fact.mentions[b].bearers:
            excluded |= statistics.free_text
    if _only_names_a_relation(masked):
        excluded |= other_noun & ~statistics.ends_in_of  # "the father of OBJECT": it is the subject of this relation
        if ((noun_of | other_noun) & (label_said > _WHOLLY)).any():
            excluded |= ~(noun_of | other_noun)
    ones = np.ones(statistics.count, dtype=np.float32)
    for node in (bearer.node for bearer in fact.mentions[a].best[:_SUBJECTS]):
        has = np.isin(np.arange(statistics.count), statistics.relations_of(node))
        joined, held = _joined(node, fact.mention(b), statistics)
        features = np.stack(
            [
                likeness, label_said, explained, opposed,
                np.where(joined > 0, np.maximum(member - 1, 0), member).clip(0, 1),
                within, near, log_share(statistics.domain(node)), joined, has, noun_of, first * ones,
                common, nested * ones, gap * ones,
            ],
            axis=1,
        )  # fmt: skip
        scores = features @ _WEIGHTS
        yield _Ranked(node, pair, features.astype(np.float32), np.where(excluded, -np.inf, scores), held)


def _object(mention: FactMention, statistics: RelationStatistics, vector: Floats) -> tuple[Floats, ...]:
    member, within = np.zeros((2, statistics.count), dtype=np.float32)
    edges = statistics.subgraph.incoming
    for bearer in mention.best[:_OBJECTS]:
        count = np.bincount(edges.relation[edges.edges(bearer.node)], minlength=statistics.count)[: statistics.count]
        member = np.maximum(member, np.minimum(count, 2) * (bearer.score >= MEANT))
        within = np.maximum(within, statistics.range(bearer.node) * bearer.score)
    return member, log_share(within), statistics.nearness(vector[None])[0]


def _relation(masked: str, statistics: RelationStatistics, vector: dict[str, Floats]) -> tuple[Floats, Floats, Floats]:
    likeness = statistics.vectors @ vector[masked]
    words = [word.lower for word in words_of(masked)]
    content = [word for word in words if word not in FUNCTION_WORDS] or words
    explained = np.zeros(statistics.count, dtype=np.float32)
    if not content:
        return likeness - likeness.mean(), explained, explained
    alike = np.stack([statistics.word_likeness(word) for word in content])  # [words, label words]
    label_said = statistics.label_weights @ alike.max(axis=0)
    weights = np.array([word_weight(word) for word in content], dtype=np.float32)
    has = statistics.label_weights > 0
    for row, weight in zip(alike, weights / weights.sum(), strict=True):
        explained += weight * (has * row).max(axis=1, initial=0)
    return likeness - likeness.mean(), label_said, explained


def _order(fact: Fact, a: int, b: int) -> tuple[float, float, float, float]:
    """Of two mentions: whether the subject comes first; the names between both; whether the object is common words;
    how many of both are names within names.
    """
    if b < 0:
        return 1.0, 0.0, 0.0, 0.0
    subject, object_ = fact.mentions[a], fact.mentions[b]
    low, high = min(subject.end, object_.end), max(subject.start, object_.start)
    between = sum(low <= mention.start and mention.end <= high and not mention.plain for mention in fact.mentions)
    around = [mention for mention in fact.mentions if mention.bearers]
    nested = sum(any(mention.within(outer) for outer in around) for mention in (subject, object_))
    return float(subject.start < object_.start), float(between), float(object_.plain), float(nested)


def _echo(text: str, statistics: RelationStatistics) -> Floats:
    """How far common words only repeat each relation's label ("the city of …"), float32[R]."""
    likeness = np.stack([statistics.word_likeness(word.lower) for word in words_of(text)]).max(axis=0)
    return np.asarray(((statistics.label_weights > 0) * likeness).max(axis=1), dtype=np.float32)


def _noun_of(fact: Fact, place: int) -> NDArray[np.bool_]:
    """Relations that the words say of a mention and do not only tell its class: "the father of NAME"; bool[R]."""
    nouns, statistics = _nouns_of(fact, place), fact.statistics
    if not nouns:
        return np.zeros(statistics.count, dtype=bool)
    named = np.stack([statistics.word_likeness(noun) for noun in nouns]).max(axis=0) >= 1.0
    said = ((statistics.label_weights > 0) & named).any(axis=1)
    return np.asarray(said & ~_is_class(fact, place))


def _nouns_of(fact: Fact, place: int) -> list[str]:
    text, mention = fact.words.text, fact.mentions[place]
    after = re.match(r"['’]s?\s+(\w+)", text[mention.end :])
    before = re.search(r"(\w+) of (?:the )?$", text[: mention.start])
    return [match[1].lower() for match in (after, before) if match]


def _is_class(fact: Fact, place: int) -> NDArray[np.bool_]:
    """Relations whose name only tells the class of a mention, "in the country of NAME"; bool[R].

    What the mention stands for is then likelier an object of the relation than a subject, and has none itself.
    """
    text, mention, statistics = fact.words.text, fact.mentions[place], fact.statistics
    classes = np.zeros(statistics.count, dtype=bool)
    if not _CLASS_OF.search(text[: mention.start]):
        return classes
    edges = statistics.subgraph.incoming
    for bearer in mention.bearers.values():
        if bearer.score >= MEANT:
            classes[edges.relation[edges.edges(bearer.node)]] = True
            classes |= statistics.range(bearer.node) > statistics.domain(bearer.node)
            classes[statistics.relations_of(bearer.node)] = False
    return classes


def _only_names_a_relation(masked: str) -> bool:
    """Whether nothing but "the NOUN of … is …" stands around two names: then it is that relation or none."""
    words = [word.lower for word in words_of(masked)]
    content = [word for word in words if word not in FUNCTION_WORDS]
    return len(content) == 1 and content[0] != "part" and not _COPULAS.isdisjoint(words)


def _joined(node: int, mention: FactMention, statistics: RelationStatistics) -> tuple[Floats, NDArray[np.int64]]:
    """How well the mention says an object of each relation of a node, float32[R], and which object."""
    joined, held = np.zeros(statistics.count, dtype=np.float32), np.full(statistics.count, -1, dtype=np.int64)
    edges = statistics.subgraph.outgoing
    rows = edges.edges(node)
    for bearer in mention.bearers.values():
        for relation in edges.relation[rows][edges.neighbour[rows] == bearer.node].tolist():
            if bearer.score > joined[relation]:
                joined[relation], held[relation] = bearer.score, bearer.node
    return joined, held
