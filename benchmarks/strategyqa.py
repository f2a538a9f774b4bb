"""StrategyQA with recorded chains of thought, for benchmarks/rr.py: questions, evidence, and scores of sentences.

Knowledge is the golden Wikipedia sentences (train_gdsent.json) or the retrieved ones (7_train_sentchain.json) of each
question, matched by the question's text. The annotators' facts and decompositions are never read.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray

from toulmin.entailment.protocol import Scorer
from toulmin.evaluation.datasets import load
from toulmin.methods.rr.chains import ReasoningChain, parse_chain
from toulmin.methods.rr.sentence_scores import Entailed, look_up_evidence, score_sentences
from toulmin.methods.rr.settings import RRSettings
from toulmin.methods.rr.voting import Sample, Shares, shares_of
from toulmin.program.weighing import Function, Thresholds, faithfulness
from toulmin.program.weighing import Scores as Sentence
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.knowledge import Evidence, Knowledge

__all__ = [
    "SOURCES",
    "Question",
    "Scores",
    "Source",
    "digest",
    "plain_prediction",
    "read_questions",
    "score",
    "scores_of",
]

#: The eight recorded chains of a question: four models, each asked for a chain of thought and from least to most.
SOURCES = tuple(f"{model}_{form}" for model in ("code001", "code002", "text002", "text003") for form in ("COT", "LtM"))

Source = Choice["gold", "retrieved"]
Floats = NDArray[np.float64]

_PLAIN = re.compile(r"\banswer is (yes|no)\b", re.IGNORECASE)
_TOLD = 100  # questions between two lines on progress


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its recorded chains, in the order of ``SOURCES``, and its evidence."""

    text: str
    answer: bool
    chains: tuple[ReasoningChain, ...]
    evidence: tuple[str, ...]

    def samples(self, settings: RRSettings) -> list[Sample]:
        """The chains as the method takes them."""
        return [Sample.of(number, chain, settings) for number, chain in enumerate(self.chains, 1)]

    def sentences(self, settings: RRSettings) -> list[str]:
        """The distinct sentences that the method weighs, in its order."""
        return list(dict.fromkeys(text for sample in self.samples(settings) for text in sample.sentences))

    @property
    def predictions(self) -> list[str | None]:
        """ "yes", "no" or None of each chain."""
        return [chain.prediction if chain.prediction in ("yes", "no") else None for chain in self.chains]


@dataclass(frozen=True, slots=True)
class Scores:
    """M, E and C of the sentences of all paths, float64[n]; int64[n] the number of each one's path; shares by path.

    Path 8 q + j is chain j of question q.
    """

    path: NDArray[np.int64]
    similarity: Floats
    entailment: Floats
    contradiction: Floats
    shares: tuple[Shares, ...]

    @property
    def count(self) -> int:
        """Of the paths."""
        return len(self.shares)

    def faithfulness(self, function: Function, at: Thresholds, base: float = 1.0) -> Floats:
        """f(R) of each path: float64[count]."""
        said: list[list[Sentence]] = [[] for _ in range(self.count)]
        rows = zip(self.path.tolist(), self.entailment, self.contradiction, self.similarity, strict=True)
        for path, *scores in rows:
            said[path].append(Sentence(*map(float, scores)))
        paths = zip(said, self.shares, strict=True)
        return np.array([faithfulness(function, one, at, base, shares) for one, shares in paths], dtype=np.float64)

    def columns(self) -> Floats:
        """What "calibrated" weighs, float64[count, 5]: the means of E, M and C (0 of no sentence), and the shares."""
        number = np.maximum(np.bincount(self.path, minlength=self.count), 1)
        scores = (self.entailment, self.similarity, self.contradiction)
        means = [np.bincount(self.path, one, self.count) / number for one in scores]
        words = np.array([(one.grounded, one.disputed) for one in self.shares]).reshape(-1, 2)
        return np.column_stack([*means, words])


