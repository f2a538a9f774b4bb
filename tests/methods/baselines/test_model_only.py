"""The model's own answer: one reply, or the answer of most samples."""

from __future__ import annotations

from typing import Any

import pytest
from scripted_baselines import answer_of, scripted, told

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal
from toulmin.llm.session import Budget
from toulmin.methods.model_only import ModelOnly, ModelOnlySettings
from toulmin.methods.model_only.method import Sampled

pytest_plugins = ("harbour_world",)


def samples(*answers: Any) -> Any:
    """Replies that are given one after another."""
    left = list(answers)
    return lambda step, prompt: {"thought": "because", "answer": left.pop(0)}


@pytest.mark.parametrize(
    ("form", "demonstrations", "step"),
    [("zero-shot", 0, "question"), ("few-shot", 5, "question"), ("few-shot-cot", 5, "question_thought")],
)
def test_forms_differ_by_their_prompts(harbour: MemoryGraph, form: str, demonstrations: int, step: str) -> None:
    model = scripted(
        lambda step, prompt: (
            {"thought": "so", "answer": ["Quillport"]} if "thought" in step else {"answer": ["Quillport"]}
        )
    )
    answer = answer_of(told(f"model-only:{form}", "Where is the Tern?", harbour, model))
    assert answer.values == (Literal("Quillport"),)
    assert answer.grounded is False
    (request,) = model.requests
    assert len(request.messages) == 2 + 2 * demonstrations
    assert request.step == f"model-only/{step}"


def test_k_demonstrations_are_shown(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"answer": "yes"})
    told("model-only", "Is it so?", harbour, model, settings=ModelOnlySettings(k=2))
    assert len(model.requests[0].messages) == 6


def test_a_claim_and_a_choice_have_their_prompts(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"answer": "no" if step == "claim" else 1})
    claim = toulmin.Request("The Tern is red.", "claim")
    assert answer_of(told("model-only", claim, harbour, model)).verdict is False
    choice = toulmin.Request("Which?", options=("oak", "ash"))
    assert answer_of(told("model-only", choice, harbour, model)).values == (Literal("oak"),)


def test_the_answer_of_most_samples(harbour: MemoryGraph) -> None:
    model = scripted(samples(["Ann"], ["Bea"], ["bea"], [], ["Ann", "Bea"], ["Bea!"], ["Cy"], ["Ann"], "yes"))
    events = told("model-only:self-consistency", "Who?", harbour, model)
    answer = answer_of(events)
    assert answer.values == (Literal("Bea"),)
    assert answer.score == pytest.approx(3 / 9)
    assert [node["op"] for node in answer.certificate["program"]] == ["vote"]
    (sampled,) = [event for event in events if isinstance(event, Sampled)]
    assert sampled.votes["Bea"] == 3
    assert answer.certificate["trace"]["votes"] == sampled.votes
    assert (model.requests[0].n, model.requests[0].temperature) == (9, 0.7)


def test_yes_and_no_are_voted_on(harbour: MemoryGraph) -> None:
    model = scripted(samples("no", "yes", "yes", "unknown", "no", "yes", ["Ann"], [], "no"))
    assert answer_of(told("model-only:self-consistency", "Is it so?", harbour, model)).verdict is False  # came first


def test_several_values_are_no_vote_but_keep_their_counts(harbour: MemoryGraph) -> None:
    model = scripted(samples(["Ann", "Bea"], ["Bea", "Ann"], ["Cy"]))
    settings = ModelOnlySettings(thought=True, N=3, T=0.7)
    answer = answer_of(told("model-only", "Who are they?", harbour, model, settings=settings))
    assert answer.values == (Literal("Ann"), Literal("Bea"))
    assert answer.certificate["trace"]["votes"] == {"Ann; Bea": 2, "Cy": 1}


def test_that_most_do_not_know_is_an_abstention(harbour: MemoryGraph) -> None:
    model = scripted(samples([], ["Ann"], []))
    settings = ModelOnlySettings(thought=True, N=3)
    answer = answer_of(told("model-only", "Who?", harbour, model, settings=settings))
    assert answer.abstained
    assert answer.certificate["trace"]["votes"]["(does not know)"] == 2


def test_no_budget_is_an_abstention_that_says_so(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"answer": []})
    answer = answer_of(told("model-only", "Who?", harbour, model, budget=Budget(calls=0)))
    assert answer.abstained
    assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]


def test_junk_is_the_models_failure(harbour: MemoryGraph) -> None:
    with pytest.raises(NothingUsableError) as caught:
        told("model-only", "Who?", harbour, scripted(lambda step, prompt: "I had rather not."))
    assert caught.value.usage.model_calls == 2


@pytest.mark.parametrize("settings", [{"k": 6}, {"k": -1}, {"N": 0}, {"T": 3.0}, {"max_tokens": 0}])
def test_settings_out_of_range(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        ModelOnlySettings(**settings)


def test_one_call_a_sample() -> None:
    most = {name: ModelOnly(form).most_calls() for name, form in ModelOnly.forms().items()}
    assert {calls for name, calls in most.items() if name != "self-consistency"} == {1}
    assert most["self-consistency"] == 9
