"""The metrics of paths and linking, by hand and by their invariants."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toulmin.evaluation.datasets import PathRelation
from toulmin.evaluation.metrics.paths import coverage_ratio, linking_success, mean_depth
from toulmin.graph.types import Direction


def path(*steps: str) -> tuple[PathRelation, ...]:
    """``>r`` forward, ``<r`` backward, ``r`` either."""
    directions: dict[str, Direction] = {">": "forward", "<": "backward"}
    return tuple(PathRelation(step.lstrip("<>"), directions.get(step[0])) for step in steps)


def test_coverage_ratio_by_hand() -> None:
    gold = [path(">directed_by"), path("<starred_actors", ">release_year")]
    assert coverage_ratio([path(">directed by")], gold) == 0.5
    assert coverage_ratio([path("<directed_by")], gold) == 0
    assert coverage_ratio([path("directed_by"), path("<starred_actors", "release_year")], gold) == 1
    assert coverage_ratio([path("<starred_actors")], gold) == 0
    assert coverage_ratio([], gold) == 0
    assert coverage_ratio([path("a")], []) == 0


PATHS = st.lists(st.sampled_from(["a", "b", ">a", "<b"]), min_size=1, max_size=2).map(lambda steps: path(*steps))


@given(st.lists(PATHS, max_size=6), st.lists(PATHS, min_size=1, max_size=4))
def test_coverage_never_falls_with_more_paths(
    retrieved: list[tuple[PathRelation, ...]], gold: list[tuple[PathRelation, ...]]
) -> None:
    ratios = [coverage_ratio(retrieved[:k], gold) for k in range(len(retrieved) + 1)]
    assert ratios == sorted(ratios)
    assert 0 <= ratios[-1] <= 1
    assert coverage_ratio([*retrieved, *gold], gold) == 1


def test_linking_needs_every_gold_entity() -> None:
    mentions = [["x", "ana"], ["bo"]]
    gold = [{"ana"}, {"bo", "bo2"}]
    assert linking_success(mentions, gold, 1) == 0
    assert linking_success(mentions, gold, 2) == 1
    assert linking_success([["bo2"]], gold, 3) == 0


def test_depth_is_of_distinct_paths() -> None:
    assert mean_depth([path("a"), path("a"), path("a", "b")]) == 1.5
    assert mean_depth([]) is None
