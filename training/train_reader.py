"""Train the reader's cross-encoder, for a given number of minutes: a question beside utterances, one of which means it.

    python training/train_reader.py --groups-file groups.npz --minutes 6 --out run [--without zoo …] [--device cuda]

Of each group the right utterance is drawn to the top (softmax over the group), and its probability to 1 and that of the
others to 0 (sigmoid): a question that nothing means has no right one. The learning rate falls with the time used. All
word pieces lie on the device, and batches are put together there. Writes ``weights.pt`` and ``log.jsonl``;
``export_reader.py`` goes on from there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from cross_encoder import CrossEncoder, load_minilm, minilm_folder, rate_share
from int8_onnx import read_int8
from optimizer import MeanAdamW

__all__ = ["Drawn", "Groups", "accuracy", "loaded", "logits_of", "padded", "parsed", "train"]

_WARM_UP = 0.04  # share of the time
_MEMORY = 0.999  # of the mean weights, by step
_POOL = 12  # batches' worth of groups that are sorted by length, so that a batch holds little padding
_MAX_TOKENS = 96
_MISSING = 0.12  # of the groups lack what the question means: the network learns to say that none does
_NO_MARK = 0.3  # of the questions lose their question mark
_NEARER = {"offered": 0.5, "overnight": 0.3}  # the power of an utterance's rank by which it is drawn less often
_START, _END, _QUESTION_MARK = 101, 102, 1029  # of BERT's vocabulary

#: The share of each source among the groups that are drawn.
SHARES = {
    "worlds": 0.26, "overnight": 0.03, "wikisql": 0.05, "stated": 0.12, "listed": 0.06, "offered": 0.26, "asked": 0.22
}  # fmt: skip


def padded(pairs: Sequence[tuple[str, str]], tokenizer: Any, device: str = "cpu") -> tuple[Tensor, ...]:
    """int64 [pairs, tokens]: ids, mask, sides."""
    encoded = tokenizer.encode_batch(list(pairs))
    width = max(len(one.ids) for one in encoded)
    columns = np.zeros((3, len(encoded), width), dtype=np.int64)
    for place, one in enumerate(encoded):
        columns[:, place, : len(one.ids)] = one.ids, one.attention_mask, one.type_ids
    return tuple(torch.from_numpy(column).to(device) for column in columns)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Groups of a batch: the texts of questions [groups] and utterances [groups, size].

    The right utterance is the first where ``right``; -1 fills up a group that has fewer than the others.
    """

    questions: NDArray[np.int64]
    utterances: NDArray[np.int64]
    right: NDArray[np.bool_]


