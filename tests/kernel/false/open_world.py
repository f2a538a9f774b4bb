"""What a graph does not list is not thereby false: marks, counts, Kleene's logic, absence, ranks."""

from __future__ import annotations

from false.graphs import number, text, time
from false.writing import Program, Theme, nodes, none, rows, truth


def _absent(t: Theme) -> None:
    p = Program()
    p.add("exists", of=p.add("complete", of=p.follow(p.entity("f:finn"), "f:award")))
    t.true("no award, if the list is complete", "family", p, truth(3, "no"), "3 recomputed")
    t.false("L1: what is not listed is not absent", {"program.3.of": 1}, "not what follows from the program")
    t.false("L1: nor by not", {"program.2": {"op": "exists", "of": 1}, "program.3": {"op": "not", "of": 2},
            "answer": truth(3)}, "not what follows")  # fmt: skip
    t.false("closed worlds are assumed", {}, "assumed", strict=True)
    t.false("what is missing is not there", {"answer.value": "yes"}, "not what follows")
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:finn"), "f:child"))
    t.true("no value is no", "family", p, truth(2, "no"), "recomputed")
    t.false("E1: a qualified no value says no more than it says", {"program.0.id": "f:hugo"}, "not what follows")
    t.false(
        "an unknown value is no no",
        {"program.0.id": "f:greta", "program.1.relations": ["f:spouse"]},
        "not what follows",
    )
    t.false(
        "no value of one relation is none of another",
        {"program.1.relations": ["f:child", "f:award"]},
        "not what follows",
    )
    t.false(
        "no value of one node is none of another",
        {"program.0": {"op": "literal", "value": text("x")}},
        "not what follows",
    )
    t.false("no value is there forward only", {"program.1.direction": "backward"}, "not what follows")
    t.false("no value is no node", {"program.2.op": "count", "answer": nodes(2, number("1"))}, "not what follows")
    p = Program()
    p.add("count", of=p.follow(p.entity("f:finn"), "f:child"))
    t.true("none is exactly 0", "family", p, nodes(2, number("0")), "Answer: 0")
    t.false("nothing listed is at least 0", {"program.1.relations": ["f:award"]}, "not what follows")
    t.false("a hole is at least 0", {"program.0.id": "f:hugo"}, "not what follows")
    p = Program()
    p.follow(p.entity("f:greta"), "f:spouse")
    t.true(
        "an unknown value is no node", "family", p, none({"code": "nothing", "of": 1}, tried=[1]), "nothing is listed"
    )
    t.false(
        "an unknown value is no answer",
        {"answer": nodes(1, {"value": "", "kind": "unknown_value"})},
        "not what follows",
    )
    t.false("nobody is named by an unknown value", {"answer": nodes(1, "f:emil")}, "not what follows")


def _no_values(t: Theme) -> None:
    for do, value in [("=", "no"), ("≠", "yes")]:
        p = Program()
        p.compare(p.follow(p.entity("f:emil"), "f:died"), do, p.literal(time("1990")))
        t.true(f"who has not died {do} 1990", "family", p, truth(3, value), "recomputed")
        t.false("no value has its own logic", {"answer.value": "no" if value == "yes" else "yes"}, "not what follows")
        t.false("an unknown value has not", {"program.0.id": "f:dora"}, "not what follows")
        t.false("what is not listed has not", {"program.0.id": "f:finn"}, "not what follows")
        t.false("it has no order", {"program.3.do": "<"}, "not what follows")
        t.false(
            "it is not itself",
            {"program.2": {"op": "follow", "of": 0, "relations": ["f:died"], "direction": "forward"}},
            "not what follows",
        )


