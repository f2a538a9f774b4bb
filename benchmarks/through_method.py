"""RR's votes through the method, with checked certificates, beside those counted in bulk; for benchmarks/rr.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table

import toulmin
from strategyqa import Question
from toulmin.methods.rr.settings import RRSettings
from toulmin.program.weighing import Function, Tally
from toulmin.retrieval.knowledge import Knowledge

__all__ = ["compare"]


def compare(
    questions: Sequence[Question],
    knowledge: Callable[[Question], Knowledge],
    scorer: str,
    votes: Mapping[Function, Sequence[Tally | None]],
) -> Table:
    """Each function's votes: how many are the same, how many answers abstain, how many certificates pass."""
    table = Table(title=f"through the method: {len(questions)} questions")
    for column in ("function", "the same vote", "another vote", "abstained", "certificates that pass", "that fail"):
        table.add_column(column, justify="left" if column == "function" else "right")
    graph = toulmin.open("bundled")
    for function, counted in votes.items():
        settings = RRSettings(function=function, kind="yes/no", scorer=scorer)
        same = other = abstained = checked = failed = 0
        for question, vote in zip(questions, counted, strict=True):
            source = knowledge(question)
            chains = [chain.text for chain in question.chains]
            request = toulmin.Request(question.text, chains=chains, knowledge=source)
            answer = toulmin.ask(graph, request, method="rr", settings=settings)
            if answer.abstained:
                abstained += 1
            elif vote is not None and answer.verdict == (vote.prediction == "yes"):
                same += 1
            else:
                other += 1
            if answer.check(graph, passages=source.document).exit_code == 0:
                checked += 1
            else:
                failed += 1
        table.add_row(function, *map(str, (same, other, abstained, checked, failed)))
    return table
