"""Without a language model: link, search from each likely start, take the best path and its whole answer set."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toulmin.english.lexicon import Lexicon
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Relation
from toulmin.methods.fidelis.question_words import read
from toulmin.methods.fidelis.search import RelationPath, search
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.starts import Start, likely_starts, link_of, told
from toulmin.methods.fidelis.walking import Hop, Meeting, Walk, end_set, is_start, walk
from toulmin.methods.fidelis.without_model.calibration import CALIBRATION, Signals
from toulmin.methods.fidelis.without_model.scored_paths import Option, Unclear, directed, ends_of, labels_of
from toulmin.methods.fidelis.without_model.second_mention import meeting
from toulmin.methods.fidelis.without_model.time_words import Found, choose
from toulmin.methods.protocol import Answered, Event, Linked, QuestionContext, Searched, WalkedPath
from toulmin.methods.question.grammar import Marked, politeness_blanked
from toulmin.methods.question.names import leftover, meant
from toulmin.methods.question.unread import opposed, reason, unread
from toulmin.methods.request import Request
from toulmin.program.answer import Usage, node_text
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

__all__ = ["EmbeddingFidelis"]

_TRIED = 12  # relation paths whose exact ends may be computed
_SHOWN = 5  # relation paths in an event
_TIE, _UNSURE = 0.05, 0.5  # below this margin the confidence is at most that


@dataclass(frozen=True, slots=True)
class _Best:
    """An option, and what it leads to."""

    option: Option
    found: Found
    score: float


class EmbeddingFidelis:
    """FiDeLiS without a language model: the words of the question are aligned with relation paths by embeddings."""

    name = "fidelis"

    def __init__(self, settings: FidelisSettings) -> None:
        self.settings = settings

    async def run(self, request: Request, context: QuestionContext) -> AsyncIterator[Event]:
        """Answer a question: what was linked, the relation paths from each start, the answer."""
        question = request.question
        asked = _Asked(question, context)
        retriever, builder = context.retriever, asked.builder
        mentions, lacking = meant(question, retriever.linker.link(question), retriever.lexicon)
        starts = likely_starts(mentions, self.settings)
        yield Linked(entities=tuple(told(start) for start in starts))
        words = [word for word in unread(question, _spans(mentions), (), retriever.lexicon) if word.kind == "yes or no"]
        reasons: list[Reason] = []
        if words:
            reasons = [reason(words)]
        elif lacking:
            reasons = [_unnamed(builder, one.start, one.end, one.nearest) for one in lacking]
        elif not starts:
            reasons = [Unread(words=((0, len(question), "names nothing in the graph"),))]
        if reasons:
            yield asked.abstained(reasons)
            return
        subgraph, schema = retriever.around([start.entity.id for start in starts], self.settings.depth)
        options: list[Option] = []
        for start in starts:
            found = self._search(question, start, subgraph, schema, retriever.lexicon)
            yield Searched(
                start=start.entity,
                paths=tuple(WalkedPath(relations=_walked(path, subgraph), score=path.score) for path in found[:_SHOWN]),
            )
            options.extend(Option(start, path, path.score - start.doubt) for path in found)
        options = self._joined(options, starts, subgraph)
        options, unclear = directed(options, politeness_blanked(question), subgraph, schema, retriever.lexicon)
        if unclear is not None:
            left = unread(question, _spans(mentions), labels_of(unclear.asked, subgraph), retriever.lexicon)
            yield asked.abstained([reason(left)]) if left else _undirected(asked, unclear, subgraph)
            return
        best = self._best(builder, options, subgraph)
        if best is None:
            yield asked.abstained([Other(says=f"no statement leads on from {node_text(starts[0].entity)}")])
            return
        yield self._concluded(asked, best, _signals(best, options, subgraph), mentions)

    def _search(
        self, question: str, start: Start, subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon
    ) -> list[RelationPath]:
        number = subgraph.index(start.entity.id)
        if number is None:
            return []
        reading = read(politeness_blanked(question), start.mention.start, start.mention.end, lexicon)
        return search(subgraph, schema, lexicon, reading, number, self.settings)

    def _joined(self, options: list[Option], starts: list[Start], subgraph: Subgraph) -> list[Option]:
        """The best options, best first, those that a second mention constrains among them."""
        options = sorted(options, key=lambda option: -option.score)[:_TRIED]
        joined = []
        for option in options:
            number = subgraph.index(option.start.entity.id)
            for other in starts:
                apart = (
                    other.mention.end <= option.start.mention.start or option.start.mention.end <= other.mention.start
                )
                node = subgraph.index(other.entity.id)
                if apart and number is not None and node is not None and other.candidate.how == "exact":
                    met = meeting(subgraph, number, option.path.relations, node)
                    if met is not None:
                        score = option.score + self.settings.joined
                        joined.append(Option(option.start, option.path, score, (other, met)))
        return sorted([*options, *joined], key=lambda option: -option.score)

    def _best(self, builder: Builder, options: list[Option], subgraph: Subgraph) -> _Best | None:
        """The best option that leads anywhere; one that only leads back to its start pays for it."""
        best: _Best | None = None
        for option in options:
            if best is not None and option.score <= best.score:
                break
            path = _path(builder, option, subgraph)
            place, ends = end_set(builder, walk(builder, path), path.start)
            if all(isinstance(end, Literal) and end.kind == "boolean" for end in ends):
                continue  # a question for yes or no is refused, and another one is not answered by "true"
            loops = len(option.path.hops) > 1 and all(is_start(builder, end, path.start) for end in ends)
            score = option.score - self.settings.loop * loops
            if best is None or score > best.score:
                best = _Best(option, Found(path, place, ends), score)
        return best

    def _concluded(self, asked: _Asked, best: _Best, signals: Signals, mentions: Sequence[Mention]) -> Answered:
        """The answer, or what stands against it."""
        builder, lexicon = asked.builder, asked.context.retriever.lexicon
        confidence = round(CALIBRATION.confidence(signals), 4)
        if signals.margin < _TIE or best.option.open:
            confidence = min(confidence, _UNSURE)
        chosen, left = choose(builder, best.found, _unread(builder.question, best, mentions, lexicon))
        reasons = [reason(left)] if left else _unmet(builder, chosen, best, mentions, lexicon)
        if reasons:
            return asked.abstained(reasons, tried=[chosen], score=best.score)
        needed = CALIBRATION.least(self.settings.refused)
        if confidence < needed:
            unsure = Unsure(of=chosen, score=confidence, needed=needed)
            return asked.abstained([unsure], tried=[chosen], score=best.score, confidence=confidence)
        return asked.answered(chosen, best.score, confidence)


class _Asked:
    """One question: its program, and the answers that are made of it."""

    def __init__(self, question: str, context: QuestionContext) -> None:
        self.context, self.builder = context, Builder(question, context.graph)
        self._began = time.perf_counter()

    def answered(self, place: int, score: float, confidence: float) -> Answered:
        """The answer that is what a node yields."""
        answer = self.builder.answer(
            place,
            by=self._judge,
            score=min(1.0, max(0.0, score)),
            method=EmbeddingFidelis.name,
            confidence=confidence,
            usage=self._usage,
        )
        return Answered(answer=answer)

    def abstained(
        self,
        reasons: Sequence[Reason],
        *,
        tried: Sequence[int] = (),
        score: float = 0.0,
        confidence: float | None = None,
    ) -> Answered:
        """An abstention; ``score`` is of the reading that was tried."""
        answer = self.builder.abstain(
            reasons,
            tried=tried,
            by=self._judge,
            score=min(1.0, max(0.0, score)),
            method=EmbeddingFidelis.name,
            confidence=confidence,
            usage=self._usage,
        )
        return Answered(answer=answer)

    @property
    def _judge(self) -> str:
        return f"{EmbeddingFidelis.name} with {self.context.retriever.embedder.name}"

    @property
    def _usage(self) -> Usage:
        return Usage(seconds=time.perf_counter() - self._began)


def _walked(path: RelationPath, subgraph: Subgraph) -> tuple[tuple[Any, str], ...]:
    return tuple(
        (subgraph.relations[relation], "backward" if backward else "forward") for relation, backward in path.relations
    )


def _undirected(asked: _Asked, unclear: Unclear, subgraph: Subgraph) -> Answered:
    """An abstention that names the readings of both directions."""
    builder = asked.builder
    paths = [_path(builder, option, subgraph) for option in (unclear.asked, unclear.reverse)]
    (one, ends), (other, _) = [end_set(builder, walk(builder, path), path.start) for path in paths]
    if unclear.open or ends:
        return asked.abstained([Direction_(of=(one, other))], tried=[one, other], score=unclear.asked.score)
    return asked.abstained([Nothing(of=one), Reverse(of=other)], score=unclear.asked.score)


def _signals(best: _Best, options: list[Option], subgraph: Subgraph) -> Signals:
    """What the search says of its best option; other options that lead mostly to the same things are no rivals."""
    found, margin = ends_of(best.option, subgraph), 1.0
    for option in options:
        if option is not best.option and best.score - option.score < margin:
            others = ends_of(option, subgraph)
            if 2 * len(np.intersect1d(found, others)) < len(np.union1d(found, others)):
                margin = max(0.0, best.score - option.score)
                break  # options come best first
    return Signals(best.score, margin, best.option.path.whole)


def _path(builder: Builder, option: Option, subgraph: Subgraph) -> Walk:
    """The path of an option, with its constraint."""

    def hop(relation: int, backward: bool) -> Hop:
        return Hop(subgraph.relations[relation], "backward" if backward else "forward")

    meeting: Meeting | None = None
    if option.joined is not None:
        other, (position, relation, is_subject) = option.joined
        meeting = Meeting(position, hop(relation, is_subject), link_of(builder, other))
    hops = tuple(hop(relation, backward) for relation, backward in option.path.relations)
    return Walk(link_of(builder, option.start), hops, meeting)


def _spans(mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Where mentions are, with the name that the graph has for each."""
    return [(mention.start, mention.end, mention.candidates[0].form) for mention in mentions]


