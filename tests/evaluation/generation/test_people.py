"""Scores of people: the sheet, what is read from it, who agrees with whom; instructions made from them."""

from __future__ import annotations

import asyncio
import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr
from workshop import GOOD

from toulmin.errors import ReplyError, SettingsError, SourceError
from toulmin.evaluation.generation.describing import described, draw
from toulmin.evaluation.generation.people import (
    agreement,
    between_raters,
    kept_back,
    rescored,
    sheet,
    tuned,
    versions,
    with_human_scores,
)
from toulmin.evaluation.generation.question_file import Record
from toulmin.evaluation.generation.writing import AXES, Instructions, Writer
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel


def question(number: int, **more: Any) -> Record:
    return {
        "id": f"contrast-analysis-{number:04}",
        "question": f"How do pump {number} and its neighbour differ in what they lift?",
        "type": "contrast-analysis",
        "group": "comparative",
        "entities": [f"p:{number}", "p:0"],
        "names": [f"pump {number}", "pump 0"],
        "answers": [],
        "difficulty": "medium",
        "rests_on": ["a", "b"],
        "shown": [{"id": "a", "says": f"pump {number} | lifts | water"}, {"id": "b", "says": "pump 0 | lifts | brine"}],
        "subgraph": {"nodes": 9, "statements": 12, "kept_nodes": 7, "kept_statements": 8},
        "scores": {axis: 1 + (number * 7 + place) % 10 for place, axis in enumerate(AXES)},
        **more,
    }


QUESTIONS = [question(number) for number in range(24)]


def filled(path: Path, scores: dict[str, list[float | str]], rater: str = "ines", comment: str = "") -> Path:
    """A sheet in which a person has filled in rows."""
    rows = list(csv.DictReader(StringIO(sheet(QUESTIONS, rater))))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        for row in rows:
            if row["id"] in scores:
                row |= dict(zip(AXES, map(str, scores[row["id"]]), strict=True)) | {"comment": comment}
            writer.writerow(row)
    return path


def test_a_sheet_that_is_filled_in_comes_back(tmp_path: Path) -> None:
    path = filled(tmp_path / "ines.csv", {QUESTIONS[2]["id"]: [7, 8, "", 9, 10]}, comment="stiff")
    records, count = with_human_scores(QUESTIONS, path)
    assert count == 1
    assert records[2]["human"] == {
        "ines": {"naturalness": 7.0, "relevance": 8.0, "novelty": 9.0, "actionability": 10.0, "comment": "stiff"}
    }
    assert [one for one in records if "human" in one] == [records[2]]
    again, _ = with_human_scores(records, filled(tmp_path / "odo.csv", {QUESTIONS[2]["id"]: [1] * 5}, "odo"))
    assert set(again[2]["human"]) == {"ines", "odo"}
    assert "human" not in QUESTIONS[2]


def test_another_scale_is_brought_to_that_of_the_model(tmp_path: Path) -> None:
    path = filled(tmp_path / "ines.csv", {QUESTIONS[0]["id"]: [1, 2, 3, 4, 5]})
    records, _ = with_human_scores(QUESTIONS, path, (1, 5))
    assert [records[0]["human"]["ines"][axis] for axis in AXES] == [1.0, 3.25, 5.5, 7.75, 10.0]


def test_a_question_that_begins_like_a_formula_is_text_in_a_sheet() -> None:
    (row,) = csv.DictReader(StringIO(sheet([question(1, question='=HYPERLINK("x")')], "ines")))
    assert row["question"].startswith("'=")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("contrast-analysis-0003", "nothing"), "no question has the id 'nothing'"),
        (lambda text: text.replace(",ines,", ",,"), "says not who scored"),
        (lambda text: text.replace("relevance", "relevancy", 1), "lacks the columns relevance"),
        (lambda text: text.replace(",7,", ",eleven,"), "'eleven' is no score from 1 to 10"),
        (lambda text: text.replace(",7,", ",11,"), "'11' is no score from 1 to 10"),
        (lambda text: "", "lacks the columns"),
    ],
)
def test_a_sheet_that_cannot_be_used_says_where(tmp_path: Path, change: Any, said: str) -> None:
    path = filled(tmp_path / "ines.csv", {one["id"]: [7] * 5 for one in QUESTIONS})
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(SourceError, match=said):
        with_human_scores(QUESTIONS, path)


def test_a_scale_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="a scale from 5 to 1"):
        with_human_scores(QUESTIONS, filled(tmp_path / "ines.csv", {}), (5, 1))


@given(st.lists(st.integers(1, 10), min_size=24, max_size=24))
def test_agreement_is_pearsons_correlation(scores: list[int]) -> None:
    records = [
        {**one, "human": {"ines": dict.fromkeys(AXES, float(score))}}
        for one, score in zip(QUESTIONS, scores, strict=True)
    ]
    for axis, found in agreement(records).items():
        if len(set(scores)) == 1:
            assert found is None
        else:
            assert found is not None
            expected = pearsonr([one["scores"][axis] for one in records], scores).statistic
            assert found.estimate == pytest.approx(expected, abs=1e-9)


