"""What a run would still cost: bounded by its method and budget, and expected by what its records say so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.evaluation.records import RECORDS, Score, read_records

if TYPE_CHECKING:
    from rich.table import Table

    from toulmin.llm.budget import Budget
    from toulmin.llm.openai import Prices

__all__ = ["Estimate", "estimate", "estimate_table"]


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
    run: str,
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
    prompt, completion, calls = (_mean(scores, key) for key in ("prompt_tokens", "completion_tokens", "model_calls"))
    known_costs = [score.usage["cost"] for score in scores if "cost" in score.usage]
    cost = sum(known_costs) / len(scores) if known_costs else None
    if prices is not None and prompt is not None and completion is not None:
        cost = (prompt * prices.prompt + completion * prices.completion) / 1_000_000
    seconds = sum(score.seconds for score in scores) / len(scores) / concurrency if scores else None
    allowed = None if budget is None else budget.calls
    bounds = [bound for bound in (most_calls, allowed) if bound is not None]
    costs = [budget.cost] if budget is not None and budget.cost is not None else []
    if prices is not None and budget is not None and budget.tokens is not None:
        costs.append(budget.tokens * max(prices.prompt, prices.completion) / 1_000_000)
    return Estimate(
        run,
        len(questions),
        remaining,
        len(scores),
        _times(calls, remaining),
        None if prompt is None or completion is None else (prompt + completion) * remaining,
        _times(cost, remaining),
        _times(seconds, remaining),
        min(bounds) * remaining if bounds else None,
        min(costs) * remaining if costs else None,
    )


def _mean(scores: Sequence[Score], key: str) -> float | None:
    return sum(score.usage.get(key, 0.0) for score in scores) / len(scores) if scores else None


def _times(mean: float | None, count: int) -> float | None:
    return None if mean is None else mean * count


def estimate_table(estimates: Sequence[Estimate]) -> Table:
    """The estimates for a terminal, one row a run."""
    from rich.box import SIMPLE
    from rich.table import Table

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
