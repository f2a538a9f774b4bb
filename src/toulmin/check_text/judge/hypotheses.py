"""What the words of a fact may name, and what it may state: a relation, of which subject, with which object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from toulmin.check_text.judge.regions import is_namesake, lies_in
from toulmin.check_text.judge.relation_statistics import RelationStatistics
from toulmin.check_text.judge.sentence_words import SentenceWords
from toulmin.check_text.judge.spelling import is_another_name
from toulmin.english.text_values import Value
from toulmin.graph.csr import Ints
from toulmin.graph.types import Qualifier, Statement

__all__ = ["MEANT", "REST", "Bearer", "Fact", "FactMention", "Hypothesis"]

MEANT = 0.8  # score of a bearer above which the words are taken for it
_PAIRS = 8  # pairs of mentions of one fact
_JOINED = 32  # pairs that a statement joins, beside them
_FEW = 3  # pairs of names, up to which common words are tried as objects too
_RELATION = 0.7  # of a noun and a word of a relation's label, from which on it names one
_OWNER = re.compile(r"['’]s? $")
_OF = re.compile(r" of (?:the )?")


@dataclass(frozen=True, slots=True)
class Bearer:
    """A node that the words of a mention may stand for.

    Args:
        node: its number in the sub-graph.
        score: how well the words say it, 0 to 1.
        form: the name that matched, as the graph writes it.
    """

    node: int
    score: float
    form: str


@dataclass(slots=True)
class FactMention:
    """Words of a fact, ``text[start:end]``, and what they may stand for.

    Args:
        plain: they are common words, no name and no value.
        region: where the fact says that the place they name lies, if it does.
        elsewhere: nodes of its name that are known to lie elsewhere.
    """

    start: int
    end: int
    text: str
    bearers: dict[int, Bearer] = field(default_factory=dict)
    value: Value | None = None
    plain: bool = False
    region: str = ""
    elsewhere: set[int] = field(default_factory=set)

    def add(self, node: int, score: float, form: str) -> None:
        """Take the words for a node by a name; of two keep the better match, and none where they are another name."""
        known = self.bearers.get(node)
        if not is_another_name(self.text, form) and (known is None or score > known.score):
            self.bearers[node] = Bearer(node, score, form)

    def drop(self, nodes: Iterable[int]) -> None:
        """Take the words for none of these nodes."""
        for node in list(nodes):
            del self.bearers[node]

    def extend(self, start: int, text: str) -> None:
        """Let it begin at another place of the fact."""
        self.start, self.text = start, text[start : self.end]

    @property
    def best(self) -> list[Bearer]:
        """What they may stand for, the best first, else in the linker's order."""
        return sorted(self.bearers.values(), key=lambda bearer: -bearer.score)

    @property
    def strength(self) -> float:
        """The score of the best bearer; 0 without one."""
        return max((bearer.score for bearer in self.bearers.values()), default=0.0)

    @property
    def meant(self) -> list[int]:
        """The nodes that its words are taken for."""
        return [bearer.node for bearer in self.bearers.values() if bearer.score > MEANT]

    def is_other(self, node: int, name: str) -> bool:
        """Whether what it names is known to lie elsewhere than a node."""
        apart = bool(self.region) and lies_in(self.region, name, ()) is False
        return node in self.elsewhere or (apart and is_namesake(self.region, name, ()))

    def within(self, other: FactMention) -> bool:
        """Whether it lies in another, longer mention."""
        return other.start <= self.start and self.end <= other.end and len(self.text) < len(other.text)

    def meets(self, other: FactMention) -> bool:
        """Whether they share characters."""
        return self.start < other.end and other.start < self.end


#: Stands for the words of an object that is all the rest of the sentence.
REST = FactMention(-1, -1, "")


class Fact:
    """A fact with its mentions, ready to be read.

    Attributes:
        pairs: of mentions that may be a subject and an object (place -1: the rest of the sentence). Of many, the
            nearest, and the nearest that a statement joins.
        masked: for each pair, the words around it.
    """

    def __init__(self, words: SentenceWords, mentions: list[FactMention], statistics: RelationStatistics) -> None:
        self.words, self.mentions, self.statistics = words, mentions, statistics
        nested = [sum(mention.within(other) for other in mentions) for mention in mentions]

        def distance(pair: tuple[int, int]) -> tuple[int, int]:
            """Names within names and words far apart come last."""
            a, b = mentions[pair[0]], mentions[pair[1]]
            return nested[pair[0]] + nested[pair[1]], max(a.start, b.start) - min(a.end, b.end)

        subjects = [place for place, mention in enumerate(mentions) if mention.bearers]
        apart = [
            (a, b) for a in subjects for b in range(len(mentions)) if a != b and not mentions[a].meets(mentions[b])
        ]
        named = sorted((pair for pair in apart if not mentions[pair[1]].plain), key=distance)
        joined = (pair for pair in named[_PAIRS:] if _are_joined(mentions, pair, statistics))
        pairs = [*named[:_PAIRS], *islice(joined, _JOINED)]
        if len(pairs) <= _FEW:
            plain = [(a, b) for a, b in apart if mentions[b].plain]
            plain = [(a, b) for a, b in plain if not _is_role(words.text, mentions, mentions[b], statistics)]
            pairs += sorted(plain, key=distance)[: _PAIRS - _FEW]
        self.pairs = pairs or [(a, -1) for a in subjects[:2]]
        self.masked = {pair: _masked(words.text, mentions, pair) for pair in self.pairs}

    def mention(self, place: int) -> FactMention:
        """The mention at a place of a pair."""
        return self.mentions[place] if place >= 0 else REST

    def object_text(self, pair: tuple[int, int]) -> str:
        """The words of the object of a pair."""
        return self.mention(pair[1]).text or self.masked[pair]


