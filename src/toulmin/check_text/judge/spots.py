"""The spots of a fact: the words that name entities, say values, or are names that the graph lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from toulmin.check_text.judge.naming import SentenceWords, ShortNames
from toulmin.check_text.judge.regions import (
    is_foreign,
    is_namesake,
    lies_in,
    region_after,
    region_before,
    region_of,
    region_stated,
    tells_where,
)
from toulmin.check_text.judge.runs import capitalised_runs, codes
from toulmin.check_text.judge.spelling import is_another_name, is_numeral, main_part, says_no_more
from toulmin.check_text.judge.spot import Bearer, Spot
from toulmin.check_text.judge.values import Value, value_of
from toulmin.graph.labels import normalise, similarity
from toulmin.retrieval.linking import Candidate, Mention
from toulmin.retrieval.linking.words import FUNCTION_WORDS, bare_words, is_common, is_dictionary_word

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.graph.subgraph import Subgraph

__all__ = ["find_spots"]

_CANDIDATES = 4  # bearers of a name that are considered
_WEAK = 0.25  # weight of a mention below which it is no name
_NEIGHBOURS = 250  # statements of an entity, of each side, whose other ends are looked for in the sentence
_ROUNDS = 2  # of looking for neighbours of what was found
_STRONG = 0.9  # a bearer is meant by these words
_SHORT = 0.95  # of a bearer whose name was shortened
_OTHER_NAME = 0.85  # of a bearer that the lexicon has another name for
_COVERED = 0.55  # share of a spot's letters that a name within it must have to be meant by all of it
_UNIT = 12  # characters after a number in which the words say what it counts
_PLAIN = 3  # runs of common words that are taken as objects
_NEAR = 0.75  # similarity from which on a name is near
_BEING = re.compile(r"\b(?:is|was|are|were|been|being) $")
_AGENT = re.compile(r" (?:by|in|at|on|from|to|for|with|as)\b")
_ROLE = re.compile(r"\b(?:an?|the|its|their) $", re.IGNORECASE)
_ROLE_OF = re.compile(r"(?: [a-z]+)? (?:of|at|for) ")


def find_spots(
    words: SentenceWords, mentions: Sequence[Mention], subgraph: Subgraph, short: ShortNames, graph: Graph
) -> list[Spot]:
    """The spots of one fact, in its order; one may lie within another, longer name.

    Args:
        words: the fact.
        mentions: what the linker found in it.
        short: the graph's names without what tells them from their namesakes.
        graph: where other names of places and peoples are looked up.
    """
    spots = [spot for mention in mentions if (spot := _of_mention(mention, subgraph)) is not None]
    spots = [spot for spot in spots if not (spot.text.islower() and is_common(spot.text) and spot.strength < _STRONG)]
    for value in words.values:
        _add_value(spots, value, words.text)
    for start, end in codes(words.text):
        _add_code(spots, start, end, words.text)
    for start, end in capitalised_runs(words):
        _add_run(spots, Spot(start, end, words.text[start:end]))
    spots = [spot for spot in spots if not _is_role(spot, words)]
    for spot in spots:
        if spot.strength < _STRONG and spot.value is None:
            _add_short(spot, short, subgraph)
    _add_other_names(spots, words, subgraph, graph)
    seen: set[int] = set()
    for _ in range(_ROUNDS):
        _neighbours(spots, words, subgraph, seen)
    for spot in spots:
        _leave_meant(spot)
        _leave_elsewhere(spot, words.text, subgraph)
        _leave_foreign(spot, words.text)
    _add_plain(spots, words)
    return sorted(spots, key=lambda spot: (spot.start, -spot.end))


def _of_mention(mention: Mention, subgraph: Subgraph) -> Spot | None:
    spot = Spot(mention.start, mention.end, mention.text)
    best = max(_quality(mention.text, candidate) for candidate in mention.candidates)
    if mention.weight < _WEAK and best < _SHORT:
        return None
    exact = tuple(one for one in mention.candidates if one.how == "exact")
    for candidate in (exact or mention.candidates)[:_CANDIDATES]:
        number = subgraph.index(candidate.entity.id)
        score = _quality(mention.text, candidate)
        if number is not None and score > 0.5:
            spot.add(Bearer(number, score, candidate.form, candidate.how, candidate.score))
    return spot if spot.bearers else None


def _quality(text: str, candidate: Candidate) -> float:
    """How well words say the name of a candidate; 0 where they say another: "in Chemistry" is not "in Physics"."""
    if candidate.how == "exact":
        return 1.0
    said, name = normalise(text), normalise(candidate.form)
    if candidate.how == "vector" or not says_no_more(said, name):
        return 0.0
    main = normalise(main_part(candidate.form))
    if said == main:
        return 0.97
    if similarity(said, main) >= 0.85:
        return 0.9
    return min(0.9, candidate.score) * (0.9 if said in name else 0.8)


def _is_another(said: str, name: str) -> bool:
    """Whether words that share some with a name have another word in place of one of it: another thing of its kind."""
    if value_of(name) is not None:
        return False  # numbers and dates are compared as such
    if "".join(bare_words(said)) == "".join(bare_words(name)):
        return False
    ours, theirs = ({word for word in bare_words(text) if len(word) > 2} - FUNCTION_WORDS for text in (said, name))
    return bool(ours & theirs) and not says_no_more(" ".join(ours), name) and not says_no_more(main_part(name), said)


def _add_value(spots: list[Spot], value: Value, text: str) -> None:
    """Make a spot of a value; names within it ("July" of a date) are none, unless they are all of it."""
    around = [spot for spot in spots if spot.start <= value.start and value.end <= spot.end]
    if around:
        if len(around[0].text) <= value.end - value.start + 2 or value_of(around[0].text) is not None:
            around[0].value = value
        return
    spots[:] = [spot for spot in spots if spot.end <= value.start or value.end <= spot.start]
    spots.append(Spot(value.start, value.end, text[value.start : value.end], value=value))


def _add_code(spots: list[Spot], start: int, end: int, text: str) -> None:
    """Make a spot of a quoted text or a code, in place of what is less than all of it."""
    if any(spot.start <= start and end <= spot.end for spot in spots):
        return
    spots[:] = [spot for spot in spots if not (start <= spot.start and spot.end <= end)]
    spots.append(Spot(start, end, text[start:end]))


def _is_role(spot: Spot, words: SentenceWords) -> bool:
    """Whether a capitalised noun says what one is, and names nothing: "the President of", "the County seat of"."""
    noun = spot.text.lower()
    if spot.text == noun or not is_dictionary_word(noun) or not words.is_nominal(noun):
        return False
    return bool(_ROLE.search(words.text[: spot.start]) and _ROLE_OF.match(words.text[spot.end :]))


def _add_run(spots: list[Spot], run: Spot) -> None:
    """Add a capitalised run: it takes the place of weak names within it, and stands around strong ones."""
    if any(spot.start <= run.start and run.end <= spot.end for spot in spots):
        return
    if any(spot.meets(run) and not spot.within(run) for spot in spots):
        return
    inside = [spot for spot in spots if spot.within(run)]
    known = [spot for spot in inside if spot.strength >= _STRONG]
    if len(known) > 1 and _covered(run, known):  # names side by side
        return
    joining = {word for word in bare_words(run.text) if word in FUNCTION_WORDS and not is_numeral(word)}
    for spot in inside:  # "East Germany" is not Germany; "Capital of Germany" is of it
        others = [
            node
            for node, one in spot.bearers.items()
            if joining.issubset(bare_words(one.form)) and is_another_name(run.text, one.form)
        ]
        for node in others:
            del spot.bearers[node]
    for spot in inside:
        share = len(spot.text) / len(run.text)
        for bearer in spot.bearers.values():
            likeness = similarity(normalise(run.text), normalise(main_part(bearer.form)))
            if likeness >= 0.8 and says_no_more(run.text, bearer.form):
                run.add(Bearer(bearer.node, min(0.9, likeness), bearer.form, *_link(run.text, bearer.form)))
        if spot.strength < _STRONG or (share < 0.4 and spot.text == run.text[: len(spot.text)] and spot.value is None):
            spots.remove(spot)
    spots.append(run)


def _covered(run: Spot, known: Sequence[Spot]) -> bool:
    return sum(len(spot.text) for spot in known) + len(known) + 3 >= len(run.text)


def _add_short(spot: Spot, short: ShortNames, subgraph: Subgraph) -> None:
    for node in short.bearers(spot.text)[:_CANDIDATES]:
        form = subgraph.labels([node])[0]
        spot.add(Bearer(node, _SHORT, form, *_link(spot.text, form)))


def _leave_meant(spot: Spot) -> None:
    """Where the words are a whole name, a part of them names nothing else: "Low Ridge, Tay County"."""
    if spot.strength >= 1.0:
        said = set(bare_words(spot.text))
        parts = [n for n, one in spot.bearers.items() if one.score < _STRONG and set(bare_words(one.form)) < said]
        for node in parts:
            del spot.bearers[node]


def _leave_elsewhere(spot: Spot, text: str, subgraph: Subgraph) -> None:
    """Paris in Texas is not the graph's, which lies in France; of two of a name, the one in the region is meant."""
    spot.region = region_of(spot.text) or region_after(text, spot.start, spot.end)
    region = spot.region or region_stated(text, spot.end)
    places = {node: _lies(node, subgraph) for node in (spot.bearers if region else ())}
    lies = {node: lies_in(region, spot.bearers[node].form, said) for node, said in places.items()}
    for node in [node for node, there in lies.items() if there is False]:
        if True in lies.values() or (spot.region and is_namesake(region, spot.bearers[node].form, places[node])):
            spot.elsewhere.add(node)
            del spot.bearers[node]


