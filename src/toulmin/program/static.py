"""What each node of a program yields, whether it is evidence, and on which variables it depends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.errors import InputError
from toulmin.program.nodes import Follow, It, ProgramNode, Vote, parts

__all__ = ["Static", "check_answer", "type_node"]

Yields = Choice["nodes", "truth", "rows", "period"]
Basis = Choice["named", "evidence", "chosen"]

_TRUTH = frozenset(
    "compare exists is_a some every one and or not statement passage judged rule".split(),
)
_TRUTHS = {"test", "having"}  # fields that name truths, whatever the node
_OF_TRUTH = {"and", "or", "not", "rule"}
_UNDER: Mapping[str, str] = {"test": "it", "by": "it", "columns": "it", "measures": "members", "having": "members"}
_NO_NAMED = {"exists", "count", "sum", "mean", "min", "max", "table", "group"}
_RESTRICTIONS = {"where", "named", "first", "last", "complete"}  # they keep which statements led to each node
_DEEPEST = 8  # binders within each other


@dataclass(frozen=True, slots=True)
class Static:
    """What is known of a node before it is evaluated.

    Attributes:
        yields: the type of its result.
        basis: what the question names, what statements say, or what was chosen.
        free: the variables on which it depends.
        bound: the variables that it binds, each with the places evaluated under it.
        depth: binders within each other.
    """

    yields: Yields
    basis: Basis
    free: frozenset[int] = frozenset()
    bound: tuple[tuple[int, tuple[int, ...]], ...] = ()
    depth: int = 0


def type_node(
    node: ProgramNode, program: Sequence[ProgramNode], known: Sequence[Static], owned: Mapping[int, int]
) -> Static:
    """The static type of a node that is put after those of a program.

    Args:
        program, known: the nodes before it, and their types.
        owned: the variables that have a binder, and which.

    Raises:
        InputError: it names no earlier node, or one of another type; or it uses a variable where it is not bound.
    """
    place, where = len(program), f"node {len(program)} ({node.op})"
    if strange := [part for part in parts(node) if part >= place]:
        raise InputError(f"{where}: node {strange[0]} does not stand before it")
    named: list[int] = []
    under: dict[str, list[int]] = {}
    for field in node.names:
        value = getattr(node, field)
        places = () if value is None else (value,) if isinstance(value, int) else tuple(value)
        if field == "seen":
            continue
        for part in places:
            _check_part(node, field, part, program, known, where)
        if field in ("it", "members"):
            continue
        variable = _UNDER.get(field) if "it" in node.names else None
        (under.setdefault(variable, []) if variable else named).extend(places)
    if node.op == "choice":
        for one in node.options:
            _check_part(node, "test", one.if_, program, known, where)
            named.append(one.if_)
    bound = _bound(node, under, program, known, owned, where)
    free = frozenset(variable for part in named for variable in known[part].free)
    inside = [(variable, part) for variable, places in bound for part in places]
    free |= frozenset(v for _, part in inside for v in known[part].free) - {variable for variable, _ in bound}
    if gone := sorted(free & owned.keys()):
        raise InputError(f"{where}: the variable {gone[0]} belongs to node {owned[gone[0]]} alone")
    if isinstance(node, It):
        free |= {place}
    if len(free) > _DEEPEST:
        raise InputError(f"{where}: depends on more than {_DEEPEST} variables")
    depth = max((known[part].depth for part in (*named, *(part for _, part in inside))), default=0) + bool(bound)
    if depth > _DEEPEST:
        raise InputError(f"{where}: more than {_DEEPEST} binders within each other")
    return Static(_yields(node), _basis(node, named, inside, known, where), free, bound, depth)


def check_answer(place: int, known: Sequence[Static]) -> Static:
    """The type of the node that an answer is of.

    Raises:
        InputError: there is no such node, it depends on a variable, or it is what the question names.
    """
    if not 0 <= place < len(known):
        raise InputError(f"there is no node {place} to answer with")
    if known[place].free:
        raise InputError(f"node {place} depends on a variable, and is no answer")
    if known[place].basis == "named":
        raise InputError(f"node {place} is what the question names, and no answer to it")
    if known[place].yields == "period":
        raise InputError(f"node {place} is a period, and no answer")
    return known[place]


def _yields(node: ProgramNode) -> Yields:
    if isinstance(node, Vote):
        return "truth" if node.yes_or_no else "nodes"
    if node.op == "period":
        return "period"
    if node.op in ("table", "group", "query"):
        return "rows"
    return "truth" if node.op in _TRUTH else "nodes"


def _check_part(
    node: ProgramNode, field: str, part: int, program: Sequence[ProgramNode], known: Sequence[Static], where: str
) -> None:
    if field in ("it", "members"):
        if not isinstance(program[part], It):
            raise InputError(f"{where}: node {part} is no variable")
        return
    wanted = "truth" if field in _TRUTHS or (field == "of" and node.op in _OF_TRUTH) else "nodes"
    found = known[part].yields
    period = found == "period" and node.op == "compare" and node.do in ("overlaps", "within")
    if found != wanted and not period:
        raise InputError(f"{where}: node {part} ({program[part].op}) yields {found}, not {wanted}")
    if known[part].basis == "chosen":
        raise InputError(f"{where}: node {part} was chosen, and nothing is computed from what was chosen")
    if field == "of" and program[part].op == "count":
        raise InputError(f"{where}: a count is a number, and no set")
    if node.op == "qualifier" and not _follows(part, program):
        raise InputError(f"{where}: node {part} ({program[part].op}) follows no statements")
    if isinstance(node, Follow) and node.not_back:
        before = program[part]
        same = isinstance(before, Follow) and before.relations == node.relations
        if not same or before.direction == node.direction:  # type: ignore[union-attr]
            raise InputError(f"{where}: not_back is of a follow over the same relations the other way")


def _follows(part: int, program: Sequence[ProgramNode]) -> bool:
    """Whether a node is a ``follow``, or some of what one leads to."""
    while program[part].op in _RESTRICTIONS:
        part = program[part].of  # type: ignore[union-attr,assignment]
    return isinstance(program[part], Follow)


def _bound(
    node: ProgramNode,
    under: Mapping[str, Sequence[int]],
    program: Sequence[ProgramNode],
    known: Sequence[Static],
    owned: Mapping[int, int],
    where: str,
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found: list[tuple[int, tuple[int, ...]]] = []
    for field in ("it", "members"):
        if field not in node.names:
            continue
        variable = getattr(node, field)
        if program[variable].of != node.of:  # type: ignore[union-attr]
            raise InputError(f"{where}: the variable {variable} stands for nodes of another set")
        if variable in owned or variable in [one for one, _ in found]:
            raise InputError(f"{where}: the variable {variable} belongs to node {owned.get(variable, len(program))}")
        found.append((variable, tuple(under.get(field, ()))))
    for variable, _ in found:
        others = {v for other, places in found if other != variable for part in places for v in known[part].free}
        if variable in others or variable in known[node.of].free:  # type: ignore[union-attr,index]
            raise InputError(f"{where}: the variable {variable} is used where it is not bound")
    return tuple(found)


def _basis(
    node: ProgramNode, named: Sequence[int], inside: Sequence[tuple[int, int]], known: Sequence[Static], where: str
) -> Basis:
    told = [known[part].basis == "named" for part in named]
    if node.op in _NO_NAMED:
        for part in (named[0], *(part for _, part in inside)):
            if known[part].basis == "named":
                raise InputError(f"{where}: node {part} is what the question names, and no evidence")
    if node.op == "compare" and all(told):
        raise InputError(f"{where}: both sides are what the question names")
    if node.op in ("entity", "literal"):
        return "named"
    if node.op in ("it", "named", "complete", "difference"):
        return known[named[0]].basis
    if node.op == "among":
        return "chosen"
    if node.op == "union":
        return "named" if any(told) else "evidence"
    if node.op in ("intersection", "arithmetic", "period"):
        return "named" if all(told) else "evidence"
    if node.op in ("where", "first", "last") and not any(
        known[part].basis == "evidence" and variable in known[part].free for variable, part in inside
    ):
        return known[named[0]].basis
    return "evidence"
