"""How paths stand in a prompt: numbered lines of relations and samples of where they lead; all names are data.

Of many candidates none is listed that says what another says, and each mention has a share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.walking import Trail, edges_of

__all__ = ["Listed", "distinct", "fair", "informative", "listed", "relation_words", "turns_back", "with_values"]

_NAME = 60  # characters of one name
_ALL = 15  # values of a trail that are all shown in the last step, since some of them may be left out there
_FIRST = 3  # trails of which that holds where few values of the others are shown
_SAMPLED = 4  # ends shown of a candidate

#: What is known of when the values of a trail hold, by node number.
Notes = Callable[[Trail, Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Listed:
    """Trails as numbered lines, and the values that are numbered in them.

    Args:
        text: the lines.
        values: (trail, node number) of each numbered value, from 1.
    """

    trails: tuple[Trail, ...]
    text: str
    values: tuple[tuple[Trail, int], ...] = ()


def relation_words(relation: Relation) -> str:
    """The words of a relation; of a dotted label ("location.country.languages_spoken") the last two parts."""
    label = relation.label or relation.id
    parts = label.strip(".").split(".")
    if len(parts) > 2 and " " not in label:
        label = f"{parts[-2]}: {parts[-1]}"
    elif "/" in label and " " not in label:
        label = label.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]
    return data(label.replace("_", " "), _NAME)


def _brief(subgraph: Subgraph, trails: Sequence[Trail]) -> dict[int, str]:
    """The words of relations, by number: of a dotted label the last part, where no other of these trails has it."""
    words = {
        slot >> 1: relation_words(subgraph.relations[slot >> 1])
        for trail in trails
        for hop in trail.hops
        for slot in hop
        if slot >= 0
    }
    meant: dict[str, set[str]] = defaultdict(set)
    for text in words.values():
        meant[text.rpartition(": ")[2]].add(text)
    return {
        number: last if len(meant[last]) == 1 and last not in FUNCTION_WORDS else text
        for number, text in words.items()
        for last in (text.rpartition(": ")[2],)
    }


def _walked(subgraph: Subgraph, trail: Trail, brief: Mapping[int, str]) -> str:
    """Start and relations, arrows pointing from subject to object; "?" for what a hop leads to."""
    text = data(trail.start.entity.label or trail.start.entity.id, _NAME)
    for at, hop in enumerate(trail.hops):
        for slot in hop:
            if slot >= 0:
                words = brief[slot >> 1]
                text += f" ←{words}—" if slot & 1 else f" —{words}→"
        if at < len(trail.hops) - 1:
            text += f" {data(subgraph.labels([trail.nodes[at]])[0], _NAME)}" if trail.nodes else " ?"
    return text


def _ends(subgraph: Subgraph, trail: Trail) -> Ints:
    return np.array(trail.nodes[-1:], dtype=np.int32) if trail.nodes else trail.ends(subgraph)


def _names(subgraph: Subgraph, nodes: Ints) -> list[str]:
    return [data(label, _NAME) for label in subgraph.labels(nodes)]


def _more(ends: Sequence[int] | Ints, shown: int) -> str:
    return f" … ({len(ends)} in all)" if len(ends) > shown else ""


def listed(subgraph: Subgraph, trails: Iterable[Trail]) -> Listed:
    """Numbered candidates: ``[1] Ada Lovelace —father→ Lord Byron``."""
    candidates = tuple(trails)
    brief = _brief(subgraph, candidates)
    lines = []
    for number, trail in enumerate(candidates, 1):
        ends = _ends(subgraph, trail)
        names = "; ".join(_names(subgraph, ends[:_SAMPLED]))
        lines.append(f"[{number}] {_walked(subgraph, trail, brief)} {names}{_more(ends, _SAMPLED)}")
    return Listed(candidates, "\n".join(lines))


def with_values(subgraph: Subgraph, trails: Iterable[Trail], most: int, notes: Notes) -> Listed:
    """The same with numbered values: ``[1] Ada Lovelace —child→ #1 Byron King-Noel; #2 Anne Blunt``.

    Args:
        most: values shown of a trail; of the first three, and of all where it is 15, up to 15 are.
        notes: what is known of values beside their names (since when, until when).

    A trail that leads to the same as an earlier one says so instead.
    """
    candidates = tuple(trails)
    brief = _brief(subgraph, candidates)
    lines: list[str] = []
    values: list[tuple[Trail, int]] = []
    first_with: dict[bytes, int] = {}
    for number, trail in enumerate(candidates, 1):
        ends = _ends(subgraph, trail)
        first = first_with.setdefault(ends.tobytes(), number)
        whole = len(ends) <= _ALL and (number <= _FIRST or most >= _ALL)
        shown = (ends if whole else ends[:most]).tolist()
        periods, numbered = notes(trail, shown), []
        if first < number and len(shown) > 1 and not periods:
            lines.append(f"[{number}] {_walked(subgraph, trail, brief)} the same as [{first}]")
            continue
        for node, name in zip(shown, _names(subgraph, np.array(shown, dtype=np.int32)), strict=True):
            values.append((trail, node))
            numbered.append(f"#{len(values)} {name}" + (f" ({periods[node]})" if node in periods else ""))
        lines.append(f"[{number}] {_walked(subgraph, trail, brief)} {'; '.join(numbered)}{_more(ends, len(shown))}")
    return Listed(candidates, "\n".join(lines), tuple(values))


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
