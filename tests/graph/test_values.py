"""Comparison of values with three truth values; pint is the rival for units."""

from __future__ import annotations

import math
from fractions import Fraction

import pint
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toulmin.errors import SettingsError
from toulmin.graph.arithmetic import arithmetic
from toulmin.graph.quantities import (
    CURRENCIES,
    canonical_unit,
    decimal_text,
    is_known_unit,
    parse_quantity,
    unit_in_label,
)
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import compare, distance, literal_from_text

UNKNOWN, NONE = Literal("", "unknown_value"), Literal("", "no_value")
WD = "http://www.wikidata.org/entity/"


def time(text: str, precision: str | None = None, calendar: str | None = None) -> Literal:
    return Literal(text, "time", precision=precision, calendar=calendar)


def quantity(text: str, unit: str | None = None, bounds: str | None = None) -> Literal:
    return Literal(text, "quantity", unit=unit, precision=bounds)


def entity(label: str) -> Entity:
    return Entity(f"urn:toulmin:e:{label}", label)


@pytest.mark.parametrize(
    ("a", "op", "b", "expected"),
    [
        (time("1876"), "<", time("2009-01"), True),
        (time("1995"), "<", time("1995-03"), None),
        (time("1995"), "=", time("1995-03"), None),
        (time("1995-03-12"), "=", time("1995-03-12"), True),
        (time("1995"), "=", time("1995"), None),
        (time("1995"), "≠", time("1996"), True),
        (time("1995"), "≤", time("1995-12-31"), True),
        (time("1995"), "<", time("1995-12-31"), None),
        (time("1996"), ">", time("1995-12-31"), True),
        (time("1995-12-31"), "≥", time("1996"), False),
        (time("-0043-03-15"), "<", time("0014"), True),
        (time("1101", "century"), "<", time("1201"), True),
        (time("1101", "century"), "=", time("1150"), None),
        (time("1642-12-25", calendar="julian"), "=", time("1643-01-04"), True),
        (time("2004-04-12T12:00:00Z"), "<", time("2004-04-12T12:00:01Z"), True),
        (time("2004-04-12T12:00:00Z"), "=", time("2004-04-12"), None),
        (time("2004-04-12T12:00:00Z"), "<", time("2004-04-13"), True),
        (quantity("8848.86", "metre"), ">", quantity("8611", "metre"), True),
        (quantity("1", "mile"), "=", quantity("1.609344", "kilometre"), True),
        (quantity("29002", "foot"), "<", quantity("8848.86", "metre"), True),
        (quantity("32", "degree_Fahrenheit"), "=", quantity("0", "degree_Celsius"), True),
        (quantity("1", "hectare"), "<", quantity("1", "kilometre ** 2"), True),
        (quantity("1.50"), "=", quantity("1.5"), True),
        (quantity("50", "percent"), "=", quantity("0.5"), True),
        (quantity("1", "metre"), "<", quantity("2", "second"), None),
        (quantity("1", "metre"), "=", quantity("1"), None),
        (quantity("1", "USD"), "<", quantity("2", "USD"), True),
        (quantity("1", "USD"), "<", quantity("2", "EUR"), None),
        (quantity("1", WD + "Q987"), "<", quantity("2", WD + "Q987"), True),
        (quantity("1", WD + "Q987"), "<", quantity("2", "metre"), None),
        (quantity("1", WD + "Q11573"), "=", quantity("1", "metre"), None),  # readers give units their names
        (quantity("1", "radian"), "<", quantity("400", "degree"), None),  # no rational number of degrees
        (quantity("1", "byte"), "<", quantity("9"), None),
        (Literal("1999"), "=", Literal("1999"), True),
        (Literal("Marie Curie"), "contains", Literal("CURIE"), True),
        (entity("Marie Curie"), "starts", Literal("marie"), True),
        (Literal("Marie Curie"), "starts", Literal("Curie"), False),
        (UNKNOWN, "contains", Literal("x"), None),
        (NONE, "starts", Literal("x"), None),
        (quantity("10", bounds="9..11"), "<", quantity("12"), True),
        (quantity("10", bounds="9..11"), "<", quantity("10.5"), None),
        (quantity("10", bounds="9..11"), "=", quantity("10"), None),
        (quantity("many"), "<", quantity("2"), None),
        (Literal("true", "boolean"), "=", Literal("1", "boolean"), True),
        (Literal("true", "boolean"), "≠", Literal("false", "boolean"), True),
        (Literal("true", "boolean"), "<", Literal("false", "boolean"), None),
        (Literal("Paris"), "=", Literal("Paris", lang="en"), True),
        (Literal("Paris"), "=", Literal("Rome"), False),
        (Literal("Wien", lang="de"), "=", Literal("Vienna", lang="en"), None),
        (Literal("Paris"), "<", Literal("Rome"), None),
        (Literal("48.85,2.35", "coordinate"), "=", Literal("48.850,2.350", "coordinate"), True),
        (Literal("48.85,2.35", "coordinate"), "=", Literal("48.8534,2.3488", "coordinate"), None),
        (Literal("48.85,2.35", "coordinate"), "=", Literal("51.5,-0.13", "coordinate"), False),
        (Literal("48.85,2.35", "coordinate"), "<", Literal("51.5,-0.13", "coordinate"), None),
        (time("1995"), "=", Literal("48.85,2.35", "coordinate"), None),
        (entity("1999"), "<", time("2001-05"), True),
        (entity("1999"), "<", entity("2001"), True),
        (entity("1999"), "=", entity("1999"), True),
        (entity("18 February 1997"), ">", time("1997-01"), True),
        (entity("1999"), "<", quantity("2001"), True),
        (quantity("1999"), "<", time("2001"), True),
        (entity("131406895"), "<", entity("131406896"), True),
        (entity("120 kilometre per hour"), ">", quantity("30", "metre / second"), True),
        (entity("1800000 euro"), "<", quantity("2000000", "EUR"), True),
        (Literal("€5"), "<", entity("5.50 euros"), True),
        (Literal("$5"), "=", quantity("5.00", "dollar"), True),
        (Literal("$5"), "<", Literal("€6"), None),
        (Literal("7 Up"), "<", quantity("8"), None),
        (entity("Paris"), "=", entity("Rome"), False),
        (entity("Paris"), "=", Entity("w:other", "Paris"), False),
        (entity("Paris"), "<", entity("Rome"), None),
        (entity("Paris"), "=", Literal("Paris"), True),
        (entity("Paris"), "=", Literal("Lutetia"), None),
        (UNKNOWN, "=", UNKNOWN, None),
        (UNKNOWN, "<", time("1995"), None),
        (NONE, "=", time("1995"), False),
        (entity("Paris"), "≠", NONE, True),
        (NONE, "<", time("1995"), None),
        (NONE, "=", NONE, None),
        (NONE, "=", UNKNOWN, None),
    ],
)
def test_comparison(a: Node, op: str, b: Node, expected: bool | None) -> None:
    assert compare(op, a, b) is expected


