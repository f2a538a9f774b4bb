"""Pairs of FEVER read again, in ``reread_pairs.tsv``: whether evidence that was found for a claim decides it after all.

A claim without evidence gets the evidence of another claim, the nearest there is (``nli_data.fever``), and that decides
more than a third of them: "Tourette described symptoms in 1984" beside "in 1884". A large language model, shown neither
labels nor what is predicted, judged all of these pairs, and most of ``fever_near``'s; of the held-out third also the
pairs with evidence of their own, mixed with the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from nli_data import Pair, pair_key

__all__ = ["read_label", "reread"]

_NEUTRAL = 1
_LETTERS = "SNR"  # in the order of ``nli_data.LABELS``
_KEY = 12  # digits of a pair's key


def reread(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs; what claims without evidence of their own are beside has the label of a reader.

    Raises:
        ValueError: such a pair was not read.
    """
    out = []
    for pair in pairs:
        label = read_label(pair) if pair.label == _NEUTRAL else pair.label
        if label is None:
            raise ValueError(f"nobody has read {pair.hypothesis!r} beside {pair.premise[:60]!r}")
        out.append(replace(pair, label=label))
    return out


def read_label(pair: Pair) -> int | None:
    """What a reader says of a pair; None where none was asked."""
    return _read().get(pair_key(pair)[:_KEY])


@cache
def _read() -> dict[str, int]:
    lines = Path(__file__).with_name("reread_pairs.tsv").read_text("utf-8").splitlines()
    found = {}
    for number, line in enumerate(lines, start=1):
        key, _, letter = line.partition("\t")
        if letter not in _LETTERS or not letter:
            raise ValueError(f"reread_pairs.tsv, line {number}: {line[:60]!r} is no digest with S, N or R")
        if key in found:
            raise ValueError(f"reread_pairs.tsv, line {number}: {key} stands there twice")
        found[key] = _LETTERS.index(letter)
    return found
