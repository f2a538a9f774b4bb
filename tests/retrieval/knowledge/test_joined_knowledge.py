"""Passages as knowledge, given or found, and several sources as one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

import pytest

from toulmin.errors import SettingsError
from toulmin.retrieval.knowledge import GivenPassages, Knowledge, KnowledgeUnion, LexicalKnowledge, PassageKnowledge
from toulmin.retrieval.knowledge.evidence import Evidence
from toulmin.retrieval.passages.excerpts import IndexedPassage
from toulmin.retrieval.passages.index import PassageIndex
from toulmin.retrieval.passages.indexing import build_passages

ARISTOTLE = "Aristotle (384–322 BC) was a Greek philosopher."
LAPTOP = "The Epson HX-20, the first laptop computer, was invented in 1980."
SENTENCES = ["Aristotle died in 2000.", "The first laptop was invented in 1980."]


def tops(knowledge: Knowledge) -> list[str]:
    return [found[0].text for found in knowledge.find(SENTENCES)]


@pytest.mark.parametrize(
    "given",
    [
        [ARISTOTLE, LAPTOP, " "],
        {"a": ARISTOTLE, "b": LAPTOP},
        [IndexedPassage("a", ARISTOTLE), IndexedPassage("b", LAPTOP)],
    ],
)
def test_given_passages_are_ranked(given: list[str] | dict[str, str]) -> None:
    knowledge = GivenPassages(given)
    assert tops(knowledge) == [ARISTOTLE, LAPTOP]
    found = knowledge.find(SENTENCES)
    assert [len(one) for one in found] == [2, 2]
    for evidence in found[0]:
        assert evidence.excerpt is not None
        document = knowledge.document(evidence.excerpt.source)
        assert document is not None
        assert evidence.excerpt.sha256 == sha256(document.encode()).hexdigest()
    assert knowledge.document("nobody") is None


def test_given_passages_keep_what_they_are_given() -> None:
    assert [len(one) for one in GivenPassages([ARISTOTLE, LAPTOP], k=1).find(SENTENCES)] == [1, 1]
    assert GivenPassages([]).find(SENTENCES) == [[], []]
    assert GivenPassages([ARISTOTLE]).find([]) == []
    with pytest.raises(SettingsError, match="two given passages have the id 'a'"):
        GivenPassages([IndexedPassage("a", ARISTOTLE), IndexedPassage("a", LAPTOP)])
    with pytest.raises(SettingsError, match="given passage 2 holds half of a surrogate pair"):
        GivenPassages([ARISTOTLE, "\ud800"])


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    folder = tmp_path_factory.mktemp("knowledge")
    records = [{"text": ARISTOTLE.replace("Aristotle", "He"), "title": "Aristotle"}, {"id": "Laptop", "text": LAPTOP}]
    (folder / "texts.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    build_passages([folder / "texts.jsonl"], folder / "index")
    return PassageIndex.open(folder / "index")


def test_passages_of_an_index(index: PassageIndex) -> None:
    knowledge = PassageKnowledge(index)
    found = knowledge.find([*SENTENCES, "xylophone"])
    assert [[one.text for one in several] for several in found] == [
        ["Aristotle: He (384–322 BC) was a Greek philosopher."],  # the title is told, the excerpt is the document's
        [LAPTOP],
        [],
    ]
    excerpt = found[0][0].excerpt
    assert excerpt is not None
    assert knowledge.document(excerpt.source) == excerpt.text == "He (384–322 BC) was a Greek philosopher."
    assert [len(one) for one in PassageKnowledge(index, least=0.99).find(SENTENCES)] == [0, 0]


def test_joined_sources_are_ranked_together(index: PassageIndex) -> None:
    given = GivenPassages({"x": "Aristotle died in 322 BC."})
    joined = KnowledgeUnion(PassageKnowledge(index), given)
    assert tops(joined) == ["Aristotle died in 322 BC.", LAPTOP]
    assert joined.document("Laptop") == LAPTOP
    assert joined.document("x") == "Aristotle died in 322 BC."
    assert joined.document("nobody") is None
    assert joined.name == "passages (bm25) + given passages"
    assert joined.parts[1] is given
    assert [len(one) for one in KnowledgeUnion(joined, LexicalKnowledge(), k=1).find(SENTENCES)] == [1, 1]
    with pytest.raises(SettingsError, match="give at least one"):
        KnowledgeUnion()


class Unranked:
    """A source that does not say how similar its evidence is."""

    name = "unranked"

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        return [[Evidence("first"), Evidence("second")] for _ in sentences]

    def document(self, source: str) -> None:
        return None


def test_what_has_no_similarity_comes_last_in_its_order() -> None:
    found = KnowledgeUnion(Unranked(), GivenPassages([ARISTOTLE])).find(SENTENCES[:1])[0]
    assert [one.text for one in found] == [ARISTOTLE, "first", "second"]
