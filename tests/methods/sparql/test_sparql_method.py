"""A model writes a query, sees what it gives, and mends it; whatever it writes, only reading is run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest
from endpoint_servers import RdflibServer
from harbour import EVIL, NORTH, SOUTH, STATEMENTS, harbour
from random_replies import HOSTILE

from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.union import UnionGraph
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.asker import Asker
from toulmin.methods.request import Request
from toulmin.methods.sparql import SparqlSettings
from toulmin.program.answer import Answer

KEEP = {"thought": "fine", "keep": True, "sparql": "", "meaning": "as before"}


def writes(sparql: str) -> dict[str, Any]:
    return {"thought": "so", "sparql": sparql, "meaning": "what it says"}


def mends(sparql: str) -> dict[str, Any]:
    return writes(sparql) | {"keep": False}


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with harbour() as made:
        yield made


def ask(
    graph: Any,
    *replies: dict[str, Any] | str,
    question: str | Request = "Which boats lie at the North Quay?",
    settings: SparqlSettings | None = None,
    budget: Budget | None = None,
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel([one if isinstance(one, str) else json.dumps(one) for one in replies])
    asker = Asker(graph, method="sparql", settings=settings, model=model, budget=budget)
    answer = asker.ask(question)
    assert answer.check(graph).exit_code == 0
    assert Answer.from_json(answer.to_json()) == answer
    return answer, model


def ops(answer: Answer) -> list[str]:
    return [node["op"] for node in answer.certificate["program"]]


def test_what_reads_as_a_program_is_computed_by_the_kernel(graph: MemoryGraph) -> None:
    answer, model = ask(graph, writes("SELECT ?boat { ?boat vocab:mooredAt example:north }"), KEEP)
    assert {value.label for value in answer.values} == {"Linnea", "Marit"}  # type: ignore[union-attr]
    assert ops(answer) == ["entity", "follow"]
    assert answer.check(graph).status == "judged"  # that the question means it
    assert answer.usage.model_calls == 2
    assert "In words: everything whose mooredAt is North Quay" in model.requests[1].messages[-1].content
    assert 'example:linnea "Linnea"' in model.requests[1].messages[-1].content


def test_what_does_not_is_recorded_and_run_again(graph: MemoryGraph) -> None:
    text = "SELECT ?boat { ?boat vocab:seats ?n . BIND(2 * ?n AS ?all) FILTER(?all > 100) }"
    answer, _ = ask(graph, writes(text), KEEP)
    assert ops(answer) == ["query"]
    assert answer.text == "Petra"
    assert answer.certificate["program"][0]["text"].startswith("PREFIX ")  # it stands by itself
    report = answer.check(graph)
    assert (report.status, report.nodes[0]["reason"]) == ("unverifiable", "run again by the store: the same rows")


def test_an_error_is_shown_and_mended(graph: MemoryGraph) -> None:
    answer, model = ask(
        graph, writes("SELECT ?b { ?b vocab:mooredAt"), mends("SELECT ?b { ?b vocab:mooredAt example:south }"), KEEP
    )
    assert {value.label for value in answer.values} == {"Oda", "Petra"}  # type: ignore[union-attr]
    assert "Error: SPARQL query" in model.requests[1].messages[-1].content
    assert answer.usage.model_calls == 3


@pytest.mark.parametrize(
    "text",
    [
        "DELETE WHERE { ?s ?p ?o }",
        "INSERT DATA { <http://a> <http://b> <http://c> }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?p ?o } }",
        "SELECT ?x { ?x ?p ?o } ; DROP ALL",
        "\x00",
        "SELECT" + "(" * 5000,
    ],
)
def test_nothing_but_reading_is_run(graph: MemoryGraph, text: str) -> None:
    answer, _ = ask(graph, writes(text), mends(text + " "), settings=SparqlSettings(calls=2))
    assert answer.abstained
    assert "query" in (answer.reason or "")
    assert len(graph.query("SELECT ?x { ?x ?p ?o }").rows) == len(STATEMENTS)


@pytest.mark.parametrize(
    "text",
    [
        'SELECT ("Copenhagen" AS ?x) {}',
        'SELECT ?x { VALUES ?x { "Copenhagen" } }',
        "SELECT ?x { BIND(example:north AS ?x) }",
        "SELECT (42 AS ?n) { ?b vocab:mooredAt example:south }",
        "ASK {}",
        "ASK { FILTER(1=1) }",
    ],
)
def test_what_the_model_remembers_is_an_error_to_mend(graph: MemoryGraph, text: str) -> None:
    good = "SELECT ?b { ?b vocab:mooredAt example:south }"
    answer, model = ask(graph, writes(text), mends(good), KEEP)
    assert {value.label for value in answer.values} == {"Oda", "Petra"}  # type: ignore[union-attr]
    assert "Error: " in model.requests[1].messages[-1].content
    answer, _ = ask(graph, writes(text), KEEP)
    assert answer.abstained
    assert "the graph" in (answer.reason or "")


def test_rows_and_seconds_are_bounded(graph: MemoryGraph) -> None:
    few = SparqlSettings(rows=3, calls=1)
    answer, _ = ask(graph, writes("SELECT ?x ?o { ?x ?p ?o }"), settings=few)
    assert "more than 3 rows" in (answer.reason or "")
    slow = SparqlSettings(timeout=0.3, calls=1)
    answer, _ = ask(
        graph, writes("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }"), settings=slow
    )
    assert "0.3 s" in (answer.reason or "")


def test_the_store_says_no_where_a_program_does_not_know(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, writes("ASK { example:oda vocab:mooredAt example:north }"), KEEP)
    assert answer.verdict is False
    assert ops(answer) == ["query", "judged"]
    answer, _ = ask(graph, writes("ASK { example:oda vocab:mooredAt example:south }"), KEEP)
    assert answer.verdict is True
    assert "query" not in ops(answer)


def test_a_claim_is_decided_by_ask(graph: MemoryGraph) -> None:
    claim = Request("The Oda lies at the South Quay.", task="claim")
    replies = (
        writes("SELECT ?q { example:oda vocab:mooredAt ?q }"),
        mends("ASK { example:oda vocab:mooredAt example:south }"),
        KEEP,
    )
    answer, model = ask(graph, *replies, question=claim)
    assert answer.verdict is True
    assert "a claim is decided by an ASK query" in model.requests[1].messages[-1].content


def test_nothing_found_is_an_abstention_that_says_what_was_asked(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, writes("SELECT ?x { ?x vocab:keeper example:linnea }"), KEEP)
    assert answer.reason == "nothing is listed for: everything whose keeper is Linnea"
    answer, _ = ask(graph, writes("SELECT ?x { ?x vocab:keeper example:linnea . BIND(1 AS ?y) }"), KEEP)
    assert answer.abstained
    assert ops(answer) == ["query"]
    answer, _ = ask(graph, writes(""))
    assert answer.reason is not None
    assert "no relation" in answer.reason


def test_what_the_model_could_not_judge_stands(graph: MemoryGraph) -> None:
    good, bad = "SELECT ?b { ?b vocab:mooredAt example:south }", "SELECT ?b { ?b vocab:keeper example:south }"
    answer, _ = ask(graph, writes(good), "not JSON", "not JSON either")
    assert len(answer.values) == 2
    answer, _ = ask(graph, writes(bad), mends(good), settings=SparqlSettings(calls=2))
    assert len(answer.values) == 2


def test_what_the_model_saw_and_did_not_keep_is_no_answer(graph: MemoryGraph) -> None:
    good, bad = "SELECT ?b { ?b vocab:mooredAt example:south }", "SELECT ?b { ?b vocab:keeper example:south }"
    for mended in ([bad, "no query at all"], ["no query at all", bad], ["no query at all", "nor this"], [good]):
        answer, _ = ask(graph, writes(good), *map(mends, mended), settings=SparqlSettings(calls=1 + len(mended)))
        assert answer.abstained
        assert "kept none" in (answer.reason or "")
    answer, _ = ask(graph, writes(good), mends(bad), KEEP)
    assert answer.reason == "nothing is listed for: everything whose keeper is South Quay"


def test_the_model_may_return_to_a_query(graph: MemoryGraph) -> None:
    good, bad = "SELECT ?b { ?b vocab:mooredAt example:south }", "SELECT ?b { ?b vocab:keeper example:south }"
    answer, _ = ask(graph, writes(good), mends(bad), mends(good), KEEP, settings=SparqlSettings(calls=4))
    assert {value.label for value in answer.values} == {"Oda", "Petra"}  # type: ignore[union-attr]


def test_what_the_model_gives_up_is_no_answer(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, writes("SELECT ?b { ?b vocab:mooredAt example:south }"), mends(""))
    assert answer.abstained
    assert "no relation" in (answer.reason or "")
    answer, _ = ask(graph, writes("SELECT (MAX(?n) AS ?m) { example:north vocab:seats ?n }"), KEEP)
    assert answer.reason == "as the method says: “the rows of the last query hold nothing”"


def test_frugal_looks_only_where_there_is_nothing(graph: MemoryGraph) -> None:
    frugal = SparqlSettings(look=False, calls=2)
    answer, _ = ask(graph, writes("SELECT ?b { ?b vocab:mooredAt example:south }"), settings=frugal)
    assert answer.usage.model_calls == 1
    replies = (
        writes("SELECT ?b { ?b vocab:keeper example:south }"),
        mends("SELECT ?b { ?b vocab:mooredAt example:south }"),
    )
    answer, _ = ask(graph, *replies, settings=frugal)
    assert (answer.usage.model_calls, len(answer.values)) == (2, 2)


def test_a_budget_that_is_used_up(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, budget=Budget(calls=0))
    assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]
    answer, _ = ask(graph, writes("SELECT ?b { ?b vocab:mooredAt example:south }"), budget=Budget(calls=1))
    assert len(answer.values) == 2
    answer, _ = ask(graph, writes("SELECT ?b { ?b vocab:keeper example:south }"), budget=Budget(calls=1))
    assert [one["code"] for one in answer.certificate["answer"]["reasons"]] == ["nothing", "stopped"]


def test_a_model_that_gives_nothing_usable(graph: MemoryGraph) -> None:
    with pytest.raises(NothingUsableError) as error:
        ask(graph, "never", "ever")
    assert error.value.usage.model_calls == 2


def test_labels_are_data(graph: MemoryGraph) -> None:
    question = f"Is there {EVIL[:20]}?"
    _, model = ask(graph, writes("SELECT ?q { ?q a vocab:Quay }"), KEEP, question=question)
    for request in model.requests:
        shown = request.messages[-1].content
        assert shown.count("</relations>") == 1
        assert "<system>" not in shown
        assert "\n[99]" not in shown
    assert "keeper" in shown


def test_a_union_is_refused(graph: MemoryGraph) -> None:
    with harbour() as other, pytest.raises(SettingsError, match="one graph"):
        ask(UnionGraph([graph, other.__class__.from_statements([], name="other")]))


def test_settings_out_of_range() -> None:
    with pytest.raises(SettingsError, match="calls"):
        SparqlSettings(calls=0)


def test_an_endpoint_is_asked_in_its_own_terms() -> None:
    turtle = """@prefix q: <http://quays.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    q:north a q:Quay ; rdfs:label "North Quay"@en ; q:berths 4 .
    q:south a q:Quay ; rdfs:label "South Quay"@en ; q:berths 9 .
    """
    with RdflibServer() as server:
        server.load(turtle)
        with closing(open_endpoint(server.url)) as graph:
            query = "SELECT ?q { ?q a example:Quay ; example:berths ?n FILTER(?n > 5) }"
            answer, model = ask(graph, writes(query), KEEP)
    shown = model.requests[0].messages[-1].content
    assert "PREFIX example: <http://quays.example/>" in shown
    assert 'example:Quay "Quay" | 2 things' in shown
    assert "example:berths" in shown
    assert [value.id for (row,) in answer.rows for value in row] == ["http://quays.example/south"]  # type: ignore[union-attr]


def test_what_is_named_is_shown_with_its_term(graph: MemoryGraph) -> None:
    _, model = ask(
        graph, writes("ASK { ?x a vocab:Quay }"), KEEP, question="Who is keeper of North Quay, and what is Dark red?"
    )
    shown = model.requests[0].messages[-1].content
    assert f'"North Quay": example:north "{NORTH.label}" (vocab:Quay)' in shown
    assert '"Dark red": "Dark red" of vocab:colour' in shown
    assert SOUTH.id not in shown.split("<names>")[1]


@pytest.mark.parametrize("seed", range(12))
def test_random_and_hostile_replies(graph: MemoryGraph, seed: int) -> None:
    """Nothing crashes, and every certificate checks, which ``ask`` sees to."""
    random = Random(seed)
    terms = "?a ?b example:north vocab:mooredAt vocab:seats vocab:Boat a 12 'x' { } ( ) . ; , | / * ^ UNION > = IN <"
    terms += " OPTIONAL FILTER MINUS COUNT SUM AVG MAX DISTINCT AS GROUP BY HAVING ORDER LIMIT VALUES BIND EXISTS NOT"
    whole = [
        "SELECT ?a { ?a vocab:mooredAt ?b }",
        "SELECT ?a ?n { ?a vocab:mooredAt example:north OPTIONAL { ?a vocab:seats ?n } }",
        "SELECT ?b (SUM(?n) AS ?m) { ?a vocab:mooredAt ?b ; vocab:seats ?n } GROUP BY ?b ORDER BY DESC(?m) LIMIT 1",
        "ASK { ?a a vocab:Boat FILTER NOT EXISTS { ?a vocab:seats ?n } }",
        "SELECT (COUNT(*) AS ?n) { }",
        "SELECT * { ?a ?b ?c }",
        "SELECT ?a ?a { ?a a vocab:Boat }",
        "SELECT (1/0 AS ?x) { ?a a vocab:Boat }",
        "SELECT ?x { VALUES ?x { example:north UNDEF } }",
    ]

    def query() -> str:
        if random.random() < 0.6:
            text = random.choice(whole)
            cut = random.randrange(len(text))
            return text if random.random() < 0.6 else text[:cut] + random.choice(terms.split()) + text[cut:]
        return "SELECT ?a { " + " ".join(random.choice(terms.split()) for _ in range(random.randrange(14))) + " }"

    for _ in range(6):
        replies = [
            json.dumps(writes(query())),
            *(json.dumps(mends(query())) for _ in range(2)),
            *random.sample(HOSTILE, 4),
        ]
        if random.random() < 0.3:
            random.shuffle(replies)
        try:
            ask(graph, *replies, settings=SparqlSettings(look=random.random() < 0.7))
        except NothingUsableError as error:
            assert error.usage.model_calls == 2
