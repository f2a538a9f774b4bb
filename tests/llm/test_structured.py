"""From a reply's text to a value: everything that has one reading is read, nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toulmin.errors import InputError
from toulmin.llm.protocol import Completion
from toulmin.llm.structured import read_json, read_reply

ANY: dict[str, Any] = {}
OBJECT = {"type": "object"}
ANSWER = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}, "facts": {"type": "array", "items": {"type": "integer"}}},
    "required": ["answer"],
    "additionalProperties": False,
}

words = st.text(st.characters(codec="utf-8"), max_size=12)
scalars = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(-1e300, 1e300) | words
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=12
)
objects = st.dictionaries(words, values, max_size=4)
prose = st.text(st.characters(codec="utf-8", exclude_characters="{}[]`<"), max_size=40)


def relaxed(value: Any) -> str:
    """JSON with single quotes, trailing commas and Python's constants."""
    if isinstance(value, dict):
        return "{" + "".join(f"{relaxed(key)}: {relaxed(inner)}, " for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "".join(f"{relaxed(inner)}, " for inner in value) + "]"
    if isinstance(value, str):
        return "'" + json.dumps(value)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
    return repr(value) if value is None or isinstance(value, bool) else json.dumps(value)


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_what_json_writes_is_read_back(value: Any, ascii_only: bool, indent: int | None) -> None:
    assert read_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent), ANY) == value


@given(objects)
def test_single_quotes_trailing_commas_and_python_constants(value: dict[str, Any]) -> None:
    assert read_json(relaxed(value), ANY) == value


@given(objects, prose, prose)
@example({"a": 1}, "'", "'")
@example({}, 'So "', '"')
def test_prose_and_fences_around_it(value: dict[str, Any], before: str, after: str) -> None:
    text = json.dumps(value)
    assert read_json(f"{before}\n{text}\n{after}", OBJECT) == value
    if "```" not in text:
        assert read_json(f"{before}\n```json\n{text}\n```\n{after}", OBJECT) == value


@given(objects)
def test_an_object_written_as_a_string(value: dict[str, Any]) -> None:
    assert read_json(json.dumps(json.dumps(value)), OBJECT) == value


@given(objects.filter(bool), st.data())
def test_a_value_that_is_cut_off_is_never_completed(value: dict[str, Any], draw: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = draw.draw(st.integers(0, len(text) - 1))
    with pytest.raises(InputError):
        read_json(text[:cut], OBJECT)


@given(st.text(max_size=200) | st.text("{}[]\"':,\\ 1eE-+.ntu`\n<think>", max_size=200))
def test_any_text_gives_a_value_or_one_line(text: str) -> None:
    try:
        value = read_reply(Completion(text), ANY)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert json.loads(json.dumps(value)) == value


@given(st.text("{}[]\"',:1", min_size=1000, max_size=3000))
def test_a_value_that_satisfies_the_schema_is_the_only_one_given(text: str) -> None:
    try:
        value = read_json(text, ANSWER)
    except InputError:
        return
    assert value["answer"] in ("yes", "no")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": "yes"}', {"answer": "yes"}),
        ('\ufeff{"answer": "yes"}', {"answer": "yes"}),
        ("```json\n{'answer': 'yes', 'facts': [1, 2,],}\n```", {"answer": "yes", "facts": [1, 2]}),
        ('```\n{"answer": "no"}', {"answer": "no"}),
        ('By [1] and [2, 3]: {"answer": "no"}. Is that all?', {"answer": "no"}),
        ('{"answer": "yes"} {"answer": "yes"}', {"answer": "yes"}),
        ('<think>Perhaps {"answer": "no"}?</think>\n{"answer": "yes"}', {"answer": "yes"}),
        ('The set {x} does not matter. {"answer": "no"}', {"answer": "no"}),
    ],
)
def test_what_has_one_reading(text: str, value: Any) -> None:
    assert read_reply(Completion(text), ANSWER) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("yes", "no JSON"),
        ('{"answer": "yes"} or {"answer": "no"}', "2 different"),
        ('{"answer": "yes", "answer": "no"}', "given twice"),
        ('{"answer": "yes", "facts": [1, 2', "ends inside"),
        ('{"answer": "yes"} {"answer": "no', "ends inside"),
        ('{"wrapped": {"answer": "yes"}}', "required property"),
        ('{"wrapped": {"answer": "yes"}, oops}', "not valid JSON"),
        ('{"answer": "maybe"}', "at answer: 'maybe' is not one of"),
        ('{"answer": "yes", "facts": [1, "2"]}', "at facts[1]"),
        ('{"answer": "yes", "facts": [NaN]}', "not valid JSON"),
        ('{"answer": "yes", "facts": [1e999]}', "too large"),
        ('{"answer": "\\ud800"}', "half a character"),
        ("{'answer': 'it's yes'}", "not escaped"),
        ("[" * 100_000, "nested"),
        ("{}" * 600_000, "too long"),
        ("{} " * 300_000, "more than 100 values"),
        ("1" * 5000, "no JSON"),
        ("[" + "1" * 5000 + "]", "not valid JSON"),
    ],
)
def test_what_has_none_or_several(text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read_json(text, ANSWER)
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("completion", "problem"),
    [
        (Completion(""), "empty"),
        (Completion("  \n"), "empty"),
        (Completion("<think>hm</think>"), "empty"),
        (Completion("", "length"), "before it begins"),
        (Completion('{"answer": "y', "length"), "cut off"),
        (Completion("I cannot.", "refusal"), "refused: I cannot."),
        (Completion("", "refusal"), "the model refused"),
    ],
)
def test_completions_that_cannot_be_used(completion: Completion, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_reply(completion, ANSWER)


def test_text_is_given_as_it_is() -> None:
    assert read_reply(Completion("<think>hm</think> Paris, {of} course. "), None) == "Paris, {of} course."
    assert read_reply(Completion("half \ud800 a pair"), None) == "half \ufffd a pair"
