"""The search: rounds in which candidates grow, the model selects by number, and verification says when to stop.

Candidate paths are scored by Path-RAG, the plain retriever, or nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

import numpy as np

from toulmin.errors import ReplyError, SettingsError
from toulmin.graph.subgraph import Subgraph, find_steps
from toulmin.graph.types import DESCRIPTION, Entity
from toulmin.methods.fidelis.walking import Trail, walked_path
from toulmin.methods.fidelis.with_model.listing import fair, listed, turns_back
from toulmin.methods.fidelis.with_model.path_prompter import PathPrompter, SearchPlan
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.protocol import Emit, Event, FellBack, WalkedPath
from toulmin.methods.reader.forms import Hop, chain
from toulmin.methods.reader.network import shipped_network
from toulmin.methods.reader.reading import question_reader
from toulmin.retrieval.embedders import best
from toulmin.retrieval.path_rag import (
    GraphIndex,
    PathRag,
    PathRagQuery,
    PathRagSettings,
    VanillaQuery,
    VanillaRetriever,
)
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.scorers import Cosine, TextIndex, get_text_scorer
from toulmin.retrieval.vectors import LazyVectors

__all__ = ["CandidateScorers", "DeductionsVerified", "Grower", "Search", "Selected", "read_trails", "walked_paths"]


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


_StepScorer = PathRagQuery | VanillaQuery

_FOLLOWED = 32  # nodes of a trail from which it is extended
_READ = 64  # relation paths that the reader reads
_BEAM = 32  # trails that are extended within one round, and continuations of one of them
_HUB = 0.02  # what a node that a hop walks through takes off, for each doubling of its statements from 16 on
_DOUBT = 0.3  # what the doubt of a start takes off a score of ranking "paths"
_HOP = 0.1  # what each hop after the first takes off a score: a mean does not grow with length, but luck does


class Grower:
    """Extends trails by one hop or several.

    Args:
        scorer: of the question's steps: where a path goes on, and where it ends. None: no preference, every step that
            leads on is as good as any (Think-on-Graph explores without a retriever).
        settings: what a candidate is, what it is ranked by, and whether every step is one ("explore").
    """

    def __init__(self, subgraph: Subgraph, scorer: _StepScorer | None, settings: GuidedSettings) -> None:
        self._subgraph, self._scorer = subgraph, scorer
        self._single = settings.unit == "entity" and settings.search
        self._by_step = settings.ranking == "steps"
        every = settings.candidates == "explore"
        self._followed = None if every else _FOLLOWED
        self._most = None if every else settings.shown if self._by_step else _BEAM
        degree = np.diff(subgraph.outgoing.indptr) + np.diff(subgraph.incoming.indptr)
        self._passed = np.log2(np.maximum(degree, 1) / 16).clip(0).astype(np.float32)
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)

    def grown(self, trails: Sequence[Trail], hops: int) -> list[Trail]:
        """Every trail that is longer by 1 to ``hops`` hops, best first."""
        trails_grown: list[Trail] = []
        for _ in range(hops):
            longer = [new for trail in trails for new in self._longer(trail)]
            trails_grown.extend(longer)
            trails = sorted(longer, key=lambda trail: -trail.score)[:_BEAM]
        return sorted(trails_grown, key=lambda trail: -trail.score)

    def _longer(self, trail: Trail) -> list[Trail]:
        subgraph, start = self._subgraph, trail.start
        _, places = np.unique(trail.frontier, return_index=True)
        nodes = trail.frontier[np.sort(places)[: self._followed]]
        nodes = nodes[nodes < subgraph.n_entities]
        steps = find_steps(subgraph, nodes)
        steps = steps.take((steps.neighbour != trail.origin) & self._walked[steps.slot >> 1])
        if trail.nodes:
            steps = steps.take(~np.isin(steps.neighbour, np.array(trail.nodes)))
        if not len(steps):
            return []
        unscored = np.zeros(len(steps), dtype=np.float32)
        walked, ended = self._scorer.step_scores(nodes, steps) if self._scorer is not None else (unscored, unscored)
        single = self._single
        key = steps.neighbour if single else np.zeros(len(steps), dtype=np.int32)
        order = np.lexsort((-ended, key, steps.beyond, steps.slot))
        steps, walked, ended, key = steps.take(order), walked[order], ended[order], key[order]
        new = (np.diff(steps.slot) != 0) | (np.diff(steps.beyond) != 0) | (np.diff(key) != 0)
        firsts = np.flatnonzero(np.concatenate([[True], new]))
        passed = self._passed[nodes][steps.origin] if trail.hops else np.zeros(len(steps), dtype=np.float32)
        counts = np.diff(firsts, append=len(steps))
        walked_means = (np.add.reduceat(walked, firsts) / counts).astype(np.float32)
        ended_means = (np.add.reduceat(ended, firsts) / counts).astype(np.float32)
        passed_means = np.add.reduceat(passed, firsts) / counts
        length = len(trail.hops) + 1
        grown: list[Trail] = []
        for at in best(ended_means, len(ended_means) if self._most is None else self._most)[0].tolist():
            first, count = int(firsts[at]), int(counts[at])
            hop = (int(steps.slot[first]), int(steps.beyond[first]))
            score = float(ended_means[at])
            if not self._by_step:
                score = (trail.total + score) / length - _HOP * (length - 1) - _DOUBT * start.doubt
                score -= _HUB * (trail.passed + float(passed_means[at]))
            grown.append(
                Trail(
                    start,
                    trail.origin,
                    (*trail.hops, hop),
                    steps.neighbour[first : first + count],
                    (*trail.nodes, int(steps.neighbour[first])) if single else (),
                    trail.total + float(walked_means[at]),
                    score,
                    trail.passed + float(passed_means[at]),
                )
            )
        return grown


class CandidateScorers:
    """Scorers of one setting; what they index of a graph is kept for the next question on it.

    Raises:
        MissingExtraError: a model of table 3 that is not installed.
        SettingsError: no scorer has the name.
    """

    def __init__(self, settings: GuidedSettings) -> None:
        self._settings = settings
        self._kept: tuple[Subgraph, GraphIndex | VanillaRetriever] | None = None
        name = settings.embedder
        self._scorer = None if name is None else get_text_scorer(name)
        if settings.candidates == "vanilla" and self._scorer is not None and not isinstance(self._scorer, Cosine):
            raise SettingsError(f"fidelis: the vanilla retriever needs an embedding model, not {name!r}")

    def step_scorer(
        self, keywords: Sequence[str], question: str, subgraph: Subgraph, retriever: Retriever
    ) -> _StepScorer | None:
        """What scores the steps of a question: by its keywords with Path-RAG, by itself with the plain retriever."""
        settings = self._settings
        if settings.candidates == "explore":
            return None
        if self._kept is None or self._kept[0] is not subgraph:
            self._kept = subgraph, self._index(subgraph, retriever)
        index = self._kept[1]
        if isinstance(index, VanillaRetriever):
            return index.query(question)
        scored = PathRagSettings(alpha=settings.alpha, looks_back=settings.ranking == "steps")
        if settings.retrieved is not None:
            scored = replace(scored, m=settings.retrieved, outside="zero")
        return PathRag(subgraph, index, scored).query(keywords)

    def _index(self, subgraph: Subgraph, retriever: Retriever) -> GraphIndex | VanillaRetriever:
        scorer = self._scorer
        embedder = scorer.embedder if isinstance(scorer, Cosine) else retriever.embedder
        if self._settings.candidates == "vanilla":
            return VanillaRetriever(subgraph, embedder)
        if scorer is not None and not isinstance(scorer, Cosine):
            return TextIndex(subgraph, scorer)
        stored = retriever.vectors if embedder.name == retriever.embedder.name else None
        return stored or LazyVectors(subgraph, embedder)


def read_trails(question: str, roots: Sequence[Trail], subgraph: Subgraph, retriever: Retriever) -> list[Trail]:
    """The relation paths from the roots as the trained reader reads the question beside them, the likeliest first."""
    numbers = subgraph.relation_number
    by_entity = {root.start.entity.id: root for root in reversed(roots)}
    trails: list[Trail] = []
    for draft, probability in question_reader(retriever).paths(question, shipped_network(), _READ):
        named, hops = chain(draft.form)
        root = by_entity.get(named.node.id) if named is not None and isinstance(named.node, Entity) else None
        if root is not None and all(hop.ids[0] in numbers for hop in hops):
            slots = [2 * numbers[hop.ids[0]] + hop.backward for hop in hops]
            trails.append(
                Trail(root.start, root.origin, _paired(slots, hops), np.empty(0, dtype=np.int32), score=probability)
            )
    return trails


def _paired(slots: Sequence[int], hops: Sequence[Hop]) -> tuple[tuple[int, int], ...]:
    """Slots by hop: two where a hop goes on from a node without a name."""
    pairs: list[tuple[int, int]] = []
    for slot, hop, before in zip(slots, hops, [None, *hops], strict=False):
        if before is not None and hop.between and before.between and pairs[-1][1] < 0:
            pairs[-1] = pairs[-1][0], slot
        else:
            pairs.append((slot, -1))
    return tuple(pairs)
