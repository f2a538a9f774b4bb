"""Which of many candidate paths are listed: none that says what another says, and a share for each mention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.trails import Trail, edges_of

__all__ = ["distinct", "fair", "informative", "turns_back"]

_SURE = 3  # of the best trails, how many are listed even where they are roundabout
_WAYS = 3  # trails of several hops that set out over one relation
_HUBS = 2  # trails through a hub
_HUB = 1 / 200, 64  # a hub: a node in such a share of the statements, and in so many
_ENOUGH = 6  # trails, from which on no roundabout one is added


def fair(subgraph: Subgraph, trails: Sequence[Trail], limit: int) -> list[Trail]:
    """``distinct``, with a share for each mention: what compares two things needs paths from both.

    The mentions that paths start from have half of the places in equal shares; the best trails of any have the others.
    """
    mentions = dict.fromkeys(trail.start.mention.start for trail in trails)
    best = distinct(subgraph, trails, limit)
    if len(mentions) < 2:
        return best
    share = max(1, limit // (2 * len(mentions)))
    chosen: dict[int, Trail] = {}
    for mention in mentions:
        of_mention = [trail for trail in trails if trail.start.mention.start == mention]
        chosen.update((id(trail), trail) for trail in distinct(subgraph, of_mention, share))
    for trail in best:
        if len(chosen) < limit:
            chosen[id(trail)] = trail
    return [trail for trail in trails if id(trail) in chosen][:limit]


def distinct(subgraph: Subgraph, trails: Iterable[Trail], limit: int) -> list[Trail]:
    """The first ``limit`` trails of those that say something new (``informative``).

    A trail that takes more hops than an earlier one to nodes that this one leads to, or that turns back over a
    relation, may still say something else ("born in the same town"): but for the best few it comes after all others,
    and only where these are few; so do more than three of several hops that set out alike, and more than two through a
    hub, such as a country. Of unit "entity" each trail counts.
    """
    first: dict[Trail, None] = {}
    later: dict[Trail, None] = {}
    ways: Counter[tuple[int, tuple[int, int]]] = Counter()
    hubs = 0
    for trail, around in informative(subgraph, trails):
        if trail.nodes:
            first.setdefault(trail)
        else:
            way, hub = (trail.origin, trail.hops[0]), _through_hub(subgraph, trail)
            many = (len(trail.hops) > 1 and ways[way] >= _WAYS) or (hub and hubs >= _HUBS)
            if len(first) >= _SURE and (around or many):
                later.setdefault(trail)
                continue
            first.setdefault(trail)
            ways[way] += len(trail.hops) > 1
            hubs += hub
        if len(first) == limit:
            break
    return [*first, *list(later)[: max(0, min(limit, _ENOUGH) - len(first))]]


def informative(subgraph: Subgraph, trails: Iterable[Trail]) -> Iterator[tuple[Trail, bool]]:
    """Trails that each say something new, and whether it is said in a roundabout way.

    Left out is a trail that leads nowhere but back to its start; one that says no more than an earlier one
    (``_says_no_more``); one whose first hop leads to another start alone, since its other hops begin there.
    """
    trails = list(trails)
    origins = {trail.origin for trail in trails}
    by_origin: dict[int, list[tuple[Trail, frozenset[int]]]] = {}
    for trail in trails:
        if trail.nodes:
            yield trail, False
            continue
        ends = frozenset(trail.ends(subgraph).tolist())
        earlier = by_origin.setdefault(trail.origin, [])
        if not ends or ends == {trail.origin}:
            continue
        if any(_says_no_more(trail, ends, earlier_trail, earlier_ends) for earlier_trail, earlier_ends in earlier):
            continue
        if len(trail.hops) > 1:
            by_way_of = trail.ends(subgraph, 1)
            if len(by_way_of) == 1 and int(by_way_of[0]) in origins - {trail.origin}:
                continue
        around = turns_back(trail) or any(
            len(earlier_trail.hops) < len(trail.hops) and ends <= earlier_ends
            for earlier_trail, earlier_ends in earlier
        )
        earlier.append((trail, ends))
        yield trail, around


def turns_back(trail: Trail) -> bool:
    """Whether a hop goes back over the relations of the hop before it."""
    return any(
        tuple(slot ^ 1 for slot in reversed(edges_of([hop]))) == edges_of([following])
        for hop, following in pairwise(trail.hops)
    )


def _says_no_more(trail: Trail, ends: frozenset[int], earlier: Trail, earlier_ends: frozenset[int]) -> bool:
    """Whether a trail leads to nothing new, in the same way as an earlier one.

    Some graphs store a relation and its inverse ("founders", "organizations founded"), not always for the same things.
    They are told by leading to the same nodes in opposite directions. Where a hop is made of two relations, over a
    node without a name, one of them suffices: what such a node holds is often stated under several names. So does the
    last of several hops: what led there was the same.
    """
    if not ends <= earlier_ends or len(trail.hops) != len(earlier.hops):
        return False
    if len(trail.hops) > 1 and ends == earlier_ends and trail.hops[-1] == earlier.hops[-1]:
        return True
    return all(
        _alike(edges_of([hop]), edges_of([earlier_hop]), same=ends == earlier_ends)
        for hop, earlier_hop in zip(trail.hops, earlier.hops, strict=True)
    )


def _alike(hop: tuple[int, ...], earlier: tuple[int, ...], *, same: bool) -> bool:
    if len(hop) != len(earlier):
        return False
    inverse = all(a == b or (a ^ b) & 1 for a, b in zip(hop, earlier, strict=True))
    return inverse or (same and len(hop) == 2 and (hop[0] == earlier[0] or hop[1] == earlier[1]))


def _through_hub(subgraph: Subgraph, trail: Trail) -> bool:
    """Whether all nodes between some two hops of a trail are hubs: ends of very many statements."""
    share, least = _HUB
    most = max(least, share * subgraph.n_statements)
    for end in range(1, len(trail.hops)):
        nodes = trail.ends(subgraph, end)
        degrees = sum(csr.indptr[nodes + 1] - csr.indptr[nodes] for csr in (subgraph.outgoing, subgraph.incoming))
        if len(nodes) and np.min(degrees) >= most:
            return True
    return False
