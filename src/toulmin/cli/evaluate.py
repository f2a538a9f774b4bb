"""The command evaluate."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from toulmin.cli.knowledge import KnowledgeNames, named_knowledge
from toulmin.cli.models import (
    BaseUrl,
    BudgetCalls,
    BudgetCost,
    BudgetSeconds,
    BudgetTokens,
    Cache,
    ModelChoice,
    ModelName,
    PriceList,
    Record,
    Replay,
    Settings,
    settings_given,
)
from toulmin.cli.options import Dialect, Json, Kg, KgTimeout

__all__ = ["evaluate"]

_PROBLEMS = 5  # of the data set's files, told in full


def evaluate(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Its id; `toulmin datasets` lists them.")],
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="Folder of the data set, or of all of them.")],
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="How to answer.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="Folder of the run; an unfinished run goes on.")],
    kg: Kg = None,
    dialect: Dialect = None,
    kg_timeout: KgTimeout = None,
    set_: Settings = None,
    knowledge: KnowledgeNames = None,
    chains: Annotated[
        Path | None,
        typer.Option(
            "--chains",
            metavar="FILE",
            help='For --method rr: recorded chains of thought, in place of a model\'s; JSON lines of {"id", "chains"}.',
        ),
    ] = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    cache: Cache = None,
    record: Record = None,
    replay: Replay = None,
    prices: PriceList = None,
    budget_calls: BudgetCalls = None,
    budget_tokens: BudgetTokens = None,
    budget_seconds: BudgetSeconds = None,
    budget_cost: BudgetCost = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Ask a sample of N questions.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the sample, and of the order of options.")] = 0,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="For one question; a later answer is wrong.")
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, metavar="N", help="Questions asked at a time, of a model.")
    ] = 1,
    json: Json = False,
) -> None:
    """Ask the questions of a data set and measure the answers.

    Each question is recorded as it finishes: the same command goes on where it was stopped. Every answer is
    checked. Questions that bring a graph of their user along need no --kg.

    \b
    Example:
      toulmin evaluate metaqa/2-hop/dev --data data --kg films --method fidelis --limit 500 --out runs/metaqa-2
    """
    from toulmin.cli.console import error_console, print_json, result_console
    from toulmin.cli.opened import named_graphs, opened
    from toulmin.evaluation.datasets import load
    from toulmin.evaluation.records import RECORDS
    from toulmin.evaluation.runner import run
    from toulmin.evaluation.system import System
    from toulmin.methods.registry import settings_from
    from toulmin.methods.rr.recorded import RecordedChains

    choice = ModelChoice(
        model,
        base_url,
        cache,
        record,
        replay,
        prices,
        budget_calls,
        budget_tokens,
        budget_seconds,
        budget_cost,
    )
    bare, settings = settings_from(method, settings_given(set_), model=choice.named)
    budget = choice.budget()
    recorded = RecordedChains.read(chains) if chains is not None else None
    loaded = load(dataset, data)
    notes = error_console()
    for problem in loaded.problems[:_PROBLEMS]:
        notes.print(str(problem), soft_wrap=True)
    if len(loaded.problems) > _PROBLEMS:
        notes.print(f"… and {len(loaded.problems) - _PROBLEMS:,} more problems in the files of {dataset}")
    alone = not named_graphs(kg) and bool(loaded.questions) and all(one.statements for one in loaded.questions)
    with ExitStack() as stack:
        graph = None if alone else stack.enter_context(opened(kg, dialect, kg_timeout))
        asked = choice.open(concurrency=8 * concurrency)
        system = System(
            graph,
            method=bare,
            settings=settings,
            model=asked,
            budget=budget,
            knowledge=partial(named_knowledge, knowledge),
            chains=recorded.of if recorded is not None else None,
        )
        stack.callback(system.close)
        try:
            summary = run(
                loaded,
                system.answer,
                out,
                name=bare,
                settings={
                    **asdict(settings),
                    **({"budget": asdict(budget)} if budget else {}),
                    **({"knowledge": knowledge} if knowledge else {}),
                    **({"chains": recorded.digest} if recorded else {}),
                },
                graph="" if graph is None else graph.fingerprint,
                model=None if asked is None else asked.name,
                limit=limit,
                seed=seed,
                timeout=timeout,
                concurrency=concurrency,
                check=system.check,
                measure=system.measure,
                close=None if asked is None else asked.close,
                console=notes if json else result_console(),
            )
        except KeyboardInterrupt:
            said = f"interrupted; the answers so far are in {out / RECORDS}, and the same command goes on from there"
            raise KeyboardInterrupt(said) from None
    if json:
        print_json(asdict(summary))
