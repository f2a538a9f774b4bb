"""Without a language model: link, search from each likely start, take the best path and its whole answer set."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Relation
from toulmin.methods.fidelis.outward_words import read
from toulmin.methods.fidelis.search import AlignedPath, search
from toulmin.methods.fidelis.settings import WEIGHTS, FidelisSettings
from toulmin.methods.fidelis.starts import Start, add_link_step, likely_starts, linked
from toulmin.methods.fidelis.walking import (
    Constraint,
    Walk,
    directed_relations,
    end_set,
    is_start,
    walk,
    walked_path,
)
from toulmin.methods.fidelis.without_model.scored_paths import ScoredPath, UnclearDirection, constrained, directed
from toulmin.methods.fidelis.without_model.time_words import EndSet, restrict
from toulmin.methods.protocol import Emit, QuestionContext, Searched
from toulmin.methods.question.missing_names import named_mentions, unaccounted_names
from toulmin.methods.question.restrictions import Restriction, politeness_blanked
from toulmin.methods.question.unread_words import opposing_label, unread_reason, unread_words
from toulmin.program.answer import Answer, Usage, node_text
from toulmin.program.builder import Builder
from toulmin.program.reasons import (
    Direction_,
    Nothing,
    Opposite,
    Other,
    Reason,
    Reverse,
    Unnamed,
    Unread,
    Unsure,
)
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.schema import GraphSchema

__all__ = ["PathAnswerer", "Signals", "confidence", "least_confidence"]

_SHOWN = 5  # relation paths in an event
_TIE, _UNSURE = 0.05, 0.5  # below this margin the confidence is at most that
_MOST_LOGIT = 60.0  # beyond it the logistic function is 0 or 1 in double precision


@dataclass(frozen=True, slots=True)
class Signals:
    """What a search says of its best path.

    Args:
        score: of the path.
        margin: how much better it is than the best one that leads to something else, 0 to 1.
        whole: the cosine of the path's words and the question.
    """

    score: float
    margin: float
    whole: float


def confidence(signals: Signals) -> float:
    """The probability that an answer is right: one logistic function for every graph (``weights.toml``)."""
    logit = WEIGHTS.score * signals.score + WEIGHTS.margin * signals.margin + WEIGHTS.whole_path * signals.whole
    return float(1 / (1 + np.exp(-np.clip(logit + WEIGHTS.offset, -_MOST_LOGIT, _MOST_LOGIT))))


def least_confidence(share: float) -> float:
    """The confidence below which this share of the questions that the graph cannot answer lie; 0 for none of them."""
    deciles = np.arange(len(WEIGHTS.unanswerable)) / (len(WEIGHTS.unanswerable) - 1)
    return float(np.interp(share, deciles, WEIGHTS.unanswerable)) if share > 0 else 0.0


@dataclass(frozen=True, slots=True)
class _TriedPath:
    """A scored path with its end set.

    Args:
        builder: of a program that holds this path alone.
    """

    path: ScoredPath
    score: float
    builder: Builder
    ends: EndSet

    @property
    def relations(self) -> list[Relation]:
        """The relations of its hops, and of its constraint."""
        walked = self.ends.walk
        return [hop.relation for hop in (*walked.hops, *([walked.constraint.hop] if walked.constraint else []))]

    @property
    def labels(self) -> list[str]:
        """Their labels."""
        return [relation.label or relation.id for relation in self.relations]


class PathAnswerer:
    """Answers one question without a language model: its words are aligned with relation paths by embeddings.

    Only the path that is answered, or refused, stands in the question's program: each that is looked at is tried in a
    program of its own.
    """

    def __init__(self, method: str, question: str, settings: FidelisSettings, context: QuestionContext) -> None:
        self._began = time.perf_counter()
        self._method, self._question, self._settings, self._context = method, question, settings, context
        self._lexicon, self._builder = context.retriever.lexicon, Builder(question, context.graph)
        self._mentions, self._lacking = named_mentions(question, context.retriever.linker.link(question), self._lexicon)

    def answer(self, emit: Emit) -> Answer:
        """The answer, with what was linked and the relation paths from each start as events."""
        question, retriever = self._question, self._context.retriever
        starts = likely_starts(self._mentions, self._settings.starts)
        emit(linked(starts))
        if reasons := self._not_searched(starts):
            return self._abstained(reasons)
        subgraph, schema = retriever.around([start.entity.id for start in starts], self._settings.depth)
        paths: list[ScoredPath] = []
        for start in starts:
            aligned_paths = self._search(start, subgraph, schema)
            shown = tuple(
                walked_path(subgraph, path.aligned.slots, path.aligned.score) for path in aligned_paths[:_SHOWN]
            )
            emit(Searched(start=start.entity, paths=shown))
            paths += aligned_paths
        paths = constrained(paths, starts, subgraph)
        paths, unclear = directed(paths, politeness_blanked(question), subgraph, schema, self._lexicon)
        if unclear is not None:
            unread = unread_words(question, _spans(self._mentions), unclear.asked.labels(subgraph), self._lexicon)
            return self._abstained([unread_reason(unread)]) if unread else self._undirected(unclear, subgraph)
        best = self._best(paths, subgraph)
        if best is None:
            return self._abstained([Other(says=f"no statement leads on from {node_text(starts[0].entity)}")])
        return self._concluded(best, _signals(best, paths, subgraph))

    def _not_searched(self, starts: Sequence[Start]) -> list[Reason]:
        """Why no path is looked for; nothing where one is."""
        spans = _spans(self._mentions)
        words = [word for word in unread_words(self._question, spans, (), self._lexicon) if word.kind == "yes or no"]
        if words:
            return [unread_reason(words)]
        if self._lacking:
            return [self._unnamed(name.start, name.end, name.nearest) for name in self._lacking]
        return [] if starts else [Unread(words=((0, len(self._question), "names nothing in the graph"),))]

    def _search(self, start: Start, subgraph: Subgraph, schema: GraphSchema) -> list[ScoredPath]:
        origin = subgraph.index(start.entity.id)
        if origin is None:
            return []
        words = read(politeness_blanked(self._question), start.mention.start, start.mention.end, self._lexicon)
        paths: list[AlignedPath] = search(subgraph, schema, self._lexicon, words, origin, self._settings)
        return [ScoredPath(start, origin, path, path.score - start.doubt) for path in paths]

    def _best(self, paths: Sequence[ScoredPath], subgraph: Subgraph) -> _TriedPath | None:
        """The best path that leads anywhere; one that only leads back to its start pays for it."""
        best: _TriedPath | None = None
        for path in paths:
            if best is not None and path.score <= best.score:
                break
            builder, ends = self._ends(path, subgraph)
            if all(isinstance(end, Literal) and end.kind == "boolean" for end in ends.nodes):
                continue  # a question for yes or no is refused, and another one is not answered by "true"
            loops = len(path.aligned.hops) > 1 and all(is_start(builder, end, ends.walk.start) for end in ends.nodes)
            score = path.score - WEIGHTS.loop * loops
            if best is None or score > best.score:
                best = _TriedPath(path, score, builder, ends)
        return best

    def _ends(self, path: ScoredPath, subgraph: Subgraph) -> tuple[Builder, EndSet]:
        """A program of what a path leads to."""
        builder = Builder(self._question, self._context.graph)
        return builder, _add_path(builder, path, subgraph)

    def _concluded(self, best: _TriedPath, signals: Signals) -> Answer:
        """The answer of the best path; an abstention where words are left unread or the confidence is too low."""
        self._builder = best.builder
        sure = round(confidence(signals), 4)
        if signals.margin < _TIE or best.path.open:
            sure = min(sure, _UNSURE)
        place, unread = restrict(best.builder, best.ends, self._unread(best))
        score: dict[str, Any] = {"score": best.score}
        reasons = [unread_reason(unread)] if unread else self._unmet(place, best)
        if reasons:
            return self._abstained(reasons, tried=[place], **score)
        needed = least_confidence(self._settings.abstain_below)
        if sure < needed:
            unsure = Unsure(of=place, score=sure, needed=needed)
            return self._abstained([unsure], tried=[place], confidence=sure, **score)
        return self._builder.answer(place, confidence=sure, **self._common(best.score))

    def _unread(self, best: _TriedPath) -> list[Restriction]:
        """The words that the path does not read: its own mentions are read, and names of several words."""
        used = [best.path.start, *([best.path.second[0]] if best.path.second else [])]
        spans = [(start.mention.start, start.mention.end, start.candidate.form) for start in used]
        exact = [
            mention
            for mention in self._mentions
            if mention.candidates[0].how == "exact" and " " in mention.text.strip()
        ]
        return unread_words(self._question, [*spans, *_spans(exact)], best.labels, self._lexicon)

    def _unmet(self, place: int, best: _TriedPath) -> list[Reason]:
        """Why the path answers another question than was asked; none where nothing shows it."""
        labels = best.labels
        if (label := opposing_label(self._question, labels, self._lexicon)) is not None:
            return [Opposite(of=place, relation=best.relations[labels.index(label)].id)]
        names = unaccounted_names(self._question, self._mentions, labels, best.ends.nodes, self._lexicon)
        return [self._unnamed(start, end) for start, end in names]

    def _unnamed(self, start: int, end: int, nearest: Entity | None = None) -> Reason:
        """The reason that words are a name: one which the graph lacks, or which it has but the path does not read."""
        if self._builder.is_named(self._question[start:end]):
            return Unread(words=((start, end, "name"),))
        return Unnamed(words=(start, end), nearest=nearest.id if nearest else None)

    def _undirected(self, unclear: UnclearDirection, subgraph: Subgraph) -> Answer:
        """An abstention that names the readings of both directions."""
        asked, reverse = (_add_path(self._builder, path, subgraph) for path in (unclear.asked, unclear.reverse))
        score = unclear.asked.score
        if unclear.open or asked.nodes:
            both = asked.place, reverse.place
            return self._abstained([Direction_(of=both)], tried=both, score=score)
        return self._abstained([Nothing(of=asked.place), Reverse(of=reverse.place)], score=score)

    def _abstained(
        self,
        reasons: Sequence[Reason],
        *,
        tried: Sequence[int] = (),
        score: float = 0.0,
        confidence: float | None = None,
    ) -> Answer:
        """An abstention; ``score`` is of the reading that was tried."""
        return self._builder.abstain(reasons, tried=tried, confidence=confidence, **self._common(score))

    def _common(self, score: float) -> dict[str, Any]:
        """The fields of every answer on how it was made."""
        return {
            "by": f"{self._method} with {self._context.retriever.embedder.name}",
            "score": min(1.0, max(0.0, score)),
            "method": self._method,
            "usage": Usage(seconds=time.perf_counter() - self._began),
        }


def _add_path(builder: Builder, path: ScoredPath, subgraph: Subgraph) -> EndSet:
    """Put a path with its constraint into a program."""
    constraint: Constraint | None = None
    if path.second is not None:
        second, met = path.second
        (hop,) = directed_relations(subgraph, [met.slot])
        constraint = Constraint(met.position, hop, add_link_step(builder, second))
    hops = directed_relations(subgraph, path.aligned.slots)
    walked = Walk(add_link_step(builder, path.start), hops, constraint)
    return EndSet(walked, *end_set(builder, walk(builder, walked), walked.start))


def _signals(best: _TriedPath, paths: Sequence[ScoredPath], subgraph: Subgraph) -> Signals:
    """The signals of the best path; a path that leads mostly to the same nodes counts as no rival."""
    best_ends, margin = best.path.ends(subgraph), 1.0
    for path in paths:
        if path is not best.path and best.score - path.score < margin:
            rival_ends = path.ends(subgraph)
            if 2 * len(np.intersect1d(best_ends, rival_ends)) < len(np.union1d(best_ends, rival_ends)):
                margin = max(0.0, best.score - path.score)
                break  # paths come best first
    return Signals(best.score, margin, best.path.aligned.whole)


def _spans(mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Where mentions are, with the name that the graph has for each."""
    return [(mention.start, mention.end, mention.candidates[0].form) for mention in mentions]
