"""What was judged of a run: ``judgements.jsonl`` in its folder, one line for each question and metric.

The last line for a question and metric counts. ``judging.json`` says of each metric by whom and how it is judged, so
that one run is never judged in two ways.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.records import (
    cut_torn_line,
    differences,
    read_records,
    replace_file,
    whole_lines,
    write_json,
    writing,
)

__all__ = ["JUDGEMENTS", "JUDGING", "Judgement", "JudgingFolder", "read_judgements", "with_judgements"]

JUDGEMENTS, JUDGING = "judgements.jsonl", "judging.json"
_AGAIN = "delete this line to have its question judged again"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one answer by one metric.

    Args:
        id: of the question.
        metric: "factscore", "safe", "g_eval_correctness", "reasoning_score" …
        score: as the metric defines it; None: there is nothing to judge, or it failed.
        details: what the score rests on; ``details["measures"]``, where it is there, has further numbers by name.
        judge: the model's name; of a judge without a model, what judges.
        usage: calls, tokens, seconds, cost.
        error: why it failed: type and message.
    """

    id: str
    metric: str
    score: float | None
    details: Mapping[str, Any]
    judge: str
    usage: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, str] | None = None

    @property
    def numbers(self) -> dict[str, float]:
        """The metrics that it adds to the record of its question."""
        measures = dict(self.details.get("measures") or {})
        return measures if self.score is None else {self.metric: self.score} | measures

    @classmethod
    def of(cls, value: object) -> Judgement:
        """A judgement as it was written.

        Raises:
            SourceError: it is none.
        """
        if not isinstance(value, dict):
            raise SourceError("not a judgement: no JSON object")
        values: dict[str, Any] = {field.name: value.get(field.name) for field in fields(cls)}
        if not all(isinstance(values[name], str) for name in ("id", "metric", "judge")):
            raise SourceError("not a judgement: 'id', 'metric' or 'judge' is no text")
        if not all(isinstance(values[name], dict) for name in ("details", "usage")):
            raise SourceError("not a judgement: 'details' or 'usage' is no object")
        if not (values["error"] is None or isinstance(values["error"], dict)):
            raise SourceError("not a judgement: 'error' is of another kind")
        measures = values["details"].get("measures") or {}
        if not isinstance(measures, dict) or not all(map(_is_number, measures.values())):
            raise SourceError("not a judgement: 'measures' does not hold numbers")
        if values["score"] is not None and not _is_number(values["score"]):
            raise SourceError("not a judgement: 'score' is no number")
        return cls(**values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def read_judgements(folder: Path) -> Iterator[Judgement]:
    """The judgements of a run in the order in which they were made; a torn last line is left out.

    Raises:
        SourceError: a line is no judgement.
    """
    path = folder / JUDGEMENTS
    if not path.exists():
        return
    for number, line in whole_lines(path):
        try:
            yield Judgement.of(json.loads(line))
        except SourceError as error:
            raise SourceError(f"{error}; {_AGAIN}", path, number) from None
        except (ValueError, RecursionError) as error:
            raise SourceError(f"not JSON ({error}); {_AGAIN}", path, number) from None


def with_judgements(folder: Path) -> Iterator[dict[str, Any]]:
    """The records of a run, each with the numbers of its judgements among its metrics.

    Raises:
        SourceError: a record or a judgement is damaged.
    """
    by_question: dict[str, dict[str, dict[str, float]]] = {}
    for judgement in read_judgements(folder):
        # The last line counts: a failed one takes nothing along.
        by_question.setdefault(judgement.id, {})[judgement.metric] = judgement.numbers
    for record in read_records(folder):
        judged = by_question.get(str(record.get("id")))
        if judged and isinstance(record.get("metrics"), dict):
            record["metrics"] = record["metrics"] | {k: v for numbers in judged.values() for k, v in numbers.items()}
        yield record


class JudgingFolder:
    """The judgements of one run, opened to go on with them.

    Args:
        folder: of the run.
        manners: by metric, all that its judgements depend on, as JSON.
        again: whether what was judged in another way is thrown away and judged anew.

    Attributes:
        done: question and metric of all that needs no judging: all but what failed.
        failed: of what failed.
        what: by metric, of all that were ever judged; further entries may be added and kept (``keep``).

    Raises:
        SettingsError: a metric was judged in another way, or the folder cannot be written.
        SourceError: a file in it is damaged.
    """

    def __init__(self, folder: Path, manners: Mapping[str, Mapping[str, Any]], *, again: bool = False) -> None:
        self.folder = folder
        self.what = self._read()
        # Keys of the old manner alone are no difference: they were kept while judging.
        changed = {
            name: "; ".join(differences({key: self.what.get(name, new).get(key) for key in new}, new))
            for name, new in manners.items()
        }
        for name, change in changed.items():
            if change and not again:
                raise SettingsError(
                    f"{folder} has {name} judged in another way ({change}): give --again to judge it anew"
                )
        self._clean({name for name, change in changed.items() if change})
        succeeded = {(one.id, one.metric): one.error is None for one in read_judgements(folder)}  # by the last line
        self.done = {pair for pair, well in succeeded.items() if well}
        self.failed = succeeded.keys() - self.done
        for name, new in manners.items():
            self.what[name] = dict(new) if changed[name] else {**self.what.get(name, {}), **new}
        self.keep()

    def keep(self) -> None:
        """Write ``what``."""
        write_json(self.folder / JUDGING, self.what)

    def _read(self) -> dict[str, Any]:
        path = self.folder / JUDGING
        try:
            manners = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise SourceError(f"damaged ({error}): delete it and {JUDGEMENTS} to judge again", path) from None
        if not isinstance(manners, dict) or not all(isinstance(manner, dict) for manner in manners.values()):
            raise SourceError(f"damaged: delete it and {JUDGEMENTS} to judge again", path)
        return manners

    def _clean(self, stale: set[str]) -> None:
        """Cut a torn last line off, and throw away what is judged anew."""
        path = self.folder / JUDGEMENTS
        try:
            with writing(path):
                cut_torn_line(path)
                if stale:
                    kept = (line for _, line in whole_lines(path) if json.loads(line)["metric"] not in stale)
                    replace_file(path, kept)
        except (ValueError, KeyError, TypeError):
            list(read_judgements(self.folder))  # tells the line

    def append(self, judgement: Judgement) -> None:
        """Write a judgement and hand it to the operating system before returning."""
        line = json.dumps(asdict(judgement), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
        with (self.folder / JUDGEMENTS).open("ab", buffering=0) as stream:
            stream.write(line.encode("utf-8", errors="backslashreplace"))
        if judgement.error is None:
            self.done.add((judgement.id, judgement.metric))
