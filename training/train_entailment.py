"""Train the entailment cross-encoder on the CPU, for a given number of minutes.

    python training/train_entailment.py --minutes 45 --threads 1 --out run

The learning rate falls with the time used, so that a run on a busy machine ends as well as it can. ``--resume`` starts
from the weights of an earlier run. Writes ``weights.pt`` and ``log.jsonl``; ``export_onnx.py`` goes on from there.

The network computes in bfloat16, its weights are kept in float32. A pair of texts is read twice with other dropout, and
the two readings are drawn together (R-Drop, Liang et al. 2021): a few thousand are soon learned by heart otherwise.
With ``--quantized`` it computes as its int8 file will (``quantization.py``), so that little is lost when it is written.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from cross_encoder import CrossEncoder, load_minilm, minilm_folder, rate_share, tokenizer_for
from graph_pairs import training_graph_pairs
from nli_data import LABELS, Pair, data_root
from optimizer import MeanAdamW
from quantization import WORD_LEVELS, clear_ranges, find_ranges, has_ranges, row_scales, set_quantized
from sentence_claims import claim_pairs
from taught import Floats, is_taught, load, targets, unlabelled_pairs
from text_pairs import WEIGHTS, text_pairs
from toulmin.entailment.statement_premise import ends_marked

__all__ = [
    "accuracy",
    "batches",
    "fit_ranges",
    "rounded_words",
    "train",
]

_WARM_UP = 0.06  # share of the time
_MEMORY = 0.998  # of the mean weights, by step
_RANGE_PAIRS = 1200


def batches(
    encoded: Sequence[Any], tokens: int, rng: np.random.Generator | None
) -> Iterator[tuple[np.ndarray, tuple[Any, ...]]]:
    """Row numbers and padded tensors, of similar length; shuffled where a generator is given."""
    lengths = np.array([len(one.ids) for one in encoded])
    order = np.argsort(lengths + (rng.uniform(0, 12, len(lengths)) if rng else 0), kind="stable")
    groups: list[list[int]] = [[]]
    for row in order:
        longest = max(lengths[row], lengths[groups[-1]].max(initial=0))
        if groups[-1] and (len(groups[-1]) + 1) * longest > tokens:
            groups.append([])
        groups[-1].append(int(row))
    for number in rng.permutation(len(groups)) if rng else range(len(groups)):
        rows = groups[number]
        width = max(lengths[rows])
        columns = np.zeros((3, len(rows), width), dtype=np.int64)
        for place, row in enumerate(rows):
            one = encoded[row]
            columns[:, place, : len(one.ids)] = one.ids, one.attention_mask, one.type_ids
        yield np.array(rows), tuple(torch.from_numpy(column) for column in columns)


def accuracy(model: CrossEncoder, encoded: Sequence[Any], labels: np.ndarray) -> float:
    """Share of pairs whose label is predicted."""
    model.eval()
    right = 0
    with torch.no_grad():
        for rows, inputs in batches(encoded, 4096, None):
            right += int((model(*inputs).argmax(1).numpy() == labels[rows]).sum())
    model.train()
    return right / len(labels)


def fit_ranges(model: CrossEncoder, root: Path) -> None:
    """Find the ranges of what enters the layers, on training pairs."""
    pairs = text_pairs(root, 0) + training_graph_pairs(root, 4 * _RANGE_PAIRS, 0)
    chosen = random.Random(0).sample([pair for pair in pairs if pair.part == "train"], _RANGE_PAIRS)
    encoded = tokenizer_for(128).encode_batch([ends_marked(pair.premise, pair.hypothesis) for pair in chosen])
    find_ranges(model, (inputs for _, inputs in batches(encoded, 2048, None)))


def rounded_words(words: Tensor) -> Tensor:
    """The embeddings as the int8 file has them; they are not trained."""
    scales = row_scales(words, WORD_LEVELS)
    return (words / scales).round() * scales


def _loss(logits: Tensor, target: Tensor, weights: Tensor, args: argparse.Namespace) -> Tensor:
    """Of logits that hold each pair once, or all pairs and then all of them again."""
    logits = logits.float()
    times = len(logits) // len(target)
    every = functional.cross_entropy(logits, target.repeat(times, 1), reduction="none", label_smoothing=args.smoothing)
    loss = (every * weights.repeat(times)).mean()
    if times == 1:
        return loss
    one, two = logits.log_softmax(1).chunk(2)
    apart = ((one - two) * (one.exp() - two.exp())).sum(1) / 2  # the mean of both divergences
    return loss + args.agreement * apart.mean()


def _epoch(
    texts: Sequence[Pair],
    graph: Sequence[Pair],
    encode: Callable[[Sequence[Pair]], tuple[list[Any], np.ndarray]],
    said: Mapping[str, Floats],
    rng: np.random.Generator,
    args: argparse.Namespace,
) -> Iterator[tuple[int, np.ndarray, tuple[Any, ...], Tensor, Tensor]]:
    """Batches in random order: how often each pair is read, rows, inputs, what is trained towards, and weights.

    Only the texts of people are read twice: of what is made up there are always new ones.
    """
    made = []
    for times, chosen in ((2 if args.agreement else 1, texts), (1, graph)):
        pairs = [pair for pair in chosen if pair.part == "train"]
        (encoded, _), towards = encode(pairs), targets(pairs, said)
        weights = np.array([WEIGHTS.get(pair.source, 1.0) for pair in pairs], dtype=np.float32)
        for rows, inputs in batches(encoded, args.tokens * 2 // times, rng):
            made.append((times, rows, inputs, torch.from_numpy(towards[rows]), torch.from_numpy(weights[rows])))
    for number in rng.permutation(len(made)):
        yield made[number]


def train(model: CrossEncoder, args: argparse.Namespace) -> None:
    """Train in place; the log names loss, time and pairs seen, and accuracy on what is kept for calibration."""
    out: Path = args.out
    root, rng = data_root(), np.random.default_rng(args.seed)
    tokenizer = tokenizer_for(args.max_tokens)

    def encode(chosen: Sequence[Pair]) -> tuple[list[Any], np.ndarray]:
        encoded = tokenizer.encode_batch([ends_marked(pair.premise, pair.hypothesis) for pair in chosen])
        return encoded, np.array([pair.label for pair in chosen])

    texts = text_pairs(root, args.seed)
    said = load(args.taught) if args.taught else {}
    more = [pair for pair in unlabelled_pairs(texts, len(said)) if is_taught(pair, said)] if said else []
    kept_pairs = [p for p in texts + training_graph_pairs(root, args.graph_pairs, args.seed) if p.part == "calibrate"]
    kept = {name: encode([p for p in kept_pairs if p.source == name]) for name in {p.source for p in kept_pairs}}
    judged = CrossEncoder()
    if args.quantized:
        if not has_ranges(model):
            fit_ranges(model, root)
        model.words.weight.data = rounded_words(model.words.weight.data)
        judged.load_state_dict(model.state_dict())
        for one in (model, judged):
            set_quantized(one, on=True)
    else:
        clear_ranges(model)
    model.train()
    optimizer = MeanAdamW(model, args.rate, rate_share, _MEMORY)
    started, seconds = time.monotonic(), args.minutes * 60
    step, seen, losses, epoch = 0, 0, [], 0
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:

        def note(**values: object) -> None:
            line = json.dumps({"seconds": round(time.monotonic() - started), "epoch": epoch, "pairs": seen} | values)
            log.write(line + "\n")
            log.flush()
            print(line, flush=True)

        def done() -> float:
            return float((time.monotonic() - started) / seconds)

        while done() < 1:
            graph = training_graph_pairs(root, args.graph_pairs, args.seed + epoch)  # new ones each time
            graph += claim_pairs(root, args.seed + epoch)
            for times, rows, inputs, target, weights in _epoch(texts, graph + more, encode, said, rng, args):
                if done() >= 1:
                    break
                loss = _loss(model(*(one.repeat(times, 1) for one in inputs)), target, weights, args)
                optimizer.step(loss, min(done() / _WARM_UP + 0.02, (1 - done()) / (1 - _WARM_UP)))
                step, seen = step + 1, seen + len(rows)
                losses.append(loss.item())
                if step % 100 == 0:
                    note(loss=round(float(np.mean(losses[-100:])), 4))
            epoch += 1
            state = optimizer.state(model)
            torch.save(state, out / "weights.pt")
            judged.load_state_dict(state)
            note(**{name: round(accuracy(judged, *both), 4) for name, both in kept.items()})


def main() -> None:
    """Parse, load, train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="weights.pt of an earlier run; what it lacks stays new")
    parser.add_argument("--taught", type=Path, help="what teacher.py wrote; left out: labels alone")
    parser.add_argument("--minutes", type=float, default=45.0)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--smoothing", type=float, default=0.05)
    parser.add_argument("--agreement", type=float, default=1.0, help="weight of R-Drop's term; 0: read all pairs once")
    parser.add_argument("--quantized", action="store_true", help="compute as the int8 file will; with --resume")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--max-tokens", type=int, default=112)
    parser.add_argument("--tokens", type=int, default=1536, help="in a batch, padding included, each pair counted once")
    parser.add_argument("--graph-pairs", type=int, default=7000, help="in each epoch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.quantized and not args.resume:
        parser.error("--quantized goes on from trained weights: give --resume")
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    model = load_minilm(minilm_folder(), args.dropout)
    if args.resume:
        model.load_state_dict(model.state_dict() | torch.load(args.resume, weights_only=True))
    print(f"labels {LABELS}, {vars(args)}")
    train(model, args)


if __name__ == "__main__":
    main()
