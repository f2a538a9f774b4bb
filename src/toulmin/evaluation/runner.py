"""Asks a method the questions of a data set and keeps a record of each, and says what those left would cost.

That is bounded by the method and its budget, and expected by what the records say so far.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from toulmin.errors import RefusedError, SettingsError
from toulmin.evaluation.calls import read_calls
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.engines import Asking, Done, Engine, Here, Job
from toulmin.evaluation.outcomes import OUTAGES, Outage, lasting, time_limit
from toulmin.evaluation.records import RECORDS, SUMMARY, RunFolder, Score, read_records, write_json, writing
from toulmin.evaluation.summary import Summary, summarise, table

if TYPE_CHECKING:
    from toulmin.llm.openai import Prices
    from toulmin.llm.session import Budget

__all__ = ["Estimate", "estimate", "estimate_table", "run"]

_Progress = Callable[[int, Mapping[str, float]], None]


def run(
    dataset: Dataset,
    asking: Asking,
    out: Path,
    *,
    name: str,
    settings: Mapping[str, Any] | None = None,
    limit: int | None = None,
    seed: int = 0,
    perturbation: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    concurrency: int = 1,
    engine: Engine | None = None,
    retry: bool = True,
    console: Console | None = None,
) -> Summary:
    """Ask the questions of ``dataset``, go on where an earlier run in ``out`` stopped, and summarise.

    Args:
        asking: what is asked, and how. What its method raises is recorded and counts as wrong. KeyboardInterrupt and
            SettingsError end the run; so do ten questions in a row, or all, for which the model or the graph was not to
            be had: they are not recorded, and are asked again when the run goes on. What a ``LoggedModel`` replies is
            kept in the folder as it comes, and is not asked for again.
        out: the folder of the run: ``run.json``, ``records.jsonl``, and at the end ``summary.json``.
        name, settings: of the method, its settings as JSON. A run goes on only where these, graph, model, the data and
            the seed are the same.
        limit, seed: ask a seeded sample of ``limit`` questions; a larger limit goes on with the same sample. The seed
            orders the options of multiple choices, too.
        perturbation: what was done to the graph: kind, level and seed; None: nothing.
        timeout: wall seconds for one question; one that takes longer counts as wrong. With a ``concurrency`` above 1 it
            ends what waits, for a model say, and not what computes.
        concurrency: how many questions are asked at a time, in one event loop.
        engine: who asks, in a manner of its own (``Asking``); None: this process, in the one that is given.
        retry: whether questions that crashed earlier are asked again, with the replies that were paid for then.
        console: where to show progress and the table; None: nowhere.

    Raises:
        SettingsError: ``out`` holds a run of something else, or a setting is out of range.
        SourceError: ``out`` holds a damaged run.
        RefusedError: the method refuses every question.
        ModelError, GraphError: the model or the graph is not to be had.
    """
    if limit is not None and limit < 1:
        raise SettingsError(f"the limit must be at least 1 question, not {limit}")
    if concurrency < 1:
        raise SettingsError(f"the concurrency must be at least 1 question, not {concurrency}")
    with time_limit(timeout):
        pass  # a limit that cannot be set is an error of the call, not of every question
    selection = tuple(question.shuffled(seed) for question in dataset.sample(limit, seed))
    if not selection:
        first = f", first {dataset.problems[0]}" if dataset.problems else ""
        raise SettingsError(f"{dataset.id} has no question to ask ({len(dataset.problems)} problems{first})")
    run_record = {
        "dataset": dataset.id,
        "questions": _digest(dataset.questions),
        "method": name,
        "settings": _as_json(settings or {}),
        "graph": asking.graph,
        "model": asking.model,
        "seed": seed,
        "perturbation": None if perturbation is None else dict(perturbation),
        "timeout": timeout,
        "checked": asking.check is not None,
        "version": version("toulmin"),
    }
    with RunFolder(out, run_record) as folder:
        names = [question.id for question in selection]
        if retry:
            folder.forget(folder.crashed.intersection(names))
        waiting = [question for question in selection if question.id not in folder.done]
        if waiting:
            with writing(out / SUMMARY):  # of an earlier end
                (out / SUMMARY).unlink(missing_ok=True)
            with _progress(console, f"{dataset.id} {name}", len(selection), len(selection) - len(waiting)) as progress:
                keeper = _Keeper(folder, progress, console)
                replies = read_calls(out, {question.id for question in waiting})
                (engine or Here(asking))(waiting, Job(out, timeout, concurrency, replies), keeper.keep)
                keeper.end()
        summary = summarise(run_record, folder.scores(names), problems=len(dataset.problems))
        write_json(out / SUMMARY, asdict(summary))
    if console is not None:
        console.print(table(summary))
    return summary


class _Keeper:
    """Writes the records of questions, and ends a run for which the model or the graph is not to be had.

    Questions that the method refuses end it where there are no others.
    """

    def __init__(self, folder: RunFolder, progress: _Progress, console: Console | None) -> None:
        self._folder, self._progress, self._console = folder, progress, console
        self._outages: list[Done] = []  # in a row, refusals too; recorded once another question fares better
        self._warned = False  # the first question that failed

    def keep(self, done: Done) -> None:
        """Write a record, unless it is one of a row of outages."""
        if done.outage is not None:
            self._outages.append(done)
            down = [outage for outage in self._outages if not isinstance(outage.outage, RefusedError)]
            if len(down) >= OUTAGES:
                raise _lasting(down)
            return
        for job in (*self._outages, done):
            self._write(job.record)
        self._outages.clear()

    def end(self) -> None:
        """Write what is left."""
        if self._outages and not self._folder.done:
            raise _lasting(self._outages)
        for outage in self._outages:
            self._write(outage.record)

    def _write(self, record: Mapping[str, Any]) -> None:
        self._folder.append(record)
        self._progress(1, self._folder.spent)
        error = record["error"]
        if error is not None and self._console is not None and not self._warned:
            self._warned = True
            message = f"{record['id']}: {error['type']}: {error['message']} (told once; see {RECORDS})"
            self._console.print(message, markup=False, soft_wrap=True)


def _lasting(outages: Sequence[Done]) -> Outage:
    """The error that ends a run."""
    down = [done.outage for done in outages if done.outage is not None and not isinstance(done.outage, RefusedError)]
    if not down:
        return RefusedError(f"{outages[0].outage}")
    return lasting(down[-1], len(outages), "question")


@contextmanager
def _progress(console: Console | None, label: str, total: int, done: int) -> Iterator[_Progress]:
    """A function to call with how many more questions are done, and what all have cost, which moves a bar."""
    if console is None:
        yield lambda _, __: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[spent]}"), console=console) as bar:
        task = bar.add_task(label, total=total, completed=done, spent="")
        yield lambda more, spent: bar.update(task, advance=more, spent=_told(spent))


def _told(spent: Mapping[str, float]) -> str:
    """What questions have cost, in a few words."""
    calls, cost = spent.get("model_calls", 0.0), spent.get("cost")
    if not calls:
        return ""
    tokens = spent.get("prompt_tokens", 0.0) + spent.get("completion_tokens", 0.0)
    return f"{calls:,.0f} calls, {tokens:,.0f} tokens" + (f", cost {cost:,.4f}" if cost else "")


def _digest(questions: Sequence[Question]) -> str:
    """Names the questions and their gold."""
    digest = blake2b(digest_size=16)
    for question in questions:
        gold: list[Any] = [question.id, question.question, question.answers, question.verdict, question.gold_entities]
        gold += [question.unknown, question.gold_text] if question.unknown or question.gold_text else []
        gold += [question.passages] if question.passages else []
        gold += [sorted(question.options), question.task, [statement.id for statement in question.statements]]
        digest.update(json.dumps(gold).encode() + b"\n")
    return digest.hexdigest()


def _as_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the settings of the method cannot be written as JSON: {error}") from None
    return value


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the questions of a run that are left to ask would cost.

    Args:
        questions, left: of the run; of them those without a record, or with one that is to be made again.
        measured: records on which the expectations rest; where it is 0, they are None.
        calls, tokens, cost, seconds: expected: the means of these records, times what is left. Cost by the prices, or
            as it was told; None where neither is known. Seconds of asking, by the concurrency.
        most_calls: an upper bound by the method, repairs not counted, and by the budget; None: there is none.
        most_cost: an upper bound by the budget; None: there is none.
    """

    run: str
    questions: int
    left: int
    measured: int
    calls: float | None
    tokens: float | None
    cost: float | None
    seconds: float | None
    most_calls: int | None
    most_cost: float | None


