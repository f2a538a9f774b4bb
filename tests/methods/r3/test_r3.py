"""R³ with scripted models on the bundled graph: three tasks, two modes, search in depth and breadth, failures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scripted_r3 import answer_of, asked, model, nodes_of, number_of, steps_of, surfaced, told

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.llm.budget import Budget
from toulmin.methods.protocol import Called, Linked
from toulmin.methods.r3 import ABLATIONS, R3, R3Settings
from toulmin.methods.r3.events import AxiomSurfaced, Grounded, Retrieved, Verified

MET = "Could Isaac Newton have met Marie Curie?"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return toulmin.open("bundled")


def overlap(died: str = "date of death", direction: str = "both") -> dict[str, Any]:
    """Newton died after Curie was born."""
    return {
        "text": "Isaac Newton could have met Marie Curie if she was born before he died.",
        "terms": [
            {"name": "n", "kind": "entity", "text": "Isaac Newton"},
            {"name": "c", "kind": "entity", "text": "Marie Curie"},
            {"name": "died", "kind": "property", "text": died, "of": "n"},
            {"name": "born", "kind": "property", "text": "date of birth", "of": "c"},
        ],
        "clauses": [
            {"name": "early", "text": "Curie was born before Newton died.", "op": "<", "left": "born", "right": "died"}
        ],
        "direction": direction,
    }


def in_words(premise: str, text: str = "A rule.") -> dict[str, Any]:
    return {"text": text, "premises": [premise]}


def test_names_of_the_graph_may_decide(graph: Graph) -> None:
    scripted = model(axiom=surfaced(overlap()))
    seen = told(MET, graph, scripted)
    answer = answer_of(seen)
    assert (answer.verdict, answer.text, answer.abstained) == (False, "no", False)
    assert steps_of(scripted) == ["entities", "axiom"]
    report = answer.check(graph)
    assert (report.exit_code, report.status) == (0, "judged")
    assert [node["op"] for node in report.nodes if node["status"] == "judged"] == ["rule"]
    kinds = [type(event) for event in seen]
    assert kinds.index(Linked) < kinds.index(AxiomSurfaced) < kinds.index(Verified)
    assert sum(kind is Called for kind in kinds) == answer.usage.model_calls == 2


def test_a_term_of_other_words_is_grounded_by_number(graph: Graph) -> None:
    def ground(prompt: str) -> dict[str, Any]:
        cited = number_of(prompt, "Isaac Newton", "date of death")
        return {"groundings": [{"term": "died", "statements": [cited]}], "judgements": []}

    scripted = model(axiom=surfaced(overlap("the day he passed away")), ground=ground)
    seen = told(MET, graph, scripted)
    answer = answer_of(seen)
    assert answer.verdict is False
    grounded = next(event for event in seen if isinstance(event, Grounded))
    retrieved = [one for event in seen if isinstance(event, Retrieved) for one in event.statements]
    assert grounded.statements == tuple(retrieved)
    assert [node["relations"] for node in nodes_of(answer, "follow")] == [
        ["world:date_of_death"],
        ["world:date_of_birth"],
    ]
    assert answer.check(graph).exit_code == 0


def test_a_citation_outside_the_list_is_repaired_or_refused(graph: Graph) -> None:
    far = {"groundings": [{"term": "died", "statements": [9999]}], "judgements": []}
    scripted = model(axiom=surfaced(overlap("the day he passed away")), ground=far)
    with pytest.raises(NothingUsableError, match=r"2 replies cannot be used \(r3/ground 2\)"):
        told(MET, graph, scripted, R3Settings(breadth=1, depth=0))


def test_a_claim(graph: Graph) -> None:
    scripted = model(axiom=surfaced(overlap()))
    answer = answer_of(told("Isaac Newton met Marie Curie.", graph, scripted, task="claim"))
    assert answer.verdict is False
    assert all("Claim: Isaac Newton met Marie Curie." in asked(request) for request in scripted.requests)


def test_the_direction_of_an_axiom_is_kept(graph: Graph) -> None:
    """That they did not meet does not follow from a condition that would have been sufficient."""
    scripted = model(axiom=surfaced(overlap(direction="sufficient")))
    answer = answer_of(told(MET, graph, scripted, R3Settings(breadth=1)))
    assert answer.abstained
    assert "sufficient" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0


def test_the_papers_own_form(graph: Graph) -> None:
    def judge(prompt: str) -> dict[str, Any]:
        cited = [number_of(prompt, "Newton", "date of death"), number_of(prompt, "Curie", "date of birth")]
        return {"judgements": [{"clause": "c1", "decision": "no", "statements": cited, "score": 0.9}]}

    premise = "They were alive at the same time."
    rule = "Isaac Newton must have died after the date of birth of Marie Curie."
    scripted = model(words=surfaced(in_words(premise, rule)), judge=judge)
    answer = answer_of(told(MET, graph, scripted, replace(ABLATIONS["paper"], k=20)))
    assert answer.verdict is False
    judged = nodes_of(answer, "judged")
    assert [(node["decision"], node["by"], node["score"]) for node in judged] == [("no", "scripted", 0.9)]
    assert len(judged[0]["seen"]) == len(nodes_of(answer, "statement")) == 2
    assert answer.check(graph).exit_code == 0
    assert answer.check(graph, strict=True).exit_code == 1
    assert "axiom" not in steps_of(scripted)


def test_missing_evidence_is_looked_up_by_number(graph: Graph) -> None:
    def judge(prompt: str) -> dict[str, Any]:
        if "Marie Curie | date of death" not in prompt:
            return {"judgements": []}
        cited = number_of(prompt, "Marie Curie", "date of death")
        return {"judgements": [{"clause": "c1", "decision": "yes", "statements": [cited], "score": 1.0}]}

    def missing(prompt: str) -> dict[str, Any]:
        return {"need": "when his wife died", "entity": number_of(prompt, "Marie Curie", block="entities")}

    scripted = model(words=surfaced(in_words("His wife outlived him.")), judge=judge, missing=missing)
    settings = R3Settings(axiom="words", k=20)
    seen = told("Did the wife of Pierre Curie outlive him?", graph, scripted, settings)
    assert answer_of(seen).verdict is True
    assert [len(event.entities) for event in seen if isinstance(event, Retrieved)] == [1, 1]
    assert steps_of(scripted).count("missing") == 1


def test_the_next_statements_of_a_known_entity(graph: Graph) -> None:
    def missing(prompt: str) -> dict[str, Any]:
        return {"need": "more", "entity": number_of(prompt, "Marie Curie", "more statements", block="entities")}

    scripted = model(words=surfaced(in_words("It is so.")), missing=missing)
    settings = R3Settings(axiom="words", k=3, pick=False, breadth=1)
    seen = told("Is Marie Curie famous?", graph, scripted, settings)
    shown = [one.id for event in seen if isinstance(event, Retrieved) for one in event.statements]
    assert len(shown) == len(set(shown)) == 9
    assert answer_of(seen).abstained


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_depth(graph: Graph, depth: int) -> None:
    def missing(prompt: str) -> dict[str, Any]:
        return {"need": "more", "entity": 1}

    scripted = model(words=surfaced(in_words("It is so.")), missing=missing)
    told("Is Marie Curie famous?", graph, scripted, R3Settings(axiom="words", depth=depth, k=2, breadth=1, pick=False))
    assert (steps_of(scripted).count("missing"), steps_of(scripted).count("judge")) == (depth, depth + 1)


def test_a_second_axiom_where_the_first_leads_nowhere(graph: Graph) -> None:
    lost = overlap("the number of his shoes")
    scripted = model(axiom=[surfaced(lost), surfaced(overlap())])
    seen = told(MET, graph, scripted)
    assert answer_of(seen).verdict is False
    assert [event.branch for event in seen if isinstance(event, AxiomSurfaced)] == [1, 2]
    second = [asked(request) for request in scripted.requests if request.step == "r3/axiom"][1]
    assert "<tried>" in second
    assert "the number of his shoes" in second


def test_axioms_at_once(graph: Graph) -> None:
    scripted = model(axiom=surfaced(overlap("the number of his shoes"), overlap()))
    seen = told(MET, graph, scripted, R3Settings(parallel=True))
    assert answer_of(seen).verdict is False
    assert steps_of(scripted).count("axiom") == 1


def test_an_abstention_names_what_is_missing(graph: Graph) -> None:
    scripted = model(axiom=surfaced(overlap("the number of his shoes")))
    answer = answer_of(told(MET, graph, scripted))
    assert answer.abstained
    assert "the number of his shoes" in (answer.reason or "")
    assert "Isaac Newton" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0


def test_the_budget_ends_it(graph: Graph) -> None:
    scripted = model(axiom=surfaced(overlap("the number of his shoes")))
    answer = answer_of(told(MET, graph, scripted, budget=Budget(calls=4)))
    assert answer.abstained
    assert answer.usage.model_calls == 4
    assert "stopped early" in (answer.reason or "")
    assert "calls" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0
    none = answer_of(told(MET, graph, model(axiom=surfaced(overlap())), budget=Budget(calls=0)))
    assert none.abstained


def test_a_model_that_never_replies_to_the_point(graph: Graph) -> None:
    scripted = model(axiom="I would rather talk about the weather.", entities="{")
    with pytest.raises(NothingUsableError) as error:
        told(MET, graph, scripted)
    assert error.value.replies == {"r3/axiom": 2, "r3/entities": 2}
    # Of two axioms one was grounded, and decided nothing: that is no failure of the model.
    grounds: list[Any] = [{"groundings": [], "judgements": []}, "no JSON"]
    once = model(axiom=surfaced(overlap("the day he passed away")), ground=grounds)
    answer = answer_of(told(MET, graph, once, R3Settings(breadth=2, depth=0)))
    assert answer.abstained
    assert answer.usage.failures == {"r3/ground": 1}
    assert "nothing usable (1 times)" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0


def test_nothing_is_linked(graph: Graph) -> None:
    answer = answer_of(told("Would it?", graph, model(), R3Settings(speaker="")))
    assert answer.abstained
    assert answer.reason is not None
    assert "nothing in it is the name of an entity" in answer.reason


def test_entities_that_only_the_model_finds(graph: Graph) -> None:
    names = {"entities": ["Isaac Newton", "Marie Curie", "Nobody At All"]}
    scripted = model(entities=names, words=surfaced(in_words("They were alive at the same time.")))
    seen = told(MET, graph, scripted, ABLATIONS["without linker"])
    linked = next(event for event in seen if isinstance(event, Linked))
    assert [one.entity.label for one in linked.entities] == ["Isaac Newton", "Marie Curie"]
    assert [MET[one.start : one.end] for one in linked.entities] == ["Isaac Newton", "Marie Curie"]
    assert steps_of(scripted)[0] == "entities"
    without = model(axiom=surfaced(overlap()), words=surfaced(in_words("x")))
    told(MET, graph, without, ABLATIONS["without mentions"])
    assert "entities" not in steps_of(without)


USER, ALICE = Entity("p:user", "user"), Entity("p:alice", "Alice")
SOUPS = ("Oyster soup", "Pork stew", "Mushroom soup")


@pytest.fixture(scope="module")
def kitchen() -> UnionGraph:
    personal = [
        Statement(USER, Relation("p:religion", "religion"), Entity("p:islam", "Islam")),
        Statement(USER, Relation("p:condition", "medical condition"), Entity("p:shell", "shellfish allergy")),
    ]
    made = {"Oyster soup": "oyster", "Pork stew": "pork", "Mushroom soup": "mushroom"}
    recipes = [
        Statement(Entity(f"r:{n}", name), Relation("r:ingredient", "ingredient"), Entity(f"r:i{n}", what))
        for n, (name, what) in enumerate(made.items())
    ]
    graphs = (MemoryGraph.from_statements(some, name=name) for some, name in ((personal, "me"), (recipes, "recipes")))
    return UnionGraph(graphs)


CHOICE = {
    "text": "The option suits the user.",
    "terms": [{"name": "option", "kind": "option"}],
    "clauses": [{"name": "ok", "text": "Nothing known of the user rules the option out.", "op": "words"}],
    "direction": "both",
}


def suits(prompt: str) -> dict[str, Any]:
    """What an option is made of decides."""
    option = next(line for line in prompt.splitlines() if line.startswith("The option: "))
    forbidden = {"Oyster soup": "shellfish", "Pork stew": "Islam"}.get(option.removeprefix("The option: "))
    cited = [number_of(prompt, "ingredient"), *([number_of(prompt, forbidden)] if forbidden else [])]
    decision = "no" if forbidden else "yes"
    return {"groundings": [], "judgements": [{"clause": "ok", "decision": decision, "statements": cited}]}


@pytest.mark.parametrize(
    "settings", [R3Settings(seed=seed, options_at_once=1) for seed in range(3)] + [R3Settings(parallel=True)]
)
def test_multiple_choice_with_a_personal_graph(kitchen: UnionGraph, settings: R3Settings) -> None:
    scripted = model(axiom_option=surfaced(CHOICE), ground_option=suits)
    seen = told("I want a warm meal", kitchen, scripted, settings, options=SOUPS)
    answer = answer_of(seen)
    assert answer.text == "Mushroom soup"
    report = answer.check(kitchen)
    assert (report.exit_code, report.problems) == (0, [])
    tried = [event.option for event in seen if isinstance(event, Verified)]
    assert settings.parallel or tried[-1] == "Mushroom soup"
    for option, decision in (("Pork stew", "no"), ("Oyster soup", "no")):
        if option in tried and not settings.parallel:  # rejected options stay in the certificate
            judged = [node for node in nodes_of(answer, "judged") if node["says"].endswith(f"(the option: {option})")]
            assert [node["decision"] for node in judged] == [decision]
    assert all(node["status"] == "holds" for node in report.nodes if node["op"] == "statement")


def test_the_order_of_options_is_random_and_seeded(kitchen: UnionGraph) -> None:
    def orders(seed: int, options: tuple[str, ...]) -> list[str | None]:
        scripted = model(axiom_option=surfaced(CHOICE), ground_option={"groundings": [], "judgements": []})
        settings = R3Settings(seed=seed, breadth=1, depth=0, options_at_once=1)
        seen = told("I want a warm meal", kitchen, scripted, settings, options=options)
        assert answer_of(seen).abstained
        return [event.option for event in seen if isinstance(event, Retrieved)]

    assert orders(0, SOUPS) == orders(0, SOUPS[::-1])
    assert len({tuple(orders(seed, SOUPS)) for seed in range(8)}) > 2


@pytest.mark.parametrize("seed", range(4))
def test_options_at_once_choose_as_one_by_one(kitchen: UnionGraph, seed: int) -> None:
    def chosen(at_once: int) -> str:
        soups = {"Pork stew": "no"}

        def fits(prompt: str) -> dict[str, Any]:
            option = prompt.split("The option: ")[1].splitlines()[0]
            said = {"clause": "ok", "decision": soups.get(option, "yes"), "statements": [1]}
            return {"groundings": [], "judgements": [said]}

        scripted = model(axiom_option=surfaced(CHOICE), ground_option=fits)
        settings = R3Settings(seed=seed, options_at_once=at_once)
        return answer_of(told("I want a warm meal", kitchen, scripted, settings, options=SOUPS)).text

    assert chosen(1) == chosen(2) == chosen(3) != "Pork stew"


def test_no_option_is_chosen_before_one_that_was_not_tried_to_its_end(kitchen: UnionGraph) -> None:
    for calls in range(2, 6):
        scripted = model(axiom_option=surfaced(CHOICE), ground_option=suits)
        seen = told(
            "I want a warm meal", kitchen, scripted, R3Settings(depth=0), options=SOUPS, budget=Budget(calls=calls)
        )
        assert answer_of(seen).abstained or answer_of(seen).text == "Mushroom soup"


def test_another_axiom_is_told_what_failed_for_each_option(kitchen: UnionGraph) -> None:
    nothing = {"clause": "ok", "decision": "no", "statements": [1]}
    scripted = model(
        axiom_option=[surfaced(CHOICE), surfaced()], ground_option={"groundings": [], "judgements": [nothing]}
    )
    seen = told("I want a warm meal", kitchen, scripted, options=SOUPS)
    tried = asked([request for request in scripted.requests if request.step == "r3/axiom_option"][-1])
    assert all(f"{option}: ok false" in tried for option in SOUPS)
    assert "sufficient" not in tried
    assert answer_of(seen).abstained


def test_settings_and_models() -> None:
    with pytest.raises(SettingsError, match="depth is -1"):
        R3Settings(depth=-1)
    with pytest.raises(SettingsError, match="axiom is 'prose'"):
        R3Settings(axiom="prose")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="R3Settings"):
        R3({"depth": 1})
    with pytest.raises(SettingsError, match="needs a language model"):
        toulmin.ask(toulmin.open("bundled"), MET, method="r3")
    assert {one.axiom for one in ABLATIONS.values()} == {"words"}
    assert ABLATIONS["truncation"].pruning == "truncation"
