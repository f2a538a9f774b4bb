"""Several runs on the same data: the figures of each, and the differences of pairs with their tests.

Over the questions that both runs have: the paired bootstrap interval of the difference, McNemar's exact test for right
or wrong, the paired t-test for numbers, Wilcoxon's test for what a question cost. Figures of a whole run have the
bootstrap's p-value. Where two runs have no question in common (two samples): Fisher's exact test, and Welch's t-test.
All p-values that are given together are corrected for their number.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from rich.table import Table

from toulmin.errors import SettingsError
from toulmin.evaluation import statistics
from toulmin.evaluation.judging.judgements import with_judgements
from toulmin.evaluation.metrics.declared import in_order
from toulmin.evaluation.metrics.runs import COSTS, RUN_METRICS, figure_of, mean_figure, outcome_rows, run_figure
from toulmin.evaluation.records import SUMMARY, Score, read_run
from toulmin.evaluation.statistics import ConfidenceInterval, Correction
from toulmin.registry import known

__all__ = ["HEADLINES", "ComparedRun", "Comparison", "RunDifference", "compare", "tables"]

Scores: TypeAlias = Sequence[Score]

#: What is compared unless metrics are named: those of these that the runs have.
HEADLINES = ("accuracy", "hits_at_1", "f1", "grounded_accuracy")
_BESIDE = ("coverage", "selective_accuracy")  # shown, not tested, unless named
_OUTCOMES = {"coverage": "answered", "abstention_rate": "abstained"}  # of each question: it is so, or not
_RUN_LEVEL = set(RUN_METRICS) - _OUTCOMES.keys()
_SAME = ("dataset", "questions")  # of ``run.json``: what runs that are compared have in common


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run among those compared.

    Args:
        name: short, and told from the others: the end of its folder.
        what: what ``run.json`` says.
        n: its questions so far; all there will be iff ``finished``.
        figures: by metric, over all its questions that have the metric.
    """

    name: str
    folder: str
    what: Mapping[str, Any]
    n: int
    finished: bool
    figures: Mapping[str, ConfidenceInterval]


