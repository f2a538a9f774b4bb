"""The mentions of a fact: the words that name entities, say values, or are names that the graph lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from toulmin.check_text.judge.hypotheses import FactMention
from toulmin.check_text.judge.regions import (
    is_foreign,
    is_namesake,
    lies_in,
    region_after,
    region_before,
    region_stated,
)
from toulmin.check_text.judge.relation_labels import tells_where
from toulmin.check_text.judge.relation_statistics import RelationStatistics
from toulmin.check_text.judge.sentence_words import SentenceWords, capitalised_runs, codes, squashed
from toulmin.check_text.judge.spelling import is_another_name, main_part, says_no_more
from toulmin.english.text_values import Value, value_of
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import normalise, similarity
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.linking import Candidate, Mention
from toulmin.retrieval.linking.mention_words import bare_words, is_common, is_dictionary_word

__all__ = ["find_mentions"]

_CANDIDATES = 4  # bearers of a name that are considered
_WEAK = 0.25  # weight of a linked mention below which it is no name
_NEIGHBOURS = 250  # statements of an entity, of each side, whose other ends are looked for in the sentence
_ROUNDS = 2  # of looking for neighbours of what was found
_STRONG = 0.9  # a bearer is meant by these words
_SHORT = 0.95  # of a bearer whose name was shortened
_OTHER_NAME = 0.85  # of a bearer that the lexicon has another name for
_COVERED = 0.55  # share of a mention's letters that a name within it must have to be meant by all of it
_UNIT = 12  # characters after a number in which the words say what it counts
_PLAIN = 3  # runs of common words that are taken as objects
_LEAST = 0.5  # of a bearer: what is less well said is not
_MAIN_PART = 0.97  # of a bearer whose name is said without what tells it from its namesakes
_NEARLY = 0.9  # of a bearer whose name is misspelt, at most
_ALIKE, _ALIKE_RUN = 0.85, 0.8  # similarity of a name and its misspelling; of a whole run of capitals and a name
_PART = 0.8  # of what it is otherwise: of a bearer of whose name only a part is said, not in a row
_KNOWN = 0.6  # of a bearer whose neighbours are looked for
_SMALL = 0.4  # share of a run that a name at its beginning has, of which the run is then another name
_BEING = re.compile(r"\b(?:is|was|are|were|been|being) $")
_AGENT = re.compile(r" (?:by|in|at|on|from|to|for|with|as)\b")
_ROLE = re.compile(r"\b(?:an?|the|its|their) $", re.IGNORECASE)
_ROLE_OF = re.compile(r"(?: [a-z]+)? (?:of|at|for) ")


def find_mentions(
    words: SentenceWords, linked: Sequence[Mention], statistics: RelationStatistics, graph: Graph
) -> list[FactMention]:
    """The mentions of one fact, in its order; one may lie within another, longer name.

    Args:
        words: the fact.
        linked: what the linker found in it.
        graph: where other names of places and peoples are looked up.
    """
    subgraph = statistics.subgraph
    found = (_of_mention(given, subgraph) for given in linked)
    mentions = [
        mention
        for mention in found
        if mention.bearers and not (mention.text.islower() and is_common(mention.text) and mention.strength < _STRONG)
    ]
    for value in words.values:
        _add_value(mentions, value, words.text)
    for start, end in codes(words.text):
        _add_code(mentions, start, end, words.text)
    for start, end in capitalised_runs(words):
        _add_run(mentions, FactMention(start, end, words.text[start:end]))
    mentions = [mention for mention in mentions if not _is_role(mention, words)]
    for mention in mentions:
        if mention.strength < _STRONG and mention.value is None:
            for node in statistics.short.get(squashed(mention.text), ())[:_CANDIDATES]:
                mention.add(node, _SHORT, subgraph.labels([node])[0])
    _add_other_names(mentions, words, subgraph, graph)
    seen: set[int] = set()
    for _ in range(_ROUNDS):
        _neighbours(mentions, words, subgraph, seen)
    for mention in mentions:
        _drop_parts(mention)
        _drop_elsewhere(mention, words.text, subgraph)
        _drop_foreign(mention, words.text)
    _add_plain(mentions, words)
    return sorted(mentions, key=lambda mention: (mention.start, -mention.end))


def _of_mention(given: Mention, subgraph: Subgraph) -> FactMention:
    """A mention that the linker found; without bearers where it is none."""
    mention = FactMention(given.start, given.end, given.text)
    scores = {candidate: _quality(given.text, candidate) for candidate in given.candidates}
    exact = [candidate for candidate in given.candidates if candidate.how == "exact"]
    name = given.weight >= _WEAK or max(scores.values()) >= _SHORT
    for candidate in (exact or given.candidates)[:_CANDIDATES] if name else ():
        number = subgraph.index(candidate.entity.id)
        if number is not None and scores[candidate] > _LEAST:
            mention.add(number, scores[candidate], candidate.form)
    return mention


def _quality(text: str, candidate: Candidate) -> float:
    """How well words say the name of a candidate; 0 where they say another: "in Chemistry" is not "in Physics"."""
    if candidate.how == "exact":
        return 1.0
    words, name = normalise(text), normalise(candidate.form)
    if candidate.how == "vector" or not says_no_more(words, name):
        return 0.0
    main = normalise(main_part(candidate.form))
    if words == main:
        return _MAIN_PART
    if similarity(words, main) >= _ALIKE:
        return _NEARLY
    return min(_NEARLY, candidate.score) * (_NEARLY if words in name else _PART)


def _is_another(words: str, name: str) -> bool:
    """Whether words that share some with a name have another word in place of one of it: another thing of its kind."""
    if value_of(name) is not None or "".join(bare_words(words)) == "".join(bare_words(name)):
        return False  # numbers and dates are compared as such
    ours, theirs = ({word for word in bare_words(text) if len(word) > 2} - FUNCTION_WORDS for text in (words, name))
    return bool(ours & theirs) and not says_no_more(" ".join(ours), name) and not says_no_more(main_part(name), words)


def _add_value(mentions: list[FactMention], value: Value, text: str) -> None:
    """Make a mention of a value in place of names within it ("July" of a date); a name that is all of it gets it."""
    around = [mention for mention in mentions if mention.start <= value.start and value.end <= mention.end]
    if around:
        if len(around[0].text) <= value.end - value.start + 2 or value_of(around[0].text) is not None:
            around[0].value = value
        return
    mentions[:] = [mention for mention in mentions if mention.end <= value.start or value.end <= mention.start]
    mentions.append(FactMention(value.start, value.end, text[value.start : value.end], value=value))


def _add_code(mentions: list[FactMention], start: int, end: int, text: str) -> None:
    """Make a mention of a quoted text or a code, in place of what is less than all of it."""
    if any(mention.start <= start and end <= mention.end for mention in mentions):
        return
    mentions[:] = [mention for mention in mentions if not (start <= mention.start and mention.end <= end)]
    mentions.append(FactMention(start, end, text[start:end]))


def _is_role(mention: FactMention, words: SentenceWords) -> bool:
    """Whether a capitalised noun says what one is, and names nothing: "the President of", "the County seat of"."""
    noun = mention.text.lower()
    if mention.text == noun or not is_dictionary_word(noun) or not words.is_nominal(noun):
        return False
    return bool(_ROLE.search(words.text[: mention.start]) and _ROLE_OF.match(words.text[mention.end :]))


def _add_run(mentions: list[FactMention], run: FactMention) -> None:
    """Add a capitalised run: it takes the place of weak names within it, and stands around strong ones."""
    if any(mention.meets(run) and not mention.within(run) for mention in mentions):
        return
    inside = [mention for mention in mentions if mention.within(run)]
    known = [mention for mention in inside if mention.strength >= _STRONG]
    if len(known) > 1 and sum(len(mention.text) for mention in known) + len(known) + 3 >= len(run.text):
        return  # names side by side
    joining = set(bare_words(run.text)) & FUNCTION_WORDS - {"i"}  # which is a numeral in a name
    for mention in inside:  # "East Germany" is not Germany; "Capital of Germany" is of it
        mention.drop(
            node
            for node, bearer in mention.bearers.items()
            if joining.issubset(bare_words(bearer.form)) and is_another_name(run.text, bearer.form)
        )
    for mention in inside:
        for bearer in mention.bearers.values():
            likeness = similarity(normalise(run.text), normalise(main_part(bearer.form)))
            if likeness >= _ALIKE_RUN and says_no_more(run.text, bearer.form):
                run.add(bearer.node, min(_NEARLY, likeness), bearer.form)
        begins = run.text.startswith(mention.text) and len(mention.text) < _SMALL * len(run.text)
        if mention.strength < _STRONG or (begins and mention.value is None):
            mentions.remove(mention)
    mentions.append(run)


def _drop_parts(mention: FactMention) -> None:
    """Drop what is named by a part of the words where they are a whole name: Tay County of "Low Ridge, Tay County"."""
    if mention.strength >= 1.0:
        words = set(bare_words(mention.text))
        weak = [bearer for bearer in mention.bearers.values() if bearer.score < _STRONG]
        mention.drop(bearer.node for bearer in weak if set(bare_words(bearer.form)) < words)


def _drop_elsewhere(mention: FactMention, text: str, subgraph: Subgraph) -> None:
    """Drop what lies outside the region that the fact names: the graph's Paris in France, of "Paris, Texas".

    A place of which the graph tells another region is only dropped where one of its name lies in the region that is
    named, or the lexicon knows of one there.
    """
    mention.region = region_after(text, mention.start, mention.end)
    region = mention.region or region_stated(text, mention.end)
    places = {node: _lies(node, subgraph) for node in (mention.bearers if region else ())}
    lies = {node: lies_in(region, mention.bearers[node].form, wholes) for node, wholes in places.items()}
    for node in [node for node, there in lies.items() if there is False]:
        if True in lies.values() or (mention.region and is_namesake(region, mention.bearers[node].form, places[node])):
            mention.elsewhere.add(node)
            mention.drop([node])


def _lies(node: int, subgraph: Subgraph) -> list[str]:
    """Names of what a node lies in: the objects of its relations whose label tells where."""
    rows = subgraph.outgoing.edges(node)
    relations = subgraph.outgoing.relation[rows][:_NEIGHBOURS].tolist()
    where = [row for row, relation in enumerate(relations) if tells_where(subgraph.relations[relation].label or "")]
    return list(map(str, subgraph.labels(subgraph.objects(node)[where])))


def _drop_foreign(mention: FactMention, text: str) -> None:
    """Drop what is of another region than the word before the name says: Canada's dollar of "the American dollar"."""
    before = region_before(text, mention.start) if mention.bearers and mention.value is None else ""
    bearers = mention.bearers.values() if before else ()
    foreign = [bearer.node for bearer in bearers if is_foreign(before, mention.text, bearer.form)]
    mention.drop(foreign)
    if foreign:
        mention.extend(mention.start - len(before) - 1, text)


