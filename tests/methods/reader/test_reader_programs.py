"""Logical forms as programs: each kind yields over a small graph what a person works out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reader_worlds import WARD, Value, forms_of, value_of, world

from domains import CLASSES
from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.methods.reader.forms import Constant, Counted, Exists, Form, Hop, Join, Kind, Things, walk
from toulmin.methods.reader.programs import TimeRoles, place_of
from toulmin.program.builder import Builder

NURSES = ["Greta Solm", "Nadia Kesper", "Ole Bratt", "Rui Tomas"]
YIELDED: dict[str, Value] = {
    '(follow "Nadia Kesper" supervisor)': ["Ole Bratt"],
    '(follow "Ole Bratt" ~supervisor)': ["Nadia Kesper", "Rui Tomas"],
    '(follow "Piet Anker" lies_on/headed_by)': ["Ines Falk"],
    ":nurse": NURSES,
    # conditions
    '(where :nurse (works_on = "South Ward"))': ["Nadia Kesper", "Rui Tomas"],
    '(where :nurse (salary > "3700 EUR"))': ["Nadia Kesper", "Ole Bratt"],
    '(where :nurse (salary >= "3700 EUR"))': ["Greta Solm", "Nadia Kesper", "Ole Bratt"],
    '(where :nurse (salary >= "3700 EUR") (works_on = "South Ward"))': ["Nadia Kesper"],
    '(where :patient (weight < "75 kg"))': ["Hugo Merz", "Lotte Wiek"],
    '(where :patient (allergy = "latex"))': ["Lotte Wiek"],
    '(where :patient (allergy != "latex"))': ["Hugo Merz", "Piet Anker", "Tilda Roos"],
    "(where :patient (has allergy))": ["Lotte Wiek", "Piet Anker"],
    "(where :patient (lacks allergy))": ["Hugo Merz", "Tilda Roos"],
    '(where :patient (allergy contains "pen"))': ["Lotte Wiek", "Piet Anker"],
    '(where :doctor (specialty starts "card"))': ["Ines Falk"],
    '(where :patient (insured = "yes"))': ["Hugo Merz", "Piet Anker"],
    '(where :patient (lies_on = "North Ward" "Infant Ward"))': ["Piet Anker"],
    '(where :patient (treated_by/specialty = "cardiology"))': ["Hugo Merz", "Piet Anker"],
    "(where :nurse ((count works_on) >= 2))": ["Nadia Kesper"],
    "(where :ward ((count ~lies_on) >= 3))": ["South Ward"],
    '(where :ward ((mean ~works_on/salary) > "3700 EUR"))': ["North Ward"],  # 4,050 there, 3,700 in the others
    '(where :nurse (salary > (follow "Rui Tomas" salary)))': ["Greta Solm", "Nadia Kesper", "Ole Bratt"],
    '(where :patient (lies_on = (follow "Hugo Merz" lies_on)))': ["Hugo Merz", "Lotte Wiek", "Tilda Roos"],
    "(where :ward (beds > (own floor)))": ["Infant Ward", "North Ward", "South Ward"],
    "(where :ward (beds < (own floor)))": [],
    # a day lies in a year; before and after leave the year itself out, until and since do not
    "(where :patient (admitted = 2024))": ["Hugo Merz", "Lotte Wiek", "Piet Anker"],
    "(where :patient (admitted = 2023))": ["Tilda Roos"],
    "(where :nurse (born < 1984))": ["Ole Bratt"],
    "(where :nurse (born <= 1984))": ["Nadia Kesper", "Ole Bratt"],
    "(where :nurse (born > 1984))": ["Rui Tomas"],
    "(where :nurse (born >= 1984))": ["Nadia Kesper", "Rui Tomas"],
    '(where :nurse (born > "1984-02-10"))': ["Nadia Kesper", "Rui Tomas"],
    # order; Greta Solm's birth is not told, so she is in no order of births
    "(top :nurse salary)": ["Ole Bratt"],
    "(bottom :nurse salary)": ["Rui Tomas"],
    "(top :nurse salary 2)": ["Nadia Kesper", "Ole Bratt"],
    "(top :nurse salary 2 2)": ["Nadia Kesper"],
    "(bottom :nurse born)": ["Ole Bratt"],
    "(top :patient admitted)": ["Lotte Wiek"],
    "(top :ward (count ~lies_on))": ["South Ward"],
    '(top (or "North Ward" "Infant Ward") beds)': ["North Ward"],
    # set theory
    '(or (follow "North Ward" ~works_on) (follow "South Ward" ~works_on))': ["Nadia Kesper", "Ole Bratt", "Rui Tomas"],
    '(and (follow "North Ward" ~works_on) (follow "South Ward" ~works_on))': ["Nadia Kesper"],
    '(minus (follow "North Ward" ~works_on) (follow "South Ward" ~works_on))': ["Ole Bratt"],
    # numbers
    "(count :nurse)": ["4"],
    '(count (where :nurse (works_on = "North Ward")))': ["2"],
    "(sum :ward beds)": ["42"],
    "(mean :nurse salary)": ["3825 EUR"],
    "(min :ward floor)": ["1"],
    "(max :patient weight)": ["82 kg"],
    "(min :patient admitted)": ["2023-12-30"],
    '(difference (follow "Ole Bratt" salary) (follow "Rui Tomas" salary))': ["700 EUR"],
    # truth
    '(is (follow "Ole Bratt" salary) > (follow "Rui Tomas" salary))': True,
    '(is (follow "Rui Tomas" salary) > (follow "Ole Bratt" salary))': False,
    '(is (follow "Greta Solm" born) < 1990)': None,
    '(is (follow "Piet Anker" insured) = "yes")': True,
    '(exists (where :nurse (works_on = "Infant Ward")))': True,
    '(in "Rui Tomas" (follow "South Ward" ~works_on))': True,
    '(in "Rui Tomas" :nurse)': True,
    '(agree (follow "Piet Anker" treated_by) (follow "Hugo Merz" treated_by))': True,
    # rows
    "(table :ward floor beds)": [("Infant Ward", "1", "8"), ("North Ward", "2", "14"), ("South Ward", "3", "20")],
    "(table :doctor (count ~treated_by))": [("Ines Falk", "2"), ("Marek Dorn", "3")],
    "(group :nurse works_on count)": [("Infant Ward", "1"), ("North Ward", "2"), ("South Ward", "2")],
    "(group :patient lies_on count >= 2)": [("South Ward", "3")],
    "(group :patient lies_on (max admitted))": [("North Ward", "2024-03-05"), ("South Ward", "2024-03-19")],
    # what is noted with a statement, and when it holds
    '(noted (follow "Nadia Kesper" works_on) since)': ["2014", "2019"],
    '(noted (follow "Nadia Kesper" works_on) since "South Ward")': ["2019"],
    '(noted (follow "Greta Solm" works_on) role)': ["deputy"],
    '(during (follow "Nadia Kesper" works_on) 2016 2016)': ["North Ward"],
    '(during (follow "Nadia Kesper" works_on) _ 2015)': ["North Ward"],
    '(during (follow "Rui Tomas" works_on) 2012 2013)': [],
}
# (without, with the assumption that the graph lists all of what is counted, and that what has no end goes on)
ASSUMED: dict[str, tuple[Value, Value]] = {
    '(in "Rui Tomas" (follow "North Ward" ~works_on))': (None, False),
    '(agree (follow "Piet Anker" lies_on) (follow "Hugo Merz" lies_on))': (None, False),
    '(during (follow "Nadia Kesper" works_on) 2022 2022)': ([], ["South Ward"]),
    '(during (follow "North Ward" ~works_on) 2020 2020)': ([], ["Ole Bratt"]),
    '(count (follow "Ines Falk" supervisor))': (["0"], ["0"]),
}


def test_each_kind_of_form_yields_what_is_so() -> None:
    domain = world(WARD, list(YIELDED))
    forms = [example.form for example in domain.examples]
    assert len({type(part) for form in forms for part in walk(form)}) == 21
    yielded = {text: value_of(domain, form) for text, form in zip(YIELDED, forms, strict=True) if form is not None}
    assert yielded == YIELDED


@pytest.mark.parametrize("text", ASSUMED)
def test_what_is_assumed_changes(text: str) -> None:
    domain = world(WARD)
    [form] = forms_of(WARD, [text])
    assert (value_of(domain, form), value_of(domain, form, assume=True)) == ASSUMED[text]


def test_what_is_so_without_an_assumption_is_so_with_it() -> None:
    domain = world(WARD, list(YIELDED))
    for text, example in zip(YIELDED, domain.examples, strict=True):
        assert example.form is not None
        if YIELDED[text] not in (None, []):
            assert value_of(domain, example.form, assume=True) == YIELDED[text], text


@pytest.mark.parametrize("asked", [Counted, Exists])
def test_an_assumption_stands_in_the_program(asked: Callable[[Form], Form]) -> None:
    domain = world(WARD)
    [things] = forms_of(WARD, [":nurse"])
    form = asked(things)
    with domain.graph() as graph:
        assumed, plain = Builder("", graph), Builder("", graph)
        place_of(form, assumed, CLASSES, domain.times, assume=True)
        place_of(form, plain, CLASSES, domain.times)
        assert "complete" in [node.op for node in assumed.program]
        assert "complete" not in [node.op for node in plain.program]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (Things(Kind("porter")), "no class is known for 'porter'"),
        (Join(Constant("the moon"), Hop("floor", ids=("floor",))), "nothing is known of 'the moon'"),
    ],
)
def test_what_the_graph_has_not_is_an_error(form: Form, message: str) -> None:
    with world(WARD).graph() as graph, pytest.raises(InputError, match=message):
        place_of(form, Builder("", graph), CLASSES, TimeRoles())


def test_a_time_and_a_text_of_the_same_digits_differ() -> None:
    """A year is a time where it is compared with times; a bare number is none."""
    domain = world(WARD)
    [year] = forms_of(WARD, ["(where :patient (admitted = 2023))"])
    [named] = [part for part in walk(year) if isinstance(part, Constant)]
    assert isinstance(named.node, Literal)
    assert named.node.kind == "time"
    assert value_of(domain, year) == ["Tilda Roos"]
