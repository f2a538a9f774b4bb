"""The plain vector retriever: the cosine of the words of a step with the question, and nothing else."""

from __future__ import annotations

import pytest

from relation_paths import rank_relation_paths, step_candidates
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.path_rag import VanillaRetriever

PERSON, CITY, SPOUSE, MARRIAGE = Entity("e:1", "Ada"), Entity("e:2", "Paris"), Entity("e:3", "Bo"), Entity("m.0abc")
BORN, PARTNER = Relation("people.person.place_of_birth"), Relation("r:partner", "partner")
FILM, YEAR = Entity("e:4", "A Film"), Relation("r:year", "release_year")
GRAPH = [
    Statement(PERSON, BORN, CITY),
    Statement(PERSON, PARTNER, MARRIAGE),
    Statement(MARRIAGE, PARTNER, SPOUSE),
    Statement(FILM, PARTNER, PERSON),
    Statement(PERSON, YEAR, Literal("1815", "time")),
    Statement(CITY, YEAR, Literal("1815", "time")),
]


@pytest.fixture(scope="module")
def retriever() -> VanillaRetriever:
    return VanillaRetriever(Subgraph.from_statements(GRAPH), get_embedder())


def node(retriever: VanillaRetriever, entity: Entity) -> int:
    number = retriever.subgraph.index(entity.id)
    assert number is not None
    return number


def test_a_step_is_its_relations_and_its_entity_in_words(retriever: VanillaRetriever) -> None:
    question = "in which city was Ada born"
    texts = {
        "Paris": "place of birth Paris",
        "Bo": "partner partner Bo",
        "A Film": "partner A Film",
        "1815": "release year 1815",
    }
    vectors = get_embedder().embed([question, *texts.values()])
    wanted = dict(zip(texts, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    for _ in range(2):  # the second time from what was kept
        found, scores = step_candidates(retriever.subgraph, retriever.query(question), node(retriever, PERSON))
        labels = retriever.subgraph.labels(found.neighbour)
        assert dict(zip(labels, scores.tolist(), strict=True)) == pytest.approx(wanted, abs=1e-3)
        assert labels == sorted(wanted, key=lambda label: -wanted[label])
    first, _ = step_candidates(retriever.subgraph, retriever.query(question), node(retriever, PERSON), limit=1)
    assert retriever.subgraph.labels(first.neighbour) == ["Paris"]


def test_a_relation_path_has_the_mean_of_its_steps(retriever: VanillaRetriever) -> None:
    question = "release year of her birth place"
    vectors = get_embedder().embed([question, "place of birth Paris", "release year 1815"])
    first, second = (vectors[1:] @ vectors[0]).tolist()
    start, query = node(retriever, PERSON), retriever.query(question)
    paths = rank_relation_paths(retriever.subgraph, start, query, hops=2, k=30)
    relations = retriever.subgraph.relations
    scores = {
        tuple((relations[slot >> 1].id, slot & 1) for slot, beyond in path.hops): path.score
        for path in paths
        if all(beyond < 0 for _, beyond in path.hops)
    }
    born, year = (BORN.id, 0), (YEAR.id, 0)
    assert scores[(born,)] == pytest.approx(first, abs=1e-3)
    assert scores[born, year] == pytest.approx((first + second) / 2, abs=1e-3)
    assert scores[year, (YEAR.id, 1)] > 0 and (year, (YEAR.id, 1), (BORN.id, 1)) not in scores
    assert [path.score for path in paths] == sorted((path.score for path in paths), reverse=True)
