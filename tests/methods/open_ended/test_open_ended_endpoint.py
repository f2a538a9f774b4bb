"""open-ended at an endpoint: retrieval around the names, and a certificate that checks against it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from endpoint_servers import RdflibServer

import toulmin
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel

pytestmark = pytest.mark.usefixtures("own_cache")

TURTLE = """
@prefix e: <http://example.org/e/> . @prefix r: <http://example.org/r/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:milla rdfs:label "Milla Sand" ; r:born e:port ; r:father e:odd ; r:owner e:yard .
e:odd rdfs:label "Odd Sand" ; r:born e:port .
e:port rdfs:label "Grey Port" . e:yard rdfs:label "Vik Yard" .
e:far rdfs:label "Far Isle" ; r:ferry e:farther . e:farther rdfs:label "Farther Isle" .
r:born rdfs:label "place of birth" . r:father rdfs:label "father" . r:owner rdfs:label "owner of" .
r:ferry rdfs:label "ferry to" .
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with RdflibServer() as server:
        server.load(TURTLE)
        yield server.url


def reply(request: ModelRequest) -> str:
    """A sentence on the first line that tells a birth."""
    listed = request.messages[-1].content.split("<statements>\n")[1].split("\n</statements>")[0].splitlines()
    assert not any("Far Isle" in line for line in listed)
    number = next(at for at, line in enumerate(listed, 1) if "Milla Sand | place of birth" in line)
    return json.dumps({"sentences": [{"text": "Milla Sand was born in Grey Port.", "statements": [number]}]})


@pytest.mark.parametrize("form", ["subgraph", "path", "triplet"])
def test_what_is_around_a_name_is_retrieved_and_cited(url: str, form: str) -> None:
    graph = toulmin.open(url)
    answer = toulmin.ask(graph, "Describe Milla Sand.", method=f"open-ended:{form}", model=ScriptedModel(reply))
    assert [one.verdict for one in answer.sentences] == ["supported"]
    assert toulmin.check(answer, graph).exit_code == 0
    graph.close()


def test_a_question_without_a_name_is_not_asked_of_a_whole_endpoint(url: str) -> None:
    graph = toulmin.open(url)
    answer = toulmin.ask(graph, "What is it all about?", method="open-ended", model=ScriptedModel(lambda _: ""))
    assert answer.abstained and "not at hand as a whole" in (answer.reason or "")
    graph.close()
