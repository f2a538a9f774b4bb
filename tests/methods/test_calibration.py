"""The confidence: what it is fitted on, how it is kept, and that it says something."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answer_sets import named
from endpoint_servers import RdflibServer
from rdflib import URIRef

import toulmin
from toulmin.errors import GraphError
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import Fact, Name
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.types import DESCRIPTION
from toulmin.graph.union import UnionGraph
from toulmin.methods.asking import Asker
from toulmin.methods.fidelis import FidelisSettings
from toulmin.methods.fidelis.calibration import BUNDLED, Calibration, Signals, calibration_of
from toulmin.methods.fidelis.generation import Generated, Generator
from toulmin.methods.fidelis.method import Fidelis
from toulmin.retrieval.retriever import Retriever

pytest_plugins = ("asked_graphs",)

SIGNALS = [Signals(score, margin, whole) for score in (-0.5, 0.5, 1.5, 2.5) for margin in (0, 1) for whole in (0, 0.5)]

UNANSWERABLE = """What is the phone number of Ada Lovelace?
What is the shoe size of Alan Turing?
What is the favourite colour of Isaac Newton?
What did Frida Kahlo eat for breakfast?
Who is the hairdresser of Ada Lovelace?
What is the melting point of radium?
What is the motto of Canada?
Who directed Alan Turing?
What is the currency of Hayao Miyazaki?
Who composed the music of Neptune?
What is the atomic number of Paris, Texas?
Who is the mother of the Danube?
Which team does Marie Curie play for?
What is the blood type of Pablo Picasso?
Who is the dentist of Nelson Mandela?
How much did Titanic earn at the box office?
What is the wingspan of Pluto?
What is the ISBN of Don Quixote?
Who is the CEO of the Beatles?
Which political party does Angela Merkel belong to?
What is the airport of Tbilisi?
What is the zip code of Springfield?
Who translated the Odyssey?
What does Ringo Starr drink?
Which car did John Lennon drive?
What is the eye colour of Cleopatra?
What religion did Plato follow?
Who illustrated The Hobbit?
What instrument does Norah Jones play?
What is the salary of Barack Obama?
Who is the patron saint of Georgia?
What pet did Queen Victoria keep?
What is the boiling point of Polonium?
What is the telephone code of Ottawa?
Which hotel did Humphrey Bogart stay in?
What is the national animal of Canada?
Who is the landlord of Mary Shelley?
Who painted Kilimanjaro?
What is the half-life of radium?
Who taught Ludwig van Beethoven to swim?""".splitlines()

ANSWERABLE = (
    "Who directed Spirited Away?",
    "Where was Ada Lovelace born?",
    "What currency is used in Sweden?",
    "Who founded Google?",
    "Who composed The Magic Flute?",
    "When did Marie Curie die?",
    "How high is Kilimanjaro?",
    "Which films did Akira Kurosawa direct?",
    "Who was a student of Plato?",
    "Where did the painter of Guernica die?",
)


@pytest.fixture(scope="module")
def stored(world: EmbeddedGraph) -> Calibration:
    """The calibration that was built with the bundled graph."""
    found = Calibration.open(world.path, Retriever(world), FidelisSettings())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def generated(world: EmbeddedGraph) -> list[Generated]:
    return _generated(world, seed=3)


def _generated(graph: EmbeddedGraph | MemoryGraph, seed: int) -> list[Generated]:
    retriever = Retriever(graph)
    subgraph, schema = retriever.around([], 0)
    return list(Generator(graph, subgraph, schema, retriever.lexicon, seed=seed).generate(80))


def test_the_constant_is_what_is_computed_of_the_bundled_graph(stored: Calibration) -> None:
    """Run scripts/calibrate_bundled.py and copy what it prints where this fails."""
    assert [BUNDLED.confidence(one) for one in SIGNALS] == pytest.approx(
        [stored.confidence(one) for one in SIGNALS], abs=0.05
    )
    assert BUNDLED.unanswerable == pytest.approx(stored.unanswerable, abs=0.05)


def test_on_generated_questions_that_it_was_not_fitted_to_it_is_worth_something(stored: Calibration) -> None:
    assert stored.quality is not None
    assert stored.quality.questions > 100
    assert stored.quality.auc > 0.75
    assert stored.quality.brier < 0.2
    assert stored.quality.ece < 0.12


def test_every_signal_speaks_for_an_answer(stored: Calibration) -> None:
    for one in SIGNALS:
        better = (Signals(one.score + 1, 1, one.whole), Signals(one.score, 1, one.whole + 0.3))
        assert all(stored.confidence(one) <= stored.confidence(other) for other in better)
        assert 0 < stored.confidence(one) < 1


def test_the_more_is_to_be_refused_the_higher_the_least_confidence(stored: Calibration) -> None:
    least = [stored.least(refused) for refused in np.linspace(0, 1, 21)]
    assert least[0] == 0
    assert least == sorted(least)


def test_hand_made_questions_that_the_graph_cannot_answer(world: EmbeddedGraph) -> None:
    """More than half are refused, and next to none of those that it can answer."""
    ask = Asker(world).ask
    assert len(UNANSWERABLE) >= 30
    assert np.mean([ask(question).abstained for question in UNANSWERABLE]) > 0.5
    assert sum(ask(question).abstained for question in ANSWERABLE) <= 1


def test_questions_are_varied_and_the_same_for_a_seed(world: EmbeddedGraph, generated: list[Generated]) -> None:
    assert _generated(world, seed=3) == generated
    assert _generated(world, seed=4) != generated
    kinds = {made.kind for made in generated}
    assert {"one hop", "back", "two hops", "there and on"} < kinds
    assert {"lacks it", "other class", "no such words", "no such entity", "second hop lacks it"} < kinds
    assert {"who", "what", "where", "which", "when"} <= {made.question.split()[0].lower() for made in generated}
    assert len({made.question for made in generated}) > 0.9 * len(generated)


def test_half_of_the_questions_have_answers_which_the_graph_holds(
    world: EmbeddedGraph, generated: list[Generated]
) -> None:
    subgraph = world.subgraph([], 0)
    with_answers = [made for made in generated if made.answers]
    assert 0.4 < len(with_answers) / len(generated) < 0.6
    described = {number for number, relation in enumerate(subgraph.relations) if relation.id == DESCRIPTION}
    for made in with_answers:
        assert made.kind in ("one hop", "back", "two hops", "there and on")
        for node in made.answers:
            edges = slice(int(subgraph.incoming.indptr[node]), int(subgraph.incoming.indptr[node + 1]))
            outgoing = slice(int(subgraph.outgoing.indptr[node]), int(subgraph.outgoing.indptr[node + 1]))
            around = {*subgraph.incoming.relation[edges].tolist(), *subgraph.outgoing.relation[outgoing].tolist()}
            assert around - described


def test_names_of_nobody_are_nobodys(world: EmbeddedGraph, generated: list[Generated]) -> None:
    linker = Retriever(world).linker
    for made in generated:
        if made.kind == "no such entity":
            exact = [mention for mention in linker.link(made.question) if mention.candidates[0].how == "exact"]
            assert all(len(mention.text) < len(made.question) / 2 for mention in exact), made.question


def test_what_is_stored_is_read_again(world: EmbeddedGraph, stored: Calibration, tmp_path: Path) -> None:
    stored.save(tmp_path, Retriever(world), FidelisSettings())
    assert Calibration.open(tmp_path, Retriever(world), FidelisSettings()) == stored
    assert Calibration.open(tmp_path, Retriever(world), FidelisSettings(refused=0.9)) == stored
    said = json.loads((tmp_path / "fidelis.json").read_text("utf-8"))
    assert {"format", "settings", "embedder", "fingerprint"} < set(said)
    assert said["fingerprint"] == world.fingerprint


def test_one_of_other_settings_version_or_embedder_is_not_taken(
    world: EmbeddedGraph, stored: Calibration, tmp_path: Path
) -> None:
    retriever = Retriever(world)
    stored.save(tmp_path, retriever, FidelisSettings())
    assert Calibration.open(tmp_path, retriever, FidelisSettings(depth=2)) is None
    path = tmp_path / "fidelis.json"
    said = json.loads(path.read_text("utf-8"))
    for change in ({"format": 1}, {"embedder": "another"}):
        path.write_text(json.dumps({**said, **change}), encoding="utf-8")
        assert Calibration.open(tmp_path, retriever, FidelisSettings()) is None


def _without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda said: said.pop(key)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda said: said.update(fingerprint="0" * 32), "is of another graph"),
        (lambda said: said.update(weights=[1.0]), "cannot be read"),
        (lambda said: said.update(unanswerable="none"), "cannot be read"),
        (_without("fingerprint"), "cannot be read"),
        (_without("format"), "cannot be read"),
        (_without("quality"), "cannot be read"),
    ],
)
def test_one_of_another_graph_and_a_damaged_one_are_told_in_one_line(
    world: EmbeddedGraph, tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    path = tmp_path / "graph"
    shutil.copytree(world.path, path)
    said = json.loads((path / "fidelis.json").read_text("utf-8"))
    change(said)
    (path / "fidelis.json").write_text(json.dumps(said), encoding="utf-8")
    with open_graph(path) as graph, pytest.raises(GraphError, match=told) as raised:
        toulmin.ask(graph, "Who directed Metropolis?")
    assert "\n" not in str(raised.value)


FILMS = [
    ("Alpha", "director", "Mona Reed"),
    ("Beta", "director", "Otto Lang"),
    ("Gamma Ray", "director", "Mona Reed"),
    ("Alpha", "composer", "Ida Stone"),
    ("Beta", "composer", "Ida Stone"),
    ("Mona Reed", "place of birth", "Oslo"),
    ("Otto Lang", "place of birth", "Bergen"),
    ("Oslo", "country", "Norway"),
    ("Bergen", "country", "Norway"),
]


def _calibrated(graph: MemoryGraph | UnionGraph) -> Calibration:
    method = Fidelis()
    return calibration_of(Retriever(graph), method.settings, method.observe)


def test_a_graph_without_a_stored_one_gets_its_own_near_the_constant() -> None:
    with named(FILMS) as graph:
        own = _calibrated(graph)
        assert own != BUNDLED
        assert own == _calibrated(graph)
        assert [own.confidence(one) for one in SIGNALS] == pytest.approx(
            [BUNDLED.confidence(one) for one in SIGNALS], abs=0.35
        )
        answer = toulmin.ask(graph, "Who is the director of Alpha?")
        assert not answer.abstained
        assert answer.confidence is not None
        assert answer.confidence > 0.3


def test_a_union_gets_its_own_too() -> None:
    personal: list[Name | Fact] = [Name("e:loan", "loan 1"), Fact("e:loan", "r:lent_to", "e:Alpha")]
    with named(FILMS) as shared, MemoryGraph.from_records(personal, name="personal") as own:
        assert _calibrated(UnionGraph([shared, own])) != BUNDLED


def test_an_empty_graph_takes_the_constant() -> None:
    with MemoryGraph.from_records([]) as graph:
        assert _calibrated(graph) == BUNDLED


def test_an_endpoint_takes_the_constant() -> None:
    with RdflibServer() as server:
        server.graph.add((URIRef("e:Alpha"), URIRef("r:director"), URIRef("e:Mona_Reed")))
        method, endpoint = Fidelis(), open_endpoint(server.url)
        try:
            assert calibration_of(Retriever(endpoint), method.settings, method.observe) == BUNDLED
        finally:
            endpoint.close()
