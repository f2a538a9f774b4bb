"""Keep of packed groups those that the reader (the one that ships) does not read surely, its worst mistakes first.

    python training/hard_groups.py groups.npz --out hard.npz [--easy 0.15] [--looked 14] [--reader FOLDER]

Without an accelerator a network is better taught by what it mistakes: most groups are read rightly and surely, and a
step over them changes nothing. The first utterances of each group are read; a group is kept if the right one has less
than ``_SURE`` of the probability beside the wrong ones and "none of them", and else by chance. ``train_reader.py`` goes
on from there (``--groups-file hard.npz --resume reader.onnx``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from scipy.special import softmax

from cross_encoder import tokenizer_for
from toulmin.methods.reader.network import ReadingNetwork, shipped_network

_SURE = 0.9
_SHOWN = 1000  # groups from which on progress is shown
_MAX_TOKENS = 90


def texts_of(file: Any) -> list[str]:
    """The texts that word pieces are of."""
    tokenizer: Any = tokenizer_for(_MAX_TOKENS)
    tokens, starts = file["tokens"].tolist(), file["starts"].tolist()
    return list(tokenizer.decode_batch([tokens[first:last] for first, last in pairwise(starts)]))


def kept_groups(
    file: Mapping[str, Any], network: ReadingNetwork, *, easy: float, looked: int, seed: int = 0
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """The numbers of the groups that are kept, each with its texts: the right ones, then the wrong ones by likeness.

    Args:
        file: of ``pack_groups.py``.
        easy: the share of the groups that are read surely which is kept, too.
        looked: how many wrong utterances of a group are read; the others stay behind them as they were.
    """
    rng, texts = np.random.default_rng(seed), texts_of(file)
    rows, members, starts = file["rows"], file["members"], file["member_starts"]
    for number, (question, right, _, _) in enumerate(track(rows.tolist(), "reading", disable=len(rows) < _SHOWN)):
        group = members[starts[number] : starts[number + 1]]
        read = group[: looked + right]
        logits = network.log_odds(texts[question], [texts[text] for text in read.tolist()])
        share = softmax(np.append(logits, 0.0))
        sure = share[:right].sum() if right else share[-1]
        if sure < _SURE or rng.random() < easy:
            order = right + np.argsort(-logits[right:], kind="stable")
            yield number, np.concatenate([group[:right], read[order], group[len(read) :]]).astype(np.int32)


def main() -> None:
    """Read, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", type=Path, help="of pack_groups.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--easy", type=float, default=0.15, help="share of the other groups that is kept, too")
    parser.add_argument("--looked", type=int, default=14, help="wrong utterances of a group that are read")
    parser.add_argument("--reader", type=Path, help="a folder with another reader.onnx and reader.json")
    args = parser.parse_args()
    network = ReadingNetwork(args.reader) if args.reader else shipped_network()
    with np.load(args.groups) as packed:
        file = dict(packed)
    kept = list(kept_groups(file, network, easy=args.easy, looked=args.looked))
    print(json.dumps({"groups": len(file["rows"]), "kept": len(kept)}))
    file |= {
        "rows": file["rows"][[number for number, _ in kept]],
        "members": np.concatenate([texts for _, texts in kept]),
        "member_starts": np.cumsum([0, *(len(texts) for _, texts in kept)], dtype=np.int64),
    }
    np.savez(args.out, **file)


if __name__ == "__main__":
    main()
