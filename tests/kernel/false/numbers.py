"""Units, bounds, currencies, arithmetic, texts, languages and places."""

from __future__ import annotations

from typing import Any

from false.graphs import number, place, text, time
from false.writing import Program, Theme, nodes, none, rows, truth

_NOT = "the answer is not what follows"


def _units(t: Theme) -> None:
    def twin(graph: str, left: str, relation: str, do: str, right: Any, value: str = "yes") -> None:
        p = Program()
        p.compare(p.follow(p.entity(left), relation), do, p.literal(right))
        t.true(f"{left} {do} {' '.join(right.values())}", graph, p, truth(3, value), "recomputed")

    def falses(*given: tuple[str, dict[str, Any]]) -> None:
        for rule, change in given:
            t.false(
                rule, {f"program.{path}" if path[0].isdigit() else path: value for path, value in change.items()}, _NOT
            )

    twin("hospital", "h:asa", "h:dose", "=", number("500", "milligram"))
    falses(
        ("grams are no milligrams", {"2.value.value": "0.5"}), ("a thousand, not a million", {"2.value.unit": "microgram"}),
        ("a number has no unit", {"2.value": number("0.5")}), ("a mass is no length", {"2.value": number("0.5", "metre")}),
        ("a unit that is not known", {"2.value.unit": "mgs"}), ("case counts", {"2.value.unit": "Mg"}),
        ("a text of an amount in another unit", {"2.value": text("0.5 mg")}), ("not more", {"3.do": ">"}),
        ("not less", {"3.do": "<"}), ("equal is not different", {"3.do": "≠"}), ("an amount is no text", {"3.do": "starts", "2.value": text("500")}),
        ("bounds are no point", {"2.value.precision": "499..501"}), ("a number outside of its bounds", {"2.value.precision": "0..1"}),
        ("bounds the wrong way round", {"2.value.precision": "501..499"}),
    )  # fmt: skip
    twin("hospital", "h:asa", "h:dose", "<", number("1", "gram"))
    falses(("by number alone", {"2.value": number("400", "microgram")}), ("0.5 is not below 0.5", {"2.value.value": "0.5"}),
           ("nor below 0.50", {"2.value.value": "0.50"}), ("nor below 5e-1", {"2.value.value": "5e-1"}),
           ("a comma is no point", {"2.value.value": "0,9"}), ("digits of another script", {"2.value.value": "１"}),
           ("not a number", {"2.value.value": "NaN"}), ("no infinity", {"2.value.value": "Infinity"}),
           ("no fraction", {"2.value.value": "9/10"}), ("no hexadecimal number", {"2.value.value": "0x9"}),
           ("no underscore", {"2.value.value": "1_0"}))  # fmt: skip
    twin("hospital", "h:war", "h:dose", "<", number("11", "milligram"))
    falses(("what bounds leave open", {"2.value.value": "9"}), ("nor not", {"2.value.value": "3", "answer.value": "no"}),
           ("equal to the number in the middle", {"2.value.value": "5", "3.do": "="}),
           ("nor different from it", {"2.value.value": "5", "3.do": "≠"}), ("the upper bound is not below itself", {"2.value.value": "10"}))  # fmt: skip
    twin("hospital", "h:asa", "h:temp", "=", number("25", "degree_Celsius"))
    falses(
        ("degrees are not all alike", {"2.value.unit": "degree_Fahrenheit"}),
        ("a scale has its zero", {"2.value.unit": "kelvin"}),
        ("25 °C is 77 °F", {"2.value": number("76.9", "degree_Fahrenheit")}),
        ("an angle is no warmth", {"2.value.unit": "degree"}),
    )
    twin("company", "c:ann", "c:salary", ">", number("80000", "EUR"))
    falses(("currencies are not converted", {"2.value.unit": "USD"}), ("nor taken for numbers", {"2.value": number("80000")}),
           ("a sign is a currency", {"2.value": text("$80,000")}), ("of one person", {"0.id": "c:cid"}),
           ("of this person", {"0.id": "c:bob"}))  # fmt: skip
    twin("company", "c:acme", "c:revenue", "<", number("2150000", "EUR"))
    falses(
        ("what is about two million", {"2.value.value": "2000000"}),
        ("about two million is not less", {"2.value.value": "2050000"}),
        ("about two million is not more", {"3.do": ">", "2.value.value": "1950000"}),
    )
    twin("parts", "p:bike", "p:volume", "=", number("1000", "widget"))
    falses(("units that no table has", {"2.value.unit": "gadget"}), ("a label of a unit is no unit", {"2.value.unit": "widgets"}),
           ("a unit in another case", {"2.value.unit": "Widget"}))  # fmt: skip
    twin("parts", "p:bolt", "p:length", "<", number("31", "millimetre"))
    falses(("two that do not agree", {"2.value.value": "30"}), ("two are not one", {"3.do": "=", "2.value.value": "30"}),
           ("nor is neither", {"3.do": "≠", "2.value.value": "30"}))  # fmt: skip
    twin("parts", "p:frame", "p:code", "=", text("10"))
    falses(
        ("ten is not nine", {"0.id": "p:wheel"}),
        ("texts have characters", {"2.value.value": "10 or"}),
        ("texts have no order that is known", {"0.id": "p:wheel", "2.value": text("IX"), "3.do": "<"}),
    )
    twin("family", "f:anna", "f:motto", "=", text("Never give in", "en"))
    falses(
        ("other words", {"2.value": text("Never give up", "en")}),
        ("another case", {"2.value": text("never give in", "en")}),
        ("words of two languages do not differ", {"2.value": text("Gib niemals auf", "de"), "3.do": "≠"}),
        ("nor are they the same", {"2.value": text("Gib niemals auf", "de")}),
        ("a text is no entity", {"2.value": text("f:anna"), "1.relations": ["f:sibling"]}),
    )
    twin("family", "f:carl", "f:motto", "contains", text("AS IT"))
    falses(
        ("the other way round", {"3.left": 2, "3.right": 1}),
        ("it does not start so", {"3.do": "starts", "2.value": text("it")}),
        ("white space is a character", {"2.value": text("as  it")}),
        ("contained is not equal", {"3.do": "="}),
    )
    twin("hospital", "h:asa", "h:safe", "=", {"value": "no", "kind": "boolean"})
    falses(
        ("false is not true", {"2.value.value": "true"}),
        ("unknown is neither", {"0.id": "h:ibu"}),
        ("unknown is not false, too", {"0.id": "h:ibu", "3.do": "≠"}),
        ("0 is a number", {"2.value": number("0")}),
    )
    twin("hospital", "h:north", "h:at", "=", place("59.91,10.75"))
    falses(
        ("elsewhere", {"0.id": "h:south"}),
        ("more digits leave it open", {"2.value.value": "59.911,10.751"}),
        ("longitude is not latitude", {"2.value.value": "10.75,59.91"}),
        ("no place", {"2.value.value": "north"}),
    )
    twin("family", "f:carl", "f:birthplace", "=", text("Oslo"))
    falses(("an entity is what its label says", {"2.value": text("Bergen")}), ("an alias is no label", {"2.value": text("Christiania")}),
           ("its id is no label", {"2.value": text("f:oslo")}))  # fmt: skip


