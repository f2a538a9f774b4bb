"""The figures of a run: every metric over all its questions with its interval, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.table import Table

from toulmin.errors import SettingsError
from toulmin.evaluation.metrics.answers import legacy_mean
from toulmin.evaluation.metrics.declared import in_order
from toulmin.evaluation.metrics.runs import RUN_METRICS, mean_figure, run_figure
from toulmin.evaluation.records import Score
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval, mean_interval

__all__ = ["Summary", "summarise", "table"]

_DECIMALS = {"cost": 4, "seconds": 2}  # of what a question costs


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a run.

    Args:
        run: what was run, as ``run.json`` says it.
        n: questions, the denominator of every metric: n = answered + abstained + crashed + timed_out.
        metrics: means over the n questions, or over those that have the metric (``n`` of the interval); those named
            ``legacy_…`` are for comparison with published figures only.
        whole: figures that are of the run, not of a question (coverage, selective accuracy, and, where answers have a
            confidence, how well it tells right from wrong), over the n questions; undefined ones are left out.
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
    metrics: Mapping[str, ConfidenceInterval]
    whole: Mapping[str, ConfidenceInterval]
    abstention_rate: ConfidenceInterval
    legacy_answered_only: Mapping[str, float | None]
    checked: int
    checks: int
    statuses: Mapping[str, int]
    median_seconds: float
    p95_seconds: float
    usage: Mapping[str, float]
    usage_per_question: Mapping[str, ConfidenceInterval]
    failures: Mapping[str, int]
    problems: int


def summarise(run: Mapping[str, Any], scores: Sequence[Score], *, problems: int = 0) -> Summary:
    """The figures of the questions whose scores these are.

    Raises:
        SettingsError: no scores.
    """
    if not scores:
        raise SettingsError("no question to summarise")
    names = in_order({name for score in scores for name in score.metrics})
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
        key: bootstrap_interval([*values, *[0.0] * (len(scores) - known)])
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
        metrics={name: mean_figure(name, list(values.values())) for name, values in by_metric.items()},
        whole={name: figure for name in RUN_METRICS if (figure := run_figure(name, scores)) is not None},
        abstention_rate=mean_interval([float(outcome == "abstained") for outcome in outcomes]),
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
    run = summary.run
    done = run.get("perturbation")
    method = f"{run.get('method', '')}" + (f" @ {done['kind']} {done['level']:g}" if done else "")
    shown = Table(
        "metric",
        "mean",
        "95 % interval",
        "legacy: answered only",
        title=f"{run.get('dataset', '')} · {method} · {summary.n} questions",
        caption=(
            f"{summary.answered} answered, {summary.abstained} abstained, {summary.crashed} crashed, "
            f"{summary.timed_out} timed out; unanswered counts as wrong\n"
            f"seconds per question: median {summary.median_seconds:.4f}, p95 {summary.p95_seconds:.4f}"
            + (f"\nre-checked: nothing fails in {summary.checks} of {summary.checked}" if summary.checked else "")
            + (f"\nrecords of the data set that could not be used: {summary.problems}" if summary.problems else "")
        ),
    )

    def add(name: str, interval: ConfidenceInterval, only: float | None = None, form: str = ".4f") -> None:
        estimate, low, high = (format(end, form) for end in (interval.estimate, interval.low, interval.high))
        shown.add_row(name, estimate, f"{low} … {high}", "–" if only is None else format(only, form))

    for name, interval in summary.metrics.items():
        of = "" if interval.n == summary.n else f" (of {interval.n})"
        add(f"{name}{of}", interval, summary.legacy_answered_only[name])
    for name, interval in {"abstention_rate": summary.abstention_rate, **summary.whole}.items():
        add(name, interval)
    if summary.usage.get("model_calls"):
        for key, interval in summary.usage_per_question.items():
            add(f"{key} per question", interval, form=f",.{_DECIMALS.get(key, 1)}f")
        failed = ", ".join(f"{step} {count}" for step, count in summary.failures.items())
        shown.add_row("failures, all questions", str(sum(summary.failures.values())), failed or "–", "–")
    return shown
