"""From what the model chose to a proof: every value and every comparison is computed from the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toulmin.errors import InputError
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key
from toulmin.graph.values import time_of
from toulmin.methods.fidelis.guided.asking import Decision, Ruling
from toulmin.methods.fidelis.guided.trails import Trail
from toulmin.methods.fidelis.guided.wording import Listed, relation_words
from toulmin.methods.fidelis.starts import Start, link_of
from toulmin.proof.axioms.language import axiom_in_words
from toulmin.proof.axioms.reasoning import Reasoner, conclude
from toulmin.proof.axioms.replies import ClauseJudgement, GroundingReply
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Proof
from toulmin.proof.operators.chosen import Among, Exists
from toulmin.proof.operators.paths import PathEnds, walk
from toulmin.proof.operators.sets import Count, Sets
from toulmin.proof.operators.times import RestrictTime
from toulmin.proof.operators.values import Compare, Extreme

__all__ = ["Computed", "Concluder"]

_CITED = 40  # statements that a judgement may cite
_SHOWN_ENDS = 5  # ends of a path whose statements a judgement cites
_SIGNS = {"<", "≤", ">", "≥", "=", "≠"}
_STARTS = ("start", "from", "since", "begin", "inception")
_ENDS = ("end", "to", "until", "dissol", "abolish")


@dataclass(frozen=True, slots=True)
class Computed:
    """A step that yields the answer, and what of the decision could not be computed.

    Args:
        unmet: in words, for the trace.
    """

    step: str
    unmet: tuple[str, ...] = ()


class Concluder:
    """Puts decisions into steps of a proof.

    Args:
        builder: of this question's proof.
        starts: every linked entity that a step may name.
    """

    def __init__(self, builder: ProofBuilder, subgraph: Subgraph, starts: Sequence[Start]) -> None:
        self.builder, self._subgraph, self._starts = builder, subgraph, tuple(starts)

    def link(self, start: Start) -> str:
        """The step that links a start."""
        return link_of(self.builder, start)

    def ends(self, trail: Trail) -> str | None:
        """What a trail leads to: of unit "entity" its last entity; None where that is nothing."""
        step = self._every_end(trail)
        return self._own_end(step, trail) if step else None

    def _own_end(self, step: str, trail: Trail) -> str | None:
        """Of the values of a step that one where a trail of unit "entity" ends; of another trail all."""
        if not trail.nodes:
            return step
        own = node_key(self._subgraph.node(trail.nodes[-1]))
        values = self.builder.steps[step].yields().values  # type: ignore[union-attr]
        kept = tuple(value for value in values if node_key(value) == own)
        if not kept:
            return None
        return step if len(kept) == len(values) else self._add("among", Among(of=step, keep=kept))

    def _every_end(self, trail: Trail) -> str | None:
        """The computation of everything that a trail's relations lead to; None where that is nothing."""
        arguments = PathEnds(start=(self.link(trail.start),), pattern=trail.pattern(self._subgraph), no_return=True)
        output = self.builder.evaluate("path_ends", arguments)
        back = [end for end in output.values if isinstance(end, Entity) and end.id == trail.start.entity.id]
        if back and len(back) < len(output.values):
            arguments = arguments.model_copy(update={"exclude_start": True})
            output = self.builder.evaluate("path_ends", arguments)
        return self.builder.add_computation("path_ends", arguments, output) if output.values else None

    def values(self, decision: Decision, shown: Listed, *, count: bool = False) -> Computed | None:
        """The answer set of a decision; None where it is empty. What cannot be computed is left out, and said.

        Args:
            count: whether the number of values is asked for.
        """
        unmet: list[str] = []
        found = [(shown.trails[at], step) for at in decision.paths if (step := self._every_end(shown.trails[at]))]
        if decision.window != (None, None):
            found = [(trail, self._within(step, trail, decision.window, unmet)) for trail, step in found]
        found = [(trail, own) for trail, step in found if (own := self._own_end(step, trail))]
        if not found:
            return None
        step = self._together([step for _, step in found], every=decision.every)
        if decision.values or decision.without:
            step = self._chosen(step, decision, shown, unmet)
        if decision.pick != "all":
            step = self._extreme(step, [trail for trail, _ in found], decision, shown, unmet)
        if count:
            step = self.counted(step)
        return Computed(step, tuple(unmet)) if self._yields(step) else None

    def compared(self, left: Trail, sign: str, right: Trail) -> str | None:
        """The comparison of the one value of each trail; None where it cannot be made or stays unknown."""
        sides = [self.ends(left), self.ends(right)]
        if sign not in _SIGNS or None in sides:
            return None
        arguments = Compare(op=sign, left=str(sides[0]), right=str(sides[1]))  # type: ignore[arg-type]
        try:
            output = self.builder.evaluate("compare", arguments)
        except InputError:  # more than one value on a side
            return None
        return None if output.verdict is None else self.builder.add_computation("compare", arguments, output)

    def reaches(self, trail: Trail, node: int) -> str | None:
        """That a trail leads to an entity which the question names; None where it names none, or it does not."""
        value = self._subgraph.node(node)
        asked = next((one for one in self._starts if isinstance(value, Entity) and one.entity.id == value.id), None)
        ends = self.ends(trail) if asked is not None else None
        if asked is None or ends is None:
            return None
        both = self._add("intersection", Sets(of=(ends, self.link(asked))))
        return self._add("exists", Exists(of=both)) if self._yields(both) else None

    def judged(self, statement: str, ruling: Ruling, trails: Sequence[Trail], *, by: str) -> Proof:
        """The proof of a verdict that is the model's word over the statements of paths, by a rule that is shown."""
        facts = [fact for trail in trails for fact in self._statements(trail)]
        cited = list({fact.id: fact for fact in facts}.values())[:_CITED]
        reasoner = Reasoner(axiom_in_words(ruling.thought or statement, (statement,)), by)
        if cited:
            numbers = tuple(range(1, len(cited) + 1))
            said = ClauseJudgement(clause="c1", decision=ruling.verdict, statements=numbers)
            reasoner.ground(GroundingReply(judgements=(said,)), cited)
        return conclude(self.builder, reasoner.evaluate(self.builder), by=by, score=1.0)

    def _statements(self, trail: Trail) -> list[Statement]:
        """The statements of paths along a trail, to its first ends."""
        hops = trail.pattern(self._subgraph)
        arguments = PathEnds(start=(self.link(trail.start),), pattern=hops, no_return=True)
        walked = walk(arguments, self.builder.steps, self.builder.graph)
        own = node_key(self._subgraph.node(trail.nodes[-1])) if trail.nodes else None
        ends = [end for end in walked.ends if own is None or node_key(end) == own]
        return [one for end in ends[:_SHOWN_ENDS] for one in walked.path_to(end).statements]

    def noted(self, trails: Iterable[Trail]) -> dict[tuple[Trail, int], str]:
        """What qualifiers say of when a value holds: ``1947 to 1964``."""
        notes: dict[tuple[Trail, int], str] = {}
        for trail in trails:
            for statement, node in self._last(trail):
                said = [(one.relation, one.value) for one in statement.qualifiers if _is_time(one.value)]
                number = self._number(node)
                if said and number is not None:
                    note = " ".join(f"{_role(relation)} {value.value}" for relation, value in said)  # type: ignore[union-attr]
                    notes[trail, number] = note
        return notes

    def _number(self, node: Node) -> int | None:
        return self._subgraph.index(node.id) if isinstance(node, Entity) else None

    def _last(self, trail: Trail) -> list[tuple[Statement, Node]]:
        """The last statements of a trail with where they lead."""
        hops = trail.pattern(self._subgraph)
        arguments = PathEnds(start=(self.link(trail.start),), pattern=hops, no_return=True)
        walked = walk(arguments, self.builder.steps, self.builder.graph)
        return [(arrival.statement, arrival.node) for some in walked.levels[-1].values() for arrival in some]

    def _within(self, step: str, trail: Trail, window: tuple[str | None, str | None], unmet: list[str]) -> str:
        """The values that held in a window of years, where the statements say when they hold."""
        roles: dict[str, dict[str, Relation]] = {"start": {}, "end": {}, "point": {}}
        for statement, _ in self._last(trail):
            for one in statement.qualifiers:
                if _is_time(one.value):
                    roles[_kind(one.relation)][one.relation.id] = one.relation
        bounds = [_year(year) for year in window]
        arguments = RestrictTime(
            of=step,
            first=bounds[0],
            last=bounds[1],
            starts=tuple(roles["start"].values()),
            ends=tuple(roles["end"].values()),
            points=tuple(roles["point"].values()),
        )
        if any(roles.values()) and self.builder.evaluate("restrict_time", arguments).values:
            return self._add("restrict_time", arguments)
        unmet.append("the graph does not say when these held, so that the time asked for selects nothing")
        return step

    def _together(self, steps: Sequence[str], *, every: bool) -> str:
        distinct = tuple(dict.fromkeys(steps))
        if len(distinct) == 1:
            return distinct[0]
        return self._add("intersection" if every else "union", Sets(of=distinct))

    def _chosen(self, step: str, decision: Decision, shown: Listed, unmet: list[str]) -> str:
        """Those of a step's values that the model chose, or did not leave out, by their numbers."""
        known = {node_key(value): value for value in self.builder.steps[step].yields().values}  # type: ignore[union-attr]
        named, left_out = (
            {node_key(node) for node in self._subgraph.nodes([shown.values[at][1] for at in numbers])}
            for numbers in (decision.values, decision.without)
        )
        wanted = (named or known.keys()) - left_out
        kept = {key: node for key, node in known.items() if key in wanted}
        if not kept:
            unmet.append("none of the chosen values is one that the chosen paths lead to, so that all are kept")
        if not kept or len(kept) == len(known):
            return step
        return self._add("among", Among(of=step, keep=tuple(kept.values())))

    def _extreme(self, step: str, trails: Sequence[Trail], decision: Decision, shown: Listed, unmet: list[str]) -> str:
        by: Relation | None = None
        if decision.by is not None:
            longer = shown.trails[decision.by]
            hops = longer.pattern(self._subgraph)
            beyond = [
                hops[-1].relation
                for trail in trails
                if longer.extends(trail) and len(hops) == len(trail.pattern(self._subgraph)) + 1
            ]
            if not beyond or hops[-1].direction != "forward":
                unmet.append("the path to compare by does not go on from a chosen one by one relation")
                return step
            by = beyond[0]
        made = self._add_if_any(decision.pick, Extreme(of=step, by=by))
        if made is None:
            unmet.append(f"nothing in the graph tells which is {decision.pick}")
        return made or step

    def counted(self, step: str) -> str:
        """The number of values; a single quantity is a number already."""
        output = self.builder.steps[step].yields()
        values = output.values if output else ()
        if len(values) == 1 and isinstance(values[0], Literal) and values[0].kind == "quantity":
            return step
        return self._add("count", Count(of=step))

    def _yields(self, step: str) -> bool:
        output = self.builder.steps[step].yields()
        return output is not None and (bool(output.values) or output.verdict is not None)

    def _add(self, operator: str, arguments: Sets | Among | Count | RestrictTime | Exists) -> str:
        return self.builder.add_computation(operator, arguments)

    def _add_if_any(self, operator: str, arguments: Extreme) -> str | None:
        output = self.builder.evaluate(operator, arguments)
        return self.builder.add_computation(operator, arguments, output) if output.values else None


def _is_time(node: Node) -> bool:
    return isinstance(node, Literal) and node.kind == "time" and time_of(node) is not None


def _kind(relation: Relation) -> str:
    words = relation_words(relation).lower().split()
    if any(word.startswith(_STARTS) for word in words):
        return "start"
    return "end" if any(word.startswith(_ENDS) for word in words) else "point"


def _role(relation: Relation) -> str:
    return {"start": "from", "end": "to", "point": "in"}[_kind(relation)]


def _year(text: str | None) -> Literal | None:
    if text is None:
        return None
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return Literal(f"{sign}{int(digits):04d}", "time")
