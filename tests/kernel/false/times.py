"""Dates, periods, windows and order: what is vague stays so, and every role and bound is shown."""

from __future__ import annotations

from typing import Any

from false.graphs import END, POINT, START, number, text, time
from false.writing import Program, Theme, nodes, none, truth

_FOLLOWS = "the answer is not what follows"


def _compared(t: Theme) -> None:
    def twin(left: str, do: str, right: Any, relation: str = "f:born", value: str = "yes") -> None:
        p = Program()
        p.compare(p.follow(p.entity(left), relation), do, p.literal(right))
        t.true(f"{left} {relation} {do} {right['value']}", "family", p, truth(3, value), "recomputed")

    twin("f:ben", "<", time("1877"))
    for rule, do, value, said in [
        ("a year is no day", "=", time("1876-01-01"), "yes"), ("a year is no day", "=", time("1876-01-01"), "no"),
        ("a year is no point", "=", time("1876"), "yes"), ("a year is not surely before its last day", "<", time("1876-12-31"), "yes"),
        ("a year is not surely after its first day", ">", time("1876-01-01"), "yes"), ("nor not", "<", time("1876-06-01"), "no"),
        ("a decade holds it", "<", time("1870", "decade"), "yes"), ("a century holds it", ">", time("1801", "century"), "yes"),
        ("a precision is no day", "<", time("1877-01-01", "century"), "yes"), ("nothing is before an unknown value", "<",
        {"value": "1999", "kind": "unknown_value"}, "yes"), ("nothing is before no value", "<", {"value": "1999", "kind": "no_value"}, "yes"),
        ("no value is another", "=", {"value": "1876", "kind": "no_value"}, "yes"), ("a word is no date", "<", text("later"), "yes"),
        ("a number with a unit is no year", "<", number("1877", "metre"), "yes"), ("two digits are no year", "<", text("77"), "yes"),
        ("a month that is none", "<", time("1877-13"), "yes"), ("a day that is none", "<", time("1877-02-29"), "yes"),
        ("a precision that is none", "<", time("1877", "fortnight"), "yes"), ("an hour that is none", "<", time("1877-01-01T25:00:00Z"), "yes"),
        ("before is before", "<", time("1875"), "yes"), ("after is after", ">", time("1877"), "yes"), ("at most is at most", "≥", time("1877"), "yes"),
        ("a year within a day", "within", time("1876-03-01"), "yes"), ("a year is no text that starts so", "starts", text("19"), "yes"),
    ]:  # fmt: skip
        t.false(rule, {"program.2.value": value, "program.3.do": do, "answer.value": said}, _FOLLOWS)
    twin("f:anna", "=", time("1878-03-14"))
    t.false("a date of the Julian calendar is another day", {"program.2.value": time("1878-03-02")}, _FOLLOWS)
    t.false("the other way round", {"program.2.value": time("1878-03-26", None, "julian")}, _FOLLOWS)
    t.false("a calendar that is known", {"program.2.value.calendar": "mayan"}, "gregorian.julian", 2)
    twin("f:hugo", "<", time("-0042"))
    t.false("44 BCE is -0043", {"program.2.value.value": "-0043"}, _FOLLOWS)
    t.false("years have four digits", {"program.2.value.value": "-42"}, _FOLLOWS)
    t.false("years before Christ run backwards", {"program.2.value.value": "-0044"}, _FOLLOWS)
    t.false("a text of 44 BC is that year", {"program.2.value": text("44 BC")}, _FOLLOWS)
    twin("f:greta", ">", time("1900"))
    t.false("1901 of a century is no year", {"program.2.value.value": "1901"}, _FOLLOWS)
    t.false("a century begins in its first year", {"program.2.value.value": "1901-01-01"}, _FOLLOWS)
    t.false(
        "not within the first decade", {"program.2.value": time("1901", "decade"), "program.3.do": "within"}, _FOLLOWS
    )
    twin("f:carl", "within", time("1903"))
    t.false("a day is within its own year only", {"program.2.value.value": "1904"}, _FOLLOWS)
    t.false(
        "B1: a year is not within a day", {"program.0.id": "f:dora", "program.2.value.value": "1903-04-12"}, _FOLLOWS
    )
    t.false(
        "nor outside of it",
        {"program.0.id": "f:dora", "program.2.value.value": "1903-04-12", "answer.value": "no"},
        _FOLLOWS,
    )
    t.false(
        "an unknown date is within nothing", {"program.0.id": "f:dora", "program.1.relations": ["f:died"]}, _FOLLOWS
    )
    t.false("who lives has not died then", {"program.0.id": "f:emil", "program.1.relations": ["f:died"]}, _FOLLOWS)
    p = Program()
    p.compare(p.follow(p.entity("h:asa"), "h:approved"), "<", p.literal(time("1950-06-01T10:31:00Z")))
    t.true("minutes", "hospital", p, truth(3), "recomputed")
    t.false("an hour later in a zone is earlier", {"program.2.value.value": "1950-06-01T11:30:00+01:00"}, _FOLLOWS)
    t.false("a day is no minute", {"program.2.value.value": "1950-06-01"}, _FOLLOWS)
    t.false("the same minute is not before", {"program.2.value.value": "1950-06-01T10:30:00Z"}, _FOLLOWS)


