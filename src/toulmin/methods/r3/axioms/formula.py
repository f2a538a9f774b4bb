"""How an axiom combines its clauses: ``and``, ``or``, ``not`` and parentheses; ``not`` binds closest, then ``and``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.errors import InputError

__all__ = ["Formula", "against", "names_of", "parse", "truth_of"]

_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[()])")
_DEEPEST = 20  # brackets within brackets; the parser recurses


@dataclass(frozen=True, slots=True)
class Formula:
    """A clause's name (``op`` "is"), or a combination of parts."""

    op: Choice["is", "and", "or", "not"]
    parts: tuple[Formula, ...] = ()
    name: str = ""


def parse(text: str) -> Formula:
    """Read a formula such as ``c1 and not (c2 or c3)``.

    Raises:
        InputError: it is none, or nests deeper than 20.
    """
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise InputError(f"formula {text!r}: cannot read {text[at:].strip()[:20]!r}; use names, and, or, not, ( )")
        tokens.append(match[1])
        at = match.end()
    tokens.reverse()
    formula = _either(tokens, text, 0)
    if tokens:
        raise InputError(f"formula {text!r}: {tokens[-1]!r} stands where 'and' or 'or' is expected")
    return formula


def _either(tokens: list[str], text: str, depth: int) -> Formula:
    return _joined("or", lambda: _joined("and", lambda: _single(tokens, text, depth), tokens), tokens)


def _joined(op: Choice["and", "or"], read: Callable[[], Formula], tokens: list[str]) -> Formula:
    parts = [read()]
    while tokens and tokens[-1].lower() == op:
        tokens.pop()
        parts.append(read())
    return parts[0] if len(parts) == 1 else Formula(op, tuple(parts))


def _single(tokens: list[str], text: str, depth: int) -> Formula:
    if depth > _DEEPEST:
        raise InputError(f"a formula nests deeper than {_DEEPEST}")
    word = tokens.pop() if tokens else "its end"
    if word.lower() == "not":
        return Formula("not", (_single(tokens, text, depth + 1),))
    if word == "(":
        inner = _either(tokens, text, depth + 1)
        if not tokens or tokens.pop() != ")":
            raise InputError(f"formula {text!r}: a parenthesis is not closed")
        return inner
    if word in (")", "its end") or word.lower() in ("and", "or"):
        raise InputError(f"formula {text!r}: {word} stands where a clause is expected")
    return Formula("is", name=word)


def truth_of(formula: Formula, truths: Mapping[str, bool | None]) -> bool | None:
    """Whether a formula holds, in Kleene's logic, by the truth of each clause."""
    if formula.op == "is":
        return truths[formula.name]
    parts = [truth_of(part, truths) for part in formula.parts]
    if formula.op == "not":
        return None if parts[0] is None else not parts[0]
    decides = formula.op == "or"
    return decides if decides in parts else None if None in parts else not decides


def against(formula: Formula, truths: Mapping[str, bool | None]) -> list[str]:
    """The clauses that keep a formula from holding, in order: those of its parts that do not hold, or are open."""
    if truth_of(formula, truths):
        return []
    if formula.op == "and":
        return [name for part in formula.parts for name in against(part, truths)]
    return sorted(names_of(formula), key=list(truths).index)


def names_of(formula: Formula) -> set[str]:
    """The clauses that a formula names."""
    return {formula.name} if formula.op == "is" else {name for part in formula.parts for name in names_of(part)}
