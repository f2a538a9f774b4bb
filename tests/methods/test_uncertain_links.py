"""What a model is told where an entity is linked by a name that is merely near."""

from __future__ import annotations

import pytest
from answer_sets import named

import toulmin
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel

QUAYS = [
    ("Osprey Quay 12", "harbour master", "Ida Brenner"),
    ("Osprey Quay 12", "depth", "9 metres"),
    ("Ida Brenner", "place of birth", "Lund"),
]


@pytest.mark.parametrize("method", ["kaping", "tog", "plan", "r3"])
@pytest.mark.parametrize(("name", "is_told"), [("Osprey Quay 13", True), ("Osprey Quay 12", False)])
def test_a_merely_near_name_is_told_to_the_model(method: str, name: str, is_told: bool) -> None:
    prompts: list[str] = []

    def reply(request: ModelRequest) -> str:
        prompts.append(request.messages[-1].content)
        return "{}"

    with named(QUAYS) as graph, pytest.raises(toulmin.ToulminError):
        toulmin.ask(graph, f"Is Ida Brenner the harbour master of {name}?", method=method, model=ScriptedModel(reply))
    told = [prompt for prompt in prompts if f"“{name}” is not the name of anything" in prompt]
    assert bool(told) == is_told
