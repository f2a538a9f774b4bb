"""What single rules of the evaluation decide, where the other files leave them open."""

from __future__ import annotations

from typing import Any

from false.graphs import END, LABEL, POINT, START, number, text, time
from false.writing import DROP, Program, Theme, nodes, none, rows, truth

_NOT = "the answer is not what follows"


def _window(first: Any, last: Any, **more: Any) -> dict[str, Any]:
    return {"from": first, "to": last, "start": [START], "end": [END], "point": [POINT], **more}


def _statements(t: Theme) -> None:
    p = Program()
    p.follow(
        p.entity("f:anna"),
        "f:award",
        window=_window(time("1911"), time("1911")),
        qualified=[{"relations": [POINT], "is": time("1911-12-10")}],
    )
    t.true("a date that is given, in its year", "family", p, nodes(1, "f:prize"), "1 recomputed")
    year = {"program.1.window.from": time("1903"), "program.1.window.to": time("1903"), "answer.values": ["f:medal"]}
    t.false("a window does not replace a qualifier", year, _NOT)
    keep = {
        **year,
        "program.1.qualified": None,
        "program.1.window.unknown": "keep",
        "program.1.window.from": time("1905"),
        "program.1.window.to": time("1906"),
    }
    t.false("what is known not to hold is not kept", keep, _NOT)
    p = Program()
    p.follow(p.entity("f:dora"), "f:award", window=_window(time("1903"), None, unknown="keep"))
    t.true("what has no date is kept", "family", p, nodes(1, "f:prize"), "what has no date is taken to hold then")
    t.false("only if that is said", {"program.1.window.unknown": None}, _NOT)
    p = Program()
    p.follow(p.entity("f:oslo", words=[0, 4], name="Oslo"), "f:country")
    t.true(
        "a name is shown as a statement",
        "family",
        p,
        nodes(1, "f:norway"),
        "Oslo — label → “Oslo”",
        question="Oslo is in which country?",
    )
    t.false("in another country", {"answer.values": ["f:oslo"]}, _NOT)
    p = Program()
    p.follow(p.follow(p.entity("f:carl"), "f:born"), "f:child")
    t.true("a date has no statements", "family", p, none({"code": "nothing", "of": 2}), "2 recomputed", evidence=True)
    t.false("a date has no children", {"answer": nodes(2, "f:emil")}, _NOT)
    p = Program()
    p.add("exists", of=p.follow(p.add("complete", of=p.follow(p.entity("f:finn"), "f:award")), "f:country"))
    t.true("of nothing nothing is said", "family", p, none({"code": "unknown", "of": 4}), "it is not known whether")
    t.false("of nothing no is not said", {"answer": truth(4, "no")}, _NOT)
    told = {
        "side": "out",
        "node": "f:carl",
        "relation": "f:child",
        "statements": [["f:carl", "f:child", "f:zoe", [], "normal"]],
    }
    endpoint = {"name": "world", "endpoint": "https://example.org/sparql"}
    p = Program()
    kin = p.follow(p.entity("f:carl"), "f:child")
    it = p.it(kin)
    p.add("where", of=kin, it=it, test=p.add("exists", of=p.follow(it, "f:born")))
    t.true(
        "what a test needs is not at hand",
        "family",
        p,
        nodes(5, "f:zoe"),
        "5 unverifiable",
        graphs=[endpoint],
        evidence=[{"ranges": [told]}],
    )
    t.false("what a test needs is not at hand: that is no proof", {}, "5 unverifiable", strict=True)
    t.lines[-1]["certificate"]["evidence"][0]["ranges"].append(
        {**told, "node": "f:zoe", "relation": LABEL, "statements": []}
    )