def _arithmetic(t: Theme) -> None:
    def twin(name: str, graph: str, do: str, left: Any, right: Any, result: Any) -> None:
        p = Program()
        sides = [
            p.literal(one) if isinstance(one, dict) else p.follow(p.entity(one[0]), one[1]) for one in (left, right)
        ]
        p.add("arithmetic", do=do, left=sides[0], right=sides[1])
        t.true(name, graph, p, nodes(len(p) - 1, result), "recomputed")

    twin("frame and wheel", "parts", "add", ("p:frame", "p:weight"), ("p:wheel", "p:weight"), number("3.2", "kilogram"))
    for rule, change in [
        ("a sum is no difference", {"program.4.do": "subtract"}), ("in the unit of the second", {"answer.values.0": number("3200", "gram")}),
        ("with its unit", {"answer.values.0": number("3.2")}), ("without zeros", {"answer.values.0": number("3.20", "kilogram")}),
        ("another number", {"answer.values.0": number("3.21", "kilogram")}), ("a product of two units", {"program.4.do": "multiply"}),
        ("one of unlike dimensions", {"program.3.relations": ["p:length"]}), ("of two values none", {"program.2.id": "p:bolt",
        "program.3.relations": ["p:length"], "program.1.relations": ["p:length"], "answer.values.0": number("63", "centimetre")}),
        ("without bounds", {"answer.values.0": number("3.2", "kilogram", "3.1..3.3")}),
    ]:  # fmt: skip
        t.false(rule, change, _NOT)
    twin("one price and another", "parts", "add", ("p:frame", "p:price"), number("1", "EUR"), number("121", "EUR"))
    t.false("currencies do not add up", {"program.2.value.unit": "USD"}, _NOT)
    t.false("nor with a number", {"program.0.id": "p:wheel"}, _NOT)
    twin("a third", "parts", "divide", ("p:wheel", "p:weight"), number("3"), number("0.333333333333333", "kilogram"))
    t.false("15 digits", {"answer.values.0.value": "0.3333333333333333"}, _NOT)
    t.false("not rounded up", {"answer.values.0.value": "0.333333333333334"}, _NOT)
    t.false("by nothing", {"program.2.value.value": "0"}, _NOT)
    t.false("by what may be nothing", {"program.2.value.precision": "-1..5"}, _NOT)
    t.false("by another unit", {"program.2.value.unit": "gram"}, _NOT)
    twin(
        "dose of warfarin a week",
        "hospital",
        "multiply",
        ("h:war", "h:dose"),
        number("7"),
        number("14", "milligram", "14..70"),
    )
    t.false("bounds in, bounds out", {"answer.values.0": number("35", "milligram")}, _NOT)
    t.false("both bounds", {"answer.values.0.precision": "14..35"}, _NOT)
    twin(
        "in milligrams",
        "hospital",
        "convert",
        ("h:asa", "h:dose"),
        number("1", "milligram"),
        number("500", "milligram"),
    )
    t.false("in its own unit", {"answer.values.0": number("0.5", "gram")}, _NOT)
    t.false("not what does not convert", {"program.2.value.unit": "metre"}, _NOT)
    twin(
        "between the wards",
        "hospital",
        "distance",
        ("h:north", "h:at"),
        ("h:south", "h:at"),
        number("0.557", "kilometre"),
    )
    t.false("not flat", {"answer.values.0.value": "1.112"}, _NOT)
    t.false("three decimals", {"answer.values.0.value": "0.5575"}, _NOT)
    t.false("of places", {"program.3.relations": ["h:beds"]}, _NOT)
    twin("rounded", "parts", "round", ("p:frame", "p:weight"), number("0"), number("2", "kilogram"))
    t.false("to the nearest", {"answer.values.0.value": "3"}, _NOT)
    t.false("digits are whole", {"program.2.value.value": "0.5"}, _NOT)
    p = Program()
    p.add("arithmetic", do="year", left=p.follow(p.entity("f:carl"), "f:born"), right=None)
    t.true("a year", "family", p, nodes(2, number("1903")), "recomputed")
    t.false("a month is no year", {"program.2.do": "month"}, _NOT)
    t.false("a vague day", {"program.0.id": "f:dora", "program.2.do": "day", "answer.values.0.value": "1"}, _NOT)
    t.false("a century is counted from 1", {"program.2.do": "century", "answer.values.0.value": "19"}, _NOT)
    t.false("a year needs no other side", {"program.2.do": "add"}, _NOT)


