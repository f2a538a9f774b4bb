"""The check of links: from the words of the question to an entity of the graph."""

from __future__ import annotations

from toulmin.graph.labels import normalise, similarity
from toulmin.proof.context import Context, Finding, Status
from toulmin.proof.model import Link
from toulmin.proof.reading import name
from toulmin.proof.registry import Kind

__all__ = ["LINK"]

_TOLERANCE = 1e-6
_NEAR = 0.75  # below this, spellings are not so alike that one must be meant for the other


def _check(step: Link, context: Context) -> Finding:
    question, shown = context.answer.question, name(step.entity)
    if not 0 <= step.start < step.end <= len(question) or question[step.start : step.end] != step.span:
        return Finding("fails", f"{step.span!r} is not what stands at {step.start}-{step.end} of the question")
    if idle := context.unused(step, ()):
        return idle
    info = context.described[step.entity.id]
    if info is None:
        return context.missing(f"the graph has no entity {shown}")
    if step.form not in (info.entity.label, *info.aliases):
        return context.missing(f"the graph has no label or alias {step.form!r} of {shown}")
    same = normalise(step.span) == normalise(step.form)
    if same != (step.how == "exact"):
        problem = "differs from" if not same else "is"
        return Finding("fails", f"{step.span!r} {problem} the name {step.form!r}, so the match is not {step.how!r}")
    if step.how == "exact" and step.score != 1.0:
        return Finding("fails", f"an exact match scores 1, not {step.score}")
    if step.how == "near" and abs(similarity(step.span, step.form) - step.score) > _TOLERANCE:
        return Finding("fails", f"{step.span!r} is like {step.form!r} by {similarity(step.span, step.form):.4f}")
    if step.how == "full text" and not set(normalise(step.span).split()) & set(normalise(step.form).split()):
        return Finding("fails", f"{step.span!r} and {step.form!r} have no word in common")
    taken = f"{step.span!r} taken for {shown}"
    if step.how in ("full text", "vector"):
        return Finding("judged", f"{taken} by {step.how} ({step.score:.2f})")
    others = len(context.bearers[step.form] - {step.entity.id})
    if others:
        return Finding("judged", f"{taken}, one of {others + 1} that bear this name")
    if step.how == "exact":
        return Finding("holds", f"{taken}: its name")
    status: Status = "recomputed" if step.score >= _NEAR else "judged"
    return Finding(status, f"{taken}: like its name {step.form!r} by {step.score:.2f}")


LINK = Kind(Link, _check)