def _periods(t: Theme) -> None:
    p = Program()
    anna = p.entity("f:anna")
    p.add("period", left=p.follow(anna, "f:born"), right=p.follow(anna, "f:died"))
    ben = p.entity("f:ben")
    p.add("period", left=p.follow(ben, "f:born"), right=p.follow(ben, "f:died"))
    p.compare(3, "overlaps", 7)
    t.true("both lived", "family", p, truth(8), "the time from the date of birth of Anna Berg")
    t.false("overlapping is not within", {"program.8.do": "within"}, _FOLLOWS)
    t.false("a period is not before", {"program.8.do": "<"}, _FOLLOWS)
    t.false("an unknown end may be anything", {"program.0.id": "f:dora", "program.8.do": "within"}, _FOLLOWS)
    t.false(
        "a missing start may be anything",
        {"program.7.left": None, "program.3.right": None, "program.8.do": "within"},
        _FOLLOWS,
    )
    t.false("two ends are no end", {"program.4.id": "f:carl"}, _FOLLOWS)
    t.false(
        "no value has not come", {"program.4.id": "f:emil", "program.8.do": "overlaps", "answer.value": "no"}, _FOLLOWS
    )
    t.false("an entity is no time", {"program.2.relations": ["f:birthplace"]}, _FOLLOWS)


def _window(first: Any, last: Any, **more: Any) -> dict[str, Any]:
    return {"from": first, "to": last, "start": [START], "end": [END], "point": [POINT], **more}


