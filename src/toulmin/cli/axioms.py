"""Axioms and what their terms are bound to, as a person reads them in a terminal."""

from __future__ import annotations

from rich.text import Text

from toulmin.cli.wording import shorten
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.steps import Axiom, Binding
from toulmin.proof.axioms.wording import binding_words, clauses_in_words, licence

__all__ = ["axiom_lines"]


def axiom_lines(answer: Answer) -> list[Text]:
    """Each axiom with what it licenses and its clauses, and what its terms were taken for where that is not plain."""
    lines: list[Text] = []
    steps = answer.proof.by_id()
    for step in steps.values():
        if isinstance(step, Axiom):
            lines.append(Text.assemble((f"[{step.id}] ", "dim"), shorten(step.program.text)))
            lines.append(Text(f"({licence(step.program)})", "dim"))
            lines += [Text(f"  {shorten(line)}") for line in clauses_in_words(step.program)]
        elif isinstance(step, Binding) and (words := binding_words(step, steps)):
            lines.append(Text.assemble((f"[{step.id}] ", "dim"), shorten(words)))
    return lines
