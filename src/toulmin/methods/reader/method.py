"""The method: what a question may mean is enumerated, read, run; the likeliest reading answers, or says why not."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import QUESTION_STOP_WORDS
from toulmin.errors import SettingsError
from toulmin.graph.types import Entity, Node
from toulmin.methods.protocol import Emit, Event, Linked, LinkedEntity, Method, QuestionContext
from toulmin.methods.question.restrictions import compares
from toulmin.methods.question.unread_words import unread_reason
from toulmin.methods.reader.forms import Constant, Join
from toulmin.methods.reader.mentions import QuestionParts
from toulmin.methods.reader.network import ReadingNetwork, confidence_features, shipped_network
from toulmin.methods.reader.programs import place_of
from toulmin.methods.reader.reading import Reading, Readings, distinct_readings, question_reader, values_of
from toulmin.methods.reader.settings import ReaderSettings
from toulmin.methods.request import Request
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing, Opposite, Other, Reason, Reverse, Unknown, Unnamed, Unread, Unsure

__all__ = ["Read", "Reader"]

_SHOWN = 6  # readings that the trace shows
_NEARLY = 0.85  # share of the likeliest probability from which on a reading answers for one that yields nothing
_VALUES = 5  # values of a reading that the trace shows
_LONGEST = 60  # characters of a value that the trace shows
_UNREAD = 0.35  # likeness to a part of the reading below which a word is not accounted for


class Read(Event):
    """What the question may mean, the likeliest first, with probabilities."""

    event: str = "read"
    readings: tuple[tuple[str, float], ...]


class Reader(Method):
    """Reads a question with a small network that ships, without a language model.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name: ClassVar[str] = "reader"
    title: ClassVar[str] = "Programs that the question may mean, enumerated by a grammar and read by a small network"
    source: ClassVar[str] = "ours; candidates beside canonical utterances as in Wang, Berant, Liang (2015)"
    needs_model = False
    settings: ReaderSettings

    @classmethod
    def forms(cls) -> Mapping[str, Any]:
        """One form, with the defaults."""
        return {"default": ReaderSettings()}

    def most_calls(self, options: int = 0) -> int | None:
        """None: no language model is asked."""
        return 0

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """The answer to a question.

        Raises:
            GraphError: the graph cannot be asked.
        """
        with _uncollected():
            return await asyncio.to_thread(self._answered, request.question, context, emit)

    def _answered(self, question: str, context: QuestionContext, emit: Emit) -> Answer:
        began = time.perf_counter()
        network = shipped_network(self.settings.threads)
        reader = question_reader(context.retriever)
        readings = reader.read(question, network, self.settings)
        emit(_linked(readings.asked))
        shown = readings.candidates[:_SHOWN]
        emit(Read(readings=tuple((reading.utterance, round(reading.probability, 4)) for reading in shown)))
        builder = Builder(question, context.graph)
        ran = reader.run(readings, builder, self.settings.run)
        if ran and not ran[0].complete and (all_read := reader.read_on(readings, network)) is not readings:
            readings, builder = all_read, Builder(question, context.graph)
            ran = reader.run(readings, builder, self.settings.run)
        return _Concluding(self.settings, builder, readings, ran, network, began).concluded()


