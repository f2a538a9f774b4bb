"""check-text at an endpoint: verdicts as on a graph of one's own, a certificate that checks, one line if it fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from endpoint_servers import RdflibServer, Reply, ScriptedServer

import toulmin

pytestmark = pytest.mark.usefixtures("own_cache")

TURTLE = """
@prefix e: <http://example.org/e/> . @prefix r: <http://example.org/r/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:ada rdfs:label "Ada Lovelace" ; r:born e:london ; r:died e:london ; r:father e:byron .
e:byron rdfs:label "Lord Byron" ; r:born e:london ; r:died e:missolonghi .
e:shelley rdfs:label "Mary Shelley" ; r:born e:london ; r:died e:london ; r:father e:godwin .
e:godwin rdfs:label "William Godwin" ; r:born e:wisbech .
e:keats rdfs:label "John Keats" ; r:born e:london ; r:died e:rome .
e:london rdfs:label "London" . e:missolonghi rdfs:label "Missolonghi" . e:wisbech rdfs:label "Wisbech" .
e:rome rdfs:label "Rome" .
r:born rdfs:label "place of birth" . r:died rdfs:label "place of death" . r:father rdfs:label "father" .
"""
TEXT = "Ada Lovelace was born in London. She died in Rome. Lord Byron was her father. She owned a parrot."
VERDICTS = ["supported", "contradicted", "supported", "not in the graph"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with RdflibServer() as server:
        server.load(TURTLE)
        yield server.url


def test_a_text_is_checked_and_its_certificate_checks(url: str) -> None:
    graph = toulmin.open(url)
    answer = toulmin.check_text(graph, TEXT)
    assert [one.verdict for one in answer.sentences] == VERDICTS
    assert toulmin.check(answer, graph).exit_code == 0
    graph.close()


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "toulmin.cli.main", "check-text", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_command_takes_its_address(url: str) -> None:
    done = command(TEXT, "--kg", url, "--json", "--fail-on", "contradicted")
    assert done.returncode == 1 and done.stderr == ""
    assert [one.verdict for one in toulmin.Answer.from_json(done.stdout).sentences] == VERDICTS


def test_an_endpoint_that_fails_is_told_in_one_line(url: str) -> None:
    with ScriptedServer() as server:
        server.replies = [Reply(status=500, body=b"out of memory")]
        for address in (server.url, "http://127.0.0.1:9/sparql"):
            done = command("Ada Lovelace was born in London.", "--kg", address)
            assert done.returncode == 2 and done.stdout == ""
            assert len(done.stderr.splitlines()) == 1 and address.rstrip("/") in done.stderr
