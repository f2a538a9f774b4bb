"""Evidence that was tampered with: statements, the edges and places of ranges, hashes and roots."""

from __future__ import annotations

import copy
from base64 import b64decode, b64encode
from typing import Any

from false.graphs import ALIAS, FAMILY, GRAPHS, LABEL, NONE, START, UNKNOWN, number, text, time
from false.writing import DROP, Program, Theme, nodes, none, truth
from naive_merkle import graph_root, prove

ROOT = graph_root(FAMILY)


def _ranged(certificate: Any, side: str, node: Any, relation: str | None) -> Any:
    """A range of the first graph's evidence."""
    ranges = certificate["evidence"][0][side]["ranges"]
    return next(one for one in ranges if one["node"] == node and one["relation"] == relation)


def _hashes(tree: Any, change: Any) -> None:
    joined = b64decode(tree["hashes"])
    parts = change([joined[at : at + 32] for at in range(0, len(joined), 32)])
    tree["hashes"] = b64encode(b"".join(parts)).decode()


def _forged(statements: list[Any]) -> Any:
    """Evidence out of another tree, that leads to the root of that tree."""

    def change(certificate: Any) -> None:
        asked = [
            (side, one["node"], one["relation"])
            for side in ("out", "in")
            for one in certificate["evidence"][0][side]["ranges"]
        ]
        certificate["evidence"] = [prove(statements, asked)]

    return change


def _children(t: Theme, what: str) -> Any:
    p = Program()
    carl = p.entity("f:carl", words=[12, 21], name="Carl Berg")
    p.follow(carl, "f:child")
    return t.true(f"children, proved: {what}", "family", p, nodes(1, "f:emil", "f:finn"), "held against the root that",
                  question="Who are the Carl Berg children?", evidence=True)  # fmt: skip


def _statements(t: Theme) -> None:
    """What a range holds."""
    stated = "statements are not those of the root"

    def ranged(change: Any) -> Any:
        return lambda certificate: change(_ranged(certificate, "out", "f:carl", "f:child"))

    def said(place: int, new: Any) -> Any:
        return ranged(lambda one: one["statements"][0].__setitem__(place, new))

    _children(t, "statements")
    t.false(
        "O5: a statement is as the root has it: object", said(2, "f:hugo"), f"{stated}|not in order|another statement"
    )
    t.false("a statement is as the root has it: rank", said(4, "preferred"), f"{stated}|not in order")
    t.false(
        "a statement is as the root has it: a qualifier more",
        said(3, [[START, time("1950")]]),
        f"{stated}|not in order",
    )
    t.false("a statement is as the root has it: subject", said(0, "f:dora"), "not of its key")
    t.false("a statement is as the root has it: relation", said(1, "f:father"), "not of its key")
    t.false("I11: an entity is no text", said(2, text("f:emil")), f"{stated}|not in order")
    t.false("a rank that is known", said(4, "deprecated"), "one of normal|preferred")
    t.false("I1: a statement has five parts", ranged(lambda one: one["statements"][0].append("surely")), "a list of 5")
    t.false("a statement has five parts", ranged(lambda one: one["statements"][0].pop()), "a list of 5")
    t.false("a subject is a text", said(0, text("f:carl")), "a text")
    t.false("qualifiers are pairs", said(3, [[START]]), "a list of 2")
    t.false("qualifiers are a list", said(3, {START: "x"}), "a list of")
    t.false(
        "I3: a literal has its fields only",
        said(2, {"value": "x", "kind": "string", "label": "y"}),
        "the field 'label' is not known",
    )
    t.false(
        "no statement is left out",
        ranged(lambda one: one["statements"].pop()),
        "too (few|many) hashes|another statement|not those",
    )
    t.false(
        "no statement is left out",
        ranged(lambda one: one["statements"].pop(0)),
        "too (few|many) hashes|another statement|not those",
    )
    t.false(
        "no statement is added",
        ranged(lambda one: one["statements"].append(["f:carl", "f:child", "f:zoe", [], "normal"])),
        "not in order|another statement|too (few|many)|not those|left out",
    )
    t.false(
        "I5: each statement once",
        ranged(lambda one: one["statements"].append(one["statements"][-1])),
        "in order, each once",
    )
    t.false("statements in order", ranged(lambda one: one["statements"].reverse()), "in order, each once")
    t.false("statements are a list", ranged(lambda one: one.update(statements={"0": 1})), "a list of")
    t.false(
        "a range is held for what is read", ranged(lambda one: one.update(relation="f:spouse")), "not of its key", 2
    )
    t.false(
        "a range is held for what is read: another node",
        ranged(lambda one: one.update(node="f:dora")),
        "not of its key",
        2,
    )
    for one in t.lines:
        if one["rule"] != "true" and one["expect"]["exit"] == 1:
            one["expect"]["exit"] = 2


