"""Nodes of the graph for what a model wrote: found among the ends of statements, and reached over them in a program."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from toulmin.graph.labels import is_nameless, normalise, similarity
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.protocol import Graph, LabelMatch
from toulmin.graph.types import Direction, Entity, Literal, Node, Relation, Statement, node_key
from toulmin.graph.values import compare, literal_from_text
from toulmin.program.builder import Builder
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.statement_words import node_words

__all__ = ["Grounder", "ReachedNode", "nearly_named"]

_NEAR = 0.8  # likeness of spellings from which a name that a model gives is taken for one of the graph
_HUB = 10_000  # statements at a node from which on it is not read backward, only from the other end


@dataclass(frozen=True, slots=True)
class ReachedNode:
    """A node that a text names, and the node of the program that yields it (and, it may be, others).

    Args:
        used: the statements that it is reached over; none: it is found by its name.
    """

    node: Node
    place: int
    used: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class _End:
    """A node in a statement: its subject, its object, or the value of a qualifier."""

    node: Node
    statement: Statement
    qualifier: Relation | None = None

    @property
    def direction(self) -> Direction:
        """How the statement is walked to get there."""
        return "backward" if self.qualifier is None and self.node == self.statement.subject else "forward"

    @property
    def other(self) -> Node:
        """Where the statement is walked from."""
        return self.statement.object if self.direction == "backward" else self.statement.subject


class Grounder:
    """Finds and reaches nodes.

    Args:
        cited: statements in which names are looked for first, and over which nodes are reached.
        shown: statements among whose entities they are looked for else.
        mentions: what the question names: where reaching begins, if cited statements lead there.
    """

    def __init__(
        self, builder: Builder, cited: Sequence[Statement], shown: Sequence[Statement], mentions: Sequence[Mention]
    ) -> None:
        self._builder, self._cited = builder, tuple(cited)
        self._shown = [statement for statement in shown if statement not in cited]
        self._mentioned: dict[str, tuple[tuple[int, int], str]] = {}
        self._spans: dict[str, list[tuple[int, int]]] = {}  # where an entity may be meant
        self._asked: set[str] = set()  # entities that some words most likely mean, or are the very name of
        for mention in mentions:
            for place, candidate in enumerate(mention.candidates):
                self._mentioned.setdefault(candidate.entity.id, ((mention.start, mention.end), candidate.form))
                self._spans.setdefault(candidate.entity.id, []).append((mention.start, mention.end))
                if not place or normalise(candidate.form) == normalise(mention.text):
                    self._asked.add(candidate.entity.id)

    def named(self, node: Node) -> int:
        """A node of the program that names a node of the graph."""
        return self._builder.literal(node) if isinstance(node, Literal) else self._builder.entity(node)

    def reached(self, texts: Sequence[str]) -> dict[str, tuple[ReachedNode, ...]]:
        """The nodes that each text names: all such ends of cited statements, else the entity of a shown one, or none.

        What was shown and not cited is no evidence: such an entity is found by its name alone. So is one that the
        question names itself, unless a way from something else that it names leads there: a statement about what is
        asked does not make that the answer.
        """
        names = [text for text in texts if normalise(text)]
        matches = dict(zip(names, self._builder.graph.lookup(names), strict=True)) if names else {}
        return {text: self._reached(text, {match.id: match.form for match in matches.get(text, ())}) for text in texts}

    def _reached(self, text: str, bearers: Mapping[str, str]) -> tuple[ReachedNode, ...]:
        """The nodes of one text, by the names of those that bear it."""
        ends = [end for end in _ends(self._cited) if _names(text, bearers.keys(), end.node)]
        ways = [(end, way) for end in ends for way in [self._way(end)] if not self._is_echo(end, way)]
        if not ways:
            shown = (end.node for end in _ends(self._shown))
            for node in chain((end.node for end in ends), shown):
                if isinstance(node, Entity) and node.id in bearers:  # as one that bears the name
                    name = self._builder.literal(bearers[node.id])
                    return (ReachedNode(node, self._builder.follow(name, (LABEL, ALIAS), "backward"), ()),)
            return ()
        best: dict[str, tuple[int, _End, list[Statement]]] = {}
        for end, way in ways:
            cost = len(way) + 10 * (self._from(end, way) not in self._mentioned) + (end.direction == "backward")
            key = node_key(end.node)
            if key not in best or cost < best[key][0]:
                best[key] = cost, end, way
        return tuple(self._walked(end, way) for _, end, way in best.values())

    def _is_echo(self, end: _End, way: Sequence[Statement]) -> bool:
        """Whether an end only repeats what the question names: the way to it begins at nothing named beside it."""
        if not isinstance(end.node, Entity) or end.node.id not in self._asked:
            return False
        spans, begin_spans = self._spans[end.node.id], self._spans.get(self._from(end, way), ())
        return not any(all(stop <= first or last <= start for first, last in spans) for start, stop in begin_spans)

    def _from(self, end: _End, way: Sequence[Statement]) -> str:
        """The id of the entity that a way begins at; empty of a literal."""
        node = end.other
        for statement in way:
            node = statement.subject if node == statement.object else statement.object
        return node.id if isinstance(node, Entity) else ""

    def _way(self, end: _End) -> list[Statement]:
        """The cited statements from an end's other side to what the question names, nearest first; else none."""
        start = end.other
        ways: dict[str, list[Statement]] = {node_key(start): []}
        queue: list[Node] = [start]
        for node in queue:
            if isinstance(node, Entity) and node.id in self._mentioned:
                return ways[node_key(node)]
            for statement in self._cited:
                if statement == end.statement or node not in (statement.subject, statement.object):
                    continue
                beyond = statement.object if node == statement.subject else statement.subject
                if isinstance(beyond, Entity) and beyond != end.node and node_key(beyond) not in ways:
                    ways[node_key(beyond)] = [*ways[node_key(node)], statement]
                    queue.append(beyond)
        return []

    def _walked(self, end: _End, way: Sequence[Statement]) -> ReachedNode:
        """The program that walks from the start of a way over its statements to an end."""
        nodes = [end.other]
        for statement in way:
            nodes.append(statement.subject if nodes[-1] == statement.object else statement.object)
        start = nodes[-1]
        if isinstance(start, Entity) and start.id in self._mentioned:
            place = self._builder.entity(start, *self._mentioned[start.id])
        else:
            place = self.named(start)
        for statement, node in zip(reversed(way), reversed(nodes[:-1]), strict=True):
            direction: Direction = "forward" if node == statement.object else "backward"
            place = self._stepped(place, statement, direction, node, only=True)
        if end.qualifier is not None:
            followed = self._stepped(place, end.statement, "forward", end.statement.object, only=False)
            place = self._builder.qualifier(followed, end.qualifier)
        else:
            place = self._stepped(place, end.statement, end.direction, end.node, only=False)
        return ReachedNode(end.node, place, (*reversed(way), end.statement))

    def _stepped(self, place: int, statement: Statement, direction: Direction, to: Node, *, only: bool) -> int:
        """What a step leads to; ``only``: of that no more than the node that the statement has there."""
        builder, relation = self._builder, statement.relation
        if direction == "backward" and self._is_hub(statement.object):
            return builder.where(
                self.named(to), lambda it: builder.exists(builder.intersection(builder.follow(it, relation), place))
            )
        ends = builder.follow(place, relation, direction)
        return builder.intersection(ends, self.named(to)) if only else ends

    def _is_hub(self, node: Node) -> bool:
        """Whether reading all statements that lead to a node may take long; of what is not at hand nobody knows."""
        graph = self._builder.graph
        if not isinstance(graph, LocalGraph):
            return True
        subgraph = graph.subgraph([], 0)
        number = subgraph.tables.find(node_key(node))
        if number is None:
            return True
        return int(subgraph.incoming.indptr[number + 1] - subgraph.incoming.indptr[number]) > _HUB


