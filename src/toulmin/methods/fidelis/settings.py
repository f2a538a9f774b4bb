"""What the FiDeLiS without a language model can be told, and its weights (``weights.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from toulmin.errors import SettingsError

__all__ = ["WEIGHTS", "FidelisSettings", "SearchWeights"]


@dataclass(frozen=True, slots=True)
class FidelisSettings:
    """What the embedding-scored FiDeLiS can be told (papers/fidelis section 2.2, appendix C).

    Args:
        depth: hops at most; the paper's default is 4, and its figure 2 shows a decline beyond 3. Nodes that have only
            a machine id count as no hop.
        beam_width: relation paths kept per depth. The paper keeps 4, since each costs a model call; here none does.
        frontier: nodes of a path's end set that are looked at to see which relations lead on; the answer set itself is
            always complete.
        starts: linked entities from which a search is made.
        abstain_below: of questions for what a graph does not say (those that the confidence was fitted to), the share
            that must be refused: the method abstains below the confidence that this share of them does not reach.
            0: never.
    """

    depth: int = 3
    beam_width: int = 64
    frontier: int = 96
    starts: int = 4
    abstain_below: float = 0.4

    def __post_init__(self) -> None:
        for name in ("depth", "beam_width", "frontier", "starts"):
            value = getattr(self, name)
            if value < 1:
                raise SettingsError(f"fidelis: {name} is {value}: give 1 or more")
        if not 0 <= self.abstain_below <= 1:
            raise SettingsError(f"fidelis: abstain_below is {self.abstain_below}: give a share from 0 to 1")


@dataclass(frozen=True, slots=True)
class SearchWeights:
    """The numbers of ``weights.toml``, which says of each what it is and where it comes from."""

    lexical: float
    rival: float
    named: float
    longer: float
    unread: float
    least_unread: float
    hop_cost: float
    silent: float
    silent_return: float
    silent_unasked_return: float
    no_return: float
    backward: float
    alpha: float
    answer_type: float
    coarse_type: float
    kind: float
    whole: float
    second_mention: float
    loop: float
    link: float
    unlike: float
    rank: float
    score: float
    margin: float
    whole_path: float
    offset: float
    unanswerable: Sequence[float]

    @classmethod
    def stored(cls) -> SearchWeights:
        """Those that ship."""
        sections = tomllib.loads((files(__package__) / "weights.toml").read_text(encoding="utf-8"))
        return cls(**{name: value for section in sections.values() for name, value in section.items()})


WEIGHTS = SearchWeights.stored()