def test_operators_may_be_spelt_in_ascii_and_others_are_refused() -> None:
    assert compare("<=", time("1995"), time("1996"))
    assert compare("!=", time("1995"), time("1996"))
    with pytest.raises(SettingsError, match="must be one of = ≠ < ≤ > ≥ contains starts"):
        compare("~", time("1995"), time("1996"))


years = st.integers(min_value=-3000, max_value=3000).map(lambda year: f"{'-' * (year < 0)}{abs(year):04d}")
months = st.integers(1, 12).map(lambda month: f"-{month:02d}")
days = st.integers(1, 28).map(lambda day: f"-{day:02d}")
dates = st.one_of(years, st.tuples(years, months).map("".join), st.tuples(years, months, days).map("".join))
times = st.builds(
    time,
    dates,
    st.sampled_from([None, "day", "month", "year", "decade", "century", "millennium"]),
    st.sampled_from([None, "julian"]),
)
numbers = st.decimals(min_value=-1000, max_value=1000, places=2, allow_nan=False).map(lambda number: f"{number:f}")
LENGTHS = ["metre", "kilometre", "mile", "foot", "inch", "light_year", "centimetre"]
OTHERS = ["second", "kilogram", "litre", "USD", "EUR", WD + "Q987", None]
quantities = st.builds(quantity, numbers, st.sampled_from(LENGTHS + OTHERS))
nodes: st.SearchStrategy[Node] = st.one_of(
    times,
    quantities,
    st.sampled_from([UNKNOWN, NONE, Literal("x"), Literal("true", "boolean"), entity("Paris"), entity("1999")]),
)
MIRROR = {"=": "=", "≠": "≠", "<": ">", "≤": "≥", ">": "<", "≥": "≤"}


