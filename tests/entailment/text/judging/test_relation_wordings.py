"""Relations that a graph lacks, and how relations are said: what competes for the meaning of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

import toulmin
from toulmin.entailment.registry import get_scorer
from toulmin.entailment.text.judging.profile import GraphProfile, profile_of
from toulmin.entailment.text.judging.verdicts import FactVerdict, judge, prepare
from toulmin.entailment.text.judging.wordings import embedded, relation_rows, wordings_of
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.retriever import Retriever


@dataclass(frozen=True)
class Said:
    """A fact."""

    text: str


class Renamed:
    """The default embedder under another name: its vectors do not ship."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self.name, self.dimension = embedder, "mine", embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed(texts)


def statement(subject: str, relation: str, value: str) -> Statement:
    ids = ["http://example.org/" + name.replace(" ", "_") for name in (subject, relation, value)]
    return Statement(Entity(ids[0], subject), Relation(ids[1], relation), Entity(ids[2], value))


PEOPLE = {"Ida Holm": ("Velda", "Torro"), "Per Lund": ("Torro", "Marl"), "Eva Dahl": ("Marl", "Velda")}
AIRPORTS = {"Velda Airport": ("VLD", "EKVE"), "Torro Airport": ("TRO", "EKTO"), "Marl Airport": ("MRL", "EKMA")}


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    statements = []
    for person, (birth, death) in PEOPLE.items():
        statements += [statement(person, "place of birth", birth), statement(person, "place of death", death)]
    for airport, (code, icao) in AIRPORTS.items():
        statements.append(statement(airport, "location identifier", code))
        if airport != "Marl Airport":
            statements.append(statement(airport, "ICAO location identifier", icao))
    statements += [statement(town, "country", "Norway") for town in ("Velda", "Torro", "Marl")]
    return MemoryGraph.from_statements(statements)


@pytest.fixture(scope="module")
def profile(graph: MemoryGraph) -> GraphProfile:
    return profile_of(Retriever(graph))


def verdict(graph: MemoryGraph, text: str) -> FactVerdict:
    return judge(text, [Said(text)], graph, Retriever(graph), get_scorer())[0]


def test_the_shipped_vectors_are_those_of_the_table() -> None:
    shipped, made = wordings_of(get_embedder()), embedded(get_embedder())
    assert np.array_equal(shipped.relation, made.relation)
    assert shipped.means.shape == (len(relation_rows()), 384)
    for ours, theirs in ((shipped.means, made.means), (shipped.labels, made.labels)):
        assert float((ours * theirs).sum(axis=1).min()) > 0.99  # eight bits; and a model in eight bits, batch by batch


def test_another_embedder_has_its_own_vectors() -> None:
    ours, theirs = wordings_of(get_embedder()), wordings_of(Renamed(get_embedder()))
    assert theirs.means.shape == ours.means.shape
    assert float((ours.means * theirs.means).sum(axis=1).mean()) > 0.8  # of fewer sentences, but like them


def test_each_row_has_ends_in_its_sentences() -> None:
    for labels, subjects, kind, values, _, sentences in relation_rows():
        assert labels and subjects and kind and values.rstrip("s") in ("1", "n")
        assert all(" S" in f" {one}" and "O" in one for one in sentences.split(";")), labels


def test_a_graph_lacks_what_neither_its_labels_nor_their_reverse_name(profile: GraphProfile) -> None:
    names = [row[0].split(",")[0] for row in relation_rows()]
    same, lacking = wordings_of(get_embedder()).known(profile.vectors)
    assert same[names.index("place of birth"), profile.texts.index("place of birth")]
    assert not lacking[names.index("birthplace of")]  # the same the other way round
    assert lacking[names.index("travelled to")] and lacking[names.index("spouse")]


def test_a_relation_is_known_by_how_it_is_said(profile: GraphProfile) -> None:
    vector = get_embedder().embed(["came into the world in"])[0]
    likeness = profile.said_likeness(vector)
    birth = profile.texts.index("place of birth")
    assert likeness.argmax() == birth and likeness[birth] > float(profile.vectors[birth] @ vector)
    away = get_embedder().embed(["travelled to"])[0]
    assert profile.elsewhere(away) > float(profile.said_likeness(away).max()) + 0.2


@pytest.mark.parametrize(
    "text", ["Ida Holm travelled to Marl.", "Ida Holm was imprisoned in Marl.", "Per Lund gave a concert in Velda."]
)
def test_what_a_lacking_relation_says_better_is_not_held_against_the_graphs(graph: MemoryGraph, text: str) -> None:
    assert verdict(graph, text).verdict == "not in the graph"


def test_what_the_relation_says_contradicts(graph: MemoryGraph) -> None:
    assert verdict(graph, "Ida Holm was born in Marl.").verdict == "contradicted"
    assert verdict(graph, "Ida Holm was born in Velda.").verdict == "supported"


def test_a_label_that_says_more_is_another_relation(graph: MemoryGraph) -> None:
    asked = verdict(graph, "The ICAO location identifier of Marl Airport is EKMA.")
    assert asked.verdict == "not in the graph", asked.reason  # MRL is its location identifier, of another kind
    assert verdict(graph, "The ICAO location identifier of Velda Airport is EKMA.").verdict == "contradicted"


def test_part_of_a_whole_name_means_nothing_else() -> None:
    graph = MemoryGraph.from_statements(
        [
            statement("Orr Township, Lee County, Alba", "country", "Sweden"),
            statement("Lee County, Alba", "country", "Norway"),
            statement("Tay County, Brea", "country", "Denmark"),
        ]
    )
    (fact,), _ = prepare(["Orr Township, Lee County, Alba is in Norway."], Retriever(graph), graph)
    first = fact.spots[0]
    assert first.text == "Orr Township, Lee County, Alba"
    assert [bearer.form for bearer in first.bearers.values()] == [first.text]


def test_no_relations_no_likeness() -> None:
    empty = MemoryGraph.from_statements([])
    assert verdict(empty, "Ida Holm was born in Velda.").verdict == "not in the graph"


def test_the_bundled_graph_is_not_held_against_other_doings() -> None:
    text = "Wolfgang Amadeus Mozart moved to Vienna in 1781. Mary Shelley travelled to Geneva in 1816."
    found = toulmin.check_text(toulmin.open("bundled"), text)
    assert [one.verdict for one in found.sentences] == ["not in the graph"] * 2
