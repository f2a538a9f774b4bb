"""Reads a question over a graph: the logical forms that it may mean, how likely each is, and what each yields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from toulmin.errors import InputError
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Side
from toulmin.graph.relation_forms import relation_forms
from toulmin.graph.times import literal_interval
from toulmin.graph.types import Entity, Literal, Node, node_key
from toulmin.methods.reader.completeness import SINGLE_TIME, Completeness
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Calculated, Constant, Form, Join, chain
from toulmin.methods.reader.grammar import Grammar
from toulmin.methods.reader.mentions import QuestionParts, read_question
from toulmin.methods.reader.network import READ, ReadingNetwork
from toulmin.methods.reader.operators import shipped_operators
from toulmin.methods.reader.programs import place_of
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring, Weights
from toulmin.methods.reader.settings import ReaderSettings
from toulmin.methods.reader.utterances import utterance
from toulmin.program.builder import Builder
from toulmin.program.value import Nodes, Result, Rows
from toulmin.retrieval.retriever import Retriever

__all__ = [
    "QuestionReader",
    "Reading",
    "Readings",
    "candidates",
    "distinct_readings",
    "question_reader",
    "reading_features",
    "result_key",
    "values_of",
]

# On 793 questions of held-out worlds the first form is right as often as if all were read, for 57 % of the reading.
_FIRST, _SURE = 12, 2.5  # candidates that are read first; log odds of one of them above which no others are
_PAIR = 2  # hops that are worded as one, where a node without a name stands between
_PATHS = 8  # places of those that are read, a fifth at most, which paths of several hops have at least
_NOT_READ = -12.0  # the log odds that they get
_YIELDING = {"time": SINGLE_TIME, "noted": "number"}  # what may be yielded, before it is known
_UNLIKELY = 0.01  # probability below which no candidate is run, once there are two answers

_READERS: WeakKeyDictionary[Retriever, QuestionReader] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Reading:
    """A form that a question may mean.

    Args:
        probability: that the question means it and none of the other candidates.
        features: what speaks for it (``network.READ``).
        place: its node in the program; None: it was not run, or cannot be.
        result: what it yields.
        key: what that is compared by; None: it is no answer.
        complete: whether it leaves no word unread that restricts or names.
    """

    draft: Draft
    utterance: str
    probability: float
    features: tuple[float, ...] = ()
    place: int | None = None
    result: Result | None = None
    key: object = None
    complete: bool = False

    @property
    def form(self) -> Form:
        """The form."""
        return self.draft.form

    @property
    def answers(self) -> bool:
        """Whether what it yields can be an answer."""
        return self.key is not None


@dataclass(frozen=True)
class Readings:
    """What a question may mean, the likeliest first.

    Args:
        asked: its words.
        schema: what was known of the graph.
        scoring: what the words speak for.
        completeness: what a reading leaves unread.
    """

    asked: QuestionParts
    schema: ReaderSchema
    scoring: Scoring
    completeness: Completeness
    candidates: tuple[Reading, ...] = field(default=())


class QuestionReader:
    """Reads questions over one graph."""

    def __init__(self, retriever: Retriever) -> None:
        self._of = ref(retriever)  # weak: it is the key that ``_READERS`` keeps this reader under
        self._schema: ReaderSchema | None = None

    @property
    def _retriever(self) -> Retriever:
        retriever = self._of()
        assert retriever is not None  # noqa: S101  whoever asks holds it
        return retriever

    def schema_of(self, question: str) -> ReaderSchema:
        """Of a local graph the whole schema; of another that of what is around the entities that the question names."""
        if self._schema is not None:
            return self._schema
        retriever = self._retriever
        if isinstance(retriever.graph, LocalGraph):
            whole = retriever.subgraph([], 0)
            self._schema = ReaderSchema(whole, retriever.embedder, relation_forms(retriever.graph))
            return self._schema
        named = [mention.candidates[0].entity.id for mention in retriever.linker.link(question) if mention.candidates]
        return ReaderSchema(retriever.subgraph(named, 2), retriever.embedder)

    def _grammar(self, question: str, *, operators: bool = True) -> tuple[Grammar, Scoring]:
        """What a question may mean, and what its words speak for."""
        schema = self.schema_of(question)
        embedder = self._retriever.embedder
        asked = read_question(question, self._retriever.linker, schema, embedder)
        likely = shipped_operators().likely(asked.spelled) if operators else {}
        scoring = Scoring(asked, schema, embedder, likely, Weights())
        return Grammar(asked, schema, scoring), scoring

    def read(self, question: str, network: ReadingNetwork, settings: ReaderSettings) -> Readings:
        """The candidates of a question, not run yet."""
        grammar, scoring = self._grammar(question)
        asked, schema = grammar.asked, grammar.schema
        completeness = Completeness(scoring, self._retriever.lexicon)
        drafts = candidates(completeness.possible(grammar.drafts()), scoring, settings.read)
        features = reading_features(drafts, scoring, network, completeness)
        read = [
            Reading(draft, text, 0.0, tuple(row)) for (draft, text), row in zip(drafts, features.tolist(), strict=True)
        ]
        return Readings(asked, schema, scoring, completeness, _likeliest(read, network))

    @staticmethod
    def read_on(readings: Readings, network: ReadingNetwork) -> Readings:
        """The readings with the farther candidates read, too, which were not where one surely means the question."""
        unread = [candidate for candidate in readings.candidates if candidate.features[0] == _NOT_READ]
        if not unread:
            return readings
        odds = network.log_odds(readings.asked.spelled, [candidate.utterance for candidate in unread]).tolist()
        farther = [replace(c, features=(found, *c.features[1:])) for c, found in zip(unread, odds, strict=True)]
        first = [candidate for candidate in readings.candidates if candidate.features[0] != _NOT_READ]
        return replace(readings, candidates=_likeliest([*first, *farther], network))

    def paths(self, question: str, network: ReadingNetwork, count: int) -> list[tuple[Draft, float]]:
        """The relation paths from what a question names that lead anywhere, the likeliest first, with probabilities.

        Args:
            count: of them that are read, the nearest.
        """
        grammar, scoring = self._grammar(question, operators=False)
        drafts = [draft for draft in grammar.paths() if not draft.is_empty]
        order = np.argsort(-scoring.scores(drafts), kind="stable")[:count].tolist() if drafts else []
        texts = {place: utterance(drafts[place].form) for place in order}
        distinct = list(dict.fromkeys(texts.values()))
        likely = dict(zip(distinct, expit(network.log_odds(question, distinct)).tolist(), strict=True))
        read = [(drafts[place], likely[texts[place]]) for place in order]
        return sorted(read, key=lambda path: -path[1])

    def run(self, readings: Readings, builder: Builder, count: int) -> list[Reading]:
        """The likeliest candidates with what they yield, but for hopeless ones; no program can be made of some."""
        ran, answers = list[Reading](), set[object]()
        for candidate in readings.candidates:
            if len(ran) == count or (candidate.probability < _UNLIKELY and len(answers) > 1):
                break
            if (done := _ran(candidate, builder, readings.schema)) is not None:
                complete = readings.completeness.is_complete(done.draft, values_of(done))
                ran.append(replace(done, complete=complete))
                answers |= {done.key} if done.answers else set()
        return ran


def question_reader(retriever: Retriever) -> QuestionReader:
    """The one reader of a graph that is open."""
    return _READERS.setdefault(retriever, QuestionReader(retriever))


def _likeliest(read: Sequence[Reading], network: ReadingNetwork) -> tuple[Reading, ...]:
    """Readings with their probabilities beside one another, the likeliest first."""
    features = np.array([reading.features for reading in read]).reshape(len(read), len(READ))
    probabilities = network.probabilities(features).tolist()
    weighed = [replace(one, probability=share) for one, share in zip(read, probabilities, strict=True)]
    return tuple(sorted(weighed, key=lambda reading: -reading.probability))


def candidates(drafts: Sequence[Draft], scoring: Scoring, count: int) -> list[tuple[Draft, str]]:
    """The best drafts with their utterances; of drafts with the same utterance the best that yields anything.

    Some places are those of the best paths of several hops, which words speak for less than for what is near.
    """
    if not drafts:
        return []
    order = np.argsort(-scoring.scores(drafts), kind="stable").tolist()
    paths = set[str]()
    for place in order:
        if len(paths) == min(_PATHS, count // 5):
            break
        if _is_far(drafts[place]):
            paths.add(utterance(drafts[place].form))
    by_utterance: dict[str, Draft] = {}
    left = count - len(paths)
    for place in order:
        draft = drafts[place]
        if len(by_utterance) == count and draft.hops > _PAIR:
            continue  # what yields nothing, and what may speak for it, is worded as one hop
        text = utterance(draft.form)
        kept = by_utterance.get(text)
        if kept is None:
            if text in paths or left:
                by_utterance[text] = draft
                left -= text not in paths
        elif kept.is_empty and not draft.is_empty:
            by_utterance[text] = draft  # of two things of one name that of which the graph says it
        elif (both := _by_both(kept, draft)) is not None:
            by_utterance[text] = both
        if len(by_utterance) == count and not any(other.is_empty for other in by_utterance.values()):
            break
    return [(draft, text) for text, draft in by_utterance.items()]


def _is_far(draft: Draft) -> bool:
    """Whether it is a path of several hops from what is named."""
    return draft.hops > 1 and isinstance(draft.form, Join) and not draft.is_empty and chain(draft.form)[0] is not None


def _by_both(kept: Draft, draft: Draft) -> Draft | None:
    """What two relations of one name lead to from the same things; None where the drafts are not of two such."""
    form, other = kept.form, draft.form
    if not (isinstance(form, Join) and isinstance(other, Join)) or kept.nodes is None or draft.nodes is None:
        return None
    if (form.of, form.within, form.hop.backward) != (other.of, other.within, other.hop.backward) or draft.is_empty:
        return None
    ids = tuple(dict.fromkeys((*form.hop.ids, *other.hop.ids)))
    return kept.grown(replace(form, hop=replace(form.hop, ids=ids)), nodes=np.union1d(kept.nodes, draft.nodes))


def reading_features(
    drafts: Sequence[tuple[Draft, str]],
    scoring: Scoring,
    network: ReadingNetwork,
    completeness: Completeness,
) -> NDArray[np.float64]:
    """float64[n, len(READ)]: what speaks for each of the candidates, the nearest first, with their utterances."""
    if not drafts:
        return np.zeros((0, len(READ)))
    question, texts = scoring.asked.spelled, [text for _, text in drafts]
    others = [
        (
            len(completeness.names_left_out(draft)),
            sum(1 for _ in completeness.unread(draft, _YIELDING.get(draft.kind, draft.kind))),
            len(scoring.values_left_out(draft)),
            completeness.unasked_denials(draft),
        )
        for draft, _ in drafts
    ]
    read, worded = _log_odds(question, texts, network), scoring.features([draft for draft, _ in drafts])
    return np.column_stack([read, np.array(others), worded])


def _log_odds(question: str, texts: Sequence[str], network: ReadingNetwork) -> NDArray[np.float64]:
    """float64[n]: what the network says of each; the farther ones are not read where one of the first means it."""
    first = network.log_odds(question, texts[:_FIRST])
    further = texts[_FIRST:]
    sure = first.max() > _SURE
    return np.concatenate([first, np.full(len(further), _NOT_READ) if sure else network.log_odds(question, further)])


def _ran(candidate: Reading, builder: Builder, schema: ReaderSchema) -> Reading | None:
    """A candidate with what it yields; if that is no answer, on the assumption that the graph is complete.

    None: no program can be made of it, or it yields what the question names.
    """
    for assume in (False, True):
        trial = builder.fork()
        try:
            place = place_of(candidate.form, trial, schema.class_relations, schema.times, assume=assume)
            result = trial.value(place)
            if schema.has_nameless and isinstance(result, Nodes):
                named = trial.named(place)
                if len(trial.nodes(named)) < len(result):
                    place, result = named, trial.value(named)
        except InputError:
            continue
        key = result_key(result)
        if key is not None and (trial.static(place).kind == "named" or _negative(candidate.form, result)):
            return None  # what the question names is no answer
        if _is_its_name(candidate.form, result):
            return None
        if isinstance(result, Nodes) and _is_vaguer(candidate.form, result, builder):
            return None  # "in 1903" says nothing of a day in it
        if key is not None or assume:
            builder.adopt(trial)
            return replace(candidate, place=place, result=result, key=key)
    return None


def _is_vaguer(form: Form, result: Nodes, builder: Builder) -> bool:
    """Whether a statement that led to a result has only a time that holds the one asked for and more than it."""
    if not isinstance(form, Join) or form.within is None or not isinstance(form.of, Constant):
        return False
    begin, end = form.within
    asked = literal_interval(begin.node) if begin is not None and isinstance(begin.node, Literal) else None
    if begin != end or asked is None or not isinstance(form.of.node, Entity):
        return False
    side: Side = "incoming" if form.hop.backward else "outgoing"
    ends = {node_key(node) for node in result.nodes}
    for statement in builder.graph.statements([form.of.node.id], side=side, relations=form.hop.ids)[0]:
        if node_key(statement.subject if form.hop.backward else statement.object) in ends:
            for qualifier in statement.qualifiers:
                held = literal_interval(qualifier.value) if isinstance(qualifier.value, Literal) else None
                if held is not None and held.start < asked.end and asked.start < held.end:
                    return held.end - held.start > asked.end - asked.start
    return False


def _is_its_name(form: Form, result: Result | None) -> bool:
    """Whether it says of a thing no more than its name, as the column does that a table's rows are called by."""
    if not (isinstance(form, Join) and isinstance(form.of, Constant) and isinstance(result, Nodes)):
        return False
    texts = {node.value for node in result.nodes if isinstance(node, Literal)}
    return texts == {form.of.text} and len(result.nodes) == 1


