"""WebQSP and CWQ over a union graph of Freebase: ``{webqsp,cwq}_questions.jsonl`` beside ``{webqsp,cwq}_kg.tsv``.

The graph is the union of the triples that published runs printed, biased towards the gold: say so with every figure.
The direction of a relation in a ground path is not recorded. CWQ comes without start entities, and a fifth of its
questions without a ground path.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import data_folder, json_dataset, required, text_field, text_list
from toulmin.evaluation.datasets.types import Dataset, Declared, GoldPath, PathRelation, Question


def _paths(record: Mapping[str, Any]) -> tuple[GoldPath, ...]:
    """The ground paths; one of length 0 says nothing about relations and is left out."""
    value = record.get("ground_paths")
    if not isinstance(value, list) or not all(
        isinstance(path, list) and all(isinstance(relation, str) and relation for relation in path) for path in value
    ):
        raise SourceError("is not a list of lists of relations", field="ground_paths")
    return tuple(dict.fromkeys(tuple(PathRelation(relation) for relation in path) for path in value if path))


def _question(_: int, record: Mapping[str, Any]) -> Question:
    answers = text_list(record, "answers")
    if not answers:
        raise SourceError("is empty", field="answers")
    return Question(
        id=text_field(record, "id"),
        question=text_field(record, "question"),
        answers=answers,
        gold_entities=text_list(record, "path_start_entities"),
        gold_paths=_paths(record),
    )


def _load(name: str, data: Path) -> Dataset:
    folder = data_folder(data, "freebase_union")
    return json_dataset(name, required(folder, f"{name}_questions.jsonl"), _question, folder / f"{name}_kg.tsv")


LOADERS = {
    name: Declared(
        id=name,
        title=title,
        source=f"{paper}; questions and graph from published runs (YaooXu/GoG, cmavro/GNN-RAG, Graph-COM/SubgraphRAG)",
        licence="WebQuestions: CC BY 4.0, Freebase: CC BY 2.5; no licence file where they were taken from",
        files=f"{name}_questions.jsonl, {name}_kg.tsv",
        fields=("answers", *more, "gold_paths"),
        read=partial(_load, name),
        needs=f"a graph built from {name}_kg.tsv, which is biased towards the gold",
    )
    for name, title, paper, more in (
        ("webqsp", "questions that people searched for, over Freebase", "WebQSP, Yih et al. 2016", ("gold_entities",)),
        ("cwq", "ComplexWebQuestions: WebQSP's, made longer, over Freebase", "Talmor and Berant 2018", ()),
    )
}
