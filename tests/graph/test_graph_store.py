"""A built graph answers as one in memory does, and says what is wrong with it when it cannot be opened."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from graph_strategies import IDS, RELATIONS, model, records
from hypothesis import given, settings

from toulmin.errors import GraphError
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.types import Literal

SMALL: list[Record] = [
    RawName("k", "Kismet"),
    RawName("k", "Кисмет", "alias", "ru"),
    RawStatement("k", "directed_by", "Vincente Minnelli", (("in", Literal("1955", "time")),), "preferred"),
    RawStatement("k", "in_language", "English"),
    RawStatement("k", "has_length", Literal("113", "quantity", "minute")),
]
FORMS = ["Kismet", "кисмет", "two words", "🦆", "English", "", "0"]
QUERIES = [
    "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o",
    "SELECT ?s ?l { GRAPH toulmin:names { ?s rdfs:label|skos:altLabel ?l } } ORDER BY ?s ?l",
    "ASK { ?s ?p ?o }",
]


@contextmanager
def built(found: list[Record], name: str = "test") -> Iterator[EmbeddedGraph]:
    with TemporaryDirectory() as folder:
        out = Path(folder) / "graph"
        with build_directory(out) as work:
            build_graph([("records", found)], work, name=name)
        with open_graph(out) as graph:
            yield graph


@given(records)
@settings(max_examples=15)
def test_embedded_and_in_memory_agree_on_every_call(found: list[Record]) -> None:
    with built(found) as embedded, MemoryGraph.from_records(found, name="test") as memory:
        for ask in (
            lambda graph: (graph.name, graph.fingerprint),
            lambda graph: [graph.statements(IDS, side=side) for side in ("outgoing", "incoming", "both")],
            lambda graph: graph.statements(IDS, relations=RELATIONS[1:], limit=1),
            lambda graph: graph.describe([*IDS, *RELATIONS, "unknown"]),
            lambda graph: graph.lookup(FORMS),
            lambda graph: [graph.search(form) for form in FORMS],
            lambda graph: graph.relations(),
            lambda graph: graph.contains(list(model(found).values())),
            lambda graph: [graph.query(query) for query in QUERIES],
            lambda graph: graph.subgraph(IDS, 2).k_hop(np.arange(graph.subgraph([], 0).n_nodes)[:1], 2).tolist(),
            lambda graph: graph.subgraph([], 0).machine.tolist(),
            lambda graph: graph.subgraph([], 0).labels(range(graph.subgraph([], 0).n_nodes)),
        ):
            assert ask(embedded) == ask(memory)


def test_an_opened_graph_is_a_graph_and_tells_of_itself() -> None:
    with built(SMALL, name="films") as graph:
        assert isinstance(graph, Graph)
        assert graph.name == "films"
        assert graph.manifest.statements == 3
        assert graph.manifest.entities == 3
        assert graph.manifest.literals == 2
        assert graph.manifest.relations == 4
        assert graph.manifest.sources == ("records",)
        assert graph.manifest.languages == {"": 1, "ru": 1}
        assert graph.subgraph(["k"], 1) is graph.subgraph([], 0)


def test_the_empty_graph_opens() -> None:
    with built([]) as graph:
        assert graph.statements(["a"]) == [[]]
        assert graph.relations() == []
        assert graph.query("ASK { ?s ?p ?o }").rows == ((Literal("false", "boolean"),),)


def refusal(path: Path) -> str:
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_no_graph_is_refused(tmp_path: Path) -> None:
    assert "no such directory" in refusal(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    assert "is a file" in refusal(tmp_path / "file")
    assert "not a Toulmin graph" in refusal(tmp_path)
    for manifest in ("", "[]", '{"format": 1}', "\xff"):
        (tmp_path / "manifest.json").write_text(manifest)
        assert "not a Toulmin graph" in refusal(tmp_path)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small") / "graph"
    with build_directory(out) as work:
        build_graph([("records", SMALL)], work, name="small")
    return out


def test_another_format_version_is_refused(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    manifest = json.loads((path / "manifest.json").read_text("utf-8"))
    (path / "manifest.json").write_text(json.dumps({**manifest, "format": 99}))
    assert "format 99" in refusal(path)
    del manifest["fingerprint"]
    (path / "manifest.json").write_text(json.dumps(manifest))
    assert "fingerprint" in refusal(path)


def test_damage_to_any_file_is_refused(small: Path, tmp_path: Path) -> None:
    parts = [path.relative_to(small) for path in (small / "arrays").iterdir()]
    parts += [Path("relations.json"), Path("labels.sqlite")]
    for part in parts:
        path = shutil.copytree(small, tmp_path / part.name)
        content = (path / part).read_bytes()
        (path / part).unlink()
        assert "damaged" in refusal(path)
        for wrong in (b"", content[: len(content) // 2], content[:-1]):
            if part.suffix == ".sqlite" and wrong == content[:-1]:
                continue  # the last byte of an SQLite file is slack
            (path / part).write_bytes(wrong)
            assert "damaged" in refusal(path), part
    path = shutil.copytree(small, tmp_path / "graph")
    shutil.rmtree(path / "sparql")
    assert "sparql" in refusal(path)


def test_an_array_of_another_graph_is_refused(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    np.save(path / "arrays" / "subject.npy", np.zeros(99, dtype=np.int32))
    assert "subject" in refusal(path)


@pytest.mark.parametrize("value", [-1, 2**31 - 1])
def test_a_number_that_names_nothing_is_refused(small: Path, tmp_path: Path, value: int) -> None:
    """Whichever array it stands in, and wherever there."""
    arrays = [path.relative_to(small) for path in (small / "arrays").glob("*.npy")]
    free = {
        "digest_high",
        "digest_low",
        "key_hash",
        "keys_blob",
        "labels_blob",
        "machine",
    }  # any number is one of these
    for part in [array for array in arrays if array.stem not in free]:
        array = np.load(small / part)
        for place in {0, len(array) // 2, len(array) - 1} if len(array) else ():
            path = shutil.copytree(small, tmp_path / f"{part.stem}{place}")
            damaged = array.copy()
            damaged[place] = np.array(value).astype(array.dtype)
            np.save(path / part, damaged)
            assert f"damaged ({part.as_posix()}: " in refusal(path)


def test_an_array_of_another_type_is_refused(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    subject = path / "arrays" / "subject.npy"
    np.save(subject, np.load(subject).astype(np.float64))
    assert "holds float64, not whole numbers" in refusal(path)


def test_a_damaged_header_of_an_array_is_refused(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    array = path / "arrays" / "rank.npy"
    content = array.read_bytes()
    array.write_bytes(content.replace(b"}", b"(", 1))  # numpy tokenizes it, and tells of it by an error of its own kind
    assert "damaged" in refusal(path)


def test_a_damaged_part_of_the_names_is_told_when_asked(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    with sqlite3.connect(path / "labels.sqlite") as names:
        names.execute("ALTER TABLE name RENAME COLUMN form TO lost")
    with open_graph(path) as graph, pytest.raises(GraphError, match="index of names is damaged"):
        graph.lookup(["a name"])


def test_a_damaged_sparql_store_is_told_when_asked(small: Path, tmp_path: Path) -> None:
    path = shutil.copytree(small, tmp_path / "graph")
    (path / "sparql" / "CURRENT").write_text("nonsense")
    with open_graph(path) as graph, pytest.raises(GraphError, match="SPARQL store"):
        graph.query("ASK { ?s ?p ?o }")


def test_a_graph_that_was_replaced_keeps_answering_but_not_from_the_new_store(tmp_path: Path) -> None:
    out = tmp_path / "graph"
    for number in range(2):
        with build_directory(out) as work:
            build_graph([("records", [*SMALL, RawStatement("k", "in_year", str(number))])], work, name="small")
        if number == 0:
            graph = open_graph(out)
    with graph, open_graph(out) as new:
        assert graph.fingerprint != new.fingerprint
        assert len(graph.statements(["k"])[0]) == 4
        assert len(graph.lookup(["kismet"])[0]) == 1
        with pytest.raises(GraphError, match="built again or removed"):
            graph.query("ASK { ?s ?p ?o }")


def test_opening_reads_no_statement(small: Path) -> None:
    with open_graph(small) as graph:
        tables = graph.subgraph([], 0).tables
        for array in (tables.subject, tables.keys.blob, tables.digest_high, tables.in_statement):
            assert not array.flags.owndata
            assert not array.flags.writeable
