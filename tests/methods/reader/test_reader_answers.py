"""The reader over small graphs: right answers whose certificate passes its check, abstentions, readings."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import pairwise
from weakref import ref

import pytest
from answer_sets import labels
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reader_worlds import PARTS, WARD, world

import toulmin
from toulmin.errors import SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.readers.tables import table_graph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.methods.asker import Asker
from toulmin.methods.reader import ReaderSettings
from toulmin.methods.reader.network import shipped_network
from toulmin.methods.reader.reading import question_reader
from toulmin.program.answer import Answer, node_text
from toulmin.retrieval.retriever import Retriever

ON_WARDS: dict[str, set[str] | bool] = {
    "Who is the supervisor of Rui Tomas?": {"Ole Bratt"},
    "Which nurses have Ole Bratt as their supervisor?": {"Nadia Kesper", "Rui Tomas"},
    "Which nurses work on the South Ward?": {"Nadia Kesper", "Rui Tomas"},
    "How many nurses work on the North Ward?": {"2"},
    "Which nurse has the highest salary?": {"Ole Bratt"},
    "Which ward has the most beds?": {"South Ward"},
    "What is the average salary of the nurses?": {"3825 EUR"},
    "Which patients were admitted in 2023?": {"Tilda Roos"},
    "Which nurses have a salary above 3700 EUR?": {"Nadia Kesper", "Ole Bratt"},
    "Is the salary of Ole Bratt higher than the salary of Rui Tomas?": True,
    "What is the floor of the Infant Ward?": {"1"},
    "When was Ole Bratt born?": {"1979-05-30"},
}
OF_PARTS: dict[str, set[str] | bool] = {
    "Which parts are made of steel?": {"drive shaft", "hex bolt"},
    "Which parts are made of steel or rubber?": {"drive shaft", "hex bolt", "sealing ring"},
    "Which parts cost more than 5 EUR?": {"cover plate", "drive shaft"},
    "In which country is the supplier of the cover plate?": {"Italy"},
}
NOT_THERE = [
    "What is the favourite colour of Ines Falk?",
    "Who is the supervisor of Zacharias Quellmalz?",
    "What is the wifi password?",
    "Who painted the town hall of Bruckfeld?",
]
FAMILY: list[RawStatement | RawName] = [  # no class is stated of anybody
    RawName("p:alma", "Alma Tiering"),
    RawName("p:boris", "Boris Tiering"),
    RawName("p:cora", "Cora Lindt"),
    RawName("p:dan", "Dan Lindt"),
    RawName("t:molden", "Molden"),
    RawName("r:mother", "mother"),
    RawName("r:mother", "mum", "alias"),
    RawName("r:father", "father"),
    RawName("r:birthplace", "place of birth"),
    RawName("r:born", "date of birth"),
    RawStatement("p:cora", "r:mother", "p:alma"),
    RawStatement("p:cora", "r:father", "p:boris"),
    RawStatement("p:dan", "r:mother", "p:cora"),
    RawStatement("p:boris", "r:birthplace", "t:molden"),
    RawStatement("p:cora", "r:born", Literal("1950-09-14", "time")),
]
IN_FAMILY = {
    "Who is the mother of Dan Lindt?": {"Cora Lindt"},
    "Who is the mum of Dan Lindt?": {"Cora Lindt"},
    "What is the place of birth of Boris Tiering?": {"Molden"},
    "When was Cora Lindt born?": {"1950-09-14"},
}


@pytest.fixture(scope="module")
def wards() -> Iterator[MemoryGraph]:
    with world(WARD).graph() as graph:
        yield graph


@pytest.fixture(scope="module")
def parts() -> Iterator[MemoryGraph]:
    with world(PARTS).graph() as graph:
        yield graph


def given_of(answer: Answer) -> set[str] | bool | None:
    if answer.abstained:
        return None
    return labels(answer) if answer.verdict is None else answer.verdict


@pytest.mark.parametrize("question", ON_WARDS)
def test_answers_on_wards(wards: MemoryGraph, question: str) -> None:
    answer = toulmin.ask(wards, question, method="reader")
    assert given_of(answer) == ON_WARDS[question]
    assert answer.check(wards).exit_code == 0
    assert answer.confidence is not None
    assert 0.35 <= answer.confidence <= 1


@pytest.mark.parametrize("question", OF_PARTS)
def test_answers_of_parts(parts: MemoryGraph, question: str) -> None:
    answer = toulmin.ask(parts, question, method="reader")
    assert given_of(answer) == OF_PARTS[question]
    assert answer.check(parts).exit_code == 0


def test_two_values_of_one_thing_are_compared() -> None:
    header = ["Item", "In stock", "Reorder level", "Shelf"]
    rows = [["bolt", "40", "100", "3"], ["nut", "400", "100", "3"], ["plate", "4", "10", "7"]]
    with table_graph("item", header, rows) as graph:
        answer = toulmin.ask(graph, "Which items have a stock below their reorder level?", method="reader")
        assert given_of(answer) == {"bolt", "plate"}
        assert answer.check(graph).exit_code == 0


def test_a_graph_without_classes() -> None:
    with MemoryGraph.from_records(FAMILY) as graph:
        answers = {question: toulmin.ask(graph, question, method="reader") for question in IN_FAMILY}
        assert {question: given_of(answer) for question, answer in answers.items()} == IN_FAMILY
        assert [answer.check(graph).exit_code for answer in answers.values()] == [0] * len(IN_FAMILY)


def test_a_table() -> None:
    header = ["Boat", "Builder", "Length (m)", "Launched"]
    rows = [["Petrel", "Hamre", "9.5", "1988"], ["Skua", "Hamre", "12", "2003"], ["Dunlin", "Ostby", "7", "2011"]]
    with table_graph("boat", header, rows) as graph:
        answers = {
            question: given_of(toulmin.ask(graph, question, method="reader"))
            for question in ("Which boats have Hamre as their builder?", "What is the length of the Skua?")
        }
    assert answers == {
        "Which boats have Hamre as their builder?": {"Petrel", "Skua"},
        "What is the length of the Skua?": {"12 m"},
    }


def test_an_answer_tells_how_it_was_judged(wards: MemoryGraph) -> None:
    answer = toulmin.ask(wards, "Who is the supervisor of Rui Tomas?", method="reader")
    assert answer.check(wards).status == "judged"
    assert answer.check(wards, strict=True).exit_code == 1
    assert answer.certificate["reading"]["by"].startswith("reader with toulmin-minilm-reader-int8-")


def test_an_assumption_is_told(wards: MemoryGraph) -> None:
    """That Rui Tomas works on no other ward is not in the graph: "no" assumes that it lists all."""
    answer = toulmin.ask(wards, "Does Rui Tomas work on the North Ward?", method="reader")
    assert answer.verdict is False
    report = answer.check(wards)
    assert report.exit_code == 0
    assert report.status == "assumed"


@pytest.mark.parametrize("question", NOT_THERE)
def test_what_is_not_there_is_not_answered(wards: MemoryGraph, question: str) -> None:
    answer = toulmin.ask(wards, question, method="reader")
    assert answer.abstained
    assert answer.values == ()
    assert answer.reason
    assert answer.check(wards).exit_code == 0


def test_a_name_that_the_graph_lacks_is_told(wards: MemoryGraph) -> None:
    answer = toulmin.ask(wards, "Who is the supervisor of Zacharias Quellmalz?", method="reader")
    assert answer.reason == "the graph has no “Zacharias Quellmalz”"


def test_an_empty_graph() -> None:
    with MemoryGraph.from_records([]) as graph:
        answer = toulmin.ask(graph, "Who heads the ward?", method="reader")
        assert answer.abstained
        assert answer.check(graph).exit_code == 0


# -- readings --------------------------------------------------------------------------------------------------------


def test_readings_are_told_and_chosen(wards: MemoryGraph) -> None:
    question = "Who is the supervisor of Nadia Kesper?"
    answer = toulmin.ask(wards, question, method="reader")
    assert len(answer.readings) > 1
    first, second, *_ = answer.readings
    assert first["says"] == "the supervisor of Nadia Kesper"
    assert (first["yields"], first["of"], first["near"]) == (["Ole Bratt"], 1, True)
    probabilities = [one["probability"] for one in answer.readings]
    assert all(one >= other for one, other in pairwise(probabilities))
    assert sum(probabilities) <= 1  # the rest is for the readings that yield nothing, and for "none of them"
    assert len({tuple(sorted(one["yields"])) for one in answer.readings}) == len(answer.readings)

    other = toulmin.ask(wards, question, settings=ReaderSettings(reading=2))
    assert not other.abstained
    assert sorted(map(node_text, other.values))[:5] == sorted(second["yields"]) or other.verdict is not None
    assert "who asked" in other.certificate["reading"]["by"]
    assert other.confidence == 1
    assert other.check(wards).exit_code == 0


def test_a_reading_that_is_not_there(wards: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="reading is 99: this question has"):
        toulmin.ask(wards, "Who is the supervisor of Nadia Kesper?", settings=ReaderSettings(reading=99))


def test_a_bar_that_nothing_passes(wards: MemoryGraph) -> None:
    answer = toulmin.ask(wards, "Who is the supervisor of Rui Tomas?", settings=ReaderSettings(abstain_below=1))
    assert answer.abstained
    assert answer.reason is not None
    assert "not near enough" in answer.reason
    assert answer.readings[0]["yields"] == ["Ole Bratt"]


# -- whatever is asked -----------------------------------------------------------------------------------------------

WORDS = (
    "who which what how many when is are does the a of on in with without not no than more less most least average "
    "total between and or since until before after first second three 2 1984 2024 3700 EUR kg nurse nurses ward wards "
    "patient doctors salary supervisor works lies floor beds born admitted weight allergy insured treated headed "
    "yes ? ! “ ” ' … 0 -1 1e9 é 龍"
).split()
NAMES = ["Ole Bratt", "Nadia Kesper", "North Ward", "Piet Anker", "penicillin", "Ines Falk", "head nurse", "Zog"]


@pytest.fixture(scope="module")
def asker(wards: MemoryGraph) -> Asker:
    return Asker(wards, method="reader")


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(said=st.lists(st.sampled_from([*WORDS, *NAMES]), min_size=1, max_size=9))
def test_whatever_is_asked_is_answered_or_not(asker: Asker, wards: MemoryGraph, said: list[str]) -> None:
    answer = asker.ask(" ".join(said))
    assert answer.abstained == (answer.reason is not None)
    assert answer.check(wards).exit_code == 0


def test_what_is_known_of_a_graph_goes_with_what_it_was_opened_for() -> None:
    relation, things = Relation("keeper", "keeper"), [Entity(name, name) for name in ("Otter Mill", "Ilse Brandt")]
    retriever = Retriever(MemoryGraph.from_statements([Statement(things[0], relation, things[1])]))
    question_reader(retriever).read("Who is the keeper of Otter Mill?", shipped_network(), ReaderSettings())
    gone = ref(retriever)
    del retriever
    gc.collect()
    assert gone() is None


# -- complete or refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which ward should Rui Tomas work on?", "should"),
        ("Can Rui Tomas work on the South Ward?", "Can"),
    ],
)
def test_what_is_advisable_or_possible_is_not_answered(wards: MemoryGraph, question: str, words: str) -> None:
    answer = toulmin.ask(wards, question, method="reader")
    assert answer.abstained
    assert words in (answer.reason or "")
    assert answer.check(wards).exit_code == 0


def test_a_quoted_text_has_a_part_in_the_reading(parts: MemoryGraph) -> None:
    answer = toulmin.ask(
        parts, 'Which part in the "Westwing" has the highest price?', settings=ReaderSettings(abstain_below=0.0)
    )
    assert answer.abstained
    assert "Westwing" in (answer.reason or "")
    assert answer.check(parts).exit_code == 0


def test_when_is_answered_by_a_year_that_is_a_name() -> None:
    opened, things = Relation("opened", "opened"), [Entity(name, name) for name in ("Otter Mill", "1956")]
    with MemoryGraph.from_statements([Statement(things[0], opened, things[1])]) as graph:
        answer = toulmin.ask(graph, "When was Otter Mill opened?", settings=ReaderSettings(abstain_below=0.0))
    assert answer.text == "1956"


def test_a_number_of_a_label_is_read() -> None:
    growth, named = Relation("growth", "growth since 1993"), Entity("Brusk", "Brusk")
    with MemoryGraph.from_statements([Statement(named, growth, Literal("3", "quantity"))]) as graph:
        asked = ("What is the growth since 1993 of Brusk?", "What is the growth since 1997 of Brusk?")
        read, unread = (toulmin.ask(graph, one, settings=ReaderSettings(abstain_below=0.0)) for one in asked)
    assert read.text == "3"
    assert unread.abstained and "1997" in (unread.reason or "")


def test_when_is_not_answered_by_a_thing() -> None:
    keeper, things = Relation("keeper", "keeper"), [Entity(name, name) for name in ("Otter Mill", "Ilse Brandt")]
    with MemoryGraph.from_statements([Statement(things[0], keeper, things[1])]) as graph:
        who, when = (
            toulmin.ask(graph, f"{word} is the keeper of Otter Mill?", settings=ReaderSettings(abstain_below=0.0))
            for word in ("Who", "When")
        )
    assert (who.text, when.abstained) == ("Ilse Brandt", True)
    assert "When" in (when.reason or "")


@pytest.mark.parametrize(
    "question",
    [
        "How many nurses do not work on the North Ward?",
        "Which nurses have a salary of no more than 3700 EUR?",
        "Which wards have 14 or more beds?",
        "Could you point me to the supervisor of Rui Tomas?",
        "Since when has Rui Tomas been on the South Ward?",
    ],
)
def test_what_an_operator_reads_is_answered(wards: MemoryGraph, question: str) -> None:
    assert not toulmin.ask(wards, question, method="reader").abstained


def test_the_name_of_a_thing_is_no_answer_about_it() -> None:
    machine, mill = Relation("r:machine", "machine"), Entity("e:mill", "Mill B2")
    jobs = [Statement(Entity(f"e:job{n}", f"job {n}"), machine, mill) for n in (1, 2, 3)]
    named = Statement(mill, machine, Literal("Mill B2"))
    with MemoryGraph.from_statements([*jobs, named]) as graph:
        answer = toulmin.ask(graph, "What is the machine of Mill B2?", method="reader")
    assert answer.abstained or answer.text != "Mill B2"
