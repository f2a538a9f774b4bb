"""Axioms about the latest and the earliest, parts of a date, lists that are complete, and dates of two precisions."""

from __future__ import annotations

from typing import Any

import pytest
from small_axioms import BY, clause, constant, entity, graph_of, of, ops, program, reason, said, status, term

from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.methods.r3.axioms.language import Program, option_schema, schema
from toulmin.methods.r3.axioms.meanings import Assumptions
from toulmin.methods.r3.axioms.reasoning import Reasoner
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.program.builder import Builder

ASKED = "Is it so of Mill?"


def day(text: str) -> Literal:
    return Literal(text, "time")


@pytest.mark.parametrize(
    ("kind", "op", "year", "verdict"),
    [("latest", "=", "2004-05-01", True), ("latest", "<", "2000", False), ("earliest", "=", "1990-01-31", True)],
)
def test_the_latest_and_the_earliest_of_some_times(kind: str, op: str, year: str, verdict: bool) -> None:
    graph = graph_of(*(said("Mill", "repaired in", day(text)) for text in ("1990-01-31", "2004-05-01", "1997")))
    axiom = program(
        "The mill was repaired then.",
        [entity("m", "Mill"), of("r", "repaired in", "m", take="some"), term("end", kind, "r"), constant("y", year)],
        [clause("c", op, "end", "y")],
    )
    answer, _ = reason(ASKED, axiom, graph)
    assert answer.verdict is verdict
    assert status(answer, graph) == "assumed"  # that no later one is left out
    assert {"latest": "last", "earliest": "first"}[kind] in ops(answer)


def test_the_value_with_the_latest_qualifier() -> None:
    graph = graph_of(
        said("Mill", "tenant", "Ada", start_time="1950"),
        said("Mill", "tenant", "Bo", start_time="1988"),
        said("Mill", "tenant", "Cy", start_time="1971"),
        said("Bo", "trade", "miller"),
        said("Ada", "trade", "baker"),
    )
    axiom = program(
        "The latest tenant is a miller.",
        [
            entity("m", "Mill"),
            of("who", "tenant", "m", take="some"),
            term("since", "qualifier", "who", text="start time"),
            {"name": "last", "kind": "latest", "of": "who", "by": "since"},
            of("trade", "trade", "last"),
            entity("miller", "miller"),
        ],
        [clause("c", "=", "trade", "miller")],
    )
    answer, _ = reason(ASKED, axiom, graph)
    assert answer.verdict is True
    assert status(answer, graph) == "assumed"


@pytest.mark.parametrize(("part", "value"), [("month", "3"), ("day", "14"), ("year", "1879")])
def test_parts_of_a_date(part: str, value: str) -> None:
    graph = graph_of(said("Mill", "opened", day("1879-03-14")), said("Barn", "opened", day("1879")))
    for place, verdict in (("Mill", True), ("Barn", True if part == "year" else None)):
        axiom = program(
            "It opened then.",
            [entity("m", place), of("o", "opened", "m"), term("p", part, "o"), constant("v", value)],
            [clause("c", "=", "p", "v")],
        )
        answer, _ = reason(f"Did {place} open then?", axiom, graph)
        assert answer.verdict is verdict
        status(answer, graph)


def test_a_year_beside_its_day_is_one_date() -> None:
    """``take`` "one": what holds the more precise one says nothing else; another year does."""
    graph = graph_of(
        said("Mill", "opened", day("1879")),
        said("Mill", "opened", day("1879-03-14")),
        said("Barn", "opened", day("1880")),
        said("Barn", "opened", day("1879-03-14")),
    )
    for place, verdict in (("Mill", True), ("Barn", None)):
        axiom = program(
            "It opened before April 1879.",
            [entity("m", place), of("o", "opened", "m"), constant("v", "1879-04")],
            [clause("c", "<", "o", "v")],
        )
        answer, _ = reason(f"Did {place} open early?", axiom, graph)
        assert answer.verdict is verdict
        status(answer, graph)


def states(complete: bool, take: str, op: str = "=") -> Program:
    terms: list[dict[str, Any]] = [
        entity("m", "Mill"),
        {**of("s", "floor of", "m", take=take), "complete": complete},
        entity("oak", "oak"),
    ]
    return program("The floors are of oak.", terms, [clause("c", op, "s", "oak")])


def test_some_can_be_false_where_the_axiom_says_that_the_list_is_complete() -> None:
    graph = graph_of(said("Mill", "floor of", "ash"), said("Mill", "floor of", "elm"), said("Barn", "roof", "oak"))
    open_, evaluation = reason(ASKED, states(False, "some"), graph)
    assert open_.abstained
    assert evaluation.missing[0].clause == "c"
    answer, _ = reason(ASKED, states(True, "some"), graph)
    assert answer.verdict is False
    assert status(answer, graph) == "assumed"
    assert "complete" in ops(answer)


