"""Fit which operators a question asks for: words and vector of a question, one logistic regression for each operator.

    python training/fit_operators.py --data PATH [--report]

Trained on the worlds, on WikiSQL's tables that are not held out, and on Overnight; ``--report`` prints how well it does
on a fifth of the worlds that it is then not trained on.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from domains import domains
from reader_data import OVERNIGHT, sql_questions
from toulmin.methods.reader.operators import OPERATORS, OperatorModel, asked_words, operators_of
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.schema import unit

_TARGET = Path(__file__).resolve().parents[1] / "src" / "toulmin" / "methods" / "reader" / "model" / "operators.npz"
_SOURCES = 15  # worlds that hold a word: what fewer hold is what they are about
_VECTOR = 1.0  # weight of the vector's numbers beside words
_DECAY = 0.1
_BATCH = 256
_TOLD = (
    "count",
    "largest",
    "smallest",
    "<",
    ">",
    "≤",
    "≥",
    "≠",
    "or",
    "count condition",
    "rank by count",
    "sum",
    "mean",
)
_OVERNIGHT = {
    r"\( string < \)": "<",
    r"\( string > \)": ">",
    r"\( string <= \)": "≤",
    r"\( string >= \)": "≥",
    r"\( string != \)": "≠",
    r"superlative .*\( string max \)": "largest",
    r"superlative .*\( string min \)": "smallest",
    r"countSuperlative": "rank by count",
    r"countSuperlative .*\( string max \)": "largest",
    r"countSuperlative .*\( string min \)": "smallest",
    r"countComparative": "count condition",
    r"\.size": "count",
    r"aggregate \( string sum": "sum",
    r"aggregate \( string avg": "mean",
    r"\.concat": "or",
}

Labelled = tuple[str, frozenset[str], str]


def labelled(data: Path, worlds: Path, limit: int) -> Iterable[Labelled]:
    """Questions with their operators and where they are from."""
    for domain in domains(worlds):
        for example in domain.examples:
            if example.form is not None:
                for question in example.questions:
                    yield question, operators_of(example.form), f"world {domain.name}"
    for number, (question, form) in enumerate(sql_questions(data / "wikisql", held_out=False)):
        if number == limit:
            break
        yield question, operators_of(form), "wikisql"
    for name in OVERNIGHT:
        for line in (data / "overnight" / f"{name}.tsv").read_text("utf-8").splitlines():
            question, _, logical = line.split("\t")[:3]
            found = {operator for pattern, operator in _OVERNIGHT.items() if re.search(pattern, logical)}
            yield question, frozenset(found), "overnight"


def fit(examples: list[Labelled], weights: NDArray[np.float64], epochs: int = 14) -> OperatorModel:
    """Fit on all, by Adam."""
    torch.manual_seed(0)
    pairs = {(word, source) for question, _, source in examples for word in asked_words(question)}
    counts = Counter(word for word, _ in pairs)
    vocabulary = {word: place for place, word in enumerate(sorted(w for w, n in counts.items() if n >= _SOURCES))}
    held = [sorted({vocabulary[word] for word in asked_words(q) if word in vocabulary}) for q, _, _ in examples]
    vectors = torch.from_numpy(unit(get_embedder().embed([question for question, _, _ in examples])) * _VECTOR)
    target = torch.tensor([[float(name in found) for name in OPERATORS] for _, found, _ in examples])
    # Overnight's forms have no counterpart of some operators: silence there is no denial.
    known = torch.tensor(
        [
            [float(source != "overnight" or name in found or name in _TOLD) for name in OPERATORS]
            for _, found, source in examples
        ]
    )
    known *= torch.from_numpy(weights).float()[:, None]
    words = torch.nn.EmbeddingBag(len(vocabulary) + 1, len(OPERATORS), mode="sum")
    torch.nn.init.zeros_(words.weight)
    linear = torch.nn.Linear(vectors.shape[1], len(OPERATORS))
    torch.nn.init.zeros_(linear.weight)
    torch.nn.init.constant_(linear.bias, -3.0)
    parameters = [*words.parameters(), *linear.parameters()]
    adam = torch.optim.AdamW(parameters, lr=0.02, weight_decay=_DECAY)
    steps = epochs * (len(examples) // _BATCH + 1)
    schedule = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.05, steps)
    for _ in range(epochs):
        for rows in torch.randperm(len(examples)).split(_BATCH):
            bags = [[len(vocabulary), *(w for w in held[row] if random.random() > 0.1)] for row in rows.tolist()]
            starts = torch.tensor(np.cumsum([0, *map(len, bags)])[:-1])
            logits = words(torch.tensor([w for bag in bags for w in bag]), starts) + linear(vectors[rows])
            every = torch.nn.functional.binary_cross_entropy_with_logits(logits, target[rows], reduction="none")
            loss = (every * known[rows]).sum() / len(rows)
            adam.zero_grad()
            loss.backward()
            adam.step()
            schedule.step()
    matrix = words.weight.detach().numpy()
    bias = linear.bias.detach().numpy() + matrix[-1]
    kept = np.abs(matrix[:-1]).max(axis=1) > 0.05
    names = [word for word, place in vocabulary.items() if kept[place]]
    return OperatorModel(
        {word: place for place, word in enumerate(names)},
        matrix[:-1][kept],
        linear.weight.detach().numpy().T * _VECTOR,
        bias,
    )


def main() -> None:
    """Fit and write, or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--worlds", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--limit", type=int, default=4000, help="questions of WikiSQL")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    examples = list(labelled(options.data, options.worlds, options.limit))
    names = sorted({source for _, _, source in examples if source.startswith("world")})
    held = set(names[::5]) if options.report else set()
    kept = [one for one in examples if one[2] not in held]
    weights = np.array([1.0 if source.startswith("world") else 0.3 for _, _, source in kept])
    model = fit(kept, weights)
    if not options.report:
        _TARGET.parent.mkdir(exist_ok=True)
        np.savez_compressed(
            _TARGET,
            vocabulary=json.dumps(list(model.vocabulary)),
            words=model.words.astype(np.float16),
            vector=model.vector.astype(np.float16),
            bias=model.bias,
        )
        print(f"{_TARGET}: {len(model.vocabulary)} words, {_TARGET.stat().st_size:,} bytes, {len(kept)} questions")
        return
    tried = [one for one in examples if one[2] in held]
    likely = [model.likely(question) for question, _, _ in tried]
    print(f"{len(tried)} questions of {len(held)} worlds that were not trained on")
    for operator in OPERATORS:
        p = np.array([one[operator] for one in likely])
        truth = np.array([operator in found for _, found, _ in tried])
        if truth.any():
            missed, tried_anyway = (p[truth] < 0.02).mean(), (p[~truth] >= 0.02).mean()
            print(f"{operator:16} {truth.sum():4}  below 0.02: {missed:.3f}  others at or above: {tried_anyway:.3f}")


if __name__ == "__main__":
    main()