def _lies(node: int, subgraph: Subgraph) -> list[str]:
    """Names of what a node lies in, by the names of its relations."""
    start, end = subgraph.outgoing.indptr[node : node + 2].tolist()
    end = min(end, start + _NEIGHBOURS)
    labels = [subgraph.relations[relation].label or "" for relation in subgraph.outgoing.relation[start:end].tolist()]
    rows = [row for row, label in enumerate(labels) if tells_where(label)]
    return list(map(str, subgraph.labels(subgraph.outgoing.neighbour[start:end][rows])))


def _leave_foreign(spot: Spot, text: str) -> None:
    """The American dollar is not Canada's."""
    before = region_before(text, spot.start) if spot.bearers and spot.value is None else ""
    foreign = [node for node, one in spot.bearers.items() if before and is_foreign(before, spot.text, one.form)]
    for node in foreign:
        del spot.bearers[node]
    if foreign:
        spot.start -= len(before) + 1
        spot.text = text[spot.start : spot.end]


def _add_other_names(spots: Sequence[Spot], words: SentenceWords, subgraph: Subgraph, graph: Graph) -> None:
    """Link "US", "UK", "American" by the names that the lexicon has for them."""
    forms: dict[str, list[Spot]] = {}
    for spot in spots:
        if spot.strength < _STRONG and spot.value is None and spot.text[:1].isupper() and spot.text.count(" ") < 2:
            for form in words.other_names(spot.text):
                forms.setdefault(form, []).append(spot)
    for some, matches in zip(forms.values(), graph.lookup(list(forms)) if forms else [], strict=True):
        for match in matches[:1]:
            node = subgraph.index(match.id)
            if node is not None:
                for spot in some:
                    spot.add(Bearer(node, _OTHER_NAME, match.form, *_link(spot.text, match.form)))


