"""Which groups are kept for training: those that the reader that ships mistakes, its worst mistakes first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from toulmin.methods.reader.network import shipped_network

pytest.importorskip("torch", reason="training needs the extra toulmin[training]")

from cross_encoder import tokenizer_for
from hard_groups import kept_groups

SURE = ("who is the mother of Ines?", "mother of Ines", "employer of Ines", "thing whose mother is Ines")
MISTAKEN = ("who is the mother of Ines?", "employer of Ines", "age of Ines", "mother of Ines")


def _packed(*groups: tuple[str, ...]) -> dict[str, Any]:
    """Groups of a question, the one utterance that counts as right, and others."""
    texts = list(dict.fromkeys(text for group in groups for text in group))
    encoded = tokenizer_for(90).encode_batch(texts, add_special_tokens=False)
    place = {text: number for number, text in enumerate(texts)}
    return {
        "tokens": np.concatenate([np.array(text.ids, np.uint16) for text in encoded]),
        "starts": np.cumsum([0, *(len(text.ids) for text in encoded)]),
        "rows": np.array([(place[group[0]], 1, 0, 0) for group in groups], np.int32),
        "members": np.array([place[text] for group in groups for text in group[1:]], np.int32),
        "member_starts": np.cumsum([0, *(len(group) - 1 for group in groups)]),
    }


def test_what_is_read_surely_is_left_out_and_the_worst_mistake_stands_first() -> None:
    file = _packed(SURE, MISTAKEN)
    ((number, texts),) = kept_groups(file, shipped_network(), easy=0.0, looked=14)
    right, worst = file["members"][3], file["members"][5]
    assert number == 1
    assert texts.tolist()[:2] == [right, worst]


def test_some_of_the_others_are_kept_too() -> None:
    assert len(list(kept_groups(_packed(SURE, MISTAKEN), shipped_network(), easy=1.0, looked=14))) == 2
