"""The folder of a run: ``run.json`` says what is run, ``records.jsonl`` gets one line for each question as it finishes.

A run goes on where it stopped: questions that have a record are not asked again, but for those that crashed. A line
torn by a kill is cut off.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from typing import Literal as Choice

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.closing import Closing

try:
    import fcntl
except ImportError:  # a system that is not POSIX: nothing keeps two processes apart there
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "RECORDS",
    "RUN",
    "SUMMARY",
    "Outcome",
    "RunFolder",
    "Score",
    "cut_torn_line",
    "differences",
    "read_records",
    "read_run",
    "replace_file",
    "runs_in",
    "whole_lines",
    "write_json",
    "writing",
]

RUN, RECORDS, SUMMARY = "run.json", "records.jsonl", "summary.json"
Outcome = Choice["answered", "abstained", "crashed", "timed out"]
_OUTCOMES = ("answered", "abstained", "crashed", "timed out")


@dataclass(frozen=True, slots=True)
class Score:
    """What a summary needs of one record.

    Args:
        metrics: by name; every one is 0 unless the question was answered.
        seconds: wall time of the method.
        usage: the numbers of the answer's usage, or of a model's that gave nothing usable; else empty.
        failures: how often each step got no usable reply from the model.
        confidence: of the answer; None where it has none.
        status: the weakest status that the check found; None where it was not checked.
        checks: whether nothing failed in the check; None where it was not checked.
    """

    id: str
    outcome: Outcome
    metrics: Mapping[str, float]
    seconds: float
    usage: Mapping[str, float]
    status: str | None
    checks: bool | None
    failures: Mapping[str, int] = field(default_factory=dict)
    confidence: float | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Score:
        """The score of a record.

        Raises:
            SourceError: a field is missing or holds something else.
        """
        name, outcome, metrics, seconds = (record.get(key) for key in ("id", "outcome", "metrics", "seconds"))
        check, answer = record.get("check"), record.get("answer")
        status, checks = (check.get("status"), check.get("passed")) if isinstance(check, dict) else (None, None)
        usage = (answer if isinstance(answer, dict) else record).get("usage", {})
        confidence = record.get("confidence", answer.get("confidence") if isinstance(answer, dict) else None)
        if not isinstance(name, str) or outcome not in _OUTCOMES or not isinstance(seconds, (int, float)):
            raise SourceError("not a record of a run: 'id', 'outcome' or 'seconds' is missing or of another kind")
        if not isinstance(metrics, dict) or not all(isinstance(value, (int, float)) for value in metrics.values()):
            raise SourceError("not a record of a run: 'metrics' does not hold numbers")
        if not isinstance(checks, bool | None) or not isinstance(status, str | None) or not isinstance(usage, dict):
            raise SourceError("not a record of a run: 'check' or the usage of the answer is of another kind")
        numbers = {key: float(value) for key, value in usage.items() if isinstance(value, (int, float))}
        failed = usage.get("failures") or {}
        if not isinstance(failed, dict) or not all(isinstance(count, int) for count in failed.values()):
            raise SourceError("not a record of a run: the failures of the answer are of another kind")
        if not isinstance(confidence, (int, float, type(None))):
            raise SourceError("not a record of a run: 'confidence' is no number")
        return cls(name, outcome, metrics, float(seconds), numbers, status, checks, failed, confidence)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell what stops the block from writing there as an error of settings.

    Raises:
        SettingsError: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from None


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON file so that it is never half there.

    Raises:
        SettingsError: it cannot be written.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    with writing(path):
        replace_file(path, [text.encode(errors="backslashreplace")])


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file so that it is never half there.

    Raises:
        OSError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            stream.writelines(lines)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; the last one is left out where a kill has torn it."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.endswith(b"\n"):
                yield number, line


def read_run(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says.

    Raises:
        SourceError: it is not there or is no JSON object.
    """
    path = folder / RUN
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"not the folder of a run: {error.strerror}", path) from None
    except (ValueError, RecursionError) as error:  # the latter: nested too deeply
        raise SourceError(f"damaged: {error}; delete the folder to start again", path) from None
    if not isinstance(value, dict):
        raise SourceError("damaged: not a JSON object; delete the folder to start again", path)
    return value


def runs_in(paths: Iterable[Path]) -> list[Path]:
    """The folders of the runs that paths name: each is one, or holds some, however deep; each run once, in order.

    Raises:
        SourceError: there is none in one of them.
    """
    runs: dict[Path, None] = {}
    for path in paths:
        here = [path] if (path / RUN).is_file() else sorted(file.parent for file in path.rglob(RUN))
        if not here:
            raise SourceError(f"neither the folder of a run nor one that holds runs: there is no {RUN}", path)
        runs |= dict.fromkeys(here)
    return list(runs)


