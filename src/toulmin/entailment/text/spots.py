"""The spots of a fact: the words that name entities, say values, or are names that the graph lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from toulmin.entailment.text.naming import SentenceWords, main_part
from toulmin.entailment.text.values import Value
from toulmin.graph.labels import normalise, similarity
from toulmin.retrieval.linking import Candidate, Mention
from toulmin.retrieval.linking.words import FUNCTION_WORDS, is_common

if TYPE_CHECKING:
    from toulmin.graph.subgraph import Subgraph

__all__ = ["Bearer", "Spot", "find_spots"]

_CANDIDATES = 4  # bearers of a name that are considered
_WEAK = 0.25  # weight of a mention below which it is no name
_NEIGHBOURS = 250  # statements of an entity, of each side, whose other ends are looked for in the sentence
_LEAST_SAID = 0.62
_NAME = re.compile(r"\"([^\"]{2,})\"|“([^”]{2,})”|'([^']{3,})'(?!\w)")
_CODE = re.compile(r"(?<!\S)[\"'(]?(?=[\w./-]*\d)[\w./-]*[\w/](?=[\"').,;:!?]*(?:\s|$))|\b[A-Z]{2,5}\b")


@dataclass(frozen=True, slots=True)
class Bearer:
    """A node that the words of a spot may stand for.

    Args:
        node: its number in the sub-graph.
        score: how well the words say it, 0 to 1.
        form: the name that matched, as the graph writes it.
        how: as in ``linking.Candidate``.
        link: the score of the link as a proof records it.
    """

    node: int
    score: float
    form: str
    how: str
    link: float


@dataclass(slots=True)
class Spot:
    """Words of a fact, ``text[start:end]``, and what they may stand for."""

    start: int
    end: int
    text: str
    bearers: dict[int, Bearer] = field(default_factory=dict)
    value: Value | None = None

    def add(self, bearer: Bearer) -> None:
        """Keep the better of two matches of one node."""
        known = self.bearers.get(bearer.node)
        if known is None or bearer.score > known.score:
            self.bearers[bearer.node] = bearer


def find_spots(words: SentenceWords, mentions: Sequence[Mention], subgraph: Subgraph) -> list[Spot]:
    """The spots of one fact, in its order, not overlapping except where one name stands within another.

    Args:
        words: the fact.
        mentions: what the linker found in it.
    """
    spots = [spot for mention in mentions if (spot := _of_mention(mention, subgraph)) is not None]
    _drop_weak(spots, words)
    for value in words.values:
        _place(spots, value.start, value.end, words.text).value = value
    _neighbours(spots, words, subgraph)
    for start, end in _unlinked(words, spots):
        if not any(spot.start < end and start < spot.end for spot in spots):
            spots.append(Spot(start, end, words.text[start:end]))
    return sorted(spots, key=lambda spot: (spot.start, -spot.end))


def _of_mention(mention: Mention, subgraph: Subgraph) -> Spot | None:
    spot = Spot(mention.start, mention.end, mention.text)
    best = max(_quality(mention.text, candidate) for candidate in mention.candidates)
    if mention.weight < _WEAK and best < 0.95:
        return None
    for candidate in mention.candidates[:_CANDIDATES]:
        number = subgraph.index(candidate.entity.id)
        score = _quality(mention.text, candidate)
        if number is not None and score > 0.5:
            spot.add(Bearer(number, score, candidate.form, candidate.how, candidate.score))
    return spot if spot.bearers else None


def _quality(text: str, candidate: Candidate) -> float:
    if candidate.how == "exact":
        return 1.0
    said, name = normalise(text), normalise(candidate.form)
    if said == normalise(main_part(candidate.form)):
        return 0.97
    if similarity(said, normalise(main_part(candidate.form))) >= 0.85:
        return 0.9
    return min(0.9, candidate.score) * (0.9 if said in name else 0.8)


def _drop_weak(spots: list[Spot], words: SentenceWords) -> None:
    """A common word in lower case is no name, whatever the graph calls so, unless the graph does in lower case too."""
    for spot in list(spots):
        if spot.text.islower() and is_common(spot.text) and max(b.score for b in spot.bearers.values()) < 0.9:
            spots.remove(spot)


def _place(spots: list[Spot], start: int, end: int, text: str) -> Spot:
    """The spot of these characters: one that has them (or, of a value, lies within them), else a new one."""
    for spot in spots:
        if spot.start <= start and end <= spot.end:
            return spot
    inside = [spot for spot in spots if start <= spot.start and spot.end <= end]
    if inside:
        kept = inside[0]
        for spot in inside[1:]:
            spots.remove(spot)
        kept.start, kept.end, kept.text = start, end, text[start:end]
        return kept
    made = Spot(start, end, text[start:end])
    spots.append(made)
    return made


def _neighbours(spots: list[Spot], words: SentenceWords, subgraph: Subgraph) -> None:
    """Add what is said of the neighbours of the entities found: by values, short names, other forms."""
    pairs = [(spot, bearer.node) for spot in list(spots) for bearer in list(spot.bearers.values())]
    for spot, node in pairs:
        taken = spot.start, spot.end
        for other, label in _around(node, subgraph):
            said = words.says(label, taken)
            if said is None or said.score < _LEAST_SAID:
                continue
            where = _overlapping(spots, said.start, said.end, spot)
            if where is None:
                where = Spot(said.start, said.end, words.text[said.start : said.end])
                spots.append(where)
            text = where.text
            same = normalise(text) == normalise(label)
            alike = 1.0 if same else similarity(text, label)
            shared = set(normalise(text).split()) & set(normalise(label).split())
            how = "exact" if same else "near" if alike >= 0.75 or not shared else "full text"
            where.add(Bearer(other, max(said.score, 1.0 if same else 0.0), label, how, alike))


def _overlapping(spots: Sequence[Spot], start: int, end: int, own: Spot) -> Spot | None:
    """The spot, other than the subject's, that shares most with these characters."""
    shared = [
        (min(end, spot.end) - max(start, spot.start), spot)
        for spot in spots
        if spot is not own and spot.start < end and start < spot.end
    ]
    if not shared:
        return None
    overlap, spot = max(shared, key=lambda one: one[0])
    return spot if overlap * 2 >= min(end - start, spot.end - spot.start) else None


