"""Running SPARQL queries and searches for a proof, and the checks that run them again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

from toulmin.errors import QueryError
from toulmin.graph.protocol import Graph, QueryResult
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Absence, Fact, Link, Output, Query
from toulmin.proof.operators.nodes import machine_ids, ordered
from toulmin.proof.reading import name
from toulmin.proof.registry import Kind

__all__ = ["ABSENCE", "QUERY", "matching", "query_output", "row_hash"]

_QUERY_SECONDS = 30.0
_ORDERED = re.compile(r"\border\s+by\b", re.IGNORECASE)


def row_hash(text: str, rows: Sequence[Sequence[Node | None]]) -> str:
    """32 hexadecimal digits of the rows: in their order where the query says ORDER BY, else as a multiset."""
    cells = ["\x1e".join("" if node is None else f"\x02{node_key(node)}" for node in row) for row in rows]
    if not _ORDERED.search(text):
        cells.sort()
    return blake2b("\x1d".join(cells).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def query_output(text: str, result: QueryResult, graph: Graph) -> Output:
    """The verdict of an ASK, or the distinct values of the first variable.

    In the order of the rows where the query says ORDER BY, else in that of ``ordered``; without unbound cells and nodes
    whose only name is a machine id.
    """
    if not result.variables:
        return Output(verdict=result.rows[0][0] == Literal("true", "boolean"))
    cells = {node_key(row[0]): row[0] for row in result.rows if row[0] is not None}
    values = tuple(cells.values()) if _ORDERED.search(text) else ordered(cells.values())
    nameless = machine_ids(values, graph)
    return Output(values=tuple(node for node in values if not isinstance(node, Entity) or node.id not in nameless))


def _check_query(step: Query, context: Context) -> Finding:
    facts = [premise for premise in context.premises(step) if isinstance(premise, Fact)]
    if idle := context.unused(step, (fact.id for fact in facts)):
        return idle
    if step.witnesses != tuple(fact.statement_id for fact in facts):
        return Finding("fails", "rests on other statements than it names as witnesses")
    try:
        result = context.graph.query(step.text, timeout=min(_QUERY_SECONDS, context.left()))
    except QueryError as error:
        return Finding("fails", f"the query cannot be run: {error}")
    if result.variables != step.variables:
        return Finding("fails", f"the query gives the variables {', '.join(result.variables)}")
    output = query_output(step.text, result, context.graph)
    if row_hash(step.text, result.rows) != step.row_hash or output != step.output:
        return context.missing(f"the query gives {len(result.rows)} other rows than recorded")
    shown = {node_key(node) for row in result.rows for node in row if node is not None}
    for fact in facts:
        ends = (node_key(fact.statement.subject), node_key(fact.statement.object))
        if fact.statement.relation.id not in step.text or not any(end in shown or end in step.text for end in ends):
            return Finding("fails", f"the statement of {fact.id} speaks of no row of the query")
    if output.verdict is False:
        return Finding("assumed", "the pattern has no match; that this means no is a closed-world assumption")
    # what a query takes as constant, or as false because it is not there, is its own: its text is no inference of ours
    return Finding(
        "assumed", f"the query gives the same {len(result.rows)} rows; that it asks the graph is for you to read"
    )


def matching(subject: Entity | None, relation: Relation, object_: Node | None, graph: Graph) -> list[Statement] | None:
    """The statements of a pattern, searched without limit; None where the pattern names no entity to search from.

    A statement that says "no value" is no match.
    """
    if subject is not None:
        found = graph.statements([subject.id], side="outgoing", relations=[relation.id])[0]
    elif isinstance(object_, Entity):
        found = graph.statements([object_.id], side="incoming", relations=[relation.id])[0]
    else:
        return None
    if object_ is not None:
        return [one for one in found if node_key(one.object) == node_key(object_)]
    return [one for one in found if not (isinstance(one.object, Literal) and one.object.kind == "no_value")]


def _check_absence(step: Absence, context: Context) -> Finding:
    premises = context.premises(step)
    ends = [end.id for end in (step.subject, step.object) if isinstance(end, Entity)]
    links = {premise.entity.id: premise.id for premise in premises if isinstance(premise, Link)}
    if unlinked := [end for end in ends if end not in links]:
        return Finding("fails", f"no link that it rests on says {unlinked[0]!r}")
    facts = [p for p in premises if isinstance(p, Fact) and step.policy == "no value" and _says_none(p, step)]
    if step.policy == "no value" and not facts:
        return Finding("fails", "rests on no statement that says there is no value")
    if idle := context.unused(step, (*(links[end] for end in ends), *(fact.id for fact in facts))):
        return idle
    if step.scope != context.answer.graph_fingerprint:
        return Finding("fails", f"searched another graph, {step.scope}")
    if step.relation.id not in {relation.id for relation, _ in context.graph.relations()}:
        return context.missing(f"the graph has no relation {name(step.relation)}")
    found = matching(step.subject, step.relation, step.object, context.graph)
    if found is None:
        return Finding("fails", "names no entity from which to search")
    if found:
        return context.missing(f"the search finds {len(found)} statements")
    match step.policy:
        case "no value":
            return Finding("holds", "nothing is found, and a statement says that there is no value")
        case "open world":
            return Finding("holds", "nothing is found; in an open world that proves nothing")
    return Finding("assumed", f"nothing is found; that this means no is assumed ({step.policy})")


def _says_none(fact: Fact, step: Absence) -> bool:
    said = fact.statement
    none = isinstance(said.object, Literal) and said.object.kind == "no_value"
    # qualified, it says so of some time or place only
    return none and not said.qualifiers and (said.subject, said.relation) == (step.subject, step.relation)


QUERY = Kind(Query, _check_query)
ABSENCE = Kind(Absence, _check_absence)