def read_questions(data: Path, evidence: Source = "gold", *, every: int = 1) -> list[Question]:
    """Each ``every``-th of the 2,061 questions; one without evidence stays among them."""
    asked = load("strategyqa" if evidence == "gold" else "strategyqa/retrieved", data).questions
    passages = {_key(one.question): one.passages or () for one in asked}
    questions = []
    for record in list(_lines(data / "strategyqa" / "recorded_cot.jsonl"))[::every]:
        chains = tuple(parse_chain(record["completions"][source]) for source in SOURCES)
        pieces = passages.get(_key(record["question"]), ())
        questions.append(Question(record["question"], bool(record["gold"]), chains, pieces))
    return questions


def plain_prediction(chain: ReasoningChain) -> str | None:
    """What follows "answer is", where that is yes or no: the strict reading of the baselines."""
    found = _PLAIN.findall(chain.text)
    return found[-1].lower() if found else None


def score(
    questions: Sequence[Question],
    knowledge: Callable[[Question], Knowledge],
    scorer: Scorer,
    settings: RRSettings,
    cache: Path,
    name: str,
) -> list[dict[str, Entailed]]:
    """M, E and C of each sentence of each question, through the functions of the method.

    Args:
        cache: a file of JSON lines that is gone on with; its records hold scores by the digest of what was scored.
        name: of the kind of knowledge, where one file serves several.
    """
    embedder = get_embedder()
    known = {one["key"]: one["scores"] for one in _lines(cache)} if cache.exists() else {}
    how = [settings.retrieval, settings.laid, settings.candidates, settings.arguments]
    results: list[dict[str, Entailed]] = []
    began, scored_now = time.perf_counter(), 0
    for number, question in enumerate(questions):
        sentences = question.sentences(settings)
        key = digest([question.text, question.evidence, sentences, scorer.name, name, how])
        if key not in known:
            source = knowledge(question)
            scored = score_sentences(
                look_up_evidence(sentences, source, embedder, question.text, settings), scorer, settings
            )
            known[key] = [
                [one.similarity, one.entailment, one.unknown, one.contradiction, [piece.text for piece in one.evidence]]
                for one in scored
            ]
            scored_now += 1
            if scored_now % _TOLD == 0:
                passed = time.perf_counter() - began
                print(f"{number + 1} of {len(questions)} questions, {passed:.0f} s", file=sys.stderr, flush=True)
            with cache.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "scores": known[key]}) + "\n")
        rows = zip(sentences, known[key], strict=True)
        results.append(
            {sentence: Entailed(sentence, tuple(map(Evidence, laid)), *row) for sentence, (*row, laid) in rows}
        )
    return results


def scores_of(questions: Sequence[Question], scored: Sequence[dict[str, Entailed]], settings: RRSettings) -> Scores:
    """The scores of the sentences of all paths."""
    rows = [
        (len(SOURCES) * number + place, one.similarity or 0.0, one.entailment, one.contradiction)
        for number, (question, found) in enumerate(zip(questions, scored, strict=True))
        for place, sample in enumerate(question.samples(settings))
        for one in (found[sentence] for sentence in sample.sentences)
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    shares = [own for one, found in zip(questions, scored, strict=True) for own in _shares(one, found, settings)]
    return Scores(table[:, 0].astype(np.int64), table[:, 1], table[:, 2], table[:, 3], tuple(shares))


def _shares(question: Question, found: dict[str, Entailed], settings: RRSettings) -> list[Shares]:
    said = zip(question.predictions, question.samples(settings), strict=True)
    laid = dict.fromkeys(piece.text for one in found.values() for piece in one.evidence)
    return shares_of(question.text, [(prediction, sample.sentences) for prediction, sample in said], laid)


def digest(content: Any) -> str:
    """The digest of what a record rests on."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _key(question: str) -> str:
    return " ".join(question.split())


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
