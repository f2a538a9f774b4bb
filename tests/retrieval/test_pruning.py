"""Pruning: of the statements around entities, those that an axiom needs come first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toulmin
from toulmin.english.lexicon import get_lexicon
from toulmin.errors import SettingsError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.pruning import PRUNERS, Pruner
from toulmin.retrieval.statement_words import statement_words


@pytest.fixture(scope="module")
def graph() -> Graph:
    return toulmin.open("bundled")


@pytest.fixture(scope="module")
def pruner() -> Pruner:
    return Pruner(get_embedder(), get_lexicon())


def around(graph: Graph, *labels: str) -> list[Statement]:
    ids = [matches[0].id for matches in graph.lookup(labels)]
    return [statement for some in graph.statements(ids, side="outgoing") for statement in some]


def said(statements: list[Statement], places: list[int]) -> list[tuple[str, ...]]:
    return [statement_words(statements[place])[:2] for place in places]


def test_both_lives_are_dated(graph: Graph, pruner: Pruner) -> None:
    statements = around(graph, "Marie Curie", "Isaac Newton")
    axiom = "Marie Curie and Isaac Newton must have been alive at the same time to have met."
    first = said(statements, pruner.combined(axiom, statements, 5))
    for who in ("Marie Curie", "Isaac Newton"):
        assert (who, "date of death") in first or (who, "date of birth") in first


def test_what_is_never_mentioned_is_found(graph: Graph, pruner: Pruner) -> None:
    """That a thing is a city, say: nobody writes into an axiom what a thing is, and yet the axiom rests on it."""
    statements = around(graph, "Marie Curie")
    first = said(statements, pruner.combined("It must be small and light to fit in a bag.", statements, 3))
    assert {"instance of", "description"} & {relation for _, relation in first}


def test_a_name_that_is_a_word_does_not_count(pruner: Pruner) -> None:
    place = Entity("e:1", "Sport")
    statements = [
        Statement(place, Relation("r:sport", "sport"), Entity("e:2", "chess")),
        Statement(place, Relation("r:country", "country"), Entity("e:3", "Malta")),
    ]
    assert pruner.combined("Sport must lie in a country of Europe.", statements, 2)[0] == 1


def test_one_subject_does_not_crowd_the_other_out(pruner: Pruner) -> None:
    many, one = Entity("e:1", "Uma"), Entity("e:2", "Vik")
    team = Relation("r:team", "member of sports team")
    statements = [Statement(many, team, Entity(f"t:{n}", f"Town {n} F.C.")) for n in range(30)]
    statements.append(Statement(one, team, Entity("t:0", "Town 0 F.C.")))
    assert 30 in pruner.combined("They must have played in the same team.", statements, 4)


@pytest.mark.parametrize("way", PRUNERS)
def test_any_size(pruner: Pruner, way: str) -> None:
    statements = [Statement(Entity("e:1"), Relation("r"), Literal(str(n), "quantity")) for n in range(600)]
    order = pruner.named(way)("It has 7.", statements, 20)
    assert len(set(order)) == 20
    assert pruner.named(way)("It has 7.", [], 20) == []
    assert pruner.named(way)("It has 7.", statements[:3], 0) == []
    assert sorted(pruner.named(way)("", statements[:3], 20)) == [0, 1, 2]


_words = st.text(alphabet="ab it()*[.,", max_size=12)
_statements = st.lists(
    st.builds(
        Statement,
        st.sampled_from([Entity("e:1", "a b"), Entity("e:2", "("), Entity("e:3")]),
        st.builds(Relation, st.sampled_from(["r:1", "r:2"]), st.none() | _words),
        st.one_of(st.builds(Literal, _words), st.builds(Entity, st.just("e:4"), _words)),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(axiom=_words, statements=_statements, k=st.integers(0, 10))
def test_a_ranking_is_a_choice_of_places(axiom: str, statements: list[Statement], k: int) -> None:
    pruner = Pruner(get_embedder(), get_lexicon())
    order = pruner.combined(axiom, statements, k)
    assert len(order) == min(k, len(statements)) == len(set(order))
    assert set(order) <= set(range(len(statements)))
    assert order == pruner.combined(axiom, statements, k)
    assert order[: k // 2] == pruner.combined(axiom, statements, k // 2)


def test_statement_words() -> None:
    statement = Statement(
        Entity("http://example.org/Ada_L"),
        Relation("http://example.org/heldPosition"),
        Entity("q:1", "mayor"),
        (Qualifier(Relation("r:s", "start time"), Literal("1999", "time", precision="year")),),
    )
    assert statement_words(statement) == ("Ada L", "held position", "mayor", "start time: 1999 (year)")


def test_unknown_names_are_refused(pruner: Pruner) -> None:
    with pytest.raises(SettingsError, match="no pruning is called"):
        pruner.named("magic")
