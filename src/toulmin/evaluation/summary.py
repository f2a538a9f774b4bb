"""The figures of a run: every metric over all its questions with its interval, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toulmin.errors import SettingsError
from toulmin.evaluation.metrics import legacy_mean
from toulmin.evaluation.records import Score, read_records, read_run
from toulmin.evaluation.statistics import (
    Interval,
    McNemar,
    PairedT,
    bootstrap_interval,
    mcnemar,
    paired_difference,
    paired_t,
)

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Comparison", "Summary", "compare", "summarise", "table"]


_DECIMALS = {"cost": 4, "seconds": 2}  # of what a question costs


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a run.

    Args:
        run: what was run, as ``run.json`` says it.
        n: questions, the denominator of every metric: n = answered + abstained + crashed + timed_out.
        metrics: means over the n questions, or over those that have the metric (``n`` of the interval); those named
            ``legacy_…`` are for comparison with published figures only.
        abstention_rate: abstained / n.
        legacy_answered_only: the same means over the answered questions, as scripts report that drop the others.
        checked, checks: how many answers and abstentions were re-checked, and in how many nothing failed.
        statuses: how many of those checked have each status (the weakest of what they need).
        median_seconds, p95_seconds: wall time of the method per question.
        usage: sums over the questions.
        usage_per_question: means over the n questions; cost only where each answer knows its own.
        failures: how often each step got no usable reply from the model.
        problems: records of the data set that could not be used.
    """

    run: Mapping[str, Any]
    n: int
    answered: int
    abstained: int
    crashed: int
    timed_out: int
    metrics: Mapping[str, Interval]
    abstention_rate: Interval
    legacy_answered_only: Mapping[str, float | None]
    checked: int
    checks: int
    statuses: Mapping[str, int]
    median_seconds: float
    p95_seconds: float
    usage: Mapping[str, float]
    usage_per_question: Mapping[str, Interval]
    failures: Mapping[str, int]
    problems: int


def summarise(run: Mapping[str, Any], scores: Sequence[Score], *, problems: int = 0, seed: int = 0) -> Summary:
    """The figures of the questions whose scores these are.

    Args:
        seed: of the bootstrap.

    Raises:
        SettingsError: no scores.
    """
    if not scores:
        raise SettingsError("no question to summarise")
    names = sorted({name for score in scores for name in score.metrics})
    outcomes = [score.outcome for score in scores]
    answered = {score.id for score in scores if score.outcome == "answered"}
    by_metric = {name: {s.id: s.metrics[name] for s in scores if name in s.metrics} for name in names}
    seconds = np.array([score.seconds for score in scores])
    checked = [score.checks for score in scores if score.checks is not None]
    usage: dict[str, list[float]] = {}
    failures: Counter[str] = Counter()
    for score in scores:
        failures.update(score.failures)
        for key, value in score.usage.items():
            usage.setdefault(key, []).append(value)
    known = len([score for score in scores if score.usage])
    per_question = {
        key: bootstrap_interval([*values, *[0.0] * (len(scores) - known)], seed=seed)
        for key, values in usage.items()
        if len(values) == known
    }
    return Summary(
        run=run,
        n=len(scores),
        answered=len(answered),
        abstained=outcomes.count("abstained"),
        crashed=outcomes.count("crashed"),
        timed_out=outcomes.count("timed out"),
        metrics={name: bootstrap_interval(list(values.values()), seed=seed) for name, values in by_metric.items()},
        abstention_rate=bootstrap_interval([float(outcome == "abstained") for outcome in outcomes], seed=seed),
        legacy_answered_only={name: legacy_mean(values, answered) for name, values in by_metric.items()},
        checked=len(checked),
        checks=sum(checked),
        statuses=dict(sorted(Counter(score.status for score in scores if score.status is not None).items())),
        median_seconds=float(np.median(seconds)),
        p95_seconds=float(np.quantile(seconds, 0.95)),
        usage={key: sum(values) for key, values in usage.items()},
        usage_per_question=per_question,
        failures=dict(sorted(failures.items())),
        problems=problems,
    )


def table(summary: Summary) -> Table:
    """The figures for a terminal."""
    from rich.table import Table

    run = summary.run
    shown = Table(
        "metric",
        "mean",
        "95 % interval",
        "legacy: answered only",
        title=f"{run.get('dataset', '')} · {run.get('method', '')} · {summary.n} questions",
        caption=(
            f"{summary.answered} answered, {summary.abstained} abstained, {summary.crashed} crashed, "
            f"{summary.timed_out} timed out; unanswered counts as wrong\n"
            f"seconds per question: median {summary.median_seconds:.4f}, p95 {summary.p95_seconds:.4f}"
            + (f"\nre-checked: nothing fails in {summary.checks} of {summary.checked}" if summary.checked else "")
            + (f"\nrecords of the data set that could not be used: {summary.problems}" if summary.problems else "")
        ),
    )
    for name, interval in summary.metrics.items():
        only = summary.legacy_answered_only[name]
        shown.add_row(
            name if interval.n == summary.n else f"{name} (of {interval.n})",
            f"{interval.estimate:.4f}",
            f"{interval.low:.4f} … {interval.high:.4f}",
            "–" if only is None else f"{only:.4f}",
        )
    rate = summary.abstention_rate
    shown.add_row("abstention_rate", f"{rate.estimate:.4f}", f"{rate.low:.4f} … {rate.high:.4f}", "–")
    if summary.usage.get("model_calls"):
        for key, interval in summary.usage_per_question.items():
            number = f"{interval.estimate:,.{_DECIMALS.get(key, 1)}f}"
            low, high = (f"{end:,.{_DECIMALS.get(key, 1)}f}" for end in (interval.low, interval.high))
            shown.add_row(f"{key} per question", number, f"{low} … {high}", "–")
        failed = ", ".join(f"{step} {count}" for step, count in summary.failures.items())
        shown.add_row("failures, all questions", str(sum(summary.failures.values())), failed or "–", "–")
    return shown


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the same questions: the difference first - second with its interval, and its paired test."""

    metric: str
    difference: Interval
    test: McNemar | PairedT


def compare(first: Path, second: Path, metric: str, *, seed: int = 0) -> Comparison:
    """Compare two runs by one metric over the questions that both have: McNemar for right or wrong, else paired t.

    Raises:
        SettingsError: the runs are of different data, or no question has the metric in both.
        SourceError: a folder is not one of a run.
    """
    runs = [read_run(folder) for folder in (first, second)]
    for key in ("dataset", "questions"):
        if runs[0].get(key) != runs[1].get(key):
            raise SettingsError(f"{first} and {second} are runs on different data ({key}): they cannot be compared")
    a, b = (_values(folder, metric) for folder in (first, second))
    common = sorted(a.keys() & b.keys())
    if not common:
        raise SettingsError(f"{first} and {second} have no question with the metric {metric!r} in common")
    x, y = [a[name] for name in common], [b[name] for name in common]
    binary = _binary(x) and _binary(y)
    test = mcnemar([bool(v) for v in x], [bool(v) for v in y]) if binary else paired_t(x, y)
    return Comparison(metric, paired_difference(x, y, seed=seed), test)


def _values(folder: Path, metric: str) -> dict[str, float]:
    scores = (Score.of(record) for record in read_records(folder))
    return {score.id: score.metrics[metric] for score in scores if metric in score.metrics}


def _binary(values: Collection[float]) -> bool:
    return set(values) <= {0.0, 1.0}
