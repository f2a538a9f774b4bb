"""WebNLG: sentences that people wrote of one to seven triples of DBpedia.

``texts.jsonl`` holds ``{text, triples, category}`` on each line; ``graph.tsv`` all triples of the set. A text is a
claim that its triples make true: every verdict is True, so that accuracy alone says little. What tells is whether an
answer rests on these triples (``gold_statements``), and what becomes of it once the graph is perturbed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import read_json, text_field
from toulmin.evaluation.datasets.types import Declared, Question
from toulmin.graph.readers.minting import clean_text, entity_label, mint_entity, mint_relation, relation_label
from toulmin.graph.types import Entity, Relation, Statement


def _entity(text: str) -> Entity:
    return Entity(mint_entity(clean_text(text)), entity_label(clean_text(text)))


def _statements(record: Mapping[str, Any]) -> tuple[Statement, ...]:
    """The triples as ``toulmin build --no-literals`` reads them, with the ids of the graph's statements."""
    triples = record.get("triples")
    if not isinstance(triples, list) or not triples:
        raise SourceError("is missing or is not a list of triples", field="triples")
    for triple in triples:
        texts = triple if isinstance(triple, list) else []
        if len(texts) != 3 or not all(isinstance(text, str) and text for text in texts):
            raise SourceError(f"{triple!r} is not a triple of texts", field="triples")
    return tuple(
        Statement(_entity(subject), Relation(mint_relation(relation), relation_label(relation)), _entity(value))
        for subject, relation, value in triples
    )


def _question(number: int, record: Mapping[str, Any]) -> Question:
    return Question(
        id=f"webnlg-{number}",
        question=text_field(record, "text"),
        verdict=True,
        task="claim",
        type=text_field(record, "category"),
        gold_statements=_statements(record),
    )


LOADERS = {
    "webnlg": Declared(
        id="webnlg",
        title="sentences on one to seven triples of DBpedia, as claims; every one is true",
        source="Gardent et al. 2017, version 1.6 (ThiagoCF05/webnlg)",
        licence="CC BY-NC-SA 4.0: evaluate only",
        files="texts.jsonl, graph.tsv",
        fields=("verdict", "type", "task", "gold_statements"),
        read=partial(read_json, "webnlg", ["texts.jsonl"], _question, graphs=["graph.tsv"]),
        needs="a graph built from graph.tsv by --no-literals, and a model",
    )
}
