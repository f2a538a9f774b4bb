"""What no axiom proves: of an option that nothing depends on, of namesakes, of what may be one, of silence."""

from __future__ import annotations

from typing import Any

import pytest
from small_axioms import BY, clause, constant, entity, graph_of, of, ops, program, reason, said, status, term, tried

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Statement
from toulmin.graph.union import UnionGraph
from toulmin.methods.r3.axioms.language import Program, axiom_in_words
from toulmin.methods.r3.axioms.meanings import Assumptions
from toulmin.methods.r3.axioms.reasoning import Reasoner
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder


def test_an_option_on_which_nothing_depends() -> None:
    with pytest.raises(InputError, match="option"):
        program(
            "Sam is a Muslim.",
            [{"name": "dish", "kind": "option"}, entity("s", "Sam"), of("f", "religion", "s")],
            [clause("c", "exists", "f")],
        )
    axiom = program("Sam is a Muslim.", [entity("s", "Sam"), of("f", "religion", "s")], [clause("c", "exists", "f")])
    with pytest.raises(InputError, match="depends on"):
        tried("Sam wants a dish", axiom, graph_of(said("Sam", "religion", "Islam")), ["ham"])


KOSHER = program(
    "Nothing forbidden is in it.",
    [
        {"name": "dish", "kind": "option"},
        entity("s", "Sam"),
        of("in_it", "ingredient", "dish", take="all"),
        of("no", "avoids", "s", take="all"),
    ],
    [clause("c", "!=", "in_it", "no")],
)
EAT = "What can Sam eat?"
KNOWN = Assumptions(complete=frozenset({"r:ingredient", "r:avoids"}))


@pytest.mark.parametrize("assumptions", [KNOWN, Assumptions(closed_world=True)])
def test_of_an_option_that_is_no_entity_nothing_is_known(assumptions: Assumptions) -> None:
    """That all ingredients are known of what the graph knows says nothing of a dish that it does not know."""
    graph = graph_of(said("toast", "ingredient", "ham"), said("Sam", "avoids", "ham"))
    answer, verdicts = tried(EAT, KOSHER, graph, ["toast", "mystery stew"], assumptions=assumptions)
    assert verdicts == [False, None]
    assert answer.abstained
    status(answer, graph)


def test_an_option_that_is_an_entity() -> None:
    graph = graph_of(
        said("toast", "ingredient", "ham"), said("salad", "ingredient", "leaf"), said("Sam", "avoids", "ham")
    )
    answer, verdicts = tried(EAT, KOSHER, graph, ["toast", "salad"], assumptions=KNOWN)
    assert verdicts == [False, True]
    assert answer.values == (Literal("salad"),)
    assert status(answer, graph) == "assumed"
    with pytest.raises(InputError, match="twice"):
        tried(EAT, KOSHER, graph, ["toast", "toast"])


def test_entities_of_one_name_in_two_graphs_may_be_one() -> None:
    ham = Statement(Entity("p:Sam", "Sam"), said("a", "avoids", "b").relation, Entity("p:ham", "Ham"))
    personal = graph_of(ham, name="personal")
    recipes = graph_of(said("toast", "ingredient", "ham"), said("soup", "ingredient", "leek"), name="recipes")
    with UnionGraph([personal, recipes]) as graph:
        answer, verdicts = tried(EAT, KOSHER, graph, ["toast", "soup"], assumptions=KNOWN)
        assert verdicts == [None, True]
        status(answer, graph)


def test_spellings_of_one_text() -> None:
    graph = graph_of(said("Ann", "faith", Literal("ISLAM")), said("Bob", "faith", Literal("Islam")))
    terms = [entity("a", "Ann"), entity("b", "Bob"), of("x", "faith", "a"), of("y", "faith", "b")]
    alike = program("Of one faith.", terms, [clause("c", "=", "x", "y")])
    assert reason("Are Ann and Bob of one faith?", alike, graph)[0].abstained
    named = program(
        "A Muslim.", [*terms[:1], terms[2], constant("i", "islam")], [clause("c", "=", "x", "i", "Ann is a Muslim.")]
    )
    answer, _ = reason("Is Ann a Muslim?", named, graph)
    assert answer.verdict is True
    status(answer, graph)


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
    answer, _ = reason("Is Ann single?", axiom, graph_of(listed[0]), listed, cited)
    assert answer.verdict is False
    status(answer, graph_of(listed[0]))
    both = {"groundings": [{"term": "x", "statements": [1, 2]}]}
    assert reason("Is Ann single?", axiom, graph_of(*listed), listed, both)[0].verdict is True


def test_that_there_is_one_is_not_judged_away() -> None:
    listed = [said("Ann", "spouse", Literal("", "unknown_value"))]
    axiom = program("Married.", [entity("a", "Ann"), of("x", "spouse", "a")], [clause("c", "exists", "x")])
    judged = {"judgements": [{"clause": "c", "decision": "no", "statements": [1]}]}
    assert reason("Is Ann married?", axiom, graph_of(*listed), listed, judged)[0].abstained


def test_values_that_disagree_are_not_judged() -> None:
    listed = [said("Ann", "faith", "Islam"), said("Ann", "faith", "Judaism")]
    axiom = program(
        "A Muslim.", [entity("a", "Ann"), entity("i", "Islam"), of("x", "faith", "a")], [clause("c", "=", "x", "i")]
    )
    judged = {"judgements": [{"clause": "c", "decision": "yes", "statements": [1]}]}
    answer, _ = reason("Is Ann a Muslim?", axiom, graph_of(*listed), listed, judged)
    assert answer.abstained
    status(answer, graph_of(*listed))


