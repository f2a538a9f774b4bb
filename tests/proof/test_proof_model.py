"""Proofs and answers as data: what can be written down, and that it comes back exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from producers import entity, follow, hop, produced, small_world

from toulmin.errors import InputError, SettingsError, SourceError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal, Statement
from toulmin.proof.answer import Answer, answer_text
from toulmin.proof.model import Fact, Proof
from toulmin.proof.registry import KINDS, OPERATORS, Kind, Registry


@pytest.fixture(scope="module")
def stored() -> str:
    with small_world() as graph:
        return follow("Who directed Passing?", "Passing", hop("directed by"), graph=graph).to_json()


def _with(stored: str, *trail: str | int, value: Any) -> str:
    changed = json.loads(stored)
    parent = changed
    for key in trail[:-1]:
        parent = parent[key]
    parent[trail[-1]] = value
    return json.dumps(changed)


@settings(max_examples=60, deadline=None)
@given(produced())
def test_json_there_and_back_is_exact(made: tuple[Answer, MemoryGraph, list[Statement]]) -> None:
    answer = made[0]
    text = answer.to_json()
    read = Answer.from_json(text)
    assert read == answer
    assert read.to_json() == text
    assert [step.kind for step in read.proof.steps] == [step.kind for step in answer.proof.steps]


def test_keys_stand_in_the_order_of_the_fields(stored: str) -> None:
    assert list(json.loads(stored)) == list(Answer.model_fields)


def test_an_answer_cannot_be_changed_in_place(stored: str) -> None:
    answer = Answer.from_json(stored)
    with pytest.raises(Exception, match="frozen"):
        answer.text = "other"
    assert hash(answer.proof.steps[0]) == hash(Answer.from_json(stored).proof.steps[0])


@pytest.mark.parametrize(
    ("trail", "value", "said"),
    [
        (("proof", "steps", 0, "kind"), "guess", "step kind 'guess' is not known"),
        (("proof", "steps", 0, "start"), "13", "step 's1' (link): field 'start'"),
        (("proof", "steps", 0, "extra"), 1, "step 's1' (link): field 'extra'"),
        (("proof", "steps", 0, "entity", "extra"), 1, "step 's1' (link): field 'entity.extra'"),
        (("proof", "steps", 0, "id"), "s2", "step 's2' occurs twice"),
        (("proof", "steps", 0, "rests_on"), ["s9"], "step 's1' rests on 's9', which is no step"),
        (("proof", "steps", 0, "rests_on"), ["s1"], "rests on itself"),
        (("proof", "steps", 0, "rests_on"), ["s2"], "rests on itself"),
        (("proof", "steps", 1, "rests_on"), ["s1", "s1"], "step 's2' rests twice on the same step"),
        (("proof", "steps", 1, "operator"), "sum", "operator 'sum' is not known; known are path_ends"),
        (("proof", "steps", 1, "rests_on"), [], "applies to 's1', on which the step does not rest"),
        (("proof", "steps", 1, "arguments", "pattern"), [], "step 's2' (computation): field 'arguments.pattern'"),
        (("proof", "steps"), {}, "the steps of the proof are not a list"),
        (("proof", "steps", 0), "s1", "step 1 of the proof is not an object with a 'kind'"),
        (("confidence",), 1.5, "field 'confidence'"),
        (("schema_version",), "1", "field 'schema_version'"),
        (("schema_version",), 2, "it is in format 2 of stored answers (made by Toulmin "),
        (("abstained",), "no", "field 'abstained'"),
        (("values", 0), {"id": "e:x", "value": "1"}, "field 'values.0"),
    ],
)
def test_what_is_no_answer_is_refused_in_one_line(
    stored: str, trail: tuple[str | int, ...], value: object, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        Answer.from_json(_with(stored, *trail, value=value))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_format_is_told_whatever_else_it_has(stored: str) -> None:
    other = json.loads(stored) | {"schema_version": 2, "version": "9.9", "surprise": 1, "proof": {"steps": [{}]}}
    with pytest.raises(InputError, match=r"in format 2 .*made by Toulmin 9\.9.* reads format 1"):
        Answer.from_json(json.dumps(other))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"question": 1}', "\x00", "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a stored answer"):
        Answer.from_json(text)


def test_a_long_chain_of_steps_is_no_cycle() -> None:
    statement = Statement(entity("A"), hop("x").relation, entity("B"))
    facts = [
        Fact(id=f"s{n}", rests_on=(f"s{n + 1}",) if n < 4999 else (), statement=statement, statement_id=statement.id)
        for n in range(5000)
    ]
    assert len(Proof(steps=tuple(facts)).steps) == 5000


def test_reading_a_file_names_it(tmp_path: Path, stored: str) -> None:
    (tmp_path / "good.json").write_text(stored, encoding="utf-8")
    assert Answer.read(tmp_path / "good.json").to_json() == stored
    (tmp_path / "bad.json").write_text("no", encoding="utf-8")
    for name in ("bad.json", "absent.json", "."):
        with pytest.raises(SourceError) as caught:
            Answer.read(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)


def test_the_text_says_what_the_fields_say() -> None:
    seven = Literal("7", "quantity")
    assert answer_text(values=(entity("A"), Literal("1.5", "quantity", unit="metre"))) == "A, 1.5 metre"
    assert answer_text(values=(seven,), at_least=True) == "at least 7"
    assert answer_text(values=(Literal("", "unknown_value"),)) == "unknown value"
    assert [answer_text(verdict=verdict) for verdict in (True, False)] == ["yes", "no"]
    assert answer_text(abstained=True, reason="no film is linked") == (
        "Not answerable from this graph: no film is linked"
    )


def test_every_registered_name_loads() -> None:
    assert {name: KINDS.get(name).model.model_fields["kind"].default for name in KINDS.names()} == {
        name: name for name in KINDS.names()
    }
    for name in OPERATORS.names():
        assert OPERATORS.get(name).arguments.__name__


def test_another_package_adds_a_kind_and_an_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "third_party.py").write_text(
        "from toulmin.proof.context import Finding\n"
        "from toulmin.proof.model import Step, Arguments, Output\n"
        "from toulmin.proof.registry import Kind, Operator\n"
        "class Note(Step):\n"
        "    kind: str = 'note'\n"
        "    words: str\n"
        "NOTE = Kind(Note, lambda step, context: Finding('unverifiable', step.words))\n"
        "class Nothing(Arguments):\n"
        "    pass\n"
        "NOTHING = Operator(Nothing, lambda a, s, g: Output(), lambda a, of: 'nothing')\n"
        "TAKEN = NOTE\n",
        encoding="utf-8",
    )
    info = tmp_path / "third_party-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[toulmin.proof_kinds]\nnote = third_party:NOTE\nwrong = third_party:Note\n"
        "[toulmin.proof_operators]\nnothing = third_party:NOTHING\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    fresh = Registry("step kind", "toulmin.proof_kinds", Kind, {"link": "toulmin.proof.links:LINK"})
    assert fresh.names() == ["link", "note", "wrong"]
    assert fresh.get("note").model.__name__ == "Note"
    with pytest.raises(SettingsError, match="is not a Kind"):
        fresh.get("wrong")
    taken = Registry("step kind", "toulmin.proof_kinds", Kind, {"note": "toulmin.proof.links:LINK"})
    with pytest.raises(SettingsError, match="'note' is offered twice"):
        taken.names()
    assert taken.get("note").model.__name__ == "Link"
