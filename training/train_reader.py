"""Train the reader's cross-encoder, for a given number of minutes: a question beside utterances, one of which means it.

    python training/train_reader.py --data PATH --minutes 45 --out run [--without restaurants] [--device cuda]

Of each group the right utterance is drawn to the top (softmax over the group), and its probability to 1 and that of the
others to 0 (sigmoid): a question that nothing means has no right one. The learning rate falls with the time used.
Writes ``weights.pt`` and ``log.jsonl``; ``export_reader.py`` goes on from there.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from cross_encoder import CrossEncoder, load_minilm
from int8_onnx import read_int8
from optimizer import MeanAdamW
from reader_data import OVERNIGHT, Group, Source, offered, overnight, stated, wikisql, worlds
from train_entailment import minilm_folder, rate_share, tokenizer_for

__all__ = ["choices", "padded"]

_WARM_UP = 0.05  # share of the time
_MEMORY = 0.998  # of the mean weights, by step
_POOL = 64  # groups that are sorted by length, so that a batch holds little padding
_MAX_TOKENS = 96
_TOGETHER = 32  # pairs of a batch that are padded to one length


def padded(pairs: Sequence[tuple[str, str]], tokenizer: Any, device: str = "cpu") -> tuple[Tensor, ...]:
    """int64 [pairs, tokens]: ids, mask, sides."""
    encoded = tokenizer.encode_batch(list(pairs))
    width = max(len(one.ids) for one in encoded)
    columns = np.zeros((3, len(encoded), width), dtype=np.int64)
    for place, one in enumerate(encoded):
        columns[:, place, : len(one.ids)] = one.ids, one.attention_mask, one.type_ids
    return tuple(torch.from_numpy(column).to(device) for column in columns)


def choices(model: CrossEncoder, groups: Sequence[Group], tokenizer: Any, device: str = "cpu") -> list[Tensor]:
    """The logits of each group's utterances."""
    model.eval()
    found: dict[int, Tensor] = {}
    order = sorted(range(len(groups)), key=lambda place: len(groups[place].question) + len(groups[place].utterances[0]))
    with torch.no_grad():
        for start in range(0, len(order), 16):
            places = order[start : start + 16]
            pairs = [(groups[place].question, text) for place in places for text in groups[place].utterances]
            logits = model(*padded(pairs, tokenizer, device)).float().squeeze(1).cpu()
            sizes = [len(groups[place].utterances) for place in places]
            found |= dict(zip(places, logits.split(sizes), strict=True))
    model.train()
    return [found[place] for place in range(len(groups))]


def _drawn(sources: Sequence[tuple[Source, float]], size: int, rng: random.Random) -> Iterator[Group]:
    """Groups without end, of each source its share."""
    while True:
        source = rng.choices([source for source, _ in sources], [share for _, share in sources])[0]
        yield source.draws[rng.randrange(len(source.draws))](rng, size)


def _batches(groups: Iterator[Group], count: int, rng: random.Random) -> Iterator[list[Group]]:
    while True:
        pool = sorted((next(groups) for _ in range(_POOL)), key=lambda g: len(g.question) + len(g.utterances[0]))
        made = [pool[start : start + count] for start in range(0, _POOL, count)]
        rng.shuffle(made)
        yield from made


def _loss(logits: Tensor, groups: Sequence[Group]) -> Tensor:
    losses, start = [], 0
    for group in groups:
        scores = logits[start : start + len(group.utterances)]
        start += len(group.utterances)
        target = torch.zeros_like(scores)
        target[: group.right] = 1
        apart = functional.binary_cross_entropy_with_logits(scores, target)
        losses.append(apart if group.right == 0 else apart + functional.cross_entropy(scores[None], target[None]))
    return torch.stack(losses).mean()


def _logits(model: CrossEncoder, groups: Sequence[Group], tokenizer: Any, device: str) -> Tensor:
    """float32[pairs], in order; pairs of like length go through the network together."""
    pairs = [(group.question, text) for group in groups for text in group.utterances]
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]) + len(pairs[place][1]))
    parts = [
        model(*padded([pairs[place] for place in order[start : start + _TOGETHER]], tokenizer, device)).float()
        for start in range(0, len(order), _TOGETHER)
    ]
    return torch.cat(parts).squeeze(1)[torch.tensor(order, device=device).argsort()]


def _accuracy(model: CrossEncoder, groups: Sequence[Group], tokenizer: Any, device: str) -> float:
    logits = choices(model, groups, tokenizer, device)
    return float(np.mean([int(scores.argmax()) < group.right for scores, group in zip(logits, groups, strict=True)]))


