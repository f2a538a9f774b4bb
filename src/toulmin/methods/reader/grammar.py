"""The typed grammar: the logical forms that a question may mean, of what it names and of the graph's own schema.

Forms grow from what is named (and from classes) by hops, conditions, and what is asked of a set. Each step keeps what
words speak for most (``Scoring``), so that a few thousand forms are looked at, whatever the graph holds. What is empty
in the graph is not grown further.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.methods.reader.comparisons import Comparisons
from toulmin.methods.reader.conditions import Conditions
from toulmin.methods.reader.drafting import SAID, SETS
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Constant, Join, Sets, Things
from toulmin.methods.reader.mentions import Mentioned
from toulmin.methods.reader.questions import Questions
from toulmin.methods.reader.schema import ValueKind

__all__ = ["Grammar"]

_PATHS = (40, 24, 12)  # paths of one, two and three hops from what is named that are kept
_SILENT = 8  # hops that the graph does not have at what is named
_CLASSES = 4  # classes that words are like; up to twice as many with those that the likeliest relations start from
_DEEPEST = 6  # hops from what is named, those over nodes without a name included
_MACHINE = 0.5  # share of a hop's ends without a name above which another hop is taken at once
_MACHINE_NODES, _MACHINE_HOPS = 200, 8  # ends without a name, and hops from them, that are followed


class Grammar(Conditions, Questions, Comparisons):
    """Enumerates the drafts of one question."""

    @cached_property
    def _entities(self) -> list[Draft]:
        """The things that are named, in the order of the question."""
        return [_draft_of(one, "thing") for one in sorted(self.asked.of_kinds("entity"), key=lambda one: one.first)]

    def paths(self) -> list[Draft]:
        """What is reached over hops from what is named."""
        return list(self._paths())

    def drafts(self) -> list[Draft]:
        """All drafts, unordered."""
        paths, classes = self.paths(), list(self._classes())
        sets = [*classes, *self.best(paths, SETS)]
        restricted = list(self.restricted(sets))
        made = [*paths, *classes, *restricted]
        for draft in self.best([*sets, *restricted], SETS):
            made += self.asked_of(draft)
        made += self.compared(self._entities, paths)
        made += self.figures(made)
        return made

    def _paths(self) -> Iterator[Draft]:
        level = self._entities
        for draft in level:
            named_alike = [other for other in level if other.mask == draft.mask and other.link >= draft.link]
            yield from self._silent(draft, named_alike)
        level = [*level, *(_draft_of(mention, "text") for mention in self.asked.of_kinds("text"))]
        for count in _PATHS:
            grown = [further for draft in level for further in self._hopped(draft, _PATHS[0])]
            level = self.best(grown, count)
            yield from level

    def _silent(self, draft: Draft, named_alike: Sequence[Draft]) -> Iterator[Draft]:
        """Hops that words are like and that nothing here has: that the graph says nothing of it is an answer, too.

        Args:
            named_alike: it, and the other things that its words name: what the graph says of one of them is meant.
        """
        assert draft.nodes is not None  # noqa: S101
        present = {hop for other in named_alike for hop in self.schema.ways(_nodes_of(other)).tolist()}
        kind = self.schema.class_label(draft.nodes)
        for hop in self.scoring.nearest(np.flatnonzero(self.schema.shown), _SILENT):
            step = self.schema.hops[hop]
            if hop & 1 and self.schema.leads_to[hop ^ 1] != "thing":
                continue  # no number is a thing
            if hop in present or self.scoring.support(hop) < SAID:
                continue
            if hop ^ 1 in present and step.against == self.schema.hops[hop ^ 1].against:
                continue  # that is said the other way round
            if step.near == kind if step.near else self.schema.beside(hop, present):
                yield self.joined(draft, hop, np.empty(0, dtype=np.int32))

    def _hopped(self, draft: Draft, limit: int) -> Iterator[Draft]:
        """A hop further; where it ends in nodes without a name, which only hold statements together, one more."""
        nodes = draft.nodes
        if nodes is None or not len(nodes) or draft.hops >= _DEEPEST or draft.kind in ("number", "time", "truth"):
            return  # nobody goes from a number to what else has it
        came = draft.form if isinstance(draft.form, Join) else None
        for hop in self.scoring.nearest(self.schema.ways(nodes), limit):
            step, reached = self.scoring.hops[hop], self.schema.follow(nodes, hop)
            further = self.joined(draft, hop, reached)
            if came is not None and step.ids == came.hop.ids and step.backward != came.hop.backward:
                if not isinstance(came.of, Constant):
                    continue
                named = [number for one in self.asked.mentioned if one.named == came.of for number in one.numbers]
                reached = np.setdiff1d(reached, named)
                further = replace(further, form=Sets("difference", (further.form, came.of)), nodes=reached)
            if not len(reached):
                continue  # nowhere, or straight back to nothing else
            if self.schema.subgraph.machine[reached].mean() > _MACHINE:
                yield from self._hopped(replace(further, nodes=reached[:_MACHINE_NODES]), _MACHINE_HOPS)
            else:
                yield further

    def _classes(self) -> Iterator[Draft]:
        """All things of classes that words name, or that the likeliest relations are of."""
        offset = len(self.schema.hops)
        for place in self.scoring.near_classes(_CLASSES):
            class_ = self.schema.classes[place]
            yield Draft(Things(class_.kind), "thing", (offset + place,), nodes=class_.members, key=("class", place))


def _nodes_of(draft: Draft) -> Ints:
    assert draft.nodes is not None  # noqa: S101  of what is named
    return draft.nodes


def _draft_of(mention: Mentioned, kind: ValueKind) -> Draft:
    """What is named, as a set that hops start from."""
    return Draft(mention.named, kind, (), mention.mask, nodes=mention.nodes, link=mention.score)
