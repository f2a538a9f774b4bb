"""What the graph does not decide of a fact, held against passages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toulmin.check_text.judge.fact_verdict import FactVerdict, JudgeSettings
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, Scorer

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge.protocol import Knowledge
    from toulmin.retrieval.passages import Excerpt

__all__ = ["with_passages"]


def with_passages(
    text: str, verdicts: list[FactVerdict], knowledge: Knowledge, scorer: Scorer, settings: JudgeSettings
) -> list[FactVerdict]:
    """The verdicts, where what the graph does not decide is held against passages.

    What it contradicts stays contradicted; a passage that says so is named.
    """
    open_ones = [place for place, one in enumerate(verdicts) if one.verdict != "supported"]
    found = knowledge.find([verdicts[place].fact.text for place in open_ones], about=text)
    pairs = [
        (evidence.text, verdicts[place].fact.text)
        for place, some in zip(open_ones, found, strict=True)
        for evidence in some
    ]
    if not pairs:
        return verdicts
    scores = scorer.score(pairs)
    out, at = list(verdicts), 0
    for place, some in zip(open_ones, found, strict=True):
        own = scores[at : at + len(some)]
        at += len(some)
        if not len(own):
            continue
        for column, least, verdict, verb in (
            (ENTAIL, max(settings.passage_support, settings.sure), "supported", "says so"),
            (CONTRADICT, max(settings.passage_contradiction, settings.sure), "contradicted", "says otherwise"),
        ):
            best = int(own[:, column].argmax())
            evidence = some[best]
            if verdicts[place].statements:
                if column == ENTAIL and own[best, column] >= least and evidence.excerpt is not None:
                    out[place] = _despite(verdicts[place], evidence.excerpt, float(own[best, column]))
                continue
            if own[best, column] >= least and evidence.excerpt is not None:
                source = evidence.excerpt.source
                out[place] = FactVerdict(
                    verdicts[place].fact,
                    "supported" if verdict == "supported" else "contradicted",
                    float(own[best, column]),
                    f"the passage {source} {verb}: {evidence.excerpt.text!r}",
                    verdicts[place].links,
                    (),
                    (evidence.excerpt,),
                    f"the passage {source} {'entails' if column == ENTAIL else 'contradicts'} the sentence",
                )
                break
    return out


def _despite(verdict: FactVerdict, excerpt: Excerpt, score: float) -> FactVerdict:
    reason = f"{verdict.reason}, though the passage {excerpt.source} says so: {excerpt.text!r}"
    return replace(verdict, reason=reason, despite=(excerpt, score))
