"""Reading the files of a data set: where they lie, their lines, their JSON records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.types import Problem, Question

__all__ = ["ProblemList", "collect", "data_folder", "json_records", "lines", "required", "text_field", "text_list"]

ProblemList = list[Problem]
Record = TypeVar("Record")


def data_folder(data: Path, name: str) -> Path:
    """The folder of a data set, where ``data`` is that folder or the root that holds it as ``name``.

    Raises:
        SourceError: ``data`` is not a folder.
    """
    if not data.is_dir():
        raise SourceError(
            f"no such folder; --data takes the folder of the data set or the one that holds {name}/", data
        )
    inner = data / name
    return inner if inner.is_dir() else data


def required(folder: Path, file: str) -> Path:
    """The path of a file that the data set cannot do without.

    Raises:
        SourceError: it is not there.
    """
    path = folder / file
    if not path.is_file():
        raise SourceError("no such file; give --data the folder that holds it", path)
    return path


def lines(path: Path, problems: ProblemList) -> Iterator[tuple[int, str]]:
    """The non-empty lines of a UTF-8 file with their 1-based numbers; a line that is not UTF-8 becomes a problem.

    Raises:
        SourceError: the file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    problems.append(Problem(path, number, f"not UTF-8 at byte {error.start + 1}"))
                    continue
                if text.strip():
                    yield number, text
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path) from error


def json_records(path: Path, problems: ProblemList) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The JSON objects of a file with one on each line; any other line becomes a problem."""
    for number, text in lines(path, problems):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            problems.append(Problem(path, number, f"not JSON: {reason}"))
            continue
        if isinstance(record, dict):
            yield number, record
        else:
            problems.append(Problem(path, number, f"a JSON object is expected, not {type(record).__name__}"))


def collect(
    path: Path, records: Iterable[tuple[int, Record]], parse: Callable[[int, Record], Question], problems: ProblemList
) -> tuple[Question, ...]:
    """The questions that ``parse`` makes of the numbered records of a file.

    A record for which it raises SourceError, and one whose id came before, becomes a problem.
    """
    questions: dict[str, Question] = {}
    for number, record in records:
        try:
            question = parse(number, record)
        except SourceError as error:
            problems.append(Problem(path, number, str(error)))
            continue
        if (first := questions.setdefault(question.id, question)) is not question:
            problems.append(Problem(path, number, f"the id {question.id!r} stands at line {first.line} already"))
    return tuple(questions.values())


def text_field(record: Mapping[str, Any], field: str) -> str:
    """A field that must hold text.

    Raises:
        SourceError: it is missing, blank or not text.
    """
    value = record.get(field)
    if isinstance(value, str) and value.strip():
        return value.strip()
    raise SourceError("holds no text" if field in record else "is missing", field=field)


def text_list(record: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """A field that must hold a list of texts: the distinct ones in their order.

    Raises:
        SourceError: it is missing or is not a list of texts.
    """
    value = record.get(field)
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise SourceError("is not a list of texts" if field in record else "is missing", field=field)
    return tuple(dict.fromkeys(item.strip() for item in value))
