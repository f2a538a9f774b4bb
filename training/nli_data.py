"""Sentence pairs with a label, from e-SNLI, FEVER and SICK, with splits that keep a premise or a page on one side.

The files are those described in ``data/nli/SOURCE.txt``. A third is held out: of e-SNLI by premise, of FEVER by page
(pages that one claim cites together go together). SICK is for evaluation only: its licence is non-commercial.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

__all__ = [
    "LABELS",
    "Pair",
    "data_root",
    "esnli",
    "fever",
    "fever_near",
    "fever_sentences",
    "nearest",
    "pair_key",
    "part_of",
    "sick",
]

LABELS = ("entailment", "neutral", "contradiction")
_FEVER = {"SUPPORTS": 0, "NOT ENOUGH INFO": 1, "REFUTES": 2}
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, a hypothesis, and the index of the label in ``LABELS``.

    Args:
        source: the data set, for figures apart.
        part: "train", "calibrate" (a tenth of the training side) or "test".
    """

    premise: str
    hypothesis: str
    label: int
    source: str
    part: str


def pair_key(pair: Pair) -> str:
    """20 digits of the digest of premise and hypothesis: what files that are kept apart know a pair by."""
    return hashlib.sha256(f"{pair.premise}\0{pair.hypothesis}".encode()).hexdigest()[:20]


def data_root() -> Path:
    """The folder of the data sets: ``TOULMIN_DATA``, or ``shared/data`` beside the repository."""
    return Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def part_of(key: str) -> str:
    """The part of everything that shares a key, the same in every run."""
    number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")
    if number % 3 == 0:
        return "test"
    return "calibrate" if number % 31 < 3 else "train"


def esnli(root: Path) -> list[Pair]:
    """e-SNLI's dev part, split by premise."""
    columns = [
        (root / "nli" / "esnli" / f"{name}.dev").read_text("utf-8").splitlines() for name in ("s1", "s2", "labels")
    ]
    return [
        Pair(premise, hypothesis, LABELS.index(label), "esnli", part_of(premise))
        for premise, hypothesis, label in zip(*columns, strict=True)
    ]


def sick(root: Path) -> list[Pair]:
    """SICK; ``part`` is "calibrate" for its TRIAL pairs and "test" for its TEST pairs; TRAIN is left out."""
    lines = (root / "nli" / "SICK.txt").read_text("utf-8").splitlines()
    header = lines[0].split("\t")
    rows = [dict(zip_longest(header, line.split("\t"), fillvalue="")) for line in lines[1:]]
    parts = {"TRIAL": "calibrate", "TEST": "test"}
    return [
        Pair(row["sentence_A"], row["sentence_B"], LABELS.index(row["entailment_label"].lower()), "sick", parts[name])
        for row in rows
        if (name := row["SemEval_set"].strip()) in parts
    ]


def fever(root: Path, *, titles: bool = True) -> list[Pair]:
    """FEVER with evidence, split by page.

    A claim without evidence gets the evidence of another claim, the one that BM25 finds first for it: neither the
    absence of a premise, nor its length, nor a change of topic within it gives the label away. It goes to the side of
    that evidence. With ``titles`` a premise starts with the title of its (first) page, so that "He is an actor" says of
    whom; claims without evidence get theirs by the same rule.
    """
    records = _fever_records(root)
    groups = _page_groups(records)
    out: list[Pair] = []
    parts: dict[str, str] = {}
    for record in records:
        if record["pars"]:
            part = part_of(groups[_pages(record)[0]])
            premise = _premise(record, titles=titles)
            parts.setdefault(premise, part)
            out.append(Pair(premise, record["question"], _FEVER[record["label"]], "fever", part))
    claims = [record["question"] for record in records if not record["pars"]]
    premises = list(parts)
    for claim, found in zip(claims, nearest(claims, premises, 1), strict=True):
        out.append(Pair(premises[found[0]], claim, 1, "fever", parts[premises[found[0]]]))
    return out


