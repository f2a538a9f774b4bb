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
from negation import denied
from nli_data import Pair, esnli, fever, fever_near, part_of, sick
from relations import (
    TEST_WORDINGS,
    Relation,
    broad,
    label_wordings,
    negated,
    relation_table,
    relations_by_label,
    stray_wordings,
)
from reread import read_label, reread
from sentence_claims import claim_pairs
from text_pairs import text_pairs
from typed_names import typed_names
from value_forms import another_date, date_forms, quantity_forms, wrong_unit
from written_claims import written_pairs

DATA = Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
needs_data = pytest.mark.skipif(not (DATA / "nli").is_dir(), reason="the development data is not here")

FILMS = [
    *(Triple(f"Film {n}", "directed by", f"Director {n % 7}") for n in range(40)),
    *(Triple(f"Film {n}", "starred actors", f"Actor {n % 11}") for n in range(40)),
    *(Triple(f"Film {n}", "starred actors", f"Actor {(n + 5) % 11}") for n in range(40)),
    *(Triple(f"Film {n}", "release year", str(1950 + n), "time") for n in range(40)),
]


def _denies(sentence: str) -> bool:
    return re.search(r"\b(not|never)\b", sentence) is not None


def test_single_valued_follows_the_graph() -> None:
    assert single_valued(FILMS) == {"directed by": True, "starred actors": False, "release year": True}


def test_labels_follow_the_mark_of_the_premise() -> None:
    pairs = graph_pairs(FILMS, 900, np.random.default_rng(0), test=False)
    assert {pair.label for pair in pairs} == {0, 1, 2}
    changed = Counter[tuple[bool, int]]()
    for pair in pairs:
        marked = re.match(r"(Film \d+): directed by \((one|several) values?\): (Director \d+)\.$", pair.premise)
        if not marked or _denies(pair.hypothesis):
            continue
        film, director = re.search(r"Film \d+", pair.hypothesis), re.search(r"Director \d+", pair.hypothesis)
        same_film = film is not None and film[0] == marked[1]
        if same_film and director is not None and director[0] != marked[3]:
            changed[marked[2] == "one", pair.label] += 1
    assert set(changed) == {(True, 2), (False, 1)}  # another object contradicts where there is one value


def test_a_tested_graph_has_the_mark_of_its_statistics() -> None:
    pairs = graph_pairs(FILMS, 300, np.random.default_rng(0), test=True)
    for pair in pairs:
        mark = "several values" if "starred actors" in pair.premise else "one value"
        assert f" ({mark}): " in pair.premise
        if _denies(pair.hypothesis):
            assert pair.label == 2


def test_a_day_entails_its_year() -> None:
    births = [Triple(f"Person {n}", "date of birth", f"{n + 1} May {1900 + n}", "time") for n in range(25)]
    pairs = graph_pairs(births, 300, np.random.default_rng(1), test=False)
    said = [(p, re.search(r"(?:on|in|is) (\d{4})\.$", p.hypothesis)) for p in pairs]
    same_year = [p for p, year in said if year and p.premise.endswith(f" {year[1]}.") and not _denies(p.hypothesis)]
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
def test_only_claims_without_evidence_are_read_again() -> None:
    pairs = fever(DATA)
    for before, after in zip(pairs, reread(pairs), strict=True):
        assert (before.premise, before.hypothesis, before.part) == (after.premise, after.hypothesis, after.part)
        assert after.label == (read_label(before) if before.label == 1 else before.label)


@needs_data
def test_a_reader_agrees_with_the_labels_of_claims_that_have_evidence() -> None:
    decided = [pair for pair in fever(DATA) if pair.part == "test" and pair.label != 1]
    agreed = sum(read_label(pair) == pair.label for pair in decided)
    assert 0.9 < agreed / len(decided) < 1


def test_a_pair_that_nobody_read_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"nobody has read 'It rains\.'"):
        reread([Pair("Heat: Heat is a film.", "It rains.", 1, "fever", "train")])


@needs_data
def test_most_of_the_near_evidence_was_read() -> None:
    near = [read_label(pair) for pair in fever_near(DATA)]
    assert sum(label is not None for label in near) > 2000
    assert {0, 1, 2} <= set(near)


