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
from added_periods import RULES, added_periods
from javascript import KERNEL, Recorded, called, checked
from make_values import evaluate
from small_certificates import CASES, ROOT, STATEMENTS, certificate, follow, literal, op
from trees import evidence

from toulmin.kernel import check
from toulmin.kernel.format import FORMAT


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    return dict(zip(CASES, checked(json.dumps(case[0]) for case in CASES.values()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_the_report_of_a_small_program(name: str, reports: dict[str, Any]) -> None:
    _, code, status, told = CASES[name]
    report = reports[name]
    assert (report["exit_code"], report["status"]) == (code, status), report["problems"]
    assert told in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize("name", CASES)
def test_both_kernels_write_the_same_report(name: str, reports: dict[str, Any]) -> None:
    assert reports[name] == asdict(check(json.dumps(CASES[name][0])))


def test_the_options_of_a_check() -> None:
    text = json.dumps(CASES["managers"][0])
    other = "1" * 64
    roots: list[dict[str, Any]] = [{"root": one} for one in (ROOT, other, [ROOT, ROOT], [ROOT, other], [])]
    every: list[dict[str, Any]] = [{"strict": True}, {"shown": 1}, *roots]
    for options in every:
        assert checked([text], **options) == [asdict(check(text, **options))]


def test_all_vectors_of_values() -> None:
    vectors = json.loads((Path(__file__).parent / "vectors" / "values.json").read_text(encoding="utf-8"))
    operations = vectors["operations"]
    found = called(
        {"call": "operation", "arguments": [vectors["labels"], name, given]} for name, given, _ in operations
    )
    wrong = [(one, got) for one, got in zip(operations, found, strict=True) if got != one[2]]
    assert wrong == []


def test_comparisons_of_periods_that_are_added_to_the_format() -> None:
    vectors = json.loads((Path(__file__).parent / "vectors" / "values.json").read_text(encoding="utf-8"))
    sides = [given for name, given, _ in vectors["operations"] if name in FORMAT["periods"]][:100]
    with added_periods():
        cases = [(name, given) for name in RULES for given in sides]
        expected = [evaluate(name, given) for name, given in cases]
        found = called({"call": "operation", "arguments": [vectors["labels"], *case]} for case in cases)
    assert [case for case, one, other in zip(cases, expected, found, strict=True) if one != other] == []
    assert {*expected} == {True, False, None}


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
    "a statement added": lambda e: e["in"]["ranges"][0]["statements"].append(
        ["carol", "manages", "acme", [], "normal"]
    ),
    "a statement twice": lambda e: e["in"]["ranges"][0]["statements"].append(e["in"]["ranges"][0]["statements"][0]),
    "another order": lambda e: _swap(e["in"]["ranges"][0]["statements"]),
    "another rank": lambda e: e["in"]["ranges"][0]["statements"][0].__setitem__(4, "preferred"),
    "a qualifier left out": lambda e: e["in"]["ranges"][0]["statements"][0][3].clear(),
    "another place": lambda e: e["in"]["ranges"][0].__setitem__("at", e["in"]["ranges"][0]["at"] + 1),
    "no edge": lambda e: e["in"]["ranges"][0].__setitem__("after", None),
    "an edge of the key itself": lambda e: e["in"]["ranges"][0]["after"].__setitem__(
        slice(2), ["1:e4:acme", "manages"]
    ),
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


def _random_statement(rng: random.Random) -> list[Any]:
    end = rng.choice([f"e{rng.randrange(9)}", literal(rng.choice("aé€😀\uffff"))])
    return [f"e{rng.randrange(9)}", f"r{rng.randrange(3)}", end, [], "normal"]


def test_random_ranges_of_random_graphs_are_verified() -> None:
    rng, texts, broken = random.Random(7), [], []
    for _ in range(60):
        many = [_random_statement(rng) for _ in range(rng.randrange(40))]
        distinct = [one for place, one in enumerate(many) if one not in many[:place]]
        asked = {
            (rng.choice(("out", "in")), f"e{rng.randrange(12)}", rng.choice((None, "r1")))
            for _ in range(rng.randrange(6))
        }
        asked.add(("out", "e1", "r1"))
        root, found = evidence(distinct, sorted(asked, key=str))
        program = [op("entity", id="e1"), follow(0, "r1"), op("exists", of=1)]
        given = certificate(
            program, {"kind": "truth", "of": 2, "value": "yes"}, graphs=[{"name": "g", "root": root}], evidence=[found]
        )
        texts.append(json.dumps(given))
        ranged = next(one for one in found["out"]["ranges"] if one["node"] == "e1")
        ranged["statements"].append(["e1", "r1", "e99", [], "normal"])
        broken.append(json.dumps(given))
    assert checked(texts) == [asdict(check(text)) for text in texts]
    assert {report["exit_code"] for report in checked(texts)} == {0, 1}
    assert {report["exit_code"] for report in checked(broken)} == {2}


def test_what_follows_without_a_statement() -> None:
    text = json.dumps(CASES["managers"][0])
    (report,) = checked([text])
    bob = next(line for line in report["nodes"][1]["statements"] if line.startswith("Bob"))[-13:-1]
    found, none, other = called(
        {"call": "withoutStatement", "arguments": [text, ids, {}]} for ids in ([bob], [], ["0" * 12])
    )
    assert found == {"answer": ["Alice Anders"], "same": False, "yields": ["1 node: Acme", "1 node: Alice Anders"]}
    whole = {"answer": ["Alice Anders, Bob"], "same": True, "yields": ["1 node: Acme", "2 nodes: Alice Anders, Bob"]}
    assert none == other == whole


def test_the_outline_for_a_page() -> None:
    (found,) = called([{"call": "outline", "arguments": [json.dumps(CASES["where"][0]), {}]}])
    assert [one["short"] for one in found] == [
        "Acme",
        "everything whose manages is [0]",
        "it",
        "the ⟨born⟩ of it",
        "1960-06",
        "[3] < [4]",
        "([1], only it for which [5])",
    ]
    assert [one["yields"] for one in found] == [
        "1 node: Acme",
        "2 nodes: Alice Anders, Bob",
        "",
        "",
        "1 node: 1960-06",
        "",
        "1 node: Alice Anders",
    ]


def test_the_kernel_is_small_and_needs_nothing() -> None:
    source = KERNEL.read_text(encoding="utf-8")
    others = ("fetch(", "XMLHttpRequest", "import ", "eval(", "Function(", "document.", "crypto")
    assert sum(1 for line in source.splitlines() if line.strip()) <= 1500
    assert source.count("require(") == 1  # the table of the format, which a page holds as a constant
    assert not any(word in source for word in others)