@given(nodes, nodes)
def test_a_comparison_and_its_mirror_image_agree(a: Node, b: Node) -> None:
    for op, mirrored in MIRROR.items():
        assert compare(op, a, b) is compare(mirrored, b, a)


@given(st.one_of(st.tuples(times, times), st.tuples(quantities, quantities)))
def test_trichotomy(pair: tuple[Literal, Literal]) -> None:
    truths = [compare(op, *pair) for op in ("<", "=", ">")]
    if True in truths:
        assert sorted(truths, key=bool) == [False, False, True]
    else:
        assert truths.count(None) != 1  # if all but one are false, that one would be true


@given(nodes, nodes)
def test_operators_fit_together(a: Node, b: Node) -> None:
    less, equal, at_most = (compare(op, a, b) for op in ("<", "=", "≤"))
    not_equal = compare("≠", a, b)
    assert not_equal is (None if equal is None else not equal)
    if less or equal:
        assert at_most is not False
    if less:
        assert at_most is True
        assert not_equal is True
    if at_most is False:
        assert compare(">", a, b) is True


@given(times, times, times)
def test_order_is_transitive(a: Literal, b: Literal, c: Literal) -> None:
    if compare("<", a, b) and compare("<", b, c):
        assert compare("<", a, c) is True


RIVAL: pint.UnitRegistry[float] = pint.UnitRegistry()


def convert(given: Literal, unit: str | None) -> Literal | None:
    return arithmetic("convert", given, Literal("1", "quantity", canonical_unit(unit)))


@given(numbers, st.sampled_from(LENGTHS), st.sampled_from(LENGTHS))
def test_conversion_is_pints(number: str, unit: str, target: str) -> None:
    converted = convert(quantity(number, unit), target)
    assert converted is not None
    assert converted.unit == target
    expected = RIVAL.Quantity(float(number), unit).to(target).magnitude
    assert math.isclose(float(converted.value), expected, rel_tol=1e-12, abs_tol=1e-300)


@given(numbers, st.sampled_from(LENGTHS), st.sampled_from(LENGTHS))
def test_conversion_there_and_back(number: str, unit: str, target: str) -> None:
    there = convert(quantity(number, unit), target)
    assert there is not None
    back = convert(there, unit)
    assert back is not None
    assert math.isclose(float(back.value), float(number), rel_tol=1e-13)


lengths = st.builds(quantity, numbers, st.sampled_from(LENGTHS))


@given(lengths, lengths)
def test_quantities_compare_as_pint_says(a: Literal, b: Literal) -> None:
    first, second = (RIVAL.Quantity(float(one.value), one.unit).to("metre").magnitude for one in (a, b))
    assume(not math.isclose(first, second, rel_tol=1e-9))
    assert compare("<", a, b) is (first < second)


