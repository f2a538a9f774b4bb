"""The lexicon: word pairs picked by hand, invariants on any text, and building it from WordNet's file format."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.english.lexicon import Lexicon, WordTables, get_lexicon
from toulmin.errors import SourceError

BUILD = Path(__file__).parents[2] / "scripts" / "build_lexicon.py"

SAME = [
    ("starred", "starring"),
    ("movie", "film"),
    ("films", "movies"),
    ("author", "writer"),
    ("better half", "spouse"),
    ("spouse", "Better Half"),
    ("child", "kid"),
    ("children", "child"),
    ("men", "man"),
    ("women", "woman"),
    ("mice", "mouse"),
    ("written", "writing"),
    ("sort", "kind"),
    ("country", "nation"),
    ("doctor", "physician"),
    ("student", "pupil"),
    ("job", "occupation"),
    ("running", "run"),
    ("stopped", "stop"),
    ("faith", "religion"),
]
GRADED = [  # word, label's word, relatedness
    ("wrote", "writer", 0.92),  # derived: 1 - 0.08
    ("writes", "author", 0.92),
    ("died", "death", 0.92),
    ("teach", "teacher", 0.92),
    ("quick", "quickly", 0.92),
    ("wife", "spouse", 0.88),  # a kind of it: 1 - 0.12
    ("wife", "better half", 0.88),
    ("actress", "actor", 0.88),
    ("husband", "spouse", 0.88),
    ("mother", "parent", 0.88),
    ("genre", "kind", 0.88),
    ("king", "monarch", 0.88),
    ("river", "stream", 0.88),
    ("screenwriter", "writer", 0.76),  # two steps up
    ("company", "organization", 0.76),
    ("starring", "actor", 0.74),
    ("directed", "director", 0.6808),
    ("born", "birth", 0.8648),
    ("founded", "founder", 0.8648),
    ("buried", "burial", 0.8648),
    ("married", "marriage", 0.8096),
    ("nationality", "country", 0.84),
    ("profession", "occupation", 0.82),
    ("killed", "murder", 0.7912),
    ("actor", "actress", 0.792),  # downward: 0.9 of the way up
    ("spouse", "wife", 0.792),
    ("parent", "mother", 0.792),
    ("kind", "genre", 0.792),
    ("vehicle", "car", 0.63),
    ("car", "truck", 0.6),  # siblings
    ("type", "genre", 0.6),
    ("school", "university", 0.48),
    ("sister", "brother", 0.432),
]
UNRELATED = [
    ("banana", "parliament"),
    ("film", "director"),  # associated, yet neither means the other
    ("born", "birthplace"),
    ("capital", "city"),
    ("colour", "genre"),
    ("blorp", "director"),
    ("director", "blorp"),
    ("zürich", "city"),
    ("", "city"),
]


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return get_lexicon()


@pytest.mark.parametrize(("word", "label_word"), SAME)
def test_words_with_one_meaning(lexicon: Lexicon, word: str, label_word: str) -> None:
    assert lexicon.relatedness(word, label_word) == 1.0
    assert lexicon.relatedness(label_word, word) == 1.0


@pytest.mark.parametrize(("word", "label_word", "expected"), GRADED)
def test_graded_relatedness(lexicon: Lexicon, word: str, label_word: str, expected: float) -> None:
    assert lexicon.relatedness(word, label_word) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("word", "label_word"), UNRELATED)
def test_unrelated_words(lexicon: Lexicon, word: str, label_word: str) -> None:
    assert lexicon.relatedness(word, label_word) == 0.0


def test_an_unknown_word_is_like_itself_only(lexicon: Lexicon) -> None:
    assert lexicon.relatedness("Blorp", "blorp") == 1.0
    assert lexicon.relatedness("blorp", "blorps") == 0.0
    assert lexicon.lemmas("blorp") == ()
    assert lexicon.coarse_type("blorp") is None
    assert not lexicon.is_noun("blorp")
    assert not lexicon.is_a("blorp", "person")
    assert not lexicon.is_a("person", "blorp")


@pytest.mark.parametrize(
    ("word", "lemmas"),
    [
        ("Movies", ("movie",)),
        ("cities", ("city",)),
        ("churches", ("church",)),
        ("boxes", ("box",)),
        ("wrote", ("write",)),
        ("starred", ("starred", "star")),
        ("running", ("running", "run")),
        ("firemen", ("fireman",)),
        ("wives", ("wife",)),
        ("better half", ("better half",)),
        ("better", ("better", "good", "well")),
        ("his", ()),  # no plural of "hi"
    ],
)
def test_lemmas(lexicon: Lexicon, word: str, lemmas: tuple[str, ...]) -> None:
    assert lexicon.lemmas(word) == lemmas


@pytest.mark.parametrize(
    ("coarse", "words"),
    [
        ("person", "actress director writer wife king child mother better-half"),
        ("location", "city country hometown birthplace Paris"),
        ("time", "year decade month date birthday"),
        ("thing", "genre language movie award river company"),
        (None, "quickly the blorp wrote"),
    ],
)
def test_coarse_type(lexicon: Lexicon, coarse: str | None, words: str) -> None:
    found = {word: lexicon.coarse_type(word.replace("-", " ")) for word in words.split()}
    assert found == dict.fromkeys(found, coarse)


def test_is_a_follows_the_most_frequent_noun_sense_upwards(lexicon: Lexicon) -> None:
    assert lexicon.is_a("actresses", "person")
    assert lexicon.is_a("actress", "actor")
    assert lexicon.is_a("dog", "animal")
    assert lexicon.is_a("Paris", "city")  # an instance
    assert not lexicon.is_a("actor", "actress")
    assert not lexicon.is_a("star", "person")  # in its most frequent sense it shines in the sky
    assert not lexicon.is_a("quickly", "person")


@pytest.mark.parametrize(
    ("word", "opposite"), [("alive", "dead"), ("rises", "fall"), ("Male", "female"), ("open", "close"), ("film", None)]
)
def test_antonyms(lexicon: Lexicon, word: str, opposite: str | None) -> None:
    found = lexicon.antonyms(word)
    assert opposite in found if opposite else found == ()


def test_one_lexicon_per_process(lexicon: Lexicon) -> None:
    assert get_lexicon() is lexicon


WORDS = st.one_of(
    st.sampled_from(sorted({word for pair in SAME + UNRELATED for word in pair} | {row[0] for row in GRADED})),
    st.text(max_size=12),
    st.text(alphabet="abcdeginrst", max_size=8),
)


@given(WORDS, WORDS)
def test_relatedness_is_a_degree_and_does_not_depend_on_what_was_asked_before(word: str, label_word: str) -> None:
    lexicon = get_lexicon()
    degree = lexicon.relatedness(word, label_word)
    assert 0.0 <= degree <= 1.0
    fresh = Lexicon(lexicon.tables)
    fresh.relatedness(label_word, word)
    assert fresh.relatedness(word, label_word) == degree
    assert lexicon.relatedness(word.upper(), label_word) == lexicon.relatedness(word.upper().lower(), label_word)
    # One direction is never lost on the other: what is a kind of the label's word is also related downwards.
    assert lexicon.relatedness(label_word, word) >= 0.9 * degree - 1e-9 or degree == 1.0


@given(WORDS)
def test_every_word_is_itself_and_its_lemmas(word: str) -> None:
    lexicon = get_lexicon()
    assert lexicon.relatedness(word, word) == 1.0
    for lemma in lexicon.lemmas(word):
        assert lexicon.relatedness(word, lemma) == 1.0
        assert lemma in lexicon.lemmas(lemma)
    assert lexicon.is_noun(word) == (lexicon.coarse_type(word) is not None)


@pytest.mark.parametrize(
    ("place", "region", "lies"),
    [
        ("Paris", "France", [True, False, False, False]),
        ("Paris", "Texas", [False, False, False, True]),
        ("Texas", "Texas", [True]),
        ("France", "Paris", [False, False]),
        ("qwzx", "Texas", []),
    ],
)
def test_what_a_place_is_a_part_of(place: str, region: str, lies: list[bool]) -> None:
    lexicon = get_lexicon()
    regions = set(lexicon.noun_senses(region))
    assert [not regions.isdisjoint(lexicon.wholes(sense)) for sense in lexicon.noun_senses(place)] == lies


def test_what_a_word_derives_from() -> None:
    lexicon = get_lexicon()
    assert not set(lexicon.noun_senses("France")).isdisjoint(lexicon.related_senses("French"))
    assert any(lexicon.is_kind(sense, "administrative district") for sense in lexicon.related_senses("Canadian"))
    assert lexicon.related_senses("qwzx") == []


def _shipped(name: str) -> Path:
    return Path(str(files("toulmin.english"))) / "wordnet" / name


def test_the_licence_ships_beside_the_data() -> None:
    licence = _shipped("LICENSE").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University." in licence
    assert 'PROVIDED "AS IS"' in licence


HEADER = "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.\n"
WORDNET = {  # thing > animal > cat; "cat" is a verb too, and more often; catty pertains to cat
    "data.noun": "10 03 n 01 thing 0 000 | a thing\n"
    "20 05 n 02 animal 0 living_thing 0 001 @ 10 n 0000 | an animal\n"
    "30 05 n 01 cat 0 002 @ 20 n 0000 #p 10 n 0000 | a cat, which is a part of a thing\n",
    "data.verb": "10 29 v 01 cat 0 000 01 + 02 00 | to cat about\n",
    "data.adj": "10 00 s 01 catty(a) 0 002 + 30 n 0101 ! 40 a 0102 | of a cat\n"
    "40 00 s 02 slow 0 Doggy(p) 0 001 ! 10 a 0201 | of a dog\n",
    "data.adv": "",
    "index.noun": "animal n 1 1 @ 1 0 20\ncat n 1 1 @ 1 1 30\nliving_thing n 1 1 @ 1 0 20\nthing n 1 0 1 0 10\n",
    "index.verb": "cat v 1 0 1 1 10\n",
    "index.adj": "catty a 1 1 + 1 0 10\ndoggy a 1 1 ! 1 0 40\nslow a 1 0 1 0 40\n",
    "index.adv": "",
    "noun.exc": "kits kit\ncatz cat\n",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
    "cntlist.rev": "cat%1:05:00:: 1 3\ncat%2:29:00:: 1 8\n",
}


def _write_wordnet(folder: Path, **changed: str) -> Path:
    folder.mkdir()
    for name, text in WORDNET.items():
        header = HEADER if name.startswith(("data", "index")) else ""
        (folder / name).write_text(header + changed.get(name.replace(".", "_"), text), encoding="utf-8")
    return folder


def _build(folder: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BUILD, folder, "--out", out], capture_output=True, text=True, check=False, timeout=120
    )


def test_build_from_wordnet_files(tmp_path: Path) -> None:
    folder = _write_wordnet(tmp_path / "dict")
    done = _build(folder, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    lexicon = Lexicon(WordTables.load(tmp_path / "out" / "wordnet-3.0.npz"))
    assert lexicon.lemmas("catz") == ("cat",)
    assert lexicon.lemmas("kits") == ()
    assert lexicon.is_a("cat", "thing")
    assert lexicon.is_noun("living thing")
    assert not lexicon.is_noun("catty")
    assert lexicon.relatedness("cat", "living thing") == pytest.approx(1 - 0.06 - 0.12)  # the verb is its first sense
    assert lexicon.relatedness("catty", "cat") == pytest.approx((1 - 0.08) * (1 - 0.06))
    assert lexicon.antonyms("catty") == ("doggy",)
    assert lexicon.antonyms("doggy") == ("catty",)
    assert lexicon.antonyms("slow") == lexicon.antonyms("cat") == lexicon.antonyms("unheard") == ()
    (cat,), (thing,) = lexicon.noun_senses("cat"), lexicon.noun_senses("thing")
    assert lexicon.wholes(cat) == {cat, thing}
    assert lexicon.wholes(thing) == {thing}
    assert "Princeton" in (tmp_path / "out" / "LICENSE").read_text(encoding="utf-8")

    first = (tmp_path / "out" / "wordnet-3.0.npz").read_bytes()
    _build(folder, tmp_path / "again")
    assert (tmp_path / "again" / "wordnet-3.0.npz").read_bytes() == first


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"data_noun": "10 03 n 01\n"}, "data.noun:2"),
        ({"index_verb": "cat v 1 0 1 1 99\n"}, "index.verb:2"),
        ({"cntlist_rev": "cat 1 3\n"}, "cntlist.rev:1"),
        ({"data_adj": "10 00 s 01 catty 0 001 + 77 n 0101 | x\n"}, "77"),
        ({"data_adj": "10 00 s 01 catty 0 001 ! 30 n 0102 | x\n", "index_adj": "catty a 1 0 1 0 10\n"}, "antonym"),
    ],
)
def test_malformed_wordnet_files_are_named_in_one_line(tmp_path: Path, changed: dict[str, str], where: str) -> None:
    done = _build(_write_wordnet(tmp_path / "dict", **changed), tmp_path / "out")
    assert done.returncode == 2
    assert where in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    done = _build(tmp_path, tmp_path / "out")
    assert done.returncode == 2
    assert "data.noun" in done.stderr


@pytest.mark.parametrize("damage", ["empty", "text", "truncated", "altered"])
def test_a_damaged_data_file_is_refused(tmp_path: Path, damage: str) -> None:
    shipped = _shipped("wordnet-3.0.npz").read_bytes()
    half = len(shipped) // 2
    altered = shipped[:half] + bytes([shipped[half] ^ 0xFF]) + shipped[half + 1 :]
    path = tmp_path / "lexicon.npz"
    path.write_bytes({"empty": b"", "text": b"not an archive", "truncated": shipped[:half], "altered": altered}[damage])
    with pytest.raises(SourceError, match=r"lexicon\.npz"):
        WordTables.load(path)


def test_a_missing_data_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.npz"
    with pytest.raises(SourceError, match="build_lexicon"):
        WordTables.load(path)
