"""Fit how the reader weighs what speaks for a form (``network.CHOICE``): a conditional logit with "none of them".

    python training/fit_choice.py --data PATH [--worlds zoo airline …] [--count 200] [--rows FILE]

On questions of worlds, also without what says what things are, of WikiSQL's tables, and of ``recorded/direction``, that
the network was not trained on. A form that means something else than the question and has its answer is left out:
nobody knows whether it is wrong. Writes the weights into ``reader.json``, and prints how often the first form is right,
cross-fitted by world, beside that by the network alone.
"""

from __future__ import annotations

import argparse
import csv
import json
import pickle
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import softmax

from domains import read_domain
from reader_candidates import OpenGraph, World
from same_meaning import same_meaning
from table_candidates import answers_of, offered_of_tables, plain
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.registry import read as read_file
from toulmin.methods.reader.network import CHOICE, CHOICE_COLUMNS, shipped_network
from toulmin.methods.reader.reading import candidates, reading_features
from toulmin.methods.reader.settings import ReaderSettings

RECORD = Path(__file__).resolve().parents[1] / "src" / "toulmin" / "methods" / "reader" / "model" / "reader.json"

#: Questions of development; those of other authors (``direction_unseen``) are left alone.
DIRECTION = Path(__file__).resolve().parents[1] / "benchmarks" / "recorded" / "direction"

_PENALTY = 0.002  # on the squares of the weights, each times how much its feature varies

#: Of one question: what speaks for each form, which of them mean it, and whose question it is.
Row = tuple[NDArray[np.float64], NDArray[np.bool_], str]


def of_worlds(
    folder: Path, names: Sequence[str], count: int, rng: random.Random, *, bare: bool = False
) -> Iterator[Row]:
    """Questions of worlds, also such as nothing there answers; bare, without classes, only those with a form."""
    network, read = shipped_network(), ReaderSettings().read
    for name in names:
        world = World(read_domain(folder / f"{name}.txt"), bare=bare)
        asked = [(question, example) for example in world.domain.examples for question in example.questions]
        for question, example in rng.sample(asked, min(count, len(asked))):
            scoring, grammar = world.grammar(question)
            drafts = candidates(grammar.drafts(), scoring, read)
            right = np.array([example.form is not None and same_meaning(d.form, example.form) for d, _ in drafts], bool)
            answer = None if example.form is None else world.result(example.form, world.domain.times)
            known = [
                place
                for place, (draft, _) in enumerate(drafts)
                if right[place] or answer is None or world.result(draft.form, world.domain.times) != answer
            ]
            if known and (right.any() or not bare):
                kept = [drafts[place] for place in known]
                yield world.reading_features(kept, scoring, network), right[known], f"{name} bare" if bare else name


def of_tables(data: Path, count: int) -> Iterator[Row]:
    """Questions over tables that are held out, where a form means them."""
    network, read = shipped_network(), ReaderSettings().read
    for one in offered_of_tables(data, held_out=True, seed=9, count=count):
        known = [place for place, right in enumerate(one.right[:read]) if right is not None]
        right = np.array([one.right[place] for place in known], dtype=bool)
        if right.any():
            kept = [one.candidates[place] for place in known]
            yield reading_features(kept, one.scoring, network, one.completeness), right, "tables"


def of_graphs(folder: Path) -> Iterator[Row]:
    """Questions over small graphs whose relations lead from one kind to itself (``benchmarks/direction.py``)."""
    network, read = shipped_network(), ReaderSettings().read
    with (folder / "questions.tsv").open(encoding="utf-8", newline="") as file:
        asked = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["gold"]]
    for name in dict.fromkeys(row["graph"] for row in asked):
        opened = OpenGraph(MemoryGraph.from_records(read_file(folder / f"{name}.jsonl")))
        for row in (row for row in asked if row["graph"] == name):
            scoring, grammar = opened.grammar(row["question"])
            drafts = candidates(grammar.drafts(), scoring, read)
            gold = set(map(plain, row["gold"].split("|")))
            right = np.array([answers_of(draft, opened.graph, opened.schema) == gold for draft, _ in drafts], bool)
            if right.any():
                yield opened.reading_features(drafts, scoring, network), right, "direction"


def fitted(rows: Sequence[Row]) -> NDArray[np.float64]:
    """float64[1 + len(CHOICE)]: the weights of the least negative log likelihood, first that of "none of them"."""
    spread = np.append(1.0, np.concatenate([features for features, _, _ in rows]).std(axis=0))

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = 0.0, np.zeros_like(weights)
        for features, right, _ in rows:
            share = softmax(np.append(features @ weights[1:], weights[0]))
            meant = np.append(right, not right.any())
            probability = max(float(share[meant].sum()), 1e-12)
            total -= float(np.log(probability))
            excess = share - np.where(meant, share / probability, 0.0)
            slope += np.append(excess[-1], excess[:-1] @ features)
        penalty = _PENALTY * (weights * spread) ** 2
        return total / len(rows) + float(penalty.sum()), slope / len(rows) + 2 * _PENALTY * weights * spread**2

    return np.asarray(minimize(loss, np.zeros(1 + len(CHOICE)), jac=True, method="L-BFGS-B").x)


def first_is_right(rows: Sequence[Row], weights: NDArray[np.float64]) -> float:
    """The share of the questions that some form means, of which the first form is one that does."""
    return float(np.mean([right[int((x @ weights[1:]).argmax())] for x, right, _ in rows if right.any()]))


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--worlds", nargs="+", default=["zoo", "airline", "heron_press"])
    parser.add_argument("--count", type=int, default=200, help="questions of each world")
    parser.add_argument("--tables", type=int, default=200, help="questions over WikiSQL's held-out tables")
    parser.add_argument("--rows", type=Path, help="keeps what is fitted on; read where it is there (pickle)")
    options = parser.parse_args()
    if options.rows and options.rows.exists():
        rows = pickle.loads(options.rows.read_bytes())  # noqa: S301  our own
    else:
        rows = list(of_worlds(options.folder, options.worlds, options.count, random.Random(0)))
        rows += of_worlds(options.folder, options.worlds, options.count // 3, random.Random(1), bare=True)
        rows += of_tables(options.data, options.tables)
        rows += of_graphs(DIRECTION)
        if options.rows:
            options.rows.write_bytes(pickle.dumps(rows))
    rows = [(features[:, CHOICE_COLUMNS], right, name) for features, right, name in rows]
    alone = np.eye(1 + len(CHOICE))[1]
    for name in (*options.worlds, "tables", "direction"):
        held = [row for row in rows if row[2].removesuffix(" bare") == name]
        across = fitted([row for row in rows if row[2].removesuffix(" bare") != name])
        by_network, weighed = first_is_right(held, alone), first_is_right(held, across)
        print(
            f"{name}: {len(held)} questions, first right by the network alone {by_network:.3f}, weighed {weighed:.3f}"
        )
    weights = [round(float(weight), 4) for weight in fitted(rows)]
    RECORD.write_text(json.dumps(json.loads(RECORD.read_text("utf-8")) | {"choice": weights}) + "\n", "utf-8")
    for name, weight in zip(("none of them", *CHOICE), weights, strict=True):
        print(f"{weight:8.3f}  {name}")


if __name__ == "__main__":
    main()
