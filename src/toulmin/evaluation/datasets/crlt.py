"""CR-LT-KGQA: yes/no questions and claims about long-tail entities of Wikidata.

``qa.jsonl`` and ``claims.jsonl`` hold the gold verdict in ``answer`` (in one published record it is a question text),
``question_entities.jsonl`` the entities of each question as the cached graph writes them, ``gold_statements.jsonl`` the
annotators' statements of all questions and claims, without saying of which.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import (
    ProblemList,
    data_folder,
    json_dataset,
    json_records,
    required,
    text_field,
    text_list,
    true_or_false,
    usable,
)
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

_FILES = {"crlt/qa": "qa.jsonl", "crlt/claims": "claims.jsonl"}


def _question(set_name: str, entities: Mapping[str, tuple[str, ...]], _: int, record: Mapping[str, Any]) -> Question:
    verdict = true_or_false(record, "answer")
    labels = record.get("KG Entities")
    if not isinstance(labels, dict):
        raise SourceError("is missing or is not an object of labels and ids", field="KG Entities")
    name = text_field(record, "id")
    return Question(
        id=name,
        question=text_field(record, "query"),
        verdict=verdict,
        gold_entities=entities.get(name, tuple(labels)),
        task="claim" if set_name == "crlt/claims" else "question",
    )


def _linked(_: int, record: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    entities = text_list(record, "q_entity")
    return text_field(record, "id"), entities


def _load(name: str, data: Path) -> Dataset:
    folder = data_folder(data, "crlt")
    path = required(folder, _FILES[name])
    problems: ProblemList = []
    entities: dict[str, tuple[str, ...]] = {}
    if name == "crlt/qa" and (linked := folder / "question_entities.jsonl").is_file():
        entities = dict(pair for _, pair in usable(linked, json_records(linked, problems), _linked, problems))
    graphs = (folder / "wikidata_plus_gold.tsv", folder / "wikidata_cache.tsv")
    return json_dataset(name, path, partial(_question, name, entities), *graphs, problems=problems)


LOADERS = {
    name: Declared(
        id=name,
        title=f"{what} about long-tail entities of Wikidata, which need commonsense",
        source="Guo et al. 2024 (D3Mlab/cr-lt-kgqa; the cached graph: Y-Sui/FiDeLiS)",
        licence="MIT (of the copy)",
        files=f"{_FILES[name]}, wikidata_cache.tsv, wikidata_plus_gold.tsv{more}",
        fields=fields,
        read=partial(_load, name),
        needs="a graph built from wikidata_plus_gold.tsv (gold statements added) or wikidata_cache.tsv",
    )
    for name, what, more, fields in (
        ("crlt/qa", "yes/no questions", ", question_entities.jsonl", ("verdict", "gold_entities")),
        ("crlt/claims", "claims", "", ("verdict", "gold_entities", "task")),
    )
}
