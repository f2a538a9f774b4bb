"""Figures of RR (papers/rr) with recorded chains of thought: StrategyQA and INFOTABS; no language model is asked.

    python benchmarks/rr.py ROW… --data PATH [--scorer NAME] [--work DIR] [--every N] [--through-method N]
    python benchmarks/rr.py fit --data PATH [--scorer NAME] [--work DIR] [--out src/toulmin/methods/rr/calibration.json]

ROW is one of

    strategyqa-gold        the golden Wikipedia sentences of each question as knowledge
    strategyqa-retrieved   the sentences of 7_train_sentchain.json instead
    strategyqa-query       table 3: evidence is found for the question instead of for each sentence
    strategyqa-retrievers  A.3: BM25, dense, and both, over an index of all these sentences of all questions
    infotabs               15 pairs of the dev part: a table, lexical relations, and both as knowledge (table 4)

2,061 questions, each with eight recorded chains (code001, code002, text002, text003; each COT and LtM). The denominator
is fixed: a question without golden sentences counts, and so does one whose chains are not read. Of table 3 and A.3
every seventh question is asked (--every). Each figure has a 95 % bootstrap interval, and McNemar's test against the
majority vote, against the vote weighted by the accuracy of each source, and against the default (mean-entailment).

What the labels of these questions were used for: for nothing with the majority and with "f1", "f2" and "f3", whose
formulas are the paper's. The forms of "mean-entailment" (1 + mean E, the simplest) and of "calibrated" (1 + E - C + G
- D) are two of some 180 that were tried on these same questions: their figures flatter them, and their p are of no
test. "weighted by accuracy" uses the accuracies of the eight sources (as the goal's 0.762 does). "fitted" is the
function "calibrated" with weights by logistic regression on nine tenths of the questions, applied to the others, ten
times, and on 200 questions, applied to the rest: of E, M and C, the means over the sentences, and of G and D, the
shares of what is grounded and what is disputed (toulmin.methods.rr.voting); its columns, too, are of those that were
tried. "votes only" is the same without evidence. "fit" fits them on all questions; --out writes those with one base,
scaled to base 1. The annotators' facts and decompositions (train.jsonl) are not used.

--through-method N asks N questions through the method itself, checks the certificates, and compares the votes.
Scores are kept in --work, with which the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import infotabs
import vote_weights
from strategyqa import SOURCES, Question, Scores, Source, plain_prediction, read_questions, score, scores_of
from through_method import compare
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.errors import ToulminError
from toulmin.evaluation.statistics import bootstrap_interval, mcnemar
from toulmin.methods.rr.settings import RRSettings
from toulmin.methods.rr.voting import calibration
from toulmin.program.weighing import Function, Tally, Thresholds, Ties, tally
from toulmin.retrieval.knowledge import GivenPassages, Knowledge, PassageKnowledge
from toulmin.retrieval.passages.index import RETRIEVERS, PassageIndex
from toulmin.retrieval.passages.indexing import build_passages

ROWS = ("strategyqa-gold", "strategyqa-retrieved", "strategyqa-query", "strategyqa-retrievers", "infotabs")
_FUNCTIONS: tuple[Function, ...] = ("f1", "f2", "f3")
_PAPER = Thresholds()
_OURS: Function = "mean-entailment"
_CHOSEN = "to choose the form"  # what labels of functions were used for that were tried on the same questions
_SAMPLE = 7  # of table 3 and A.3
_FEW = 200  # questions that weights are fitted on, to see what few labels give
_WIDTH = 150  # of the tables, where they go to a file

Right = NDArray[np.bool_]
Floats = NDArray[np.float64]


def main() -> int:
    """Print the rows that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="+", choices=(*ROWS, "fit"), metavar="ROW")
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds strategyqa and infotabs")
    parser.add_argument("--scorer", default="shipped", help="of entailment, by name")
    parser.add_argument("--work", type=Path, help="where scores are kept")
    parser.add_argument("--every", type=int, help="ask each N-th question")
    parser.add_argument("--out", type=Path, help="where fit writes its weights")
    parser.add_argument("--through-method", type=int, default=0, metavar="N", help="ask N questions through the method")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    try:
        scorer = get_scorer(arguments.scorer)
        with tempfile.TemporaryDirectory() as folder:
            work = arguments.work or Path(folder)
            work.mkdir(parents=True, exist_ok=True)
            for row in arguments.rows:
                run = Run(row, arguments.data, scorer, arguments.scorer, work, arguments.every)
                console.print(run.fitted(arguments.out) if row == "fit" else run.table())
                if arguments.through_method and row in ROWS[:2]:
                    console.print(run.through_method(arguments.through_method))
    except ToulminError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


