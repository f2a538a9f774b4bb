"""RDF literals to Toulmin's and back."""

from __future__ import annotations

from typing import get_args

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.times import PRECISIONS, TimeInterval, literal_interval
from toulmin.graph.types import Literal, LiteralKind
from toulmin.graph.xsd import RDF, WKT, XSD, literal_from_rdf, literal_to_rdf, time_literal, wikidata_time

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.from_regex(r"[+-]?\d{1,3}(\.\d{1,2})?([eE]-?\d)?", fullmatch=True)
TIMES = st.from_regex(r"-?\d{4}(-[01]\d(-[0-3]\d(T1\d:00:00Z)?)?)?", fullmatch=True)
POINTS = st.from_regex(r"-?\d{1,2}(\.\d)?,-?\d{1,3}(\.\d)?", fullmatch=True)
LITERALS = st.builds(
    Literal,
    value=st.one_of(TEXT, NUMBERS, TIMES, POINTS, st.sampled_from(["true", "0", ""])),
    kind=st.sampled_from(get_args(LiteralKind)),
    unit=st.none() | st.sampled_from(["metre", "EUR", "http://www.wikidata.org/entity/Q11573", ""]),
    precision=st.none() | st.sampled_from(["day", "decade", "century"]),
    lang=st.none() | st.sampled_from(["en", "pt-br", "EN", "no tag", ""]),
    calendar=st.none() | st.sampled_from(["julian"]),
)


@given(LITERALS)
def test_every_literal_survives_rdf_and_a_real_store(literal: Literal) -> None:
    value, datatype, lang = literal_to_rdf(literal)
    assert literal_from_rdf(value, datatype, lang) == literal
    kind = pyoxigraph.NamedNode(datatype)
    term = pyoxigraph.Literal(value, language=lang) if lang else pyoxigraph.Literal(value, datatype=kind)
    assert literal_from_rdf(term.value, term.datatype.value, term.language) == literal


@pytest.mark.parametrize(
    ("value", "datatype", "lang", "expected"),
    [
        ("Zürich", XSD + "string", None, Literal("Zürich")),
        ("Zurich", "", None, Literal("Zurich")),
        ("Zurich", RDF + "langString", "de-CH", Literal("Zurich", lang="de-ch")),
        ("1.50", XSD + "decimal", None, Literal("1.50", "quantity")),
        ("1e3", XSD + "double", None, Literal("1e3", "quantity")),
        ("7", XSD + "nonNegativeInteger", None, Literal("7", "quantity")),
        ("7", XSD + "unsignedByte", None, Literal("7", "quantity")),
        ("INF", XSD + "double", None, Literal("INF")),
        ("seven", XSD + "integer", None, Literal("seven")),
        ("1995", XSD + "gYear", None, Literal("1995", "time")),
        ("-0044", XSD + "gYear", None, Literal("-0044", "time")),
        ("1995-03", XSD + "gYearMonth", None, Literal("1995-03", "time")),
        ("1995-03-01", XSD + "date", None, Literal("1995-03-01", "time")),
        ("1995-03-01T12:30:00Z", XSD + "dateTime", None, Literal("1995-03-01T12:30:00Z", "time")),
        ("2009-00-00", XSD + "date", None, Literal("2009", "time")),
        ("2009-07-00T00:00:00Z", XSD + "dateTime", None, Literal("2009-07", "time")),
        ("1995-13", XSD + "gYearMonth", None, Literal("1995-13")),
        ("12:30:00", XSD + "time", None, Literal("12:30:00")),
        ("false", XSD + "boolean", None, Literal("false", "boolean")),
        ("no", XSD + "boolean", None, Literal("no")),
        ("Point(2.35 48.85)", WKT, None, Literal("48.85,2.35", "coordinate")),
        (
            "<http://www.opengis.net/def/crs/EPSG/0/4326> POINT (48.85 2.35)",
            WKT,
            None,
            Literal("48.85,2.35", "coordinate"),
        ),
        ("178", "http://dbpedia.org/datatype/centimetre", None, Literal("178", "quantity", "centimetre")),
        ("178", "http://dbpedia.org/datatype/furlong", None, Literal("178")),
        ("x", "urn:toulmin:literal?kind=nonsense", None, Literal("x")),
    ],
)
def test_what_other_graphs_write(value: str, datatype: str, lang: str | None, expected: Literal) -> None:
    assert literal_from_rdf(value, datatype, lang) == expected


def test_a_point_on_the_moon_is_no_coordinate_of_ours() -> None:
    text = "<http://www.wikidata.org/entity/Q405> Point(23.47 0.67)"
    assert literal_from_rdf(text, WKT, None) == Literal(text)