@needs_data
def test_written_evidence_is_of_no_held_out_page_and_no_copy() -> None:
    def runs(text: str, length: int) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}

    pairs = fever(DATA)
    held_out = {pair.premise for pair in pairs if pair.part != "train"}
    titles = {premise.split(": ")[0].lower() for premise in held_out}
    six = set().union(*(runs(premise, 6) for premise in held_out))
    eight = set().union(*(runs(premise, 8) for premise in {pair.premise for pair in pairs}))
    written = {pair.premise for pair in written_pairs(DATA)} - {pair.premise for pair in pairs}
    assert len(written) > 1400
    for premise in written:
        assert premise.split(": ")[0].lower() not in titles
        assert not runs(premise, 6) & six
        assert not runs(premise, 8) & eight


@needs_data
def test_sick_is_for_evaluation_only() -> None:
    assert {pair.part for pair in sick(DATA)} == {"calibrate", "test"}


@needs_data
def test_the_tested_graph_is_not_trained_on() -> None:
    trained, tested = training_graph_pairs(DATA, 600, 0), unseen_graph_pairs(DATA, 300, 0)
    assert {pair.premise for pair in trained}.isdisjoint(pair.premise for pair in tested)
    assert {pair.part for pair in tested} == {"test"}
    assert {pair.label for pair in tested} == {0, 1, 2}


def test_no_wording_kept_for_testing_is_trained_on() -> None:
    templates = [template for relation in relation_table() for template in relation.wordings]
    assert set(templates).isdisjoint(TEST_WORDINGS.values())
    assert all("{s}" in template and "{o}" in template for template in templates)
    assert len(relation_table()) >= 120


def _ends(relation: Relation) -> set[tuple[str, str]]:
    return {(broad(subject), broad(relation.object)) for subject in relation.subjects}


def _turned(template: str) -> str:
    return template.format(s="{o}", o="{s}")


def test_no_near_miss_is_a_wording_of_the_relation_itself() -> None:
    wrong = []
    for one in relation_table():
        for two in relation_table():
            if one is two or one.may_entail(two) or not _ends(one) & _ends(two):
                continue
            said = set(two.wordings)
            if broad(one.object) == broad(two.subjects[0]):
                said |= {_turned(template) for template in two.wordings}
            wrong += [(one.labels[0], two.labels[0], template) for template in said & set(one.wordings)]
    assert wrong == []


def test_what_follows_one_way_need_not_follow_the_other() -> None:
    known = relations_by_label(["capital", "country", "father", "parents", "director", "screenwriter"])
    assert known["capital"].may_entail(known["country"])
    assert not known["country"].may_entail(known["capital"])
    assert known["father"].may_entail(known["parents"])
    assert not known["parents"].may_entail(known["father"])
    assert not known["director"].may_entail(known["screenwriter"])


@pytest.mark.parametrize(
    ("label", "first"),
    [
        ("founder", "The {r} of {s} is {o}."),
        ("capital of", "The capital of {o} is {s}."),
        ("top speed", "The {r} of {s} is {o}."),
        ("directed by", None),
        ("invented", None),
        ("member of party", None),
    ],
)
def test_wordings_of_a_label(label: str, first: str | None) -> None:
    assert next(iter(label_wordings(label)), None) == first


@needs_data
def test_every_kind_of_thing_has_names() -> None:
    values = set("day year length count minutes money area density days mass temperature speed".split())
    kinds = {kind for relation in relation_table() for kind in (*relation.subjects, relation.object)} - values
    names = typed_names(DATA)
    assert [kind for kind in kinds if len(names.get(kind, ())) < 2] == []


@needs_data
def test_nothing_of_the_held_out_thirds_is_trained_on() -> None:
    pairs = text_pairs(DATA, 0)
    trained = [pair for pair in pairs if pair.part == "train"]
    tested = [pair for pair in pairs if pair.part == "test"]
    assert {pair.source for pair in trained} == {"esnli", "fever", "fever near", "written", "denied"}
    assert {pair.source for pair in tested} == {"esnli", "fever"}
    captions = {pair.premise for pair in tested if pair.source == "esnli"}
    assert all(p.premise not in captions and p.hypothesis not in captions for p in trained if p.source == "denied")
    evidence = {pair.premise for pair in tested if pair.source == "fever"}
    assert {pair.premise for pair in trained}.isdisjoint(evidence)


