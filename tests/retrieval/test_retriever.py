"""What a method retrieves with: of a graph with vectors, without, in memory, and behind an endpoint."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from endpoint_servers import RdflibServer

from toulmin.english.lexicon import get_lexicon
from toulmin.errors import GraphError
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.methods.asker import Asker
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.retriever import Retriever, build_index

E, R = "http://example.org/", "http://example.org/r/"
RECORDS: list[Record] = [
    *(RawName(E + node, node) for node in ("Metropolis", "Fritz Lang", "Vienna", "Austria")),
    *(RawName(R + relation, relation) for relation in ("director", "birthplace", "country")),
    RawStatement(E + "Metropolis", R + "director", E + "Fritz Lang"),
    RawStatement(E + "Fritz Lang", R + "birthplace", E + "Vienna"),
    RawStatement(E + "Vienna", R + "country", E + "Austria"),
]


def build(directory: Path, *, index: bool) -> Path:
    with build_directory(directory) as work:
        build_graph([("records", RECORDS)], work, name="films")
        if index:
            with open_graph(work) as graph:
                build_index(work, graph)
    return directory


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGraph]:
    with open_graph(build(tmp_path_factory.mktemp("graphs") / "indexed", index=True)) as graph:
        yield graph


def same(first: Retriever, second: Retriever) -> None:
    """The two have the same relations and as good as the same vectors (those stored are halves)."""
    made, stored = first.around([], 0)[1], second.around([], 0)[1]
    assert made.texts == stored.texts
    np.testing.assert_allclose(made.slots, stored.slots, atol=2e-3)


def test_with_vectors(indexed: EmbeddedGraph) -> None:
    retriever = Retriever(indexed)
    assert retriever.vectors is not None
    assert retriever.embedder is get_embedder()
    assert retriever.lexicon is get_lexicon()
    assert retriever.linker.link("Who directed Metropolis?")[0].candidates[0].entity.label == "Metropolis"
    subgraph, schema = retriever.around([E + "Metropolis"], 1)
    assert subgraph.n_statements == indexed.subgraph([], 0).n_statements  # of a local graph always the whole
    assert retriever.around([], 3)[1] is schema
    assert retriever.subgraph([], 3) is subgraph


def test_without_vectors_the_schema_is_made_when_it_is_needed(indexed: EmbeddedGraph, tmp_path: Path) -> None:
    with open_graph(build(tmp_path / "plain", index=False)) as plain, MemoryGraph.from_records(RECORDS) as memory:
        assert Retriever(plain).vectors is None
        assert Retriever(memory).vectors is None
        same(Retriever(plain), Retriever(indexed))
        same(Retriever(memory), Retriever(indexed))
        linked = [Retriever(graph).linker.link("Who directed Metropolis?") for graph in (plain, memory)]
        assert [mentions[0].candidates[0].entity.id for mentions in linked] == [E + "Metropolis"] * 2


def test_of_an_endpoint_only_what_lies_around(
    indexed: EmbeddedGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where the endpoint's schema is kept
    with RdflibServer() as server:
        server.load(
            "".join(
                f'<{r.id.replace(" ", "_")}> <http://www.w3.org/2000/01/rdf-schema#label> "{r.form}" .\n'
                if isinstance(r, RawName)
                else f"<{r.subject.replace(' ', '_')}> <{r.relation}> <{str(r.object).replace(' ', '_')}> .\n"
                for r in RECORDS
                if isinstance(r, (RawName, RawStatement))
            )
        )
        with open_endpoint(server.url) as endpoint:
            retriever = Retriever(endpoint)
            assert retriever.vectors is None
            near, schema = retriever.around([E + "Metropolis"], 1)
            assert near.index(E + "Metropolis") is not None
            assert near.index(E + "Fritz_Lang") is not None
            assert len(schema.texts) == len(near.relations)
            alone = retriever.subgraph([E + "Metropolis"], 1)
            assert (alone.relations, alone.n_statements) == (near.relations, near.n_statements)
            far, whole = retriever.around([E + "Metropolis"], 3)
            assert far.n_statements == indexed.subgraph([], 0).n_statements
            assert set(whole.texts) == {"director", "birthplace", "country"}


def test_an_index_built_twice_is_identical(indexed: EmbeddedGraph, tmp_path: Path) -> None:
    again = build(tmp_path / "again", index=True)
    for folder in ("vectors", "schema"):
        names = sorted(path.name for path in (indexed.path / folder).iterdir())
        assert names
        assert names == sorted(path.name for path in (again / folder).iterdir())
        for name in names:
            assert (indexed.path / folder / name).read_bytes() == (again / folder / name).read_bytes(), name


def test_building_an_index_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int | None, str]] = []
    with build_directory(tmp_path / "told") as work:
        build_graph([("records", RECORDS)], work, name="films")
        with open_graph(work) as graph:
            build_index(work, graph, progress=lambda done, total, what: told.append((done, total, what)))
    assert told
    assert all(total is None or done <= total for done, total, _ in told)
    assert any(done == total for done, total, _ in told)


def test_a_damaged_schema_is_an_error_when_it_is_needed(tmp_path: Path) -> None:
    directory = build(tmp_path / "damaged", index=True)
    (directory / "schema" / "slots.npy").write_bytes(b"")
    with open_graph(directory) as graph:
        retriever = Retriever(graph)
        with pytest.raises(GraphError, match="build the graph again"):
            retriever.around([], 0)


def test_a_graph_that_was_built_again_is_to_be_opened_again(tmp_path: Path) -> None:
    """What an asker has read already goes on to answer; what is read late is never that of the new graph."""
    directory = build(tmp_path / "films", index=True)
    with open_graph(directory) as early, open_graph(directory) as late:
        used, idle = Asker(early), Asker(late)
        answer = used.ask("Who is the director of Metropolis?")
        with build_directory(directory) as work:
            build_graph(
                [("records", [*RECORDS, RawStatement(E + "Metropolis", R + "country", E + "Austria")])], work, name="f"
            )
            with open_graph(work) as graph:
                build_index(work, graph)
        assert used.ask("Who is the director of Metropolis?").values == answer.values
        with pytest.raises(GraphError, match=r"built again or removed since it was opened: open it again$") as raised:
            idle.ask("Who is the director of Metropolis?")
        assert "\n" not in str(raised.value)
        shutil.rmtree(directory)
        with pytest.raises(GraphError, match="open it again"):
            Retriever(late).around([], 0)
