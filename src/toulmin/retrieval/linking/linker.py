"""Entity linking: exact names first, then near ones, then shared words, then vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.retrieval.linking.cover import best_cover
from toulmin.retrieval.linking.mentions import Candidate, How, Mention
from toulmin.retrieval.linking.profiles import Profile, profiles
from toulmin.retrieval.linking.reading import Reading
from toulmin.retrieval.linking.variants import variants
from toulmin.retrieval.linking.words import words_of
from toulmin.retrieval.vectors import StoredVectors, VectorIndex

__all__ = ["EntityLinker", "LinkingSettings"]


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """Settings of the linker.

    Args:
        max_words: words of the longest name looked for.
        max_candidates: candidates kept for a mention.
        max_searches: calls of ``graph.search``, and queries of the vector index, for one question.
        hits: results of one search.
        near: least similarity of spelling of a near match.
        least_weight: mentions below this weight are kept only where there is no other.
        length_bonus: how much each further word of a name adds to the weight of the others.
        prominence, context: what these add to a candidate, beside a quality of 1 for the same name.
        profiled: for how many candidates the graph is asked for statements.
    """

    max_words: int = 16
    max_candidates: int = 10
    max_searches: int = 3
    hits: int = 10
    near: float = 0.75
    least_weight: float = 0.25
    length_bonus: float = 0.3
    prominence: float = 0.5
    context: float = 0.3
    profiled: int = 40


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
    by_vector: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    first: int
    last: int
    weight: float


@dataclass
class _State:
    reading: Reading
    hits: list[_Hit] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)


class EntityLinker:
    """Finds the entities that a question names.

    Args:
        graph: where they are looked up: one batch of exact forms, and few searches, for each question.
        index: vectors of the graph, for names that share no word with the question's ("uk"); None: without.
    """

    def __init__(
        self, graph: Graph, *, index: VectorIndex | None = None, settings: LinkingSettings | None = None
    ) -> None:
        self._graph, self._index = graph, index
        self._settings = settings or LinkingSettings()

    def link(self, question: str) -> tuple[Mention, ...]:
        """The mentions of a question in its order; empty where nothing in it is like a name of the graph."""
        state = _State(Reading(question))
        if not state.reading.words:
            return ()
        state.hits += self._exact(state.reading)
        understood = self._choose(state)
        settled = not state.reading.cased and any(self._plain_exact(state, span) for span in understood)
        runs = state.reading.runs([(s.first, s.last) for s in understood], self._settings.max_searches)
        if not (runs or state.reading.cased or settled):
            runs = [(s.first, s.last) for s in understood][: self._settings.max_searches]
        for run in runs:
            state.hits += self._search(state.reading, run)
        if runs and self._index is not None:
            state.hits += self._nearest(state.reading, runs)
        if runs or self._ambiguous(state, understood):
            self._profile(state)
        return self._mentions(state, self._choose(state))

    def _exact(self, reading: Reading) -> Iterator[_Hit]:
        forms: dict[str, list[tuple[int, int]]] = {}
        for i, j in reading.spans(self._settings.max_words):
            forms.setdefault(reading.text(i, j), []).append((i, j))
        for place, word in enumerate(reading.words):
            if not reading.function[place]:
                for variant in variants(word.lower):
                    forms.setdefault(variant, []).append((place, place + 1))
        found = self._graph.lookup(list(forms))
        for (_, spans), matches in zip(forms.items(), found, strict=True):
            for place, match in enumerate(matches):
                for i, j in spans:
                    quality = fuzz.ratio(normalise(reading.text(i, j)), normalise(match.form)) / 100
                    yield _Hit(i, j, match.id, match.form, match.alias, quality, place)

    def _search(self, reading: Reading, run: tuple[int, int]) -> Iterator[_Hit]:
        for place, match in enumerate(self._graph.search(reading.text(*run), limit=self._settings.hits)):
            aligned = reading.align(run, match.form)
            if aligned is not None:
                yield _Hit(aligned.first, aligned.last, match.id, match.form, match.alias, aligned.quality, place)

    def _nearest(self, reading: Reading, runs: Sequence[tuple[int, int]]) -> Iterator[_Hit]:
        index = self._index
        if index is None or not (index.complete or isinstance(index, StoredVectors)):
            return
        subgraph = self._graph.subgraph([], 0)
        vectors = index.embedder.embed([reading.text(*run) for run in runs])
        for run, vector in zip(runs, vectors, strict=True):
            numbers, scores = index.nearest_entities(vector, self._settings.hits)
            nodes = zip(numbers.tolist(), subgraph.labels(numbers), scores.tolist(), strict=True)
            for place, (number, label, score) in enumerate(nodes):
                identifier = subgraph.tables.keys[number]
                yield _Hit(*run, identifier, label, False, max(score, 0.0), place, by_vector=True)

    def _plain_exact(self, state: _State, span: _Span) -> bool:
        text = state.reading.text(span.first, span.last)
        return any(
            (hit.first, hit.last) == (span.first, span.last) and _same_case(text, hit.form) for hit in state.hits
        )

    def _ambiguous(self, state: _State, spans: Sequence[_Span]) -> bool:
        """Whether several entities of one name in the same case stand for some span."""
        for span in spans:
            text = state.reading.text(span.first, span.last)
            here = {
                hit.id
                for hit in state.hits
                if (hit.first, hit.last) == (span.first, span.last) and _same_case(text, hit.form)
            }
            if len(here) > 1:
                return True
        return False

    def _profile(self, state: _State) -> None:
        ordered = sorted(state.hits, key=lambda hit: -self._strength(state, hit) * (hit.last - hit.first))
        ids = list(dict.fromkeys(hit.id for hit in ordered))[: self._settings.profiled]
        state.profiles.update(profiles(self._graph, ids))

    def _strength(self, state: _State, hit: _Hit) -> float:
        """How likely the words are meant for the entity, 0 to 1."""
        strength = state.reading.likelihood(hit.first, hit.last, hit.form) * hit.quality**2
        profile = state.profiles.get(hit.id)
        if profile is not None and not state.reading.cased:
            strength *= 0.5 + 0.5 * profile.prominence
        return strength

    def _choose(self, state: _State) -> list[_Span]:
        """The best spans that do not overlap, without the unlikely ones unless there is no other."""
        reading = state.reading
        strengths: dict[tuple[int, int], float] = {}
        for hit in state.hits:
            place = hit.first, hit.last
            strengths[place] = max(strengths.get(place, 0.0), self._strength(state, hit))
        spans = []
        for (first, last), strength in strengths.items():
            information = sum(reading.information[first:last])
            value = information * (1 + self._settings.length_bonus * (last - first - 1)) * strength
            spans.append((value, _Span(first, last, min(information, 1.0) * strength)))
        cover = [spans[place][1] for place in best_cover([(s.first, s.last, value) for value, s in spans])]
        likely = [span for span in cover if span.weight >= self._settings.least_weight]
        return likely or sorted(cover, key=lambda span: -span.weight)[:1]

    def _mentions(self, state: _State, chosen: Sequence[_Span]) -> tuple[Mention, ...]:
        ranked = [(span, self._rank(state, span)) for span in chosen]
        ids = list(dict.fromkeys(hit.id for _, some in ranked for hit, _, _ in some))
        known = {
            identifier: info.entity
            for identifier, info in zip(ids, self._graph.describe(ids), strict=True)
            if info is not None
        }
        mentions: list[Mention] = []
        for span, some in ranked:
            candidates = tuple(
                Candidate(known[hit.id], hit.form, score, how) for hit, score, how in some if hit.id in known
            )
            if candidates:
                start, end = _extent(state.reading, span, candidates[0].form)
                mentions.append(Mention(start, end, state.reading.question[start:end], candidates, span.weight))
        return tuple(mentions)

    def _rank(self, state: _State, span: _Span) -> list[tuple[_Hit, float, How]]:
        """What a span may stand for, best first, with score and how of each."""
        reading, settings = state.reading, self._settings
        text = reading.text(span.first, span.last)
        norm = normalise(text)
        others = [w.lower for place, w in enumerate(reading.words) if not span.first <= place < span.last]
        best: dict[str, tuple[tuple[float, ...], _Hit, float, How]] = {}
        for hit in state.hits:
            if hit.last <= span.first or span.last <= hit.first:
                continue
            form = normalise(hit.form)
            alike = fuzz.ratio(norm, form) / 100
            aligned = reading.align((span.first, span.last), hit.form)
            quality = aligned.quality if aligned else 0.0
            how: How
            if form == norm:
                score, how, quality = 1.0, "exact", 1.0 if _same_case(text, hit.form) else 0.9
            elif alike >= settings.near:
                score, how, quality = alike, "near", 0.9 * max(quality, alike * (hit.quality == alike))
            elif set(form.split()) & set(norm.split()):
                score, how, quality = quality, "full text", 0.9 * quality
            elif hit.by_vector:
                score, how, quality = hit.quality, "vector", 0.9 * hit.quality**2
            else:
                continue
            profile = state.profiles.get(hit.id)
            if profile is not None:
                quality += settings.context * profile.context(others)
                quality += settings.prominence * profile.prominence * (0.3 if reading.cased else 1.0)
            key = (-quality, hit.alias, hit.place)
            if hit.id not in best or key < best[hit.id][0]:
                best[hit.id] = key, hit, score, how
        ordered = sorted(best.values(), key=lambda found: found[0])[: settings.max_candidates]
        return [(hit, score, how) for _, hit, score, how in ordered]


def _same_case(span: str, form: str) -> bool:
    """Whether two spellings of a name have the same letters in the same case."""
    return [word.text for word in words_of(span)] == [word.text for word in words_of(form)]


def _extent(reading: Reading, span: _Span, form: str) -> tuple[int, int]:
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
    return start, end