def _over(t: Theme) -> None:
    p = Program()
    wards = p.add("complete", of=p.back(p.entity("h:lee"), "h:nurse"))
    it = p.it(wards)
    p.add("sum", of=wards, it=it, by=p.follow(it, "h:beds"))
    t.true("beds", "hospital", p, nodes(5, number("42")), "assumed")
    for rule, change in [
        ("a mean is no sum", {"program.5.op": "mean"}), ("a sum is no least", {"program.5.op": "min"}),
        ("nor the most", {"program.5.op": "max"}), ("who has several values", {"program.4.relations": ["h:nurse"]}),
        ("another number", {"answer.values.0.value": "43"}), ("nothing has no sum", {"program.4.relations": ["h:dose"]}),
        ("0 is no sum of nothing", {"program.4.relations": ["h:dose"], "answer.values.0.value": "0"}),
        ("a sum is no bound", {"answer.at_least": True}),
    ]:  # fmt: skip
        t.false(rule, change, _NOT)
    p = Program()
    staff = p.add("complete", of=p.back(p.entity("c:sales"), "c:works"))
    it = p.it(staff)
    p.add("mean", of=staff, it=it, by=p.follow(it, "c:salary"))
    t.true("mean salary of Sales", "company", p, nodes(5, number("70000", "EUR")), "assumed")
    t.false("currencies have no mean", {"program.0.id": "c:labs", "answer.values.0": number("56000", "EUR")}, _NOT)
    t.false("nor without a currency", {"program.0.id": "c:labs", "answer.values.0": number("56000")}, _NOT)
    t.false("of open lists it is assumed", {"program.2.op": "named"}, "5 assumed", strict=True)
    p = Program()
    children = p.add("complete", of=p.follow(p.entity("f:carl"), "f:child", "f:spouse"))
    it = p.it(children)
    p.add("max", of=children, it=it, by=p.follow(it, "f:height"))
    t.true("tallest, about", "family", p, nodes(5, number("1.78", "metre", "1.78..1.8288")), "assumed")
    t.false("with its bounds", {"answer.values.0": number("1.78", "metre")}, _NOT)
    t.false("the number in the middle", {"answer.values.0.value": "1.79832"}, _NOT)
    p = Program()
    staff = p.back(p.entity("c:ann"), "c:manager")
    each, members = p.it(staff), p.it(staff)
    by = p.follow(each, "c:works")
    p.add("group", of=staff, it=each, by=by, members=members, measures=[p.add("count", of=members)])
    t.true(
        "under Ann by unit",
        "company",
        p,
        rows(6, [["c:labs"], [number("1")]], [["c:sales"], [number("1")]]),
        "6 assumed",
    )
    t.false("in another group", {"answer.rows.0.0": ["c:sales"]}, _NOT)
    t.false("how many in each", {"answer.rows.0.1": [number("2")]}, _NOT)
    t.false("groups by another relation", {"program.4.relations": ["c:salary"]}, _NOT)
    having = [*p[:5], {"op": "count", "of": 3}, {"op": "literal", "value": number("1")},
              {"op": "compare", "do": ">", "left": 5, "right": 6}, {**p[6], "having": 7}]  # fmt: skip
    t.false("groups with more than one", {"program": having, "answer.of": 8}, _NOT)