def _counts(t: Theme) -> None:
    p = Program()
    carl = p.entity("f:carl")
    two = p.literal(number("2"))
    count = p.add("count", of=p.follow(carl, "f:child"))
    p.compare(count, "≥", two)
    t.true("two children at least", "family", p, truth(4), "recomputed")
    for do, value in [
        ("=", "yes"),
        ("=", "no"),
        ("≠", "no"),
        ("≠", "yes"),
        ("≤", "yes"),
        ("≤", "no"),
        (">", "no"),
        (">", "yes"),
    ]:
        t.false(
            f"of a count that may be too low: {do} {value}",
            {"program.4.do": do, "answer.value": value},
            "not what follows",
        )
    t.false("nor mirrored", {"program.4.left": 1, "program.4.right": 3, "program.4.do": "≥"}, "not what follows")
    t.false("two lower bounds say nothing", {"program.4.right": 3}, "not what follows")
    t.false("G3: 0 of it is no proof", {"program.3.of": 0}, "what the question names is no evidence", 2)
    t.false("its digits are not known", {"program.4.do": "contains"}, "not what follows")
    t.false("nor how they begin", {"program.4.do": "starts"}, "not what follows")
    t.false("nor what else they say", {"program.4.do": "starts", "program.1.value": text("2")}, "not what follows")
    for do, bound, value in [
        ("<", "1", "yes"),
        ("≤", "2", "yes"),
        (">", "2", "no"),
        ("≥", "1", "no"),
        ("≠", "1", "yes"),
        ("=", "1", "no"),
    ]:
        p = Program()
        bounded = p.literal(number(bound))
        p.compare(bounded, do, p.add("count", of=p.follow(p.entity("f:carl"), "f:child")))
        t.true(f"{bound} {do} two at least", "family", p, truth(4, value), "recomputed")
        t.false("a bound the other way round", {"answer.value": "no" if value == "yes" else "yes"}, "not what follows")
        t.false(
            "a higher bound is not known",
            {"program.0.value.value": "3" if do in ("≤", "≥", "≠", "=") else "2" if do == "<" else "3"},
            "not what follows",
        )
    p = Program()
    p.add("count", of=p.follow(p.entity("f:carl"), "f:child"))
    t.true("at least two", "family", p, nodes(2, number("2"), at_least=True), "at least 2")
    t.false("a list is no number of all", {"answer.at_least": False}, "not what follows")
    t.false("a list is no number of all", {"answer": nodes(2, number("2"))}, "not what follows")
    t.false("at least two is not three", {"answer.values.0.value": "3"}, "not what follows")
    t.false("at least two is not one", {"answer.values.0.value": "1"}, "not what follows")
    t.false("L2: exactly two by an assumption", {"program": [*p[:2], {"op": "complete", "of": 1}, {"op": "count", "of": 2}],
            "answer": nodes(3, number("2"))}, "assumed", strict=True)  # fmt: skip
    t.false("exactly two by a difference with nothing", {"program": [*p[:2], {"op": "difference", "of": [1, 1]},
            {"op": "count", "of": 2}], "answer": nodes(3, number("0"))}, "not what follows")  # fmt: skip
    p = Program()
    firm = p.entity("c:sales")
    one = p.back(firm, "c:works")
    other = p.back(p.entity("c:ann"), "c:manager")
    p.add("difference", of=[one, other])
    t.true("in Sales but not under Ann", "company", p, nodes(4, "c:ann"), "taken not to be so")
    t.false("what is taken away may lack something", {}, "assumed", strict=True)
    t.false("the first without the others, not the others", {"answer.values": ["c:cid"]}, "not what follows")
    t.false("a difference is no union", {"answer.values": ["c:ann", "c:bob", "c:cid"]}, "not what follows")
    t.false("an intersection is no difference", {"program.4.op": "intersection"}, "not what follows")
    t.false("a union is no difference", {"program.4.op": "union"}, "not what follows")
    ranked = Program()
    ranked.back(ranked.entity("h:lee"), "h:nurse")
    ranked.add("complete", of=1)
    each = ranked.it(2)
    ranked.add("last", of=2, it=each, by=ranked.add("count", of=ranked.follow(each, "h:nurse")))
    t.true("most nurses listed", "hospital", ranked, nodes(6, "h:north"), "lists all there are")
    t.false("most by lower bounds is assumed", {}, "6 assumed", strict=True)
    rowed = Program()
    all_of = rowed.back(rowed.entity("h:lee"), "h:nurse")
    each = rowed.it(all_of)
    rowed.add("table", of=all_of, it=each, columns=[rowed.add("count", of=rowed.follow(each, "h:nurse"))])
    t.true("how many nurses each", "hospital", rowed, rows(5, [["h:north"], [number("2")]], [["h:south"], [number("1")]]),
           "5 assumed")  # fmt: skip
    t.false("numbers of rows are lower bounds", {}, "5 assumed", strict=True)
    t.false("a row is left out", {"answer.rows": [[["h:north"], [number("2")]]]}, "not what follows")
    t.false("a number is another", {"answer.rows.1.1": [number("0")]}, "not what follows")
    t.false("rows in order", lambda c: c["answer"]["rows"].reverse(), "not what follows")
    t.false("a cell more", lambda c: c["answer"]["rows"][0].append(["h:kim"]), "not what follows")
    t.false("rows of cells", {"answer.rows.0": ["h:north", number("2")]}, "a list of", 2)


