"""What is done is counted, and ends in one line where it is too much; limits are made small here."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from false.graphs import FAMILY, GRAPHS, POINT, START, time
from false.writing import Program, nodes
from javascript import Recorded, called
from naive_merkle import graph_root
from small_graphs import SmallGraphs

import toulmin.kernel.evaluate
import toulmin.kernel.format
from toulmin.kernel import KernelError, Report, check
from toulmin.kernel.format import FORMAT, one_line, read, shaped

STEPS = 60


def certificate(program: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "toulmin-certificate/1", "maker": "a test", "question": "How much?", "program": program,
        "graphs": [{"name": "family", "root": graph_root(FAMILY)}], "answer": nodes(1, "f:emil", "f:finn"), **more,
    }  # fmt: skip


def program(*more: dict[str, Any]) -> list[Any]:
    made = Program()
    made.follow(made.entity("f:carl"), "f:child")
    return [*made, *more]


def checked(given: dict[str, Any], **options: Any) -> Report:
    return check(given, SmallGraphs([FAMILY]), **options)


def told(given: dict[str, Any], **options: Any) -> str:
    return " ".join(checked(given, **options).problems)


FOLLOWED = {"op": "follow", "of": 0, "relations": ["f:child"] * 25, "direction": "forward"}
PARENTS = {"op": "follow", "of": 1, "relations": ["f:mother", "f:father", "f:born"], "direction": "forward"}
CHAIN: list[Any] = [{"op": "and", "of": [3 if place == 5 else place - 1]} for place in range(5, 45)]
AWARDS: list[Any] = [
    {"op": "entity", "id": "f:anna"},
    {"op": "follow", "of": 0, "relations": ["f:award"], "direction": "forward",
     "qualified": [{"relations": [POINT], "is": time("1903")}] * 30},
]  # fmt: skip
DATES: list[Any] = [{"op": "literal", "value": time(str(year))} for year in range(1900, 1908)]
BIG: dict[str, list[Any]] = {
    "qualifiers": AWARDS,
    "names": program({"op": "among", "of": 1, "keep": ["f:emil"] * 60, "by": "me", "score": 1}),
    "comparisons of dates": program(
        {"op": "follow", "of": 1, "relations": ["f:born"], "direction": "forward"},
        *DATES,
        {"op": "union", "of": list(range(3, 11))},
        *[{"op": "compare", "do": "<", "left": 2, "right": 11}] * 3,
    ),
    "nodes": program(*[{"op": "exists", "of": 1}] * 70),
    "parts of a union": program({"op": "union", "of": [1] * 40}),
    "relations": [{"op": "entity", "id": "f:carl"}, FOLLOWED],
    "columns": program({"op": "it", "of": 1}, {"op": "table", "of": 1, "it": 2, "columns": [2] * 40}),
    "comparisons": program(PARENTS, *[{"op": "compare", "do": "=", "left": 2, "right": 2}] * 5),
    "binders": program(
        {"op": "it", "of": 1},
        {"op": "exists", "of": 2},
        {"op": "it", "of": 1},
        *CHAIN,
        {"op": "some", "of": 1, "it": 2, "test": 44},
    ),
}


@pytest.mark.parametrize("what", BIG)
def test_steps_are_counted(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    given = certificate(BIG[what])
    assert "too many steps" not in told(given)
    monkeypatch.setattr(toulmin.kernel.evaluate, "_MOST_STEPS", STEPS)
    assert "too many steps" not in told(certificate(program()))
    assert "too many steps" in told(given)


#: Each node evaluated, range and statement read, pair compared, cell and label made is a step.
COUNTED = {
    "qualifiers": 103, "names": 76, "comparisons of dates": 93, "nodes": 85, "parts of a union": 96, "relations": 111,
    "columns": 98, "comparisons": 292, "binders": 100,
}  # fmt: skip


@pytest.mark.parametrize("what", BIG)
def test_so_many_steps_and_no_more(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    given = certificate(BIG[what])
    monkeypatch.setattr(toulmin.kernel.evaluate, "_MOST_STEPS", COUNTED[what])
    assert "too many steps" not in told(given)
    monkeypatch.setattr(toulmin.kernel.evaluate, "_MOST_STEPS", COUNTED[what] - 1)
    assert "too many steps" in told(given)


def test_steps_of_a_report_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = {"op": "judged", "says": "so", "by": "me", "score": 1, "decision": "yes"}
    born = {"op": "statement", "graph": 0, "statement": ["f:carl", "f:birthplace", "f:oslo", [], "normal"]}
    for seen, many in ((60, [1]), (1, [1] * 30)):
        given = [*program(born)[::2], judged | {"seen": [0] * seen + [1]}]
        claims = [{"of": 2}]
        sentences = [
            {"start": 0, "end": 9 if place == len(many) else 0, "claims": claims} for place in range(1, len(many) + 1)
        ]
        text = certificate(given, answer={"kind": "text", "sentences": sentences})
        monkeypatch.setattr(toulmin.kernel.evaluate, "_MOST_STEPS", 10 * STEPS)
        assert "too many steps" not in told(text)
        monkeypatch.setattr(toulmin.kernel.evaluate, "_MOST_STEPS", STEPS)
        assert "too many steps" in told(text)


@pytest.mark.parametrize(("field", "most"), [("program", 2), ("graphs", 1)])
def test_as_much_as_a_limit_and_no_more(monkeypatch: pytest.MonkeyPatch, field: str, most: int) -> None:
    shape = FORMAT["certificate"][field]
    monkeypatch.setitem(FORMAT["certificate"], field, [*shape[:2], most])
    assert checked(certificate(program())).exit_code == 0
    monkeypatch.setitem(FORMAT["certificate"], field, [*shape[:2], most - 1])
    assert f"certificate {field}: must be a list of {shape[1]} or more, at most {most - 1}" in told(
        certificate(program())
    )


def test_a_report_as_json() -> None:
    report = checked(certificate(program()))
    assert json.loads(report.to_json()) == asdict(report)
    assert report.to_json().startswith('{\n "read_as": "the child of Carl Berg"')
    assert "“family”" in report.to_json()


def test_time_is_limited() -> None:
    assert "too much time" in told(certificate(program()), seconds=-1.0)
    assert checked(certificate(program()), seconds=10.0).exit_code == 0


def test_so_much_is_shown_and_what_is_left_out_is_told() -> None:
    whole = str(checked(certificate(program()), shown=2))
    part = str(checked(certificate(program()), shown=1))
    assert "Answer: Emil Berg, Finn Berg\n" in whole
    assert "more" not in whole
    assert "Answer: Emil Berg … and 1 more\n" in part
    assert part.count("— child →") == 1
    assert "                  … and 1 more\n" in part


def test_as_many_statements_as_are_shown_leave_nothing_out() -> None:
    assert len(checked(certificate(program()), shown=2).nodes[1]["statements"]) == 2


def test_what_cannot_be_read_is_read_as_nothing() -> None:
    assert str(check("{", None)).startswith("Problem: not JSON in UTF-8")


def test_an_endpoint_at_hand_lacks_no_proof() -> None:
    endpoint = {"name": "family", "endpoint": "https://family.example/sparql", "asked": "today"}
    expected = "0, which the certificate calls “family”: as https://family.example/sparql said (today)"
    assert checked(certificate(program(), graphs=[endpoint])).graphs == [expected]


def test_each_node_shows_the_statements_that_it_used() -> None:
    asked: list[Any] = [{"op": "qualifier", "of": 1, "relations": [relation]} for relation in (START, POINT)]
    is_a = {"op": "is_a", "left": 0, "right": 4, "relations": ["f:birthplace"], "sub": ["f:country"]}
    below = {"op": "instances", "of": 4, "relations": ["f:birthplace"], "sub": ["f:country"]}
    said = AWARDS[1] | {"qualified": None}
    given = [AWARDS[0], said, *asked, {"op": "entity", "id": "f:norway", "name": "Norway"}, is_a, below]
    report = checked(certificate(given, answer=nodes(1, "f:medal", "f:prize")))
    shown = [[line.rpartition(" [")[0] for line in node["statements"]] for node in report.nodes]
    dated = [
        "Anna Berg — award received → City Prize (point in time: 1911-12-10)",
        "Anna Berg — award received → Medal of Merit (point in time: 1903)",
    ]
    assert [shown[0], *map(sorted, shown[1:4]), shown[4]] == [[], dated, [], dated, ["Norway — label → “Norway”"]]
    assert shown[5] == ["Anna Berg — place of birth → Oslo", "Oslo — country → Norway"]
    places = {"Anna": "Oslo", "Ben": "Bergen", "Carl": "Oslo", "Emil": "Bergen"}
    lives = [f"{who} Berg — place of birth → {where}" for who, where in places.items()]
    assert sorted(shown[6]) == sorted([*lives, "Bergen — country → Norway", "Oslo — country → Norway"])


def test_a_graph_that_was_changed_makes_stale_what_fails() -> None:
    graph = SmallGraphs([GRAPHS["archive"]])
    report = check(certificate(program()), graph)
    assert (report.exit_code, report.status) == (1, "stale")
    assert "another graph, or changed since" in str(report)
    kept = check(certificate(program()), SmallGraphs([[*FAMILY, ["f:zoe", "f:child", "f:yan", [], "normal"]]]))
    assert (kept.exit_code, kept.status) == (0, "unverifiable")
    gone = {"op": "statement", "graph": 0, "statement": ["f:carl", "f:child", "f:zoe", [], "normal"]}
    assert [node["status"] for node in check(certificate(program(gone)), graph).nodes][2] == "stale"
    assert [node["status"] for node in checked(certificate(program(gone))).nodes][2] == "fails"
    changed = SmallGraphs([[*FAMILY, ["f:zoe", "f:child", "f:yan", [], "normal"]]])
    unneeded = check(certificate(program(gone)), changed)
    assert (unneeded.exit_code, unneeded.status, unneeded.nodes[2]["status"]) == (1, "unverifiable", "stale")


class OneAway(SmallGraphs):
    """Two graphs, of which only the first is at hand."""

    def roots(self) -> list[str | None]:  # type: ignore[override]
        """No root of what is not at hand."""
        return [super().roots()[0], None]

    def range(self, graph: int, side: str, node: Any, relation: str | None) -> list[Any]:
        """Statements of the first alone."""
        assert graph == 0
        return super().range(graph, side, node, relation)


def two_graphs() -> tuple[str, SmallGraphs, Recorded]:
    """A certificate of two graphs with its evidence, both, and the first of them alone."""
    both = SmallGraphs([FAMILY, GRAPHS["archive"]])
    names = [{"name": name, "root": root} for name, root in zip(("family", "archive"), both.roots(), strict=True)]
    given = certificate(program(), graphs=names, answer=nodes(1, "f:emil", "f:finn", "f:ida"))
    assert check(given, both).exit_code == 0
    return json.dumps(given | {"evidence": both.evidence()}), both, Recorded(OneAway(both.graphs))


def test_of_a_graph_that_is_not_at_hand_the_evidence_counts() -> None:
    text, both, one = two_graphs()
    report = check(text, one)
    assert (report.exit_code, report.nodes[1]["status"]) == (0, "recomputed")
    assert "not at hand, so by its evidence: held against the root" in report.graphs[1]
    without = json.dumps(json.loads(text) | {"evidence": None})
    assert "not at hand" in check(without, OneAway(both.graphs)).nodes[1]["reason"]


def test_both_kernels_read_the_evidence_of_what_is_not_at_hand() -> None:
    text, _, one = two_graphs()
    given = json.loads(text)
    texts = [text, *(json.dumps(given | {"evidence": held}) for held in (None, [], given["evidence"][:1], [5, 5]))]
    texts += [json.dumps(given | {"evidence": [5, given["evidence"][1]]}), text.replace("f:ida", "f:emil")]
    expected = [asdict(check(each, one)) for each in texts]
    assert [report["exit_code"] for report in expected] == [0, 1, 1, 2, 2, 0, 2]
    assert called([one.case(each) for each in texts]) == expected


def refusal(given: object, shape: Any) -> str:
    with pytest.raises(KernelError) as error:
        shaped(given, shape, "here")
    return str(error.value)


def test_what_is_as_large_as_it_may_be_is_read_and_what_is_larger_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shaped(1e12, "number", "here") == 1e12
    assert refusal(1e12 + 1, "number") == "here: must be a number"
    assert read("9" * 15) == 10**15 - 1
    assert read("0." + "1" * 998) == pytest.approx(1 / 9)
    for number in ("9" * 16, "0." + "1" * 999):
        with pytest.raises(KernelError, match="a number: must be of at most"):
            read(number)
    monkeypatch.setattr(toulmin.kernel.format, "_LONGEST", 3)
    assert shaped("abc", "text", "here") == "abc"
    assert refusal("abcd", "text") == "here: must be a text of at most 1,000,000 characters, without half surrogates"
    assert shaped([1, 2, 3], ["integer", 0], "here") == (1, 2, 3)
    assert refusal([1, 2, 3, 4], ["integer", 0]) == "here: must be a list of 0 or more, at most 3"
    monkeypatch.setattr(toulmin.kernel.format, "MOST_BYTES", 4)
    assert read('"ab"') == "ab"
    with pytest.raises(KernelError, match="longer than 4 bytes"):
        read('"abc"')


def test_bytes_are_read_as_utf_8() -> None:
    assert read('"é€"'.encode()) == "é€"
    for given in (b'"\xe9"', '"é"'.encode("utf-16")):
        with pytest.raises(KernelError, match="not JSON in UTF-8"):
            read(given)


def test_what_is_of_another_shape_is_refused_in_words() -> None:
    assert refusal([], {"by": "text"}) == "here: must be an object"
    assert refusal("by", {"by": "text"}) == "here: must be an object"
    assert refusal(5, "=yes|no") == "here: must be one of yes|no"
    assert refusal(["yes"], "=yes|no") == "here: must be one of yes|no"
    assert (
        refusal("a\ud800b", "text") == "here: must be a text of at most 1,000,000 characters, without half surrogates"
    )
    assert shaped("é\ud7ff\ue000", "text", "here") == "é\ud7ff\ue000"


def test_one_line_is_cut_where_it_is_longer_and_only_there() -> None:
    assert one_line("a\tb\n\u2028c\u202ed", 7) == "a b cd"
    assert one_line("a\u200cb\u200dc\u200bd", 7) == "a\u200cb\u200dcd"  # joiners are part of how words are written
    assert one_line("abcd", 4) == "abcd"
    assert one_line("abcde", 4) == "abc…"
    assert one_line("a" + " " * 50, 4) == "a…"
