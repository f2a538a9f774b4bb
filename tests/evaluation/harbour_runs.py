"""Runs on a small graph of ships and harbours, made by the runner with methods that are right as often as told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.records import RUN, read_run, write_json
from toulmin.evaluation.runner import run
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.raw_statements import RawName, RawStatement
from toulmin.graph.types import Entity, Relation
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

__all__ = ["HOSTILE", "harbours", "make_run", "questions"]

HOSTILE = (
    "</script><img src=x onerror=\"document.title='run'\"><!--<script>",
    "]]></style></svg><style>*{display:none}</style>",
    "{{asked}} {{script}} $\\frac{1}{2}$ &lt;b&gt; 'single'",
    "\u202etxet desrever\u2066 \x00\x1b[2J \u2028 line",
    "=HYPERLINK(1) | a | `code` [link](javascript:1)",
)
TYPES = ("comparison", "bridge", "counting of things", "place in time", "explanation")
LIES, SHIP = Relation("r:lies", "lies in"), Entity("e:ship", "Marigold")


def harbours(names: Mapping[str, str] | None = None) -> MemoryGraph:
    """The graph; ``names`` are labels in place of its own."""
    labels = {"e:ship": "Marigold", "e:port": "Eastwick Harbour", "e:cove": "Gull Cove", "r:lies": "lies in"}
    facts = [RawStatement("e:ship", "r:lies", "e:port"), RawStatement("e:port", "r:lies", "e:cove")]
    return MemoryGraph.from_records(
        [*facts, *(RawName(key, text) for key, text in (labels | dict(names or {})).items())]
    )


def questions(count: int, hostile: str = "") -> tuple[Question, ...]:
    """Questions with types and hops."""
    return tuple(
        Question(
            f"q{number}",
            f"where does Marigold lie on day {number}? {hostile}".strip(),
            ("Eastwick Harbour", *([hostile] if hostile else [])),
            type=hostile or TYPES[number % len(TYPES)],
            hops=1 + number % 3,
        )
        for number in range(count)
    )


def _share(*parts: object) -> float:
    digest = blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32


def make_run(
    out: Path,
    *,
    method: str = "anchor",
    right: float = 0.7,
    count: int = 20,
    data: str = "harbours/small",
    settings: Mapping[str, Any] | None = None,
    perturbation: tuple[str, float] | None = None,
    calls: int = 0,
    hostile: str = "",
    judged: Mapping[str, float] | None = None,
) -> Path:
    """A finished run in which so large a share of the answers is right.

    Args:
        calls: model calls of an answer, with tokens.
        hostile: stands in the question, the gold, the type and a label.
        judged: judgements by metric: the mean score.
    """
    graph = harbours({"e:port": hostile} if hostile else None)

    def asked(question: Question) -> Answer:
        lot = _share(method, question.id, settings)
        builder = Builder(question.question, graph)
        usage = Usage(model_calls=calls, prompt_tokens=90 * calls, completion_tokens=10 * calls, seconds=0.0)
        if lot > 0.97:
            raise ValueError(f"the line snapped {hostile}")
        if lot > 0.9:
            return builder.abstain(Other(says="the tide is out"), method=method).replaced(usage=usage)
        start = question.question.index("Marigold")
        port = builder.follow(builder.entity(SHIP, (start, start + 8), "Marigold"), LIES)
        found = port if lot < right else builder.follow(port, LIES)
        answer = builder.answer(found, by="harbour master", score=1.0, method=method)
        return answer.replaced(usage=usage, confidence=round(1 - lot / 2 - 0.3 * _share(question.id), 3))

    done = {"kind": perturbation[0], "level": perturbation[1], "seed": 0} if perturbation else None
    run(
        Dataset(data, questions(count, hostile)),
        Asking(asked, lambda _, answer: answer.check(graph), graph=graph.fingerprint),
        out,
        name=method,
        settings=settings,
        perturbation=done,
    )
    if hostile:
        write_json(out / RUN, read_run(out) | {"method": f"{method} {hostile}"})
    lines = [
        {
            "id": one.id,
            "metric": name,
            "score": round(0.5 * mean + 0.5 * _share(one.id, name, method), 3),
            "details": {},
        }
        | {"judge": "toy", "usage": {}, "error": None}
        for name, mean in (judged or {}).items()
        for one in questions(count, hostile)
    ]
    if lines:
        (out / "judgements.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return out
