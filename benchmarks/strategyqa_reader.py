"""What a capable reader in the scorer's place gains on StrategyQA, from its recorded judgements; nobody is asked.

    python benchmarks/strategyqa_reader.py --data PATH

Every 13th question from the first and from the seventh. A large language model read each distinct sentence of the eight
chains beside all gold sentences of its question, without the question, the chains or the answer, and said how likely
these support and contradict it, in percent (``recorded/strategyqa_reader.tsv``, by digest). Outputs weigh 1 + E - C,
the means over their sentences. Ties count as no.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import defaultdict
from pathlib import Path

import numpy as np

from strategyqa import Question, read_questions
from toulmin.evaluation.statistics import bootstrap_interval, mcnemar
from toulmin.methods.rr.settings import RRSettings

__all__ = ["judgements", "votes_yes"]

_STARTS, _EVERY = (0, 6), 13

Judgements = dict[str, tuple[float, float]]


def judgements() -> Judgements:
    """E and C, 0 to 1, by the digest of question and sentence."""
    file = Path(__file__).parent / "recorded" / "strategyqa_reader.tsv"
    rows = (line.split("\t") for line in file.read_text("utf-8").splitlines())
    return {key: (int(supports) / 100, int(contradicts) / 100) for key, supports, contradicts in rows}


def votes_yes(question: Question, judged: Judgements, settings: RRSettings) -> bool:
    """Whether yes has the greater weight."""
    weights: defaultdict[str, float] = defaultdict(float)
    for prediction, sample in zip(question.predictions, question.samples(settings), strict=True):
        if prediction is not None:
            own = [judged.get(_digest(question.text, one), (0.0, 0.0)) for one in sample.sentences] or [(0.0, 0.0)]
            supports, contradicts = np.mean(own, axis=0)
            weights[prediction] += max(0.0, 1 + float(supports) - float(contradicts))
    return weights["yes"] > weights["no"]


def _digest(question: str, sentence: str) -> str:
    return hashlib.sha256(f"{question}\0{sentence}".encode()).hexdigest()[:12]


def main() -> None:
    """Print accuracy, interval and McNemar's test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds strategyqa")
    args = parser.parse_args()
    every, judged, settings = read_questions(args.data), judgements(), RRSettings()
    questions = [one for start in _STARTS for one in every[start::_EVERY]]
    with_reader = [votes_yes(one, judged, settings) == one.answer for one in questions]
    majority = [votes_yes(one, {}, settings) == one.answer for one in questions]
    decided = np.mean([max(pair) > 0.5 for pair in judged.values()])
    print(f"{len(questions)} questions, {len(judged):,} sentences, {decided:.3f} of them decided by the gold sentences")
    for name, right in (("majority", majority), ("1 + E - C of a reader", with_reader)):
        found = bootstrap_interval(np.array(right, dtype=np.float64))
        print(f"{name}: {np.mean(right):.4f} [{found.low:.3f}, {found.high:.3f}]")
    print(mcnemar(with_reader, majority))


if __name__ == "__main__":
    main()
