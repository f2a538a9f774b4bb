"""The kernel's values: a row for every rule of docs/certificate.md, with results that were worked out by hand."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from make_values import vectors

import toulmin.kernel.values as kernel
from toulmin.kernel import KernelError
from toulmin.kernel.format import LiteralValue, Node, shaped
from toulmin.kernel.values import aggregate, arithmetic, compare, holds_in_window, order_key, period

LABELS = {"e:99": "1999", "e:paris": "Paris", "e:speed": "120 km/h", "e:twin": "Paris"}
UNKNOWN, NONE = LiteralValue("", "unknown_value"), LiteralValue("", "no_value")


def t(value: str, precision: str | None = None, calendar: str | None = None) -> LiteralValue:
    return LiteralValue(value, "time", None, precision, None, calendar)


def q(value: str, unit: str | None = None, bounds: str | None = None) -> LiteralValue:
    return LiteralValue(value, "quantity", unit, bounds)


def s(value: str, lang: str | None = None) -> LiteralValue:
    return LiteralValue(value, "string", None, None, lang)


@pytest.mark.parametrize(
    ("a", "op", "b", "expected"),
    [
        (t("1903"), "<", t("1904-01-01"), True),
        (t("1903"), "<", t("1903-12-31"), None),
        (t("1903"), "≤", t("1903-12-31"), True),
        (t("1903"), "=", t("1903"), None),
        (t("1903-04-01"), "=", t("1903-04-01"), True),
        (t("-0043-03-15"), "<", t("0000"), True),  # 44 BCE and 1 BCE
        (t("1582-10-04", calendar="julian"), "<", t("1582-10-15"), True),
        (t("1582-10-05", calendar="julian"), "=", t("1582-10-15"), True),
        (t("1900", "century"), "<", t("1901"), True),
        (t("1900", "decade"), "≥", t("1900"), None),
        (t("2016-12-31T23:59:60Z"), "=", t("2017-01-01T00:00:00Z", "second"), True),
        (t("2016-12-31T24:00:00Z"), "=", t("2017-01-01T00:00:00Z", "second"), True),
        (t("2020-01-01T00:30:00+01:00"), "=", t("2019-12-31T23:30:00Z"), True),
        (t("2020-01-01T01+00:30"), "≤", t("2020-01-01T01"), None),  # half an hour earlier, each an hour long
        (t("2020-01-01T00:00:00Z"), "=", t("2020-01-01"), True),  # midnight to the second is a day
        (t("2020-01-01T13:20", "second"), "=", t("2020-01-01T13:20:00"), None),  # no finer than it is written
        (t("2020-01-01T13:20:00+15:00"), "<", t("2030"), None),  # no zone
        (q("1", "mile"), "=", q("1609.344", "metre"), True),
        (q("212", "degree_Fahrenheit"), "=", q("373.15", "kelvin"), True),
        (q("36", "kilometre / hour"), "=", q("10", "m/s"), True),
        (q("1", "kilowatt * hour"), "=", q("3.6", "megajoule"), True),
        (q("1", "acre"), "=", q("4046.8564224", "m²"), True),
        (q("50", "%"), "=", q("0.5"), True),
        (q("1", "byte"), "=", q("8"), None),
        (q("1", "byte"), "=", q("8", "bit"), True),
        (q("1", "USD"), "<", q("2", "EUR"), None),
        (q("1", "$"), "<", q("2", "USD"), True),
        (q("1", "smoot"), "<", q("2", "smoot"), True),
        (q("1", "smoot"), "<", q("2", "metre"), None),
        (q("10", None, "9..11"), "<", q("11.5"), True),
        (q("10", None, "9..11"), "=", q("10"), None),
        (q("10", None, "9..10"), "=", q("10", None, "10..11"), None),
        (q("10", None, "11..12"), "<", q("20"), None),  # outside its bounds
        (q("1999"), "<", t("2000"), True),
        (q("1999", None, "1998..2000"), "<", t("2001"), None),
        (q("1999"), "<", q("999"), False),
        (s("1999"), "=", s("1999"), True),
        (s("1999"), "<", s("2001"), True),
        (s("March 1903"), "<", t("1903-04"), True),
        (s("44 BC"), "<", s("AD 79"), True),
        (s("18 February 97"), "<", t("2000"), None),  # of years below 100 an era is required
        (s("18 February 97 AD"), "<", t("0098"), True),
        (s("0 May 1990"), "<", t("2000"), None),
        (s("1,500 m"), "=", q("1.5", "km"), True),
        (s("5 kW"), "=", q("5000", "watt"), True),
        (s("TOP 10"), "<", q("20", "TOP"), None),
        (s("5 km"), "<", s("6 mile"), True),
        (s("5 km"), "<", "e:speed", None),
        (s("Wien", "de"), "=", s("Vienna", "en"), None),
        (s("Wien"), "≠", s("Vienna", "en"), True),
        ("e:99", "=", "e:99", True),
        ("e:paris", "=", "e:twin", False),
        ("e:paris", "=", s("Paris"), True),
        ("e:paris", "=", s("Lutetia"), None),
        ("e:99", "<", t("2001"), True),
        ("e:speed", ">", q("30", "metre / second"), True),
        ("e:paris", "starts", s("PAR"), True),
        ("e:paris", "contains", s("x"), False),
        (q("15", "kilometre"), "contains", s("kilo"), False),  # the unit is no part of the value's text
        (UNKNOWN, "=", UNKNOWN, None),
        (NONE, "=", t("1903"), False),
        ("e:paris", "≠", NONE, True),
        (NONE, "=", NONE, None),
        (NONE, "≠", UNKNOWN, None),
        (NONE, "contains", s("x"), None),
        (s("x"), "starts", UNKNOWN, None),
        (LiteralValue("yes", "boolean"), "=", s("TRUE"), True),
        (LiteralValue("no", "boolean"), "=", s("0"), True),
        (LiteralValue("0", "boolean"), "=", s("1"), False),
        (LiteralValue("48.85,2.35", "coordinate"), "=", LiteralValue("48.855,2.35", "coordinate"), None),
        (LiteralValue("48.85,2.35", "coordinate"), "=", LiteralValue("48.8551,2.35", "coordinate"), False),
        (LiteralValue("95.0,2.35", "coordinate"), "=", LiteralValue("95.0,2.35", "coordinate"), None),
    ],
)
def test_comparison(a: Node, op: str, b: Node, expected: bool | None) -> None:
    assert compare(op, a, b, LABELS.get) is expected


@pytest.mark.parametrize(
    ("do", "left", "right", "expected"),
    [
        ("add", q("1", "km"), q("1", "metre"), q("1001", "metre")),
        ("add", q("1", "USD"), q("1", "EUR"), None),
        ("add", q("2", None, "1..3"), q("10"), q("11", None, "11..13")),
        ("subtract", q("2", None, "1..3"), q("1", None, "1..2"), q("-1", None, "-1..2")),
        ("subtract", t("2020-05-01"), t("2010-05-01"), q("10", "year")),
        ("add", t("2020-01-31"), q("1", "month"), t("2020-02-29")),
        ("add", t("1899-01-01"), q("1461", "day"), t("1903-01-02")),  # 1900 was no leap year
        ("add", t("1899-01-01"), q("4", "year"), t("1903-01-01")),
        ("subtract", t("0001-01-01"), q("1", "day"), t("0000-12-31")),
        ("add", t("2020"), q("18", "month"), None),
        ("add", t("2020"), q("0.5", "year"), None),
        ("add", t("2020-07"), q("0.5", "year"), t("2021-01")),
        ("add", t("1700-03", calendar="julian"), q("1", "month"), None),
        ("multiply", q("3", "metre"), q("2"), q("6", "metre")),
        ("multiply", q("3", "metre"), q("2", "metre"), None),
        ("multiply", q("0", None, "-1..2"), q("0", None, "-3..1"), q("-6", None, "-6..3")),
        ("divide", q("10", "metre"), q("4", "metre"), q("2.5")),
        ("divide", q("10", "metre"), q("4"), q("2.5", "metre")),
        ("divide", q("10"), q("4", "metre"), None),
        ("divide", q("1"), q("0", None, "-1..1"), None),
        ("divide", q("1"), q("3"), q("0.333333333333333")),
        ("divide", q("2"), q("3"), q("0.666666666666667")),
        ("round", q("2.5"), q("0"), q("2")),
        ("round", q("-3.5", "metre"), q("0"), q("-4", "metre")),
        ("round", q("1250"), q("-2"), q("1200")),
        ("round", q("1.005"), q("2"), q("1")),
        ("round", q("1.5"), q("0.5"), None),
        ("round", q("10.4", None, "9.4..11.6"), q("0"), q("9", None, "9..12")),
        ("floor", q("36.96", "year"), q("1", "year"), q("36", "year")),
        ("floor", q("-1.5", "year"), q("6", "month"), q("-18", "month")),
        ("floor", q("2", None, "1.5..2.5"), q("1"), q("1", None, "1..2")),
        ("floor", q("5", "metre"), q("1", "year"), None),
        ("floor", q("5"), q("0"), None),
        ("floor", q("5"), q("1", None, "1..2"), None),
        ("duration", t("1990-05-01"), t("2015-05-01"), q("25", "year")),
        ("duration", t("2000-02-29"), t("2001-03-01"), q("1", "year")),
        ("days", t("2000-02-28"), t("2000-03-01"), q("2", "day")),
        ("days", t("2001-03"), t("2001-02-28"), q("-31", "day", "-31..-1")),
        ("duration", t("2001-01-01"), t("2001-07-02"), q("0.498630136986301", "year")),  # 182 / 365
        ("duration", t("2001"), t("2003"), q("1.0027397260274", "year", "1.0027397260274..2.9972602739726")),
        (
            "distance",
            LiteralValue("0,0", "coordinate"),
            LiteralValue("0,180", "coordinate"),
            q("20015.114", "kilometre"),
        ),
        ("distance", LiteralValue("(0, 0)", "string"), LiteralValue("0,180", "string"), q("20015.114", "kilometre")),
        ("distance", LiteralValue("(0, 0)", "string"), q("180"), None),
        ("year", t("-0043-03-15"), None, q("-43")),
        ("year", t("1995", "decade"), None, q("1990", None, "1990..1999")),
        ("month", t("1903-04"), None, q("4")),
        ("month", t("1903"), None, q("1", None, "1..12")),
        ("day", t("1903-04"), None, q("1", None, "1..30")),
        ("day", t("1903"), None, None),
        ("century", t("1900"), None, q("19")),
        ("century", t("-0043"), None, None),
        ("decade_of_century", t("1995"), None, q("10")),
        ("decade_of_century", t("1900"), None, None),
        ("convert", q("36.6", "°C"), q("0", "°F"), q("97.88", "°F")),
        ("convert", q("10", "metre", "9..11"), q("1", "cm"), q("1000", "cm", "900..1100")),
        ("convert", q("1", "metre"), q("1", "second"), None),
        ("multiply", q("1e20"), q("10"), q("1E+21")),
        ("multiply", q("1e999"), q("10"), None),
        ("multiply", q("0.0000001"), q("10"), q("0.000001")),
        ("multiply", q("0.00000012"), q("1"), q("1.2E-7")),
        ("multiply", q("1000000000000005"), q("0.1"), q("100000000000000")),  # half to even
        ("multiply", q("1000000000000015"), q("0.1"), q("100000000000002")),
        ("conjure", q("1"), q("1"), None),
    ],
)
def test_arithmetic(do: str, left: Node, right: Node | None, expected: LiteralValue | None) -> None:
    assert arithmetic(do, left, right, LABELS.get) == expected


@pytest.mark.parametrize(
    ("do", "values", "expected"),
    [
        ("sum", [q("1", "km"), q("500", "metre")], q("1.5", "km")),
        ("mean", [q("1"), q("2"), q("2")], q("1.66666666666667")),
        ("min", [q("2", "km"), q("500", "metre")], q("0.5", "km")),
        ("max", [q("2", None, "1..9"), q("3")], q("3", None, "3..9")),
        ("sum", [q("1", "USD"), q("1", "EUR")], None),
        ("sum", [], None),
        ("min", [t("1903"), t("1902"), t("1903")], t("1902")),
        ("min", [t("1903"), t("1903-05")], None),
        ("sum", [t("1903")], None),
        ("min", [t("1903-02-30")], None),
        ("max", [t("1903-01-01"), t("1902"), t("1903-01-01T00:00:00Z")], t("1903-01-01")),
        ("max", [t("1903"), q("1")], None),
    ],
)
def test_aggregates(do: str, values: list[Node], expected: LiteralValue | None) -> None:
    assert aggregate(do, values, LABELS.get) == expected


def test_periods_and_windows() -> None:
    term, since = period(t("2009-01-20"), t("2017-01-20"), LABELS.get), period(t("2014"), None, LABELS.get)
    lasting = period(t("2014"), NONE, LABELS.get)
    assert term is not None
    assert since is not None
    assert lasting is not None
    assert compare("within", t("2012"), term, LABELS.get) is True
    assert compare("within", t("2009"), term, LABELS.get) is None
    assert compare("overlaps", t("2009-01-20"), term, LABELS.get) is True
    assert compare("overlaps", t("2009-01-19"), term, LABELS.get) is False
    assert compare("overlaps", t("2020"), since, LABELS.get) is None
    assert compare("overlaps", t("2020"), lasting, LABELS.get) is True
    assert compare("=", term, term, LABELS.get) is None
    assert compare("=", term, t("2009"), LABELS.get) is None
    assert compare("=", t("2009"), term, LABELS.get) is None
    assert period(s("somewhere"), None, LABELS.get) is None
    window = (t("2010"), t("2012"))
    assert holds_in_window(t("2011-05"), None, None, *window, LABELS.get) is True
    assert holds_in_window(t("2009"), t("2010"), None, *window, LABELS.get) is False  # the point counts
    assert holds_in_window(None, t("2000"), t("2011"), *window, LABELS.get) is True
    assert holds_in_window(None, t("2000"), None, *window, LABELS.get) is None
    assert holds_in_window(None, t("2000"), NONE, *window, LABELS.get) is True
    assert holds_in_window(None, t("2013"), None, *window, LABELS.get) is False
    assert holds_in_window(None, t("2000"), None, None, None, LABELS.get) is True
    assert holds_in_window(t("2011"), None, None, UNKNOWN, None, LABELS.get) is None
    for old in ("-4800", "-4713", "-9000", "-999999"):  # before the day from which days are counted
        assert holds_in_window(t(old), None, None, None, t("2000"), LABELS.get) is True
        assert holds_in_window(None, None, t(old), None, t("2000"), LABELS.get) is True
    for new in ("9999", "999999"):
        assert holds_in_window(t(new), None, None, t("2000"), None, LABELS.get) is True
        assert holds_in_window(None, t(new), NONE, t("2000"), None, LABELS.get) is True


def test_a_period_may_end_with_the_last_moment_of_its_last_year() -> None:
    lasted, moment = period(t("1990"), t("1999"), LABELS.get), t("1999-12-31T23:59:59.999999Z")
    assert lasted is not None
    assert compare("overlaps", lasted, moment, LABELS.get) is None
    assert compare("overlaps", moment, lasted, LABELS.get) is None
    year = period(None, t("1999-12-31T23:59:59.999999Z"), LABELS.get)
    assert year is not None
    assert compare("overlaps", t("1999"), year, LABELS.get) is True
    assert compare("overlaps", t("1998"), moment, LABELS.get) is False
    assert compare("overlaps", t("1999"), moment, LABELS.get) is True
    assert compare("overlaps", t("1999-12-31T23:59:59.999998Z"), moment, LABELS.get) is False
    before, after = period(t("1990"), t("1999-12-31T23:59:59.999998Z"), LABELS.get), period(moment, None, LABELS.get)
    assert before is not None
    assert after is not None
    assert compare("within", t("1999"), before, LABELS.get) is None
    assert compare("within", t("1999"), after, LABELS.get) is None  # its last moment may be meant
    assert compare("overlaps", lasted, t("2000-01-01T00:00:00.000000Z", "microsecond"), LABELS.get) is False


def test_order_keys_share_the_scale_of_their_dimension() -> None:
    mile, metre, euro = (order_key(q("1", unit), LABELS.get) for unit in ("mile", "metre", "EUR"))
    assert mile is not None
    assert metre is not None
    assert euro is not None
    assert mile.dimension == metre.dimension != euro.dimension
    assert mile.low == metre.low * 1609 + metre.low * 344 / 1000
    year = order_key("e:99", LABELS.get)
    assert year is not None
    assert year.dimension == "time"
    assert order_key("e:paris", LABELS.get) is order_key(UNKNOWN, LABELS.get) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "must be an object"),
        ({"kind": "time"}, "the field 'value' is missing"),
        ({"value": "1", "kind": "quantity", "x": "1"}, "the field 'x' is not known"),
        ({"value": "1", "kind": "number"}, "here kind: must be one of string"),
        ({"value": "1", "kind": ["time"]}, "here kind: must be one of string"),
        ({"value": 1, "kind": "quantity"}, "here value: must be a text"),
        ({"value": "1", "kind": "quantity", "unit": ""}, "here: must be without empty fields"),
        ({"value": "9" * 1001, "kind": "quantity"}, "at most 1,000"),
        ({"value": "1", "kind": "quantity", "precision": f"0..{'9' * 1001}"}, "at most 1,000"),
        ({"value": "x" * 100_001, "kind": "string"}, "100,000"),
        ({"value": "1903", "kind": "time", "calendar": "mayan"}, "gregorian.julian"),
    ],
)
def test_what_is_no_literal(value: Any, message: str) -> None:
    with pytest.raises(KernelError, match=message) as raised:
        shaped(value, "literal", "here")
    assert "\n" not in str(raised.value)


def test_texts() -> None:
    assert kernel.text_of("e:paris", LABELS.get) == "Paris"
    assert kernel.text_of("e:unheard", LABELS.get) == "e:unheard"
    assert kernel.text_of(q("5", "metre"), LABELS.get) == "5"


def test_the_vectors_for_other_languages_are_what_the_kernel_says() -> None:
    stored = json.loads((Path(__file__).parent / "vectors" / "values.json").read_text("utf-8"))
    assert stored == json.loads(json.dumps(vectors()))


FOLDER = Path(kernel.__file__).parent


def test_the_kernel_imports_the_standard_library_and_itself() -> None:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            assert not [name for name in names if name.split(".")[0] not in sys.stdlib_module_names], path.name
            assert not (isinstance(node, ast.ImportFrom) and node.level > 1), path.name


def test_values_work_where_the_folder_is_copied(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    program = """from elsewhere.values import LiteralValue, compare
print(compare("<", LiteralValue("1903", "time"), LiteralValue("1904", "time"), str))"""
    done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{program}"],
                          cwd=tmp_path, capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout == "True\n"
