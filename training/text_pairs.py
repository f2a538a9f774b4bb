"""What is trained on beside graphs: e-SNLI, FEVER, its claims with near evidence of others, written claims, denials."""

from __future__ import annotations

from pathlib import Path

from negation import denied_pairs
from nli_data import Pair, esnli, fever, fever_near
from written_claims import written_pairs

__all__ = ["WEIGHTS", "text_pairs"]

#: Of pairs in the loss, by source, where not 1: labels that are guesses, mostly right, weigh less; FEVER, which is the
#: hardest to learn, more than e-SNLI.
WEIGHTS = {"fever": 1.4, "fever near": 0.5, "fever sentences": 0.5, "esnli": 0.8}


def text_pairs(root: Path, seed: int) -> list[Pair]:
    """Pairs of all parts; what is made here is made of training pairs alone, and is for training."""
    captions = esnli(root)
    return captions + fever(root) + fever_near(root) + written_pairs(root) + denied_pairs(captions, seed)
