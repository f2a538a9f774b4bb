"""Words that restrict or deny: an answer that does not use them is not given, and the abstention names them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from answer_sets import Ask, labels, named
from hypothesis import given, settings
from hypothesis import strategies as st

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, read
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import Literal
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import FidelisSettings
from toulmin.program.answer import Answer
from unread import questions

pytest_plugins = ("asked_graphs",)

RECORDED = Path(__file__).parents[3] / "benchmarks" / "recorded" / "unread"

STABLE: list[tuple[str, str, str | Literal]] = [
    ("Bellatrix", "sire", "Stormcloud"),
    ("Bellatrix", "colour", "bay"),
    ("Bellatrix", "not entered in", "Harbour Cup"),
    ("Bellatrix", "older than", "Dapple"),
    ("Bellatrix", "can be ridden by", "Rosa Pinto"),
    ("Bellatrix", "last name of owner", "Pinto"),
    ("Bellatrix", "minimum feed", Literal("6", "quantity", unit="kilogram")),
    ("Bellatrix", "number of races", Literal("14", "quantity")),
    ("Bellatrix", "price", Literal("9000", "quantity", unit="EUR")),
    ("Bellatrix", "unsuitable for", "beginners"),
    ("Dapple", "sire", "Stormcloud"),
    ("Dapple", "colour", "grey"),
    ("No Regrets", "sire", "Old Faithful"),
    ("Before Dawn", "colour", "black"),
]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with named(STABLE) as graph:
        asker = Asker(graph, method="fidelis", settings=FidelisSettings(abstain_below=0))

        @cache
        def asked(question: str) -> Answer:
            answer: Answer = asker.ask(question)
            assert answer.check(graph).exit_code == 0
            return answer

        yield asked


READ = {
    "What is the sire of Bellatrix?": {"Stormcloud"},
    "What is Bellatrix not entered in?": {"Harbour Cup"},
    "Which horse is Bellatrix older than?": {"Dapple"},
    "Who can Bellatrix be ridden by?": {"Rosa Pinto"},
    "What is the last name of the owner of Bellatrix?": {"Pinto"},
    "What is the minimum feed of Bellatrix?": {"6 kilogram"},
    "How much is the price of Bellatrix?": {"9000 EUR"},
    "What is the sire of No Regrets?": {"Old Faithful"},
    "What colour is Before Dawn?": {"black"},
    "Can you tell me the sire of Bellatrix?": {"Stormcloud"},
    "Could you please tell me what the colour of Bellatrix is?": {"bay"},
    "Do you know what colour Bellatrix is?": {"bay"},
    "I would like to know the sire of Bellatrix.": {"Stormcloud"},
    "For whom is Bellatrix unsuitable?": {"beginners"},
}

NOT_READ = {
    "What is not the sire of Bellatrix?": "“not”",
    "Which horse isn't the sire of Bellatrix?": "“isn't”",
    "which horse isnt the sire of bellatrix": "“isnt”",
    "Who is the sire of Bellatrix, other than Stormcloud?": "“other than”",
    "Who never was the sire of Bellatrix?": "“never”",
    "Which sire does Bellatrix have except Stormcloud?": "“except”",
    "Which is the fastest sire of Bellatrix?": "“fastest”",
    "Which sire of Bellatrix is faster?": "“faster”",
    "Which sire of Bellatrix weighs more than 500 kg?": "“more than 500”",
    "Which sire of Bellatrix has at least 3 races?": "“at least 3”",
    "Which sire did Bellatrix have before 1990?": "“before” (comparison), “1990” (time)",
    "Which sire did Bellatrix have in 1990?": "“1990”",
    "Which sire is as fast as Bellatrix?": "“as fast as”",
    "What is the second sire of Bellatrix?": "“second”",
    "Which sire should Bellatrix have?": "“should”",
    "Which sire might Bellatrix have?": "“might”",
    "Which sire is allowed for Bellatrix?": "“allowed”",
    "Which sire does Bellatrix need to have?": "“need to”",
    "How many sires does Bellatrix have?": "“How many”",
    "What is the average price of Bellatrix?": "“average”",
    "Is Stormcloud the sire of Bellatrix?": "“Is”",
    "Tell me whether Stormcloud is the sire of Bellatrix.": "“whether”",
    "Do you know if Stormcloud is the sire of Bellatrix?": "“if”",
    "Stormcloud is the sire of Bellatrix, right?": "“right”",
    "Bellatrix has the sire Stormcloud, doesn't she?": "“doesn't she”",
    "Bellatrix was sired by Stormcloud?": "“was”",
    "Please confirm that Stormcloud is the sire of Bellatrix.": "“confirm”",
    "Should Bellatrix be sold?": "“Should”",
}


@pytest.mark.parametrize(("question", "expected"), READ.items())
def test_what_a_name_or_a_relation_says_is_read(ask: Ask, question: str, expected: set[str]) -> None:
    assert labels(ask(question)) == expected


@pytest.mark.parametrize(("question", "words"), NOT_READ.items())
def test_what_nothing_reads_is_named(ask: Ask, question: str, words: str) -> None:
    answer = ask(question)
    assert answer.abstained
    assert words in (answer.reason or "")


@pytest.mark.parametrize("method", ["fidelis", "reader"])
def test_the_opposite_is_no_answer(method: str) -> None:
    with named(STABLE) as graph:
        answer = toulmin.ask(graph, "Which people is Bellatrix suitable for?", method=method)
    assert answer.abstained
    assert "opposite" in (answer.reason or "")


ANSWERED = (
    "Who directed Spirited Away?",
    "Where was Ada Lovelace born?",
    "Who wrote Things Fall Apart?",
    "Which prize did Chinua Achebe win?",
    "Which films did Akira Kurosawa direct?",
    "Where did the father of Ada Lovelace die?",
    "Who is the mother of the director of Lost in Translation?",
    "Who composed the music of the films directed by Satyajit Ray?",
)
WORDS = (
    "not",
    "never",
    "without",
    "only",
    "cheapest",
    "most",
    "exactly",
    "before",
    "should",
    "ought",
    "allowed",
    "seven",
)


@settings(max_examples=60, deadline=None)
@given(question=st.sampled_from(ANSWERED), word=st.sampled_from(WORDS), data=st.data())
def test_an_answered_question_with_such_a_word_in_it_is_never_answered_as_before(
    ask_world: Ask, ask_world_surely: Ask, question: str, word: str, data: st.DataObject
) -> None:
    before = labels(ask_world(question))
    assert before
    words = question.split()
    place = data.draw(st.integers(1, len(words) - 1))
    answer = ask_world_surely(" ".join([*words[:place], word, *words[place:]]))
    assert labels(answer) != before
    assert answer.reason or not answer.abstained


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which award did Marie Curie not receive?", "“not”"),
        ("Who was Marie Curie's first employer?", "“first”"),
        ("What is the highest mountain in Japan?", "“highest”"),
        ("Which films did Akira Kurosawa direct before 1960?", "“before” (comparison), “1960” (time)"),
    ],
)
def test_the_bundled_graph_is_asked_for_more_than_its_paths_say(
    world: EmbeddedGraph, question: str, words: str
) -> None:
    answer = toulmin.ask(world, question, method="fidelis", settings=FidelisSettings(abstain_below=0))
    assert answer.abstained
    assert words in (answer.reason or "")
    assert answer.check(world).exit_code == 0


PAINTINGS = [("Dusk", "1903-12-10"), ("Noon", "1903-05-05"), ("Frost", "1904")]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("in 1903", {"Dusk", "Noon"}),
        ("on 10 December 1903", {"Dusk"}),
        ("on May 5, 1903", {"Noon"}),
        ("in May 1903", {"Noon"}),
        ("on 6 May 1903", None),
        ("in 1904", {"Frost"}),
        ("in June 1904", None),  # in that year, nobody knows when
        ("around 1904", None),
    ],
)
def test_a_time_restricts_or_is_named(when: str, expected: set[str] | None) -> None:
    records: list[RawStatement | RawName] = [
        RawName("e:lea", "Lea Sand"),
        RawName("r:painted", "exhibited"),
        RawName("r:when", "point in time"),
        *(RawName(f"e:{title}", title) for title, _ in PAINTINGS),
        *(
            RawStatement("e:lea", "r:painted", f"e:{title}", (("r:when", Literal(day, "time")),))
            for title, day in PAINTINGS
        ),
    ]
    with MemoryGraph.from_records(records) as graph:
        answer = toulmin.ask(graph, f"What did Lea Sand exhibit {when}?", method="reader")
        assert labels(answer) == (expected or set())
        assert answer.abstained == (expected is None)
        assert expected is not None or when.split()[-1] in (answer.reason or "")
        assert answer.check(graph).exit_code == 0


@pytest.mark.parametrize("name", ["bicycles", "clinic", "school"])
def test_none_of_the_recorded_questions_is_answered_as_if_the_word_were_not_there(name: str) -> None:
    rows = [row for row in questions(RECORDED) if row["graph"] == name and not row["gold"]]
    with MemoryGraph.from_records(read(RECORDED / f"{name}.jsonl", strict=True)) as graph:
        ask = Asker(graph, method="fidelis", settings=FidelisSettings(abstain_below=0)).ask
        assert [row["question"] for row in rows if not ask(row["question"]).abstained] == []
    assert len(rows) > 15
