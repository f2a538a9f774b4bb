"""What each perturbation does to a graph, and what it leaves alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lied import PARTS, records, workshop

from toulmin.errors import GraphError, InputError, SettingsError, SourceError
from toulmin.evaluation.perturbation import KINDS, Change, Perturbation, false_statements, perturbed, read_changes
from toulmin.evaluation.perturbation.similarity import compared
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawStatement
from toulmin.graph.store import open_graph
from toulmin.graph.types import DESCRIPTION, Literal, Statement

HEURISTICS = ("relation-swapping", "relation-replacement", "edge-rewiring", "edge-deletion")
EDGES = 20 * 6 + 2


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return workshop(tmp_path_factory.mktemp("perturbed"))


def statements(folder: Path) -> dict[str, Statement]:
    with open_graph(folder) as graph:
        subgraph = graph.subgraph([], 0)
        return {one.id: one for one in subgraph.statements(range(subgraph.n_statements))}


def done(
    source: Path, kind: str, level: float, seed: int = 0
) -> tuple[Change, dict[str, Statement], list[dict[str, Any]]]:
    out = source.parent / f"{kind}-{level:g}-{seed}"
    change = perturbed(source, Perturbation(kind, level, seed), out)
    return change, statements(out), list(read_changes(out))


@pytest.mark.parametrize("kind", KINDS)
def test_the_list_of_changes_is_the_difference_of_the_graphs(source: Path, kind: str) -> None:
    before = statements(source)
    change, after, listed = done(source, kind, 0.5)
    gone = {one["before"]["id"] for one in listed if one["change"] in ("removed", "altered")}
    new = {one["after"]["id"] for one in listed if one["change"] in ("added", "altered")}
    assert gone == set(before) - set(after) or kind == "entity-merge"
    assert new - set(before) == set(after) - set(before) == false_statements(change.out)
    assert Counter(one["change"] for one in listed) == Counter(
        {
            name: number
            for name in ("added", "removed", "altered", "renamed", "merged")
            if (number := getattr(change, name))
        }
    )
    assert (change.before, change.after) == (len(before), len(after))


@pytest.mark.parametrize("kind", KINDS)
def test_a_level_of_zero_changes_nothing(source: Path, kind: str) -> None:
    change, after, listed = done(source, kind, 0.0)
    assert after.keys() == statements(source).keys()
    assert not listed
    with open_graph(source) as one, open_graph(change.out) as other:
        assert one.fingerprint == other.fingerprint  # names are in it, too
        assert one.describe(["shop:part0", "shop:supplier"]) == other.describe(["shop:part0", "shop:supplier"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides(source: Path, kind: str) -> None:
    first = done(source, kind, 0.5)
    again = source.parent / "again"
    perturbed(source, Perturbation(kind, 0.5), again)
    assert list(read_changes(again)) == first[2]
    assert done(source, kind, 0.5, seed=1)[2] != first[2]


@pytest.mark.parametrize("kind", HEURISTICS)
def test_a_level_is_a_share_of_the_edges_and_lower_ones_are_within_higher_ones(source: Path, kind: str) -> None:
    changed = []
    for level in (0.1, 0.4, 1.0):
        change, _, listed = done(source, kind, level)
        changed.append({one["before"]["id"] for one in listed})
        assert change.possible == EDGES
        assert len(changed[-1]) <= round(level * EDGES)
        assert len(changed[-1]) >= round(0.8 * level * EDGES)
    if kind == "edge-deletion":
        assert all(lower < higher for lower, higher in pairwise(changed))
    assert done(source, "edge-deletion", 1.0)[1].keys() == {
        one.id for one in statements(source).values() if one.relation.id == DESCRIPTION
    }


@pytest.mark.parametrize("kind", HEURISTICS[:3])
@pytest.mark.parametrize("level", [0.3, 1.0])
def test_no_statement_is_lost_and_qualifiers_and_ranks_stay(source: Path, kind: str, level: float) -> None:
    change, after, listed = done(source, kind, level)
    assert change.after == change.before == len(after)
    for one in listed:
        old, new = one["before"], one["after"]
        assert old.get("qualifiers") == new.get("qualifiers")
        assert old.get("rank") == new.get("rank")
        assert old["subject"] == new["subject"]
        kept = ("object",) if kind.startswith("relation") else ("relation",)
        assert all(old[name] == new[name] for name in kept)
        assert new["id"] not in statements(source)


def test_swapping_keeps_how_many_statements_each_relation_has(source: Path) -> None:
    _, after, _ = done(source, "relation-swapping", 1.0)
    count = [Counter(one.relation.id for one in some.values()) for some in (statements(source), after)]
    assert count[0] == count[1]


def test_rewiring_leads_to_no_neighbour_and_to_values_of_the_same_kind(source: Path) -> None:
    before = statements(source)
    beside = {(one.subject.id, getattr(one.object, "id", one.object)) for one in before.values()}
    beside |= {(other, one) for one, other in beside if isinstance(other, str)}
    _, after, _ = done(source, "edge-rewiring", 1.0)
    for one in (after[identity] for identity in after.keys() - before.keys()):
        end = one.object if isinstance(one.object, Literal) else one.object.id
        assert (one.subject.id, end) not in beside
        assert end != one.subject.id
    kinds = [
        Counter((one.relation.id, getattr(one.object, "kind", "entity")) for one in some.values())
        for some in (before, after)
    ]
    assert kinds[0] == kinds[1]


def test_replacement_takes_what_fits_less(source: Path) -> None:
    change, _, listed = done(source, "relation-replacement", 0.5)
    assert all(one["before"]["relation"] != one["after"]["relation"] for one in listed)
    found = compared(source, change.out)
    assert found.ats < 0.8 * found.ats_before


def test_a_contradiction_stands_beside_the_statement_and_is_of_a_relation_with_one_value(source: Path) -> None:
    change, after, listed = done(source, "contradiction", 1.0)
    assert change.removed == change.altered == 0
    for one in listed:
        assert one["beside"]["id"] in after
        assert one["after"]["relation"] == one["beside"]["relation"] in ("shop:price", "shop:introduced")
        assert one["after"]["object"] != one["beside"]["object"]


def test_dates_move_at_their_own_precision(source: Path) -> None:
    change, after, listed = done(source, "date-shift", 1.0)
    assert change.possible == 21 + 60  # of objects, of qualifiers
    assert change.after == change.before
    for one in listed:
        texts = [str([side["object"], side.get("qualifiers")]) for side in (one["before"], one["after"])]
        assert len(texts[0]) == len(texts[1])
    centuries = [one.object for one in after.values() if getattr(one.object, "precision", None) == "century"]
    assert [one.value[-2:] for one in centuries if isinstance(one, Literal)] == ["00"]


def test_a_leap_day_moves_to_a_day_that_there_is(tmp_path: Path) -> None:
    out = tmp_path / "leap"
    with build_directory(out) as work:
        facts = [
            RawStatement(f"shop:part{number}", "shop:introduced", Literal("2016-02-29", "time")) for number in range(20)
        ]
        build_graph([("leap", facts)], work, name="leap")
    perturbed(out, Perturbation("date-shift", 1.0), tmp_path / "moved")
    values = {one.object.value for one in statements(tmp_path / "moved").values() if isinstance(one.object, Literal)}
    assert all(value.endswith("-02-29" if int(value[:4]) % 4 == 0 else "-02-28") for value in values)
    assert len(values) > 3


def test_a_stale_graph_has_the_value_before_and_does_not_know_that_it_ended(source: Path) -> None:
    change, after, _ = done(source, "stale-value", 1.0)
    assert (change.possible, change.removed, change.altered) == (20, 20, 20)
    supplied = [one for one in after.values() if one.relation.id == "shop:supplier"]
    assert len(supplied) == 20
    assert all([q.relation.id for q in one.qualifiers] == ["shop:from"] for one in supplied)


def test_merged_entities_share_statements_and_names(source: Path) -> None:
    change, after, listed = done(source, "entity-merge", 1.0)
    merged = [one for one in listed if one["change"] == "merged"]
    assert change.merged == len(merged) > 5
    with open_graph(change.out) as graph:
        for one in merged:
            assert graph.describe([one["entity"]]) == [None]
            (info,) = graph.describe([one["into"]])
            assert info is not None
            assert PARTS.get(one["entity"], "Forge") in " ".join(info.aliases)
        ids = {node for one in after.values() for node in (one.subject.id, getattr(one.object, "id", ""))}
    assert ids.isdisjoint(one["entity"] for one in merged)


def test_hostile_labels_keep_the_name_in_front_and_as_an_alias(source: Path) -> None:
    change, after, listed = done(source, "hostile-label", 1.0)
    assert after.keys() == statements(source).keys()
    with open_graph(change.out) as graph:
        for one in listed:
            (info,) = graph.describe([one["entity"]])
            assert info is not None
            assert info.entity.label == one["after"].strip()
            assert one["after"].startswith(one["before"])
            assert one["before"] in info.aliases
            assert graph.lookup([one["before"]])[0]


def test_nothing_to_change_is_told_in_one_line(tmp_path: Path) -> None:
    out = tmp_path / "small"
    with build_directory(out) as work:
        build_graph([("small", [RawStatement("shop:nail", "shop:fits", "shop:hole")])], work, name="small")
    for kind in ("date-shift", "stale-value", "contradiction", "entity-merge"):
        with pytest.raises(InputError, match="it needs"):
            perturbed(out, Perturbation(kind, 0.5), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    for kind in HEURISTICS[:3]:  # nothing else there: it stays as it is
        assert perturbed(out, Perturbation(kind, 1.0), tmp_path / "out").altered == 0


def test_what_cannot_be_used_is_refused(source: Path, tmp_path: Path) -> None:
    for text in ("shuffling:0.3", "edge-deletion", "edge-deletion:much", "edge-deletion:1.5", "edge-deletion:nan", ""):
        with pytest.raises(SettingsError):
            Perturbation.parse(text)
    with pytest.raises(SettingsError, match="seed"):
        Perturbation("edge-deletion", 0.5, -1)
    with pytest.raises(SettingsError, match="itself"):
        perturbed(source, Perturbation("edge-deletion", 0.5), source)
    with pytest.raises(GraphError):
        perturbed(tmp_path, Perturbation("edge-deletion", 0.5), tmp_path / "out")
    with pytest.raises(SourceError, match="perturb"):
        false_statements(source)
    assert Perturbation.parse("edge-deletion:0.3", seed=4) == Perturbation("edge-deletion", 0.3, 4)
    assert Perturbation.parse("edge-deletion:0.30").name == "edge-deletion-0.3"


facts = st.builds(
    RawStatement,
    st.sampled_from([f"shop:n{number}" for number in range(6)]),
    st.sampled_from(["shop:a", "shop:b", "shop:c"]),
    st.one_of(
        st.sampled_from([f"shop:n{number}" for number in range(6)]),
        st.builds(Literal, st.sampled_from(["1", "2", "3"]), st.just("quantity")),
    ),
    st.lists(st.tuples(st.just("shop:q"), st.sampled_from(["shop:n0", "shop:n1"])), max_size=1).map(tuple),
    st.just("normal"),
)


@given(st.lists(facts, min_size=1, max_size=25), st.sampled_from(HEURISTICS[:3]), st.floats(0, 1), st.integers(0, 9))
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_whatever_the_graph_none_is_lost_and_none_becomes_true(
    tmp_path: Path, made: list[RawStatement], kind: str, level: float, seed: int
) -> None:
    with build_directory(tmp_path / "graph") as work:
        build_graph([("made", made)], work, name="made")
    change = perturbed(tmp_path / "graph", Perturbation(kind, level, seed), tmp_path / "out")
    before, after = statements(tmp_path / "graph"), statements(tmp_path / "out")
    assert len(after) == len(before)
    assert len(after.keys() - before.keys()) == change.altered
    assert change.altered <= round(level * len(before)) + (kind == "relation-swapping")  # two edges at a time
    assert false_statements(tmp_path / "out") == after.keys() - before.keys()


def test_the_graph_that_is_shared_is_what_it_says() -> None:
    assert sum(isinstance(one, RawStatement) for one in records()) == EDGES + 1
