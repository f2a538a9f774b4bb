"""The scorer in the package: probabilities, order, company, threads, and what it must get right."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest

from toulmin.entailment.onnx_scorer import shipped_scorer
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair
from toulmin.entailment.statement_premise import premise_of

CASES: list[tuple[Pair, int]] = [
    (("A man is playing a guitar on a stage.", "A man is playing an instrument."), ENTAIL),
    (("A man is playing a guitar on a stage.", "A man is asleep in his bed."), CONTRADICT),
    (("A man is playing a guitar on a stage.", "The man is famous in his country."), UNKNOWN),
    (("A man is playing a guitar.", "A man is not playing a guitar."), CONTRADICT),
    ((premise_of("Casablanca", "directed by", "Michael Curtiz", True), "Michael Curtiz directed Casablanca."), ENTAIL),
    (
        (
            premise_of("Casablanca", "directed by", "Michael Curtiz", True),
            "Casablanca was not directed by Michael Curtiz.",
        ),
        CONTRADICT,
    ),
    (
        (premise_of("Casablanca", "directed by", "Michael Curtiz", True), "Casablanca was directed by Howard Hawks."),
        CONTRADICT,
    ),
    (
        (premise_of("Casablanca", "starred actors", "Ingrid Bergman", False), "Casablanca starred Paul Henreid."),
        UNKNOWN,
    ),
    ((premise_of("France", "capital", "Paris", True), "Paris is the capital of France."), ENTAIL),
    ((premise_of("France", "capital", "Paris", True), "The capital of France is Lyon."), CONTRADICT),
    ((premise_of("Marie Curie", "date of birth", "7 November 1867", True), "Marie Curie was born in 1867."), ENTAIL),
    (
        (premise_of("Marie Curie", "date of birth", "7 November 1867", True), "Marie Curie was born in 1868."),
        CONTRADICT,
    ),
    ((premise_of("Marie Curie", "child", "Irène Joliot-Curie", False), "Marie Curie was born in Warsaw."), UNKNOWN),
]
PAIRS = [pair for pair, _ in CASES]


@pytest.mark.parametrize(("pair", "expected"), CASES, ids=[f"{p} => {h}" for (p, h), _ in CASES])
def test_plain_cases(pair: Pair, expected: int) -> None:
    assert shipped_scorer().score([pair])[0].argmax() == expected


def test_rows_are_probabilities() -> None:
    scores = shipped_scorer().score(PAIRS)
    assert scores.dtype == np.float32
    assert scores.shape == (len(PAIRS), 3)
    assert scores.sum(axis=1) == pytest.approx(np.ones(len(PAIRS)), abs=1e-5)
    assert scores.min() >= 0


def test_order_and_company_of_a_pair_do_not_matter() -> None:
    scorer = shipped_scorer()
    together = scorer.score(PAIRS * 20)
    backwards = scorer.score(PAIRS[::-1])[::-1]
    alone = np.concatenate([scorer.score([pair]) for pair in PAIRS])
    for other in (together[: len(PAIRS)], together[-len(PAIRS) :], alone):
        assert np.abs(other - backwards).max() < 1e-4


def test_the_same_call_gives_the_same_scores() -> None:
    assert np.array_equal(shipped_scorer().score(PAIRS), shipped_scorer().score(PAIRS))


def test_threads_may_share_it() -> None:
    scorer = shipped_scorer()
    expected = scorer.score(PAIRS)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: scorer.score(PAIRS), range(12)):
            assert np.array_equal(found, expected)


def test_it_is_loaded_once() -> None:
    assert shipped_scorer() is shipped_scorer()


def test_no_pairs() -> None:
    assert shipped_scorer().score([]).shape == (0, 3)


def test_empty_and_very_long_texts_are_scored() -> None:
    scores = shipped_scorer().score([("", ""), ("word " * 5000, "A word."), ("A word.", "word " * 5000)])
    assert np.isfinite(scores).all()


def test_its_name_is_that_of_its_file() -> None:
    folder = files("toulmin.entailment") / "model"
    model = (folder / "entailment.onnx").read_bytes()
    digest = hashlib.sha256(model).hexdigest()
    assert json.loads((folder / "calibration.json").read_text("utf-8"))["sha256"] == digest
    assert digest[:8] in shipped_scorer().name
    assert len(model) <= 25_000_000


def test_the_model_card_names_what_one_must_know() -> None:
    card = (files("toulmin.entailment") / "model" / "MODEL_CARD.md").read_text("utf-8")
    for heading in ("## Data", "## Figures", "## What it cannot do"):
        assert heading in card
    assert "licence" in card.lower()
