"""What the scorer is trained and measured on: labels, splits that do not leak, near misses that are what they say."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from graph_pairs import Triple, graph_pairs, single_valued, training_graph_pairs, unseen_graph_pairs
from nli_data import Pair, esnli, fever, part_of, sick

DATA = Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
needs_data = pytest.mark.skipif(not (DATA / "nli").is_dir(), reason="the development data is not here")

FILMS = [
    *(Triple(f"Film {n}", "directed by", f"Director {n % 7}") for n in range(40)),
    *(Triple(f"Film {n}", "starred actors", f"Actor {n % 11}") for n in range(40)),
    *(Triple(f"Film {n}", "starred actors", f"Actor {(n + 5) % 11}") for n in range(40)),
    *(Triple(f"Film {n}", "release year", str(1950 + n), "time") for n in range(40)),
]


def test_single_valued_follows_the_graph() -> None:
    assert single_valued(FILMS) == {"directed by": True, "starred actors": False, "release year": True}


def test_labels_follow_the_graph() -> None:
    pairs = graph_pairs(FILMS, 600, np.random.default_rng(0), test=False)
    assert {pair.label for pair in pairs} == {0, 1, 2}
    for pair in pairs:
        if pair.label == 0:  # a true wording names both ends of its statement
            named = [word for word in pair.premise.replace(":", " ").replace(".", " ").split() if word.isdigit()]
            assert all(word in pair.hypothesis for word in named)
        if " not " in f" {pair.hypothesis} ":
            assert pair.label == 2
    actors = {p.hypothesis for p in pairs if p.label == 2 and "starred" in p.premise and " not " not in p.hypothesis}
    assert all(sentence.index("Film") > sentence.index("Actor") for sentence in actors if "in the cast" in sentence)


def test_a_day_entails_its_year() -> None:
    births = [Triple(f"Person {n}", "date of birth", f"{n + 1} May {1900 + n}", "time") for n in range(25)]
    pairs = graph_pairs(births, 300, np.random.default_rng(1), test=False)
    said = [(p, re.search(r"(?:on|in|is) (\d{4})\.$", p.hypothesis)) for p in pairs]
    same_year = [p for p, year in said if year and p.premise.endswith(f" {year[1]}.") and " not " not in p.hypothesis]
    one_person = [p for p in same_year if (who := re.search(r"Person \d+", p.premise)) and f"{who[0]} " in p.hypothesis]
    assert one_person
    assert {pair.label for pair in one_person} == {0}


def test_the_same_seed_gives_the_same_pairs() -> None:
    first, second = (graph_pairs(FILMS, 50, np.random.default_rng(3), test=True) for _ in range(2))
    assert first == second


def test_parts_have_their_shares() -> None:
    shares = Counter(part_of(f"page {n}") for n in range(6000))
    assert 0.30 < shares["test"] / 6000 < 0.37
    assert 0.04 < shares["calibrate"] / 6000 < 0.10


@needs_data
@pytest.mark.parametrize("load", [esnli, fever])
def test_no_premise_is_on_two_sides(load: Callable[[Path], list[Pair]]) -> None:
    parts: dict[str, set[str]] = {}
    for pair in load(DATA):
        parts.setdefault(pair.premise, set()).add(pair.part)
    assert [premise for premise, found in parts.items() if len(found) > 1] == []


@needs_data
def test_fever_says_nothing_by_length() -> None:
    pairs = fever(DATA)
    assert all(pair.premise for pair in pairs)
    words = {label: [len(p.premise.split()) for p in pairs if p.label == label] for label in range(3)}
    middles = [float(np.median(words[label])) for label in range(3)]
    assert max(middles) < 1.6 * min(middles)


@needs_data
def test_sick_is_for_evaluation_only() -> None:
    assert {pair.part for pair in sick(DATA)} == {"calibrate", "test"}


@needs_data
def test_the_tested_graph_is_not_trained_on() -> None:
    trained, tested = training_graph_pairs(DATA, 600, 0), unseen_graph_pairs(DATA, 300, 0)
    assert {pair.premise for pair in trained}.isdisjoint(pair.premise for pair in tested)
    assert {pair.part for pair in tested} == {"test"}
    assert {pair.label for pair in tested} == {0, 1, 2}