def _edges(t: Theme) -> None:
    """Where a range stands, and what stands beside it."""

    def at(side: str, node: Any, relation: str | None, **new: Any) -> Any:
        def change(certificate: Any) -> None:
            one = _ranged(certificate, side, node, relation)
            one.update({name: value(one[name]) if callable(value) else value for name, value in new.items()})

        return change

    child = ("out", "f:carl", "f:child")
    _children(t, "edges")
    for rule, change, says in [
        ("the place of a range: too high", at(*child, at=lambda n: n + 1), "another statement|not those|too (few|many)"),
        ("the place of a range: too low", at(*child, at=lambda n: n - 1), "another statement|not those|too (few|many)"),
        ("the place of a range: 0 has nothing before", at(*child, at=0), "is left out"),
        ("the place of a range: beyond the tree", at(*child, at=10_000), "another statement stands at its place|left out"),
        ("the place of a range: a huge one", at(*child, at=10**14), "another statement stands at its place|left out"),
        ("the place of a range is a number", at(*child, at="40"), "a whole number"),
        ("the place of a range is not below 0", at(*child, at=-1), "a whole number"),
        ("what stands before is shown", at(*child, before=None), "is left out"),
        ("what stands after is shown", at(*child, after=None), "is left out"),
        ("what stands before is as the root has it", at(*child, before=lambda e: [e[0], e[1], "0" * 64]), "not those of the root|another statement"),
        ("what stands after is as the root has it", at(*child, after=lambda e: [e[0], e[1], "f" * 64]), "not those of the root|another statement"),
        ("what stands before is before", at(*child, before=lambda _: ["f:carl", "f:child", "0" * 64]), "belongs into it, or elsewhere"),
        ("what stands after is after", at(*child, after=lambda _: ["f:carl", "f:child", "f" * 64]), "belongs into it, or elsewhere"),
        ("what stands before is before", at(*child, before=lambda _: ["f:dora", "f:child", "0" * 64]), "belongs into it, or elsewhere"),
        ("what stands after is after", at(*child, after=lambda _: ["f:anna", "f:child", "0" * 64]), "belongs into it, or elsewhere"),
        ("an edge is three texts", at(*child, before=lambda e: e[:2]), "before: must be a list of 3"),
        ("an edge is three texts", at(*child, before=lambda e: {"first": e[0]}), "before: must be a list of 3"),
        ("an edge is a list", at(*child, before="abc"), "before: must be a list of 3"),
        ("an edge has a digest", at(*child, after=lambda e: [e[0], e[1], "xyz"]), "64 hexadecimal digits"),
        ("an edge has a digest in lower case", at(*child, after=lambda e: [e[0], e[1], e[2].upper()]), "64 hexadecimal digits"),
        ("an edge has a digest of 64 digits", at(*child, after=lambda e: [e[0], e[1], e[2] + "00"]), "64 hexadecimal digits"),
        ("an edge has a digest of digits", at(*child, after=lambda e: [e[0], e[1], " " + e[2][1:]]), "64 hexadecimal digits"),
("the size is the graph's: one less", {"evidence.0.size": len(FAMILY) - 1}, "too (few|many)|not those of the root|not to the certificate's|left out"),
        ("the size is the graph's: none", {"evidence.0.size": 0}, "another statement|left out"),
        ("the size is the graph's: huge", {"evidence.0.size": 10**14}, "too (few|many)|not those|not to the certificate's"),
        ("the size is a number", {"evidence.0.size": "85"}, "a whole number"),
        ("no field beside", at(*child, note="complete"), "the field 'note' is not known"),
        ("a range has a place", {"evidence.0.out.ranges.0.at": DROP}, "'at' is missing"),
        ("a range is given once", lambda c: c["evidence"][0]["out"]["ranges"].append(
            copy.deepcopy(_ranged(c, *child))), "given twice"),
        ("an empty range is proved", lambda c: c["evidence"][0]["out"]["ranges"].append(
            {**_ranged(c, *child), "node": "f:dora", "statements": []}), "belongs into it, or elsewhere"),
        ("what is there is not absent", lambda c: _ranged(c, *child).update(statements=[]), "another statement|too (few|many)|not those"),
        ("a range that holds another", lambda c: c["evidence"][0]["out"]["ranges"].append(
            {**_ranged(c, *child), "relation": None}), "belongs into it, or elsewhere"),
    ]:  # fmt: skip
        t.false(rule, change, says, 2)
    t.false("the size is the graph's: one more", {"evidence.0.size": len(FAMILY) + 1}, "the evidence leads to the root")


