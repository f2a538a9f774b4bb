"""Parts of RR: reading outputs and recorded files, knowledge by name, what is asked for, settings, topics."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.errors import SettingsError, SourceError
from toulmin.methods.registry import get_method, method_class, settings_from
from toulmin.methods.request import Task
from toulmin.methods.rr import FORMS, RR, RRSettings
from toulmin.methods.rr.chains import is_of_kind, parse_chain, question_kind, tables_of
from toulmin.methods.rr.recorded import read_chains
from toulmin.methods.rr.sentence_scores import function_for
from toulmin.methods.rr.supporting import most_faithful, topics
from toulmin.retrieval.knowledge import (
    GivenPassages,
    KnowledgeUnion,
    LexicalKnowledge,
    TableKnowledge,
    TemporalKnowledge,
)
from toulmin.retrieval.knowledge.named import knowledge_from
from toulmin.retrieval.knowledge.tables import FactTable

TABLE = TableKnowledge(FactTable("idris", "Idris Elba", (("Occupation", ("Actor", "DJ")), ("Residence", ("London",)))))


def test_recorded_files(tmp_path: Path) -> None:
    def read(content: str, question: str = "Is it?") -> tuple[str, ...]:
        path = tmp_path / "chains"
        path.write_text(content, encoding="utf-8")
        return read_chains(path, question)

    wanted = ("One.\nTwo. So the answer is no.", "Three.")
    assert read("One.\nTwo. So the answer is no.\n\nThree.\n") == wanted
    assert read(json.dumps(list(wanted), indent=1)) == wanted
    assert read("\n".join(map(json.dumps, wanted))) == wanted
    assert read("\n".join(json.dumps({"text": one}) for one in wanted)) == wanted
    several = [{"question": "Other?", "chains": ["x"]}, {"question": "is  it?", "chains": list(wanted)}]
    assert read("\n".join(map(json.dumps, several))) == wanted
    assert read(json.dumps("a\u2028b", ensure_ascii=False)) == ("a\u2028b",)
    by_model = {"question": "Is it?", "gold": True, "completions": {"a": wanted[0], "b": wanted[1]}}
    assert read(json.dumps(by_model)) == wanted


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "has no chain of thought"),
        ("[]", "has no chain of thought"),
        ("[1]", "field 'item 1': is no chain of thought"),
        ('{"a": 1}', ":1: is no chain of thought"),
        ('"a"\n{bad', ":2: is not JSON"),
        (
            '{"question": "Other?", "chains": ["x"]}',
            "has no chains of the question 'Is it?': ask one of its 1 questions",
        ),
        ('{"question": "Is it?"}', ":1: has no list 'chains' or 'completions'"),
        ('{"question": "Is it?", "chains": [3]}', ":1: is no chain of thought"),
        ('{"question": "Other?", "chains": []}\n"x"', ':2: has no text "question"'),
    ],
)
def test_a_bad_record_is_told_in_one_line(content: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "chains.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_chains(path, "Is it?")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(SourceError, match="cannot be read"):
        read_chains(tmp_path, "Is it?")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="not UTF-8"):
        read_chains(path, "Is it?")


def test_knowledge_by_name(tmp_path: Path) -> None:
    graph = toulmin.open("bundled")
    (tmp_path / "table.json").write_text('{"title": ["Idris Elba"], "Occupation": ["Actor"]}')
    (tmp_path / "gold.txt").write_text("A fact.\n\nAnother.\n")
    assert knowledge_from([], graph) is None
    assert isinstance(knowledge_from(["temporal"], graph), TemporalKnowledge)
    assert isinstance(knowledge_from([f"given:{tmp_path / 'gold.txt'}"], graph), GivenPassages)
    joined = knowledge_from(["lexical", str(tmp_path / "table.json")], graph)
    assert isinstance(joined, KnowledgeUnion)
    assert {type(one) for one in joined.parts} == {TableKnowledge, LexicalKnowledge}
    assert len(tables_of(joined)) == 1
    found = joined.find(["Idris Elba is an entertainer."], about="Idris Elba is an entertainer.")[0]
    assert any("actor" in one.text.casefold() and "kind of" in one.text for one in found)  # of words of both


@pytest.mark.parametrize("name", ["passages", "", "no.json"])
def test_no_such_knowledge(name: str) -> None:
    with pytest.raises(SettingsError, match="no knowledge is called"):
        knowledge_from([name], toulmin.open("bundled"))
    with pytest.raises(SourceError, match="no such file"):
        knowledge_from(["given:/nowhere"], toulmin.open("bundled"))


def test_the_function_is_that_of_the_knowledge() -> None:
    graph = toulmin.open("bundled")
    temporal, given_ = TemporalKnowledge(graph), GivenPassages(["x"])
    kinds = [
        function_for(one)
        for one in (temporal, given_, TABLE, KnowledgeUnion(TABLE, temporal), KnowledgeUnion(temporal, temporal))
    ]
    assert kinds == ["f2", "f3", "f1", "f1", "f2"]


@pytest.mark.parametrize(
    ("question", "task", "said", "kind"),
    [
        ("Did Aristotle use a laptop?", "question", [], "yes/no"),
        ("If it rained, would you be wet?", "question", [], "yes/no"),
        ("Who was pope in 1600?", "question", [], "short"),
        ("Hydrogen's atomic number exceeds five?", "question", ["So the answer is no."], "yes/no"),
        ("Did Rome or Carthage win?", "question", ["So the answer is Rome."], "short"),
        ("Did Rome win?", "question", ["So the answer is Rome."], "yes/no"),
        ("Rome won.", "claim", [], "yes/no"),
    ],
)
def test_what_is_asked_for(question: str, task: Task, said: list[str], kind: str) -> None:
    assert question_kind(question, task, None, [parse_chain(one) for one in said]) == kind
    assert question_kind("Elba acts.", "claim", TABLE, []) == "table"
    assert [is_of_kind(one, "yes/no") for one in ("yes", "Rome", None)] == [True, False, False]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"N": "0"}, "N is 0: give 1 or more"),
        ({"temperature": "3"}, "temperature is 3.0"),
        ({"T_e": "2"}, "T_e is 2.0: give a number from 0 to 1"),
        ({"T_m": "nan"}, "T_m is nan"),
        ({"variant": "bets"}, "variant is 'bets'"),
        ({"ties": "yes"}, "ties is 'yes'"),
        ({"candidates": "0"}, "candidates is 0"),
        ({"function": "equal", "variant": "selection"}, "variant selection needs a faithfulness"),
        ({"nonsense": "1"}, "rr has no setting 'nonsense'"),
    ],
)
def test_settings_are_checked(given: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_from("rr", given)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_forms_and_the_papers_parameters() -> None:
    assert set(method_class("rr").forms()) == set(FORMS)
    assert get_method("rr:paper").settings == FORMS["paper"]
    paper = FORMS["paper"]
    assert (paper.temperature, paper.max_tokens, paper.T_m, paper.T_e, paper.T_c) == (0.7, 256, 0.5, 0.6, 0.99)
    assert [paper.samples(kind) for kind in ("yes/no", "short", "table")] == [9, 10, 10]
    assert RRSettings(N=4).samples("short") == 4
    assert settings_from("rr", {"N": "none"})[1].N is None
    with pytest.raises(SettingsError, match="rr takes RRSettings"):
        get_method("rr", object())


def test_chain_prompts_have_six_shots_that_read_as_they_are_meant() -> None:
    for name, wanted in (("chain_yes_no", {"yes", "no"}), ("chain_table", {"yes", "no"}), ("chain_short", None)):
        shots = RR().prompts()[name].demonstrations
        assert len(shots) == 6
        for _, said in shots:
            chain = parse_chain(said)
            assert len(chain.facts) >= 2
            assert len(chain.facts) + 1 == len(chain.sentences)
            assert chain.prediction is not None
            assert wanted is None or chain.prediction in wanted


def test_demonstrations_of_roles_satisfy_their_schemas() -> None:
    from jsonschema import validate

    for name in ("ask", "answer", "state"):
        prompt = RR().prompts()[name]
        for _, said in prompt.demonstrations:
            assert prompt.schema is not None
            validate(json.loads(said), prompt.schema)


def test_demonstrations_of_questions_do_as_they_are_told() -> None:
    for shown, said in RR().prompts()["ask"].demonstrations:
        facts = [line.partition("] ")[2] for line in shown.splitlines() if line.startswith("[")]
        for one in json.loads(said)["questions"]:
            assert one["span"] in facts[one["fact"] - 1]
            assert one["span"].casefold() not in one["question"].casefold()
    for shown, said in RR().prompts()["answer"].demonstrations:
        lines = [line.partition("] ")[2] for line in shown.partition("</text>")[0].splitlines() if line[0] == "["]
        for one in json.loads(said)["answers"]:
            assert one["answer"] is None or one["answer"] in lines[one["line"] - 1]


def _unit(rows: list[list[float]]) -> Any:
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_topics_are_opened_in_order_and_joined_by_the_nearest() -> None:
    vectors = _unit([[1, 0], [0, 1], [1, 0.3], [0.9, 1], [-1, 0]])
    assert topics(vectors, 0.7) == [[0, 2], [1, 3], [4]]
    assert topics(vectors, 1.0) == [[0], [1], [2], [3], [4]]
    assert topics(vectors[:0], 0.5) == []


@given(st.lists(st.tuples(st.floats(-1, 1, width=32), st.floats(-1, 1, width=32)), max_size=12), st.floats(0, 1))
def test_topics_hold_each_sentence_once(rows: list[tuple[float, float]], threshold: float) -> None:
    vectors = np.array([(*row, 0.1) for row in rows], dtype=np.float32).reshape(-1, 3)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    groups = topics(vectors, threshold)
    assert sorted(place for group in groups for place in group) == list(range(len(rows)))
    near: Callable[[int, int], float] = lambda one, other: float(vectors[one] @ vectors[other])  # noqa: E731
    assert all(near(group[0], place) >= threshold - 1e-5 for group in groups for place in group[1:])


def test_the_most_faithful_fact_of_each_topic_is_selected() -> None:
    groups = [["died late", "died early"], ["laptops old", "laptops new"], ["alone"], ["other", "another"]]
    terms = {"died late": 0.2, "died early": 0.9, "laptops old": 0.5, "laptops new": 0.5, "alone": -0.3, "other": 2.0}
    terms["another"] = 3.0
    assert most_faithful(["died late", "laptops new", "alone"], groups, terms) == ["died early", "laptops new", "alone"]
    assert most_faithful(["alone", "died early", "died late"], groups, terms) == ["alone", "died early"]
    assert most_faithful([], groups, terms) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4)), min_size=1, max_size=8), st.integers(1, 8))
def test_no_fact_of_a_topic_is_more_faithful_than_the_one_selected(rows: list[tuple[int, int]], own: int) -> None:
    terms = {f"s{place}": float(term) for place, (_, term) in enumerate(rows)}
    groups: dict[int, list[str]] = {}
    for sentence, (topic, _) in zip(terms, rows, strict=True):
        groups.setdefault(topic, []).append(sentence)
    best = list(terms)[:own]
    found = most_faithful(best, list(groups.values()), terms)
    reached = [group for group in groups.values() if set(group) & set(best)]
    assert {terms[one] for one in found} == {max(terms[one] for one in group) for group in reached}
