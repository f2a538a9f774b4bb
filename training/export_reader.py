"""Export the reader's trained weights to an int8 ONNX file.

    python training/export_reader.py --weights run/weights.pt --data PATH --out src/toulmin/methods/reader/model

Writes ``reader.onnx`` and ``reader.json``; ``fit_choice.py`` and ``fit_confidence.py`` go on from there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from pathlib import Path

import numpy as np
import torch

from cross_encoder import CrossEncoder, tokenizer_for
from int8_onnx import write_int8
from quantization import find_ranges
from reader_data import Group, wikisql, worlds
from toulmin.entailment.onnx_scorer import CrossEncoderSession
from toulmin.methods.reader.network import CHOICE, CONFIDENCE
from train_reader import padded

_GROUPS = 250  # of which the ranges are found
_MAX_TOKENS = 96
_UNFITTED_CHOICE = [0.0, 1.0, *[0.0] * (len(CHOICE) - 1)]  # until fit_choice.py has run
_UNFITTED = [0.0, 1.0, *[0.0] * (len(CONFIDENCE) - 1)]  # until fit_confidence.py has run


def _groups(worlds_folder: Path, data: Path, count: int, *, held_out: bool) -> list[Group]:
    rng = random.Random(7)
    sources = [wikisql(data / "wikisql", held_out=held_out, limit=count)]
    if not held_out:
        sources.append(worlds(worlds_folder))
    return [
        draw(rng, 8) for source in sources for draw in rng.sample(list(source.draws), min(count, len(source.draws)))
    ]


def main() -> None:
    """Export and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--worlds", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = CrossEncoder(dropout=0.0, outputs=1)
    model.load_state_dict(torch.load(args.weights, weights_only=True))
    model.eval()
    tokenizer = tokenizer_for(_MAX_TOKENS)
    groups = _groups(args.worlds, args.data, _GROUPS, held_out=False)
    batches = (padded([(g.question, text) for text in g.utterances], tokenizer) for g in groups)
    find_ranges(model, batches)
    target = args.out / "reader.onnx"
    write_int8(model, target)
    session = CrossEncoderSession(target, threads=1, max_tokens=_MAX_TOKENS)
    held = _groups(args.worlds, args.data, 300, held_out=True)
    logits = [session.logits([(g.question, text) for text in g.utterances])[:, 0] for g in held]
    right = float(np.mean([s.argmax() < g.right for s, g in zip(logits, held, strict=True) if g.right]))
    record = {
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "choice": _UNFITTED_CHOICE,
        "confidence": _UNFITTED,
    }
    (args.out / "reader.json").write_text(json.dumps(record) + "\n", "utf-8")
    print(record, target.stat().st_size, "right among eight, held-out tables", round(right, 4))


if __name__ == "__main__":
    main()
