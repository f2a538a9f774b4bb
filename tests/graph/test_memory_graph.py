"""What a graph answers, against a plain model of its statements."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal as Choice

import pytest
from graph_strategies import IDS, RELATIONS, content, entities, model, records
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.types import DESCRIPTION, Entity, EntityInfo, Literal, Qualifier, Relation, Statement

SIDES: tuple[Choice["outgoing", "incoming", "both"], ...] = ("outgoing", "incoming", "both")


@given(records)
def test_statements_of_every_entity_side_and_relation(found: list[Record]) -> None:
    expected = model(found).values()
    graph = MemoryGraph.from_records(found)
    for side in SIDES:
        for relations in (None, RELATIONS[:2], ()):
            answers = graph.statements(IDS, side=side, relations=relations)
            for entity, answer in zip(IDS, answers, strict=True):
                assert content(answer) == content(
                    s
                    for s in expected
                    if (relations is None or s.relation.id in relations)
                    and ((side != "incoming" and s.subject.id == entity)
                         or (side != "outgoing" and isinstance(s.object, Entity) and s.object.id == entity))
                )  # fmt: skip


@given(records, st.integers(0, 3))
def test_limit_holds_for_each_entity_and_side(found: list[Record], limit: int) -> None:
    graph = MemoryGraph.from_records(found)
    for entity in IDS:
        (outgoing,), (incoming,), (both,) = (graph.statements([entity], side=side) for side in SIDES)
        loops = [s for s in incoming if s.subject.id == entity]
        assert len(graph.statements([entity], side="outgoing", limit=limit)[0]) == min(limit, len(outgoing))
        assert len(graph.statements([entity], side="incoming", limit=limit)[0]) == min(limit, len(incoming))
        limited = graph.statements([entity], limit=limit)[0]
        assert len(limited) == min(limit, len(outgoing)) + min(limit, len(incoming) - len(loops))
        assert {s.id for s in limited} <= {s.id for s in both}


@given(
    records,
    st.lists(st.sampled_from([*IDS, "unknown"]), max_size=9),
    st.sampled_from(SIDES),
    st.none() | st.lists(st.sampled_from([*RELATIONS, "unknown"]), max_size=3),
    st.none() | st.integers(0, 3),
)
def test_many_entities_at_once_as_each_by_itself(
    found: list[Record],
    asked: list[str],
    side: Choice["outgoing", "incoming", "both"],
    relations: list[str] | None,
    limit: int | None,
) -> None:
    graph = MemoryGraph.from_records(found)
    each = [graph.statements([entity], side=side, relations=relations, limit=limit)[0] for entity in asked]
    assert graph.statements(asked, side=side, relations=relations, limit=limit) == each


@pytest.mark.parametrize("limit", [None, 1])
@pytest.mark.parametrize("side", SIDES)
def test_a_crowd_of_entities_as_each_by_itself(side: Choice["outgoing", "incoming", "both"], limit: int | None) -> None:
    rng = random.Random(1)
    drawn = [(rng.randrange(40), rng.randrange(6), rng.randrange(40)) for _ in range(600)]
    graph = MemoryGraph.from_records([RawStatement(f"e{s}", f"r{r}", f"e{o}") for s, r, o in drawn])
    crowd = [f"e{number}" for number in range(45)]
    for relations in (["r0"], ["r3", "r1"], ["r5", "unknown"], None):
        found = graph.statements(crowd, side=side, relations=relations, limit=limit)
        each = [graph.statements([one], side=side, relations=relations, limit=limit)[0] for one in crowd]
        assert found == each
        assert sum(map(len, found)) > 30


@given(records, st.randoms(use_true_random=False))
def test_fingerprint_knows_the_content_and_nothing_else(found: list[Record], rng: random.Random) -> None:
    found = one_name_of_a_kind(found)
    graph = MemoryGraph.from_records(found, name="one")
    shuffled = [*found, *rng.sample(found, len(found) // 2)]
    rng.shuffle(shuffled)
    assert MemoryGraph.from_records(shuffled, name="other").fingerprint == graph.fingerprint
    more: list[Record] = [
        RawStatement("http://example.org/fresh", RELATIONS[0], IDS[0]),
        RawName(IDS[0], "a fresh name", "alias"),
    ]
    for fresh in more:
        assert MemoryGraph.from_records([*found, fresh]).fingerprint != graph.fingerprint


def one_name_of_a_kind(found: list[Record]) -> list[Record]:
    """Without second names of one kind and language: of these, the one that was read first is the label."""
    names = {(name.id, name.kind, name.lang): name for name in found if isinstance(name, RawName)}
    return [*(record for record in found if not isinstance(record, RawName)), *names.values()]


@given(records)
def test_contains_every_statement_and_no_altered_one(found: list[Record]) -> None:
    graph = MemoryGraph.from_records(found)
    held = model(found)
    stored = [s for answer in graph.statements(IDS) for s in answer]
    assert graph.contains(list(held.values())) == [True] * len(held)
    assert graph.contains(stored) == [True] * len(stored)
    altered = [changed for statement in held.values() for changed in alterations(statement)]
    assert graph.contains(altered) == [changed.id in held for changed in altered]


def alterations(statement: Statement) -> list[Statement]:
    """Every part changed by itself, and the parts shifted over the separators of the canonical form."""
    relation, obj = statement.relation.id, statement.object
    changed = [
        replace(statement, subject=Entity(statement.subject.id + "x")),
        replace(statement, relation=Relation(relation + "x")),
        replace(statement, object=Literal(obj.id) if isinstance(obj, Entity) else replace(obj, value=obj.value + "x")),
        replace(statement, rank="preferred" if statement.rank == "normal" else "normal"),
        replace(statement, rank="deprecated"),
        replace(statement, qualifiers=(*statement.qualifiers, Qualifier(Relation("new"), Literal("1")))),
        replace(statement, subject=Entity(f"{statement.subject.id}\x1e{relation}"), relation=Relation(statement.rank)),
    ]
    changed += [
        replace(statement, qualifiers=statement.qualifiers[:at] + statement.qualifiers[at + 1 :])
        for at in range(len(statement.qualifiers))
    ]
    if isinstance(obj, Entity):
        changed.append(replace(statement, subject=obj, object=statement.subject))
    else:
        changed.append(replace(statement, object=replace(obj, lang="xx")))
        changed.append(replace(statement, object=Entity(obj.value)))
    return changed


def test_parts_shifted_over_a_separator_are_another_statement() -> None:
    """Whatever a text holds, even what the encoding of a statement is made of."""
    said = RawStatement("s", "r", "o", (("q", "v"),))
    graph = MemoryGraph.from_records([said])
    (stored,) = graph.statements(["s"])[0]
    shifted = [
        Statement(Entity("s1:r"), Relation("6:1:e1:o"), Entity("o"), stored.qualifiers),
        Statement(Entity("s"), Relation("r"), Entity("o"), (), "6:normal1:q"),  # type: ignore[arg-type]
        Statement(Entity("s"), Relation("r"), Literal("o"), stored.qualifiers),
        Statement(Entity("s"), Relation("r"), Entity("\x1f1:l1:o6:string0:0:0:0:"), stored.qualifiers),
    ]
    assert graph.contains([*shifted, stored]) == [False] * 4 + [True]


def test_all_sixteen_bytes_of_a_digest_count() -> None:
    graph = MemoryGraph.from_records([RawStatement("a", "r", str(n)) for n in range(50)])
    for statement in graph.statements(["a"])[0]:
        digest = bytes.fromhex(statement.id)
        changed = [digest[:at] + bytes([digest[at] ^ 1]) + digest[at + 1 :] for at in range(16)]
        assert graph.subgraph([], 0).tables.holds([digest, *changed]) == [True] + [False] * 16


@given(records)
def test_every_entity_is_described_and_nothing_else_is(found: list[Record]) -> None:
    graph = MemoryGraph.from_records(found)
    known = entities(found) | {relation.id for relation in graph.subgraph([], 0).relations}
    for entity, info in zip(IDS, graph.describe(IDS), strict=True):
        assert (info is not None) == (entity in known)
        if info:
            assert info.entity.id == entity
            assert info.entity.label


@given(records)
def test_relations_are_counted(found: list[Record]) -> None:
    expected: dict[str, int] = {}
    for statement in model(found).values():
        expected[statement.relation.id] = expected.get(statement.relation.id, 0) + 1
    counted = MemoryGraph.from_records(found).relations()
    assert {relation.id: count for relation, count in counted} == expected
    assert [count for _, count in counted] == sorted(expected.values(), reverse=True)


def test_is_a_graph() -> None:
    assert isinstance(MemoryGraph.from_records([]), Graph)


def test_the_empty_graph_answers() -> None:
    with MemoryGraph.from_records([]) as graph:
        assert graph.fingerprint == MemoryGraph.from_records([]).fingerprint
        assert graph.statements(["a"]) == [[]]
        assert graph.statements([]) == []
        assert graph.contains([]) == []
        assert graph.describe(["a"]) == [None]
        assert graph.lookup(["a", ""]) == [[], []]
        assert graph.search("a") == []
        assert graph.relations() == []
        assert graph.subgraph(["a"], 2).n_nodes == 0
        assert graph.query("SELECT ?s { ?s ?p ?o }").rows == ()


def test_a_literal_of_ten_megabytes() -> None:
    text = "ä" * 5_000_000
    graph = MemoryGraph.from_records([RawStatement("a", "says", Literal(text))])
    (statement,) = graph.statements(["a"])[0]
    assert statement.object == Literal(text)
    assert graph.contains([statement, replace(statement, object=Literal(text[:-1]))]) == [True, False]


def test_statements_keep_the_text_of_literals_and_their_qualifiers_in_order() -> None:
    fact = RawStatement(
        "a", "height", Literal("1.50", "quantity", "metre"), (("z", Literal("1")), ("b", "a"), ("z", "c"))
    )
    (statement,) = MemoryGraph.from_records([fact]).statements(["a"])[0]
    assert statement.object == Literal("1.50", "quantity", "metre")
    assert [(q.relation.id, q.value) for q in statement.qualifiers] == [
        ("z", Literal("1")), ("b", Entity("a", "a")), ("z", Entity("c", "c"))
    ]  # fmt: skip


def test_labels_prefer_english_then_no_language_and_the_rest_are_aliases() -> None:
    graph = MemoryGraph.from_records(
        [
            RawName("x", "Wien", lang="de"),
            RawName("x", "Vienna city", "alias", "en"),
            RawName("x", "Vienna", lang="en"),
            RawName("x", "Vienne"),
            RawStatement("x", DESCRIPTION, Literal("Hauptstadt", lang="de")),
            RawStatement("x", DESCRIPTION, Literal("capital of Austria", lang="en")),
            RawName("capital_of", "is capital of"),
            RawStatement("x", "capital_of", "http://example.org/Republic_of_Austria"),
        ]
    )
    assert graph.describe(["x"]) == [
        EntityInfo(Entity("x", "Vienna"), ("Vienne", "Wien", "Vienna city"), "capital of Austria")
    ]
    (statement,) = graph.statements(["x"], relations=["capital_of"])[0]
    assert statement.relation.label == "is capital of"
    assert statement.object == Entity("http://example.org/Republic_of_Austria", "Republic of Austria")
    german = MemoryGraph.from_records(
        [RawName("x", "Vienna", lang="en"), RawName("x", "Wien", lang="de-AT")], languages=("de",)
    )
    assert german.describe(["x"])[0] == EntityInfo(Entity("x", "Wien"), ("Vienna",))


def test_only_names_that_people_read_save_an_entity_from_being_a_machine_node() -> None:
    told = [
        ("m.0abc", RawName("m.0abc", "m.0abc")),
        ("urn:toulmin:e:m.0abd", RawName("urn:toulmin:e:m.0abd", "m.0abd")),
        ("http://www.wikidata.org/entity/Q42", None),
        ("http://www.wikidata.org/entity/statement/Q42-" + "F078E5B3-F9A8-480E-B7AC-D97778CBBEF9", None),
        ("_:b0", None),
        ("m.0abe", RawName("m.0abe", "A label")),
        ("m.0abf", RawName("m.0abf", "an alias", "alias")),
        ("http://www.wikidata.org/entity/Q1", RawName("http://www.wikidata.org/entity/Q1", "universe")),
        ("urn:toulmin:e:Q7", RawName("urn:toulmin:e:Q7", "Q7")),
        ("Kismet", None),
    ]
    graph = MemoryGraph.from_records(
        [r for entity, name in told for r in (RawStatement(entity, "r", entity), name) if r]
    )
    sub = graph.subgraph([], 0)
    machine = [bool(sub.machine[sub.index(entity) or 0]) for entity, _ in told]
    assert machine == [True] * 5 + [False] * 5
    assert graph.lookup(["m.0abc", "an alias", "q7"])[0] == []
    assert [match.id for match in graph.lookup(["an alias"])[0]] == ["m.0abf"]
    assert graph.describe(["http://www.wikidata.org/entity/Q42"])[0] == EntityInfo(
        Entity("http://www.wikidata.org/entity/Q42", "Q42")
    )


def test_same_names_come_in_order_of_connectedness() -> None:
    records = [RawName(entity, "Paris") for entity in ("tx", "fr", "hilton")]
    records += [RawName("fr", "Paris", "alias"), RawName("city", "paris", "alias")]
    facts = [RawStatement("fr", "r", str(number)) for number in range(3)] + [RawStatement("hilton", "r", "1")]
    facts += [RawStatement("city", "r", str(number)) for number in range(9)]
    matches = MemoryGraph.from_records([*records, *facts]).lookup(["PARIS"])[0]
    assert [(match.id, match.alias, match.score) for match in matches] == [
        ("fr", False, 1.0), ("hilton", False, 1.0), ("tx", False, 1.0), ("city", True, 1.0)
    ]  # fmt: skip


def test_from_statements_takes_labels_and_drops_the_graph() -> None:
    statement = Statement(Entity("a", "A"), Relation("r", "R"), Entity("b"), graph="other")
    graph = MemoryGraph.from_statements([statement, statement, Statement(Entity("b", "B"), Relation("r"), Entity("c"))])
    assert graph.statements(["a"]) == [[Statement(Entity("a", "A"), Relation("r", "R"), Entity("b", "B"))]]
    assert graph.contains([statement]) == [True]


@pytest.mark.parametrize(
    "record",
    [
        RawStatement("", "r", "o"),
        RawStatement("s", "", "o"),
        RawStatement("s", "r", ""),
        RawStatement("s\n", "r", "o"),
        RawStatement("s", "r", Literal("\udfff")),
        RawStatement("s", "r", Literal("1", unit="\ud800")),
        RawStatement("s", "r", "\ud800"),
        RawStatement("s", "r", "o", (("", "v"),)),
        RawStatement("s", "r", "o", (), "best"),  # type: ignore[arg-type]
        RawName("s", "  "),
        RawName("s", "\udfff"),
        Rejected(7, "bad"),
    ],
)
def test_what_cannot_be_stored_is_refused(record: Record) -> None:
    with pytest.raises(SourceError) as caught:
        MemoryGraph.from_records([record])
    assert "\n" not in str(caught.value)


def test_unknown_sides_and_limits_are_refused() -> None:
    graph = MemoryGraph.from_records([])
    with pytest.raises(SettingsError, match="sideways"):
        graph.statements(["a"], side="sideways")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="limit"):
        graph.statements(["a"], limit=-1)


def test_texts_that_are_no_unicode_find_nothing() -> None:
    graph = MemoryGraph.from_records([RawStatement("a", "r", "b")])
    assert graph.statements(["\ud800"]) == [[]]
    assert graph.describe(["\ud800"]) == [None]
    assert graph.lookup(["\ud800", "\ud800 a"]) == [[], graph.lookup(["a"])[0]]
    assert graph.search("\ud800") == []
    assert graph.contains([Statement(Entity("\ud800"), Relation("r"), Entity("b"))]) == [False]