def estimate(
    folder: Path,
    questions: Sequence[str],
    *,
    most_calls: int | None,
    budget: Budget | None = None,
    prices: Prices | None = None,
    concurrency: int = 1,
    retry: bool = True,
) -> Estimate:
    """What a run would still cost.

    Args:
        folder: of the run; it need not exist.
        questions: ids of those to ask.
        most_calls: of the method, for one question; None: no bound.
        concurrency: how many questions are asked at a time.

    Raises:
        SourceError: the folder holds a damaged run.
    """
    scores = [Score.of(record) for record in read_records(folder)] if (folder / RECORDS).exists() else []
    finished = {score.id for score in scores if not (retry and score.outcome == "crashed")}
    remaining = sum(question not in finished for question in questions)
    means: dict[str, float] = {}
    if scores:
        prompt, completion, means["calls"] = (
            sum(score.usage.get(key, 0.0) for score in scores) / len(scores)
            for key in ("prompt_tokens", "completion_tokens", "model_calls")
        )
        means["tokens"] = prompt + completion
        means["seconds"] = sum(score.seconds for score in scores) / len(scores) / concurrency
        if prices is not None:
            means["cost"] = (prompt * prices.prompt + completion * prices.completion) / 1_000_000
        elif known_costs := [score.usage["cost"] for score in scores if "cost" in score.usage]:
            means["cost"] = sum(known_costs) / len(scores)
    allowed = None if budget is None else budget.calls
    bounds = [bound for bound in (most_calls, allowed) if bound is not None]
    costs = [budget.cost] if budget is not None and budget.cost is not None else []
    if prices is not None and budget is not None and budget.tokens is not None:
        costs.append(budget.tokens * max(prices.prompt, prices.completion) / 1_000_000)
    expected = {key: mean * remaining for key, mean in means.items()}
    return Estimate(
        str(folder),
        len(questions),
        remaining,
        len(scores),
        expected.get("calls"),
        expected.get("tokens"),
        expected.get("cost"),
        expected.get("seconds"),
        min(bounds) * remaining if bounds else None,
        min(costs) * remaining if costs else None,
    )


def estimate_table(estimates: Sequence[Estimate]) -> Table:
    """The estimates for a terminal, one row a run."""
    caption = "expected from the questions that have a record (–: none has), and at most (≤)"
    shown = Table(title="What is left to ask, and what it would cost", box=SIMPLE, pad_edge=False, caption=caption)
    for column in ("run", "left", "calls", "tokens", "cost", "hours"):
        shown.add_column(column, justify="left" if column == "run" else "right", overflow="fold")
    for run in estimates:
        bounded = [_bounded(run.calls, run.most_calls, 0), _bounded(run.tokens, None, 0)]
        bounded += [_bounded(run.cost, run.most_cost, 2)]
        hours = _bounded(None if run.seconds is None else run.seconds / 3600, None, 2)
        shown.add_row(Path(run.run).name, f"{run.left:,} of {run.questions:,}", *bounded, hours)
    return shown


def _bounded(expected: float | None, most: float | None, digits: int) -> str:
    shown = "–" if expected is None else f"{expected:,.{digits}f}"
    return shown if most is None else f"{shown} (≤ {most:,.{digits}f})"
