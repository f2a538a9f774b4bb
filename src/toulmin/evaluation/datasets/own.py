"""Questions of one's own: JSON lines, or CSV with the same names in its first line. docs/datasets.md describes both."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import InputError, SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, json_records, text_field, text_list, true_or_false
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.graph.readers.minting import mint_entity, mint_relation
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.graph.values import literal_from_text
from toulmin.methods.request import Request
from toulmin.registry import closest

__all__ = ["FIELDS", "is_file_name", "read"]

_LINES, _CSV = (".jsonl", ".ndjson", ".json"), (".csv", ".tsv")
_BETWEEN = "|"  # the parts of a list in a cell


def _id(record: Mapping[str, Any], field: str) -> str:
    value = record[field]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text_field(record, field)


def _whole_number(record: Mapping[str, Any], field: str) -> int:
    value = record[field]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SourceError(f"is {value!r}: give a whole number, 0 or more", field=field)
    return value


def _one_or_more(record: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """A list of texts, or one text."""
    texts = text_list({field: [record[field]]} if isinstance(record[field], str) else record, field)
    if not texts:
        raise SourceError("is empty: leave it out, or give a text", field=field)
    return texts


def _statements(record: Mapping[str, Any], field: str) -> tuple[Statement, ...]:
    triples = record[field]
    if not isinstance(triples, list) or not triples:
        raise SourceError("is not a list of [subject, relation, object]", field=field)
    for triple in triples:
        texts = triple if isinstance(triple, list) else []
        if len(texts) != 3 or not all(isinstance(text, str) and text.strip() for text in texts):
            raise SourceError(f"{triple!r} is not [subject, relation, object]: give three texts", field=field)
    return tuple(
        Statement(
            Entity(mint_entity(subject), subject),
            Relation(mint_relation(relation), relation),
            literal_from_text(value) or Entity(mint_entity(value), value),
            graph="question",
        )
        for subject, relation, value in ([text.strip() for text in triple] for triple in triples)
    )


#: What a record may hold: the field of ``Question`` that it fills, and how it is read.
FIELDS: Mapping[str, tuple[str, Callable[[Mapping[str, Any], str], Any]]] = {
    "id": ("id", _id),
    "question": ("question", text_field),
    "answers": ("answers", _one_or_more),
    "verdict": ("verdict", true_or_false),
    "unknown": ("unknown", true_or_false),
    "options": ("options", _one_or_more),
    "by_id": ("by_id", true_or_false),
    "task": ("task", text_field),
    "type": ("type", text_field),
    "hops": ("hops", _whole_number),
    "entities": ("gold_entities", _one_or_more),
    "gold_text": ("gold_text", text_field),
    "statements": ("statements", _statements),
    "passages": ("passages", _one_or_more),
}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def is_file_name(name: str) -> bool:
    """Whether it names a file of questions, by its suffix."""
    return Path(name).suffix.lower() in (*_LINES, *_CSV)


def read(path: Path) -> Dataset:
    """The questions of a file; one without an id is called by its line, ``line-7``.

    Raises:
        SourceError: there is no such file; the first line of a CSV file names other columns; no question can be used.
    """
    if not path.is_file():
        raise SourceError("no such file", path)
    problems: ProblemList = []
    if path.suffix.lower() in _CSV:
        names, rows = _rows(path)
        questions = collect(path, rows, lambda line, cells: _question(path, line, _record(names, cells)), problems)
    else:
        questions = collect(path, json_records(path, problems), partial(_question, path), problems)
    if any(question.passages for question in questions):
        questions = tuple(replace(question, passages=question.passages or ()) for question in questions)
    if questions:
        return Dataset(path.name, questions, tuple(problems))
    if problems:
        raise SourceError(f"{problems[0].problem} (and no other question can be used)", path, problems[0].line)
    where = "below the names of the columns" if path.suffix.lower() in _CSV else '{"question": …, "answers": […]}'
    raise SourceError(f"holds no questions: give one a line, {where}", path)


def _question(path: Path, line: int, record: Mapping[str, Any]) -> Question:
    if "rests_on" in record:
        raise SourceError(
            "this is of `toulmin generate`: give `okgqa --data FILE` in place of the file", field="rests_on"
        )
    for name in record:
        _check_name(name)
    present = {name: value for name, value in record.items() if value is not None}
    values = {FIELDS[name][0]: FIELDS[name][1](present, name) for name in ("question", *present)}
    question = Question(**{"id": f"line-{line}", **values})
    try:
        Request(question.question, question.task, question.options)
    except InputError as error:
        raise SourceError(str(error)) from None
    golds = {"answers": bool(question.answers), "verdict": question.verdict is not None, "unknown": question.unknown}
    if sum(golds.values()) > 1:
        raise SourceError(f"{' and '.join(name for name in golds if golds[name])} are given: keep one, the gold")
    if question.task == "claim" and question.answers:
        raise SourceError("a claim has none: give it a verdict, true or false", field="answers")
    right = len(question.answers) == 1 and question.answers[0] in question.options
    if question.options and not question.unknown and not right:
        raise SourceError("is not one of the options: give the text of the right one", field="answers")
    return question


def _check_name(name: str, path: Path | None = None, line: int | None = None) -> None:
    if name not in FIELDS:
        near = closest(name, tuple(FIELDS)) or f"; there are {', '.join(FIELDS)}"
        raise SourceError(f"no such field{near}", path, line, field=name)


def _rows(path: Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The names in the first line of a CSV file, and the rows below it with the lines where they begin."""
    rows = _numbered(path)
    names = [name.strip() for name in next(rows, (1, []))[1]]
    for name in names:
        _check_name(name, path, 1)
    if "question" not in names or len(set(names)) < len(names):
        raise SourceError("names no column 'question', or one twice: the first line names the columns", path, 1)
    return names, rows


def _numbered(path: Path) -> Iterator[tuple[int, list[str]]]:
    last = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline()
            stream.seek(0)
            rows = csv.reader(stream, delimiter=max(",;\t", key=first.count), strict=True)
            for cells in rows:
                line, last = last + 1, rows.line_num
                if any(cell.strip() for cell in cells):
                    yield line, cells
    except UnicodeDecodeError:
        raise SourceError("is not UTF-8 here or later: convert the file to UTF-8 first", path, last + 1) from None
    except csv.Error as error:
        raise SourceError(f"is no CSV: {error}", path, last + 1) from None


def _record(names: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    """A row as the record that a line of JSON would hold; empty cells are left out."""
    if len(cells) != len(names):
        raise SourceError(
            f"{len(cells)} cells where the first line names {len(names)}: quote a cell with the delimiter"
        )
    return {name: _value(name, cell.strip()) for name, cell in zip(names, cells, strict=True) if cell.strip()}


def _value(name: str, cell: str) -> Any:
    if FIELDS[name][1] is _one_or_more:
        return [part.strip() for part in cell.split(_BETWEEN) if part.strip()]
    if FIELDS[name][1] is true_or_false:
        return _TRUTHS.get(cell.lower(), cell)
    if FIELDS[name][1] is _whole_number:
        return int(cell) if cell.isascii() and cell.isdigit() else cell
    return cell
