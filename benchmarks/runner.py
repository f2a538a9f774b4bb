"""The runner: how near it comes to the throughput that its model allows, its memory, and what a kill costs.

    python benchmarks/runner.py throughput [--questions 10000] [--latency 0.05] [--concurrency 32] [--http] [--bare]
    python benchmarks/runner.py kills [--times 20] [--engine local|ray] [--seed 0]

``throughput``: made-up questions, each one call of a model that sleeps for the latency, answered by ``model-only`` on
the bundled graph, checked, measured and recorded as ``toulmin evaluate`` does. Ideal are questions × latency /
concurrency seconds. ``--http``: the model is an endpoint on the loopback in another process. ``--bare``: a method that
does nothing but call the model: what the runner alone costs. Processor time is that of this process. ``kills``: a run
of 120 sampled replies is killed by SIGKILL when a random number of them is paid for, and resumed; its records must be
those of a run that nothing interrupted, and no reply that had come may be paid for twice; of replies that were on
their way at the kill no client knows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path[:0] = _TESTED = [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("evaluation", "llm")]
# Ray's workers are processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([*_TESTED, *filter(None, [os.environ.get("PYTHONPATH")])])
# ruff: noqa: E402

import paid_run
from model_server import ModelServer, Sent, chat

from toulmin.cli.graphs import GraphChoice
from toulmin.evaluation.calls import LoggedModel
from toulmin.evaluation.datasets import Dataset, Question
from toulmin.evaluation.engines import Asking, Done, Here, Job
from toulmin.evaluation.records import RECORDS
from toulmin.evaluation.runner import run
from toulmin.evaluation.system import System
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.llm.openai import OpenAIModel
from toulmin.llm.protocol import Completion, Message, Model, ModelRequest, Reply, Tokens
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder

REPLY = json.dumps({"answer": ["London"]})


@dataclass
class Sleeping:
    """A model that sleeps, and always says the same."""

    latency: float
    name: str = "sleeping"

    async def complete(self, request: ModelRequest) -> Reply:
        """The reply."""
        await asyncio.sleep(self.latency)
        return Reply((Completion(REPLY),), Tokens(200, 10, 0.0))

    async def close(self) -> None:
        """Nothing is held."""


@contextmanager
def endpoint(latency: float) -> Iterator[str]:
    """The address of a model of its own process on the loopback."""
    process = subprocess.Popen([sys.executable, __file__, "serve", str(latency)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def serve(latency: float) -> None:
    """Be that model, until killed."""

    def reply(body: dict[str, Any]) -> Sent:
        time.sleep(latency)
        return chat(REPLY, usage=(200, 10))

    with ModelServer(reply) as server:
        print(server.url, flush=True)
        signal.pause()


@dataclass
class Clocked:
    """The engine of this process, with the seconds that asking took: by the wall clock, and of the processor."""

    asking: Asking
    took: float = 0.0
    used: float = 0.0

    def __call__(self, questions: Iterable[Question], job: Job, keep: Callable[[Done], None]) -> None:
        """See ``Engine``."""
        began, processor = time.perf_counter(), time.process_time()
        Here(self.asking)(questions, job, keep)
        self.took, self.used = time.perf_counter() - began, time.process_time() - processor


def bare(model: Model, graph: MemoryGraph) -> Callable[[Question], Any]:
    """A method that calls the model, and answers always the same."""
    builder, usage = Builder("Which town?", graph), Usage(model_calls=1, prompt_tokens=200, completion_tokens=10)
    found = builder.follow(builder.entity(Entity("e:1", "London")), Relation("r:in", "is in"))
    always = builder.answer(found, by="bare", score=1.0, method="bare", usage=usage)

    async def answer(question: Question) -> Answer:
        await model.complete(ModelRequest((Message("user", question.question),)))
        return always

    return answer


def memory() -> float:
    """MB of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def throughput(arguments: argparse.Namespace) -> None:
    """Ask, and tell how long it took."""
    count, concurrency = arguments.questions, arguments.concurrency
    dataset = Dataset(
        "towns", tuple(Question(f"q{n}", f"Which town did traveller {n} see last?", ("London",)) for n in range(count))
    )
    with ExitStack() as stack:
        out = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(endpoint(arguments.latency)) if arguments.http else None
        own: Model = Sleeping(arguments.latency)
        if address is not None:
            own = OpenAIModel("sleeping", base_url=address, concurrency=concurrency)
        model = LoggedModel(own)
        seen: list[tuple[int, float]] = []
        options: dict[str, Any]
        if arguments.bare:
            statements = [Statement(Entity("e:1", "London"), Relation("r:in", "is in"), Entity("e:2", "England"))]
            method = bare(model, stack.enter_context(MemoryGraph.from_statements(statements)))
            options = {}
        else:
            graph = stack.enter_context(GraphChoice(["bundled"]).opened())
            system = stack.enter_context(System(graph, method="model-only", model=model))
            method, options = system.answer, {"check": system.check, "measure": system.measure}

        def counted(question: Question) -> Any:
            number = int(question.id[1:])
            if number % max(count // 10, 1) == 0:
                seen.append((number, memory()))
            return method(question)

        warm = Dataset("warm", dataset.questions[:concurrency])
        run(warm, Asking(method, **options), out / "warm", name="warm", concurrency=concurrency)
        clock = Clocked(Asking(counted, **options, close=model.close))
        began = time.perf_counter()
        run(dataset, clock.asking, out / "run", name="run", concurrency=concurrency, engine=clock)
        took, used = clock.took, clock.used
        assert (out / "run" / RECORDS).read_bytes().count(b"\n") == count
        ideal = count * arguments.latency / concurrency
        print(f"{count} questions, ideal {ideal:.1f} s, took {took:.1f} s: {ideal / took:.1%} of the ideal throughput")
        print(f"with its summary the run took {time.perf_counter() - began:.1f} s")
        print(f"processor time {used:.1f} s, {used / count * 1000:.2f} ms a question; load {os.getloadavg()[0]:.1f}")
        print("MB in memory:", ", ".join(f"{number}: {size:.0f}" for number, size in seen), f"end: {memory():.0f}")


def kills(arguments: argparse.Namespace) -> None:
    """Kill and resume."""
    if arguments.engine == "ray" and find_spec("ray") is None:
        sys.exit("ray is not installed: pip install 'toulmin[ray]'")
    chance = random.Random(arguments.seed)
    total, equal, twice = paid_run.QUESTIONS * paid_run.SAMPLES, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        paid_run.go(whole, Path(folder) / "whole.bill", "local", 0.0)
        wanted = paid_run.records(whole)
        for time_ in range(arguments.times):
            out, bill = Path(folder) / f"run{time_}", Path(folder) / f"bill{time_}"
            moment = chance.randint(1, total - 1)
            command = [sys.executable, paid_run.__file__, str(out), str(bill), arguments.engine]
            process = subprocess.Popen([*command, "0.05"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and (not bill.exists() or bill.read_bytes().count(b"\n") < moment):
                time.sleep(0.001)
            time.sleep(chance.random() * 0.05)
            process.kill()
            process.wait()
            come = paid_run.logged(out)
            done = (out / RECORDS).read_bytes().count(b"\n")
            paid_run.go(out, bill, arguments.engine, 0.0)
            paid = paid_run.bill_of(bill)
            again, flying = sum(paid[key] - 1 for key in come), paid.total() - total
            twice += again
            same = paid_run.records(out) == wanted and len(paid) == total
            equal += same
            told = f"equal {same}, paid twice {again} ({flying - again} on their way)"
            print(f"killed at reply {moment} of {total}, record {done}: {told}", flush=True)
    print(f"{arguments.engine}: {equal} of {arguments.times} runs equal the whole one, {twice} replies paid twice")


def main() -> None:
    """Run the benchmark that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("throughput")
    one.add_argument("--questions", type=int, default=10_000)
    one.add_argument("--latency", type=float, default=0.05)
    one.add_argument("--concurrency", type=int, default=32)
    one.add_argument("--http", action="store_true")
    one.add_argument("--bare", action="store_true")
    one.set_defaults(call=throughput)
    one = commands.add_parser("kills")
    one.add_argument("--times", type=int, default=20)
    one.add_argument("--engine", choices=("local", "ray"), default="local")
    one.add_argument("--seed", type=int, default=0)
    one.set_defaults(call=kills)
    one = commands.add_parser("serve")
    one.add_argument("latency", type=float)
    one.set_defaults(call=lambda arguments: serve(arguments.latency))
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