@pytest.mark.parametrize(
    ("given_quantity", "unit", "expected"),
    [
        (quantity("8848.86", "metre"), "metre", quantity("8848.86", "metre")),
        (quantity("1.50", "kilometre"), WD + "Q11573", quantity("1500", "metre")),
        (quantity("36.6", "degree_Celsius"), "degree_Fahrenheit", quantity("97.88", "degree_Fahrenheit")),
        (quantity("5.972e24", "kilogram"), "gram", quantity("5.972E+27", "gram")),
        (quantity("50", "percent"), None, quantity("0.5")),
        (quantity("10", "metre", "9..11"), "centimetre", quantity("1000", "centimetre", "900..1100")),
        (quantity("1", "metre"), "second", None),
        (quantity("1", "USD"), "EUR", None),
        (quantity("1", "metre"), "USD", None),
        (quantity("1", "metre"), "smoot-ish", None),
        (quantity("1", WD + "Q987"), "metre", None),
        (quantity("many", "metre"), "foot", None),
        (time("1995"), "metre", None),
    ],
)
def test_conversion(given_quantity: Literal, unit: str | None, expected: Literal | None) -> None:
    assert convert(given_quantity, unit) == expected


def test_no_currency_is_a_unit_of_pint() -> None:
    for code in CURRENCIES:
        with pytest.raises(pint.UndefinedUnitError):
            RIVAL.parse_units(code)


def test_wikidatas_units_are_known_to_pint() -> None:
    for number in ("Q11573", "Q712226", "Q794261", "Q13147228", "Q25267", "Q1811", "Q11229"):
        unit = canonical_unit(WD + number)
        assert unit is not None
        assert RIVAL.parse_units(unit) is not None
    assert canonical_unit("1") is canonical_unit(WD + "Q199") is None


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("KiloGM", "kilogram"),
        ("M-PER-SEC2", "metre / second ** 2"),
        ("KiloGM-PER-M3", "kilogram / metre ** 3"),
        ("N-M", "newton * metre"),
        ("DEG_C", "degree_Celsius"),
        ("UNITLESS", None),
        ("MilliL-PER-MIN", "millilitre / minute"),
        ("FurlongQuux", "http://qudt.org/vocab/unit/FurlongQuux"),
    ],
)
def test_units_of_qudt(unit: str, expected: str | None) -> None:
    iri = "http://qudt.org/vocab/unit/" + unit
    assert canonical_unit(iri) == expected
    assert expected is None or expected == iri or is_known_unit(expected)
    assert canonical_unit("http://qudt.org/vocab/currency/EUR") == "EUR"


@pytest.mark.parametrize(
    "name",
    """M IN FT YD MI HA AC L GM TONNE LB OZ SEC MIN HR DAY WK MO YR KN HZ N PA BAR J EV W V A OHM C F T K DEG_C DEG_F
    MOL CD LM LX DEG BYTE BIT PERCENT MilliGM MicroM KiloW-HR""".split(),
)
def test_units_of_qudt_are_known_to_pint(name: str) -> None:
    assert is_known_unit(str(canonical_unit("http://qudt.org/vocab/unit/" + name)))


def test_distance() -> None:
    paris, london = Literal("48.8567,2.3522", "coordinate"), Literal("51.5072,-0.1276", "coordinate")
    far = distance(paris, london)
    assert far is not None
    assert math.isclose(far, 343.5, abs_tol=0.5)
    assert distance(paris, paris) == 0
    assert distance(Literal("0,0", "coordinate"), Literal("0,180", "coordinate")) == pytest.approx(math.pi * 6371.0088)
    assert distance(Literal("90,0", "coordinate"), Literal("90,120", "coordinate")) == pytest.approx(0, abs=1e-9)
    written = Literal("48.8567, 2.3522", "string")
    assert distance(Entity("e:paris", "(48.8567, 2.3522)"), paris) == distance(written, paris) == 0
    assert distance(Literal("48.8567 2.3522", "string"), paris) is None
    assert distance(paris, time("1995")) is None
    assert distance(paris, Literal("north", "coordinate")) is None


places = st.tuples(st.floats(-90, 90), st.floats(-180, 180)).map(lambda p: Literal(f"{p[0]:f},{p[1]:f}", "coordinate"))


