"""Delimited triples: detection, ids and labels, qualifiers, and what happens to bad lines."""

from __future__ import annotations

import csv
import io
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.readers import RawName, RawStatement, ReadOptions, Record, Rejected, detect_format, read
from toulmin.graph.types import Literal

E, R = "urn:toulmin:e:", "urn:toulmin:r:"
DATA = Path(os.environ.get("TOULMIN_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))


def write(folder: Path, content: str | bytes, name: str = "graph.tsv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def facts(records: Iterator[Record]) -> list[tuple[str, str, str | Literal]]:
    return [record[:3] for record in records if isinstance(record, RawStatement)]


def labels(records: Iterator[Record]) -> dict[str, str]:
    return {record.id: record.form for record in records if isinstance(record, RawName)}


def rejected(records: Iterator[Record]) -> list[tuple[int | None, str]]:
    return [(record.line, record.reason) for record in records if isinstance(record, Rejected)]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("kb.txt", "Kismet|in_language|English"),
        ("kb.tsv", "Kismet\tin_language\tEnglish"),
        ("kb.csv", "Kismet,in_language,English"),
        ("kb.csv", '"Kismet","in_language","English"'),
        ("kb.csv", "Kismet;in_language;English"),
    ],
)
def test_each_delimiter_is_told_from_the_content(tmp_path: Path, name: str, line: str) -> None:
    path = write(tmp_path, f"{line}\n" * 3, name)
    assert set(facts(read(path))) == {(E + "Kismet", R + "in_language", E + "English")}
    assert labels(read(path)) == {E + "Kismet": "Kismet", R + "in_language": "in language", E + "English": "English"}


def test_a_comma_in_a_tab_file_is_no_delimiter(tmp_path: Path) -> None:
    path = write(tmp_path, "Paris, Texas\tlocated in\tTexas, US, America\n")
    assert facts(read(path)) == [(E + "Paris,%20Texas", R + "located%20in", E + "Texas,%20US,%20America")]


def test_each_name_is_announced_once_before_its_first_fact(tmp_path: Path) -> None:
    records = list(read(write(tmp_path, "a\tr\tb\nb\tr\ta\na\tr\ta\n")))
    assert [type(record) for record in records] == [RawName, RawName, RawName, RawStatement, RawStatement, RawStatement]
    assert records[-1] == RawStatement(E + "a", R + "r", E + "a")  # a self-loop is a fact like any other


def test_duplicates_are_passed_on(tmp_path: Path) -> None:
    assert len(facts(read(write(tmp_path, "a\tr\tb\n" * 3)))) == 3


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("place_of_birth", "place of birth"),
        ("birthPlace", "birth place"),
        ("IsA", "is a"),
        ("elevationAboveTheSeaLevel (in metres)", "elevation above the sea level (in metres)"),
        ("__film__cinematographer__film", "film cinematographer film"),
        ("film.film.directed_by", "film.film.directed_by"),
        ("YouTube channel ID", "YouTube channel ID"),
        ("iTunes album ID", "iTunes album ID"),
        ("date of death", "date of death"),
        ("hasISBN", "has ISBN"),
        ("___", "___"),
    ],
)
def test_labels_of_relations(tmp_path: Path, text: str, label: str) -> None:
    found = labels(read(write(tmp_path, f"a\t{text}\tb\n")))
    assert [form for identifier, form in found.items() if identifier.startswith(R)] == [label]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Marie_Curie", "Marie Curie"),
        ("Marie Curie_x", "Marie Curie_x"),
        ("m.0_z5g", "m.0_z5g"),
        ("Ἀριστοτέλης", "Ἀριστοτέλης"),
        ("Cafe\u0301", "Café"),
        ("R2\u0007D2\u001f", "R2D2"),
        ("+131406895", "131406895"),
        ("+2008-00-00T00:00:00Z", "2008"),
        ("+2008-11-04T00:00:00Z", "2008-11-04"),
        ("1999", "1999"),
        ("#thatPOWER", "#thatPOWER"),
        ('"Heroes"', "Heroes"),
        ('Gimel \\"Young Guru\\" Keaton', 'Gimel "Young Guru" Keaton'),
        ('"A" and "B"', '"A" and "B"'),
    ],
)
def test_labels_of_entities(tmp_path: Path, text: str, label: str) -> None:
    found = labels(read(write(tmp_path, f"head\tr\t{text}\n"), options=ReadOptions(literals=False)))
    assert [form for identifier, form in found.items() if identifier not in (E + "head", R + "r")] == [label]


