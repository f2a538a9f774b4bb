"""Aligns the words of a question with the hops of relation paths, outward from the mention.

A word left or right of the mention belongs to the first hop if it is near, to a later hop if it is farther; on each
side the order is kept. ``F[i, j]`` is the best score of a path's hops so far with ``i`` words on the left and ``j`` on
the right read. All paths of one depth are extended at once. This stands in for the model's deductive verification
(papers/fidelis eq. 5): a path whose hops are all named by the question, and that leaves no word unread, scores best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.methods.fidelis.relation_scores import Evidence, Floats
from toulmin.methods.fidelis.settings import FidelisSettings

__all__ = ["Aligner", "Hop", "Layer"]

_NAMED_WHOLLY = 0.4  # from this gain on, the phrase that says what is asked for names the last hop wholly

#: One hop as the slots it passes: one, or two where it goes through a node that has only a machine id.
Hop = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """Scores of the paths of one depth.

    Args:
        partial: float32[paths, left + 1, right + 1], to be extended.
        final: float32[paths], if the path ends here (without what the question asks for).
    """

    partial: Floats
    final: Floats


class Aligner:
    """Aligns one question with paths from one start.

    Args:
        around: the slots that the start entity lies in.
    """

    def __init__(self, evidence: Evidence, around: NDArray[np.integer], settings: FidelisSettings) -> None:
        self._evidence, self._settings = evidence, settings
        self._left, self._right = (len(side) for side in evidence.reading.sides)
        before = [_running(evidence.unread(side, None, around))[0] for side in (0, 1)]
        self.root: Floats = -(before[0][:, None] + before[1][None, :])[None]
        self._phrases = [
            (row, phrase)
            for row, phrase in enumerate(evidence.reading.phrases)
            if not evidence.blocked(phrase.side, phrase.start, phrase.end)
        ]

    def extend(
        self, partial: Floats, parents: NDArray[np.integer], hops: Sequence[Hop], previous: Sequence[Hop | None]
    ) -> Layer:
        """Scores after one more hop.

        Args:
            partial: of the paths that are extended.
            parents: int[n], the path that each new one extends.
            hops: the new hop of each.
            previous: the hop before it; None for the first.
        """
        settings, evidence = self._settings, self._evidence
        distinct = list(dict.fromkeys(hops))
        number = {hop: at for at, hop in enumerate(distinct)}
        which = np.array([number[hop] for hop in hops], dtype=np.int64)
        last = np.array([hop[-1] for hop in distinct], dtype=np.int64)
        columns = [[evidence.position[slot // 2] for slot in hop] for hop in distinct]
        luck = settings.hop_cost * np.log(len(distinct) + 1)
        first = previous[0] is None if previous else True
        returning = np.array([_returns(hop, before) for hop, before in zip(hops, previous, strict=True)], dtype=bool)
        unasked = settings.silent + settings.silent_unasked_return * returning
        silent = np.where(returning & evidence.reading.returns, settings.silent_return, unasked).astype(np.float32)
        named = np.array([max(evidence.named(np.array(hop)), default=0.0) for hop in distinct], dtype=np.float32)[which]
        unpaid = 0.0 if first else luck
        at_end = silent * (1 - np.minimum(1, named / _NAMED_WHOLLY)) + unpaid
        if evidence.chained:
            at_end = at_end - settings.named * named
        base = partial[parents]
        inner = base - (silent + unpaid)[:, None, None]
        final = base - at_end[:, None, None]
        for row, phrase in self._phrases:
            gain = np.array([max(evidence.gain[row, column] for column in some) for some in columns], dtype=np.float32)
            longer = 1 + settings.longer * (phrase.end - phrase.start - 1)
            gain = ((gain - luck) * longer + evidence.clash(row, last))[which]
            if phrase.side == 0:
                reached = base[:, phrase.start, :] + gain[:, None]
                for scores in (inner, final):
                    np.maximum(scores[:, phrase.end, :], reached, out=scores[:, phrase.end, :])
            else:
                reached = base[:, :, phrase.start] + gain[:, None]
                for scores in (inner, final):
                    np.maximum(scores[:, :, phrase.end], reached, out=scores[:, :, phrase.end])
        left, right = (_running(evidence.unread(side, distinct, last))[which] for side in (0, 1))
        skipped = left[:, :, None] + right[:, None, :]
        against = settings.backward * (last % 2)[which]
        inner, final = (
            np.maximum.accumulate(np.maximum.accumulate(scores + skipped, axis=1), axis=2)
            - skipped
            - against[:, None, None]
            for scores in (inner, final)
        )
        return Layer(inner.astype(np.float32), final[:, self._left, self._right].astype(np.float32))


def _running(cost: Floats) -> Floats:
    """Running sums of costs over the words, from 0."""
    return np.concatenate([np.zeros((len(cost), 1), dtype=np.float32), np.cumsum(cost, axis=1)], axis=1)


def _returns(hop: Hop, before: Hop | None) -> bool:
    """Whether a hop goes back over the relation of the hop before it."""
    return before is not None and len(hop) == 1 and before[-1] == hop[0] ^ 1
