"""Formulas are read as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import InputError
from toulmin.methods.r3.axioms.formula import Formula, names_of, parse

LEAVES = st.sampled_from([Formula("is", name=name) for name in "pqr"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda one: Formula("not", (one,))),
        st.builds(
            lambda op, parts: Formula(op, tuple(parts)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
    ),
    max_leaves=8,
)


def written(formula: Formula) -> str:
    """A formula as text, with a parenthesis around every part that has parts."""
    if formula.op == "is":
        return formula.name
    parts = [written(part) if part.op in ("is", "not") else f"({written(part)})" for part in formula.parts]
    return f"not {parts[0]}" if formula.op == "not" else f" {formula.op} ".join(parts)


@given(FORMULAS)
def test_what_is_written_reads_back(formula: Formula) -> None:
    assert parse(written(formula)) == formula
    assert names_of(formula) <= set("pqr")


def test_not_binds_closest_then_and() -> None:
    p, q, r = (Formula("is", name=name) for name in "pqr")
    assert parse("not p and q or r") == Formula("or", (Formula("and", (Formula("not", (p,)), q)), r))


@pytest.mark.parametrize("text", ["", "p and", "(p", "p q", "not", "p or or q", "p; q", "((((((((((((((((((((((p"])
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)
