"""A draft whose claims are looked up, verified and mended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from scripted_baselines import HOLLIS, answer_of, number_of, scripted, steps_of, told

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.llm.session import Budget
from toulmin.methods.answering import StatementsRetrieved
from toulmin.methods.kgr import Kgr, KgrSettings
from toulmin.methods.kgr.method import ClaimsVerified, TextDrafted
from toulmin.methods.protocol import FellBack

pytest_plugins = ("harbour_world",)

QUESTION = "Who was a lock keeper first, Dora Finch or Abel Munt?"
CLAIMS = [
    {"claim": "Dora Finch has been lock keeper since 1890.", "entities": ["Dora Finch"]},
    {"claim": "Abel Munt has been lock keeper since 1898.", "entities": ["abel munt"]},
]


def steps(**other: Callable[[str], Any]) -> Callable[[str, str], Any]:
    """What a careful model says to each step; ``other`` by the step's name."""

    def verify(prompt: str) -> Any:
        dora, abel = number_of(prompt, "Dora Finch", "office"), number_of(prompt, "Abel Munt", "office")
        mended = "Dora Finch has been lock keeper since 1904."
        return {
            "verdicts": [
                {"claim": 1, "verdict": "contradicted", "statements": [dora], "correction": mended},
                {"claim": 2, "verdict": "supported", "statements": [abel], "correction": ""},
            ]
        }

    def mend(prompt: str) -> Any:
        assert "contradicted: Dora Finch has been lock keeper since 1904." in prompt
        cited = [number_of(prompt, name, "office") for name in ("Dora Finch", "Abel Munt")]
        return {"thought": "Abel Munt, since 1898.", "statements": cited, "answer": ["Abel Munt"]}

    said: dict[str, Callable[[str], Any]] = {
        "draft": lambda _: {"draft": "Dora Finch has been lock keeper since 1890, Abel Munt since 1898."},
        "claims": lambda _: {"claims": CLAIMS},
        "select": lambda prompt: {"statements": [number_of(prompt, "office")]},
        "verify": verify,
        "question": mend,
    }
    return lambda step, prompt: (said | other)[step](prompt)


def test_what_is_contradicted_is_mended(harbour: MemoryGraph) -> None:
    model = scripted(steps())
    events = told("kgr", QUESTION, harbour, model)
    answer = answer_of(events)
    assert answer.text == "Abel Munt"
    assert answer.grounded
    assert steps_of(model) == ["draft", "claims", "verify", "question"]
    assert len([event for event in events if isinstance(event, StatementsRetrieved)]) == 2
    (verified,) = [event for event in events if isinstance(event, ClaimsVerified)]
    assert [claim.verdict for claim in verified.claims] == ["contradicted", "supported"]
    assert [one["verdict"] for one in answer.certificate["trace"]["claims"]] == ["contradicted", "supported"]


def test_rounds_go_on_while_something_is_contradicted(harbour: MemoryGraph) -> None:
    model = scripted(steps())
    events = told("kgr", QUESTION, harbour, model, settings=KgrSettings(rounds=3))
    drafts = [event.draft for event in events if isinstance(event, TextDrafted)]
    assert len(drafts) == 3
    assert drafts[1] == "Abel Munt, since 1898."
    assert len(model.requests) == KgrSettings(rounds=3).rounds * 3 + 1 == Kgr(KgrSettings(rounds=3)).most_calls()


def test_nothing_contradicted_ends_it(harbour: MemoryGraph) -> None:
    def supported(prompt: str) -> Any:
        one = {"claim": 2, "verdict": "supported", "statements": [number_of(prompt, "Abel")], "correction": ""}
        return {"verdicts": [one]}

    mended = {"thought": "x", "statements": [1], "answer": ["Abel Munt"]}
    model = scripted(steps(verify=supported, question=lambda _: mended))
    told("kgr", QUESTION, harbour, model, settings=KgrSettings(rounds=3))
    assert steps_of(model) == ["draft", "claims", "verify", "question"]


