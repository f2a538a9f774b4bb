"""What the kernel says of nodes, values and statements, and what it refuses to read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toulmin.kernel import KernelError
from toulmin.kernel.certificate import read_certificate
from toulmin.kernel.format import GraphStatement, LiteralValue, read, shaped
from toulmin.kernel.sentence import node_text, sentences, statement_text

LABELS = {"p:anna": "Anna", "r:award": "award", "r:head": "head of", "q:start": "start time", "u:1": "widget"}


def said(*program: dict[str, Any]) -> list[str]:
    """What each node of a program says."""
    given = {
        "format": "toulmin-certificate/1", "maker": "a test", "question": "Who?",
        "graphs": [{"name": "g", "root": "0"}], "program": program,
        "answer": {"kind": "none", "reasons": [{"code": "other", "says": "x"}]},
    }  # fmt: skip
    return sentences(read_certificate(json.loads(json.dumps(given))).program, LABELS.get)


ANNA = {"op": "entity", "id": "p:anna"}
AWARD = {"op": "follow", "of": 0, "relations": ["r:award"], "direction": "forward"}


def test_a_field_that_is_not_so_is_not_said() -> None:
    assert said(ANNA, AWARD | {"not_back": False})[1] == "the award of Anna"
    is_a = {"op": "is_a", "left": 0, "right": 0, "relations": ["r:award"]}
    assert (
        said(ANNA, AWARD, {**is_a, "left": 1, "closed": False})[2]
        == "the award of Anna is of the class Anna (by award)"
    )
    assert said(ANNA, AWARD, {**is_a, "left": 1, "closed": True})[2].endswith("(by award; no other classes)")


def test_a_precision_of_what_is_no_time_is_said() -> None:
    text = {"value": "1990", "kind": "string", "precision": "year"}
    window = {"from": text, "to": text, "start": [], "end": [], "point": ["q:start"]}
    assert "at some time in “1990” (year); at start time" in said(ANNA, AWARD | {"window": window})[1]


def test_a_calculation_is_said_in_words() -> None:
    part = {"op": "arithmetic", "do": "decade_of_century", "left": 1}
    assert said(ANNA, AWARD, part)[2] == "the decade of century of (the award of Anna)"


def test_a_name_that_ends_with_of_is_quoted() -> None:
    assert said(ANNA, AWARD | {"relations": ["r:head", "r:award"]})[1] == "the “head of” or award of Anna"


@pytest.mark.parametrize(("parts", "whole"), [(100, True), (101, False)])
def test_of_many_parts_the_places_are_said(parts: int, whole: bool) -> None:
    union = said(ANNA, {"op": "union", "of": [0] * parts})[1]
    assert union == f"({' or '.join(['Anna' if whole else 'node 0'] * parts)})"


@pytest.mark.parametrize(("length", "whole"), [(600, True), (601, False)])
def test_a_long_sentence_stands_at_its_own_node_alone(length: int, whole: bool) -> None:
    judged = {"op": "judged", "says": "", "by": "me", "score": 1, "decision": "yes", "seen": []}
    long = {**judged, "says": "x" * (length - len(said(judged)[0]))}
    text, negated = said(long, {"op": "not", "of": 0})
    assert len(text) == length
    assert negated == (f"not ({text})" if whole else "not (node 0)")


@pytest.mark.parametrize(
    ("value", "precision", "told"),
    [
        ("1990", "year", "in 1990"),
        ("1990-03", "month", "in 1990-03"),
        ("1990-03", "year", "in 1990-03 (year)"),
        ("1990", "decade", "in 1990 (decade)"),
        ("-0043", "year", "in -0043"),
    ],
)
def test_a_precision_that_digits_tell_is_not_said_of_a_window(value: str, precision: str, told: str) -> None:
    end = {"value": value, "kind": "time", "precision": precision}
    window = {"from": end, "to": end, "start": ["q:start"], "end": [], "point": []}
    assert said(ANNA, AWARD | {"window": window})[1] == f"the award (at some time {told}; since start time) of Anna"
    asked = AWARD | {"window": window | {"to": None, "unknown": "keep"}}
    assert f"from {told[3:]} to any time; since start time; or of unknown time" in said(ANNA, asked)[1]


@pytest.mark.parametrize("precision", [None, "microsecond", "second", "minute", "hour", "day"])
def test_fine_precisions_are_not_said(precision: str | None) -> None:
    assert node_text(LiteralValue("1990-03-01", "time", precision=precision), LABELS.get) == "1990-03-01"


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (LiteralValue("", "unknown_value"), "unknown value"),
        (LiteralValue("", "no_value"), "no value"),
        (LiteralValue("1990", "time", precision="month"), "1990 (month)"),
        (LiteralValue("1500", "time", calendar="julian"), "1500 (julian)"),
        (LiteralValue("chat", "string", lang="fr"), "“chat” (fr)"),
        (LiteralValue("a “b”", "string"), '“a "b"”'),
        (LiteralValue("5", "quantity", "metre"), "5 metre"),
        (LiteralValue("5", "quantity", "u:1"), "5 widget"),
        (LiteralValue("5", "quantity", "EUR"), "5 EUR"),
        (LiteralValue("5", "quantity", "u:2"), "5 ⟨u:2⟩"),
        (LiteralValue("5", "quantity", None, "4..6"), "5 (4..6)"),
        (LiteralValue("five", "quantity"), "“five”"),
        (LiteralValue("true", "boolean"), "true"),
        (LiteralValue("x" * 201, "string"), f"“{'x' * 199}…”"),
        (LiteralValue("1" * 200, "quantity"), "1" * 200),
        (LiteralValue("a", "string", lang="x" * 100), f"“a” ({'x' * 100})"),
        (LiteralValue("a", "string", lang="x" * 101), f"“a” ({'x' * 99}…)"),
    ],
)
def test_all_that_a_literal_says_is_shown(literal: LiteralValue, text: str) -> None:
    assert node_text(literal, LABELS.get) == text


def test_a_statement_is_shown_with_its_qualifiers() -> None:
    award = GraphStatement(
        0, "p:anna", "r:award", "p:b", (("q:start", LiteralValue("1990", "time")), ("q:x", "p:anna")), "normal"
    )
    shown = statement_text(award, LABELS.get)
    assert shown.rpartition(" [")[0] == "Anna — award → ⟨p:b⟩ (start time: 1990, ⟨q:x⟩: Anna)"


def test_words_with_what_they_are_have_a_start_before_their_end() -> None:
    assert shaped([2, 3, "a word"], "marked", "here") == (2, 3, "a word")
    for words in ([3, 3, "a word"], [3, 2, "a word"]):
        with pytest.raises(KernelError, match="the start before the end"):
            shaped(words, "marked", "here")


def test_shares_and_counts_have_bounds() -> None:
    assert [shaped(n, "share", "here") for n in (0, 1)] == [0.0, 1.0]
    for wrong in (-0.01, 1.01, True):
        with pytest.raises(KernelError):
            shaped(wrong, "share", "here")
    assert (shaped(1, "positive", "here"), shaped(0, "integer", "here")) == (1, 0)
    with pytest.raises(KernelError, match="1 or more"):
        shaped(0, "positive", "here")


def test_bytes_are_read_as_utf_8() -> None:
    assert read('{"é": 1}'.encode()) == {"é": 1}
    with pytest.raises(KernelError, match="UTF-8"):
        read('{"é": 1}'.encode("latin-1"))
