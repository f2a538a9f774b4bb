"""What the grammar offers for WikiSQL's questions over their tables' graphs, with which candidates mean the question.

    python training/table_candidates.py --data PATH --out tables.jsonl --count 1500

Right is a candidate with the gold answer that names all columns and values of the SQL and does what it does; one that
has the answer otherwise is left out. Tables that are held out are left alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reader_data import sql_form, sql_records
from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables import table_graph
from toulmin.graph.readers.tables.cells import date_literal, read_number
from toulmin.graph.types import Entity
from toulmin.methods.reader.completeness import Completeness
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Kind
from toulmin.methods.reader.grammar import Grammar
from toulmin.methods.reader.mentions import QuestionParts, read_question
from toulmin.methods.reader.operators import operators_of, shipped_operators
from toulmin.methods.reader.programs import place_of
from toulmin.methods.reader.reading import candidates
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring, Weights
from toulmin.methods.reader.utterances import utterance
from toulmin.program.builder import Builder
from toulmin.program.value import Nodes
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import relation_text

__all__ = ["Offered", "answers_of", "offered_of_tables", "plain"]

_READ, _LOOKED_AT = 40, 90


def plain(text: str) -> str:
    """A cell or value as it is compared: a number by its value, whatever its unit, a time in ISO's form."""
    with suppress(ValueError):
        return f"{float(text.replace(',', '')):.10g}"
    if (number := read_number(text)) is not None and not number.word:
        return f"{float(number.value):.10g}"
    if (time := date_literal(text)) is not None:
        return time.value
    without_thousands = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower())
    return re.sub(r"\W+", "", re.sub(r"(?<=\d)\s*[-–—−/:]\s*(?=\d)", "_", without_thousands))


def answers_of(draft: Draft, graph: MemoryGraph, schema: ReaderSchema) -> set[str] | None:
    """What a draft yields, as ``plain`` has it; None: nothing, or it cannot be run."""
    for assume in (False, True):
        builder = Builder("", graph)
        try:
            value = builder.value(place_of(draft.form, builder, schema.class_relations, schema.times, assume=assume))
        except InputError:
            return None
        if isinstance(value, Nodes) and len(value):
            return {plain((node.label or node.id) if isinstance(node, Entity) else node.value) for node in value.nodes}
    return None


def _means(draft: Draft, record: dict[str, Any], asked: QuestionParts, schema: ReaderSchema, keys: set[str]) -> bool:
    """Whether a draft that has the answer names what the SQL names, and does what it does."""
    if operators_of(draft.form) != operators_of(sql_form(record, Kind("row"))):
        return False
    labels = {schema.hops[hop].label for hop in draft.parts if hop < len(schema.hops)}
    columns = {relation_text(record["column"]), *(relation_text(column) for column, _, _ in record["conditions"])}
    missing = {column for column in columns if column not in labels}
    if record["aggregate"] == "COUNT":
        missing.discard(relation_text(record["column"]))
    named = [
        asked.question[slice(*one.named.words)]
        for one in asked.mentioned
        if one.mask & draft.mask == one.mask and one.named.words
    ]
    covered = " ".join(map(plain, named))
    values = all(
        plain(str(value)) in covered or plain(str(value))[:6] in covered for _, _, value in record["conditions"]
    )
    extra = labels - columns - keys
    return not extra and len(missing) <= (1 if keys & missing else 0) and values


@dataclass(frozen=True)
class Offered:
    """What the grammar offers for a question of WikiSQL, the likeliest first, of the same utterance one.

    Args:
        gold: the utterance of its SQL.
        candidates: each draft with its utterance.
        right: of each whether it means the question; None: it has the answer otherwise, so that nobody knows.
    """

    question: str
    gold: str
    candidates: list[tuple[Draft, str]]
    right: list[bool | None]
    scoring: Scoring
    completeness: Completeness


def offered_of_tables(data: Path, *, held_out: bool, seed: int, count: int) -> Iterator[Offered]:
    """Of questions over tables of at most forty rows."""
    with gzip.open(data / "wikisql" / "tables.jsonl.gz", "rt", encoding="utf-8") as lines:
        tables = {table["id"]: table for table in map(json.loads, lines)}
    done = 0
    for record in sql_records(data / "wikisql", held_out=held_out, seed=seed):
        table = tables[record["table"]]
        if len(table["rows"]) > 40 or len(table["header"]) > 12:
            continue
        graph = table_graph("row", table["header"], table["rows"], row_numbers=True)
        retriever = Retriever(graph)
        subgraph = retriever.subgraph([], 0)
        schema = ReaderSchema(subgraph, retriever.embedder)
        asked = read_question(record["question"], retriever.linker, schema, retriever.embedder)
        likely = shipped_operators().likely(record["question"])
        scoring = Scoring(asked, schema, retriever.embedder, likely, Weights())
        found = candidates(Grammar(asked, schema, scoring).drafts(), scoring, _LOOKED_AT)
        if not found:
            continue
        gold = {plain(str(value)) for value in record["answers"]}
        keys = {relation_text(header) for header in table["header"]} - {hop.label for hop in schema.hops}
        keys |= {relation_text(table["header"][0])}
        right: list[bool | None] = []
        for draft, _ in found:
            answers = draft.kind != "rows" and answers_of(draft, graph, schema) == gold
            right.append(False if not answers else _means(draft, record, asked, schema, keys) or None)
        text = utterance(sql_form(record, Kind("row")))
        complete = Completeness(scoring, retriever.lexicon)
        yield Offered(record["question"], text, found, right, scoring, complete)
        done += 1
        if done == count:
            return


def main() -> None:
    """Write candidates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1500)
    options = parser.parse_args()
    began, reached, count = time.monotonic(), 0, 0
    with options.out.open("w", encoding="utf-8") as out:
        for one in offered_of_tables(options.data, held_out=False, seed=5, count=options.count):
            texts = [text for _, text in one.candidates]
            right = [text for text, is_right in zip(texts, one.right, strict=True) if is_right]
            wrong = [text for text, is_right in zip(texts, one.right, strict=True) if is_right is False]
            count, reached = count + 1, reached + bool(right)
            gold = "" if right else one.gold
            line = {"question": one.question, "right": right, "wrong": wrong[:_READ], "world": "wikisql", "gold": gold}
            out.write(json.dumps(line) + "\n")
            if count % 100 == 0:
                print(f"{count} questions, {reached / count:.3f} reached, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
