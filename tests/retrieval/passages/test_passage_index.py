"""An index of passages: what is built is what is found, exactly, and nothing else is left behind."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.errors import GraphError, SettingsError, SourceError
from toulmin.retrieval.embedders import Vectors, get_embedder
from toulmin.retrieval.passages.excerpts import passage_words, query_words
from toulmin.retrieval.passages.index import PassageIndex
from toulmin.retrieval.passages.indexing import PassageReport, build_passages

TEXTS = {
    "Aristotle#1": "Aristotle (384–322 BC) was a Greek philosopher of the Classical period in Ancient Greece.",
    "Laptop#1": "The Epson HX-20, the first laptop computer, was invented in 1980.",
    "Minnesota#1": "Tim Pawlenty served as the 39th governor of Minnesota from 2003 to 2011.",
    "Oregon#1": "Mark Hatfield served as the 29th governor of Oregon from 1959 to 1967.",
    "Börte": "Tolui was the fourth son of Genghis Khan by his chief khatun Börte.",
    "Who": "The Who is it.",
}


def write(path: Path, texts: dict[str, str]) -> Path:
    path.write_text("".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in texts.items()), "utf-8")
    return path


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    folder = tmp_path_factory.mktemp("passages")
    build_passages([write(folder / "texts.jsonl", TEXTS)], folder / "index", vectors=True)
    return PassageIndex.open(folder / "index")


def test_a_passage_is_found_with_its_document(index: PassageIndex) -> None:
    assert len(index) == len(TEXTS)
    for source, text in TEXTS.items():
        best, score = index.search([text])[0][0]
        assert (best.source, best.text, best.sha256) == (source, text, sha256(text.encode()).hexdigest())
        assert index.document(source) == text[best.start : best.end]
        assert score > 0
    assert index.document("nobody") is None
    assert index.document("") is None


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("Which governors served Minnesota?", "Minnesota#1"),  # the plural, in base form
        ("BORTE", "Börte"),  # without accents and case
        ("when was the laptop invented", "Laptop#1"),
        ("Who is it?", "Who"),  # function words alone
    ],
)
def test_words_are_found_in_other_forms(index: PassageIndex, query: str, source: str) -> None:
    assert index.search([query])[0][0][0].source == source


def test_nothing_in_common_finds_nothing(index: PassageIndex) -> None:
    assert index.search(["xylophone", "", "!!"]) == [[], [], []]
    assert index.nearest(["xylophone"]) == [[]]
    assert index.nearest([]) == []
    assert index.nearest(["\ud800 laptop"])[0][0][0].source == "Laptop#1"
    assert index.document("\ud800") is None


def test_the_nearest_is_the_candidate_of_highest_cosine(index: PassageIndex) -> None:
    query = "The governor of Oregon in 1960 was Mark Hatfield."
    found = index.nearest([query], k=3)[0]
    assert found[0][0].source == "Oregon#1"
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    vectors = get_embedder().embed([query, TEXTS["Oregon#1"]])
    assert found[0][1] == pytest.approx(float(vectors[0] @ vectors[1]), abs=0.02)


def test_retrievers(index: PassageIndex) -> None:
    query = "portable notebook machine"  # shares no word with the passage that means it
    assert index.nearest([query]) == [[]]
    assert index.nearest([query], retriever="dense")[0][0][0].source == "Laptop#1"
    assert index.nearest([query], retriever="bm25+dense")[0][0][0].source == "Laptop#1"
    with pytest.raises(SettingsError, match=r"no retriever is called 'tfidf' \(known: bm25, dense"):
        index.nearest([query], retriever="tfidf")  # type: ignore[arg-type]


class OtherEmbedder:
    """Another model: the number of letters of a text, in two directions."""

    name, dimension = "letters", 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        angles = np.array([len(text) for text in texts], dtype=np.float32) / 100
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).reshape(len(texts), 2)


def test_vectors_of_another_model_are_not_used(index: PassageIndex) -> None:
    other = PassageIndex.open(index.path, embedder=OtherEmbedder())
    found, cosine = other.nearest(["governor"])[0][0]
    assert cosine == pytest.approx(float(np.cos((len(found.text) - 8) / 100)), abs=1e-5)
    with pytest.raises(SettingsError, match="has no vectors of letters, which the retriever 'dense' needs"):
        other.nearest(["governor"], retriever="dense")


def test_without_vectors_the_same_is_found(index: PassageIndex, tmp_path: Path) -> None:
    build_passages([write(tmp_path / "texts.jsonl", TEXTS)], tmp_path / "plain")
    plain = PassageIndex.open(tmp_path / "plain")
    queries = ["Aristotle was Greek.", "The first laptop was made in 1980."]
    assert plain.search(queries) == index.search(queries)
    for one, other in zip(plain.nearest(queries), index.nearest(queries), strict=True):
        assert one[0][0] == other[0][0]
        assert one[0][1] == pytest.approx(other[0][1], abs=0.02)
    with pytest.raises(SettingsError, match="build it with --vectors"):
        plain.nearest(queries, retriever="bm25+dense")


def test_scores_are_those_of_bm25s(tmp_path: Path) -> None:
    """The same ranking as the library's own, on random texts; a word said twice counts twice."""
    chance = random.Random(5)
    vocabulary = [f"w{number}" for number in range(60)]
    texts = {f"p{n}": " ".join(chance.choices(vocabulary, k=chance.randint(1, 30))) for n in range(200)}
    build_passages([write(tmp_path / "t.jsonl", texts)], tmp_path / "index")
    index = PassageIndex.open(tmp_path / "index")
    rival = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    rival.index([passage_words(text) for text in texts.values()], show_progress=False)
    names = list(texts)
    for _ in range(30):
        query = " ".join(chance.choices([*vocabulary, "unknown"], k=chance.randint(1, 8)))
        known = rival.get_tokens_ids(query_words(query))
        if not known:
            assert index.search([query]) == [[]]
            continue
        expected = rival.get_scores_from_ids(known)
        found = index.search([query], k=len(texts))[0]
        assert len(found) == np.count_nonzero(expected)
        got = {excerpt.source: score for excerpt, score in found}
        assert got == pytest.approx({names[row]: expected[row] for row in np.flatnonzero(expected)}, rel=1e-4)


