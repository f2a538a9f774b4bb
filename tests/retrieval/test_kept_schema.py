"""What is kept of an endpoint's relations: the same schema whatever was asked before, for a week."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from endpoint_servers import RdflibServer

from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import GraphSchema, KeptFile, kept_file

E = "http://example.org/"
TURTLE = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
:oak rdfs:label "oak" ; :growsIn :france ; :height 30 . :elm rdfs:label "elm" ; :growsIn :spain .
:france rdfs:label "France" ; :borders :spain . :spain rdfs:label "Spain" ; :capital :madrid .
:madrid rdfs:label "Madrid" ; :founded "0865" .
:note rdf:type rdf:Statement ; rdf:subject :oak ; rdf:predicate :growsIn ; rdf:object :france ; :since "1200" .
"""


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EndpointGraph]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with RdflibServer() as server:
        server.load(TURTLE)
        with open_endpoint(server.url) as opened:
            yield opened


def row(schema: GraphSchema, text: str) -> np.ndarray:
    place = schema.texts.index(text)
    return schema.slots[2 * place : 2 * place + 2]


def same(first: GraphSchema, second: GraphSchema, text: str) -> bool:
    return np.array_equal(row(first, text), row(second, text))


def test_a_relation_means_the_same_wherever_it_is_met_first(graph: EndpointGraph) -> None:
    _, from_oak = Retriever(graph).around([E + "oak"], 1)
    kept_file(graph).forget()
    _, from_spain = Retriever(graph).around([E + "spain"], 1)
    assert {"grows in", "height", "since"} <= set(from_oak.texts) and "capital" not in from_oak.texts
    assert "capital" in from_spain.texts
    assert same(from_oak, from_spain, "grows in")
    _, again = Retriever(graph).around([E + "oak"], 1)
    assert again.texts == from_oak.texts
    assert all(same(again, from_oak, text) for text in again.texts)
    assert not row(from_oak, "since").any()  # of qualifiers alone: its words are known, and no ends


def aged(kept: KeptFile, days: int) -> None:
    with np.load(kept.path) as arrays:
        content = dict(arrays)
    header = json.loads(str(content["said"]))
    header["asked"] = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    np.savez(kept.path, **content | {"said": np.array(json.dumps(header))})


def test_after_a_week_it_is_asked_for_again(graph: EndpointGraph) -> None:
    Retriever(graph).around([E + "oak"], 1)
    kept = kept_file(graph)
    assert kept.asked is not None
    aged(kept, 6)
    assert kept_file(graph).asked is not None
    for days in (8, -1):
        aged(kept, days)
        assert kept_file(graph).asked is None
    Retriever(graph).around([E + "oak"], 1)
    again = kept_file(graph).asked
    assert again is not None and datetime.now(UTC) - again < timedelta(hours=1)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", None])
def test_a_damaged_file_is_asked_for_again(graph: EndpointGraph, content: bytes | None) -> None:
    _, schema = Retriever(graph).around([E + "oak"], 1)
    kept = kept_file(graph)
    kept.path.write_bytes(kept.path.read_bytes()[:-200] if content is None else content)
    assert kept_file(graph).asked is None
    _, again = Retriever(graph).around([E + "oak"], 1)
    assert all(same(again, schema, text) for text in schema.texts)
    assert kept_file(graph).asked is not None


def test_a_cache_that_cannot_be_written_to_costs_time_alone(
    graph: EndpointGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    _, schema = Retriever(graph).around([E + "oak"], 1)
    assert "grows in" in schema.texts and kept_file(graph).asked is None


def test_another_language_or_dialect_is_kept_apart(graph: EndpointGraph) -> None:
    with (
        open_endpoint(graph.fingerprint, languages=("fr",)) as french,
        open_endpoint(graph.fingerprint, dialect="dbpedia") as other,
    ):
        assert len({kept_file(opened).path for opened in (graph, french, other)}) == 3
