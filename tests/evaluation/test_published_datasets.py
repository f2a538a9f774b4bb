"""Loaders of published claims, yes/no questions, times, tables and prompts: small files, whole and broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toulmin.errors import SourceError
from toulmin.evaluation.datasets import Dataset, Question, files, load
from toulmin.evaluation.datasets.factscore import LabelledFact, LabelledText, labelled_facts
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import ReadOptions, registry
from toulmin.graph.types import Literal
from toulmin.retrieval.knowledge import GivenPassages, TableKnowledge


def write(path: Path, *lines: str | Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")


def problems(dataset: Dataset) -> list[tuple[str, int, str]]:
    return [(problem.file.name, problem.line, problem.problem) for problem in dataset.problems]


# --- objects on lines, and in one array


@pytest.mark.parametrize("block", [1, 5, 1 << 20])
@pytest.mark.parametrize(
    ("text", "found", "said"),
    [
        ('[{"a":1},\n{"b":"é]"}\n,3]', [(1, {"a": 1}), (2, {"b": "é]"})], [(3, "a JSON object is expected, not int")]),
        ('\ufeff[\n\n {"a":\n1},\r\n{"c":1}]\n', [(3, {"a": 1}), (5, {"c": 1})], []),
        ("[]", [], []),
        ("", [], []),
        ('[{"a":1}', [(1, {"a": 1})], [(1, "not JSON from here on: it ends within the array")]),
        ('[{"a":1}\n{"b":2}]', [(1, {"a": 1})], [(2, "not JSON from here on: ',' is missing")]),
        ('[{"a":1},\n{"b":]', [(1, {"a": 1})], [(2, "not JSON from here on: Expecting value")]),
        ('{"a":1}\n[1]\n{"b":1}', [(1, {"a": 1}), (3, {"b": 1})], [(2, "a JSON object is expected, not list")]),
    ],
)
def test_objects_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, text: str, found: list[Any], said: list[Any]
) -> None:
    monkeypatch.setattr(files, "_BLOCK", block)
    path = tmp_path / "set.json"
    path.write_text(text, "utf-8", newline="")
    met: files.ProblemList = []
    assert list(files.json_records(path, met)) == found
    assert [(one.line, one.problem) for one in met] == said


# --- CREAK and FactKG


def test_creak(tmp_path: Path) -> None:
    good = {"ex_id": "dev_1", "sentence": "A quay floats.", "label": "false", "entity": "Quay"}
    write(
        tmp_path / "creak/dev.json",
        good,
        good,
        {**good, "ex_id": "dev_2", "label": "maybe"},
        {**good, "ex_id": "dev_3", "label": True},
        {**good, "ex_id": "dev_4", "sentence": " "},
    )
    dataset = load("creak", tmp_path)
    assert dataset.questions == (
        Question("dev_1", "A quay floats.", (), False, gold_entities=("Quay",), task="claim", file="dev.json", line=1),
    )
    assert problems(dataset) == [
        ("dev.json", 2, "the id 'dev_1' stands at line 1 already"),
        ("dev.json", 3, "field 'label': is not 'true' or 'false' but 'maybe'"),
        ("dev.json", 4, "field 'label': holds no text"),
        ("dev.json", 5, "field 'sentence': holds no text"),
    ]


def test_factkg(tmp_path: Path) -> None:
    write(
        tmp_path / "claims.jsonl",
        {"id": "val-0", "claim": "The pier has an owner.", "label": True},
        {"id": "val-1", "claim": "The pier has an owner."},
        {"id": "val-2", "claim": "The pier has an owner.", "label": "true"},
        {"claim": "The pier has an owner.", "label": True},
    )
    dataset = load("factkg", tmp_path)
    (question,) = dataset.questions
    assert (question.verdict, question.task, question.gold) == (True, "claim", "verdict")
    assert dataset.graphs == (tmp_path / "graph.tsv",)
    assert [text for _, _, text in problems(dataset)] == [
        "field 'label': is missing",
        "field 'label': is not true or false but 'true'",
        "field 'id': is missing",
    ]


# --- StrategyQA


def strategyqa(**changes: object) -> dict[str, object]:
    steps = ["How old is a loom?", "How old is a lathe?", "Is #1 more than #2?"]
    record = {"qid": "q1", "term": "Loom", "question": "Is a loom older?", "answer": True, "decomposition": steps}
    return {**record, "facts": ["never read"], **changes}


def test_strategyqa(tmp_path: Path) -> None:
    records = [strategyqa(), strategyqa(qid="q2"), strategyqa(qid="q3", answer="yes")]
    write(tmp_path / "train.json", json.dumps(records, indent=1))
    (tmp_path / "train_gdsent.json").write_text(
        json.dumps([{"qid": "q1", "golden_sentence": [["", " Looms are old. "], ["Looms are old.", "Lathes, too."]]}])
    )
    dataset = load("strategyqa", tmp_path)
    first, second = dataset.questions
    assert first == Question(
        "q1",
        "Is a loom older?",
        verdict=True,
        hops=3,
        gold_entities=("Loom",),
        passages=("Looms are old.", "Lathes, too."),
        file="train.json",
        line=2,
    )
    assert second.passages == ()
    assert isinstance(first.knowledge(), GivenPassages)
    assert isinstance(second.knowledge(), GivenPassages)
    assert [text for _, _, text in problems(dataset)] == ["field 'answer': is not true or false but 'yes'"]
    with pytest.raises(SourceError, match=r"7_train_sentchain\.json: no such file"):
        load("strategyqa/retrieved", tmp_path)
    (tmp_path / "7_train_sentchain.json").write_text('{"q2": ["A lathe turns."], "q1": "no list"}')
    dataset = load("strategyqa/retrieved", tmp_path)
    assert [one.passages for one in dataset.questions] == [(), ("A lathe turns.",)]
    assert problems(dataset)[-1] == ("7_train_sentchain.json", 1, "field 'q1': is not a list of texts")
    (tmp_path / "7_train_sentchain.json").write_text("[")
    with pytest.raises(SourceError, match=r"7_train_sentchain\.json: cannot be read as JSON"):
        load("strategyqa/retrieved", tmp_path)


def test_strategyqa_on_lines_without_sentences(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", strategyqa())
    (question,) = load("strategyqa", tmp_path).questions
    assert question.passages is None
    assert question.knowledge() is None


# --- TempQuestions


def test_tempquestions(tmp_path: Path) -> None:
    good = {"Id": 1, "Question": "who kept the light when the mole was built?", "Gold answer": ["Ann"]}
    records = [
        {**good, "Type": ["Implicit:"]},
        {**good, "Id": 2, "Type": ["Implicit"], "Gold answer": ["Ann", "Bo"]},
        {**good, "Id": 3, "Type": ["Odinal", "Temp.Ans"]},
        {**good, "Id": "4", "Type": ["Explicit"]},
        {**good, "Id": 5, "Type": ["Explicit"], "Gold answer": []},
    ]
    write(tmp_path / "TempQuestions.json", json.dumps(records))
    dataset = load("tempquestions", tmp_path)
    assert [(one.id, one.type) for one in dataset.questions] == [
        ("TempQuestions-1", "Implicit"),
        ("TempQuestions-2", "Implicit"),
        ("TempQuestions-3", "Ordinal Temp.Ans"),
    ]
    assert [text for _, _, text in problems(dataset)] == [
        "field 'Id': is missing or is not a number",
        "field 'Gold answer': is empty",
    ]
    assert [one.id for one in load("tempquestions/implicit", tmp_path).questions] == ["TempQuestions-1"]


# --- INFOTABS


def test_infotabs(tmp_path: Path) -> None:
    rows = ["GW0\tT1\tThe quay is long.\tE", "GW0\tT1\tThe quay is new.\tN", "GW1\tT1\tNobody built it.\tC"]
    broken = ["GW1\tT9\tIt is far.\tE", "GW1\tT1\tIt is far.\tX", "GW1\tT1"]
    write(tmp_path / "infotabs_dev.tsv", "annotater_id\ttable_id\thypothesis\tlabel", *rows, *broken)
    table = {"title": ["North Quay"], "Length": ["120 m"], "Built by:": ["Ann Hale", "Bo Hale"], "Empty": []}
    write(tmp_path / "tables/T1.json", table)
    dataset = load("infotabs/neutral", tmp_path)
    assert [(one.id, one.verdict, one.gold) for one in dataset.questions] == [
        ("dev-2", True, "verdict"),
        ("dev-3", None, "unknown"),
        ("dev-4", False, "verdict"),
    ]
    first = dataset.questions[0]
    assert (first.task, first.gold_entities) == ("claim", ("North Quay",))
    assert [(one.subject.label, one.relation.label, one.object) for one in first.statements] == [
        ("North Quay", "Length", Literal("120", "quantity", unit="m")),
        ("North Quay", "Built by", Literal("Ann Hale")),
        ("North Quay", "Built by", Literal("Bo Hale")),
    ]
    known = first.knowledge()
    assert isinstance(known, TableKnowledge)
    assert known.table.name == "T1"
    assert [line for _, line, _ in problems(dataset)] == [5, 6, 7]
    assert "tables/T9.json: no such file" in problems(dataset)[0][2]
    assert [one.id for one in load("infotabs", tmp_path).questions] == ["dev-2", "dev-4"]


def test_infotabs_without_its_columns_or_tables(tmp_path: Path) -> None:
    write(tmp_path / "infotabs_dev.tsv", "table_id\thypothesis", "T1\tIt is far.")
    with pytest.raises(SourceError, match="tables: no such folder"):
        load("infotabs", tmp_path)
    (tmp_path / "tables").mkdir()
    with pytest.raises(SourceError, match=r"infotabs_dev\.tsv:1: the first line names no column label"):
        load("infotabs", tmp_path)


# --- FActScore and LongFact


def bio(**changes: object) -> dict[str, object]:
    facts = [{"text": "Ann Hale rowed.", "label": "S"}, {"text": "Ann Hale sang.", "label": "NS"}]
    sentences = [
        {"text": "Ann Hale rowed and sang.", "is-relevant": True, "human-atomic-facts": facts},
        {"text": "Anything else?", "is-relevant": False, "human-atomic-facts": None},
    ]
    return {
        "input": "Question: Tell me a bio of Ann Hale.",
        "output": "Ann Hale rowed and sang. Anything else?",
        "topic": "Ann Hale",
        "cat": ["very rare", "North America"],
        "annotations": sentences,
        **changes,
    }


def test_factscore(tmp_path: Path) -> None:
    wrong = [{"text": "A.", "human-atomic-facts": [{"text": "A.", "label": "?"}]}]
    write(tmp_path / "factscore/ChatGPT.jsonl", bio(), bio(topic="Bo Hale", output="", annotations=None))
    write(tmp_path / "factscore/InstructGPT.jsonl", bio(), bio(annotations=wrong), bio(annotations=7), bio(output=7))
    dataset = load("factscore/bios", tmp_path)
    assert dataset.questions[0] == Question(
        "Ann Hale",
        "Tell me a bio of Ann Hale.",
        type="very rare",
        gold_entities=("Ann Hale",),
        file="ChatGPT.jsonl",
        line=1,
    )
    assert {one.gold for one in dataset.questions} == {"none"}
    labelled = labelled_facts(tmp_path)
    sentence = "Ann Hale rowed and sang."
    facts = (LabelledFact("Ann Hale rowed.", "S", sentence), LabelledFact("Ann Hale sang.", "NS", sentence))
    text = "Ann Hale rowed and sang. Anything else?"
    assert labelled.texts == (
        LabelledText("Ann Hale", "ChatGPT", "Ann Hale", text, facts),
        LabelledText("Bo Hale", "ChatGPT", "Bo Hale", "", None),
        LabelledText("Ann Hale", "InstructGPT", "Ann Hale", text, facts),
    )
    assert [(one.file.name, one.line, one.problem) for one in labelled.problems] == [
        ("InstructGPT.jsonl", 2, "field 'label': is not S, NS or IR but '?'"),
        ("InstructGPT.jsonl", 3, "field 'annotations': is not a list of sentences"),
        ("InstructGPT.jsonl", 4, "field 'output': is missing or is not a text"),
    ]
    with pytest.raises(SourceError, match="no such file"):
        labelled_facts(tmp_path.parent)


def test_longfact(tmp_path: Path) -> None:
    write(tmp_path / "longfact-objects_x/longfact-objects_boats.jsonl", {"prompt": "What is a punt?"}, {"prompt": ""})
    write(tmp_path / "longfact-concepts_x/longfact-concepts_boats.jsonl", {"prompt": "What is trim?"})
    assert [one.id for one in load("longfact", tmp_path).questions] == ["concepts-boats-1", "objects-boats-1"]
    dataset = load("longfact/objects", tmp_path)
    (question,) = dataset.questions
    assert (question.type, question.gold, question.file) == (
        "boats",
        "none",
        "longfact-objects_x/longfact-objects_boats.jsonl",
    )
    assert problems(dataset) == [("longfact-objects_boats.jsonl", 2, "field 'prompt': holds no text")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="no file longfact-objects"):
        load("longfact/objects", tmp_path / "empty")


# --- WebNLG


def test_webnlg_names_the_statements_of_its_graph(tmp_path: Path) -> None:
    triples = [["North_Quay", "crossSection", "12.5 (metres)"], ["North_Quay", "keeper", "Ann Hale"]]
    write(
        tmp_path / "texts.jsonl",
        {"text": "Ann Hale keeps North Quay.", "triples": triples, "category": "Harbour"},
        {"text": "Nothing.", "triples": [], "category": "Harbour"},
        {"text": "Nothing.", "triples": [["a", "b"]], "category": "Harbour"},
    )
    write(tmp_path / "graph.tsv", *("\t".join(triple) for triple in triples))
    dataset = load("webnlg", tmp_path)
    (question,) = dataset.questions
    assert (question.verdict, question.task, question.type) == (True, "claim", "Harbour")
    graph = MemoryGraph.from_records(
        registry.read(dataset.graphs[0], options=ReadOptions(literals=False)), name="webnlg"
    )
    whole = graph.subgraph([], 0)
    held = {one.id: one for one in whole.statements(range(whole.n_statements))}
    assert {one.id for one in question.gold_statements} == held.keys()
    assert {held[one.id] for one in question.gold_statements} == set(question.gold_statements)
    assert [line for _, line, _ in problems(dataset)] == [2, 3]
