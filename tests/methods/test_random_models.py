"""Both methods, in all their forms, with a model that replies at random, on the bundled graph and a personal one."""

from __future__ import annotations

import pytest

from random_model import BUNDLED, FORMS, Counts, Run, choices, fitting, forms_of, one_run
from toulmin.graph.store import EmbeddedGraph
from toulmin.llm.session import Budget

pytest_plugins = ("asked_graphs",)

RUNS = 4  # of each form


def test_nothing_crashes_and_nothing_is_uncited(world: EmbeddedGraph) -> None:
    counts = Counts()
    for form in FORMS:
        questions = fitting(FORMS[form], [*BUNDLED, *choices()])
        for seed in range(RUNS):
            budget = Budget(calls=seed) if seed % 4 == 3 else None
            one_run(Run(seed, form, world, questions[seed % len(questions)], budget), counts)
    assert counts.problems == []
    assert counts.seen["stored as it was"] == counts.seen["answers that check"]
    assert counts.seen["answers that check"] + counts.seen["nothing usable"] == RUNS * len(FORMS)
    assert counts.seen["answered"] > 0  # it is not by giving up that nothing fails
    assert counts.seen["spoilt replies"] > 0


@pytest.mark.parametrize("form", FORMS)
def test_a_model_of_which_no_reply_is_as_it_should_be(form: str, world: EmbeddedGraph) -> None:
    counts = Counts()
    for seed, question in enumerate(fitting(FORMS[form], BUNDLED)[:6]):
        one_run(Run(seed, form, world, question), counts, sound=0.0)
    assert counts.problems == []
    assert sum(counts.failures.values()) > 0


@pytest.mark.parametrize(
    ("form", "runs"), [("open-ended:alone", 6), ("model-only:self-consistency", 6), ("rr:self-consistency", 40)]
)
def test_a_model_alone_is_marked_as_its_word(form: str, runs: int, world: EmbeddedGraph) -> None:
    counts, forms = Counts(), forms_of(form)
    (name,) = forms
    questions = fitting(forms[name], BUNDLED)
    for seed in range(runs):
        one_run(Run(seed, name, world, questions[seed % len(questions)], forms=forms), counts)
    assert counts.problems == []
    assert counts.seen["answers that say to be the model's word alone"] == counts.seen["answered"] > 0
