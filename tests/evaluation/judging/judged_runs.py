"""A graph of a harbour, answers about it, and the folders of runs that hold them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toulmin.check_text.checking import TextChecker
from toulmin.evaluation.judging.material import Response
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

QUESTION = "What is known of the pilot Runa Vik?"
TEXT = "Runa Vik was born in Grey Port. Runa Vik died in Linden. Runa Vik owned a kite."
FACTS = ["Runa Vik was born in Grey Port.", "Runa Vik died in Linden.", "Runa Vik owned a kite."]
_RUNA, _PORT, _SOUND = Entity("o:runa", "Runa Vik"), Entity("o:port", "Grey Port"), Entity("o:sound", "Northsound")
_LINDEN, _COUNTY = Entity("o:linden", "Linden"), Entity("o:county", "Marrow")


def harbour() -> MemoryGraph:
    """What is known of her, and of a few others, so that a place of death is seen to be one."""
    born, died = Relation("r:born", "place of birth"), Relation("r:died", "place of death")
    others = [Entity(f"o:{name}", name) for name in ("Odd Lund", "Tora Lund", "Ivar Holm")]
    return MemoryGraph.from_statements(
        [
            Statement(_RUNA, born, _PORT),
            Statement(_RUNA, died, _SOUND),
            Statement(_RUNA, Relation("r:work", "occupation"), Literal("harbour pilot", "string")),
            Statement(_PORT, Relation("r:in", "county"), _COUNTY),
            *(Statement(one, born, _LINDEN) for one in others),
            *(Statement(one, died, _LINDEN) for one in others),
        ],
        name="harbour",
    )


def prose(text: str, graph: MemoryGraph) -> dict[str, Any]:
    """The certificate of an answer that is a text."""
    return asyncio.run(TextChecker(graph).check(text)).certificate


def thought(said: str, thought: str, graph: MemoryGraph) -> dict[str, Any]:
    """The certificate of an answer with the thought that led to it."""
    builder = Builder(QUESTION, graph)
    place = builder.judged(QUESTION, by="m", score=1.0, decision="yes" if said == "yes" else "no")
    return Answer(
        builder.answer(place, by="m", score=1.0, method="model-only", trace={"thought": thought}).certificate
    ).certificate


def abstention(graph: MemoryGraph) -> dict[str, Any]:
    """The certificate of an abstention."""
    return Builder(QUESTION, graph).abstain([Other(says="nothing found")], method="test").certificate


def run_of(folder: Path, answers: dict[str, dict[str, Any] | None], *, right: bool | None = None) -> Path:
    """The folder of a run with these answers; ``right``: whether they are, where a gold is known ("yes")."""
    folder.mkdir(parents=True)
    (folder / "run.json").write_text('{"dataset": "own"}')
    gold: dict[str, Any] = {"answers": [], "verdict": None if right is None else True, "entities": []}
    metrics = {} if right is None else {"accuracy": float(right)}
    lines = [
        {
            "id": name,
            "question": QUESTION,
            "gold": gold,
            "outcome": "crashed" if answer is None else "answered",
            "metrics": metrics,
            "seconds": 0.1,
            "answer": answer,
        }
        for name, answer in answers.items()
    ]
    (folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def response(text: str = TEXT, **more: Any) -> Response:
    """An answer in prose."""
    return Response("q1", QUESTION, **{"text": text, "answer": text, "reasons": (text,), **more})


def split_reply(request: ModelRequest, facts: Sequence[str] = FACTS) -> str:
    """The reply to the prompt that takes sentences apart: one fact for each sentence, in its own words."""
    return json.dumps(
        {
            "sentences": [
                {"number": number, "facts": [{"fact": fact, "words": fact}]} for number, fact in enumerate(facts, 1)
            ]
        }
    )


def scripted(**replies: Any) -> ScriptedModel:
    """A model that replies by the step that asks: a value as JSON, a text as it is, of a list one after the other."""
    left = {step: iter(some) for step, some in replies.items() if isinstance(some, list)}

    def reply(request: ModelRequest) -> str:
        step = request.step.rpartition("/")[2]
        if step == "facts" and step not in replies:
            return split_reply(request)
        value = next(left[step]) if step in left else replies[step]
        value = value(request) if callable(value) else value
        return value if isinstance(value, str) else json.dumps(value)

    return ScriptedModel(reply)


def verified(*verdicts: str, line: int = 1) -> dict[str, Any]:
    """The reply of FActScore's judge."""
    return {
        "facts": [
            {"number": number, "evidence": [] if verdict == "not found" else [line], "verdict": verdict}
            for number, verdict in enumerate(verdicts, 1)
        ]
    }
