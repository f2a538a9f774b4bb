"""The entailment scorer on what it was not trained on, and its speed.

    PYTHONPATH=training python benchmarks/entailment.py --model FOLDER [--threads 2] [--no-values]

Held-out thirds of e-SNLI (by premise) and FEVER (by page), SICK's TEST part as it is and with class priors fitted on
its TRIAL part, and statement-sentence pairs of a graph, and in wordings, that are not in training. Intervals: 95 %.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph_pairs import unseen_graph_pairs
from nli_data import LABELS, Pair, data_root, esnli, fever, sick
from toulmin.entailment.onnx_scorer import OnnxScorer
from toulmin.entailment.protocol import Scorer

__all__ = ["fit_priors", "interval", "measure", "pairs_per_second"]

Numbers = NDArray[np.float64]
_CONTRADICTION = LABELS.index("contradiction")


def fit_priors(scores: Numbers, labels: NDArray[np.int64]) -> Numbers:
    """Log weights float64[3] of the classes with the least negative log likelihood."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    logs = np.log(np.maximum(scores, 1e-9))

    def loss(shift: Numbers) -> float:
        moved = logs + np.concatenate(([0.0], shift))
        return float(np.mean(logsumexp(moved, axis=1) - moved[np.arange(len(labels)), labels]))

    return np.concatenate(([0.0], minimize(loss, np.zeros(2)).x))


def interval(right: NDArray[np.bool_], rounds: int = 2000) -> tuple[float, float]:
    """95 % bootstrap interval of a share."""
    shares = np.random.default_rng(0).binomial(len(right), right.mean(), rounds) / len(right)
    low, high = np.quantile(shares, (0.025, 0.975))
    return float(low), float(high)


def _scored(scorer: Scorer, pairs: Sequence[Pair]) -> tuple[Numbers, NDArray[np.int64]]:
    scores = scorer.score([(pair.premise, pair.hypothesis) for pair in pairs])
    return scores.astype(np.float64), np.array([pair.label for pair in pairs], dtype=np.int64)


def measure(scorer: Scorer, root: Path, say: Callable[[str, NDArray[np.bool_], str], None]) -> None:
    """Score every set, and hand each figure to ``say``: its name, which pairs are right, and a remark."""
    for name, pairs in (("e-SNLI", esnli(root)), ("FEVER", fever(root))):
        scores, labels = _scored(scorer, [pair for pair in pairs if pair.part == "test"])
        say(f"{name}, held-out third", scores.argmax(1) == labels, _recalls(scores, labels))
    trial, trial_labels = _scored(scorer, [pair for pair in sick(root) if pair.part == "calibrate"])
    scores, labels = _scored(scorer, [pair for pair in sick(root) if pair.part == "test"])
    say("SICK TEST, as it is", scores.argmax(1) == labels, _recalls(scores, labels))
    moved = np.log(np.maximum(scores, 1e-9)) + fit_priors(trial, trial_labels)
    say("SICK TEST, priors from TRIAL", moved.argmax(1) == labels, _recalls(moved, labels))
    scores, labels = _scored(scorer, unseen_graph_pairs(root, 3000, 1))
    say("statement-sentence, unseen graph", scores.argmax(1) == labels, _recalls(scores, labels))


def _recalls(scores: Numbers, labels: NDArray[np.int64]) -> str:
    found = scores.argmax(1)
    shares = [f"{name} {np.mean(found[labels == number] == number):.3f}" for number, name in enumerate(LABELS)]
    return "recall: " + ", ".join(shares)


def pairs_per_second(scorer: Scorer, pairs: Sequence[Pair], seconds: float = 8.0) -> float:
    """Throughput in calls of 256 pairs, after one call to warm up."""
    batches = [[(p.premise, p.hypothesis) for p in pairs[at : at + 256]] for at in range(0, len(pairs) - 255, 256)]
    scorer.score(batches[0])
    started, done = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        done += len(scorer.score(batches[(done // 256) % len(batches)]))
    return done / (time.perf_counter() - started)


def main() -> None:
    """Print one line per figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="folder that export_onnx.py wrote")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-values", action="store_true", help="without the comparison of numbers and dates by code")
    args = parser.parse_args()
    root = data_root()
    scorer = OnnxScorer(args.model, threads=args.threads, compare_values=not args.no_values)
    print(f"| {scorer.name} | pairs | accuracy | 95 % interval | |\n|---|---|---|---|---|")

    def say(name: str, right: NDArray[np.bool_], remark: str) -> None:
        low, high = interval(right)
        print(f"| {name} | {len(right)} | {right.mean():.3f} | {low:.3f}-{high:.3f} | {remark} |", flush=True)

    measure(scorer, root, say)
    for name, pairs in (("short (e-SNLI)", esnli(root)), ("FEVER-length", fever(root))):
        print(f"| speed, {name} | | {pairs_per_second(scorer, pairs):.0f} pairs/s | | |", flush=True)


if __name__ == "__main__":
    main()
