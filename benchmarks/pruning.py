"""Recall of the annotators' statements after pruning, with an axiom as query (papers/r3, eq. 4 and table 7).

    python benchmarks/pruning.py --data PATH [--axioms FILE] [--graph cache|gold] [--work FOLDER] [--seed 0]

The axioms are those of the annotators, or those of a file of JSON lines: ``{"id": ..., "axiom": ..., "premises":
[...]}``, with the id of a question of CR-LT, the rule that a model gives for it (``r3/prompts/axiom.md``), and what the
clauses of the rule say. The query is both, as the method has it. Only questions of the file are measured, by the file's
axioms and by the annotators' side by side. No such file comes with Toulmin: the axioms name what the questions name.

For each question of CR-LT: the outgoing statements of its entities in the graph (those of the file
question_entities.jsonl) are ranked, and the share of the gold statements among the first k is counted. Only gold
statements that are among them can be found; questions without one are left out and counted. A gold statement is found
in the graph by subject, relation and object after normalisation; dates by their value, "description" is the cache's
"is". Means over questions with 95 % bootstrap intervals. The weights were chosen on the questions of even place among
those with any statement around their entities; the table shows those of odd place apart.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from toulmin.english.lexicon import get_lexicon
from toulmin.errors import SourceError, ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.statistics import bootstrap_interval, paired_difference
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.registry import read
from toulmin.graph.store import open_graph
from toulmin.graph.times import parse_time
from toulmin.graph.types import Statement
from toulmin.retrieval.embedders import MiniLM
from toulmin.retrieval.pruning import PRUNERS, Pruner
from toulmin.retrieval.statement_words import statement_words

CUTOFFS = (5, 10, 20)
GRAPHS = {"gold": 0, "cache": 1}  # the place of each file in what the data set names
_TRIPLE = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)?")


@dataclass(frozen=True, slots=True)
class Case:
    """A question: its axiom, the statements around its entities, and which of these the annotators used."""

    id: str
    axiom: str
    statements: tuple[Statement, ...]
    gold: frozenset[int]


def gold_texts(record: Mapping[str, Any]) -> list[str]:
    """The triples that a record names, each as "subject, relation, object" without qualifiers."""
    written = _TRIPLE.findall(str(record.get("KG Triples", "")))
    return list(dict.fromkeys(re.sub(r"\{.*", "", text.strip("( ")).rstrip(" ,)") for text in written))


def is_meant(text: str, statement: Statement) -> bool:
    """Whether an annotator's triple is this statement."""
    subject, relation, value = statement_words(statement)[:3]
    said = normalise(text)
    for called in (relation, "description") if relation == "is" else (relation,):
        start = normalise(f"{subject} {called}") + " "
        if said.startswith(start):
            rest = said.removeprefix(start)
            return rest == normalise(value) or rest == normalise(value.lstrip("+")) or _same_time(rest, value)
    return False


def _same_time(said: str, value: str) -> bool:
    """Whether a date as people write it is what the graph has, to the precision that is written."""
    mine, theirs = parse_time(said), parse_time(value.removeprefix("+"))
    return mine is not None and theirs is not None and mine.start <= theirs.start < mine.end


def cases(data: Path, graph: Graph) -> list[Case]:
    """The questions of CR-LT on a graph."""
    dataset = load("crlt/qa", data)
    entities = {question.id: question.gold_entities for question in dataset.questions}
    found = []
    for line in (data / "crlt" / "qa.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        names = entities.get(record["id"], tuple(record["KG Entities"]))
        ids = [match.id for matches in graph.lookup(names) for match in matches]
        around = graph.statements(list(dict.fromkeys(ids)), side="outgoing")
        statements = tuple(statement for some in around for statement in some)
        texts = gold_texts(record)
        gold = frozenset(n for n, one in enumerate(statements) if any(is_meant(text, one) for text in texts))
        found.append(Case(record["id"], record["Inference Rule"], statements, gold))
    return found


def axioms_of(file: Path) -> dict[str, str]:
    """By question, the axiom of a file with its premises, as the method puts them together.

    Raises:
        SourceError: naming the line that cannot be read.
    """
    found = {}
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        try:
            record = json.loads(line)
            found[record["id"]] = "; ".join(dict.fromkeys([record["axiom"], *record.get("premises", ())]))
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"line {number} is no axiom ({type(error).__name__}: {error})", file) from None
    return found


