"""Counts, marks of lists, and the one that there is."""

from __future__ import annotations

from false.graphs import number, text, time
from false.writing import Program, Theme, nodes, none, rows, truth


def _marks(t: Theme) -> None:
    """What makes a list open, or leaves a hole in it."""
    p = Program()
    p.add("count", of=p.follow(p.entity("f:carl"), "f:child"))
    t.true(
        "no value in one graph, values in another",
        "family archive",
        p,
        nodes(2, number("3"), at_least=True),
        "at least 3",
    )
    t.false("no value beside values closes no list", {"answer.at_least": False}, "not what follows")
    p = Program()
    p.add("exists", of=p.follow(p.back(p.entity("f:greta"), "f:spouse"), "f:died"))
    t.true(
        "no value for each of an open list", "family", p, none({"code": "unknown", "of": 3}), "it is not known whether"
    )
    t.false("no value for each of an open list is no no", {"answer": truth(3, "no")}, "not what follows")
    p = Program()
    p.add("exists", of=p.follow(p.add("union", of=[p.entity("f:emil"), p.entity("f:dora")]), "f:died"))
    t.true(
        "no value for one, unknown for the other",
        "family",
        p,
        none({"code": "unknown", "of": 4}),
        "it is not known whether",
    )
    t.false("an unknown value beside no value is no no", {"answer": truth(4, "no")}, "not what follows")
    p = Program()
    p.add(
        "count",
        of=p.add(
            "qualifier", of=p.follow(p.entity("f:anna"), "f:award"), relations=["http://www.wikidata.org/entity/P585"]
        ),
    )
    t.true("qualifiers, at least", "family", p, nodes(3, number("2"), at_least=True), "at least 2")
    t.false("qualifiers are listed in an open world", {"answer.at_least": False}, "not what follows")
    p = Program()
    kin = p.add("complete", of=p.follow(p.entity("f:carl"), "f:child"))
    it = p.it(kin)
    test = p.compare(p.follow(it, "f:birthplace"), "=", p.entity("f:bergen"))
    p.add("count", of=p.add("where", of=kin, it=it, test=test))
    t.true("at least one of them", "family", p, nodes(8, number("1"), at_least=True), "at least 1")
    t.false("a test that is unknown leaves a hole", {"answer.at_least": False}, "not what follows")
    t.false("a test that is unknown is no yes", {"answer.values.0.value": "2"}, "not what follows")
    nested = Program()
    place = nested.follow(nested.entity("f:carl"), "f:child")
    variables = [nested.it(place) for _ in range(9)]
    test = nested.compare(variables[8], "=", variables[7])
    for depth in range(8, 0, -1):
        inner = nested.add("some", of=place, it=variables[depth], test=test)
        beside = (
            nested.compare(variables[depth - 1], "=", variables[depth - 2])
            if depth > 1
            else nested.add("exists", of=variables[0])
        )
        test = nested.add("and", of=[inner, beside])
    last = nested.add("some", of=place, it=variables[0], test=test)
    p = Program()
    yes = p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    t.true("a child", "family", p, truth(yes), "recomputed")
    t.false(
        "nine binders, each about the one above",
        {"program": list(nested), "answer": truth(last)},
        "more than 8 binders within each other",
        2,
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
    t.false(
        "nor which are not there",
        {"program.4.do": "contains", "program.1.value": text("7"), "answer.value": "no"},
        "not what follows",
    )
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


def _singular(t: Theme) -> None:
    """The one that there is, or none."""
    p = Program()
    listed = p.add("complete", of=p.follow(p.entity("f:finn"), "f:award"))
    it = p.it(listed)
    p.add("one", of=listed, it=it, test=p.compare(it, "=", p.entity("f:medal")))
    t.true("the award of nobody is none", "family", p, truth(6, "no"), "for the one it of")
    t.false("an open list may hold one", {"program.2": {"op": "named", "of": 1}}, "not what follows")
    t.false("of two that differ", {"program.0.id": "f:anna"}, "not what follows")
    p = Program()
    listed = p.follow(p.entity("f:finn"), "f:child")
    it = p.it(listed)
    p.add("one", of=listed, it=it, test=p.compare(it, "=", p.entity("f:emil")))
    t.true("no child is none", "family", p, truth(5, "no"), "for the one it of")
    t.false("nothing listed is not", {"program.1.relations": ["f:award"]}, "not what follows")
    p = Program()
    empty = p.add("difference", of=[p.entity("f:finn"), 0])
    it = p.it(empty)
    p.add("one", of=empty, it=it, test=p.compare(it, "=", p.follow(0, "f:mother")))
    t.true("the one of nothing that is named", "family", p, none({"code": "unknown", "of": 5}), "for the one it of")
    t.false("nothing that is named is no no", {"answer": truth(5, "no")}, "not what follows")
    p = Program()
    died = p.follow(p.add("union", of=[p.entity("f:anna"), p.entity("f:ben")]), "f:died")
    it = p.it(died)
    p.add("one", of=died, it=it, test=p.compare(it, ">", p.literal(time("1900"))))
    t.true("all agree", "family", p, truth(7), "for the one it of")
    t.false("one is unknown", {"program.1.id": "f:dora"}, "not what follows")
    p = Program()
    p.compare(
        p.add("count", of=p.follow(p.entity("f:carl"), "f:spouse")), ">", p.add("count", of=p.follow(0, "f:child"))
    )
    t.true("two lower bounds", "family", p, none({"code": "unknown", "of": 5}), "it is not known whether")
    for do in "<>≤≥=≠":
        t.false("two lower bounds: no", {"program.5.do": do, "answer": truth(5, "no")}, "not what follows")
        t.false("two lower bounds: yes", {"program.5.do": do, "answer": truth(5, "yes")}, "not what follows")
    p = Program()
    p.add(
        "arithmetic",
        do="add",
        left=p.add("count", of=p.follow(p.entity("f:carl"), "f:child")),
        right=p.literal(number("1")),
    )
    t.true("children and one", "family", p, nodes(4, number("3")), "4 assumed")
    t.false("a sum with a lower bound is assumed", {}, "4 assumed", strict=True)
    p = Program()
    p.add(
        "is_a",
        left=p.entity("h:asa"),
        right=p.entity("h:food"),
        relations=["h:is"],
        sub=["h:sub"],
        disjoint=["h:apart"],
    )
    t.true("no food", "hospital", p, truth(2, "no"), "Medicine — disjoint with|medicine — disjoint with")
    t.false("classes that are not apart", {"program.1.id": "h:flu"}, "not what follows")
    t.false("apart by another relation", {"program.2.disjoint": ["h:not"]}, "not what follows")
    p = Program()
    p.add(
        "is_a",
        left=p.entity("h:food"),
        right=p.entity("h:nsaid"),
        relations=["h:is"],
        sub=["h:sub"],
        disjoint=["h:apart"],
    )
    t.true("food is none, the other way round", "hospital", p, truth(2, "no"), "disjoint with")
    t.false("food is a medicine", {"answer.value": "yes"}, "not what follows")
    p = Program()
    p.add("qualifier", of=p.back(p.entity("c:sales"), "c:works"), relations=["c:role"])
    t.true("roles", "company", p, nodes(2, "c:chief"), "noted with")
    t.false("other roles", {"answer.values": ["c:ann"]}, "not what follows")
    p = Program()
    said = p.add(
        "qualifier", of=p.follow(p.entity("f:ida"), "f:award"), relations=["http://www.wikidata.org/entity/P585"]
    )
    p.add("count", of=p.add("complete", of=said))
    t.true("when is not known", "archive", p, nodes(4, number("0"), at_least=True), "at least 0")
    t.false("an unknown qualifier is a hole", {"answer.at_least": False}, "not what follows")
    t.false("an unknown qualifier is no value", {"answer.values.0.value": "1"}, "not what follows")


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_marks, _counts, _singular):
        part(t)
    return t