def _sets(t: Theme) -> None:
    p = Program()
    p.add(
        "exists",
        of=p.add("intersection", of=[p.follow(p.entity("f:finn"), "f:child"), p.follow(p.entity("f:carl"), "f:child")]),
    )
    t.true("nothing is in what is empty", "family", p, truth(5, "no"), "recomputed")
    t.false("a union is not empty", {"program.4.op": "union"}, _NOT)
    t.false("nothing listed is not empty", {"program.1.relations": ["f:award"]}, _NOT)
    p = Program()
    three = p.add("union", of=[p.entity("f:emil"), p.entity("f:finn"), p.entity("f:oslo")])
    it = p.it(three)
    p.add("last", of=three, it=it, by=p.follow(it, "f:born"))
    t.true("one has no key", "family", p, nodes(6, "f:finn"), "1 without a key are left out")
    t.false("one has no key: assumed", {}, "6 assumed", strict=True)
    p = Program()
    two = p.add("union", of=[p.follow(p.entity("p:bike"), "p:part"), p.follow(p.entity("p:wheel"), "p:part")])
    it = p.it(two)
    p.add("sum", of=two, it=it, by=p.follow(it, "p:length"))
    t.true(
        "several values have no sum", "parts", p, none({"code": "nothing", "of": 7}), "nothing is listed for: the sum"
    )
    t.false("not of all of them", {"answer": nodes(7, number("1.6638", "metre"))}, _NOT)
    p = Program()
    empty = p.add("arithmetic", do="add", left=p.follow(p.entity("p:frame"), "p:colour"), right=p.follow(0, "p:weight"))
    p.compare(empty, ">", p.literal(number("0")))
    t.true("a sum with nothing", "parts", p, none({"code": "unknown", "of": 5}), "it is not known whether")
    t.false("a sum with nothing is no number", {"answer": truth(5)}, _NOT)
    p = Program()
    died = p.follow(p.add("union", of=[p.entity("f:anna"), p.entity("f:ben")]), "f:died")
    p.compare(died, ">", p.literal(time("1900")))
    t.true("both died after 1900", "family", p, truth(5), "4 holds +1900")
    t.false("one date is unknown", {"program.1.id": "f:dora"}, _NOT)


def _rows(t: Theme) -> None:
    p = Program()
    staff = p.back(p.entity("c:ann"), "c:manager")
    each, members = p.it(staff), p.it(staff)
    by, enough = p.follow(each, "c:works"), p.compare(p.add("count", of=members), "≥", p.literal(number("1")))
    p.add("group", of=staff, it=each, by=by, members=members, measures=[], having=enough)
    t.true("groups of one or more", "company", p, rows(8, [["c:labs"]], [["c:sales"]]), "8 recomputed")
    t.false("groups of two or more are not known", {"program.6.value.value": "2"}, _NOT)
    p = Program()
    p.add("query", graph=0, text="SELECT ?x { ?a ?b ?x }", columns=["x"], rows=[["h:flu"], [None]])
    t.true("a query with nothing in a cell", "hospital", p, rows(0, [["h:flu"]], [[]]), "0 unverifiable")
    t.false("nothing is no text", {"answer.rows.1.0": ["h:flu"]}, _NOT)
    p = Program()
    died = p.follow(p.add("union", of=[p.entity("f:anna"), p.entity("f:dora")]), "f:died")
    closed = p.add("complete", of=died)
    it = p.it(closed)
    p.add("count", of=p.add("where", of=closed, it=it, test=p.compare(it, ">", p.literal(time("1900")))))
    t.true("one who died after 1900, at least", "family", p, nodes(9, number("1"), at_least=True), "at least 1")
    t.false("a date that is not known may be one", {"answer.at_least": False}, _NOT)


def _decided(t: Theme) -> None:
    p = Program()
    p.add("is_a", left=p.entity("h:asa"), right=p.entity("h:flu"), relations=["h:is"], sub=["h:sub"], closed=True)
    t.true("no flu, if all classes are listed", "hospital", p, truth(2, "no"), "lists all classes")
    t.false("no flu, of those that are listed", {"program.2.closed": False}, _NOT)
    p = Program()
    medicine = p.entity("h:asa")
    unknown = p.follow(p.entity("h:ibu"), "h:safe")
    beside = p.add("union", of=[medicine, unknown])
    p.add("is_a", left=beside, right=p.entity("h:drug"), relations=["h:is"], sub=["h:sub"])
    t.true(
        "a medicine and what is not known", "hospital", p, none({"code": "unknown", "of": 5}), "it is not known whether"
    )
    t.false("what is not known is no medicine", {"answer": truth(5)}, _NOT)
    t.false("what is not known is no class", {"program": [*p[:4], {"op": "entity", "id": "h:drug"},
            {"op": "union", "of": [4, 2]}, {**p[5], "left": 0, "right": 5}], "answer": truth(6)}, _NOT)  # fmt: skip
    p = Program()
    p.add(
        "rule",
        says="A parent has a child.",
        by="a reader",
        of=p.add("exists", of=p.follow(p.entity("f:hugo"), "f:child")),
        direction="necessary",
    )
    t.true(
        "by a rule about what is not known", "family", p, none({"code": "unknown", "of": 3}), "it is not known whether"
    )
    t.false("of what is not known no does not follow", {"answer": truth(3, "no")}, _NOT)
    t.false("of what is not known yes does not follow", {"program.3.direction": "both", "answer": truth(3)}, _NOT)


