"""What published scripts compute in place of the metrics, for comparison with their figures and for nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from toulmin.evaluation.metrics.declared import Metric
from toulmin.evaluation.metrics.matching import squad_form, value_keys

__all__ = ["METRICS", "legacy_contained", "legacy_f1", "legacy_hit", "legacy_mean"]

_TEXTS = "questions whose gold is a list of values in words, not ids"

METRICS = (
    Metric(
        "legacy_hit",
        "1 iff any value contains a gold value or is contained in one, both normalised. \u201cmale\u201d hits "
        "\u201cfemale\u201d, and an answer that lists everything is right.",
        "the evaluation script of ToG (called exact match there, and Hits@1 in its paper)",
        _TEXTS,
        legacy=True,
    ),
    Metric(
        "legacy_contained",
        "1 iff a gold value is part of the text that all values give one after another, after SQuAD's normalisation. A "
        "gold value of articles alone is part of every text.",
        "the scripts of RoG, GNN-RAG and FiDeLiS (called Hit; the first and the last paper say Hits@1)",
        _TEXTS,
        legacy=True,
    ),
    Metric(
        "legacy_f1",
        "2 p r / (p + r), where p and r are how many gold values are part of the text that all values give, divided by "
        "the number of values and of gold values. One value that holds several gold ones has p, and may have F1, over "
        "1.",
        "the scripts of RoG, GNN-RAG and FiDeLiS (called F1)",
        _TEXTS,
        high=None,
        legacy=True,
    ),
)


def legacy_hit(values: Iterable[str], gold: Iterable[str]) -> float:
    """1 iff any value contains a gold value or is contained in one, after normalisation.

    Any value counts, not only the first, and substrings match both ways, so that "male" hits "female" and an answer
    that lists everything is right.
    """
    a, g = value_keys(values) - {""}, value_keys(gold) - {""}
    return float(any(x in y or y in x for x in a for y in g))


def _contained(values: Sequence[str], gold: Collection[str]) -> int:
    """How many gold values are part of the text of all values."""
    text = squad_form(" ".join(values))
    return sum(squad_form(answer) in text for answer in gold)


def legacy_contained(values: Sequence[str], gold: Collection[str]) -> float:
    """1 iff a gold value is part of the text of all values, as the scripts of RoG and others have it (their Hit)."""
    return float(bool(values) and _contained(values, gold) > 0)


def legacy_f1(values: Sequence[str], gold: Collection[str]) -> float:
    """The F1 of these scripts, whose precision is gold values found over values given, and may be over 1."""
    if not values or not gold:
        return 0.0
    matched = _contained(values, gold)
    precision, recall = matched / len(values), matched / len(gold)
    return 2 * precision * recall / (precision + recall) if matched else 0.0


def legacy_mean(scores: Mapping[str, float], answered: Collection[str]) -> float | None:
    """The mean score over the answered questions only, as scripts report that drop the others; None for none."""
    of_answered = [score for question, score in scores.items() if question in answered]
    return sum(of_answered) / len(of_answered) if of_answered else None