def test_a_clause_is_judged_beside_one_that_shares_its_term() -> None:
    """Of the one work that is there; that it is old is computed, and so not judged."""
    listed = [said("Ann", "work", "Emma"), said("Emma", "year", "1815")]
    terms = [entity("a", "Ann"), of("w", "work", "a"), of("g", "genre", "w"), of("y", "year", "w")]
    terms += [entity("n", "novel"), constant("then", "1900")]
    clauses = [clause("is_novel", "=", "g", "n"), clause("old", "<", "y", "then")]
    axiom = program("An old novel.", terms, clauses)
    said_ = [
        {"clause": name, "decision": "no" if name == "old" else "yes", "statements": [1]}
        for name in ("is_novel", "old")
    ]
    answer, evaluation = reason("Is Ann old?", axiom, graph_of(*listed), listed, {"judgements": said_})
    assert answer.verdict is True
    assert [one.how for one in evaluation.clauses] == ["judged", "computed"]
    assert ops(answer).count("judged") == 1
    status(answer, graph_of(*listed))


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
    answer, verdicts = tried("What is for Sam ?", axiom, graph, ("toast", "soup", "stew"))
    assert verdicts == [True, None, None]
    status(answer, graph)


def test_a_namesake_is_told() -> None:
    first, second = (Entity(f"e:{n}", "Ann Lee") for n in "12")
    faith = said("x", "religion", "Islam").relation
    graph = graph_of(
        Statement(first, faith, Entity("e:i", "Islam")), Statement(second, faith, Entity("e:j", "Judaism"))
    )
    axiom = program("Believes.", [entity("a", "Ann Lee"), of("x", "religion", "a")], [clause("c", "exists", "x")])
    answer, _ = reason("Does she believe?", axiom, graph)
    status(answer, graph)
    named = next(node for node in answer.check(graph).nodes if node["op"] == "entity")
    assert (named["status"], named["reason"]) == ("judged", "one of 2 that bear this name")


def test_too_many_combinations() -> None:
    graph = graph_of(*(said("Ann", "likes", f"thing {n}") for n in range(200)))
    terms = [entity("a", "Ann"), of("x", "likes", "a", take="some"), of("y", "likes", "a", take="some")]
    axiom = program("Alike.", terms, [clause("c", "=", "x", "y")])
    with pytest.raises(InputError, match="combinations"):
        Reasoner(axiom, BY).evaluate(Builder("Is it?", graph))


def test_a_judgement_shows_what_it_was_judged_by() -> None:
    listed = [said("Ann", "diet", "plants")]
    axiom = axiom_in_words("Ann eats no meat and no fish.", ("Ann eats no meat.", "Ann eats no fish."))
    reply = {"judgements": [{"clause": c, "decision": "yes", "statements": [1, 1]} for c in ("c1", "c2")]}
    answer, _ = reason("Is Ann a vegetarian?", axiom, graph_of(*listed), listed, reply)
    judged = [node for node in answer.certificate["program"] if node["op"] == "judged"]
    assert [(node["says"], node["seen"]) for node in judged] == [("Ann eats no meat.", [0]), ("Ann eats no fish.", [0])]
    answer.certificate["program"][0]["statement"][2] = "e:meat"
    assert answer.check(graph_of(*listed)).exit_code == 1


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


def codes(answer: Answer) -> list[str]:
    return [one["code"] for one in answer.certificate["answer"]["reasons"]]


def test_an_abstention_says_what_was_looked_up() -> None:
    """A relation or a name that is not there is looked up by the check; what has no name is told in words."""
    axiom = program(
        "A Muslim.", [entity("a", "Ann"), entity("i", "Islam"), of("x", "faith", "a")], [clause("c", "=", "x", "i")]
    )
    silent = graph_of(said("Ann", "diet", "plants"), said("Bob", "faith", "Islam"))
    answer, _ = reason("Is Ann of Islam ?", axiom, silent)
    assert codes(answer) == ["unknown", "lacks"]
    assert status(answer, silent) == "judged"
    unnamed = graph_of(said("Ann", "faith", "Judaism"))
    answer, _ = reason("Is Ann of Islam ?", axiom, unnamed)
    assert codes(answer) == ["unknown", "unnamed"]
    assert "the graph has no “Islam”" in answer.text
    status(answer, unnamed)
    strange = graph_of(said("Ann", "diet", "plants"), said("Rome", "part of", "Islam"))
    answer, _ = reason("Is Ann of Islam ?", axiom, strange)
    assert codes(answer) == ["unknown", "other"]
    assert "no statement says 'faith' of Ann" in answer.text
    status(answer, strange)
    answer.certificate["answer"]["reasons"][1] = {
        "code": "lacks", "entity": "e:Ann", "relation": "r:diet", "direction": "forward",
    }  # fmt: skip
    assert answer.check(strange).exit_code == 1


def test_just_one_of_two_statements_that_lead_to_one_value() -> None:
    listed = [said("Ann", "post", "mayor", start_time="1980"), said("Ann", "post", "mayor", start_time="1999")]
    terms = [entity("a", "Ann"), of("x", "post", "a"), term("s", "qualifier", "x", text="start time")]
    axiom = program("Late.", [*terms, constant("then", "1990")], [clause("c", ">", "s", "then")])
    graph = graph_of(*listed)
    assert reason("Was Ann late?", axiom, graph, listed)[0].abstained  # which of them is not said
    for number, verdict in ((1, False), (2, True)):
        cited = {"groundings": [{"term": "x", "statements": [number], "only": True}]}
        answer, _ = reason("Was Ann late?", axiom, graph, listed, cited)
        assert answer.verdict is verdict
        status(answer, graph)
