"""Draw what the reader is trained on into one file of word pieces, so that an accelerator need not wait for it.

    python training/pack_groups.py --data PATH --offered candidates.jsonl tables.jsonl --out groups.npz

A group is a question, the utterances that mean it, and such as do not, the nearest first. Near misses are drawn several
times for each question; what the grammar offered for it is kept whole, and ``train_reader.py`` draws from it anew.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cross_encoder import tokenizer_for
from reader_data import OVERNIGHT, Group, Source, asked, listed, offered, overnight, stated, wikisql, worlds

_SIZE = 24  # utterances of a near-miss group
_MAX_TOKENS = 90  # of one text
#: How often near misses are drawn for a question.
_DRAWS = {"worlds": 2, "wikisql": 1, "stated": 1, "overnight": 2, "listed": 1, "asked": 2}


def groups(data: Path, folder: Path, candidates: Sequence[Path]) -> Iterator[tuple[str, str, Group]]:
    """Every group with its source and its world or domain."""
    rng = random.Random(0)
    sources: list[tuple[str, Source]] = [(name, overnight(data / "overnight", [name])) for name in OVERNIGHT]
    sources += [(path.stem, worlds(folder, path.stem.__eq__)) for path in sorted(folder.glob("*.txt"))]
    sources += [("", wikisql(data / "wikisql", held_out=False)), ("", stated()), ("", listed(folder))]
    sources.append(("", asked(folder.parent / "asked_relations")))
    for world, source in sources:
        began = time.monotonic()
        for draw in source.draws:
            for _ in range(_DRAWS[source.name]):
                yield source.name, world, draw(rng, _SIZE)
        print(f"{source.name} {world}: {len(source.draws)} questions, {time.monotonic() - began:.0f} s", flush=True)
    held = wikisql(data / "wikisql", held_out=True, limit=400)
    yield from (("wikisql", "held out", draw(rng, _SIZE)) for draw in held.draws)
    for path in candidates:
        for world, group in offered(path):
            yield "offered", world, group


def main() -> None:
    """Draw, cut into word pieces, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="holds overnight and wikisql")
    parser.add_argument("--worlds", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--offered", type=Path, nargs="*", default=[], help="candidates that the grammar offered")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    texts, sources, names = dict[str, int](), dict[str, int](), dict[str, int]()
    rows, members = list[tuple[int, int, int, int]](), list[np.ndarray]()
    for source, world, group in groups(args.data, args.worlds, args.offered):
        question = texts.setdefault(group.question, len(texts))
        of = sources.setdefault(source, len(sources)), names.setdefault(world, len(names))
        rows.append((question, group.right, *of))
        members.append(np.array([texts.setdefault(one, len(texts)) for one in group.utterances], np.int32))
    tokenizer: Any = tokenizer_for(_MAX_TOKENS)
    encoded = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    np.savez(
        args.out,
        tokens=np.concatenate([np.array(one.ids, np.uint16) for one in encoded]),
        starts=np.cumsum([0, *(len(one.ids) for one in encoded)], dtype=np.int64),
        rows=np.array(rows, np.int32),
        members=np.concatenate(members),
        member_starts=np.cumsum([0, *map(len, members)], dtype=np.int64),
        names=np.array(json.dumps({"sources": list(sources), "worlds": list(names)})),
    )
    print(f"{len(rows)} groups, {len(texts)} texts, {args.out.stat().st_size / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