def test_web_addresses_are_ids_as_they_stand(tmp_path: Path) -> None:
    path = write(tmp_path, "<http://dbpedia.org/resource/Paris>\thttp://x.org/r\t_:b\n")
    assert list(read(path)) == [RawStatement("http://dbpedia.org/resource/Paris", "http://x.org/r", "_:b")]


def test_columns_after_the_third_are_ignored_without_a_header(tmp_path: Path) -> None:
    path = write(tmp_path, "a\tr\tb\tsource1\nc\tr\td\tsource2,source3\n")
    assert list(read(path)) == [
        *(RawName(E + "a", "a"), RawName(R + "r", "r"), RawName(E + "b", "b"), RawStatement(E + "a", R + "r", E + "b")),
        *(RawName(E + "c", "c"), RawName(E + "d", "d"), RawStatement(E + "c", R + "r", E + "d")),
    ]


def test_a_header_names_the_columns_and_what_is_beyond_them_are_qualifiers(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "Relation,Tail,Head,start time,end time\nspouse,Pierre Curie,Marie Curie,1895,1906\nspouse,Bo,Al,1990,\n",
        "graph.csv",
    )
    found = [record for record in read(path) if isinstance(record, RawStatement)]
    assert found == [
        RawStatement(
            E + "Marie%20Curie",
            R + "spouse",
            E + "Pierre%20Curie",
            ((R + "start%20time", Literal("1895", "time")), (R + "end%20time", Literal("1906", "time"))),
        ),
        RawStatement(E + "Al", R + "spouse", E + "Bo", ((R + "start%20time", Literal("1990", "time")),)),
    ]


def test_a_first_line_of_data_is_no_header(tmp_path: Path) -> None:
    assert len(facts(read(write(tmp_path, "Source|has_genre|Drama\nHead|directed_by|Bob\n", "kb.txt")))) == 2


