"""Tables from files: delimited text as people have it, workbooks, Parquet, SQLite, and mapping files."""

from __future__ import annotations

import datetime
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
import xlsxwriter

from toulmin.errors import MissingExtraError, SettingsError, SourceError
from toulmin.graph.build import build_graph
from toulmin.graph.readers import RawStatement, ReadOptions, Rejected, read
from toulmin.graph.readers.tables import ReadTable
from toulmin.graph.readers.tables.mapping import TableOptions, read_mapping
from toulmin.graph.readers.tables.provenance import places_of, save_places, taken
from toulmin.graph.readers.tables.table_statements import read_table_files


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def tables(*paths: Path, options: ReadOptions | None = None, decided: TableOptions | None = None) -> list[ReadTable]:
    return list(read_table_files(paths, options or ReadOptions(), decided).tables)


def headings(table: ReadTable) -> list[str]:
    return [column.heading.text for column in table.columns]


PLAIN = [("Al Ost", "1.5"), ("Bo West", "2.5")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "name,size\nAl Ost,1.5\nBo West,2.5\n"),
        ("a.csv", "name;size\r\nAl Ost;1,5\r\nBo West;2,5\r\n"),
        ("a.tsv", "name\tsize\nAl Ost\t1.5\n\nBo West\t2.5"),
        ("a.psv", "name|size\nAl Ost|1.5\nBo West|2.5\n"),
        ("a.csv", b'\xef\xbb\xbf"name","size"\n"Al Ost","1.5"\n"Bo West","2.5"\n'),
        ("a.csv", "List of 2024,\n,\nname,size\nAl Ost,1.5\nBo West,2.5\n"),
        ("a.csv", "name,size\nAl Ost,1.5\nname,size\nBo West,2.5\n"),
        ("a.csv", '"name\n",size\nAl Ost,1.5\nBo West,2.5[1]\n'),
    ],
)
def test_delimited_tables_as_people_have_them(tmp_path: Path, name: str, content: str | bytes) -> None:
    (table,) = tables(write(tmp_path, name, content))
    assert headings(table) == ["name", "size"]
    literals = [table.columns[1].literal(cell) for cell in table.cells[1]]
    assert [literal.value for literal in literals if literal] == ["1.5", "2.5"]
    assert table.row_labels == ["Al Ost", "Bo West"]


def test_a_table_of_another_encoding_is_refused_until_it_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "name,city\nAl,Oslo\nJosé,Málaga\n".encode("latin-1"))
    with pytest.raises(SourceError, match=r"a\.csv:3: not UTF-8: byte 0xE9 at character 4; .*--encoding latin-1"):
        tables(path)
    (table,) = tables(path, options=ReadOptions(encoding="latin-1"))
    assert table.row_labels == ["Al", "José"]


def test_a_table_without_header_and_one_of_two_lines(tmp_path: Path) -> None:
    bare = write(tmp_path, "bare.csv", "Oslo,709037,1048-01-01\nBergen,291940,1070-01-01\n")
    (table,) = tables(bare)
    assert [column.label for column in table.columns] == ["column 1", "column 2", "column 3"]
    assert table.row_labels == ["Oslo", "Bergen"]
    double = write(tmp_path, "double.csv", "Region,2022,,2023,\n,Sales,Cost,Sales,Cost\nNorth,1,2,3,4\nSouth,5,6,7,8\n")
    (table,) = tables(double)
    assert headings(table) == ["Region", "2022 Sales", "2022 Cost", "2023 Sales", "2023 Cost"]
    texts = write(tmp_path, "texts.csv", "Oslo,Norway\nRome,Italy\n")
    assert headings(tables(texts, options=ReadOptions(header=False))[0]) == ["", ""]
    assert headings(tables(texts)[0]) == ["Oslo", "Norway"]  # nothing tells


def test_years_over_numbers_are_a_header(tmp_path: Path) -> None:
    (table,) = tables(write(tmp_path, "a.csv", "Region,2022,2023\nNorth,10,12\nSouth,20,22\n"))
    assert headings(table) == ["Region", "2022", "2023"]


