"""What R³ looks up and shows: the axiom's entities, second hops, what a grounding asks for; lines of a relation."""

from __future__ import annotations

from typing import Any

import pytest
from scripted_r3 import answer_of, asked, model, number_of, steps_of, surfaced, told

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.protocol import Linked
from toulmin.methods.r3 import ABLATIONS, R3Settings
from toulmin.methods.r3.outcomes import StatementsKept

MILL, ADA, BO, LOFT = (Entity(f"e:{name}", name) for name in ("Holm Mill", "Ada Orr", "Bo Vane", "sail loft"))


def said(subject: Entity, relation: str, value: Entity | str, **qualifiers: str) -> Statement:
    node = value if isinstance(value, Entity) else Literal(value)
    notes = tuple(Qualifier(Relation(f"r:{name}", name), Literal(text)) for name, text in qualifiers.items())
    return Statement(subject, Relation(f"r:{relation}", relation), node, notes)


@pytest.fixture(scope="module")
def mill() -> MemoryGraph:
    floors = [said(MILL, f"room {number}", Entity(f"e:room{number}", f"room no {number}")) for number in range(30)]
    more = [said(BO, f"habit {number}", f"habit no {number}") for number in range(30)]
    return MemoryGraph.from_statements(
        [
            said(MILL, "rented to", BO),
            said(BO, "trained as", "sailmaker"),
            said(ADA, "trained as", "clockmaker"),
            said(LOFT, "height", "4 m"),
            *floors,
            *more,
        ]
    )


def words(*terms: dict[str, Any], left: str | None = None) -> dict[str, Any]:
    clause = {"name": "c", "text": "The tenant can sew.", "op": "words"} | ({"left": left} if left else {})
    return {"text": "A tenant who can sew mends sails.", "terms": list(terms), "clauses": [clause]}


def entity(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "kind": "entity", "text": text}


def prompts_of(scripted: ScriptedModel, step: str) -> list[str]:
    return [asked(request) for request in scripted.requests if request.step == f"r3/{step}"]


QUESTION = "Can the tenant of Holm Mill mend a sail?"
HOPS = (
    entity("mill", "Holm Mill"),
    {"name": "tenant", "kind": "property", "text": "tenant", "of": "mill"},
    {"name": "trade", "kind": "property", "text": "trade", "of": "tenant"},
)


def test_entities_are_asked_for_only_where_the_linker_is_not_sure(mill: MemoryGraph) -> None:
    scripted = model(axiom=surfaced(words()))
    told(QUESTION, mill, scripted, R3Settings(breadth=1))
    assert "entities" not in steps_of(scripted)
    scripted = model(axiom=surfaced(words()), entities={"entities": ["Holm Mill"]})
    told("can the tenant of it mend a sail?", mill, scripted, R3Settings(breadth=1, speaker=""))
    assert steps_of(scripted)[:2] == ["entities", "axiom"]  # in this order: facts are of what was linked
    scripted = model(words=surfaced({"text": "A rule.", "premises": ["It is so."]}))
    told(QUESTION, mill, scripted, ABLATIONS["paper"])
    assert steps_of(scripted)[:2] == ["entities", "words"]  # eq. 1, and the axiom after it


def test_an_axioms_entities_are_looked_up(mill: MemoryGraph) -> None:
    scripted = model(axiom=surfaced(words(entity("mill", "Holm Mill"), entity("ada", "Ada Orr"))))
    seen = told(QUESTION, mill, scripted, R3Settings(breadth=1))
    links = [[one.entity for one in event.entities] for event in seen if isinstance(event, Linked)]
    assert links == [[MILL], [MILL, ADA]]
    assert "Ada Orr | trained as | clockmaker" in prompts_of(scripted, "ground")[0]
    assert "Ada Orr" not in prompts_of(scripted, "axiom")[0]


