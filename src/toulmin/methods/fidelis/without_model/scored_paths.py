"""The relation paths that the method chooses among: what a second mention constrains, and which way each is walked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from toulmin.check_text.judge.relation_labels import holds_both_ways
from toulmin.english.lexicon import Lexicon
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.search import AlignedPath
from toulmin.methods.fidelis.settings import WEIGHTS
from toulmin.methods.fidelis.starts import Start
from toulmin.methods.fidelis.walking import follow_slots
from toulmin.methods.fidelis.without_model.entity_types import one_kind, share_of_kind
from toulmin.methods.question.direction import QuestionWording
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.schema import GraphSchema

__all__ = ["PathConstraint", "ScoredPath", "UnclearDirection", "constrained", "constraint_at", "directed"]

_TRIED = 12  # relation paths that a second mention may constrain
_CLEAR = 0.25  # by so much must one direction be the better one where the wording leaves it open
_OTHERWISE = 0.5  # so much worse may another relation be that answers in the direction asked for
_MOSTLY = 0.5  # share of people from which on ends are people
_NOBODY = 0.4  # cost, where people are asked for, of a path that leads to none


@dataclass(frozen=True, slots=True)
class PathConstraint:
    """Where a path passes nodes that have a statement with a second entity.

    Args:
        position: after so many edges.
        slot: over which the nodes lead to the entity.
    """

    position: int
    slot: int


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """A relation path from a start, with the score of both.

    Args:
        origin: the node number of the start.
        second: a second mention, and where it constrains the path.
        open: whether its direction is not sure.
    """

    start: Start
    origin: int
    aligned: AlignedPath
    score: float
    second: tuple[Start, PathConstraint] | None = None
    open: bool = False

    def labels(self, subgraph: Subgraph) -> list[str]:
        """The label of each relation, its id where it has none."""
        relations = [subgraph.relations[slot >> 1] for slot in self.aligned.slots]
        return [relation.label or relation.id for relation in relations]

    def ends(self, subgraph: Subgraph) -> Ints:
        """The nodes that the path leads to without its constraint, those included that it reaches by turning back."""
        return follow_slots(subgraph, self.origin, self.aligned.slots)

    def turned(self, places: Sequence[int]) -> ScoredPath:
        """The same with the hops at some places walked the other way; its words, and so its score, are the same."""
        hops = tuple((hop[0] ^ 1,) if at in places else hop for at, hop in enumerate(self.aligned.hops))
        return replace(self, aligned=replace(self.aligned, hops=hops)) if places else self


@dataclass(frozen=True, slots=True)
class UnclearDirection:
    """Two directions of one path, of which none can be answered.

    Args:
        open: whether the wording leaves the direction open; else the graph lacks the one that is asked for.
    """

    asked: ScoredPath
    reverse: ScoredPath
    open: bool


def constrained(paths: Sequence[ScoredPath], starts: Sequence[Start], subgraph: Subgraph) -> list[ScoredPath]:
    """The best paths, best first, and again with the second mentions that constrain them."""
    tried = sorted(paths, key=lambda path: -path.score)[:_TRIED]
    with_constraints = list(tried)
    for path in tried:
        here = path.start.mention
        for second_start in starts:
            apart = second_start.mention.end <= here.start or here.end <= second_start.mention.start
            node = subgraph.index(second_start.entity.id)
            if apart and node is not None and second_start.candidate.how == "exact":
                constraint = constraint_at(subgraph, path.origin, path.aligned.slots, node)
                if constraint is not None:
                    score = path.score + WEIGHTS.second_mention
                    with_constraints.append(replace(path, score=score, second=(second_start, constraint)))
    return sorted(with_constraints, key=lambda path: -path.score)


def constraint_at(subgraph: Subgraph, start: int, slots: Sequence[int], second: int) -> PathConstraint | None:
    """Where a path from ``start`` passes nodes that have a statement with ``second``, but not only such nodes.

    "Who plays Hamlet in the film by Olivier?" The last place if there are several, and the relation that most nodes
    there share; None where there is none.
    """
    neighbours = [
        (csr.neighbour[edges], csr.relation[edges], is_subject)
        for csr, is_subject in ((subgraph.outgoing, True), (subgraph.incoming, False))
        for edges in (slice(int(csr.indptr[second]), int(csr.indptr[second + 1])),)
    ]
    best: PathConstraint | None = None
    for position in range(1, len(slots) + 1):
        nodes = follow_slots(subgraph, start, slots[:position])
        counts: dict[tuple[int, bool], int] = {}
        for met, by, is_subject in neighbours:
            for relation in by[np.isin(met, nodes)].tolist():
                counts[relation, is_subject] = counts.get((relation, is_subject), 0) + 1
        if counts:
            commonest = max(sorted(counts), key=lambda key: counts[key])
            if counts[commonest] < len(nodes) or subgraph.machine[nodes].any():
                relation, is_subject = commonest
                best = PathConstraint(position, 2 * relation + is_subject)
    return best


def directed(
    paths: Sequence[ScoredPath], question: str, subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon
) -> tuple[list[ScoredPath], UnclearDirection | None]:
    """The paths in the direction that the question's wording asks for (``direction``), best first.

    A path that it asks for the other way round is turned. Where the graph has nothing that way, or where the wording
    leaves the direction open and nothing else decides, no path is returned, but the two directions.
    """
    wordings = {
        path.start.mention: QuestionWording(question, path.start.mention.start, path.start.mention.end, schema, lexicon)
        for path in paths
    }
    paths = _for_people(paths, wordings, subgraph, schema, lexicon)
    short = [wordings[path.start.mention].repeats(path.labels(subgraph)) for path in paths]
    paths = [replace(path, score=path.score - _OTHERWISE * less) for path, less in zip(paths, short, strict=True)]
    paths.sort(key=lambda path: -path.score)
    directed_paths: list[ScoredPath] = []
    missing: UnclearDirection | None = None
    scores = {(path.start, path.aligned.hops): path.score for path in reversed(paths) if not path.second}
    for path in paths:
        slots, labels = path.aligned.slots, path.labels(subgraph)
        wording = wordings[path.start.mention]
        judged = [
            at
            for at, (label, slot) in enumerate(zip(labels, slots, strict=True))
            if one_kind(subgraph, schema, slot >> 1) and not holds_both_ways(label)
        ]
        if len(slots) > len(path.aligned.hops):
            if missing is None:
                directed_paths.append(path)
            continue
        asked_hops = wording.asked([slot >> 1 for slot in slots], labels)
        if any(hop.last and hop.sure for hop in asked_hops[:-1]):
            continue  # goes on after all that is asked for
        if not judged:
            if missing is None:
                directed_paths.append(path)
            continue
        against = [at for at in judged if asked_hops[at].backward not in (None, bool(slots[at] & 1))]
        doubtful = [at for at in judged if asked_hops[at].backward is None]
        path = replace(path, open=not all(asked_hops[at].sure for at in judged))
        if missing is not None and (
            doubtful
            or len(judged) != len(slots)
            or len(slots) > len(missing.asked.aligned.hops)
            or path.score < missing.reverse.score - _OTHERWISE
        ):
            continue
        if against:
            turned = path.turned(against)
            if path.second is None and len(turned.ends(subgraph)):
                directed_paths.append(turned)
            elif not directed_paths and missing is None:
                missing = UnclearDirection(turned, path, open=False)
            continue
        if doubtful and not directed_paths:
            reverse = path.turned(doubtful)
            reverse_ends, path_ends = reverse.ends(subgraph), path.ends(subgraph)
            rival = scores.get((path.start, reverse.aligned.hops), -np.inf)
            is_named = all(asked_hops[at].named for at in doubtful)
            if not len(reverse_ends) and not (is_named and any(slots[at] & 1 for at in doubtful)):
                path = replace(path, open=is_named)  # the only direction that leads anywhere
            elif (is_named or rival > path.score - _CLEAR) and not np.array_equal(reverse_ends, path_ends):
                noun = wording.noun
                fit, otherwise = (
                    share_of_kind(subgraph, schema, ends, noun, lexicon) if noun else 0.0
                    for ends in (path_ends, reverse_ends)
                )
                if fit == otherwise:
                    return [], UnclearDirection(path, reverse, open=True)
                if otherwise > fit:
                    path = replace(path, aligned=reverse.aligned)
        directed_paths.append(path)
    return directed_paths, None if directed_paths else missing


def _for_people(
    paths: Sequence[ScoredPath],
    wordings: Mapping[Mention, QuestionWording],
    subgraph: Subgraph,
    schema: GraphSchema,
    lexicon: Lexicon,
) -> list[ScoredPath]:
    """Where people are asked for and some path leads to people, those that lead to none pay for it.

    What the graph does not say of ends, their names may (``GraphSchema.types``).
    """
    people = []
    for path in paths:
        noun = wordings[path.start.mention].noun
        if noun is None or lexicon.coarse_type(noun) != "person":
            return list(paths)
        stated_share = share_of_kind(subgraph, schema, path.ends(subgraph), "person", lexicon)
        people.append(stated_share or float(schema.types[path.aligned.hops[-1][-1], 0] >= _MOSTLY))
    if max(people, default=0.0) < _MOSTLY:
        return list(paths)
    scored = [
        replace(path, score=path.score - _NOBODY * (not share)) for path, share in zip(paths, people, strict=True)
    ]
    return sorted(scored, key=lambda path: -path.score)
