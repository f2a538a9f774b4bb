"""The method: link, search from each likely start, take the best relation path, and prove its whole answer set."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal
from toulmin.methods.fidelis.calibration import CALIBRATION, Signals
from toulmin.methods.fidelis.choosing import choose
from toulmin.methods.fidelis.grammar import Marked, politeness_blanked
from toulmin.methods.fidelis.joining import meeting
from toulmin.methods.fidelis.label_roles import phrased
from toulmin.methods.fidelis.names import leftover, meant
from toulmin.methods.fidelis.options import Option, Unclear, directed, ends_of, labels_of
from toulmin.methods.fidelis.reading import read
from toulmin.methods.fidelis.search import RelationPath, search
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.starts import Start, likely_starts, link_of, told
from toulmin.methods.fidelis.unread import opposed, reason, unread
from toulmin.methods.protocol import Answered, Context, Event, Linked, Searched, WalkedPath
from toulmin.proof.answer import Answer, Usage, node_text
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Output, Proof
from toulmin.proof.operators.paths import Constraint, Hop, PathEnds
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import GraphSchema

__all__ = ["Fidelis"]

_TRIED = 12  # relation paths whose exact ends may be computed
_SHOWN = 5  # relation paths in an event
_TIE, _UNSURE = 0.05, 0.5  # below this margin the confidence is at most that


@dataclass(frozen=True, slots=True)
class _Found:
    """An option with its computation and the computed answer set."""

    option: Option
    arguments: PathEnds
    output: Output
    score: float


class Fidelis:
    """FiDeLiS without a language model: the words of the question are aligned with relation paths by embeddings.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name = "fidelis"

    def __init__(self, settings: Any = None) -> None:
        if settings is not None and not isinstance(settings, FidelisSettings):
            raise SettingsError(f"fidelis takes FidelisSettings, not {type(settings).__name__}")
        self.settings: FidelisSettings = settings or FidelisSettings()

    async def run(self, question: str, context: Context) -> AsyncIterator[Event]:
        """Answer a question: what was linked, the relation paths from each start, the answer."""
        began = time.perf_counter()
        retriever, builder = context.retriever, ProofBuilder(question, context.graph)
        mentions, lacking = meant(question, retriever.linker.link(question), retriever.lexicon)
        starts = likely_starts(mentions, self.settings)
        yield Linked(entities=tuple(told(start) for start in starts))
        asked = [word for word in unread(question, _spans(mentions), (), retriever.lexicon) if word.kind == "yes or no"]
        problem: str | None = None
        if asked:
            problem = reason(asked)
        elif lacking:
            problem = lacking[0].reason
        elif not starts:
            problem = "nothing in the question is the name of an entity of the graph"
        if problem is not None:
            yield Answered(answer=self._answer(builder, builder.abstain(problem), began))
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
        if unclear is not None and (left := _left(question, unclear, mentions, subgraph, retriever.lexicon)):
            yield Answered(answer=self._answer(builder, builder.abstain(reason(left)), began))
            return
        if unclear is not None:
            proof = self._undirected(builder, unclear, subgraph, schema, retriever.lexicon)
            yield Answered(answer=self._answer(builder, proof, began))
            return
        best = self._best(builder, options, subgraph)
        if best is None:
            problem = f"no statement leads on from {_name(starts[0].entity)}"
            yield Answered(answer=self._answer(builder, builder.abstain(problem, link_of(builder, starts[0])), began))
            return
        signals = _signals(best, options, subgraph)
        yield Answered(answer=self._conclude(builder, best, signals, retriever, mentions, began))

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

    def _best(self, builder: ProofBuilder, options: list[Option], subgraph: Subgraph) -> _Found | None:
        """The best option that has an answer set; one that only leads back to its start pays for it."""
        best: _Found | None = None
        for option in options:
            if best is not None and option.score <= best.score:
                break
            arguments = _arguments(builder, option, subgraph)
            output = builder.evaluate("path_ends", arguments)
            back = [end for end in output.values if isinstance(end, Entity) and end.id == option.start.entity.id]
            score = option.score
            if len(back) == len(output.values):
                score -= self.settings.loop if len(option.path.hops) > 1 else 0.0
            elif back:
                arguments = arguments.model_copy(update={"exclude_start": True})
                output = builder.evaluate("path_ends", arguments)
            if all(isinstance(end, Literal) and end.kind == "boolean" for end in output.values):
                continue  # a question for yes or no is refused, and another one is not answered by "true"
            if best is None or score > best.score:
                best = _Found(option, arguments, output, score)
        return best

    def _conclude(
        self,
        builder: ProofBuilder,
        best: _Found,
        signals: Signals,
        retriever: Retriever,
        mentions: Sequence[Mention],
        began: float,
    ) -> Answer:
        confidence = round(CALIBRATION.confidence(signals), 4)
        if signals.margin < _TIE or best.option.open:
            confidence = min(confidence, _UNSURE)
        computed = builder.add_computation("path_ends", best.arguments, best.output)
        judge = f"{self.name} with {retriever.embedder.name}"
        words = _unread(builder.question, best, mentions, retriever.lexicon)
        chosen, left = choose(builder, computed, best.arguments, best.output, words)
        problem = reason(left) if left else _unmet(builder.question, best, mentions, retriever.lexicon)
        if problem is not None:
            doubted = builder.add_reading(chosen, by=judge, score=best.score, decision="no")
            return self._answer(builder, builder.abstain(problem, doubted, chosen), began)
        if confidence < CALIBRATION.least(self.settings.refused):
            doubted = builder.add_reading(chosen, by=judge, score=best.score, decision="no")
            hops = " / ".join(hop.relation.label or hop.relation.id for hop in best.arguments.pattern)
            problem = (
                f"nothing that the graph says of {_name(best.option.start.entity)} is near enough to what is asked "
                f"(nearest: {hops}, confidence {confidence:.2f})"
            )
            return self._answer(builder, builder.abstain(problem, doubted, chosen, confidence=confidence), began)
        reading = builder.add_reading(chosen, by=judge, score=best.score)
        shown = builder.add_witnesses(chosen)
        return self._answer(builder, builder.conclude(chosen, reading, *shown, confidence=confidence), began)

    def _undirected(
        self, builder: ProofBuilder, unclear: Unclear, subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon
    ) -> Proof:
        """An abstention that names the readings of both directions, with what each leads to."""
        steps, told = [], []
        for option in (unclear.asked, unclear.reverse):
            arguments = _arguments(builder, option, subgraph)
            output = builder.evaluate("path_ends", arguments)
            if output.values:
                computed = builder.add_computation("path_ends", arguments, output)
                judge = f"{self.name} with {schema.embedder.name}"
                steps += [builder.add_reading(computed, by=judge, score=option.score, decision="no"), computed]
            told.append((_phrased(option, subgraph, lexicon), _listed(output)))
        (asked, found), (reverse, others) = told
        if unclear.open:
            reason = f"the question may ask for {asked} ({found}) or for {reverse} ({others}): say which"
        else:
            reason = f"the graph does not say {asked}; it says only {reverse}: {others}"
        return builder.abstain(reason, *(steps or [link_of(builder, unclear.asked.start)]))

    def _answer(self, builder: ProofBuilder, proof: Proof, began: float) -> Answer:
        return builder.answer(proof, method=self.name, usage=Usage(seconds=time.perf_counter() - began))


