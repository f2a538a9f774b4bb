"""A file of generated questions (JSON lines): what the data set ``okgqa`` reads, how each was made, what it scored."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.records import replace_file, writing
from toulmin.graph.closing import Closing

__all__ = ["QuestionFile", "Record", "read_questions", "write_questions"]

#: A question as JSON: ``id``, ``question``, ``type``, ``entities`` (ids), ``answers`` (none), and more (docs/okgqa.md).
Record = dict[str, Any]

_LATER = "human"  # what is added to a record after it was written


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, ensure_ascii=False, separators=(", ", ": ")) + "\n"
    return text.encode("utf-8", errors="backslashreplace")  # a lone surrogate of a label becomes its JSON escape


def read_questions(path: Path) -> list[Record]:
    """The questions of a file.

    Raises:
        SourceError: it cannot be read, or a line is no question.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path) from None
    records = [_record(line, path, number) for number, line in enumerate(lines, start=1) if line.strip()]
    if not records:
        raise SourceError("holds no questions", path)
    return records


def _record(line: bytes, path: Path, number: int) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}", path, number) from None
    if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in ("id", "question", "type")):
        raise SourceError("no question: 'id', 'question' and 'type' are expected, each a text", path, number)
    scores = record.get("scores", {})
    if not isinstance(scores, dict) or not all(isinstance(score, int) for score in scores.values()):
        raise SourceError("the scores are no whole numbers", path, number, field="scores")
    return record


def write_questions(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Write a file so that it is never half there.

    Raises:
        SettingsError: it cannot be written.
    """
    with writing(path):
        replace_file(path, map(_line, records))


class QuestionFile(Closing):
    """A file that questions are added to as they come. What it holds already must be the beginning of the same set.

    Raises:
        SettingsError: it cannot be written.
        SourceError: it holds something else than questions.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: list[Record] = []
        self._place = 0
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                whole = path.read_bytes()
                end = whole.rfind(b"\n") + 1  # a line that a kill has torn goes
                self._held = [_record(line, path, at) for at, line in enumerate(whole[:end].splitlines(), start=1)]
                os.truncate(path, end)
            self._stream = path.open("ab", buffering=0)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def add(self, record: Record) -> None:
        """Write a question, or see that the file holds it already in its place.

        Raises:
            SettingsError: another one stands in its place.
        """
        if self._place < len(self._held):
            held = {key: value for key, value in self._held[self._place].items() if key != _LATER}
            if held != json.loads(_line(record)):
                raise SettingsError(
                    f"{self._path} holds questions of another graph, model or setting (line {self._place + 1}): "
                    "give another file"
                )
        else:
            self._stream.write(_line(record))
        self._place += 1