def _negative(form: Form, result: Result | None) -> bool:
    """Whether a difference is negative: then the question asks for the one the other way round."""
    first = result.nodes[0] if isinstance(form, Calculated) and isinstance(result, Nodes) and len(result) else None
    return isinstance(first, Literal) and first.value.startswith("-")


def result_key(result: Result | None) -> object:
    """What a result is compared by; None: it is no answer. That "sponsored" is false is no other answer than no."""
    match result:
        case Nodes(nodes=(Literal(kind="boolean", value="true" | "false" as value),)):
            return value == "true"
        case Nodes():
            return tuple(sorted(map(node_key, result.nodes))) or None
        case Rows():
            return tuple(sorted(str(row) for row in result.rows)) or None
    return result if isinstance(result, bool) else None


def distinct_readings(ran: Sequence[Reading]) -> list[Reading]:
    """The readings with an answer, complete ones before others, the likeliest first.

    Of readings with the same answer there is one, with the probability of all of them; rather yes or no than a value.
    """
    kept: list[Reading] = []
    for reading in ran:
        if not reading.answers:
            continue
        same = next((place for place, other in enumerate(kept) if reading.key == other.key), None)
        if same is None:
            kept.append(reading)
            continue
        ranks = [(one.complete, isinstance(one.result, bool)) for one in (reading, kept[same])]
        first = reading if ranks[0] > ranks[1] else kept[same]
        kept[same] = replace(first, probability=kept[same].probability + reading.probability)
    return sorted(kept, key=lambda reading: (not reading.complete, -reading.probability))


def values_of(candidate: Reading) -> list[Node]:
    """The nodes that a candidate yields; of rows those of the first cells, of a truth yes or no."""
    match candidate.result:
        case Nodes():
            return list(candidate.result.nodes)
        case Rows():
            return [node for row in candidate.result.rows for node in row[0]]
        case bool():
            return [Literal("yes" if candidate.result else "no")]
    return []