def _quantified(t: Theme) -> None:
    p = Program()
    children = p.follow(p.entity("f:carl"), "f:child")
    it = p.it(children)
    p.add("some", of=children, it=it, test=p.compare(p.follow(it, "f:born"), "<", p.literal(time("1927"))))
    t.true("a child born before 1927", "family", p, truth(6), "recomputed")
    t.false("some is not every", {"program.6.op": "every"}, "not what follows")
    t.false(
        "every over an open list is not known",
        {"program.6.op": "every", "program.4.value.value": "1999"},
        "not what follows",
    )
    t.false(
        "none of an open list is not known", {"program.4.value.value": "1900", "answer.value": "no"}, "not what follows"
    )
    t.false("one over two that differ", {"program.6.op": "one"}, "not what follows")
    t.false("one over two that differ is no no", {"program.6.op": "one", "answer.value": "no"}, "not what follows")
    t.false("a test is about each", {"program.5.do": ">", "program.4.value.value": "1930"}, "not what follows")
    p = Program()
    children = p.add("complete", of=p.follow(p.entity("f:carl"), "f:child"))
    it = p.it(children)
    born = p.follow(it, "f:height")
    p.add("every", of=children, it=it, test=p.compare(born, "<", p.literal(number("2", "metre"))))
    t.true("both are below two metres", "family", p, truth(7), "assumed")
    t.false("every with one unknown", {"program.4.relations": ["f:award"]}, "not what follows")
    t.false("every with one that is not", {"program.5.value.value": "1.79"}, "not what follows")
    t.false(
        "every of an empty set that is named",
        {"program.1": {"op": "difference", "of": [0, 0]}},
        "not what follows|no evidence",
    )
    p = Program()
    yes = p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    maybe = p.add("exists", of=p.follow(0, "f:award2"))
    p.add("or", of=[maybe, yes])
    t.true("yes or unknown", "family", p, truth(5), "recomputed")
    t.false("yes and unknown", {"program.5.op": "and"}, "not what follows")
    t.false("unknown is no no", {"answer": truth(maybe, "no")}, "not what follows")
    t.false("not unknown is no yes", {"program.5": {"op": "not", "of": 4}}, "not what follows")
    t.false("not yes", {"program.5": {"op": "not", "of": 2}}, "not what follows")
    t.false("unknown or unknown", {"program.5.of": [4, 4]}, "not what follows")
    p = Program()
    people = p.back(p.entity("f:oslo"), "f:birthplace")
    it = p.it(people)
    p.add("where", of=people, it=it, test=p.add("exists", of=p.follow(it, "f:award")))
    t.true("born in Oslo, with an award", "family", p, nodes(5, "f:anna", "f:carl"), "recomputed")
    t.false("unknown is left out", {"program.3.relations": ["f:motto2"]}, "not what follows")
    t.false("where is not all", {"program.1.relations": ["f:award"], "program.0.id": "f:prize"}, "not what follows")  # fmt: skip


