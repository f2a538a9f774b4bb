"""What a set of generated questions is like, in figures and in one picture (papers/okgqa, figure 1, tables 3 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from toulmin.errors import MissingExtraError, SettingsError
from toulmin.evaluation.generation.generating import SIZES
from toulmin.evaluation.generation.people import agreement, between_raters, kept_back
from toulmin.evaluation.generation.question_file import Record
from toulmin.evaluation.generation.writing import AXES
from toulmin.evaluation.records import writing
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval

__all__ = ["NATURALNESS", "described", "draw"]

#: The paper's three classes of naturalness, each from the score with which it begins.
NATURALNESS = {"high": 8, "medium": 5, "unnatural": 1}


def described(records: Sequence[Record]) -> dict[str, Any]:
    """The figures of a set as JSON; intervals are of 95 %, those of means by bootstrap."""
    words = [len(record["question"].split()) for record in records]
    entities = Counter(entity for record in records for entity in record.get("entities", ()))
    return {
        "questions": len(records),
        "types": dict(sorted(Counter(record["type"] for record in records).items())),
        "groups": dict(sorted(Counter(record.get("group", "") for record in records).items())),
        "difficulty": dict(sorted(Counter(record.get("difficulty", "") for record in records).items())),
        "words": {"least": min(words), "mean": fmean(words), "most": max(words)},
        "entities": {"distinct": len(entities), "most_questions_of_one": max(entities.values(), default=0)},
        "rests_on": fmean(len(record.get("rests_on", ())) for record in records),
        "subgraph": {
            name: median(sizes) for name in SIZES if (sizes := [record["subgraph"][name] for record in _sized(records)])
        },
        "scores": {
            axis: _interval(bootstrap_interval(scores))
            for axis in AXES
            if (scores := [float(record["scores"][axis]) for record in records if axis in record.get("scores", {})])
        },
        "naturalness": _naturalness(records),
        "scored_by_people": sum(1 for record in records if record.get("human")),
        "pearson": _by_axis(agreement(records)),
        "pearson_kept_back": _by_axis(agreement([record for record in records if kept_back(record)])),
        "kappa": [
            {
                "raters": pair,
                **{
                    axis: {"plain": _interval(plain), "quadratic": _interval(quadratic)}
                    for axis, (plain, quadratic) in axes.items()
                },
            }
            for pair, axes in between_raters(records).items()
        ],
    }


def _sized(records: Sequence[Record]) -> list[Record]:
    sizes = ((record, record.get("subgraph")) for record in records)
    return [record for record, size in sizes if isinstance(size, dict) and set(SIZES) <= set(size)]


def _naturalness(records: Sequence[Record]) -> dict[str, int]:
    scores = [record["scores"]["naturalness"] for record in records if "naturalness" in record.get("scores", {})]
    levels = Counter(next(name for name, least in NATURALNESS.items() if score >= least) for score in scores)
    return {name: levels[name] for name in NATURALNESS} if scores else {}


def _by_axis(intervals: dict[str, ConfidenceInterval | None]) -> dict[str, Any]:
    return {axis: _interval(interval) for axis, interval in intervals.items() if interval is not None}


def _interval(interval: ConfidenceInterval | None) -> dict[str, Any] | None:
    return None if interval is None else asdict(interval)


def draw(records: Sequence[Record], path: Path) -> None:
    """A picture of a set: questions by type, their words, sub-graphs before and after pruning, the five scores.

    Args:
        path: its ending says which kind of file: ``.svg``, ``.png``, ``.pdf``.

    Raises:
        MissingExtraError: matplotlib is not installed.
        SettingsError: the file cannot be written, or is of no known kind.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a picture of the set", "report") from None
    figure = Figure(figsize=(11, 7.5), layout="constrained")
    (by_type, by_words), (by_size, by_score) = figure.subplots(2, 2)
    types = sorted(Counter(record["type"] for record in records).items(), reverse=True)
    by_type.barh([name.replace("-", " ") for name, _ in types], [count for _, count in types], color="#4c78a8")
    by_type.set_xlabel("questions")
    by_words.hist([len(record["question"].split()) for record in records], bins=12, color="#4c78a8", edgecolor="white")
    by_words.set(xlabel="words of a question", ylabel="questions")
    sized = _sized(records)
    pairs = [(record["subgraph"]["statements"], record["subgraph"]["kept_statements"]) for record in sized]
    by_size.scatter([a for a, _ in pairs], [b for _, b in pairs], s=16, color="#4c78a8", alpha=0.7)
    most = max((a for a, _ in pairs), default=1)
    by_size.plot([0, most], [0, most], color="#999999", linewidth=0.8)
    by_size.set(xlabel="statements within two hops", ylabel="left after pruning by PageRank")
    by_axis = [[record["scores"][axis] for record in records if axis in record.get("scores", {})] for axis in AXES]
    counts = np.array([[scores.count(score) for score in range(1, 11)] for scores in by_axis])
    shown = by_score.imshow(counts, aspect="auto", cmap="Blues", origin="upper")
    by_score.set_xticks(range(10), [str(score) for score in range(1, 11)])
    by_score.set_yticks(range(len(AXES)), AXES)
    by_score.set_xlabel("score by the model")
    figure.colorbar(shown, ax=by_score, label="questions")
    try:
        with writing(path):
            figure.savefig(path)
    except ValueError as error:
        raise SettingsError(f"{path}: {error}".splitlines()[0]) from None