def test_a_second_hop_is_shown_with_the_first(mill: MemoryGraph) -> None:
    """The first hop goes by another name: before it is cited nobody knows it, but whom it leads to is shown."""

    def ground(prompt: str) -> dict[str, Any]:
        hops = [("tenant", number_of(prompt, "rented to")), ("trade", number_of(prompt, "trained as"))]
        judged = {"clause": "c", "decision": "yes", "statements": [hops[1][1]]}
        return {"groundings": [{"term": t, "statements": [n]} for t, n in hops], "judgements": [judged]}

    scripted = model(axiom=surfaced(words(*HOPS, left="trade")), ground=ground)
    answer = answer_of(told(QUESTION, mill, scripted, R3Settings(breadth=1)))
    assert answer.verdict is True
    assert steps_of(scripted) == ["axiom", "ground"]
    assert answer.check(mill).exit_code == 0


def test_a_grounding_says_whom_to_look_up(mill: MemoryGraph) -> None:
    def ground(prompt: str) -> dict[str, Any]:
        if "trained as" not in prompt:
            number = number_of(prompt, "rented to")
            look = {"need": "what the tenant was trained as", "statement": number, "end": "object"}
            return {"groundings": [], "judgements": [], "look": [look]}
        assert "new: the statements from number" in prompt
        cited = [number_of(prompt, "rented to"), number_of(prompt, "trained as")]
        return {"groundings": [], "judgements": [{"clause": "c", "decision": "yes", "statements": cited}]}

    scripted = model(axiom=surfaced(words()), ground=ground)
    answer = answer_of(told(QUESTION, mill, scripted, R3Settings(breadth=1)))
    assert answer.verdict is True
    assert steps_of(scripted) == ["axiom", "ground", "ground"]


@pytest.mark.parametrize("look", [{"need": "x", "statement": 1, "end": "subject"}, None])
def test_a_look_that_leads_nowhere_ends_the_branch(mill: MemoryGraph, look: dict[str, Any] | None) -> None:
    reply: dict[str, Any] = {"groundings": [], "judgements": []} | ({"look": [look]} if look else {})
    scripted = model(axiom=surfaced(words()), ground=reply)
    seen = told(QUESTION, mill, scripted, R3Settings(breadth=1, depth=9))
    assert answer_of(seen).abstained
    shown = [one.id for event in seen if isinstance(event, StatementsKept) for one in event.statements]
    assert len(shown) == len(set(shown)) <= 31  # what is said of the mill, each once
    assert steps_of(scripted).count("missing") == 0


def test_another_axiom_is_shown_other_facts(mill: MemoryGraph) -> None:
    scripted = model(axiom=surfaced(words(*HOPS[:1])))
    told(QUESTION, mill, scripted, R3Settings(depth=0))
    first, second = (prompt.split("<facts>")[1].split("</facts>")[0] for prompt in prompts_of(scripted, "axiom"))
    facts = [{line.partition("] ")[2] for line in block.strip().splitlines()} for block in (first, second)]
    assert len(facts[0]) == len(facts[1]) == 10
    assert not facts[0] & facts[1]


def test_no_axiom_is_no_reply_unless_some_failed(mill: MemoryGraph) -> None:
    scripted = model(axiom=surfaced(words(*HOPS[:1])))
    told(QUESTION, mill, scripted, R3Settings(depth=0))
    schemas = [request.schema for request in scripted.requests if request.step == "r3/axiom"]
    assert [(schema or {})["properties"]["axioms"]["minItems"] for schema in schemas] == [1, 0]


def test_relations_are_told_by_name_and_qualifiers_where_there_are_some(mill: MemoryGraph) -> None:
    rented = MemoryGraph.from_statements([said(MILL, "rented to", BO, since="1950"), said(MILL, "built of", "oak")])
    for graph, qualified in ((mill, False), (rented, True)):
        scripted = model(axiom=surfaced(words()))
        told(QUESTION, graph, scripted, R3Settings(breadth=1, depth=0, facts=0))
        prompt = prompts_of(scripted, "axiom")[0]
        assert "rented to" in prompt.split("<relations>")[1]
        assert ("(qualifiers: since)" in prompt) is qualified
        schema = next(request.schema or {} for request in scripted.requests if request.step == "r3/axiom")
        terms = schema["properties"]["axioms"]["items"]["properties"]["terms"]
        assert ("qualifier" in terms["items"]["properties"]["kind"]["enum"]) is qualified


