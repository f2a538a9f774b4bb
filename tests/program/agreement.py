"""Holds the fast evaluator against the kernel's, node by node."""

from __future__ import annotations

from random import Random
from typing import Any

from random_programs import plain, random_graph, random_program

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.kernel import KernelError
from toulmin.kernel.certificate import Source, read_certificate
from toulmin.kernel.evaluate import Evaluator, NodeSet
from toulmin.kernel.format import LiteralValue
from toulmin.program.builder import Builder
from toulmin.program.nodes import as_json
from toulmin.program.periods import Period
from toulmin.program.ranges import GraphRanges
from toulmin.program.value import Nodes, Rows


def certificate(builder: Builder) -> dict[str, Any]:
    """A certificate that holds the whole program."""
    answer = {"kind": "none", "reasons": [{"code": "other", "says": "a test"}]}
    made = builder._certificate([as_json(node) for node in builder.program], answer, (), None, {"method": "test"})
    return made.certificate


def _plain(node: Any) -> Any:
    return {k: v for k, v in node._asdict().items() if v is not None} if isinstance(node, LiteralValue) else node


def disagreement(builder: Builder, graph: Graph) -> str | None:
    """The first node on which the two differ, in words; None where they agree on all."""
    checked = read_certificate(certificate(builder))
    kernel = Evaluator(
        checked.program, Source(GraphRanges(graph)), len(checked.data["graphs"]), checked.data["question"], 60.0
    )
    try:
        kernel.run()
    except KernelError as error:
        try:
            for place in range(len(builder.program)):
                if not builder.static(place).free:
                    builder.value(place)
        except InputError:
            return None
        return f"the kernel refuses ({error}), the evaluator does not"
    for place, node in enumerate(checked.program):
        static = builder.static(place)
        if node.free != static.free:
            return f"node {place} ({node.op}): variables {set(node.free)} in the kernel, {set(static.free)} here"
        if node.yields != static.yields or node.kind != static.kind:
            theirs, ours = (node.yields, node.kind), (static.yields, static.kind)
            return f"node {place} ({node.op}): {theirs} in the kernel, {ours} here"
        if node.free:
            continue
        found, status = kernel.values[place], kernel.status[place]
        try:
            mine = builder.value(place)
        except InputError as error:
            return None if status in ("fails", "unverifiable") else f"node {place} ({node.op}): refused here: {error}"
        if status == "unverifiable" and builder.program[place].op in ("query", "passage", "not"):
            continue  # nobody is there to ask
        if status in ("fails", "unverifiable"):
            return f"node {place} ({node.op}): {status} in the kernel ({kernel.reason[place]})"
        here, there = shown(mine), shown(found)
        if isinstance(mine, Period):
            continue  # seen by comparisons
        if here != there:
            return f"node {place} ({node.op}): {there} in the kernel, {here} here; {as_json(builder.program[place])}"
    return None


def shown(value: Any) -> Any:
    """What a node yields, in a form that both evaluators have."""
    if isinstance(value, Nodes):
        marks = value.open, value.hole, value.none, value.at_least
        preferred = [] if value.preferred is None else sorted(map(str, map(plain, value.source.nodes(value.preferred))))
        return [plain(node) for node in value.nodes], marks, preferred
    if isinstance(value, NodeSet):
        marks = value.open, value.hole, value.none, value.at_least
        preferred = sorted(str(_plain(one)) for one in value.items if one in value.preferred)
        return [_plain(node) for node in value.items], marks, preferred
    if isinstance(value, Rows):
        return [[[plain(node) for node in cell] for cell in row] for row in value.rows]
    if isinstance(value, list):
        return [[[_plain(node) for node in cell] for cell in row] for row in value]
    return value


def run(seed: int, programs: int = 20) -> list[str]:
    """The disagreements on so many programs over one random graph."""
    rng = Random(seed)
    found = []
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        for _ in range(programs):
            builder, _ = random_program(rng, graph)
            told = disagreement(builder, graph)
            if told is not None:
                found.append(f"seed {seed}: {told}")
    return found
