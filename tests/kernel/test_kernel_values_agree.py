"""The kernel's values and those of the graph are two implementations of docs/certificate.md: they must agree."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from added_periods import RULES, added_periods
from hypothesis import given, settings
from hypothesis import strategies as st
from value_strategies import LABELS, bounded, entities, iso, nodes, of_graph, pairs, texts, times

from toulmin.graph import arithmetic as fast_arithmetic
from toulmin.graph import quantities as fast_quantities
from toulmin.graph import times as fast_times
from toulmin.graph import values as fast
from toulmin.kernel import quantities, values
from toulmin.kernel import times as kernel_times
from toulmin.kernel.format import FORMAT, LiteralValue, Node
from toulmin.program import periods

OPERATORS = ["=", "≠", "<", "≤", ">", "≥", "contains", "starts"]
OPERATIONS = ["add", "subtract", "multiply", "divide", "round", "floor", "duration", "days", "distance", "convert"]
PARTS = ["year", "month", "day", "century", "decade_of_century"]
MANY = settings(max_examples=1500, deadline=None)
sides = st.none() | nodes


@MANY
@given(pairs)
def test_comparisons(pair: tuple[Node, Node]) -> None:
    for op in OPERATORS:
        assert values.compare(op, *pair, LABELS.get) is fast.compare(op, *map(of_graph, pair)), op


@MANY
@given(
    st.lists(sides, min_size=4, max_size=4) | st.lists(st.none() | times, min_size=4, max_size=4),
    st.sampled_from([*RULES]),
)
def test_periods(ends: list[Node | None], added: str) -> None:
    mine = [values.period(start, end, LABELS.get) for start, end in (ends[:2], ends[2:])]
    given_ends = [None if end is None else of_graph(end) for end in ends]
    theirs = [periods.period(*given_ends[:2]), periods.period(*given_ends[2:])]
    assert [one is None for one in mine] == [one is None for one in theirs]
    spans = [*zip(mine, theirs, strict=True), *((one, of_graph(one)) for one in ends if one is not None)]
    shipped = [*FORMAT["periods"]]
    with added_periods():
        for (a, fast_a), (b, fast_b) in product(spans, spans):
            if a is not None and b is not None and fast_a is not None and fast_b is not None:
                for do in (*shipped, added):
                    assert values.compare(do, a, b, LABELS.get) is periods.compare_periods(do, fast_a, fast_b), do


@MANY
@given(st.lists(sides, min_size=5, max_size=5) | st.lists(st.none() | times, min_size=5, max_size=5))
def test_windows(ends: list[Node | None]) -> None:
    given_ends = [None if end is None else of_graph(end) for end in ends]
    point, start, end, first, last = ends
    assert values.holds_in_window(point, start, end, first, last, LABELS.get) is periods.holds_in_window(*given_ends)


@MANY
@given(pairs)
def test_arithmetic(pair: tuple[Node, Node]) -> None:
    for do in OPERATIONS:
        mine = values.arithmetic(do, *pair, LABELS.get)
        assert (mine and of_graph(mine)) == fast_arithmetic.arithmetic(do, *map(of_graph, pair)), do


@MANY
@given(nodes | times)
def test_parts_of_dates(node: Node) -> None:
    for do in PARTS:
        mine = values.arithmetic(do, node, None, LABELS.get)
        assert (mine and of_graph(mine)) == fast_arithmetic.arithmetic(do, of_graph(node), None), do


@MANY
@given(pairs.map(list) | st.lists(bounded(), max_size=4) | st.lists(times, max_size=4) | st.lists(nodes, max_size=3))
def test_aggregates(several: list[Node]) -> None:
    for do in ("sum", "mean", "min", "max"):
        mine = values.aggregate(do, several, LABELS.get)
        assert (mine and of_graph(mine)) == fast_arithmetic.aggregate(do, [of_graph(node) for node in several]), do


@MANY
@given(texts | iso)
def test_texts(text: str) -> None:
    mine, theirs = kernel_times.interval_of_text(text), fast_times.parse_time(text)
    assert (mine and tuple(mine)) == (theirs and (theirs.start, theirs.end, theirs.precision))
    amount, other = quantities.quantity_of_text(text), fast_quantities.parse_quantity(text)
    assert (amount and amount[1:]) == (other and (other.low, other.high, other.unit))


@MANY
@given(pairs | st.tuples(entities, bounded()))
def test_order_keys_are_ordered_as_their_nodes(pair: tuple[Node, Node]) -> None:
    first, second = (values.order_key(node, LABELS.get) for node in pair)
    kinds = {node.kind for node in pair if isinstance(node, LiteralValue)}
    if first is None or second is None or first.dimension != second.dimension or pair[0] == pair[1]:
        return
    if first.dimension == "time" or "quantity" in kinds:
        assert (first.high < second.low) is (values.compare("<", *pair, LABELS.get) is True)


def test_both_tables_of_units_have_the_same_names() -> None:
    assert frozenset(quantities.UNITS) == fast_quantities.UNIT_NAMES


def test_both_lists_of_currencies_are_the_same() -> None:
    assert quantities.CURRENCIES == fast_quantities.CURRENCIES
    assert quantities.SIGNS == fast_quantities.CURRENCY_SIGNS


def test_pints_factors_are_the_kernels_for_every_pair_of_one_dimension() -> None:
    families: dict[object, list[str]] = {}
    for name, unit in quantities.UNITS.items():
        families.setdefault(unit.dimension, []).append(name)
    one, two = Fraction(1), Fraction(2)
    for family in families.values():
        first = family[0]  # every pair follows from all pairs with one unit
        for name in family:
            for given_unit, target in ((name, first), (first, name)):
                mine = quantities.converted(quantities.Amount(one, one, two, given_unit), target)
                theirs = fast_quantities.converted(fast_quantities.Quantity(one, two, given_unit), target)
                assert mine is not None
                assert theirs is not None, (given_unit, target)
                assert (theirs.low, theirs.high) == (mine.low, mine.high), (given_unit, target)


_names = st.sampled_from(sorted(quantities.UNITS))
_parts = st.tuples(
    st.sampled_from(["", "", "square ", "cubic "]),
    _names | st.sampled_from(["smoot", "metres", "nautical mile", ""]),
    st.sampled_from(["", "", "s", " ** 2", "²", "^3", "2", " ** 12", " "]),
).map("".join)
_written = st.lists(_parts | st.sampled_from([" / ", "/", " * ", "·", " per ", "**"]), max_size=5).map("".join)


@MANY
@given(_written | st.text(max_size=8), _written | _names)
def test_units_that_are_put_together(unit: str, other: str) -> None:
    assert (quantities.unit_named(unit) is None) is (fast_quantities.pint_expression(unit) is None)
    one = Fraction(1)
    mine = quantities.converted(quantities.Amount(one, one, one, unit), other)
    theirs = fast_quantities.converted(fast_quantities.Quantity(one, one, unit), other)
    assert (mine and mine.low) == (theirs and theirs.low)


@pytest.mark.parametrize("name", [*fast_quantities.UNITS["wikidata"].values()])
def test_every_unit_of_wikidata_that_readers_name_is_known(name: str) -> None:
    assert name == "radian" or name in quantities.CURRENCIES or quantities.unit_named(name) is not None
