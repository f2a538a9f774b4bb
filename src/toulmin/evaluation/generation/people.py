"""What people say of generated questions: a sheet to fill in, their scores read from it, and what is made of them.

papers/okgqa, A.4: several people score each question on the five axes; Pearson's correlation says how near the model
comes to them (table 3), Cohen's kappa how near they come to each other (table 4). From what they said an instruction is
rewritten (A.2 and A.4); every version is kept.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from io import StringIO
from itertools import combinations
from pathlib import Path
from statistics import fmean

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.generation.candidates import types_named
from toulmin.evaluation.generation.question_file import Record
from toulmin.evaluation.generation.writing import AXES, Instructions, Which, Writer, prompts
from toulmin.evaluation.records import writing
from toulmin.evaluation.statistics import ConfidenceInterval, cohens_kappa, pearson
from toulmin.llm.prompts import block, data
from toulmin.llm.protocol import Model
from toulmin.llm.session import Session
from toulmin.methods.prompting import object_schema

__all__ = ["agreement", "between_raters", "kept_back", "rescored", "sheet", "tuned", "versions", "with_human_scores"]

_LOW, _HIGH = 1.0, 10.0  # the range of the model's scores
_COLUMNS = ("id", "rater", *AXES, "comment")
_FORMULA = ("=", "+", "-", "@", "\t")  # what a spreadsheet would run
_TASKS: dict[Which, str] = {"write": "writing", "score": "scoring"}
_LINE = 1000  # characters of a line of an instruction
_LONGEST = 6000  # characters of an instruction
_CASE, _COMMENT = 500, 300
_NAME = 4  # letters from which on a name of a case may not stand in an instruction


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
                given = _number(text, low, high, path, number, axis)
                scores[axis] = _LOW + (_HIGH - _LOW) * (given - low) / (high - low)
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


def _mean_scores(record: Record) -> dict[str, float]:
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
            if axis in record.get("scores", {}) and axis in (human := _mean_scores(record))
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


def versions(folder: Path, which: Which) -> list[Path]:
    """The versions of an instruction in a folder, oldest first: ``write-1.md``, ``write-2.md`` …"""
    numbered = [
        (int(match[1]), path)
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (match := re.fullmatch(rf"{which}-(\d+)\.md", path.name))
    ]
    return [path for _, path in sorted(numbered)]


async def tuned(
    model: Model, records: Sequence[Record], which: Which, folder: Path, worst: int = 8
) -> tuple[Path, str]:
    """The next version of an instruction, and what the model says that it changed.

    It is made from the last version in ``folder``, or that which ships, and from the questions that people rated worst
    (for writing) or whose scores are farthest from people's (for scoring); of the half that is not kept back.

    Raises:
        SettingsError: people have scored none of these questions, or the folder cannot be written.
        ReplyError, BudgetError, ModelError: see ``Session.ask``.
    """
    shown = sorted(_cases(records, which), key=lambda case: (-case[0], case[1]))[:worst]
    if not shown:
        raise SettingsError("people have scored none of the questions that an instruction may be tuned on")
    earlier = versions(folder, which)
    before = Instructions.read(**{which: earlier[-1] if earlier else None}).text(which)
    names = {name for _, _, record in shown for name in record.get("names", ()) if len(name) >= _NAME}

    def fault(reply: dict[str, str]) -> str | None:
        text = _clean(reply["instruction"])
        if not text or len(text) > _LONGEST or "\n---\n" in text:
            return f"the instruction is empty, longer than {_LONGEST} characters, or has a line of three dashes"
        leaked = [name for name in sorted(names) if name.lower() in text.lower()]
        return f"names of cases stand in the instruction: {'; '.join(map(data, leaked))}" if leaked else None

    values = {
        "task": _TASKS[which],
        "instruction": before,
        "cases": block("cases", [f"[{number}] {line}" for number, (_, line, _) in enumerate(shown, 1)]),
    }
    schema = object_schema(changes={"type": "string"}, instruction={"type": "string"})
    reply = await Session(model).ask(prompts()["tune"], values, schema=schema, check=fault, max_tokens=2000)
    path = folder / f"{which}-{len(earlier) + 1}.md"
    entry = {
        "version": path.name,
        "from": earlier[-1].name if earlier else "the one that ships",
        "by": model.name,
        "shown": [record["id"] for _, _, record in shown],
        "changes": data(reply["changes"], _CASE),
    }
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(_clean(reply["instruction"]) + "\n", encoding="utf-8")
        with (folder / "versions.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")
    return path, str(entry["changes"])


def _clean(text: str) -> str:
    """An instruction without what could end its block, line by line: it was made from what anybody may have written."""
    return "\n".join(data(line, _LINE) for line in text.strip().splitlines())


_Case = tuple[float, str, Record]  # how bad, the line that is shown, whose


def _cases(records: Sequence[Record], which: Which) -> Iterator[_Case]:
    for record in (record for record in records if not kept_back(record)):
        human, scores, comments = _mean_scores(record), record.get("scores", {}), _comments(record)
        question = data(record["question"], _CASE)
        if which == "write" and human:
            told = ", ".join(f"{axis} {score:.1f}" for axis, score in human.items())
            line = f"given: {question} ¦ people, of 10: {told}{comments}"
            yield -sum(human.values()) / len(human), line, record
        for axis in AXES if which == "score" else ():
            if axis in human and axis in scores:
                line = f"given: {axis} {scores[axis]} to {question!r} ¦ people: {human[axis]:.1f}{comments}"
                yield abs(human[axis] - scores[axis]), line, record


def _comments(record: Record) -> str:
    comments = [
        data(str(scores["comment"]), _COMMENT) for scores in record.get("human", {}).values() if scores.get("comment")
    ]
    return "".join(f", {text!r}" for text in comments)


async def rescored(writer: Writer, record: Record) -> Record:
    """A record with the scores that the writer's instruction for scoring gives, and people's beside them as they were.

    Raises:
        SourceError: the record does not say what was shown.
        SettingsError: it is of no known type.
        ReplyError, BudgetError, ModelError: see ``Session.ask``.
    """
    shown, names = record.get("shown"), record.get("names", [])
    if not isinstance(shown, list) or not all(isinstance(item, dict) and "says" in item for item in shown):
        raise SourceError(f"the question {record['id']} does not say which statements were shown")
    lines = [
        f"[{number}] {' | '.join(map(data, str(item['says']).split(' | ')))}" for number, item in enumerate(shown, 1)
    ]
    kind = types_named([record["type"]])[0]
    scores, remark = await writer.score(kind, names, record["question"], block("statements", lines))
    return {**record, "scores": scores, "remark": remark, "scored_by": writer.name, "scored_with": writer.digest}
