"""One method for each kind of node: what a builder offers to those who write programs in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from typing import Literal as Choice

from toulmin.errors import QueryError
from toulmin.graph.protocol import Graph, QueryResult
from toulmin.graph.types import Direction, Entity, Literal, Node, Statement
from toulmin.program import nodes as n
from toulmin.program.json_forms import Relations, ids_of

__all__ = ["NodeAdder"]

#: What stands under a binder: made from the place of its variable.
Under = Callable[[int], int]

_MOST_ROWS = 100_000  # of a query


class NodeAdder(ABC):
    """Adds nodes. Places are numbers that these methods return; ``Under`` is a function of a variable's place."""

    graph: Graph

    @abstractmethod
    def add(self, node: n.ProgramNode | Mapping[str, Any]) -> int:
        """Add a node."""

    # -- named -------------------------------------------------------------------------------------------------------

    def entity(self, entity: Entity | str, words: tuple[int, int] | None = None, name: str | None = None) -> int:
        """What ``question[words[0]:words[1]]`` names; ``name`` is the name of it that they were matched with."""
        return self.add(n.EntityNode(id=entity if isinstance(entity, str) else entity.id, words=words, name=name))

    def literal(self, value: Literal | str, words: tuple[int, int] | None = None) -> int:
        """A value that the question names; a text is a string."""
        return self.add(n.LiteralNode(value=Literal(value) if isinstance(value, str) else value, words=words))

    def it(self, of: int) -> int:
        """A new variable, which stands for each node of ``of``."""
        return self.add(n.It(of=of))

    # -- sets --------------------------------------------------------------------------------------------------------

    def follow(
        self,
        of: int,
        relations: Relations,
        direction: Direction = "forward",
        *,
        graph: int | None = None,
        qualified: Sequence[tuple[Relations, Node]] = (),
        window: n.Window | None = None,
        not_back: bool = False,
    ) -> int:
        """The other ends of the statements of any of these relations at any node of ``of``."""
        conditions = tuple(n.Qualified(relations=ids_of(names), is_=value) for names, value in qualified)
        return self.add(
            n.Follow(
                of=of,
                relations=ids_of(relations),
                direction=direction,
                graph=graph,
                qualified=tuple(conditions) or None,
                window=window,
                not_back=not_back or None,
            )
        )

    def instances(self, of: int, relations: Relations, sub: Relations = ()) -> int:
        """All whose class is a node of ``of``, or a subclass of it."""
        return self.add(n.Instances(of=of, relations=ids_of(relations), sub=ids_of(sub) or None))

    def named(self, of: int) -> int:
        """The nodes that have a label; literals."""
        return self.add(n.OfOne(op="named", of=of))

    def qualifier(self, of: int, relations: Relations) -> int:
        """The values of qualifiers of the statements that a ``follow`` follows."""
        return self.add(n.QualifierNode(of=of, relations=ids_of(relations)))

    def union(self, *of: int) -> int:
        """All nodes of several sets; of one set itself."""
        return self._of_sets("union", of)

    def intersection(self, *of: int) -> int:
        """The nodes that all sets have; of one set itself."""
        return self._of_sets("intersection", of)

    def _of_sets(self, op: Choice["union", "intersection"], of: tuple[int, ...]) -> int:
        places = tuple(dict.fromkeys(of))
        return self.add(n.OfSets(op=op, of=places)) if len(places) > 1 else places[0]

    def difference(self, first: int, *others: int) -> int:
        """The nodes of the first set that no other has."""
        return self.add(n.OfSets(op="difference", of=(first, *others)))

    def where(self, of: int, test: Under) -> int:
        """The nodes for which a test is yes."""
        return self._tested("where", of, test)

    def first(self, of: int, by: Under | None = None, *, from_: int = 1, to: int | None = None) -> int:
        """The nodes at places ``from_`` to ``to`` (None: ``from_``), counted from the least by ``by``."""
        return self._ordered("first", of, by, from_, to or from_)

    def last(self, of: int, by: Under | None = None, *, from_: int = 1, to: int | None = None) -> int:
        """The nodes at places ``from_`` to ``to`` (None: ``from_``), counted from the greatest by ``by``."""
        return self._ordered("last", of, by, from_, to or from_)

    def _ordered(self, op: Choice["first", "last"], of: int, by: Under | None, first: int, last: int) -> int:
        it = self.it(of)
        alone = (first, last) == (1, 1)  # which need not be said
        ends = {"from_": None if alone else first, "to": None if alone else last}
        return self.add(n.Ordered(op=op, of=of, it=it, by=by(it) if by else None, **ends))

    def among(self, of: int, keep: Iterable[Node], *, by: str, score: float) -> int:
        """Some of the nodes, chosen by somebody."""
        return self.add(n.Among(of=of, keep=tuple(keep), by=by, score=float(score)))

    def complete(self, of: int) -> int:
        """The same nodes, of which it is assumed that there are no others."""
        return self.add(n.OfOne(op="complete", of=of))

    # -- numbers -----------------------------------------------------------------------------------------------------

    def count(self, of: int) -> int:
        """How many nodes."""
        return self.add(n.OfOne(op="count", of=of))

    def aggregate(self, op: str, of: int, by: Under) -> int:
        """The "sum", "mean", "min" or "max" of the one value of each node."""
        it = self.it(of)
        return self.add({"op": op, "of": of, "it": it, "by": by(it)})

    def _tested(self, op: Choice["where", "some", "every", "one"], of: int, test: Under) -> int:
        it = self.it(of)
        return self.add(n.Tested(op=op, of=of, it=it, test=test(it)))

    def arithmetic(self, do: n.Calculation, left: int, right: int | None = None) -> int:
        """A value computed from one or two."""
        return self.add(n.Arithmetic(do=do, left=left, right=right))

    # -- rows --------------------------------------------------------------------------------------------------------

    def table(self, of: int, columns: Sequence[Under]) -> int:
        """A row for each node: the node, then the nodes of each column."""
        it = self.it(of)
        return self.add(n.Table(of=of, it=it, columns=tuple(column(it) for column in columns)))

    def group(self, of: int, by: Under, measures: Sequence[Under], having: Under | None = None) -> int:
        """A row for each distinct value of ``by``: the value, then each measure of the nodes that have it."""
        it = self.it(of)
        value = by(it)
        members = self.it(of)
        columns = tuple(measure(members) for measure in measures)
        test = having(members) if having else None
        return self.add(n.Group(of=of, it=it, by=value, members=members, measures=columns, having=test))

    def query(self, text: str, *, graph: int = 0, timeout: float = 30.0, result: QueryResult | None = None) -> int:
        """Run a SPARQL query and record its rows; that they are right, no kernel can say: the store is asked again.

        What SPARQL counts, denies or leaves out is as the graph lists it.

        Args:
            result: what it gave, where it was run already.

        Raises:
            QueryError: malformed, an update, too slow, more than 100,000 rows, or rows with what has no name.
        """
        store = list(getattr(self.graph, "graphs", {"": self.graph}).values())[graph]
        if result is None:
            result = store.query(text, timeout=timeout, limit=_MOST_ROWS + 1)
        if len(result.rows) > _MOST_ROWS:
            raise QueryError(f"the query gives more than {_MOST_ROWS:,} rows: ask for fewer, with LIMIT")
        cells = (cell for row in result.rows for cell in row)
        if "://" in store.fingerprint and any(
            isinstance(cell_, Entity) and cell_.id.startswith("_:") for cell_ in cells
        ):
            raise QueryError("the query gives blank nodes, which have other names each time: select what names them")
        return self.add(n.Query(graph=graph, text=text, columns=result.variables, rows=result.rows))

    # -- truth -------------------------------------------------------------------------------------------------------

    def compare(self, do: n.Comparison, left: int, right: int) -> int:
        """Whether ``left do right``."""
        return self.add(n.Compare(do=do, left=left, right=right))

    def period(self, left: int | None, right: int | None) -> int:
        """The time from one to the other; None: anything."""
        return self.add(n.PeriodNode(left=left, right=right))

    def exists(self, of: int) -> int:
        """Whether there is a node."""
        return self.add(n.OfOne(op="exists", of=of))

    def is_a(
        self,
        left: int,
        right: int,
        relations: Relations,
        sub: Relations = (),
        disjoint: Relations = (),
        *,
        closed: bool = False,
    ) -> int:
        """Whether ``left`` is of the class ``right``, or is that class."""
        more = {"sub": ids_of(sub) or None, "disjoint": ids_of(disjoint) or None, "closed": closed or None}
        return self.add(n.IsA(left=left, right=right, relations=ids_of(relations), **more))  # type: ignore[arg-type]

    def some(self, of: int, test: Under) -> int:
        """Whether a test is yes for some node."""
        return self._tested("some", of, test)

    def every(self, of: int, test: Under) -> int:
        """Whether a test is yes for every node."""
        return self._tested("every", of, test)

    def one(self, of: int, test: Under) -> int:
        """What a test says of the one node, or of all alike."""
        return self._tested("one", of, test)

    def and_(self, *of: int) -> int:
        """Whether all are so; of one itself."""
        return self.add(n.Joined(op="and", of=of)) if len(of) > 1 else of[0]

    def or_(self, *of: int) -> int:
        """Whether any is so; of one itself."""
        return self.add(n.Joined(op="or", of=of)) if len(of) > 1 else of[0]

    def not_(self, of: int) -> int:
        """Whether it is not so."""
        return self.add(n.OfOne(op="not", of=of))

    # -- said --------------------------------------------------------------------------------------------------------

    def statement(self, statement: Statement) -> int:
        """That the graph (of a union the one that the statement names, else the first) has a statement."""
        names = list(getattr(self.graph, "graphs", ()))
        place = names.index(statement.graph) if statement.graph in names else 0
        return self.add(n.StatementNode(graph=place, statement=statement))

    def passage(self, source: str, sha256: str, start: int, end: int, text: str) -> int:
        """That a document has a text at a place."""
        return self.add(n.Passage(source=source, sha256=sha256, start=start, end=end, text=text))

    def judged(self, says: str, *, by: str, score: float, decision: n.Decision, seen: Iterable[int] = ()) -> int:
        """What somebody decided, having seen some nodes."""
        return self.add(n.Judged(says=says, by=by, score=float(score), decision=decision, seen=tuple(seen)))

    def rule(
        self,
        says: str,
        of: int,
        *,
        by: str,
        direction: Choice["sufficient", "necessary", "both"],
        if_true: Choice["yes", "no"] = "yes",
        if_false: Choice["yes", "no"] = "no",
    ) -> int:
        """What an axiom makes of its condition ``of``."""
        rule = n.Rule(says=says, by=by, of=of, direction=direction, if_true=if_true, if_false=if_false)
        return self.add(rule)

    def choice(self, options: Iterable[tuple[Literal | str, int]]) -> int:
        """The options whose truth is yes."""
        pairs = [(Literal(option) if isinstance(option, str) else option, place) for option, place in options]
        return self.add(n.Choice_(options=tuple(n.Option(option=option, if_=place) for option, place in pairs)))