def _is_role(text: str, mentions: Sequence[FactMention], noun: FactMention, statistics: RelationStatistics) -> bool:
    """Whether common words name a relation to a name beside them, no object: "a daughter of NAME", "NAME's parent"."""
    before, after = _OWNER.search(text[: noun.start]), _OF.match(text, noun.end)
    edges = {mention.end if before else mention.start for mention in mentions if mention.bearers}
    at = before.start() if before else after.end() if after else None
    return at in edges and float(statistics.word_likeness(noun.text.split()[-1].lower()).max(initial=0)) >= _RELATION


def _are_joined(mentions: Sequence[FactMention], pair: tuple[int, int], statistics: RelationStatistics) -> bool:
    """Whether a statement leads from what one mention may stand for to what the other may."""
    objects = list(mentions[pair[1]].bearers)
    return any(bool(np.isin(objects, statistics.subgraph.objects(node)).any()) for node in mentions[pair[0]].bearers)


def _masked(text: str, mentions: Sequence[FactMention], pair: tuple[int, int]) -> str:
    """The words between and around a pair of mentions, up to the next names, without the names."""
    ends = [mentions[place] for place in pair if place >= 0]
    names = [mention for mention in mentions if not mention.plain or mention in ends]
    others = [mention for mention in names if mention not in ends and not any(mention.meets(end) for end in ends)]
    first, last = min(mention.start for mention in ends), max(mention.end for mention in ends)
    left = max((mention.end for mention in others if mention.end <= first), default=0)
    right = min((mention.start for mention in others if mention.start >= last), default=len(text))
    pieces, at = [], left
    for mention in sorted(ends + others, key=lambda mention: (mention.start, -mention.end)):
        if mention.start >= at and mention.end <= right:
            pieces.append(text[at : mention.start])
            at = mention.end
    pieces.append(text[at:right])
    return " ".join(" ".join(pieces).split()).strip(" .,;:\"'()!?") or text


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """One thing that a fact may state: a relation of a subject, with some of the fact's words for the object.

    Args:
        subject, relation: node and relation of the graph, by number.
        ends: the places of the mentions of the fact that say subject and object; -1: the rest of the sentence does.
        held: the object of the statement that says just this; None where the graph has none.
        features: float32[features], by which it was ranked.
    """

    fact: Fact
    subject: int
    ends: tuple[int, int]
    relation: int
    held: int | None
    features: Mapping[str, float]

    @property
    def statistics(self) -> RelationStatistics:
        """Those of the graph."""
        return self.fact.statistics

    @property
    def text(self) -> str:
        """The words of the fact."""
        return self.fact.words.text

    @property
    def label(self) -> str:
        """The label of the relation."""
        return self.statistics.texts[self.relation]

    @property
    def subject_mention(self) -> FactMention:
        """The words that name the subject."""
        return self.fact.mentions[self.ends[0]]

    @property
    def object_mention(self) -> FactMention:
        """The words that name the object; ``REST`` where it is the rest of the sentence."""
        return self.fact.mention(self.ends[1])

    @property
    def object_text(self) -> str:
        """The words for the object."""
        return self.fact.object_text(self.ends)

    @property
    def values(self) -> Ints:
        """What the graph has as objects of the subject over the relation."""
        return self.statistics.subgraph.objects(self.subject, self.relation)

    @property
    def held_name(self) -> str:
        """What people read for the object that the graph has; empty where it has none."""
        return self.statistics.subgraph.labels([self.held])[0] if self.held is not None else ""

    def named_values(self) -> Iterator[tuple[int, str]]:
        """The values, and what people read for each."""
        return zip(self.values.tolist(), self.statistics.subgraph.labels(self.values), strict=True)

    @property
    def qualifiers(self) -> list[Qualifier]:
        """Those of its statements."""
        return [qualifier for statement in self.statements() for qualifier in statement.qualifiers]

    def statements(self) -> list[Statement]:
        """The statements that say it; where none does, those of its subject over its relation."""
        edges = self.statistics.subgraph.outgoing
        rows = edges.edges(self.subject, self.relation)
        said = slice(None) if self.held is None else edges.neighbour[rows] == self.held
        return self.statistics.subgraph.statements(edges.statement[rows][said])