def _bare(t: Theme) -> None:
    """What a field that is not given stands for."""
    p = Program()
    p.add("is_a", left=p.entity("h:asa"), right=p.entity("h:nsaid"), relations=["h:is"])
    t.true("of its own class, without any above", "hospital", p, truth(2), "2 recomputed")
    t.false("of a class above, without any", {"program.1.id": "h:drug"}, _NOT)
    p = Program()
    p.add("instances", of=p.entity("h:nsaid"), relations=["h:is"])
    t.true("of a class, without any below", "hospital", p, nodes(1, "h:asa", "h:ibu"), "1 recomputed")
    t.false("of a class, and of those below", {"program.0.id": "h:drug"}, _NOT)
    p = Program()
    p.follow(p.entity("f:anna"), "f:award", window=_window(time("1910"), time("1912"), unknown="keep"))
    t.true("what has a date elsewhere is not kept", "family", p, nodes(1, "f:prize"), "   1 recomputed")
    t.false("nothing that has a date elsewhere", {"answer.values": ["f:medal", "f:prize"]}, _NOT)
    closed = Program()
    parts = closed.add("complete", of=closed.follow(closed.entity("p:bike"), "p:part"))
    it = closed.it(parts)
    closed.add("sum", of=parts, it=it, by=closed.follow(it, "p:weight"))
    t.true("a sum of all there are", "parts", closed, nodes(5, number("3.2", "kilogram")), "   5 recomputed")
    t.false("a sum of all that are listed", {"program.2": {"op": "named", "of": 1}}, "5 assumed", strict=True)
    p = Program()
    p.add("exists", of=p.follow(p.entity("n:yard"), "n:tenant"))
    t.true("none, and one not known which", "harbour", p, none({"code": "unknown", "of": 2}), "not known whether")
    t.false("what may be one is not none", {"answer": truth(2, "no")}, _NOT)
    t.false("none alone is none", {"program.0.id": "n:mill"}, "'unknown' is not so")
    p = Program()
    winners = p.back(p.entity("f:prize"), "f:award")
    it = p.it(winners)
    p.add("sum", of=winners, it=it, by=p.follow(it, "f:height"))
    t.true("a sum of those that have a value", "family", p, nodes(4, number("1.65", "metre", "1.65..1.75")),
           "1 without a value are left out")  # fmt: skip
    t.false("no sum of all of them", {"answer": none({"code": "unknown", "of": 4})}, "'unknown' is not so")
    p = Program()
    oldest = p.follow(p.add("union", of=[p.entity("f:carl"), p.entity("f:emil")]), "f:born")
    it = p.it(p.add("complete", of=oldest))
    p.add("first", of=it - 1, it=it)
    t.true("the first of all there are", "family", p, nodes(6, time("1903-04-12")), "   6 recomputed")
    t.false("the second of them", {"program.6.from": 2}, _NOT)
    p = Program()
    p.add(
        "is_a",
        left=p.entity("h:asa"),
        right=p.entity("h:food"),
        relations=["h:is"],
        sub=["h:sub"],
        disjoint=["h:apart"],
    )
    t.true("a class apart", "hospital", p, truth(2, "no"), r"\(by “instance of”, subclass of; apart by disjoint with\)")
    t.false("of a class apart", {"answer.value": "yes"}, _NOT)
    p = Program()
    long = text("x" * 201)
    p.add("choice", options=[{"option": long, "if": p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))}])
    t.true("a long value is cut", "family", p, nodes(3, long), "^Answer: “x{199}…”$")
    t.false("a value of another length", {"answer.values": [text("x" * 202)]}, _NOT)
    p = Program()
    p.add("arithmetic", do="year", left=p.follow(p.entity("f:carl"), "f:born"))
    t.true("the year of a birth", "family", p, nodes(2, number("1903")), "   2 recomputed")
    t.false("the day of a birth", {"program.2.do": "day"}, _NOT)
    p = Program()
    died = p.add("complete", of=p.follow(p.add("union", of=[p.entity("f:anna"), p.entity("f:dora")]), "f:died"))
    p.add("first", of=died, it=p.it(died))
    t.true("the first of all there are, of which one is not known", "family", p, nodes(6, time("1951-02-10")),
           "   6 assumed      the first")  # fmt: skip
    t.false("of all there are another", {"program.1.id": "f:ben"}, _NOT)
    p = Program()
    no = p.add("exists", of=p.follow(p.entity("f:finn"), "f:child"))
    p.add("rule", says="Who has no child is free.", by="a reader", of=no, direction="necessary", if_false="yes")
    t.true("by a rule about what is not so", "family", p, truth(3), "if not yes")
    t.false("by what a rule says where nothing is said", {"program.3.if_false": DROP}, _NOT)


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_statements, _sets, _rows, _decided, _bare):
        part(t)
    return t
