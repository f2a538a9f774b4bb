"""The relation paths that a graph has from some entities, as a trie: what a model may propose, and nothing else.

A path is an entity and hops; of a hop through a node that has only a machine id both relations count as one. It is
written with arrows that point from subject to object: ``Mira Holt —employer→ ←published by—``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Hop as Slots
from toulmin.graph.subgraph import Subgraph, find_steps
from toulmin.graph.types import DESCRIPTION
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.walking import Start, Trail
from toulmin.methods.fidelis.with_model.listing import informative, relation_words

__all__ = ["PathTrie"]

_FOLLOWED = 1000  # nodes of a path from which it is continued
_NAME = 60  # characters of one name


class PathTrie:
    """The relation paths from some entities, up to a length; made as far as it is looked at.

    Args:
        starts: the entities.
        hops: of a path at most.
    """

    def __init__(self, subgraph: Subgraph, starts: Sequence[Start], hops: int) -> None:
        self._subgraph, self._hops = subgraph, hops
        self.roots = Trail.roots(subgraph, starts)
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)
        self._kept: dict[Trail, list[Trail]] = {}
        words = [relation_words(relation) for relation in subgraph.relations]
        counts = Counter(words)
        self._words = [
            f"{word} ({data(relation.id, _NAME)})" if counts[word] > 1 else word
            for word, relation in zip(words, subgraph.relations, strict=True)
        ]

    def children(self, trail: Trail) -> list[Trail]:
        """The paths that are one hop longer, those that lead to most nodes last; none beyond the greatest length.

        None leads back to its start, and of two that say the same forward and backward one is left out.
        """
        if len(trail.hops) >= self._hops:
            return []
        if trail not in self._kept:
            longer = list(self._longer(trail))
            self._kept[trail] = [path for path, _ in informative(self._subgraph, longer)]
        return self._kept[trail]

    def all(self, limit: int) -> list[Trail] | None:
        """Every path, the shorter first; None where there are more than ``limit``."""
        paths: list[Trail] = []
        queue = deque(self.roots)
        while queue:
            longer = self.children(queue.popleft())
            paths += longer
            if len(paths) > limit:
                return None
            queue += longer
        return paths

    def words(self, trail: Trail) -> str:
        """A path as it is written; two that are written alike walk the same relations."""
        return " ".join([self.name(trail), *map(self.hop_words, trail.hops)])

    def name(self, trail: Trail) -> str:
        """How the entity of a path is written."""
        label = data(trail.start.entity.label or trail.start.entity.id, _NAME)
        same = [
            root for root in self.roots if (root.start.entity.label or root.start.entity.id) == trail.start.entity.label
        ]
        return f"{label} ({data(trail.start.entity.id, _NAME)})" if len(same) > 1 else label

    def hop_words(self, hop: Slots) -> str:
        """A hop as it is written."""
        return " ".join(
            f"←{self._words[slot >> 1]}—" if slot & 1 else f"—{self._words[slot >> 1]}→" for slot in hop if slot >= 0
        )

    def relations_of(self, hop: Slots) -> list[str]:
        """The words of a hop's relations, without arrows."""
        return [self._words[slot >> 1] for slot in hop if slot >= 0]

    def relations(self, trail: Trail) -> list[str]:
        """The words of all relations of a path."""
        return [word for hop in trail.hops for word in self.relations_of(hop)]

    def grammar(self, paths: Sequence[Trail], most: int) -> str:
        """A grammar in GBNF of which a text is 1 to ``most`` lines, each of them one of these paths.

        Args:
            paths: with each all that it is the continuation of: one rule for each node of the trie.
        """
        rules: dict[Trail, list[Trail]] = {root: [] for root in self.roots}
        by_hops = {(path.start, path.hops): path for path in (*self.roots, *paths)}
        for path in paths:
            rules.setdefault(path, [])
            rules[by_hops[path.start, path.hops[:-1]]].append(path)
        number = {path: at for at, path in enumerate(rules)}
        begun = [root for root in self.roots if rules[root]]
        lines = [
            "root ::= path" + (f' ("\\n" path){{0,{most - 1}}}' if most > 1 else ""),
            "path ::= " + " | ".join(f"{_quoted(self.name(root))} p{number[root]}" for root in begun),
        ]
        for path, longer in rules.items():
            if longer:
                parts = (
                    _quoted(" " + self.hop_words(child.hops[-1])) + (f" p{number[child]}?" if rules[child] else "")
                    for child in longer
                )
                lines.append(f"p{number[path]} ::= " + " | ".join(parts))
        return "\n".join(lines) + "\n"

    def _longer(self, trail: Trail) -> Iterator[Trail]:
        """Every continuation: one for each relation, or pair of them, that leads on from any of a path's ends."""
        subgraph = self._subgraph
        nodes = trail.frontier[trail.frontier < subgraph.n_entities][:_FOLLOWED]
        steps = find_steps(subgraph, nodes)
        steps = steps.take((steps.neighbour != trail.origin) & self._walked[steps.slot >> 1])
        steps = steps.take((steps.beyond < 0) | self._walked[steps.beyond >> 1])
        order = np.lexsort((steps.neighbour, steps.beyond, steps.slot))
        steps = steps.take(order)
        if not len(steps):
            return
        new = (np.diff(steps.slot) != 0) | (np.diff(steps.beyond) != 0)
        firsts = np.flatnonzero(np.concatenate([[True], new]))
        hops: list[tuple[int, Slots, Ints]] = []
        for first, last in zip(firsts.tolist(), [*firsts[1:].tolist(), len(steps)], strict=True):
            ends = np.unique(steps.neighbour[first:last])
            hops.append((len(ends), (int(steps.slot[first]), int(steps.beyond[first])), ends))
        for _, hop, ends in sorted(hops, key=lambda entry: entry[0]):
            yield Trail(trail.start, trail.origin, (*trail.hops, hop), ends)


def _quoted(text: str) -> str:
    """A text as a terminal of a grammar; ``data`` has left no line break in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
