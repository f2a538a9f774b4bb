"""Reading the files of a data set: where they lie, their lines, their JSON records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.types import Dataset, Problem, Question

__all__ = [
    "ProblemList",
    "collect",
    "data_folder",
    "json_dataset",
    "json_object",
    "json_records",
    "lines",
    "read_json",
    "required",
    "text_field",
    "text_list",
    "true_or_false",
    "usable",
]

ProblemList = list[Problem]
Record = TypeVar("Record")
Usable = TypeVar("Usable")
_Parse = Callable[[int, Mapping[str, Any]], Question]  # of a line's number and its record
_BLOCK = 1 << 20  # characters of an array that are read at a time


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


def required(folder: Path, *files: str) -> Path:
    """The path of a file that the data set cannot do without: the first of these names that is there.

    Raises:
        SourceError: none is.
    """
    for file in files:
        if (path := folder / file).is_file():
            return path
    also = f" (nor {', '.join(files[1:])})" if files[1:] else ""
    raise SourceError(f"no such file{also}; give --data the folder that holds it", folder / files[0])


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
    """The JSON objects of a file, one on each line or all in one array, with the lines where they begin.

    Whatever else stands there becomes a problem. Of an array no more is held than one block and one object.
    """
    for number, value in _array(path, problems) if _is_array(path) else _json_lines(path, problems):
        if isinstance(value, dict):
            yield number, value
        else:
            problems.append(Problem(path, number, f"a JSON object is expected, not {type(value).__name__}"))


def json_object(path: Path) -> dict[str, Any]:
    """The one JSON object that a file is.

    Raises:
        SourceError: it is none, or cannot be read.
    """
    try:
        held = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise SourceError(f"cannot be read as JSON: {error}", path) from None
    if isinstance(held, dict):
        return held
    raise SourceError("is not a JSON object", path)


def _json_lines(path: Path, problems: ProblemList) -> Iterator[tuple[int, Any]]:
    for number, text in lines(path, problems):
        try:
            yield number, json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            problems.append(Problem(path, number, f"not JSON: {reason}"))


def _is_array(path: Path) -> bool:
    """Whether the file begins with a bracket that does not close on its line."""
    for _, text in lines(path, []):
        bare = text.strip()
        return bare == "[" or (bare[0] == "[" and path.suffix == ".json")
    return False


def _array(path: Path, problems: ProblemList) -> Iterator[tuple[int, Any]]:
    """The elements of an array with their lines; where it is no JSON, the rest of the file is one problem."""
    decoder, held, number, before = json.JSONDecoder(), "", 1, "["
    with path.open(encoding="utf-8-sig", newline="") as stream:
        while True:
            bare = held.lstrip()
            number += held[: len(held) - len(bare)].count("\n")
            held, problem = bare, "it ends within the array"
            if before != "[" and held[:1] == "]":
                return
            if before and held:
                if held[0] != before:
                    problems.append(Problem(path, number, f"not JSON from here on: {before!r} is missing"))
                    return
                held, before = held[1:], ""
                continue
            try:
                value, end = decoder.raw_decode(held)
            except (ValueError, RecursionError) as error:
                problem = error.msg if held and isinstance(error, json.JSONDecodeError) else problem
            else:
                yield number, value
                number += held[:end].count("\n")
                held, before = held[end:], ","
                continue
            try:
                block = stream.read(_BLOCK)
            except UnicodeDecodeError:
                block, problem = "", "it is not UTF-8"
            if not block:
                problems.append(Problem(path, number, f"not JSON from here on: {problem}"))
                return
            held += block


def usable(
    path: Path, records: Iterable[tuple[int, Record]], parse: Callable[[int, Record], Usable], problems: ProblemList
) -> Iterator[tuple[int, Usable]]:
    """What ``parse`` makes of the numbered records of a file; one for which it raises SourceError becomes a problem."""
    for number, record in records:
        try:
            parsed = parse(number, record)
        except SourceError as error:
            problems.append(Problem(path, number, str(error)))
        else:
            yield number, parsed


def collect(
    path: Path,
    records: Iterable[tuple[int, Record]],
    parse: Callable[[int, Record], Question],
    problems: ProblemList,
    file: str | None = None,
) -> tuple[Question, ...]:
    """The questions that ``parse`` makes of the numbered records of a file, each with its file and line.

    A record for which it raises SourceError, and one whose id came before, becomes a problem.

    Args:
        file: the name of the file in the questions; default: without its folder.
    """
    questions: dict[str, Question] = {}
    for number, parsed in usable(path, records, parse, problems):
        question = replace(parsed, file=file or path.name, line=number)
        if (first := questions.setdefault(question.id, question)) is not question:
            problems.append(Problem(path, number, f"the id {question.id!r} stands at line {first.line} already"))
    return tuple(questions.values())


def json_dataset(name: str, path: Path, parse: _Parse, *graphs: Path, problems: ProblemList | None = None) -> Dataset:
    """The data set of one file of JSON records (``json_records``).

    Args:
        parse: makes a question of a line's number and its record, see ``collect``.
        graphs: files of the graph that belongs to it.
        problems: those of files that were read before.
    """
    problem_list: ProblemList = [] if problems is None else problems
    questions = collect(path, json_records(path, problem_list), parse, problem_list)
    return Dataset(name, questions, tuple(problem_list), graphs)


def read_json(name: str, files: Sequence[str], parse: _Parse, data: Path, *, graphs: Sequence[str] = ()) -> Dataset:
    """``json_dataset`` of the first of ``files`` that is in the folder, which is called as the id up to its slash."""
    folder = data_folder(data, name.partition("/")[0])
    return json_dataset(name, required(folder, *files), parse, *(folder / graph for graph in graphs))


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


def true_or_false(record: Mapping[str, Any], field: str) -> bool:
    """A field that must hold true or false.

    Raises:
        SourceError: it is missing or holds something else.
    """
    value = record.get(field)
    if isinstance(value, bool):
        return value
    raise SourceError(f"is not true or false but {value!r}" if field in record else "is missing", field=field)