def _link(text: str, form: str) -> tuple[str, float]:
    """How a link from words to a name is recorded, and its score."""
    if normalise(text) == normalise(form):
        return "exact", 1.0
    alike = similarity(text, form)
    shared = set(normalise(text).split()) & set(normalise(form).split())
    return ("near" if alike >= _NEAR or not shared else "full text"), alike


def _neighbours(spots: list[Spot], words: SentenceWords, subgraph: Subgraph, seen: set[int]) -> None:
    """Add what is said of the neighbours of the entities found: by values, short names, other forms."""
    pairs = [(spot, bearer) for spot in list(spots) for bearer in list(spot.bearers.values())]
    for spot, bearer in pairs:
        if bearer.node in seen or bearer.score < 0.6:
            continue
        seen.add(bearer.node)
        taken = spot.start, spot.end
        for other, label in _around(bearer.node, subgraph):
            said = words.says(label, taken)
            if said is None or _is_passive(words.text, said.start, said.end):
                continue
            where, score = _where(spots, said.start, said.end, words.text, spot)
            if where is not None and score * said.score > 0.5 and not _is_another(where.text, label):
                where.add(Bearer(other, score * said.score, label, *_link(where.text, label)))


def _where(spots: list[Spot], start: int, end: int, text: str, own: Spot) -> tuple[Spot | None, float]:
    """The spot for these characters, and how much of it they are; None where they are part of another name."""
    for spot in spots:
        if (spot.start, spot.end) == (start, end):
            return spot, 1.0
    met = [spot for spot in spots if spot is not own and spot.start < end and start < spot.end]
    if not met:
        if start < own.end and own.start < end:
            return None, 0.0
        made = Spot(start, end, text[start:end])
        spots.append(made)
        return made, 1.0
    inside = [spot for spot in met if start <= spot.start and spot.end <= end]
    if len(inside) == len(met):  # longer than what was found: all of it is this name
        if any(spot.strength >= _STRONG for spot in inside) or not inside:
            made = Spot(start, end, text[start:end])
            spots.append(made)
            return made, 1.0
        kept = inside[0]
        for spot in inside[1:]:
            spots.remove(spot)
        kept.start, kept.end, kept.text = start, end, text[start:end]
        return kept, 1.0
    spot = max(met, key=lambda one: min(end, one.end) - max(start, one.start))
    share = (min(end, spot.end) - max(start, spot.start)) / (spot.end - spot.start)
    if share >= _COVERED:
        return spot, 0.5 + 0.5 * share
    return None, 0.0