TABLES = {
    "a key in the first column": "name,department,manager\nAlice Anders,Finance,Bob Brown\n",
    "a key of two words": "Product No,Maker,City\nA-7,Acme,Oslo\n",
    "a column of numbers": "employee,Department,City,Salary\nAl Ost,Finance,Oslo,1800\nBo West,Sales,Rome,€ 2100\n",
    "values where relations would be": "patient;age;ward\nAl Ost;40;North\nBo West;50;South\n",
    "names in small letters": "employee\tdepartment\tcity\nAl Ost\tFinance\tOslo\nBo West\tSales\tRome\n",
    "two columns": "Al Ost,Oslo\nBo West,Rome\n",
    "a title above it": "Stock 2024;;\nno;name;price\n1;Lamp;3,50\n2;Desk;4,50\n",
    "no header": "".join(f"Al {n},{1980 + n},Oslo,yes\n" for n in range(6)),
    "what comes again": "Patient|Ward|Doctor\n" + "".join(f"P{n}|{'NS'[n % 2]} wing|D{n}\n" for n in range(12)),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_is_told_from_triples_unless_somebody_says_which_it_is(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path, TABLES[kind], "graph.csv")
    assert detect_format(path) == "table"
    rows, width = TABLES[kind].count("\n"), 1 + len(re.findall(r"[\t|;,]", TABLES[kind].splitlines()[0]))
    if width >= 3 and not kind.startswith("a title"):
        assert len(facts(read(path, format="triples", options=ReadOptions(header=False)))) == rows
    named = ReadOptions(header=True, columns=("subject", "relation", "object"))
    assert detect_format(path, named) == "triples"
    if width == 3 and not kind.startswith("a title"):
        assert len(facts(read(path, options=named))) == rows - 1


TRIPLES = {
    "one line": "Alice,manager,Bob\n",
    "two lines": "Heat,directed by,Michael Mann\nHeat,starring,Al Pacino\n",
    "small letters": "alice\tknows\tbob\ncarl\tage\t30\ndora\tlikes\tchess\n",
    "with sources": "Heat,directed by,Michael Mann,imdb\nRonin,starring,Robert De Niro,wiki\n",
    "with scores": "Heat\tdirector\tMichael Mann\t0.93\nRonin\tactor\tRobert De Niro\t0.71\n",
    "numbers": "Anne,mother,Ada\nBen,age,12\nCarl,age,13\n",
    "a header": "subject,predicate,object\nAl,age,12\nBo,age,13\n",
    "a header of a table of edges": "source,type,target\nAl,manager,Bo\nBo,manager,Cy\n",
    "ids": "Q1\tP31\tQ2\nQ3\tP279\tQ4\n",
    "prefixed": "ex:Name\tex:is\tex:Thing\nex:b\tex:c\tex:d\n",
    "a relation that comes once": "Ontology,version,Draft\n" + "".join(f"n{n},r{n},m{n}\n" for n in range(30)),
    "camel case": "Heat,directedBy,Mann\nHeat,ReleasedIn,Oslo\nRonin,directedBy,Frankenheimer\n",
}


@pytest.mark.parametrize("kind", TRIPLES)
def test_triples_are_no_table(tmp_path: Path, kind: str) -> None:
    assert detect_format(write(tmp_path, TRIPLES[kind], "kinds.txt")) == "triples"
    rows = TRIPLES[kind].count("\n") - kind.startswith("a header")
    assert len(facts(read(write(tmp_path, TRIPLES[kind], "graph.txt")))) == rows


def test_header_and_columns_can_be_set(tmp_path: Path) -> None:
    path = write(tmp_path, "film\tmade by\tperson\nKismet\tmade by\tBob\n")
    assert len(facts(read(path))) == 2
    assert len(facts(read(path, options=ReadOptions(header=True)))) == 1
    concepts = write(tmp_path, "IsA\tbaseball\tsport\n", "concepts.tsv")
    ordered = ReadOptions(columns=("relation", "subject", "object"))
    assert facts(read(concepts, options=ordered)) == [(E + "baseball", R + "IsA", E + "sport")]
    with pytest.raises(SettingsError, match="subject, relation and object"):
        list(read(concepts, options=ReadOptions(columns=("a", "b", "c"))))
    with pytest.raises(SettingsError, match="one character"):
        ReadOptions(delimiter="||")


def test_a_delimiter_can_be_set(tmp_path: Path) -> None:
    path = write(tmp_path, "a~r~b\n")
    with pytest.raises(SourceError, match="name the delimiter"):
        list(read(path))
    assert facts(read(path, options=ReadOptions(delimiter="~"))) == [(E + "a", R + "r", E + "b")]


def test_numbers_and_dates_are_values_where_a_relation_has_hardly_anything_else(tmp_path: Path) -> None:
    rows = ["Film\trelease_year\t1999", "Film\tlength\t125 minute", "Film\tdirector\tBob", "Bob\tboss\t17"]
    rows += ["Bob\tpostcode\t01067", "Ann\tpostcode\t80331"]
    rows += ["17\tlength\t60 minute", "17\tboss\tBob", "Film\tloved_by\tAnn", "Film\tloved_by\t1984"]
    path = write(tmp_path, "".join(f"{row}\n" for row in rows))
    year, length = Literal("1999", "time"), Literal("125", "quantity", unit="minute")
    hour = Literal("60", "quantity", unit="minute")
    found = [obj for _, _, obj in facts(read(path))]
    codes = [E + "01067", E + "80331"]
    assert found == [year, length, E + "Bob", E + "17", *codes, hour, E + "Bob", E + "Ann", E + "1984"]
    none = [obj for _, _, obj in facts(read(path, options=ReadOptions(literals=False)))]
    assert none[:2] == [E + "1999", E + "125%20minute"]
    every = [obj for _, _, obj in facts(read(path, options=ReadOptions(literals=True)))]
    assert every[3] == Literal("17", "quantity")
    assert every[-1] == Literal("1984", "time")


def test_yes_and_no_are_truths_where_a_relation_has_nothing_else(tmp_path: Path) -> None:
    rows = [
        "Ann\tsmokes\tno",
        "Bob\tsmokes\tYes",
        "Ann\tlikes\tyes",
        "Bob\tlikes\tAnn",
        "Ann\tclass\ty",
        "Cem\tsmokes\tyes",
    ]
    rows += ["Song\tband\tYes", "Yes\tstyle\trock", "Oslo\tcode\tNO"]
    path = write(tmp_path, "".join(f"{row}\n" for row in rows))
    found = [obj for _, _, obj in facts(read(path))]
    no, yes = (Literal(truth, "boolean") for truth in ("false", "true"))
    names = [E + name for name in ("yes", "Ann", "y")]
    assert found == [no, yes, *names, yes, E + "Yes", E + "rock", E + "NO"]
    none = [obj for _, _, obj in facts(read(path, options=ReadOptions(literals=False)))]
    assert none[:2] == [E + "no", E + "Yes"]


def test_digits_beside_amounts_are_no_years(tmp_path: Path) -> None:
    rows = ["Oslo\tberths\t45", "Hull\tberths\t1200", "Golf\tprice\t1500", "Polo\tprice\t1900", "Polo\tborn\t1500"]
    rows += ["Bonn\tfloor\t1", "Kiel\tfloor\t1", "Jena\tfloor\tcellar", *(f"N{at}\tfloor\t2" for at in range(17))]
    path = write(tmp_path, "".join(f"{row}\n" for row in rows))
    found = [obj for _, _, obj in facts(read(path))]
    numbers = [Literal(text, "quantity") for text in ("45", "1200", "1500", "1900")]
    assert found[:5] == [*numbers, Literal("1500", "time")]
    assert found[5:8] == [Literal("1", "quantity"), Literal("1", "quantity"), E + "cellar"]


def test_bad_lines_are_rejected_by_number_and_the_rest_is_read(tmp_path: Path) -> None:
    content = b"a\tr\tb\nonly\ttwo\n\nc\tr\t \nd\tr\tb\tc\td\n" + b"caf\xe9\tr\tb\n" + b"e\tr\tf\n"
    path = write(tmp_path, content)
    *found, (number, reason) = rejected(read(path))
    assert found == [
        (2, "2 fields where 3 are expected"),
        (4, "an empty subject, relation or object"),
        (5, "5 fields where 3 are expected"),
    ]
    assert number == 6
    assert reason.startswith("not UTF-8: byte 0xE9 at character 4")
    assert facts(read(path)) == [(E + "a", R + "r", E + "b"), (E + "e", R + "r", E + "f")]


def test_strict_stops_at_the_first_bad_line(tmp_path: Path) -> None:
    path = write(tmp_path, "a\tr\tb\nonly\ttwo\n")
    with pytest.raises(SourceError, match=r"graph\.tsv:2: 2 fields"):
        list(read(path, strict=True))


def test_a_quoted_field_may_hold_delimiters_quotes_and_line_breaks(tmp_path: Path) -> None:
    path = write(tmp_path, '"a, b","says ""r""","line one\nline two"\nc,r,d\n', "graph.csv")
    assert facts(read(path)) == [
        (E + "a,%20b", R + "says%20%22r%22", E + "line%20one%20line%20two"),
        (E + "c", R + "r", E + "d"),
    ]


def test_a_quote_that_is_never_closed_costs_one_line(tmp_path: Path) -> None:
    path = write(tmp_path, 'a,r,"open\n' + "".join(f"x{number},r,y\n" for number in range(300)), "graph.csv")
    assert rejected(read(path)) == [(1, "a quoted field is not closed")]
    assert len(facts(read(path))) == 300


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_do_not_show(tmp_path: Path, ending: str, mark: str) -> None:
    path = write(tmp_path, mark + ending.join(["a\tr\tb", "c\tr\td"]))
    assert facts(read(path)) == [(E + "a", R + "r", E + "b"), (E + "c", R + "r", E + "d")]


def test_a_field_of_ten_megabytes(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    for name, line in (("long.tsv", f"a\tr\t{long}\n"), ("long.csv", f'a,r,"{long}"\n')):
        assert facts(read(write(tmp_path, line, name)))[0][2] == E + long


@pytest.mark.parametrize("content", ["", "\n", " \n\n", "\ufeff"])
def test_an_empty_file_has_no_records(tmp_path: Path, content: str) -> None:
    assert list(read(write(tmp_path, content))) == []


plain = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=12)


@given(st.lists(st.tuples(plain, plain, plain), min_size=1, max_size=5))
def test_quoted_fields_are_split_as_the_csv_module_does(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    path = write(tmp_path_factory.mktemp("csv"), buffer.getvalue(), "rows.csv")
    readable = [row for row in rows if all(field.strip() for field in row)]
    options = ReadOptions(delimiter=",", header=False)
    records = list(read(path, format="triples", options=options))
    assert len(facts(iter(records))) == len(readable)
    assert len(rejected(iter(records))) == len(rows) - len(readable)


@pytest.mark.parametrize(
    ("name", "statements"),
    [
        ("metaqa/kb.txt", 133_582),
        ("freebase_union/webqsp_kg.tsv", 56_434),
        ("webnlg/graph.tsv", 3_236),
        ("crlt/wikidata_plus_gold.tsv", 7_256),
        ("pathquestion/2H-kb.txt", 1_211),
    ],
)
def test_real_graphs_are_read_without_a_setting(name: str, statements: int) -> None:
    if not (DATA / name).exists():
        pytest.skip(f"{name} is not at hand; set TOULMIN_DATA to the development data")
    records = list(read(DATA / name, strict=True))
    assert sum(isinstance(record, RawStatement) for record in records) == statements
    assert all(record.qualifiers == () for record in records if isinstance(record, RawStatement))


BINARY = [random.Random(7).randbytes(5_000), b"\x89PNG\r\n\x1a\n" + bytes(400), b"\xff\xfa\x00"]


def test_a_file_in_another_encoding_is_not_called_binary(tmp_path: Path) -> None:
    path = write(tmp_path, "café,owner,André\nthé,sold in,café\n".encode("latin-1"), "graph.csv")
    with pytest.raises(SourceError, match=r"graph\.csv:1: not UTF-8: byte 0xE9 at character 4; .*--encoding latin-1"):
        list(read(path))
    assert labels(read(path, options=ReadOptions(encoding="latin-1")))[E + "caf%C3%A9"] == "café"


@pytest.mark.parametrize("content", BINARY)
def test_a_binary_file_is_told(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SourceError, match=r"graph\.tsv: is binary: half of its first lines or more"):
        list(read(write(tmp_path, content)))


def test_a_name_is_told_once_also_of_values_of_qualifiers(tmp_path: Path) -> None:
    rows = "".join(f"Ann\tplays\tPart {number}\tHall\n" for number in range(3))
    path = write(tmp_path, f"subject\trelation\tobject\tplace\n{rows}")
    names = [record.form for record in read(path) if isinstance(record, RawName)]
    assert sorted(names) == ["Ann", "Hall", "Part 0", "Part 1", "Part 2", "place", "plays"]
