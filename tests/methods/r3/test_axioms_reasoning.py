"""Multiple choice, judged clauses, what is cited and refused, quantifiers and their scope, and hostile replies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_axioms import BY, clause, constant, entity, graph_of, of, ops, program, reason, said, status, term, tried

from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.graph.union import UnionGraph
from toulmin.methods.r3.axioms.language import Program, axiom_in_words
from toulmin.methods.r3.axioms.meanings import Assumptions
from toulmin.methods.r3.axioms.reasoning import Reasoner
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.program.builder import Builder

OPTIONS = ("oyster soup", "ham and cheese toast", "vegetable curry")
DISH = program(
    "A dish suits Sam if it is warm and contains nothing that Sam's religion forbids.",
    [
        {"name": "dish", "kind": "option"},
        entity("sam", "Sam"),
        of("faith", "religion", "sam"),
        of("in_it", "ingredient", "dish", take="all"),
        of("forbidden", "forbids", "faith", take="all"),
    ],
    [clause("allowed", "!=", "in_it", "forbidden"), clause("warm", "words", text="It is served warm.")],
)


def test_a_multiple_choice_with_a_personal_graph() -> None:
    recipes = graph_of(
        said("oyster soup", "ingredient", "oyster"),
        said("ham and cheese toast", "ingredient", "ham"),
        said("vegetable curry", "ingredient", "carrot"),
        said("vegetable curry", "serving", "hot"),
        said("oyster soup", "serving", "hot"),
        name="recipes",
    )
    personal = graph_of(
        said("Sam", "religion", "Islam"),
        said("Islam", "forbids", "ham"),
        said("Islam", "forbids", "oyster"),
        name="personal",
    )
    graph = UnionGraph([personal, recipes])
    complete = Assumptions(complete=frozenset({"r:ingredient", "r:forbids"}))
    listed = [one for some in graph.statements(["e:vegetable_curry"]) for one in some]
    served = next(n for n, one in enumerate(listed, 1) if one.relation.label == "serving")
    judged = {"judgements": [{"clause": "warm", "decision": "yes", "statements": [served]}]}
    answer, verdicts = tried("Sam wants a warm dish", DISH, graph, OPTIONS, [{}, {}, judged], listed, complete)
    assert verdicts == [False, False, True]
    assert answer.values == (Literal("vegetable curry"),)
    assert status(answer, graph) == "assumed"
    choice = next(node for node in answer.certificate["program"] if node["op"] == "choice")
    assert [one["option"]["value"] for one in choice["options"]] == list(OPTIONS)  # the rejected ones stay
    assert ops(answer).count("rule") == len(OPTIONS)


def test_no_option_that_satisfies_it() -> None:
    graph = graph_of(
        said("Sam", "religion", "Islam"), said("Islam", "forbids", "ham"), said("toast", "ingredient", "ham")
    )
    answer, verdicts = tried("Sam wants a dish", DISH, graph, ["toast", "soup"])
    assert verdicts == [False, None]
    assert answer.abstained
    assert "soup" in answer.text
    status(answer, graph)
    with pytest.raises(InputError, match="option"):
        Reasoner(DISH, BY).evaluate(Builder("Sam wants a dish", graph))


def test_the_papers_own_form_is_judged_by_statements() -> None:
    listed = [said("Lee Hyori", "lifestyle", "vegetarianism"), said("Lee Hyori", "genre", "pop music")]
    graph = graph_of(*listed)
    axiom = axiom_in_words("If Lee Hyori eats no meat, she will avoid BBQ restaurants.")
    reply = {"judgements": [{"clause": "c1", "decision": "yes", "statements": [1], "score": 0.9}]}
    answer, evaluation = reason("Does Lee Hyori avoid BBQ restaurants?", axiom, graph, listed, reply)
    assert answer.verdict is True
    assert evaluation.judged
    assert status(answer, graph) == "judged"
    assert sorted(ops(answer)) == ["judged", "rule", "statement"]
    answer, evaluation = reason("Does Lee Hyori avoid BBQ restaurants?", axiom, graph, listed)
    assert answer.abstained
    assert evaluation.missing[0].clause == "c1"


def test_what_can_be_computed_is_not_judged() -> None:
    listed = [said("Ann", "born", "1920"), said("Bob", "born", "1930")]
    axiom = program(
        "Older.", [entity("a", "Ann"), entity("b", "Bob"), of("x", "born", "a"), of("y", "born", "b")],
        [clause("c", "<", "x", "y")],
    )  # fmt: skip
    reply = {"judgements": [{"clause": "c", "decision": "no", "statements": [1]}]}
    answer, evaluation = reason("Is Ann older than Bob?", axiom, graph_of(*listed), listed, reply)
    assert answer.verdict is True
    assert not evaluation.judged


@pytest.mark.parametrize(("breed", "decision", "verdict"), [
    ("dachshund", None, None), ("Welsh dog", None, None), ("Welsh dog", "yes", True), ("dachshund", "no", False),
])  # fmt: skip
def test_a_name_that_no_entity_bears(breed: str, decision: str | None, verdict: bool | None) -> None:
    """It may be there under another name: that nothing is called so proves nothing, unless somebody judges it."""
    listed = [said("Sablé", "animal breed", breed)]
    axiom = program(
        "A corgi is a corgi.", [entity("a", "Sablé"), entity("b", "corgi"), of("x", "animal breed", "a")],
        [clause("c", "=", "x", "b")],
    )  # fmt: skip
    reply = {"judgements": [{"clause": "c", "decision": decision, "statements": [1]}] if decision else []}
    answer, evaluation = reason("Is Sablé a corgi?", axiom, graph_of(*listed), listed, reply)
    assert answer.verdict is verdict
    assert evaluation.judged is (decision is not None)
    status(answer, graph_of(*listed))


def test_a_citation_of_another_subject_is_refused() -> None:
    listed = [said("Bob", "faith", "Islam"), said("Ann", "faith", "Judaism")]
    axiom = program(
        "Muslims fast.",
        [entity("a", "Ann"), entity("i", "Islam"), of("x", "religion", "a")],
        [clause("c", "=", "x", "i")],
    )
    graph = graph_of(*listed)
    cited = {"groundings": [{"term": "x", "statements": [1]}]}
    answer, evaluation = reason("Does Ann fast?", axiom, graph, listed, cited)
    assert answer.abstained
    assert "Bob" in evaluation.refused[0]
    cited = {"groundings": [{"term": "x", "statements": [2]}]}
    assert reason("Does Ann fast?", axiom, graph, listed, cited)[0].verdict is False


def test_of_several_values_none_is_picked() -> None:
    listed = [said("Ann", "faith", "Islam"), said("Ann", "faith", "Judaism")]
    axiom = program(
        "Muslims fast.",
        [entity("a", "Ann"), entity("i", "Islam"), of("x", "religion", "a")],
        [clause("c", "=", "x", "i")],
    )
    cited = {"groundings": [{"term": "x", "statements": [1]}]}
    assert reason("Does Ann fast?", axiom, graph_of(*listed), listed, cited)[0].abstained


def test_a_relation_walked_backwards() -> None:
    listed = [said("Emma", "author", "Jane")]
    axiom = program(
        "A novelist wrote a novel.",
        [entity("a", "Jane"), of("book", "wrote", "a", take="some")],
        [clause("c", "exists", "book")],
    )
    cited = {"groundings": [{"term": "book", "statements": [1]}]}
    answer, _ = reason("Is Jane a novelist?", axiom, graph_of(*listed), listed, cited)
    assert answer.verdict is True
    status(answer, graph_of(*listed))


def test_one_value_wherever_a_term_occurs() -> None:
    """Some work is a novel, and some work is old; but none is both."""
    graph = graph_of(
        said("Ann", "work", "Emma"), said("Ann", "work", "Ode"), said("Emma", "genre", "novel"),
        said("Ode", "genre", "poem"), said("Emma", "year", "1999"), said("Ode", "year", "1815"),
    )  # fmt: skip
    terms = [
        entity("a", "Ann"), entity("novel", "novel"), constant("then", "1900"), of("w", "work", "a", take="some"),
        of("g", "genre", "w"), of("y", "year", "w"),
    ]  # fmt: skip
    clauses = [clause("is_novel", "=", "g", "novel"), clause("old", "<", "y", "then")]
    known = Assumptions(complete=frozenset({"r:work"}))
    both = program("An old novel.", terms, clauses)
    assert reason("Has Ann written an old novel?", both, graph, assumptions=known)[0].verdict is False
    either = program("An old work or a novel.", terms, clauses, formula="is_novel or old")
    assert reason("Has Ann?", either, graph)[0].verdict is True
    none = program("No novel.", terms[:2] + terms[3:5], clauses[:1], formula="not is_novel")
    assert reason("Has Ann?", none, graph)[0].verdict is False  # not: some work is no novel


@pytest.mark.parametrize(("kind", "x", "y", "expected"), [
    ("difference", "69498516", "59948323", "9550193"), ("product", "43 minute", "376", "16168 minute"),
    ("sum", "1990-02-28", "25 years", "2015-02-28"), ("difference", "2020-01-31", "9 month", "2019-04-30"),
    ("sum", "1 kilometre", "500 metre", "1.5 kilometre"), ("duration", "1928-09-27", "1953-09-27", "25 year"),
    ("duration", "1928-09-27", "1953-09-27", "25"),
])  # fmt: skip
def test_arithmetic(kind: str, x: str, y: str, expected: str) -> None:
    graph = graph_of(said("Ann", "x", x), said("Ann", "y", y))
    axiom = program(
        "Sums.",
        [entity("a", "Ann"), of("p", "x", "a"), of("q", "y", "a"), term("r", kind, "p", "q"), constant("s", expected)],
        [clause("c", "=", "r", "s")],
    )
    answer, _ = reason("Is Ann right?", axiom, graph)
    assert answer.verdict is True
    status(answer, graph)


@pytest.mark.parametrize(("change", "problem"), [
    ({"clauses": []}, "at least 1"), ({"formula": "c and d"}, "no clause"), ({"formula": "c and (c"}, "parenthesis"),
    ({"terms": [of("x", "p", "nobody")]}, "not defined before"), ({"direction": "sideways"}, "direction"),
    ({"if_true": "yes", "if_false": "yes"}, "same whether"), ({"extra": 1}, "extra"),
])  # fmt: skip
def test_what_is_no_axiom(change: dict[str, Any], problem: str) -> None:
    sound = {
        "text": "t", "terms": [entity("a", "Ann"), of("x", "p", "a")], "clauses": [clause("c", "exists", "x")],
        "direction": "both",
    }  # fmt: skip
    assert Program.read(sound)
    with pytest.raises(InputError, match=problem) as raised:
        Program.read({**sound, **change})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("reply", [
    {"groundings": [{"term": "x", "statements": [3]}]}, {"groundings": [{"term": "z", "statements": [1]}]},
    {"judgements": [{"clause": "c", "decision": "yes"}]}, {"judgements": [{"clause": "c", "decision": "maybe"}]},
    [1], "x",
])  # fmt: skip
def test_a_reply_outside_the_list_is_refused(reply: Any) -> None:
    axiom = program("t", [entity("a", "Ann"), of("x", "p", "a")], [clause("c", "exists", "x")])
    with pytest.raises(InputError):
        GroundingReply.read(reply, axiom, 2)
    schema = GroundingReply.schema_for(axiom, 2)
    assert schema["properties"]["groundings"]["items"]["properties"]["statements"]["items"]["maximum"] == 2


KINDS = [
    "property",
    "qualifier",
    "count",
    "interval",
    "duration",
    "sum",
    "difference",
    "product",
    "year",
    "month",
    "latest",
]
OPS = ["=", "!=", "<", ">=", "overlaps", "within", "member_of", "exists", "words"]
WORDS = ["spouse", "born", "start time", "end time", "instance of", "</s>"]
FIRST = [
    entity("t0", "Ann"),
    entity("t1", "man"),
    constant("t2", "2"),
    constant("t3", "1999"),
    of("t4", "spouse", "t0"),
]


@st.composite
def programs(draw: st.DrawFn) -> dict[str, Any]:
    """Mostly sound programs over the world below."""
    terms: list[dict[str, Any]] = [dict(one, take=draw(st.sampled_from(["one", "some", "all"]))) for one in FIRST]
    for number in range(len(terms), len(terms) + draw(st.integers(0, 5))):
        known = st.sampled_from([one["name"] for one in terms])
        kind = draw(st.sampled_from(KINDS))
        properties = [one["name"] for one in terms if one["kind"] == "property"]
        made = {"name": f"t{number}", "kind": kind, "text": draw(st.sampled_from(WORDS)), "of": draw(known)}
        if kind in ("qualifier", "count", "latest"):
            made["of"] = draw(st.sampled_from(properties))
        if kind not in ("property", "qualifier") or draw(st.booleans()):
            made["to"] = draw(known)
        terms.append({**made, "take": draw(st.sampled_from(["one", "some", "all"])), "complete": draw(st.booleans())})
    clauses = []
    for name in "cd":
        op, sides = (
            draw(st.sampled_from(OPS)),
            [draw(st.sampled_from([one["name"] for one in terms])) for _ in range(2)],
        )
        left, right = {"words": (None, None), "exists": ("t4", None)}.get(op, tuple(sides))
        clauses.append(clause(name, op, left, right))
    formula = draw(st.sampled_from(["", "not c and d", "c or d", "not (c and d)", "(c or d) and not d"]))
    direction = draw(st.sampled_from(["sufficient", "necessary", "both"]))
    return {"text": "t", "terms": terms, "clauses": clauses, "formula": formula, "direction": direction}


WORLD = [
    said("Ann", "spouse", "Bob", start_time="1999", end_time="2004"), said("Ann", "spouse", "Cy", start_time="2010"),
    said("Ann", "born", "1970"), said("Bob", "born", "1999"), said("Bob", "spouse", "Ann"),
    said("Cy", "instance of", "man"), said("Bob", "spouse", Literal("", "no_value")),
    said("Cy", "born", Literal("", "unknown_value")),
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    written=programs(),
    cited=st.lists(st.tuples(st.integers(4, 9), st.lists(st.integers(1, 8), max_size=3), st.booleans()), max_size=6),
    judged=st.lists(st.tuples(st.sampled_from("cd"), st.integers(1, 8), st.sampled_from(["yes", "no"])), max_size=2),
    closed=st.booleans(),
)
def test_whatever_a_model_replies_every_proof_checks(written: Any, cited: Any, judged: Any, closed: bool) -> None:
    graph = graph_of(*WORLD)
    reply = {
        "groundings": [{"term": f"t{term}", "statements": numbers, "only": only} for term, numbers, only in cited],
        "judgements": [{"clause": name, "statements": [number], "decision": said} for name, number, said in judged],
    }
    try:
        axiom = Program.read(written)
        GroundingReply.read(reply, axiom, len(WORLD))
    except InputError:
        return
    answer, _ = reason("Is Ann with Bob?", axiom, graph, WORLD, reply, Assumptions(closed_world=closed))
    status(answer, graph)


@settings(max_examples=60, deadline=None)
@given(written=programs(), judged=st.lists(st.sampled_from("cd"), max_size=2, unique=True), closed=st.booleans())
def test_whatever_the_options_every_choice_checks(written: Any, judged: Any, closed: bool) -> None:
    graph = graph_of(*WORLD)
    written["terms"][1] = {"name": "t1", "kind": "option"}
    reply = {"judgements": [{"clause": name, "statements": [2], "decision": "yes"} for name in judged]}
    try:
        axiom = Program.read(written)
    except InputError:
        return
    options = ("man", "somebody unheard of", "Cy", "1999")
    replies = [reply if number % 2 else {} for number in range(len(options))]
    assumed = Assumptions(closed_world=closed)
    answer, verdicts = tried("Who is with Ann ?", axiom, graph, options, replies, WORLD, assumed)
    status(answer, graph)
    chosen = [option for option, verdict in zip(options, verdicts, strict=True) if verdict]
    assert sorted(one.value for one in answer.values if isinstance(one, Literal)) == sorted(chosen)