def _around(node: int, subgraph: Subgraph) -> Iterable[tuple[int, str]]:
    """Neighbours of a node and their names; of a hub the first ones of what it is a subject of."""
    found: list[np.ndarray] = []
    for side, most in ((subgraph.outgoing, 4 * _NEIGHBOURS), (subgraph.incoming, _NEIGHBOURS)):
        start, end = int(side.indptr[node]), int(side.indptr[node + 1])
        if end - start <= most or side is subgraph.outgoing:
            found.append(side.neighbour[start : min(end, start + most)])
    numbers = np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int32)
    numbers = numbers[numbers != node]
    return zip(numbers.tolist(), map(str, subgraph.labels(numbers)), strict=True)


def _counts(spot: Spot) -> bool:
    """Whether what follows may be what a number counts: "535 people"."""
    return spot.value is not None and spot.value.time is None


def _add_plain(spots: list[Spot], words: SentenceWords) -> None:
    """Runs of common words that may be an object: "includes tomatoes", "a solo singer"."""
    run: list[int] = []
    found: list[Spot] = []
    for place, word in enumerate([*words.words, None]):
        if word is not None:
            free = not any(spot.start < word.end and word.start < spot.end + _UNIT * _counts(spot) for spot in spots)
            apart = bool(run) and words.text[words.words[run[-1]].end : word.start].strip() not in ("", "-")
            free = free and not _is_passive(words.text, word.start, word.end)
            if free and word.lower not in FUNCTION_WORDS and words.is_nominal(word.lower) and not apart:
                run.append(place)
                continue
        if run:
            start, end = words.words[run[0]].start, words.words[run[-1]].end
            found.append(Spot(start, end, words.text[start:end], plain=True))
        run = [place] if word is not None and run and free and words.is_nominal(word.lower) and apart else []
    spots += found[-_PLAIN:]


def _is_passive(text: str, start: int, end: int) -> bool:
    """Whether words are what was done, no thing: "was painted by"."""
    return bool(text[start:end].endswith("ed") and _BEING.search(text[:start]) and _AGENT.match(text, end))
