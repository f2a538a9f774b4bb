"""The runs of one `evaluate`: several methods, and a graph that is perturbed in several ways."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.cli.console import progress
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from rich.table import Table

    from toulmin.evaluation.perturbation import Perturbation
    from toulmin.evaluation.summary import Summary

__all__ = ["PlannedRun", "perturbations", "perturbed_graph", "planned_runs", "runs_table"]

_MAIN = ("accuracy", "hits_at_1", "f1", "grounded_accuracy")  # of all the metrics that a run has


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run: its method, what is done to the graph (None: nothing), and its folder."""

    method: str
    perturbation: Perturbation | None
    folder: Path


def perturbations(texts: Sequence[str], seed: int) -> list[Perturbation | None]:
    """What `--perturb KIND:LEVEL,LEVEL…` names, once each; level 0 is the graph as it is, for all kinds.

    Raises:
        SettingsError: one is not of this form.
    """
    if not texts:
        return [None]
    from toulmin.evaluation.perturbation import Perturbation

    found: dict[Perturbation | None, None] = {}
    for text in texts:
        kind, _, levels = text.partition(":")
        for level in levels.split(","):
            one = Perturbation.parse(f"{kind}:{level.strip()}", seed)
            found[one if one.level > 0 else None] = None
    return list(found)


def planned_runs(methods: str, changes: Sequence[Perturbation | None], out: Path) -> Iterator[PlannedRun]:
    """Every method on every graph; a single run is ``out`` itself, several have a folder each below it.

    Raises:
        SettingsError: no method is named, or one twice.
    """
    names = [name.strip() for name in methods.split(",")]
    if not all(names) or len(set(names)) < len(names):
        raise SettingsError(f"--method {methods!r}: name methods once each, separated by commas")
    several = len(names) > 1 or list(changes) != [None]
    for change in changes:
        for name in names:
            folder = name.replace(":", "-") + (f"@{change.name}" if change is not None else "")
            yield PlannedRun(name, change, out / folder if several else out)


def perturbed_graph(graphs: Sequence[str], perturbation: Perturbation, out: Path) -> str:
    """The perturbed copy of a graph below ``out``, built where it is not there yet.

    Raises:
        SettingsError: it is not one graph that is built in a folder.
        GraphError: it cannot be opened, or the copy not be written.
    """
    from toulmin.cli.graphs import opened
    from toulmin.evaluation.perturbation import perturbed
    from toulmin.evaluation.records import write_json
    from toulmin.opening import BUNDLED, bundled_directory, is_url

    if len(graphs) != 1 or is_url(graphs[0]):
        raise SettingsError("--perturb needs one graph that is built in a folder: give one --kg DIR")
    with opened(graphs) as graph:
        of = {"graph": graph.fingerprint, **asdict(perturbation)}
    source = bundled_directory() if graphs[0] == BUNDLED else Path(graphs[0])
    copy = out / "graphs" / perturbation.name
    made = copy.with_name(f"{copy.name}.json")  # written when the copy is whole
    if not made.is_file() or json.loads(made.read_text("utf-8")) != of:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with progress() as tell:
            perturbed(source, perturbation, copy, progress=tell)
        write_json(made, of)
    return str(copy)


def runs_table(summaries: Sequence[tuple[str, Summary]]) -> Table:
    """The main figures of several runs, one row each."""
    from rich.table import Table

    metrics = [name for name in _MAIN if any(name in summary.metrics for _, summary in summaries)]
    shown = Table(title=str(summaries[0][1].run["dataset"]))
    costs = any(summary.usage.get("cost") for _, summary in summaries)
    for column in ("run", "n", *metrics, "abstained", "crashed", "calls", *(["cost"] if costs else [])):
        # The name is what tells the rows apart: of 80 columns it gets all that it needs.
        shown.add_column(column.replace("_", " "), justify="left" if column == "run" else "right", overflow="fold")
    for name, one in summaries:
        found = [one.metrics.get(metric) for metric in metrics]
        cells = [f"{i.estimate:.3f}\n{i.low:.2f}–{i.high:.2f}" if i is not None else "–" for i in found]
        cost = one.usage.get("cost")
        spent = [
            f"{one.usage.get('model_calls', 0.0):,.0f}",
            *(["–" if cost is None else f"{cost:,.4f}"] if costs else []),
        ]
        shown.add_row(name, str(one.n), *cells, str(one.abstained), str(one.crashed + one.timed_out), *spent)
    return shown
