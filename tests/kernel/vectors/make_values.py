"""Writes ``values.json`` beside it: operations on values with what they yield, for implementations in other languages.

    python tests/kernel/vectors/make_values.py

An operation is ``[name, arguments, result]``; an entity is a text, a literal an object, a period ``{"period": [start,
end]}``. ``labels`` gives entities their labels. Whole numbers beyond 2^53 (in order keys) are texts of fractions.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from toulmin.kernel import KernelError
from toulmin.kernel.format import FORMAT, LiteralValue, Node, shaped
from toulmin.kernel.quantities import UNITS, quantity_of_text, unit_named
from toulmin.kernel.times import interval_of_text
from toulmin.kernel.values import (
    Span,
    aggregate,
    arithmetic,
    compare,
    holds_in_window,
    order_key,
    period,
    text_of,
)

__all__ = ["LABELS", "evaluate", "vectors"]

LABELS = {
    "e:1": "1999", "e:2": "18 February 1997", "e:3": "120 km/h", "e:4": "Paris", "e:5": "Rome", "e:6": "5 euros",
    "e:7": "12th century", "e:8": "44 BC", "e:9": "Paris", "u:1": "widget",
}  # fmt: skip
_PRECISIONS = "microsecond second minute hour day month year decade century millennium million_years fortnight".split()
_UNITS = (
    "metre|kilometre|km|mile|foot|metre ** 2|hectare|acre|km²|kilometre / hour|mph|knot|kilogram|g|lb|second|hour|day"
    "|week|month|year|degree_Celsius|degree_Fahrenheit|kelvin|percent|%|kW|joule / second|byte|MB|degree|USD|EUR|$"
    "|euros|u:1|smoot|parsec|litre|ml|cubic metre|kg/m3|newton * metre|metre / second ** 2|metres per second"
).split("|")
_FAMILIES = [family.split("|") for family in (
    "metre|kilometre|mile|foot|inch", "metre ** 2|hectare|acre|km²", "kilometre / hour|mph|knot|metre / second",
    "second|hour|day|week|month|year", "degree_Celsius|degree_Fahrenheit|kelvin", "percent|%", "USD|$", "byte|MB|bit",
)]  # fmt: skip
_TEXTS = (
    "1999|1876|18 February 1997|February 18, 1997|March 1903|1 January 99|1 January 99 AD|March 44 BC|44 BC|AD 79|1990s"
    "|the 1990s|12th century|5th century BC|2nd millennium|12. century|0 May 1990|31 June 1990|2008-11-04|-0043-03-15"
    "|8,848.86 metre|$5|-$5.20|EUR 12.50|12.50 €|5.6 (kilograms)|0.09 (kilometrePerSeconds)|5 kWh|5 kW|8 Mile|TOP 10"
    "|50 Cent|7 m²|3 square miles|12 km/h|5 pounds|5 pounds sterling|1e3|1,00|Paris|paris|Rome||true|no|été|Été| 1999 "
).split("|")
_CLOCKS = (
    "T00:00:00Z|T13:20:00Z|T13:20|T13|T23:59:60Z|T24:00:00Z|T12:00:00.5Z|T13:20:00+02:00|T13+05:30|T01-00:30".split("|")
)
_NUMBERS = (
    "1.5e3|-2E-7|.5|5.|+3|0|-0|1e999|0.1234567890123456789|many|999|1999|2000.50|1e-7|123456789012345678901".split("|")
)
_PARTS = ("year", "month", "day", "century", "decade_of_century")
_OPERATIONS = ("add", "subtract", "multiply", "divide", "round", "floor", "duration", "days", "distance", "convert")
_COMPARISONS = ("=", "≠", "<", "≤", ">", "≥", "contains", "starts")


class _Random:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.choice = self.random.choice
        self.family = _FAMILIES[0]

    def time(self) -> LiteralValue:
        year = self.choice(
            [self.random.randint(1890, 2030), self.random.randint(-130, 130), self.random.randint(-9999, 99999)]
        )
        text = f"{'-' * (year < 0)}{abs(year):04d}"
        if self.random.random() < 0.7:
            text += f"-{self.random.randint(0, 12):02d}"
            if self.random.random() < 0.7:
                text += f"-{self.choice([0, 1, 1, 15, 28, 29, 30, 31]):02d}"
                if self.random.random() < 0.3:
                    text += self.choice(_CLOCKS)
        precision = self.choice([None, None, self.choice(_PRECISIONS)])
        return LiteralValue(text, "time", precision=precision, calendar=self.choice([None, None, None, "julian"]))

    def quantity(self) -> LiteralValue:
        value = self.choice(
            [self.choice(_NUMBERS), str(self.random.randint(-30, 2100)), f"{self.random.uniform(-99, 999):.2f}"]
        )
        unit = self.choice([None, self.choice(_UNITS), self.choice(_UNITS)])
        low, high = sorted((self.random.randint(-50, 50), self.random.randint(-50, 2500)))
        return LiteralValue(value, "quantity", unit, self.choice([None, None, None, f"{low}..{high}"]))

    def node(self) -> Node:
        kind = self.random.random()
        if kind < 0.3:
            return self.time()
        if kind < 0.6:
            return self.quantity()
        if kind < 0.8:
            return LiteralValue(self.choice(_TEXTS), "string", lang=self.choice([None, None, "en", "fr"]))
        if kind < 0.9:
            return self.choice([*LABELS, "e:unlabelled"])
        places = [self.place(), *(LiteralValue(place, "coordinate") for place in ("48.85,2.35", "48.853,2.349"))]
        truths = [LiteralValue(truth, "boolean") for truth in ("true", "0")]
        return self.choice([*places, *truths, *(LiteralValue("", kind) for kind in ("unknown_value", "no_value"))])

    def alike(self) -> LiteralValue:
        """A number in a unit of the family that ``self.family`` names."""
        literal = self.quantity()
        value = str(self.random.randint(-40, 400)) if self.random.random() < 0.7 else literal.value
        return literal._replace(
            value=value, unit=self.choice([*self.family, None]), precision=self.choice([None, f"{value}..900"])
        )

    def pair(self) -> list[Node]:
        self.family = self.choice(_FAMILIES)
        make = self.choice([self.node, self.node, self.time, self.time, self.alike, self.alike, self.place])
        first = make()
        return [first, first if self.random.random() < 0.1 else make()]

    def place(self) -> LiteralValue:
        latitude, longitude = self.random.uniform(-92, 92), self.random.uniform(-185, 185)
        return LiteralValue(
            f"{latitude:.{self.random.randint(0, 5)}f},{longitude:.{self.random.randint(0, 5)}f}", "coordinate"
        )


def _json(node: Node | None) -> Any:
    if not isinstance(node, LiteralValue):
        return node
    return {name: text for name, text in node._asdict().items() if text is not None}


def _node(value: Any) -> Node:
    return value if isinstance(value, str) else shaped(value, "literal", "a literal")


def _span(value: Any) -> Span | None:
    if isinstance(value, dict) and "period" in value:
        start, end = (None if side is None else _node(side) for side in value["period"])
        return period(start, end, LABELS.get)
    return _node(value)


def evaluate(name: str, given: list[Any]) -> Any:
    """The result of one operation, as JSON."""
    if name in _COMPARISONS or name in FORMAT["periods"]:
        spans = [_span(one) for one in given]
        return None if spans[0] is None or spans[1] is None else compare(name, spans[0], spans[1], LABELS.get)
    if name == "literal":
        try:
            return _json(shaped(given[0], "literal", "a literal"))
        except KernelError:
            return "refused"
    if name == "unit":
        unit = unit_named(given[0])
        return unit and [str(unit.factor), str(unit.offset), [list(part) for part in unit.dimension]]
    if name == "time of text":
        time = interval_of_text(given[0])
        return time and [str(time.start), str(time.end), time.precision]
    if name == "quantity of text":
        amount = quantity_of_text(given[0])
        return amount and [str(amount.value), amount.unit]
    nodes = [None if one is None else _node(one) for one in given]
    if name == "window":
        return holds_in_window(*nodes, LABELS.get)  # type: ignore[call-arg,arg-type]
    known = [node for node in nodes if node is not None]
    if name == "text":
        return text_of(known[0], LABELS.get)
    if name == "order key":
        key = order_key(known[0], LABELS.get)
        return key and [str(key.low), str(key.high), key.dimension]
    if name in ("sum", "mean", "min", "max"):
        return _json(aggregate(name, known, LABELS.get))
    return _json(arithmetic(name, known[0], nodes[1], LABELS.get))


def _cases() -> list[tuple[str, list[Any]]]:
    source = _Random(20261123)
    cases: list[tuple[str, list[Any]]] = []
    cases += [(source.choice(_COMPARISONS[:6]), [_json(node) for node in source.pair()]) for _ in range(1500)]
    for _ in range(100):
        text = source.choice([text for text in _TEXTS if len(text) > 2])
        part = source.choice([text[: source.random.randint(1, 9)], text[2:], source.choice(_TEXTS)]).swapcase()
        cases.append(
            (source.choice(["contains", "starts"]), [_json(LiteralValue(one, "string")) for one in (text, part)])
        )
    for _ in range(500):
        ends = [_json(source.choice([None, source.time(), source.time(), source.node()])) for _ in range(5)]
        spans = [{"period": ends[:2]}, source.choice([{"period": ends[2:4]}, _json(source.time())])]
        cases.append((source.choice([*FORMAT["periods"]]), source.choice([spans, spans[::-1]])))
        cases.append(("window", ends))
    for _ in range(1600):
        unit = source.choice(["year", "month", "day", "week", "hour", "second"])
        later: list[Node] = [source.time(), LiteralValue(str(source.random.randint(-40, 400)), "quantity", unit)]
        pair = source.choice([source.pair(), source.pair(), later])
        cases.append((source.choice([*_OPERATIONS, "add", "subtract", "convert"]), [_json(node) for node in pair]))
    for _ in range(300):
        cases.append((source.choice(_PARTS), [_json(source.choice([source.time(), source.node()])), None]))
        make = source.choice([source.node, source.time, source.quantity])
        cases.append(("order key", [_json(make())]))
    for _ in range(300):
        make = source.choice([source.node, source.time, source.quantity])
        first = source.quantity()
        same: list[Node] = [first._replace(value=str(n)) for n in range(source.random.randint(0, 3))]
        several: list[Node] = [make() for _ in range(source.random.randint(0, 3))]
        cases.append(
            (source.choice(["sum", "mean", "min", "max"]), [_json(node) for node in source.choice([same, several])])
        )
    for text in _TEXTS:
        cases += [("time of text", [text]), ("quantity of text", [text])]
    for name in [
        *UNITS,
        *_UNITS,
        "metre ** 12",
        "square metre ** 2",
        "degree_Celsius / hour",
        "kilometers",
        "inchs",
        "",
        "/",
    ]:
        cases.append(("unit", [name]))
    for _ in range(50):
        cases.append(("text", [_json(source.node())]))
    good: dict[str, Any] = {"value": "1", "kind": "quantity", "unit": "metre"}
    others: tuple[Any, ...] = (
        good, [], "x", None, {}, {"value": "1"}, {"kind": "time"}, good | {"kind": "number"}, good | {"unit": ""},
        good | {"value": 1}, good | {"unit": None}, good | {"extra": "1"}, good | {"value": "9" * 1000},
        good | {"value": "9" * 1001}, good | {"precision": f"1..{'9' * 1001}"}, good | {"calendar": "mayan"},
        good | {"kind": None}, good | {"value": ""}, good | {"kind": []}, good | {"lang": 5},
    )  # fmt: skip
    return cases + [("literal", [other]) for other in others]


_EDGE_CLOCKS = (
    "00:00|00:00:00|00:00:01|13|13:20|13:20:30|13:20:30.5|13:20:30.123456|13:20:30.1234567|13:20:60|13:20:61"
    "|13:60|24|24:00|24:00:00|24:01|24:00:01|25|23:59:59Z|13:20+05:30|13:20-05:30|13:20:30-14:00|13:20+14:01"
    "|13:20+15:00|13:20+13:60|13:20+13:59"
).split("|")
_EDGE_DATES = (
    "1903|1903-04|1903-04-15|1903-00-00|1903-04-00|1903-00-15|1903-13|1903-04-31|1900-02-29|2000-02-29|1999-12-31"
    "|1900|2000|0000|0001-01-01|-0001|-0043-03-15|-0099|-0100|-0999-12|-1000|0009|0010|0100-12-31|0101|1000|1001"
    "|+2004-04-12|12345-06-07|203|1903-4|1903-04-15T|1903T13|1903-04T13|-12345678-01-01"
).split("|")
_EDGE_TEXTS = (
    "18 Foo 1997|18 March 1997|18 Mar. 1997|18 Sept 1997|18 Septe 1997|Sept. 1997|8 Augu 1997|Mart 1997"
    "|0 March 1997|32 March 1997|31 April 1997|18th of March, 1997|March 3rd 1997|March 00 1997|March, 1997"
    "|march 5|march 5 bc|99|099|0999|12|12 AD|AD 12|0 BC|0000|0 AD|A.D. 7|7 B.C.|7 B.C.E.|1990s|the 1990s|990s"
    "|90s|0s BC|the 1990s BC|000s|12th century|the 1st century|1st century BC|2nd millennium"
    "|the 2nd-millennium BCE|0th century|99th century|100th century|19 th century| 1903 |\t1903-04\n"
    "|1903-04-15T13:20Z|19030415|1903-04-15 BC|BC 7|7 BCEE"
).split("|")


_EDGE_AMOUNTS = (
    "CHF 5|GBP 5|EUR 5|USD 5|JPY 5|-$5|$-5|$5,000.50|$5,00|US$ 7|5 USD|5 euros|5 EURO|5 usDollars|5 Us Dollar"
    '|5 pounds|5 pounds sterling|5 kilometrePerSecond|5 kilometrePerFurlong|5 (metre)|5 (metre|5 metre)|5 "metre'
    "|1,000|1,00|1,0000|+5|5.|.5|5e3 m|5E-3 m|5e1000|5 m2|5 m^2|5 m ^ 2|5 m**2|5 m^1|5 m^10|5 square metres"
    "|5 cubic metre^2|5 km/h/s|5 metre per second per second|5 degree_Celsius|5 degree_Celsius^2|5 °C|5 min"
    "|5 Mmin|5 kB|5 mB|5 dam|5 inches|5 feets|5 ss|5 as|50%|50 %|5 / m|5 m/|5 m//s"
).split("|")


def _edges() -> list[tuple[str, list[Any]]]:
    """Times at the edges of what can be written, each kept whatever it yields."""
    written = [(date, "julian" if julian else None) for date in _EDGE_DATES for julian in (False, True)]
    times = [LiteralValue(date, "time", calendar=calendar) for date, calendar in written]
    times += [LiteralValue(f"1903-04-15T{clock}", "time") for clock in _EDGE_CLOCKS]
    long = (
        "ten_thousand_years|hundred_thousand_years|million_years|ten_million_years|hundred_million_years|billion_years"
    )
    for precision in (*_PRECISIONS, *long.split("|")):
        exact = (
            "1903-04-15",
            "0001",
            "1900",
            "2000-12",
            "-0043-03-15",
            "0000",
            "1903-04-15T13:20:30.123456Z",
            "1903-04-15T00:00",
        )
        times += [LiteralValue(text, "time", precision=precision) for text in exact]
    cases: list[tuple[str, list[Any]]] = [("order key", [_json(time)]) for time in times]
    cases += [("time of text", [text]) for text in _EDGE_TEXTS]
    days = [f"{year}-{month:02d}-{day:02d}" for year in ("1899", "1900", "2000", "0000", "-0001", "-0400", "30000")
            for month, day in ((1, 1), (2, 28), (3, 1), (12, 31))]  # fmt: skip
    month = LiteralValue("1", "quantity", "month")
    cases += [
        ("add", [_json(LiteralValue(day, "time")), _json(month)]) for day in ("1900-01-31", "1903-12-31", "0000-01-30")
    ]
    cases += [("quantity of text", [text]) for text in _EDGE_AMOUNTS]
    spelt = (
        "newton·metre|m³|m²|m**3|square metre|cubic metre|square metre^2|mins|mis|days|ss|light year|m ^3|m^ 3| m|m "
    )
    cases += [
        ("order key", [_json(LiteralValue("5", "quantity", unit))]) for unit in ("usDollar", "US Dollar", "usDollars")
    ]
    limits = ["µm", "μm", "m/" * 29 + "m", "m/" * 29 + "mm", "m/" * 30 + "m"]  # 59, 60 and 61 characters
    cases += [("unit", [unit]) for unit in (*spelt.split("|"), *limits)]
    cases += [("quantity of text", ["0" * count + "7 m"]) for count in (997, 998)]  # 1,000 and 1,001 characters
    cases.append(("order key", [_json(LiteralValue("0" * 998 + "12", "quantity"))]))
    for left, right in map(
        str.split,
        ("1e10 1e10", "1e10 1e11", "9.99999999999999e20 1", "1 1e-6", "1 1e-7", "1 0.00000123", "3 -7", "0 5"),
    ):
        cases.append(("multiply", [_json(LiteralValue(number, "quantity")) for number in (left, right)]))
    cases += [(part, [_json(LiteralValue(day, "time")), None]) for day in days for part in ("year", "month", "day")]
    years = {
        year: _json(LiteralValue(year, "time")) for year in ("-999999", "-9000", "-4713", "2000", "9999", "999999")
    }
    for year in years.values():  # some before the day from which days are counted
        for sides in ([year, None, None], [None, year, None], [None, None, year]):
            cases += [("window", [*sides, None, years["2000"]]), ("window", [*sides, years["2000"], None])]
    instants = ("1999-12-31T23:59:59.999998Z", "1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00.000001Z")
    for moment in [_json(LiteralValue(instant, "time")) for instant in instants]:
        for year in (_json(LiteralValue("1999", "time")), years["2000"]):
            for ends in ([moment, None], [None, moment], [moment, years["9999"]], [years["-9000"], moment]):
                for name in ("overlaps", "within"):
                    cases += [(name, [year, {"period": ends}]), (name, [{"period": ends}, year])]
    return cases


def vectors() -> dict[str, Any]:
    """All labels and operations."""
    results = [[name, given, evaluate(name, given)] for name, given in _cases()]
    keep = random.Random(1)  # of what yields nothing, a third
    kept = [one for one in results if one[2] is not None or keep.random() < 0.33]
    return {"labels": LABELS, "operations": kept + [[name, given, evaluate(name, given)] for name, given in _edges()]}


if __name__ == "__main__":
    made = vectors()
    lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in made["operations"])
    text = f'{{"labels": {json.dumps(LABELS)},\n"operations": [\n{lines}\n]}}\n'
    Path(__file__).with_name("values.json").write_text(text, "utf-8")
