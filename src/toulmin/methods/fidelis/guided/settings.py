"""The settings of FiDeLiS with a language model: the paper's form, ours, and the ablations of its table 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice
from typing import get_args

from toulmin.errors import SettingsError

__all__ = ["Candidates", "GuidedSettings", "Unit", "Verifier"]

Candidates = Choice["path-rag", "vanilla", "explore"]
Unit = Choice["relation", "entity"]
Verifier = Choice["stop", "filter", "adequacy", "none"]


@dataclass(frozen=True, slots=True)
class GuidedSettings:
    """What the model-scored FiDeLiS can be told (papers/fidelis sections 2.1-2.2, appendices C-F).

    The defaults are ours; ``paper()`` and ``frugal()`` give the other two forms, whose arguments change them further.

    Args:
        beam_width: N, paths that are kept of one selection.
        depth: D, hops at most. Nodes that have only a machine id count as no hop.
        hops_per_round: hops that one selection adds at most; the paper adds 1.
        unit: what is selected. "entity": reasoning steps, a relation with the entity it leads to (definition 1).
            "relation": relations, with everything they lead to. The answer is the whole set of ends in both cases.
        shown: candidates in one selection (m of section 2.2).
        alpha: weight of the look-ahead of eq. 3.
        candidates: "path-rag"; "vanilla", the plain vector retriever of section 3.3; "explore": every step that leads
            on, unscored, as Think-on-Graph explores (table 2).
        aligned: beside these, relation paths with which the words of the question align (the method without a model).
        embedder: what scores texts (table 3): "minilm", "bm25" or a name of an entry point. None: the retriever's own.
        planning: whether keywords, plan and statement are asked for; without, the words of the question stand for them.
        beam: whether the model selects; without, the best-scored candidate is taken at each hop (greedy).
        verifier: when a path is complete. "stop": the statement follows from it (eq. 5), then it is finished, else
            it is extended. "filter": eq. 6 to the letter, only paths from which it follows are kept. "adequacy": as
            "stop", asked by prompt F.3. "none": every path grows to the full depth.
        together: whether the paths of one selection are verified in one call, not in one for each.
        last_step: whether the model reasons over the paths at the end; without, the first finished path is the answer.
        search: False: no selection and no verification; the model decides among what retrieval ranks best.
        calls: model calls of one question at most, repairs included. None: as many as the form needs.
        temperature: of all calls. (The paper's p = 1 is what every endpoint does unless told otherwise.)
        demonstrations: examples in each prompt, at most the 5 that there are.
        starts: linked entities from which paths start.
        max_tokens: of one reply.
    """

    beam_width: int = 4
    depth: int = 4
    hops_per_round: int = 2
    unit: Unit = "relation"
    shown: int = 20
    alpha: float = 0.3
    candidates: Candidates = "path-rag"
    aligned: bool = True
    embedder: str | None = None
    planning: bool = True
    beam: bool = True
    verifier: Verifier = "stop"
    together: bool = True
    last_step: bool = True
    search: bool = True
    calls: int | None = 6
    temperature: float = 0.0
    demonstrations: int = 5
    starts: int = 4
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        for name in ("beam_width", "depth", "hops_per_round", "shown", "starts", "max_tokens"):
            if getattr(self, name) < 1:
                raise SettingsError(f"fidelis: {name} is {getattr(self, name)}: give 1 or more")
        for name, known in (("candidates", Candidates), ("unit", Unit), ("verifier", Verifier)):
            if getattr(self, name) not in get_args(known):
                raise SettingsError(
                    f"fidelis: unknown {name} {getattr(self, name)!r}: use one of {', '.join(get_args(known))}"
                )
        if not 0 <= self.alpha <= 1:
            raise SettingsError(f"fidelis: alpha is {self.alpha}: give a number from 0 to 1")
        if not 0 <= self.temperature <= 2:
            raise SettingsError(f"fidelis: temperature is {self.temperature}: give a number from 0 to 2")
        if not 0 <= self.demonstrations <= 5:
            raise SettingsError(f"fidelis: demonstrations is {self.demonstrations}: give a number from 0 to 5")
        if self.calls is not None and self.calls < 1:
            raise SettingsError(f"fidelis: calls is {self.calls}: give 1 or more, or none for no limit")
        if not self.search and not self.last_step:
            raise SettingsError("fidelis: with neither a search nor a last step the model decides nothing")

    @classmethod
    def paper(cls, **changes: object) -> GuidedSettings:
        """The paper's exact form: at most N·D + D + C calls, where C is the plan and the last step, and T = 0.3."""
        form: dict[str, object] = {
            "hops_per_round": 1,
            "unit": "entity",
            "aligned": False,
            "together": False,
            "calls": None,
            "temperature": 0.3,
        }
        return cls(**{**form, **changes})  # type: ignore[arg-type]

    @classmethod
    def frugal(cls, **changes: object) -> GuidedSettings:
        """At most 2 calls: the model plans and decides, retrieval does the search in between."""
        form: dict[str, object] = {"search": False, "calls": 2, "shown": 30}
        return cls(**{**form, **changes})  # type: ignore[arg-type]
