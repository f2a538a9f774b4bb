"""Tables in memory: what cells, columns and rows are taken for, and what the graph says then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from toulmin.errors import SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables import (
    ROW_NUMBER,
    RawTable,
    ReadTable,
    TableReading,
    read_tables,
    table_graph,
)
from toulmin.graph.readers.tables.mapping import TableSettings
from toulmin.graph.types import Entity, Literal


def read(header: Sequence[str], rows: Sequence[Sequence[str]], name: str = "things", **settings: Any) -> ReadTable:
    return read_tables([RawTable(name, header, rows)], [TableSettings.model_validate(settings)]).tables[0]


def column(cells: Sequence[str], header: str = "x") -> tuple[str, list[Literal | None]]:
    """The type of a column beside a column of names, and the literals of its cells (None: no statement)."""
    table = read(["Name", header], [[f"Thing {'abcdefghijkl'[at]}", cell] for at, cell in enumerate(cells)])
    found = table.columns[1]
    return found.type, [found.literal(cell) if cell else None for cell in table.cells[1]]


def quantity(value: str, unit: str | None = None) -> Literal:
    return Literal(value, "quantity", unit=unit)


def said(graph: MemoryGraph, name: str, relation: str) -> list[str]:
    """What the graph says of the thing of a name, in words, sorted."""
    (match, *_) = graph.lookup([name])[0]
    (statements,) = graph.statements([match.id], side="outgoing")
    objects = [one.object for one in statements if one.relation.label == relation]
    return sorted((node.label or node.id) if isinstance(node, Entity) else node.value for node in objects)


@pytest.mark.parametrize(
    ("header", "cell", "expected"),
    [
        ("weight", "1,200 kg", quantity("1200", "kg")),
        ("price", "€ 3.50", quantity("3.50", "EUR")),
        ("price", "3.50 EUR", quantity("3.50", "EUR")),
        ("price", "US$1.2 million", quantity("1200000", "USD")),
        ("share", "12 %", quantity("12", "%")),
        ("weight (kg)", "72", quantity("72", "kg")),
        ("price [EUR]", "1,999.00", quantity("1999.00", "EUR")),
        ("height_cm", "180", quantity("180", "cm")),
        ("revenue in million USD", "1.5", quantity("1500000", "USD")),
        ("area (km²)", "2.5", quantity("2.5", "km²")),
        ("height m (ft)", "8,848 (29,029)", quantity("8848", "m")),
        ("height", "1.74 m (5 ft 8 1⁄2 in)", quantity("1.74", "m")),
        ("change", "−4", quantity("-4")),
        ("balance", "(1,250.00)", quantity("-1250.00")),
        ("place", "3rd", quantity("3")),
        ("votes", "1 234 567", quantity("1234567")),
        ("score", "17[2]", quantity("17")),
    ],
)
def test_numbers_as_people_write_them(header: str, cell: str, expected: Literal) -> None:
    assert column([cell, cell], header) == ("number", [expected, expected])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["2024-03-01", "2024-12-31"], ["2024-03-01", "2024-12-31"]),
        (["18 February 1997", "March 1998"], ["1997-02-18", "1998-03"]),
        (["Feb 18, 1997", "Mon, 3 May 2010"], ["1997-02-18", "2010-05-03"]),
        (["13/04/2021", "01/02/2021"], ["2021-04-13", "2021-02-01"]),
        (["04/13/2021", "01/02/2021"], ["2021-04-13", "2021-01-02"]),
        (["02.01.24", "03.04.24"], ["2024-01-02", "2024-04-03"]),
        (["18-Feb-97", "1-Mar-03"], ["1997-02-18", "2003-03-01"]),
        (["2024-03-01 14:30", "2024-03-02 09:05:10"], ["2024-03-01T14:30", "2024-03-02T09:05:10"]),
        (["1969", "1971"], ["1969", "1971"]),
    ],
)
def test_dates_in_usual_forms(cells: list[str], expected: list[str]) -> None:
    assert column(cells) == ("date", [Literal(value, "time") for value in expected])


@pytest.mark.parametrize(
    ("cells", "header", "kind"),
    [
        (["03/04/2021", "05/06/2021"], "day", "text"),  # either way round
        (["00123", "04567"], "zip", "text"),
        (["3–1", "2–2"], "score", "text"),
        (["1200", "1850"], "weight (kg)", "number"),
        (["1200", "3850"], "population", "number"),
        (["1200", "1850"], "founded", "date"),
        (["13 Jul", "20 Jul"], "day", "text"),
        (["1976 Games", "1980 Games"], "event", "text"),
        (["yes", "no"], "paid", "yes_no"),
        (["Oslo", "n/a"], "city", "text"),
        (["-", ""], "note", "empty"),
        (["17", "18"], "department_id", "text"),
    ],
)
def test_what_a_column_is_taken_for(cells: list[str], header: str, kind: str) -> None:
    assert column(cells, header)[0] == kind


def test_a_cell_that_is_not_of_its_columns_type_stays_a_text_and_no_value_says_nothing() -> None:
    kind, literals = column(["10.5 s", "11.2 s", "9.9 s", "11.0 s", "DNF", "–", "NA"])
    assert kind == "number"
    assert literals[0] == quantity("10.5", "s")
    assert literals[4:] == [Literal("DNF"), None, None]


def test_decimal_commas_are_told_from_the_column_or_else_from_the_table() -> None:
    table = read(["name", "price", "stock"], [["Lamp", "3,50", "1.200"], ["Desk", "1.299,00", "2.400"]])
    numbers = [
        [column.literal(cell) for cell in cells] for column, cells in zip(table.columns, table.cells, strict=True)
    ]
    assert numbers[1] == [quantity("3.50"), quantity("1299.00")]
    assert numbers[2] == [quantity("1200"), quantity("2400")]


def test_the_unit_goes_from_the_header_into_the_values_and_the_header_stays_an_alias() -> None:
    graph = table_graph("parts", ["part", "weight (kg)", "notes (kg)"], [["Bolt", "2", "heavy"], ["Nut", "1", "light"]])
    labels = {relation.label: graph.describe([relation.id])[0] for relation, _ in graph.relations()}
    assert labels.keys() == {"part", "weight", "notes (kg)", "instance of"}
    assert labels["weight"] is not None
    assert labels["weight"].aliases == ("weight (kg)",)


def test_labels_are_distinct_and_never_empty() -> None:
    table = read(["name", "weight (kg)", "weight (lb)", "place", "place", ""], [["a", "1", "2", "x", "y", "z"]] * 2)
    assert [found.label for found in table.columns] == [
        *("name", "weight (kg)", "weight (lb)", "place", "place (2)", "column 6")
    ]


def test_rows_are_instances_known_by_their_key_and_called_by_their_name() -> None:
    graph = table_graph(
        "Employees",
        ["employee_id", "first_name", "last_name", "manager_id"],
        [["17", "Alice", "Anders", ""], ["18", "Bob", "Berg", "17"], ["19", "Cara", "Cohn", "17"]],
    )
    assert said(graph, "Bob Berg", "instance of") == ["employee"]
    assert said(graph, "18", "manager") == ["Alice Anders"]
    assert said(graph, "Bob Berg", "employee id") == ["18"]


@pytest.mark.parametrize(
    ("header", "rows", "key", "names"),
    [
        (["year", "title"], [["1999", "Heat"], ["1999", "Ronin"]], 1, ["Heat", "Ronin"]),
        (["year", "deaths"], [["2011", "828"], ["2012", "794"]], 0, ["2011", "2012"]),
        (["code", "country"], [["NO", "Norway"], ["IT", "Italy"]], 0, ["Norway", "Italy"]),
        (["no", "amount"], [["1", "5.5"], ["2", "5.5"]], 0, ["thing 1", "thing 2"]),
        (["day", "text"], [["1", "Rent"], ["1", "Food"], ["2", "Rent"]], None, ["Rent", "Food", "Rent"]),
        (["a", "b"], [["1", "5"], ["1", "5"]], None, ["thing 2", "thing 3"]),
    ],
)
def test_keys_and_names(header: list[str], rows: list[list[str]], key: int | None, names: list[str]) -> None:
    table = read(header, rows)
    assert (table.key, table.row_labels) == (key, names)
    assert len(set(table.ids)) == len(rows)


def test_the_class_is_called_by_the_table_or_by_what_its_key_is_an_id_of() -> None:
    rows = [["1", "Al"], ["2", "Bo"]]
    assert read(["id", "name"], rows, "OrderLines").class_name == "order line"
    assert read(["id", "name"], rows, "people").class_name == "person"
    assert read(["Patient No.", "name"], rows, "ward_4b").class_name == "patient"
    assert read(["Patient No.", "name"], rows, "ward_4b", **{"class": "bed"}).class_name == "bed"


@pytest.mark.parametrize(
    ("header", "rows", "class_name"),
    [
        (["Patient", "Age"], [["Al Bo", "71"], ["Cy Do", "44"]], "patient"),
        (["Bed no", "Patient name", "Age"], [["1", "Al Bo", "71"], ["2", "Cy Do", "44"]], "bed"),  # a key says more
        (["Staff no", "Name", "Age"], [["1", "Al Bo", "71"], ["2", "Cy Do", "44"]], "ward"),
        (["Prod. no", "Patient", "Age"], [["1", "Al Bo", "71"], ["2", "Cy Do", "44"]], "patient"),
        (["full_name", "Age"], [["Al Bo", "71"], ["Cy Do", "44"]], "ward"),
        (["Date", "Beds free"], [["2024-01-02", "4"], ["2024-01-03", "2"]], "ward"),
    ],
)
def test_the_class_is_called_as_the_heading_of_the_names(
    header: list[str], rows: list[list[str]], class_name: str
) -> None:
    assert read(header, rows, "ward").class_name == class_name
    assert read(header, rows, "wards").class_name == "ward"  # a plural says what its rows are


def test_rows_are_found_by_their_tables_name_too() -> None:
    graph = table_graph("ward", ["Patient", "Age"], [["Al Bo", "71"], ["Cy Do", "44"]])
    ward, patient = graph.lookup(["ward", "patient"])
    assert [match.id for match in ward] == [match.id for match in patient] != []


def test_a_column_beside_a_key_of_words_says_nothing_of_the_rows() -> None:
    rows = [["Lab 1", "Ann Miller"], ["Lab 2", "Bob Stone"]]
    assert read(["Booking", "Teacher"], rows, "plan").class_name == "booking"


def test_people_keep_their_names_beside_a_table_that_is_keyed_by_them() -> None:
    staff = RawTable("employees", ["Employee id", "Name"], [["17", "Ann Miller"], ["18", "Bob Stone"]])
    parking = RawTable("parking", ["Name", "Car"], [["Ann Miller", "Mini"], ["Bob Stone", "Saab"]])
    tickets = RawTable("tickets", ["Ticket no", "Assigned to"], [["1", "Ann Miller"], ["2", "Bob Stone"]])
    reading = {one.class_name: one.row_labels for one in read_tables([tickets, staff, parking]).tables}
    assert reading["employee"] == ["Ann Miller", "Bob Stone"]
    assert reading["ticket"] == ["ticket 1", "ticket 2"]


def test_rows_with_a_key_are_not_called_by_what_another_table_lists() -> None:
    jobs = RawTable("jobs", ["Job no", "Mill", "Hours"], [["1", "Mill A", "3"], ["2", "Mill B", "4"]])
    mills = RawTable("mills", ["Mill", "Power kW"], [["Mill A", "30"], ["Mill B", "37"]])
    for tables in ([jobs, mills], [mills, jobs]):
        read_as = {one.class_name: one for one in read_tables(tables).tables}
        assert read_as["job"].row_labels == ["job 1", "job 2"]
        assert read_as["mill"].row_labels == ["Mill A", "Mill B"]


def test_categories_stay_texts_and_lists_are_split() -> None:
    rows = [["Al", "Oslo", "SQL; Excel"], ["Bo", "Oslo", "Rust; SQL"], ["Cy", "Rome", "Excel"], ["Di", "Rome", "-"]]
    graph = table_graph("staff", ["name", "city", "skills"], rows)
    assert said(graph, "Al", "skills") == ["Excel", "SQL"]
    assert said(graph, "Cy", "skills") == ["Excel"]
    assert said(graph, "Di", "skills") == []
    (statement,) = [s for s in graph.statements([graph.lookup(["Al"])[0][0].id])[0] if s.relation.label == "city"]
    assert statement.object == Literal("Oslo")


@pytest.mark.parametrize(
    "cells",
    [
        ["Paris, France", "Rome, Italy", "Nice, France", "Bonn, Germany"],
        ["6–4, 6–4", "6–1, 4–6", "6–4, 6–1", "6–1"],
        ["Providence,\nRhode Island", "Ithaca,\nNew York", "Salem,\nOregon"],
        ["1,200", "3,400", "5,600", "7,800"],
    ],
)
def test_what_only_looks_like_a_list_is_none(cells: list[str]) -> None:
    assert read(["Name", "x"], [[f"T{'abcd'[at]}", cell] for at, cell in enumerate(cells)]).columns[1].separator is None


def company() -> TableReading:
    employees = RawTable(
        "employees",
        ["id", "name", "department_id", "office", "boss"],
        [
            *(["7", "Alice Anders", "10", "North", ""], ["8", "Bob Berg", "20", "South", "Alice Anders"]),
            *(["9", "Cara Cohn", "20", "South", "Bob Berg"], ["10", "Dan Dahl", "20", "North", "Bob Berg"]),
        ],
        "employees.csv",
    )
    departments = RawTable(
        "departments", ["id", "name", "floor"], [["10", "Finance", "7"], ["20", "Research", "8"]], "departments.csv"
    )
    offices = RawTable("offices", ["office", "city"], [["North", "Oslo"], ["South", "Rome"]], "offices.csv")
    return read_tables([employees, departments, offices])


def test_links_are_found_by_ids_and_by_names_in_this_table_and_in_others() -> None:
    graph = MemoryGraph.from_records(company().records())
    assert said(graph, "Bob Berg", "department") == ["Research"]
    assert said(graph, "Bob Berg", "office") == ["South"]
    assert said(graph, "Bob Berg", "boss") == ["Alice Anders"]
    assert said(graph, "South", "city") == ["Rome"]


def test_links_to_the_same_table_need_not_come_again() -> None:
    rows = [["P-1", "Pump", ""], ["P-2", "New pump", "P-1"], ["P-3", "Valve", ""], ["P-4", "New valve", "P-3"]]
    rows += [["P-5", "Best pump", "P-2"], ["P-6", "Hose", ""]]
    table = RawTable("parts", ["part no", "name", "replaces"], rows, "parts.csv")
    graph = MemoryGraph.from_records(read_tables([table]).records())
    assert said(graph, "P-5", "replaces") == ["New pump"]


def test_small_numbers_and_places_of_the_same_name_are_no_links() -> None:
    reading = company()
    assert reading.tables[1].columns[2].type == "number"  # floor 7 is not the department 7, nor the employee
    orders = [[str(at), str(at * 7 % 9 + 1), f"{at}.50"] for at in range(1, 12)]
    assert read(["order_id", "product_id", "amount"], orders).columns[1].type == "text"
    provinces = read(
        ["province", "capital"], [["Cádiz", "Cádiz"], ["Jaén", "Jaén"], ["Álava", "Cádiz"], ["Soria", "Soria"]]
    )
    assert provinces.columns[1].type == "text"


def test_a_table_of_nothing_but_links_makes_statements_and_no_things() -> None:
    students = RawTable("students", ["id", "name"], [["s1", "Al"], ["s2", "Bo"]])
    courses = RawTable("courses", ["code", "title"], [["c1", "Optics"], ["c2", "Logic"]])
    takes = RawTable("enrolments", ["student_id", "course"], [["s1", "c1"], ["s1", "c2"], ["s2", "c1"]])
    graph = MemoryGraph.from_records(read_tables([students, courses, takes]).records())
    assert said(graph, "Al", "course") == ["Logic", "Optics"]
    assert graph.lookup(["enrolment"]) == [[]]


def test_what_a_person_decides_counts() -> None:
    header = ["nr", "name", "city", "born", "size", "tags"]
    rows = [["1", "Al", "Oslo", "03/04/2021", "10", "a+b"], ["2", "Bo", "Rome", "05/06/2021", "20", "b"]]
    table = read(
        header,
        rows,
        key="name",
        columns={
            "born": {"type": "date:mdy"},
            "CITY": {"type": "link"},
            "nr": {"type": "text"},
            "size": {"unit": "cm"},
            "tags": {"separator": "+"},
            "city": {"label": "lives in"},
        },
        ignore=("nr",),
    )
    assert table.key == 1
    assert [found.type for found in table.columns] == ["empty", "text", "link", "date", "number", "text"]
    assert table.columns[3].literal("03/04/2021") == Literal("2021-03-04", "time")
    assert table.columns[4].literal("10") == quantity("10", "cm")
    assert table.columns[5].items("a+b") == ["a", "b"]
    assert table.columns[2].label == "lives in"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"key": "none"}, "things: no column 'none'; its columns are name, city"),
        ({"key": "city"}, "things: column 'city' is no key: a value is missing or comes twice"),
        ({"columns": {"x": {"type": "number"}}}, "no column 'x'"),
        ({"columns": {"city": {"link": "towns"}}}, "link to 'towns': no such table; the tables are things"),
    ],
)
def test_decisions_that_cannot_be_followed_are_errors(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        read(["name", "city"], [["Al", "Oslo"], ["Bo", "Oslo"]], **settings)


def test_a_statement_leads_back_to_its_cell() -> None:
    reading = company()
    graph = MemoryGraph.from_records(reading.records(row_numbers=True))
    (statements,) = graph.statements([graph.lookup(["Cara Cohn"])[0][0].id], side="outgoing")
    cells = {s.relation.label: reading.cells(s.subject.id, s.relation.id) for s in statements}
    (cell,) = cells["department"]
    assert (cell.source, cell.row, cell.column, cell.text) == ("employees.csv", 4, "department_id", "20")
    (number,) = [s.object for s in statements if s.relation.id == ROW_NUMBER]
    assert number == quantity("3")
    assert all(len(found) == 1 for found in cells.values())


@pytest.mark.parametrize(
    ("header", "rows"),
    [([], []), (["a"], []), ([], [["x"], []]), (["", ""], [["", ""], ["-", "n/a"]]), (["a", "a"], [["1"], ["2", "3"]])],
)
def test_no_table_is_too_odd(header: list[str], rows: list[list[str]]) -> None:
    table_graph("t", header, rows).close()
