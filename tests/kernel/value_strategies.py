"""Random literals of all kinds, for comparing the kernel's values with those of the graph."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from toulmin.graph.types import Entity
from toulmin.graph.types import Literal as GraphLiteral
from toulmin.graph.types import Node as GraphNode
from toulmin.kernel.format import LiteralValue, Node

PRECISIONS = [
    *(None, "microsecond", "second", "minute", "hour", "day", "month", "year", "decade", "century", "millennium"),
    *("ten_thousand_years", "hundred_thousand_years", "million_years", "ten_million_years"),
    *("hundred_million_years", "billion_years", "fortnight"),
]
UNITS = [
    *(None, "metre", "kilometre", "km", "mile", "foot", "inch", "metre ** 2", "hectare", "acre", "km2", "square mile"),
    *("kilometre / hour", "metre / second", "mph", "knot", "gram", "kilogram", "kg", "pound", "ounce", "tonne"),
    *(
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "month",
        "year",
        "degree_Celsius",
        "degree_Fahrenheit",
        "kelvin",
        "°C",
    ),
    *("percent", "%", "watt", "kilowatt", "joule / second", "kilowatt * hour", "byte", "kilobyte", "bit", "degree"),
    *("arcminute", "USD", "EUR", "$", "euros", "http://www.wikidata.org/entity/Q987", "smoot", "radian", "parsec"),
    *("light_year", "litre", "ml", "metre ** 3", "gram / centimetre ** 3", "cubic metre", "kg/m3", "newton * metre"),
]
MONTHS = (
    *("January", "february", "March", "APRIL", "may", "Jun", "July", "Aug.", "Sept", "sep", "October", "November"),
    *("December", "Marchember"),
)

years = st.one_of(
    st.integers(1890, 2030), st.integers(-120, 120), st.integers(-4000, 4000), st.integers(-(10**16), 10**16)
).map(lambda year: f"{'-' * (year < 0)}{abs(year):04d}")
_two = st.one_of(st.integers(0, 14), st.sampled_from([28, 29, 30, 31])).map(lambda number: f"-{number:02d}")
_zone = st.sampled_from(["", "Z", "+02:00", "-05:30", "+00:30", "+14:00", "+15:00", "-01:75"])
_clock = st.sampled_from(
    ["T00:00:00", "T13:20:00", "T13:20", "T13", "T23:59:60", "T24:00:00", "T24:00:01", "T12:00:00.5", "T25:00:00"]
)
_dates = st.one_of(years, st.tuples(years, _two).map("".join), st.tuples(years, _two, _two).map("".join))
iso = st.one_of(_dates, st.tuples(years, _two, _two, _clock, _zone).map("".join), st.tuples(_dates, _zone).map("".join))
times = st.builds(
    lambda value, precision, calendar: LiteralValue(value, "time", None, precision, None, calendar),
    iso,
    st.sampled_from(PRECISIONS) | st.none(),
    st.sampled_from([None, None, "julian", "gregorian"]),
)
_small = st.decimals(min_value=-1000, max_value=5000, places=2, allow_nan=False).map(lambda number: f"{number:f}")
numbers = st.one_of(
    _small,
    st.integers(-20, 2100).map(str),
    st.sampled_from(["1.5e3", "-2E-7", ".5", "5.", "+3", "0", "-0", "1e999", "0.1234567890123456789", "many", "1,000"]),
)


@st.composite
def bounded(draw: st.DrawFn) -> LiteralValue:
    """A quantity, with bounds that may be wrong."""
    value, unit = draw(numbers), draw(st.sampled_from(UNITS))
    low, high = draw(st.one_of(st.tuples(_small, _small), st.just((value, value))))
    bounds = draw(st.sampled_from([None, None, f"{low}..{high}", f"-1e6..{high}", "0..1e9", "±1"]))
    return LiteralValue(value, "quantity", unit, bounds)


_era = st.sampled_from(["", "", " BC", " BCE", " AD", "CE", " B.C."])
_number = st.integers(0, 2100).map(str)
texts = st.one_of(
    st.builds(lambda d, m, y, e: f"{d} {m} {y}{e}", st.integers(0, 32), st.sampled_from(MONTHS), _number, _era),
    st.builds(lambda d, m, y, e: f"{m} {d}, {y}{e}", st.integers(0, 32), st.sampled_from(MONTHS), _number, _era),
    st.builds(lambda m, y, e: f"{m} {y}{e}", st.sampled_from(MONTHS), _number, _era),
    st.builds(lambda y, e: f"{y}{e}", _number, _era),
    st.builds(lambda y, e: f"the {y}s{e}", _number, _era),
    st.builds(lambda y: f"AD {y}", _number),
    st.builds(
        lambda c, s, u, e: f"{c}{s} {u}{e}",
        *(
            st.integers(0, 25),
            st.sampled_from(["th", "st", "nd", "rd", "."]),
            st.sampled_from(["century", "millennium"]),
            _era,
        ),
    ),
    st.builds(lambda n, s, u: f"{n}{s}{u or ''}", numbers, st.sampled_from(["", " ", "  "]), st.sampled_from(UNITS)),
    st.builds(lambda n, s: f"{s}{n}", numbers, st.sampled_from(["$", "€ ", "EUR ", "-£", "TOP ", "R$"])),
    st.sampled_from(
        [
            "Paris",
            "paris",
            "8 Mile",
            "5.6 (kilograms)",
            "0.09 (kilometrePerSeconds)",
            "5 kWh",
            "1,234.5 m",
            "true",
            "no",
        ]
    ),
    iso,
    st.text(max_size=12),
)
strings = st.builds(
    lambda value, lang: LiteralValue(value, "string", None, None, lang),
    texts,
    st.sampled_from([None, None, "en", "de"]),
)
_degrees = st.decimals(-200, 200, places=3, allow_nan=False).map(lambda number: f"{number:f}".rstrip("0"))
coordinates = st.builds(lambda a, b: LiteralValue(f"{a},{b}", "coordinate"), _degrees, _degrees)
others = st.sampled_from(
    [
        LiteralValue("", "unknown_value"),
        LiteralValue("", "no_value"),
        LiteralValue("true", "boolean"),
        LiteralValue("0", "boolean"),
    ]
)
literals = st.one_of(times, bounded(), strings, coordinates, others)

#: Entities are told apart by ids that carry no meaning; what they say is their label.
LABELS: Mapping[str, str] = {
    f"urn:e:{number}": text
    for number, text in enumerate(
        ["1999", "18 February 1997", "120 km/h", "Paris", "Rome", "5 euros", "1.8e6", "12th century", "44 BC", "Paris"]
    )
}
entities = st.sampled_from([*LABELS, "urn:e:unlabelled", "1876"])
nodes: st.SearchStrategy[Node] = st.one_of(literals, literals, entities)


_FAMILIES = (
    *("metre|kilometre|mile|foot|inch", "metre ** 2|hectare|acre|km²", "kilometre / hour|mph|knot|metre / second"),
    *(
        "second|hour|day|week|month|year",
        "degree_Celsius|degree_Fahrenheit|kelvin",
        "percent|%",
        "USD|$",
        "byte|MB|bit",
    ),
)


@st.composite
def alike(draw: st.DrawFn) -> tuple[Node, Node]:
    """Two quantities with units of one family, or without."""
    family = draw(st.sampled_from(_FAMILIES)).split("|")
    pair = [draw(bounded())._replace(unit=draw(st.sampled_from([*family, None]))) for _ in range(2)]
    return pair[0], pair[1]


_amounts_of_time = st.builds(
    lambda number, unit: LiteralValue(str(number), "quantity", unit),
    st.integers(-5000, 5000),
    st.sampled_from(["year", "month", "day", "week", "hour", "second", "decade"]),
)
#: Pairs that have something to say to each other.
pairs: st.SearchStrategy[tuple[Node, Node]] = st.one_of(
    *(st.tuples(nodes, nodes), st.tuples(times, times), alike(), alike(), st.tuples(coordinates, coordinates)),
    nodes.map(lambda node: (node, node)),
    st.tuples(times, _amounts_of_time),
)


def of_graph(node: Node) -> GraphNode:
    """The same node as the graph's own types have it."""
    if isinstance(node, str):
        return Entity(node, LABELS.get(node))
    return GraphLiteral(*node)  # type: ignore[arg-type]
