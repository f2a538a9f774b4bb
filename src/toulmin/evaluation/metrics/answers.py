"""How an answer agrees with the gold one. Every score is in [0, 1] and of one question.

And what it rests on: whether it is grounded, which statements it cites, and whether they bear it out.

Two values match iff their labels are equal after normalisation (``value_key``): no substrings, no near matches.
Questions abstained from, crashed or timed out score 0 and stay in the denominator.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple

from toulmin.evaluation.datasets.types import Question
from toulmin.graph.labels import normalise, readable_id
from toulmin.graph.types import Entity, Node
from toulmin.kernel import Report
from toulmin.kernel.format import ALIAS, LABEL
from toulmin.program.answer import STATED, Answer
from toulmin.program.json_forms import statement_of
from toulmin.program.nodes import Vote
from toulmin.program.weighing import counted

__all__ = [
    "SetScores",
    "citation_scores",
    "exact_match",
    "faithfulness",
    "hits_at_k",
    "legacy_contained",
    "legacy_f1",
    "legacy_hit",
    "legacy_mean",
    "passes_grounded",
    "plain_number",
    "question_metrics",
    "set_scores",
    "squad_form",
    "statement_scores",
    "token_f1",
    "value_id",
    "value_key",
    "value_keys",
    "value_label",
    "verdict_accuracy",
]

#: How many values count for ``hits_at_…``.
HITS = (1, 3, 10)

_PlainNode = Mapping[str, Any]  # of a certificate

_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_MINUS = re.compile(r"\s*[-\u2212]\s*(?=[0-9])")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def value_label(node: Node) -> str:
    """What is compared with a gold label: an entity's label (its readable id where it has none), a literal's value."""
    if isinstance(node, Entity):
        return node.label if node.label is not None else readable_id(node.id)
    return node.value


def value_id(node: Node) -> str:
    """What is compared with a gold id: an entity's id, a literal's value, of a number its shortest form."""
    return node.id if isinstance(node, Entity) else plain_number(node.value)


def plain_number(text: str) -> str:
    """A decimal number in its shortest form, to twelve digits (engines round otherwise); other texts as they are."""
    if not _DECIMAL.fullmatch(text):
        return text
    return f"{Decimal(text).normalize(Context(prec=12)):f}"


def value_key(label: str) -> str:
    """A label as it is compared: normalised (case, width, punctuation, underscores); the minus of a number counts."""
    minus = _MINUS.match(label)
    return "-" + normalise(label[minus.end() :]) if minus else normalise(label)


def value_keys(labels: Iterable[str]) -> set[str]:
    """``value_key`` of each."""
    return {value_key(label) for label in labels}


def squad_form(text: str) -> str:
    """A text as SQuAD 1.1 compares it: lower case, without ASCII punctuation and English articles, single blanks."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def hits_at_k(values: Sequence[str], gold: Collection[str], k: int = 1) -> float:
    """1 iff one of the first ``k`` values, in the order that the answer states, is one of the gold values."""
    return float(not value_keys(values[:k]).isdisjoint(value_keys(gold)))


class SetScores(NamedTuple):
    """How an answer set A agrees with a gold set G."""

    precision: float
    recall: float
    f1: float
    exact: float


def set_scores(values: Iterable[str], gold: Iterable[str]) -> SetScores:
    """Agreement of the sets A of values and G of gold, whatever their order and repetitions.

    precision = |A ∩ G| / |A|, recall = |A ∩ G| / |G|, f1 = 2 |A ∩ G| / (|A| + |G|), exact = 1 iff A = G. With nothing
    to divide by, precision and recall are 0; two empty sets agree (all 1). Hence f1 = 1 iff A = G.
    """
    a, g = value_keys(values), value_keys(gold)
    if not a and not g:
        return SetScores(1.0, 1.0, 1.0, 1.0)
    common = len(a & g)
    return SetScores(
        precision=common / len(a) if a else 0.0,
        recall=common / len(g) if g else 0.0,
        f1=2 * common / (len(a) + len(g)),
        exact=float(a == g),
    )


