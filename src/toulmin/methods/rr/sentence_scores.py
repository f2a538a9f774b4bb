"""Sentences and the evidence for them: looked up, the evidence to lay beside each chosen, all scored in one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Scorer
from toulmin.methods.rr.settings import RRSettings
from toulmin.program.weighing import Function, Scores, Thresholds, faithfulness
from toulmin.retrieval.embedders import Embedder, Vectors

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence, Knowledge

__all__ = ["Entailed", "FoundEvidence", "faithfulness_of", "function_for", "look_up_evidence", "score_sentences"]

_DIGITS = 6  # of scores: what a certificate records is what is counted with


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """Evidence for a sentence, the most similar first, with the cosines of both texts."""

    sentence: str
    evidence: tuple[Evidence, ...] = ()
    similarities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Entailed:
    """A sentence with the evidence laid before the scorer, and the scores.

    Args:
        evidence: empty where nothing was found; the scores are 0, 1, 0 then.
        similarity: M, the highest cosine; None where nothing was found.
    """

    sentence: str
    evidence: tuple[Evidence, ...] = ()
    similarity: float | None = None
    entailment: float = 0.0
    unknown: float = 1.0
    contradiction: float = 0.0


def function_for(knowledge: Knowledge) -> Function:
    """The function for a kind of knowledge: f2 for temporal statements, f3 for given evidence, f1 for all else."""
    from toulmin.retrieval.knowledge import GivenPassages, KnowledgeUnion, TemporalKnowledge

    if isinstance(knowledge, KnowledgeUnion):
        several = {function_for(source) for source in knowledge.parts}
        return several.pop() if len(several) == 1 else "f1"
    if isinstance(knowledge, TemporalKnowledge):
        return "f2"
    return "f3" if isinstance(knowledge, GivenPassages) else "f1"


def look_up_evidence(
    sentences: Sequence[str], knowledge: Knowledge, embedder: Embedder, question: str, settings: RRSettings
) -> list[FoundEvidence]:
    """What the knowledge has for each sentence; query-based retrieval looks the question up once for all of them."""
    if not sentences:
        return []
    if settings.retrieval == "query":  # what is similar to the question need not be to the sentence
        shared = [replace(piece, similarity=None) for piece in knowledge.find([question], about=question)[0]]
        evidence = [shared] * len(sentences)
    else:
        evidence = knowledge.find(sentences, about=question)
    open_ = [pieces for pieces in evidence if any(piece.similarity is None for piece in pieces)]
    texts = list(dict.fromkeys([*(sentences if open_ else ()), *(piece.text for pieces in open_ for piece in pieces)]))
    rows = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    return [_ranked(sentence, pieces, rows) for sentence, pieces in zip(sentences, evidence, strict=True)]


def score_sentences(evidence: Sequence[FoundEvidence], scorer: Scorer, settings: RRSettings) -> list[Entailed]:
    """Lay evidence beside each sentence and score all pairs in one call."""
    laid = [_laid(looked_up, settings) for looked_up in evidence]
    pairs = [
        (" ".join(piece.text for piece in pieces), looked_up.sentence)
        for looked_up, choices in zip(evidence, laid, strict=True)
        for pieces, _ in choices
    ]
    scores = scorer.score(pairs)
    results, row = [], 0
    for looked_up, choices in zip(evidence, laid, strict=True):
        rows = scores[row : row + len(choices)]
        row += len(choices)
        if not choices:
            results.append(Entailed(looked_up.sentence))
            continue
        best = int(np.argmax(np.maximum(rows[:, ENTAIL], rows[:, CONTRADICT])))
        pieces, similarity = choices[best]
        entailment = [round(float(rows[best][column]), _DIGITS) for column in (ENTAIL, UNKNOWN, CONTRADICT)]
        results.append(Entailed(looked_up.sentence, pieces, round(similarity, _DIGITS), *entailment))
    return results


def faithfulness_of(entailments: Sequence[Entailed], function: Function, thresholds: Thresholds) -> list[float]:
    """What each sentence adds to the faithfulness of an output.

    With "equal" that is 0; of a function that is a mean it is the summand, before the sum is divided.
    """
    if function == "equal":
        return [0.0] * len(entailments)
    scores = (Scores(of.entailment, of.contradiction, of.similarity or 0.0) for of in entailments)
    return [faithfulness(function, [score], thresholds, 0.0) for score in scores]


def _ranked(sentence: str, evidence: Sequence[Evidence], rows: Mapping[str, Vectors]) -> FoundEvidence:
    distinct: dict[str, Evidence] = {}
    for piece in evidence:
        distinct.setdefault(piece.text, piece)
    pieces = list(distinct.values())
    cosines = [
        float(rows[piece.text] @ rows[sentence]) if piece.similarity is None else piece.similarity for piece in pieces
    ]
    order = sorted(range(len(pieces)), key=lambda place: -cosines[place])
    return FoundEvidence(sentence, tuple(pieces[place] for place in order), tuple(cosines[place] for place in order))


def _laid(looked_up: FoundEvidence, settings: RRSettings) -> list[tuple[tuple[Evidence, ...], float]]:
    """The choices of evidence to lay before the scorer, each with its similarity."""
    if not looked_up.evidence:
        return []
    few = looked_up.evidence[: settings.candidates]
    if settings.laid == "joined":
        return [(few, looked_up.similarities[0])]
    if settings.laid == "decisive":
        return [((piece,), looked_up.similarities[place]) for place, piece in enumerate(few)]
    return [((looked_up.evidence[0],), looked_up.similarities[0])]