@pytest.mark.parametrize(
    ("literal", "datatype"),
    [
        (Literal("1995", "time"), "gYear"),
        (Literal("-0044-03", "time"), "gYearMonth"),
        (Literal("12345-01-02", "time"), "date"),
        (Literal("1.50", "quantity"), "decimal"),
        (Literal("-3", "quantity"), "integer"),
        (Literal("3E8", "quantity"), "double"),
        (Literal("1", "boolean"), "boolean"),
    ],
)
def test_what_xsd_can_say_is_said_in_xsd(literal: Literal, datatype: str) -> None:
    assert literal_to_rdf(literal) == (literal.value, XSD + datatype, None)


@pytest.mark.parametrize(
    ("time", "precision", "expected"),
    [
        ("+1995-03-01T00:00:00Z", 11, Literal("1995-03-01", "time")),
        ("+1995-03-00T00:00:00Z", 10, Literal("1995-03", "time")),
        ("+1995-01-01T00:00:00Z", 9, Literal("1995", "time")),
        ("+1995-00-00T00:00:00Z", 11, Literal("1995", "time")),
        ("+1990-00-00T00:00:00Z", 8, Literal("1990", "time", precision="decade")),
        ("+1801-00-00T00:00:00Z", 7, Literal("1801", "time", precision="century")),
        ("-0044-03-15T00:00:00Z", 11, Literal("-0043-03-15", "time")),
        ("-0001-00-00T00:00:00Z", 9, Literal("0000", "time")),
        ("+00000000476-09-04T00:00:00Z", 11, Literal("0476-09-04", "time")),
        ("-13798000000-00-00T00:00:00Z", 3, Literal("-13797999999", "time", precision="million_years")),
        ("+1995-03-01T12:30:00Z", 14, Literal("1995-03-01T12:30:00Z", "time")),
    ],
)
def test_wikidata_times_are_cut_to_their_precision(time: str, precision: int, expected: Literal) -> None:
    assert wikidata_time(time, precision) == expected


def test_wikidata_calendars_and_refusals() -> None:
    julian = wikidata_time("+1642-12-25T00:00:00Z", 11, "http://www.wikidata.org/entity/Q1985786")
    assert julian == Literal("1642-12-25", "time", calendar="julian")
    for time, precision in [("yesterday", 11), ("+1995-03-01T00:00:00Z", 15)]:
        with pytest.raises(ValueError, match="not a time of Wikidata"):
            wikidata_time(time, precision)


@pytest.mark.parametrize(
    ("time", "precision", "calendar", "expected"),
    [
        ("1995-01-01T00:00:00Z", 9, "Q1985727", Literal("1995", "time")),
        ("-0043-03-13T00:00:00Z", 11, "Q1985786", Literal("-0043-03-15", "time", calendar="julian")),
        ("1643-01-04T00:00:00Z", 11, "Q1985786", Literal("1642-12-25", "time", calendar="julian")),
        ("1642-01-01T00:00:00Z", 9, "Q1985786", Literal("1642", "time", calendar="julian")),
        ("1582-10-15T00:00:00Z", 11, "Q1985786", Literal("1582-10-05", "time", calendar="julian")),
        ("-0043-01-01T00:00:00Z", 9, "Q1985727", Literal("-0043", "time")),
    ],
)
def test_wikidata_times_in_rdf(time: str, precision: int, calendar: str, expected: Literal) -> None:
    assert wikidata_time(time, precision, f"http://www.wikidata.org/entity/{calendar}", rdf=True) == expected


@given(st.integers(0, 5_000_000))
def test_a_julian_day_is_the_same_day_in_both_calendars(number: int) -> None:
    # the day count of 2000-01-01 (Gregorian) is 2451545; dates before and after it in both calendars name the same day
    gregorian = TimeInterval(number * 86_400_000_000, (number + 1) * 86_400_000_000, "day").earliest
    julian = wikidata_time(f"{gregorian}T00:00:00Z", 11, "http://www.wikidata.org/entity/Q1985786", rdf=True)
    interval = literal_interval(julian)
    assert interval is not None
    assert interval.earliest == gregorian


def test_precisions_are_those_that_times_compare_by() -> None:
    precisions = {wikidata_time("+2000-00-00T00:00:00Z", number).precision for number in range(9)}
    assert precisions <= PRECISIONS.keys()


def test_a_time_has_one_canonical_form() -> None:
    assert time_literal("1995", "year", "gregorian") == Literal("1995", "time")
    assert time_literal("1995", "decade", "julian") == Literal("1995", "time", precision="decade", calendar="julian")
