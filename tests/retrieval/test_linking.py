"""Entity linking on the bundled graph, and on small graphs made for one question."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linking import evaluate_linking
from toulmin.evaluation.datasets import load
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.bundled import bundled_path
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import LabelMatch
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.readers.registry import read
from toulmin.graph.store import open_graph
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.linking import EntityLinker, Mention
from toulmin.retrieval.vectors import StoredVectors, build_vectors

DATA = Path(os.environ.get("TOULMIN_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


@pytest.fixture(scope="module")
def world() -> Iterator[MemoryGraph]:
    with MemoryGraph.from_records(read(bundled_path())) as graph:
        yield graph


@pytest.fixture(scope="module")
def linker(world: MemoryGraph) -> EntityLinker:
    return EntityLinker(world)


def of(mentions: Sequence[Mention], text: str) -> Mention:
    """The mention with this text."""
    found = [mention for mention in mentions if mention.text == text]
    assert found, [mention.text for mention in mentions]
    return found[0]


def ids(mention: Mention) -> list[str]:
    return [candidate.entity.id for candidate in mention.candidates]


def graph_of(*names: tuple[str, str], facts: Sequence[tuple[str, str, str]] = ()) -> MemoryGraph:
    """A graph of entities (id, label); each has a statement, so that it is one."""
    records: list[Record] = [RawName(identifier, label) for identifier, label in names]
    records += [RawStatement(identifier, "is", "thing") for identifier, _ in names]
    return MemoryGraph.from_records([*records, *(RawStatement(*fact) for fact in facts)])


@pytest.mark.parametrize(
    ("question", "span", "entity"),
    [
        ("Who directed the film Casablanca?", "Casablanca", "world:Casablanca_(film)"),
        ("In which country is Casablanca?", "Casablanca", "world:Casablanca"),
        ("Which county of Texas is Paris the seat of?", "Paris", "world:Paris_(Texas)"),
        ("Which river flows through Paris?", "Paris", "world:Paris"),
        ("What is the capital of the country Georgia in the Caucasus?", "Georgia", "world:Georgia"),
        ("Who wrote The Godfather?", "The Godfather", "world:The_Godfather_(novel)"),
        ("Who directed The Godfather?", "The Godfather", "world:The_Godfather_(film)"),
        ("Which Irish leader was Michael Collins?", "Michael Collins", "world:Michael_Collins_(Irish_leader)"),
        ("Which astronaut was Michael Collins?", "Michael Collins", "world:Michael_Collins"),
    ],
)
def test_the_other_words_choose_among_entities_of_one_name(
    linker: EntityLinker, question: str, span: str, entity: str
) -> None:
    assert ids(of(linker.link(question), span))[0] == entity


@pytest.mark.parametrize(
    ("name", "entities"),
    [
        ("Springfield", {"world:Springfield_(Illinois)", "world:Springfield_(Massachusetts)"}),
        ("Georgia", {"world:Georgia", "world:Georgia_(state)"}),
        ("Paris", {"world:Paris", "world:Paris_(Texas)"}),
    ],
)
def test_all_entities_of_one_name_stay_candidates(linker: EntityLinker, name: str, entities: set[str]) -> None:
    mention = of(linker.link(f"How many people live in {name}?"), name)
    assert {c.entity.id for c in mention.candidates if c.how == "exact"} == entities
    assert all(c.score == 1.0 for c in mention.candidates if c.how == "exact")


@pytest.mark.parametrize(
    ("question", "span", "entity"),
    [
        ("who was Madame Curie's husband?", "Madame Curie", "world:Marie_Curie"),  # alias and possessive
        ("who was Marie Curie 's husband?", "Marie Curie", "world:Marie_Curie"),
        ("Who is Marie Curies’ daughter?", "Marie Curies", "world:Marie_Curie"),
        ("what is the capital of france", "france", "world:France"),  # lower case
        ("what is the currency of the uk?", "uk", "world:United_Kingdom"),
        ("who painted the mona liza", "mona liza", "world:Mona_Lisa"),  # a typo
        ("Who wrote Les Miserables?", "Les Miserables", "world:Les_Misérables_(novel)"),  # without accents
        ("Who was the wife of President Abraham Lincoln?", "Abraham Lincoln", "world:Abraham_Lincoln"),
        ("Is “Casablanca” a film?", "Casablanca", "world:Casablanca_(film)"),
        ("Is it in Washington, D.C.?", "Washington, D.C.", "world:Washington,_D.C."),
    ],
)
def test_other_spellings(linker: EntityLinker, question: str, span: str, entity: str) -> None:
    mention = of(linker.link(question), span)
    assert ids(mention)[0] == entity
    assert question[mention.start : mention.end] == span


@pytest.mark.parametrize("question", ["", "   ", "?!", "Who?", "what is it", "xyzzy plugh"])
def test_nothing_named(linker: EntityLinker, question: str) -> None:
    assert linker.link(question) == ()


def test_common_words_are_no_names_because_some_film_is_called_so() -> None:
    names = ["Hugo", "Films", "Who", "The Actor", "In", "Go", "Her", "Writer", "Directed"]
    with graph_of(*((f"film:{name}", name) for name in names)) as graph:
        linker = EntityLinker(graph)
        assert [m.text for m in linker.link("who is the actor in films directed by the writer of Hugo")] == ["Hugo"]
        assert [m.text for m in linker.link("the films by the director of Her")] == ["Her"]
        assert [m.text for m in linker.link("who is the actor in Go")] == ["Go"]
        assert [m.text for m in linker.link("who directed The Actor")] == ["The Actor"]


def test_exact_case_decides_and_the_other_stays() -> None:
    with graph_of(("person", "Ray Liotta"), ("tag", "ray liotta")) as graph:
        linker = EntityLinker(graph)
        assert ids(linker.link("which films are about ray liotta")[0]) == ["tag", "person"]
        assert ids(linker.link("which films star Ray Liotta")[0]) == ["person", "tag"]


def test_the_longest_name_covers() -> None:
    names = (("a", "Fellowship"), ("b", "The Lord of the Rings"), ("c", "The Lord of the Rings: The Two Towers"))
    with graph_of(*names) as graph:
        question = "Who directed The Lord of the Rings: The Two Towers?"
        (mention,) = EntityLinker(graph).link(question)
        assert (mention.text, ids(mention)[0]) == ("The Lord of the Rings: The Two Towers", "c")


def test_demonyms_and_plurals() -> None:
    with graph_of(("jm", "Jamaica"), ("srb", "Serbia"), ("serb", "Serb"), ("eg", "Egypt")) as graph:
        linker = EntityLinker(graph)
        assert ids(of(linker.link("what does jamaican people speak"), "jamaican"))[0] == "jm"
        assert ids(of(linker.link("what language do serbs speak"), "serbs"))[0] == "serb"
        assert ids(of(linker.link("What is the Egyptian currency?"), "Egyptian"))[0] == "eg"


def test_part_of_a_name_and_a_longer_one() -> None:
    facts = [("obama", f"r{n}", f"thing {n}") for n in range(30)]
    names = (("obama", "Barack Obama"), ("ben", "Benjamin Franklin"), ("henry", "Henry VIII of England"))
    with graph_of(*names, facts=facts) as graph:
        linker = EntityLinker(graph)
        assert ids(of(linker.link("where did obama go to school"), "obama"))[0] == "obama"
        assert ids(of(linker.link("what else did ben franklin invent"), "ben franklin"))[0] == "ben"
        assert ids(of(linker.link("who ruled after henry viii died"), "henry viii"))[0] == "henry"


def test_the_well_known_comes_before_the_obscure_where_a_name_is_shortened() -> None:
    facts = [("adolf", f"r{n}", f"thing {n}") for n in range(40)]
    with graph_of(("alois", "Alois Hitler"), ("adolf", "Adolf Hitler"), facts=facts) as graph:
        assert ids(EntityLinker(graph).link("what political party was hitler in")[0]) == ["adolf", "alois"]


def test_years_are_mentions_of_low_weight() -> None:
    with graph_of(("2011", "2011"), ("ohio", "Ohio")) as graph:
        mentions = EntityLinker(graph).link("who was governor of ohio in 2011")
        assert of(mentions, "2011").weight < of(mentions, "ohio").weight


LABELS = sorted(
    {record.form for record in read(bundled_path()) if isinstance(record, RawName) and len(record.form.split()) <= 12}
)
TEMPLATES = ("What do you know about {}?", "Who is {}'s brother?", "{} was founded when?", 'Is the city "{}" old?')


@pytest.mark.parametrize("lower", [False, True], ids=["cased", "lower"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_name_in_a_sentence_is_found(world: MemoryGraph, template: str, lower: bool) -> None:
    linker, found = EntityLinker(world), world.lookup(LABELS)
    template = template.lower() if lower else template
    start = template.index("{}")
    for label, matches in zip(LABELS, found, strict=True):
        name = label.lower() if lower else label
        mentions = [
            one for one in linker.link(template.format(name)) if (one.start, one.end) == (start, start + len(name))
        ]
        if matches:  # some forms name relations only
            assert mentions, name
            assert {match.id for match in matches} <= set(ids(mentions[0])), name


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(["Paris", "the", "of", "who's", "Mona", "—", "2011"])).map(" ".join)
)
def test_any_text(linker: EntityLinker, text: str) -> None:
    mentions = linker.link(text)
    assert all(text[m.start : m.end] == m.text and 0 <= m.weight <= 1 and m.candidates for m in mentions)
    assert all(one.end <= other.start for one, other in pairwise(mentions))
    assert all(0 <= candidate.score <= 1 for m in mentions for candidate in m.candidates)
    assert all(len(ids(m)) == len(set(ids(m))) for m in mentions)


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the Mona Liza?",
        "what is the currency of the uk?",
        "who was the wife of abraham lincon",
        "who was the queen of the united kingdom",
        "Who wrote Les Miserables?",
        "what do Germans speak",
    ],
)
def test_the_kernel_agrees_with_every_candidate(world: MemoryGraph, question: str) -> None:
    for mention in EntityLinker(world).link(question):
        for candidate in mention.candidates:
            builder = Builder(question, world)
            named = builder.entity(candidate.entity, (mention.start, mention.end), candidate.form)
            led = builder.follow(named, "r:nothing")
            report = builder.abstain(Nothing(of=led), tried=[led], method="test").check(world)
            (found,) = [node for node in report.nodes if node["op"] == "entity"]
            assert found["status"] in ("holds", "judged"), found["reason"]


class Counting(MemoryGraph):
    """A graph that counts how often it is asked."""

    lookups = 0
    searches = 0

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        self.lookups += 1
        return super().lookup(forms)

    def search(self, text: str, limit: int = 10) -> list[LabelMatch]:
        self.searches += 1
        return super().search(text, limit)


def test_one_batch_of_lookups_and_few_searches() -> None:
    with Counting.from_records(read(bundled_path())) as graph:
        linker = EntityLinker(graph)
        questions = (
            "which of dvoraks, chopens, verdys and puchinis operas did tolstoi, dostoyevsky, goete and shakspere hear",
            "Did Lev Tolstoi, Fyodor Dostojevsky, Wolfgang Goete, and Wiliam Shakspere hear Antonin Dvorak?",
        )
        for question in questions:
            graph.lookups = graph.searches = 0
            linker.link(question)
            assert graph.lookups == 1
            assert graph.searches <= 3


def test_vectors_find_names_that_share_no_word(tmp_path: Path) -> None:
    names = [("us", "United States"), ("uk", "United Kingdom"), ("ww2", "World War II"), ("fr", "France")]
    records: list[Record] = [RawName(identifier, label) for identifier, label in names]
    records += [RawStatement(identifier, "is", "thing") for identifier, _ in names]
    out = tmp_path / "graph"
    with build_directory(out) as work:
        build_graph([("made here", records)], work, name="names")
    with open_graph(out) as graph:
        build_vectors(out, graph, get_embedder())
        index = StoredVectors(out, get_embedder(), graph.fingerprint)
        mention = of(EntityLinker(graph, index=index).link("what happened in wwii"), "wwii")
        assert (ids(mention)[0], mention.candidates[0].how) == ("ww2", "vector")
        assert "ww2" not in {i for m in EntityLinker(graph).link("what happened in wwii") for i in ids(m)}


@pytest.mark.skipif(not (DATA / "crlt").is_dir(), reason=f"no data sets at {DATA}")
def test_crlt_questions() -> None:
    dataset = load("crlt/qa", DATA)
    with MemoryGraph.from_records(read(dataset.graphs[1])) as graph:
        linker = EntityLinker(graph)

        def link(question: str) -> list[list[str]]:
            return [ids(mention) for mention in linker.link(question)]

        result = evaluate_linking(dataset.questions, link, graph)
        assert result.success[1].estimate >= 0.9
        assert result.success[3].estimate >= 0.97
        assert result.mentions < 2
