"""The settings of FiDeLiS with a language model: the paper's form, ours, and the ablations of its table 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.methods.setting_checks import check_choices, check_least, check_range

__all__ = ["GuidedSettings"]


@dataclass(frozen=True, slots=True)
class GuidedSettings:
    """What the model-scored FiDeLiS can be told (papers/fidelis sections 2.1-2.2, appendices C-F).

    The defaults are ours; ``paper()`` and ``frugal()`` give the other two forms, whose arguments change them further.
    Behind each setting stands where the paper states its value; docs/fidelis.md says what was chosen where it does not.

    Args:
        beam_width: N, paths that are kept of one selection (section 3.3, appendix D.1: 4).
        depth: D, hops at most (the same: 4). Nodes that have only a machine id count as no hop.
        hops_per_round: hops that one selection adds at most (eq. 4: 1); "explore" always adds 1.
        unit: what is selected. "entity": reasoning steps, a relation with the entity it leads to (definition 1).
            "relation": relations, with everything they lead to. The answer is what the chosen paths lead to: of
            "entity" their last entities, of "relation" the whole set of ends.
        shown: candidates in one selection (m of section 2.2; no value is stated). "explore" shows all.
        retrieved: how many entities, and how many relations, eq. 2 retrieves (its m; no value is stated); all others
            have the score 0. None: every one has its cosine.
        ranking: what candidates are ordered by. "steps": S((r, e)) of eq. 3 of their last step, and nothing else.
            "paths": the mean over the steps of a path, less a tenth for each further hop and the doubt of its start;
            the best 32 continuations of a path; none that says what another says backwards; a share for each mention.
        alpha: weight of the look-ahead of eq. 3 (appendix D.3, table 9: 0.3).
        candidates: "path-rag"; "vanilla", the plain vector retriever of section 3.3; "explore": every step that leads
            on, unscored, as Think-on-Graph explores (table 2).
        reader: beside these, relation paths that the trained reader takes the question for, without a model.
        doubtful_starts: whether paths also start from second candidates of a name that the graph holds as it is said,
            from unlikely mentions and from bare numbers, as far as ``starts`` allows.
        planned_starts: paths start from entities that the plan spells out, in place of what the linker took the same
            words of the question for.
        embedder: what scores texts (table 3): "minilm", "bm25" or a name of an entry point. None: the retriever's own.
        planning: whether keywords, plan and statement are asked for; without, the words of the question stand for them.
        beam: whether the model selects; without, the best-scored candidate is taken at each hop (greedy).
        verifier: what eq. 5 decides. "stop": a path from which the statement follows is finished, and ends the search;
            where there is none, the selected paths are extended. "filter": only paths from which it follows are kept,
            and these are extended to the full depth, as algorithm 2 is written. "adequacy": as "stop", asked by prompt
            F.3. "none": every path grows to the full depth.
        verified: "candidates": each candidate, in their order, and the model selects among those from which the
            statement follows (eq. 6, algorithm 2); the last step sees the last beam. "chosen": only what it selected;
            the last step sees all that was selected.
        together: whether paths are verified in one call, not in one for each.
        last_step: whether the model reasons over the paths at the end; without, the first finished path is the answer.
        search: False: no selection and no verification; the model decides among what retrieval ranks best.
        calls: model calls of one question at most, repairs included. None: as many as the form needs.
        temperature: of all calls (appendix D.1: 0.3).
        top_p: of all calls (appendix D.1: 1). None: what the endpoint does by itself.
        demonstrations: examples in each prompt, at most the 5 that there are (table 1: 5).
        starts: linked entities from which paths start.
        max_tokens: of one reply.
    """

    beam_width: int = 4
    depth: int = 4
    hops_per_round: int = 2
    unit: Choice["relation", "entity"] = "relation"
    shown: int = 15
    retrieved: int | None = None
    ranking: Choice["paths", "steps"] = "paths"
    alpha: float = 0.3
    candidates: Choice["path-rag", "vanilla", "explore"] = "path-rag"
    reader: bool = True
    doubtful_starts: bool = False
    planned_starts: bool = True
    embedder: str | None = None
    planning: bool = True
    beam: bool = True
    verifier: Choice["stop", "filter", "adequacy", "none"] = "stop"
    verified: Choice["chosen", "candidates"] = "chosen"
    together: bool = True
    last_step: bool = True
    search: bool = True
    calls: int | None = 6
    temperature: float = 0.0
    top_p: float | None = None
    demonstrations: int = 5
    starts: int = 4
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_least(self, "beam_width", "depth", "hops_per_round", "shown", "starts", "max_tokens", of="fidelis: ")
        if self.retrieved is not None and self.retrieved < 1:
            raise SettingsError(f"fidelis: retrieved is {self.retrieved}: give 1 or more, or none for all")
        check_choices(self, "fidelis: unknown {name} {value}: use one of {known}")
        for name, most in (("alpha", 1), ("temperature", 2), ("demonstrations", 5)):
            check_range(self, name, most=most, of="fidelis: ")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise SettingsError(f"fidelis: top_p is {self.top_p}: give a number above 0, up to 1")
        if self.calls is not None and self.calls < 1:
            raise SettingsError(f"fidelis: calls is {self.calls}: give 1 or more, or none for no limit")
        if not self.search and not self.last_step:
            raise SettingsError("fidelis: with neither a search nor a last step the model decides nothing")

    def most_calls(self) -> int | None:
        """The most calls for one question; None: all steps are verified, and nothing bounds how many there are."""
        if self.calls is not None or not self.search:
            return self.calls
        if self.candidates == "explore":
            return None
        verified = self.shown if self.verified == "candidates" and not self.together else self.beam_width
        return self.depth * (verified + 1) + 2

    @classmethod
    def paper(cls, **changes: object) -> GuidedSettings:
        """Eqs. 2 to 6 and algorithms 1 and 2; docs/fidelis.md says what the paper leaves open.

        Eq. 6 holds but where nothing follows: eq. 4 then selects among all candidates, and the search goes on.

        At most D · (m + 1) + 2 calls: each of m candidates is verified at each of D depths. Appendix C counts
        N·D + D + C, which is what ``verified="chosen"`` takes. m = 30, in eq. 2 and in section 2.2, is a choice.
        """
        form: dict[str, object] = {
            "hops_per_round": 1,
            "unit": "entity",
            "shown": 30,
            "retrieved": 30,
            "ranking": "steps",
            "reader": False,
            "doubtful_starts": True,
            "planned_starts": False,
            "verified": "candidates",
            "together": False,
            "calls": None,
            "temperature": 0.3,
            "top_p": 1.0,
        }
        return cls(**{**form, **changes})  # type: ignore[arg-type]

    @classmethod
    def frugal(cls, **changes: object) -> GuidedSettings:
        """At most 2 calls: the model names what to look for and decides, retrieval does the search in between."""
        return replace(cls(search=False, calls=2, shown=10, demonstrations=2), **changes)  # type: ignore[arg-type]