def verdict_accuracy(verdict: bool | None, gold: bool) -> float:
    """1 iff the verdict is the gold one; no verdict (unknown) is wrong."""
    return float(verdict is gold)


def exact_match(text: str, gold: Collection[str]) -> float:
    """1 iff the text equals one of the gold ones, which are alternatives, after SQuAD's normalisation."""
    return float(squad_form(text) in map(squad_form, gold))


def token_f1(text: str, gold: Collection[str]) -> float:
    """The best F1 of the words of the text and of one of the gold ones, as multisets, after SQuAD's normalisation."""
    return max((_token_f1(squad_form(text).split(), squad_form(form).split()) for form in gold), default=0.0)


def _token_f1(words: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(words) & Counter(gold)).total()
    return 2 * common / (len(words) + len(gold)) if common else 0.0


# -- what published scripts compute in place of these, for comparison with their figures and for nothing else ---------


def legacy_hit(values: Iterable[str], gold: Iterable[str]) -> float:
    """1 iff any value contains a gold value or is contained in one, after normalisation.

    Any value counts, not only the first, and substrings match both ways, so that "male" hits "female" and an answer
    that lists everything is right.
    """
    a, g = value_keys(values) - {""}, value_keys(gold) - {""}
    return float(any(x in y or y in x for x in a for y in g))


def _contained(values: Sequence[str], gold: Collection[str]) -> int:
    """How many gold values are part of the text of all values."""
    text = squad_form(" ".join(values))
    return sum(squad_form(answer) in text for answer in gold)


def legacy_contained(values: Sequence[str], gold: Collection[str]) -> float:
    """1 iff a gold value is part of the text of all values, as the scripts of RoG and others have it (their Hit)."""
    return float(bool(values) and _contained(values, gold) > 0)


def legacy_f1(values: Sequence[str], gold: Collection[str]) -> float:
    """The F1 of these scripts, whose precision is gold values found over values given, and may be over 1."""
    if not values or not gold:
        return 0.0
    matched = _contained(values, gold)
    precision, recall = matched / len(values), matched / len(gold)
    return 2 * precision * recall / (precision + recall) if matched else 0.0


def legacy_mean(scores: Mapping[str, float], answered: Collection[str]) -> float | None:
    """The mean score over the answered questions only, as scripts report that drop the others; None for none."""
    of_answered = [score for question, score in scores.items() if question in answered]
    return sum(of_answered) / len(of_answered) if of_answered else None


def question_metrics(question: Question, answer: Answer | None) -> dict[str, float]:
    """Every metric of one question; all are 0 for no answer, and for an abstention where the gold is something else.

    ``accuracy`` where the gold is a verdict, one of several options, or that the graph does not tell; else those of
    values, of rows over the values of all their cells. None where the question has no gold.
    """
    if question.unknown:
        return {"accuracy": float(answer is not None and answer.abstained)}
    given = answer if answer is not None and not answer.abstained else None
    if question.verdict is not None:
        return {"accuracy": verdict_accuracy(given.verdict, question.verdict) if given else 0.0}
    if not question.answers:
        return {}
    nodes = (*given.values, *(node for row in given.rows for cell in row for node in cell)) if given else ()
    text = value_id if question.by_id else value_label
    values, gold = [text(value) for value in nodes], question.answers
    if question.options:
        return {"accuracy": set_scores(values, gold).exact}
    if question.by_id:
        gold = tuple(map(plain_number, gold))
        values += [{True: "true", False: "false"}[given.verdict]] if given and given.verdict is not None else []
    scores = {f"hits_at_{k}": hits_at_k(values, gold, k) for k in HITS} | set_scores(values, gold)._asdict()
    if question.by_id:
        return scores
    first = values[0] if values else None
    return scores | {
        "exact_match": 0.0 if first is None else exact_match(first, gold),
        "token_f1": 0.0 if first is None else token_f1(first, gold),
        "legacy_hit": legacy_hit(values, gold),
        "legacy_contained": legacy_contained(values, gold),
        "legacy_f1": legacy_f1(values, gold),
    }


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
    verdicts = [sentence.verdict for sentence in answer.sentences] if answer is not None else []
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
    scores = [sentence.entailment for sentence in votes[-1].chains[won.best].sentences] if won else []
    return sum(scores) / len(scores) if scores else 0.0


