"""Verdicts on facts: a small graph written by hand, with the embedder and the entailment scorer that ship."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from toulmin.check_text.checking import TextChecker
from toulmin.check_text.judge.roles import is_turned
from toulmin.check_text.judge.verdicts import FactVerdict, judge
from toulmin.entailment.protocol import Pair
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge.evidence import GivenPassages
from toulmin.retrieval.retriever import Retriever

PEOPLE = {
    "Nora Field": ("Oslo", "1871-05-02", "Bergen", "1931-10-18", "chemist"),
    "Peter Lund": ("Bergen", "1880-01-30", "Oslo", "1950-06-07", "architect"),
    "Ida Strand": ("Trondheim", "1902-11-11", "Oslo", "1988-03-04", "chemist"),
    "Karl Moen": ("Oslo", "1899-07-21", "Trondheim", "1970-12-24", "poet"),
    "Anna Vik": ("Bergen", "1911-02-28", "Bergen", "1999-08-15", "architect"),
}
RELATIONS = ("place of birth", "date of birth", "place of death", "date of death", "occupation")
START = Relation("http://example.org/r/start", "start time")
CITIES = {"Oslo": ("Norway", "454.12"), "Bergen": ("Norway", "465.3"), "Trondheim": ("Norway", "321.8")}


PASSAGES = ("Nora Field kept a grey parrot.", "Peter Lund never owned a horse.")
PAPERS = "Her papers say that Nora Field was born in Bergen."


class OfPassages:
    """A scorer for which a passage entails a fact with which it shares its last word, and denies it with "never"."""

    name = "of passages"

    def score(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        rows = []
        for premise, fact in pairs:
            shared = premise in (*PASSAGES, PAPERS) and fact.split()[-1] in premise
            denied = shared and "never" in premise
            rows.append([0.01, 0.01, 0.98] if denied else [0.98, 0.01, 0.01] if shared else [0.05, 0.9, 0.05])
        return np.array(rows, dtype=np.float32).reshape(-1, 3)


def entity(name: str) -> Entity:
    return Entity("http://example.org/" + name.replace(" ", "_"), name)


def statement(subject: str, relation: str, value: Entity | Literal) -> Statement:
    return Statement(entity(subject), Relation("http://example.org/r/" + relation.replace(" ", "_"), relation), value)


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    statements = [
        statement(name, relation, Literal(value, "time") if "date" in relation else entity(value))
        for name, values in PEOPLE.items()
        for relation, value in zip(RELATIONS, values, strict=True)
    ]
    for city, (country, area) in CITIES.items():
        statements.append(statement(city, "country", entity(country)))
        statements.append(statement(city, "area", Literal(area, "quantity", "square kilometre")))
    statements += [
        statement("Nora Field", "child", entity("Karl Moen")),
        statement("Nora Field", "child", entity("Anna Vik")),
        statement("Peter Lund", "child", entity("Ida Strand")),
        statement("Karl Moen", "father", entity("Peter Lund")),
        statement("Norway", "capital", entity("Oslo")),
        statement("Nora Field", "award received", entity("Gold Medal, Class II")),
        statement("Nora Field", "member of", entity("Royal Society of Chemistry")),
        replace(
            statement("Karl Moen", "spouse", entity("Anna Vik")),
            qualifiers=(Qualifier(START, Literal("1935-06-01", "time")),),
        ),
    ]
    return MemoryGraph.from_statements(statements)


def verdicts(graph: MemoryGraph, *texts: str) -> list[FactVerdict]:
    return judge(" ".join(texts), texts, Retriever(graph), get_scorer())


@pytest.mark.parametrize(
    ("text", "verdict", "relation"),
    [
        ("Nora Field was born in Oslo.", "supported", "place of birth"),
        ("Nora Field was born in Bergen.", "contradicted", "place of birth"),
        ("Nora Field died in Bergen.", "supported", "place of death"),
        ("Nora Field was born on 2 May 1871.", "supported", "date of birth"),
        ("Nora Field was born in 1871.", "supported", "date of birth"),
        ("Nora Field was born in 1872.", "contradicted", "date of birth"),
        ("Peter Lund was an architect.", "supported", "occupation"),
        ("The area of Oslo is 454 square kilometres.", "supported", "area"),
        ("The area of Oslo is 600 square kilometres.", "contradicted", "area"),
        ("Oslo is the capital of Norway.", "supported", "capital"),
        ("Bergen is the capital of Norway.", "contradicted", "capital"),
    ],
)
def test_what_the_graph_says(graph: MemoryGraph, text: str, verdict: str, relation: str) -> None:
    found = verdicts(graph, text)[0]
    assert found.verdict == verdict, found.reason
    assert found.statements[0].relation.label == relation
    assert found.statements[0].id in found.reason
    assert 0 < found.score <= 1
    assert all(graph.contains(list(found.statements)))


@pytest.mark.parametrize(
    "text",
    [
        "Nora Field owned a parrot.",
        "Ole Berg was born in Oslo.",
        "The weather was fine.",
        "Nora Field has a child named Ida Strand.",  # the relation has several values: the graph may lack one
    ],
)
def test_absence_is_no_contradiction(graph: MemoryGraph, text: str) -> None:
    found = verdicts(graph, text)[0]
    assert found.verdict == "not in the graph", found.reason
    assert found.statements == ()


def test_what_the_graph_says_contradicts_its_denial(graph: MemoryGraph) -> None:
    denied, other = verdicts(graph, "Nora Field was not born in Oslo.", "Nora Field was not born in Bergen.")
    assert (denied.verdict, other.verdict) == ("contradicted", "not in the graph")  # another value proves no denial
    assert "denies" in denied.reason


def test_not_only_denies_nothing(graph: MemoryGraph) -> None:
    (found,) = verdicts(graph, "Nora Field was not only born in Oslo.")
    assert found.verdict != "contradicted"
    (denied,) = verdicts(graph, "Nora Field, the only child, was not born in Oslo.")
    assert denied.verdict == "contradicted"  # "only" elsewhere takes no denial away


def test_a_denial_of_what_the_graph_says_is_read_without_its_denial(graph: MemoryGraph) -> None:
    right, wrong = verdicts(graph, "Nora Field was never born in Bergen.", "Nora Field was never born in Oslo.")
    assert (right.verdict, wrong.verdict) == ("not in the graph", "contradicted")


def test_a_child_is_the_other_way_round_a_parent(graph: MemoryGraph) -> None:
    right, wrong = verdicts(graph, "Karl Moen is the son of Peter Lund.", "Peter Lund is the son of Karl Moen.")
    assert (right.verdict, wrong.verdict) == ("supported", "contradicted")


def test_the_direction_counts(graph: MemoryGraph) -> None:
    right, wrong = verdicts(graph, "Peter Lund is the father of Karl Moen.", "Karl Moen is the father of Peter Lund.")
    assert right.verdict == "supported"
    assert wrong.verdict == "contradicted"
    assert wrong.statements == right.statements


def test_links_are_words_of_the_fact(graph: MemoryGraph) -> None:
    text = "Nora Field received the Gold Medal."
    found = verdicts(graph, text)[0]
    assert found.verdict == "supported", found.reason
    assert {link.entity.label for link in found.links} == {"Nora Field", "Gold Medal, Class II"}
    assert all(text[link.start : link.end] == link.text for link in found.links)


def test_passages_decide_what_the_graph_does_not(graph: MemoryGraph) -> None:
    knowledge = GivenPassages(list(PASSAGES))
    facts = [
        "Nora Field owned a parrot.",
        "Peter Lund owned a horse.",
        "Nora Field was born in Oslo.",
    ]
    parrot, horse, born = judge("", facts, Retriever(graph), OfPassages(), knowledge)
    assert (parrot.verdict, horse.verdict, born.verdict) == ("supported", "contradicted", "supported")
    assert parrot.excerpts[0].text == "Nora Field kept a grey parrot."
    assert not born.excerpts


def claims(answer: Answer) -> list[dict[str, Any]]:
    """The judged nodes of a text's answer."""
    return [node for node in answer.certificate["program"] if node["op"] == "judged"]


