"""INFOTABS for benchmarks/rr.py: pairs of a table and a hypothesis, chains written by hand (papers/rr, table 4).

recorded/infotabs_chains.jsonl holds three chains for each of 15 pairs, written without a look at the labels: every
80th of the entailed and contradicted pairs of the dev part, from the 41st. Labels are read from the data.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from rich.table import Table

from toulmin.entailment.protocol import Scorer
from toulmin.evaluation.datasets import load
from toulmin.evaluation.statistics import bootstrap_interval
from toulmin.methods.rr.chains import parse_chain
from toulmin.methods.rr.sentence_scores import Entailed, faithfulness_of, look_up_evidence, score_sentences
from toulmin.methods.rr.settings import RRSettings
from toulmin.methods.rr.voting import Sample
from toulmin.program.weighing import Scores, faithfulness, tally
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.knowledge import Knowledge, KnowledgeUnion, LexicalKnowledge, TableKnowledge

__all__ = ["table"]

_RECORDED = Path(__file__).parent / "recorded" / "infotabs_chains.jsonl"


def table(data: Path, scorer: Scorer) -> Table:
    """Accuracy of the majority, and of f1 and the default with each kind of knowledge."""
    settings, embedder = RRSettings(kind="table"), get_embedder()
    asked = {(one.table.name, one.question): one for one in load("infotabs", data).questions if one.table is not None}
    answered: dict[str, list[bool]] = {}
    found_pieces: dict[str, int] = {}
    for record in map(json.loads, _RECORDED.read_text("utf-8").splitlines()):
        hypothesis = record["hypothesis"]
        claim = asked[record["table"], hypothesis]
        true, background = claim.verdict, claim.table
        assert background is not None
        samples = [Sample.of(number, parse_chain(text), settings) for number, text in enumerate(record["chains"], 1)]
        predictions = [one.chain.prediction for one in samples]
        sentences = list(dict.fromkeys(text for one in samples for text in one.sentences))
        vote = tally(predictions, [1.0] * len(samples), "majority")
        answered.setdefault("majority", []).append(vote is not None and (vote.prediction == "yes") == true)
        lexical = LexicalKnowledge(background.premise)
        kinds: dict[str, Knowledge] = {
            "background (the table)": TableKnowledge(background),
            "external (WordNet)": lexical,
            "background and external": KnowledgeUnion(TableKnowledge(background), lexical),
        }
        for kind, knowledge in kinds.items():
            found = look_up_evidence(sentences, knowledge, embedder, hypothesis, settings)
            scored = score_sentences(found, scorer, settings)
            terms = dict(zip(sentences, faithfulness_of(scored, "f1", settings.thresholds), strict=True))
            paper = [sum(terms[text] for text in one.sentences) for one in samples]
            for function, weights in (("f1", paper), (settings.function, _by_default(samples, scored))):
                vote = tally(predictions, weights, "majority")
                name = f"{kind}, {function}"
                answered.setdefault(name, []).append(vote is not None and (vote.prediction == "yes") == true)
            found_pieces[kind] = found_pieces.get(kind, 0) + sum(bool(one.evidence) for one in found)
    count = len(answered["majority"])
    report = Table(title=f"INFOTABS: {count} pairs, 3 chains each, written by hand; scorer {scorer.name}")
    for column in ("knowledge, function", "accuracy [95 %]", "sentences with evidence"):
        report.add_column(column)
    for kind, one in answered.items():
        interval = bootstrap_interval(np.array(one, dtype=np.float64))
        figures = f"{interval.estimate:.3f} [{interval.low:.2f}, {interval.high:.2f}]"
        report.add_row(kind, figures, str(found_pieces.get(kind.rpartition(",")[0], "")))
    return report


def _by_default(samples: list[Sample], scored: list[Entailed]) -> list[float]:
    """The weights that the default gives."""
    said = {one.sentence: Scores(one.entailment, one.contradiction, one.similarity or 0.0) for one in scored}
    return [faithfulness("mean-entailment", [said[text] for text in one.sentences]) for one in samples]
