"""Statements with a time in sentences, and those of the entities that a sentence names."""

from __future__ import annotations

import pytest

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.retrieval.knowledge import TemporalKnowledge
from toulmin.retrieval.knowledge.temporal import has_time, mediator_sentence, temporal_sentence


def time(value: str, precision: str | None = None) -> Literal:
    return Literal(value, "time", precision=precision)


def entity(label: str) -> Entity:
    return Entity(f"t:{label}", label)


def stated(subject: str, relation: str, held: Node | str, **qualifiers: Node | str) -> Statement:
    """A statement; a qualifier's name has "_" for spaces, a text is an entity."""
    said = tuple(
        Qualifier(Relation(f"t:{key}", key.replace("_", " ")), entity(value) if isinstance(value, str) else value)
        for key, value in qualifiers.items()
    )
    node = entity(held) if isinstance(held, str) else held
    return Statement(entity(subject), Relation(f"t:{relation}", relation), node, said)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            stated(
                "Tim Pawlenty",
                "position held",
                "governor of Minnesota",
                start_time=time("2003-01-06"),
                end_time=time("2011"),
            ),
            "Tim Pawlenty held the position governor of Minnesota from 6 January 2003 to 2011.",
        ),
        (
            stated("Tim Pawlenty", "position held", "governor", of="Minnesota", start_time=time("2003")),
            "Tim Pawlenty held the position governor of Minnesota from 2003.",
        ),
        (stated("Ada", "spouse", "William", end_time=time("1852")), "Ada was married to William until 1852."),
        (stated("Ada", "date of birth", time("1815-12-10")), "Ada was born on 10 December 1815."),
        (stated("Ada", "birthDate", time("1815")), "Ada was born in 1815."),
        (stated("Ada", "people.person.date_of_birth", time("1815")), "Ada was born in 1815."),
        (stated("Aristotle", "date of death", time("-0321")), "Aristotle died in 322 BCE."),
        (stated("Giza", "inception", time("1201", "century")), "Giza was founded in the 13th century."),
        (stated("Heat", "release date", time("1995-12-15")), "Heat was released on 15 December 1995."),
        (stated("K2", "date of first ascent", time("1954-07-31")), "The date of first ascent of K2 is 31 July 1954."),
        (stated("Lennon", "date murdered", time("1980")), "Lennon was murdered in 1980."),
        (stated("War", "end time", time("1945")), "War ended in 1945."),
        (stated("Fleming", "award received", "Nobel Prize", point_in_time=time("1945")),
         "Fleming received the award Nobel Prize in 1945."),
        (
            stated("Albany", "population", Literal("69647", "quantity"), point_in_time=time("2020-04-01")),
            "The population of Albany was 69,647 on 1 April 2020.",
        ),
        (stated("Heat", "directed by", "Mann", date=time("1995")), "Heat was directed by Mann in 1995."),
        (stated("Abbey", "mascot", "Owl", since=time("1990s"), until=time("1999")),
         "The mascot of Abbey was Owl until 1999."),
    ],
)  # fmt: skip
def test_templates(statement: Statement, sentence: str) -> None:
    assert has_time(statement)
    assert temporal_sentence(statement) == sentence


@pytest.mark.parametrize(
    "statement",
    [
        stated("Ada", "father", "Byron"),
        stated("Ada", "father", "Byron", start_time=Literal("", "unknown_value")),
        stated("Ada", "spouse", Literal("", "no_value"), start_time=time("1850")),
        stated("Ada", "date of birth", Literal("", "unknown_value")),
        stated("Ada", "date of birth", time("no date")),
        stated("m.0446bdb", "date of birth", time("1815")),
    ],
)
def test_what_cannot_be_said_is_not_said(statement: Statement) -> None:
    assert temporal_sentence(statement) is None


NODE = Entity("urn:toulmin:e:m.0hn40wm", "m.0hn40wm")
JUDGE, COURT = (
    Entity("urn:toulmin:e:Stephen%20Breyer", "Stephen Breyer"),
    Entity("urn:toulmin:e:Court", "Supreme Court"),
)


def law(name: str) -> Relation:
    return Relation(f"urn:toulmin:r:law.judicial_tenure.{name}", f"law.judicial_tenure.{name}")


TENURE = [
    Statement(NODE, law("judge"), JUDGE),
    Statement(NODE, law("court"), COURT),
    Statement(NODE, law("from_date"), time("1994-08-03")),
    Statement(JUDGE, Relation("urn:toulmin:r:law.judge.courts", "law.judge.courts"), NODE),
]


def test_a_nameless_node_holds_a_sentence_together() -> None:
    said = "Stephen Breyer: judicial tenure, court Supreme Court, from 3 August 1994."
    assert mediator_sentence(JUDGE, TENURE) == said
    assert mediator_sentence(JUDGE, TENURE[:2]) is None


def test_knowledge_of_the_entities_that_a_sentence_names() -> None:
    statements = [
        stated(
            "Tim Pawlenty", "position held", "governor of Minnesota", start_time=time("2003"), end_time=time("2011")
        ),
        stated("Tim Pawlenty", "date of birth", time("1960-11-27")),
        stated("Tim Pawlenty", "occupation", "politician"),
        stated("Mark Hatfield", "date of birth", time("1922")),
        *TENURE,
    ]
    graph = MemoryGraph.from_statements(statements)
    knowledge = TemporalKnowledge(graph, k=5)
    sentences = [
        "Tim Pawlenty was governor of Minnesota in 2007.",
        "Stephen Breyer became a judge in 1994.",
        "Nobody knows it.",
    ]
    found = knowledge.find(sentences, about="who was governor?")
    assert [one.text for one in found[0]] == [
        "Tim Pawlenty held the position governor of Minnesota from 2003 to 2011.",
        "Tim Pawlenty was born on 27 November 1960.",
    ]
    assert [one.statements for one in found[0]] == [(statements[0],), (statements[1],)]
    similarities = [one.similarity or 0.0 for one in found[0]]
    assert similarities == sorted(similarities, reverse=True)
    assert [one.text for one in found[1]] == [
        "Stephen Breyer: judicial tenure, court Supreme Court, from 3 August 1994."
    ]
    assert set(found[1][0].statements) == set(TENURE)
    assert graph.contains(found[1][0].statements) == [True] * len(TENURE)
    assert found[2] == []
    assert knowledge.find([]) == []
    assert [len(one) for one in TemporalKnowledge(graph, k=1).find(sentences)] == [1, 1, 0]