def test_a_passage_does_not_undo_a_contradiction_but_is_named(graph: MemoryGraph) -> None:
    text = "Nora Field was born in Bergen."
    knowledge = GivenPassages([PAPERS])
    (found,) = judge("", [text], Retriever(graph), OfPassages(), knowledge)
    assert found.verdict == "contradicted"
    assert [one.object.label for one in found.statements if isinstance(one.object, Entity)] == ["Oslo"]
    assert "Her papers" in found.reason and not found.excerpts
    checker = TextChecker(graph, scorer=OfPassages(), knowledge=knowledge)
    answer = asyncio.run(checker.check(text))
    assert [sentence.verdict for sentence in answer.sentences] == ["contradicted"]
    assert [claim["decision"] for claim in claims(answer)] == ["no", "yes"]
    program = answer.certificate["program"]
    assert ["Her papers" in program[place]["text"] for place in claims(answer)[1]["seen"]] == [True]


def test_what_the_rules_refuse_tells_the_rule(graph: MemoryGraph) -> None:
    answer = asyncio.run(TextChecker(graph).check("Nora Field was never not born in Oslo."))
    assert [sentence.verdict for sentence in answer.sentences] == ["not in the graph"]
    (judged,) = claims(answer)
    assert judged["by"].startswith("rules: ") and "deny" in judged["by"]
    assert answer.check(graph).status == "judged"


