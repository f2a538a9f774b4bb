"""The runs of a report as they are read: what was run, under which name, and what became of each question."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toulmin.errors import InputError, SettingsError, SourceError
from toulmin.evaluation.judging.judgements import with_judgements
from toulmin.evaluation.metrics.runs import is_right
from toulmin.evaluation.records import RECORDS, Score, read_run, runs_in
from toulmin.evaluation.summary import Summary, summarise
from toulmin.page.page import one_line
from toulmin.program.answer import Answer

__all__ = ["MAIN", "ReportedQuestion", "Run", "read_runs"]

#: The metric that stands for a run in plots: the first of these that it has.
MAIN = ("accuracy", "hits_at_1", "exact_match", "f1", "factscore", "safe")
_LONGEST = 600  # characters of an answer in the list of questions
_NAME = 100  # characters of a run's name


@dataclass(frozen=True, slots=True)
class ReportedQuestion:
    """What became of a question in one run.

    Args:
        gold: as a person reads it; "" where there is none.
        answer: as a person reads it; "" where there is none.
        right: whether it is right; None where the data set does not say it.
        problem: an error, or what failed in the check; "" for none.
        certificate: JSON, compressed by zlib; None where there is none.
    """

    question: str
    gold: str
    type: str
    hops: int | None
    answer: str
    right: bool | None
    problem: str
    score: Score
    certificate: bytes | None


@dataclass(frozen=True, slots=True)
class Run:
    """A run with its figures.

    Args:
        path: its folder.
        what: as run.json has it.
        system: the name of what was asked: the method with what sets it apart from the other runs.
        data: the name of the data set.
        main: the metric that stands for it.
        asked: by the id of the question.
    """

    path: Path
    what: Mapping[str, Any]
    system: str
    data: str
    main: str
    asked: Mapping[str, ReportedQuestion]
    summary: Summary

    @property
    def perturbation(self) -> tuple[str, float] | None:
        """Kind and level of what was done to the graph; None for nothing."""
        return _perturbation(self.what)

    @property
    def name(self) -> str:
        """Its name in tables: of the system, and of what was done to the graph."""
        done = self.perturbation
        return f"{self.system} @ {done[0]} {done[1]:g}" if done else self.system

    def values(self, metric: str, among: Iterable[ReportedQuestion] | None = None) -> list[float]:
        """A metric of all questions that have it."""
        questions = self.asked.values() if among is None else among
        return [question.score.metrics[metric] for question in questions if metric in question.score.metrics]


def read_runs(paths: Iterable[Path], metric: str | None = None) -> list[Run]:
    """Read runs with their judgements.

    Args:
        paths: folders of runs, or folders that hold some.
        metric: what stands for each run in plots, in place of the first of ``MAIN`` that it has.

    Raises:
        SourceError: a folder is not one of a run, holds no record, or a file in it is damaged.
        SettingsError: no run has the metric.
    """
    folders = runs_in(paths)
    records = [_record_of(folder) for folder in folders]
    systems, data = _systems(records, [folder.name for folder in folders]), _data(records)
    questions = [_read(folder) for folder in folders]
    have = {name for by_id in questions for question in by_id.values() for name in question.score.metrics}
    if metric is not None and metric not in have:
        raise SettingsError(f"no run has the metric {metric!r}: they have {', '.join(sorted(have))}")
    runs = []
    for folder, record, system, where, by_id in zip(folders, records, systems, data, questions, strict=True):
        summary = summarise(record, [question.score for question in by_id.values()])
        runs.append(Run(folder, record, system, where, _main(by_id.values(), metric), by_id, summary))
    return runs


def _main(questions: Iterable[ReportedQuestion], chosen: str | None) -> str:
    have = {name for question in questions for name in question.score.metrics}
    if chosen in have:
        return str(chosen)
    return next((name for name in MAIN if name in have), min(have, default=MAIN[0]))


# -- what was run ----------------------------------------------------------------------------------------------------


def _record_of(folder: Path) -> dict[str, Any]:
    record = read_run(folder)
    for key, kind in (("dataset", str), ("method", str), ("settings", dict)):
        if not isinstance(record.get(key), kind):
            raise SourceError(f"not the folder of a run: {key!r} is missing or of another kind", folder / "run.json")
    try:
        _perturbation(record)
    except (KeyError, TypeError, ValueError):
        raise SourceError("not the folder of a run: 'perturbation' is of another kind", folder / "run.json") from None
    return record


def _perturbation(record: Mapping[str, Any]) -> tuple[str, float] | None:
    perturbation = record.get("perturbation")
    return (str(perturbation["kind"]), float(perturbation["level"])) if perturbation else None


def _data(whats: Sequence[Mapping[str, Any]]) -> list[str]:
    """The name of the data of each run: the id of the data set; of two with other questions also their digest."""
    named = [(record["dataset"], record.get("questions")) for record in whats]
    several = Counter(name for name, _ in set(named))
    return [name if several[name] == 1 else f"{name} ({digest})" for name, digest in named]


def _systems(records: Sequence[Mapping[str, Any]], folders: Sequence[str]) -> list[str]:
    """A name for the system of each run: its method, and what differs among the runs with this method.

    Runs of one name on the same data, with the same done to the graph, are told apart by the names of their folders.
    """
    flat = [_flat(record["settings"]) | {"model": record.get("model")} for record in records]
    names = []
    for record, settings in zip(records, flat, strict=True):
        same = [others for beside, others in zip(records, flat, strict=True) if beside["method"] == record["method"]]
        differing = [
            str(value) if key == "model" else f"{key} {value}"
            for key, value in settings.items()
            if value is not None and len({json.dumps(others.get(key)) for others in same}) > 1
        ]
        names.append(one_line(", ".join([record["method"], *differing]), _NAME))
    named = zip(names, records, strict=True)
    places = [(name, record["dataset"], str(record.get("perturbation"))) for name, record in named]
    alike = Counter(places)
    return [
        f"{place[0]} ({one_line(folder, _NAME)})" if alike[place] > 1 else place[0]
        for place, folder in zip(places, folders, strict=True)
    ]


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return flat


# -- what became of the questions ------------------------------------------------------------------------------------


def _read(folder: Path) -> dict[str, ReportedQuestion]:
    questions: dict[str, ReportedQuestion] = {}
    try:
        for number, record in enumerate(with_judgements(folder), start=1):
            try:
                question = _question(record)
            except SourceError as error:
                raise SourceError(str(error), folder / RECORDS, number) from None
            questions[question.score.id] = question
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", folder / RECORDS) from None
    if not questions:
        raise SourceError("no question has been asked yet", folder / RECORDS)
    return questions


def _question(record: Mapping[str, Any]) -> ReportedQuestion:
    score = Score.of(record)
    certificate, hops, right = record.get("answer"), record.get("hops"), is_right(score)
    if not isinstance(hops, int | None):
        raise SourceError("not a record of a run: 'hops' is no number")
    return ReportedQuestion(
        question=str(record.get("question", "")),
        gold=_gold(record.get("gold")),
        type=str(record.get("type") or ""),
        hops=hops,
        answer=_answer(certificate),
        right=None if right is None else right == 1,
        problem=_problem(record),
        score=score,
        certificate=zlib.compress(json.dumps(certificate).encode(), 1) if isinstance(certificate, dict) else None,
    )


def _gold(gold: object) -> str:
    if not isinstance(gold, dict):
        return ""
    if isinstance(gold.get("verdict"), bool):
        return "yes" if gold["verdict"] else "no"
    if gold.get("unknown") is True:
        return "the graph does not tell"
    answers = gold.get("answers")
    return one_line(
        ", ".join(map(str, answers)) if isinstance(answers, list) and answers else str(gold.get("text") or ""), _LONGEST
    )


def _answer(certificate: object) -> str:
    if not isinstance(certificate, dict):
        return ""
    try:
        answer = Answer.from_json(json.dumps(certificate))
    except InputError as error:
        return one_line(str(error), _LONGEST)
    if answer.kind == "text" and answer.asked is None:
        return one_line(" ".join(f"{s.text} ({s.verdict})" for s in answer.sentences), _LONGEST)
    return one_line(answer.text, _LONGEST)


def _problem(record: Mapping[str, Any]) -> str:
    error, check = record.get("error"), record.get("check")
    if isinstance(error, dict):
        return one_line(f"{error.get('type')}: {error.get('message')}", _LONGEST)
    problems = check.get("problems") if isinstance(check, dict) else None
    return one_line("; ".join(map(str, problems)), _LONGEST) if isinstance(problems, list) else ""