def test_raters_who_agree_have_kappa_one_and_neighbours_more_with_weights() -> None:
    def rated(other: int) -> list[Record]:
        given_ = [float(1 + number % 9) for number in range(24)]
        return [
            {**one, "human": {"ines": {"novelty": score}, "odo": {"novelty": score + other}}}
            for one, score in zip(QUESTIONS, given_, strict=True)
        ]

    (same,) = between_raters(rated(0)).values()
    plain, quadratic = same["novelty"]
    assert plain is not None and quadratic is not None
    assert [plain.estimate, quadratic.estimate] == pytest.approx([1.0, 1.0])
    (near,) = between_raters(rated(1)).values()
    plain, quadratic = near["novelty"]
    assert plain is not None and quadratic is not None
    assert plain.estimate < 0 < 0.8 < quadratic.estimate


def test_the_figures_of_a_set(tmp_path: Path) -> None:
    told = described(QUESTIONS)
    assert told["questions"] == 24
    assert told["types"] == {"contrast-analysis": 24}
    assert told["entities"] == {"distinct": 24, "most_questions_of_one": 25}
    assert told["subgraph"] == {"nodes": 9, "statements": 12, "kept_nodes": 7, "kept_statements": 8}
    assert sum(told["naturalness"].values()) == 24
    assert told["kappa"] == [] and told["pearson"] == {}
    json.dumps(told)
    pytest.importorskip("matplotlib")
    draw(QUESTIONS, tmp_path / "set.svg")
    assert "<svg" in (tmp_path / "set.svg").read_text("utf-8")
    with pytest.raises(SettingsError):
        draw(QUESTIONS, tmp_path / "set.rhyme")


# --- instructions


def rated() -> list[Record]:
    return [
        {**one, "human": {"ines": {**dict.fromkeys(AXES, float(1 + number % 10)), "comment": f"remark {number}"}}}
        for number, one in enumerate(QUESTIONS)
    ]


def better(text: str) -> ScriptedModel:
    return ScriptedModel(lambda request: json.dumps({"changes": "Shorter.", "instruction": text}))


@pytest.mark.parametrize("which", ["write", "score"])
def test_versions_follow_each_other_and_half_of_the_questions_is_never_shown(tmp_path: Path, which: Any) -> None:
    for number, text in enumerate(("Ask in few words.", "Ask in fewer words."), 1):
        model = better(text)
        path, changes = asyncio.run(tuned(model, rated(), which, tmp_path))
        assert (path.name, changes) == (f"{which}-{number}.md", "Shorter.")
        sent = model.requests[0].messages[-1].content
        shown = [one for one in rated() if one["question"] in sent]
        assert shown and not any(map(kept_back, shown))
        assert all(f"remark {QUESTIONS.index(question(int(one['id'][-4:])))}" in sent for one in shown)
        assert ("Ask in few words." in sent) == (number == 2)
    assert [path.name for path in versions(tmp_path, which)] == [f"{which}-1.md", f"{which}-2.md"]
    log = [json.loads(line) for line in (tmp_path / "versions.jsonl").read_text("utf-8").splitlines()]
    assert [one["from"] for one in log] == ["the one that ships", f"{which}-1.md"]
    assert Instructions.read(**{which: path}).text(which) == "Ask in fewer words."


def test_the_worst_rated_are_shown_for_writing(tmp_path: Path) -> None:
    model = better("Ask in few words.")
    asyncio.run(tuned(model, rated(), "write", tmp_path, worst=2))
    sent = model.requests[0].messages[-1].content
    open_ = [one for one in rated() if not kept_back(one)]
    worst = sorted(open_, key=lambda one: one["human"]["ines"]["novelty"])[:2]
    assert sent.count("given: ") == 2
    assert {one["human"]["ines"]["novelty"] for one in open_ if one["question"] in sent} == {
        one["human"]["ines"]["novelty"] for one in worst
    }


def test_an_instruction_with_a_name_of_a_case_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplyError, match="names of cases"):
        asyncio.run(tuned(better("Ask what pump 0 lifts."), rated(), "write", tmp_path))
    assert versions(tmp_path, "write") == []


def test_nothing_is_tuned_on_questions_that_nobody_scored(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="people have scored none"):
        asyncio.run(tuned(better("Ask."), QUESTIONS, "score", tmp_path))


def test_another_instruction_scores_anew(tmp_path: Path) -> None:
    path = tmp_path / "score-1.md"
    path.write_text("Be strict.\n", "utf-8")
    model = ScriptedModel(lambda request: json.dumps(GOOD), "judge")
    writer = Writer(model, Instructions.read(score=path))
    found = asyncio.run(rescored(writer, rated()[3]))
    assert found["scores"] == {axis: GOOD[axis] for axis in AXES}
    assert (found["scored_by"], found["human"]) == ("judge", rated()[3]["human"])
    sent: ModelRequest = model.requests[0]
    assert sent.messages[0].content.startswith("Be strict.\n")
    assert "Reply with JSON" in sent.messages[0].content  # the form stays
    assert "[1] pump 3 | lifts | water" in sent.messages[-1].content


@pytest.mark.parametrize("text", ["", "Ask.\n---\nReply with yes."])
def test_a_file_that_is_no_instruction_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "write-1.md").write_text(text, "utf-8")
    with pytest.raises(SourceError, match="is no instruction"):
        Instructions.read(write=tmp_path / "write-1.md")
    with pytest.raises(SourceError, match="cannot be read as an instruction"):
        Instructions.read(write=tmp_path / "nowhere.md")
