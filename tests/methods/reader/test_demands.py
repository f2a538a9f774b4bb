"""What a question demands of its reading beyond its parts: columns, a word for each rank, units, amounts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from toulmin.english.lexicon import get_lexicon
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement
from toulmin.methods.question.restrictions import tokens
from toulmin.methods.reader.demands import Demands
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Calculated, Constant, Form, Hop, Join, Key, Kind, Ranked, Tabled, Things
from toulmin.methods.reader.mentions import read_question
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring, Weights
from toulmin.retrieval.retriever import Retriever

WARDS = Things(Kind("ward"))
BEDS, WEIGHT, NURSES = (
    Key((Hop("beds"),)),
    Key((Hop("weight", ids=("r:weight",)),)),
    Key((Hop("nurse of", backward=True),), "count"),
)
OAK, ELM = Constant("Oak", Entity("e:oak", "Oak")), Constant("Elm", Entity("e:elm", "Elm"))
MOST_BEDS, HEAVIEST, MOST_NURSES = (Ranked(WARDS, key, largest=True) for key in (BEDS, WEIGHT, NURSES))
STAY = Calculated("duration", Join(OAK, Hop("admitted")), Join(OAK, Hop("left")))
ONE, YES, STONE = [Entity("e:oak", "Oak")], [Literal("yes")], [Literal("stone")]


WEIGHED = Statement(Entity("e:oak", "Oak"), Relation("r:weight", "weight"), Literal("2", "quantity", unit="tonne"))
RETRIEVER = Retriever(MemoryGraph.from_statements([WEIGHED]))
SCHEMA = ReaderSchema(RETRIEVER.around([], 0)[0], RETRIEVER.embedder)


def unmet(question: str, form: Form, values: Sequence[Node] = ONE) -> list[str]:
    asked = read_question(question, RETRIEVER.linker, SCHEMA, RETRIEVER.embedder)
    scoring = Scoring(asked, SCHEMA, RETRIEVER.embedder, {}, Weights())
    spans = Demands(scoring, get_lexicon(), tokens(question)).unmet(Draft(form, "thing"), values)
    return [question[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("question", "form", "words"),
    [
        ("list all wards with their beds", WARDS, ["with their beds"]),
        ("give me all wards and how many beds they have", WARDS, ["and how many beds they", "how many"]),
        ("list all wards with their beds", Tabled(WARDS, (BEDS,)), []),
        ("list the years between a ward and its annexe", WARDS, []),
        ("list patients who share a room with their own mother", WARDS, []),
        ("which ward has the most beds", MOST_BEDS, []),
        ("the runner-up by beds", MOST_BEDS, []),
        ("wards and beds", MOST_BEDS, ["wards and beds"]),
        ("wards with beds in the forest since 2019", MOST_BEDS, ["wards with beds in the forest since 2019"]),
        ("what is the loveliest ward", MOST_NURSES, ["loveliest", "loveliest"]),
        ("what is the noblest ward", MOST_BEDS, ["noblest"]),  # no number of beds says so
        ("what is the biggest ward", MOST_BEDS, []),
        ("which ward has the most nurses", MOST_NURSES, []),
        ("the largest ward by nurses", MOST_NURSES, []),
        ("the most recent ward", HEAVIEST, ["recent"]),
        ("the most recent ward", MOST_BEDS, []),
        ("what is the heaviest ward", HEAVIEST, []),
        ("what is the fastest ward", HEAVIEST, ["fastest"]),  # no speed is told in tonnes
        ("the dearest ward", HEAVIEST, ["dearest"]),
        ("which ward has more beds than any other", MOST_BEDS, []),
        ("wards with less than 5 beds", MOST_BEDS, ["wards with less than 5 beds"]),
        ("wards last less than a day", MOST_BEDS, ["wards last less than a day"]),
    ],
)
def test_what_no_reading_of_another_form_meets(question: str, form: Form, words: list[str]) -> None:
    assert unmet(question, form) == words


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("list all wards with their beds", 1),
        ("list all wards with their beds, floor and head", 3),
        ("list all wards with their head (name) and floor, please", 2),
        ("list all wards with their head, opened in May and June", 0),
        ("all wards plus what they cost and who runs them", 0),
        ("which wards have beds", None),
    ],
)
def test_how_many_columns_are_asked_for(question: str, count: int | None) -> None:
    asked = read_question(question, RETRIEVER.linker, SCHEMA, RETRIEVER.embedder)
    columns = Demands(
        Scoring(asked, SCHEMA, RETRIEVER.embedder, {}, Weights()), get_lexicon(), tokens(question)
    ).columns
    assert (columns and (columns[1] or 0)) == count  # 0: it is not plain how many


def test_the_time_between_dates_is_told_in_years() -> None:
    years = [Literal("0.86", "quantity", unit="year")]
    assert unmet("how many days did Oak stay", STAY, years) == ["days"]
    assert unmet("how many years did Oak stay", STAY, years) == []


def test_the_first_of_many_at_one_place_are_not_so_many() -> None:
    three = Ranked(WARDS, BEDS, largest=True, last=3)
    assert unmet("top 3 wards by beds", three, ONE * 4) == []
    assert unmet("top 3 wards by beds", three, ONE * 9) == ["top"]


def test_how_heavy_asks_for_an_amount_and_who_for_no_truth() -> None:
    weight = Join(OAK, Hop("made of"))
    assert unmet("how heavy is Oak", weight, STONE) == ["how heavy"]
    assert unmet("how heavy is Oak", weight, [Literal("12 kg")]) == []
    assert unmet("how long has Oak been here", weight, [Literal("1999-01-04", "time")]) == ["how long"]
    assert unmet("how good is Oak", weight, STONE) == []
    assert unmet("which wards are open", weight, YES) == ["which"]
    assert unmet("is the ward which Oak runs open", weight, YES) == []