def recalls(case: Case, order: Sequence[int]) -> list[float]:
    """The share of the gold statements among the first k, for each k."""
    return [len(case.gold & set(order[:k])) / len(case.gold) for k in CUTOFFS]


def measured(chosen: Sequence[Case], pruner: Pruner, name: str) -> tuple[list[list[float]], float]:
    """Recalls of each question, and the mean milliseconds of a ranking."""
    began = time.perf_counter()
    orders = [pruner.named(name)(case.axiom, case.statements, CUTOFFS[-1]) for case in chosen]
    milliseconds = (time.perf_counter() - began) * 1000 / len(chosen)
    return [recalls(case, order) for case, order in zip(chosen, orders, strict=True)], milliseconds


def table_of(halves: Mapping[str, Sequence[Case]], seed: int) -> Table:
    """Each way to prune on each set of questions, compared with the paper's."""
    table = Table("questions", "pruning", *(f"recall@{k} [95 %]" for k in CUTOFFS), "difference to similarity @5", "ms")
    for name, chosen in halves.items():
        rows = {}
        for way in PRUNERS:  # a new model each time, so that none finds what another has embedded
            rows[way] = measured(chosen, Pruner(MiniLM(), get_lexicon()), way)
        base = [row[0] for row in rows["similarity"][0]]
        for way, (values, milliseconds) in rows.items():
            figures = [bootstrap_interval(column, seed=seed) for column in np.array(values).T]
            cells = [f"{one.estimate:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in figures]
            difference = paired_difference([row[0] for row in values], base, seed=seed)
            cells.append(f"{difference.estimate:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]")
            first = f"{name} (n = {len(chosen)})" if way == PRUNERS[0] else ""
            table.add_row(first, way, *cells, f"{milliseconds:.0f}", end_section=way == PRUNERS[-1])
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--axioms", type=Path, help="axioms of a model, as JSON lines (see above)")
    parser.add_argument("--graph", choices=GRAPHS, default="cache", help="wikidata_cache.tsv or wikidata_plus_gold.tsv")
    parser.add_argument("--work", type=Path, help="a folder where the graph is kept from run to run")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    options = parser.parse_args()
    console = Console(width=150)
    try:
        written = None if options.axioms is None else axioms_of(options.axioms)
        source = load("crlt/qa", options.data).graphs[GRAPHS[options.graph]]
        with tempfile.TemporaryDirectory(prefix="toulmin-benchmark-") as temporary:
            out = (options.work or Path(temporary)) / source.stem
            if not out.exists():
                with build_directory(out) as work:
                    build_graph([(source.name, read(source))], work, name=source.stem)
            with open_graph(out) as graph:
                every = cases(options.data, graph)
    except ToulminError as error:
        sys.exit(str(error))
    around = [case for case in every if case.statements]
    usable = [case for case in around if case.gold]
    if written is None:
        halves = {
            "all": usable,
            "even places": [case for case in around[::2] if case.gold],
            "odd places": [case for case in around[1::2] if case.gold],
        }
    else:
        usable = [case for case in usable if case.id in written]
        by_model = [replace(case, axiom=written[case.id]) for case in usable]
        halves = {"a model's axioms": by_model, "annotators' axioms": usable}
    gold, size = sum(len(case.gold) for case in usable), np.mean([len(case.statements) for case in usable])
    console.print(table_of(halves, options.seed))
    console.print(
        f"{source.name}: {len(usable)} of {len(every if written is None else written)} questions have gold statements "
        f"around their entities, {gold} among {size:.0f} statements on average"
    )


if __name__ == "__main__":
    main()
