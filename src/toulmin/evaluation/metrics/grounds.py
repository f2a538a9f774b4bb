"""What an answer rests on: whether it is grounded, which statements it cites, and whether they bear it out."""

from __future__ import annotations

from collections.abc import Collection

from toulmin.evaluation.metrics.declared import Metric
from toulmin.program.answer import Answer
from toulmin.program.nodes import Vote
from toulmin.program.weighing import counted

__all__ = ["METRICS", "citation_scores", "faithfulness", "statement_scores"]

_GOLD_STATEMENTS = "questions whose gold statements are named"
_TEXTS = "answers that are texts; questions without gold that got no answer"
_CITATIONS = "Gao et al. 2023 (ALCE), section 3, by sentences; judged as the answer itself marks them"

METRICS = (
    Metric(
        "grounded_accuracy",
        "1 iff the answer is right (accuracy, else hits_at_1) and grounded: its certificate passes the check against "
        "the graph, it rests on look-ups there, and nothing that it needs is assumed, or judged without a statement "
        "seen (evaluation.grounding.passes_grounded).",
        "ours; right for the right reasons, after papers/r3",
        "checked answers to questions with gold",
    ),
    Metric(
        "gold_statement_used",
        "1 iff the answer rests on at least one of the gold statements.",
        "ours",
        _GOLD_STATEMENTS,
    ),
    Metric(
        "statement_precision",
        "|C ∩ G| / |C| of the statements C that the answer rests on, as the kernel's check lists them (names of "
        "entities aside), and the gold statements G; 0 where C is empty, or there is no answer.",
        "ours; citations as a set",
        _GOLD_STATEMENTS,
    ),
    Metric(
        "statement_recall",
        "|C ∩ G| / |G| of the same sets; 0 where there is no answer.",
        "ours; citations as a set",
        _GOLD_STATEMENTS,
    ),
    Metric(
        "citation_precision",
        "Of the sentences that cite something, the share that is supported by what they cite: not open, not "
        "contradicted. 0 where none cites.",
        _CITATIONS,
        _TEXTS,
    ),
    Metric(
        "citation_recall",
        "Of all sentences, the share that is supported by what they cite; 0 where there is none.",
        _CITATIONS,
        _TEXTS,
    ),
    Metric(
        "faithfulness",
        "The mean entailment probability of the facts of the explanation, each laid beside the evidence that was found "
        "for it: of the vote's winning prediction, the output of most weight (of variants I and II, the facts they "
        "end with). 0 where the explanation states no fact. By the scorer of the run, so that runs with two scorers "
        "cannot be compared. The paper does not say whether the explanation is judged fact by fact or whole.",
        "papers/rr, section 5.3, table 5; the NLI metric of Honovich et al. 2022",
        "answers by a vote of outputs whose sentences were weighed (rr)",
    ),
)


def statement_scores(cited: Collection[str], gold: Collection[str]) -> dict[str, float]:
    """``gold_statement_used``, ``statement_precision`` and ``statement_recall`` of two sets of statement ids."""
    common = len(set(cited) & set(gold))
    return {
        "gold_statement_used": float(common > 0),
        "statement_precision": common / len(set(cited)) if cited else 0.0,
        "statement_recall": common / len(set(gold)) if gold else 0.0,
    }


def citation_scores(answer: Answer | None) -> dict[str, float]:
    """``citation_precision`` and ``citation_recall`` of the sentences of a text, by their verdicts.

    A text that answers nobody's question (``check-text``) has the verdicts of the graph: what is not checked is taken
    for a sentence without a citation.
    """
    verdicts = [one.verdict for one in answer.sentences] if answer is not None else []
    supported = verdicts.count("supported")
    cited = sum(verdict not in ("uncited", "not checked") for verdict in verdicts)
    return {
        "citation_precision": supported / cited if cited else 0.0,
        "citation_recall": supported / len(verdicts) if verdicts else 0.0,
    }


def faithfulness(answer: Answer) -> float | None:
    """The mean entailment of the facts of an explanation; None of an answer without a vote whose outputs were weighed.

    An answer of several votes (none has so far) is judged by the last.
    """
    votes = [Vote.model_validate(node) for node in answer.certificate["program"] if node["op"] == "vote"]
    if not votes or not any(chain.sentences for chain in votes[-1].chains):
        return None
    won = counted(votes[-1])
    scores = [one.entailment for one in votes[-1].chains[won.best].sentences] if won else []
    return sum(scores) / len(scores) if scores else 0.0