def passes_grounded(answer: Answer, report: Report) -> bool:
    """Whether an answer (not an abstention) passes its check and is grounded, as grounded accuracy counts.

    ``Answer.grounded`` asks something else: it reads a certificate that nobody checked, takes documents for grounds as
    well, lets premises be assumed, and heeds what a method marks as its model's word. This here is so iff

    - nothing fails, is stale, unverifiable or assumed, and the answer rests on a look-up in the graph, other than of
      whom a name belongs to: that the graph, or a relation, is complete is a premise that the graph does not state;
    - what is judged is how words are to be read (entities, rules, the reading of the question), or is judged by nodes
      that look something up: what a model says from memory is neither, nor is what most outputs of a model say;
    - a statement that a clause of an axiom is judged by speaks of something that the question, the axiom or the option
      names, or is joined to it by statements that the answer rests on: else something that is not stated is between.
    """
    if answer.abstained or report.exit_code or report.status in ("unverifiable", "assumed"):
        return False
    program: Sequence[_PlainNode] = answer.certificate["program"]
    used = [program[node["place"]] for node in report.nodes if node["used"]]
    if not any(map(_is_stated, used)) or any(node["op"] == "vote" for node in used):
        return False
    judged = [node for node in used if node["op"] == "judged" and node["decision"] != "unknown"]
    if not all(any(_is_stated(program[place]) for place in node["seen"]) for node in judged):
        return False
    return _joined(answer, used, judged)


def _is_stated(node: _PlainNode) -> bool:
    return node["op"] in STATED and not {LABEL, ALIAS}.issuperset(node.get("relations", ("",)))


def _joined(answer: Answer, used: Sequence[_PlainNode], judged: Sequence[_PlainNode]) -> bool:
    """Whether the statements by which clauses were judged are joined to what is named."""
    program: Sequence[_PlainNode] = answer.certificate["program"]
    labels: Mapping[str, str] = (answer.certificate.get("trace") or {}).get("labels", {})
    cited = {place for node in judged for place in node["seen"] if program[place]["op"] == "statement"}
    places = cited | {place for place, node in enumerate(program) if node["op"] == "statement" and node in used}
    question_text = f" {normalise(' '.join(_texts(answer.question, used)))} "
    joined_ids = {node["id"] for node in program if node["op"] == "entity"}
    unjoined = {place: _ends(program[place], labels) for place in places}
    while joined := [
        place
        for place, ends in unjoined.items()
        if joined_ids & set(ends) or any(label and f" {normalise(label)} " in question_text for label in ends.values())
    ]:
        for place in joined:
            joined_ids |= set(unjoined.pop(place))
    return not any(place in unjoined for place in cited)


def _texts(question: str, used: Sequence[_PlainNode]) -> Iterable[str]:
    yield question
    for node in used:
        if node["op"] in ("judged", "rule"):
            yield node["says"]
        elif node["op"] == "literal":
            yield node["value"]["value"]
        elif node["op"] == "choice":
            yield from (part["option"]["value"] for part in node["options"])


def _ends(node: _PlainNode, labels: Mapping[str, str]) -> dict[str, str]:
    statement = statement_of(node["statement"])
    return {
        end.id: labels.get(end.id, end.id) for end in (statement.subject, statement.object) if isinstance(end, Entity)
    }