def _trees(t: Theme) -> None:
    """Hashes and roots."""

    def hashes(change: Any, side: str = "out") -> Any:
        return lambda certificate: _hashes(certificate["evidence"][0][side], change)

    def swapped(certificate: Any) -> None:
        part = certificate["evidence"][0]
        part["out"], part["in"] = part["in"], part["out"]

    _children(t, "trees")
    for rule, change, says in [
        ("every hash is there", hashes(lambda parts: parts[:-1]), "too few hashes"),
        ("every hash is used", hashes(lambda parts: [*parts, parts[0]]), "too many hashes"),
        ("hashes in order", hashes(lambda parts: parts[::-1]), "not those of the root"),
        ("hashes as they are", hashes(lambda parts: [b"\0" * 32, *parts[1:]]), "not those of the root"),
        ("hashes of the other order too", hashes(lambda parts: [b"\0" * 32, *parts[1:]], "in"), "not those of the root"),
        ("hashes are whole", {"evidence.0.out.hashes": "AAAA"}, "whole hashes"),
        ("hashes are base64", {"evidence.0.out.hashes": "not base64!"}, "in base64"),
        ("hashes are base64 and no more", lambda c: c["evidence"][0]["out"].update(
            hashes=c["evidence"][0]["out"]["hashes"][:8] + "\n" + c["evidence"][0]["out"]["hashes"][8:]), "in base64"),
        ("hashes are a text", {"evidence.0.out.hashes": []}, "a text"),
        ("a tree has its root", {"evidence.0.out.root": "0" * 64}, "not those of the root"),
        ("a root is 64 digits", {"evidence.0.in.root": "0" * 63}, "64 hexadecimal digits"),
        ("a root is lower case", {"evidence.0.in.root": "A" * 64}, "64 hexadecimal digits"),
        ("a root is of digits", {"evidence.0.in.root": "X" * 64}, "64 hexadecimal digits"),
        ("out is not in", swapped, "belongs into|not those|elsewhere|not of its key"),
        ("both orders are there", {"evidence.0.in": DROP}, "'in' is missing"),
        ("nothing is told beside", {"evidence.0.ranges": []}, "the field 'ranges' is not known"),
        ("evidence for each graph", lambda c: c["evidence"].append(c["evidence"][0]), "of 2 graphs"),
        ("evidence is a list", lambda c: c.update(evidence=c["evidence"][0]), "a list of"),
    ]:  # fmt: skip
        t.false(rule, change, says, 2)
    to = "the evidence leads to the root"
    t.false("O1: the root of the graph: another's", {"graphs.0.root": graph_root(GRAPHS["archive"])}, to)
    t.false("the root of the graph: none's", {"graphs.0.root": "0" * 64}, to)
    t.false("the root of the graph: no hexadecimal digits", {"graphs.0.root": "the root"}, to)
    t.false("the root of the graph: upper case", {"graphs.0.root": ROOT.upper()}, to)
    forged = [one if one[2] != "f:emil" or one[1] != "f:child" else [*one[:2], "f:hugo", *one[3:]] for one in FAMILY]
    t.false("evidence of another tree", _forged(forged), to)
    t.false("O4: evidence of a tree without a statement", _forged([one for one in FAMILY if one[2] != "f:finn"]), to)
    t.false("evidence of a tree with one more", _forged([*FAMILY, ["f:carl", "f:child", "f:zoe", [], "normal"]]), to)
    t.false("evidence of an empty tree", _forged([]), to)
    t.false("I10: the label is the graph's", _forged([*(one for one in FAMILY if one[:2] != ["f:emil", LABEL]),
            ["f:emil", LABEL, text("Ada"), [], "normal"]]), to)  # fmt: skip
    t.false("the answer is what follows", {"answer.values": ["f:emil"]}, "not what follows from the program")
    t.false("the answer is what follows", {"answer.values": ["f:emil", "f:finn", "f:hugo"]}, "not what follows")
    t.false("the answer is in canonical order", {"answer.values": ["f:finn", "f:emil"]}, "not what follows")
    t.false("the answer holds each once", {"answer.values": ["f:emil", "f:emil", "f:finn"]}, "not what follows")
    t.false("the answer is of entities", {"answer.values": [text("f:emil"), "f:finn"]}, "not what follows")
    t.false(
        "the answer is no number", {"answer.values": ["f:emil", "f:finn"], "answer.at_least": True}, "not what follows"
    )
    t.false("the root that is given", {}, "graphs of another root than the one given", root="0" * 64)
    t.false("the root that is given, whole", {}, "graphs of another root than the one given", root=ROOT[:32])
    t.false("no evidence is no proof", {"evidence": DROP}, "does not hold these statements", strict=True)
    t.false("a range that is missing is no proof", lambda c: c.update(evidence=[prove(FAMILY, [
        ("out", "f:carl", LABEL), ("out", "f:carl", ALIAS), ("in", text("Carl Berg"), LABEL),
        ("in", text("Carl Berg"), ALIAS)])]), "does not hold these statements", strict=True)  # fmt: skip
    t.true("the root that is given", "family", t.lines[0]["certificate"]["program"], nodes(1, "f:emil", "f:finn"),
           "held against the root given", question="Who are the Carl Berg children?", evidence=True, root=ROOT)  # fmt: skip