@settings(max_examples=25)
@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=60), min_size=1, max_size=8))
def test_any_text_comes_back_as_it_was_indexed(texts: dict[str, str]) -> None:
    from tempfile import TemporaryDirectory

    texts = {" ".join(key.split()): text for key, text in texts.items() if key.split() and text.split()}
    texts = {key: text for key, text in texts.items() if (key + text).isprintable()}
    if not texts:
        return
    with TemporaryDirectory() as folder:
        report = build_passages([write(Path(folder) / "t.jsonl", texts)], Path(folder) / "index")
        index = PassageIndex.open(Path(folder) / "index")
        assert report.passages == len(texts) == len(index)
        assert {key: index.document(key) for key in texts} == {
            key: " ".join(text.split()) for key, text in texts.items()
        }


def test_the_fingerprint_names_the_content_not_its_order(tmp_path: Path) -> None:
    turned = dict(reversed(TEXTS.items()))
    reports = [
        build_passages([write(tmp_path / f"{name}.jsonl", texts)], tmp_path / name)
        for name, texts in (("one", TEXTS), ("other", turned), ("less", dict(list(TEXTS.items())[1:])))
    ]
    fingerprints = [report.fingerprint for report in reports]
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]
    assert PassageIndex.open(tmp_path / "one").fingerprint == fingerprints[0]


def test_duplicates(tmp_path: Path) -> None:
    one, same = write(tmp_path / "one.jsonl", {"a": "Text."}), write(tmp_path / "same.jsonl", {"a": "Text."})
    report = build_passages([one, same], tmp_path / "index")
    assert (report.passages, report.duplicates, report.files) == (1, 1, 2)
    other = write(tmp_path / "other.jsonl", {"b": "Fine.", "a": "Another text."})
    with pytest.raises(SourceError) as error:
        build_passages([one, other], tmp_path / "index")
    assert str(error.value) == f"{other}:2: the id 'a' is that of another text ({one}:1); give each its own"
    assert len(PassageIndex.open(tmp_path / "index")) == 1  # what was there is kept


def test_empty_sources(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n\n", "utf-8")
    for sources in ([empty], [write(tmp_path / "good.jsonl", TEXTS), empty]):
        with pytest.raises(SourceError, match=r"empty\.txt: holds no passage"):
            build_passages(sources, tmp_path / "index")
    with pytest.raises(SourceError, match="no source was given"):
        build_passages([], tmp_path / "index")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.txt", "good.jsonl"]


def test_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "t.jsonl", TEXTS)
    build_passages([source], tmp_path / "index")
    before = PassageIndex.open(tmp_path / "index").fingerprint

    def interrupt(done: int, total: int | None, message: str) -> None:
        if message == "writing the index":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_passages([write(tmp_path / "u.jsonl", {"x": "New."})], tmp_path / "index", progress=interrupt)
    assert PassageIndex.open(tmp_path / "index").fingerprint == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "t.jsonl", "u.jsonl"]


def test_an_index_among_its_sources_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "t.jsonl", TEXTS)
    first = build_passages([tmp_path], tmp_path / "index")
    assert build_passages([tmp_path], tmp_path / "index") == first


def test_only_an_index_is_replaced(tmp_path: Path) -> None:
    source = write(tmp_path / "t.jsonl", TEXTS)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("Dear", "utf-8")
    with pytest.raises(SettingsError, match="exists and is not a Toulmin passage index"):
        build_passages([source], tmp_path / "full")
    assert isinstance(build_passages([source], tmp_path / "index"), PassageReport)
    (tmp_path / "index" / "mine.txt").write_text("Mine", "utf-8")
    with pytest.raises(SettingsError, match=r"mine.txt: is no file of the passage index"):
        build_passages([source], tmp_path / "index")


def damaged(tmp_path: Path, change: str) -> Path:
    build_passages([write(tmp_path / "t.jsonl", TEXTS)], tmp_path / "index")
    index = tmp_path / "index"
    manifest = json.loads((index / "manifest.json").read_text("utf-8"))
    match change:
        case "version":
            manifest["format"] = 99
        case "wording":
            manifest["wording"] = "other"
        case "field":
            del manifest["passages"]
        case "count":
            manifest["passages"] = 3
        case "cut":
            (index / "texts.bin").write_bytes((index / "texts.bin").read_bytes()[:-3])
        case "missing":
            (index / "posting_rows.npy").unlink()
        case "rubbish":
            (index / "words.npy").write_bytes(b"rubbish")
    (index / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return index


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("version", "index of format 99, this Toulmin reads format 1"),
        ("wording", "its words were read in another way"),
        ("field", "damaged"),
        ("count", "damaged"),
        ("cut", "texts.bin is not as long"),
        ("missing", "damaged"),
        ("rubbish", "damaged"),
    ],
)
def test_a_damaged_index_is_told(tmp_path: Path, change: str, problem: str) -> None:
    index = damaged(tmp_path, change)
    with pytest.raises(GraphError, match=problem) as error:
        PassageIndex.open(index)
    assert "\n" not in str(error.value)


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="no such folder; build one with: toulmin passages build"):
        PassageIndex.open(tmp_path / "nope")
    with pytest.raises(GraphError, match="not an index of passages"):
        PassageIndex.open(tmp_path)
