"""Wikidata's JSON: every container, every value type, and mistakes that cost one statement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toulmin.errors import SourceError
from toulmin.graph.readers import RawName, RawStatement, ReadOptions, Record, Rejected, read
from toulmin.graph.types import DESCRIPTION, Literal

WD = "http://www.wikidata.org/entity/"


def snak(value: Any, kind: str = "string", prop: str = "P1") -> dict[str, Any]:
    return {"snaktype": "value", "property": prop, "datavalue": {"type": kind, "value": value}}


def statement(main: dict[str, Any], rank: str = "normal", **more: Any) -> dict[str, Any]:
    return {"type": "statement", "id": "Q1$x", "mainsnak": main, "rank": rank, **more}


def item(*statements: dict[str, Any], identifier: str = "Q1", **more: Any) -> dict[str, Any]:
    claims: dict[str, list[Any]] = {}
    for one in statements:
        claims.setdefault(one["mainsnak"]["property"], []).append(one)
    return {"type": "item", "id": identifier, "labels": {}, "claims": claims, **more}


def records(folder: Path, text: str, options: ReadOptions | None = None) -> list[Record]:
    path = folder / "entities.json"
    path.write_text(text, encoding="utf-8")
    return list(read(path, format="wikidata", options=options))


def value(folder: Path, main: dict[str, Any]) -> str | Literal:
    (found,) = records(folder, json.dumps(item(statement(main))))
    assert isinstance(found, RawStatement), found
    assert found.relation == WD + main["property"]
    return found.object


A, B = item(statement(snak("a")), identifier="Q1"), item(statement(snak("b")), identifier="Q2")


@pytest.mark.parametrize(
    "text",
    [
        "[\n" + json.dumps(A) + ",\n" + json.dumps(B) + "\n]\n",
        json.dumps(A) + "\n" + json.dumps(B) + "\n",
        json.dumps([A, B]),
        json.dumps([A, B], indent=1),
        json.dumps({"entities": {"Q1": A, "Q2": B}}),
        json.dumps({"entities": {"Q1": A, "Q2": B}}, indent=2),
        json.dumps({"entities": {"Q1": A}}) + "\n" + json.dumps({"entities": {"Q2": B}}),
    ],
    ids=["dump", "lines", "list", "indented list", "EntityData", "indented EntityData", "EntityData lines"],
)
def test_containers(tmp_path: Path, text: str) -> None:
    assert records(tmp_path, text) == [
        RawStatement(WD + "Q1", WD + "P1", Literal("a")),
        RawStatement(WD + "Q2", WD + "P1", Literal("b")),
    ]


def test_a_single_entity_on_one_line_and_on_many(tmp_path: Path) -> None:
    for indent in (None, 4):
        assert records(tmp_path, json.dumps(A, indent=indent)) == [RawStatement(WD + "Q1", WD + "P1", Literal("a"))]


def test_an_empty_dump(tmp_path: Path) -> None:
    assert records(tmp_path, "[\n]\n") == records(tmp_path, "[]") == []


GREGORIAN, JULIAN = WD + "Q1985727", WD + "Q1985786"


def time(text: str, precision: int, calendar: str = GREGORIAN) -> dict[str, Any]:
    fields = {"time": text, "precision": precision, "calendarmodel": calendar, "timezone": 0, "before": 0, "after": 0}
    return snak(fields, "time")


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        (snak({"entity-type": "item", "id": "Q5", "numeric-id": 5}, "wikibase-entityid"), WD + "Q5"),
        (snak({"entity-type": "property", "numeric-id": 31}, "wikibase-entityid"), WD + "P31"),
        (snak({"entity-type": "lexeme", "id": "L7"}, "wikibase-entityid"), WD + "L7"),
        (snak({"entity-type": "form", "id": "L7-F2"}, "wikibase-entityid"), WD + "L7-F2"),
        (snak("tt0245429"), Literal("tt0245429")),
        (snak("http://x.org/"), Literal("http://x.org/")),
        (snak("Spirited Away.jpg"), Literal("Spirited Away.jpg")),
        (
            snak({"text": "千と千尋の神隠し", "language": "ja"}, "monolingualtext"),
            Literal("千と千尋の神隠し", lang="ja"),
        ),
        (snak({"amount": "+125", "unit": WD + "Q7727"}, "quantity"), Literal("125", "quantity", unit="minute")),
        (snak({"amount": "-3.50", "unit": "1"}, "quantity"), Literal("-3.50", "quantity")),
        (snak({"amount": "+1", "unit": WD + "Q4917"}, "quantity"), Literal("1", "quantity", unit="USD")),
        (snak({"amount": "+1", "unit": WD + "Q98765"}, "quantity"), Literal("1", "quantity", unit=WD + "Q98765")),
        (
            snak({"amount": "+8848", "unit": WD + "Q11573", "upperBound": "+8849", "lowerBound": "+8847"}, "quantity"),
            Literal("8848", "quantity", unit="metre", precision="8847..8849"),
        ),
        (
            snak({"amount": "+8848", "unit": WD + "Q11573", "upperBound": "+8848", "lowerBound": "+8848"}, "quantity"),
            Literal("8848", "quantity", unit="metre"),
        ),
        (time("+1952-03-11T00:00:00Z", 11), Literal("1952-03-11", "time")),
        (time("+1995-03-00T00:00:00Z", 10), Literal("1995-03", "time")),
        (time("+2009-00-00T00:00:00Z", 9), Literal("2009", "time")),
        (time("+1990-00-00T00:00:00Z", 8), Literal("1990", "time", precision="decade")),
        (time("+1200-00-00T00:00:00Z", 7), Literal("1200", "time", precision="century")),
        (time("-0044-03-15T00:00:00Z", 11, JULIAN), Literal("-0043-03-15", "time", calendar="julian")),
        (
            snak({"latitude": 48.85, "longitude": 2.350, "precision": 0.01, "globe": WD + "Q2"}, "globecoordinate"),
            Literal("48.85,2.35", "coordinate"),
        ),
        (snak({"latitude": 48, "longitude": 2}, "globecoordinate"), Literal("48,2", "coordinate")),
        (
            snak({"latitude": 1.5, "longitude": 2.5, "globe": WD + "Q405"}, "globecoordinate"),
            Literal(f"<{WD}Q405> Point(2.5 1.5)"),
        ),
        ({"snaktype": "somevalue", "property": "P1"}, Literal("", "unknown_value")),
        ({"snaktype": "novalue", "property": "P1"}, Literal("", "no_value")),
    ],
)
def test_value_types(tmp_path: Path, main: dict[str, Any], expected: str | Literal) -> None:
    assert value(tmp_path, main) == expected


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    text = json.dumps(item(statement(snak({"latitude": 1.0, "longitude": 2.0}, "globecoordinate"))))
    found = records(tmp_path, text.replace("1.0", "48.8500").replace("2.0", "2.350"))
    assert found == [RawStatement(WD + "Q1", WD + "P1", Literal("48.8500,2.350", "coordinate"))]


def test_names_and_descriptions_in_every_language(tmp_path: Path) -> None:
    entity = item(
        labels={"en": {"language": "en", "value": "Paris"}, "mul": {"language": "mul", "value": "Paris"}},
        aliases={"en": [{"language": "en", "value": "City of\tLight"}], "fr": []},
        descriptions={"fr": {"language": "fr", "value": "capitale"}},
    )
    assert records(tmp_path, json.dumps(entity)) == [
        RawName(WD + "Q1", "Paris", "label", "en"),
        RawName(WD + "Q1", "Paris", "label", None),
        RawName(WD + "Q1", "City of Light", "alias", "en"),
        RawStatement(WD + "Q1", DESCRIPTION, Literal("capitale", lang="fr")),
    ]
    assert not any(
        isinstance(r, RawStatement) for r in records(tmp_path, json.dumps(entity), ReadOptions(languages=("en",)))
    )


def test_qualifiers_in_their_order_and_ranks(tmp_path: Path) -> None:
    qualifiers = {
        "P580": [time("+1903-00-00T00:00:00Z", 9) | {"property": "P580"}],
        "P1706": [snak({"entity-type": "item", "id": f"Q{n}"}, "wikibase-entityid", "P1706") for n in (7, 8)],
        "P582": [{"snaktype": "novalue", "property": "P582"}],
    }
    order = ["P1706", "P580"]
    main = snak({"entity-type": "item", "id": "Q2"}, "wikibase-entityid", "P166")
    entity = item(
        statement(main, "preferred", **{"qualifiers": qualifiers, "qualifiers-order": order}),
        statement(main, "deprecated"),
    )
    assert records(tmp_path, json.dumps(entity)) == [
        RawStatement(
            WD + "Q1",
            WD + "P166",
            WD + "Q2",
            (
                *((WD + "P1706", WD + "Q7"), (WD + "P1706", WD + "Q8")),
                *((WD + "P580", Literal("1903", "time")), (WD + "P582", Literal("", "no_value"))),
            ),
            "preferred",
        ),
        RawStatement(WD + "Q1", WD + "P166", WD + "Q2", (), "deprecated"),
    ]


def test_properties_and_lexemes(tmp_path: Path) -> None:
    prop = {"type": "property", "datatype": "time", "id": "P569", "labels": {"en": {"language": "en", "value": "born"}}}
    lexeme = {
        "type": "lexeme",
        "id": "L7",
        "lemmas": {"en": {"language": "en", "value": "run"}},
        "lexicalCategory": "Q24905",
        "language": "Q1860",
        "claims": [],
        "forms": [{"id": "L7-F1", "representations": {"en": {"language": "en", "value": "ran"}}, "claims": []}],
        "senses": [{"id": "L7-S1", "glosses": {"en": {"language": "en", "value": "to move fast"}}, "claims": []}],
    }
    found = records(tmp_path, json.dumps(prop) + "\n" + json.dumps(lexeme))
    assert RawName(WD + "P569", "born", "label", "en") in found
    assert RawName(WD + "L7", "run", "label", "en") in found
    assert RawName(WD + "L7-F1", "ran", "label", "en") in found
    assert RawStatement(WD + "L7-S1", DESCRIPTION, Literal("to move fast", lang="en")) in found
    assert {record.object for record in found if isinstance(record, RawStatement) and record.subject == WD + "L7"} == {
        *(WD + "Q24905", WD + "Q1860", WD + "L7-F1", WD + "L7-S1")
    }


@pytest.mark.parametrize(
    ("main", "reason"),
    [
        (snak({"numeric-id": 5}, "wikibase-entityid"), "malformed value of type 'wikibase-entityid'"),
        (snak({"id": "Paris"}, "wikibase-entityid"), "'Paris' is not an id of Wikidata"),
        (snak({"amount": "many", "unit": "1"}, "quantity"), "'many' is not a number"),
        (time("spring", 9), "malformed value of type 'time'"),
        (time("+1995-00-00T00:00:00Z", 99), "malformed value of type 'time'"),
        (snak({"latitude": 100, "longitude": 0}, "globecoordinate"), "outside the range"),
        (snak({"text": "x"}, "monolingualtext"), "malformed value of type 'monolingualtext'"),
        (snak(5), "not a text"),
        (snak("x", "telepathy"), "value type 'telepathy' is not known"),
        ({"snaktype": "value", "property": "P1"}, "without a value"),
        ({"snaktype": "odd", "property": "P1"}, "'odd'"),
    ],
)
def test_a_malformed_statement_costs_only_itself(tmp_path: Path, main: dict[str, Any], reason: str) -> None:
    entity = item(statement(main), statement(snak("fine")))
    bad, good = records(tmp_path, json.dumps(entity))
    assert isinstance(bad, Rejected)
    assert bad.reason.startswith("Q1, P1: ")
    assert reason in bad.reason
    assert bad.line == 1
    assert good == RawStatement(WD + "Q1", WD + "P1", Literal("fine"))


def test_bad_lines_of_a_dump_are_rejected_by_number(tmp_path: Path) -> None:
    text = "\n".join(
        ["[", json.dumps(A) + ",", '{"id": "Q3", "claims": {"P1": [', '{"id": "x"},', "7,", json.dumps(B), "]"]
    )
    found = records(tmp_path, text)
    assert [record.line for record in found if isinstance(record, Rejected)] == [3, 4, 5]
    assert sum(isinstance(record, RawStatement) for record in found) == 2


def test_an_entity_that_is_missing_and_an_unknown_rank(tmp_path: Path) -> None:
    (missing,) = records(tmp_path, json.dumps({"entities": {"Q9": {"id": "Q9", "missing": ""}}}))
    assert isinstance(missing, Rejected)
    assert "Q9 does not exist" in missing.reason
    ranks: tuple[Any, ...] = ("best", ["normal"], {}, None)
    for rank in ranks:
        (ranked,) = records(tmp_path, json.dumps(item(statement(snak("a")) | {"rank": rank})))
        assert isinstance(ranked, Rejected)
        assert f"rank {rank!r}" in ranked.reason


def test_a_malformed_document_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"entities\.json:3: not JSON"):
        records(tmp_path, '{\n "entities": {\n  "Q1": oops\n }\n}')