def _walked(path: RelationPath, subgraph: Subgraph) -> tuple[tuple[Any, str], ...]:
    return tuple(
        (subgraph.relations[relation], "backward" if backward else "forward") for relation, backward in path.relations
    )


def _phrased(option: Option, subgraph: Subgraph, lexicon: Lexicon) -> str:
    """What a path from a start gives, in words."""
    name = _name(option.start.entity)
    for label, (_, backward) in zip(labels_of(option, subgraph), option.path.relations, strict=True):
        name = phrased(label, name, backward, lexicon)
    return name


def _listed(output: Output) -> str:
    names = [node_text(value) for value in output.values[:_SHOWN]]
    more = len(output.values) - len(names)
    return (", ".join(names) + (f" and {more} more" if more > 0 else "")) if names else "nothing"


def _signals(best: _Found, options: list[Option], subgraph: Subgraph) -> Signals:
    """What the search says of its best option; other options that lead mostly to the same things are no rivals."""
    found, margin = ends_of(best.option, subgraph), 1.0
    for option in options:
        if option is not best.option and best.score - option.score < margin:
            others = ends_of(option, subgraph)
            if 2 * len(np.intersect1d(found, others)) < len(np.union1d(found, others)):
                margin = max(0.0, best.score - option.score)
                break  # options come best first
    return Signals(best.score, margin, best.option.path.whole)


def _arguments(builder: ProofBuilder, option: Option, subgraph: Subgraph) -> PathEnds:
    """What is computed for an option: all ends of its relation path, with its constraint."""
    pattern = tuple(
        Hop(relation=subgraph.relations[relation], direction="backward" if backward else "forward")
        for relation, backward in option.path.relations
    )
    constraints: tuple[Constraint, ...] = ()
    if option.joined is not None:
        other, (position, relation, is_subject) = option.joined
        constraint = Constraint(
            position=position,
            relation=subgraph.relations[relation],
            direction="backward" if is_subject else "forward",
            entity=link_of(builder, other),
        )
        constraints = (constraint,)
    start = (link_of(builder, option.start),)
    return PathEnds(start=start, pattern=pattern, no_return=True, constraints=constraints)


def _spans(mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Where mentions are, with the name that the graph has for each."""
    return [(mention.start, mention.end, mention.candidates[0].form) for mention in mentions]


def _labels(best: _Found) -> list[str]:
    relations = [hop.relation for hop in best.arguments.pattern]
    relations += [constraint.relation for constraint in best.arguments.constraints]
    return [relation.label or relation.id for relation in relations]


def _unread(question: str, best: _Found, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Marked]:
    """The words that the path does not read: its own mentions are read, and names of several words."""
    used = [best.option.start, *([best.option.joined[0]] if best.option.joined else [])]
    spans = [(start.mention.start, start.mention.end, start.candidate.form) for start in used]
    spans += _spans([one for one in mentions if one.candidates[0].how == "exact" and " " in one.text.strip()])
    return unread(question, spans, _labels(best), lexicon)


def _left(
    question: str, unclear: Unclear, mentions: Sequence[Mention], subgraph: Subgraph, lexicon: Lexicon
) -> list[Marked]:
    """The words that neither of two readings reads."""
    return unread(question, _spans(mentions), labels_of(unclear.asked, subgraph), lexicon)


def _unmet(question: str, best: _Found, mentions: Sequence[Mention], lexicon: Lexicon) -> str | None:
    """Why the path answers another question than was asked; None where nothing shows it."""
    labels = _labels(best)
    if (label := opposed(question, labels, lexicon)) is not None:
        return f"the nearest that the graph says is “{label}”, the opposite of what is asked"
    names = leftover(question, mentions, labels, best.output.values, lexicon)
    return f"the graph has no “{' '.join(names)}”" if names else None


def _name(entity: Entity) -> str:
    return entity.label or entity.id
