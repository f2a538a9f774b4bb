"""Passages are found in their documents again, or the check says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from evidence_worlds import DOCUMENTS, documents, voted
from hypothesis import given
from hypothesis import strategies as st
from producers import small_world

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import StepReport, check
from toulmin.proof.passages import digest_of

FIRST = "Aristotle#1"


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


def _checked(
    graph: MemoryGraph,
    start: int,
    end: int,
    text: str,
    sha256: str | None = None,
    sources: Callable[[str], str | None] | None = documents,
) -> StepReport:
    builder = ProofBuilder("Who was Aristotle?", graph)
    builder.add_passage(FIRST, sha256 or digest_of(DOCUMENTS[FIRST]), start, end, text)
    made = builder.answer(builder.abstain("nothing is known"), method="by hand")
    assert Answer.from_json(made.to_json()) == made
    return check(made, graph, passages=sources).steps[0]


def test_a_passage_stands_in_its_document(graph: MemoryGraph) -> None:
    found = _checked(graph, 0, 9, "Aristotle")
    assert (found.status, found.reason) == ("holds", "the text stands in 'Aristotle#1'")


@pytest.mark.parametrize(
    ("start", "end", "text", "sha256", "status"),
    [
        (1, 10, "Aristotle", None, "fails"),
        (0, 9, "Aristotel", None, "fails"),
        (0, 10, "Aristotle", None, "fails"),
        (9, 0, "Aristotle", None, "fails"),
        (-9, 0, "Aristotle", None, "fails"),
        (0, 0, "", None, "fails"),
        (900, 909, "Aristotle", None, "fails"),
        (0, 9, "Aristotle", "0" * 64, "stale"),
        (0, 9, "Aristotle", digest_of(DOCUMENTS[FIRST]).upper(), "fails"),
        (0, 9, "Aristotle", "no digest", "fails"),
    ],
)
def test_what_does_not_stand_there(
    graph: MemoryGraph, start: int, end: int, text: str, sha256: str | None, status: str
) -> None:
    assert _checked(graph, start, end, text, sha256).status == status


def test_without_its_source_a_passage_cannot_be_verified(graph: MemoryGraph) -> None:
    assert _checked(graph, 0, 9, "Aristotle", sources=None).status == "unverifiable"
    assert _checked(graph, 0, 9, "Aristotle", sources={"Other#1": "x"}.get).status == "unverifiable"
    assert _checked(graph, 0, 10, "Aristotle", sources=None).status == "fails"  # that much is seen without it


def test_an_answer_is_as_strong_as_its_passages(graph: MemoryGraph) -> None:
    answer = voted(graph)
    for checked, status, code in (
        (check(answer, graph), "unverifiable", 0),
        (check(answer, graph, passages=documents), "judged", 0),
        (answer.proof.check(graph, passages=documents), "judged", 0),
        (toulmin.check(answer, graph, passages=documents), "judged", 0),
        (check(answer, graph, passages=lambda source: DOCUMENTS[source] + " "), "stale", 1),
        (check(answer, graph, strict=True, passages=documents), "judged", 1),
    ):
        assert (checked.status, checked.exit_code) == (status, code)


@given(st.text(min_size=1), st.data())
def test_any_part_of_any_document_is_found_again(document: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(document) - 1))
    end = data.draw(st.integers(start + 1, len(document)))
    with MemoryGraph.from_statements([]) as graph:
        builder = ProofBuilder("?", graph)
        builder.add_passage("d", digest_of(document), start, end, document[start:end])
        made = builder.answer(builder.abstain("nothing is known"), method="by hand")
        assert check(made, graph, passages=lambda _: document).steps[0].status == "holds"
        other = check(made, graph, passages=lambda _: document + "x").steps[0].status
        assert other == "stale"
