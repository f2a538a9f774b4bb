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

from toulmin.methods.fidelis.relation_scores import Floats, RelationScores
from toulmin.methods.fidelis.settings import WEIGHTS

__all__ = ["Aligner", "Layer", "Slots"]

_NAMED_WHOLLY = 0.4  # from this gain on, the phrase that says what is asked for names the last hop wholly

#: One hop as the slots it passes: one, or two where it goes through a node that has only a machine id.
Slots = tuple[int, ...]


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
        relations: what the question's words say of each relation in reach.
        around: the slots that the start entity lies in.
    """

    def __init__(self, relations: RelationScores, around: NDArray[np.integer]) -> None:
        self._relations = relations
        self._left, self._right = (len(side) for side in relations.words.sides)
        before = [_running(relations.unread_cost(side, None, around))[0] for side in (0, 1)]
        self.root: Floats = -(before[0][:, None] + before[1][None, :])[None]
        self._phrases = [
            (row, phrase)
            for row, phrase in enumerate(relations.words.phrases)
            if not relations.blocked(phrase.side, phrase.start, phrase.end)
        ]

    def extend(
        self, partial: Floats, parents: NDArray[np.integer], hops: Sequence[Slots], previous: Sequence[Slots | None]
    ) -> Layer:
        """Scores after one more hop.

        Args:
            partial: of the paths that are extended.
            parents: int[n], the path that each new one extends.
            hops: the new hop of each.
            previous: the hop before it; None for the first.
        """
        relations = self._relations
        distinct = list(dict.fromkeys(hops))
        number = {hop: at for at, hop in enumerate(distinct)}
        which = np.array([number[hop] for hop in hops], dtype=np.int64)
        last = np.array([hop[-1] for hop in distinct], dtype=np.int64)
        columns = [[relations.position[slot // 2] for slot in hop] for hop in distinct]
        luck = WEIGHTS.hop_cost * np.log(len(distinct) + 1)
        first = previous[0] is None if previous else True
        returning = np.array([_returns(hop, before) for hop, before in zip(hops, previous, strict=True)], dtype=bool)
        unasked = WEIGHTS.silent + WEIGHTS.silent_unasked_return * returning
        silent = np.where(returning & relations.words.returns, WEIGHTS.silent_return, unasked).astype(np.float32)
        named_by_answer = np.array(
            [relations.named_by_answer(np.array(hop)).max() for hop in distinct], dtype=np.float32
        )[which]
        unpaid = 0.0 if first else luck
        at_end = silent * (1 - np.minimum(1, named_by_answer / _NAMED_WHOLLY)) + unpaid
        if relations.chained:
            at_end = at_end - WEIGHTS.named * named_by_answer
        base = partial[parents]
        inner = base - (silent + unpaid)[:, None, None]
        final = base - at_end[:, None, None]
        for row, phrase in self._phrases:
            gain = np.array(
                [max(relations.gain[row, column] for column in hop_columns) for hop_columns in columns],
                dtype=np.float32,
            )
            longer = 1 + WEIGHTS.longer * (phrase.end - phrase.start - 1)
            gain = ((gain - luck) * longer + relations.clash(row, last))[which]
            if phrase.side == 0:
                reached = base[:, phrase.start, :] + gain[:, None]
                for scores in (inner, final):
                    np.maximum(scores[:, phrase.end, :], reached, out=scores[:, phrase.end, :])
            else:
                reached = base[:, :, phrase.start] + gain[:, None]
                for scores in (inner, final):
                    np.maximum(scores[:, :, phrase.end], reached, out=scores[:, :, phrase.end])
        left, right = (_running(relations.unread_cost(side, distinct, last))[which] for side in (0, 1))
        skipped = left[:, :, None] + right[:, None, :]
        against = WEIGHTS.backward * (last % 2)[which]
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


def _returns(hop: Slots, before: Slots | None) -> bool:
    """Whether a hop goes back over the relation of the hop before it."""
    return before is not None and len(hop) == 1 and before[-1] == hop[0] ^ 1
