"""CREAK: claims about an entity that need commonsense, true or false.

``dev.json`` holds ``{ex_id, sentence, label, entity, …}`` on each line; ``label`` is "true" or "false" as a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import read_json, text_field
from toulmin.evaluation.datasets.types import Declared, Question

_LABELS = {"true": True, "false": False}


def _question(_: int, record: Mapping[str, Any]) -> Question:
    label = text_field(record, "label")
    if label not in _LABELS:
        raise SourceError(f"is not 'true' or 'false' but {label!r}", field="label")
    return Question(
        id=text_field(record, "ex_id"),
        question=text_field(record, "sentence"),
        verdict=_LABELS[label],
        gold_entities=(text_field(record, "entity"),),
        task="claim",
    )


LOADERS = {
    "creak": Declared(
        id="creak",
        title="claims about an entity that need commonsense; dev part",
        source="Onoe et al. 2021 (yasumasaonoe/creak)",
        licence="MIT",
        files="dev.json",
        fields=("verdict", "gold_entities", "task"),
        read=partial(read_json, "creak", ["dev.json", "dev.jsonl"], _question),
        needs="a graph of general facts (Wikidata), or knowledge, and a model; none comes with it",
    )
}
