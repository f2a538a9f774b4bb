"""The graph of CR-LT with the annotators' qualifiers, which its files of triples leave out.

    python benchmarks/crlt_graph.py --data PATH --out DIR

Builds what ``toulmin build`` builds of wikidata_plus_gold.tsv, but for the statements of gold_statements.jsonl that
have qualifiers: these take the place of the triples without them. Where a qualifier comes twice ("start time", "end
time", "start time" …) a second statement begins, as Wikidata has it; a qualifier that was written as one text ("start
time: 1934") is taken apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from built_graphs import built
from toulmin.errors import SourceError, ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.files import ProblemList, data_folder, json_records, required, text_field, usable
from toulmin.evaluation.datasets.types import Problem

__all__ = ["GoldStatement", "GoldStatements", "gold_statements", "qualified_lines", "write_graph"]


@dataclass(frozen=True, slots=True)
class GoldStatement:
    """A statement as an annotator wrote it: labels, and qualifiers as pairs (relation, value)."""

    subject: str
    relation: str
    object: str
    qualifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GoldStatements:
    """The annotators' statements and the records that could not be read."""

    statements: tuple[GoldStatement, ...]
    problems: tuple[Problem, ...]


def _statement(_: int, record: Mapping[str, Any]) -> GoldStatement:
    qualifiers = record.get("qualifiers", [])
    if not isinstance(qualifiers, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in qualifiers
    ):
        raise SourceError("is not a list of pairs of texts", field="qualifiers")
    return GoldStatement(
        text_field(record, "subject"),
        text_field(record, "relation"),
        text_field(record, "object"),
        tuple((relation, value) for relation, value in qualifiers),
    )


def gold_statements(data: Path) -> GoldStatements:
    """The annotators' statements (``gold_statements.jsonl``).

    Raises:
        SourceError: the file is not there.
    """
    path = required(data_folder(data, "crlt"), "gold_statements.jsonl")
    problems: ProblemList = []
    statements = tuple(statement for _, statement in usable(path, json_records(path, problems), _statement, problems))
    return GoldStatements(statements, tuple(problems))


def qualified_lines(data: Path) -> Iterator[str]:
    """The graph as lines of our own format.

    Raises:
        SourceError: a file is not there.
    """
    said = {}
    for one in gold_statements(data).statements:
        if one.qualifiers:
            said[one.subject, one.relation, one.object] = one.qualifiers
    triples = load("crlt/qa", data).graphs[0].read_text("utf-8").splitlines()
    for subject, relation, value in (line.split("\t") for line in triples):
        record = {"subject": {"name": subject}, "relation": relation, "object": {"name": value}}
        for group in _groups(said.get((subject, relation, value), ())):
            yield json.dumps({**record, "qualifiers": group}, ensure_ascii=False)


def _groups(qualifiers: Sequence[tuple[str, str]]) -> list[dict[str, dict[str, str]]]:
    """The qualifiers of each statement that is meant; of a plain triple one group without any."""
    groups: list[dict[str, dict[str, str]]] = [{}]
    for pair in qualifiers:
        apart = [part.partition(": ") for part in pair]
        pairs = [(name, value) for name, _, value in apart] if all(colon for _, colon, _ in apart) else [pair]
        for name, value in pairs:
            if name in groups[-1]:
                groups.append({})
            groups[-1][name] = {"name": value}
    return groups


def write_graph(data: Path, out: Path) -> None:
    """Build the graph into a folder that is not there yet.

    Raises:
        SettingsError: it cannot be built; the build says why.
    """
    with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as folder:
        source = Path(folder) / "wikidata_plus_gold_qualified.jsonl"
        source.write_text("\n".join(qualified_lines(data)), "utf-8")
        built(out, source)


def main() -> None:
    """Build it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the graph")
    options = parser.parse_args()
    try:
        write_graph(options.data, options.out)
    except ToulminError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