def _add_other_names(mentions: Sequence[FactMention], words: SentenceWords, subgraph: Subgraph, graph: Graph) -> None:
    """Link "US", "UK", "American" by the names that the lexicon has for them."""
    forms: dict[str, list[FactMention]] = {}
    for mention in mentions:
        unknown = mention.strength < _STRONG and mention.value is None
        if unknown and mention.text[:1].isupper() and mention.text.count(" ") < 2:
            for form in words.other_names(mention.text):
                forms.setdefault(form, []).append(mention)
    for of_form, matches in zip(forms.values(), graph.lookup(list(forms)) if forms else [], strict=True):
        node = subgraph.index(matches[0].id) if matches else None
        if node is not None:
            for mention in of_form:
                mention.add(node, _OTHER_NAME, matches[0].form)


def _neighbours(mentions: list[FactMention], words: SentenceWords, subgraph: Subgraph, seen: set[int]) -> None:
    """Add mentions of what a statement joins with the entities found: values, short names, other forms of names."""
    pairs = [(mention, bearer) for mention in list(mentions) for bearer in list(mention.bearers.values())]
    for mention, bearer in pairs:
        if bearer.node in seen or bearer.score < _KNOWN:
            continue
        seen.add(bearer.node)
        taken = mention.start, mention.end
        for other, label in _around(bearer.node, subgraph):
            place = words.says(label, taken)
            if place is None or _is_passive(words.text, place.start, place.end):
                continue
            where, score = _where(mentions, place.start, place.end, words.text, mention)
            if where is not None and score * place.score > _LEAST and not _is_another(where.text, label):
                where.add(other, score * place.score, label)