def _around(node: int, subgraph: Subgraph) -> Iterable[tuple[int, str]]:
    """Neighbours of a node and their names; of a hub the first ones of each side."""
    found: list[np.ndarray] = []
    for side in (subgraph.outgoing, subgraph.incoming):
        start, end = int(side.indptr[node]), int(side.indptr[node + 1])
        if end - start <= _NEIGHBOURS or side is subgraph.outgoing:
            found.append(side.neighbour[start : min(end, start + 4 * _NEIGHBOURS)])
    numbers = np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int32)
    numbers = numbers[numbers != node]
    return zip(numbers.tolist(), map(str, subgraph.labels(numbers)), strict=True)


def _unlinked(words: SentenceWords, spots: Sequence[Spot]) -> list[tuple[int, int]]:
    """Names and codes that no spot has: quoted words, words with digits, runs of capitalised words."""
    found = [match.span(match.lastindex or 0) for match in _NAME.finditer(words.text)]
    found += [match.span() for match in _CODE.finditer(words.text)]
    run: list[int] = []
    for place, word in enumerate(words.words):
        covered = any(spot.start < word.end and word.start < spot.end for spot in spots)
        capital = word.text != word.lower and (place > 0 or word.lower not in FUNCTION_WORDS)
        joins = bool(run) and word.lower in ("of", "the", "and", "de", "for")
        if not covered and ((capital and not (place == 0 and is_common(word.lower))) or joins):
            run.append(place)
            continue
        found += _name(words, run)
        run = []
    return found + _name(words, run)


def _name(words: SentenceWords, run: Sequence[int]) -> list[tuple[int, int]]:
    while run and words.words[run[-1]].lower in FUNCTION_WORDS:
        run = run[:-1]
    return [(words.words[run[0]].start, words.words[run[-1]].end)] if run else []
