"""The vote of chains of thought, each weighed by its scores (papers/rr, eq. 1 and A.2)."""

from __future__ import annotations

from math import fsum

from toulmin.errors import InputError
from toulmin.program.nodes import Chain, Vote

__all__ = ["outcome", "weight"]

_SAME = 1e-9  # weights that differ by less are the same


def weight(vote: Vote, chain: Chain) -> float:
    """How much a chain counts."""
    t_m, t_e, t_c = (
        given if given is not None else usual for given, usual in ((vote.T_m, 0.5), (vote.T_e, 0.6), (vote.T_c, 0.99))
    )
    scores = [(one.entailment, one.similarity or 0.0, one.contradiction) for one in chain.sentences]
    base = 1.0 if chain.base is None else chain.base
    if vote.function == "equal":
        return 1.0
    if vote.function == "f1":
        return fsum(term for e, m, c in scores for term in (m if m >= t_m else e, -c))
    if vote.function == "f2":
        return fsum(term for e, m, _ in scores for term in (m, e))
    if vote.function == "f3":
        return fsum(term for e, _, c in scores for term in (e if e >= t_e else 0.0, -c if c >= t_c else 0.0))
    means = [fsum(column) / len(scores) for column in zip(*scores, strict=True)] if scores else [0.0] * 3
    if vote.function == "mean-entailment":
        return base + means[0]
    weights = (*(vote.w or (1.0, 0.0, 0.0)), *(vote.words or (0.0, 0.0)))
    values = (*means, chain.grounded or 0.0, chain.disputed or 0.0)
    return fsum((base, *(one * value for one, value in zip(weights, values, strict=True))))


def outcome(vote: Vote) -> str | None:
    """The prediction with most weight behind it; None where no chain has one.

    Raises:
        InputError: a sample votes twice, or a sentence does not stand in the text of its chain, in order.
    """
    if len({chain.sample for chain in vote.chains}) < len(vote.chains):
        raise InputError("a sample votes twice")
    for chain in vote.chains:
        at = 0
        for sentence in chain.sentences:
            found = chain.text.find(sentence.text, at)
            if found < 0:
                raise InputError(f"the sentence {sentence.text[:80]!r} does not stand in the text of its chain")
            at = found + len(sentence.text)
    behind: dict[str, list[float]] = {}
    for chain in vote.chains:
        if chain.prediction is not None and (not vote.yes_or_no or chain.prediction in ("yes", "no")):
            behind.setdefault(chain.prediction, []).append(weight(vote, chain))
    if not behind:
        return None
    together = vote.voting is None or vote.voting
    scores = {said: fsum(weights) if together else max(weights) for said, weights in behind.items()}
    most = max(scores.values())
    tied = [said for said, score in scores.items() if score >= most - _SAME]
    if vote.ties == "majority":
        tied = [said for said in tied if len(behind[said]) == max(len(behind[one]) for one in tied)]
    return "no" if vote.ties != "first" and "no" in tied else tied[0]
