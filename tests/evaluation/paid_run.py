"""A run whose model says what it was paid for, to be killed: ``python paid_run.py OUT PAID ENGINE DELAY``.

Samples come one at a time, as of an endpoint that knows no ``n``; one question gets nothing usable.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from toulmin.evaluation.calls import LoggedModel
from toulmin.evaluation.datasets import Dataset, Question
from toulmin.evaluation.engines import Asking, Engine, OnRay
from toulmin.evaluation.records import read_records
from toulmin.evaluation.runner import run
from toulmin.evaluation.system import System
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.llm.protocol import Completion, ModelRequest, Reply, Tokens
from toulmin.llm.records import request_key
from toulmin.methods.model_only.method import ModelOnlySettings

QUESTIONS = 30
SAMPLES = 4
DATASET = Dataset(
    "berths", tuple(Question(f"q{n}", f"Which ship lies at berth {n}?", (f"ship {n % 7}",)) for n in range(QUESTIONS))
)


@dataclass
class Paid:
    """A model that takes its time, and appends to a file what each reply answered, as a provider would to a bill."""

    file: Path
    delay: float
    name: str = "paid"

    async def part(self, request: ModelRequest) -> Reply:
        """One completion, which depends on the request alone."""
        await asyncio.sleep(self.delay)
        key = request_key(request, self.name)
        number = int(sha256(key.encode()).hexdigest(), 16)
        junk = "berth 5?" in request.messages[-1].content
        said = json.dumps({"thought": "So it seems.", "answer": [f"ship {number % 7}"]})
        line = json.dumps([key, os.getpid()]) + "\n"
        with self.file.open("ab", buffering=0) as bill:
            bill.write(line.encode())
        return Reply((Completion("no idea" if junk else said),), Tokens(10, 5, 0.25))

    complete = part

    async def close(self) -> None:
        """Nothing is held."""


@contextmanager
def opened(bill: Path, delay: float) -> Iterator[Asking]:
    """What is asked: a graph, and a model that is sampled."""
    lies = Relation("r:lies-at", "lies at")
    statements = [Statement(Entity(f"s:{n}", f"ship {n}"), lies, Entity(f"b:{n}", f"berth {n}")) for n in range(7)]
    model = LoggedModel(Paid(bill, delay))
    settings = ModelOnlySettings(thought=True, N=SAMPLES, T=0.7)
    with MemoryGraph.from_statements(statements) as graph:
        system = System(graph, method="model-only", settings=settings, model=model)
        with system:
            yield Asking(system.answer, system.check, system.measure, model.close)


def go(out: Path, bill: Path, engine: str, delay: float, concurrency: int = 3) -> None:
    """Run it, or go on with it."""
    opener = partial(opened, bill, delay)
    who: Engine | None = OnRay(opener, workers=2) if engine == "ray" else None
    with opener() as asking:
        run(DATASET, asking, out, name="model-only", concurrency=concurrency, engine=who)


def timeless(value: Any) -> Any:
    """A record without its times."""
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if key not in ("seconds", "traceback")}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def records(out: Path) -> dict[str, Any]:
    """The records of a run by question, without times."""
    return {record["id"]: timeless(record) for record in read_records(out)}


def bill_of(file: Path) -> Counter[str]:
    """How often each request was paid for."""
    return Counter(json.loads(line)[0] for line in file.read_text().splitlines()) if file.exists() else Counter()


def logged(out: Path) -> set[str]:
    """The requests whose replies are written down; of those that were on their way at a kill nobody can know."""
    lines = [line for file in out.glob("calls*.jsonl") for line in file.read_bytes().splitlines(keepends=True)]
    return {json.loads(line)["key"] for line in lines if line.endswith(b"\n")}


if __name__ == "__main__":
    go(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
