"""StrategyQA: yes/no questions whose steps have to be found.

``train.json`` is an array (or ``train.jsonl`` lines) of ``{qid, term, question, answer, decomposition, …}``. Sentences
of Wikipedia to judge an answer by are in two files of wywy136/StrategyQA: ``train_gdsent.json``, an array with the
golden sentences of each step, and ``7_train_sentchain.json``, an object of retrieved ones by question. The annotators'
facts are never read: they give the answer away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import (
    data_folder,
    json_object,
    json_records,
    read_json,
    required,
    text_field,
    text_list,
    true_or_false,
    usable,
)
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

_GOLD, _RETRIEVED = "train_gdsent.json", "7_train_sentchain.json"


def _question(_: int, record: Mapping[str, Any]) -> Question:
    return Question(
        id=text_field(record, "qid"),
        question=text_field(record, "question"),
        verdict=true_or_false(record, "answer"),
        gold_entities=(text_field(record, "term"),),
        hops=len(text_list(record, "decomposition")),
    )


def _texts(value: object, field: str | None = None) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SourceError("is not a list of texts", field=field)
    return tuple(dict.fromkeys(text.strip() for text in value if text.strip()))


def _golden(_: int, record: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    steps = record.get("golden_sentence")
    texts = (_texts(step, "golden_sentence") for step in (steps if isinstance(steps, list) else [steps]))
    sentences = tuple(dict.fromkeys(text for step in texts for text in step))
    return text_field(record, "qid"), sentences


def _load(name: str, data: Path) -> Dataset:
    dataset = read_json(name, ["train.json", "train.jsonl"], _question, data)
    folder = data_folder(data, "strategyqa")
    beside = folder / _GOLD if name == "strategyqa" else required(folder, _RETRIEVED)
    if not beside.is_file():
        return dataset
    problems = list(dataset.problems)
    if name == "strategyqa":
        pairs = usable(beside, json_records(beside, problems), _golden, problems)
    else:  # one object, which begins at line 1
        items = ((1, item) for item in json_object(beside).items())
        pairs = usable(beside, items, lambda _, item: (item[0], _texts(item[1], item[0])), problems)
    passages = {question: texts for _, (question, texts) in pairs}
    questions = tuple(replace(question, passages=passages.get(question.id, ())) for question in dataset.questions)
    return Dataset(name, questions, tuple(problems))


LOADERS = {
    name: Declared(
        id=name,
        title=f"yes/no questions whose steps have to be found; with {what} of Wikipedia as passages",
        source="Geva et al. 2021 (eladsegal/strategyqa; sentences: wywy136/StrategyQA)",
        licence="MIT; of the sentences no licence file",
        files=f"train.json, {file}",
        fields=("verdict", "gold_entities", "hops", "passages"),
        read=partial(_load, name),
        needs="for rr --knowledge own (or an index of passages), and a model or recorded --chains; for others a graph "
        "of general facts",
    )
    for name, what, file in (
        ("strategyqa", "golden sentences", _GOLD),
        ("strategyqa/retrieved", "retrieved sentences", _RETRIEVED),
    )
}
