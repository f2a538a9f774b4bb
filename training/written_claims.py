"""Claims written for this training by a language model, in ``written_claims.tsv``: labels are its own, by reading.

FEVER's sample is small, and of few pages. To its training evidence three to nine more claims each were written, and six
or nine to each of many short texts on other topics, which were written too. None of these is of a held-out page, or has
six words in a row of held-out evidence or of other data that is evaluated, or eight of any of FEVER's.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from nli_data import Pair, fever

__all__ = ["written_pairs"]

_LABELS = {"S": 0, "N": 1, "R": 2}


def written_pairs(root: Path) -> list[Pair]:
    """Pairs of evidence and claim, for training.

    Raises:
        ValueError: naming the line that is neither evidence nor a claim with a label.
    """
    premises = {_key(pair.premise): pair.premise for pair in fever(root) if pair.part == "train"}
    file = Path(__file__).with_name("written_claims.tsv")
    out: list[Pair] = []
    premise = ""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        kind, _, said = line.partition("\t")
        if line.startswith("# "):
            continue
        if kind == "@" and said in premises:
            premise = premises[said]
        elif kind == "#" and said:
            premise = said
        elif kind in _LABELS and said and premise:
            out.append(Pair(premise, said, _LABELS[kind], "written", "train"))
        else:
            raise ValueError(
                f"{file.name}, line {number}: {line[:60]!r} is no evidence of the training side and no claim"
            )
    return out


def _key(premise: str) -> str:
    return hashlib.sha256(premise.encode()).hexdigest()[:10]
