"""Prizes by dense rank, and the three forms on a graph with words."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.open_ended.neighbourhood import RetrievalSettings, dense_ranks
from toulmin.retrieval.open_ended.retrieve import FORMS, PrizeRetriever

ALMA, BRAM, COVE = Entity("e:alma", "Alma"), Entity("e:bram", "Bram"), Entity("e:cove", "Cove Harbour")
YARD, REEF = Entity("e:yard", "North Yard"), Entity("e:reef", "Long Reef")
BUILT, MOORS, SAYS = Relation("r:built", "built in"), Relation("r:moors", "moors at"), Relation("r:says", "description")
GRAPH = [
    Statement(ALMA, BUILT, YARD),
    Statement(BRAM, BUILT, YARD),
    Statement(ALMA, MOORS, COVE),
    Statement(BRAM, MOORS, COVE),
    Statement(ALMA, SAYS, Literal("a wooden schooner that carried salt", "string")),
    Statement(COVE, SAYS, Literal("a harbour behind the reef", "string")),
    Statement(COVE, MOORS, REEF),
    Statement(REEF, MOORS, COVE),
    Statement(ALMA, Relation("r:length", "length"), Literal("31", "quantity")),
]


def retriever(**settings: object) -> PrizeRetriever:
    return PrizeRetriever(
        Subgraph.from_statements(GRAPH),
        get_embedder(),
        settings=RetrievalSettings(**settings),  # type: ignore[arg-type]
    )


@given(st.lists(st.one_of(st.sampled_from((0.1, 0.2, 0.3)), st.just(float("nan"))), max_size=12))
def test_equal_similarities_have_one_rank_and_the_next_has_the_next(values: list[float]) -> None:
    ranks = dense_ranks(np.array(values, dtype=np.float32)).tolist()
    distinct = sorted({value for value in values if value == value}, reverse=True)
    assert ranks == [distinct.index(value) + 1 if value == value else 0 for value in values]


def test_prizes_fall_from_k_to_one_and_all_statements_of_a_relation_have_one() -> None:
    found = retriever(nodes=3, edges=2, linked=False, shared=False)
    around = found.around([])
    prizes = found.prizes("in which yard was the schooner built", around)
    assert sorted(set(prizes.node.tolist())) == [0, 1, 2, 3]
    assert sorted(set(prizes.edge.tolist())) == [0, 1, 2]
    for relation in set(around.relation.tolist()):
        assert len(set(prizes.edge[around.relation == relation].tolist())) == 1
    shared = retriever(nodes=3, edges=2).prizes("in which yard was the schooner built", around)
    assert shared.edge[shared.edge > 0] == pytest.approx(
        (prizes.edge / np.bincount(around.relation)[around.relation])[prizes.edge > 0]
    )


def test_a_linked_entity_has_the_highest_prize() -> None:
    found = retriever(nodes=2)
    around = found.around([BRAM.id])
    prizes = found.prizes("where does the schooner lie", around)
    assert prizes.node[around.seeds].tolist() == [2.0]


def test_a_text_is_likened_to_the_question_and_a_number_is_not() -> None:
    found = retriever(nodes=1, linked=False)
    around = found.around([])
    prizes = found.prizes("a wooden schooner that carried salt", around)
    said = found.subgraph.labels(around.nodes[prizes.node > 0])
    assert said == ["a wooden schooner that carried salt"]
    assert (
        not retriever(nodes=1, literals=0)
        .prizes("a wooden schooner that carried salt", around)
        .node_similarity[around.nodes >= found.subgraph.n_entities]
        .any()
    )


@pytest.mark.parametrize("form", FORMS)
def test_statements_of_the_graph_each_once_with_scores(form: str) -> None:
    found = retriever(limit=4).retrieve("Where does Alma moor and where was she built?", form, [ALMA.id])
    statements = found.statements
    assert len(statements) == len(found.rows) == len(found.scores) == len(set(found.rows.tolist())) > 0
    assert {statement.id for statement in statements} <= {statement.id for statement in GRAPH}
    assert any(statement.subject.id == ALMA.id for statement in statements)


def test_triples_come_by_the_prize_of_their_three_parts() -> None:
    one = retriever(triplets=4, hubs=False)
    found = one.retrieve("Where does Alma moor?", "triplet", [ALMA.id])
    around = one.around([ALMA.id])
    prizes = one.prizes("Where does Alma moor?", around)
    every = prizes.node[around.subject] + prizes.edge + prizes.node[around.object]
    assert found.scores.tolist() == sorted(every.tolist(), reverse=True)[:4]


def test_what_hangs_at_a_hub_costs_as_much_as_there_is_of_its_kind() -> None:
    around = retriever().around([ALMA.id])
    prizes = retriever().prizes("Which yard built Alma?", around)
    told = dict(zip(retriever().subgraph.statements(around.rows), prizes.cost.tolist(), strict=True))
    assert told[GRAPH[0]] == 1.0  # of the linked entity
    assert told[GRAPH[1]] == 2.0  # of another that was built in the same yard
    assert set(retriever(hubs=False).prizes("Which yard built Alma?", around).cost.tolist()) == {1.0}


@pytest.mark.parametrize("form", FORMS)
def test_what_only_files_a_thing_is_looked_at_where_that_is_set(form: str) -> None:
    filed = Statement(ALMA, Relation("r:filed", "Commons category"), Entity("e:filed", "Alma"))
    found = {}
    for filing in (False, True):
        one = PrizeRetriever(
            Subgraph.from_statements([*GRAPH, filed]), get_embedder(), settings=RetrievalSettings(filing=filing)
        )
        found[filing] = {statement.id for statement in one.retrieve("Describe Alma", form, [ALMA.id]).statements}
        assert len(one.retrieve("Describe Alma", form).statements) > 0
    assert filed.id in found[True] and filed.id not in found[False]
    assert found[False]


def test_a_path_tells_its_statements_as_they_are_walked() -> None:
    found = retriever(paths=2, depth=3).retrieve("Which reef lies off the harbour of Alma?", "path", [ALMA.id])
    assert found.complete and found.groups
    statements = found.statements
    for group in found.groups:
        ends = [{statements[place].subject, statements[place].object} for place in group]
        assert all(one & other for one, other in pairwise(ends))


@pytest.mark.parametrize("form", ["path", "subgraph"])
def test_what_is_small_is_filled_with_statements_of_the_linked_entities(form: str) -> None:
    bare = retriever(fill=0, depth=1, paths=1).retrieve("Where does Alma moor?", form, [ALMA.id])
    filled = retriever(fill=7, depth=1, paths=1).retrieve("Where does Alma moor?", form, [ALMA.id])
    assert filled.rows.tolist()[: len(bare)] == bare.rows.tolist()
    assert len(set(filled.rows.tolist())) == len(filled) <= 7
    beside = filled.statements[len(bare) :]
    assert beside and all(ALMA.id in (one.subject.id, getattr(one.object, "id", "")) for one in beside)


def test_what_cannot_be_set() -> None:
    with pytest.raises(SettingsError, match="no retrieval 'tree'"):
        retriever().retrieve("?", "tree")
    with pytest.raises(SettingsError, match="depth is 0"):
        RetrievalSettings(depth=0)
    with pytest.raises(SettingsError, match="unknown search"):
        RetrievalSettings(search="fast")  # type: ignore[arg-type]
