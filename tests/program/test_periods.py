"""What lasts, and how it is compared: with three truth values, as the kernel's format says."""

from __future__ import annotations

from random import Random
from typing import Literal as Choice

import pytest
from added_periods import RULES, added_periods
from agreement import disagreement
from hypothesis import given
from hypothesis import strategies as st
from random_programs import random_graph, random_program
from test_javascript_agreement import disagreements
from value_strategies import of_graph
from value_strategies import times as kernel_times

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal
from toulmin.kernel.format import FORMAT
from toulmin.program.builder import Builder
from toulmin.program.nodes import Compare, Window, read_node
from toulmin.program.periods import Period, compare_periods, comparisons, period

UNKNOWN, NONE = Literal("", "unknown_value"), Literal("", "no_value")


def time(text: str) -> Literal:
    return Literal(text, "time")


def overlaps(a: Literal | Period, b: Literal | Period) -> bool | None:
    return compare_periods("overlaps", a, b)


def within(a: Entity | Literal | Period, b: Literal | Period) -> bool | None:
    return compare_periods("within", a, b)


times = kernel_times.map(of_graph)
spans = st.one_of(
    times,
    st.builds(
        period,
        st.one_of(times, st.none(), st.just(UNKNOWN)),
        st.one_of(times, st.none(), st.just(UNKNOWN), st.just(NONE)),
    ).filter(lambda span: span is not None),
)


@given(spans, spans)
def test_overlap_is_symmetric(a: Literal | Period, b: Literal | Period) -> None:
    assert overlaps(a, b) is overlaps(b, a)


@given(times, times)
def test_containment_implies_overlap(a: Literal, b: Literal) -> None:
    if within(a, b):
        assert overlaps(a, b) is True
    if overlaps(a, b) is False:
        assert within(a, b) is False


@given(times)
def test_a_time_lies_within_itself(a: Literal) -> None:
    known = None if overlaps(a, a) is None else True
    assert within(a, a) is overlaps(a, a) is known


TERM_BUSH = period(time("2001-01-20"), time("2009-01-20"))
TERM_OBAMA = period(time("2009-01-20"), time("2017-01-20"))
NINETIES = period(time("1990"), time("2000"))


def test_periods() -> None:
    assert TERM_BUSH is not None
    assert TERM_OBAMA is not None
    assert NINETIES is not None
    assert overlaps(TERM_BUSH, TERM_OBAMA) is None  # one hands over on the day on which the other starts
    assert overlaps(NINETIES, TERM_BUSH) is False
    assert within(time("2009-01-20"), TERM_OBAMA) is True
    assert within(time("2012"), TERM_OBAMA) is True
    assert within(time("2009"), TERM_OBAMA) is None
    assert within(time("1995"), NINETIES) is True
    assert within(time("1990"), NINETIES) is None  # it may have started in December
    assert within(NINETIES, TERM_OBAMA) is False
    assert within(time("2005"), NINETIES) is False
    assert within(time("2012"), time("2012-05")) is None
    assert within(time("2012-05"), time("2012")) is True
    assert within(Entity("urn:e:2012", "2012"), TERM_OBAMA) is True


def test_open_periods() -> None:
    still = period(time("2014-04-05"), NONE)
    since = period(time("2014-04-05"), None)
    assert still is not None
    assert since is not None
    assert within(time("2020"), still) is True
    assert within(time("2020"), since) is None
    assert within(time("2010"), since) is False
    assert overlaps(since, time("2014")) is True
    assert overlaps(since, time("2016")) is None
    assert period(Literal("somewhere"), None) is None
    assert overlaps(Literal("somewhere"), still) is None


def test_what_is_known_of_an_end_decides(people: MemoryGraph) -> None:
    b = Builder("When was it?", people)
    born, hole = (b.follow(b.entity(one), "born") for one in ("ada", "dee"))
    none = b.follow(b.entity("dee"), "manager")
    ends = {"has not come": none, "may be anything": hole, "not given": None, "one of several": b.union(born, hole)}
    truths = {
        (name, year): b.truth(b.compare("overlaps", b.period(born, end), b.literal(time(year))))
        for name, end in ends.items()
        for year in ("1949", "1950", "2000")
    }
    assert [truths["has not come", year] for year in ("1949", "1950", "2000")] == [False, True, True]
    for name in ("may be anything", "not given"):
        assert [truths[name, year] for year in ("1949", "1950", "2000")] == [False, True, None]
    assert {truths["one of several", year] for year in ("1949", "1950", "2000")} == {None}
    assert b.nodes(b.arithmetic("year", ends["one of several"] or 0)) == ()
    assert disagreement(b, people) is None


@pytest.mark.parametrize("bound", [UNKNOWN, NONE])
@pytest.mark.parametrize(("unknown", "found"), [("keep", ["judge", "mayor"]), ("drop", [])])
def test_a_window_whose_bound_is_not_known_says_nothing(
    people: MemoryGraph, bound: Literal, unknown: Choice["keep", "drop"], found: list[str]
) -> None:
    b = Builder("What was Ada?", people)
    window = Window(from_=bound, to=time("1982"), start=("start",), end=("end",), unknown=unknown)
    held = b.follow(b.entity("ada"), "office", window=window)
    assert [node.id for node in b.nodes(held) if isinstance(node, Entity)] == found
    assert disagreement(b, people) is None


def test_only_what_the_format_has_is_compared() -> None:
    assert [*comparisons()] == ["=", "≠", "<", "≤", ">", "≥", "overlaps", "within", "contains", "starts"]
    assert FORMAT["periods"].keys() <= {*comparisons()}
    for do in comparisons():
        assert read_node({"op": "compare", "do": do, "left": 0, "right": 0}) == Compare(do=do, left=0, right=0)
    with pytest.raises(InputError, match=r"field 'compare.do': must be one of = ≠ < .* starts"):
        read_node({"op": "compare", "do": "precedes", "left": 0, "right": 0})


def test_a_comparison_of_times_is_added_in_the_format_alone(people: MemoryGraph) -> None:
    with added_periods():
        assert {*RULES} <= {*comparisons()}
        b = Builder("Did Ada hold an office before 1990?", people)
        held = b.follow(b.entity("ada"), "office", qualified=[("start", time("1980"))])
        term = b.period(b.qualifier(held, "start"), b.qualifier(held, "end"))
        truths = [b.truth(b.compare("precedes", term, b.literal(time(year)))) for year in ("1990", "1984-05", "1984")]
        assert truths == [True, None, False]
        answer = b.answer(b.compare("precedes", term, b.literal(time("1990"))), by="me", score=1.0, method="by hand")
        report = answer.check(people)
    assert (report.exit_code, report.answer) == (0, ["yes"])
    assert report.read_as.endswith(" precedes 1990")


@pytest.mark.parametrize("seed", range(6))
def test_all_evaluators_agree_on_what_is_added(seed: int) -> None:
    rng = Random(seed)
    with added_periods():
        with random_graph(rng) as graph:  # type: ignore[attr-defined]
            programs = [random_program(rng, graph)[0] for _ in range(20)]
            told = [disagreement(program, graph) for program in programs]
        assert [one for one in told if one] == []
        assert disagreements(seed, 8) == []
    done = {node.do for program in programs for node in program.program if isinstance(node, Compare)}
    assert done & RULES.keys()
