"""Keep of packed groups those that the reader that ships does not read surely, its worst mistakes first.

    python training/hard_groups.py groups.npz --out hard.npz [--easy 0.15] [--looked 14]

Without an accelerator a network is better taught by what it mistakes: most groups are read rightly and surely, and a
step over them changes nothing. The first utterances of each group are read; a group is kept if the right one has less
than ``_SURE`` of the probability beside the wrong ones and "none of them", and else by chance. ``train_reader.py`` goes
on from there (``--groups-file hard.npz --resume reader.onnx``).
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from cross_encoder import tokenizer_for
from toulmin.methods.reader.network import shipped_network

_SURE = 0.9
_MAX_TOKENS = 90


def texts_of(file: Any) -> list[str]:
    """The texts that word pieces are of."""
    tokenizer: Any = tokenizer_for(_MAX_TOKENS)
    tokens, starts = file["tokens"].tolist(), file["starts"].tolist()
    return list(tokenizer.decode_batch([tokens[first:last] for first, last in pairwise(starts)]))


def main() -> None:
    """Read, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", type=Path, help="of pack_groups.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--easy", type=float, default=0.15, help="share of the other groups that is kept, too")
    parser.add_argument("--looked", type=int, default=14, help="utterances of a group that are read")
    args = parser.parse_args()
    rng, network, began = np.random.default_rng(0), shipped_network(), time.monotonic()
    with np.load(args.groups) as packed:
        file = dict(packed)
    texts, rows, members, starts = texts_of(file), file["rows"], file["members"], file["member_starts"]
    kept, kept_members = list[int](), list[NDArray[np.int32]]()
    for number, (question, right, _, _) in enumerate(rows.tolist()):
        ours = members[starts[number] : starts[number + 1]]
        looked = ours[: args.looked + right]
        logits = network.log_odds(texts[question], [texts[one] for one in looked.tolist()])
        share = softmax(np.append(logits, 0.0))
        sure = share[:right].sum() if right else share[-1]
        if sure < _SURE or rng.random() < args.easy:
            kept.append(number)
            order = right + np.argsort(-logits[right:], kind="stable")
            kept_members.append(np.concatenate([ours[:right], looked[order], ours[len(looked) :]]).astype(np.int32))
        if number % 1000 == 999:
            seconds = time.monotonic() - began
            print(f"{number + 1} of {len(rows)} groups, {len(kept)} kept, {seconds:.0f} s", flush=True)
    file |= {
        "rows": rows[kept],
        "members": np.concatenate(kept_members),
        "member_starts": np.cumsum([0, *map(len, kept_members)], dtype=np.int64),
    }
    np.savez(args.out, **file)
    print(json.dumps({"groups": len(rows), "kept": len(kept)}))


if __name__ == "__main__":
    main()
