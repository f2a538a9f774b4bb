"""The small graphs that the corpus is about: a family, a company, a hospital, a list of parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

LABEL, ALIAS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"
START, END, POINT = (f"http://www.wikidata.org/entity/P{number}" for number in (580, 582, 585))
UNKNOWN, NONE = {"value": "", "kind": "unknown_value"}, {"value": "", "kind": "no_value"}


def text(value: str, lang: str | None = None) -> dict[str, str]:
    """A literal of a text."""
    return {"value": value, "kind": "string"} | ({"lang": lang} if lang else {})


def time(value: str, precision: str | None = None, calendar: str | None = None) -> dict[str, str]:
    """A literal of a time."""
    fields = {"value": value, "kind": "time", "precision": precision, "calendar": calendar}
    return {name: part for name, part in fields.items() if part is not None}


def number(value: str, unit: str | None = None, bounds: str | None = None) -> dict[str, str]:
    """A literal of a quantity."""
    fields = {"value": value, "kind": "quantity", "unit": unit, "precision": bounds}
    return {name: part for name, part in fields.items() if part is not None}


def place(value: str) -> dict[str, str]:
    """A literal of a coordinate."""
    return {"value": value, "kind": "coordinate"}


def _statements(labels: dict[str, str], said: list[tuple[Any, ...]], also: dict[str, str] | None = None) -> list[Any]:
    names = [[identifier, LABEL, text(label), [], "normal"] for identifier, label in labels.items()]
    names += [[identifier, ALIAS, text(other), [], "normal"] for identifier, other in (also or {}).items()]
    full = [[*one, *([], "normal")[len(one) - 3 :]] for one in said]
    return names + [[s, r, o, [list(pair) for pair in pairs], rank] for s, r, o, pairs, rank in full]


_WHEN = {START: "start time", END: "end time", POINT: "point in time"}

FAMILY = _statements(
    {
        "f:anna": "Anna Berg", "f:ben": "Ben Berg", "f:carl": "Carl Berg", "f:dora": "Dora Dahl", "f:emil": "Emil Berg",
        "f:finn": "Finn Berg", "f:greta": "Greta Dahl", "f:hugo": "Hugo Dahl", "f:anna2": "Anna Lind", "f:oslo": "Oslo",
        "f:bergen": "Bergen", "f:norway": "Norway", "f:medal": "Medal of Merit", "f:prize": "City Prize",
        "f:father": "father", "f:mother": "mother", "f:child": "child", "f:spouse": "spouse", "f:born": "date of birth",
        "f:died": "date of death", "f:birthplace": "place of birth", "f:country": "country", "f:award": "award received",
        "f:height": "height", "f:motto": "motto", "f:sibling": "sibling", "f:citizen": "country of citizenship", **_WHEN,
    },
    [
        ("f:carl", "f:father", "f:ben"), ("f:carl", "f:mother", "f:anna"), ("f:emil", "f:father", "f:carl"),
        ("f:emil", "f:mother", "f:dora"), ("f:finn", "f:father", "f:carl"), ("f:finn", "f:mother", "f:dora"),
        ("f:anna", "f:child", "f:carl"), ("f:ben", "f:child", "f:carl"), ("f:carl", "f:child", "f:emil"),
        ("f:carl", "f:child", "f:finn"), ("f:dora", "f:child", "f:emil"), ("f:dora", "f:child", "f:finn"),
        ("f:finn", "f:child", NONE), ("f:hugo", "f:child", NONE, [(END, time("1990"))]),
        ("f:anna", "f:spouse", "f:ben", [(START, time("1899")), (END, time("1931-05-04"))]),
        ("f:carl", "f:spouse", "f:dora", [(START, time("1925-06-20"))]),
        ("f:greta", "f:spouse", UNKNOWN), ("f:emil", "f:spouse", "f:greta", [(START, time("1950", "decade"))]),
        ("f:anna", "f:born", time("1878-03-02", None, "julian")), ("f:ben", "f:born", time("1876")),
        ("f:carl", "f:born", time("1903-04-12")), ("f:dora", "f:born", time("1903", "year")),
        ("f:emil", "f:born", time("1926-01-30")), ("f:finn", "f:born", time("1929-11-05")),
        ("f:greta", "f:born", time("1901", "century")), ("f:hugo", "f:born", time("-0043-03-15")),
        ("f:anna", "f:died", time("1951-02-10")), ("f:ben", "f:died", time("1931-05-04")),
        ("f:carl", "f:died", time("1980-08-01")), ("f:carl", "f:died", time("1981"), [], "preferred"),
        ("f:dora", "f:died", UNKNOWN), ("f:emil", "f:died", NONE),
        ("f:anna", "f:birthplace", "f:oslo"), ("f:ben", "f:birthplace", "f:bergen"), ("f:carl", "f:birthplace", "f:oslo"),
        ("f:emil", "f:birthplace", "f:bergen"), ("f:oslo", "f:country", "f:norway"), ("f:bergen", "f:country", "f:norway"),
        ("f:anna", "f:award", "f:medal", [(POINT, time("1903"))]), ("f:anna", "f:award", "f:prize", [(POINT, time("1911-12-10"))]),
        ("f:carl", "f:award", "f:medal", [(POINT, time("1946-03", "month"))]), ("f:dora", "f:award", "f:prize"),
        ("f:carl", "f:height", number("1.81", "metre")), ("f:emil", "f:height", number("178", "centimetre")),
        ("f:finn", "f:height", number("5.9", "foot", "5.8..6.0")), ("f:dora", "f:height", number("1.7", "metre", "1.65..1.75")),
        ("f:anna", "f:motto", text("Never give in", "en")), ("f:ben", "f:motto", text("Never give in", "no")),
        ("f:carl", "f:motto", text("As it is")), ("f:anna", "f:sibling", "f:hugo"), ("f:hugo", "f:sibling", "f:anna"),
        ("f:anna", "f:citizen", "f:norway", [(START, time("1905-06-07"))]),
    ],
    {"f:anna": "Nan", "f:anna2": "Nan", "f:oslo": "Christiania"},
)  # fmt: skip

COMPANY = _statements(
    {
        "c:acme": "Acme", "c:bolt": "Bolt", "c:ann": "Ann Ames", "c:bob": "Bob Birk", "c:cid": "Cid Cole",
        "c:eve": "Eve Eton", "c:sales": "Sales", "c:labs": "Labs", "c:works": "works in", "c:manager": "manager",
        "c:salary": "salary", "c:owns": "owns", "c:revenue": "revenue", "c:founded": "founded", "c:site": "site",
        "c:role": "role", "c:chief": "chief", "c:share": "share", "c:headcount": "headcount", **_WHEN,
    },
    [
        ("c:ann", "c:works", "c:sales", [("c:role", "c:chief")]), ("c:bob", "c:works", "c:sales"),
        ("c:cid", "c:works", "c:labs"), ("c:eve", "c:works", "c:labs", [(END, time("2019-12-31"))]),
        ("c:bob", "c:manager", "c:ann"), ("c:cid", "c:manager", "c:ann"), ("c:ann", "c:manager", NONE),
        ("c:ann", "c:salary", number("90000", "EUR")), ("c:bob", "c:salary", number("50000", "EUR")),
        ("c:cid", "c:salary", number("60000", "USD")), ("c:eve", "c:salary", number("52000", "EUR")),
        ("c:acme", "c:owns", "c:bolt", [("c:share", number("51", "percent"))]), ("c:bolt", "c:owns", "c:acme"),
        ("c:acme", "c:revenue", number("2000000", "EUR", "1900000..2100000"), [(POINT, time("2020"))]),
        ("c:bolt", "c:revenue", number("2050000", "EUR"), [(POINT, time("2020"))]),
        ("c:acme", "c:founded", text("1990s")), ("c:acme", "c:founded", time("1994-05-01")),
        ("c:bolt", "c:founded", time("2001-02-29")), ("c:acme", "c:site", text("https://acme.example")),
        ("c:sales", "c:headcount", number("2")), ("c:labs", "c:headcount", number("3")),
    ],
)  # fmt: skip

HOSPITAL = _statements(
    {
        "h:asa": "Aspirin", "h:ibu": "Ibuprofen", "h:war": "Warfarin", "h:flu": "Flu", "h:pain": "Pain",
        "h:bleed": "Bleeding", "h:treats": "treats", "h:not": "must not be given with", "h:dose": "daily dose",
        "h:temp": "storage temperature", "h:at": "coordinate location", "h:north": "North Ward", "h:south": "South Ward",
        "h:beds": "beds", "h:nurse": "nurse", "h:kim": "Kim", "h:lee": "Lee", "h:drug": "medicine", "h:is": "instance of",
        "h:sub": "subclass of", "h:nsaid": "anti-inflammatory", "h:thinner": "blood thinner", "h:food": "food",
        "h:apart": "disjoint with", "h:thing": "thing", "h:approved": "approved", "h:safe": "safe in pregnancy",
    },
    [
        ("h:asa", "h:treats", "h:pain"), ("h:asa", "h:treats", "h:flu"), ("h:ibu", "h:treats", "h:pain"),
        ("h:war", "h:not", "h:asa"), ("h:asa", "h:not", "h:war"), ("h:ibu", "h:not", NONE),
        ("h:asa", "h:dose", number("0.5", "gram")), ("h:ibu", "h:dose", number("400", "milligram")),
        ("h:war", "h:dose", number("5", "milligram", "2..10")), ("h:asa", "h:temp", number("25", "degree_Celsius")),
        ("h:ibu", "h:temp", number("77", "degree_Fahrenheit")), ("h:war", "h:temp", number("298", "kelvin")),
        ("h:north", "h:at", place("59.91,10.75")), ("h:south", "h:at", place("59.91,10.76")),
        ("h:north", "h:beds", number("24")), ("h:south", "h:beds", number("18")), ("h:north", "h:nurse", "h:kim"),
        ("h:north", "h:nurse", "h:lee"), ("h:south", "h:nurse", "h:lee"), ("h:asa", "h:is", "h:nsaid"),
        ("h:ibu", "h:is", "h:nsaid"), ("h:war", "h:is", "h:thinner"), ("h:nsaid", "h:sub", "h:drug"),
        ("h:thinner", "h:sub", "h:drug"), ("h:drug", "h:sub", "h:thing"), ("h:drug", "h:apart", "h:food"),
        ("h:asa", "h:approved", time("1950-06-01T10:30:00Z")), ("h:ibu", "h:approved", time("1969-02")),
        ("h:asa", "h:safe", {"value": "false", "kind": "boolean"}), ("h:ibu", "h:safe", UNKNOWN),
    ],
)  # fmt: skip

_CHAIN = [f"p:class{number}" for number in range(15)]
PARTS = _statements(
    {
        "p:bike": "Bicycle", "p:frame": "Frame", "p:wheel": "Wheel", "p:spoke": "Spoke", "p:bolt": "Bolt",
        "p:part": "has part", "p:weight": "weight", "p:length": "length", "p:code": "code", "p:made": "made",
        "p:grade": "grade", "p:is": "instance of", "p:sub": "subclass of", "p:price": "price", "p:volume": "volume",
        **{identifier: f"Class {number}" for number, identifier in enumerate(_CHAIN)},
    },
    [
        ("p:bike", "p:part", "p:frame"), ("p:bike", "p:part", "p:wheel"), ("p:wheel", "p:part", "p:spoke"),
        ("p:wheel", "p:part", "p:bolt"), ("p:frame", "p:part", "p:bolt"), ("p:frame", "p:weight", number("2.2", "kilogram")),
        ("p:wheel", "p:weight", number("1", "kilogram")), ("p:spoke", "p:weight", number("7", "gram")),
        ("p:bolt", "p:weight", number("0.5", "ounce")), ("p:frame", "p:length", number("0.6", "metre")),
        ("p:wheel", "p:length", number("700", "millimetre")), ("p:spoke", "p:length", number("12", "inch")),
        ("p:bolt", "p:length", number("3", "centimetre")), ("p:bolt", "p:length", number("2.9", "centimetre")),
        ("p:frame", "p:code", text("10")), ("p:wheel", "p:code", text("9")), ("p:spoke", "p:code", text("9 mm")),
        ("p:frame", "p:made", time("2020-02-29")), ("p:wheel", "p:made", time("2021-03")), ("p:spoke", "p:made", time("2021-03-15")),
        ("p:frame", "p:grade", number("3")), ("p:wheel", "p:grade", number("3")), ("p:spoke", "p:grade", number("1")),
        ("p:bike", "p:is", _CHAIN[0]), *((lower, "p:sub", upper) for lower, upper in pairwise(_CHAIN)),
        ("p:frame", "p:price", number("120", "EUR")), ("p:wheel", "p:price", number("80")), ("p:spoke", "p:price", number("1", "USD")),
        ("p:bike", "p:volume", number("1e3", "widget")), ("p:wheel", "p:volume", number("1", "gadget")),
    ],
)  # fmt: skip

#: What says otherwise than the family, and knows more.
ARCHIVE = _statements(
    {"f:anna": "Anna B.", "f:carl": "Carl Berg", "f:ida": "Ida Berg", "f:child": "child", "f:born": "date of birth"},
    [
        ("f:carl", "f:child", "f:ida"), ("f:carl", "f:child", NONE), ("f:ida", "f:born", time("1931")),
        ("f:ida", "f:award", "f:medal", [(POINT, UNKNOWN)]), ("f:emil", "f:child", NONE),
        ("f:carl", "f:born", time("1904-04-12")), ("f:ben", "f:spouse", NONE), ("f:anna", "f:birthplace", "f:bergen"),
    ],
)  # fmt: skip

#: Names that several things bear, and names that look alike.
HARBOUR = _statements(
    {
        "n:yard": "North Yard", "n:hidden": "North Yard\u200b", "n:mill": "Mill", "n:mill2": "Mill", "n:depot": "DEPOT",
        "n:port": "grand port", "n:ann": "Ann", "n:bob": "Bob", "n:head": "head", "n:head2": "head", "n:owner": "owner",
        "n:holder": "holder", "n:keeper": "keeper", "n:built": "built  by", "n:label": "label", "n:crane": "crane",
    },
    [
        ("n:yard", "n:head", "n:ann"), ("n:yard", "n:head2", "n:bob"), ("n:yard", "n:owner", "n:ann"),
        ("n:yard", "n:keeper", "n:bob"), ("n:yard", "n:built", "n:ann"), ("n:hidden", "n:keeper", "n:ann"),
        ("n:mill", "n:keeper", "n:ann"), ("n:mill2", "n:keeper", "n:bob"), ("n:yard", "n:odd", "n:ann"),
        ("n:yard", "n:odd  one", "n:bob"), ("n:yard", "n:label", text("blue")), ("n:yard", "n:crane", "n:crane"),
        ("n:yard", "n:tenant", NONE), ("n:yard", "n:tenant", UNKNOWN), ("n:mill", "n:tenant", NONE),
    ],
    {"n:mill": "Corn Mill", "n:holder": "owner"},
)  # fmt: skip

GRAPHS = {
    "harbour": HARBOUR,
    "family": FAMILY,
    "company": COMPANY,
    "hospital": HOSPITAL,
    "parts": PARTS,
    "archive": ARCHIVE,
    "nothing": [],
}
DOCUMENTS = {"hospital": {"leaflet": "Aspirin must not be given with warfarin. It may be given with food."}}