class Run:
    """One row."""

    def __init__(self, row: str, data: Path, scorer: Scorer, name: str, work: Path, every: int | None) -> None:
        self.row, self.data, self.scorer, self.name, self.work = row, data, scorer, name, work
        sampled = row in ("strategyqa-query", "strategyqa-retrievers")
        self.every = every or (_SAMPLE if sampled else 1)

    def table(self) -> Table:
        """The table of the row."""
        if self.row == "infotabs":
            return infotabs.table(self.data, self.scorer)
        if self.row == "strategyqa-retrievers":
            return self._retrievers()
        questions = self.questions("retrieved" if self.row == "strategyqa-retrieved" else "gold")
        return self._query(questions) if self.row == "strategyqa-query" else self._strategyqa(questions)

    def questions(self, evidence: Source) -> list[Question]:
        """The questions that are asked."""
        return read_questions(self.data, evidence, every=self.every)

    def scores(
        self,
        questions: Sequence[Question],
        knowledge: Callable[[Question], Knowledge],
        settings: RRSettings,
        name: str = "given",
    ) -> Scores:
        """The scores of all sentences; ``name`` tells kinds of knowledge apart in the records."""
        cache = self.work / f"{self.row}.jsonl"
        return scores_of(
            questions, score(questions, knowledge, self.scorer, settings, cache, f"{self.name}, {name}"), settings
        )

    def through_method(self, number: int) -> Table:
        """The first questions again, through the method."""
        questions = self.questions("retrieved" if self.row == "strategyqa-retrieved" else "gold")[:number]
        scores = self.scores(questions, given, RRSettings())
        votes = {one: cast(questions, faithfulness(scores, one)) for one in _FUNCTIONS}
        votes[_OURS] = cast(questions, faithfulness(scores, _OURS))
        votes["calibrated"] = cast(questions, calibrated(scores))
        return compare(questions, given, self.name, votes)

    def _strategyqa(self, questions: list[Question]) -> Table:
        scores = self.scores(questions, given, RRSettings())
        bare = sum(not one.evidence for one in questions)
        title = f"{self.row}: {len(questions):,} questions, {bare} without evidence; scorer {self.scorer.name}"
        yes = np.array([one.answer for one in questions])
        signs = votes_of(questions)
        accuracy = ((signs > 0) == yes[:, None]) & (signs != 0)
        majority = right(questions, cast(questions, np.ones(scores.count), "no"))
        weighted = right(questions, cast(questions, np.tile(accuracy.mean(axis=0), len(questions)), "no"))
        plain = [tally([plain_prediction(chain) for chain in one.chains], [1.0] * 8) for one in questions]
        default = right(questions, cast(questions, faithfulness(scores, _OURS)))
        report = Report(title, {"majority": majority, "accuracy": weighted, "the default": default})
        report.add("majority, only \u201canswer is yes|no\u201d is read", "no", right(questions, plain))
        report.add("majority", "no", majority)
        report.add("weighted by accuracy", "all, for 8 accuracies", weighted)
        for one in _FUNCTIONS:
            weights = faithfulness(scores, one)
            report.add(f"{one} (paper)", "no", right(questions, cast(questions, weights)))
            report.add(f"{one}, best single output", "no", right(questions, cast(questions, weights, voting=False)))
        told = scores.columns()
        report.add("mean-entailment (default)", _CHOSEN, default)
        report.add("calibrated", _CHOSEN, right(questions, cast(questions, calibrated(scores))))
        for name, used, by_source in (
            ("votes only, a base for each source", None, True),
            ("fitted, one base + E, M, C, G, D", told, False),
            ("fitted, a base for each source + E, M, C", told[:, :3], True),
            ("fitted, a base for each source + E, M, C, G, D", told, True),
        ):
            x = vote_weights.columns(signs, used, by_source=by_source)
            odds = vote_weights.cross_fitted(x, yes)
            report.add(name, "9/10, cross-fitted", (odds > 0) == yes)
            if len(questions) > 2 * _FEW:
                mean, deviation = vote_weights.from_few(x, yes, labels=_FEW)
                report.note(name, f"{_FEW} questions, on the others", f"{mean:.4f} (\u00b1 {deviation:.4f} over draws)")
        return report.table

    def _query(self, questions: list[Question]) -> Table:
        title = f"table 3: {len(questions)} questions, golden sentences; scorer {self.scorer.name}"
        majority = right(questions, cast(questions, np.ones(len(SOURCES) * len(questions)), "no"))
        report = Report(title, {"majority": majority})
        report.add("majority", "no", majority)
        for retrieval in ("query", "decomposition"):
            settings = RRSettings(retrieval="query" if retrieval == "query" else "decomposition")
            scores = self.scores(questions, nearest, settings, "nearest")
            for one in _FUNCTIONS:
                report.add(
                    f"{one}, {retrieval}-based", "no", right(questions, cast(questions, faithfulness(scores, one)))
                )
            default = right(questions, cast(questions, faithfulness(scores, _OURS)))
            report.add(f"{_OURS}, {retrieval}-based", _CHOSEN, default)
        return report.table

    def _retrievers(self) -> Table:
        questions = self.questions("gold")
        folder = self._index()
        index = PassageIndex.open(folder)
        title = f"A.3: {len(questions)} questions, {len(index):,} sentences; scorer {self.scorer.name}"
        majority = right(questions, cast(questions, np.ones(len(SOURCES) * len(questions)), "no"))
        report = Report(title, {"majority": majority})
        report.add("majority", "no", majority)
        for retriever in RETRIEVERS:
            knowledge = PassageKnowledge(index, retriever=retriever)
            scores = self.scores(questions, always(knowledge), RRSettings(), retriever)
            for one in ("f1", "f2"):
                report.add(f"{retriever}, {one}", "no", right(questions, cast(questions, faithfulness(scores, one))))
            default = right(questions, cast(questions, faithfulness(scores, _OURS)))
            report.add(f"{retriever}, {_OURS}", _CHOSEN, default)
        return report.table

    def _index(self) -> Path:
        folder = self.work / "sentences"
        if not folder.exists():
            texts = {
                text: None
                for evidence in ("gold", "retrieved")
                for one in read_questions(self.data, "gold" if evidence == "gold" else "retrieved")
                for text in one.evidence
            }
            source = self.work / "sentences.jsonl"
            lines = (json.dumps({"id": f"s{number}", "text": text}) for number, text in enumerate(texts))
            source.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            build_passages([source], folder, vectors=True)
        return folder

    def fitted(self, out: Path | None) -> Table:
        """The weights that all questions give."""
        self.row = ROWS[0]  # with its scores
        questions = self.questions("gold")
        scores = self.scores(questions, given, RRSettings())
        yes, signs, told = np.array([one.answer for one in questions]), votes_of(questions), scores.columns()
        table = Table(title=f"weights of paths, fitted on {len(questions):,} questions; scorer {self.scorer.name}")
        for column in ("base", "mean E", "mean M", "mean C", "grounded", "disputed"):
            table.add_column(column)
        base, *weights = vote_weights.fit(vote_weights.columns(signs, told, by_source=False), yes)
        table.add_row(f"{base:.3f}", *(f"{weight:.3f}" for weight in weights))
        every = vote_weights.fit(vote_weights.columns(signs, told, by_source=True), yes)
        bases = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(SOURCES, every, strict=False))
        table.add_row(bases, *(f"{weight:.3f}" for weight in every[len(SOURCES) :]))
        if out is not None:
            names = ("entailment", "similarity", "contradiction", "grounded", "disputed")
            scaled = {name: round(float(weight / base), 2) for name, weight in zip(names, weights, strict=True)}
            out.write_text(json.dumps({"base": 1.0, **scaled, "sources": {}}) + "\n")
        return table


