"""What a teacher's probabilities make of labels, and which pairs without a label it is asked about."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nli_data import Pair
from taught import UNLABELLED, is_taught, load, save, targets, unlabelled_pairs

EVIDENCE = [
    "Musala is the highest peak of Bulgaria.",
    "Botev is a peak of the Balkan mountains in Bulgaria.",
    "The Hague is a city of the Netherlands.",
    "Delft is a city between The Hague and Rotterdam in the Netherlands.",
]
CLAIMS = ["Musala is a peak.", "Botev is a peak in Bulgaria.", "The Hague is a city.", "Delft is in the Netherlands."]


def pair(place: int, source: str = "fever", part: str = "train") -> Pair:
    return Pair(EVIDENCE[place], CLAIMS[place], 0, source, part)


def test_targets_lie_between_label_and_teacher(tmp_path: Path) -> None:
    known, unlabelled, other = pair(0), Pair(EVIDENCE[1], CLAIMS[0], UNLABELLED, "unlabelled", "train"), pair(2)
    said = np.array([[0.2, 0.5, 0.3], [0.1, 0.8, 0.1]], dtype=np.float32)
    save(tmp_path / "taught.npz", [known, unlabelled], said)
    taught = load(tmp_path / "taught.npz")
    assert [is_taught(one, taught) for one in (known, unlabelled, other)] == [True, True, False]
    drawn, alone, labelled = targets([known, unlabelled, other], taught)
    assert 0.2 < drawn[0] < 1.0 and 0 < drawn[1] < 0.5
    assert np.allclose(alone, said[1], atol=1e-3)
    assert labelled.tolist() == [1.0, 0.0, 0.0]
    assert np.allclose([drawn.sum(), alone.sum()], 1.0, atol=1e-3)


def test_unlabelled_pairs_are_of_the_training_side_and_new() -> None:
    pairs = [pair(0), pair(1), pair(2), pair(3), pair(2, part="test"), pair(1, source="esnli")]
    held_out = Pair("Rila is a mountain of Bulgaria with the peak Musala.", "Rila is a peak.", 0, "fever", "test")
    made = unlabelled_pairs([*pairs, held_out], 10)
    assert {one.hypothesis for one in made} == set(CLAIMS)
    assert all(one.label == UNLABELLED and one.premise in EVIDENCE for one in made)
    assert not {(one.premise, one.hypothesis) for one in made} & {(one.premise, one.hypothesis) for one in pairs}
    assert next(one.premise for one in made if one.hypothesis == CLAIMS[0]) == EVIDENCE[1]
    assert unlabelled_pairs([*pairs, held_out], 2) == made[:2]