@needs_data
def test_near_evidence_is_not_that_of_the_claim() -> None:
    own: dict[str, set[str]] = {}
    for pair in fever(DATA):
        if pair.label != 1:
            own.setdefault(pair.hypothesis, set()).add(pair.premise)
    near = fever_near(DATA)
    assert len(near) > 1000
    assert {pair.label for pair in near} == {1}
    assert all(pair.premise not in own.get(pair.hypothesis, set()) for pair in near)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A man is asleep .", {"A man is not asleep .", "There is no man asleep .", "No man is asleep ."}),
        ("There is a dog outside", {"There is no dog outside ."}),
        ("Two women talk .", set()),
    ],
)
def test_denials(sentence: str, expected: set[str]) -> None:
    assert set(denied(sentence)) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{s} was born in {o}.", "{s} was not born in {o}."),
        ("{s} has {o} floors.", "{s} does not have {o} floors."),
        ("{o} wrote {s}.", "{o} never wrote {s}."),
        ("In {s} one pays with {o}.", None),
        ("{s}, the capital of {o}, is well known.", "{s}, not the capital of {o}, is well known."),
        ("{s}, who worked for {o}, is well known.", "{s}, who never worked for {o}, is well known."),
        ("{s} has been in use since {o}.", "{s} has not been in use since {o}."),
        ("{s} and {o} share a border.", "{s} and {o} never share a border."),
        ("One of {s}'s children is {o}.", None),
    ],
)
def test_denied_wordings(template: str, expected: str | None) -> None:
    assert negated(template) == expected


def test_forms_of_values() -> None:
    assert {"7 November 1867", "November 7, 1867", "1867-11-07"} <= set(date_forms("7 November 1867"))
    assert "8.611 kilometres" in quantity_forms("8611 metre")
    assert wrong_unit("8611 metre") in {f"8611 {unit}" for unit in ("kilometres", "feet", "miles")}
    assert wrong_unit("5000") is None
    rng = np.random.default_rng(0)
    assert all(another_date("7 November 1867", rng) != "7 November 1867" for _ in range(50))


@needs_data
def test_claims_made_of_evidence_keep_to_the_training_side() -> None:
    held_out = {pair.premise for pair in fever(DATA) if pair.part != "train"}
    made = claim_pairs(DATA, 0)
    assert made == claim_pairs(DATA, 0) != claim_pairs(DATA, 1)
    assert {pair.premise for pair in made}.isdisjoint(held_out)
    assert {pair.label for pair in made} == {0, 1, 2}


@needs_data
def test_claims_made_of_evidence_are_what_their_label_says() -> None:
    made = claim_pairs(DATA, 0)
    for pair in made:
        new = set(re.findall(r"\b\d{4}\b", pair.hypothesis)) - set(re.findall(r"\d{4}", pair.premise))
        if pair.label == 0:
            assert not new or " year" in pair.premise  # nothing that the evidence does not say ("the following year")
    contradicted = [pair for pair in made if pair.label == 2]
    denying = [pair for pair in contradicted if _denies(pair.hypothesis)]
    assert 0.1 < len(denying) / len(contradicted) < 0.8  # "not" alone does not tell


def test_sentences_that_state_no_relation_are_none_of_the_table() -> None:
    kinds = {(broad(one), broad(row.object)) for row in relation_table() for one in row.subjects}
    stray = {wording for pair in kinds for wording in stray_wordings(*pair)}
    assert len(stray) > 60
    assert all("{s}" in wording and "{o}" in wording for wording in stray)
    assert stray.isdisjoint(wording for row in relation_table() for wording in row.wordings)
    assert stray.isdisjoint(TEST_WORDINGS.values())


@needs_data
def test_another_relation_of_the_same_two_things_is_left_open() -> None:
    pairs = [pair for pair in training_graph_pairs(DATA, 3000, 1) if ": spouse (one value): " in pair.premise]
    said = Counter((pair.label, " met " in pair.hypothesis or "wrote letters" in pair.hypothesis) for pair in pairs)
    assert said[0, False] > 0
    assert said[0, True] == said[2, True] == 0