def test_statements_of_one_relation_share_a_line() -> None:
    statements = [said(MILL, "floor", "oak"), said(MILL, "floor", "ash", since="1950"), said(BO, "floor", "elm")]
    assert statement_lines(statements, together=True).splitlines()[1:-1] == [
        "[1] Holm Mill | floor | oak [2] ash | since: 1950",
        "[3] Bo Vane | floor | elm",
    ]
    assert len(statement_lines(statements).splitlines()) == 5
    called = statement_lines(statements, called={"Holm Mill": "A"}, together=True)
    assert called.splitlines()[1].startswith("[1] A | floor | oak")


def test_what_nothing_is_said_of_is_not_grounded(mill: MemoryGraph) -> None:
    """The graph knows the loft only as an end: no citation could give it a height, and none is asked for."""
    graph = MemoryGraph.from_statements([said(MILL, "part", LOFT), said(MILL, "built in", "1900")])
    terms = (
        entity("mill", "Holm Mill"),
        {"name": "loft", "kind": "property", "text": "part", "of": "mill"},
        {"name": "high", "kind": "property", "text": "height", "of": "loft"},
        {"name": "four", "kind": "constant", "text": "4 m"},
    )
    clause = {"name": "c", "text": "The loft is 4 m high.", "op": "=", "left": "high", "right": "four"}
    scripted = model(axiom=surfaced({"text": "A rule.", "terms": list(terms), "clauses": [clause]}))
    answer = answer_of(told(QUESTION, graph, scripted, R3Settings(breadth=1)))
    assert answer.abstained
    assert "height" in str(answer.reason)
    assert steps_of(scripted) == ["axiom"]


def test_what_known_values_leave_open_is_to_be_judged_at_once(mill: MemoryGraph) -> None:
    graph = MemoryGraph.from_statements(
        [said(MILL, "rented to", BO), said(MILL, "rented to", ADA), said(LOFT, "x", "y")]
    )
    terms = (
        entity("mill", "Holm Mill"),
        {"name": "who", "kind": "property", "text": "rented to", "of": "mill", "take": "some"},
        entity("loft", "sail loft"),
    )
    clause = {"name": "c", "text": "The mill is rented to the loft.", "op": "=", "left": "who", "right": "loft"}

    def ground(prompt: str) -> dict[str, Any]:
        assert "leave it open: The mill is rented to the loft." in prompt.split("<notes>")[1]
        cited = [number_of(prompt, "rented to")]
        return {"groundings": [], "judgements": [{"clause": "c", "decision": "no", "statements": cited}]}

    scripted = model(axiom=surfaced({"text": "A rule.", "terms": list(terms), "clauses": [clause]}), ground=ground)
    answer = answer_of(told(QUESTION, graph, scripted))
    assert answer.verdict is False
    assert answer.check(graph).status == "judged"
    assert steps_of(scripted) == ["axiom", "ground"]


def test_a_name_under_which_a_thing_is_but_filed_is_that_thing() -> None:
    filed = Entity("c:loft", "Orr sail loft")
    graph = MemoryGraph.from_statements([said(LOFT, "Commons category", filed), said(LOFT, "height", "4 m")])
    scripted = model(axiom=surfaced(words()))
    seen = told("Is Orr sail loft high?", graph, scripted, R3Settings(breadth=1))
    links = next(event for event in seen if isinstance(event, Linked)).entities
    assert [(one.text, one.entity) for one in links] == [("Orr sail loft", LOFT)]
    assert "sail loft | height | 4 m" in prompts_of(scripted, "axiom")[0]
    both = MemoryGraph.from_statements([said(LOFT, "Commons category", filed), said(filed, "height", "9 m")])
    seen = told("Is Orr sail loft high?", both, model(axiom=surfaced(words())), R3Settings(breadth=1))
    assert [one.entity for one in next(event for event in seen if isinstance(event, Linked)).entities] == [filed]