def test_what_is_held_without_its_date_is_a_claim_of_its_own(graph: MemoryGraph) -> None:
    answer = asyncio.run(TextChecker(graph).check("Karl Moen married Anna Vik in 1936."))
    assert [sentence.verdict for sentence in answer.sentences] == ["not in the graph"]
    assert [(claim["says"], claim["decision"]) for claim in claims(answer)] == [
        ("Karl Moen married Anna Vik in 1936.", "unknown"),
        ("Karl Moen: spouse: Anna Vik.", "yes"),
    ]
    assert answer.check(graph).status == "judged"


@pytest.mark.parametrize("text", ["Clarissa has a main work.", "Clarissa is a main work."])
def test_a_graph_without_a_relation_that_may_be_meant(text: str) -> None:
    small = MemoryGraph.from_statements([statement("Clarissa", "main work", entity("Pamela"))])
    assert [one.verdict for one in verdicts(small, text)] == ["not in the graph"]


def test_no_facts_no_verdicts(graph: MemoryGraph) -> None:
    assert verdicts(graph) == []


def test_a_date_that_qualifies_a_statement_is_no_birthday(graph: MemoryGraph) -> None:
    (found,) = verdicts(graph, "Karl Moen married Anna Vik in 1935.")
    assert found.verdict == "supported"
    assert [one.relation.label for one in found.statements] == ["spouse"]


def test_a_coarser_place_does_not_contradict(graph: MemoryGraph) -> None:
    (coarser, other) = verdicts(graph, "Nora Field was born in Norway.", "Nora Field was born in Trondheim.")
    assert coarser.verdict != "contradicted"
    assert other.verdict == "contradicted"


def test_another_thing_of_its_kind_is_not_taken_for_it(graph: MemoryGraph) -> None:
    own, other = verdicts(
        graph,
        "Nora Field was a member of the Royal Society of Chemistry.",
        "Nora Field was a member of the Royal Society of Medicine.",
    )
    assert own.verdict == "supported"
    assert other.verdict != "supported"


def test_a_name_that_the_graph_lacks_is_not_taken_for_one_that_means_alike(graph: MemoryGraph) -> None:
    (found,) = verdicts(graph, "Nora Field was born in Stockholm.")
    assert found.verdict == "contradicted"


@pytest.mark.parametrize(
    ("first", "relation", "subject_first", "turned"),
    [
        (" was the son of ", "father", False, True),
        (" was the daughter of ", "father", True, False),
        (" was the father of ", "father", False, False),
        (" was the doctoral advisor of ", "doctoral advisor", True, True),
        (" is the capital of the ", "capital", True, True),
        (" is the capital of ", "capital", False, False),
        (" was the mother of ", "child", True, False),
        (" was the mother of ", "child", False, True),
        (" was the sibling of ", "sibling", True, False),
        (" was the teacher of ", "student of", True, True),
        (" was a pupil of ", "student of", True, False),
        (" was a student of ", "student of", False, True),
        (" was the teacher of ", "student", True, False),
        (" married the son of ", "father", False, False),
    ],
)
def test_turned_round(first: str, relation: str, subject_first: bool, turned: bool) -> None:
    assert is_turned(first, relation, subject_first=subject_first) is turned


def test_a_verb_that_denies_is_not_taken_for_the_relation(graph: MemoryGraph) -> None:
    (found,) = verdicts(graph, "Nora Field refused the Gold Medal, Class II.")
    assert found.verdict == "not in the graph"