def nearly_named(name: str, graph: Graph) -> LabelMatch | None:
    """The name of the graph that is most like one that a model gives, if it is nearly the same."""
    best = max(graph.search(name, 3), key=lambda match: similarity(name, match.form), default=None)
    return best if best is not None and similarity(name, best.form) >= _NEAR else None


def _ends(statements: Sequence[Statement]) -> Iterator[_End]:
    """The nodes of statements that may be an answer: objects, then subjects, then values of qualifiers."""
    for statement in statements:
        yield _End(statement.object, statement)
        yield _End(statement.subject, statement)
        for qualifier in statement.qualifiers:
            yield _End(qualifier.value, statement, qualifier.relation)


def _names(text: str, ids: Collection[str], node: Node) -> bool:
    """Whether a text is a name of a node, or says its value."""
    if isinstance(node, Entity):
        if is_nameless(node.id, node.label):
            return False
        return node.id in ids or normalise(node_words(node)) == normalise(text)
    if node.kind in ("unknown_value", "no_value"):
        return False
    if normalise(text) in (normalise(node.value), normalise(node_words(node))):
        return True
    literal = literal_from_text(text)
    if literal is not None and (literal.kind, literal.value, literal.unit) == (node.kind, node.value, node.unit):
        return True
    return literal is not None and compare("=", literal, node) is True
