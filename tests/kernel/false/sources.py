"""Several graphs, endpoints, names of graphs, roots that are given; the form of a file, and its limits."""

from __future__ import annotations

import json
from typing import Any

from false.graphs import ALIAS, FAMILY, GRAPHS, LABEL, number, text, time
from false.types import every_op
from false.writing import DROP, Program, Theme, nodes, none, truth
from naive_merkle import graph_root, prove

_NOT = "the answer is not what follows"
_UNPROVED = "no root proves what the endpoint said"


def _unions(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    t.true("children, of two graphs", "family archive", p, nodes(1, "f:emil", "f:finn", "f:ida"), "Graph: 1, which")
    t.false("of one graph alone", {"answer.values": ["f:emil", "f:finn"]}, _NOT)
    t.false("C3: of the other alone, as it says", {"program.1.graph": 1}, _NOT)
    t.false("C3: graphs change places", lambda c: c["graphs"].reverse(), _NOT, graph=["archive", "family"])
    t.lines[-1]["certificate"]["program"][1]["graph"] = 0
    t.false(
        "a graph more is read, too", {"graphs.2": {"name": "third", "root": "0" * 64}}, "is not at hand", strict=True
    )
    t.false("no value in one is none in all", {"program.0.id": "f:emil", "answer": none({"code": "nothing", "of": 1}),
            "program.1.relations": ["f:child", "f:mother"]}, "'nothing' is not so")  # fmt: skip
    p = Program()
    p.compare(p.follow(p.entity("f:carl"), "f:born"), "<", p.literal(time("1904")))
    t.true("before 1904, by one graph", "family", p, truth(3), "recomputed")
    t.false("graphs that differ decide nothing", {"graphs.1": {"name": "archive", "root": graph_root(GRAPHS["archive"])}}, _NOT,
            graph=["family", "archive"])  # fmt: skip
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:ben"), "f:spouse", graph=1))
    t.true("none, by one graph alone", "family archive", p, truth(2, "no"), "the spouse \\(in graph 1\\) of Ben")
    t.false("of both it is not known", {"program.1.graph": DROP, "program.1.relations": ["f:child2", "f:spouse"]}, _NOT)
    t.false("of the other it is not known", {"program.1.graph": 0}, _NOT)
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    proved = t.true(
        "two graphs, proved", "family archive", p, nodes(1, "f:emil", "f:finn", "f:ida"), "passes", evidence=True
    )
    t.false("each graph has its evidence", lambda c: c["evidence"].pop(), "of 1 graphs, and the certificate has 2", 2)
    t.false("evidence in the order of the graphs", lambda c: c["evidence"].reverse(), "the evidence leads to the root")
    t.false("a graph is given twice for another", lambda c: (c["evidence"].__setitem__(1, c["evidence"][0]),
            c["answer"].update(values=["f:emil", "f:finn"])), "the evidence leads to the root")  # fmt: skip
    t.false(
        "O1: every graph has the root that is given",
        {},
        "graphs of another root than the one given",
        root=proved["graphs"][0]["root"],
    )
    t.false("O1: a graph beside the one that is given", {"program.1.graph": 1, "answer.values": ["f:ida"]},
            "graphs of another root than the one given", root=proved["graphs"][0]["root"])  # fmt: skip


def _endpoints(t: Theme) -> None:
    told = {"ranges": [
        {"side": "out", "node": "f:carl", "relation": "f:child", "statements": [["f:carl", "f:child", "f:zoe", [], "normal"]]},
        {"side": "out", "node": "f:zoe", "relation": LABEL, "statements": [
            ["f:zoe", LABEL, "f:name", [], "normal"], ["f:zoe", LABEL, text("Zoe"), [], "normal"]]},
        {"side": "out", "node": "f:carl", "relation": LABEL, "statements": [["f:carl", LABEL, text("Carl the Great"), [], "normal"]]},
        {"side": "out", "node": "f:child", "relation": LABEL, "statements": []},
        {"side": "out", "node": "f:carl", "relation": "f:spouse", "statements": []},
    ]}  # fmt: skip
    endpoint = {"name": "world", "endpoint": "https://example.org/sparql", "asked": "2026-11-23T10:00:00Z"}
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    t.true("as an endpoint said", "family", p, nodes(1, "f:zoe"), "Answer: Zoe", graphs=[endpoint], evidence=[told])
    ranges = "evidence.0.ranges"
    for rule, change, says, exit_ in [
        ("what an endpoint said is no proof", {}, _UNPROVED, 1),
        ("the answer is what it said", {"answer.values": ["f:emil"]}, _NOT, 1),
        ("the answer is all of it", {"answer.values": ["f:emil", "f:zoe"]}, _NOT, 1),
        ("an endpoint has no root", {"graphs.0.root": graph_root(FAMILY)}, "of a root or an endpoint", 2),
        ("a graph has a root or an endpoint", {"graphs.0.endpoint": DROP}, "of a root or an endpoint", 2),
        ("a range is given once", lambda c: c["evidence"][0]["ranges"].append(c["evidence"][0]["ranges"][0]), "given twice", 2),
        ("a statement is of its range", {f"{ranges}.0.statements.0.0": "f:dora"}, "not of its key", 2),
        ("a statement is of its side", {f"{ranges}.0.side": "in"}, "not of its key", 2),
        ("a side that is known", {f"{ranges}.0.side": "both"}, "one of out|in", 2),
        ("a proof is no range", {f"{ranges}.0.at": 0}, "the field 'at' is not known", 2),
        ("evidence of an endpoint has no size", {"evidence.0.size": 1}, "the field 'size' is not known", 2),
        ("a graph with a root has a proof", {"graphs.0": {"name": "family", "root": graph_root(FAMILY)}}, "the field 'ranges' is not known", 2),
        ("that it said nothing is no proof", {"answer": none({"code": "lacks", "entity": "f:carl", "relation": "f:spouse",
            "direction": "forward"})}, "Graph: 0, which .* no root proves it", 1),
        ("L1: nor assumed absence", {"program.2": {"op": "complete", "of": 1}, "answer": nodes(2, "f:zoe")}, _UNPROVED, 1),
        ("a name of its own is no proof", {"graphs.0.name": "Encyclopaedia; held against the root given"},
            "calls “Encyclopaedia; held against the root given”: as https", 1),
        ("an address has one line", {"graphs.0.endpoint": "https://example.org\nGraph: proved"}, "as https://example.org Graph: proved said", 1),
    ]:  # fmt: skip
        t.false(rule, change, says, exit_, strict=exit_ == 1)
    t.false(
        "O1: an endpoint has not the root that is given",
        {},
        "graphs of another root than the one given",
        root=graph_root(FAMILY),
    )
    family = {"name": "family", "root": graph_root(FAMILY)}
    asked: list[tuple[str, Any, str | None]] = [
        ("out", "f:carl", "f:mother"),
        ("out", "f:carl", LABEL),
        ("out", "f:anna", LABEL),
        ("out", "f:mother", LABEL),
    ]
    none_said: list[Any] = [
        {"side": "out", "node": node, "relation": LABEL, "statements": []} for node in ("f:anna", "f:mother")
    ]
    mixed = {"ranges": [*told["ranges"], *none_said]}
    p = Program()
    p.follow(p.entity("f:carl"), "f:mother", graph=1)
    t.true("an endpoint and a graph", "family", p, nodes(1, "f:anna"), "0 holds        Carl Berg", graphs=[endpoint, family],
           evidence=[mixed, prove(FAMILY, asked)], question="the mother (in graph 1) of Carl Berg")  # fmt: skip
    t.false(
        "an endpoint names nothing of a graph",
        {"question": "the mother (in graph 1) of Carl the Great"},
        "of Carl Berg; judged",
        strict=True,
    )
    t.false("an endpoint is read, too", {"program.1.graph": DROP, "evidence.0.ranges.7": {"side": "out", "node": "f:carl",
            "relation": "f:mother", "statements": []}}, _UNPROVED, strict=True)  # fmt: skip
    t.false("an endpoint adds an answer", {"program.1.graph": DROP, "evidence.0.ranges.7": {"side": "out", "node": "f:carl",
            "relation": "f:mother", "statements": [["f:carl", "f:mother", "f:eve", [], "normal"]]}}, _NOT)  # fmt: skip
    asked_names: list[Any] = [{"side": side, "node": node, "relation": relation, "statements": []} for side, node, relation in
                              [("out", "f:zoe", ALIAS), ("in", text("Zoe"), LABEL), ("in", text("Zoe"), ALIAS)]]  # fmt: skip
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:zoe", name="Zoe"), "f:child"))
    told_of = {"ranges": [*told["ranges"], *asked_names]}
    t.true(
        "a name that an endpoint gives",
        "family",
        p,
        none({"code": "unknown", "of": 2}),
        _UNPROVED,
        graphs=[endpoint],
        evidence=[told_of],
    )
    t.false("a name that it does not give", {"program.0.name": "Zoé"}, "0 unverifiable", strict=True)
    twice = {"ranges": [*told["ranges"], {"side": "out", "node": "f:carl", "relation": None, "statements": [
        ["f:carl", "f:child", "f:yan", [], "normal"]]}]}  # fmt: skip
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    t.true(
        "of two ranges the narrow one", "family", p, nodes(1, "f:zoe"), _UNPROVED, graphs=[endpoint], evidence=[twice]
    )
    t.false("not the wide one", {"answer.values": ["f:yan"]}, _NOT)


def _without(t: Theme) -> None:
    """Without evidence nothing is known, and the check goes on."""
    endpoint = [{"name": "world", "endpoint": "https://example.org/sparql", "asked": "2026"}]
    t.true("every kind of node, without evidence", "family", every_op(), nodes(2, "f:emil", "f:finn"), "does not hold these statements",
           graphs=endpoint, evidence=[{"ranges": []}])  # fmt: skip
    for place, answer in [
        (6, nodes(6, "f:emil")),
        (9, nodes(9, "f:emil")),
        (10, nodes(10, number("2"))),
        (12, truth(12)),
        (13, truth(13, "no")),
        (19, nodes(19, number("2"))),
        (37, nodes(37, number("2"))),
        (39, truth(39)),
        (44, truth(44)),
    ]:
        t.false(f"node {place} needs evidence", {"answer": answer}, f"{place} unverifiable", strict=True)


def _forms(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    true = t.true("the form of a file", "family", p, nodes(1, "f:emil", "f:finn"), "passes")
    for rule, change, says in [
        ("a format that is known", {"format": "toulmin-certificate/2"}, "one of toulmin-certificate/1"),
        ("H1: a format is given", {"format": DROP}, "'format' is missing"),
        ("H2: a program is given", {"program": DROP}, "'program' is missing"),
        ("an answer is given", {"answer": None}, "'answer' is missing"),
        ("an answer is an object", {"answer": ["f:emil"]}, "a 'kind' that is known"),
        ("no field beside", {"verdict": "passes"}, "the field 'verdict' is not known"),
        ("no field beside, in one line", {"x\npasses: recomputed": 1}, "the field 'x passes: recomputed' is not known"),
        ("a question is a text", {"question": 3}, "a text"),
        ("a question is not too long", {"question": "x" * 100_001}, "question: must be a text of at most 100,000 characters"),
        ("a program is a list", {"program": {"0": {}}}, "a list of"),
        ("A1: a graph at least", {"graphs": [], "answer": none({"code": "nothing", "of": 1})}, "a list of 1 or more"),
        ("a graph has a name", {"graphs.0.name": DROP}, "'name' is missing"),
        ("a reading has somebody", {"reading.by": DROP}, "'by' is missing"),
        ("M5: a score is at most 1", {"reading.score": 1.4}, "0 to 1"),
        ("a score is 0 or more", {"reading.score": -0.1}, "0 to 1"),
        ("a confidence is at most 1", {"confidence": 2}, "0 to 1"),
        ("a method is a text", {"method": ["r3"]}, "a text"),
        ("no half surrogates", {"question": "Who\ud800?"}, "without half surrogates"),
        ("no half surrogates in a value", {"answer.values.0": "f:\udfff"}, "without half surrogates"),
        ("no half surrogates in a literal", {"program.0": {"op": "literal", "value": {"value": "\ud800", "kind": "string"}}}, "half surrogates"),
        ("a literal has a kind", {"program.0": {"op": "literal", "value": {"value": "x"}}}, "the field 'kind' is missing"),
        ("a literal has a known kind", {"program.0": {"op": "literal", "value": {"value": "x", "kind": "entity"}}}, "kind: must be one of string"),
        ("a literal has a value", {"program.0": {"op": "literal", "value": {"kind": "string"}}}, "the field 'value' is missing"),
        ("a value is a text", {"program.0": {"op": "literal", "value": {"value": 5, "kind": "quantity"}}}, "must be a text"),
        ("I4: a literal has its fields only", {"program.0": {"op": "literal", "value": {**text("x"), "label": "y"}}}, "the field 'label' is not known"),
        ("an empty field is no absent one", {"program.0": {"op": "literal", "value": {**text("x"), "unit": ""}}}, "without empty fields; a number has at most 1,000 characters, a text 100,000"),
        ("a number is not too long", {"program.0": {"op": "literal", "value": number("1" * 1001)}}, "1,000 characters"),
        ("bounds are not too long", {"program.0": {"op": "literal", "value": number("1", None, "0.." + "1" * 1001)}}, "1,000 characters"),
        ("a literal is not too long", {"program.0": {"op": "literal", "value": text("x" * 100_001)}}, "without empty fields; a number has at most 1,000 characters, a text 100,000"),
        ("a program is not too long", {"program": [true["program"][0]] * 20_001}, "program: must be a list of 0 or more, at most 20,000"),
        ("F: no more than 8 variables", {"program": [*p, *({"op": "it", "of": 1} for _ in range(9)),
            {"op": "union", "of": list(range(2, 11))}]}, "more than 8 variables"),
    ]:  # fmt: skip
        t.false(rule, change, says, 2)
    written = json.dumps(true)
    many = [{"name": "g", "endpoint": "https://example.org", "asked": "2026"}] * 100
    t.true("a hundred graphs", "family", p, none({"code": "other", "says": "many"}, tried=[1]), "Graph: 99", graphs=many,
           evidence=[{"ranges": []}] * 100)  # fmt: skip
    t.false(
        "no more than a hundred",
        {"graphs.100": many[0], "evidence.100": {"ranges": []}},
        "graphs: must be a list of 1 or more, at most 100",
        2,
    )
    t.true("the longest question", "family", p, nodes(1, "f:emil", "f:finn"), "passes", question="x" * 100_000)
    t.false("no longer one", {"question": "x" * 100_001}, "question: must be a text of at most 100,000 characters", 2)
    t.true(
        "the deepest file", "family", p, nodes(1, "f:emil", "f:finn"), "passes", trace=json.loads("[" * 63 + "]" * 63)
    )
    t.false("no deeper one", {"trace": json.loads("[" * 64 + "]" * 64)}, "nests too deeply", 2)
    for rule, old, new, says in [
        ("I6: not a number", '"score": 0.9', '"score": NaN', "NaN: must be a number"),
        ("I7: no infinity", '"score": 0.9', '"score": Infinity', "Infinity: must be a number"),
        ("I7: no infinity in what is told", '"score": 0.9}', '"score": 0.9}, "usage": {"cost": -Infinity}', "a number"),
        ("no infinity by its exponent", '"score": 0.9', '"score": 1e999', "0 to 1|a number"),
        ("I5: a field is given once", '"score": 0.9', '"score": 0.9, "score": 0.1', "given twice"),
        ("O3: an answer is given once", '"answer": {', '"answer": {"kind": "none"}, "answer": {', "given twice"),
        ("I5: a field is given once, however it is written", '"score": 0.9', '"score": 0.9, "sc\\u006fre": 0.1', "given twice"),
        ("a number has no zeros before", '"of": 0', '"of": 00', "not JSON"),
        ("a number has 15 digits at most", '"of": 0', '"of": 1' + "0" * 5000, "15 digits"),
        ("a file is whole", '"maker": "by hand", ', '"maker": "by hand"', "not JSON"),
        ("a file ends", '{"format"', '[{"format"', "not JSON"),
        ("a file is one value", '{"format"', '{} {"format"', "not JSON"),
        ("a file has no mark at its start", '{"format"', '\ufeff{"format"', "not JSON"),
        ("no comments", '{"format"', '/* passes */ {"format"', "not JSON"),
        ("F: not too deep", '"maker": "by hand"', '"maker": "by hand", "trace": ' + "[" * 70 + "]" * 70, "nests too deeply"),
        ("F: not too deep, and never closed", '"maker": "by hand"', '"maker": "by hand", "trace": ' + "[" * 100_000, "nests too deeply"),
        ("O2: no cycle can be written", '"of": 0, "relations"', '"of": 1, "relations"', "does not stand before"),
    ]:  # fmt: skip
        assert old in written, old
        t.false(rule, {}, says, 2, text=written.replace(old, new, 1))
        del t.lines[-1]["certificate"]


def _limits(t: Theme) -> None:
    p = Program()
    kin = p.follow(p.entity("f:carl"), "f:child")
    it = p.it(kin)
    test = p.add("exists", of=p.follow(it, "f:born"))
    p.add("some", of=kin, it=it, test=test)
    t.true("a small program", "family", p, truth(5), "recomputed")
    outer, inner = 2, 3
    wide = [*p[:2], {"op": "it", "of": 1}, {"op": "it", "of": 1}, {"op": "union", "of": [outer, inner]}]
    wide += [{"op": "union", "of": [place, place]} for place in range(4, 60)]
    wide += [
        {"op": "exists", "of": 60},
        {"op": "some", "of": 1, "it": inner, "test": 61},
        {"op": "every", "of": 1, "it": outer, "test": 62},
    ]
    t.false("F1: what is shared is evaluated once", {"program": wide, "answer.of": 63}, _NOT)
    t.false("F5: white space takes no time", {"question": "x" + "\n " * 40_000 + "x", "answer": {"kind": "text", "sentences": [
            {"start": 0, "end": 80_002, "claims": [{"of": 5}]}]}}, "supported: “x x”", strict=True)  # fmt: skip
    nested: list[Any] = [
        p[0],
        {"op": "follow", "of": 0, "relations": ["f:child", "f:mother", "f:father", "f:spouse"], "direction": "forward"},
    ]
    nested += [{"op": "it", "of": 1} for _ in range(8)]
    nested += [{"op": "union", "of": list(range(2, 10))}, {"op": "follow", "of": 10, "relations": ["f:child"] * 400, "direction": "forward"},
               {"op": "exists", "of": 11}]  # fmt: skip
    for depth in range(8):
        nested.append({"op": "every", "of": 1, "it": 9 - depth, "test": 12 + depth})
    t.false("F4: steps are limited", {"program": nested, "answer.of": 20}, "too many steps, or too much time", 2)
    t.false("no value is no number", {"program.1.relations": ["f:child"], "program.0.id": "f:finn"}, _NOT)


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_unions, _endpoints, _without, _forms, _limits):
        part(t)
    return t
