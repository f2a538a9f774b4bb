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
from toulmin.methods.reader.drafting import Drafting
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Constant, Form, Join, Sets, Things
from toulmin.methods.reader.mentions import Mentioned
from toulmin.methods.reader.questions import Questions
from toulmin.methods.reader.schema import ValueKind

__all__ = ["Grammar"]

_DEEPEST = 6  # hops from what is named, those over nodes without a name included
_MACHINE = 0.5  # share of a hop's ends without a name above which another hop is taken at once
_MACHINE_NODES, _MACHINE_HOPS = 200, 8  # ends without a name, and hops from them, that are followed


class Grammar(Drafting):
    """Enumerates the drafts of one question."""

    @cached_property
    def _entities(self) -> list[Mentioned]:
        """The things that are named, in the order of the question."""
        return sorted(
            (mention for mention in self.asked.mentioned if mention.kind == "entity"), key=lambda mention: mention.first
        )

    def paths(self) -> list[Draft]:
        """What is reached over hops from what is named."""
        return list(self._paths(self._entities))

    def drafts(self) -> list[Draft]:
        """All drafts, unordered."""
        entities, paths = self._entities, self.paths()
        classes = list(self._classes())
        sets = [*classes, *self.best(paths, self.width.sets)]
        restricted = list(Conditions(self).restricted(sets))
        questions, comparisons = Questions(self), Comparisons(self)
        made = [*paths, *classes, *restricted]
        for draft in self.best([*sets, *restricted], 2 * self.width.sets):
            made += questions.asked_of(draft)
        made += comparisons.compared(entities, paths)
        made += comparisons.figures(made)
        return made

    def _paths(self, entities: Sequence[Mentioned]) -> Iterator[Draft]:
        level = [_draft_of(mention, "thing") for mention in entities]
        for draft in level:
            named_alike = [other for other in level if other.mask == draft.mask and other.link >= draft.link]
            yield from self._silent(draft, named_alike)
        texts = [mention for mention in self.asked.mentioned if mention.kind == "text"]
        level += [_draft_of(mention, "text") for mention in texts]
        for count in (self.width.first, self.width.second, self.width.third):
            grown = [further for draft in level for further in self._hopped(draft, self.width.first)]
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
        for hop in self.scoring.nearest(np.flatnonzero(self.schema.shown), self.width.silent):
            step = self.schema.hops[hop]
            if hop & 1 and self.schema.leads_to[hop ^ 1] != "thing":
                continue  # no number is a thing
            if hop in present or self.scoring.support(hop) < self.width.said:
                continue
            if hop ^ 1 in present and step.against == self.schema.hops[hop ^ 1].against:
                continue  # that is said the other way round
            if step.near == kind if step.near else self.schema.beside(hop, present):
                yield draft.grown(
                    Join(draft.form, self.scoring.hops[hop]),
                    kind=self.schema.leads_to[hop],
                    parts=(hop,),
                    nodes=np.empty(0, dtype=np.int32),
                    hops=1,
                )

    def _hopped(self, draft: Draft, limit: int) -> Iterator[Draft]:
        """A hop further; where it ends in nodes without a name, which only hold statements together, one more."""
        nodes = draft.nodes
        if nodes is None or not len(nodes) or draft.hops >= _DEEPEST or draft.kind in ("number", "time", "truth"):
            return  # nobody goes from a number to what else has it
        ways = self.schema.ways(nodes)
        turned = draft.form.hop if isinstance(draft.form, Join) else None
        for hop in self.scoring.nearest(ways, limit):
            step = self.scoring.hops[hop]
            reached = self.schema.follow(nodes, hop)
            if not len(reached):
                continue
            form: Form = Join(draft.form, step)
            if turned is not None and step.ids == turned.ids and step.backward != turned.backward:
                start = draft.form.of if isinstance(draft.form, Join) else None
                named = [
                    number for mention in self.asked.mentioned if mention.named == start for number in mention.numbers
                ]
                reached = np.setdiff1d(reached, named)
                if not isinstance(start, Constant) or not len(reached):
                    continue  # straight back to nothing else
                form = Sets("difference", (form, start))
            machine = self.schema.subgraph.machine[reached]
            further = draft.grown(
                form,
                kind=self.schema.leads_to[hop],
                parts=(*draft.parts, hop),
                nodes=reached,
                hops=draft.hops + 1,
            )
            if machine.mean() > _MACHINE:
                yield from self._hopped(replace(further, nodes=reached[:_MACHINE_NODES]), _MACHINE_HOPS)
            else:
                yield further

    def _classes(self) -> Iterator[Draft]:
        """All things of classes that words name, or that the likeliest relations are of."""
        offset = len(self.schema.hops)
        for place in self.scoring.near_classes(self.width.classes):
            class_ = self.schema.classes[place]
            yield Draft(Things(class_.kind), "thing", (offset + place,), nodes=class_.members, key=("class", place))


def _nodes_of(draft: Draft) -> Ints:
    assert draft.nodes is not None  # noqa: S101  of what is named
    return draft.nodes


def _draft_of(mention: Mentioned, kind: ValueKind) -> Draft:
    """What is named, as a set that hops start from."""
    nodes = np.array(mention.numbers, dtype=np.int32)
    return Draft(mention.named, kind, (), mention.mask, nodes=nodes, link=mention.score)