class Report:
    """A table of accuracies over the same questions, each compared with baselines."""

    def __init__(self, title: str, baselines: dict[str, Right]) -> None:
        self._baselines = baselines
        self.table = Table(title=title)
        for column in ("vote", "labels used", "accuracy [95 %]", *(f"against {name}" for name in baselines)):
            self.table.add_column(column)

    def add(self, name: str, labels: str, answered: Right) -> None:
        """A row; of a comparison: questions only it got right, only the baseline got right, and p."""
        interval = bootstrap_interval(answered.astype(np.float64))
        cells = []
        for baseline in self._baselines.values():
            test = mcnemar(answered.tolist(), baseline.tolist())
            cells.append(
                f"+{test.only_first} \u2212{test.only_second}, p {test.p:.2g}" if (answered != baseline).any() else ""
            )
        self.table.add_row(name, labels, f"{interval.estimate:.4f} [{interval.low:.3f}, {interval.high:.3f}]", *cells)

    def note(self, name: str, labels: str, figure: str) -> None:
        """A row without comparisons."""
        self.table.add_row(name, labels, figure, *("" for _ in self._baselines))


def given(question: Question) -> Knowledge:
    """The evidence of the question, all of it."""
    return GivenPassages(question.evidence)


def nearest(question: Question) -> Knowledge:
    """The evidence of the question, of which one piece is found."""
    return GivenPassages(question.evidence, k=1)


