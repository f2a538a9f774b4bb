"""Forms of verbs and nouns."""

from __future__ import annotations

import pytest

from toulmin.english.inflection import finite, is_participle, is_past, singular, verb_base


@pytest.mark.parametrize(
    ("gerund", "past", "present"),
    [
        ("winning", "won", "wins"),
        ("being", "was", "is"),
        ("having", "had", "has"),
        ("writing", "wrote", "writes"),
        ("leading", "led", "leads"),
        ("undergoing", "underwent", "undergoes"),
        ("prescribing", "prescribed", "prescribes"),
        ("carrying", "carried", "carries"),
        ("stopping", "stopped", "stops"),
        ("admitting", "admitted", "admits"),
        ("putting", "put", "puts"),
    ],
)
def test_finite_forms(gerund: str, past: str, present: str) -> None:
    assert (finite(gerund, past=True), finite(gerund, past=False)) == (past, present)


@pytest.mark.parametrize("word", ["wrote", "built", "led", "directed", "put", "arose", "strangled", "withdrew", "fed"])
def test_pasts(word: str) -> None:
    assert is_past(word) and not is_participle(word)


@pytest.mark.parametrize("word", ["written", "taken", "become", "born", "overseen", "located", "undergone", "shown"])
def test_participles_that_are_no_past(word: str) -> None:
    assert is_participle(word)


@pytest.mark.parametrize(
    "word", ["run", "write", "ground", "wound", "cast", "red", "bed", "table", "", "zzz", "hundred"]
)
def test_what_is_neither(word: str) -> None:
    assert not is_past(word) and not is_participle(word)


@pytest.mark.parametrize(
    ("word", "base"), [("directed", "direct"), ("lives", "live"), ("went", "go"), ("the", None), ("ran", "run")]
)
def test_base_forms(word: str, base: str | None) -> None:
    assert verb_base(word) == base


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("leaders", "leader"),
        ("children", "child"),
        ("craftspeople", "craftsperson"),
        ("cities", "city"),
        ("glass", None),
        ("nurse", None),
    ],
)
def test_singulars(noun: str, expected: str | None) -> None:
    assert singular(noun) == expected
