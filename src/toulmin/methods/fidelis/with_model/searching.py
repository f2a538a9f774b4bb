"""The search: rounds in which candidates grow, the model selects by number, and verification says when to stop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import chain, islice, zip_longest

from toulmin.errors import ReplyError
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.with_model.distinct import fair, turns_back
from toulmin.methods.fidelis.with_model.events import DeductionsVerified, Selected
from toulmin.methods.fidelis.with_model.listing import listed
from toulmin.methods.fidelis.with_model.prompter import Asker, Plan
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.fidelis.with_model.trails import Grower, Trail, ends_of, sampled
from toulmin.methods.protocol import Event, FellBack, WalkedPath

__all__ = ["Search", "walked_paths"]


class Search:
    """One question's search.

    Args:
        question: its text.
        grower: extends trails.
        aligned: relation paths that are candidates of the first round, best first.

    Attributes:
        finished: the paths from which the statement follows, best first; of "filter" those of the last depth that has
            any.
        selected: every path that was selected and is not finished, the latest round's first.
        kept: the paths of the last round that kept any, H_t of eqs. 4 and 6.
    """

    def __init__(
        self,
        question: str,
        plan: Plan,
        subgraph: Subgraph,
        grower: Grower,
        asker: Asker,
        settings: GuidedSettings,
        aligned: Sequence[Trail] = (),
    ) -> None:
        self._question, self._plan, self._subgraph = question, plan, subgraph
        self._grower, self._asker, self._settings, self._aligned = grower, asker, settings, list(aligned)
        self._hops = settings.hops_per_round if settings.beam and settings.candidates != "explore" else 1
        self._seen: set[int] = set()
        self.finished: list[Trail] = []
        self.selected: list[Trail] = []
        self.kept: list[Trail] = []

    def candidates(self, beam: Sequence[Trail], *, first: bool) -> list[Trail]:
        """What a round selects from, best first.

        By eq. 3 the best steps, of "explore" all steps. Of ranking "paths" none that was selected before, and after the
        first round only what is new.
        """
        settings = self._settings
        grown: Iterable[Trail] = self._grower.grown([sampled(self._subgraph, trail) for trail in beam], self._hops)
        if first:
            grown = _alternating(self._aligned, grown)
        if settings.candidates == "explore":
            return list(grown)
        if settings.ranking == "steps":
            return list(islice(grown, settings.shown))
        known = {*self.selected, *self.finished}
        fresh = [trail for trail in grown if len(trail.hops) <= settings.depth and not (known and trail in known)]
        if not first:
            fresh = [trail for trail in fresh if self._leads_on(trail)]
        found = fair(self._subgraph, fresh, settings.shown)
        self._seen.update(node for trail in found for node in ends_of(self._subgraph, trail).tolist())
        return found

    def _leads_on(self, trail: Trail) -> bool:
        """Whether a trail of a later round leads to what no candidate before led to, and not the way it came."""
        if trail.nodes:
            return True
        return not turns_back(trail) and not self._seen.issuperset(ends_of(self._subgraph, trail).tolist())

    async def run(self, roots: Sequence[Trail]) -> AsyncIterator[Event]:
        """Search from the roots: what was selected and verified in each round.

        Raises:
            BudgetError: it is used up; ``finished`` and ``selected`` hold what was found.
        """
        settings, beam = self._settings, list(roots)
        first = True
        while beam and (first or self._asker.left >= 2):
            beam = [trail for trail in beam if len(trail.hops) < settings.depth]
            candidates = self.candidates(beam, first=first) if beam else []
            if not candidates:
                return
            first = False
            follows: list[Trail] = []
            each = settings.verified == "candidates" and settings.verifier != "none"
            if each:
                async for event in self._verified(candidates, follows):
                    yield event
                if settings.verifier == "filter" and not follows:
                    return
                candidates = follows or candidates
            chosen: list[Trail] = []
            async for event in self._selected(
                candidates, chosen, ask=not follows or len(follows) > settings.beam_width
            ):
                yield event
            self.selected[:0] = chosen
            self.kept = chosen or self.kept
            if each:
                follows = chosen if follows else []
            elif self._verifies(chosen):
                async for event in self._verified(chosen, follows):
                    yield event
                if settings.verifier == "filter" and not follows:
                    return
            beam = chosen
            if not follows:
                continue
            self.selected = [trail for trail in self.selected if trail not in follows]
            if settings.verifier != "filter":
                self.finished.extend(follows)
                return
            self.finished = beam = follows

    async def _selected(self, candidates: list[Trail], chosen: list[Trail], *, ask: bool) -> AsyncIterator[Event]:
        """What the model selects of candidates, into ``chosen``; all of them where there is nothing to ``ask``."""
        if not self._settings.beam:
            chosen += candidates[:1]
        elif not ask:
            chosen += candidates
        else:
            shown = listed(self._subgraph, candidates)
            try:
                chosen += [candidates[at] for at in await self._asker.select(self._question, self._plan, shown)]
            except ReplyError as error:
                yield FellBack(step=error.step, problem=error.problem, instead="the candidates of the highest scores")
                chosen += candidates[: self._settings.beam_width]
        yield Selected(candidates=len(candidates), paths=walked_paths(self._subgraph, chosen))

    def _verifies(self, chosen: Sequence[Trail]) -> bool:
        """Whether verification can change anything: it may stop the search, filter, or be what the answer rests on."""
        settings = self._settings
        if settings.verifier == "none" or not chosen:
            return False
        if settings.verifier == "filter" or not settings.last_step:
            return True
        goes_on = any(len(trail.hops) < settings.depth for trail in chosen)
        needed = 1 if settings.together else len(chosen)
        return goes_on and self._asker.left >= needed + 2  # one round more, and the last step

    async def _verified(self, trails: Sequence[Trail], follows: list[Trail]) -> AsyncIterator[Event]:
        """Ask of each trail whether the statement follows (eq. 5); those from which it does go into ``follows``."""
        parts = [list(trails)] if self._settings.together else [[trail] for trail in trails]
        shown = [listed(self._subgraph, part) for part in parts]
        replies = await self._asker.verify(self._question, self._plan.statement, shown)
        if any(reply is None for reply in replies):
            problem = "no usable reply"
            yield FellBack(step="fidelis/verify", problem=problem, instead="nothing is taken to follow")
        for part, reply in zip(parts, replies, strict=True):
            follows.extend(part[at] for at in reply or ())
        positions = tuple(at for at, trail in enumerate(trails) if trail in follows)
        yield DeductionsVerified(follows=positions, of=len(trails))


def _alternating(one: Iterable[Trail], other: Iterable[Trail]) -> Iterable[Trail]:
    pairs = chain.from_iterable(zip_longest(one, other))
    return (trail for trail in pairs if trail is not None)


def walked_paths(subgraph: Subgraph, trails: Iterable[Trail]) -> tuple[WalkedPath, ...]:
    """Trails as events show them."""
    return tuple(
        WalkedPath(relations=tuple((hop.relation, hop.direction) for hop in trail.pattern(subgraph)), score=trail.score)
        for trail in trails
    )
