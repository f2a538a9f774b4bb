"""Forged proofs of axioms: an unrelated premise, an idle step, a hidden one, a false word for how it is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from small_axioms import BY, clause, constant, entity, graph_of, linked, of, program, reason, said, status, term
from test_axioms_examples import FATE

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Statement
from toulmin.graph.union import UnionGraph
from toulmin.methods.r3.axioms.language import Program, axiom_in_words
from toulmin.methods.r3.axioms.meanings import Assumptions
from toulmin.methods.r3.axioms.reasoning import Reasoner, choose, conclude
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.proof.axioms.arithmetic import apply
from toulmin.proof.axioms.steps import Binding
from toulmin.proof.axioms.wording import binding_words
from toulmin.proof.checker import check
from toulmin.proof.model import Computation
from toulmin.proof.operators.axioms import AxiomPart, AxiomVerdict
from toulmin.proof.reading import reading

POISON = "carbon monoxide poisoning"
FATES = graph_of(
    said("Ivan Shuisky", "cause of death", POISON),
    said("Ivan Shuisky", "occupation", "prince"),
    said("Benny Frey", "cause of death", POISON),
)


def forged(answer: Answer, graph: Graph, change: Callable[[list[dict[str, Any]]], None]) -> str:
    """What the check says of an answer whose steps were changed, with the reading claimed anew to fit them."""
    stored = json.loads(answer.to_json())
    steps = stored["proof"]["steps"]
    change(steps)
    for step in steps:
        if step["kind"] == "computation":
            named = step["arguments"]
            step["rests_on"] = list(dict.fromkeys([named["axiom"], *named.get("bindings", named.get("parts", []))]))
            step["rests_on"] += named.get("judgements", [])
    made = Answer.from_json(json.dumps(stored))
    of = next(step.id for step in made.proof.steps if getattr(step, "operator", "") == "axiom_verdict")
    claim = reading(answer.question, of, made.proof.by_id())
    for step in steps:
        if step["kind"] == "judgement" and " asks for " in step["claim"]:
            step["claim"] = claim
    return " ".join(
        one.reason for one in check(Answer.from_json(json.dumps(stored)), graph).steps if one.status == "fails"
    )


def part(steps: list[dict[str, Any]]) -> dict[str, Any]:
    return next(step["arguments"] for step in steps if step.get("operator") == "axiom_part")


def test_a_part_that_leaves_out_what_is_known() -> None:
    answer, _ = reason("Did Ivan Shuisky suffer the same fate as Benny Frey?", FATE, FATES)

    def leave_out(steps: list[dict[str, Any]]) -> None:
        part(steps)["bindings"].pop()

    assert "leaves out what 'y' is" in forged(answer, FATES, leave_out)


def test_a_binding_that_the_part_does_not_speak_of() -> None:
    two = program(
        "Two clauses.",
        [entity("a", "Ivan Shuisky"), of("x", "cause of death", "a"), of("y", "occupation", "a")],
        [clause("died", "exists", "x"), clause("worked", "exists", "y")],
    )
    answer, _ = reason("Did Ivan Shuisky live?", two, FATES)
    status(answer, FATES)

    def add(steps: list[dict[str, Any]]) -> None:
        other = next(step["id"] for step in steps if step["kind"] == "binding" and step["term"] == "y")
        part(steps)["bindings"].append(other)

    assert "does not speak of 'y'" in forged(answer, FATES, add)


def test_what_can_be_computed_cannot_be_judged_in_a_stored_proof() -> None:
    answer, _ = reason("Did Ivan Shuisky suffer the same fate as Benny Frey?", FATE, FATES)

    def judge(steps: list[dict[str, Any]]) -> None:
        seen = [step["id"] for step in steps if step["kind"] in ("link", "fact")]
        words = f"clause same of «{FATE.text}» is true: «{FATE.clauses[0].text}»"
        made = {"kind": "judgement", "id": "j", "rests_on": seen, "claim": words, "by": BY, "evidence": seen}
        steps.insert(0, {**made, "score": 1.0, "decision": "no"})
        part(steps)["judgements"] = ["j"]

    assert "can be computed" in forged(answer, FATES, judge)


def test_a_verdict_needs_every_part_once() -> None:
    builder = linked("Did Ivan Shuisky live?", FATES)
    either = program(
        "Either.",
        [entity("a", "Ivan Shuisky"), of("x", "cause of death", "a"), of("y", "occupation", "a")],
        [clause("died", "exists", "x"), clause("worked", "exists", "y")],
        formula="died or worked",
    )
    Reasoner(either, BY).evaluate(builder)
    verdict = next(
        s.arguments for s in builder.steps.values() if isinstance(s, Computation) and "verdict" in s.operator
    )
    assert isinstance(verdict, AxiomVerdict)
    for parts in (verdict.parts[:1], verdict.parts[::-1], (*verdict.parts, verdict.parts[0])):
        with pytest.raises(InputError, match="parts"):
            builder.evaluate("axiom_verdict", verdict.model_copy(update={"parts": parts}))


@pytest.mark.parametrize("by", ["its name", "as linked"])
def test_what_was_judged_is_not_passed_off_as_a_name(by: str) -> None:
    listed = [said("Ann", "faith", "Islam"), said("Islam", "founded by", "Muhammad")]
    axiom = program(
        "Muslims fast.", [entity("a", "Ann"), entity("i", "Mohammedanism"), of("x", "religion", "a")],
        [clause("c", "=", "x", "i")],
    )  # fmt: skip
    cited = {"groundings": [{"term": "x", "statements": [1]}, {"term": "i", "statements": [2], "qualifier": "subject"}]}
    graph = graph_of(*listed)
    answer, _ = reason("Does Ann fast?", axiom, graph, listed, cited)
    assert answer.verdict is True
    assert check(answer, graph).counts["judged"] == 3
    for name in ("x", "i"):

        def rename(steps: list[dict[str, Any]], name: str = name) -> None:
            for step in steps:
                if step["kind"] == "binding" and step["term"] == name:
                    step["by"] = by

        assert forged(answer, graph, rename)


def test_an_option_on_which_nothing_depends() -> None:
    with pytest.raises(InputError, match="option"):
        program(
            "Sam is a Muslim.",
            [{"name": "dish", "kind": "option"}, entity("s", "Sam"), of("f", "religion", "s")],
            [clause("c", "exists", "f")],
        )
    graph = graph_of(said("Sam", "religion", "Islam"))
    builder = linked("Sam wants a dish", graph)
    axiom = program("Sam is a Muslim.", [entity("s", "Sam"), of("f", "religion", "s")], [clause("c", "exists", "f")])
    reasoner = Reasoner(axiom, BY)
    with pytest.raises(InputError, match="depends on"):
        reasoner.evaluate(builder, option="ham")
    whole = reasoner.evaluate(builder)
    stored = builder.steps[whole.step]
    assert isinstance(stored, Computation)
    assert isinstance(stored.arguments, AxiomVerdict)
    parts = []
    for one in stored.arguments.parts:
        step = builder.steps[one]
        assert isinstance(step, Computation)
        assert isinstance(step.arguments, AxiomPart)
        parts.append(builder.add_computation("axiom_part", step.arguments.model_copy(update={"option": "ham"})))
    claimed = stored.arguments.model_copy(update={"option": "ham", "parts": tuple(parts)})
    with pytest.raises(InputError, match="depends on the option"):
        builder.evaluate("axiom_verdict", claimed)


def kosher(graph: Graph, *options: str, assumptions: Assumptions | None = None) -> tuple[Answer, list[bool | None]]:
    """Which dishes contain nothing that is forbidden."""
    axiom = program(
        "Nothing forbidden is in it.",
        [{"name": "dish", "kind": "option"}, entity("s", "Sam"), of("in_it", "ingredient", "dish", take="all"),
         of("no", "avoids", "s", take="all")],
        [clause("c", "!=", "in_it", "no")],
    )  # fmt: skip
    builder = linked("What can Sam eat?", graph)
    tried = [Reasoner(axiom, BY).evaluate(builder, option=one, assumptions=assumptions) for one in options]
    return builder.answer(choose(builder, tried, by=BY, score=1.0), method="by hand"), [one.verdict for one in tried]


KNOWN = Assumptions(complete=frozenset({"r:ingredient", "r:avoids"}))


@pytest.mark.parametrize("assumptions", [KNOWN, Assumptions(closed_world=True)])
def test_of_an_option_that_is_no_entity_nothing_is_known(assumptions: Assumptions) -> None:
    """That all ingredients are known of what the graph knows says nothing of a dish that it does not know."""
    graph = graph_of(said("toast", "ingredient", "ham"), said("Sam", "avoids", "ham"))
    answer, verdicts = kosher(graph, "toast", "mystery stew", assumptions=assumptions)
    assert verdicts == [False, None]
    assert answer.abstained
    status(answer, graph)


def test_an_option_that_is_an_entity_is_not_taken_for_mere_words() -> None:
    graph = graph_of(
        said("toast", "ingredient", "ham"), said("salad", "ingredient", "leaf"), said("Sam", "avoids", "ham")
    )
    answer, verdicts = kosher(graph, "toast", "salad", assumptions=KNOWN)
    assert verdicts == [False, True]
    stored = json.loads(answer.to_json())
    for step in stored["proof"]["steps"]:
        if step["kind"] == "binding" and step["words"] == "salad":
            step.update(position="words", entity=None)
    found = check(Answer.from_json(json.dumps(stored)), graph)
    assert any("the option 'salad' is an entity" in step.reason for step in found.steps)


def test_entities_of_one_name_in_two_graphs_may_be_one() -> None:
    ham = Statement(Entity("p:Sam", "Sam"), said("a", "avoids", "b").relation, Entity("p:ham", "Ham"))
    personal = graph_of(ham, name="personal")
    recipes = graph_of(said("toast", "ingredient", "ham"), said("soup", "ingredient", "leek"), name="recipes")
    with UnionGraph([personal, recipes]) as graph:
        answer, verdicts = kosher(graph, "toast", "soup", assumptions=KNOWN)
        assert verdicts == [None, True]
        status(answer, graph)
        forged_ = json.loads(answer.to_json())
        for step in forged_["proof"]["steps"]:
            if step["kind"] == "fact":
                step["statement"]["graph"] = "personal"
        assert check(Answer.from_json(json.dumps(forged_)), graph).exit_code == 1


def counting(*statements: Statement, least: str = "2", op: str = ">=") -> bool | None:
    axiom = program(
        "How many.",
        [entity("a", "Ann"), of("x", "name", "a"), term("n", "count", "x"), constant("k", least)],
        [clause("c", op, "n", "k")],
    )
    graph = graph_of(*statements)
    answer, evaluation = reason("How many names has Ann ?", axiom, graph, assumptions=Assumptions(closed_world=True))
    status(answer, graph)
    return evaluation.truth


def test_what_is_counted_is_distinct() -> None:
    one, other = Literal("Ann", lang="en"), Literal("Anne", lang="fr")
    assert counting(said("Ann", "name", Literal("Ann")), said("Ann", "name", Literal("Anne"))) is True
    assert counting(said("Ann", "name", one), said("Ann", "name", other)) is None  # a translation, perhaps
    assert counting(said("Ann", "name", one), said("Ann", "name", Literal("", "unknown_value"))) is None
    assert counting(said("Ann", "name", Literal("", "unknown_value")), least="1", op="<") is None
    assert (
        counting(said("Ann", "name", Literal("1999", "time")), said("Ann", "name", Literal("1999-05", "time"))) is None
    )


def test_no_value_of_one_relation_does_not_speak_for_another() -> None:
    listed = [said("Ann", "spouse", Literal("", "no_value")), said("Ann", "partner", "Bob")]
    axiom = program("Single.", [entity("a", "Ann"), of("x", "companion", "a")], [clause("c", "exists", "x")])
    cited = {"groundings": [{"term": "x", "statements": [1]}]}
    assert reason("Is Ann single?", axiom, graph_of(listed[0]), listed, cited)[0].verdict is False
    both = {"groundings": [{"term": "x", "statements": [1, 2]}]}
    assert reason("Is Ann single?", axiom, graph_of(*listed), listed, both)[0].verdict is True


def membership(*statements: Statement) -> bool | None:
    axiom = program("It is one.", [entity("a", "Rex"), entity("k", "species")], [clause("c", "member_of", "a", "k")])
    graph = graph_of(*statements, said("cat", "instance of", "species"))
    answer, _ = reason("Is Rex a species?", axiom, graph)
    status(answer, graph)
    return answer.verdict


def test_an_instance_of_an_instance_is_no_instance() -> None:
    rex = said("Rex", "instance of", "dog")
    assert membership(rex, said("dog", "instance of", "species")) is None
    assert membership(rex, said("dog", "subclass of", "species")) is True
    assert membership(said("Rex", "subclass of", "dog"), said("dog", "instance of", "species")) is None
    assert membership(rex, said("dog", "subclass of", "animal"), said("animal", "disjoint with", "species")) is False


def test_a_class_that_is_known_of_one_option_only() -> None:
    graph = graph_of(said("Sam", "instance of", "man"), said("toast", "made for", "man"), said("soup", "colour", "red"))
    axiom = program(
        "It is made for such as Sam.",
        [{"name": "o", "kind": "option"}, entity("s", "Sam"), of("for", "made for", "o")],
        [clause("c", "member_of", "s", "for")],
    )
    builder = linked("What is for Sam ?", graph)
    tried = [Reasoner(axiom, BY).evaluate(builder, option=one) for one in ("toast", "soup", "stew")]
    assert [one.verdict for one in tried] == [True, None, None]
    status(builder.answer(choose(builder, tried, by=BY, score=1.0), method="by hand"), graph)


@pytest.mark.parametrize(("kind", "left", "right", "value"), [
    ("duration", "-0043-03-15", "0014-03-15", "57"), ("duration", "-0001", "0001", "1.0027397260274"),
    ("duration", "1996-02-29", "2000-02-29", "4"), ("decade_of_century", "1920", None, "3"),
    ("decade_of_century", "1900", None, None), ("century", "-0043", None, None), ("sum", "1999", "1999", None),
])  # fmt: skip
def test_times_before_christ_and_at_turns_of_centuries(
    kind: str, left: str, right: str | None, value: str | None
) -> None:
    found = apply(kind, Literal(left, "time"), Literal(right, "time") if right else None)
    assert (found.value if found else None) == value


@pytest.mark.parametrize("kind", ["sum", "difference", "product", "duration", "distance", "year", "century"])
def test_hostile_values_are_unknown(kind: str) -> None:
    values = ["9" * 5000, "1e999", "-13800000000", "nan,inf", "²", "", "\ud800", "2020-13-45"]
    kinds = ["string", "quantity", "time", "coordinate"]
    nodes = [Literal(value, one) for value in values for one in kinds]  # type: ignore[arg-type]
    for one in nodes:
        apply(kind, one, None if kind in ("year", "century") else nodes[0])
        apply(kind, one, None if kind in ("year", "century") else Literal("1e999", "quantity", unit="day"))


@pytest.mark.parametrize("written", [
    {"text": "t", "clauses": [clause(f"c{n}", "words") for n in range(1000)], "direction": "both"},
    {"text": "t", "terms": [entity(f"t{n}", "x") for n in range(1000)], "clauses": [clause("c", "words")],
     "direction": "both"},
    {"text": "t", "clauses": [clause("c", "words")], "formula": "(" * 150 + "c" + ")" * 150, "direction": "both"},
    {"text": "t", "clauses": [clause("c", "words")], "formula": "not " * 90 + "c", "direction": "both"},
    {"text": "t", "terms": [of("x", "p", "y"), of("y", "p", "x")], "clauses": [clause("c", "exists", "x")],
     "direction": "both"},
    {"text": "t", "terms": [of("x", "p", "x")], "clauses": [clause("c", "exists", "x")], "direction": "both"},
    {"text": "", "clauses": [clause("c", "words")], "direction": "both"},
    {"text": "t", "terms": [entity("à", "x")], "clauses": [clause("c", "words")], "direction": "both"},
    {"text": "t", "terms": [entity("a", " \n ")], "clauses": [clause("c", "words")], "direction": "both"},
    [], None, "t", 1e999,
])  # fmt: skip
def test_programs_that_are_refused_in_one_line(written: Any) -> None:
    with pytest.raises(InputError) as raised:
        Program.read(written)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 600


def test_evidence_of_another_clause() -> None:
    """A judgement of one clause is none of another, nor of another axiom."""
    listed = [said("Ann", "diet", "plants")]
    graph = graph_of(*listed)
    axiom = axiom_in_words("Ann eats no meat and no fish.", ("Ann eats no meat.", "Ann eats no fish."))
    reply = {"judgements": [{"clause": c, "decision": "yes", "statements": [1]} for c in ("c1", "c2")]}
    builder = linked("Is Ann a vegetarian?", graph)
    reasoner = Reasoner(axiom, BY)
    reasoner.ground(GroundingReply.read(reply, axiom, 1), listed)
    reasoner.evaluate(builder)
    parts = [s.arguments for s in builder.steps.values() if isinstance(getattr(s, "arguments", None), AxiomPart)]  # type: ignore[attr-defined]
    swapped = parts[0].model_copy(update={"judgements": parts[1].judgements})
    with pytest.raises(InputError, match="judges no clause"):
        builder.evaluate("axiom_part", swapped)


def test_one_of_several_of_a_name_is_told() -> None:
    first, second = (Entity(f"e:{n}", "Ann Lee") for n in "12")
    faith = said("x", "religion", "Islam").relation
    graph = graph_of(
        Statement(first, faith, Entity("e:i", "Islam")), Statement(second, faith, Entity("e:j", "Judaism"))
    )
    axiom = program("Believes.", [entity("a", "Ann Lee"), of("x", "religion", "a")], [clause("c", "exists", "x")])
    builder = Builder("Does she believe?", graph)
    evaluation = Reasoner(axiom, BY).evaluate(builder)
    answer = builder.answer(conclude(builder, evaluation, by=BY, score=1.0), method="by hand")
    status(answer, graph)
    told = [binding_words(step, builder.steps) for step in builder.steps.values() if isinstance(step, Binding)]
    assert any(words and "Ann Lee" in words and BY in words for words in told)

    def plain(steps: list[dict[str, Any]]) -> None:
        for step in steps:
            if step["kind"] == "binding":
                step["by"] = "its name"

    assert "one of 2 of this name" in forged(answer, graph, plain)


def test_a_judged_clause_rests_on_the_links_of_what_its_statements_speak_of() -> None:
    listed = [said("Ann", "diet", "plants")]
    axiom = axiom_in_words("Who eats no meat is a vegetarian.")
    reply = {"judgements": [{"clause": "c1", "decision": "yes", "statements": [1]}]}
    answer, _ = reason("Is Ann a vegetarian?", axiom, graph_of(*listed), listed, reply)
    assert not check(answer, graph_of(*listed)).unused

    def unlink(steps: list[dict[str, Any]]) -> None:
        judged = next(step for step in steps if step.get("claim", "").startswith("clause "))
        judged["evidence"] = judged["rests_on"] = judged["evidence"][1:]

    assert "on the links" in forged(answer, graph_of(*listed), unlink)


@pytest.mark.parametrize("policy", ["no value", "complete relation"])
def test_policies_that_a_binding_cannot_have(policy: str) -> None:
    graph = graph_of(said("Rex", "instance of", "dog"), said("cat", "subclass of", "animal"))
    axiom = program("It is one.", [entity("a", "Rex"), entity("k", "animal")], [clause("c", "member_of", "a", "k")])
    answer, _ = reason("Is Rex an animal?", axiom, graph, assumptions=Assumptions(closed_world=True))
    assert answer.verdict is False

    def change(steps: list[dict[str, Any]]) -> None:
        for step in steps:
            if step["kind"] == "binding" and step["position"] == "classes":
                step["policy"] = policy

    assert "closed world" in forged(answer, graph, change)


def test_statements_about_classes_are_all_that_decide_and_no_others() -> None:
    graph = graph_of(
        said("Rex", "instance of", "dog"), said("Rex", "instance of", "pet"), said("dog", "subclass of", "animal"),
        said("pet", "subclass of", "friend"),
    )  # fmt: skip
    axiom = program("It is one.", [entity("a", "Rex"), entity("k", "animal")], [clause("c", "member_of", "a", "k")])
    answer, _ = reason("Is Rex an animal?", axiom, graph)
    status(answer, graph)
    bound = next(step for step in answer.proof.steps if isinstance(step, Binding) and step.position == "classes")
    assert len(bound.statements) == 2

    def swap(steps: list[dict[str, Any]]) -> None:
        for step in steps:
            if step["kind"] == "binding" and step["position"] == "classes":
                gone = step["statements"].pop()
                fact = next(one["id"] for one in steps if one.get("statement_id") == gone)
                step["rests_on"].remove(fact)

    assert "decide what is of which class" in forged(answer, graph, swap)
