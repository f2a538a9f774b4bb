"""A multiple choice: an axiom tried on several options in one call, and what is made of those that it does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.graph.types import Entity, Statement
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.methods.r3.branch import Branch
from toulmin.methods.r3.outcomes import Outcome, Shared, StatementsKept
from toulmin.methods.r3.shown_statements import ShownStatements

__all__ = ["left_over", "nearest", "try_together"]

_AT_ONCE = 8  # entities that are looked up at once because the axiom lacks a value of each


async def try_together(shared: Shared, number: int, program: Program, branches: Sequence[Branch]) -> None:
    """Ground an axiom for several options at once; what it lacks is looked up, up to ``depth`` times.

    What the names of the graph decide for an option is not asked. The statements about the person and the question come
    first, then those of each option, whole.
    """
    settings, query = shared.settings, branches[0].query()
    open_ = [branch for branch in branches if not branch.evaluate(None, ())]
    evidence = ShownStatements(shared.around, shared.pruner, settings)
    if open_:
        common = list(dict.fromkeys([*shared.known(None), *_lacking(open_, shared)]))
        await shared.around.fetch(common)
        found = evidence.best(query, common, max(settings.k, settings.listed))
        _show(shared, evidence, number, None, common, found)
        for branch in open_:
            if branch.chosen is not None:
                own = evidence.best(query, [branch.chosen], settings.listed)
                _show(shared, evidence, number, branch.outcome.option, [branch.chosen], own)
    notes: list[str] = []
    for depth in range(settings.depth + 1):
        if not open_ or not evidence.shown:
            break
        names = [str(branch.outcome.option) for branch in open_]
        replies = await shared.asker.ground_options(program, names, evidence.shown, notes)
        for branch, reply in zip(open_, replies or (), strict=False):
            branch.outcome.read = len(evidence.shown)
            own_reply = _own(reply, evidence.shown, branch.chosen, shared.options)
            branch.evaluate(own_reply, tuple(evidence.shown))
        open_ = [branch for branch in open_ if branch.outcome.truth is None]
        unknown = [one for one in _lacking(open_, shared) if one not in shared.around][:_AT_ONCE]
        if depth == settings.depth or not unknown:
            break
        fresh = len(evidence.shown)
        await shared.around.fetch(unknown)
        _show(shared, evidence, number, None, unknown, evidence.best(query, unknown, settings.k))
        if len(evidence.shown) == fresh:
            break
        notes = list(dict.fromkeys(note for branch in open_ for note in branch.notes(fresh)))
    for branch in branches:
        branch.end()


def nearest(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Of options that do not satisfy an axiom those from which the least keeps it."""
    least = min((outcome.near[:2] for outcome in outcomes), default=(0, 0))
    return [outcome for outcome in outcomes if outcome.near[:2] == least]


def left_over(outcomes: Sequence[Outcome], count: int) -> Outcome | None:
    """The one option of ``count`` that an axiom leaves open, where it rules out all others; None: there is none."""
    undecided = [outcome for outcome in outcomes if outcome.verdict is None]
    if len(outcomes) != count or count < 2 or len(undecided) != 1:
        return None
    return undecided[0] if undecided[0].evaluation is not None and undecided[0].truth is None else None


def _lacking(branches: Sequence[Branch], shared: Shared) -> list[Entity]:
    """The entities of which the axiom lacks a value, for any of the options; options are shown by themselves."""
    found = dict.fromkeys(one for branch in branches for lacking in branch.missing for one in lacking.entities)
    return [one for one in found if one not in shared.options][:_AT_ONCE]


def _show(
    shared: Shared,
    evidence: ShownStatements,
    number: int,
    option: str | None,
    entities: Sequence[Entity],
    statements: Sequence[Statement],
) -> None:
    of = len(evidence.unseen(entities))
    new = evidence.show(statements)
    shared.emit(StatementsKept(branch=number, option=option, entities=tuple(entities), statements=tuple(new), of=of))


def _own(
    reply: GroundingReply, shown: Sequence[Statement], chosen: Entity | None, options: Sequence[Entity]
) -> GroundingReply:
    """A reply without citations for terms that speak of other options."""
    others = {one.id for one in options if one != chosen}
    kept = []
    for one in reply.groundings:
        numbers = tuple(number for number in one.statements if shown[number - 1].subject.id not in others)
        kept += [one.model_copy(update={"statements": numbers})] if numbers else []
    return reply.model_copy(update={"groundings": tuple(kept)})