def test_long_rows_are_rejected_by_line_and_short_ones_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "name,age,city\nAl,30,Oslo,more\nBo\nCy,31,Rome\n")
    records = list(read(path))
    assert [record for record in records if isinstance(record, Rejected)] == [
        Rejected(2, "4 fields where the header has 3")
    ]
    assert sum(isinstance(record, RawStatement) for record in records) == 2 + 4
    with pytest.raises(SourceError, match=r"a\.csv:2: 4 fields"):
        list(read(path, strict=True))


def workbook(path: Path) -> Path:
    with xlsxwriter.Workbook(path) as book:
        date = book.add_format({"num_format": "yyyy-mm-dd"})
        products = book.add_worksheet("Products")
        products.write(0, 1, "Stock")
        products.write_row(2, 1, ["SKU", "Product", "Supplier", "Price (EUR)", "Since", "Active"])
        for at, (sku, name, supplier, price) in enumerate([("A-1", "Lamp", "Acme", 19.5), ("B-2", "Desk", "Bolt", 99)]):
            products.write_row(3 + at, 1, [sku, name, supplier, price])
            products.write_datetime(3 + at, 5, datetime.datetime(2020, 1, 2 + at), date)
            products.write_boolean(3 + at, 6, at == 0)
        suppliers = book.add_worksheet("Suppliers")
        for at, row in enumerate([["Supplier", "City"], ["Acme", "Oslo"], ["Bolt", "Rome"]]):
            suppliers.write_row(at, 0, row)
        hidden = book.add_worksheet("Old")
        hidden.write_row(0, 0, ["a", "b"])
        hidden.hide()
        book.add_worksheet("Empty")
    return path


def test_a_workbook_has_a_table_a_sheet_with_its_types_and_links(tmp_path: Path) -> None:
    products, suppliers = tables(workbook(tmp_path / "stock.xlsx"))
    assert (products.class_name, suppliers.class_name) == ("product", "supplier")
    assert [column.type for column in products.columns] == ["text", "text", "link", "number", "date", "yes_no"]
    assert products.columns[3].unit == "EUR"
    assert [column[0] for column in products.cells] == ["A-1", "Lamp", "Acme", "19.5", "2020-01-02", "true"]
    assert products.table.number(1) == 5


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    with closing(duckdb.connect()) as connection:
        rows = "(1, 'Ada', ['a', 'b'], 1.50::DECIMAL(5, 2), DATE '2020-02-03'), (2, 'Ben', ['b'], 2.25, NULL)"
        connection.execute(f"CREATE TABLE t AS FROM (VALUES {rows}) t(id, name, tags, score, joined)")
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    (table,) = tables(path)
    assert table.class_name == "person"
    assert [column.type for column in table.columns] == ["text", "text", "text", "number", "date"]
    assert table.columns[2].items(table.cells[2][0]) == ["a", "b"]
    assert table.cells[3] == ["1.50", "2.25"]


def database(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT, mentor INTEGER REFERENCES student (id));
            CREATE TABLE course (code TEXT PRIMARY KEY, title TEXT);
            CREATE TABLE taking (who INTEGER REFERENCES student (id), what TEXT REFERENCES course (code));
            INSERT INTO student VALUES (1, 'Al Ost', NULL), (2, 'Bo West', 1);
            INSERT INTO course VALUES ('MA1', 'Analysis'), ('PH2', 'Optics');
            INSERT INTO taking VALUES (1, 'MA1'), (1, 'PH2'), (2, 'MA1');
            """
        )
    return path


def test_a_database_declares_its_keys_and_links(tmp_path: Path) -> None:
    student, course, taking = tables(database(tmp_path / "school.sqlite"))
    assert student.columns[2].target == "student"
    assert (student.key, course.key) == (0, 0)
    assert [column.target for column in taking.columns] == ["student", "course"]
    assert taking.pair == (0, 1)


def test_tables_of_one_name_are_told_apart_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    paths = [write(tmp_path / folder, "staff.csv", "name,age\nAl,1\nBo,2\n") for folder in ("old", "new")]
    found = tables(*paths, paths[0])
    assert [table.table.name for table in found] == ["old/staff", "new/staff", "old/staff (2)"]
    assert found[0].ids == found[1].ids  # of one class


@pytest.mark.parametrize("name", ["stock.xlsx", "people.parquet"])
def test_what_is_not_installed_is_named(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingExtraError, match=r"needs an optional dependency: pip install 'toulmin\[tables\]'"):
        tables(write(tmp_path, name, "x"))


TOML = """
[staff]
class = "colleague"
key = "nr"
name = "who"
ignore = ["note"]

