"""Text scorers: BM25 against its formula written out, cosine against vectors, ranking against sorting."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.errors import SettingsError
from toulmin.retrieval.embedders import best, get_embedder
from toulmin.retrieval.scorers import BM25, Cosine, get_text_scorer

WORDS = ("film", "actor", "director", "year", "genre", "tag")
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=8)
queries = st.lists(st.sampled_from((*WORDS, "unknown")), max_size=6).map(" ".join)


def plain_bm25(corpus: list[list[str]], query: list[str], k1: float, b: float) -> list[float]:
    """BM25 as its formula stands in the module."""
    n = len(corpus)
    mean = sum(map(len, corpus)) / n
    found = []
    for text in corpus:
        total = 0.0
        for word in query:
            frequency = sum(word in other for other in corpus)
            if not frequency:
                continue
            idf = math.log(1 + (n - frequency + 0.5) / (frequency + 0.5))
            times = Counter(text)[word]
            total += idf * times / (times + k1 * (1 - b + b * len(text) / mean)) if times else 0.0
        found.append(total)
    return found


@settings(max_examples=60, deadline=None)
@given(texts, queries, st.sampled_from([0.0, 1.2, 1.5, 2.0]), st.sampled_from([0.0, 0.5, 0.75, 1.0]))
def test_bm25_is_its_formula(corpus: list[str], query: str, k1: float, b: float) -> None:
    scores = BM25(k1=k1, b=b).fit(corpus).scores(query)
    assert scores.shape == (len(corpus),) and scores.dtype == np.float32
    split = [text.split() for text in corpus]
    wanted = plain_bm25(split, query.split(), k1, b) if any(split) else [0.0] * len(corpus)
    assert np.allclose(scores, wanted, atol=1e-5)


def test_bm25_reads_words_as_labels_are_read() -> None:
    fitted = get_text_scorer("bm25").fit(["release_year", "Directed by", "year of birth"])
    assert best(fitted.scores("DIRECTED, by whom?"), 1)[0].tolist() == [1]
    year = fitted.scores("year")
    assert year[0] > year[2] > year[1] == 0


def test_bm25_without_texts_or_words() -> None:
    assert BM25().fit([]).scores("film").shape == (0,)
    assert BM25().fit(["", ""]).scores("film").tolist() == [0, 0]
    assert BM25().fit(["film"]).scores("").tolist() == [0]


@pytest.mark.parametrize(("k1", "b"), [(-1.0, 0.5), (1.5, 1.5), (1.5, -0.1), (math.nan, 0.5)])
def test_parameters_out_of_range(k1: float, b: float) -> None:
    with pytest.raises(SettingsError, match="give k1 of 0 or more and b from 0 to 1"):
        BM25(k1=k1, b=b)


def test_cosine_of_embeddings() -> None:
    fitted = get_text_scorer("minilm").fit(["spouse", "date of birth", "population"])
    places, scores = best(fitted.scores("to whom was she married"), 2)
    assert places[0] == 0 and scores[0] == max(fitted.scores("to whom was she married"))
    assert fitted.scores("spouse")[0] == pytest.approx(1, abs=1e-5)
    vectors = get_embedder().embed(["population", "how many people live there"])
    assert fitted.scores("how many people live there")[2] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)


def test_names() -> None:
    assert [get_text_scorer(name).name for name in ("minilm", "bm25")] == ["minilm", "bm25"]
    assert Cosine(get_embedder()).name == get_embedder().name
    with pytest.raises(SettingsError, match=r"no text scorer is called 'tfidf' \(known: minilm, .*bm25"):
        get_text_scorer("tfidf")


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, -1.0]), max_size=12), st.integers(0, 14))
def test_the_best_are_those_of_a_stable_sort(scores: list[float], k: int) -> None:
    places, found = best(np.array(scores, dtype=np.float32), k)
    wanted = sorted(range(len(scores)), key=lambda place: -scores[place])[:k]
    assert places.tolist() == wanted
    assert found.tolist() == [scores[place] for place in wanted]


def test_a_negative_k() -> None:
    with pytest.raises(SettingsError, match="k is -1"):
        best(np.zeros(3, dtype=np.float32), -1)
