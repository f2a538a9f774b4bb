"""The questions of strangers: their gold is what the graphs give, and answers are compared with it by value."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strangers import alike, asked, figures, judged, key, same
from strangers_gold import FOLDER, GRAPHS, SETS, facts, questions, sources, stored
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Rejected
from toulmin.graph.types import Literal
from toulmin.methods.asker import Asker

SMITHY: list[RawStatement | RawName | Rejected] = [
    RawName("s:anvil", "the great anvil"),
    RawName("s:odo", "Odo Marsh"),
    RawName("s:maker", "maker"),
    RawName("s:weight", "weight"),
    RawStatement("s:anvil", "s:maker", "s:odo"),
    RawStatement("s:anvil", "s:weight", Literal("210", "quantity", "kilogram")),
]
texts = st.text(min_size=1, max_size=12)
ROOT = Path(__file__).resolve().parents[2]


def words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text.casefold()))


@pytest.mark.parametrize("name", GRAPHS)
def test_the_stored_gold_is_what_the_graph_gives(name: str) -> None:
    made = questions(name)
    assert made == stored(name)
    dataset = load(str(FOLDER / name / "questions.jsonl"))
    assert dataset.problems == ()
    assert len(dataset.questions) == len(made)
    assert all(one.gold != "none" for one in dataset.questions)


def by_others(set_: str) -> list[Question]:
    datasets = [load(str(sources(name)[0].with_name("questions.jsonl"))) for name in SETS[set_][0]]
    assert all(dataset.problems == () for dataset in datasets)
    return [question for dataset in datasets for question in dataset.questions]


@pytest.mark.parametrize("set_", ["second", "third", "fourth", "fifth"])
def test_the_sets_of_others_have_a_gold_for_each_question(set_: str) -> None:
    every = by_others(set_)
    assert len(every) >= 300
    assert all(one.gold != "none" for one in every)
    assert len({one.id for one in every}) == len(every)
    assert sum(one.unknown for one in every) >= 40
    assert all(file.is_file() for name in SETS[set_][0] for file in sources(name))


def test_there_are_enough_of_each() -> None:
    every = [one for name in GRAPHS for one in stored(name)]
    kinds = Counter(one["type"].split(":")[0] for one in every)
    assert len(every) >= 300
    assert (kinds["unanswerable"], kinds["direction"] >= 60) == (40, True)
    assert len({one["id"] for one in every}) == len(every)
    verdicts = Counter(one["verdict"] for one in every if "verdict" in one)
    assert min(verdicts.values()) >= 6


def test_nothing_that_ships_or_trains_holds_a_name_or_a_question_of_theirs() -> None:
    """Names of two words and more, one of them uncommon; a failure names files, and no name.

    Of the other sets, which came after the training, the questions but for two of three words, which stand in worlds
    by chance, as does one name of its gold.
    """
    common = set((ROOT / "src/toulmin/retrieval/wordpiece/vocab.txt").read_text("utf-8").split())
    theirs = {words(one["question"]) for name in GRAPHS for one in stored(name)}
    others = [question for set_ in ("second", "third", "fourth", "fifth") for question in by_others(set_)]
    theirs |= {words(one.question) for one in others if len(words(one.question)) > 3}
    for name in GRAPHS:
        for subject, _, value, _ in facts(name).statements:
            texts = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one) for one in (subject, value) if isinstance(one, str)]
            theirs |= {words(one) for one in texts if not (common >= set(words(one)) or re.search(r"\d", one))}
    theirs = {one for one in theirs if len(one) > 1}
    longest = max(map(len, theirs))
    borrowing = []
    for path in (file for folder in ("src", "training") for file in (ROOT / folder).rglob("*")):
        if path.suffix in {".md", ".json", ".jsonl", ".tsv", ".txt", ".py", ".toml"}:
            found = words(path.read_text("utf-8", errors="replace"))
            starts = {one[:2] for one in theirs}
            places = [place for place in range(len(found) - 1) if found[place : place + 2] in starts]
            if any(found[place : place + n] in theirs for place in places for n in range(2, longest + 1)):
                borrowing.append(str(path.relative_to(ROOT)))
    assert borrowing == []


def test_a_tie_is_no_gold() -> None:
    tea = facts("tea")
    with pytest.raises(ValueError, match="tie"):
        tea.answer("top(having('Lot'), 'Organic')")


@pytest.mark.parametrize(
    ("gold", "given"),
    [
        ("12.5", "12.50 EUR"),
        ("1250", "1,250 kg"),
        ("1250", "€1,250.00"),
        ("-4", "−4 °C"),
        ("3.333333", "3.33"),
        ("2020-02-01", "2020-02-01T00:00:00Z"),
        ("2020-02-01", "01/02/2020"),
        ("TallShip", "tall_ship"),
        ("Zoë Ash", "zoe ash"),
    ],
)
def test_values_that_are_equal(gold: str, given: str) -> None:
    assert alike(key(gold), key(given))


@pytest.mark.parametrize(
    ("gold", "given"), [("12", "13"), ("4", "-4"), ("Bay 1", "Bay 2"), ("2020-02-01", "2020-02-02"), ("12", "twelve")]
)
def test_values_that_are_not(gold: str, given: str) -> None:
    assert not alike(key(gold), key(given))


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4, unique=True))
def test_rows_are_equal_in_any_order_of_rows_and_columns(rows: list[tuple[str, str]]) -> None:
    keys = [[key(cell) for cell in row] for row in rows]
    assert same(keys, [row[::-1] for row in reversed(keys)])
    assert not same(keys, [])


def test_an_answer_and_a_silence_are_judged() -> None:
    with MemoryGraph.from_records(SMITHY) as graph:
        asker = Asker(graph, method="fidelis")
        answer = asker.ask("Who is the maker of the great anvil?")
        assert judged(Question("a", "?", answers=("ODO MARSH",)), answer, {}) == "right"
        assert judged(Question("a", "?", answers=("Odo Marsh", "Ines Hart")), answer, {}) == "wrong"
        assert judged(Question("a", "?", unknown=True), answer, {}) == "wrong"
        assert judged(Question("a", "?", answers=("the smith",)), answer, {"Odo Marsh": "the smith"}) == "right"
        silent = Question("b", "Should the great anvil be sold?", unknown=True, type="unanswerable: modality")
        found = [asked("smithy", silent, asker, graph, {})]
        assert [one.result for one in found] == ["silent"]
        refused = figures(found)["unanswerable refused"]
        assert refused is not None
        assert refused.estimate == 1.0
