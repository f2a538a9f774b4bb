"""Questions over ordinary tables, without a language model: each table becomes a graph, the reader answers.

    PYTHONPATH=training python benchmarks/table_questions.py wikisql --data PATH [--limit N] [--show N]
    PYTHONPATH=training python benchmarks/table_questions.py wikitablequestions --data PATH [--limit N]

Of WikiSQL the tables that the reader was not trained on; of WikiTableQuestions, on which nothing is trained, a sample
by seed 0. An answer is right if it is the gold set: numbers by value, dates by day, texts without case and punctuation.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from reader_data import is_held_out
from strangers import Key, key, same
from toulmin.errors import ToulminError
from toulmin.evaluation.statistics import mean_interval
from toulmin.graph.readers.tables import table_graph
from toulmin.graph.readers.tables.cells import date_literal
from toulmin.graph.types import Entity, Literal, Node
from toulmin.methods.asker import Asker
from toulmin.methods.registry import settings_from
from toulmin.program.answer import Answer


def questions(name: str, folder: Path, limit: int) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Tables with their questions, in random order, until there are enough questions."""
    with gzip.open(folder / name / "tables.jsonl.gz", "rt", encoding="utf-8") as lines:
        tables = {table["id"]: table for table in map(json.loads, lines)}
    by_table: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(folder / name / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if name != "wikisql" or is_held_out(record["table"]):
                by_table.setdefault(record["table"], []).append(record)
    order = sorted(by_table)
    random.Random(0).shuffle(order)
    count = 0
    for table in order:
        chosen = by_table[table][: max(0, limit - count)]
        count += len(chosen)
        if chosen:
            yield tables[table], chosen


def _key(text: str) -> Key:
    """A value as it is compared: a written day in ISO's form, as the graph has it."""
    day = date_literal(text.strip())
    with suppress(ValueError):
        return float(text.replace(" ", ""))  # "+ 12", "1.4e+06"
    return key(day.value if day is not None else text)


def _text(node: Node) -> str:
    if isinstance(node, Entity):
        return node.label or node.id
    return node.value if isinstance(node, Literal) else str(node)


def given(answer: Answer) -> list[list[str]]:
    """The distinct values of an answer."""
    if answer.verdict is not None:
        return [["yes" if answer.verdict else "no"]]
    rows = [[", ".join(map(_text, cell)) for cell in row] for row in answer.rows] or [[_text(v)] for v in answer.values]
    return [list(row) for row in dict.fromkeys(tuple(row) for row in rows)]


def main() -> None:
    """Ask, and print how many are right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=("wikisql", "wikitablequestions"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=2000)
    parser.add_argument("--method", default="reader")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the method")
    parser.add_argument("--show", type=int, default=0, help="print so many questions with their answers")
    options = parser.parse_args()
    results, times, shown = list[str](), list[float](), 0
    _, settings = settings_from(options.method, dict(pair.split("=", 1) for pair in options.set))
    for table, asked in questions(options.name, options.data, options.limit):
        graph = table_graph("row", table["header"], table["rows"], row_numbers=True)
        asker = Asker(graph, settings=settings)
        for record in asked:
            began = time.perf_counter()
            try:
                answer = asker.ask(record["question"])
            except ToulminError as error:
                results.append("failed")
                print(f"failed: {record['question']}: {error}")
                continue
            times.append(time.perf_counter() - began)
            gold = [[_key(value)] for value in dict.fromkeys(map(str, record["answers"]))]
            told = [] if answer.abstained else given(answer)
            right = bool(told) and same(gold, [[_key(cell) for cell in row] for row in told])
            results.append("abstained" if answer.abstained else "right" if right else "wrong")
            if shown < options.show:
                shown += 1
                says = answer.readings[0]["says"] if answer.readings else "no reading"
                values = told[:4] or answer.reason
                print(f"{results[-1]:9} {record['question']} => {values}; gold {record['answers'][:4]}; {says}")
    counts = Counter(results)
    figure = mean_interval([float(one == "right") for one in results])
    share = f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
    print(f"{options.name}: {len(results)} questions, right {share}, {dict(counts)}")
    print(f"milliseconds: median {1000 * np.median(times):.0f}, p95 {1000 * np.percentile(times, 95):.0f}")


if __name__ == "__main__":
    main()
