"""The entailment scorer on what it was not trained on, and its speed.

    PYTHONPATH=training python benchmarks/entailment.py [--model FOLDER] [--threads 2] [--only accuracy|speed]

Held-out thirds of e-SNLI (by premise) and FEVER (by page), SICK's TEST part as it is and with class priors fitted on
its TRIAL part, and statement-sentence pairs of a graph, and in wordings, that are not in training. FEVER has three
rows: claims without evidence are neutral beside the nearest evidence of others; they are what a reader said of them;
they are left out where that evidence decides them. Intervals: 95 %.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph_pairs import unseen_graph_pairs
from nli_data import LABELS, Pair, data_root, esnli, fever, sick
from reread import read_label, reread
from toulmin.entailment import onnx_scorer
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.value_check import corrected

__all__ = ["Figure", "calibration_error", "fit_priors", "interval", "measure", "pairs_per_second"]

Numbers = NDArray[np.float64]


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


@dataclass(frozen=True, slots=True)
class Figure:
    """What one set gives: which pairs are right, in the same order without values compared by code, and a remark."""

    name: str
    right: NDArray[np.bool_]
    network: NDArray[np.bool_]
    error: float
    remark: str


def calibration_error(scores: Numbers, labels: NDArray[np.int64], bins: int = 15) -> float:
    """Expected calibration error of the likeliest class: its probability against how often it is right."""
    sure, right = scores.max(1), scores.argmax(1) == labels
    places = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[places == bin].mean() - right[places == bin].mean()) * np.mean(places == bin) for bin in set(places)
    ]
    return float(sum(gaps))


def measure(scorer: Scorer, root: Path) -> Iterator[Figure]:
    """Every set, scored. Values are compared by code here, so that the network alone can be told apart."""

    def scored(pairs: Sequence[Pair]) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
        texts = [(pair.premise, pair.hypothesis) for pair in pairs]
        scores = scorer.score(texts)
        labels = np.array([pair.label for pair in pairs], dtype=np.int64)
        return corrected(texts, scores).astype(np.float64), scores.astype(np.float64), labels

    def figure(name: str, scores: Numbers, network: Numbers, labels: NDArray[np.int64]) -> Figure:
        chosen, error = scores.argmax(1), calibration_error(scores, labels)
        return Figure(name, chosen == labels, network.argmax(1) == labels, error, _recalls(scores, labels))

    yield figure("e-SNLI, held-out third", *scored([pair for pair in esnli(root) if pair.part == "test"]))
    pairs = [pair for pair in fever(root) if pair.part == "test"]
    scores, network, labels = scored(pairs)
    yield figure("FEVER, held-out third", scores, network, labels)
    read = np.array([pair.label for pair in reread(pairs)])
    yield figure("FEVER, found evidence as a reader labels it", scores, network, read)
    kept = read == labels
    yield figure("FEVER, without found evidence that decides", scores[kept], network[kept], labels[kept])
    trial, trial_network, trial_labels = scored([pair for pair in sick(root) if pair.part == "calibrate"])
    scores, network, labels = scored([pair for pair in sick(root) if pair.part == "test"])
    yield figure("SICK TEST, as it is", scores, network, labels)
    moved = _moved(scores, fit_priors(trial, trial_labels))
    yield figure(
        "SICK TEST, priors from TRIAL", moved, _moved(network, fit_priors(trial_network, trial_labels)), labels
    )
    yield figure("statement-sentence, unseen graph", *scored(unseen_graph_pairs(root, 3000, 1)))


def agreement(root: Path) -> str:
    """How often the reader of ``reread.py`` gives held-out pairs of FEVER the label that they have."""
    pairs = [pair for pair in fever(root) if pair.part == "test"]
    labels = np.array([pair.label for pair in pairs])
    same = np.array([read_label(pair) == pair.label for pair in pairs])
    each = ", ".join(f"{name} {same[labels == row].mean():.3f}" for row, name in enumerate(LABELS))
    return f"a reader agrees with {same.mean():.3f} of FEVER's labels ({each})"


def _moved(scores: Numbers, priors: Numbers) -> Numbers:
    moved = np.log(np.maximum(scores, 1e-9)) + priors
    moved = np.exp(moved - moved.max(1, keepdims=True))
    return np.asarray(moved / moved.sum(1, keepdims=True), dtype=np.float64)


def _recalls(scores: Numbers, labels: NDArray[np.int64]) -> str:
    found = scores.argmax(1)
    return " / ".join(f"{np.mean(found[labels == number] == number):.3f}" for number in range(3))


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
    parser.add_argument("--model", type=Path, help="folder that export_onnx.py wrote; left out: the package's model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=("accuracy", "speed"), help="left out: both")
    args = parser.parse_args()
    root = data_root()
    folder = args.model or Path(onnx_scorer.__file__).parent / "model"
    network = onnx_scorer.OnnxScorer(folder, threads=args.threads, compare_values=False)
    scorer = onnx_scorer.OnnxScorer(folder, threads=args.threads)
    if args.only != "speed":
        print(f"| {scorer.name} | pairs | accuracy | 95 % | network alone | calibration error | recalls E / N / C |")
        print("|---|---|---|---|---|---|---|")
        for one in measure(network, root):
            low, high = interval(one.right)
            print(
                f"| {one.name} | {len(one.right)} | {one.right.mean():.3f} | {low:.3f}-{high:.3f} "
                f"| {one.network.mean():.3f} | {one.error:.3f} | {one.remark} |",
                flush=True,
            )
        print(f"\n{agreement(root)}")
    if args.only != "accuracy":
        for name, pairs in (("short (e-SNLI)", esnli(root)), ("FEVER-length", fever(root))):
            print(f"speed, {name}: {pairs_per_second(scorer, pairs):.0f} pairs/s", flush=True)


if __name__ == "__main__":
    main()
