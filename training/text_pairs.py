"""What is trained on beside graphs: e-SNLI, FEVER, its claims with near evidence of others, written claims, denials.

What FEVER's claims are beside that is not their own evidence has the label of a reader (``reread.py``).
"""

from __future__ import annotations

from pathlib import Path

from negation import denied_pairs
from nli_data import Pair, esnli, fever, fever_near
from reread import read_label, reread
from written_claims import written_pairs

__all__ = ["WEIGHTS", "text_pairs"]

#: Of pairs in the loss, by source, where not 1: labels that are guesses by rule, mostly right, weigh less; FEVER, which
#: is the hardest to learn, more than e-SNLI.
WEIGHTS = {"fever": 1.4, "fever near": 0.8, "fever sentences": 0.5, "esnli": 0.8}


def text_pairs(root: Path, seed: int) -> list[Pair]:
    """Pairs of all parts; what is made here is made of training pairs alone, and is for training."""
    captions = esnli(root)
    near = [pair for pair in fever_near(root) if read_label(pair) is not None]  # not all were read
    return captions + reread(fever(root)) + reread(near) + written_pairs(root) + denied_pairs(captions, seed)
