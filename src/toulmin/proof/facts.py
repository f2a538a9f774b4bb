"""The checks of facts and of the reasoning paths made of them."""

from __future__ import annotations

from toulmin.graph.types import Entity, Node, PathStep, Statement
from toulmin.graph.union import UnionGraph
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Fact, Link, Path
from toulmin.proof.reading import name
from toulmin.proof.registry import Kind

__all__ = ["FACT", "PATH"]


def _check_fact(step: Fact, context: Context) -> Finding:
    statement = step.statement
    if idle := context.unused(step, ()):
        return idle
    if step.statement_id != statement.id:
        return Finding("fails", f"the statement shown has the id {statement.id}, not {step.statement_id}")
    shown = f"{name(statement.subject)} —{name(statement.relation)}→ {name(statement.object)}"
    if statement.graph is not None and not isinstance(context.graph, UnionGraph):
        return context.missing(f"the graph is no union, and has no part {statement.graph!r} that could hold {shown}")
    if not context.contained[step.id]:
        return context.missing(f"the graph does not hold {shown} with these qualifiers")
    return Finding("holds", "the statement is in the graph")


def _check_path(step: Path, context: Context) -> Finding:
    links = [p for p in context.premises(step) if isinstance(p, Link)]
    facts = {p.statement_id: p for p in context.premises(step) if isinstance(p, Fact)}
    if len(links) != 1 or links[0].entity != step.path.start:
        return Finding("fails", f"starts at {name(step.path.start)}, which no link that it rests on says")
    if not step.path.steps:
        return Finding("fails", "has no steps")
    cited = [*(hop.statement for hop in step.path.steps), *(one.statement for one in step.witnesses)]
    if lacking := [cite for cite in cited if cite not in facts]:
        return Finding("fails", f"rests on no fact {lacking[0]}")
    if idle := context.unused(step, (links[0].id, *(facts[cite].id for cite in cited))):
        return idle
    nodes: list[Node] = [step.path.start]
    for number, hop in enumerate(step.path.steps, 1):
        if not _is_step(nodes[-1], hop, facts[hop.statement].statement):
            return Finding("fails", f"step {number} is not what its statement says, in its direction")
        nodes.append(hop.node)
    for witness in step.witnesses:
        said = facts[witness.statement].statement
        if witness.position >= len(nodes) or nodes[witness.position] not in (said.subject, said.object):
            return Finding("fails", f"{witness.statement} says nothing of the node at {witness.position}")
    return Finding("recomputed", f"connected, {len(step.path.steps)} steps, each a statement")


def _is_step(at: Node, hop: PathStep, statement: Statement) -> bool:
    if not isinstance(at, Entity) or hop.relation != statement.relation:
        return False
    ends = (statement.subject, statement.object)
    return (at, hop.node) == (ends if hop.direction == "forward" else ends[::-1])


FACT = Kind(Fact, _check_fact)
PATH = Kind(Path, _check_path)
