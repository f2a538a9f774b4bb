"""The gold answers of ``recorded/strangers``, computed from the graphs' files.

    python benchmarks/strangers_gold.py [--write]

Each folder of ``recorded/strangers`` holds a graph, or the tables of one, and ``gold.tsv``: kind of question, question,
and a Python expression over ``Facts`` (``None``: the graph does not tell). ``questions.jsonl`` is what these make, in
the form of docs/datasets.md; a row of several columns is one answer, its cells joined by ``ROW``. Without --write the
stored ones are compared. ``Facts`` reads a file by means of its own and imports nothing of Toulmin, so that a
mistake in a reader of Toulmin shows as an error. A question whose answer would be an empty set, or whose
"most" is a tie, is refused: reword it.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyoxigraph

__all__ = [
    "FOLDER",
    "GRAPHS",
    "ROW",
    "SETS",
    "Facts",
    "called",
    "facts",
    "questions",
    "sources",
    "stored",
]

FOLDER = Path(__file__).parent / "recorded" / "strangers"
#: The folders, and the files of each that are to be built into one graph.
GRAPHS = {
    "seedbank": ("seedbank.ttl",),
    "observatory": ("observatory.nt",),
    "court": ("court.json",),
    "shipyard": ("shipyard.tsv",),
    "tea": ("lots.csv",),
    "choir": ("singers.csv", "scores.csv"),
}
#: Four more sets by other authors, whose gold is their own code's; the same way.
SECOND = {
    "brewery": ("brewery.tsv",),
    "auction": ("lots.csv",),
    "circus": ("circus.ttl",),
    "caves": ("caves.nt",),
    "polar": ("polar.json",),
    "driving": ("instructors.csv", "cars.csv", "learners.csv"),
}
THIRD = {
    "skiresort": ("lifts.csv", "slopes.csv", "staff.csv"),
    "satellites": ("satellites.nt",),
    "puppets": ("puppets.ttl",),
    "glassworks": ("glassworks.tsv",),
    "market": ("stalls.csv",),
    "orchard": ("orchard.json",),
}
FOURTH = {
    "ambulances": ("stations.csv", "vehicles.csv", "crew.csv"),
    "seismometers": ("seismometers.nt",),
    "ballet": ("ballet.ttl",),
    "quarry": ("quarry.tsv",),
    "records": ("records.csv",),
    "embassies": ("embassies.json",),
}
#: Of each set its graphs, and the folder that holds a folder of each.
FIFTH = {
    "icerink": ("teams.csv", "sessions.csv", "staff.csv"),
    "tunnels": ("tunnels.nt",),
    "organs": ("organs.ttl",),
    "balloons": ("balloons.tsv",),
    "toyshop": ("toys.csv",),
    "escape": ("escape.json",),
}
SETS = {
    "first": (GRAPHS, FOLDER),
    "second": (SECOND, FOLDER.with_name("strangers_second")),
    "third": (THIRD, FOLDER.with_name("strangers_third")),
    "fourth": (FOURTH, FOLDER.with_name("strangers_fourth")),
    "fifth": (FIFTH, FOLDER.with_name("strangers_fifth")),
}
ROW = " | "

_XSD = "http://www.w3.org/2001/XMLSchema#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_NUMBER = re.compile(r"(?:€\s*)?(-?[\d,]+(?:\.\d+)?)(?:\s*(?:kg|EUR))?")
_DAY = re.compile(r"(\d\d)/(\d\d)/(\d{4})")
#: Columns whose cells hold several values, with what is between them; and those that hold keys of rows.
_LISTS = {"Flavours": ";", "Languages": ","}
_KEYS = {"Mentor", "Held by", "Arrangement of"}
_TYPES = {"instance of", "TYPE", "type"}

Value = Any  # str (a name, a text, an ISO date), Fraction or bool
Names = Iterable[str] | str


class Facts:
    """A graph's statements by their labels, and the words of the gold expressions.

    Args:
        statements: subject, relation, value, and the qualifiers of each.
    """

    def __init__(self, statements: Iterable[tuple[str, str, Value, dict[str, Value]]]) -> None:
        self.statements = list(statements)

    def of(self, subjects: Names, relation: str) -> set[Value]:
        """The values of a relation of one or several subjects."""
        some = _several(subjects)
        return {value for subject, name, value, _ in self.statements if name == relation and subject in some}

    def by(self, relation: str, values: Names) -> set[str]:
        """The subjects whose relation has one of these values."""
        some = _several(values)
        return {subject for subject, name, value, _ in self.statements if name == relation and value in some}

    def one(self, subject: str, relation: str) -> Value:
        """The only value."""
        (value,) = self.of(subject, relation)
        return value

    def kind(self, name: str) -> set[str]:
        """The instances of a class."""
        return {subject for subject, relation, value, _ in self.statements if relation in _TYPES and value == name}

    def having(self, relation: str) -> set[str]:
        """The subjects that have a value of a relation."""
        return {subject for subject, name, _, _ in self.statements if name == relation}

    def where(self, items: set[str], relation: str, test: Callable[[Value], bool]) -> set[str]:
        """Those items of which a value passes the test."""
        return {item for item in items if any(map(test, self.of(item, relation)))}

    def values(self, items: set[str], relation: str) -> list[Value]:
        """The values of all items, repetitions kept."""
        return [value for item in sorted(items) for value in self.of(item, relation)]

    def total(self, items: set[str], relation: str) -> Fraction:
        """The sum of the values."""
        return sum(self.values(items, relation), Fraction())

    def mean(self, items: set[str], relation: str) -> Fraction:
        """The mean of the values."""
        return self.total(items, relation) / len(self.values(items, relation))

    def _ordered(self, items: set[str], relation: str, *, low: bool) -> list[tuple[Value, str]]:
        pairs = ((value, item) for item in items for value in self.of(item, relation))
        return sorted(pairs, reverse=not low)

    def top(self, items: set[str], relation: str, n: int = 1, *, low: bool = False) -> set[str]:
        """The n items with the highest (``low``: lowest) values; refuses a tie with the next."""
        pairs = self._ordered(items, relation, low=low)
        if len(pairs) <= n - 1 or (len(pairs) > n and pairs[n - 1][0] == pairs[n][0]):
            raise ValueError("a tie, or fewer items")
        return {item for _, item in pairs[:n]}

    def nth(self, items: set[str], relation: str, n: int, *, low: bool = False) -> set[str]:
        """The item of rank n; refuses a tie."""
        return self.top(items, relation, n, low=low) - (self.top(items, relation, n - 1, low=low) if n > 1 else set())

    def rows(self, items: set[str], *relations: str) -> set[tuple[Value, ...]]:
        """Each item with its values."""
        return {(item, *(self.one(item, relation) for relation in relations)) for item in items}

    def group(self, items: set[str], relation: str, of: Callable[[set[str]], Value] = len) -> set[tuple[Value, Value]]:
        """Each value of a relation with a figure of the items that have it."""
        return {(value, of(items & self.by(relation, {value}))) for value in self.of(items, relation)}

    def during(self, relation: str, subject: str, day: str) -> set[Value]:
        """The values whose statements held on a day, by their start and end times."""
        return {
            value
            for one, name, value, also in self.statements
            if (one, name) == (subject, relation) and also["start time"] <= day <= also.get("end time", "9999")
        }

    def qualifier(self, subject: str, relation: str, value: str, qualifier: str) -> set[Value]:
        """The values of a qualifier of a statement."""
        return {also[qualifier] for *said, also in self.statements if said == [subject, relation, value]}

    def days(self, first: str, last: str) -> int:
        """The days from one date to another."""
        return (date.fromisoformat(last) - date.fromisoformat(first)).days

    def answer(self, expression: str) -> Value:
        """What an expression of ``gold.tsv`` gives."""
        words = {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}
        return eval(expression, words)  # noqa: S307 - our own file


def _several(names: Names) -> set[Value]:
    return {names} if isinstance(names, str) else set(names)


# -- files -----------------------------------------------------------------------------------------------------------


def facts(name: str) -> Facts:
    """The statements of one of ``GRAPHS``."""
    paths = [FOLDER / name / file for file in GRAPHS[name]]
    suffix = paths[0].suffix
    if suffix == ".csv":
        return Facts(_tables(paths))
    read = {".ttl": _rdf, ".nt": _rdf, ".json": _entities, ".tsv": _triples}[suffix]
    return Facts(read(paths[0]))


def _rdf(path: Path) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    form = {".ttl": pyoxigraph.RdfFormat.TURTLE, ".nt": pyoxigraph.RdfFormat.N_TRIPLES}[path.suffix]
    found = [quad.triple for quad in pyoxigraph.parse(path=str(path), format=form)]
    labels = {str(one.subject): one.object.value for one in found if one.predicate.value == _LABEL}

    def named(term: Any) -> Value:
        if not isinstance(term, pyoxigraph.Literal):
            return labels.get(str(term)) or re.split("[#/]", term.value)[-1]
        kind = term.datatype.value.removeprefix(_XSD)
        if kind == "boolean":
            return term.value == "true"
        return Fraction(term.value) if kind in ("integer", "decimal") else term.value

    for one in found:
        if one.predicate.value != _LABEL:
            yield named(one.subject), named(one.predicate), named(one.object), {}


def _entities(path: Path) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    entities = json.loads(path.read_text(encoding="utf-8"))
    labels = {one["id"]: one["labels"]["en"]["value"] for one in entities}

    def value(snak: dict[str, Any]) -> Value:
        given = snak["datavalue"]["value"]
        if "amount" in given:
            return Fraction(given["amount"])
        return given["time"][1:11] if "time" in given else labels[given["id"]]

    for entity in entities:
        for claims in entity["claims"].values():
            for claim in claims:
                also = {labels[key]: value(snaks[0]) for key, snaks in claim.get("qualifiers", {}).items()}
                main = claim["mainsnak"]
                yield labels[entity["id"]], labels[main["property"]], value(main), also


def _triples(path: Path) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        subject, relation, value = line.split("\t")
        yield subject, relation, _typed(value), {}


def sources(name: str) -> list[Path]:
    """The files of a graph of any set."""
    return next([folder / name / file for file in graphs[name]] for graphs, folder in SETS.values() if name in graphs)


def called(name: str) -> dict[str, str]:
    """The names of rows by their keys, where both are right: tables of things that have a key and a name."""
    files = sources(name)
    tables = _records(files if len(files) > 1 else [])
    return {key: title for table in tables for key, title, *_ in (row.values() for row in table)}


def _records(paths: list[Path]) -> list[list[dict[str, str]]]:
    tables = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    return tables


def _tables(paths: list[Path]) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    """Rows are called by the second column of several files, by the first of one."""
    tables = _records(paths)
    names = {(cells := list(row.values()))[0]: cells[1] for table in tables for row in table}
    for row in (row for table in tables for row in table):
        key = next(iter(row.values()))
        subject = names[key] if len(tables) > 1 else key
        for column, cell in row.items():
            separator = _LISTS.get(column)
            for part in cell.split(separator) if separator else [cell]:
                if text := part.strip():
                    linked = column in _KEYS and text in names
                    yield subject, column, names[text] if linked else _typed(text), {}


def _typed(text: str) -> Value:
    if text in ("yes", "no"):
        return text == "yes"
    if found := _DAY.fullmatch(text):
        day, month, year = found.groups()
        return f"{year}-{month}-{day}"
    if found := _NUMBER.fullmatch(text):
        return Fraction(found[1].replace(",", ""))
    return text


# -- questions -------------------------------------------------------------------------------------------------------


def questions(name: str) -> list[dict[str, Any]]:
    """The questions of a graph with the answers that its file gives, as ``questions.jsonl`` has them.

    Raises:
        ValueError: an expression that fails, or gives nothing.
    """
    graph, found = facts(name), []
    rows = (FOLDER / name / "gold.tsv").read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(rows, 1):
        kind, question, expression = row.split("\t")
        try:
            gold = graph.answer(expression)
        except Exception as error:
            raise ValueError(f"{name}/gold.tsv, line {number}: {type(error).__name__} {error}") from error
        record: dict[str, Any] = {"id": f"{name}-{number}", "question": question, "type": kind}
        if gold is None:
            record["unknown"] = True
        elif isinstance(gold, bool):
            record["verdict"] = gold
        else:
            record["answers"] = sorted(map(_text, gold if isinstance(gold, (set, list)) else [gold]))
            if not record["answers"]:
                raise ValueError(f"{name}/gold.tsv, line {number}: nothing answers it")
        found.append(record)
    return found


def _text(value: Value) -> str:
    if isinstance(value, tuple):
        return ROW.join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, Fraction)):
        return str(int(value)) if value == int(value) else f"{float(value):.6f}".rstrip("0")
    return str(value)


def stored(name: str) -> list[dict[str, Any]]:
    """The questions that ``questions.jsonl`` holds."""
    lines = (FOLDER / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def main() -> None:
    """Write the questions, or compare what is written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write questions.jsonl of each graph")
    options = parser.parse_args()
    count = 0
    for name in GRAPHS:
        made = questions(name)
        count += len(made)
        if options.write:
            lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in made)
            (FOLDER / name / "questions.jsonl").write_text(lines, encoding="utf-8")
        elif made != stored(name):
            sys.exit(f"{name}/questions.jsonl is not what gold.tsv gives: run with --write")
    print(f"{count} questions, {'written' if options.write else 'as stored'}")


if __name__ == "__main__":
    main()
