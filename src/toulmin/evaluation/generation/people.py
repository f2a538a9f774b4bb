"""What people say of generated questions: a sheet to fill in, their scores read from it, and who agrees with whom.

papers/okgqa, A.4: several people score each question on the five axes; Pearson's correlation says how near the model
comes to them (table 3), Cohen's kappa how near they come to each other (table 4).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from io import StringIO
from itertools import combinations
from pathlib import Path
from statistics import fmean

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.generation.question_file import Record
from toulmin.evaluation.generation.writing import AXES
from toulmin.evaluation.statistics import ConfidenceInterval, cohens_kappa, pearson

__all__ = ["agreement", "between_raters", "kept_back", "mean_scores", "sheet", "with_human_scores"]

_LOW, _HIGH = 1.0, 10.0  # the range of the model's scores
_COLUMNS = ("id", "rater", *AXES, "comment")
_FORMULA = ("=", "+", "-", "@", "\t")  # what a spreadsheet would run


def sheet(records: Sequence[Record], rater: str) -> str:
    """A table as CSV for a person to fill in, with the question and the names beside the columns to fill.

    Raises:
        SettingsError: the person has no name.
    """
    if not rater.strip():
        raise SettingsError("the rater has no name: say who is going to score")
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow([*_COLUMNS, "question", "about"])
    for record in records:
        shown = [record["question"], "; ".join(record.get("names", ()))]
        cells = [f"'{text}" if text.startswith(_FORMULA) else text for text in shown]
        writer.writerow([record["id"], rater, *[""] * (len(AXES) + 1), *cells])
    return out.getvalue()


def with_human_scores(
    records: Sequence[Record], path: Path, scale: tuple[float, float] = (_LOW, _HIGH)
) -> tuple[list[Record], int]:
    """The records with the scores of a filled sheet, under ``human`` by rater, and how many questions it scores.

    Args:
        scale: the least and the best score that a person could give; brought to 1 … 10, as the paper does. A cell may
            be empty.

    Raises:
        SettingsError: no scale.
        SourceError: not such a table, a question that is not there, a score out of the scale.
    """
    low, high = scale
    if not low < high:
        raise SettingsError(f"a scale from {low:g} to {high:g}: give the least score and the best")
    by_id = {record["id"]: record for record in records}
    scored: dict[str, Record] = {}
    for number, row in _rows(path):
        name, rater = row["id"].strip(), row["rater"].strip()
        if name not in by_id:
            raise SourceError(f"no question has the id {name!r}", path, number, field="id")
        if not rater:
            raise SourceError("says not who scored", path, number, field="rater")
        scores: dict[str, float | str] = {}
        for axis in AXES:
            if text := row[axis].strip():
                scores[axis] = _LOW + (_HIGH - _LOW) * (_number(text, low, high, path, number, axis) - low) / (
                    high - low
                )
        if not scores:
            continue
        if comment := row["comment"].strip():
            scores["comment"] = comment
        record = scored.get(name) or {**by_id[name], "human": dict(by_id[name].get("human", {}))}
        record["human"][rater] = scores
        scored[name] = record
    return [scored.get(record["id"], record) for record in records], len(scored)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read: {getattr(error, 'strerror', 'not UTF-8')}", path) from None
    reader = csv.DictReader(StringIO(text, newline=""))
    try:
        missing = [column for column in _COLUMNS if column not in (reader.fieldnames or ())]
        if missing:
            raise SourceError(f"lacks the columns {', '.join(missing)} of `toulmin questions sheet`", path)
        for row in reader:
            yield reader.line_num, {key: row.get(key) or "" for key in _COLUMNS}
    except csv.Error as error:
        raise SourceError(f"not CSV: {error}", path, reader.line_num) from None


def _number(text: str, low: float, high: float, path: Path, line: int, axis: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SourceError(f"{text!r} is no score from {low:g} to {high:g}", path, line, field=axis)
    return value


def kept_back(record: Record) -> bool:
    """Whether a question is of the half that no instruction is tuned on, which is settled by its id."""
    return blake2b(record["id"].encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] % 2 == 1


def mean_scores(record: Record) -> dict[str, float]:
    """What people gave a question on each axis, the mean of those who did."""
    by_rater = record.get("human", {}).values()
    by_axis = {axis: [float(scores[axis]) for scores in by_rater if axis in scores] for axis in AXES}
    return {axis: fmean(values) for axis, values in by_axis.items() if values}


def agreement(records: Sequence[Record]) -> dict[str, ConfidenceInterval | None]:
    """Pearson's correlation of the model's scores with people's mean, by axis; None where there is none."""
    correlations: dict[str, ConfidenceInterval | None] = {}
    for axis in AXES:
        pairs = [
            (float(record["scores"][axis]), human[axis])
            for record in records
            if axis in record.get("scores", {}) and axis in (human := mean_scores(record))
        ]
        # With three points Fisher's interval is all of [-1, 1].
        correlations[axis] = pearson(*zip(*pairs, strict=True)) if len(pairs) > 3 else None
    return correlations


def between_raters(
    records: Sequence[Record],
) -> dict[tuple[str, str], dict[str, tuple[ConfidenceInterval | None, ...]]]:
    """Cohen's kappa by pair of raters and axis, of scores as they are and with quadratic weights.

    The paper does not say which it reports. Unweighted, 7 and 8 are as far apart as 1 and 10.
    """
    raters = sorted({rater for record in records for rater in record.get("human", {})})
    kappas = {}
    for first, second in combinations(raters, 2):
        by_axis: dict[str, tuple[ConfidenceInterval | None, ...]] = {}
        for axis in AXES:
            both = [
                (float(by_rater[first][axis]), float(by_rater[second][axis]))
                for record in records
                if axis in (by_rater := record.get("human", {})).get(first, {}) and axis in by_rater.get(second, {})
            ]
            if both:
                a, b = zip(*both, strict=True)
                by_axis[axis] = cohens_kappa(a, b), cohens_kappa(a, b, weights="quadratic")
        kappas[first, second] = by_axis
    return kappas
