"""Looking names up, and searching for them by words and near spellings."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.graph.label_index import LabelIndex, NameKind, NameRow
from toulmin.graph.labels import normalise

words = st.text(st.characters(codec="utf-8"), max_size=9)
rows = st.lists(
    st.builds(NameRow, st.integers(-3, -1), words, st.sampled_from(NameKind), st.just(0))
    | st.builds(
        NameRow, st.integers(0, 9), words, st.sampled_from([NameKind.LABEL, NameKind.ALIAS]), st.integers(0, 5)
    ),
    max_size=25,
)


def index_of(*forms: str) -> LabelIndex:
    """The n-th form belongs to entity n; earlier ones are better connected."""
    return LabelIndex.build(NameRow(n, form, NameKind.LABEL, len(forms) - n) for n, form in enumerate(forms))


def found(index: LabelIndex, text: str, limit: int = 5) -> list[str]:
    return [match.form for match in index.search(text, limit)]


@given(rows, words)
@settings(deadline=None)
def test_lookup_finds_exactly_the_entities_with_the_same_normal_form(names: list[NameRow], other: str) -> None:
    index = LabelIndex.build(names)
    forms = [*(name.form for name in names), other]
    for form, matches in zip(forms, index.lookup(forms), strict=True):
        same = [name for name in names if name.owner >= 0 and normalise(name.form) == normalise(form) != ""]
        assert {match.owner for match in matches} == {name.owner for name in same}
        assert len(matches) == len({match.owner for match in matches})
        assert [match.alias for match in matches] == sorted(match.alias for match in matches)
        for match in matches:
            assert match.alias == all(name.kind is NameKind.ALIAS for name in same if name.owner == match.owner)


@given(rows, words, st.integers(1, 6))
@settings(deadline=None)
def test_search_ranks_whatever_it_is_asked(names: list[NameRow], text: str, limit: int) -> None:
    index = LabelIndex.build(names)
    matches = index.search(text, limit)
    assert len(matches) <= limit
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)
    assert len({match.owner for match in matches}) == len(matches)
    exact = {match.owner for match in index.lookup([text])[0]}
    for match in matches:
        assert 0 <= match.score <= 1
        assert (match.score == 1.0) == (match.owner in exact)
        assert any(name.owner == match.owner and name.form == match.form for name in names)


@given(rows, st.lists(st.integers(-3, 9), max_size=5))
@settings(deadline=None)
def test_forms_are_all_names_of_each_owner(names: list[NameRow], owners: list[int]) -> None:
    index = LabelIndex.build(names)
    for forms, kinds in (
        (index.forms(owners), (NameKind.LABEL, NameKind.ALIAS)),
        (index.forms(owners, backward=True), (NameKind.INVERSE,)),
    ):
        assert forms.keys() == set(owners)
        for owner in owners:
            assert sorted(forms[owner]) == sorted(n.form for n in names if n.owner == owner and n.kind in kinds)


def test_a_file_answers_like_memory(tmp_path: Path) -> None:
    names = [
        NameRow(0, "Tom Hanks", NameKind.LABEL, 3),
        NameRow(1, "Tom Hank", NameKind.ALIAS, 1),
        NameRow(-1, "Tom", NameKind.LABEL, 0),
    ]
    LabelIndex.build(names, tmp_path / "a b#c.sqlite").close()
    in_file, in_memory = LabelIndex.open(tmp_path / "a b#c.sqlite"), LabelIndex.build(names)
    for text in ("tom hanks", "Tom", "hnaks"):
        assert in_file.search(text, 5) == in_memory.search(text, 5)
        assert in_file.lookup([text]) == in_memory.lookup([text])
    in_file.close()


def test_words_come_in_any_order_and_without_accents() -> None:
    index = index_of("Amélie", "The Silence of the Lambs", "The Lambs", "Silence")
    assert found(index, "amelie") == ["Amélie"]
    assert found(index, "lambs silence the of")[0] == "The Silence of the Lambs"
    assert found(index, "who directed The Silence of the Lambs?")[0] == "The Silence of the Lambs"


@pytest.mark.parametrize(
    "misspelt", ["Schwarzeneger", "Arnold Schwarzenegr", "arnlod schwarzenegger", "schwartzenegger"]
)
def test_misspelt_words_are_found(misspelt: str) -> None:
    index = index_of("Arnold Palmer", "Arnold Schwarzenegger", "Norman Schwarzkopf", "Donald Arnold")
    assert found(index, misspelt)[0] == "Arnold Schwarzenegger"


def test_one_edit_in_a_long_word_is_always_found() -> None:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    forms = ["".join(rng.choices(letters, k=rng.randrange(6, 12))) for _ in range(3000)]
    index = index_of(*forms)
    for form in rng.sample(forms, 150):
        at = rng.randrange(len(form))
        misspelt = rng.choice(
            [form[:at] + form[at + 1 :], form[:at] + rng.choice(letters) + form[at:], form[:at] + "z" + form[at + 1 :]]
        )
        assert form in found(index, misspelt)


def test_the_better_connected_of_two_equal_matches_comes_first() -> None:
    names = [
        NameRow(number, f"John {name}", NameKind.LABEL, number)
        for number, name in enumerate(["Dale", "Cole", "Mill", "Kent"])
    ]
    assert found(LabelIndex.build(names), "john", 2) == ["John Kent", "John Mill"]


def test_words_that_are_everywhere_are_searched_within_bounds() -> None:
    index = index_of(*(f"The {n}" for n in range(9000)), "The Who")
    assert found(index, "the who")[0] == "The Who"
    assert len(found(index, "the the", 10)) == 10


@pytest.mark.parametrize(
    "text", ['"', '" OR "a', "a* NEAR(b)", "norm:x", "-", "\x00", "' --", "(", "a AND NOT b", "^a"]
)
def test_query_syntax_is_only_text(text: str) -> None:
    index = index_of("a", "b", text)
    assert text in [match.form for match in index.search(text, 3)] or not normalise(text)


def test_very_long_names_and_texts() -> None:
    index = index_of("x" * 100_000, "é" * 40_000, "word " * 50_000)
    assert [match.owner for match in index.lookup(["X" * 100_000, "É" * 40_000])[0]] == [0]
    assert index.search("é" * 40_000, 1)[0].owner == 1
    assert found(index, "nothing " * 50_000) == []
