"""OKGQA: open-ended questions of ten types (Sui et al. 2024), generated from any graph or as they were published.

``questions.jsonl`` is what ``toulmin generate`` writes; --data may be that file itself. The published set is a CSV of
questions about DBpedia: ``question``, ``type`` (one of five), ``id``, and the template's ``placeholders`` with what
stands for them, as a Python dictionary. Neither has gold: the answer is a paragraph, judged by what it says.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, data_folder, json_dataset, text_field, text_list
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

_PUBLISHED = ("filtered_questions_v3.csv", "questions_v3.csv")


def _file(data: Path) -> Path:
    if data.is_file():
        return data
    folder = data_folder(data, "okgqa")
    for name in ("questions.jsonl", *_PUBLISHED):
        if (folder / name).is_file():
            return folder / name
    raise SourceError(f"holds neither questions.jsonl of `toulmin generate` nor {' nor '.join(_PUBLISHED)}", folder)


def _question(_: int, record: Mapping[str, Any]) -> Question:
    names = text_list(record, "names") if record.get("names") else ()
    return Question(
        id=text_field(record, "id"),
        question=text_field(record, "question"),
        type=text_field(record, "type"),
        gold_entities=_stand_ins(text_field(record, "placeholders")) if "placeholders" in record else names,
    )


def _load(data: Path) -> Dataset:
    path = _file(data)
    if path.suffix == ".csv":
        problems: ProblemList = []
        return Dataset("okgqa", collect(path, _rows(path), _question, problems), tuple(problems))
    return json_dataset("okgqa", path, _question)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            for row in reader:
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from None


def _stand_ins(placeholders: str) -> tuple[str, ...]:
    """The texts that a template's placeholders of entities were filled with; not those of aspects, fields or times."""
    try:
        meanings = ast.literal_eval(placeholders)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        meanings = None
    if not isinstance(meanings, dict) or not all(isinstance(text, str) for pair in meanings.items() for text in pair):
        raise SourceError("is no dictionary of placeholders", field="placeholders")
    kinds = ("person", "event", "entity", "theory", "method")
    return tuple(
        value for key, value in meanings.items() if any(word in key.lower() for word in kinds) and value.strip()
    )


LOADERS = {
    "okgqa": Declared(
        id="okgqa",
        title="open-ended questions of ten types, generated from any graph, or the published ones about DBpedia",
        source="Sui et al. 2024, papers/okgqa (Y-Sui/OKGQA); `toulmin generate`",
        licence="of the published ones: no licence file was at hand",
        files="questions.jsonl of `toulmin generate`, or filtered_questions_v3.csv",
        fields=("type", "gold_entities"),
        read=_load,
        needs="a model, and the graph that they were generated from; there is no gold: answers are judged",
    )
}
