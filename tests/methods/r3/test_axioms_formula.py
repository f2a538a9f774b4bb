"""Formulas are read as they are written, and evaluated as Kleene has it; durations are by the calendar."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.graph.values import compare
from toulmin.methods.r3.axioms.formula import Formula, names_of, parse, value_of, written
from toulmin.proof.axioms.arithmetic import apply

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


@given(FORMULAS)
def test_what_is_written_reads_back(formula: Formula) -> None:
    assert written(parse(written(formula))) == written(formula)
    assert names_of(parse(written(formula))) == names_of(formula)


@given(FORMULAS)
def test_known_is_what_every_completion_agrees_on(formula: Formula) -> None:
    """Kleene's value is never bolder than the two-valued values of all ways to complete what is unknown."""
    for values in product([True, False, None], repeat=3):
        leaves = {Formula("is", name=name): value for name, value in zip("pqr", values, strict=True)}
        truth = value_of(formula, leaves)
        ways = [[True, False] if value is None else [value] for value in values]
        completed = {
            value_of(formula, {Formula("is", name=name): one for name, one in zip("pqr", way, strict=True)})
            for way in product(*ways)
        }
        assert None not in completed
        assert truth is None or completed == {truth}


@pytest.mark.parametrize("text", ["", "p and", "(p", "p q", "not", "p or or q", "p; q", "((((((((((((((((((((((p"])
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


DAYS = st.dates(min_value=date(1, 1, 2), max_value=date(2500, 1, 1))


def time(day: date) -> Literal:
    return Literal(day.isoformat(), "time")


@given(DAYS, DAYS)
def test_whole_years_are_those_of_the_calendar(first: date, last: date) -> None:
    first, last = sorted((first, last))
    lived = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
    years = apply("duration", time(first), time(last))
    assert years is not None
    assert compare(">=", years, Literal(str(lived), "quantity", unit="year"))
    assert compare("<", years, Literal(str(lived + 1), "quantity", unit="year"))


@given(st.integers(1000, 2000), st.integers(0, 300))
def test_years_known_to_the_year_leave_a_year_open(year: int, later: int) -> None:
    years = apply("duration", Literal(str(year), "time"), Literal(str(year + later), "time"))
    assert years is not None
    assert compare(">", years, Literal(str(later - 1), "quantity", unit="year")) is True
    assert compare(">=", years, Literal(str(later + 1), "quantity", unit="year")) is False
    assert compare("=", years, Literal(str(later), "quantity", unit="year")) is None