def read_records(folder: Path) -> Iterator[dict[str, Any]]:
    """The whole records of a run, in the order in which they finished; a torn last line is left out.

    Raises:
        SourceError: a line is not a record.
    """
    path = folder / RECORDS
    for number, line in whole_lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"not JSON ({error}); delete this line to ask its question again", path, number) from None
        if not isinstance(record, dict):
            raise SourceError("not a record of a run; delete this line to ask its question again", path, number)
        yield record


def differences(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> list[str]:
    """How two JSON objects differ, in words, by the paths of their fields."""
    found = []
    for key in dict.fromkeys((*old, *new)):
        a, b = old.get(key), new.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            found += differences(a, b, f"{prefix}{key}.")
        elif a != b:
            found.append(f"{prefix}{key} was {json.dumps(a)}, is {json.dumps(b)}")
    return found


def cut_torn_line(path: Path) -> None:
    """Cut off what stands after the last line break of a file, which is made where it is not there."""
    with path.open("ab+") as stream:
        end = stream.seek(0, os.SEEK_END)
        start = end
        while start > 0:
            step = min(start, 1 << 16)  # bytes read at a time
            stream.seek(start - step)
            newline = stream.read(step).rfind(b"\n")
            if newline >= 0:
                stream.truncate(start - step + newline + 1)
                return
            start -= step
        stream.truncate(0)


class RunFolder(Closing):
    """The folder of one run, opened to go on with it; one process at a time has it open.

    Args:
        folder: made where it is not there.
        record_of_run: all that a record depends on, as JSON; must be what ``run.json`` of an earlier run in this folder
            says.

    Attributes:
        done: the ids of the questions that have a record.
        crashed: those of them whose record is of a crash.
        spent: the sums of what these records say that their questions cost.

    Raises:
        SettingsError: the folder is of a run of something else, is worked on by another process, or cannot be written.
        SourceError: a file in it is damaged.
    """

    def __init__(self, folder: Path, record_of_run: Mapping[str, Any]) -> None:
        self.folder = folder
        with ExitStack() as stack:
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
                if (folder / RUN).exists():
                    if found := differences(read_run(folder), record_of_run):
                        raise SettingsError(
                            f"{folder} holds a run of something else ({'; '.join(found)}): give another folder"
                        )
                elif (folder / RECORDS).exists():
                    raise SettingsError(
                        f"{folder} holds {RECORDS} but no {RUN}, so what it is of is not known: give another folder"
                    )
                else:
                    write_json(folder / RUN, record_of_run)
                stack.enter_context(_alone(folder / RUN))
                cut_torn_line(folder / RECORDS)
                self._records = stack.enter_context((folder / RECORDS).open("ab", buffering=0))
            self._count_all()
            self._stack = stack.pop_all()

    def close(self) -> None:
        """Close the file of records, and let other processes open the folder."""
        self._stack.close()

    def forget(self, questions: Collection[str]) -> None:
        """Leave out the records of questions that are to be asked again."""
        gone = self.done & set(questions)
        if not gone:
            return
        path = self.folder / RECORDS
        replace_file(path, (line for _, line in whole_lines(path) if json.loads(line)["id"] not in gone))
        self._records.close()
        self._records = self._stack.enter_context(path.open("ab", buffering=0))
        self._count_all()

    def append(self, record: Mapping[str, Any]) -> None:
        """Write a record and hand it to the operating system before returning."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        # A lone surrogate of a broken label becomes its JSON escape.
        self._records.write(line.encode("utf-8", errors="backslashreplace"))
        self._count(Score.of(record))

    def scores(self, questions: Sequence[str]) -> list[Score]:
        """What the records say of these questions, in this order."""
        ids = set(questions)
        by_id = {score.id: score for score in map(Score.of, read_records(self.folder)) if score.id in ids}
        return [by_id[question] for question in questions]

    def _count_all(self) -> None:
        self.done: set[str] = set()
        self.crashed: set[str] = set()
        self.spent: defaultdict[str, float] = defaultdict(float)
        for number, record in enumerate(read_records(self.folder), start=1):
            try:
                self._count(Score.of(record))
            except SourceError as error:
                raise SourceError(str(error), self.folder / RECORDS, number) from None

    def _count(self, score: Score) -> None:
        self.done.add(score.id)
        if score.outcome == "crashed":
            self.crashed.add(score.id)
        for name, value in score.usage.items():
            self.spent[name] += value


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock on a file, which the operating system takes off when the process ends, however it does.

    Raises:
        SettingsError: another process holds it.
    """
    with path.open("rb") as stream:
        if fcntl is not None:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SettingsError(f"{path.parent} is being worked on by another process: wait for it") from None
        yield
