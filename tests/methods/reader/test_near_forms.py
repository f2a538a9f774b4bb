"""Near misses for training mean something else; what means the same is seen to."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from reader_worlds import PARTS, WARD, forms_of, world

from near_forms import near_forms
from reader_data import surroundings
from same_meaning import same_meaning
from toulmin.methods.reader.forms import Form, Things, walk
from toulmin.methods.reader.utterances import utterance

FORMS = [
    '(follow "Nadia Kesper" supervisor)',
    '(follow "Ole Bratt" ~supervisor)',
    '(where :nurse (works_on = "South Ward") (salary > "3700 EUR"))',
    '(where :patient (lies_on = "North Ward" "South Ward"))',
    '(where :patient (insured = "yes"))',
    "(top :nurse salary 2)",
    '(or (follow "North Ward" ~works_on) (follow "South Ward" ~works_on))',
    '(minus :nurse (follow "North Ward" ~works_on))',
    "(count (where :patient (has allergy)))",
    "(mean :nurse salary)",
    '(difference (follow "Ole Bratt" salary) (follow "Rui Tomas" salary))',
    '(is (follow "Ole Bratt" salary) = (follow "Rui Tomas" salary))',
    '(is (follow "Piet Anker" insured) = "yes")',
    '(agree (follow "Piet Anker" treated_by) (follow "Hugo Merz" treated_by))',
    '(in "Rui Tomas" (follow "South Ward" ~works_on))',
    "(table :ward floor beds)",
    "(group :nurse works_on (mean salary))",
    '(noted (follow "Nadia Kesper" works_on) since "South Ward")',
    '(during (follow "South Ward" ~works_on) 2016 2016)',
]
ALIKE = [
    (
        '(follow "Ines Falk" ~headed_by/~works_on)',
        '(where :nurse (works_on/headed_by = "Ines Falk"))',
    ),
    (
        '(follow "Ines Falk" ~headed_by/~works_on)',
        '(where :nurse (works_on = (where :ward (headed_by = "Ines Falk"))))',
    ),
    ('(follow "Ole Bratt" ~supervisor)', '(where :nurse (supervisor = "Ole Bratt"))'),
    (
        '(or (follow "North Ward" beds) (follow "South Ward" beds))',
        '(or (follow "South Ward" beds) (follow "North Ward" beds))',
    ),
    (
        '(where :patient (lies_on = "North Ward" "South Ward"))',
        '(where :patient (lies_on = "South Ward" "North Ward"))',
    ),
    (
        '(or (where :patient (allergy = "latex")) (where :patient (allergy = "penicillin")))',
        '(where :patient (allergy = "latex" "penicillin"))',
    ),
    (
        '(and (where :patient (allergy = "latex")) (where :patient (insured = "no")))',
        '(where :patient (insured = "no") (allergy = "latex"))',
    ),
    ('(minus :patient (where :patient (allergy = "latex")))', '(where :patient (allergy != "latex"))'),
    ('(is (follow "Ole Bratt" salary) < 100)', '(is 100 > (follow "Ole Bratt" salary))'),
    ('(is (follow "Piet Anker" insured) = "yes")', '(follow "Piet Anker" insured)'),
    ('(where :patient (insured != "yes"))', '(where :patient (insured = "no"))'),
    ('(where :nurse (salary > "3700 EUR"))', '(where :nurse (salary > "3700.0 EUR"))'),
    ('(in "Rui Tomas" (follow "South Ward" ~works_on))', '(in "South Ward" (follow "Rui Tomas" works_on))'),
    ("(table :ward floor beds)", "(table :ward beds floor)"),
    (
        '(where :patient (lies_on = (where :ward (headed_by = "Ines Falk"))))',
        '(where :patient (lies_on/headed_by = "Ines Falk"))',
    ),
    (
        '(where (where :patient (allergy = "latex")) (lies_on = "South Ward"))',
        '(where :patient (lies_on = "South Ward") (allergy = "latex"))',
    ),
    (
        '(minus (follow "South Ward" ~lies_on) (follow "Marek Dorn" ~treated_by))',
        '(where :patient (lies_on = "South Ward") (treated_by != "Marek Dorn"))',
    ),
    ("(minus :doctor (follow :ward headed_by))", "(where :doctor (lacks ~headed_by))"),
    (
        "(and (follow :ward headed_by) (follow :patient treated_by))",
        "(where :doctor (has ~headed_by) (has ~treated_by))",
    ),
    ("(where :ward ((count ~works_on) > 1))", "(where :ward ((count ~works_on) >= 2))"),
    ("(group :nurse works_on count > 1)", "(group :nurse works_on count >= 2)"),
    ("(where :patient (admitted < 2024))", '(where :patient (admitted < "2024-01-01"))'),
    (
        '(where :patient (admitted >= "2024-03-01") (admitted <= "2024-03-31"))',
        '(where :patient (admitted = "2024-03"))',
    ),
    (
        "(where :nurse (works_on = (where :ward (beds > 10))))",
        "(where :nurse (works_on/beds > 10))",
    ),
    ('(in "Rui Tomas" (where :nurse (supervisor = "Ole Bratt")))', '(in "Ole Bratt" (follow "Rui Tomas" supervisor))'),
    (
        '(or (follow "North Ward" ~works_on) (follow "South Ward" ~works_on))',
        '(where :nurse (works_on = "North Ward" "South Ward"))',
    ),
    ("(where :ward (beds < (own floor)))", "(where :ward (floor > (own beds)))"),
]
APART = [
    ("(where :ward (beds < (own floor)))", "(where :ward (beds > (own floor)))"),
    ("(where :ward ((count ~lies_on) < (own floor)))", "(where :ward (~lies_on < (own floor)))"),
    (
        "(where :nurse (works_on = (where :ward (beds > (own floor)))))",
        "(where :nurse (works_on/beds > (own salary)))",
    ),
    ("(where :ward (beds <= (own floor)))", "(where :ward (floor > (own beds)))"),
    ("(minus :ward (follow :nurse works_on))", "(minus :ward (follow :patient lies_on))"),
    (
        "(where :nurse (works_on = (where (top :ward beds) (floor > 1))))",
        "(where :nurse (works_on/floor > 1))",
    ),
    (
        '(or (where :nurse (works_on != "North Ward")) (where :nurse (works_on != "South Ward")))',
        '(where :nurse (works_on != "North Ward" "South Ward"))',
    ),
    (
        "(where :patient (lies_on = (where :ward ((count ~works_on) >= 2))))",
        "(where :patient ((count lies_on/~works_on) >= 2))",
    ),
    (
        '(in "Ole Bratt" (where (top :nurse salary 2) (works_on = "North Ward")))',
        '(in "North Ward" (follow "Ole Bratt" works_on))',
    ),
    ("(where :patient (admitted > 2024))", '(where :patient (admitted > "2024-01-01"))'),
    ('(where :patient (admitted = "the 2020s"))', "(where :patient (admitted = 2020))"),
    ("(where :ward ((count ~works_on) > 1))", "(where :ward ((count ~works_on) > 2))"),
    ("(where :ward (beds > 10))", "(where :ward (beds >= 11))"),
    ("(minus :doctor (follow :ward headed_by))", "(where :doctor (has ~headed_by))"),
    ('(in "Rui Tomas" (follow "Ole Bratt" supervisor))', '(in "Ole Bratt" (follow "Rui Tomas" supervisor))'),
    (
        '(where :patient (lies_on = "South Ward") (treated_by != "Marek Dorn"))',
        '(where :patient (lies_on != "South Ward") (treated_by = "Marek Dorn"))',
    ),
    ('(follow "Ole Bratt" ~supervisor)', '(follow "Ole Bratt" supervisor)'),
    ('(follow "Ole Bratt" salary)', '(follow "Rui Tomas" salary)'),
    ('(where :nurse (salary > "3700 EUR"))', '(where :nurse (salary >= "3700 EUR"))'),
    ('(minus :nurse (follow "North Ward" ~works_on))', '(minus (follow "North Ward" ~works_on) :nurse)'),
    ("(top :nurse salary)", "(bottom :nurse salary)"),
    ("(top :nurse salary)", "(max :nurse salary)"),
    ("(count :nurse)", "(count :patient)"),
    ('(during (follow "South Ward" ~works_on) 2016 2016)', '(follow "South Ward" ~works_on)'),
    ('(is (follow "Ole Bratt" salary) > 100)', '(is (follow "Ole Bratt" salary) < 100)'),
    ('(difference (follow "Ole Bratt" salary) 100)', '(difference 100 (follow "Ole Bratt" salary))'),
]


def classes(form: Form) -> list[str]:
    return sorted(part.kind.label for part in walk(form) if isinstance(part, Things))


@pytest.mark.parametrize("text", FORMS)
def test_a_near_miss_means_something_else(text: str) -> None:
    domain = world(WARD, [text])
    form = domain.examples[0].form
    assert form is not None
    near = list(islice(near_forms(form, surroundings(domain), random.Random(3)), 60))
    # Another class changes the words alone where a relation tells the class: nobody would say so, hence it is a miss.
    assert [utterance(one) for one in near if same_meaning(one, form) and classes(one) == classes(form)] == []
    assert len({utterance(one) for one in near} - {utterance(form)}) > 5


def test_near_misses_are_those_of_the_seed() -> None:
    domain = world(PARTS, ['(where :part (fits = "pump") (price < "5 EUR"))'])
    form = domain.examples[0].form
    assert form is not None

    def drawn(seed: int) -> list[str]:
        return list(map(utterance, islice(near_forms(form, surroundings(domain), random.Random(seed)), 30)))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_the_same_in_other_words(first: str, second: str) -> None:
    one, other = forms_of(WARD, [first, second])
    assert same_meaning(one, other)
    assert same_meaning(other, one)


@pytest.mark.parametrize(("first", "second"), APART)
def test_another_meaning(first: str, second: str) -> None:
    one, other = forms_of(WARD, [first, second])
    assert not same_meaning(one, other)
    assert not same_meaning(other, one)