def _windows(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("f:anna"), "f:award", window=_window(time("1903"), time("1903")))
    t.true(
        "an award in 1903",
        "family",
        p,
        nodes(1, "f:medal"),
        r"at some time in 1903; since start time; until end time; at point in time",
    )
    window = "program.1.window"
    for rule, change in [
        ("B1: a year is not within a day", {f"{window}.from": time("1903-01-01"), f"{window}.to": time("1903-01-01")}),
        ("another year", {f"{window}.from": time("1904"), f"{window}.to": time("1904")}),
        ("both are not of 1903", {"answer.values": ["f:medal", "f:prize"]}),
        ("the other is not", {"answer.values": ["f:prize"]}),
        ("half of the year", {f"{window}.to": time("1903-06-30")}),
        ("the year before only", {f"{window}.from": None, f"{window}.to": time("1902")}),
        ("what has no date did not happen then", {"program.0.id": "f:dora", "answer.values": ["f:prize"]}),
        ("dropped is dropped", {"program.0.id": "f:dora", "answer.values": ["f:prize"], f"{window}.unknown": "drop"}),
        ("a bound that is no time", {f"{window}.from": text("early")}),
        ("a role that is not given", {f"{window}.point": []}),
        ("B2: a point is no start", {f"{window}.point": [], f"{window}.end": [POINT], f"{window}.from": time("1999"),
                                     f"{window}.to": None}),
        ("the whole window", {"program.1.window": None}),
    ]:  # fmt: skip
        t.false(rule, change, _FOLLOWS)
    t.false("B2: roles of qualifiers are fixed, or judged", {f"{window}.point": [], f"{window}.start": [POINT]},
            "which qualifiers say when is judged", strict=True)  # fmt: skip
    t.false("what has no date is kept by assumption", {"program.0.id": "f:dora", "answer.values": ["f:prize"],
            f"{window}.unknown": "keep"}, "what has no date is taken to hold then", strict=True)  # fmt: skip
    t.false("a window has roles", {f"{window}.role": []}, "the field 'role' is not known", 2)
    t.false("a bound is a literal", {f"{window}.from": "f:medal"}, "must be an object", 2)
    t.false("unknown is kept or dropped", {f"{window}.unknown": "maybe"}, "one of keep|drop", 2)
    p = Program()
    p.follow(p.entity("f:anna"), "f:spouse", window=_window(time("1920"), time("1925")))
    t.true("married in the twenties", "family", p, nodes(1, "f:ben"), "Anna Berg — spouse → Ben Berg")
    t.false("not after the end", {f"{window}.from": time("1931-05-05"), f"{window}.to": None}, _FOLLOWS)
    t.false("not before the start", {f"{window}.from": None, f"{window}.to": time("1898")}, _FOLLOWS)
    t.false(
        "not surely within the first year",
        {f"{window}.from": time("1899-01-01"), f"{window}.to": time("1899-01-01")},
        _FOLLOWS,
    )
    t.false("B2: start and end change places", {f"{window}.start": [END], f"{window}.end": [START],
            f"{window}.from": time("1950")}, _FOLLOWS)  # fmt: skip
    p = Program()
    p.back(p.entity("c:sales"), "c:works", qualified=[{"relations": ["c:role"], "is": "c:chief"}])
    t.true(
        "the chief of Sales",
        "company",
        p,
        nodes(1, "c:ann"),
        r"everything whose works in \(only with role chief\) is Sales",
    )
    t.false("a qualifier that is not there", {"program.1.qualified.0.is": "c:bob"}, _FOLLOWS)
    t.false("a qualifier of another relation", {"program.1.qualified.0.relations": [END]}, _FOLLOWS)
    t.false("all qualifiers hold", {"program.1.qualified.1": {"relations": [END], "is": time("2019")}}, _FOLLOWS)
    t.false("O4: without it there are more", {"program.1.qualified": None}, _FOLLOWS)
    t.false("a value is as it is written", {"program.0.id": "c:labs", "answer.values": ["c:eve"], "program.1.qualified": [
        {"relations": [END], "is": time("2019")}]}, _FOLLOWS)  # fmt: skip
    p = Program()
    p.add("qualifier", of=p.follow(p.entity("f:anna"), "f:award"), relations=[POINT])
    t.true("when were they given", "family", p, nodes(2, time("1911-12-10"), time("1903")), "noted with")
    t.false("qualifiers of what was followed", {"program.1.relations": ["f:child"]}, _FOLLOWS)
    t.false("qualifiers of this relation", {"program.2.relations": [START]}, _FOLLOWS)
    t.false("all of them", {"answer.values": [time("1903")]}, _FOLLOWS)
    p = Program()
    way = p.follow(p.entity("f:emil"), "f:mother")
    p.add("follow", of=way, relations=["f:mother"], direction="backward", not_back=True)
    t.true("a sibling by the mother", "family", p, nodes(2, "f:finn"), "not straight back")
    t.false(
        "straight back from some",
        {"program.2.of": 3, "program.3": {"op": "named", "of": 1}},
        "does not stand before",
        2,
    )
    t.false("nobody is his own sibling", {"answer.values": ["f:emil", "f:finn"]}, _FOLLOWS)
    t.false("straight back is back", {"program.2.not_back": False}, _FOLLOWS)
    t.false("straight back alone", {"answer.values": ["f:emil"]}, _FOLLOWS)


