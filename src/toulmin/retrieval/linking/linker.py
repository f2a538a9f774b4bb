"""Entity linking: exact names first, then near ones, then shared words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph, LabelMatch
from toulmin.graph.types import Entity
from toulmin.retrieval.linking.cover import best_cover
from toulmin.retrieval.linking.mentions import Candidate, Mention
from toulmin.retrieval.linking.words import FUNCTION_WORDS, Word, case_of, information, is_number, words_of

__all__ = ["EntityLinker", "LinkingSettings"]


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """Settings of the linker.

    Args:
        max_words: words of the longest name looked for.
        max_candidates: candidates kept for a mention.
        max_searches: calls of ``graph.search`` for one question.
        near: least similarity of a near match.
        least_weight: mentions below this weight are kept only where there is no other.
    """

    max_words: int = 16
    max_candidates: int = 10
    max_searches: int = 3
    near: float = 0.75
    least_weight: float = 0.25


@dataclass(frozen=True, slots=True)
class _Span:
    first: int  # words
    last: int  # exclusive
    weight: float  # of the cover
    certainty: float  # 0 … 1


class EntityLinker:
    """Finds the entities that a question names.

    Args:
        graph: where they are looked up; one batch of exact forms, and few searches, for each question.
    """

    def __init__(self, graph: Graph, *, settings: LinkingSettings | None = None) -> None:
        self._graph = graph
        self._settings = settings or LinkingSettings()

    def link(self, question: str) -> tuple[Mention, ...]:
        """The mentions of a question in its order; empty where nothing in it is like a name of the graph."""
        words = words_of(question)
        if not words:
            return ()
        reading = _Reading(question, words, self._settings)
        forms = {(i, j): reading.text(i, j) for i, j in reading.spans()}
        distinct = list(dict.fromkeys(forms.values()))
        found = dict(zip(distinct, self._graph.lookup(distinct), strict=True))
        matches = [(i, j, match) for (i, j), form in forms.items() for match in found[form]]
        spans = reading.exact_spans(matches)
        for run in reading.unexplained(spans)[: self._settings.max_searches]:
            hits = self._graph.search(reading.text(*run), limit=self._settings.max_candidates)
            aligned = reading.align(run, hits)
            matches += aligned
            spans += reading.near_spans(aligned)
        chosen = reading.choose(spans)
        return self._mentions(reading, chosen, matches)

    def _mentions(
        self, reading: _Reading, chosen: Sequence[_Span], matches: Sequence[tuple[int, int, LabelMatch]]
    ) -> tuple[Mention, ...]:
        ranked: list[tuple[_Span, list[tuple[LabelMatch, Candidate]]]] = []
        for span in chosen:
            here = [match for i, j, match in matches if i < span.last and span.first < j]
            ranked.append((span, reading.rank(span, here, self._settings)))
        ids = list(dict.fromkeys(match.id for _, some in ranked for match, _ in some))
        known = {
            identifier: info.entity
            for identifier, info in zip(ids, self._graph.describe(ids), strict=True)
            if info is not None
        }
        mentions: list[Mention] = []
        for span, some in ranked:
            candidates = tuple(
                Candidate(known[match.id], candidate.form, candidate.score, candidate.how)
                for match, candidate in some
                if match.id in known
            )
            if candidates:
                start, end = reading.extent(span, candidates[0].form)
                text = reading.question[start:end]
                mentions.append(Mention(start, end, text, candidates, span.certainty))
        return tuple(mentions)


class _Reading:
    """A question as the linker sees it."""

    def __init__(self, question: str, words: list[Word], settings: LinkingSettings) -> None:
        self.question, self.words, self.settings = question, words, settings
        self.cased = any(word.text != word.text.lower() for word in words[1:])
        self.information = [information(word.lower) for word in words]
        self.function = [word.lower in FUNCTION_WORDS for word in words]
        self.norms = [normalise(word.text) for word in words]

    def text(self, first: int, last: int) -> str:
        """The words from ``first`` up to ``last`` (exclusive), as the question has them."""
        return self.question[self.words[first].start : self.words[last - 1].end]

    def spans(self) -> list[tuple[int, int]]:
        """All spans of words within the limit."""
        n = len(self.words)
        return [(i, j) for i in range(n) for j in range(i + 1, min(i + self.settings.max_words, n) + 1)]

    def _capital(self, first: int, last: int) -> bool:
        """Whether a word that does not begin the question has a capital."""
        return any(word.text != word.text.lower() for word in self.words[max(first, 1) : last])

    def _case_factor(self, first: int, last: int, form: str) -> float:
        case = case_of(self.text(first, last), form)
        content = last - first - sum(self.function[first:last])
        if not content:
            return 0.8 if case == "same" and self._capital(first, last) else 0.02
        if all(is_number(word.lower) for word in self.words[first:last]):
            return 0.4
        if case == "lowered":
            return 0.7 if not self.cased else 0.1 if content == 1 else 0.4
        if case == "same":
            return 1.0 if not self.cased or self._capital(first, last) else 0.6
        return 0.7

    def _span(self, first: int, last: int, factor: float) -> _Span:
        information = sum(self.information[first:last])
        weight = information * (1 + 0.3 * (last - first - 1)) * factor
        return _Span(first, last, weight, min(information, 1.0) * factor)

    def exact_spans(self, matches: Sequence[tuple[int, int, LabelMatch]]) -> list[_Span]:
        """The spans that are names."""
        factors: dict[tuple[int, int], float] = {}
        for i, j, match in matches:
            factors[i, j] = max(factors.get((i, j), 0.0), self._case_factor(i, j, match.form))
        return [self._span(i, j, factor) for (i, j), factor in factors.items()]

    def near_spans(self, matches: Sequence[tuple[int, int, LabelMatch]]) -> list[_Span]:
        """The spans that are like names."""
        spans = []
        for i, j, match in matches:
            alike = fuzz.ratio(normalise(self.text(i, j)), normalise(match.form)) / 100
            factor = self._case_factor(i, j, match.form) * (alike if alike >= self.settings.near else 0.5 * alike)
            spans.append(self._span(i, j, factor))
        return spans

    def unexplained(self, spans: Sequence[_Span]) -> list[tuple[int, int]]:
        """Runs of words that look like names and are not one name, the most telling first."""
        chosen = [span for span in self.choose(spans) if span.certainty >= self.settings.least_weight]
        covered = {(span.first, span.last) for span in chosen}
        taken = [False] * len(self.words)
        for span in chosen:
            taken[span.first : span.last] = [True] * (span.last - span.first)
        name = [self._looks_like_name(place) or taken[place] for place in range(len(self.words))]
        runs: list[tuple[int, int]] = []
        place = 0
        while place < len(name):
            if not name[place]:
                place += 1
                continue
            end = place + 1
            while end < len(name) and (name[end] or (self.cased and end + 1 < len(name) and self._joins(end, name))):
                end += 1
            if (place, end) not in covered and not all(taken[place:end]):
                runs.append((place, end))
            place = end
        if not runs and not chosen:
            content = [place for place, function in enumerate(self.function) if not function]
            if content:
                runs.append((content[0], content[-1] + 1))
        return sorted(runs, key=lambda run: -sum(self.information[run[0] : run[1]]))

    def _joins(self, place: int, name: Sequence[bool]) -> bool:
        return self.words[place].lower in {"of", "the", "and", "al", "de", "la"} and name[place + 1]

    def _looks_like_name(self, place: int) -> bool:
        if self.function[place]:
            return False
        return self._capital(place, place + 1) if self.cased else not is_number(self.words[place].lower)

    def align(self, run: tuple[int, int], hits: Sequence[LabelMatch]) -> list[tuple[int, int, LabelMatch]]:
        """Each hit with the words of the run that are most like it."""
        aligned: list[tuple[int, int, LabelMatch]] = []
        first, last = run
        windows = [(i, j) for i in range(first, last) for j in range(i + 1, min(i + 12, last) + 1)]
        texts = [" ".join(self.norms[i:j]) for i, j in windows]
        for hit in hits:
            norm = normalise(hit.form)
            scores = [fuzz.ratio(text, norm) for text in texts]
            best = max(range(len(windows)), key=scores.__getitem__)
            i, j = windows[best]
            if scores[best] / 100 >= self.settings.near or set(norm.split()) & set(self.norms[i:j]):
                aligned.append((i, j, hit))
        return aligned

    def choose(self, spans: Sequence[_Span]) -> list[_Span]:
        """The best spans that do not overlap, without the unlikely ones unless there is no other."""
        cover = [spans[place] for place in best_cover([(span.first, span.last, span.weight) for span in spans])]
        likely = [span for span in cover if span.certainty >= self.settings.least_weight]
        return likely or sorted(cover, key=lambda span: -span.certainty)[:1]

    def rank(
        self, span: _Span, matches: Sequence[LabelMatch], settings: LinkingSettings
    ) -> list[tuple[LabelMatch, Candidate]]:
        """The candidates of a span, best first."""
        text = self.text(span.first, span.last)
        norm = normalise(text)
        best: dict[str, tuple[tuple[float, ...], LabelMatch, Candidate]] = {}
        for place, match in enumerate(matches):
            form = normalise(match.form)
            entity = Entity(match.id)
            case = ("same", "other", "lowered").index(case_of(text, match.form))
            alike = fuzz.ratio(norm, form) / 100
            if form == norm:
                candidate = Candidate(entity, match.form, 1.0, "exact")
                key: tuple[float, ...] = (0, case, match.alias, place)
            elif alike >= settings.near:
                candidate = Candidate(entity, match.form, alike, "near")
                key = (1, -alike, case, match.alias, place)
            elif set(form.split()) & set(norm.split()):
                candidate = Candidate(entity, match.form, min(match.score, alike), "full text")
                key = (2, -candidate.score, case, match.alias, place)
            else:
                continue
            if match.id not in best or key < best[match.id][0]:
                best[match.id] = key, match, candidate
        ordered = sorted(best.values(), key=lambda found: found[0])
        return [(match, candidate) for _, match, candidate in ordered[: settings.max_candidates]]

    def extent(self, span: _Span, form: str) -> tuple[int, int]:
        """The characters of a span, with the punctuation around it that belongs to the name."""
        start, end = self.words[span.first].start, self.words[span.last - 1].end
        left = self.words[span.first - 1].end if span.first else 0
        right = self.words[span.last].start if span.last < len(self.words) else len(self.question)
        around = self.question[left:right]
        if len(around.lower()) == len(around):
            place = around.lower().find(form.lower())
            if place >= 0 and left + place <= start and left + place + len(form) >= end:
                return left + place, left + place + len(form)
        return start, end
