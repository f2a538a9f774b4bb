"""A cross-encoder of transformers: tiny models with random weights, made in a temporary folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toulmin.entailment.cross_encoder import TransformersScorer
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN
from toulmin.entailment.registry import get_scorer
from toulmin.errors import MissingExtraError, SettingsError

INSTALLED = find_spec("transformers") is not None and find_spec("torch") is not None
needs_extra = pytest.mark.skipif(not INSTALLED, reason="the extra sentence-transformers is not installed")

LABELS = ("CONTRADICTION", "ENTAILMENT", "NEUTRAL")
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a man dog sleeps runs eats is not . in the park 12 metres high".split()
PAIRS = [
    ("a man sleeps .", "a man is not in the park ."),
    ("the dog runs in the park .", "the dog eats"),
    ("a dog", "a man eats in the park . a man sleeps in the park ."),
    ("", ""),
]


def make(folder: Path, labels: Sequence[str] = LABELS, positions: int = 64) -> Path:
    """A BERT of two layers whose weights are random, but large enough that its answers differ."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(1)
    names = dict(enumerate(labels))
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        initializer_range=0.8,
        id2label=names,
        label2id={label: place for place, label in names.items()},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
    return folder


def by_hand(folder: Path, premise: str, hypothesis: str) -> Any:
    """Probabilities in the model's order, one pair at a time, without padding."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        return model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits.softmax(-1)[0].numpy()


@needs_extra
def test_classes_are_mapped_by_their_names(tmp_path: Path) -> None:
    folder = make(tmp_path / "tiny")
    scorer = TransformersScorer(folder, batch_tokens=40)
    scores = scorer.score(PAIRS)
    wanted = np.stack([by_hand(folder, *pair) for pair in PAIRS])
    assert scores.dtype == np.float32
    assert np.allclose(scores[:, [CONTRADICT, ENTAIL, UNKNOWN]], wanted, atol=1e-5)
    assert np.ptp(wanted, axis=0).max() > 0.05  # the pairs are told apart, so that their order matters
    assert scorer.name == "transformers:tiny+values"
    assert scorer.score([]).shape == (0, 3)


@needs_extra
def test_by_name_from_the_registry(tmp_path: Path) -> None:
    folder = make(tmp_path / "tiny")
    scores = get_scorer(f"transformers:{folder}", threads=1).score(PAIRS)
    assert np.array_equal(scores, TransformersScorer(folder).score(PAIRS))


@needs_extra
def test_what_two_classes_do_not_entail_is_unknown(tmp_path: Path) -> None:
    folder = make(tmp_path / "two", ("not_entailment", "entailment"))
    scores = TransformersScorer(str(folder)).score(PAIRS)
    wanted = np.stack([by_hand(folder, *pair) for pair in PAIRS])
    assert np.allclose(scores[:, [UNKNOWN, ENTAIL]], wanted, atol=1e-5)
    assert not scores[:, CONTRADICT].any()


@needs_extra
def test_the_premise_is_cut_and_the_hypothesis_kept(tmp_path: Path) -> None:
    scorer = TransformersScorer(make(tmp_path / "tiny", positions=34))
    long = "the dog runs . " * 50
    whole, cut, other = scorer.score([(long, "a man eats"), (long[:200], "a man eats"), (long, "a man sleeps")])
    assert np.allclose(whole, cut)
    assert not np.allclose(whole, other)
    assert np.isfinite(scorer.score([("a", long), (long, long)])).all()


@needs_extra
def test_numbers_that_differ_are_no_support(tmp_path: Path) -> None:
    pair = ("the park is 12 metres high", "the park is 13 metres high")
    folder = make(tmp_path / "tiny")
    assert TransformersScorer(folder).score([pair])[0, ENTAIL] == 0
    assert TransformersScorer(folder, compare_values=False).score([pair])[0, ENTAIL] > 0


@needs_extra
def test_a_temperature_makes_it_less_sure(tmp_path: Path) -> None:
    folder = make(tmp_path / "tiny")
    sure = TransformersScorer(folder).score(PAIRS)
    unsure = TransformersScorer(folder, temperature=5.0).score(PAIRS)
    assert np.array_equal(sure.argmax(axis=1), unsure.argmax(axis=1))
    assert (unsure.max(axis=1) < sure.max(axis=1)).all()
    with pytest.raises(SettingsError, match="a temperature of 0"):
        TransformersScorer(folder, temperature=0)


@needs_extra
def test_classes_without_names_need_labels(tmp_path: Path) -> None:
    folder = make(tmp_path / "tiny", ("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(SettingsError, match="LABEL_0, LABEL_1, LABEL_2: an entailment model has"):
        TransformersScorer(folder)
    named = TransformersScorer(folder, labels=LABELS)
    assert np.allclose(named.score(PAIRS), TransformersScorer(make(tmp_path / "other")).score(PAIRS))
    with pytest.raises(SettingsError, match="positive, negative"):
        TransformersScorer(make(tmp_path / "mood", ("positive", "negative")))
    with pytest.raises(SettingsError, match="has 3 classes, labels names 2"):
        TransformersScorer(folder, labels=("entailment", "neutral"))


@needs_extra
def test_folders_that_hold_no_model_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    headless = make(tmp_path / "headless")
    from transformers import BertModel

    BertModel.from_pretrained(headless).save_pretrained(headless)
    damaged = make(tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"nothing")
    broken = make(tmp_path / "broken")
    (broken / "config.json").write_text("{", "utf-8")
    other = make(tmp_path / "other")
    config = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps({**config, "hidden_size": 32}), "utf-8")
    (tmp_path / "empty").mkdir()
    cases: list[tuple[str | Path, str]] = [
        (tmp_path / "nowhere", "no folder is there"),
        ("./nowhere", "no folder is there"),
        (tmp_path / "empty", "cannot be loaded"),
        (headless, "no trained classifier"),
        (damaged, "cannot be loaded"),
        (broken, "cannot be loaded"),
        (other, "cannot be loaded"),
    ]
    for folder, words in cases:
        with pytest.raises(SettingsError, match=words) as told:
            TransformersScorer(folder)
        assert "\n" not in str(told.value), folder


@pytest.mark.skipif(INSTALLED, reason="the extra sentence-transformers is there")
def test_the_extra_is_named_where_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"toulmin\[sentence-transformers\]"):
        TransformersScorer(tmp_path)