def _ranks(t: Theme) -> None:
    p = Program()
    died = p.follow(p.entity("f:carl"), "f:died")
    p.compare(died, ">", p.literal(time("1980-12-31")))
    t.true("the preferred date decides", "family", p, truth(3), "recomputed")
    t.false("a rank is lost in a union", {"program": [*p[:3], {"op": "union", "of": [1, 1]},
            {"op": "compare", "do": ">", "left": 3, "right": 2}], "answer": truth(4)}, "not what follows")  # fmt: skip
    t.false("the preferred decide, not the others", {"program.3.do": "<"}, "not what follows")
    t.false("both are answers", {"answer": nodes(1, time("1981"))}, "not what follows")
    p = Program()
    dates = p.follow(p.entity("f:carl"), "f:born", "f:died")
    p.compare(dates, ">", p.literal(time("1900")))
    t.true("all values agree", "family", p, truth(3), "recomputed")
    t.false(
        "several values must agree",
        {"program.1.relations": ["f:mother", "f:height"], "program.2.value": number("1")},
        "not what follows",
    )
    p = Program()
    medal = p.literal(time("1903"))
    said = p.follow(p.entity("c:acme"), "c:founded")
    p.compare(said, ">", medal)
    t.true("founded after 1903", "company", p, truth(3), "recomputed")
    t.false("values that differ decide nothing", {"program.0.value.value": "1992"}, "not what follows")
    t.false("M1: one of them is not chosen", {"program": [*p[:3], {"op": "among", "of": 2, "keep": [time("1994-05-01")], "by": "me", "score": 1},
            {"op": "compare", "do": ">", "left": 3, "right": 0}], "answer": truth(4)}, "was chosen", 2)  # fmt: skip


def _classes(t: Theme) -> None:
    p = Program()
    p.add(
        "is_a",
        left=p.entity("h:asa"),
        right=p.entity("h:drug"),
        relations=["h:is"],
        sub=["h:sub"],
        disjoint=["h:apart"],
    )
    t.true("a medicine", "hospital", p, truth(2), "Aspirin — instance of")
    t.false("a class is reached upwards", {"program.0.id": "h:drug", "program.1.id": "h:asa"}, "not what follows")
    t.false("not without subclasses", {"program.2.sub": []}, "not what follows")
    t.false("not by other relations", {"program.2.relations": ["h:treats"]}, "not what follows")
    t.false("what is not listed is no no", {"program.1.id": "h:flu", "answer.value": "no"}, "not what follows")
    t.false("apart is no", {"program.1.id": "h:food"}, "not what follows")
    t.false(
        "apart by what is said",
        {"program.1.id": "h:food", "program.2.disjoint": [], "answer.value": "no"},
        "not what follows",
    )
    t.false("a closed list of classes is assumed", {"program.1.id": "h:flu", "program.2.closed": True, "answer.value": "no"},
            "lists all classes", strict=True)  # fmt: skip
    t.false("sides must agree", {"program": [p[0], p[1], {"op": "entity", "id": "h:flu"}, {"op": "union", "of": [0, 2]},
            {**p[2], "left": 3}], "answer": truth(4)}, "not what follows")  # fmt: skip
    p = Program()
    p.add("is_a", left=p.entity("p:bike"), right=p.entity("p:class11"), relations=["p:is"], sub=["p:sub"])
    t.true("twelve statements up", "parts", p, truth(2), "recomputed")
    t.false("no thirteenth", {"program.1.id": "p:class12"}, "not what follows")
    p = Program()
    p.add("instances", of=p.entity("p:class11"), relations=["p:is"], sub=["p:sub"])
    t.true("twelve statements down", "parts", p, nodes(1, "p:bike"), "recomputed")
    t.false("no thirteenth", {"program.0.id": "p:class12"}, "not what follows")
    t.false(
        "no number of all instances",
        {"program": [*p, {"op": "count", "of": 1}], "answer": nodes(2, number("1"))},
        "not what follows",
    )


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_absent, _no_values, _counts, _quantified, _ranks, _classes):
        part(t)
    return t
