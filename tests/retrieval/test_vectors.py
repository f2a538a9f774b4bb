"""The vector index: stored and on demand, exact and approximate, and what happens when it does not fit the graph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from toulmin.errors import GraphError, SettingsError
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.types import Literal
from toulmin.retrieval import vectors
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.vectors import LazyVectors, StoredVectors, build_vectors

RECORDS: list[Record] = [
    RawName("e:0", "Inception"),
    RawName("e:1", "Christopher Nolan"),
    RawName("e:2", "London"),
    RawName("r:directed", "directed_by"),
    RawStatement("e:0", "r:directed", "e:1"),
    RawStatement("e:1", "people.person.place_of_birth", "m.0abc"),
    RawStatement("m.0abc", "r:place", "e:2"),
    RawStatement("e:0", "r:year", Literal("2010", "time")),
]


class Hashed:
    """A third party's embedder: a random direction for each text."""

    name, dimension = "hashed", 32

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length."""
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            out[row] = np.random.default_rng(list(text.encode())).normal(size=self.dimension)
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def built(out: Path, records: list[Record], embedder: Embedder) -> EmbeddedGraph:
    told: list[tuple[int, int | None]] = []
    with build_directory(out) as work:
        build_graph([("records", records)], work, name="graph")
        with open_graph(work) as graph:
            build_vectors(work, graph, embedder, lambda done, total, _message: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    return open_graph(out)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedGraph:
    return built(tmp_path_factory.mktemp("vectors") / "graph", RECORDS, get_embedder())


def opened(graph: EmbeddedGraph) -> StoredVectors:
    return StoredVectors(graph.path, get_embedder(), graph.fingerprint)


def test_scores_are_cosines_of_labels(graph: EmbeddedGraph) -> None:
    subgraph = graph.subgraph([], 0)
    query = get_embedder().embed(["which city was he born in"])[0]
    for index in (opened(graph), LazyVectors(subgraph, get_embedder())):
        names = ["Inception", "Christopher Nolan", "London"]
        numbers = np.array([subgraph.index(f"e:{place}") for place in range(3)])
        wanted = get_embedder().embed(names) @ query
        assert np.allclose(index.entity_scores(query, numbers), wanted, atol=1e-3)
        assert np.allclose(index.all_entity_scores(query)[numbers], wanted, atol=1e-3)
        assert np.array_equal(index.encode("which city was he born in"), query)
        words = {"r:directed": "directed by", "people.person.place_of_birth": "place of birth"}
        relations = {
            relation.id: score for relation, score in zip(subgraph.relations, index.relation_scores(query), strict=True)
        }
        for identifier, text in words.items():
            assert relations[identifier] == pytest.approx(float(get_embedder().embed([text])[0] @ query), abs=1e-4)
        assert max(relations, key=relations.__getitem__) == "people.person.place_of_birth"


def test_machine_ids_and_literals_score_0(graph: EmbeddedGraph) -> None:
    subgraph = graph.subgraph([], 0)
    machine = subgraph.index("m.0abc")
    assert machine is not None and subgraph.machine[machine]
    query = get_embedder().embed(["2010"])[0]
    for index in (opened(graph), LazyVectors(subgraph, get_embedder())):
        assert index.entity_scores(query, np.array([machine, subgraph.n_entities])).tolist() == [0, 0]
        assert not index.entity_vectors(np.array([machine])).any()


def test_vectors_on_demand_do_not_depend_on_the_order_of_asking(graph: EmbeddedGraph) -> None:
    subgraph = graph.subgraph([], 0)
    query = get_embedder().embed(["film"])[0]
    at_once = LazyVectors(subgraph, get_embedder()).all_entity_scores(query)
    index = LazyVectors(subgraph, get_embedder())
    for number in [*range(subgraph.n_entities)][::-1]:
        numbers = np.array([number, 0, number])
        assert np.allclose(index.entity_scores(query, numbers), at_once[numbers], atol=1e-6)
    assert np.allclose(index.all_entity_scores(query), at_once, atol=1e-6)


def test_the_nearest(graph: EmbeddedGraph) -> None:
    index = opened(graph)
    query = get_embedder().embed(["Inception"])[0]
    numbers, scores = index.nearest_entities(query, 2)
    assert numbers[0] == graph.subgraph([], 0).index("e:0") and scores[0] == pytest.approx(1, abs=1e-3)
    assert len(index.nearest_entities(query, 99)[0]) == 4
    assert len(index.nearest_entities(query, 0)[0]) == 0
    with pytest.raises(SettingsError, match="k is -1"):
        index.nearest_entities(query, -1)


def test_approximate_search_finds_what_exact_search_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The threshold lowered, so that the approximate index is built for a graph of 3,000 entities."""
    records: list[Record] = [RawStatement(f"e:entity {n}", "r:next", f"e:entity {n + 1}") for n in range(3000)]
    exact = built(tmp_path / "exact", records, Hashed())
    monkeypatch.setattr(vectors, "EXACT_BELOW", 1000)
    approximate = built(tmp_path / "approximate", records, Hashed())
    assert exact.fingerprint == approximate.fingerprint
    rival = StoredVectors(exact.path, Hashed(), exact.fingerprint)
    index = StoredVectors(approximate.path, Hashed(), exact.fingerprint)
    found = 0
    for place in range(50):
        query = Hashed().embed([f"query {place}"])[0]
        numbers, scores = index.nearest_entities(query, 10)
        wanted, wanted_scores = rival.nearest_entities(query, 10)
        found += len(set(numbers.tolist()) & set(wanted.tolist()))
        assert np.all(np.diff(scores) <= 0)
        assert np.allclose(scores, rival.entity_scores(query, numbers), atol=1e-6)
        assert np.allclose(index.all_entity_scores(query), rival.all_entity_scores(query), atol=1e-6)
        assert scores[0] == pytest.approx(wanted_scores[0], abs=0.2)
    assert found >= 490
    (approximate.path / "vectors" / "entities.hnsw").unlink()
    with pytest.raises(GraphError, match=r"entities\.hnsw: missing; build the graph again"):
        StoredVectors(approximate.path, Hashed(), exact.fingerprint)


