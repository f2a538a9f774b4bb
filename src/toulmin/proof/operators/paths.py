"""The operator that walks a pattern of relations: all nodes that it leads to, and a path to each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import Field, StrictBool, StrictInt, model_validator

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph, Side
from toulmin.graph.types import (
    Direction,
    Entity,
    Literal,
    Node,
    PathStep,
    ReasoningPath,
    Relation,
    Statement,
    node_key,
)
from toulmin.proof.model import Arguments, Fact, Frozen, Link, Output, Path, Step
from toulmin.proof.operators.nodes import machine_ids, ordered
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["PATH_ENDS", "Constraint", "Found", "Hop", "PathEnds", "Walk", "linked", "shows", "walk"]


class Hop(Frozen):
    """A relation walked forward (subject to object) or backward."""

    relation: Relation
    direction: Direction


class Constraint(Frozen):
    """Only paths count whose node at ``position`` (k: after k hops) has this statement with a link step's entity."""

    position: StrictInt = Field(ge=1)
    relation: Relation
    direction: Direction
    entity: str


class PathEnds(Arguments):
    """All distinct nodes at the end of any path of this pattern.

    Args:
        start: link steps; paths start at any of their entities.
        pattern: the hops. Nodes on the way are entities; machine-id nodes count like any other position.
        exclude_start: the start entities are no ends.
        no_return: no path goes straight back to the node it came from over the relation it came by ("films with the
            same director" does not mean the film itself).
        constraints: all must be met. A direction is seen from the constrained node.
    """

    start: tuple[str, ...] = Field(min_length=1)
    pattern: tuple[Hop, ...] = Field(min_length=1)
    exclude_start: StrictBool = False
    no_return: StrictBool = False
    constraints: tuple[Constraint, ...] = ()

    @model_validator(mode="after")
    def _within(self) -> PathEnds:
        if any(constraint.position > len(self.pattern) for constraint in self.constraints):
            raise ValueError("a constraint lies beyond the end of the pattern")
        return self

    def returning(self, position: int) -> bool:
        """Whether the hop at ``position`` (1 is the first) walks the relation before it back, and must not return."""
        if not self.no_return or position < 2:
            return False
        before, hop = self.pattern[position - 2], self.pattern[position - 1]
        return before.relation.id == hop.relation.id and before.direction != hop.direction

    def inputs(self) -> tuple[str, ...]:
        """The links of the starts and of the constraints."""
        return tuple(dict.fromkeys((*self.start, *(constraint.entity for constraint in self.constraints))))


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A node reached from an entity by a statement."""

    origin: str
    node: Node
    statement: Statement


@dataclass(frozen=True, slots=True)
class Found:
    """One path to an end, its statements, and (position, statement) for each constraint it meets."""

    path: ReasoningPath
    statements: tuple[Statement, ...]
    witnesses: tuple[tuple[int, Statement], ...]


@dataclass(slots=True)
class Walk:
    """Everything that a pattern reaches, level by level.

    Attributes:
        starts: start entities by id.
        levels: per hop, by key of the node reached, how it was reached; after the constraints at that position.
        met: per constraint, by node id, a statement that meets it.
        ends: the answer set, in its order.
    """

    arguments: PathEnds
    starts: dict[str, Entity]
    levels: list[dict[str, list[_Arrival]]] = field(default_factory=list)
    met: list[dict[str, Statement]] = field(default_factory=list)
    ends: tuple[Node, ...] = ()

    def enters(self, node: str, *, other_than: str) -> bool:
        """Whether the last level has the node entered from anywhere else."""
        return any(arrival.origin != other_than for arrival in self.levels[-1][node])

    def path_to(self, end: Node) -> Found:
        """A path to one of ``ends``: of several, by the statements with the smallest ids, chosen from the end."""
        steps: list[PathStep] = []
        statements: list[Statement] = []
        key = node_key(end)
        keys = [key]
        barred: str | None = None  # where the next statement towards the start must not come from
        for position in range(len(self.levels), 0, -1):
            hop, arrivals = self.arguments.pattern[position - 1], self.levels[position - 1][key]
            arrival = min((one for one in arrivals if one.origin != barred), key=lambda one: one.statement.id)
            steps.append(PathStep(arrival.statement.relation, hop.direction, arrival.node, arrival.statement.id))
            statements.append(arrival.statement)
            barred = key if self.arguments.returning(position) else None
            key = arrival.origin
            keys.append(key)
        keys.reverse()
        path = ReasoningPath(self.starts[key], tuple(reversed(steps)))
        constraints = zip(self.arguments.constraints, self.met, strict=True)
        witnesses = tuple((one.position, met[keys[one.position]]) for one, met in constraints)
        return Found(path, tuple(reversed(statements)), witnesses)

    def keep(self, wanted: Callable[[Statement], bool]) -> None:
        """Forget the last statements that are not wanted, and the ends that none leads to any more."""
        last = {key: [one for one in some if wanted(one.statement)] for key, some in self.levels[-1].items()}
        self.levels[-1] = {key: some for key, some in last.items() if some}
        self.ends = tuple(end for end in self.ends if node_key(end) in self.levels[-1])


def linked(of: str, steps: Mapping[str, Step]) -> Entity:
    """The entity of a link step.

    Raises:
        InputError: it is no link step.
    """
    step = steps.get(of)
    if not isinstance(step, Link):
        raise InputError(f"{of!r} is no step that links an entity")
    return step.entity


def walk(arguments: PathEnds, steps: Mapping[str, Step], graph: Graph) -> Walk:
    """Walk a pattern: one batched call per hop and per constraint.

    Raises:
        InputError: a start or the entity of a constraint is no link.
    """
    starts = [linked(one, steps) for one in arguments.start]
    walked = Walk(arguments, {entity.id: entity for entity in starts})
    frontier: list[str] = list(walked.starts)
    met: dict[int, dict[str, Statement]] = {}
    for position, hop in enumerate(arguments.pattern, 1):
        level: dict[str, list[_Arrival]] = {}
        for origin, statement in _over(graph, frontier, hop.relation, hop.direction):
            node: Node = statement.object if hop.direction == "forward" else statement.subject
            if isinstance(node, Literal) and node.kind in ("unknown_value", "no_value"):
                continue
            if not arguments.returning(position) or walked.enters(origin, other_than=node_key(node)):
                level.setdefault(node_key(node), []).append(_Arrival(origin, node, statement))
        for number, constraint in enumerate(arguments.constraints):
            if constraint.position == position:
                met[number] = _meeting(constraint, level, linked(constraint.entity, steps), graph)
                level = {key: arrivals for key, arrivals in level.items() if key in met[number]}
        walked.levels.append(level)
        frontier = [key for key, arrivals in level.items() if isinstance(arrivals[0].node, Entity)]
    walked.met = [met[number] for number in range(len(arguments.constraints))]
    reached = [arrivals[0].node for arrivals in walked.levels[-1].values()]
    dropped = machine_ids(reached, graph) | (set(walked.starts) if arguments.exclude_start else set())
    walked.ends = ordered(node for node in reached if not (isinstance(node, Entity) and node.id in dropped))
    return walked


def _over(
    graph: Graph, entities: list[str], relation: Relation, direction: Direction
) -> Iterable[tuple[str, Statement]]:
    side: Side = "outgoing" if direction == "forward" else "incoming"
    found = graph.statements(entities, side=side, relations=[relation.id]) if entities else []
    return ((entity, one) for entity, ones in zip(entities, found, strict=True) for one in ones)


def _meeting(
    constraint: Constraint, level: dict[str, list[_Arrival]], entity: Entity, graph: Graph
) -> dict[str, Statement]:
    nodes = [key for key, arrivals in level.items() if isinstance(arrivals[0].node, Entity)]
    found = list(_over(graph, nodes, constraint.relation, constraint.direction))
    if len(nodes) < len(level) and constraint.direction == "backward":  # literals are looked up from the other end
        of_entity = _over(graph, [entity.id], constraint.relation, "forward")
        found.extend((node_key(one.object), one) for _, one in of_entity if isinstance(one.object, Literal))
    found = [(key, one) for key, one in found if key in level]
    meeting: dict[str, Statement] = {}
    for node, statement in found:
        other = statement.object if constraint.direction == "forward" else statement.subject
        if isinstance(other, Entity) and other.id == entity.id:
            best = meeting.get(node)
            if best is None or statement.id < best.id:
                meeting[node] = statement
    return meeting


def _express(arguments: PathEnds, of: Callable[[str], str]) -> str:
    def drawn(relation: Relation, direction: Direction) -> str:
        return f"—{name(relation)}→" if direction == "forward" else f"←{name(relation)}—"

    starts = " or ".join(of(start) for start in arguments.start)
    hops = "".join(f" {drawn(hop.relation, hop.direction)} ?{n}" for n, hop in enumerate(arguments.pattern, 1))
    clauses = [f"{starts}{hops}"]
    clauses.extend(f"?{c.position} {drawn(c.relation, c.direction)} {of(c.entity)}" for c in arguments.constraints)
    if arguments.exclude_start:
        clauses.append(f"?{len(arguments.pattern)} is not the start")
    if arguments.no_return:
        clauses.append("no path turns straight back")
    return f"every ?{len(arguments.pattern)} where {', and '.join(clauses)}"


def shows(arguments: PathEnds, path: Path, steps: Mapping[str, Step]) -> bool:
    """Whether a path is of this pattern, by what it says: its start, its hops, and one witness for each constraint."""
    if path.path.start not in [linked(start, steps) for start in arguments.start]:
        return False
    if [(hop.relation, hop.direction) for hop in arguments.pattern] != [
        (step.relation, step.direction) for step in path.path.steps
    ]:
        return False
    if arguments.exclude_start and path.path.end in [linked(start, steps) for start in arguments.start]:
        return False
    nodes = [path.path.start, *(step.node for step in path.path.steps)]
    if any(arguments.returning(at) and nodes[at] == nodes[at - 2] for at in range(2, len(nodes))):
        return False
    facts = {fact.statement_id: fact.statement for fact in map(steps.get, path.rests_on) if isinstance(fact, Fact)}
    if len(path.witnesses) != len(arguments.constraints):
        return False
    for constraint, witness in zip(arguments.constraints, path.witnesses, strict=True):
        statement = facts.get(witness.statement)
        if statement is None:
            return False
        ends: tuple[Node, Node] = (path.path.steps[constraint.position - 1].node, linked(constraint.entity, steps))
        if constraint.direction == "backward":
            ends = ends[::-1]
        if witness.position != constraint.position or statement.relation != constraint.relation:
            return False
        if (statement.subject, statement.object) != ends:
            return False
    return True


PATH_ENDS = Operator(
    arguments=PathEnds,
    recompute=lambda arguments, steps, graph: Output(values=walk(arguments, steps, graph).ends),
    express=_express,
    walk=walk,
    shows=shows,
)