def fever_near(root: Path) -> list[Pair]:
    """Training claims with the evidence of other claims, found as ``fever`` finds it: neutral, if nobody has read them.

    Only evidence that shares no sentence with what the claim's annotators took, and that lacks two words of the claim.
    Claims without evidence of their own get a second one.
    """
    records = _fever_records(root)
    groups = _page_groups(records)
    chosen = [one for one in records if one["pars"] and part_of(groups[_pages(one)[0]]) == "train"]
    premises = [_premise(record, titles=True) for record in chosen]
    sentences = [{(part[2], part[3]) for group in record["evidence"] for part in group} for record in chosen]
    claims = [record["question"] for record in chosen]
    given: dict[str, set[str]] = {}
    for pair in fever(root):
        given.setdefault(pair.hypothesis, set()).add(pair.premise)
    told = {record["question"] for record in records if record["pars"]}
    open_claims = [p.hypothesis for p in fever(root) if p.label == 1 and p.part == "train" and p.hypothesis not in told]
    own: dict[str, set[tuple[Any, Any]]] = {}
    for claim, taken in zip(claims, sentences, strict=True):  # a claim may stand there more than once
        own.setdefault(claim, set()).update(taken)
    out = []
    for row, found in enumerate(nearest(claims, premises, 8)):
        words = set(re.findall(r"[a-z0-9]{3,}", claims[row].lower()))
        for other in found:
            lacking = words - set(re.findall(r"[a-z0-9]{3,}", premises[other].lower()))
            if premises[other] != premises[row] and not own[claims[row]] & sentences[other] and len(lacking) >= 2:
                out.append(Pair(premises[other], claims[row], 1, "fever near", "train"))
                break
    for claim, found in zip(open_claims, nearest(open_claims, premises, 8), strict=True):
        others = [premises[place] for place in found if premises[place] not in given[claim]]
        out.extend(Pair(other, claim, 1, "fever near", "train") for other in others[:1])
    return out


def fever_sentences(root: Path) -> dict[str, list[str]]:
    """For each page of the training side, by title, the sentences that its claims' annotators took."""
    records = _fever_records(root)
    groups = _page_groups(records)
    out: dict[str, dict[str, None]] = {}
    for record in records:
        pages = _pages(record)
        if record["pars"] and part_of(groups[pages[0]]) == "train" and len(record["pars"]) == 1:
            out.setdefault(_plain(pages[0].replace("_", " ")), {})[_plain(record["pars"][0])] = None
    return {title: list(sentences) for title, sentences in out.items()}


def _fever_records(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "nli" / "fever.jsonl").read_text("utf-8").splitlines()]


def _premise(record: dict[str, Any], *, titles: bool) -> str:
    premise = " ".join(_plain(sentence) for sentence in record["pars"])
    return f"{_plain(_pages(record)[0].replace('_', ' '))}: {premise}" if titles else premise


def nearest(claims: Sequence[str], premises: Sequence[str], number: int) -> list[list[int]]:
    """For each claim the places of the premises that BM25 finds first; of equals the first."""
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(premises), stopwords="en", show_progress=False), show_progress=False)
    tokens = bm25s.tokenize(list(claims), stopwords="en", show_progress=False, return_ids=False)
    # Which of equals ``retrieve`` keeps depends on the instructions that the processor has.
    return [np.argsort(-index.get_scores(words), kind="stable")[:number].tolist() for words in tokens]


def _pages(record: dict[str, Any]) -> list[str]:
    return [sentence[2] for group in record["evidence"] for sentence in group if sentence[2]]


def _page_groups(records: Sequence[dict[str, Any]]) -> dict[str, str]:
    """For each page a name of the set of pages that claims cite together with it (union-find)."""
    parent: dict[str, str] = {}

    def root(page: str) -> str:
        while parent.setdefault(page, page) != page:
            parent[page] = page = parent[parent[page]]
        return page

    for record in records:
        pages = _pages(record)
        for page in pages:
            parent[root(page)] = root(pages[0])
    return {page: root(page) for page in list(parent)}


def _plain(sentence: str) -> str:
    """The sentence without the brackets' Treebank names and quotation marks; "a -LRB-film-RRB-" occurs too."""
    for name, mark in _BRACKETS.items():
        sentence = sentence.replace(name, mark)
    return " ".join(sentence.replace("``", '"').replace("''", '"').split())
