"""The vote of outputs, each weighed by how far evidence bears its sentences out (Rethinking with Retrieval, A.2)."""

from __future__ import annotations

from math import fsum
from typing import Any

from .certificate import Op
from .errors import KernelError

_SAME = 1e-9  # weights that differ by less are the same


def _weight(node: Op, chain: Any) -> float:
    sentences, function = chain["sentences"], node["function"]
    at_m, at_e, at_c = (
        default if node[name] is None else node[name] for name, default in (("T_m", 0.5), ("T_e", 0.6), ("T_c", 0.99))
    )
    base = 1.0 if chain["base"] is None else chain["base"]
    scores = [(one["entailment"], one["similarity"] or 0.0, one["contradiction"]) for one in sentences]
    means = [fsum(column) / len(scores) for column in zip(*scores, strict=True)] or [0.0] * 3
    if function == "equal":
        return 1.0
    if function == "f1":
        return fsum(term for e, m, c in scores for term in (m if m >= at_m else e, -c))
    if function == "f2":
        return fsum(term for e, m, _ in scores for term in (m, e))
    if function == "f3":
        return fsum(term for e, _, c in scores for term in (e if e >= at_e else 0.0, -c if c >= at_c else 0.0))
    if function == "mean-entailment":
        return base + means[0]
    weights = [*(node["w"] or (1.0, 0.0, 0.0)), *(node["words"] or (0.0, 0.0))]
    parts = [*means, chain["grounded"] or 0.0, chain["disputed"] or 0.0]
    return fsum((base, *(weight * part for weight, part in zip(weights, parts, strict=True))))


def decide(node: Op, place: int) -> str | None:
    """The prediction that the vote is for; None where no chain votes.

    Raises:
        KernelError: the sentences of a chain do not stand in its text, or two chains are one sample.
    """
    if len({chain["sample"] for chain in node["chains"]}) < len(node["chains"]):
        raise KernelError(f"node {place}: a sample votes twice")
    weights: dict[str, list[float]] = {}
    for chain in node["chains"]:
        at = 0
        for sentence in chain["sentences"]:
            at = chain["text"].find(sentence["text"], at) + len(sentence["text"])
            if at < len(sentence["text"]):
                raise KernelError(f"node {place}: a sentence does not stand in the text of its output")
        said = chain["prediction"]
        if said is not None and (not node["yes_or_no"] or said in ("yes", "no")):
            weights.setdefault(said, []).append(_weight(node, chain))
    worth = {said: max(some) if node["voting"] is False else fsum(some) for said, some in weights.items()}
    best = [said for said, weight in worth.items() if weight >= max(worth.values()) - _SAME]
    if node["ties"] == "majority":
        best = [said for said in best if len(weights[said]) == max(len(weights[other]) for other in best)]
    return None if not best else "no" if node["ties"] != "first" and "no" in best else best[0]
