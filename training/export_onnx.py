"""Export trained weights to an int8 ONNX file, and fit its calibration.

    python training/export_onnx.py --weights run/weights.pt --out model

Several --weights of one chain of runs are averaged: the mean is learned less by heart than any of them.
Writes ``entailment.onnx`` (``int8_onnx.py``) and ``calibration.json``: temperature and offsets of the classes are
fitted on a tenth of the training side that was not trained on, once for marked statements and once for texts (e-SNLI
and FEVER with the same weight).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cross_encoder import CrossEncoder
from graph_pairs import training_graph_pairs
from int8_onnx import write_int8
from nli_data import Pair, data_root, esnli, fever
from quantization import has_ranges
from reread import reread
from train_entailment import fit_ranges

__all__ = ["calibration_pairs", "export", "fit_calibration", "mean_weights"]

_OF_RANGES = ("_range.scale", "_range.zero_point")
_GRAPH_PAIRS, _UNUSED_SEED = 1500, 10_000


def mean_weights(paths: Sequence[Path]) -> dict[str, torch.Tensor]:
    """The mean of the weights of several runs; what a run lacks counts as new, as ``--resume`` has it."""
    new = CrossEncoder(dropout=0.0).state_dict()
    states = [
        {name: state.get(name, torch.zeros_like(new[name])).float() for name in new} for state in map(_load, paths)
    ]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in new}
    for name in mean:  # a mean of ranges is no range: where they differ they are found anew
        if name.endswith(_OF_RANGES) and any(not torch.equal(state[name], mean[name]) for state in states):
            mean[name] = torch.zeros(())
    return mean


def _load(path: Path) -> dict[str, torch.Tensor]:
    return dict(torch.load(path, weights_only=True))


def export(weights: Sequence[Path], target: Path) -> None:
    """Write the int8 model of the mean of these weights; ranges are found where the runs were trained without."""
    model = CrossEncoder(dropout=0.0)
    model.load_state_dict(mean_weights(weights))
    if not has_ranges(model):
        fit_ranges(model, data_root())
    write_int8(model, target)


def fit_calibration(logits: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> dict[str, Any]:
    """The temperature and the offsets of the classes with the least negative log likelihood (a convex problem)."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    def loss(free: np.ndarray) -> float:
        scaled = logits * free[0] + np.array([0.0, free[1], free[2]])
        return float(np.average(logsumexp(scaled, axis=1) - scaled[np.arange(len(labels)), labels], weights=weights))

    found = minimize(loss, np.array([1.0, 0.0, 0.0])).x
    offsets = np.array([0.0, found[1], found[2]])
    rounded = [round(float(offset), 4) for offset in offsets - offsets.mean()]
    return {"temperature": round(1.0 / float(found[0]), 4), "offsets": rounded, "fitted_on": len(labels)}


def calibration_pairs(root: Path) -> list[Pair]:
    """What was kept from training: of e-SNLI and FEVER, and statements by a seed that training does not use."""
    graph = training_graph_pairs(root, _GRAPH_PAIRS, _UNUSED_SEED)
    return [
        pair for pair in esnli(root) + reread(fever(root)) + graph if pair.source == "graph" or pair.part == "calibrate"
    ]


def main() -> None:
    """Export, calibrate, write."""
    from toulmin.entailment.onnx_scorer import CrossEncoderSession
    from toulmin.entailment.statement_premise import ends_marked, is_marked_statement

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    model = args.out / "entailment.onnx"
    export(args.weights, model)
    kept = calibration_pairs(data_root())
    session = CrossEncoderSession(model, threads=1)
    logits = session.logits([ends_marked(pair.premise, pair.hypothesis) for pair in kept]).astype(np.float64)
    labels, sources = np.array([pair.label for pair in kept]), np.array([pair.source for pair in kept])
    statements = np.array([is_marked_statement(pair.premise) for pair in kept])
    texts = sources != "graph"
    for source in sorted(set(sources)):
        rows = sources == source
        print(source, int(rows.sum()), "right", round(float(np.mean(logits[rows].argmax(1) == labels[rows])), 4))
    weights = np.array([1.0 / float(np.sum(sources == source)) for source in sources])  # each source the same
    record = {
        **fit_calibration(logits[texts], labels[texts], weights[texts]),
        "statements": fit_calibration(logits[statements], labels[statements], weights[statements]),
        "ends_marked": True,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
    }
    (args.out / "calibration.json").write_text(json.dumps(record) + "\n", "utf-8")
    print(record, model.stat().st_size)


if __name__ == "__main__":
    main()