def _wide(t: Theme) -> None:
    """A range of all relations serves for each."""
    p = Program()
    carl = p.entity("f:carl")
    p.add("union", of=[p.follow(carl, "f:child"), p.follow(carl, "f:spouse"), p.back(carl, "f:father")])
    asked: list[Any] = [("out", "f:carl", None), ("in", "f:carl", None), ("in", "f:carl", "f:father")]
    proof = [prove(FAMILY, asked)]
    answer = nodes(4, "f:dora", "f:emil", "f:finn")
    t.true("all relations in one range", "family", p, answer, "held against the root", evidence=proof)
    for rule, change, says, exit_ in [
        ("of this relation only", {"answer.values": ["f:anna", "f:ben", "f:dora", "f:emil", "f:finn"]}, "not what follows", 1),
        ("of this side only", {"program.3.direction": "forward"}, "not what follows", 1),
        ("nothing is left out of it", lambda c: _ranged(c, "out", "f:carl", None)["statements"].pop(3), "another statement|too (few|many)|not those", 2),
        ("a narrow range is proved, too", lambda c: _ranged(c, "in", "f:carl", "f:father")["statements"].pop(), "another statement|left out", 2),
        ("a range of another node", lambda c: _ranged(c, "out", "f:carl", None).update(node="f:dora"), "not of its key", 2),
        ("it ends where it ends", lambda c: _ranged(c, "out", "f:carl", None)["statements"].extend(
            _ranged(c, "out", "f:carl", None)["statements"][:0] or [["f:carl", "z:z", "f:zoe", [], "normal"]]), "another statement|not those|left out|too", 2),
        ("what stands before is of another node", lambda c: _ranged(c, "out", "f:carl", None).update(before=["f:carl", "a", "0" * 64]),
         "belongs into it", 2),
        ("what stands after is of another node", lambda c: _ranged(c, "out", "f:carl", None).update(after=["f:carl", "z", "0" * 64]),
         "belongs into it", 2),
    ]:  # fmt: skip
        t.false(rule, change, says, exit_)
    single = [["f:carl", "f:child", "f:emil", [], "normal"]]
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    for name, statements in [("one", single), ("two", [*single, FAMILY[0]]), ("three", [*single, *FAMILY[:2]]), ("five", [*single, *FAMILY[:4]]),
                             ("eight", [*single, *FAMILY[:7]]), ("nine", [*single, *FAMILY[-8:]])]:  # fmt: skip
        graphs = [{"name": name, "root": graph_root(statements)}]
        t.true(f"a graph of {name}", "nothing", p, nodes(1, "f:emil"), "held against the root", graphs=graphs,
               evidence=[prove(statements, [("out", "f:carl", "f:child"), ("in", "f:oslo", None)])])  # fmt: skip
        for rule, size in ("more", len(statements) + 1), ("less", len(statements) - 1):
            alike = (len(statements), size) in ((5, 6), (8, 7), (9, 10))  # the known leaves stand in trees of one form
            t.false(
                f"a graph of one {rule}",
                {"evidence.0.size": size},
                "too (few|many)|not those|left out|leads to|another",
                2 - alike,
            )
        t.false(
            "another statement",
            lambda c: c["evidence"][0]["out"]["ranges"][0]["statements"][0].__setitem__(2, "f:finn"),
            "not those of the root",
            2,
        )


