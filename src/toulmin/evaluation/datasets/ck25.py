"""CK25: what the people of a company ask of its graph (TEXT2SPARQL challenge 2025, corporate part).

``questions.jsonl`` holds ``{id, question, answers}`` on each line: the gold is the set of distinct values of all
columns of a query's rows, entities by their IRIs. So they are compared (``Question.by_id``), as the challenge does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toulmin.evaluation.datasets.files import (
    ProblemList,
    collect,
    data_folder,
    json_records,
    required,
    text_field,
    text_list,
)
from toulmin.evaluation.datasets.types import Dataset, Question

__all__ = ["LOADERS"]


def _load(data: Path) -> Dataset:
    folder = data_folder(data, "ck25")
    path = required(folder, "questions.jsonl")
    problems: ProblemList = []

    def question(number: int, record: Mapping[str, Any]) -> Question:
        return Question(
            id=text_field(record, "id"),
            question=text_field(record, "question"),
            answers=text_list(record, "answers"),
            by_id=True,
            file=path.name,
            line=number,
        )

    questions = collect(path, json_records(path, problems), question, problems)
    graphs = tuple(folder / name for name in ("prod-inst.ttl", "prod-vocab.ttl"))
    return Dataset("ck25", questions, tuple(problems), graphs)


LOADERS: dict[str, Callable[[Path], Dataset]] = {"ck25": _load}
