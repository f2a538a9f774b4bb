"""Our own JSON lines: every form of a value, and a clear word for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.readers import RawName, RawStatement, ReadOptions, Record, Rejected, read
from toulmin.graph.types import DESCRIPTION, Literal

E, R = "urn:toulmin:e:", "urn:toulmin:r:"


def records(folder: Path, *lines: object, options: ReadOptions | None = None) -> list[Record]:
    path = folder / "graph.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8", errors="surrogatepass")
    return list(read(path, options=options))


def value(folder: Path, written: str) -> str | Literal:
    """The object that a value written in JSON gives."""
    found = records(folder, f'{{"subject": "w:s", "relation": "w:r", "object": {written}}}')
    fact = found[-1]
    assert isinstance(fact, RawStatement), found
    return fact.object


def reason(folder: Path, line: object) -> str:
    (found,) = records(folder, line)
    assert isinstance(found, Rejected)
    assert found.line == 1
    return found.reason


def test_an_entity_gives_its_names_and_its_description(tmp_path: Path) -> None:
    line = {"id": "w:Paris", "label": "Paris", "aliases": ["City of Light"], "description": "capital", "lang": "en-GB"}
    assert records(tmp_path, line) == [
        RawName("w:Paris", "Paris", "label", "en-gb"),
        RawName("w:Paris", "City of Light", "alias", "en-gb"),
        RawStatement("w:Paris", DESCRIPTION, Literal("capital", lang="en-gb")),
    ]
    assert records(tmp_path, line, options=ReadOptions(languages=("fr",))) == []
    assert len(records(tmp_path, line, options=ReadOptions(languages=("en",)))) == 3


def test_names_get_ids_and_are_announced_once(tmp_path: Path) -> None:
    line = {"subject": "Marie Curie", "relation": "bornIn", "object": "Warsaw"}
    assert records(tmp_path, line, line) == [
        RawName(E + "Marie%20Curie", "Marie Curie"),
        RawName(R + "bornIn", "born in"),
        RawName(E + "Warsaw", "Warsaw"),
        RawStatement(E + "Marie%20Curie", R + "bornIn", E + "Warsaw"),
        RawStatement(E + "Marie%20Curie", R + "bornIn", E + "Warsaw"),
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"w:Paris"', "w:Paris"),
        ('"http://x.org/a"', "http://x.org/a"),
        ('"_:b1"', "_:b1"),
        ('"Star Wars: A New Hope"', E + "Star%20Wars:%20A%20New%20Hope"),
        ('{"id": "w:Paris"}', "w:Paris"),
        ('{"name": "w:Paris"}', E + "w:Paris"),
        ("1.50", Literal("1.50", "quantity")),
        ("-3", Literal("-3", "quantity")),
        ("1E400", Literal("1E400", "quantity")),
        ("true", Literal("true", "boolean")),
        ('{"boolean": false}', Literal("false", "boolean")),
        ('{"string": ""}', Literal("")),
        ('{"string": " two\\nlines\\u001f", "lang": "EN"}', Literal(" two\nlines", lang="en")),
        ('{"quantity": 8848.86, "unit": "metre"}', Literal("8848.86", "quantity", unit="metre")),
        ('{"quantity": "12.0", "unit": "USD"}', Literal("12.0", "quantity", unit="USD")),
        ('{"time": "1995-03"}', Literal("1995-03", "time")),
        ('{"time": "1995-03", "precision": "month", "calendar": "gregorian"}', Literal("1995-03", "time")),
        ('{"time": "1101", "precision": "century"}', Literal("1101", "time", precision="century")),
        ('{"time": "-0043-03-15", "calendar": "julian"}', Literal("-0043-03-15", "time", calendar="julian")),
        ('{"coordinate": [48.85, 2.350]}', Literal("48.85,2.350", "coordinate")),
        ('{"coordinate": "48.85,2.35"}', Literal("48.85,2.35", "coordinate")),
        ('{"unknown_value": true}', Literal("", "unknown_value")),
        ('{"no_value": true}', Literal("", "no_value")),
    ],
)
def test_forms_of_values(tmp_path: Path, written: str, expected: str | Literal) -> None:
    assert value(tmp_path, written) == expected


def test_qualifiers_and_rank(tmp_path: Path) -> None:
    line = {
        "subject": "w:s",
        "relation": "w:r",
        "object": "w:o",
        "qualifiers": {"w:start": {"time": "1903"}, "w:with": ["w:a", "w:b"], "w:none": []},
        "rank": "preferred",
    }
    assert records(tmp_path, line) == [
        RawStatement(
            "w:s",
            "w:r",
            "w:o",
            (("w:start", Literal("1903", "time")), ("w:with", "w:a"), ("w:with", "w:b")),
            "preferred",
        )
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nope", "not JSON: Expecting value (column 1)"),
        ('{"subject": ', "not JSON"),
        ("[1]", "not a JSON object"),
        ("{}", 'neither "subject"'),
        ('{"subject": "w:s"}', '"relation" is missing'),
        ('{"subject": "w:s", "relation": "w:r"}', '"object" is missing'),
        ('{"subject": 1, "relation": "w:r", "object": "w:o"}', '"subject": must be an entity'),
        ('{"subject": "w:s", "relation": 1, "object": "w:o"}', '"relation": must be a text'),
        ('{"subject": " ", "relation": "w:r", "object": "w:o"}', '"subject": is empty'),
        ('{"subject": "w:s", "relation": "w:r", "object": null}', '"object": null is not a value'),
        ('{"subject": "w:s", "relation": "w:r", "object": NaN}', "NaN is not a number"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"tme": "1995"}}', "exactly one of"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "1995", "string": "x"}}', "exactly one of"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "1995", "unit": "metre"}}', 'unknown field "unit"'),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "spring 1995"}}', "is not a time"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "1995-02-30"}}', "is not a time"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "1995", "precision": "era"}}', "precision 'era'"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"time": "1995", "calendar": "maya"}}', "calendar 'maya'"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"quantity": "many"}}', "'many' is not a number"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"quantity": "1_0"}}', "'1_0' is not a number"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"quantity": "inf"}}', "'inf' is not a number"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"coordinate": [1]}}', "[latitude, longitude]"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"coordinate": [91, 1]}}', "outside the range"),
        ('{"subject": "w:s", "relation": "w:r", "object": {"no_value": false}}', '"no_value" must be true'),
        ('{"subject": "w:s", "relation": "w:r", "object": {"id": "Paris"}}', "is not an id"),
        ('{"subject": "w:s", "relation": "w:r", "object": "w:o", "rank": "best"}', "rank"),
        ('{"subject": "w:s", "relation": "w:r", "object": "w:o", "source": "x"}', 'unknown field "source"'),
        ('{"subject": "w:s", "relation": "w:r", "object": "w:o", "qualifiers": [1]}', '"qualifiers": must be'),
        ('{"id": "Paris"}', "is not an id"),
        ('{"id": "w:Paris", "alias": "x"}', 'unknown field "alias"'),
        ('{"id": "w:Paris", "aliases": "x"}', "must be a list"),
        ('{"id": "w:Paris", "label": ""}', "is empty"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, line: str, expected: str) -> None:
    assert expected in reason(tmp_path, line)
    assert "\n" not in reason(tmp_path, line)


def test_a_rejected_statement_announces_no_names(tmp_path: Path) -> None:
    bad = '{"subject": "New", "relation": "r", "object": null}'
    good = '{"subject": "New", "relation": "r", "object": "Old"}'
    found = records(tmp_path, bad, "", good)
    assert [type(record) for record in found] == [Rejected, RawName, RawName, RawName, RawStatement]


def test_the_examples_of_the_documentation_are_read(tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "format.md").read_text(encoding="utf-8")
    lines = text.split("```json\n")[1].split("```")[0].splitlines()
    found = records(tmp_path, *lines)
    assert sum(isinstance(record, RawStatement) for record in found) == 3
    assert not any(isinstance(record, Rejected) for record in found)


def test_control_characters_and_lone_surrogates_do_not_come_through(tmp_path: Path) -> None:
    line = '{"subject": "a\\u001fb\\ud800", "relation": "w:r", "object": {"string": "x\\u001ey\\udfff"}}'
    name, fact = records(tmp_path, line)
    assert name == RawName(E + "ab", "ab")
    assert isinstance(fact, RawStatement)
    assert fact.object == Literal("xy")


def test_a_literal_of_ten_megabytes(tmp_path: Path) -> None:
    text = "é" * 5_000_000
    found = value(tmp_path, json.dumps({"string": text}, ensure_ascii=False))
    assert found == Literal(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["id", "label", "subject", "relation", "object", "qualifiers", "rank", "aliases", "description"])


@given(st.dictionaries(keys, json_values, max_size=6))
def test_no_json_object_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, line: dict[str, Any]) -> None:
    for record in records(tmp_path_factory.mktemp("any"), line):
        assert isinstance(record, RawStatement | RawName | Rejected)
