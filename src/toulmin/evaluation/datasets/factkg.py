"""FactKG: claims that DBpedia supports or refutes.

``claims.jsonl`` holds ``{id, claim, label}`` on each line, ``label`` true (supported) or false (refuted); ``graph.tsv``
the triples that a published run picked as evidence. What that graph lacks says nothing about DBpedia.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toulmin.evaluation.datasets.files import data_folder, json_dataset, required, text_field, true_or_false
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

__all__ = ["LOADERS"]


def _question(_: int, record: Mapping[str, Any]) -> Question:
    return Question(
        id=text_field(record, "id"),
        question=text_field(record, "claim"),
        verdict=true_or_false(record, "label"),
        task="claim",
    )


def _load(data: Path) -> Dataset:
    folder = data_folder(data, "factkg")
    return json_dataset("factkg", required(folder, "claims.jsonl"), _question, folder / "graph.tsv")


LOADERS = {
    "factkg": Declared(
        id="factkg",
        title="claims that DBpedia supports or refutes; validation part",
        source="Kim et al. 2023; claims and graph as SushantGautam/FactGenius prints them",
        licence="no licence file there: for research",
        files="claims.jsonl, graph.tsv",
        fields=("verdict", "task"),
        read=_load,
        needs="a graph built from graph.tsv (a part of DBpedia), and a model",
    )
}