def test_what_follows_without_it_does_not_rest_on_completeness() -> None:
    graph = graph_of(said("Mill", "floor of", "ash"), said("Mill", "floor of", "oak"))
    for take, verdict in (("some", True), ("all", False)):
        answer, _ = reason(ASKED, states(True, take), graph)
        assert answer.verdict is verdict
        assert status(answer, graph) == "judged"
        assert "complete" not in ops(answer)


def test_of_what_nothing_is_listed_no_list_is_complete() -> None:
    graph = graph_of(said("Mill", "roof", "oak"), said("Barn", "floor of", "oak"))
    axiom = states(True, "some")
    answer, _ = reason(ASKED, axiom, graph)
    assert answer.abstained
    assert reason(ASKED, axiom, graph, assumptions=Assumptions(closed_world=True))[0].verdict is False


def test_an_axioms_word_is_not_taken_unless_it_may_be() -> None:
    graph = graph_of(said("Mill", "floor of", "ash"), said("Barn", "floor of", "oak"))
    reasoner = Reasoner(states(True, "some"), BY)
    assert reasoner.evaluate(Builder(ASKED, graph), stated=False).verdict is None
    assert reasoner.evaluate(Builder(ASKED, graph)).verdict is False


def test_a_qualifier_that_is_absent_is_not_blamed_on_the_object() -> None:
    graph = graph_of(said("Mill", "tenant", "Bo"), said("Bo", "trade", "miller"))
    axiom = program(
        "The tenant came after 1900.",
        [
            entity("m", "Mill"),
            of("who", "tenant", "m"),
            term("since", "qualifier", "who", text="start time"),
            constant("y", "1900"),
        ],
        [clause("c", ">", "since", "y")],
    )
    answer, evaluation = reason(ASKED, axiom, graph)
    (lacking,) = evaluation.missing
    assert lacking.why == "no statement of 'tenant' of Mill has a qualifier 'start time'"
    assert lacking.entities == ()  # nothing that is said of Bo would help
    status(answer, graph)


def test_words_name_what_they_turn_on() -> None:
    """So that it is looked up, and told as missing."""
    graph = graph_of(said("Mill", "tenant", "Bo"), said("Bo", "kin", "Cy"))
    axiom = program(
        "The tenant has a trade that needs flour.",
        [entity("m", "Mill"), of("who", "tenant", "m"), of("trade", "trade", "who")],
        [clause("flour", "words", "trade", text="The tenant's trade needs flour.")],
    )
    answer, evaluation = reason(ASKED, axiom, graph)
    assert answer.abstained
    (lacking,) = evaluation.missing
    assert (lacking.term, [one.label for one in lacking.entities]) == ("trade", ["Bo"])
    listed = [said("Bo", "trade", "baker")]
    judged = {"judgements": [{"clause": "flour", "decision": "yes", "statements": [1]}]}
    more = graph_of(said("Mill", "tenant", "Bo"), *listed)
    answer, evaluation = reason(ASKED, axiom, more, listed, judged)
    assert answer.verdict is True
    assert (evaluation.clauses[0].how, evaluation.clauses[0].by) == ("judged", "(Bo, trade, baker)")
    status(answer, more)


def test_one_answer_is_enough() -> None:
    sound = {
        "text": "t",
        "terms": [entity("a", "Ann"), of("x", "p", "a")],
        "clauses": [clause("c", "exists", "x")],
        "direction": "sufficient",
    }
    assert (Program.read({**sound, "if_true": "no"}).if_false) == "yes"
    assert (Program.read({**sound, "if_false": "yes"}).if_true) == "no"
    assert Program.read({key: value for key, value in sound.items() if key != "direction"}).direction == "both"


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ({"name": "l", "kind": "latest", "of": "m"}, "neither"),
        ({"name": "l", "kind": "latest", "of": "x", "by": "x"}, "no qualifier"),
        ({"name": "l", "kind": "earliest"}, "'of'"),
    ],
)
def test_what_has_no_latest(made: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        program("t", [entity("m", "Mill"), of("x", "opened", "m"), made], [clause("c", "exists", "x")])


def test_schemas_offer_what_can_be_used() -> None:
    def kinds(made: dict[str, Any]) -> list[str]:
        return list(made["properties"]["terms"]["items"]["properties"]["kind"]["enum"])

    assert "qualifier" in kinds(schema())
    assert "qualifier" not in kinds(schema(qualifiers=False))
    assert "option" not in kinds(schema(option=False))
    options = option_schema()
    assert kinds(options) == ["entity", "option", "constant", "property", "count"]
    assert options["properties"]["direction"]["enum"] == ["both"]
    assert not {"if_true", "if_false"} & options["properties"].keys()


def test_what_is_missing_is_an_end_of_a_statement() -> None:
    axiom = program("t", [entity("m", "Mill")], [clause("c", "words")])
    look = {"need": "its tenant", "statement": 2, "end": "subject"}
    assert GroundingReply.read({"look": [look]}, axiom, 2).look
    with pytest.raises(InputError, match="statement 2 is not in the list"):
        GroundingReply.read({"look": [look]}, axiom, 1)
    assert "look" not in GroundingReply.schema_for(axiom, 2, look=False)["properties"]
