"""The settings of FiDeLiS, embedding-scored."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["FidelisSettings"]


@dataclass(frozen=True, slots=True)
class FidelisSettings:
    """What the embedding-scored FiDeLiS can be told (papers/fidelis section 2.2, appendix C).

    Weights are in units of likeness (a cosine corrected for hubs: about 0.8 for equal words, 0 for unrelated ones).

    Args:
        depth: hops at most; the paper's default is 4, and its figure 2 shows a decline beyond 3. Nodes that have only
            a machine id count as no hop.
        beam_width: relation paths kept per depth. The paper keeps 4, since each costs a model call; here none does.
        alpha: weight of the one-hop look-ahead when the beam is cut (eq. 3).
        frontier: nodes of a path's end set that are looked at to see which relations lead on; the answer set itself is
            always complete.
        starts: linked entities from which a search is made.
        hop_cost: of each hop, times the logarithm of how many relations it was chosen from: more choices, more luck.
        silent: cost of a hop that no word of the question names.
        silent_return: cost of an unnamed hop back over the same relation, where the question says "the same" or "also".
        silent_unasked_return: added to ``silent`` for such a hop where the question does not say so.
        no_return: cost of a path without such a return, where the question says so.
        unread: cost of a content word that nothing on the path explains.
        least_unread: the least share of it that any unexplained content word costs.
        lexical: weight of the lexicon (synonyms, kinds) beside the embedding.
        rival: how much of the best rival relation's likeness is taken off.
        named: what a last hop is worth, per likeness, that only the phrase for what is asked for names.
        longer: what each further word of a phrase adds to what it is worth.
        answer_type: weight of what the question asks for (its noun, or who/where/when) against what the path leads to.
        coarse_type: weight of person/location/time/thing in it.
        kind: worth of ends that are values of the kind asked for (a time, a role or a name of people).
        backward: cost of walking a relation against its direction.
        whole: weight of the cosine between the whole question and the words of the whole path.
        joined: worth of a path on which a second entity of the question lies too.
        loop: cost of a path of several hops that leads back to its start and nowhere else.
        refused: of questions for what a graph does not say (those that ``calibration`` was fitted to), the share that
            must be refused: the method abstains below the confidence that this share of them does not reach. 0: never.
        link: cost of starting from the least likely mention instead of the likeliest.
        unlike: cost of a candidate whose name is nothing like the words of the question.
        rank: cost of each candidate of a mention that the linker prefers.
    """

    depth: int = 3
    beam_width: int = 64
    alpha: float = 0.3
    frontier: int = 96
    starts: int = 4
    hop_cost: float = 0.1
    silent: float = 0.35
    silent_return: float = 0.08
    silent_unasked_return: float = 1.0
    no_return: float = 0.15
    unread: float = 0.35
    least_unread: float = 0.2
    lexical: float = 0.9
    rival: float = 0.6
    named: float = 0.5
    longer: float = 0.15
    answer_type: float = 0.8
    coarse_type: float = 0.6
    kind: float = 0.9
    backward: float = 0.03
    whole: float = 0.5
    joined: float = 0.3
    loop: float = 0.3
    refused: float = 0.4
    link: float = 0.6
    unlike: float = 0.3
    rank: float = 0.1

    def __post_init__(self) -> None:
        for name in ("depth", "beam_width", "frontier", "starts"):
            value = getattr(self, name)
            if value < 1:
                raise SettingsError(f"fidelis: {name} is {value}: give 1 or more")
        if not 0 <= self.refused <= 1:
            raise SettingsError(f"fidelis: refused is {self.refused}: give a share from 0 to 1")
