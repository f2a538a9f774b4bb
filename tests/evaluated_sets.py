"""What the data sets hold that Toulmin is evaluated on: their questions and claims, what explains them, their names.

Of FEVER, e-SNLI and WikiSQL only the parts are read that training holds out; Overnight is trained on.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nli_data import esnli, fever
from reader_data import sql_records

__all__ = ["SHARED", "Item", "items", "names"]

SHARED = Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


@dataclass(frozen=True, slots=True)
class Item:
    """What a system is asked, or given to judge.

    Args:
        source: the folder of the data set.
        text: the question, claim, prompt or evidence.
        explanation: what annotators wrote beside it: a rule, triples, steps; where there is such.
        labels: relations of the item's own graph that are no property of Wikidata.
    """

    source: str
    text: str
    explanation: str = ""
    labels: tuple[str, ...] = ()


def items() -> Iterator[Item]:
    """Of every data set, in a fixed order.

    Raises:
        FileNotFoundError, KeyError: a data set is not laid out as it was; each must be read, or the test says nothing.
    """
    yield from _commonsense()
    yield from _choices()
    yield from _paths()
    yield from _texts()
    yield from _tables()
    yield from _pairs()


def names() -> Iterator[str]:
    """Names of the things that the data sets ask about, as they stand there; many more than once."""
    for file in ("qa", "claims"):
        for record in _lines(f"crlt/{file}.jsonl"):
            yield from record["KG Entities"]
    for record in _lines("strategyqa/train.jsonl"):
        yield record["term"]
    for record in _lines("creak/dev.jsonl"):
        yield record["entity"]
    for record in _lines("factscore/ChatGPT.jsonl"):
        yield re.sub(r".*bio of |\.$", "", record["input"])
    for file in ("webqsp", "cwq"):
        for record in _lines(f"freebase_union/{file}_questions.jsonl"):
            yield from (*record["path_start_entities"], *record["answers"])
    for record in _lines("tempquestions/questions.jsonl"):
        yield from map(str, record["Gold answer"])
    for table in sorted((SHARED / "infotabs" / "tables").glob("*.json")):
        yield from json.loads(table.read_text("utf-8"))["title"]
    for path in ("crlt/wikidata_cache.tsv", "factkg/graph.tsv", "webnlg/graph.tsv", "metaqa/kb.txt"):
        for row in _rows(path, "|" if path.endswith("kb.txt") else "\t"):
            yield row[0]
            if path.startswith("metaqa") and row[1].strip() in {"directed_by", "written_by", "starred_actors"}:
                yield row[2]
    for path in ("pathquestion/2H-kb.txt", "pathquestion/3H-kb.txt"):
        for row in _rows(path):
            yield row[0].replace("_", " ")


def _commonsense() -> Iterator[Item]:
    """CR-LT with the questions that it was made of, StrategyQA, CREAK."""
    for file in ("qa", "claims"):
        for record in _lines(f"crlt/{file}.jsonl"):
            steps = " ".join(str(step.get("Step", step.get("step", ""))) for step in record["Reasoning Steps"])
            yield Item("crlt", record["query"], f"{record['Inference Rule']} {record['KG Triples']} {steps}")
    for file, field in (("strategyqa", "StrategyQA Question"), ("creak", "Creak Claim")):
        for record in _lines(f"crlt/{file}_counterparts.jsonl"):
            yield Item("crlt", record[field])
    for record in _lines("strategyqa/train.jsonl"):
        yield Item("strategyqa", record["question"], " ".join(record["facts"]))
    for record in _lines("creak/dev.jsonl"):
        yield Item("creak", record["sentence"], record["explanation"])


def _choices() -> Iterator[Item]:
    for record in _lines("recipe_mpr_personal/queries.jsonl"):
        triples = [triple.strip("()").split(", ") for triple in record["triples"]]
        labels = tuple(dict.fromkeys(triple[1] for triple in triples))
        yield Item("recipe_mpr_personal", record["query"], str(record["correctness_explanation"]), labels)
        yield from (Item("recipe_mpr_personal", option) for option in record["options"].values())


def _paths() -> Iterator[Item]:
    """Questions that ask for the end of a path, or for what a query gives."""
    for hops in (1, 2, 3):
        for row in _rows(f"metaqa/{hops}-hop/qa_dev.txt"):
            yield Item("metaqa", row[0].replace("[", "").replace("]", ""))
    for hops in (2, 3):
        for row in _rows(f"pathquestion/PQ-{hops}H.txt"):
            yield Item("pathquestion", row[0].replace("_", " "))
    for file in ("webqsp", "cwq"):
        for record in _lines(f"freebase_union/{file}_questions.jsonl"):
            yield Item("freebase_union", record["question"])
    for record in _lines("tempquestions/questions.jsonl"):
        yield Item("tempquestions", record["Question"])
    for record in _lines("ck25/questions.jsonl"):
        yield Item("ck25", record["question"])


def _texts() -> Iterator[Item]:
    for record in _lines("webnlg/texts.jsonl"):
        yield Item("webnlg", record["text"])
    for record in _lines("factkg/claims.jsonl"):
        yield Item("factkg", record["claim"])
    for file in sorted((SHARED / "longfact").glob("*/*.jsonl")):
        for record in _lines(str(file.relative_to(SHARED))):
            yield Item("longfact", record["prompt"])
    for model in ("ChatGPT", "InstructGPT"):
        for record in _lines(f"factscore/{model}.jsonl"):
            yield Item("factscore", record["output"])


def _tables() -> Iterator[Item]:
    with (SHARED / "infotabs" / "infotabs_dev.tsv").open(encoding="utf-8", newline="") as file:
        for record in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Item("infotabs", record["hypothesis"])
    with gzip.open(SHARED / "wikitablequestions" / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Item("wikitablequestions", json.loads(line)["question"])
    for record in sql_records(SHARED / "wikisql", held_out=True):
        yield Item("wikisql", record["question"])


def _pairs() -> Iterator[Item]:
    """Sentence pairs that the entailment model was not trained on."""
    for pair in (*esnli(SHARED), *fever(SHARED)):
        if pair.part == "test":
            yield Item(pair.source, pair.premise)
            yield Item(pair.source, pair.hypothesis)
    for row in _rows("nli/SICK.txt"):
        yield from (Item("sick", sentence) for sentence in row[1:3])


def _lines(path: str) -> Iterator[Any]:
    for line in (SHARED / path).read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _rows(path: str, separator: str = "\t") -> Iterator[list[str]]:
    for line in (SHARED / path).read_text("utf-8").splitlines():
        if line.strip():
            yield line.split(separator)