def test_vectors_that_do_not_fit(graph: EmbeddedGraph, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"made with the embedder all-MiniLM-L6-v2-int8, not hashed; build the graph"):
        StoredVectors(graph.path, Hashed(), graph.fingerprint)
    with pytest.raises(GraphError, match="made of another state of the graph"):
        StoredVectors(graph.path, get_embedder(), "0" * 32)
    with pytest.raises(GraphError, match=r"the graph has no vectors; build the graph again: toulmin build SOURCE"):
        StoredVectors(tmp_path, get_embedder(), graph.fingerprint)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("meta.json", b"{}", "not what build writes"),
        ("meta.json", b"\xff\xfe", "not what build writes"),
        ("meta.json", None, "vectors of format 9, this Toulmin reads 1"),
        ("entities.npy", b"no array", r"entities.npy: cannot be read"),
        ("entities.npy", b"", r"entities.npy: cannot be read"),
        ("relations.npy", None, r"relations.npy: float64\[2\] where float32\[3, 384\] is expected"),
    ],
)
def test_damaged_vectors(tmp_path: Path, file: str, content: bytes | None, message: str) -> None:
    graph = built(tmp_path / "graph", RECORDS[:7], get_embedder())
    path = graph.path / "vectors" / file
    if content is not None:
        path.write_bytes(content)
    elif file == "meta.json":
        path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 9}))
    else:
        np.save(path, np.zeros(2))
    with pytest.raises(GraphError, match=message) as caught:
        StoredVectors(graph.path, get_embedder(), graph.fingerprint)
    assert "build the graph again" in str(caught.value) and "\n" not in str(caught.value)