def always(knowledge: Knowledge) -> Callable[[Question], Knowledge]:
    """The same knowledge for every question."""
    return lambda _: knowledge


def faithfulness(scores: Scores, function: Function, at: Thresholds = _PAPER, base: float = 1.0) -> Floats:
    """f(R) of each path: float64[8 n]."""
    return scores.faithfulness(function, at, base)


def calibrated(scores: Scores) -> Floats:
    """What "calibrated" as it ships makes of each path, which knows nothing of their sources: float64[8 n]."""
    shipped = calibration()
    at = Thresholds(weights=shipped.weights, words=shipped.words)
    return faithfulness(scores, "calibrated", at, shipped.base)


def cast(
    questions: Sequence[Question],
    weights: Floats,
    ties: Ties = "majority",
    *,
    voting: bool = True,
) -> list[Tally | None]:
    """The vote of each question, by weights float64[8 n]."""
    rows = weights.reshape(len(questions), -1).tolist()
    return [tally(one.predictions, row, ties, voting=voting) for one, row in zip(questions, rows, strict=True)]


def right(questions: Sequence[Question], votes: Sequence[Tally | None]) -> Right:
    """Which votes are right; where no chain has a prediction, none is."""
    return np.array(
        [
            vote is not None and (vote.prediction == "yes") == one.answer
            for one, vote in zip(questions, votes, strict=True)
        ]
    )


def votes_of(questions: Sequence[Question]) -> Floats:
    """float64[n, 8]: 1 for yes, -1 for no, 0 for no prediction."""
    said = {"yes": 1.0, "no": -1.0, None: 0.0}
    return np.array([[said[prediction] for prediction in one.predictions] for one in questions])


if __name__ == "__main__":
    raise SystemExit(main())
