"""Every method on the same twelve questions: right, grounded, calls, tokens, time.

    python benchmarks/every_method.py --data PATH --model KIND:NAME [--base-url URL] [--record FILE]
                                      [--work DIR] [--methods a,b:form,c] [--each 4] [--skip 0] [--report]
    python benchmarks/every_method.py --data PATH --times [--work DIR] [--methods a,b:form,c] [--latency 0]

Four questions each of MetaQA (two hops, dev), CR-LT (on the cache alone) and CK25, by seed. Twelve questions compare no
methods: they show that each runs to its end, and what it costs. Records are kept in --work; the same command goes on
where it was stopped. ``seconds`` is all of a question's time, that in the model with it. "grounded" of a name is that
the certificate passes and rests on statements of the graph.

--times asks the same twelve, one at a time, of a model that replies at random at once (drawn.py), so that what is
measured is the method's own time; what the replies say decides how far a method goes. A thirteenth question on each
graph, which loads the networks and what a method keeps of the graph, is asked first and does not count; nor does what
a method refuses. Processor seconds are those of the whole process with its threads: on a busy machine the wall time may
be several times as much.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from rich.console import Console
from rich.table import Table

from overhead import Timed, timed
from toulmin.errors import ToulminError
from toulmin.evaluation.datasets import load
from toulmin.methods.registry import OWN, settings_from
from toulmin.opening import open_graph
from with_model import MeasuredAnswer, add_model_options, ask_what_is_left, graph_named

#: The data sets, and the name of the graph of each.
SETS = {"metaqa/2-hop/dev": "metaqa", "crlt/qa": "crlt-cache", "ck25": "ck25"}

COLUMNS = (
    "method",
    "right (by set)",
    "and grounded",
    "answered, abstained, errors",
    "calls",
    "tokens",
    "seconds",
    "cited, absent",
)
TIMES = ("method", "questions", "calls", "processor seconds: median", "most", "wall: median", "most")


@dataclass(frozen=True, slots=True)
class Figure:
    """What a method made of a question."""

    dataset: str
    answer: MeasuredAnswer
    seconds: float


def figures_of(method: str, options: argparse.Namespace) -> list[Figure]:
    """Ask a method what it has not been asked, and read its records."""
    name, settings = settings_from(method, {}, model=True)
    figures: list[Figure] = []
    for dataset_id, graph_name in SETS.items():
        dataset = load(dataset_id, options.data)
        source = None if graph_name.startswith("crlt") else dataset.graphs
        drawn = dataset.sample(options.skip + options.each, options.seed)[options.skip :]
        out = options.work / "runs" / "-".join(re.sub(r"\W+", "-", part) for part in (method, graph_name))
        kg = graph_named(graph_name, options.data, options.work, source)
        for answer, record in ask_what_is_left(replace(dataset, questions=drawn), kg, name, settings, out, options):
            if dataset_id == "ck25":  # sets: all of it, and nothing else
                answer.right = record["metrics"].get("f1") == 1.0
            figures.append(Figure(dataset_id, answer, record["seconds"]))
    return figures


def row(method: str, figures: Sequence[Figure]) -> list[str]:
    """A line of the table."""
    answers = [one.answer for one in figures]
    by_set = "/".join(str(sum(one.answer.right for one in figures if one.dataset == of)) for of in SETS)
    outcomes = [sum(one.outcome == what for one in answers) for what in ("answered", "abstained")]
    return [
        method,
        f"{sum(one.right for one in answers)} ({by_set})",
        str(sum(one.right and one.grounded for one in answers)),
        f"{outcomes[0]}, {outcomes[1]}, {len(answers) - sum(outcomes)}",
        f"{sum(one.calls for one in answers) / len(answers):.1f}",
        f"{sum(one.tokens for one in answers) / len(answers):,.0f}",
        f"{sum(one.seconds for one in figures) / len(figures):.2f}",
        f"{sum(one.absent for one in answers)} of {sum(one.statements for one in answers)}",
    ]


def times_of(method: str, options: argparse.Namespace) -> list[Timed]:
    """How long a method takes outside the model, of each question."""
    form = settings_from(method, {}, model=True)
    times: list[Timed] = []
    for dataset_id, graph_name in SETS.items():
        dataset = load(dataset_id, options.data)
        source = None if graph_name.startswith("crlt") else dataset.graphs
        drawn = dataset.sample(options.skip + options.each + 1, options.seed)[options.skip :]
        warming_first = [drawn[-1], *drawn[:-1]]
        with closing(open_graph(graph_named(graph_name, options.data, options.work, source))) as graph:
            times += timed(form, graph, warming_first, options.latency, options.seed, warming=1)
    return times


def row_of_times(method: str, times: Sequence[Timed]) -> list[str]:
    """A line of the table of times."""
    outside = [one.wall - one.busy for one in times]
    processor = [one.processor for one in times]
    return [
        method,
        str(len(times)),
        f"{statistics.mean(one.calls for one in times):.1f}",
        *(f"{value:.2f}" for of in (processor, outside) for value in (statistics.median(of), max(of))),
    ]


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_model_options(parser, concurrency=4, timeout=3000.0)
    parser.add_argument("--model", help="openai:NAME, gguf:FILE, replay:FILE, random:SEED")
    parser.add_argument("--times", action="store_true", help="the time outside a model that replies at random at once")
    parser.add_argument("--latency", type=float, default=0.0, help="of --times: seconds that a call takes at least")
    parser.add_argument("--methods", default=",".join(OWN), help="names, with their forms")
    parser.add_argument("--each", type=int, default=4, help="questions of each data set")
    parser.add_argument("--skip", type=int, default=0, help="ask none of the first SKIP of the order")
    parser.add_argument("--seed", type=int, default=17, help="of the sample")
    options = parser.parse_args()
    if bool(options.model) == options.times:
        parser.error("give either --model or --times")
    console = Console(width=190)
    columns = TIMES if options.times else COLUMNS
    table = Table(*columns, title="the same questions for all")
    load_before = os.getloadavg()[0]
    try:
        for method in options.methods.split(","):
            if options.times:
                table.add_row(*(shown := row_of_times(method, times_of(method, options))))
                print(*shown, f"load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
                continue
            figures = figures_of(method, options)
            if options.report:
                for one in figures:
                    mark = "right" if one.answer.right else one.answer.outcome
                    console.print(
                        f"{method} · {one.answer.id} · {mark} · {one.answer.text}", markup=False, highlight=False
                    )
            if figures:
                table.add_row(*row(method, figures))
    except ToulminError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
    finally:
        console.print(table)
        if options.times:
            console.print(f"{os.cpu_count()} processors; load {load_before:.1f} before, {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
