"""What answers rest on: statements, the sentences of texts, the explanation of a vote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from toulmin.evaluation.datasets.types import PathRelation, Question
from toulmin.evaluation.metrics.answers import citation_scores, faithfulness, statement_scores
from toulmin.evaluation.metrics.paths import measured
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.retrieval.retriever import Retriever

PIER, BOAT, CREW = Entity("e:pier", "North Pier"), Entity("e:boat", "Gull"), Entity("e:crew", "Ana")
MOORS, HAS = Relation("r:moors", "moors"), Relation("r:crew", "crew")
STATEMENTS = [Statement(PIER, MOORS, BOAT), Statement(BOAT, HAS, CREW), Statement(PIER, MOORS, Entity("e:x", "Tern"))]


@pytest.fixture
def graph() -> Iterator[MemoryGraph]:
    with MemoryGraph.from_statements(STATEMENTS) as graph:
        yield graph


def test_statements_as_sets() -> None:
    found = statement_scores(["a", "b", "b"], ["b", "c", "d"])
    assert found == {"gold_statement_used": 1, "statement_precision": 1 / 2, "statement_recall": 1 / 3}
    assert set(statement_scores([], ["a"]).values()) == {0.0}


def text(graph: MemoryGraph, sentences: list[tuple[str, list[str], bool]]) -> Answer:
    """A text that answers a question: of each sentence its words, what is decided of its claims, whether it cites."""
    words = " ".join(words for words, _, _ in sentences)
    builder, told, start = Builder(words, graph), [], 0
    for said, decisions, cites in sentences:
        seen = [builder.entity(PIER, (0, 10), "North Pier"), builder.statement(STATEMENTS[0])]
        claims = [
            builder.judged(said, by="toy", score=1.0, decision=one, seen=seen)  # type: ignore[arg-type]
            for one in decisions
        ]
        told.append((start, start + len(said), claims, None if cites else "it cites no statement"))
        start += len(said) + 1
    answer = builder.text(told, by="toy", score=1.0, method="toy")
    return Answer({**answer.certificate, "trace": {**answer.certificate["trace"], "asked": "?"}})


def test_citations_of_a_text(graph: MemoryGraph) -> None:
    answer = text(
        graph,
        [
            ("North Pier moors Gull.", ["yes"], True),
            ("North Pier is old.", ["unknown"], True),
            ("North Pier moors no Gull.", ["no"], True),
            ("North Pier is lovely.", [], False),
        ],
    )
    assert [one.verdict for one in answer.sentences] == ["supported", "open", "contradicted", "uncited"]
    assert citation_scores(answer) == {"citation_precision": 1 / 3, "citation_recall": 1 / 4}
    assert citation_scores(None) == {"citation_precision": 0, "citation_recall": 0}
    open_ended = Question("1", "Describe the pier.")
    assert measured(open_ended, answer, graph, lambda: Retriever(graph))["citation_recall"] == 1 / 4
    assert measured(open_ended, None, graph, lambda: Retriever(graph))["citation_recall"] == 0
    with_gold = Question("2", "Which boat?", ("Gull",))
    assert "citation_recall" not in measured(with_gold, None, graph, lambda: Retriever(graph))


def vote(graph: MemoryGraph, chains: list[dict[str, Any]], **settings: Any) -> Answer:
    builder = Builder("Is the pier old?", graph)
    moored = builder.follow(builder.entity(PIER, (7, 11), "pier"), MOORS)
    answer = builder.answer(moored, by="toy", score=1.0, method="toy")
    node = {"op": "vote", "function": "mean-entailment", "chains": chains, **settings}
    return Answer({**answer.certificate, "program": [*answer.certificate["program"], node]})


def chain(sample: int, prediction: str, *entailments: float) -> dict[str, Any]:
    texts = [f"Fact {number} of {sample}." for number in range(len(entailments))]
    scores = [
        {"text": text, "entailment": one, "unknown": 1 - one, "contradiction": 0.0, "similarity": 0.5, "by": "toy"}
        for text, one in zip(texts, entailments, strict=True)
    ]
    return {"text": " ".join(texts), "sample": sample, "prediction": prediction, "sentences": scores}


def test_faithfulness_is_of_the_best_output_of_the_winning_prediction(graph: MemoryGraph) -> None:
    chains = [chain(0, "yes", 0.9, 0.5), chain(1, "yes", 0.2), chain(2, "no", 0.8)]
    assert faithfulness(vote(graph, chains)) == pytest.approx(0.7)  # 1.7 + 1.2 for yes, 1.8 for no
    assert faithfulness(vote(graph, chains, voting=False)) == pytest.approx(0.8)
    assert faithfulness(vote(graph, [chain(0, "yes"), chain(1, "yes"), chain(2, "no", 0.5)])) == 0
    assert faithfulness(vote(graph, [chain(0, "yes")])) is None  # nothing was weighed


def test_what_is_measured_of_a_way(graph: MemoryGraph) -> None:
    builder = Builder("Who is the crew of what North Pier moors?", graph)
    boats = builder.follow(builder.entity(PIER, (24, 34), "North Pier"), MOORS)
    answer = builder.answer(builder.follow(boats, HAS), by="toy", score=1.0, method="toy")
    gold = (tuple(PathRelation(one) for one in ("moors", "crew")), (PathRelation("crew"),))
    question = Question(
        "1",
        builder.question,
        ("Ana",),
        gold_entities=("North Pier",),
        gold_paths=gold,
        gold_statements=(STATEMENTS[0], STATEMENTS[1]),
    )
    found = measured(question, answer, graph, lambda: Retriever(graph))
    assert found["coverage_ratio"] == 0.5
    assert (found["depth"], found["gold_depth"], found["validity_ratio"]) == (2, 1.5, 1)
    assert (found["statement_precision"], found["statement_recall"]) == (2 / 3, 1)
    nothing = measured(question, None, graph, lambda: Retriever(graph))
    assert nothing["coverage_ratio"] == nothing["statement_recall"] == nothing["gold_statement_used"] == 0
    assert nothing["linking_top1"] == found["linking_top1"] == 1
    assert "depth" not in nothing