def _absence(t: Theme) -> None:
    """That there is nothing is proved, too."""
    p = Program()
    p.follow(p.entity("f:finn"), "f:award")
    lacks = {"code": "lacks", "entity": "f:finn", "relation": "f:award", "direction": "forward"}
    t.true("no award, proved", "family", p, none({"code": "nothing", "of": 1}, lacks, tried=[1]),
           "nothing is listed for: the award received of Finn Berg", evidence=True)  # fmt: skip

    def moved(node: str, relation: str) -> Any:
        def change(certificate: Any) -> None:
            for one in certificate["program"], certificate["answer"]["reasons"]:
                one[0 if one is certificate["program"] else 1]["id" if "op" in one[0] else "entity"] = node

        return change

    t.false("absence is proved of this node", moved("f:dora", "f:award"), "does not hold these statements", strict=True)
    t.false("absence is proved of this relation", {"program.1.relations": ["f:child"]},
            "does not hold these statements", strict=True)  # fmt: skip
    t.false("absence is no presence", {"answer": nodes(1, "f:medal")}, "not what follows")
    t.false("no statement is put into an empty range", lambda c: _ranged(c, "out", "f:finn", "f:award").update(
        statements=[["f:finn", "f:award", "f:medal", [], "normal"]]), "another statement|too (few|many)|not those|left out", 2)  # fmt: skip
    p = Program()
    p.follow(p.entity("f:zz"), "f:award")
    t.true(
        "what stands behind all",
        "family",
        p,
        none({"code": "nothing", "of": 1}, tried=[1]),
        "nothing is listed",
        evidence=True,
    )
    t.false("the end of the tree is the end", lambda c: _ranged(c, "out", "f:zz", "f:award").update(at=84, before=None),
            "left out", 2)  # fmt: skip
    t.false("the end of the tree is not before it", lambda c: _ranged(c, "out", "f:zz", "f:award").update(at=80),
            "too few hashes|another statement", 2)  # fmt: skip
    p = Program()
    p.follow(p.entity("f:anna"), "f:child")
    t.true(
        "of an empty graph",
        "nothing",
        p,
        none({"code": "nothing", "of": 1}, tried=[1]),
        "nothing is listed",
        evidence=True,
    )
    t.false("an empty graph has the hash of nothing", {"evidence.0.out.root": "0" * 64}, "not those of the root", 2)
    t.false("an empty graph has no hashes", lambda c: _hashes(c["evidence"][0]["out"], lambda _: [b"\0" * 32]),
            "too many hashes", 2)  # fmt: skip
    t.false("an empty graph is not another", {"graphs.0.root": ROOT}, "the evidence leads to the root")


