"""Others' recorded answers measured again: by their own script's metrics, and by ours.

    python benchmarks/recorded_predictions.py --data PATH

PATH holds recorded_predictions: what GNN-RAG (with RoG's language model) answered to WebQSP's 1,628 test questions,
with the prompt of each, in two forms (gnn_rag, and gnn_rag_lmsr with another retrieval), beside the authors' figures.
No model is asked. A prediction has one answer a line, in the order of which the first counts for Hits@1.

Printed are: the authors' figures, read from their file; the same recomputed (legacy_…, to be equal to two decimals);
the strict metrics on the same answers, with 95 % bootstrap intervals; and how many of the answers occur nowhere in the
reasoning paths that the model was shown: neither as a node of a path, nor as a part of their text.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from toulmin.errors import SourceError, ToulminError
from toulmin.evaluation.metrics.answers import (
    exact_match,
    hits_at_k,
    legacy_contained,
    legacy_f1,
    legacy_hit,
    set_scores,
    token_f1,
    value_key,
)
from toulmin.evaluation.statistics import bootstrap_interval, mcnemar, paired_difference

RUNS = ("gnn_rag", "gnn_rag_lmsr")
_ARROW = re.compile(r"\s*->\s*")
_FIGURE = re.compile(r"(\w+): ([\d.]+)")
_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Prediction:
    """Recorded answers to a question, the gold ones, and the paths that the model was shown, each node by node."""

    id: str
    values: tuple[str, ...]
    gold: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]


#: Recomputed, by the name that the authors' file gives: each of the values as their script takes them apart.
THEIRS: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "Hit": legacy_contained,
    "Hit1": lambda values, gold: legacy_contained(values[:1], gold),
    "F1": legacy_f1,
}
OURS: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "hits_at_1": hits_at_k,
    "hits_at_3": lambda values, gold: hits_at_k(values, gold, 3),
    "f1": lambda values, gold: set_scores(values, gold).f1,
    "exact": lambda values, gold: set_scores(values, gold).exact,
    "precision": lambda values, gold: set_scores(values, gold).precision,
    "recall": lambda values, gold: set_scores(values, gold).recall,
    "exact_match": lambda values, gold: exact_match(values[0], gold) if values else 0.0,
    "token_f1": lambda values, gold: token_f1(values[0], gold) if values else 0.0,
    "legacy_hit": legacy_hit,
}


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds recorded_predictions")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    try:
        read = {name: predictions(arguments.data, name) for name in RUNS}
        for name, found in read.items():
            console.print(_table(name, found, published(arguments.data, name)))
        console.print(_shown(read))
        console.print(_compared(read))
    except ToulminError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def predictions(data: Path, run: str) -> list[Prediction]:
    """The recorded answers of a run.

    Raises:
        SourceError: the file is not there, or a line of it is no prediction.
    """
    path = data / "recorded_predictions" / f"{run}_webqsp__predictions.jsonl"
    found = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        try:
            one = json.loads(line)
            # The script strips the whole text only: a blank at the end of a line stays, and does not matter.
            values = tuple(one["prediction"].strip().split("\n"))
            gold = tuple(map(str, one["ground_truth"]))
            found.append(Prediction(one["id"], values, gold, _paths(one["input"])))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f"not a recorded prediction: {error!r}", path, number) from None
    return found


def published(data: Path, run: str) -> dict[str, float]:
    """The authors' own figures, in per cent."""
    text = _text(data / "recorded_predictions" / f"{run}_webqsp__eval_result.txt")
    return {name: float(figure) for name, figure in _FIGURE.findall(text)}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path) from None


def _paths(prompt: str) -> tuple[tuple[str, ...], ...]:
    """The reasoning paths of a prompt: nodes and relations in turn, joined by arrows, one path a line."""
    after = prompt.partition("Reasoning Paths:\n")[2].partition("\n\nQuestion:")[0]
    return tuple(tuple(_ARROW.split(line)[::2]) for line in after.splitlines() if line.strip())


def _table(name: str, found: Sequence[Prediction], figures: dict[str, float]) -> Table:
    answers = sum(len(one.values) for one in found)
    table = Table("metric", "figure, %", "95 % interval", "the authors' own, %", title=f"{name}, WebQSP test")
    table.caption = f"{len(found):,} questions, {answers:,} answers"
    for theirs, figure in THEIRS.items():
        told = figures.get(theirs)
        table.add_row(f"their {theirs}", *_mean(figure, found), "" if told is None else f"{told:.2f}")
    table.add_section()
    for ours, figure in OURS.items():
        table.add_row(ours, *_mean(figure, found), "")
    over = sum(legacy_f1(one.values, one.gold) > 1 for one in found)
    table.add_section()
    table.add_row("questions whose F1 by their script is over 1", f"{over} of {len(found)}", "", "")
    return table


def _mean(figure: Callable[[Sequence[str], Sequence[str]], float], found: Sequence[Prediction]) -> tuple[str, str]:
    one = bootstrap_interval([100 * figure(each.values, each.gold) for each in found])
    return f"{one.estimate:.2f}", f"{one.low:.2f} … {one.high:.2f}"


def _shown(read: dict[str, list[Prediction]]) -> Table:
    """How many answers occur nowhere in what the model was shown."""
    table = Table("", *read, title="what the model was shown")
    counts = {name: _counts(found) for name, found in read.items()}
    for row in next(iter(counts.values())):
        table.add_row(row, *(counts[name][row] for name in read))
    return table


def _counts(found: Sequence[Prediction]) -> dict[str, str]:
    answers = in_no_node = in_no_text = hits_without = hits = gold = gold_not = 0
    some = 0
    for one in found:
        nodes = {value_key(node) for path in one.paths for node in path}
        text = " ".join(value_key(node) for path in one.paths for node in path)
        keys = list(dict.fromkeys(value_key(value) for value in one.values if value.strip()))
        absent = [key for key in keys if key not in nodes]
        answers += len(keys)
        in_no_node += len(absent)
        in_no_text += sum(key not in text for key in absent)
        some += bool(absent)
        golden = {value_key(value) for value in one.gold}
        gold += len(golden)
        gold_not += len(golden - nodes)
        right = [key for key in keys if key in golden]
        hits += len(right)
        hits_without += sum(key not in nodes for key in right)
    return {
        "answers": f"{answers:,}",
        "… that are no node of a path shown": _share(in_no_node, answers),
        "… nor a part of the text of one": _share(in_no_text, answers),
        "questions with such an answer (no node)": _share(some, len(found)),
        "right answers that are no node of a path": _share(hits_without, hits),
        "gold answers that are no node of a path": _share(gold_not, gold),
        "questions for which no path was shown": _share(sum(not one.paths for one in found), len(found)),
    }


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.1%})" if whole else "0"


def _compared(read: dict[str, list[Prediction]]) -> Table:
    """The two runs on the same questions: does the order of the authors' figures hold?"""
    first, second = ({one.id: one for one in found} for found in read.values())
    common = [name for name in first if name in second]
    table = Table("metric", "difference, points", "95 % interval", "p (McNemar)", title=" - ".join(read))
    for name, figure in {"their Hit": legacy_contained, "hits_at_1": hits_at_k}.items():
        a, b = ([figure(some[one].values, some[one].gold) for one in common] for some in (first, second))
        difference = paired_difference([100 * x for x in a], [100 * x for x in b])
        ends = f"{difference.low:+.2f} … {difference.high:+.2f}"
        table.add_row(name, f"{difference.estimate:+.2f}", ends, f"{mcnemar(a, b).p:.3f}")
    return table


if __name__ == "__main__":
    raise SystemExit(main())
