"""TempQuestions: questions that need times, answered from Freebase, which comes with none.

``TempQuestions.json`` is an array (or ``questions.jsonl`` lines) of ``{Id, Question, Gold answer, Type, …}``. A type is
"Explicit", "Implicit", "Temp.Ans" or "Ordinal", or several of them; two published records misspell one.
papers/rr (4.3) asks the implicit questions with a single answer: ``tempquestions/implicit``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import read_json, text_field, text_list
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

_MISSPELT = {"Implicit:": "Implicit", "Odinal": "Ordinal"}


def _question(_: int, record: Mapping[str, Any]) -> Question:
    name = record.get("Id")
    if not isinstance(name, int) or isinstance(name, bool):
        raise SourceError("is missing or is not a number", field="Id")
    answers = text_list(record, "Gold answer")
    if not answers:
        raise SourceError("is empty", field="Gold answer")
    return Question(
        id=f"TempQuestions-{name}",
        question=text_field(record, "Question"),
        answers=answers,
        type=" ".join(_MISSPELT.get(kind, kind) for kind in text_list(record, "Type")),
    )


def _load(name: str, data: Path) -> Dataset:
    dataset = read_json(name, ["TempQuestions.json", "questions.jsonl"], _question, data)
    if name == "tempquestions":
        return dataset
    implicit = (
        question for question in dataset.questions if "Implicit" in question.type.split() and len(question.answers) == 1
    )
    return replace(dataset, questions=tuple(implicit))


LOADERS = {
    name: Declared(
        id=name,
        title=title,
        source="Jia et al. 2018 (zhenjia2017)",
        licence="no licence file there",
        files="TempQuestions.json",
        fields=("answers", "type"),
        read=partial(_load, name),
        needs="a graph with dated statements (Wikidata; for rr --knowledge temporal), and a model; none comes with it",
    )
    for name, title in (
        ("tempquestions", "questions that need times"),
        ("tempquestions/implicit", "questions that need times they do not say, with one answer (papers/rr 4.3)"),
    )
}
