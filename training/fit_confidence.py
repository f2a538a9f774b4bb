"""Fit how sure the reader's answers are: a logistic function of what speaks for an answer (``network.CONFIDENCE``).

    python training/fit_confidence.py --data PATH [--worlds zoo airline …]

On questions of worlds, also without what says what things are, and of WikiSQL's tables that the network was not trained
on. Writes the weights into ``reader.json``, and prints how many answers are right and how well the confidence tells
them apart, by a cross-fitted figure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from domains import read_domain
from reader_candidates import World
from reader_data import sql_records
from table_candidates import plain
from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables import table_graph
from toulmin.graph.types import Entity
from toulmin.methods.reader.forms import Hop, walk
from toulmin.methods.reader.network import CONFIDENCE, confidence_features, shipped_network
from toulmin.methods.reader.reading import QuestionReader, distinct_readings, question_reader, result_key
from toulmin.methods.reader.settings import ReaderSettings
from toulmin.program.builder import Builder
from toulmin.program.value import Nodes
from toulmin.retrieval.retriever import Retriever

_RECORD = Path(__file__).resolve().parents[1] / "src" / "toulmin" / "methods" / "reader" / "model" / "reader.json"

_MISSING = 2  # questions for each relation that is taken away: a sixth of all answers are about what the graph lacks

Row = tuple[list[float], bool, str]


def _answered(reader: QuestionReader, retriever: Retriever, question: str) -> tuple[list[float], object] | None:
    """The features and the result of the likeliest complete reading with an answer."""
    settings = ReaderSettings()
    readings = reader.read(question, shipped_network(), settings)
    ran = reader.run(readings, Builder(question, retriever.graph), settings.run)
    distinct = distinct_readings(ran)
    if not distinct or not distinct[0].complete:
        return None  # it is refused, whatever its confidence
    return confidence_features(distinct[0].probability, distinct[0].features), distinct[0].result


def of_worlds(folder: Path, names: list[str], every: int, *, bare: bool = False) -> Iterator[Row]:
    """Of every so many of the questions, each that is answered; bare: without what says what things are."""
    for name in names:
        whole = World(read_domain(folder / f"{name}.txt"))
        world = World(whole.domain, bare=True) if bare else whole
        reader = question_reader(world.retriever)
        for example in world.domain.examples:
            gold = None if example.form is None else whole.result(example.form, world.domain.times)
            if example.form is not None and gold is None:
                continue
            for question in example.questions[::every]:
                if (found := _answered(reader, world.retriever, question)) is not None:
                    yield found[0], gold is not None and result_key(found[1]) == gold, name  # type: ignore[arg-type]


def of_what_is_missing(folder: Path, names: list[str], rng: random.Random) -> Iterator[Row]:
    """Of questions over a world from which a relation was taken that they need: each answer is wrong."""
    for name in names:
        domain = read_domain(folder / f"{name}.txt")
        for label in domain.relations:
            asked = [
                question
                for example in domain.examples
                if example.form is not None and any(isinstance(p, Hop) and label in p.ids for p in walk(example.form))
                for question in example.questions
            ]
            kept = [one for one in domain.statements if one.relation.label != label]
            retriever = Retriever(MemoryGraph.from_statements(kept))
            for question in rng.sample(asked, min(_MISSING, len(asked))):
                found = _answered(question_reader(retriever), retriever, question)
                if found is not None:
                    yield found[0], False, f"{name} without {label}"


def of_tables(data: Path, count: int) -> Iterator[Row]:
    """Of each question over a held-out table that is answered."""
    with gzip.open(data / "wikisql" / "tables.jsonl.gz", "rt", encoding="utf-8") as lines:
        tables = {table["id"]: table for table in map(json.loads, lines)}
    for record in sql_records(data / "wikisql", held_out=True, seed=9)[:count]:
        table = tables[record["table"]]
        if len(table["rows"]) > 60:
            continue
        retriever = Retriever(table_graph("row", table["header"], table["rows"], row_numbers=True))
        try:
            found = _answered(question_reader(retriever), retriever, record["question"])
        except InputError:
            continue
        if found is None:
            continue
        nodes = found[1].nodes if isinstance(found[1], Nodes) else ()
        values = {plain((node.label or node.id) if isinstance(node, Entity) else node.value) for node in nodes}
        yield found[0], values == {plain(str(value)) for value in record["answers"]}, "wikisql"


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--worlds", nargs="+", default=["zoo", "airline", "heron_press"])
    parser.add_argument("--every", type=int, default=1, help="of so many questions of a form one is asked")
    parser.add_argument("--tables", type=int, default=300)
    options = parser.parse_args()
    rng = random.Random(0)
    rows = [
        *of_worlds(options.folder, options.worlds, options.every),
        *of_worlds(options.folder, options.worlds, 6 * options.every, bare=True),
        *of_what_is_missing(options.folder, options.worlds, rng),
        *of_tables(options.data, options.tables),
    ]
    rng.shuffle(rows)
    features = np.array([row[0] for row in rows])
    right = np.array([row[1] for row in rows])
    model = LogisticRegression(C=1.0, max_iter=1000)
    across = cross_val_predict(model, features, right, cv=10, method="predict_proba")[:, 1]
    model.fit(features, right)
    weights = [round(float(weight), 4) for weight in (model.intercept_[0], *model.coef_[0])]
    record = json.loads(_RECORD.read_text("utf-8")) | {"confidence": weights}
    _RECORD.write_text(json.dumps(record) + "\n", "utf-8")
    apart, alone = roc_auc_score(right, across), roc_auc_score(right, features[:, 0])
    missing = sum(" without " in row[2] for row in rows)
    print(f"{missing} of {len(rows)} are about what the graph lacks")
    print(f"{len(rows)} answers, right {right.mean():.3f}; AUC {apart:.3f}, of the probability alone {alone:.3f}")
    for name, weight in zip(("constant", *CONFIDENCE), weights, strict=True):
        print(f"{weight:8.3f}  {name}")
    for bar in (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8):
        sure = across >= bar
        print(f"at or above {bar}: {sure.mean():.3f} of them, right {right[sure].mean():.3f}")


if __name__ == "__main__":
    main()