def _where(
    mentions: list[FactMention], start: int, end: int, text: str, source: FactMention
) -> tuple[FactMention | None, float]:
    """The mention for these characters, and how much of it they are; None where they are part of another name."""
    for mention in mentions:
        if (mention.start, mention.end) == (start, end):
            return mention, 1.0
    met = [mention for mention in mentions if mention is not source and mention.start < end and start < mention.end]
    if not met and start < source.end and source.start < end:
        return None, 0.0
    if all(start <= mention.start and mention.end <= end for mention in met):  # all of it is this name
        if met and all(mention.strength < _STRONG for mention in met):
            for mention in met[1:]:
                mentions.remove(mention)
            met[0].end = end
            met[0].extend(start, text)
            return met[0], 1.0
        mentions.append(FactMention(start, end, text[start:end]))
        return mentions[-1], 1.0
    mention = max(met, key=lambda mention: min(end, mention.end) - max(start, mention.start))
    share = (min(end, mention.end) - max(start, mention.start)) / (mention.end - mention.start)
    if share >= _COVERED:
        return mention, (1 + share) / 2
    return None, 0.0


def _around(node: int, subgraph: Subgraph) -> Iterable[tuple[int, str]]:
    """Neighbours of a node and their names; of a hub the first ones of what it is a subject of."""
    subjects = subgraph.subjects(node)
    subjects = subjects if len(subjects) <= _NEIGHBOURS else subjects[:0]
    numbers = np.unique(np.concatenate([subgraph.objects(node)[: 4 * _NEIGHBOURS], subjects]))
    numbers = numbers[numbers != node]
    return zip(numbers.tolist(), map(str, subgraph.labels(numbers)), strict=True)


