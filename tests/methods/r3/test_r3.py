"""R³ with scripted models on the bundled graph: three tasks, two modes, search in depth and breadth, failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from scripted_r3 import answer_of, asked, model, nodes_of, number_of, steps_of, surfaced, told

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.llm.session import Budget
from toulmin.methods.protocol import Called, Linked
from toulmin.methods.r3 import ABLATIONS, R3, R3Settings
from toulmin.methods.r3.outcomes import AxiomEvaluated, AxiomSurfaced, Grounded, StatementsKept

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
    assert steps_of(scripted) == ["axiom"]  # the linker read every name of the question
    report = answer.check(graph)
    assert (report.exit_code, report.status) == (0, "judged")
    assert [node["op"] for node in report.nodes if node["status"] == "judged"] == ["rule"]
    kinds = [type(event) for event in seen]
    assert kinds.index(Linked) < kinds.index(AxiomSurfaced) < kinds.index(AxiomEvaluated)
    assert sum(kind is Called for kind in kinds) == answer.usage.model_calls == 1


def test_a_term_of_other_words_is_grounded_by_number(graph: Graph) -> None:
    def ground(prompt: str) -> dict[str, Any]:
        cited = number_of(prompt, "Isaac Newton", "date of death")
        return {"groundings": [{"term": "died", "statements": [cited]}], "judgements": []}

    scripted = model(axiom=surfaced(overlap("the day he passed away")), ground=ground)
    seen = told(MET, graph, scripted)
    answer = answer_of(seen)
    assert answer.verdict is False
    grounded = next(event for event in seen if isinstance(event, Grounded))
    retrieved = [one for event in seen if isinstance(event, StatementsKept) for one in event.statements]
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
    assert [len(event.entities) for event in seen if isinstance(event, StatementsKept)] == [1, 1]
    assert steps_of(scripted).count("missing") == 1


def test_the_next_statements_of_a_known_entity(graph: Graph) -> None:
    def missing(prompt: str) -> dict[str, Any]:
        return {"need": "more", "entity": number_of(prompt, "Marie Curie", "more statements", block="entities")}

    scripted = model(words=surfaced(in_words("It is so.")), missing=missing)
    settings = R3Settings(axiom="words", k=3, pick=False, breadth=1)
    seen = told("Is Marie Curie famous?", graph, scripted, settings)
    shown = [one.id for event in seen if isinstance(event, StatementsKept) for one in event.statements]
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
    answer = answer_of(told(MET, graph, scripted, budget=Budget(calls=3)))
    assert answer.abstained
    assert answer.usage.model_calls == 3
    assert "stopped early" in (answer.reason or "")
    assert "calls" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0
    none = answer_of(told(MET, graph, model(axiom=surfaced(overlap())), budget=Budget(calls=0)))
    assert none.abstained


def test_a_model_that_never_replies_to_the_point(graph: Graph) -> None:
    scripted = model(axiom="I would rather talk about the weather.", entities="{")
    with pytest.raises(NothingUsableError) as error:
        told(MET, graph, scripted)
    assert error.value.replies == {"r3/axiom": 2}
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


FORBIDDEN = {"Oyster soup": "shellfish", "Pork stew": "Islam"}


def suits(prompt: str) -> dict[str, Any]:
    """What an option is made of decides."""
    option = next(line for line in prompt.splitlines() if line.startswith("The option: "))
    return {"groundings": [], "judgements": [fit(prompt, option.removeprefix("The option: "), "the option")]}


def fit(prompt: str, option: str, called: str) -> dict[str, Any]:
    cited = [number_of(prompt, called, "ingredient")]
    cited += [number_of(prompt, FORBIDDEN[option])] if option in FORBIDDEN else []
    return {"clause": "ok", "decision": "no" if option in FORBIDDEN else "yes", "statements": cited}


def lettered(prompt: str) -> dict[str, str]:
    """The options of a prompt by their letters."""
    lines = prompt.split("<options>")[1].split("</options>")[0].split("\n")
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def suit_all(prompt: str) -> dict[str, Any]:
    """The same of every option at once."""
    options = lettered(prompt).items()
    said = [{"option": letter, "judgements": [fit(prompt, option, letter)]} for letter, option in options]
    return {"groundings": [], "options": said}


@pytest.mark.parametrize(
    "settings", [R3Settings(seed=seed, options_at_once=many) for many in (1, 2, 12) for seed in range(3)]
)
def test_multiple_choice_with_a_personal_graph(kitchen: UnionGraph, settings: R3Settings) -> None:
    scripted = model(axiom_option=surfaced(CHOICE), ground_option=suits, ground_options=suit_all)
    seen = told("I want a warm meal", kitchen, scripted, settings, options=SOUPS)
    answer = answer_of(seen)
    assert answer.text == "Mushroom soup"
    report = answer.check(kitchen)
    assert (report.exit_code, report.problems) == (0, [])
    tried = [event.option for event in seen if isinstance(event, AxiomEvaluated)]
    assert settings.options_at_once > 1 or tried[-1] == "Mushroom soup"
    assert settings.options_at_once < len(SOUPS) or steps_of(scripted) == ["axiom_option", "ground_options"]
    for option, decision in (("Pork stew", "no"), ("Oyster soup", "no")):
        if option in tried:  # rejected options stay in the certificate
            judged = [node for node in nodes_of(answer, "judged") if node["says"].endswith(f"(the option: {option})")]
            assert [node["decision"] for node in judged] == [decision]
    assert all(node["status"] == "holds" for node in report.nodes if node["op"] == "statement")


def test_the_order_of_options_is_random_and_seeded(kitchen: UnionGraph) -> None:
    def orders(seed: int, options: tuple[str, ...]) -> list[str | None]:
        scripted = model(axiom_option=surfaced(CHOICE), ground_option={"groundings": [], "judgements": []})
        settings = R3Settings(seed=seed, breadth=1, depth=0, options_at_once=1)
        seen = told("I want a warm meal", kitchen, scripted, settings, options=options)
        assert answer_of(seen).abstained
        return [event.option for event in seen if isinstance(event, StatementsKept)]

    assert orders(0, SOUPS) == orders(0, SOUPS[::-1])
    assert len({tuple(orders(seed, SOUPS)) for seed in range(8)}) > 2


def judging(**decisions: str) -> Callable[[str], dict[str, Any]]:
    """Judges each option by what its name says, or leaves it open, with a score where one is given after a blank."""

    def judge(prompt: str) -> dict[str, Any]:
        said = []
        for letter, option in lettered(prompt).items():
            decision, _, score = decisions[option.split()[0].lower()].partition(" ")
            judged = {"clause": "ok", "decision": decision, "statements": [number_of(prompt, f"{letter} |")]}
            said.append({"option": letter, "judgements": [judged | ({"score": float(score)} if score else {})]})
        return {"groundings": [], "options": said}

    return judge


def test_of_several_that_fit_the_surest_is_chosen(kitchen: UnionGraph) -> None:
    judge = judging(oyster="yes 0.7", pork="no", mushroom="yes 0.9")
    for seed in range(4):
        scripted = model(axiom_option=surfaced(CHOICE), ground_options=judge)
        seen = told("I want a warm meal", kitchen, scripted, R3Settings(seed=seed), options=SOUPS)
        assert answer_of(seen).text == "Mushroom soup"


def test_no_option_is_chosen_before_one_that_was_not_tried_to_its_end(kitchen: UnionGraph) -> None:
    for calls in range(2, 6):
        scripted = model(axiom_option=surfaced(CHOICE), ground_option=suits)
        settings = R3Settings(depth=0, options_at_once=1)
        seen = told("I want a warm meal", kitchen, scripted, settings, options=SOUPS, budget=Budget(calls=calls))
        assert answer_of(seen).abstained or answer_of(seen).text == "Mushroom soup"


def test_another_axiom_is_told_what_failed_for_each_option(kitchen: UnionGraph) -> None:
    """By the statement that each was ruled out by."""
    judge = judging(oyster="no", pork="no", mushroom="no")
    scripted = model(axiom_option=[surfaced(CHOICE), surfaced()], ground_options=judge)
    seen = told("I want a warm meal", kitchen, scripted, options=SOUPS)
    tried = asked([request for request in scripted.requests if request.step == "r3/axiom_option"][-1])
    assert all(
        f"{option}: «Nothing known of the user rules the option out.» is false, by ({option}, ingredient, " in tried
        for option in SOUPS
    )
    assert "sufficient" not in tried
    assert answer_of(seen).abstained


def test_where_none_fits_the_nearest_is_named_and_not_chosen(kitchen: UnionGraph) -> None:
    terms = {"terms": [*CHOICE["terms"]], "text": CHOICE["text"], "direction": "both"}
    clauses = [*CHOICE["clauses"], {"name": "warm", "text": "The option is warm.", "op": "words"}]

    def judge(prompt: str) -> dict[str, Any]:
        said = []
        for letter, option in lettered(prompt).items():
            cited = [number_of(prompt, f"{letter} |")]
            judged = [{"clause": "ok", "decision": "no", "statements": cited}]
            judged += [{"clause": "warm", "decision": "yes" if option == "Pork stew" else "no", "statements": cited}]
            said.append({"option": letter, "judgements": judged})
        return {"groundings": [], "options": said}

    scripted = model(axiom_option=surfaced(terms | {"clauses": clauses}), ground_options=judge)
    answer = answer_of(told("I want a warm meal", kitchen, scripted, R3Settings(breadth=1), options=SOUPS))
    assert answer.abstained
    assert "nearest is Pork stew: «Nothing known of the user rules the option out.» is false" in str(answer.reason)
    assert "nearest is Oyster soup" not in str(answer.reason)
    assert answer.check(kitchen).exit_code == 0


def test_the_one_option_that_is_not_ruled_out(kitchen: UnionGraph) -> None:
    """It is the answer, with little confidence; the certificate does not say that it satisfies the axiom."""
    judge = judging(oyster="no", pork="no", mushroom="unknown")
    scripted = model(axiom_option=surfaced(CHOICE), ground_options=judge)
    answer = answer_of(told("I want a warm meal", kitchen, scripted, R3Settings(breadth=1), options=SOUPS))
    assert answer.text == "Mushroom soup"
    assert (answer.score or 1) < 0.5
    report = answer.check(kitchen)
    assert (report.exit_code, report.problems) == (0, [])
    axioms = [node for node in report.nodes if node["op"] == "rule"]
    rules = [node["says"] for node in nodes_of(answer, "rule")]
    assert "One of the options is meant, and the axiom rules out every other one." in rules
    assert len(axioms) == len(SOUPS) + 1
    without = R3Settings(breadth=1, elimination=False)
    scripted = model(axiom_option=surfaced(CHOICE), ground_options=judge)
    assert answer_of(told("I want a warm meal", kitchen, scripted, without, options=SOUPS)).abstained


@pytest.mark.parametrize("pork", ["unknown", "yes"])
def test_nothing_is_eliminated_that_is_open(kitchen: UnionGraph, pork: str) -> None:
    judge = judging(oyster="no", pork=pork, mushroom="unknown")
    scripted = model(axiom_option=surfaced(CHOICE), ground_options=judge)
    answer = answer_of(told("I want a warm meal", kitchen, scripted, R3Settings(breadth=1), options=SOUPS))
    assert answer.abstained if pork == "unknown" else answer.text == "Pork stew"


def test_a_price_of_each_option_is_compared() -> None:
    """A term means the same relation for every option; what is said of one is no citation for another."""
    bench = [Entity("b:1", "Beech bench"), Entity("b:2", "Steel bench"), Entity("b:3", "Old bench")]
    sold = Relation("b:sold", "sold for")
    said = [
        Statement(one, sold, Literal(cost, "quantity", unit="euro"))
        for one, cost in zip(bench, ("120", "85", "95"), strict=True)
    ]
    axiom = {
        "text": "The option costs less than 90 euro.",
        "terms": [
            {"name": "option", "kind": "option"},
            {"name": "price", "kind": "property", "text": "price", "of": "option"},
            {"name": "most", "kind": "constant", "text": "90 euro"},
        ],
        "clauses": [{"name": "cheap", "text": "It costs less.", "op": "<", "left": "price", "right": "most"}],
    }

    def ground(prompt: str) -> dict[str, Any]:
        cited = [number_of(prompt, "sold for", cost) for cost in ("120", "85", "95")]
        return {"groundings": [{"term": "price", "statements": cited}], "options": []}

    graph = MemoryGraph.from_statements(said)
    scripted = model(axiom_option=surfaced(axiom), ground_options=ground)
    seen = told("Which bench is cheap?", graph, scripted, options=[str(one.label) for one in bench])
    assert answer_of(seen).text == "Steel bench"
    assert steps_of(scripted) == ["axiom_option", "ground_options"]
    assert not any(event.refused for event in seen if isinstance(event, AxiomEvaluated))
    assert not nodes_of(answer_of(seen), "judged")


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
