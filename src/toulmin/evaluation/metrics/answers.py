"""How an answer agrees with the gold one. Every score is in [0, 1] and of one question.

Two values match iff their labels are equal after normalisation (``values.value_key``): no substrings, no near matches.
Questions abstained from, crashed or timed out score 0 and stay in the denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.metrics.declared import Metric
from toulmin.evaluation.metrics.legacy import legacy_contained, legacy_f1, legacy_hit
from toulmin.evaluation.metrics.matching import (
    plain_number,
    squad_form,
    value_id,
    value_keys,
    value_label,
)
from toulmin.program.answer import Answer

__all__ = [
    "HITS",
    "METRICS",
    "SetScores",
    "exact_match",
    "hits_at_k",
    "question_metrics",
    "set_scores",
    "token_f1",
    "verdict_accuracy",
]

#: How many values count for ``hits_at_…``.
HITS = (1, 3, 10)

_SQUAD = "Rajpurkar et al. 2016 (SQuAD 1.1), section 6.1; papers/rr, section 4.5 (TempQuestions)"
_VALUES = "questions whose gold is a list of values"
_TEXTS = "questions whose gold is a list of values in words, not ids"
_SETS = "papers/fidelis, appendix D.2; of sets, where scripts count substrings (legacy_f1)"

METRICS = (
    Metric(
        "accuracy",
        "1 iff the verdict is the gold one; of a multiple choice, iff the answer is the gold option and no other; "
        "where the gold is that the graph does not tell, iff the answer is an abstention. Anywhere else an abstention "
        "is wrong, as are a crash and a time-out.",
        "papers/r3, section 4; papers/rr, section 4.5",
        "yes/no questions, claims, multiple choices, and questions that the graph cannot answer",
    ),
    *(
        Metric(
            f"hits_at_{k}",
            f"1 iff {'the first value' if k == 1 else f'one of the first {k} values'} of the answer, in the order that "
            "it states them, is one of the gold values. Values are equal iff their labels are after normalisation "
            "(case, width, punctuation, underscores). The order of a set that is not ranked is canonical.",
            "papers/fidelis, appendix D.2 (Hits@1)"
            if k == 1
            else "Bordes et al. 2013 (hits@10), of the values of an answer",
            _VALUES,
        )
        for k in HITS
    ),
    Metric("precision", "|A ∩ G| / |A| of the answer set A and the gold set G; 0 where A is empty.", _SETS, _VALUES),
    Metric("recall", "|A ∩ G| / |G| of the answer set A and the gold set G; 0 where G is empty.", _SETS, _VALUES),
    Metric(
        "f1",
        "2 |A ∩ G| / (|A| + |G|) of the answer set A and the gold set G; repetitions count once. 1 iff A = G.",
        _SETS,
        _VALUES,
    ),
    Metric("exact", "1 iff the answer set is the gold set.", "ours; the strict form of f1", _VALUES),
    Metric(
        "exact_match",
        "1 iff the first value of the answer equals one of the gold values, which are alternatives, after SQuAD's "
        "normalisation: lower case, no ASCII punctuation, no English articles, single blanks.",
        _SQUAD,
        _TEXTS,
    ),
    Metric(
        "token_f1",
        "The F1 of the words of the answer's first value and of a gold value, as multisets after SQuAD's "
        "normalisation; the best over the gold values, which are alternatives. 0 where no word is common.",
        _SQUAD,
        _TEXTS,
    ),
)


def hits_at_k(values: Sequence[str], gold: Collection[str], k: int = 1) -> float:
    """1 iff one of the first ``k`` values, in the order that the answer states, is one of the gold values."""
    return float(not value_keys(values[:k]).isdisjoint(value_keys(gold)))


class SetScores(NamedTuple):
    """How an answer set A agrees with a gold set G."""

    precision: float
    recall: float
    f1: float
    exact: float


def set_scores(values: Iterable[str], gold: Iterable[str]) -> SetScores:
    """Agreement of the sets A of values and G of gold, whatever their order and repetitions.

    precision = |A ∩ G| / |A|, recall = |A ∩ G| / |G|, f1 = 2 |A ∩ G| / (|A| + |G|), exact = 1 iff A = G. With nothing
    to divide by, precision and recall are 0; two empty sets agree (all 1). Hence f1 = 1 iff A = G.
    """
    a, g = value_keys(values), value_keys(gold)
    if not a and not g:
        return SetScores(1.0, 1.0, 1.0, 1.0)
    common = len(a & g)
    return SetScores(
        precision=common / len(a) if a else 0.0,
        recall=common / len(g) if g else 0.0,
        f1=2 * common / (len(a) + len(g)),
        exact=float(a == g),
    )


def verdict_accuracy(verdict: bool | None, gold: bool) -> float:
    """1 iff the verdict is the gold one; no verdict (unknown) is wrong."""
    return float(verdict is gold)


def exact_match(text: str, gold: Collection[str]) -> float:
    """1 iff the text equals one of the gold ones, which are alternatives, after SQuAD's normalisation."""
    return float(squad_form(text) in map(squad_form, gold))


def token_f1(text: str, gold: Collection[str]) -> float:
    """The best F1 of the words of the text and of one of the gold ones, as multisets, after SQuAD's normalisation."""
    return max((_token_f1(squad_form(text).split(), squad_form(form).split()) for form in gold), default=0.0)


def _token_f1(words: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(words) & Counter(gold)).total()
    return 2 * common / (len(words) + len(gold)) if common else 0.0


def question_metrics(question: Question, answer: Answer | None) -> dict[str, float]:
    """Every metric of one question; all are 0 for no answer, and for an abstention where the gold is something else.

    ``accuracy`` where the gold is a verdict, one of several options, or that the graph does not tell; else those of
    values, of rows over the values of all their cells. None where the question has no gold.
    """
    if question.unknown:
        return {"accuracy": float(answer is not None and answer.abstained)}
    given = answer if answer is not None and not answer.abstained else None
    if question.verdict is not None:
        return {"accuracy": verdict_accuracy(given.verdict, question.verdict) if given else 0.0}
    if not question.answers:
        return {}
    nodes = (*given.values, *(node for row in given.rows for cell in row for node in cell)) if given else ()
    text = value_id if question.by_id else value_label
    values, gold = [text(value) for value in nodes], question.answers
    if question.options:
        return {"accuracy": set_scores(values, gold).exact}
    if question.by_id:
        gold = tuple(map(plain_number, gold))
        values += [{True: "true", False: "false"}[given.verdict]] if given and given.verdict is not None else []
    scores = {f"hits_at_{k}": hits_at_k(values, gold, k) for k in HITS} | set_scores(values, gold)._asdict()
    if question.by_id:
        return scores
    first = values[0] if values else None
    return scores | {
        "exact_match": 0.0 if first is None else exact_match(first, gold),
        "token_f1": 0.0 if first is None else token_f1(first, gold),
        "legacy_hit": legacy_hit(values, gold),
        "legacy_contained": legacy_contained(values, gold),
        "legacy_f1": legacy_f1(values, gold),
    }
