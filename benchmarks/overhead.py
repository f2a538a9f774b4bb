"""The share of time that is spent outside model calls, where a model takes a second per call.

    python benchmarks/overhead.py --data PATH --crlt DIR --webqsp DIR [--questions 10] [--latency 1.0] [--seed 0]
                                  [--only FORM]

The model sleeps for the latency, then replies at random with what the schema allows (drawn.py), so that every step of a
method is gone through. Time is outside model calls while none is in flight: methods work while they wait, too, and that
costs nothing. R3 is asked questions of CR-LT, FiDeLiS questions of WebQSP, each form its own, so that none finds what
another has embedded; the first two of each, which load the embedder and the lexicon, do not count. Processor time is
that of the whole process with its threads: on a busy machine the wall time outside calls may be several times what the
method needs. A question that ends since the random replies could not be used counts like any other.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from drawn import RandomModel
from random_model import FORMS
from toulmin.errors import NothingUsableError, RefusedError, ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.system import System
from toulmin.graph.protocol import Graph
from toulmin.llm.protocol import Model, ModelRequest, Reply
from toulmin.opening import open_graph

WARMING = 2
GOAL = 0.05


@dataclass(slots=True)
class Slow:
    """A model that takes its time; it knows for how long any call was in flight.

    Args:
        latency: seconds of one call.
    """

    model: Model
    latency: float
    calls: int = 0
    busy: float = 0.0
    _flying: int = 0
    _since: float = field(default=0.0)

    @property
    def name(self) -> str:
        """The model's."""
        return self.model.name

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``."""
        if self._flying == 0:
            self._since = time.perf_counter()
        self._flying += 1
        self.calls += 1
        ends = time.perf_counter() + self.latency
        try:
            reply = await self.model.complete(request)
            await asyncio.sleep(max(0.0, ends - time.perf_counter()))
            return reply
        finally:
            self._flying -= 1
            if self._flying == 0:
                self.busy += time.perf_counter() - self._since

    async def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One question: seconds in all, those while a call was in flight, of the processor, and the calls."""

    wall: float
    busy: float
    processor: float
    calls: int

    @property
    def outside(self) -> float:
        """The share of time outside model calls."""
        return 1 - self.busy / self.wall


def timed(
    form: tuple[str, Any],
    graph: Graph,
    questions: Sequence[Question],
    latency: float,
    seed: int,
    warming: int = WARMING,
) -> list[Timed]:
    """Each question that a method with its settings takes, but for the first ``warming`` of all."""
    method, settings = form
    slow = Slow(RandomModel(seed, sound=1.0), latency)
    found = []
    with System(graph, method=method, settings=settings, model=slow) as system, asyncio.Runner() as runner:
        for place, question in enumerate(questions):
            slow.calls, slow.busy = 0, 0.0
            processor, began = time.process_time(), time.perf_counter()
            try:
                with suppress(NothingUsableError):
                    runner.run(system.answer(question))
            except RefusedError:
                continue
            wall = time.perf_counter() - began
            if place >= warming:
                found.append(Timed(wall, slow.busy, time.process_time() - processor, slow.calls))
    return found


def table(figures: dict[str, list[Timed]], latency: float) -> Table:
    """A line for each form."""
    columns = ("questions", "calls", "seconds", "outside calls", "share outside", "goal", "processor seconds")
    title = f"time outside model calls at {latency:g} s per call: medians over questions"
    shown = Table("form", *columns, title=title)
    for form, all_of in figures.items():
        outside = statistics.median(one.outside for one in all_of)
        shown.add_row(
            form,
            str(len(all_of)),
            f"{statistics.median(one.calls for one in all_of):g}",
            f"{statistics.median(one.wall for one in all_of):.2f}",
            f"{statistics.median(one.wall - one.busy for one in all_of):.3f}",
            f"{outside:.3f} (at most {max(one.outside for one in all_of):.3f})",
            f"< {GOAL:g}: {'met' if outside < GOAL else 'missed'}",
            f"{statistics.median(one.processor for one in all_of):.3f}",
        )
    return shown


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--crlt", type=Path, required=True, help="a graph of CR-LT, built by crlt_graph.py")
    parser.add_argument("--webqsp", type=Path, required=True, help="a graph of WebQSP, built by toulmin build")
    parser.add_argument("--questions", type=int, default=10, help=f"of each form, beside {WARMING} that do not count")
    parser.add_argument("--latency", type=float, default=1.0, help="seconds of one call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=FORMS, metavar="FORM", help=f"one of {', '.join(FORMS)}")
    options = parser.parse_args()
    load_before, count = os.getloadavg()[0], options.questions + WARMING
    figures: dict[str, list[Timed]] = {}
    try:
        for dataset, folder, method in (("crlt/qa", options.crlt, "r3"), ("webqsp", options.webqsp, "fidelis")):
            forms = [form for form, (name, _) in FORMS.items() if name == method]
            questions = load(dataset, options.data).sample(count * len(forms), options.seed)
            with closing(open_graph(folder)) as graph:
                for place, form in enumerate(forms):
                    if options.only not in (None, form):
                        continue
                    own = questions[place * count : (place + 1) * count]
                    every = timed(FORMS[form], graph, own, options.latency, options.seed)
                    figures[form] = [one for one in every if one.calls]
    except ToulminError as error:
        sys.exit(str(error))
    console = Console(width=150)
    console.print(table(figures, options.latency))
    console.print(
        f"{os.cpu_count()} processors; load {load_before:.1f} at the beginning, {os.getloadavg()[0]:.1f} after"
    )


if __name__ == "__main__":
    main()
