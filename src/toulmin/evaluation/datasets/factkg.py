"""FactKG: claims that DBpedia supports or refutes.

``claims.jsonl`` holds ``{id, claim, label}`` on each line, ``label`` true (supported) or false (refuted); ``graph.tsv``
the triples that a published run picked as evidence. What that graph lacks says nothing about DBpedia.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toulmin.evaluation.datasets.files import read_json, text_field, true_or_false
from toulmin.evaluation.datasets.types import Declared, Question


def _question(_: int, record: Mapping[str, Any]) -> Question:
    return Question(
        id=text_field(record, "id"),
        question=text_field(record, "claim"),
        verdict=true_or_false(record, "label"),
        task="claim",
    )


LOADERS = {
    "factkg": Declared(
        id="factkg",
        title="claims that DBpedia supports or refutes; validation part",
        source="Kim et al. 2023; claims and graph as SushantGautam/FactGenius prints them",
        licence="no licence file there: for research",
        files="claims.jsonl, graph.tsv",
        fields=("verdict", "task"),
        read=partial(read_json, "factkg", ["claims.jsonl"], _question, graphs=["graph.tsv"]),
        needs="a graph built from graph.tsv (a part of DBpedia), and a model",
    )
}
