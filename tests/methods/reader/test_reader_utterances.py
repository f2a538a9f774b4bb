"""What logical forms are worded as: the words that the network was trained on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reader_worlds import WARD, forms_of

from toulmin.methods.reader.forms import Constant, Hop, Join, Kind, Ranked, Restricted, Things, walk
from toulmin.methods.reader.utterances import utterance

WORDED = {
    '(follow "Nadia Kesper" supervisor)': "supervisor of Nadia Kesper",
    '(follow "Ole Bratt" ~supervisor)': "nurse whose supervisor is Ole Bratt",
    '(follow "Piet Anker" lies_on/headed_by)': "headed by of lies on of Piet Anker",
    ":nurse": "nurse",
    '(where :nurse (salary >= "3700 EUR") (works_on = "South Ward"))': (
        "nurse whose salary is at least 3700 EUR and whose works on is South Ward"
    ),
    '(where :patient (allergy != "latex"))': "patient whose allergy is not latex",
    "(where :patient (lacks allergy))": "patient that has no allergy",
    '(where :patient (allergy contains "pen"))': "patient whose allergy contains pen",
    '(where :patient (lies_on = "North Ward" "Infant Ward"))': "patient whose lies on is North Ward or Infant Ward",
    "(where :ward ((count ~lies_on) >= 3))": "ward whose number of patient that has it as lies on is at least 3",
    '(where :nurse (salary > (follow "Rui Tomas" salary)))': "nurse whose salary is larger than salary of Rui Tomas",
    '(where (follow "Ole Bratt" ~supervisor) (born < 1990))': (
        "nurse whose supervisor is Ole Bratt and whose born is smaller than 1990"
    ),
    "(top :nurse salary)": "nurse with the largest salary",
    "(bottom :nurse salary 2)": "nurse with the 2 smallest salary",
    "(top :nurse salary 2 2)": "nurse with number 2 largest salary",
    "(top :nurse salary 2 3)": "nurse with number 2 to 3 largest salary",
    '(minus :nurse (follow "Ole Bratt" ~supervisor))': "nurse but not nurse whose supervisor is Ole Bratt",
    "(count :nurse)": "number of nurse",
    "(mean :nurse salary)": "average salary of nurse",
    '(difference (follow "Ole Bratt" salary) (follow "Rui Tomas" salary))': (
        "difference between salary of Ole Bratt and salary of Rui Tomas"
    ),
    '(duration (follow "Ole Bratt" born) (follow "Rui Tomas" born))': (
        "time from born of Ole Bratt to born of Rui Tomas"
    ),
    '(is (follow "Ole Bratt" salary) > (follow "Rui Tomas" salary))': (
        "whether salary of Ole Bratt is larger than salary of Rui Tomas"
    ),
    "(exists (where :patient (has allergy)))": "whether there is patient that has a allergy",
    '(in "Rui Tomas" (follow "South Ward" ~works_on))': "whether Rui Tomas is nurse whose works on is South Ward",
    '(agree (follow "Piet Anker" lies_on) (follow "Hugo Merz" lies_on))': (
        "whether lies on of Piet Anker is the same as lies on of Hugo Merz"
    ),
    "(where :ward (beds < (own floor)))": "ward whose beds is smaller than its floor",
    "(table :ward floor beds)": "for each ward its floor and beds",
    "(group :nurse works_on (mean salary))": "average salary of nurse for each works on",
    "(group :patient lies_on count >= 2)": "number of patient for each lies on where it is at least 2",
    '(noted (follow "Nadia Kesper" works_on) since "South Ward")': (
        "since noted with works on of Nadia Kesper being South Ward"
    ),
    '(during (follow "Nadia Kesper" works_on) 2016 2016)': "works on of Nadia Kesper in 2016",
    '(during (follow "Nadia Kesper" works_on) 2016 2018)': "works on of Nadia Kesper from 2016 to 2018",
    '(during (follow "Nadia Kesper" works_on) 2016 _)': "works on of Nadia Kesper since 2016",
    '(during (follow "Nadia Kesper" works_on) _ 2016)': "works on of Nadia Kesper until 2016",
}


def test_forms_are_worded() -> None:
    worded = dict(zip(WORDED, map(utterance, forms_of(WARD, list(WORDED))), strict=True))
    assert worded == WORDED


def test_every_kind_of_form_is_worded() -> None:
    kinds = {type(part) for form in forms_of(WARD, list(WORDED)) for part in walk(form)}
    assert {Join, Restricted, Ranked, Things} < kinds
    assert len(kinds) == 21  # 17 kinds of forms, conditions, keys, hops, classes


@pytest.mark.parametrize(
    ("backward", "inverse", "words"),
    [
        (False, False, "leads of Oslo"),
        (True, False, "thing whose leads is Oslo"),
        (True, True, "leads of Oslo"),
        (False, True, "thing whose leads is Oslo"),
    ],
)
def test_a_name_of_the_inverse_is_read_the_other_way(backward: bool, inverse: bool, words: str) -> None:
    assert utterance(Join(Constant("Oslo"), Hop("leads", backward, inverse=inverse))) == words


def test_where_no_class_is_known_it_is_a_thing() -> None:
    hop = Hop("mother", ids=("r:mother",), near="person", far="person")
    assert utterance(Join(Constant("Alma"), hop.turned())) == "person whose mother is Alma"
    assert utterance(Join(Constant("Alma"), replace(hop.turned(), far=""))) == "thing whose mother is Alma"
    assert utterance(Things(Kind("person"))) == "person"
