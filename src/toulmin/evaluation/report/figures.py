"""The figures of runs as tables, each with its interval: what the page shows, and all that Markdown and CSV hold."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from toulmin.evaluation.comparing import RunDifference, compare
from toulmin.evaluation.metrics.declared import declared, in_order
from toulmin.evaluation.report.read_runs import ReportedQuestion, Run
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval
from toulmin.page.page import one_line

__all__ = ["FigureTable", "as_csv", "as_markdown", "figure", "group_tables", "grouped", "rows", "tables"]

_PAIRS = 60  # rows of tests, more than which are of no use to a reader


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table: its first column names the rows.

    Args:
        note: what a reader has to know to read it.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


#: By which questions are grouped; empty where it is unknown.
_GROUPS: dict[str, Callable[[ReportedQuestion], str]] = {
    "hops": lambda question: "" if question.hops is None else str(question.hops),
    "type": lambda question: question.type,
}


def figure(interval: ConfidenceInterval | None, decimals: int = 3) -> str:
    """An estimate with its interval, in words."""
    if interval is None:
        return "–"
    return f"{interval.estimate:,.{decimals}f} ({interval.low:,.{decimals}f} to {interval.high:,.{decimals}f})"


def tables(runs: Sequence[Run]) -> Iterator[FigureTable]:
    """The tables of a report, from what became of the questions to the tests between runs."""
    yield _outcomes(runs)
    for data in dict.fromkeys(run.data for run in runs):
        among = [run for run in runs if run.data == data]
        yield _metrics(data, among)
        for metric in dict.fromkeys(run.main for run in among):
            if tests := _tests(data, among, metric):
                yield tests
    yield _costs(runs)


def _outcomes(runs: Sequence[Run]) -> FigureTable:
    mains = {run.main for run in runs}

    def row(run: Run) -> tuple[str, ...]:
        summary = run.summary
        metric = () if len(mains) == 1 else (run.main,)
        figures = (figure(summary.metrics.get(name)) for name in (run.main, "grounded_accuracy"))
        counts = map(str, (summary.n, summary.answered, summary.abstained, summary.crashed, summary.timed_out))
        checks = f"{summary.checks} of {summary.checked}" if summary.checked else "–"
        return (run.name, run.data, *metric, *figures, *counts, checks)

    metric = tuple(mains) if len(mains) == 1 else ("main metric", "its mean")
    counted = ("answered", "abstained", "crashed", "timed out")
    return FigureTable(
        "What became of the questions",
        (*("run", "data set", *metric, "grounded accuracy", "questions"), *counted, "checks passed"),
        tuple(map(row, runs)),
        "Every question counts: what was abstained from, crashed or timed out is wrong. In brackets 95% intervals, by "
        "the bootstrap over questions.",
    )


def _metrics(data: str, runs: Sequence[Run]) -> FigureTable:
    names = in_order({name for run in runs for name in run.summary.metrics})
    most = max(run.summary.n for run in runs)

    def cell(run: Run, name: str) -> str:
        mean = run.summary.metrics.get(name)
        return figure(mean) + (f" of {mean.n}" if mean is not None and mean.n != most else "")

    rows = [(name, *(cell(run, name) for run in runs)) for name in names]
    whole = dict.fromkeys(name for run in runs for name in run.summary.whole)
    rows += [(f"{name}, of the run", *(figure(run.summary.whole.get(name)) for run in runs)) for name in whole]
    legacy = any(name in declared() and declared()[name].legacy for name in names)
    return FigureTable(
        f"Metrics: {data}",
        ("metric", *(run.name for run in runs)),
        tuple(rows),
        f"{most} questions, where a figure does not say of how many others."
        + (" What is called legacy is for comparison with published figures only." if legacy else ""),
    )


def _tests(data: str, runs: Sequence[Run], metric: str) -> FigureTable | None:
    """Each two runs, question by question (``evaluation.comparing``); each with the first where pairs are many."""
    runs = [run for run in runs if metric in run.summary.metrics]
    if len(runs) < 2:
        return None
    many = len(runs) * (len(runs) - 1) / 2 > _PAIRS
    comparison = compare([run.path for run in runs], [metric], baseline=runs[0].path if many else None)
    names = {run_.name: run.name for run_, run in zip(comparison.runs, runs, strict=True)}

    def row(difference: RunDifference) -> tuple[str, ...]:
        both = str(difference.difference.n) if difference.paired else "none"
        first, second = names[difference.first], names[difference.second]
        ps = _p(difference.p), _p(difference.corrected)
        return (first, second, figure(difference.difference), both, difference.test, *ps)

    return FigureTable(
        f"Differences: {data}",
        ("first", "second", "first − second", "questions of both", "test", "p", "p, corrected"),
        tuple(map(row, comparison.compared)),
        f"Of {metric}, question by question; p is corrected by Holm for {len(comparison.compared)} tests"
        + (", each with the first run, since pairs are many." if many else "."),
    )


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _costs(runs: Sequence[Run]) -> FigureTable:
    keys = ("model_calls", "prompt_tokens", "completion_tokens", "cost")

    def row(run: Run) -> tuple[str, ...]:
        summary = run.summary
        costs = (figure(summary.usage_per_question.get(key), 4 if key == "cost" else 1) for key in keys)
        seconds = f"{summary.median_seconds:.3f}", f"{summary.p95_seconds:.3f}"
        failures = ", ".join(f"{step} {count}" for step, count in summary.failures.items())
        return (run.name, run.data, *costs, *seconds, failures or "–")

    head = ("run", "data set", "calls", "tokens in", "tokens out", "cost")
    return FigureTable(
        "What a question cost",
        (*head, "seconds, median", "seconds, 95th percentile", "replies that could not be used"),
        tuple(map(row, runs)),
        "Means over all questions; cost where the price of each call is known.",
    )


def group_tables(runs: Sequence[Run]) -> Iterator[FigureTable]:
    """The main metrics of runs by groups of questions, where there are several."""
    mains = dict.fromkeys(run.main for run in runs)
    return filter(None, (_group_table(runs, group, main) for group in _GROUPS for main in mains))


def _group_table(runs: Sequence[Run], group: str, metric: str) -> FigureTable | None:
    """A metric by groups of questions, over all data sets; None where there is one group at most."""
    systems = grouped(runs, lambda run: run.name, group, metric)
    names = sorted({name for by in systems.values() for name in by}, key=lambda name: (len(name), name))
    if len(names) < 2:
        return None
    rows = [
        (name, *(f"{figure(by[name])} of {by[name].n}" if name in by else "–" for by in systems.values()))
        for name in names
    ]
    return FigureTable(f"{metric} by {group}", (group, *systems), tuple(rows))


def grouped(
    runs: Sequence[Run], named: Callable[[Run], str], group: str, metric: str
) -> dict[str, dict[str, ConfidenceInterval]]:
    """The means of a metric by the names of runs and by groups of questions ("hops", "type"), over all data sets."""
    of, scores = _GROUPS[group], dict[str, dict[str, list[float]]]()
    for run in runs:
        by_group = scores.setdefault(named(run), {})
        for question in run.asked.values():
            if metric in question.score.metrics and of(question):
                by_group.setdefault(of(question), []).append(question.score.metrics[metric])
    return {
        name: {value: bootstrap_interval(values) for value, values in by_group.items()}
        for name, by_group in scores.items()
    }


def rows(runs: Sequence[Run]) -> Iterator[tuple[str, ...]]:
    """Every figure in one long table, with its heading: of each run, of all its questions and of each group."""
    yield (
        *("data set", "run", "folder", "perturbation", "level", "group", "value", "metric"),
        *("estimate", "low", "high", "questions"),
    )
    for run in runs:
        kind, level = run.perturbation or ("", "")
        about = (run.data, run.system, run.path.name, kind, str(level))
        groups = [("all", "", list(run.asked.values()))]
        for group, of in _GROUPS.items():
            values = sorted({of(question) for question in run.asked.values()} - {""})
            groups += [
                (group, value, [question for question in run.asked.values() if of(question) == value])
                for value in values
            ]
        for group, value, questions in groups:
            for metric in sorted({name for question in questions for name in question.score.metrics}):
                yield (*about, group, value, metric, *_numbers(bootstrap_interval(run.values(metric, questions))))
        figures = {**run.summary.whole, **run.summary.usage_per_question}
        for metric, interval in figures.items():
            yield (*about, "all", "", metric, *_numbers(interval))


def _numbers(interval: ConfidenceInterval) -> tuple[str, ...]:
    return (*(f"{number:.6g}" for number in (interval.estimate, interval.low, interval.high)), str(interval.n))


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would run begins so


def as_markdown(runs: Sequence[Run]) -> str:
    """The tables of runs as Markdown; what a name holds is text there, and no markup."""
    return "# Report\n\n" + "\n".join(map(_table, (*tables(runs), *group_tables(runs))))


def _table(table: FigureTable) -> str:
    lines = [f"## {_text(table.title)}", ""]
    lines += [_text(table.note), ""] if table.note else []
    lines += [_row(table.head), _row(["---"] * len(table.head)), *map(_row, table.rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_text, cells))} |"


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(text))


def as_csv(runs: Sequence[Run]) -> str:
    """Every figure in one long table; a name that a spreadsheet would take for a formula has a ' before it."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(rows(runs)):
        names, numbers = (row, ()) if number == 0 else (row[:-4], row[-4:])
        writer.writerow([*(f"'{n}" if n.startswith(_FORMULA) else n for n in map(one_line, names)), *numbers])
    return out.getvalue()
