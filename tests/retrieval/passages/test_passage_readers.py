"""What files hold, as passages: plain text, JSON lines, Wikipedia extracts; and what is wrong with bad ones."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest

from toulmin.errors import SourceError
from toulmin.retrieval.passages.excerpts import IndexedPassage
from toulmin.retrieval.passages.indexing import files_of, read_passages

EXTRACT = """<doc id="12" url="https://en.wikipedia.org/wiki?curid=12" title="Anarchism">
Anarchism

Anarchism is a political philosophy &amp; a movement.
Early life.

It calls for the abolition of the state.
</doc>
<doc id="25" url="https://en.wikipedia.org/wiki?curid=25" title="The "Quoted" &lt;Title&gt;">
The "Quoted" <Title>

Its first paragraph stands here.
</doc>
"""


def passages(path: Path) -> list[tuple[str, str, str, int]]:
    return [
        (passage.source, passage.text, passage.title, line)
        for file in files_of(path)
        for passage, line in read_passages(file)
    ]


def test_paragraphs_of_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("\ufeff\n\nFirst line,\r\nsecond line.\r\n   \r\n\r\nAnother  paragraph\twith Ümläute.".encode())
    assert passages(path) == [
        ("notes#1", "First line, second line.", "", 3),
        ("notes#2", "Another paragraph with Ümläute.", "", 7),
    ]


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    records = [
        {"text": "One.\n\nTwo."},
        {"text": "Three."},
        {"id": "a", "text": "Four.", "title": "T", "other": 1},
        {"id": 7, "text": "Five.\n \nSix."},
        {"title": "T", "text": "Seven."},
        {"title": "T", "text": "Eight."},
        {"text": "  "},
    ]
    path.write_text("\n".join(map(json.dumps, records)) + "\n\n", "utf-8")
    assert passages(path) == [
        ("texts#1", "One.", "", 1),
        ("texts#2", "Two.", "", 1),
        ("texts#3", "Three.", "", 2),
        ("a", "Four.", "T", 3),
        ("7#1", "Five.", "", 4),
        ("7#2", "Six.", "", 4),
        ("T#1", "Seven.", "T", 5),
        ("T#2", "Eight.", "T", 6),
    ]


@pytest.mark.parametrize("name", ["wiki_00", "extract.txt"])
def test_wikipedia_as_wikiextractor_writes_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(EXTRACT, "utf-8")
    title = 'The "Quoted" <Title>'
    assert passages(path) == [
        ("Anarchism#1", "Anarchism is a political philosophy & a movement.", "Anarchism", 4),
        ("Anarchism#2", "It calls for the abolition of the state.", "Anarchism", 7),
        (f"{title}#1", "Its first paragraph stands here.", title, 12),
    ]


def test_wikipedia_as_json_has_the_same_paragraphs(tmp_path: Path) -> None:
    plain, lines = tmp_path / "wiki_00", tmp_path / "wiki_01"
    plain.write_text(EXTRACT.split('<doc id="25"')[0], "utf-8")
    text = (
        "Anarchism is a political philosophy &amp; a movement.\nEarly life.\n\nIt calls for the abolition of the state."
    )
    record = {
        "id": "12",
        "revid": "1",
        "url": "https://en.wikipedia.org/wiki?curid=12",
        "title": "Anarchism",
        "text": text,
    }
    lines.write_text(json.dumps(record) + "\n", "utf-8")
    assert [found[:3] for found in passages(lines)] == [found[:3] for found in passages(plain)]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), ("", bytes)])
def test_packed_files(tmp_path: Path, suffix: str, pack: type[bytes]) -> None:
    path = tmp_path / f"notes.txt{suffix}"
    path.write_bytes(pack(b"One.\n\nTwo.\n"))
    assert [found[0] for found in passages(path)] == ["notes#1", "notes#2"]


def test_a_folder_stands_for_its_files_of_text(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.txt", "b/c/three.jsonl.gz", "picture.png", ".hidden/x.txt", "b/wiki_00"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(gzip.compress(b'{"text": "Three."}') if name.endswith(".gz") else b"Text.")
    assert [file.name for file in files_of(tmp_path)] == ["a", "b/c/three", "b/two", "b/wiki_00"]
    assert [found[0] for found in passages(tmp_path)] == ["a#1", "b/c/three#1", "b/two#1", "b/wiki_00#1"]


@pytest.mark.parametrize(
    ("name", "content", "line", "problem"),
    [
        ("a.txt", b"fine\n\nnot \xff fine\n", 3, "is not UTF-8 here"),
        ("a.jsonl", b'{"text": "a"}\n{"text": \n', 2, "is not JSON"),
        ("a.jsonl", b'{"text": "a"}\n["text"]\n', 2, "is not a JSON object"),
        ("a.jsonl", b'{"title": "a"}\n', 1, 'has no "text"'),
        ("a.jsonl", b'{"text": 5}\n', 1, "field 'text': must be a text"),
        ("a.jsonl", b'{"text": "\\ud800"}\n', 1, "half of a surrogate pair"),
        ("a.jsonl", b"[" * 100_000, 1, "nested too deeply"),
        ("a.json", b"plain text\n", 1, "is not JSON"),
        ("wiki_00", b'<doc id="1" url="u" title="T">\nT\n\nText of it here.\n', 1, '"</doc>" is missing after'),
        ("wiki_00", b'<doc id="1" url="u" title="T">\n<doc id="2" url="u" title="U">\n</doc>\n', 2, "before this line"),
        ("wiki_00", b'<doc id="1" url="u" title="T">\n</doc>\nstray\n', 3, "is expected here"),
        ("wiki_00", b"<doc of another kind>\n", 1, "is expected here"),
    ],
)
def test_bad_files_are_told_with_their_line(tmp_path: Path, name: str, content: bytes, line: int, problem: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        passages(path)
    assert str(error.value).startswith(f"{path}:{line}")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        files_of(tmp_path / "nope")
    with pytest.raises(SourceError, match="no files of text in this folder"):
        files_of(tmp_path)


def test_a_passage_keeps_what_it_is_given() -> None:
    assert IndexedPassage("a#1", "Text.") == IndexedPassage(source="a#1", text="Text.", title="")
