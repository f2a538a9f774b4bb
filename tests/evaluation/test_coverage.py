"""The coverage experiment on retrievers whose ranks are known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from toulmin.errors import SettingsError
from toulmin.evaluation.coverage import CUTOFFS, compare_coverage, coverage_at
from toulmin.evaluation.datasets import GoldPath, PathRelation, Question

NOISE = [(PathRelation(f"noise{number}"),) for number in range(40)]


def questions(n: int) -> list[Question]:
    gold = ((PathRelation("a", "forward"),), (PathRelation("b"), PathRelation("c")))
    return [Question(str(number), f"q{number}", ("x",), gold_paths=gold) for number in range(n)]


def ranked(*ranks: int) -> Sequence[GoldPath]:
    """Noise with the gold paths at these ranks (1-based)."""
    paths: list[GoldPath] = list(NOISE)
    for rank, gold in sorted(zip(ranks, questions(1)[0].gold_paths, strict=False)):
        paths.insert(rank - 1, gold)
    return paths


def test_coverage_at_each_cutoff() -> None:
    assert coverage_at(lambda _: ranked(1, 6), questions(2), CUTOFFS) == [[0.5, 0.5, 1.0, 1.0]] * 2
    assert coverage_at(lambda _: [], questions(1), CUTOFFS) == [[0.0, 0.0, 0.0, 0.0]]


def test_a_repeated_candidate_takes_one_place() -> None:
    again = [NOISE[0], NOISE[0], NOISE[0], questions(1)[0].gold_paths[0]]
    assert coverage_at(lambda _: again, questions(1), [1, 2]) == [[0.0, 0.5]]


def test_questions_without_a_gold_path_are_left_out() -> None:
    mixed = [*questions(2), Question("none", "?", ("x",))]
    (coverage,) = compare_coverage(mixed, lambda _: ranked(1, 2), lambda _: [], cutoffs=[5])
    assert coverage.first.n == 2


def test_the_better_retriever_is_ahead_with_its_interval_above_zero() -> None:
    compared = compare_coverage(
        questions(60),
        lambda question: ranked(1, 3) if int(question.id) % 3 else ranked(12, 20),
        lambda question: ranked(8, 25) if int(question.id) % 2 else ranked(35, 36),
    )
    assert [coverage.k for coverage in compared] == [1, 5, 10, 30]
    assert all(coverage.difference.low > 0 for coverage in compared)
    five = compared[1]
    assert five.first.estimate == pytest.approx(40 / 60)
    assert five.difference.estimate == pytest.approx(five.first.estimate - five.second.estimate)


def test_a_retriever_is_not_ahead_of_itself() -> None:
    for coverage in compare_coverage(questions(5), lambda _: ranked(2, 4), lambda _: ranked(2, 4)):
        assert (coverage.difference.low, coverage.difference.high) == (0, 0)


def test_refusals() -> None:
    with pytest.raises(SettingsError, match="gold path"):
        compare_coverage([Question("1", "?", ("x",))], lambda _: [], lambda _: [])
    with pytest.raises(SettingsError, match="cutoffs"):
        compare_coverage(questions(1), lambda _: [], lambda _: [], cutoffs=[0])
