"""The embedder that ships: what its vectors mean, and that nothing but the text decides them."""

from __future__ import annotations

import numpy as np
import pytest

from toulmin.errors import SettingsError
from toulmin.retrieval.embedders import DEFAULT_EMBEDDER, MiniLM, embedder_names, get_embedder

TEXTS = [
    "who directed Inception",
    "the director of the film Inception",
    "directed by",
    "birth place",
    "Ελλάδα",
    "",
    "a",
    "word " * 400,
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(threads=1, cache=4)


def test_vectors_are_of_unit_length_in_the_order_of_the_texts(model: MiniLM) -> None:
    vectors = model.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), model.dimension) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(model.embed(TEXTS[::-1]), vectors[::-1])


def test_a_vector_depends_on_its_text_alone(model: MiniLM) -> None:
    """Neither on the batch, nor on its padding, nor on what was asked before."""
    together = model.embed(TEXTS)
    alone = np.vstack([MiniLM(threads=1, batch=1, cache=0).embed([text]) for text in TEXTS[:3]])
    assert np.allclose(together[:3], alone, atol=1e-5)
    one_by_one = np.vstack([model.embed([text]) for text in TEXTS])
    assert np.allclose(together, one_by_one, atol=1e-5)


def test_what_means_the_same_is_nearer(model: MiniLM) -> None:
    question, paraphrase, relation, other, *_ = model.embed(TEXTS)
    assert question @ paraphrase > 0.7 > question @ relation > question @ other
    king, queen, cabbage = model.embed(["king", "queen", "cabbage"])
    assert king @ queen > king @ cabbage


def test_case_and_accents_do_not_count_and_the_tail_of_a_long_text_does_not_either(model: MiniLM) -> None:
    """The vocabulary is uncased; 128 tokens are read."""
    plain, marked, long, longer = model.embed(["sao paulo", "São PAULO", "word " * 200, "word " * 300 + "film"])
    assert np.array_equal(plain, marked) and np.array_equal(long, longer)


def test_repeated_texts_and_none(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, model.dimension)
    first, second = model.embed(["film", "film"])
    assert np.array_equal(first, second)


def test_what_a_caller_does_to_a_vector_is_not_remembered(model: MiniLM) -> None:
    before = model.embed(["river"]).copy()
    model.embed(["river"])[:] = 0
    assert np.array_equal(model.embed(["river"]), before)


def test_what_the_cache_lost_is_the_same_again(model: MiniLM) -> None:
    before = model.embed(["one"])
    model.embed([f"number {n}" for n in range(20)])
    assert np.array_equal(model.embed(["one"]), before)


def test_halves_of_characters_are_embedded_like_a_question_mark(model: MiniLM) -> None:
    assert np.array_equal(model.embed(["who is \ud800 it"]), model.embed(["who is ? it"]))


def test_names() -> None:
    assert DEFAULT_EMBEDDER in embedder_names()
    assert get_embedder() is get_embedder(DEFAULT_EMBEDDER)
    with pytest.raises(SettingsError, match=r"no embedder is called 'word2vec' \(known: minilm"):
        get_embedder("word2vec")