def train(
    model: CrossEncoder,
    sources: list[tuple[Source, float]],
    held: Sequence[Source],
    args: Any,
    renewed: Callable[[], list[tuple[Source, float]]],
) -> None:
    """Train in place; the log names the loss, and the share of right choices among as many on what is held out.

    Args:
        renewed: reads the sources again: worlds and candidates may have been added since.
    """
    tokenizer, rng = tokenizer_for(_MAX_TOKENS), random.Random(args.seed)
    kept = {s.name: [s.draws[n](random.Random(n), args.size) for n in range(min(120, len(s.draws)))] for s in held}
    kept = {name: [group for group in groups if group.right] for name, groups in kept.items()}
    judged = CrossEncoder(outputs=1).to(args.device)
    judged.bfloat16()
    model.train()
    optimizer = MeanAdamW(model, args.rate, rate_share, _MEMORY)
    started, seconds, step, losses = time.monotonic(), args.minutes * 60, 0, list[float]()
    next_save = 0.0
    with (args.out / "log.jsonl").open("a", encoding="utf-8") as log:
        for groups in _batches(_drawn(sources, args.size, rng), args.groups, rng):
            used = (time.monotonic() - started) / seconds
            if used >= 1:
                break
            loss = _loss(_logits(model, groups, tokenizer, args.device), groups)
            optimizer.step(loss, min(used / _WARM_UP + 0.02, (1 - used) / (1 - _WARM_UP)))
            step += 1
            losses.append(loss.item())
            if used >= next_save:
                next_save = used + args.every / args.minutes
                sources[:] = renewed()
                state = optimizer.state(model)
                torch.save(state, args.out / "weights.pt")
                judged.load_state_dict(state)
                figures = {
                    name: round(_accuracy(judged, some, tokenizer, args.device), 4) for name, some in kept.items()
                }
                line = json.dumps(
                    {
                        "seconds": round(time.monotonic() - started),
                        "step": step,
                        "loss": round(float(np.mean(losses[-200:])), 4),
                    }
                    | figures
                )
                log.write(line + "\n")
                log.flush()
                print(line, flush=True)
    torch.save(optimizer.state(model), args.out / "weights.pt")


def main() -> None:
    """Parse, load, train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="holds overnight and wikisql")
    parser.add_argument("--worlds", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="weights.pt of an earlier run, or the reader.onnx that ships")
    parser.add_argument("--without", nargs="*", default=[], help="Overnight's domains and worlds that are held out")
    parser.add_argument(
        "--shares",
        type=float,
        nargs="+",
        default=[0.4, 0.2, 0.2, 0.2],
        help="of worlds, Overnight, WikiSQL, stated questions, and each of --offered",
    )
    parser.add_argument("--offered", type=Path, nargs="*", default=[], help="candidates that the grammar offered")
    parser.add_argument("--minutes", type=float, default=45.0)
    parser.add_argument("--every", type=float, default=4.0, help="minutes between looks at what is held out")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--groups", type=int, default=8, help="questions in a batch")
    parser.add_argument("--size", type=int, default=8, help="utterances of a question")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    model = load_minilm(minilm_folder(), args.dropout, outputs=1)
    if args.resume and args.resume.suffix == ".onnx":
        read_int8(args.resume, model)
    elif args.resume:
        model.load_state_dict(torch.load(args.resume, weights_only=True))
    model.to(args.device)
    kept = [name for name in OVERNIGHT if name not in args.without]

    fixed = [overnight(args.data / "overnight", kept), wikisql(args.data / "wikisql", held_out=False), stated()]

    def shared() -> list[tuple[Source, float]]:
        used = [worlds(args.worlds, lambda name: name not in args.without), *fixed]
        used += [offered(path, lambda name: name not in args.without) for path in args.offered]
        return [(source, share) for source, share in zip(used, args.shares, strict=True) if source.draws]

    sources = shared()
    held = [wikisql(args.data / "wikisql", held_out=True, limit=300)]
    if out := [name for name in args.without if name in OVERNIGHT]:
        held.append(overnight(args.data / "overnight", out))
    if out := [name for name in args.without if name not in OVERNIGHT]:
        held.append(worlds(args.worlds, lambda name: name in out))
        held += [offered(path, lambda name: name in out) for path in args.offered]
    held = [source for source in held if source.draws]
    print(json.dumps({source.name: len(source.draws) for source, _ in sources} | {"args": str(vars(args))}), flush=True)
    train(model, sources, held, args, shared)


if __name__ == "__main__":
    main()