def _names(t: Theme) -> None:
    """I9, D4: names are statements, too."""
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:oslo", words=[3, 7], name="Oslo"), "f:country"))
    t.true("a name, proved", "family", p, truth(2), "its name", question="Is Oslo in a country?", evidence=True)
    for rule, change, says in [
        ("I9: a name that is none of its own", {"program.0.name": "Bergen"}, "does not hold these statements"),
        ("I8: a homoglyph is another name", {"program.0.name": "Osl\u043e"}, "does not hold these statements"),
        ("D4: a zero-width space is another name", {"program.0.name": "Os\u200blo"}, "does not hold these statements"),
        ("a name in another case is another", {"program.0.name": "oslo"}, "does not hold these statements"),
    ]:
        t.false(rule, change, says, strict=True)
    p = Program()
    p.follow(p.entity("f:emil"), "f:died")
    t.true(
        "no value is not unknown",
        "family",
        p,
        none({"code": "nothing", "of": 1}, tried=[1]),
        "nothing is listed",
        evidence=True,
    )
    t.false("no value is not unknown", lambda c: _ranged(c, "out", "f:emil", "f:died")["statements"][0].__setitem__(2, UNKNOWN),
            "not those of the root", 2)  # fmt: skip
    t.false("no value without a kind of its own", lambda c: _ranged(c, "out", "f:emil", "f:died")["statements"][0]
            .__setitem__(2, {**NONE, "value": "1990"}), "not those of the root", 2)  # fmt: skip
    p = Program()
    p.follow(p.entity("f:finn"), "f:height")
    t.true(
        "a number with bounds, proved",
        "family",
        p,
        nodes(1, number("5.9", "foot", "5.8..6.0")),
        "5.9 foot",
        evidence=True,
    )
    stated: Any = lambda c: _ranged(c, "out", "f:finn", "f:height")["statements"][0][2]  # noqa: E731
    for rule, altered in [
        ("bounds are what is stated", lambda c: stated(c).pop("precision")),
        ("a unit is what is stated", lambda c: stated(c).update(unit="metre")),
        ("a unit has one name", lambda c: stated(c).update(unit="feet")),
        ("a number is written as it is stated", lambda c: stated(c).update(value="5.90")),
    ]:
        t.false(rule, altered, "not those of the root", 2)
    t.false("an absent field is absent", lambda c: stated(c).update(lang=""), "without empty fields", 2)


def theme() -> Theme:
    """The file."""
    t = Theme()
    _statements(t)
    _edges(t)
    _trees(t)
    _wide(t)
    _absence(t)
    _names(t)
    return t
