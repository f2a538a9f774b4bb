"""What a teacher says of pairs, and what is trained towards: the label of a pair, drawn to what the teacher says.

A small network learns more from how likely a larger one finds each label than from the label alone (Hinton et al.
2015), and from pairs that nobody labelled: claims beside evidence that was not found for them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nli_data import LABELS, Pair, nearest, pair_key
from reread import read_label

__all__ = ["UNLABELLED", "Floats", "is_taught", "load", "save", "targets", "unlabelled_pairs"]

UNLABELLED = -1
_CLAIMS = ("fever", "fever near", "written")
_NEAR = 5  # premises that are looked at
_TRUST = 0.7  # of what the teacher says, against the label
_READ_TRUST = 0.35  # the same where a reader has judged the pair

Floats = NDArray[np.float32]


def unlabelled_pairs(pairs: Sequence[Pair], count: int, seed: int = 0) -> list[Pair]:
    """Up to ``count`` training claims, each beside the nearest training premise (BM25) it does not stand beside."""
    chosen = [pair for pair in pairs if pair.part == "train" and pair.source in _CLAIMS]
    beside: dict[str, set[str]] = {}
    for pair in chosen:
        beside.setdefault(pair.hypothesis, set()).add(pair.premise)
    claims, premises = list(beside), list(dict.fromkeys(pair.premise for pair in chosen))
    found = nearest(claims, premises, min(_NEAR, len(premises)))
    made = []
    for claim, places in zip(claims, found, strict=True):
        others = [premises[place] for place in places if premises[place] not in beside[claim]]
        made += [Pair(other, claim, UNLABELLED, "unlabelled", "train") for other in others[:1]]
    random.Random(seed).shuffle(made)
    return made[:count]


def targets(pairs: Sequence[Pair], taught: Mapping[str, Floats]) -> Floats:
    """float32[n, 3]: what is trained towards; the label alone where the teacher was not asked."""
    rows = np.zeros((len(pairs), len(LABELS)), dtype=np.float32)
    for row, pair in zip(rows, pairs, strict=True):
        said = taught.get(pair_key(pair))
        if pair.label != UNLABELLED:
            row[pair.label] = 1.0
        if said is not None:
            trust = _TRUST if read_label(pair) is None else _READ_TRUST
            row[:] = said if pair.label == UNLABELLED else (1 - trust) * row + trust * said
    return rows


def is_taught(pair: Pair, taught: Mapping[str, Floats]) -> bool:
    """Whether the teacher was asked about a pair."""
    return pair_key(pair) in taught


def save(path: Path, pairs: Iterable[Pair], said: Floats) -> None:
    """Write what a teacher says of pairs, float32[n, 3], by the digests of the pairs."""
    np.savez_compressed(path, keys=np.array([pair_key(pair) for pair in pairs]), said=said.astype(np.float16))


def load(path: Path) -> dict[str, Floats]:
    """What ``save`` wrote."""
    with np.load(path) as file:
        return dict(zip(file["keys"].tolist(), file["said"].astype(np.float32), strict=True))
