"""The order of a proof: each step rests on others, and never on itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toulmin.errors import InputError

__all__ = ["beneath", "check_acyclic"]


def check_acyclic(steps: Mapping[str, Sequence[str]]) -> list[str]:
    """Check that no step of a proof rests on itself, whatever the way.

    Args:
        steps: the ids of the steps that each step rests on, by its id.

    Returns:
        The ids of the steps, each after those that it rests on.

    Raises:
        InputError: one does.
    """
    done: dict[str, None] = {}
    for root in steps:
        trail: dict[str, int] = {}  # the steps on the way from the root, with the next premise to visit
        stack = [root]
        while stack:
            step = stack[-1]
            premise = trail.get(step, 0)
            trail[step] = premise + 1
            premises = steps[step]
            if step in done or premise == len(premises):
                done[step] = None
                trail.pop(step)
                stack.pop()
            elif premises[premise] in trail:
                raise InputError(f"step {step!r} of the proof rests on itself, through {premises[premise]!r}")
            else:
                stack.append(premises[premise])
    return list(done)


def beneath(of: Iterable[str], steps: Mapping[str, Sequence[str]]) -> set[str]:
    """The ids of some steps and of all that they rest on.

    Args:
        steps: the ids of the steps that each step rests on, by its id.
    """
    reached: set[str] = set()
    queue = list(of)
    while queue:
        step = queue.pop()
        if step not in reached:
            reached.add(step)
            queue.extend(steps[step])
    return reached
