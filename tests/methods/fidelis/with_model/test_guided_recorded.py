"""Recorded replies of a capable reader to our own questions, replayed: the same answers, by the same prompts."""

from __future__ import annotations

from pathlib import Path

import pytest

from toulmin.errors import ReplayError
from toulmin.graph.store import EmbeddedGraph
from toulmin.llm.stored_replies import ReplayModel
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import GuidedSettings

pytest_plugins = ("asked_graphs",)

RECORDED = Path(__file__).parent / "recorded" / "questions.jsonl"
OURS, FRUGAL = GuidedSettings(), GuidedSettings.frugal()


@pytest.mark.parametrize(
    ("question", "settings", "text", "calls"),
    [
        ("Which physicist held the same professorship as Isaac Newton in 1945?", OURS, "Paul Dirac", 4),
        ("How many moons does Mars have?", OURS, "at least 2", 4),
        ("Could Mary Shelley have climbed the Eiffel Tower?", OURS, "no", 4),
        ("Where was the director of Seven Samurai born?", FRUGAL, "Tokyo", 2),
        ("Was Marie Curie married to Pierre Curie?", FRUGAL, "yes", 2),
    ],
)
def test_recorded_answers(world: EmbeddedGraph, question: str, settings: GuidedSettings, text: str, calls: int) -> None:
    answer = Asker(world, method="fidelis", model=ReplayModel(RECORDED), settings=settings).ask(question)
    assert (answer.text, answer.usage.model_calls) == (text, calls)
    assert answer.check(world).exit_code == 0


def test_what_was_not_recorded_is_said(world: EmbeddedGraph) -> None:
    with pytest.raises(ReplayError):
        Asker(world, method="fidelis", model=ReplayModel(RECORDED)).ask("Who directed Spirited Away?")
