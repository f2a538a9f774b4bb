"""What the judgement "the question asks for this" must say, word for word: re-derived from the steps by the check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toulmin.errors import InputError
from toulmin.graph.types import Literal, Node, Relation

if TYPE_CHECKING:
    from toulmin.proof.model import Step

__all__ = ["name", "reading"]

_DEEPEST = 100
_LONGEST = 100_000  # steps that build on each other twice would double it again and again


def reading(question: str, of: str, steps: Mapping[str, Step]) -> str:
    """The claim that a question asks for what the step ``of`` yields.

    Raises:
        InputError: the step, or one it builds on, is missing or yields nothing that can be asked for.
    """

    known: dict[str, str] = {}
    depth = total = 0

    def expression(step: str) -> str:
        nonlocal depth, total
        if step not in known:
            if step not in steps:
                raise InputError(f"{step!r} is no step of the proof")
            depth += 1
            if depth > _DEEPEST:
                raise InputError(f"the answer takes more than {_DEEPEST} steps in a row: too many to state")
            known[step] = steps[step].express(expression)
            depth -= 1
            total += len(known[step])
            if total > _LONGEST:
                raise InputError(f"what {step!r} yields takes more than {_LONGEST:,} characters to state")
        return known[step]

    return f"«{question}» asks for {expression(of)}"


def name(node: Node | Relation) -> str:
    """A node or relation by its quoted label and its id, a literal by all its fields."""
    if isinstance(node, Literal):
        fields = (node.kind, node.unit, node.precision, node.lang, node.calendar)
        return f"{json.dumps(node.value, ensure_ascii=False)} ({', '.join(field or '-' for field in fields)})"
    if node.label is None or node.label == node.id:
        return f"⟨{node.id}⟩"
    return f"{json.dumps(node.label, ensure_ascii=False)} ⟨{node.id}⟩"