def _literals(t: Theme) -> None:
    """Fields of literals, and the order of what is found."""
    p = Program()
    p.add("union", of=[p.follow(p.entity("f:carl"), "f:birthplace"), p.follow(0, "f:motto", "f:height")])
    t.true(
        "entities before literals",
        "family",
        p,
        nodes(3, "f:oslo", number("1.81", "metre"), text("As it is")),
        "Answer: Oslo, 1.81 metre, “As it is”",
    )
    t.false("literals behind entities", {"answer.values": [number("1.81", "metre"), text("As it is"), "f:oslo"]}, _NOT)
    t.false("literals by their keys", {"answer.values": ["f:oslo", text("As it is"), number("1.81", "metre")]}, _NOT)
    given: list[tuple[str, Any]] = [("a long text", text("x" * 1200)), ("a Gregorian day", {**time("1903"), "calendar": "gregorian"}),
                        ("a literal of all fields", {"value": "1903", "kind": "time", "unit": "year", "precision": "year", "lang": "en",
                         "calendar": "julian"}), ("fields that are null", {"value": "x", "kind": "string", "unit": None, "lang": None})]  # fmt: skip
    for name, value in given:
        p = Program()
        p.add("exists", of=p.back(p.literal(value), "f:born"))
        t.true(
            name,
            "family",
            p,
            none({"code": "unknown", "of": 2}),
            "it is not known whether there is everything whose date of birth is",
        )
        t.false("nobody has it", {"answer": truth(2, "no")}, _NOT)


def _nothing(t: Theme) -> None:
    """Where there is no value there is none."""
    p = Program()
    staff = p.add("complete", of=p.back(p.entity("c:labs"), "c:works"))
    it = p.it(staff)
    p.add("sum", of=staff, it=it, by=p.follow(it, "c:salary"))
    t.true("currencies have no sum", "company", p, none({"code": "nothing", "of": 5}), "nothing is listed for: the sum")
    t.false("nor one without a unit", {"answer": nodes(5, number("112000"))}, _NOT)
    t.false("of one currency there is", {"program.0.id": "c:sales"}, "'nothing' is not so")
    p = Program()
    p.add("arithmetic", do="add", left=p.follow(p.entity("p:frame"), "p:weight"), right=p.follow(0, "p:length"))
    t.true("a mass and a length", "parts", p, none({"code": "nothing", "of": 3}), "nothing is listed for: the add")
    t.false("a mass and a mass", {"program.2.relations": ["p:weight"]}, "'nothing' is not so")


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_units, _arithmetic, _over, _literals, _nothing):
        part(t)
    return t
