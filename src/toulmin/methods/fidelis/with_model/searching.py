"""The search: rounds in which candidates grow, the model selects by number, and verification says when to stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

from toulmin.errors import ReplyError
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.trails import Trail
from toulmin.methods.fidelis.walking import walked_path
from toulmin.methods.fidelis.with_model.candidates import Grower
from toulmin.methods.fidelis.with_model.listing import fair, listed, turns_back
from toulmin.methods.fidelis.with_model.path_prompter import PathPrompter, SearchPlan
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.protocol import Emit, Event, FellBack, WalkedPath

__all__ = ["DeductionsVerified", "Search", "Selected", "walked_paths"]


class Selected(Event):
    """The paths that one step of the beam search kept, best first, of so many candidates."""

    event: str = "selected"
    candidates: int
    paths: tuple[WalkedPath, ...]


class DeductionsVerified(Event):
    """Of the paths that were verified those from which the statement follows (C = 1), by their positions from 0."""

    event: str = "deductions verified"
    follows: tuple[int, ...]
    of: int


@dataclass(slots=True)
class Search:
    """One question's search.

    Args:
        grower: extends trails.
        read: relation paths that are candidates of the first round, best first.
        emit: where each round is told.

    Attributes:
        finished: the paths from which the statement follows, best first; of "filter" those of the last depth that has
            any.
        selected: every path that was selected and is not finished, the latest round's first.
        kept: the paths of the last round that kept any, H_t of eqs. 4 and 6.
    """

    plan: SearchPlan
    subgraph: Subgraph
    grower: Grower
    prompter: PathPrompter
    settings: GuidedSettings
    read: Sequence[Trail]
    emit: Emit
    finished: list[Trail] = field(default_factory=list)
    selected: list[Trail] = field(default_factory=list)
    kept: list[Trail] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)

    def candidates(self, beam: Sequence[Trail], *, first: bool) -> list[Trail]:
        """What a round selects from, best first.

        By eq. 3 the best steps, of "explore" all steps. Of ranking "paths" none that was selected before, and after the
        first round only what is new.
        """
        settings = self.settings
        beam = [t if len(t.frontier) else replace(t, frontier=t.ends(self.subgraph)) for t in beam]
        several = settings.beam and settings.candidates != "explore"
        grown: Iterable[Trail] = self.grower.grown(beam, settings.hops_per_round if several else 1)
        if first:
            pairs = zip_longest(self.read, grown)
            grown = (trail for pair in pairs for trail in pair if trail is not None)
        if settings.candidates == "explore":
            return list(grown)
        if settings.ranking == "steps":
            return list(islice(grown, settings.shown))
        selected = {*self.selected, *self.finished}
        fresh = [trail for trail in grown if len(trail.hops) <= settings.depth and not (selected and trail in selected)]
        if not first:
            fresh = [trail for trail in fresh if self._leads_on(trail)]
        shown = fair(self.subgraph, fresh, settings.shown)
        self._seen.update(node for trail in shown for node in trail.ends(self.subgraph).tolist())
        return shown

    def _leads_on(self, trail: Trail) -> bool:
        """Whether a trail of a later round leads to what no candidate before led to, and not the way it came."""
        if trail.nodes:
            return True
        return not turns_back(trail) and not self._seen.issuperset(trail.ends(self.subgraph).tolist())

    async def run(self, roots: Sequence[Trail]) -> None:
        """Search from the roots; what was selected and verified in each round is told.

        Raises:
            BudgetError: it is used up; ``finished`` and ``selected`` hold what was found.
        """
        settings, beam = self.settings, list(roots)
        first = True
        while beam and (first or self.prompter.calls_left() >= 2):
            beam = [trail for trail in beam if len(trail.hops) < settings.depth]
            candidates = self.candidates(beam, first=first) if beam else []
            if not candidates:
                return
            first = False
            follows: list[Trail] = []
            verifies_candidates = settings.verified == "candidates" and settings.verifier != "none"
            if verifies_candidates:
                follows = await self._verified(candidates)
                if settings.verifier == "filter" and not follows:
                    return
                candidates = follows or candidates
            selected = await self._selected(candidates, ask=not follows or len(follows) > settings.beam_width)
            self.selected[:0] = selected
            self.kept = selected or self.kept
            if verifies_candidates:
                follows = selected if follows else []
            elif self._verifies(selected):
                follows = await self._verified(selected)
                if settings.verifier == "filter" and not follows:
                    return
            beam = selected
            if not follows:
                continue
            self.selected = [trail for trail in self.selected if trail not in follows]
            if settings.verifier != "filter":
                self.finished.extend(follows)
                return
            self.finished = beam = follows

    async def _selected(self, candidates: list[Trail], *, ask: bool) -> list[Trail]:
        """What the model selects of candidates; all of them where there is nothing to ``ask``."""
        if not self.settings.beam:
            selected = candidates[:1]
        elif not ask:
            selected = candidates
        else:
            shown = listed(self.subgraph, candidates)
            try:
                selected = [candidates[at] for at in await self.prompter.select(self.plan, shown)]
            except ReplyError as error:
                instead = "the candidates of the highest scores"
                self.emit(FellBack(step=error.step, problem=error.problem, instead=instead))
                selected = candidates[: self.settings.beam_width]
        self.emit(Selected(candidates=len(candidates), paths=walked_paths(self.subgraph, selected)))
        return selected

    def _verifies(self, selected: Sequence[Trail]) -> bool:
        """Whether verification can change anything: it may stop the search, filter, or be what the answer rests on."""
        settings = self.settings
        if settings.verifier == "none" or not selected:
            return False
        if settings.verifier == "filter" or not settings.last_step:
            return True
        goes_on = any(len(trail.hops) < settings.depth for trail in selected)
        needed = 1 if settings.together else len(selected)
        return goes_on and self.prompter.calls_left() >= needed + 2  # one round more, and the last step

    async def _verified(self, trails: Sequence[Trail]) -> list[Trail]:
        """Those of the trails from which the statement follows (eq. 5)."""
        parts = [list(trails)] if self.settings.together else [[trail] for trail in trails]
        shown = [listed(self.subgraph, part) for part in parts]
        replies = await self.prompter.verify(self.plan.statement, shown)
        if any(reply is None for reply in replies):
            problem = "no usable reply"
            self.emit(FellBack(step="fidelis/verify", problem=problem, instead="nothing is taken to follow"))
        follows = [part[at] for part, reply in zip(parts, replies, strict=True) for at in reply or ()]
        positions = tuple(at for at, trail in enumerate(trails) if trail in follows)
        self.emit(DeductionsVerified(follows=positions, of=len(trails)))
        return follows


def walked_paths(subgraph: Subgraph, trails: Iterable[Trail]) -> tuple[WalkedPath, ...]:
    """Trails as events show them."""
    return tuple(walked_path(trail.pattern(subgraph), trail.score) for trail in trails)
