"""Lexical relations that join a premise and a hypothesis."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from toulmin.errors import SourceError
from toulmin.retrieval.knowledge import ConceptNet, LexicalKnowledge
from toulmin.retrieval.knowledge.lexical import LexicalRelation, WordNetRelations

PREMISE = "The occupations of Idris Elba are Actor, producer and musician. The elevation of Curitiba is 934 m."


def said(knowledge: LexicalKnowledge, hypothesis: str) -> set[str]:
    return {one.text for one in knowledge.find([hypothesis], about=hypothesis)[0]}


def test_wordnet_joins_premise_and_hypothesis() -> None:
    knowledge = LexicalKnowledge(PREMISE, k=None)
    assert {"actor is a kind of entertainer.", "musician is a kind of entertainer."} <= said(
        knowledge, "Idris Elba is an English entertainer."
    )
    assert "elevation is a kind of level." not in said(knowledge, "Idris Elba is an entertainer.")
    assert said(knowledge, "Xyzzy 1972.") == set()


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("movie", "film", LexicalRelation("Synonym", "movie", "film")),
        ("actress", "actor", LexicalRelation("IsA", "actress", "actor")),
        ("entertainer", "actor", LexicalRelation("IsA", "actor", "entertainer")),
        ("Monday", "Tuesday", LexicalRelation("KindsOf", "Monday", "Tuesday")),
        ("rise", "falls", LexicalRelation("Antonym", "rise", "falls")),
        ("birth", "born", LexicalRelation("RelatedTo", "birth", "born")),
    ],
)
def test_relations_of_wordnet(first: str, second: str, relation: LexicalRelation) -> None:
    wordnet = WordNetRelations()
    assert list(wordnet.between(first, second)) == [relation]
    assert wordnet.known(relation)
    assert not wordnet.known(LexicalRelation("PartOf", first, second))


@pytest.mark.parametrize(("first", "second"), [("cities", "city"), ("zzz", "film"), ("film", "zzz"), ("film", "films")])
def test_one_word_is_not_related_to_itself(first: str, second: str) -> None:
    assert list(WordNetRelations().between(first, second)) == []


def test_names_of_several_words_are_no_words() -> None:
    assert said(LexicalKnowledge("The director is Robin Williams."), "He was a poet.") == set()
    assert "winter olympics is a kind of olympics." in said(
        LexicalKnowledge("It was played at the Winter Olympics."), "It was played at the Olympics."
    )


def test_without_a_premise_a_sentence_is_joined_with_what_it_is_about() -> None:
    found = LexicalKnowledge().find(["He was an actor.", "He was a plumber."], about="Was he an entertainer?")
    assert [[one.text for one in several] for several in found] == [["actor is a kind of entertainer."], []]


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv.gz"
    lines = [
        "RelatedTo\tmarried\tspouse",
        "DistinctFrom\tRap\trock\t0.9",
        "",
        "NearlyMeans\tspouse\tpartner",
        "{a.x}\trap\tsoul",
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_conceptnet(triples: Path) -> None:
    knowledge = LexicalKnowledge("The spouse of Charles is Diana. Rock.", conceptnet=triples, wordnet=False)
    assert said(knowledge, "Charles was married to a partner.") == {
        "married is related to spouse.",
        "spouse nearly means partner.",
    }
    assert said(knowledge, "It is rap.") == {"rap is distinct from rock."}
    soul = LexicalKnowledge("Soul.", conceptnet=triples, wordnet=False)
    assert said(soul, "It is rap.") == {"rap {a.x} soul."}  # a name of a file is no template
    assert knowledge.name == "lexical relations (ConceptNet)"


def test_a_relation_is_a_document_that_is_made_anew(triples: Path) -> None:
    knowledge = LexicalKnowledge("He is an actor. A spouse.", conceptnet=triples)
    found = knowledge.find(["x"], about="An entertainer was married.")[0]
    assert {one.text for one in found} == {"actor is a kind of entertainer.", "married is related to spouse."}
    for one in found:
        assert one.excerpt is not None
        document = knowledge.document(one.excerpt.source)
        assert document is not None
        assert document[one.excerpt.start : one.excerpt.end] == one.text
    for source in ("WordNet 3.0: IsA / entertainer / actor", "ConceptNet: IsA / married / spouse", "x", "x: a / b / c"):
        assert knowledge.document(source) is None
    assert LexicalKnowledge().document("ConceptNet: RelatedTo / married / spouse") is None


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"RelatedTo\ta\tb\nRelatedTo\ta\n", ":2: relation, head and tail are expected"),
        (b"RelatedTo a b\n", ":1: relation, head and tail are expected"),
        (b"RelatedTo\t\xff\tb\n", ":1: is not UTF-8"),
        (b"\n", "the file is empty"),
    ],
)
def test_bad_files_of_triples(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "triples.tsv"
    path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        ConceptNet(path)
    assert str(error.value).startswith(str(path))
    assert problem in str(error.value)
