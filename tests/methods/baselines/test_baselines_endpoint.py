"""The baselines at an endpoint of another engine: what is not at hand is asked for, and the answers check there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from endpoint_servers import RdflibServer
from scripted_baselines import answer_of, number_of, scripted, told

from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.methods.answering import StatementsRetrieved

WORLD = """
@prefix e: <http://example.org/e/> . @prefix r: <http://example.org/r/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:tern rdfs:label "Tern"@en ; r:built e:hollis ; r:captain e:dora .
e:hollis rdfs:label "Hollis Yard"@en ; r:seat e:quay .
e:quay rdfs:label "Quillport"@en .
e:dora rdfs:label "Dora Finch"@en .
e:abel rdfs:label "Abel Munt"@en ; r:captain_of_no_ship e:tern .
r:built rdfs:label "built by"@en . r:seat rdfs:label "seat"@en . r:captain rdfs:label "captain"@en .
"""
QUESTION = "In which town is the yard that built the Tern?"


@pytest.fixture(scope="module")
def remote() -> Iterator[EndpointGraph]:
    with RdflibServer() as server:
        server.load(WORLD)
        with open_endpoint(server.url) as graph:
            yield graph


def test_two_hops_are_walked(remote: EndpointGraph, own_cache: object) -> None:
    def reply(step: str, prompt: str) -> Any:
        return {"statements": [number_of(prompt, "built by"), number_of(prompt, "seat")], "answer": ["Quillport"]}

    events = told("plain-vectors", QUESTION, remote, scripted(reply))
    answer = answer_of(events)
    assert (answer.text, answer.grounded) == ("Quillport", True)
    (retrieved,) = [event for event in events if isinstance(event, StatementsRetrieved)]
    assert retrieved.candidates == len(retrieved.statements) == 4


def test_a_subject_and_a_name_that_was_shown(remote: EndpointGraph, own_cache: object) -> None:
    def subject(step: str, prompt: str) -> Any:
        return {"statements": [number_of(prompt, "Abel Munt")], "answer": ["abel munt"]}

    answer = answer_of(told("kaping", "Who was never captain of the Tern?", remote, scripted(subject)))
    assert (answer.text, answer.grounded) == ("Abel Munt", True)
    alone = scripted(lambda step, prompt: {"statements": [], "answer": ["Dora Finch"]})
    answer = answer_of(told("kaping", "Who mended the Tern?", remote, alone))
    assert (answer.text, answer.grounded) == ("Dora Finch", False)


def test_claims_are_looked_up(remote: EndpointGraph, own_cache: object) -> None:
    def reply(step: str, prompt: str) -> Any:
        claim = {"claim": "The Tern was built by Hollis Yard.", "entities": ["the Tern", "Hollis Yard"]}
        said: dict[str, Any] = {"draft": {"draft": "Hollis Yard built it."}, "claims": {"claims": [claim]}}
        if step == "verify":
            cited = [number_of(prompt, "built by")]
            return {"verdicts": [{"claim": 1, "verdict": "supported", "statements": cited, "correction": ""}]}
        return said.get(step) or {
            "thought": "x",
            "statements": [number_of(prompt, "built by")],
            "answer": ["Hollis Yard"],
        }

    answer = answer_of(told("kgr", "Who built the Tern?", remote, scripted(reply)))
    assert (answer.text, answer.grounded) == ("Hollis Yard", True)