class _Concluding:
    """What comes of the readings of one question."""

    def __init__(
        self,
        settings: ReaderSettings,
        builder: Builder,
        readings: Readings,
        ran: Sequence[Reading],
        network: ReadingNetwork,
        began: float,
    ) -> None:
        self._settings, self._builder, self._readings, self._ran = settings, builder, readings, ran
        self._network, self._by, self._began = network, f"{Reader.name} with {network.name}", began
        self._distinct = distinct_readings(ran)

    def concluded(self) -> Answer:
        """The likeliest reading's answer, or why there is none."""
        likeliest = self._ran[0] if self._ran else None
        if not self._readings.asked.content and not self._readings.asked.mentioned:
            return self._abstained([Other(says="no word of the question says what is asked for")], [], 0.0)
        if likeliest is None:
            named = [mention.named.text for mention in self._readings.asked.mentioned if mention.kind == "entity"]
            of = f"says of {', '.join(dict.fromkeys(named))}" if named else "has"
            return self._abstained([*self._unnamed(), Other(says=f"no reading fits what the graph {of}")][:1], [], 0.0)
        chosen = self._distinct[0] if self._distinct else None
        if chosen is None or (not likeliest.answers and chosen.probability < _NEARLY * likeliest.probability):
            assert likeliest.place is not None  # noqa: S101  what ran has a place
            if likeliest.probability < self._settings.abstain_below:
                return self._unsure(likeliest, likeliest.probability)
            truth = self._builder.static(likeliest.place).yields == "truth"
            reason: Reason = Unknown(of=likeliest.place) if truth else Nothing(of=likeliest.place)
            reasons = [*self._unnamed(), reason, *self._other_way_round(likeliest)]
            return self._abstained(reasons, [likeliest.place], likeliest.probability)
        confidence = self._network.confidence(confidence_features(chosen.probability, chosen.features))
        if self._settings.reading:
            return self._chosen_by_asker()
        if confidence < self._settings.abstain_below:  # then what the likeliest one leaves unread says more
            chosen = max(self._distinct, key=lambda reading: reading.probability)
        assert chosen.place is not None  # noqa: S101
        if unnamed := self._unnamed():
            return self._abstained(unnamed, [chosen.place], confidence)
        completeness, values = self._readings.completeness, values_of(chosen)
        if left := completeness.restricting(chosen.draft, values):
            return self._abstained([unread_reason(left)], [chosen.place], confidence)
        if spans := completeness.left_out(chosen.draft, values):
            words = tuple((start, end, "word") for start, end in spans)
            return self._abstained([Unread(words=words)], [chosen.place], confidence)
        if (relation := completeness.opposite(chosen.draft)) is not None:
            return self._abstained([Opposite(of=chosen.place, relation=relation)], [chosen.place], confidence)
        if confidence < self._settings.abstain_below:
            return self._unsure(chosen, confidence)
        return self._answer(chosen, self._by, chosen.probability, confidence)

    def _other_way_round(self, reading: Reading) -> list[Reason]:
        """That the graph says the relation of a path of one hop only the other way round."""
        form, schema = reading.form, self._readings.schema
        if not isinstance(form, Join) or not isinstance(form.of, Constant) or form.hop.near != form.hop.far:
            return []
        turned = place_of(Join(form.of, form.hop.turned()), self._builder, schema.class_relations, schema.times)
        return [Reverse(of=turned)] if self._builder.nodes(turned) else []

    def _unsure(self, chosen: Reading, confidence: float) -> Answer:
        assert chosen.place is not None  # noqa: S101  what ran has a place
        unsure = Unsure(of=chosen.place, score=round(confidence, 4), needed=self._settings.abstain_below)
        reasons = [*self._unnamed(), *self._unread(chosen), unsure]
        return self._abstained(reasons, [chosen.place], confidence)

    def _answer(self, chosen: Reading, by: str, score: float, confidence: float) -> Answer:
        assert chosen.place is not None  # noqa: S101
        return self._builder.answer(
            chosen.place,
            by=by,
            score=score,
            method=Reader.name,
            confidence=confidence,
            usage=self._usage,
            trace=self._trace,
        )

    def _words(self, chosen: Reading) -> list[list[object]]:
        """Where each word of content stands, and the part of the reading that accounts for it, "" where none does."""
        asked, scoring = self._readings.asked, self._readings.scoring
        return [
            [start, end, scoring.accounted(chosen.draft, place)]
            for place, (_, start, end) in enumerate(asked.words)
            if asked.content >> place & 1
        ]

    def _chosen_by_asker(self) -> Answer:
        number = self._settings.reading
        if not 1 <= number <= len(self._distinct):
            raise SettingsError(f"reading is {number}: this question has {len(self._distinct)} readings with an answer")
        return self._answer(self._distinct[number - 1], f"who asked, among readings of {self._by}", 1.0, 1.0)

    @property
    def _trace(self) -> dict[str, Any]:
        """The readings with an answer, each with its sentence, its probability, and the first values."""
        distinct = self._distinct[:_SHOWN]
        sentences = self._builder.sentences([reading.place for reading in distinct if reading.place is not None])
        near = self._settings.near * max((reading.probability for reading in distinct), default=0.0)
        return {
            "words": self._words(distinct[0]) if distinct else [],
            "readings": [
                {
                    "says": sentence,
                    "probability": round(reading.probability, 4),
                    "yields": list(map(_shown, values_of(reading)[:_VALUES])),
                    "of": len(values_of(reading)),
                    "near": reading.probability >= near,
                }
                for sentence, reading in zip(sentences, distinct, strict=True)
            ],
        }

    def _unread(self, chosen: Reading) -> list[Reason]:
        """The words of content that no part of the reading accounts for."""
        asked = self._readings.asked
        covered = self._readings.scoring.covered(chosen.draft)
        spans = [
            (start, end, "word")
            for place, (_, start, end) in enumerate(asked.words)
            if asked.content >> place & 1 and covered[place] < _UNREAD
        ]
        return [Unread(words=tuple(spans))] if spans else []

    def _unnamed(self) -> list[Reason]:
        """Names in the question that nothing in the graph has."""
        asked, reasons, held = self._readings.asked, list[Reason](), 0
        for missing in asked.lacking:
            span = (missing.start, missing.end)
            if not self._builder.is_named(asked.question[slice(*span)]) and not self._is_read(span):
                reasons.append(Unnamed(words=span, nearest=missing.nearest.id))
        for mention in asked.mentioned:
            held |= mention.mask
        place = 1
        while place < len(asked.words):
            last = place
            while last < len(asked.words) and self._is_name(last) and not held >> last & 1:
                last += 1
            if last > place:
                start, end = asked.words[place][1], asked.words[last - 1][2]
                if not self._builder.is_named(asked.question[start:end]):
                    reasons.append(Unnamed(words=(start, end)))
            place = max(last, place + 1)
        return reasons

    def _is_read(self, span: tuple[int, int]) -> bool:
        """Whether words are otherwise a text or value of the graph, or like a relation or class."""
        asked = self._readings.asked
        places = [n for n, (_, start, end) in enumerate(asked.words) if start < span[1] and end > span[0]]
        exact = [mention for mention in asked.mentioned if mention.score == 1]
        held = any(mention.mask >> place & 1 for mention in exact for place in places)
        words = (asked.words[place][0] for place in places)  # "oldest" is no part of a name
        known = map(self._readings.scoring.known, places)
        return held or all(like or compares(word, get_lexicon()) for like, word in zip(known, words, strict=True))

    def _is_name(self, place: int) -> bool:
        """Whether a word is written as a name is, where most others are not, and no relation or class is like it."""
        word = self._readings.asked.words[place][0]
        if word.lower() in QUESTION_STOP_WORDS:
            return False  # "To Par" is no name for its "To"
        return word[:1].isupper() and word[1:2].islower() and not self._readings.scoring.known(place)

    def _abstained(self, reasons: Sequence[Reason], tried: Sequence[int], score: float) -> Answer:
        return self._builder.abstain(
            reasons,
            tried=tried,
            by=self._by,
            score=min(1.0, max(0.0, score)),
            method=Reader.name,
            confidence=score,
            usage=self._usage,
            trace=self._trace,
        )

    @property
    def _usage(self) -> Usage:
        return Usage(seconds=time.perf_counter() - self._began)


@contextmanager
def _uncollected() -> Iterator[None]:
    """While a question is read, cycles are not looked for: among its thousands of forms that takes long for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _shown(node: Node) -> str:
    text = (node.label or node.id) if isinstance(node, Entity) else " ".join(filter(None, (node.value, node.unit)))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _linked(asked: QuestionParts) -> Linked:
    return Linked(
        entities=tuple(
            LinkedEntity(
                text=asked.question[slice(*mention.named.words)],
                start=mention.named.words[0],
                end=mention.named.words[1],
                entity=mention.named.node,  # type: ignore[arg-type]
                score=mention.score,
                how="exact" if mention.score == 1 else "near",
            )
            for mention in asked.mentioned
            if mention.kind == "entity" and mention.named.words is not None
        )
    )
