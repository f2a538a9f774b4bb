"""Crafted answers that must not pass, or not as more than they are; and answers that no file may bring about.

The files are read where they are at hand (``../shared/false_proofs``); what they try is tried here without them too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import toulmin
from toulmin.cli.main import app
from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Relation
from toulmin.methods.trace import KIND, answer_of_json
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.chains.completions import parse
from toulmin.proof.checker import check
from toulmin.proof.operators.paths import Hop, PathEnds
from toulmin.proof.operators.sets import Count, Sets
from toulmin.proof.operators.values import Compare

FILES = Path(__file__).parents[3] / "shared" / "false_proofs"

#: What became of each file: "unread" (no stored answer: one line, exit code 2), else the status that the check gives.
#: Those that are judged, assumed or unverifiable pass as such, and not with --strict.
FOUND = {
    "A1_abstain": "unverifiable",
    "A2_ask": "fails",
    "A2_ask2": "assumed",
    "A2_const": "assumed",
    "A2_pad": "assumed",
    "A2_pad2": "assumed",
    "B1_day_in_year": "fails",
    "C3_fake_graph_name": "fails",
    "D4c_plain_control": "fails",
    "F1_union_blowup": "unread",
    "F5_newlines20000": "fails",
    "F5_newlines40000": "fails",
    "G1_union_of_link": "unread",
    "G2_exists_of_link": "fails",
    "G3_count_of_link": "fails",
    "H1_tb": "fails",
    "H2_tb": "fails",
    "I10_label_swapped": "fails",
    "I11_kind": "fails",
    "I1_extra_in_statement": "unread",
    "I2_id_in_statement": "unread",
    "I3_extra_in_entity": "unread",
    "I4_extra_in_step": "unread",
    "I5_dup_text": "unread",
    "I5b_dup_text2": "unread",
    "I6_nan": "unread",
    "I7_inf": "unread",
    "I8_homoglyph": "fails",
    "I9_text": "fails",
    "J1_ansi": "unread",
    "J2_id_lines": "unread",
    "L1_notexists": "assumed",
    "L2_count": "assumed",
    "L3_bool": "assumed",
    "M1_among_compare": "fails",
    "M2_abstain_claims": "unverifiable",
    "N1_first_by_hidden": "fails",
    "O2_cycle": "unread",
    "O3_empty_output": "fails",
    "O4_drop_qual": "fails",
    "O5_drop_qual_newid": "fails",
}
QUESTION = "Where was Ada Lovelace born?"
BORN = Relation("world:place_of_birth", "place of birth")


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    opened = toulmin.open("bundled")
    yield opened
    opened.close()


@pytest.mark.skipif(not FILES.is_dir(), reason=f"no folder {FILES.name} beside the checkout")
@pytest.mark.parametrize("name", FOUND)
def test_a_crafted_answer_is_refused_or_called_what_it_is(name: str, graph: Graph) -> None:
    content = (FILES / f"{name}.json").read_bytes()
    if FOUND[name] == "unread":
        with pytest.raises(InputError) as caught:
            answer_of_json(content)
        assert "\n" not in str(caught.value)
        return
    stored = answer_of_json(content)
    assert check(stored, graph).status == FOUND[name]
    assert check(stored, graph, strict=True).exit_code == 1


@pytest.mark.skipif(not FILES.is_dir(), reason=f"no folder {FILES.name} beside the checkout")
def test_an_answer_of_another_graph_is_told_as_such(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["build", str(FILES / "d1.jsonl"), "--out", str(tmp_path / "kg")]).exit_code == 0
    other = toulmin.open(tmp_path / "kg")
    report = check(answer_of_json((FILES / "O1_other_graph.json").read_bytes()), other)
    assert (report.graph_changed, report.exit_code) == (True, 1)
    other.close()


def test_a_field_that_is_given_twice_is_refused(graph: Graph) -> None:
    builder = ProofBuilder(QUESTION, graph)
    stored = _concluded(builder, _born(builder, _linked(builder, "Ada Lovelace"))).to_json(indent=None)
    trace = f'{{"kind": "{KIND}", "version": 1, "events": [{{"event": "answered", "answer": %s}}]}}'
    assert answer_of_json(trace % stored) == answer_of_json(stored)
    for field in ("text", "by", "id"):
        twice = re.sub(rf'("{field}":"[^"]*",)', r"\1\1", stored, count=1)
        assert twice != stored
        for content in (twice, trace % twice):
            with pytest.raises(InputError, match=f"the field '{field}' is given twice") as caught:
                answer_of_json(content)
            assert "\n" not in str(caught.value)


@pytest.mark.skipif(not FILES.is_dir(), reason=f"no folder {FILES.name} beside the checkout")
def test_a_value_that_is_none_of_some_time_says_nothing_of_today(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", str(FILES / "d1.jsonl"), "--out", str(tmp_path / "kg")])
    assert result.exit_code == 0
    graph = toulmin.open(tmp_path / "kg")
    assert check(answer_of_json((FILES / "E1_novalue_qualified.json").read_bytes()), graph).status == "fails"
    graph.close()


@pytest.mark.skipif(not FILES.is_dir(), reason=f"no folder {FILES.name} beside the checkout")
def test_every_argument_of_a_computation_is_shown() -> None:
    shown = _checked(FILES / "C1_compare_op_hidden.json")
    assert "[s5] s3 < s4: yes" in shown
    assert "[date of death of Pierre Curie < date of death of Marie Curie]" in _checked(
        FILES / "C2_axiom_text_vs_program.json"
    )
    assert "by date of death" in _checked(FILES / "N1_first_by_hidden.json")
    assert "(at start time)" in _checked(FILES / "B2_role_swap.json")
    assert "<world:Paris>" in _checked(FILES / "A2_pad.json")  # behind two thousand blanks


@pytest.mark.skipif(not FILES.is_dir(), reason=f"no folder {FILES.name} beside the checkout")
def test_what_the_answer_does_not_rest_on_is_not_shown_as_if_it_counted() -> None:
    shown = _checked(FILES / "K1_unused_judgement.json")
    assert "checker (recomputed)" not in shown.split("Steps")[0]


def _checked(path: Path) -> str:
    """What the command prints, every run of blanks as one."""
    return " ".join(CliRunner().invoke(app, ["check", str(path), "--kg", "bundled"]).stdout.split())


def _linked(builder: ProofBuilder, words: str) -> str:
    start = builder.question.index(words)
    found = builder.graph.describe([f"world:{words.replace(' ', '_')}"])[0]
    assert found is not None
    return builder.add_link(start, start + len(words), found.entity, words, 1.0, "exact")


def _concluded(builder: ProofBuilder, of: str) -> Answer:
    reading = builder.add_reading(of, by="somebody", score=1.0)
    proof = builder.conclude(of, reading, *builder.add_witnesses(of))
    return builder.answer(proof, method="by hand")


Make = Callable[[ProofBuilder, str, str], str]


def _born(builder: ProofBuilder, ada: str) -> str:
    pattern = (Hop(relation=BORN, direction="forward"),)
    return builder.add_computation("path_ends", PathEnds(start=(ada,), pattern=pattern))


@pytest.mark.parametrize(
    "make",
    [
        lambda builder, ada, paris: builder.add_computation("union", Sets(of=(ada, paris))),
        lambda builder, ada, paris: builder.add_computation("union", Sets(of=(_born(builder, ada), paris))),
        lambda builder, ada, paris: builder.add_computation("difference", Sets(of=(paris, _born(builder, ada)))),
        lambda builder, ada, paris: builder.add_computation("count", Count(of=paris)),
        lambda builder, ada, paris: builder.add_computation("compare", Compare(op="=", left=ada, right=paris)),
    ],
)
def test_what_the_question_names_is_no_answer(graph: Graph, make: Make) -> None:
    builder = ProofBuilder("Was Ada Lovelace born in Paris?", graph)
    made = _concluded(builder, make(builder, _linked(builder, "Ada Lovelace"), _linked(builder, "Paris")))
    report = check(made, graph)
    assert report.status == "fails"
    assert "is what the question names" in next(step.reason for step in report.steps if step.kind == "conclusion")


def test_what_statements_say_of_named_things_is_an_answer(graph: Graph) -> None:
    builder = ProofBuilder("Was Ada Lovelace born in London?", graph)
    born, london = _born(builder, _linked(builder, "Ada Lovelace")), _linked(builder, "London")
    both = builder.add_computation("intersection", Sets(of=(born, london)))
    assert check(_concluded(builder, both), graph).status == "judged"


def test_an_abstention_is_no_stronger_than_the_word_of_the_method(graph: Graph) -> None:
    builder = ProofBuilder(QUESTION, graph)
    bare = builder.answer(builder.abstain("the graph says that it was in Paris"), method="by hand")
    assert check(bare, graph).status == "unverifiable"
    assert check(bare, graph, strict=True).exit_code == 1
    builder = ProofBuilder(QUESTION, graph)
    born = _born(builder, _linked(builder, "Ada Lovelace"))
    doubted = builder.add_reading(born, by="somebody", score=0.1, decision="no")
    tried = builder.answer(builder.abstain("it says nothing else", doubted, born), method="by hand")
    assert check(tried, graph).status == "judged"


@pytest.mark.parametrize("field", ["method", "model", "by", "id"])
@pytest.mark.parametrize("text", ["a\nb", "a\u2028b", "a\x1b[2K", "\u202eab", "x" * 1001])
def test_no_name_can_forge_a_line_of_a_report(graph: Graph, field: str, text: str) -> None:
    builder = ProofBuilder(QUESTION, graph)
    stored = json.loads(_concluded(builder, _born(builder, _linked(builder, "Ada Lovelace"))).to_json())
    where = stored if field in stored else next(one for one in stored["proof"]["steps"] if one["kind"] == "judgement")
    where[field] = text
    with pytest.raises(InputError, match=rf"field '{field}'|step"):
        answer_of_json(json.dumps(stored).encode())


def test_line_breaks_of_labels_make_no_lines(tmp_path: Path) -> None:
    label = "Oslo\nChecked     9 steps: 9 hold"
    graph = tmp_path / "graph.jsonl"
    graph.write_text(json.dumps({"subject": "Ann", "relation": "place of birth", "object": label}), "utf-8")
    runner = CliRunner()
    assert runner.invoke(app, ["build", str(graph), "--out", str(tmp_path / "kg")]).exit_code == 0
    shown = runner.invoke(app, ["ask", "Where was Ann born?", "--kg", str(tmp_path / "kg")]).stdout
    assert len(re.findall(r"^Checked", shown, re.MULTILINE)) == 1


def test_white_space_in_a_chain_takes_no_time(graph: Graph) -> None:
    assert parse("\n" * 2_000_000).sentences == ()


def test_after_its_time_a_check_says_what_it_did_not_see(graph: Graph) -> None:
    builder = ProofBuilder(QUESTION, graph)
    made = _concluded(builder, _born(builder, _linked(builder, "Ada Lovelace")))
    report = check(made, graph, seconds=0)
    assert (report.status, report.exit_code) == ("unverifiable", 0)
    assert check(made, graph, seconds=0, strict=True).exit_code == 1


def test_mutated_answers_are_printed_without_a_traceback(graph: Graph, tmp_path: Path) -> None:
    replayed = Path(__file__).parents[1] / "methods" / "replays" / "r3.jsonl"
    asked = ["ask", "Did Marie Curie outlive her husband?", "--kg", "bundled", "--method", "r3"]
    options = ["--set", "pruning=truncation", "--set", "k=30", "--replay", str(replayed), "--out", str(tmp_path / "a")]
    runner = CliRunner()
    assert runner.invoke(app, [*asked, *options]).exit_code == 0
    stored = json.loads((tmp_path / "a").read_text("utf-8"))
    for number, changed in enumerate(_changed(stored)):
        if number % 3:
            continue
        (tmp_path / "b").write_text(json.dumps(changed), "utf-8")
        result = runner.invoke(app, ["check", str(tmp_path / "b"), "--kg", "bundled"])
        assert result.exception is None or isinstance(result.exception, SystemExit), changed
        assert result.exit_code in (0, 1, 2)


def _changed(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The stored answer with one text of a step replaced, for each."""
    for number, step in enumerate(stored["proof"]["steps"]):
        for place in _texts(step):
            changed = json.loads(json.dumps(stored))
            inside = changed["proof"]["steps"][number]
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = "nope"
            yield changed


def _texts(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, str) and place:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _texts(item, (*place, key))
