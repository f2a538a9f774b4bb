"""The command judge: the answers of runs, judged by a model or by our own scorer."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import error_console, print_json, progress, result_console
from toulmin.cli.entail import ScorerName
from toulmin.cli.graphs import NO_GRAPH, GraphChoice
from toulmin.cli.models import NO_MODEL, ModelChoice, settings_given
from toulmin.cli.options import Json, takes_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from toulmin.evaluation.judging.running import JudgedRun

__all__ = ["judge"]


@takes_groups
def judge(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="Folders of runs, as `evaluate --out` makes them, or of several."),
    ],
    metric: Annotated[str, typer.Option(metavar="NAME,…", help="Of factscore, safe, g-eval, reasons; commas between.")],
    graph_choice: GraphChoice = NO_GRAPH,
    knowledge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="What answers are judged by beside the graph: folder of a passage index, table, given:FILE; repeat.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the metrics (docs/judging.md); repeat."),
    ] = None,
    scorer: ScorerName = "shipped",
    choice: ModelChoice = NO_MODEL,
    concurrency: Annotated[int, typer.Option(min=1, metavar="N", help="Judgements at a time.")] = 4,
    again: Annotated[
        bool, typer.Option("--again", help="Judge anew what was judged by another model, graph or setting.")
    ] = False,
    json: Json = False,
) -> None:
    """Judge the answers of runs: FActScore, SAFE, G-Eval, and whether they are right for the right reasons.

    Each judgement is kept in the run's folder as it is made: the same command goes on where it was stopped, and asks
    again for what failed. Budgets are of one judgement. Without --model only factscore, by rules and the scorer. Exit
    code 1 if a judgement failed.

    \b
    Example:
      toulmin judge runs/okgqa --metric factscore,g-eval --kg bundled --model openai:gpt-4o-mini
    """
    from asyncio import Runner

    from toulmin.cli.knowledge import named_knowledge
    from toulmin.entailment.registry import get_scorer
    from toulmin.evaluation.judging.material import Library
    from toulmin.evaluation.judging.metric import JudgingSettings
    from toulmin.evaluation.judging.running import Judge, judged, metrics_named
    from toulmin.evaluation.records import runs_in
    from toulmin.graph.memory import MemoryGraph

    folders = runs_in(runs)
    settings = JudgingSettings().given(settings_given(set_))
    budget = choice.budget()
    with ExitStack() as stack:
        graph = stack.enter_context(graph_choice.opened()) if graph_choice.named else None
        library = Library(graph, named_knowledge(knowledge, graph or MemoryGraph.from_statements([], name="none")))
        rules = None if choice.named else get_scorer(scorer)
        metrics = metrics_named(
            [name.strip() for name in metric.split(",")], library, settings, scorer=rules, model=choice.named
        )
        model = choice.open(concurrency=8 * concurrency)
        judging = Judge(metrics, library, model=model, budget=budget, sources=knowledge or (), concurrency=concurrency)
        runner = stack.enter_context(Runner())
        try:
            with progress() as tell:
                for folder in folders:
                    runner.run(judging.run(folder, tell, again=again))
        except KeyboardInterrupt:
            message = "interrupted; the judgements so far are kept, and the same command goes on from there"
            raise KeyboardInterrupt(message) from None
        finally:
            if model is not None:
                runner.run(model.close())
    by_folder = {str(folder): judged(folder, [criterion.name for criterion in metrics]) for folder in folders}
    if json:
        print_json({folder: [asdict(run) for run in by_metric] for folder, by_metric in by_folder.items()})
    else:
        for name, by_metric in by_folder.items():
            _print(result_console(), name, by_metric)
    failed = [error for by_metric in by_folder.values() for run in by_metric for error in run.errors]
    for error in failed:
        error_console().print(f"not judged: {error}", soft_wrap=True)
    raise typer.Exit(1 if failed else 0)


def _print(console: Console, folder: str, judged: Sequence[JudgedRun]) -> None:
    """Print the figures of a run, and how many judgements they are of."""
    from rich.table import Table

    shown = Table("metric", "mean", "95 % interval", "n", title=folder)
    for run in judged:
        for name, interval in sorted(run.measures.items(), key=lambda measure: measure[0] != run.metric):
            ends = f"{interval.low:.4f} … {interval.high:.4f}"
            shown.add_row(name, f"{interval.estimate:.4f}", ends, str(interval.n))
    console.print(shown)
    for run in judged:
        tokens = run.usage.get("prompt_tokens", 0.0) + run.usage.get("completion_tokens", 0.0)
        calls = f"; {run.usage['model_calls']:,.0f} calls, {tokens:,.0f} tokens" if "model_calls" in run.usage else ""
        calls += f", {run.usage['cost']:.4f} paid" if "cost" in run.usage else ""
        scored = run.n - run.unscored - run.failed - run.left
        line = f"{run.metric}: {scored} judged, {run.unscored} with nothing to judge, {run.failed} failed{calls}"
        console.print(line, soft_wrap=True)
