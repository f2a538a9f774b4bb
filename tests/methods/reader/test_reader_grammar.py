"""What the grammar offers for a question holds what the question means; what it names is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from reader_worlds import PARTS, WARD, world

from reader_candidates import World
from same_meaning import same_meaning
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import Restricted
from toulmin.methods.reader.mentions import Mentioned, read_question
from toulmin.methods.reader.utterances import utterance

ON_WARDS = {
    "Who supervises Rui Tomas?": '(follow "Rui Tomas" supervisor)',
    "Whom does Ole Bratt supervise?": '(follow "Ole Bratt" ~supervisor)',
    "Who heads the ward on which Piet Anker lies?": '(follow "Piet Anker" lies_on/headed_by)',
    "Which nurses work on the South Ward?": '(where :nurse (works_on = "South Ward"))',
    "How many nurses work on the North Ward?": '(count (where :nurse (works_on = "North Ward")))',
    "Which nurses have a salary above 3700 euros?": '(where :nurse (salary > "3700 EUR"))',
    "Which patients were admitted in 2024?": "(where :patient (admitted = 2024))",
    "Which patients have no allergy?": "(where :patient (lacks allergy))",
    "Which patients are insured?": '(where :patient (insured = "yes"))',
    "Which insured patients lie on the South Ward?": '(where :patient (insured = "yes") (lies_on = "South Ward"))',
    "Which patients are treated by a doctor for cardiology?": '(where :patient (treated_by/specialty = "cardiology"))',
    "Which wards have at least two nurses?": "(where :ward ((count ~works_on) >= 2))",
    "Which nurse has the highest salary?": "(top :nurse salary)",
    "Who has more beds, North Ward or South Ward?": '(top (or "North Ward" "South Ward") beds)',
    "What is the average salary of the nurses?": "(mean :nurse salary)",
    "How many beds do all wards have in total?": "(sum :ward beds)",
    "Is the salary of Ole Bratt higher than that of Rui Tomas?": (
        '(is (follow "Ole Bratt" salary) > (follow "Rui Tomas" salary))'
    ),
    "How much more does Ole Bratt earn than Rui Tomas?": (
        '(difference (follow "Ole Bratt" salary) (follow "Rui Tomas" salary))'
    ),
    "Does Rui Tomas work on the South Ward?": '(in "Rui Tomas" (follow "South Ward" ~works_on))',
    "Do Piet Anker and Hugo Merz have the same doctor?": (
        '(agree (follow "Piet Anker" treated_by) (follow "Hugo Merz" treated_by))'
    ),
    "Since when has Nadia Kesper worked on the South Ward?": (
        '(noted (follow "Nadia Kesper" works_on) since "South Ward")'
    ),
    "Where did Nadia Kesper work in 2016?": '(during (follow "Nadia Kesper" works_on) 2016 2016)',
    "Which wards have an insured patient?": '(where :ward (~lies_on/insured = "yes"))',
    "Which patients of Ines Falk are not on the South Ward?": (
        '(where :patient (treated_by = "Ines Falk") (lies_on != "South Ward"))'
    ),
    "nurses except Rui Tomas": '(minus :nurse "Rui Tomas")',
    "Which patients weigh more than Lotte Wiek and lie on the same ward?": (
        '(where :patient (weight > (follow "Lotte Wiek" weight)) (lies_on = (follow "Lotte Wiek" lies_on)))'
    ),
    "Which wards have more beds than their floor has as number?": "(where :ward (beds > (own floor)))",
    "nurses born in the seventies": '(where :nurse (born = "the 1970s"))',
    "average salary of the nurses by ward": "(group :nurse works_on (mean salary))",
}
OF_PARTS = {
    "Which parts do not come from Veltmann?": '(where :part (supplied_by != "Veltmann"))',
    "What are the three cheapest parts?": "(bottom :part price 3)",
    "Which parts of steel or rubber are there?": '(where :part (material = "steel" "rubber"))',
    "In which country is the supplier of the cover plate?": '(follow "cover plate" supplied_by/country)',
    "How many parts are there for each supplier?": "(group :part supplied_by count)",
    "List the parts with their price and stock": "(table :part price stock)",
    "Which supplier was founded before 1970?": "(where :supplier (founded < 1970))",
    "metal suppliers": '(where :supplier (line_of_business contains "metal"))',
    "Which parts aren't steel or rubber?": '(where :part (material != "steel" "rubber"))',
    "Which of the hex bolt, the drive shaft and the cover plate is the heaviest?": (
        '(top (or "hex bolt" "drive shaft" "cover plate") weight)'
    ),
    "steel-made parts": '(where :part (material = "steel"))',
}


@pytest.fixture(scope="module")
def wards() -> Iterator[World]:
    opened = World(world(WARD, list(ON_WARDS.values())))
    yield opened
    opened.graph.close()


@pytest.fixture(scope="module")
def parts() -> Iterator[World]:
    opened = World(world(PARTS, list(OF_PARTS.values())))
    yield opened
    opened.graph.close()


def test_the_grammar_reaches_what_questions_mean(wards: World, parts: World) -> None:
    missed = []
    for opened, asked in ((wards, ON_WARDS), (parts, OF_PARTS)):
        for question, example in zip(asked, opened.domain.examples, strict=True):
            _, drafts = opened.offered(question)
            assert example.form is not None
            if not any(same_meaning(draft.form, example.form) for draft in drafts):
                missed.append(question)
    assert missed == []


BARE = {
    "Which others share the supplier of the hex bolt?": (
        '(minus (follow "hex bolt" supplied_by/~supplied_by) "hex bolt")'
    ),
    "Where are the suppliers of the gearbox's parts from?": '(follow "gearbox" consists_of/supplied_by/country)',
}


def test_without_classes_it_reaches_the_others_that_share_something() -> None:
    opened = World(world(PARTS, list(BARE.values())), bare=True)
    for question, example in zip(BARE, opened.domain.examples, strict=True):
        _, drafts = opened.offered(question)
        assert example.form is not None
        assert any(same_meaning(draft.form, example.form) for draft in drafts), question
    opened.graph.close()


def test_without_classes_it_offers_no_hop_that_nothing_of_the_kind_has() -> None:
    opened = World(world(PARTS), bare=True)
    _, drafts = opened.offered("What is the price of Veltmann?")
    said = {utterance(draft.form) for draft in drafts}
    assert "country of Veltmann" in said
    assert "price of Veltmann" not in said  # a supplier has none, whichever
    _, drafts = opened.offered("What is the stock of the gearbox's cover plate?")
    assert "stock of cover plate" in {utterance(draft.form) for draft in drafts}
    opened.graph.close()


def named(opened: World, question: str, kind: str) -> dict[str, Any]:
    """What words of a question are read as: entities by their label, values with their unit."""
    asked = read_question(question, opened.retriever.linker, opened.schema, opened.retriever.embedder)
    found = [one for one in asked.mentioned if one.kind == kind and one.named.words is not None]
    return {question[slice(*(one.named.words or ()))]: _shown(one) for one in found}


def _shown(one: Mentioned) -> str:
    node = one.named.node
    if isinstance(node, Entity):
        return node.label or node.id
    assert isinstance(node, Literal)
    return f"{node.value} {node.unit}" if node.unit else node.value


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("wards with more than 12 beds", {"12": "12"}),
        ("wards with at least two nurses", {"two": "2"}),
        ("nurses with over 2 million euros", {"2 million euros": "2000000 EUR"}),
        ("nurses who earn five thousand euros", {"five thousand euros": "5000 EUR"}),
        ("wards with fewer than twenty-five beds", {"twenty-five": "25"}),
        ("wards with zero beds", {"zero": "0"}),
        ("patients over sixty", {"sixty": "60"}),
        ("nurses who earn fifty thousand", {"fifty thousand": "50000"}),
        ("does a nurse earn a hundred and fifty thousand euros", {"a hundred and fifty thousand euros": "150000 EUR"}),
        ("patients of seventy-five kilograms", {"seventy-five kilograms": "75 kilograms"}),
        ("the twenty-first ward by beds", {"twenty-first": "21"}),
        ("nurses who earn 3,500 EUR or more", {"3,500 EUR": "3500 EUR"}),
        ("the second ward by beds", {"second": "2"}),
        ("the 3rd ward by beds", {"3rd": "3"}),
        ("patients of 75 kg", {"75 kg": "75 kg"}),
        ("patients over 200 m away", {"200 m": "200 m"}),
        ("wards below -5 degrees", {"-5 degrees": "-5 degrees"}),
        ("wards 5-10", {}),
        ("wards that cost $3m", {"$3m": "3000000 USD"}),
        ("bed 7 in the North Ward", {"7": "7"}),
        ("patients under a kilogram", {"a kilogram": "1 kilogram"}),
        ("patients with a kilogram of flour", {}),
        ("a nurse of a ward", {}),
    ],
)
def test_numbers(wards: World, question: str, numbers: dict[str, str]) -> None:
    assert named(wards, question, "number") == numbers


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("nurses born before 1984", {"1984": "1984"}),
        ("nurses born before nineteen eighty-four", {"nineteen eighty-four": "1984"}),
        ("patients admitted on 5 March 2024", {"5 March 2024": "2024-03-05"}),
        ("patients admitted in March 2024", {"March 2024": "2024-03"}),
        ("patients admitted on 2024-03-05", {"2024-03-05": "2024-03-05"}),
        ("nurses born in the nineties", {"nineties": "1990"}),
    ],
)
def test_times(wards: World, question: str, times: dict[str, str]) -> None:
    assert named(wards, question, "time") == times


def test_a_year_may_be_a_number(wards: World) -> None:
    assert named(wards, "wards with 1984 beds", "number") == {"1984": "1984"}


def test_texts_of_the_graph(parts: World) -> None:
    assert named(parts, "parts of steel", "text") == {"steel": "steel"}
    assert named(parts, "suppliers in AUSTRIA", "text") == {"AUSTRIA": "Austria"}


def test_words_of_longer_texts(parts: World) -> None:
    assert named(parts, "suppliers of fittings", "within") == {"fittings": "fittings"}
    assert named(parts, "suppliers of anything", "within") == {}


def test_a_value_is_compared_with_what_has_such_a_unit(wards: World) -> None:
    _, drafts = wards.offered("patients of more than 70 kg")
    bounds = {utterance(draft.form) for draft in drafts if "larger than 70" in utterance(draft.form)}
    assert "patient whose weight is larger than 70 kg" in bounds
    assert not any("salary" in text for text in bounds)


def test_texts_in_quotation_marks(wards: World) -> None:
    for question in ('patients whose allergy contains "pen"', "patients whose allergy contains “pen”"):
        assert named(wards, question, "quoted") == {"pen": "pen"}


def test_entities_and_their_plurals(wards: World, parts: World) -> None:
    assert named(wards, "Who is the supervisor of Rui Tomas?", "entity") == {"Rui Tomas": "Rui Tomas"}
    assert named(parts, "Who supplies hex bolts?", "entity") == {"hex bolts": "hex bolt"}


def test_a_class_is_no_entity(wards: World) -> None:
    assert named(wards, "Which nurses are there?", "entity") == {}


def test_bounds_hold_something_between_them(wards: World) -> None:
    _, drafts = wards.offered("patients admitted between 1 March 2024 and 20 March 2024")
    bounds = [
        [(condition.do, str(condition.values[0].text)) for condition in draft.form.conditions]  # type: ignore[union-attr]
        for draft in drafts
        if isinstance(draft.form, Restricted)
        and len(draft.form.conditions) == 2
        and len({condition.key for condition in draft.form.conditions}) == 1
    ]
    allowed = [{(low, "1 March 2024"), (high, "20 March 2024")} for low in (">", "≥") for high in ("<", "≤")]
    assert bounds
    assert [pair for pair in bounds if set(pair) not in allowed] == []
