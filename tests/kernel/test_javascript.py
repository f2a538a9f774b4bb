"""The kernel in JavaScript agrees with the one in Python, refuses what is false, and nothing makes it throw."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from javascript import KERNEL, Recorded, called, checked
from trees import evidence

from toulmin.kernel import check

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
START, END = "http://www.wikidata.org/entity/P580", "http://www.wikidata.org/entity/P582"


def literal(value: str, kind: str = "string", **others: str) -> dict[str, str]:
    return {"value": value, "kind": kind, **others}


STATEMENTS: list[Any] = [
    ["alice", LABEL, literal("Alice Anders"), [], "normal"],
    ["bob", LABEL, literal("Bob"), [], "normal"],
    ["acme", LABEL, literal("Acme"), [], "normal"],
    ["manages", LABEL, literal("manages"), [], "normal"],
    ["alice", "manages", "acme", [[START, literal("1990", "time")], [END, literal("2000", "time")]], "normal"],
    ["bob", "manages", "acme", [[START, literal("2000", "time")]], "preferred"],
    ["alice", "born", literal("1960-03-04", "time"), [], "normal"],
    ["bob", "born", literal("1960", "time"), [], "normal"],
    ["acme", "income", literal("5", "quantity", unit="EUR"), [], "normal"],
    ["acme", "floor", literal("1.5", "quantity", unit="kilometre ** 2"), [], "normal"],
    ["acme", "owner", literal("", "no_value"), [], "normal"],
    ["acme", "seat", literal("", "unknown_value"), [], "normal"],
    ["bob", "spouse", literal("", "no_value"), [[END, literal("1990", "time")]], "normal"],
]
NODES = ("alice", "bob", "acme", "manages", "born")
RANGES = [("out", node, None) for node in NODES] + [("in", "acme", "manages"), ("out", "carol", "manages")]
ROOT, EVIDENCE = evidence(STATEMENTS, RANGES)


def certificate(program: list[Any], answer: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {
        "format": "toulmin-certificate/1", "maker": "a test", "question": "Who manages Acme?",
        "graphs": [{"name": "small", "root": ROOT}], "program": program, "answer": answer,
        "reading": {"by": "a reader", "score": 0.645}, "evidence": [EVIDENCE], **others,
    }  # fmt: skip


def op(name: str, **fields: Any) -> dict[str, Any]:
    return {"op": name, **fields}


def follow(of: int, relation: str, direction: str = "forward", **others: Any) -> dict[str, Any]:
    return op("follow", of=of, relations=[relation], direction=direction, **others)


def nodes(of: int, *values: Any, **others: Any) -> dict[str, Any]:
    return {"kind": "nodes", "of": of, "values": list(values), **others}


ALICE, ACME = op("entity", id="alice"), op("entity", id="acme")
MANAGERS = [ACME, follow(0, "manages", "backward")]
WINDOW = {"from": literal("1995", "time"), "to": literal("1996", "time"), "start": [START], "end": [END], "point": []}
BORN_BEFORE = op("compare", do="<", left=3, right=4)

#: name: (certificate, exit code, status, a part of what is told)
CASES: dict[str, tuple[dict[str, Any], int, str, str]] = {
    "managers": (certificate(MANAGERS, nodes(1, "alice", "bob")), 0, "judged", "Alice Anders, Bob"),
    "another answer": (certificate(MANAGERS, nodes(1, "alice")), 1, "fails", "not what follows"),
    "another order": (certificate(MANAGERS, nodes(1, "bob", "alice")), 1, "fails", "not what follows"),
    "in a window": (
        certificate([ACME, follow(0, "manages", "backward", window=WINDOW)], nodes(1, "alice")),
        0, "judged", "1995 to 1996",
    ),
    "what is named": (certificate([ACME], nodes(0, "acme")), 2, "fails", "what the question names"),
    "named in a union": (
        certificate([*MANAGERS, op("union", of=[0, 1])], nodes(2, "acme", "alice", "bob")), 2, "fails", "names",
    ),
    "and of nothing": (certificate([op("and", of=[])], {"kind": "truth", "of": 0, "value": "yes"}), 2, "fails", "list"),
    "every of nothing that is named": (
        certificate(
            [ALICE, op("difference", of=[0, 0]), op("it", of=1), follow(2, "born"), op("exists", of=3),
             op("every", of=1, it=2, test=4)],
            {"kind": "truth", "of": 5, "value": "yes"},
        ), 1, "fails", "not what follows",
    ),
    "count": (
        certificate([*MANAGERS, op("count", of=1)], nodes(2, literal("2", "quantity"), at_least=True)),
        0, "judged", "at least 2",
    ),
    "count as if all": (
        certificate([*MANAGERS, op("count", of=1)], nodes(2, literal("2", "quantity"))), 1, "fails", "not what follows",
    ),
    "count of all": (
        certificate([*MANAGERS, op("complete", of=1), op("count", of=2)], nodes(3, literal("2", "quantity"))),
        0, "assumed", "that the graph lists all there are",
    ),
    "no value": (
        certificate([ACME, follow(0, "owner"), op("exists", of=1)], {"kind": "truth", "of": 2, "value": "no"}),
        0, "judged", "there is the owner of Acme",
    ),
    "no value once": (
        certificate([op("entity", id="bob"), follow(0, "spouse"), op("exists", of=1)],
                    {"kind": "truth", "of": 2, "value": "no"}), 1, "fails", "not what follows",
    ),
    "unknown value": (
        certificate([ACME, follow(0, "seat")],
                    {"kind": "none", "reasons": [{"code": "nothing", "of": 1}], "tried": [1]}), 0, "judged", "nothing is listed",
    ),
    "a year is no day": (
        certificate([op("entity", id="bob"), follow(0, "born"), op("literal", value=literal("1960-03-04", "time")),
                     op("compare", do="=", left=1, right=2)], {"kind": "truth", "of": 3, "value": "yes"}),
        1, "fails", "not what follows",
    ),
    "area": (
        certificate([ACME, follow(0, "floor"), op("literal", value=literal("1", "quantity", unit="hectare")),
                     op("arithmetic", do="convert", left=1, right=2)],
                    nodes(3, literal("150", "quantity", unit="hectare"))), 0, "judged", "150 hectare",
    ),
    "currencies": (
        certificate([ACME, follow(0, "income"), op("literal", value=literal("4", "quantity", unit="USD")),
                     op("compare", do=">", left=1, right=2)], {"kind": "truth", "of": 3, "value": "yes"}),
        1, "fails", "not what follows",
    ),
    "where": (
        certificate([*MANAGERS, op("it", of=1), follow(2, "born"), op("literal", value=literal("1960-06", "time")),
                     BORN_BEFORE, op("where", of=1, it=2, test=5)], nodes(6, "alice")), 0, "judged", "Alice Anders",
    ),
    "not in the evidence": (
        certificate([op("entity", id="carol"), follow(0, "born")], nodes(1, "x")), 0, "unverifiable", "does not hold",
    ),
    "nothing there": (
        certificate([op("entity", id="carol"), follow(0, "manages")],
                    {"kind": "none", "reasons": [{"code": "nothing", "of": 1}], "tried": [1]}), 0, "judged", "nothing",
    ),
    "lacks, wrongly": (
        certificate([ALICE, follow(0, "born")],
                    {"kind": "none", "reasons": [{"code": "lacks", "entity": "alice", "relation": "born", "direction": "forward"}]}),
        1, "fails", "the reason 'lacks' is not so",
    ),
    "an abstention with an answer at hand": (
        certificate(MANAGERS, {"kind": "none", "reasons": [{"code": "other", "says": "no"}], "tried": [1]}),
        1, "fails", "was tried yields something",
    ),
    "chosen": (
        certificate([*MANAGERS, op("among", of=1, keep=["bob"], by="m", score=0.5)], nodes(2, "bob")),
        0, "judged", "as “m” chose",
    ),
    "from what was chosen": (
        certificate([*MANAGERS, op("among", of=1, keep=["bob"], by="m", score=0.5), follow(2, "born")],
                    nodes(3, literal("1960", "time"))), 2, "fails", "was chosen",
    ),
    "a statement": (
        certificate([op("statement", graph=0, statement=STATEMENTS[6])], {"kind": "truth", "of": 0, "value": "yes"}),
        0, "judged", "1960-03-04",
    ),
    "another statement": (
        certificate([op("statement", graph=0, statement=[*STATEMENTS[6][:4], "preferred"])],
                    {"kind": "truth", "of": 0, "value": "yes"}), 1, "fails", "no such statement",
    ),
    "a text": (
        certificate([ALICE, follow(0, "born"), op("exists", of=1)],
                    {"kind": "text", "sentences": [{"start": 0, "end": 17, "claims": [{"of": 2}]}]}), 0, "judged", "supported",
    ),
    "half a text": (
        certificate([ALICE, follow(0, "born"), op("exists", of=1)],
                    {"kind": "text", "sentences": [{"start": 0, "end": 10, "claims": [{"of": 2}]}]}), 1, "fails", "leave out",
    ),
    "table": (
        certificate([*MANAGERS, op("it", of=1), follow(2, "born"), op("table", of=1, it=2, columns=[3])],
                    {"kind": "rows", "of": 4, "rows": [[["alice"], [literal("1960-03-04", "time")]], [["bob"], [literal("1960", "time")]]]}),
        0, "judged", "Bob | 1960",
    ),
    "another root": (certificate(MANAGERS, nodes(1, "alice", "bob"), graphs=[{"name": "small", "root": "0" * 64}]), 1, "fails", "root"),
    "a link turned around": (certificate([ACME, follow(1, "manages")], nodes(1, "bob")), 2, "fails", "does not stand before"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    return dict(zip(CASES, checked(json.dumps(case[0]) for case in CASES.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_the_report_of_a_small_program(name: str, reports: dict[str, Any]) -> None:
    given, code, status, told = CASES[name]
    report = reports[name]
    assert (report["exit_code"], report["status"]) == (code, status), report["problems"]
    assert told in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize("name", CASES)
def test_both_kernels_write_the_same_report(name: str, reports: dict[str, Any]) -> None:
    assert reports[name] == asdict(check(json.dumps(CASES[name][0])))


def test_the_options_of_a_check() -> None:
    text = json.dumps(CASES["managers"][0])
    for options in ({"strict": True}, {"root": ROOT}, {"root": "1" * 64}, {"shown": 1}):
        assert checked([text], **options) == [asdict(check(text, **options))]  # type: ignore[arg-type]


def test_all_vectors_of_values() -> None:
    vectors = json.loads((Path(__file__).parent / "vectors" / "values.json").read_text(encoding="utf-8"))
    operations = vectors["operations"]
    found = called(
        {"call": "operation", "arguments": [vectors["labels"], name, given]} for name, given, _ in operations
    )
    wrong = [(one, got) for one, got in zip(operations, found, strict=True) if got != one[2]]
    assert wrong == []


class Shelf:
    """A graph at hand: some statements and one document."""

    def roots(self) -> list[str]:
        return [ROOT]

    def range(self, graph: int, side: str, node: object, relation: str | None) -> list[Any]:
        end = 0 if side == "out" else 2
        return [one for one in STATEMENTS if one[end] == node and relation in (None, one[1])]

    def document(self, source: str) -> str | None:
        return "Ünder Acme 😀 stands." if source == "book" else None


def test_a_graph_at_hand_and_its_documents() -> None:
    digest = sha256((Shelf().document("book") or "").encode()).hexdigest()
    told = []
    for source, given, start in (("book", digest, 6), ("book", "0" * 64, 6), ("film", digest, 6), ("book", digest, 0)):
        passage = op("passage", source=source, sha256=given, start=start, end=start + 6, text="Acme 😀")
        shelf, text = Recorded(Shelf()), json.dumps(certificate([passage], {"kind": "truth", "of": 0, "value": "yes"}))
        expected = asdict(check(text, shelf))
        assert called([shelf.case(text)]) == [expected]
        told.append(expected["nodes"][0]["status"])
    assert told == ["holds", "stale", "unverifiable", "fails"]


def tampered(change: Callable[[Any], None]) -> str:
    given = copy.deepcopy(CASES["managers"][0])
    change(given["evidence"][0])
    return json.dumps(given)


def _swap(part: list[Any]) -> None:
    part[0], part[1] = part[1], part[0]


TAMPERED: dict[str, Callable[[Any], None]] = {
    "a statement left out": lambda e: e["in"]["ranges"][0]["statements"].pop(),
    "a statement added": lambda e: e["in"]["ranges"][0]["statements"].append(["carol", "manages", "acme", [], "normal"]),
    "a statement twice": lambda e: e["in"]["ranges"][0]["statements"].append(e["in"]["ranges"][0]["statements"][0]),
    "another order": lambda e: _swap(e["in"]["ranges"][0]["statements"]),
    "another rank": lambda e: e["in"]["ranges"][0]["statements"][0].__setitem__(4, "preferred"),
    "a qualifier left out": lambda e: e["in"]["ranges"][0]["statements"][0][3].clear(),
    "another place": lambda e: e["in"]["ranges"][0].__setitem__("at", e["in"]["ranges"][0]["at"] + 1),
    "no edge": lambda e: e["in"]["ranges"][0].__setitem__("after", None),
    "an edge of the key itself": lambda e: e["in"]["ranges"][0]["after"].__setitem__(slice(2), ["1:e4:acme", "manages"]),
    "another size": lambda e: e.__setitem__("size", e["size"] + 1),
    "no hashes": lambda e: e["in"].__setitem__("hashes", ""),
    "a hash more": lambda e: e["in"].__setitem__("hashes", "A" * 43 + "="),
    "a range twice": lambda e: e["in"]["ranges"].append(e["in"]["ranges"][0]),
    "a range of another key": lambda e: e["in"]["ranges"][0].__setitem__("node", "bob"),
    "sides exchanged": lambda e: e.update({"in": e["out"], "out": e["in"]}),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_evidence_that_was_tampered_with_is_refused(name: str) -> None:
    text = tampered(TAMPERED[name])
    (report,) = checked([text])
    assert report["exit_code"] != 0
    assert report == asdict(check(text))


def test_random_ranges_of_random_graphs_are_verified() -> None:
    rng, texts, broken = random.Random(7), [], []
    for _ in range(60):
        many = [[f"e{rng.randrange(9)}", f"r{rng.randrange(3)}", rng.choice([f"e{rng.randrange(9)}", literal(rng.choice("aé€😀\uffff"))]), [], "normal"]
                for _ in range(rng.randrange(40))]
        distinct = [one for place, one in enumerate(many) if one not in many[:place]]
        asked = {(rng.choice(("out", "in")), f"e{rng.randrange(12)}", rng.choice((None, "r1"))) for _ in range(rng.randrange(6))}
        asked.add(("out", "e1", "r1"))
        root, found = evidence(distinct, sorted(asked, key=str))
        program = [op("entity", id="e1"), follow(0, "r1"), op("exists", of=1)]
        given = certificate(program, {"kind": "truth", "of": 2, "value": "yes"}, graphs=[{"name": "g", "root": root}], evidence=[found])
        texts.append(json.dumps(given))
        ranged = next(one for one in found["out"]["ranges"] if one["node"] == "e1")
        ranged["statements"].append(["e1", "r1", "e99", [], "normal"])
        broken.append(json.dumps(given))
    assert checked(texts) == [asdict(check(text)) for text in texts]
    assert {report["exit_code"] for report in checked(texts)} == {0, 1}
    assert {report["exit_code"] for report in checked(broken)} == {2}


GOOD = json.dumps(CASES["managers"][0])
HOSTILE = {
    "nothing": "", "no JSON": "{", "a list": "[]", "a number": "5", "nesting": "[" * 100_000, "closed nesting": "[" * 500 + "]" * 500,
    "prototype": '{"__proto__": {"format": "toulmin-certificate/1"}}', "constructor": '{"constructor": 1}',
    "prototype beside": GOOD[:-1] + ', "__proto__": {}}', "twice": GOOD[:-1] + ', "maker": "x"}', "unknown field": GOOD[:-1] + ', "x": 1}',
    "NaN": GOOD.replace("0.645", "NaN"), "infinite": GOOD.replace("0.645", "1e999"), "huge": GOOD.replace("0.645", "9" * 100_000),
    "long fraction": GOOD.replace("0.645", "0." + "1" * 100_000), "half a pair": GOOD.replace("a test", "\\ud800"),
    "a leading zero": GOOD.replace("0.645", "00.645"), "a control character": GOOD.replace("a test", "a\ntest"),
    "a wrong escape": GOOD.replace("a test", "\\x41"), "no end": GOOD[:-1], "too much": GOOD + "{}", "an op of all objects": GOOD.replace('"follow"', '"toString"'),
    "kind of all objects": GOOD.replace('"kind": "nodes"', '"kind": "constructor"'), "a place before": GOOD.replace('"of": 0', '"of": -1'),
    "half a place": GOOD.replace('"of": 0', '"of": 0.5'), "a place as a text": GOOD.replace('"of": 0', '"of": "0"'), "true as a place": GOOD.replace('"of": 0', '"of": true'),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_ends_in_one_line(name: str) -> None:
    (report,) = checked([HOSTILE[name]])
    assert report["exit_code"] == 2
    assert len(report["problems"]) == 1
    assert "\n" not in report["problems"][0]
    assert check(HOSTILE[name]).exit_code == 2


def test_very_long_texts_end_in_one_line() -> None:
    for piece, times in (('"', 1), ("x", 100_000_001), ('["\\"', 20_000_000), ("[", 90_000_000), ("9", 90_000_000)):
        (report,) = called([{"call": "long", "arguments": [piece, times]}])
        assert (report["exit_code"], len(report["problems"])) == (2, 1)


def test_a_program_that_takes_too_long_is_refused() -> None:
    program = [ACME, follow(0, "manages", "backward"), op("it", of=1), op("exists", of=2)]
    program[3] = follow(2, "manages")
    program += [op("exists", of=3), op("every", of=1, it=2, test=4)]
    (report,) = checked([json.dumps(certificate(program, {"kind": "truth", "of": 5, "value": "yes"}))], seconds=-1)
    assert report["exit_code"] == 2
    assert "too long" in report["problems"][0]


def test_what_follows_without_a_statement() -> None:
    text = json.dumps(CASES["managers"][0])
    (report,) = checked([text])
    bob = next(line for line in report["nodes"][1]["statements"] if line.startswith("Bob"))[-13:-1]
    found, none, other = called(
        {"call": "withoutStatement", "arguments": [text, ids, {}]} for ids in ([bob], [], ["0" * 12])
    )
    assert found == {"answer": ["Alice Anders"], "same": False, "yields": ["1 node: Acme", "1 node: Alice Anders"]}
    assert none == other == {"answer": ["Alice Anders, Bob"], "same": True, "yields": ["1 node: Acme", "2 nodes: Alice Anders, Bob"]}


def test_the_outline_for_a_page() -> None:
    (found,) = called([{"call": "outline", "arguments": [json.dumps(CASES["where"][0]), {}]}])
    assert [one["short"] for one in found] == [
        "Acme", "everything whose manages is [0]", "it", "the born of it", "1960-06", "[3] < [4]", "[1], only it for which [5]",
    ]  # fmt: skip
    assert [one["yields"] for one in found] == [
        "1 node: Acme", "2 nodes: Alice Anders, Bob", "", "", "1 node: 1960-06", "", "1 node: Alice Anders",
    ]  # fmt: skip


def test_the_kernel_is_small_and_needs_nothing() -> None:
    source = KERNEL.read_text(encoding="utf-8")
    assert sum(1 for line in source.splitlines() if line.strip()) <= 1500
    assert source.count("require(") == 1  # the table of the format, which a page holds as a constant
    assert not any(word in source for word in ("fetch(", "XMLHttpRequest", "import ", "eval(", "Function(", "document.", "crypto"))