def test_the_paper_selects_facts_and_verifies_claims_one_by_one(harbour: MemoryGraph) -> None:
    def verify(prompt: str) -> Any:
        verdict = "contradicted" if "Dora" in prompt.split("</claims>")[0] else "supported"
        said = {
            "claim": 1,
            "verdict": verdict,
            "statements": [1],
            "correction": "Dora Finch has been lock keeper since 1904.",
        }
        return {"verdicts": [said]}

    model = scripted(steps(verify=verify))
    answer = answer_of(told("kgr:paper", QUESTION, harbour, model))
    assert answer.text == "Abel Munt"
    one_round = ["claims", "select", "select", "verify", "verify", "question"]
    assert steps_of(model) == ["draft", *one_round, *one_round]


def test_a_verdict_that_cites_nothing_decides_nothing(harbour: MemoryGraph) -> None:
    bare = {"claim": 1, "verdict": "contradicted", "statements": [], "correction": "It is not so."}
    mended = {"thought": "x", "statements": [], "answer": ["Dora Finch"]}
    model = scripted(steps(verify=lambda _: {"verdicts": [bare]}, question=lambda _: mended))
    events = told("kgr", QUESTION, harbour, model)
    (verified,) = [event for event in events if isinstance(event, ClaimsVerified)]
    assert {claim.verdict for claim in verified.claims} == {"unknown"}


def test_a_draft_without_claims_is_the_models_word(harbour: MemoryGraph) -> None:
    mended = {"thought": "x", "answer": ["Cyrus Vane"]}
    model = scripted(steps(claims=lambda _: {"claims": []}, question=lambda _: mended))
    answer = answer_of(told("kgr", QUESTION, harbour, model))
    assert steps_of(model) == ["draft", "claims", "question"]
    assert answer.grounded is False


def test_a_step_that_fails_is_told_and_decides_nothing(harbour: MemoryGraph) -> None:
    mended = {"thought": "x", "statements": [], "answer": []}
    model = scripted(steps(verify=lambda _: "not now", question=lambda _: mended))
    events = told("kgr", QUESTION, harbour, model)
    assert [event.step for event in events if isinstance(event, FellBack)] == ["kgr/verify"]
    assert answer_of(events).abstained


def test_claims_and_choices(harbour: MemoryGraph) -> None:
    def reply(answer: Any) -> Any:
        found = steps(verify=lambda _: {"verdicts": []})
        mended = {"thought": "x", "statements": [1], "answer": answer}
        return scripted(lambda step, prompt: mended if step in ("claim", "choice") else found(step, prompt))

    claim = toulmin.Request("Dora Finch was first.", "claim")
    assert answer_of(told("kgr", claim, harbour, reply("no"))).verdict is False
    choice = toulmin.Request("Who was first?", options=("Dora Finch", "Abel Munt"))
    assert answer_of(told("kgr", choice, harbour, reply(2))).text == "Abel Munt"


def test_a_claim_that_names_nothing_known_is_linked_by_its_words(harbour: MemoryGraph) -> None:
    claims = [{"claim": "The Tern was built by Hollis Yard.", "entities": ["a vessel"]}]
    mended = {"thought": "x", "statements": [1], "answer": ["Hollis Yard"]}
    verdicts = {"verdicts": [{"claim": 1, "verdict": "supported", "statements": [1], "correction": ""}]}
    other: dict[str, Any] = {"claims": {"claims": claims}, "verify": verdicts, "question": mended}
    model = scripted(steps(**{name: (lambda _, said=said: said) for name, said in other.items()}))
    answer = answer_of(told("kgr", "Who built the Tern?", harbour, model))
    assert answer.values == (HOLLIS,)


def test_budgets_and_junk(harbour: MemoryGraph) -> None:
    for calls in range(4):
        answer = answer_of(told("kgr", QUESTION, harbour, scripted(steps()), budget=Budget(calls=calls)))
        assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]
    with pytest.raises(NothingUsableError):
        told("kgr", QUESTION, harbour, scripted(lambda step, prompt: json.dumps({"no": 1})))


@pytest.mark.parametrize("settings", [{"rounds": 0}, {"selection": "all"}, {"temperature": 3.0}, {"chunk": 0}])
def test_settings_out_of_range(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        KgrSettings(**settings)


def test_the_most_calls() -> None:
    assert Kgr().most_calls() == 4
    assert Kgr(Kgr.forms()["paper"]).most_calls() == 1 + 2 * (1 + 6 * 2 + 6 + 1)