@given(places, places, places)
def test_distance_is_a_metric(a: Literal, b: Literal, c: Literal) -> None:
    ab, bc, ac = distance(a, b), distance(b, c), distance(a, c)
    assert ab is not None
    assert bc is not None
    assert ac is not None
    assert ab == pytest.approx(distance(b, a), abs=1e-6)
    assert 0 <= ac <= ab + bc + 1e-3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1999", time("1999")),
        ("18 February 1997", time("1997-02-18")),
        ("March 1995", time("1995-03")),
        ("12. century", time("1101", "century")),
        ("44 BC", time("-0043")),
        ("2217", quantity("2217")),
        ("131406895", quantity("131406895")),
        ("8,848.86 metre", quantity("8848.86", "metre")),
        ("5.6 (kilograms)", quantity("5.6", "kilograms")),
        ("0.0925 (kilometrePerSeconds)", quantity("0.0925", "kilometre per seconds")),
        ('100305.0"(minutes)', quantity("100305.0", "minutes")),
        ("5 USD", quantity("5", "USD")),
        ("-3.5", quantity("-3.5")),
        ("1800000 euro", quantity("1800000", "EUR")),
        ("1,800,000 Euros", quantity("1800000", "EUR")),
        ("$5", quantity("5", "USD")),
        ("-$5.20", quantity("-5.20", "USD")),
        ("US$ 5", quantity("5", "USD")),
        ("€12.50", quantity("12.50", "EUR")),
        ("12.50 €", quantity("12.50", "EUR")),
        ("EUR 12.50", quantity("12.50", "EUR")),
        ("5 pounds sterling", quantity("5", "GBP")),
        ("5 pounds", quantity("5", "pounds")),
        ("5 kg", quantity("5", "kg")),
        ("5 Swiss francs", quantity("5", "CHF")),
        ("12,50 €", None),
        ("€", None),
        ("$ave 5", None),
        ("-€-5", None),
        ("TOP 10", None),
        ("5 May", None),
        ("7 Up", None),
        ("50 Cent", None),
        ("12 Angry Men", None),
        ("8 Mile", None),
        ("1976 Summer Olympics", None),
        ("2004-04-12T13:20:00Z", Literal("2004-04-12T13:20:00Z", "time")),
        ("19TH CENTURY", Literal("1801", "time", precision="century")),
        ("Paris", None),
        ("", None),
    ],
)
def test_what_a_bare_text_most_likely_is(text: str, expected: Literal | None) -> None:
    assert literal_from_text(text) == expected


@given(st.text(max_size=20))
def test_no_text_breaks_the_parsers(text: str) -> None:
    parse_quantity(text)
    compare("<", entity(text), time("1995"))
    compare("<", entity(text), quantity("1", "metre"))


@given(st.fractions(max_denominator=10**6))
def test_decimal_text_is_close(value: Fraction) -> None:
    assert math.isclose(float(decimal_text(value)), float(value), rel_tol=1e-14)


@pytest.mark.parametrize("text", ["2 -", "5 m-", "3 *", "2 /", "3 m**", "2 ^"])
def test_a_stray_operator_is_no_unit(text: str) -> None:
    assert parse_quantity(text) is None


@pytest.mark.parametrize(
    ("label", "unit", "named"),
    [
        ("bore in mm", "metres", "mm"),
        ("hourly rate EUR", "EUR", "EUR"),
        ("LOAD_T", "kilograms", "t"),
        ("length (feet)", "m", "feet"),
        ("share in percent", "percent", "percent"),
        ("price per kg", "kg", None),
        ("rent (GBP/week)", "GBP", "GBP"),
        ("speed (km/h)", "km/h", "km/h"),
        ("speed (km/h)", "km", None),
        ("born in", "inches", None),
        ("foot length", "m", None),
        ("weight", "kg", None),
        ("cost in USD", "EUR", None),
    ],
)
def test_units_that_labels_name(label: str, unit: str, named: str | None) -> None:
    assert unit_in_label(label, unit) == named
