"""The claims of a draft: what is looked up for each, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from typing import Literal as Choice

from toulmin.graph.labels import normalise, similarity
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Statement
from toulmin.llm.prompts import data
from toulmin.methods.kgr.settings import KgrSettings
from toulmin.methods.protocol import Event
from toulmin.program.json_forms import CertificateModel
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.linking import EntityLinker
from toulmin.retrieval.triples import Reach, around, nearest

__all__ = ["Claim", "ClaimsVerified", "TextDrafted", "Verdict", "VerifiedClaim", "looked_up"]

Verdict = Choice["supported", "contradicted", "unknown"]

_NEAR = 0.8  # likeness of spellings from which a name that the model gives is taken for one of the graph
_LINE = 300  # characters of a claim or a correction in a prompt


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact that a draft states.

    Args:
        names: of what it is about, as the model gives them.
        statements: that it is held against.
        verdict, cited, correction: what the model finds of it, by which of the statements.
    """

    text: str
    names: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    verdict: Verdict = "unknown"
    cited: tuple[Statement, ...] = ()
    correction: str = ""

    def verified(self, said: dict[str, Any], shown: Sequence[Statement]) -> Claim:
        """With the verdict of a reply; one that cites nothing decides nothing."""
        cited = tuple(shown[number - 1] for number in dict.fromkeys(said["statements"]))
        if not cited or said["verdict"] == "unknown":
            return self
        correction = " ".join(said["correction"].split()) if said["verdict"] == "contradicted" else ""
        return replace(self, verdict=said["verdict"], cited=cited, correction=correction)

    @property
    def told(self) -> str:
        """The claim with its verdict, as a prompt shows it."""
        said = f": {data(self.correction, _LINE)}" if self.correction else ""
        return f"{data(self.text, _LINE)} - {self.verdict}{said}"


class VerifiedClaim(CertificateModel):
    """A claim with its verdict and the statements by which it was found."""

    text: str
    verdict: Verdict
    statements: tuple[Statement, ...] = ()
    correction: str = ""

    @classmethod
    def of(cls, claim: Claim) -> VerifiedClaim:
        """As an event tells it."""
        return cls(text=claim.text, verdict=claim.verdict, statements=claim.cited, correction=claim.correction)


class TextDrafted(Event):
    """The draft, and the one that every round of mending makes of it."""

    event: str = "text drafted"
    draft: str


class ClaimsVerified(Event):
    """The claims of a draft were held against the graph."""

    event: str = "verified"
    claims: tuple[VerifiedClaim, ...]


def looked_up(
    claim: Claim, graph: Graph, linker: EntityLinker, embedder: Embedder, settings: KgrSettings
) -> tuple[list[Statement], int]:
    """The statements around the entities of a claim, those most like it first, and how many there are."""
    ids = _entities(claim, graph, linker)[: settings.entities]
    found = around(graph, ids, Reach(settings.hops, settings.limit))
    most = settings.k if settings.selection == "similarity" else settings.chunk * settings.chunks
    return nearest(claim.text, found, most, embedder), len(found)


def _entities(claim: Claim, graph: Graph, linker: EntityLinker) -> list[str]:
    """The entities of the names that the model gives; where the graph has none of them, those that are linked."""
    names = [name for name in dict.fromkeys(claim.names) if normalise(name)]
    ids = [
        exact[0].id if exact else _like(name, graph)
        for name, exact in zip(names, graph.lookup(names) if names else [], strict=True)
    ]
    known = [one for one in dict.fromkeys(ids) if one is not None]
    if known:
        return known
    return [mention.candidates[0].entity.id for mention in linker.link(claim.text) if mention.candidates]


def _like(name: str, graph: Graph) -> str | None:
    matches = graph.search(name, 3)
    best = max(matches, key=lambda match: similarity(name, match.form), default=None)
    return best.id if best is not None and similarity(name, best.form) >= _NEAR else None
