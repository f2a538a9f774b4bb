"""Times as intervals; datetime.date is the rival for the Gregorian calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.times import DAY, PRECISIONS, TimeInterval, is_time, julian_day, literal_interval, parse_time
from toulmin.graph.types import Literal

_UNIX_DAY = julian_day(1970, 1, 1)


def interval(text: str, precision: str | None = None, calendar: str | None = None) -> TimeInterval:
    found = literal_interval(Literal(text, "time", precision=precision, calendar=calendar))
    assert found is not None
    return found


def span(time: TimeInterval | None) -> tuple[str, str, str] | None:
    return (time.earliest, time.latest, time.precision) if time else None


@pytest.mark.parametrize(
    ("text", "precision", "earliest", "latest"),
    [
        ("1995-03-12", None, "1995-03-12", "1995-03-12"),
        ("1995-03", None, "1995-03-01", "1995-03-31"),
        ("1996-02", None, "1996-02-01", "1996-02-29"),
        ("1995", None, "1995-01-01", "1995-12-31"),
        ("1995-00-00", None, "1995-01-01", "1995-12-31"),
        ("1995-03-00", None, "1995-03-01", "1995-03-31"),
        ("+1995-03-12T00:00:00Z", None, "1995-03-12", "1995-03-12"),
        ("2009-00-00T00:00:00Z", None, "2009-01-01", "2009-12-31"),
        ("1995-03-12", "year", "1995-01-01", "1995-12-31"),
        ("1995", "decade", "1990-01-01", "1999-12-31"),
        ("1101", "century", "1101-01-01", "1200-12-31"),
        ("1200", "century", "1101-01-01", "1200-12-31"),
        ("1201", "century", "1201-01-01", "1300-12-31"),
        ("0050", "century", "0001-01-01", "0100-12-31"),
        ("2000", "millennium", "1001-01-01", "2000-12-31"),
        ("0000", None, "0000-01-01", "0000-12-31"),
        ("-0043", None, "-0043-01-01", "-0043-12-31"),
        ("-0043", "decade", "-0048-01-01", "-0039-12-31"),  # 44 BCE: the 40s BCE, 49 to 40
        ("-0043", "century", "-0099-01-01", "0000-12-31"),  # the 1st century BCE, 100 to 1
        ("-0499", "century", "-0499-01-01", "-0400-12-31"),  # 500 BCE: the 5th century BCE
        ("12345-01-01", None, "12345-01-01", "12345-01-01"),
        ("-13798000000", "million_years", "-13798999998-01-01", "-13797999999-12-31"),
    ],
)
def test_intervals(text: str, precision: str | None, earliest: str, latest: str) -> None:
    found = interval(text, precision)
    assert (found.earliest, found.latest) == (earliest, latest)


@pytest.mark.parametrize(
    "text", ["", "1995-13", "1995-02-30", "1900-02-29", "95", "spring", "1995-1-2", "1995-03-12T25:00:00Z", "1999-2001"]
)
def test_what_is_no_time(text: str) -> None:
    assert not is_time(text)
    assert literal_interval(Literal(text, "time")) is None


def test_an_unknown_precision_makes_no_interval() -> None:
    assert literal_interval(Literal("1995", "time", precision="fortnight")) is None


def test_julian_dates_are_converted() -> None:
    assert interval("1642-12-25", calendar="julian").earliest == "1643-01-04"
    assert interval("1582-10-04", calendar="julian").end == interval("1582-10-15").start
    assert interval("1700-02-29", calendar="julian").earliest == "1700-03-11"
    assert interval("1500", calendar="julian").earliest == "1500-01-10"


def test_the_time_of_day_and_its_zone() -> None:
    noon = interval("2004-04-12T12:00:00Z")
    assert (noon.precision, noon.resolution) == ("second", 1_000_000)
    assert interval("2004-04-12T13:20:00+02:00").start == interval("2004-04-12T11:20:00Z").start
    assert interval("2004-04-12T13:20:00.5Z").precision == "microsecond"
    assert interval("2004-04-12T13:20:00Z", "hour").end - interval("2004-04-12T13:20:00Z", "hour").start == 3600_000_000
    assert interval("2004-04-12T13:20:00Z", "day") == interval("2004-04-12")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1999", ("1999-01-01", "1999-12-31", "year")),
        ("476", ("0476-01-01", "0476-12-31", "year")),
        ("18 February 1997", ("1997-02-18", "1997-02-18", "day")),
        ("18th of February, 1997", ("1997-02-18", "1997-02-18", "day")),
        ("February 18, 1997", ("1997-02-18", "1997-02-18", "day")),
        ("Sept. 11, 2001", ("2001-09-11", "2001-09-11", "day")),
        ("March 1995", ("1995-03-01", "1995-03-31", "month")),
        ("12. century", ("1101-01-01", "1200-12-31", "century")),
        ("12th century", ("1101-01-01", "1200-12-31", "century")),
        ("5th century BC", ("-0499-01-01", "-0400-12-31", "century")),
        ("2nd millennium", ("1001-01-01", "2000-12-31", "millennium")),
        ("the 1990s", ("1990-01-01", "1999-12-31", "decade")),
        ("44 BC", ("-0043-01-01", "-0043-12-31", "year")),
        ("15 March 44 BCE", ("-0043-03-15", "-0043-03-15", "day")),
        ("AD 79", ("0079-01-01", "0079-12-31", "year")),
        ("+2008-11-04T00:00:00Z", ("2008-11-04", "2008-11-04", "day")),
        ("2008-00-00", ("2008-01-01", "2008-12-31", "year")),
    ],
)
def test_texts_that_name_a_time(text: str, expected: tuple[str, str, str]) -> None:
    assert span(parse_time(text)) == expected


NO_TIMES = (
    *("", "7", "42", "c. 1500", "30 February 1999", "1999-2001", "Hello 1999", "Mare 1999", "12:30", "0 BC", "12th"),
    *("0th century", "1976 Summer Olympics", "131406895", "1,999", "1999!"),
)


@pytest.mark.parametrize("text", NO_TIMES)
def test_texts_that_name_none(text: str) -> None:
    assert parse_time(text) is None


@given(st.dates())
def test_days_are_those_of_datetime(day: date) -> None:
    found = interval(day.isoformat())
    assert found.start == (_UNIX_DAY + (day - date(1970, 1, 1)).days) * DAY
    assert found.earliest == found.latest == day.isoformat()
    written = f"{day.day} {day:%B} {day.year}{' AD' if day.year < 100 else ''}"
    assert parse_time(written) == found


@given(st.dates())
def test_months_and_years_end_where_datetime_says(day: date) -> None:
    month, year = interval(f"{day:%Y-%m}".rjust(7, "0")), interval(f"{day:%Y}".rjust(4, "0"))
    assert month.earliest == day.replace(day=1).isoformat()
    following = day.replace(day=28) + timedelta(days=4) if day < date(9999, 12, 1) else None
    if following:
        assert month.latest == (following - timedelta(days=following.day)).isoformat()
    assert (year.earliest, year.latest) == (f"{day.year:04d}-01-01", f"{day.year:04d}-12-31")


@given(
    st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)),
    st.integers(min_value=-14, max_value=14),
)
def test_instants_are_those_of_datetime(moment: datetime, hours: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    text = aware.isoformat(timespec="microseconds")
    since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    expected = _UNIX_DAY * DAY + (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    found = literal_interval(Literal(text, "time", precision="microsecond"))
    assert found is not None
    assert found.start == expected


years = st.integers(min_value=-9999, max_value=9999)


@given(
    years,
    st.integers(1, 12),
    st.integers(1, 28),
    st.sampled_from(sorted(PRECISIONS)),
    st.sampled_from(["julian", None]),
)
def test_a_coarser_precision_contains_a_finer_one(
    year: int, month: int, day: int, precision: str, calendar: str | None
) -> None:
    text = f"{'-' * (year < 0)}{abs(year):04d}-{month:02d}-{day:02d}"
    fine, coarse = interval(text, calendar=calendar), interval(text, precision, calendar)
    if PRECISIONS[precision] < DAY and precision not in ("microsecond", "second", "minute", "hour"):
        assert coarse.start <= fine.start < fine.end <= coarse.end
    else:
        assert coarse == fine


@given(st.text(max_size=20))
def test_no_text_breaks_the_parser(text: str) -> None:
    found = parse_time(text)
    assert found is None or found.start < found.end
