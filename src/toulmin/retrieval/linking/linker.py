"""Entity linking: exact names first, then near ones, then shared words, then vectors."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import normalise, similarity
from toulmin.graph.protocol import Graph, LabelMatch
from toulmin.graph.types import Entity
from toulmin.retrieval.linking.form_match import FormMatch
from toulmin.retrieval.linking.mention_words import information, variants, words_of
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import StoredVectors, VectorIndex

__all__ = ["Candidate", "EntityLinker", "Mention"]

_KIND = 0.9  # how like the words a name is that says what kind of thing they name, too
_MAX_WORDS = 16  # of the longest name looked for
_MAX_CANDIDATES = 10  # kept for a mention
_MAX_SEARCHES = 3  # calls of ``graph.search``, and queries of the vector index, for one question
_HITS = 25  # results of one search
_NEAR = 0.75  # least similarity of spelling of a near match
_LEAST_COSINE = 0.6  # of a match by vectors alone
_LEAST_WEIGHT = 0.2  # mentions below are kept only where there is no other
_LENGTH_BONUS = 0.3  # what each further word of a name adds to the weight of the others
_PROMINENCE, _CONTEXT = 0.5, 0.3  # what these add to a candidate, beside a quality of 1 for the same name
_OBSCURE = 0.5  # prominence below which a name in the same case is not taken without looking for others


How = Choice["exact", "near", "full text", "vector"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that some words may stand for; of a certificate's entity node it gives id, words and name.

    Args:
        form: the label or alias that matched, as the graph writes it.
        score: 1.0 for "exact"; for "near" how like the name is; else the linker's own.
    """

    entity: Entity
    form: str
    score: float
    how: How


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question, ``text = question[start:end]``, with what they may stand for, best first.

    Args:
        weight: 0 to 1, how likely these words are meant as a name at all: low for years, for common words, and where
            the case speaks against it.
    """

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class _Hit:
    """A name that stands for the words ``first`` up to ``last``."""

    first: int
    last: int
    id: str
    form: str
    alias: bool
    quality: float
    place: int  # in the order of the graph, which puts the most connected first
    same_case: bool = False
    cosine: float | None = None  # of a match by vectors


@dataclass(frozen=True, slots=True)
class _Span:
    """Words that stand for a name: how likely they do, and what they are worth in a choice of spans."""

    first: int
    last: int
    weight: float
    worth: float


class EntityLinker:
    """Finds the entities that a question names.

    Args:
        graph: where they are looked up: one batch of exact forms, and few searches, for each question.
        index: vectors of the graph, for names that share no word with the question's ("uk"); None: without.
    """

    def __init__(self, graph: Graph, *, index: VectorIndex | None = None) -> None:
        self._graph, self._index = graph, index

    def link(self, question: str) -> tuple[Mention, ...]:
        """The mentions of a question in its order; empty where nothing in it is like a name of the graph."""
        reading = FormMatch(question)
        if not reading.words:
            return ()
        linking = _Linking(reading, self._graph, self._index)
        linking.look_up()
        if runs := linking.unsettled():
            linking.search(runs)
        return linking.mentions()


class _Linking:
    """One question being linked."""

    def __init__(self, reading: FormMatch, graph: Graph, index: VectorIndex | None) -> None:
        self.reading, self.graph, self.index = reading, graph, index
        self.hits: list[_Hit] = []
        self.prominence: dict[str, float] = {}

    def look_up(self) -> None:
        """Take in the exact names, and those of other forms of single words."""
        reading = self.reading
        forms: dict[str, list[tuple[int, int]]] = {}
        count = len(reading.words)
        for first, last in ((i, j) for i in range(count) for j in range(i + 1, min(i + _MAX_WORDS, count) + 1)):
            forms.setdefault(reading.text(first, last), []).append((first, last))
        for place, word in enumerate(reading.words):
            if not reading.function[place]:
                for variant in variants(word.lower):
                    forms.setdefault(variant, []).append((place, place + 1))
        for spans, matches in zip(forms.values(), self.graph.lookup(list(forms)), strict=True):
            for place, match in enumerate(matches):
                for span in spans:
                    self._take_in(span, match, similarity(reading.text(*span), match.form), place)
        if not reading.cased:
            self._weigh()

    def _take_in(self, words: tuple[int, int], match: LabelMatch, quality: float, place: int) -> None:
        same_case = _same_case(self.reading.text(*words), match.form)
        self.hits.append(_Hit(*words, match.id, match.form, match.alias, quality, place, same_case))

    def unsettled(self) -> list[tuple[int, int]]:
        """The spans to search for: what is like a name and not understood, and names that may mean somebody else."""
        understood = self._likely(self._cover())
        runs = self.reading.runs([(span.first, span.last) for span in understood], _MAX_SEARCHES)
        if self.reading.cased:
            understood = [span for span in understood if self.reading.is_plain(span.first, span.last)]
            if understood:
                self._weigh()
        runs += [(span.first, span.last) for span in understood if not self._settled(span)]
        return runs[:_MAX_SEARCHES]

    def _settled(self, span: _Span) -> bool:
        """Whether a name stands there that is long enough, or prominent."""
        several = self.reading.content(span.first, span.last) > 1
        return any(
            (several and hit.same_case) or self.prominence[hit.id] >= _OBSCURE
            for hit in self.hits
            if (hit.first, hit.last) == (span.first, span.last) and hit.quality == 1.0
        )

    def search(self, runs: Sequence[tuple[int, int]]) -> None:
        """Take in what runs of words are like by spelling and words, then by vectors what still is not understood."""
        for run in runs:
            for place, match in enumerate(self.graph.search(self.reading.text(*run), limit=_HITS)):
                if (aligned := self.reading.align(run, match.form)) is not None:
                    self._take_in(aligned[0], match, aligned[1], place)
        self._weigh()
        if isinstance(self.index, StoredVectors):  # of others, it would embed every label
            self._nearest(runs, self.index)

    def _nearest(self, runs: Sequence[tuple[int, int]], index: StoredVectors) -> None:
        reading = self.reading
        exact = {(hit.first, hit.last) for hit in self.hits if hit.quality == 1.0 and hit.last - hit.first > 1}
        likely = self._likely(self._cover())
        sure = [span for span in likely if (span.first, span.last) in exact or self._settled(span)]
        taken = {place for span in sure for place in range(span.first, span.last)}
        gists = [reading.gist(run) for run in runs if taken.isdisjoint(range(*run))]
        if not gists:
            return
        subgraph = self.graph.subgraph([], 0)
        vectors = index.embedder.embed([reading.text(*gist) for gist in gists])
        for gist, vector in zip(gists, vectors, strict=True):
            numbers, scores = index.nearest_entities(vector, _HITS)
            nodes = zip(numbers.tolist(), subgraph.labels(numbers), scores.tolist(), strict=True)
            for place, (number, label, score) in enumerate(nodes):
                if score >= _LEAST_COSINE:
                    identifier = subgraph.tables.keys[number]
                    self.hits.append(_Hit(*gist, identifier, label, False, 2 * score - 1, place, cosine=score))
        self._weigh()

    def _weigh(self) -> None:
        """Ask for the prominence of the entities that were hit, those of the best hits first."""
        unknown = [hit for hit in self.hits if hit.id not in self.prominence]
        unknown.sort(key=lambda hit: -hit.quality * (hit.last - hit.first))
        self.prominence.update(_prominences(self.graph, list(dict.fromkeys(hit.id for hit in unknown))))

    def _strength(self, hit: _Hit) -> float:
        """How likely the words are meant for the entity, 0 to 1."""
        strength = self.reading.likelihood(hit.first, hit.last, hit.form) * hit.quality
        if self.reading.cased:
            return strength
        share = 0.3 if self.reading.content(hit.first, hit.last) > 1 else 0.7
        return strength * (1 - share + share * self.prominence[hit.id])

    def _cover(self) -> list[_Span]:
        """The best spans that do not overlap."""
        reading = self.reading
        strengths: dict[tuple[int, int], float] = {}
        spelt: set[tuple[int, int]] = set()
        for hit in self.hits:
            place = hit.first, hit.last
            strengths[place] = max(strengths.get(place, 0.0), self._strength(hit))
            if hit.cosine is None:
                spelt.add(place)
        spans: list[_Span] = []
        for (first, last), strength in strengths.items():
            information = sum(reading.information[first:last])
            longer = 1 + _LENGTH_BONUS * (last - first - 1) * ((first, last) in spelt)
            worth = information * longer * strength
            spans.append(_Span(first, last, min(information, 1.0) * strength, worth))
        return _best_cover(spans)

    def _likely(self, spans: Iterable[_Span]) -> list[_Span]:
        return [span for span in spans if span.weight >= _LEAST_WEIGHT]

    def mentions(self) -> tuple[Mention, ...]:
        """The likely spans, or the likeliest where none is, and numbers, with their candidates."""
        cover = self._cover()
        likely = self._likely(cover) or sorted(cover, key=lambda span: -span.weight)[:1]
        chosen = [span for span in cover if span in likely or self.reading.number(span.first, span.last)]
        ranked = [(span, self._rank(span)) for span in chosen]
        ids = list(dict.fromkeys(hit.id for _, ranking in ranked for hit, _, _ in ranking))
        described = zip(ids, self.graph.describe(ids), strict=True)
        known = {identifier: info.entity for identifier, info in described if info is not None}
        mentions: list[Mention] = []
        for span, ranking in ranked:
            candidates = tuple(
                Candidate(known[hit.id], hit.form, score, how) for hit, score, how in ranking if hit.id in known
            )
            if candidates:
                start, end = _extent(self.reading, span, candidates[0].form)
                text = self.reading.question[start:end]
                mentions.append(Mention(start, end, text, candidates, span.weight))
        return tuple(mentions)

    def _rank(self, span: _Span) -> list[tuple[_Hit, float, How]]:
        """What a span may stand for, best first, with score and how of each."""
        text = self.reading.text(span.first, span.last)
        norm = normalise(text)
        best: dict[str, tuple[float, _Hit, float, How]] = {}
        for hit in self.hits:
            inside = span.first <= hit.first and hit.last <= span.last
            if inside if hit.cosine is not None else hit.first < span.last and span.first < hit.last:
                judged = self._judge(span, text, norm, hit)
                if judged is not None and (hit.id not in best or judged[0] > best[hit.id][0]):
                    best[hit.id] = judged[0], hit, judged[1], judged[2]
        quality = {identifier: rated[0] for identifier, rated in best.items()}
        if len(best) > 1 and not self._clear(quality):
            self._weigh()
            near = sorted(best, key=lambda identifier: -quality[identifier])[:_MAX_CANDIDATES]
            others = [w.lower for p, w in enumerate(self.reading.words) if not span.first <= p < span.last]
            contexts = _contexts(self.graph, near, others)
            plain = any(self.reading.adds_kind((span.first, span.last), rated[1].form) for rated in best.values())
            weight = _PROMINENCE * (0.3 if self.reading.cased and not plain else 1.0)
            fit = _CONTEXT * (2.0 if plain else 1.0)  # a word for a thing and a title: what is said of it
            for identifier in best:
                quality[identifier] += weight * self.prominence[identifier]
                quality[identifier] += fit * contexts.get(identifier, 0.0)
        ordered = sorted(best.values(), key=lambda rated: (-quality[rated[1].id], rated[1].alias, rated[1].place))
        return [(hit, score, how) for _, hit, score, how in ordered[:_MAX_CANDIDATES]]

    def _clear(self, quality: dict[str, float]) -> bool:
        """Whether prominence and context cannot put another candidate first."""
        first, second = sorted(quality.values(), reverse=True)[:2]
        return self.reading.cased and first - second > 0.3 * _PROMINENCE + _CONTEXT

    def _judge(self, span: _Span, text: str, norm: str, hit: _Hit) -> tuple[float, float, How] | None:
        """Quality, score and how of a hit for all words of a span; None where it has nothing to do with them."""
        form = normalise(hit.form)
        if form == norm:
            return 1.3 if _same_case(text, hit.form) else 1.0, 1.0, "exact"
        if self.reading.adds_kind((span.first, span.last), hit.form):
            return 1.25 if text in hit.form else 0.95, _KIND, "near"
        alike = similarity(text, hit.form)
        aligned = self.reading.compare((span.first, span.last), hit.form)
        quality = 0.9 * aligned if aligned is not None else 0.0
        if alike >= _NEAR:
            same = (hit.first, hit.last) == (span.first, span.last)
            return max(quality, 0.9 * alike**2 if same else 0), alike, "near"
        if set(form.split()) & set(norm.split()):
            return quality, quality, "full text"
        if aligned is not None:
            return quality, alike, "near"
        return (0.9 * hit.quality, hit.cosine, "vector") if hit.cosine is not None else None


def _same_case(span: str, form: str) -> bool:
    """Whether two spellings of a name have the same letters in the same case."""
    return [word.text for word in words_of(span)] == [word.text for word in words_of(form)]


def _extent(reading: FormMatch, span: _Span, form: str) -> tuple[int, int]:
    """The characters of a span, with the punctuation around it that belongs to the name."""
    words, question = reading.words, reading.question
    start, end = words[span.first].start, words[span.last - 1].end
    left = words[span.first - 1].end if span.first else 0
    right = words[span.last].start if span.last < len(words) else len(question)
    around, sought = question[left:right].lower(), form.lower()
    if len(around) == right - left:  # a few letters are two when lower-cased
        place = around.find(sought)
        if place >= 0 and left + place <= start and left + place + len(sought) >= end:
            return left + place, left + place + len(sought)
    if end < right and form and question[end] == form[-1]:  # the last point of an abbreviation
        end += 1
    return start, end


def _best_cover(spans: Iterable[_Span]) -> list[_Span]:
    """Those that are worth the most together, none overlapping, in order; none that is worth 0 or less."""
    order = sorted((span for span in spans if span.worth > 0), key=lambda span: (span.last, span.first))
    ends = [span.last for span in order]
    best: list[tuple[float, list[_Span]]] = [(0.0, [])]  # best[k]: of the first k spans in order
    for k, span in enumerate(order):
        before, chosen = best[bisect_right(ends, span.first, 0, k)]
        total = before + span.worth
        best.append((total, [*chosen, span]) if total > best[k][0] else best[k])
    return best[-1][1]


_STATEMENTS = 25  # of each entity and side
_PROMINENT = 0.02  # share of a graph's statements that makes an entity as prominent as any
_LEAST, _MOST = 20, 1000  # statements that this share is between
_RELATED = 0.6  # from which on a word of the question means one of a relation
_ASKED = 40  # entities
_LETTERS = 200  # of a literal


def _prominences(graph: Graph, ids: Sequence[str]) -> dict[str, float]:
    """How prominent entities are, 0 to 1, growing with the logarithm of their number of statements.

    Where the graph has no adjacency of them at hand, the first 40 are judged by at most 25 statements of each side.
    """
    subgraph = graph.subgraph(ids, 0)
    degrees: dict[str, int] = {}
    for identifier in ids:
        number = subgraph.index(identifier)
        if number is not None:
            sides = (subgraph.outgoing.indptr, subgraph.incoming.indptr)
            degrees[identifier] = sum(int(start[number + 1] - start[number]) for start in sides)
    unknown = [identifier for identifier in ids if not degrees.get(identifier)][:_ASKED]
    if unknown:
        statements = graph.statements(unknown, limit=_STATEMENTS)
        degrees.update((identifier, len(near)) for identifier, near in zip(unknown, statements, strict=True))
    most = min(max(_PROMINENT * subgraph.n_statements, _LEAST), _MOST) if not unknown else 2 * _STATEMENTS
    return {identifier: min(math.log1p(degrees.get(identifier, 0)) / math.log1p(most), 1.0) for identifier in ids}


def _contexts(graph: Graph, ids: Sequence[str], words: Iterable[str]) -> dict[str, float]:
    """The share of the information of lower-cased words that is also told around each entity, 0 to 1.

    Around it: its description, relations and neighbours, of at most 25 statements of each side.
    """
    weights = {word: information(word) for word in words if word not in FUNCTION_WORDS}
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(ids, 0.0)
    lexicon = get_lexicon()
    base = {word: lexicon.lemmas(word) or (word,) for word in weights}
    contexts: dict[str, float] = {}
    for identifier, statements in zip(ids, graph.statements(ids, limit=_STATEMENTS), strict=True):
        relations = {statement.relation for statement in statements}
        related = {word for r in relations for word in relation_text(r.label or r.id).split()} - FUNCTION_WORDS
        nodes = {s.object if s.subject.id == identifier else s.subject for s in statements}
        texts = [(node.label or "") if isinstance(node, Entity) else node.value[:_LETTERS] for node in nodes]
        around = {
            lemma for text in texts for word in normalise(text).split() for lemma in lexicon.lemmas(word) or (word,)
        }
        shares = 0.0
        for word, weight in weights.items():
            meant = max((lexicon.relatedness(word, other) for other in related), default=0.0)
            shares += weight * max(meant if meant >= _RELATED else 0.0, float(not around.isdisjoint(base[word])))
        contexts[identifier] = shares / total
    return contexts
