"""Numbers and dates of a sentence against its evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN
from toulmin.entailment.value_check import agreement, corrected


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("Curie: date of birth: 7 November 1867.", "Curie was born in 1867.", "same"),
        ("Curie: date of birth: 7 November 1867.", "Curie was born on November 7, 1867.", "same"),
        ("Curie: date of birth: 1867-11-07.", "Curie was born in the 1860s.", "same"),
        ("Curie: date of birth: 7 November 1867.", "Curie was born in 1869.", "differ"),
        ("Curie: date of birth: 7 November 1867.", "Curie was born on 7 May 1867.", "differ"),
        ("Curie: date of birth: 1867.", "Curie was born on 7 November 1867.", "open"),
        ("Curie was born in Warsaw.", "Curie was born in 1867.", "open"),
        ("Curie was born in 1867.", "Curie was a physicist.", "open"),
        ("It ran from July 13, 2007 to February 15, 2008.", "It began in March 2009.", "open"),
        ("It opened in 1990 and burned in 1995.", "It burned in 1999.", "elsewhere"),
        ("It opened in 1990.", "It opened before 2000.", "open"),
        ("K2 is 8611 metres high.", "K2 is 8,611 metres high.", "same"),
        ("The film made $ 74 million.", "It made $74 million.", "same"),
        ("K2 is 8611 metres high.", "K2 is 8.611 kilometres high.", "same"),
        ("K2 is 8611 metres high.", "K2 is 8611 miles high.", "differ"),
        ("K2 is 8611 metres high.", "K2 is 9000 metres high.", "differ"),
        ("K2 is 8611 metres high.", "K2 weighs 8611 kilograms.", "open"),
        ("K2: population: 5000.", "K2 has 5,000 inhabitants.", "same"),
        ("K2: population: 5000.", "K2 has 6,000 inhabitants.", "differ"),
        ("Psych began on July 13 , 2007 .", "Psych began on July 13th, 2007.", "same"),
        ("Season 3 premiered on April 19 , 2017 .", "It premiered in April of 2017.", "same"),
        ("He died on 21 September 1860 .", "He died in the 1800's.", "open"),
        ("He was unmarried in 1996 .", "He has no heirs as of 2011.", "open"),
        ("Hall: height (one value): 300 m.", "The hall is 200 m high.", "differ"),
        ("Hall: opened (one value): 1973.", "The hall did not open in 1974.", "open"),
        ("Hall: opened (one value): 1973.", "The hall wasn't opened in 1973.", "open"),
        ("Some 2.85 % are Romani.", "2.66 % are Romani.", "differ"),
        ("Engine 31: repaired at (one value): 2015.", "Engine 31 was repaired in 2015.", "open"),
        ("The film cost $20 million to make.", "The film cost $30 million.", "differ"),
        ("The film cost $20 million.", "The film cost $20,000,000.", "same"),
        ("It was in the mid-1990s.", "It was in the mid-1980s.", "differ"),
        ("Three dogs run.", "3 dogs are running.", "same"),
        ("Three dogs run.", "Two dogs are running.", "differ"),
        ("Three dogs run.", "Two people are running.", "open"),
        ("Three dogs run.", "At least two dogs are running.", "open"),
    ],
)
def test_agreement(premise: str, hypothesis: str, expected: str) -> None:
    assert agreement(premise, hypothesis) == expected


def test_an_excluded_value_leaves_no_entailment() -> None:
    pairs = [
        ("Opened: 1990.", "It opened in 1991."),
        ("Opened 1990, closed 1995.", "It closed in 1999."),
        ("Opened: 1990.", "It opened in 1990."),
        ("Games: held (several values): 1990.", "The games were held in 1991."),
    ]
    scores = np.tile(np.array([[0.8, 0.15, 0.05]], dtype=np.float32), (4, 1))
    found = corrected(pairs, scores)
    assert found[0] == pytest.approx([0.0, 0.15, 0.85])
    assert found[1] == pytest.approx([0.0, 0.95, 0.05])
    assert found[2] == pytest.approx(scores[2])
    assert found[3] == pytest.approx([0.0, 0.95, 0.05])  # other values may hold beside it
    assert scores[0, ENTAIL] == pytest.approx(0.8)  # what was given is not changed
    assert {int(row.argmax()) for row in found} == {ENTAIL, UNKNOWN, CONTRADICT}


@given(premise=st.text(max_size=60), hypothesis=st.text(max_size=60))
def test_any_text_keeps_probabilities(premise: str, hypothesis: str) -> None:
    found = corrected([(premise, hypothesis)], np.array([[0.5, 0.3, 0.2]], dtype=np.float32))
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()


@given(year=st.integers(1000, 2099), other=st.integers(1000, 2099))
def test_years_differ_exactly_when_they_are_not_the_same(year: int, other: int) -> None:
    assert agreement(f"Opened in {year}.", f"It opened in {other}.") == ("same" if year == other else "differ")


@given(day=st.integers(1, 28), year=st.integers(1000, 2099))
def test_a_sentence_agrees_with_itself(day: int, year: int) -> None:
    sentence = f"It opened on {day} March {year}."
    assert agreement(sentence, sentence) == "same"