def _back(t: Theme) -> None:
    p = Program()
    way = p.follow(p.entity("f:emil"), "f:mother")
    some = p.add(
        "where",
        of=p.add("complete", of=p.add("named", of=way)),
        it=p.it(3),
        test=p.add("exists", of=p.follow(4, "f:child")),
    )
    p.add("follow", of=some, relations=["f:mother"], direction="backward", not_back=True)
    t.true("a sibling by a mother of children", "family", p, nodes(8, "f:finn"), "not straight back")
    t.false("nobody is his own sibling by her", {"answer.values": ["f:emil", "f:finn"]}, _FOLLOWS)


def _sides(t: Theme) -> None:
    p = Program()
    both = p.add("union", of=[p.entity("f:anna"), p.entity("f:emil")])
    p.add("period", left=p.follow(both, "f:died"), right=None)
    p.compare(4, "overlaps", p.literal(time("1951")))
    t.true("from the one date that is known", "family", p, truth(6), "recomputed")
    t.false("an unknown date beside it", {"program.1.id": "f:dora"}, _FOLLOWS)
    t.false("two dates", {"program.1.id": "f:ben"}, _FOLLOWS)
    p = Program()
    schema = {"start": ["http://schema.org/startDate"], "end": ["http://schema.org/endDate"], "point": [POINT]}
    p.follow(p.entity("f:anna"), "f:award", window={"from": time("1903"), "to": time("1903"), **schema})
    t.true("roles that are fixed", "family", p, nodes(1, "f:medal"), "1 recomputed")
    t.false("a role that is not", {"program.1.window.end": ["f:born"]}, "1 judged", strict=True)
    p = Program()
    pair = p.add("union", of=[p.entity("f:emil"), p.entity("f:finn")])
    it = p.it(pair)
    p.add("last", of=pair, it=it, by=p.follow(it, "f:born"))
    t.true("the younger of two", "family", p, nodes(5, "f:finn"), "recomputed")
    t.false("the elder", {"program.5.op": "first"}, _FOLLOWS)
    t.false("the younger by nothing", {"program.5.by": 3}, "is no answer to it", 2)
    t.false("where they are what they are", {"program.4": {"op": "compare", "do": "=", "left": 3, "right": 0},
            "program.5": {"op": "where", "of": 2, "it": 3, "test": 4}}, "both sides are what the question names", 2)  # fmt: skip
    p = Program()
    p.add("named", of=p.follow(p.entity("f:carl"), "f:born"))
    t.true("values have names", "family", p, nodes(2, time("1903-04-12")), "what has a name")
    t.false("what has no name is left out", {"program.1.relations": ["f:spouse2"]}, _FOLLOWS)


