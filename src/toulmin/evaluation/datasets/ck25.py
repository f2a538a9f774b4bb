"""CK25: what the people of a company ask of its graph (TEXT2SPARQL challenge 2025, corporate part).

``questions.jsonl`` holds ``{id, question, features, answers}`` on each line: the gold is the set of distinct values of
all columns of a query's rows, entities by their IRIs. So they are compared (``Question.by_id``), as the challenge does.
One published query has no rows: nothing can be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toulmin.evaluation.datasets.files import read_json, text_field, text_list
from toulmin.evaluation.datasets.types import Declared, Question


def _question(_: int, record: Mapping[str, Any]) -> Question:
    answers = text_list(record, "answers")
    return Question(
        id=text_field(record, "id"),
        question=text_field(record, "question"),
        answers=answers,
        by_id=True,
        unknown=not answers,
        type=" ".join(text_list(record, "features")),
    )


LOADERS = {
    "ck25": Declared(
        id="ck25",
        title="a company's questions to its own graph: products, suppliers, staff, prices",
        source="TEXT2SPARQL challenge 2025, corporate part (AKSW/text2sparql.aksw.org)",
        licence="CC BY 4.0, CC BY-SA 4.0",
        files="questions.jsonl, prod-inst.ttl, prod-vocab.ttl",
        fields=("answers", "by_id", "unknown", "type"),
        read=partial(read_json, "ck25", ["questions.jsonl"], _question, graphs=["prod-inst.ttl", "prod-vocab.ttl"]),
        needs="a graph built from prod-inst.ttl and prod-vocab.ttl",
    )
}
