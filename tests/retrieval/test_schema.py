"""The schema of a graph: what its relations and slots mean, computed from labels alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import GraphError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.schema import GraphSchema, unit, words
from toulmin.retrieval.statement_words import relation_text

RELATIONS = ("director", "place of birth", "spouse", "release year", "country", "genre")
TRIPLES = [
    ("Nosferatu the Vampyre", "director", "Fritz Lang"),
    ("The Jazz Singer", "director", "Michael Curtiz"),
    ("Fritz Lang", "place of birth", "Vienna"),
    ("Michael Curtiz", "place of birth", "Budapest"),
    ("Fritz Lang", "spouse", "Thea von Harbou"),
    ("Humphrey Bogart", "spouse", "Lauren Bacall"),
    ("Nosferatu the Vampyre", "release year", "1927"),
    ("The Jazz Singer", "release year", "1942"),
    ("Vienna", "country", "Austria"),
    ("Budapest", "country", "Hungary"),
    ("Nosferatu the Vampyre", "genre", "science fiction"),
    ("The Jazz Singer", "genre", "romance"),
]
FREEBASE = [
    ("m.01", "people.person.nationality", "m.02"),
    ("m.03", "people.person.nationality", "m.02"),
    ("m.02", "location.country.capital", "m.04"),
    ("m.01", "people.person.spouse_s", "m.05"),
]
FREEBASE_NAMES = {"m.01": "Johanna Spyri", "m.02": "Switzerland", "m.03": "Paul Klee", "m.04": "Bern"}  # m.05: nameless


def graph_of(triples: Sequence[tuple[str, str, str]]) -> MemoryGraph:
    names = {node: RawName(f"e:{node}", node) for s, _, o in triples for node in (s, o)}
    relations = {relation: RawName(f"r:{relation}", relation) for _, relation, _ in triples}
    facts = [RawStatement(f"e:{s}", f"r:{r}", f"e:{o}") for s, r, o in triples]
    return MemoryGraph.from_records([*names.values(), *relations.values(), *facts])


def schema_of(graph: MemoryGraph) -> GraphSchema:
    return GraphSchema.of(graph.subgraph([], 0), get_embedder())


@pytest.fixture(scope="module")
def films() -> Iterator[GraphSchema]:
    with graph_of(TRIPLES) as graph:
        yield schema_of(graph)


@pytest.fixture(scope="module")
def freebase() -> Iterator[GraphSchema]:
    records: list[RawStatement | RawName] = [
        *(RawName(*pair) for pair in FREEBASE_NAMES.items()),
        *(RawStatement(*triple) for triple in FREEBASE),
    ]
    with MemoryGraph.from_records(records) as graph:
        yield schema_of(graph)


def number(schema: GraphSchema, text: str) -> int:
    return schema.texts.index(text)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("place of birth", "place of birth"),
        ("people.person.place_of_birth", "place of birth"),
        ("birthPlace", "birth place"),
        ("part_of", "part of"),
        ("film.film.directed_by", "directed by"),
        ("Director", "director"),
        ("  many   spaces ", "many spaces"),
        ("episode3Title", "episode3 title"),
        ("URL", "url"),
        ("no. of seats", "no. of seats"),
        ("ends with.", "ends with."),
        ("", ""),
    ],
)
def test_the_words_of_a_relation(label: str, expected: str) -> None:
    assert relation_text(label) == expected


@given(st.text(max_size=40))
def test_the_words_of_a_relation_are_a_normal_form(label: str) -> None:
    text = relation_text(label)
    assert text == " ".join(text.split())
    assert "_" not in text
    assert text == text.lower()


def test_words() -> None:
    assert words("Who's the Director of “M”, 1931?") == ["who", "s", "the", "director", "of", "m", "1931"]
    assert words("") == []


@given(
    st.lists(st.lists(st.floats(-10, 10, width=32), min_size=3, max_size=3), min_size=1, max_size=4).map(
        lambda rows: np.array(rows, dtype=np.float32)
    )
)
def test_unit_vectors(vectors: Vectors) -> None:
    lengths = np.linalg.norm(unit(vectors), axis=1)
    long_enough = np.linalg.norm(vectors, axis=1) > 1e-6
    np.testing.assert_allclose(lengths[long_enough], 1, atol=1e-5)
    assert np.isfinite(lengths).all()


def test_shapes(films: GraphSchema) -> None:
    count, dimension = len(RELATIONS), get_embedder().dimension
    assert sorted(films.texts) == sorted(RELATIONS)
    assert films.slots.shape == (2 * count, dimension)


@pytest.mark.parametrize(
    ("relation", "objects", "subjects"),
    [
        ("director", ["Fritz Lang", "Michael Curtiz"], ["Nosferatu the Vampyre", "The Jazz Singer"]),
        ("place of birth", ["Vienna", "Budapest"], ["Fritz Lang", "Michael Curtiz"]),
        ("country", ["Austria", "Hungary"], ["Vienna", "Budapest"]),
    ],
)
def test_a_slot_is_the_mean_of_the_labels_of_its_nodes(
    films: GraphSchema, relation: str, objects: list[str], subjects: list[str]
) -> None:
    place = 2 * number(films, relation)
    for slot, names in ((place, objects), (place + 1, subjects)):
        np.testing.assert_allclose(films.slots[slot], get_embedder().embed(names).mean(axis=0), atol=1e-5)


def test_nameless_nodes_have_no_part_in_a_slot(freebase: GraphSchema) -> None:
    spouse = 2 * number(freebase, "spouse s")
    assert not freebase.slots[spouse].any()
    np.testing.assert_allclose(freebase.slots[spouse + 1], get_embedder().embed(["Johanna Spyri"])[0], atol=1e-5)


def test_an_empty_graph_has_an_empty_schema() -> None:
    with MemoryGraph.from_records([]) as graph:
        schema = schema_of(graph)
    assert schema.texts == ()
    assert schema.slots.shape == (0, get_embedder().dimension)


def test_the_same_graph_has_the_same_schema(films: GraphSchema) -> None:
    with graph_of(TRIPLES) as graph:
        again = schema_of(graph)
    assert again.texts == films.texts
    np.testing.assert_array_equal(again.slots, films.slots)


def test_a_slot_is_known_from_a_sample_of_its_nodes() -> None:
    cities = ["Paris", "Rome", "Oslo", "Cairo", "Lima", "Delhi", "Tokyo", "Quito", "Accra", "Dakar"]
    with graph_of([(f"Person {at}", "residence", city) for at, city in enumerate(cities)]) as graph:
        subgraph = graph.subgraph([], 0)
        whole, part = (GraphSchema.of(subgraph, get_embedder(), sample=sample) for sample in (100, 4))
    assert float(unit(whole.slots)[0] @ unit(part.slots)[0]) > 0.8
    assert not np.array_equal(whole.slots, part.slots)


@pytest.mark.parametrize("made", ["films", "freebase"])
def test_what_was_saved_is_what_is_opened(made: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    schema: GraphSchema = request.getfixturevalue(made)
    schema.save(tmp_path)
    again = GraphSchema.open(tmp_path, get_embedder())
    assert again is not None
    assert again.texts == schema.texts
    np.testing.assert_array_equal(again.slots, schema.slots)


def test_where_nothing_was_saved(tmp_path: Path) -> None:
    assert GraphSchema.open(tmp_path, get_embedder()) is None


class Renamed:
    """The embedder that ships, under another name."""

    name = "another-model"

    def __init__(self, model: Embedder) -> None:
        self.dimension, self.embed = model.dimension, model.embed


def test_vectors_of_another_embedder_are_refused(films: GraphSchema, tmp_path: Path) -> None:
    films.save(tmp_path)
    with pytest.raises(GraphError, match=f"was made with {get_embedder().name}, not another-model: build"):
        GraphSchema.open(tmp_path, Renamed(get_embedder()))


def damaged(file: Path, how: str) -> None:
    content = file.read_bytes()
    if how == "gone":
        file.unlink()
    elif how == "empty":
        file.write_bytes(b"")
    elif how == "cut":
        file.write_bytes(content[: len(content) // 2])
    else:
        file.write_bytes(b"\xff\xfe nothing of the kind" * 9)


@pytest.mark.parametrize("how", ["gone", "empty", "cut", "overwritten"])
@pytest.mark.parametrize("file", ["slots.npy", "schema.json"])
def test_damaged_files(films: GraphSchema, tmp_path: Path, file: str, how: str) -> None:
    films.save(tmp_path)
    (found,) = tmp_path.rglob(file)
    damaged(found, how)
    with pytest.raises(GraphError, match="build the graph again") as caught:
        GraphSchema.open(tmp_path, get_embedder())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"texts": None},
        {"texts": ["director"]},
        {"texts": 3},
        {"embedder": None},
    ],
)
def test_a_description_that_does_not_fit_the_vectors(
    films: GraphSchema, tmp_path: Path, change: dict[str, object]
) -> None:
    films.save(tmp_path)
    (found,) = tmp_path.rglob("schema.json")
    stored = json.loads(found.read_text("utf-8"))
    ((field, value),) = change.items()
    if value is None:
        del stored[field]
    else:
        stored[field] = value
    found.write_text(json.dumps(stored), "utf-8")
    with pytest.raises(GraphError, match="build the graph again"):
        GraphSchema.open(tmp_path, get_embedder())


@pytest.mark.parametrize("content", ["[]", "null", "3", '"x"'])
def test_a_description_that_is_no_object(films: GraphSchema, tmp_path: Path, content: str) -> None:
    films.save(tmp_path)
    (found,) = tmp_path.rglob("schema.json")
    found.write_text(content, "utf-8")
    with pytest.raises(GraphError, match="build the graph again"):
        GraphSchema.open(tmp_path, get_embedder())


def test_vectors_that_do_not_fit_the_description(films: GraphSchema, tmp_path: Path) -> None:
    films.save(tmp_path)
    (found,) = tmp_path.rglob("slots.npy")
    np.save(found, films.slots[..., :-1])
    with pytest.raises(GraphError, match="build the graph again"):
        GraphSchema.open(tmp_path, get_embedder())