class Groups:
    """What ``pack_groups.py`` drew."""

    def __init__(self, path: Path, device: str) -> None:
        with np.load(path) as file:
            starts, self.rows = file["starts"], file["rows"]
            self.members, self.member_starts = file["members"], file["member_starts"]
            names = json.loads(str(file["names"]))
            tokens = torch.from_numpy(file["tokens"].astype(np.int32))
        self.sources, self.worlds, self.device = names["sources"], names["worlds"], device
        self.lengths, self.marked = np.diff(starts), tokens[starts[1:] - 1].numpy() == _QUESTION_MARK
        self.tokens, self.starts = tokens.to(device), torch.from_numpy(starts).to(device)

    def of(self, source: str, *, only: Collection[str] = (), without: Collection[str] = ()) -> NDArray[np.int64]:
        """The numbers of a source's groups, of some worlds or of all but some."""
        if source not in self.sources:
            return np.empty(0, np.int64)
        chosen = self.rows[:, 2] == self.sources.index(source)
        worlds = np.array([name in only if only else name not in without for name in self.worlds])
        return np.flatnonzero(chosen & worlds[self.rows[:, 3]])

    def utterances(self, number: int) -> tuple[NDArray[np.int32], int]:
        """The texts of a group, and how many of them are right."""
        start, end = self.member_starts[number : number + 2]
        return self.members[start:end], int(self.rows[number, 1])

    def drawn(self, numbers: NDArray[np.int64], size: int, rng: np.random.Generator) -> Drawn:
        """Of each group a right utterance, mostly, and so many others that there are ``size``."""
        utterances = np.full((len(numbers), size), -1, np.int64)
        right = np.zeros(len(numbers), bool)
        for place, number in enumerate(numbers.tolist()):
            texts, rights = self.utterances(number)
            right[place] = rights > 0 and rng.random() > _MISSING
            if right[place]:
                utterances[place, 0] = texts[rng.integers(rights)]
            first = int(right[place])
            rank = np.arange(1, len(texts) - rights + 1)
            waits = rng.exponential(rank ** _NEARER.get(self.sources[self.rows[number, 2]], 0.0))
            others = texts[rights + np.argsort(waits)[: size - first]]
            utterances[place, first : first + len(others)] = others
        return Drawn(self.rows[numbers, 0].astype(np.int64), utterances, right)

    def pairs(
        self, questions: NDArray[np.int64], utterances: NDArray[np.int64], cut: NDArray[np.int64] | int = 0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """int64 [pairs, tokens]: ids, mask, sides; of each question the last ``cut`` word pieces are left out."""
        second = self.lengths[utterances]
        first = np.minimum(self.lengths[questions] - cut, _MAX_TOKENS - 3 - second)
        place = torch.arange(int((first + second).max()) + 3, device=self.device)[None]
        middle = torch.from_numpy(first + 1).to(self.device)[:, None]
        end = middle + 1 + torch.from_numpy(second).to(self.device)[:, None]
        of_question = self.starts[torch.from_numpy(questions).to(self.device)][:, None] + place - 1
        of_utterance = self.starts[torch.from_numpy(utterances).to(self.device)][:, None] + place - middle - 1
        at = torch.where(place < middle, of_question, of_utterance).clamp(0, len(self.tokens) - 1)
        ids = self.tokens[at].long()
        ids = torch.where(place == 0, _START, torch.where((place == middle) | (place == end), _END, ids))
        mask = (place <= end).long()
        return ids * mask, mask, ((place > middle).long() * mask)

    def without_marks(self, questions: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """1 for a question whose mark is left out."""
        return np.asarray(self.marked[questions] & (rng.random(len(questions)) < _NO_MARK), np.int64)


def _batches(
    groups: Groups, sources: dict[str, NDArray[np.int64]], args: Any, rng: np.random.Generator
) -> Iterator[Drawn]:
    """Batches without end, of each source its share, each group of a source once before any comes again."""
    names = [name for name in sources if len(sources[name])]
    shares = np.array([SHARES[name] for name in names])
    queues = {name: rng.permutation(sources[name]) for name in names}
    places = dict.fromkeys(names, 0)
    while True:
        chosen = list[int]()
        for name in rng.choice(names, size=_POOL * args.groups, p=shares / shares.sum()).tolist():
            if places[name] == len(queues[name]):
                queues[name], places[name] = rng.permutation(sources[name]), 0
            chosen.append(int(queues[name][places[name]]))
            places[name] += 1
        pool = groups.drawn(np.array(chosen), args.size, rng)
        longest = np.where(pool.utterances < 0, 0, groups.lengths[pool.utterances]).max(1)
        order = np.argsort(longest + groups.lengths[pool.questions], kind="stable").reshape(_POOL, -1)
        for rows in rng.permutation(order):
            yield Drawn(pool.questions[rows], pool.utterances[rows], pool.right[rows])


def _logits(model: CrossEncoder, groups: Groups, drawn: Drawn, cut: NDArray[np.int64], together: int) -> Tensor:
    """float32[groups, size]; a large negative number where there is no utterance."""
    row, column = np.nonzero(drawn.utterances >= 0)
    questions, utterances = drawn.questions[row], drawn.utterances[row, column]
    parts = [
        model(
            *groups.pairs(questions[at : at + together], utterances[at : at + together], cut[row[at : at + together]])
        )
        for at in range(0, len(row), together)
    ]
    logits = torch.full(drawn.utterances.shape, -1e4, device=groups.device)
    place = torch.from_numpy(row), torch.from_numpy(column)
    return logits.index_put([one.to(groups.device) for one in place], torch.cat(parts).float().squeeze(1))


def _loss(logits: Tensor, right: Tensor) -> Tensor:
    """Of logits [groups, size], the first of which is right where ``right`` is 1."""
    target = torch.zeros_like(logits)
    target[:, 0] = right
    there = (logits > -1e3).float()
    apart = functional.binary_cross_entropy_with_logits(logits, target, weight=there, reduction="none")
    chosen = functional.cross_entropy(logits, torch.zeros_like(right, dtype=torch.long), reduction="none") * right
    return (apart.sum(1) / there.sum(1) + chosen).mean()


@torch.no_grad()  # type: ignore[misc, untyped-decorator, unused-ignore]
def accuracy(model: CrossEncoder, groups: Groups, numbers: NDArray[np.int64], together: int) -> float:
    """How often the first of all utterances of a group is right, where one is."""
    model.eval()
    numbers = numbers[groups.rows[numbers, 1] > 0]
    questions, utterances, sizes = list[int](), list[NDArray[np.int32]](), list[int]()
    for number in numbers.tolist():
        texts, _ = groups.utterances(number)
        questions += [int(groups.rows[number, 0])] * len(texts)
        utterances.append(texts)
        sizes.append(len(texts))
    scores = logits_of(model, groups, np.array(questions), np.concatenate(utterances).astype(np.int64), together)
    model.train()
    first = [int(part.argmax()) for part in np.split(scores, np.cumsum(sizes)[:-1])]
    return float(np.mean([place < groups.rows[number, 1] for place, number in zip(first, numbers, strict=True)]))


@torch.no_grad()  # type: ignore[misc, untyped-decorator, unused-ignore]
def logits_of(
    model: CrossEncoder, groups: Groups, questions: NDArray[np.int64], utterances: NDArray[np.int64], together: int
) -> NDArray[np.float32]:
    """float32[pairs]."""
    order = np.argsort(groups.lengths[questions] + groups.lengths[utterances], kind="stable")
    scores = np.empty(len(order), np.float32)
    for start in range(0, len(order), together):
        rows = order[start : start + together]
        scores[rows] = model(*groups.pairs(questions[rows], utterances[rows])).float().squeeze(1).cpu().numpy()
    return scores


def train(
    model: CrossEncoder,
    groups: Groups,
    sources: dict[str, NDArray[np.int64]],
    held: dict[str, NDArray[np.int64]],
    args: Any,
) -> dict[str, Tensor]:
    """Train in place, and return the mean weights; the log names the loss, and how often the first is right.

    Args:
        sources: the groups that are drawn, by source.
        held: groups that are held out, by what they are.
    """
    rng = np.random.default_rng(args.seed)
    judged = CrossEncoder(outputs=1).to(args.device)
    judged.bfloat16()
    model.train()
    optimizer = MeanAdamW(model, args.rate, rate_share, _MEMORY)
    started, seconds, step, losses = time.monotonic(), args.minutes * 60, 0, list[Tensor]()
    next_look = args.every / args.minutes

    def look() -> None:
        judged.load_state_dict(optimizer.state(model))
        figures = {name: round(accuracy(judged, groups, some, args.together), 4) for name, some in held.items()}
        loss = round(float(torch.stack(losses[-500:]).mean()), 4)
        line = json.dumps({"seconds": round(time.monotonic() - started), "step": step, "loss": loss} | figures)
        with (args.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        print(line, flush=True)

    for drawn in _batches(groups, sources, args, rng):
        used = (time.monotonic() - started) / seconds
        if used >= 1:
            break
        cut = groups.without_marks(drawn.questions, rng)
        logits = _logits(model, groups, drawn, cut, args.together)
        loss = _loss(logits, torch.from_numpy(drawn.right).float().to(args.device))
        optimizer.step(loss, min(used / _WARM_UP + 0.02, (1 - used) / (1 - _WARM_UP)))
        step += 1
        losses = [*losses[-499:], loss.detach()]
        if used >= next_look:
            next_look = used + args.every / args.minutes
            look()
    look()
    return optimizer.state(model)


def loaded(args: Any) -> CrossEncoder:
    """MiniLM's weights, or those that training goes on from."""
    model = load_minilm(minilm_folder(), args.dropout, outputs=1) if not args.resume else CrossEncoder(args.dropout, 1)
    if args.resume and args.resume.suffix == ".onnx":
        read_int8(args.resume, model)
    elif args.resume:
        model.load_state_dict(torch.load(args.resume, weights_only=True))
    model.to(args.device)
    return model


def parsed(description: str | None) -> argparse.ArgumentParser:
    """The options of a training run."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups-file", type=Path, required=True, help="of pack_groups.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="weights.pt of an earlier run, or the reader.onnx that ships")
    parser.add_argument("--without", nargs="*", default=[], help="Overnight's domains and worlds that are held out")
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--every", type=float, default=1.0, help="minutes between looks at what is held out")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--groups", type=int, default=48, help="questions in a batch")
    parser.add_argument("--size", type=int, default=16, help="utterances of a question")
    parser.add_argument("--together", type=int, default=1024, help="pairs that go through the network at once")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main() -> None:
    """Parse, load, train."""
    args = parsed(__doc__).parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    groups = Groups(args.groups_file, args.device)
    sources = {name: groups.of(name, without=[*args.without, "held out"]) for name in groups.sources}
    held = {name: groups.of(name, only=args.without) for name in ("overnight", "worlds", "offered")}
    held["wikisql"] = groups.of("wikisql", only=["held out"])
    held = {name: numbers[:: max(1, len(numbers) // 600)] for name, numbers in held.items() if len(numbers)}
    counts = {name: len(numbers) for name, numbers in sources.items()}
    print(json.dumps({"drawn from": counts, "args": str(vars(args))}), flush=True)
    torch.save(train(loaded(args), groups, sources, held, args), args.out / "weights.pt")


if __name__ == "__main__":
    main()
