"""The bundled graph: readable, typed throughout, named throughout, and rich enough to be asked."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from toulmin.graph.bundled import bundled_path
from toulmin.graph.quantities import literal_quantity
from toulmin.graph.readers import RawName, RawStatement, Record, Rejected, read
from toulmin.graph.times import literal_interval
from toulmin.graph.types import DESCRIPTION, Literal
from toulmin.graph.values import compare

W = "world:"


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(read(bundled_path(), strict=True))


@pytest.fixture(scope="module")
def facts(records: list[Record]) -> list[RawStatement]:
    return [record for record in records if isinstance(record, RawStatement)]


def values(facts: list[RawStatement]) -> Iterator[Literal]:
    for fact in facts:
        for value in (fact.object, *(value for _, value in fact.qualifiers)):
            if isinstance(value, Literal):
                yield value


def test_it_is_large_varied_and_without_repetition(records: list[Record], facts: list[RawStatement]) -> None:
    assert not any(isinstance(record, Rejected) for record in records)
    statements = [fact for fact in facts if fact.relation != DESCRIPTION]
    assert len(statements) >= 420
    assert len(set(facts)) == len(facts)
    assert sum(bool(fact.qualifiers) for fact in statements) >= 100
    assert {fact.rank for fact in statements} == {"preferred", "normal", "deprecated"}
    kinds = Counter(value.kind for value in values(facts))
    assert {"time", "quantity", "coordinate", "string", "unknown_value", "no_value"} <= kinds.keys()
    times = [value for value in values(facts) if value.kind == "time"]
    precisions = {interval.precision for time in times if (interval := literal_interval(time))}
    assert {"day", "month", "year", "century"} <= precisions
    assert any(time.value.startswith("-") for time in times)
    assert any(time.calendar == "julian" for time in times)


def test_every_value_means_something(facts: list[RawStatement]) -> None:
    for value in values(facts):
        if value.kind == "time":
            assert literal_interval(value), value
        if value.kind == "quantity":
            assert literal_quantity(value), value
            assert value.unit is None or compare("=", value, value) is True


def test_everything_has_one_label(records: list[Record], facts: list[RawStatement]) -> None:
    labels = Counter(record.id for record in records if isinstance(record, RawName) and record.kind == "label")
    used: set[str] = set()
    for fact in facts:
        nodes = (fact.subject, fact.object, *(value for _, value in fact.qualifiers))
        used.update(node for node in nodes if isinstance(node, str))
        used.update(relation for relation in (fact.relation, *(name for name, _ in fact.qualifiers)))
    assert {identifier: labels[identifier] for identifier in used - {DESCRIPTION} if labels[identifier] != 1} == {}


def test_what_is_named_is_used(records: list[Record], facts: list[RawStatement]) -> None:
    used = {fact.subject for fact in facts if fact.relation != DESCRIPTION}
    for fact in facts:
        used.update((fact.relation, *(name for name, _ in fact.qualifiers)))
        used.update(node for node in (fact.object, *(value for _, value in fact.qualifiers)) if isinstance(node, str))
    assert {record.id for record in records if isinstance(record, RawName)} <= used


def test_some_names_are_shared(records: list[Record]) -> None:
    bearers: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if isinstance(record, RawName):
            bearers[record.form].add(record.id)
    for name in ("Paris", "Springfield", "Georgia", "Anne Hathaway", "Frankenstein", "Trinity College"):
        assert len(bearers[name]) >= 2, name


def test_nothing_happens_before_it_begins(facts: list[RawStatement]) -> None:
    births = {fact.subject: fact.object for fact in facts if fact.relation == W + "date_of_birth"}
    deaths = {fact.subject: fact.object for fact in facts if fact.relation == W + "date_of_death"}
    parents = {W + "father", W + "mother"}
    for fact in facts:
        qualifiers = dict(fact.qualifiers)
        start, end = qualifiers.get(W + "start_time"), qualifiers.get(W + "end_time")
        if isinstance(start, Literal) and isinstance(end, Literal):
            assert compare("≤", start, end) is not False, fact
        born, died = births.get(fact.subject), deaths.get(fact.subject)
        if isinstance(born, Literal) and isinstance(died, Literal):
            assert compare("<", born, died) in (True, None), fact.subject
        if isinstance(died, Literal) and isinstance(start, Literal) and fact.relation != W + "place_of_burial":
            assert compare("≤", start, died) is not False, fact
        parent = fact.object if fact.relation in parents else fact.subject if fact.relation == W + "child" else None
        child = fact.subject if fact.relation in parents else fact.object
        if isinstance(parent, str) and isinstance(child, str) and parent in births and child in births:
            earlier, later = births[parent], births[child]
            assert isinstance(earlier, Literal)
            assert isinstance(later, Literal)
            assert compare("<", earlier, later) in (True, None), fact


@pytest.mark.parametrize(
    ("start", "path", "answers"),
    [
        ("Spirited_Away", ["director", "place_of_birth", "country"], {"Japan"}),
        ("Howl's_Moving_Castle_(film)", ["based_on", "author", "place_of_death"], {"Bristol"}),
        ("Polonium", ["discoverer", "child", "spouse"], {"Frédéric_Joliot-Curie", "Henry_Labouisse"}),
        ("Paris,_Texas_(film)", ["director", "place_of_birth", "country"], {"Germany"}),
        ("Alan_Turing", ["doctoral_advisor", "place_of_birth"], {"Washington,_D.C."}),
        ("Ada", ["named_after", "father", "place_of_death"], {"Missolonghi"}),
        ("Georgia", ["capital"], {"Tbilisi"}),
        ("Alexander_the_Great", ["student_of", "student_of", "student_of"], {"Socrates"}),
    ],
)
def test_questions_have_answers(facts: list[RawStatement], start: str, path: list[str], answers: set[str]) -> None:
    reached = {W + start}
    for relation in path:
        reached = {
            fact.object
            for fact in facts
            if fact.subject in reached and fact.relation == W + relation and isinstance(fact.object, str)
        }
    assert reached == {W + answer for answer in answers}


def test_each_line_is_plain_json_without_escapes() -> None:
    for line in bundled_path().read_text(encoding="utf-8").splitlines():
        assert json.dumps(json.loads(line), ensure_ascii=False) == line