def _add_plain(mentions: list[FactMention], words: SentenceWords) -> None:
    """Runs of common words that may be an object: "includes tomatoes", "a solo singer"."""
    run: list[int] = []
    plain: list[FactMention] = []
    counted = [mention.value is not None and mention.value.time is None for mention in mentions]  # "535 people"
    taken = [(mention.start, mention.end + _UNIT * unit) for mention, unit in zip(mentions, counted, strict=True)]
    for place, word in enumerate([*words.words, None]):
        if word is not None:
            free = not any(start < word.end and word.start < end for start, end in taken)
            apart = bool(run) and words.text[words.words[run[-1]].end : word.start].strip() not in ("", "-")
            free = free and not _is_passive(words.text, word.start, word.end)
            if free and word.lower not in FUNCTION_WORDS and words.is_nominal(word.lower) and not apart:
                run.append(place)
                continue
        if run:
            start, end = words.words[run[0]].start, words.words[run[-1]].end
            plain.append(FactMention(start, end, words.text[start:end], plain=True))
        run = [place] if word is not None and run and free and words.is_nominal(word.lower) and apart else []
    mentions += plain[-_PLAIN:]


def _is_passive(text: str, start: int, end: int) -> bool:
    """Whether words are what was done, no thing: "was painted by"."""
    return bool(text[start:end].endswith("ed") and _BEING.search(text[:start]) and _AGENT.match(text, end))