@dataclass(frozen=True, slots=True)
class RunDifference:
    """The difference first - second of two runs by one metric.

    Args:
        paired: over the questions that both have; else there is none, and each has its own.
        test: by which ``p`` was found: "McNemar" and "Fisher" (both exact), "paired t", "Wilcoxon", "Welch", or
            "bootstrap".
        only_first, only_second: of McNemar's test, the questions that only one got right.
        corrected: p corrected for the number of tests given together.
    """

    metric: str
    first: str
    second: str
    paired: bool
    difference: ConfidenceInterval
    test: str
    p: float
    corrected: float
    only_first: int | None = None
    only_second: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs on the same data, and the differences of their pairs."""

    dataset: str
    runs: tuple[ComparedRun, ...]
    compared: tuple[RunDifference, ...]
    correction: Correction


def compare(
    folders: Sequence[Path],
    metrics: Sequence[str] = (),
    *,
    baseline: Path | None = None,
    correction: Correction = "holm",
    seed: int = 0,
) -> Comparison:
    """Compare runs on the same data, two or more.

    Args:
        folders: of runs.
        metrics: by which; default: those of ``HEADLINES`` that some run has.
        baseline: a run with which each other one is compared; None: all pairs.
        seed: of the bootstrap.

    Raises:
        SettingsError: fewer than two runs, runs of different data, a metric that no two of them have, a baseline that
            is not among them.
        SourceError: a folder is not one of a run, or damaged.
    """
    places = {folder.resolve(): folder for folder in folders}
    if len(places) < 2:
        raise SettingsError(f"to compare takes at least two runs, not {len(places)}")
    if baseline is not None and baseline.resolve() not in places:
        raise SettingsError(f"the baseline {baseline} is not among the runs")
    run_records = [read_run(folder) for folder in places.values()]
    for folder, run in zip(places.values(), run_records, strict=True):
        if differ := [key for key in _SAME if run.get(key) != run_records[0].get(key)]:
            raise SettingsError(
                f"{folders[0]} and {folder} are runs on different data ({differ[0]}): they cannot be compared"
            )
    scores = [[Score.of(record) for record in with_judgements(folder)] for folder in places.values()]
    for folder, run_scores in zip(places.values(), scores, strict=True):
        if not run_scores:
            raise SettingsError(f"{folder} has no record yet: there is nothing to compare")
    present = {name for run_scores in scores for score in run_scores for name in score.metrics}
    chosen = tuple(metrics) or tuple(name for name in HEADLINES if name in present)
    for name in chosen:
        if name not in (possible := in_order({*present, *_OUTCOMES, *RUN_METRICS, *COSTS})):
            raise SettingsError(f"no run has the metric {name!r}{known(name, possible)}")
    shown = chosen if metrics else (*chosen, *_BESIDE)
    runs = []
    parts = zip(_names(list(places)), places.values(), run_records, scores, strict=True)
    for name, folder, record, run_scores in parts:
        figures = {metric: value for metric in shown if (value := _figure(metric, run_scores, seed)) is not None}
        finished = (folder / SUMMARY).exists()
        runs.append(ComparedRun(name, str(folder), record, len(run_scores), finished, figures))
    first = None if baseline is None else list(places).index(baseline.resolve())
    pairs = [pair for pair in combinations(range(len(runs)), 2) if first is None or first in pair]
    pairs = [(b, a) if b == first else (a, b) for a, b in pairs]
    tests = [
        test
        for metric in chosen
        for a, b in pairs
        if (test := _compared(metric, (runs[a].name, runs[b].name), (scores[a], scores[b]), seed)) is not None
    ]
    for metric in metrics:
        if not any(test.metric == metric for test in tests):
            raise SettingsError(f"no two of the runs have the metric {metric!r}, so there is nothing to compare")
    ps = statistics.corrected([test.p for test in tests], correction)
    differences = tuple(replace(test, corrected=p) for test, p in zip(tests, ps, strict=True))
    return Comparison(str(run_records[0].get("dataset", "")), tuple(runs), differences, correction)


def _value(metric: str, score: Score) -> float | None:
    """The metric of one question; None where it does not have it."""
    if metric in _OUTCOMES:
        return float(score.outcome == _OUTCOMES[metric])
    if metric == "seconds":
        return score.seconds
    if metric in COSTS:
        # A question for which no model was asked cost nothing; of one whose price is not known nothing is said.
        return score.usage.get(metric) if score.usage else 0.0
    return score.metrics.get(metric)


def _values(metric: str, scores: Iterable[Score]) -> dict[str, float]:
    return {score.id: value for score in scores if (value := _value(metric, score)) is not None}


def _figure(metric: str, scores: Sequence[Score], seed: int) -> ConfidenceInterval | None:
    if metric in _RUN_LEVEL:
        return run_figure(metric, scores, seed=seed)
    values = list(_values(metric, scores).values())
    return mean_figure(metric, values, seed=seed) if values else None


def _compared(metric: str, names: tuple[str, str], scores: tuple[Scores, Scores], seed: int) -> RunDifference | None:
    """One test; None where one of the runs does not have the metric, or it is undefined."""
    if metric in _RUN_LEVEL:
        return _compared_whole(metric, names, scores, seed)
    a, b = (_values(metric, run_scores) for run_scores in scores)
    common = [name for name in a if name in b]
    if not common and min(len(a), len(b)) < 2:
        return None
    first, second = (np.array([values[name] for name in common or values]) for values in (a, b))
    binary = bool(np.isin(np.concatenate([first, second]), (0.0, 1.0)).all())
    difference = (statistics.paired_difference if common else statistics.unpaired_difference)(first, second, seed=seed)
    counts: tuple[int, ...] = ()
    if not common:
        p, test = (statistics.fisher(first, second), "Fisher") if binary else (statistics.welch(first, second), "Welch")
    elif binary and metric not in COSTS:
        exact = statistics.mcnemar(first, second)
        p, test, counts = exact.p, "McNemar", (exact.only_first, exact.only_second)
    elif metric in COSTS or len(common) < 2:
        p, test = statistics.wilcoxon(first, second), "Wilcoxon"  # what a question costs is far from normal
    else:
        p, test = statistics.paired_t(first, second), "paired t"
    return RunDifference(metric, *names, bool(common), difference, test, p, p, *counts)


def _compared_whole(
    metric: str, names: tuple[str, str], scores: tuple[Scores, Scores], seed: int
) -> RunDifference | None:
    """A figure of whole runs, over the questions that both have, which are resampled as pairs."""
    a, b = ({score.id: score for score in run_scores} for run_scores in scores)
    common = [name for name in a if name in b]
    if not common:
        return None
    first, second = (figure_of(metric, outcome_rows([by_id[name] for name in common])) for by_id in (a, b))
    resampled = statistics.bootstrap_statistic(lambda places: first(places) - second(places), len(common), seed=seed)
    if resampled is None:
        return None
    difference, p = resampled
    return RunDifference(metric, *names, True, difference, "bootstrap", p, p)


def _names(folders: Sequence[Path]) -> list[str]:
    """The end of each folder that tells it from the others."""
    above = Path(os.path.commonpath(folders))
    return [str(folder.relative_to(above)) if folder != above else folder.name for folder in folders]


def tables(comparison: Comparison) -> list[Table]:
    """The figures of every run, and the differences, for a terminal."""
    sizes = {run.n for run in comparison.runs}
    notes = [f"{run.name} is not finished: {run.n} questions so far" for run in comparison.runs if not run.finished]
    if len(sizes) > 1:
        notes.append("the runs have different numbers of questions; differences are over those that both have")
    figures = Table("metric", "run", "n", "figure", "95 % interval", title=comparison.dataset, caption="\n".join(notes))
    for metric in dict.fromkeys(name for run in comparison.runs for name in run.figures):
        for place, run in enumerate(comparison.runs):
            interval = run.figures.get(metric)
            cells = ("–", "–", "–")
            if interval is not None:
                ends = f"{interval.low:.4f} … {interval.high:.4f}"
                cells = (str(interval.n), f"{interval.estimate:.4f}", ends)
            figures.add_row("" if place else metric, run.name, *cells)
        figures.add_section()
    return [figures, *([_differences(comparison)] if comparison.compared else [])]


def _differences(comparison: Comparison) -> Table:
    several = comparison.correction != "none"
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), caption_justify="left")
    for column in ("first - second", "n", "difference [95 %]", "test", "p", *(["corrected"] if several else [])):
        table.add_column(column, no_wrap=column not in ("first - second", "n"), overflow="fold")
    for_all = f"\np is corrected for {len(comparison.compared)} tests: {comparison.correction}" if several else ""
    table.caption = f"McNemar a : b: only the first was right on a questions, only the second on b{for_all}"
    metric = ""
    for pair in comparison.compared:
        if pair.metric != metric:
            metric = pair.metric
            table.add_row(metric)
        counts = "" if pair.only_first is None else f" {pair.only_first} : {pair.only_second}"
        ends, places = pair.difference, 5 if metric == "cost" else 3
        table.add_row(
            f"  {pair.first} - {pair.second}",
            str(pair.difference.n) + ("" if pair.paired else " unpaired"),
            f"{ends.estimate:+,.{places}f} [{ends.low:+,.{places}f}, {ends.high:+,.{places}f}]",
            *(pair.test + counts, _chance(pair.p)),
            *([_chance(pair.corrected)] if several else []),
        )
    return table


def _chance(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"