def _relations(best: _Best) -> list[Relation]:
    walked = best.found.walk
    return [*(hop.relation for hop in walked.hops), *([walked.meeting.hop.relation] if walked.meeting else [])]


def _labels(best: _Best) -> list[str]:
    return [relation.label or relation.id for relation in _relations(best)]


def _unread(question: str, best: _Best, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Marked]:
    """The words that the path does not read: its own mentions are read, and names of several words."""
    used = [best.option.start, *([best.option.joined[0]] if best.option.joined else [])]
    spans = [(start.mention.start, start.mention.end, start.candidate.form) for start in used]
    spans += _spans([one for one in mentions if one.candidates[0].how == "exact" and " " in one.text.strip()])
    return unread(question, spans, _labels(best), lexicon)


def _unmet(builder: Builder, chosen: int, best: _Best, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Reason]:
    """Why the path answers another question than was asked; none where nothing shows it."""
    question, labels = builder.question, _labels(best)
    if (label := opposed(question, labels, lexicon)) is not None:
        return [Opposite(of=chosen, relation=_relations(best)[labels.index(label)].id)]
    names = leftover(question, mentions, labels, best.found.ends, lexicon)
    return [_unnamed(builder, start, end) for start, end in names]


def _unnamed(builder: Builder, start: int, end: int, nearest: Entity | None = None) -> Reason:
    """That words are not read which are a name: one that the graph lacks, or one that it has beside what was read."""
    if builder.is_named(builder.question[start:end]):
        return Unread(words=((start, end, "name"),))
    return Unnamed(words=(start, end), nearest=nearest.id if nearest else None)
