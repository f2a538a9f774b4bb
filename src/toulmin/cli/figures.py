"""The commands about the figures of runs: judge, compare, report, metrics."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import error_console, print_json, progress, result_console
from toulmin.cli.entail import ScorerName
from toulmin.cli.graphs import NO_GRAPH, GraphChoice
from toulmin.cli.models import NO_MODEL, ModelChoice, settings_given
from toulmin.cli.options import Json, argument, flag, option, takes_groups
from toulmin.cli.storing import check_place, written
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from rich.console import Console

    from toulmin.evaluation.judging.running import JudgedRun
    from toulmin.evaluation.report.read_runs import Run

__all__ = ["compare", "judge", "metrics", "report"]


@takes_groups
def judge(
    runs: Annotated[list[Path], argument("RUN…", "Folders of runs, as `evaluate --out` makes them, or of several.")],
    metric: Annotated[str, option("NAME,…", "Of factscore, safe, g-eval, reasons; commas between.")],
    graph_choice: GraphChoice = NO_GRAPH,
    knowledge: Annotated[
        list[str] | None,
        option(
            "WHAT", "What answers are judged by beside the graph: folder of a passage index, table, given:FILE; repeat."
        ),
    ] = None,
    set_: Annotated[
        list[str] | None, option("NAME=VALUE", "A setting of the metrics (docs/judging.md); repeat.", "--set")
    ] = None,
    scorer: ScorerName = "shipped",
    choice: ModelChoice = NO_MODEL,
    concurrency: Annotated[int, option("N", "Judgements at a time.", min=1)] = 4,
    again: Annotated[bool, flag("--again", "Judge anew what was judged by another model, graph or setting.")] = False,
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

    from toulmin.entailment.registry import get_scorer
    from toulmin.evaluation.judging.material import Library
    from toulmin.evaluation.judging.metric import JudgingSettings
    from toulmin.evaluation.judging.running import Judge, judged, metrics_named
    from toulmin.evaluation.records import runs_in
    from toulmin.graph.memory import MemoryGraph
    from toulmin.retrieval.knowledge.named import knowledge_from

    folders = runs_in(runs)
    settings = JudgingSettings().given(settings_given(set_))
    budget = choice.budget()
    with ExitStack() as stack:
        graph = stack.enter_context(graph_choice.opened()) if graph_choice.named else None
        beside = graph or MemoryGraph.from_statements([], name="none")
        library = Library(graph, knowledge_from(knowledge, beside) if knowledge else None)
        rules = None if choice.named else get_scorer(scorer)
        metrics = metrics_named(
            [name.strip() for name in metric.split(",")], library, settings, scorer=rules, model=choice.named
        )
        model = choice.open(concurrency=8 * concurrency)
        judging = Judge(metrics, library, model=model, budget=budget, sources=knowledge or (), concurrency=concurrency)
        runner = stack.enter_context(Runner())
        if model is not None:
            stack.callback(lambda: runner.run(model.close()))
        try:
            with progress() as tell:
                for folder in folders:
                    runner.run(judging.run(folder, tell, again=again))
        except KeyboardInterrupt:
            message = "interrupted; the judgements so far are kept, and the same command goes on from there"
            raise KeyboardInterrupt(message) from None
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


def compare(
    runs: Annotated[list[Path], argument("RUN...", "Folders of runs, or that hold runs.")],
    metric: Annotated[list[str] | None, option("NAME", "By which; repeat it. `toulmin metrics` lists them.")] = None,
    baseline: Annotated[Path | None, option("RUN", "Compare each other run with this one, not all pairs.")] = None,
    correction: Annotated[
        str, option("NAME", "Of p-values for their number: holm, benjamini-hochberg or none.")
    ] = "holm",
    seed: Annotated[int, option("S", "Of the bootstrap.")] = 0,
    json: Json = False,
) -> None:
    """Compare runs on the same data: the figures of each, and the differences with their tests.

    Over the questions that both runs of a pair have: McNemar's exact test for right or wrong, the paired t-test for
    numbers, and bootstrap intervals; Fisher's and Welch's tests where they have none in common. Without --metric by
    accuracy or Hits@1, F1, and grounded accuracy.

    \b
    Example:
      toulmin compare runs/metaqa-2 runs/metaqa-2-wide
    """
    from toulmin.evaluation.comparing import compare as compared
    from toulmin.evaluation.comparing import tables
    from toulmin.evaluation.records import runs_in
    from toulmin.evaluation.statistics import CORRECTIONS
    from toulmin.registry import known

    named = next((name for name in CORRECTIONS if name == correction), None)
    if named is None:
        raise SettingsError(f"no correction is called {correction!r}{known(correction, CORRECTIONS)}")
    first = [] if baseline is None else [baseline]
    comparison = compared(runs_in([*first, *runs]), metric or (), baseline=baseline, correction=named, seed=seed)
    if json:
        print_json(asdict(comparison))
        return
    console = result_console()
    for table in tables(comparison):
        console.print(table)


def metrics(
    name: Annotated[str | None, argument("[NAME]", "One of them, in full.")] = None,
    json: Json = False,
) -> None:
    """List the metrics: what each is of one question or of a run, its range, source and strict definition.

    \b
    Example:
      toulmin metrics coverage_ratio
    """
    from toulmin.evaluation.metrics.declared import declared, metric

    entries = [metric(name)] if name else list(declared().values())
    if json:
        fields = ("name", "definition", "source", "needs", "of", "high", "better", "range")
        print_json([{field: getattr(entry, field) for field in fields} for entry in entries])
        return
    console = result_console()
    if not name:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for column in ("metric", "of a", "range", "source"):
            table.add_column(column, overflow="fold")
        for entry in entries:
            table.add_row(entry.name, entry.of, entry.range, entry.source)
        console.print(table)
        console.print("toulmin metrics NAME: its definition")
        return
    for entry in entries:
        better = f", {entry.better} is better" if entry.better else ""
        console.print(f"{entry.name}: of a {entry.of}, {entry.range}{better}")
        console.print(entry.definition)
        console.print(f"Source: {entry.source}.")
        if entry.needs:
            console.print(f"Of {entry.needs}.")


_FORMS = (".html", ".md", ".csv")


def report(
    runs: Annotated[list[Path], argument("RUN...", "Folders of runs, or folders that hold runs.", show_default=False)],
    out: Annotated[Path, option("FILE", "Its name says the form: .html, .md or .csv.")],
    metric: Annotated[
        str | None, option("NAME", "What stands for a run in plots and tests; default: accuracy.")
    ] = None,
    kg: Annotated[
        list[str] | None,
        option(
            "GRAPH",
            "That runs were on; repeat it. Its statements get into the page, whose proofs then check themselves.",
        ),
    ] = None,
) -> None:
    """Write a report of runs: tables, plots, and every question with its certificates, in one file.

    Markdown and CSV hold the figures alone.

    \b
    Example:
      toulmin report runs --out report.html
    """
    from toulmin.evaluation.report.read_runs import read_runs

    if out.suffix not in _FORMS:
        raise SettingsError(f"--out {out}: the name of a report ends in one of {', '.join(_FORMS)}")
    check_place("--out", out)
    if kg and out.suffix != ".html":
        raise SettingsError(f"--kg: proofs are in a page: {out} has none; leave it out, or write a .html")
    read = read_runs(runs, metric)
    if out.suffix == ".html":
        text = _page(read, kg or [])
    else:
        from toulmin.evaluation.report.figures import as_csv, as_markdown

        text = as_csv(read) if out.suffix == ".csv" else as_markdown(read)
    if (problem := written(text, out)) is not None:
        raise problem
    questions = len({(run.data, name) for run in read for name in run.asked})
    size = len(text.encode())
    told = f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{size / 1000:.0f} kB"
    typer.echo(f"{out}: {len(read)} run{'s' if len(read) > 1 else ''}, {questions:,} questions, {told}")


def _page(runs: Sequence[Run], names: Sequence[str]) -> str:
    from toulmin.evaluation.report.page import report_page
    from toulmin.graph.union import UnionGraph

    with ExitStack() as stack:
        graphs = [stack.enter_context(GraphChoice([name]).opened()) for name in names]
        graphs += [UnionGraph(graphs)] if len(graphs) > 1 else []
        tell = stack.enter_context(progress())
        return report_page(runs, {graph.fingerprint: graph for graph in graphs}, tell)
