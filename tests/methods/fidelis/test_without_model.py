"""FiDeLiS without a language model: what it answers, what it abstains from, and what its settings bound."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from answer_sets import FILMS, THREE_HOPS, Ask, labels, linked, named, walked
from endpoint_servers import RdflibServer
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import toulmin
from toulmin.errors import SettingsError
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import DESCRIPTION, Entity, Literal
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import FidelisSettings
from toulmin.methods.protocol import Answered, Event, Linked, Searched
from toulmin.program.answer import Answer

pytest_plugins = ("asked_graphs",)

#: The answers to each question, and the relations that lead to them.
WORLD: dict[str, tuple[set[str], tuple[str, ...]]] = {
    "Who directed Spirited Away?": ({"Hayao Miyazaki"}, ("director",)),
    "Where was Ada Lovelace born?": ({"London"}, ("place of birth",)),
    "Who founded Google?": ({"Larry Page", "Sergey Brin"}, ("founded by",)),
    "When was Alan Turing born?": ({"1912-06-23"}, ("date of birth",)),
    "How high is Kilimanjaro?": ({"5895 metre"}, ("elevation above sea level",)),
    "Which films did Akira Kurosawa direct?": (
        {"Seven Samurai", "Rashomon", "Throne of Blood", "Ran"},
        ("^director",),
    ),
    "Which moons orbit Mars?": ({"Phobos", "Deimos"}, ("^parent astronomical body",)),
    "Where did the father of Ada Lovelace die?": ({"Missolonghi"}, ("father", "place of death")),
    "When did the husband of Clara Schumann die?": ({"1856-07-29"}, ("spouse", "date of death")),
    "Who is the mother of the director of Lost in Translation?": ({"Eleanor Coppola"}, ("director", "mother")),
    "Who starred in the films directed by Akira Kurosawa?": ({"Toshirō Mifune"}, ("^director", "cast member")),
}


@pytest.fixture(scope="module")
def ask_paths(world: EmbeddedGraph) -> Ask:
    """Answers questions from the bundled graph, or abstains; each question is answered once."""
    return cache(Asker(world, method="fidelis").ask)


@pytest.fixture(scope="module")
def ask_anything(world: EmbeddedGraph) -> Ask:
    """Answers them however unsure a path is."""
    return Asker(world, method="fidelis", settings=FidelisSettings(abstain_below=0)).ask


def checked(answer: Answer, graph: Graph) -> Answer:
    """An answer whose certificate the checker accepts, with a confidence that is a probability."""
    assert answer.check(graph).exit_code == 0
    assert answer.confidence is not None and 0 <= answer.confidence <= 1
    assert answer.method == "fidelis"
    assert (answer.usage.model_calls, answer.usage.seconds > 0) == (0, True)
    return answer


@pytest.mark.parametrize(("question", "expected"), WORLD.items())
def test_questions_of_one_hop_and_of_two(
    world: EmbeddedGraph, ask_paths: Ask, question: str, expected: tuple[set[str], tuple[str, ...]]
) -> None:
    answer = checked(ask_paths(question), world)
    assert not answer.abstained
    assert (labels(answer), walked(answer)) == (expected[0], [expected[1]])
    assert answer.certificate["reading"]["by"].startswith("fidelis with ")
    (start,) = (node for node in answer.certificate["program"] if node["op"] == "entity")
    assert start["id"] not in {value.id for value in answer.values if isinstance(value, Entity)}
    assert question[slice(*start["words"])].strip() == question[slice(*start["words"])] != ""


@pytest.mark.parametrize(
    ("question", "meant", "expected"),
    [
        ("Who directed the film Frankenstein?", "world:Frankenstein_(film)", {"James Whale"}),
        ("Who wrote the novel Frankenstein?", "world:Frankenstein", {"Mary Shelley"}),
        ("Which currency does Georgia use?", "world:Georgia", {"Georgian lari"}),
        ("What is the anthem of Georgia?", "world:Georgia_(state)", {"Georgia on My Mind"}),
    ],
)
def test_of_same_named_entities_the_one_that_a_likely_path_leads_on_from(
    world: EmbeddedGraph, ask_paths: Ask, question: str, meant: str, expected: set[str]
) -> None:
    answer = checked(ask_paths(question), world)
    assert (labels(answer), linked(answer)) == (expected, [meant])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which award did Marie Curie not receive?", "not read: “not” (negation)"),
        ("How many films did Akira Kurosawa direct?", "not read: “How many” (count)"),
        ("Which films did Akira Kurosawa direct before 1955?", "“1955” (time)"),
        ("Who is the youngest child of Ravi Shankar?", "not read: “youngest” (comparison)"),
        ("Is Ada Lovelace a person?", "not read: “Is” (yes or no)"),
        ("Who directed Zorblax the Magnificent?", "the graph has no “Zorblax the Magnificent”"),
        ("Where was Qwyxlian Brobdinger born?", "names nothing in the graph"),
    ],
)
def test_what_is_not_read_and_what_the_graph_lacks_is_told_however_unsure_an_answer_may_be(
    world: EmbeddedGraph, ask_anything: Ask, question: str, told: str
) -> None:
    answer = checked(ask_anything(question), world)
    assert answer.abstained
    assert told in (answer.reason or "")


@pytest.mark.parametrize("question", ["Who is the landlord of Mary Shelley?", "What is the telephone code of Ottawa?"])
def test_a_question_that_no_path_is_near_has_no_answer(
    world: EmbeddedGraph, ask_paths: Ask, ask_anything: Ask, question: str
) -> None:
    answer = checked(ask_paths(question), world)
    assert answer.abstained
    assert "is not near enough" in (answer.reason or "")
    anything = checked(ask_anything(question), world)
    assert not anything.abstained
    assert anything.confidence == answer.confidence


@pytest.mark.parametrize("question", ["Who was the mother of Zog the Silent?", "What is Zog the Silent?"])
def test_an_entity_of_which_nothing_is_said_but_its_description(question: str) -> None:
    silent = RawStatement("e:zog", DESCRIPTION, Literal("of whom nothing is known", lang="en"))
    with MemoryGraph.from_records([RawName("e:zog", "Zog the Silent"), silent]) as graph:
        answer = checked(toulmin.ask(graph, question, method="fidelis"), graph)
        assert answer.abstained
        assert "no statement leads on from Zog the Silent" in (answer.reason or "")


def test_a_confidence_below_the_least_is_an_abstention_and_tells_what_was_nearest(
    world: EmbeddedGraph, ask_paths: Ask
) -> None:
    for least in (0.0, 0.99, 1.0):
        ask = Asker(world, method="fidelis", settings=FidelisSettings(abstain_below=least)).ask
        for question, (values, _) in WORLD.items():
            answer, confidence = checked(ask(question), world), ask_paths(question).confidence
            assert confidence is not None and answer.confidence == confidence
            assert answer.abstained == (confidence < least or least == 1), (question, least)
            assert labels(answer) == (set() if answer.abstained else values)
            assert ("the nearest reading is: " in (answer.reason or "")) == answer.abstained


FREEBASE_NAMES = {
    "m.0bm": "Bob Marley",
    "m.0rm": "Rita Marley",
    "m.0na": "Nine Mile",
    "m.0nb": "Natalie Portman",
    "m.0pd": "Padmé Amidala",
    "m.0sw": "The Phantom Menace",
    "m.0gl": "George Lucas",
}
FREEBASE = [  # m.0x1, a marriage, and m.0x2, a performance, have no name
    ("m.0bm", "people.person.spouse_s", "m.0x1"),
    ("m.0x1", "people.marriage.spouse", "m.0rm"),
    ("m.0rm", "people.person.spouse_s", "m.0x1"),
    ("m.0x1", "people.marriage.spouse", "m.0bm"),
    ("m.0bm", "people.person.place_of_birth", "m.0na"),
    ("m.0nb", "film.actor.film", "m.0x2"),
    ("m.0x2", "film.performance.film", "m.0sw"),
    ("m.0x2", "film.performance.character", "m.0pd"),
    ("m.0sw", "film.film.directed_by", "m.0gl"),
]


@pytest.mark.parametrize(
    ("question", "expected", "depth"),
    [
        ("Who was Bob Marley married to?", {"Rita Marley"}, 1),
        ("Which character did Natalie Portman play?", {"Padmé Amidala"}, 1),
        ("Where was the husband of Rita Marley born?", {"Nine Mile"}, 2),
    ],
)
def test_a_node_without_a_name_is_walked_through_and_counts_as_no_hop(
    question: str, expected: set[str], depth: int
) -> None:
    names = [RawName(identifier, form) for identifier, form in FREEBASE_NAMES.items()]
    with MemoryGraph.from_records([*names, *(RawStatement(*triple) for triple in FREEBASE)]) as graph:
        answer = checked(toulmin.ask(graph, question, method="fidelis", settings=FidelisSettings(depth=depth)), graph)
        assert labels(answer) == expected
        assert [len(path) for path in walked(answer)] == [depth + 1]


@pytest.fixture(scope="module")
def films() -> Iterator[MemoryGraph]:
    with named(FILMS) as graph:
        yield graph


def events_of(question: str, graph: Graph, settings: FidelisSettings | None = None) -> tuple[list[Event], Answer]:
    """The events before the answer, and the answer."""

    async def collected() -> list[Event]:
        return [event async for event in toulmin.events(graph, question, settings=settings or FidelisSettings())]

    *before, last = asyncio.run(collected())
    assert isinstance(last, Answered)
    return before, checked(last.answer, graph)


def searched(events: list[Event]) -> list[Searched]:
    """What was found from each start."""
    return [event for event in events if isinstance(event, Searched)]


@pytest.mark.parametrize("question", [THREE_HOPS, "Who directed Casablanca?", "Does anybody know?"])
def test_what_was_linked_and_then_the_paths_from_each_start_are_told(films: MemoryGraph, question: str) -> None:
    events, _ = events_of(question, films)
    first = events[0]
    assert isinstance(first, Linked)
    assert [type(event) for event in events[1:]] == [Searched] * len(first.entities)
    assert [event.start for event in searched(events)] == [entity.entity for entity in first.entities]
    for event in searched(events):
        scores = [path.score for path in event.paths]
        assert scores == sorted(scores, reverse=True)
    for entity in first.entities:
        assert question[entity.start : entity.end] == entity.text


def test_the_answer_can_be_made_again_from_the_events(films: MemoryGraph) -> None:
    events, answer = events_of(THREE_HOPS, films)
    stored = Answer.from_json(answer.to_json())
    assert stored == answer
    (link,) = (node for node in stored.certificate["program"] if node["op"] == "entity")
    (search,) = (event for event in searched(events) if event.start.label == "Metropolis")
    assert (THREE_HOPS[slice(*link["words"])], link["id"]) == ("Metropolis", search.start.id)
    best = [relation.label if way == "forward" else f"^{relation.label}" for relation, way in search.paths[0].relations]
    assert walked(stored) == [tuple(best)]
    assert stored.confidence == pytest.approx(search.paths[0].score, abs=1e-4)
    reached = {search.start.id}
    for relation, way in search.paths[0].relations:
        onward = films.statements(
            sorted(reached), side="outgoing" if way == "forward" else "incoming", relations=[relation.id]
        )
        ends = [
            statement.object if way == "forward" else statement.subject
            for statements in onward
            for statement in statements
        ]
        reached = {end.id for end in ends if isinstance(end, Entity)}
    assert {value.id for value in stored.values if isinstance(value, Entity)} == reached


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_no_path_is_longer_than_the_depth(films: MemoryGraph, depth: int) -> None:
    for question in (THREE_HOPS, "Where was the director of Casablanca born?", "Who directed Metropolis?"):
        events, answer = events_of(question, films, FidelisSettings(depth=depth, abstain_below=0))
        lengths = [len(path.relations) for event in searched(events) for path in event.paths]
        assert 1 <= max(lengths) <= depth
        assert all(len(path) <= depth for path in walked(answer))


def test_what_lies_deeper_is_not_found(films: MemoryGraph) -> None:
    for depth in (1, 2, 3, 4):
        _, answer = events_of(THREE_HOPS, films, FidelisSettings(depth=depth))
        assert (labels(answer) == {"Austria"}) is (depth > 2)


@pytest.mark.parametrize("verified", [1, 2, 3])
def test_no_more_paths_are_verified_than_asked_for(films: MemoryGraph, verified: int) -> None:
    events, answer = events_of("Who directed Casablanca?", films, FidelisSettings(verified=verified))
    assert sum(len(event.paths) for event in searched(events)) == verified
    assert labels(answer) == {"Michael Curtiz"}


@pytest.mark.parametrize("starts", [1, 2, 5])
def test_no_more_starts_than_asked_for(films: MemoryGraph, starts: int) -> None:
    question = "Did Fritz Lang or Michael Curtiz direct Casablanca?"
    events, _ = events_of(question, films, FidelisSettings(starts=starts))
    assert len(searched(events)) == min(starts, 3)


@pytest.mark.parametrize("settings", [FidelisSettings(starts=1), FidelisSettings(depth=2), FidelisSettings(verified=2)])
def test_a_narrow_search_still_answers(films: MemoryGraph, settings: FidelisSettings) -> None:
    _, answer = events_of("Where was the director of Casablanca born?", films, settings)
    assert labels(answer) == {"Budapest"}


WORDS = "who where which is the of in not born director country directed Metropolis Vienna Lang 1927 and ?".split()


@hypothesis_settings(max_examples=40)
@given(question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join))
def test_whatever_is_asked_has_an_answer_that_checks(films: MemoryGraph, question: str) -> None:
    for least in (0.0, 0.4):
        _, answer = events_of(question, films, FidelisSettings(abstain_below=least))
        assert answer.abstained == (not answer.values) == (answer.reason is not None)


@pytest.mark.parametrize("question", [THREE_HOPS, "Who directed Metropolis?", "Which films did Fritz Lang direct?"])
def test_an_endpoint_is_answered_from_as_the_same_graph_at_hand(
    films: MemoryGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where the endpoint's schema is kept
    with RdflibServer() as server:
        server.load(turtle(FILMS))
        with open_endpoint(server.url) as endpoint:
            _, answer = events_of(question, endpoint)
    _, at_hand = events_of(question, films)
    assert not at_hand.abstained
    assert (labels(answer), walked(answer)) == (labels(at_hand), walked(at_hand))


def turtle(triples: list[tuple[str, str, Any]]) -> str:
    """Triples given by labels."""

    def iri(label: str) -> str:
        return f"<http://example.org/{label.replace(' ', '_')}>"

    names = dict.fromkeys(label for triple in triples for label in triple)
    return "".join(
        [
            *(f'{iri(label)} <http://www.w3.org/2000/01/rdf-schema#label> "{label}" .\n' for label in names),
            *(f"{iri(subject)} {iri(relation)} {iri(node)} .\n" for subject, relation, node in triples),
        ]
    )


@pytest.mark.parametrize("name", ["depth", "verified", "starts"])
@pytest.mark.parametrize("value", [0, -1])
def test_settings_that_are_less_than_one(name: str, value: int) -> None:
    with pytest.raises(SettingsError, match=f"fidelis: {name} is {value}: give 1 or more"):
        FidelisSettings(**{name: value})


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_the_least_confidence_is_a_probability(least: float) -> None:
    with pytest.raises(SettingsError, match=r"fidelis: abstain_below is .*: give a probability from 0 to 1"):
        FidelisSettings(abstain_below=least)