def _order(t: Theme) -> None:
    p = Program()
    children = p.add("complete", of=p.follow(p.entity("f:carl"), "f:child"))
    it = p.it(children)
    p.add("first", of=children, it=it, by=p.follow(it, "f:born"))
    t.true("the first child", "family", p, nodes(5, "f:emil"), r"for each it by \(the date of birth of it\)")
    for rule, change in [
        ("last is not first", {"program.5.op": "last"}),
        ("the second is not the first", {"program.5.from": 2}),
        ("two are not one", {"program.5.to": 2}),
        ("the second is not both", {"program.5.from": 2, "answer.values": ["f:emil", "f:finn"]}),
        ("the third is not there", {"program.5.from": 3}),
        ("from beyond to is nobody", {"program.5.from": 2, "program.5.to": 1}),
        ("N1: by something else", {"program.4.relations": ["f:award"]}),
        ("who has no key is left out", {"program.4.relations": ["f:spouse"]}),
        ("both are not first", {"answer.values": ["f:emil", "f:finn"]}),
        ("of the parents", {"program.0.id": "f:hugo"}),
        ("entities have no order", {"program.5.by": None}),
    ]:
        t.false(rule, change, _FOLLOWS)
    t.false("of all that are listed is assumed", {}, "2 assumed", strict=True)
    p = Program()
    grown = p.back(p.entity("f:oslo"), "f:birthplace")
    it = p.it(grown)
    p.add("last", of=grown, it=it, by=p.follow(it, "f:born"))
    t.true("the youngest of Oslo", "family", p, nodes(4, "f:carl"), "4 assumed")
    t.false("over an open list is assumed", {}, "4 assumed", strict=True)
    t.false("the oldest is another", {"answer.values": ["f:anna"]}, _FOLLOWS)
    t.false("dates and heights have no order", {"program.3.relations": ["f:born", "f:height"]}, _FOLLOWS)
    p = Program(p)
    p[3]["relations"] = ["f:born", "f:height"]
    p.add("exists", of=p.add("complete", of=4))
    t.true("who is last by dates and heights", "family", p, none({"code": "unknown", "of": 6}), "not known whether")
    t.false("there is one, not known which", {"answer": truth(6, "no")}, _FOLLOWS)
    t.false("by dates alone there is one", {"program.3.relations": ["f:born"]}, "the reason 'unknown' is not so")
    p = Program()
    both = p.back(p.entity("f:prize"), "f:award")
    it = p.it(both)
    p.add("first", of=both, it=it, by=p.follow(it, "f:born"))
    t.true("older with the prize", "family", p, nodes(4, "f:anna"), "recomputed|assumed")
    p = Program()
    pair = p.add("union", of=[p.follow(p.entity("f:emil"), "f:mother"), p.follow(0, "f:father")])
    it = p.it(pair)
    p.add("first", of=pair, it=it, by=p.follow(it, "f:born"))
    t.true("parents of one vague year", "family", p, nodes(6, "f:carl", "f:dora"), "assumed")
    t.false("who may be first is first, too", {"answer.values": ["f:carl"]}, _FOLLOWS)
    t.false("who may be first is first, too", {"answer.values": ["f:dora"]}, _FOLLOWS)
    t.false("of those who may be last", {"program.6.op": "last", "answer.values": ["f:dora"]}, _FOLLOWS)
    p = Program()
    p.add("arithmetic", do="duration", left=p.follow(p.entity("f:anna"), "f:born"), right=p.follow(0, "f:died"))
    p.append({"op": "literal", "value": number("72", "year")})
    p.compare(3, "≥", 4)
    t.true("over 72 years", "family", p, truth(5), "recomputed")
    t.false("not 73: the Julian calendar", {"program.4.value.value": "73"}, _FOLLOWS)
    t.false("the time runs forwards", {"program.3.left": 2, "program.3.right": 1}, _FOLLOWS)
    t.false("years, not days", {"program.4.value": number("73", "day"), "program.5.do": "≤"}, _FOLLOWS)
    t.false(
        "of a vague year it is vague",
        {"program.0.id": "f:ben", "program.4.value.value": "55", "program.5.do": ">"},
        _FOLLOWS,
    )
    p = Program()
    p.follow(p.entity("f:emil"), "f:died")
    p.add("exists", of=1)
    t.true("Emil lives", "family", p, truth(2, "no"), "recomputed")
    t.false("Dora died", {"program.0.id": "f:dora"}, _FOLLOWS)
    t.false("that he lives is no unknown", {"answer": none({"code": "unknown", "of": 2})}, "'unknown' is not so")


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_compared, _periods, _windows, _back, _sides, _order):
        part(t)
    return t
