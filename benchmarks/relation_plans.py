"""RoG's recorded relation paths, walked in the union graph: strict Hits@1 and F1 of the answer set.

    python benchmarks/relation_plans.py --data PATH [--limit N] [--seed S] [--kg-dir DIR] [--dataset webqsp]
                                        [--search]

WebQSP: our half of its test questions, with the plans that RoG's authors published, which take the model's place. Each
setting is asked the same questions and each answer is checked; beside it stands the same computed with dictionaries
alone (``plain_walk``), in how many questions it has the same answer set, and with --search the search without a model.
Topic "linked": from the question's words alone; "recorded": from the topic entity that comes with the data, as RoG was
evaluated. The union graph is biased towards the gold (it holds what published runs printed, RoG's among them), so that
these are no figures of WebQSP on Freebase. Records lie in --kg-dir; the same command with the same code goes on there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.table import Table

from built_graphs import KEPT, built
from plain_walk import PlainGraph, plain_answer
from quality import code
from toulmin.errors import ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.records import read_records
from toulmin.evaluation.runner import run
from toulmin.evaluation.statistics import ConfidenceInterval
from toulmin.graph.protocol import Graph
from toulmin.graph.store import open_graph
from toulmin.methods.asker import Asker
from toulmin.methods.relation_plans import PlanSettings
from toulmin.methods.relation_plans.method import Take, Topic
from toulmin.program.answer import Answer

COLUMNS = ("topic", "what", "Hits@1", "F1 of set", "abstained", "checked", "same as by dictionaries", "ms median")


def asking(asker: Asker) -> Callable[[Question], Answer]:
    """The method as the runner calls it."""
    return lambda question: asker.ask(question.question)


def share(interval: ConfidenceInterval) -> str:
    """A mean with its interval."""
    return f"{interval.estimate:.3f} ({interval.low:.3f} … {interval.high:.3f})"


class Measuring:
    """One data set, asked with several settings.

    Args:
        out: the folder of the records.
    """

    def __init__(self, dataset: Dataset, graph: Graph, options: argparse.Namespace, out: Path) -> None:
        self._dataset, self._graph, self._options, self._out = dataset, graph, options, out
        folder = options.data / "freebase_union"
        self._plans = folder / f"{options.dataset}_questions.jsonl"
        self._records = {record["id"]: record for record in map(json.loads, self._plans.open(encoding="utf-8"))}
        self._plain = PlainGraph(folder / f"{options.dataset}_kg.tsv")
        self._asked = {question.id for question in dataset.sample(options.limit, options.seed)}

    def row(self, name: str, method: str, settings: Any, console: Console) -> list[str]:
        """Ask with these settings: the cells of the table."""
        out = self._out / name
        asker = Asker(self._graph, method=method, settings=settings)
        summary = run(
            self._dataset,
            Asking(asking(asker), lambda _, answer: answer.check(self._graph), graph=self._graph.fingerprint),
            out,
            name=method,
            settings=asdict(asker.method.settings),
            limit=self._options.limit,
            seed=self._options.seed,
            console=console,
        )
        same = self._same(out, settings) if isinstance(settings, PlanSettings) else "-"
        metrics = summary.metrics
        return [
            share(metrics["hits_at_1"]),
            share(metrics["f1"]),
            f"{summary.abstention_rate.estimate:.3f}",
            f"{summary.checks:,} of {summary.checked:,}",
            same,
            f"{summary.median_seconds * 1000:.0f}",
        ]

    def _same(self, out: Path, settings: PlanSettings) -> str:
        """In how many questions the answer set is that of the plain walk; of linked topics from the same entities."""
        if settings.topic == "linked":
            return "-"
        same, asked = 0, 0
        for kept in read_records(out):
            if kept["id"] in self._asked and self._records[kept["id"]]["path_start_entities"]:
                said = {one.label for one in Answer.from_json(json.dumps(kept["answer"])).values}  # type: ignore[union-attr]
                record = self._records[kept["id"]]
                same += said == plain_answer(self._plain, record, record["path_start_entities"], settings.take)
                asked += 1
        return f"{same:,} of {asked:,}"

    def rows(self, console: Console) -> Sequence[list[str]]:
        """The table: every setting, and the search without a model."""
        found: list[list[str]] = []
        if self._options.search:
            found.append(["linked", "read without a model", *self.row("reader", "reader", None, console)])
        for topic, take in product(get_args(Topic), get_args(Take)):
            settings = PlanSettings(plans=str(self._plans), topic=topic, take=take)
            found.append([topic, f"plans, take={take}", *self.row(f"{topic}-{take}", "plan", settings, console)])
        return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--dataset", choices=("webqsp", "cwq"), default="webqsp")
    parser.add_argument("--limit", type=int, help="questions (default: all)")
    parser.add_argument(
        "--search", action="store_true", help="the search without a model beside it, which takes longer"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--kg-dir", type=Path, default=KEPT, help="graphs and records")
    options = parser.parse_args()
    progress, result = Console(stderr=True), Console(width=170)
    try:
        dataset = load(options.dataset, options.data)
        with open_graph(built(options.kg_dir / dataset.graphs[0].stem, dataset.graphs[0])) as graph:
            out = options.kg_dir / f"plans-{code()}" / options.dataset
            rows = Measuring(dataset, graph, options, out).rows(progress)
    except ToulminError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
    table = Table(title=f"{options.dataset}: recorded relation plans, walked in the union graph")
    for column in COLUMNS:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    result.print(table)


if __name__ == "__main__":
    main()