[staff.columns.pay]
unit = "EUR"
label = "salary"

[staff.columns.born]
type = "date:dmy"

[staff.columns.team]
link = "teams"
"""
JSON = """{"staff": {"class": "colleague", "key": "nr", "name": "who", "ignore": ["note"], "columns":
{"pay": {"unit": "EUR", "label": "salary"}, "born": {"type": "date:dmy"}, "team": {"link": "teams"}}}}"""


@pytest.mark.parametrize(("name", "text"), [("map.toml", TOML), ("map.json", JSON)])
def test_a_mapping_file_decides(tmp_path: Path, name: str, text: str) -> None:
    staff = write(
        tmp_path, "staff.csv", "nr,who,pay,born,team,note\n1,Al,100,03/04/1990,x,-\n2,Bo,200,05/06/1991,y,z\n"
    )
    teams = write(tmp_path, "teams.csv", "team,floor\na,1\nb,2\n")
    decided = TableOptions(read_mapping(write(tmp_path, name, text)), types=["staff.pay=number"])
    first, _ = map(taken, read_table_files([staff, teams], ReadOptions(), decided).tables)
    assert first.class_name == "colleague"
    assert [(column.relation, column.type, column.role) for column in first.columns] == [
        ("nr", "number", "key"),
        ("who", "text", "name"),
        ("salary", "number in EUR", ""),
        ("born", "date (day first)", ""),
        ("team", "link to teams", ""),
        (None, "left out", ""),
    ]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("map.toml", "[staff", "map.toml: the mapping is no TOML: "),
        ("map.json", "[1]", "map.json: the mapping is no object"),
        ("map.toml", "[staff]\nkeys = 'a'", "map.toml, field 'staff.keys': "),
        ("map.toml", "[staff.columns.a]\ntype = 'person'", "map.toml, field 'staff.columns.a.type': "),
    ],
)
def test_a_wrong_mapping_is_an_error_with_its_field(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(SourceError) as raised:
        read_mapping(write(tmp_path, name, text))
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_mapping_of_a_table_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    decided = TableOptions(read_mapping(write(tmp_path, "map.toml", "[persons]\nkey = 'a'")))
    with pytest.raises(SettingsError, match="the mapping is of a table 'persons'; the tables are staff"):
        tables(write(tmp_path, "staff.csv", "a,b\n1,2\n"), decided=decided)


def test_a_header_of_more_lines_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "who,how\nname,much\nAl,x\nBo,y\n")
    decided = TableOptions(read_mapping(write(tmp_path, "map.toml", "[a]\nheader_rows = 2")))
    assert headings(tables(path, decided=decided)[0]) == ["who name", "how much"]


def test_a_built_graph_knows_the_file_row_and_column_of_its_statements(tmp_path: Path) -> None:
    staff = write(tmp_path, "staff.csv", "List\nid,name,pay (EUR)\n\n7,Al,100\n8,Bo,200\n")
    reading = read_table_files([staff], ReadOptions())
    work = tmp_path / "work"
    work.mkdir()
    build_graph([(str(staff), reading.records())], work, name="staff")
    save_places(reading, work)
    (table,) = reading.tables
    (pay,), (kind,), nothing = places_of(
        work,
        [
            (table.ids[1], "urn:toulmin:r:pay"),
            (table.ids[0], "urn:toulmin:r:instance%20of"),
            (table.ids[0], "urn:toulmin:r:other"),
        ],
    )
    assert (pay.file, pay.row, pay.column) == (str(staff), 5, "pay (EUR)")
    assert (kind.row, kind.column) == (4, None)
    assert nothing == []
    assert str(pay) == f"{staff}, row 5, column pay (EUR)"
