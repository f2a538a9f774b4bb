"""What holds for every format: choosing the reader, compression, damage, encodings, files that are none."""

from __future__ import annotations

import bz2
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.readers import RawName, RawStatement, ReadOptions, Rejected, detect_format, formats, read

NT = b"<http://x/a> <http://x/r> <http://x/b> .\n"
SAMPLES = {
    "ntriples": ("a.nt", NT),
    "nquads": ("a.nq", b"<http://x/a> <http://x/r> <http://x/b> <http://x/g> .\n"),
    "turtle": ("a.ttl", b"@prefix : <http://x/> . :a :r :b ."),
    "trig": ("a.trig", b"@prefix : <http://x/> . :g { :a :r :b }"),
    "rdfxml": (
        "a.rdf",
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
        b'<rdf:Description rdf:about="http://x/a"><x:r rdf:resource="http://x/b"/></rdf:Description></rdf:RDF>',
    ),
    "jsonld": ("a.jsonld", b'{"@id": "http://x/a", "http://x/r": {"@id": "http://x/b"}}'),
    "triples": ("a.tsv", b"http://x/a\thttp://x/r\thttp://x/b\n"),
    "jsonl": ("a.jsonl", b'{"subject": "http://x/a", "relation": "http://x/r", "object": "http://x/b"}\n'),
}
WIKIDATA = {
    "type": "item",
    "id": "Q1",
    "claims": {
        "P1": [
            {
                "mainsnak": {
                    "snaktype": "value",
                    "property": "P1",
                    "datavalue": {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": "Q2"}},
                },
                "rank": "normal",
            }
        ]
    },
}


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    ("suffix", "compress"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)], ids=["plain", "gz", "bz2"]
)
def test_every_format_plain_and_compressed(
    tmp_path: Path, name: str, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    file, content = SAMPLES[name]
    path = write(tmp_path, file + suffix, compress(content))
    assert detect_format(path) == name
    assert list(read(path, strict=True)) == [RawStatement("http://x/a", "http://x/r", "http://x/b")]
    assert list(read(path, format=name)) == list(read(path))


def test_compression_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    assert list(read(write(tmp_path, "a.nt", gzip.compress(NT)))) == list(read(write(tmp_path, "b.nt.gz", NT)))


def test_several_compressed_members_are_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a.nt.gz", gzip.compress(NT) + gzip.compress(NT.replace(b"/b>", b"/c>")))
    assert len(list(read(path))) == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (json.dumps(WIKIDATA).encode(), "wikidata"),
        (b"[\n" + json.dumps(WIKIDATA).encode() + b"\n]\n", "wikidata"),
        (SAMPLES["jsonld"][1], "jsonld"),
        (b'{"@context": {}, "@graph": []}', "jsonld"),
        (SAMPLES["jsonl"][1], "jsonl"),
        (b'{"id": "w:a", "label": "A"}\n', "jsonl"),
        (NT, "ntriples"),
        (b"A film|has_genre|Drama\nB|has_genre|Drama\n", "triples"),
        (b"", "jsonl"),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.txt", "a"])
def test_ambiguous_suffixes_are_told_apart_by_content(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    path = write(tmp_path, name, content)
    assert detect_format(path) == expected
    list(read(path, strict=True))


def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path) -> None:
    for name in ("a.docx", "a.txt"):
        with pytest.raises(SourceError, match=r"unknown kind of file; known suffixes are \.nt, .*\.jsonl"):
            read(write(tmp_path, name, b"once upon a time\n"))
    assert list(read(write(tmp_path, "a.docx", NT), format="ntriples"))


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no format is called 'docx' \(known: ntriples"):
        read(write(tmp_path, "a.nt", NT), format="docx")
    assert set(SAMPLES) | {"wikidata"} <= set(formats())


@pytest.mark.parametrize("name", formats())
def test_a_directory_and_a_missing_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="is a directory"):
        read(tmp_path, format=name)
    with pytest.raises(SourceError, match="no such file"):
        read(tmp_path / "none.nt", format=name)


@pytest.mark.parametrize("name", formats())
def test_a_pipe_is_no_source(tmp_path: Path, name: str) -> None:
    """It cannot be read twice, and nothing is taken from it."""
    receiving, sending = os.pipe()
    try:
        os.write(sending, NT)
        with pytest.raises(SourceError, match="is a pipe or a device; name a file"):
            read(f"/dev/fd/{receiving}", format=name)
        assert os.read(receiving, len(NT)) == NT
    finally:
        os.close(receiving)
        os.close(sending)


@pytest.mark.parametrize("name", formats())
@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_has_no_records_in_any_format(tmp_path: Path, name: str, content: bytes) -> None:
    assert list(read(write(tmp_path, "empty", content), format=name)) == []


def many(name: str, count: int = 20_000) -> bytes:
    lines = {
        "ntriples": "<http://x/{0}> <http://x/r> <http://x/b> .\n",
        "triples": "a{0}\tr\tb\n",
        "jsonl": '{{"subject": "x:{0}", "relation": "x:r", "object": "x:b"}}\n',
        "turtle": "<http://x/{0}> <http://x/r> <http://x/b> .\n",
    }
    return "".join(lines[name].format(number) for number in range(count)).encode()


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", ["ntriples", "triples", "jsonl", "turtle"])
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_a_truncated_file_is_an_error_that_says_how_far_it_got(
    tmp_path: Path, compress: Callable[[bytes], bytes], name: str, strict: bool
) -> None:
    whole = compress(many(name))
    path = write(tmp_path, "cut", whole[: len(whole) * 2 // 3])
    with pytest.raises(
        SourceError, match=r"cut: the compressed data ends too early, after [\d,]+ bytes and [\d,]+ "
    ) as told:
        list(read(path, format=name, strict=strict))
    assert "\n" not in str(told.value)


def test_damaged_compressed_data_is_an_error(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(many("ntriples")))
    whole[len(whole) // 2] ^= 0xFF
    with pytest.raises(SourceError, match=r"cannot be decompressed|ends too early"):
        list(read(write(tmp_path, "a.nt.gz", bytes(whole))))


def test_records_before_the_damage_are_passed_on(tmp_path: Path) -> None:
    whole = gzip.compress(many("ntriples", 100_000))
    path = write(tmp_path, "a.nt.gz", whole[: len(whole) * 2 // 3])
    taken = 0
    with pytest.raises(SourceError):
        for _ in read(path):
            taken += 1
    assert taken > 10_000


@pytest.mark.parametrize("name", ["ntriples", "nquads", "triples", "jsonl"])
def test_lines_that_are_not_utf8_are_rejected_by_number(tmp_path: Path, name: str) -> None:
    line = SAMPLES[name][1]
    path = write(tmp_path, "a", line + line.replace(b"x/b", b"x/\xe9") + line)
    found = list(read(path, format=name))
    (wrong,) = [record for record in found if isinstance(record, Rejected)]
    place = line.index(b"x/b") + 3
    assert wrong.line == 2
    assert wrong.reason.startswith(f"not UTF-8: byte 0xE9 at character {place}; ")
    assert "--encoding latin-1" in wrong.reason
    assert sum(isinstance(record, RawStatement) for record in found) == 2
    with pytest.raises(SourceError, match=r"a:2: not UTF-8"):
        list(read(path, format=name, strict=True))


@pytest.mark.parametrize("name", ["turtle", "trig", "jsonld", "rdfxml"])
def test_a_document_that_is_not_utf8_is_told_with_the_byte(tmp_path: Path, name: str) -> None:
    file, text = SAMPLES[name]
    with pytest.raises(SourceError, match=r":2: not UTF-8: byte 0xE9 at character \d+; .*--encoding latin-1"):
        list(read(write(tmp_path, file, b"\n" + text.replace(b"b", b"b\xe9"))))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8"])
def test_a_source_in_a_named_encoding_reads_as_in_utf8(tmp_path: Path, name: str, encoding: str) -> None:
    file, text = SAMPLES[name]
    said = text.decode().replace("x/b", "x/é")
    one, other = write(tmp_path, "one-" + file, said.encode()), write(tmp_path, "other-" + file, said.encode(encoding))
    assert list(read(other, options=ReadOptions(encoding=encoding))) == list(read(one))
    packed = write(tmp_path, file + ".gz", gzip.compress(said.encode(encoding)))
    assert list(read(packed, options=ReadOptions(encoding=encoding))) == list(read(one))


def test_a_declared_encoding_is_read_where_it_is_named(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + SAMPLES["rdfxml"][1].decode().replace("x/b", "x/é")
    path = write(tmp_path, "a.rdf", text.encode("latin-1"))
    assert list(read(path, options=ReadOptions(encoding="latin-1"))) == [
        RawStatement("http://x/a", "http://x/r", "http://x/é")
    ]
    with pytest.raises(SourceError, match="--encoding latin-1"):
        list(read(write(tmp_path, "b.rdf", text.replace("é", "e").encode())))


def test_the_format_is_told_from_text_in_the_named_encoding(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "a\tr\té\n".encode("utf-16"))
    assert detect_format(path, ReadOptions(encoding="utf-16")) == "triples"


def test_a_source_that_is_not_in_the_named_encoding_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "a\tr\té\n".encode())
    with pytest.raises(SourceError, match=r"a\.tsv: is not ascii.*name its encoding"):
        list(read(path, options=ReadOptions(encoding="ascii")))


@pytest.mark.parametrize("encoding", ["klingon", "hex", "", "a\0"])
def test_an_encoding_that_is_none_is_told(encoding: str) -> None:
    with pytest.raises(SettingsError, match="unknown; name one such as latin-1"):
        ReadOptions(encoding=encoding)


def test_utf16_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is UTF-16; convert it to UTF-8 first, or name it: --encoding utf-16"):
        list(read(write(tmp_path, "a.nt", NT.decode().encode("utf-16"))))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_byte_order_mark_does_not_show(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, "a", b"\xef\xbb\xbf" + SAMPLES[name][1])
    assert list(read(path, format=name, strict=True)) == [RawStatement("http://x/a", "http://x/r", "http://x/b")]


def test_progress_counts_bytes_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a.nt.gz", gzip.compress(many("ntriples", 50_000)))
    told: list[int] = []
    for _ in read(path, progress=told.append):
        pass
    assert told == sorted(told)
    assert told[-1] == path.stat().st_size


def test_reading_can_be_abandoned(tmp_path: Path) -> None:
    records = read(write(tmp_path, "a.nt", many("ntriples")))
    assert isinstance(next(records), RawStatement | RawName)
    del records  # the file is closed: an unclosed one would be a ResourceWarning, an error in these tests
