"""Denied sentences made of e-SNLI's training pairs: captions hardly ever deny, other sentences do.

If the evidence entails a sentence, its denial is contradicted by the evidence, and contradicts it the other way round;
if the evidence leaves it open, it leaves the denial open. What denies a contradicted sentence is not made: it often
follows, but not always.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nli_data import Pair

__all__ = ["denied", "denied_pairs"]

_AUXILIARY = re.compile(r"\b(is|are|was|were|can|has been|have been)\b(?! not| no\b)", re.IGNORECASE)
_EXISTS = re.compile(r"^there (?:is|are) (?:a |an |some )?", re.IGNORECASE)
_INDEFINITE = re.compile(r"^(?:a|an|some) (.*?) (?:is|are) ", re.IGNORECASE)


def denied(sentence: str) -> list[str]:
    """The sentence denied in one or more ways; none where no rule fits."""
    sentence = sentence.strip().rstrip(" .")
    if _EXISTS.match(sentence):
        return [f"{_EXISTS.sub('There is no ', sentence)} ."]
    out = []
    if _AUXILIARY.search(sentence):
        out.append(f"{_AUXILIARY.sub(lambda verb: f'{verb[0]} not', sentence, count=1)} .")
    if _INDEFINITE.match(sentence):
        out.append(f"{_INDEFINITE.sub(lambda start: f'There is no {start[1]} ', sentence, count=1)} .")
        out.append(f"{re.sub('^(?:a|an|some) ', 'No ', sentence, flags=re.IGNORECASE)} .")
    return out


def denied_pairs(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """Pairs with a denial, made of the training pairs among those given."""
    rng = np.random.default_rng(seed)
    out: list[Pair] = []
    for pair in pairs:
        forms = denied(pair.hypothesis)
        if pair.part != "train" or pair.label == 2 or not forms:
            continue
        no = str(rng.choice(forms))
        draw = rng.random()
        if pair.label == 1:
            if draw < 0.35:
                out.append(Pair(pair.premise, no, 1, "denied", "train"))
        elif draw < 0.55:
            out.append(Pair(pair.premise, no, 2, "denied", "train"))
        elif draw < 0.75:
            out.append(Pair(no, pair.premise, 2, "denied", "train"))
        elif draw < 0.85:
            out.append(Pair(no, pair.hypothesis, 2, "denied", "train"))
        elif len(forms) > 1:
            other = str(rng.choice([form for form in forms if form != no]))
            out.append(Pair(no, other, 0, "denied", "train"))
    return out
