"""The method: draft, extract claims, look each up, verify, mend, and answer by what the mended draft rests on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from typing import Literal as Choice

from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Statement
from toulmin.llm.prompts import data
from toulmin.methods.answering import Answering, AnsweringMethod, StatementsRetrieved, step_of
from toulmin.methods.grounding import nearly_named
from toulmin.methods.kgr.settings import KgrSettings
from toulmin.methods.model_answers import ModelAnswer, request_lines, statement_lines
from toulmin.methods.prompting import number_schema, object_schema
from toulmin.methods.protocol import Event
from toulmin.program.answer import Answer
from toulmin.program.json_forms import CertificateModel
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.linking import EntityLinker
from toulmin.retrieval.triples import Reach, around, nearest

__all__ = ["Claim", "ClaimsVerified", "Kgr", "TextDrafted", "Verdict", "VerifiedClaim", "look_up_claim"]

Verdict = Choice["supported", "contradicted", "unknown"]

_LINE = 300  # characters of a claim or a correction in a prompt
_DRAFT, _CLAIM = 4000, 400  # characters of a draft, and of a claim in it
_MOST = 10  # statements that the model selects out of one chunk
_VERDICTS = ["supported", "contradicted", "unknown"]


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

    def verified(self, verdict: dict[str, Any], shown: Sequence[Statement]) -> Claim:
        """With the verdict of a reply; one that cites nothing decides nothing."""
        cited = tuple(shown[number - 1] for number in dict.fromkeys(verdict["statements"]))
        if not cited or verdict["verdict"] == "unknown":
            return self
        correction = " ".join(verdict["correction"].split()) if verdict["verdict"] == "contradicted" else ""
        return replace(self, verdict=verdict["verdict"], cited=cited, correction=correction)

    @property
    def line(self) -> str:
        """The claim with its verdict, as a prompt shows it."""
        correction = f": {data(self.correction, _LINE)}" if self.correction else ""
        return f"{data(self.text, _LINE)} - {self.verdict}{correction}"


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


def look_up_claim(
    claim: Claim, graph: Graph, linker: EntityLinker, embedder: Embedder, settings: KgrSettings
) -> tuple[list[Statement], int]:
    """The statements around the entities of a claim, those most like it first, and how many there are."""
    ids = _entities(claim, graph, linker)[: settings.entities]
    statements = around(graph, ids, Reach(settings.hops, settings.limit))
    most = settings.k if settings.selection == "similarity" else settings.chunk * settings.chunks
    return nearest(claim.text, statements, most, embedder), len(statements)


def _entities(claim: Claim, graph: Graph, linker: EntityLinker) -> list[str]:
    """The entities of the names that the model gives; where the graph has none of them, those that are linked."""
    names = [name for name in dict.fromkeys(claim.names) if normalise(name)]
    ids = [
        exact[0].id if exact else near.id if (near := nearly_named(name, graph)) else None
        for name, exact in zip(names, graph.lookup(names) if names else [], strict=True)
    ]
    entity_ids = [entity_id for entity_id in dict.fromkeys(ids) if entity_id is not None]
    if entity_ids:
        return entity_ids
    return [mention.candidates[0].entity.id for mention in linker.link(claim.text) if mention.candidates]


class Kgr(AnsweringMethod):
    """KGR, for questions, claims and multiple choice."""

    name: ClassVar[str] = "kgr"
    title: ClassVar[str] = "A draft whose claims are verified by statements, and mended"
    source: ClassVar[str] = "KGR (Guan et al., 2023)"
    takes = frozenset({"claim", "options"})
    settings: KgrSettings

    @classmethod
    def forms(cls) -> Mapping[str, KgrSettings]:
        """Few calls, and the paper's: the model selects the facts of each claim, and verifies each by itself."""
        return {"together": KgrSettings(), "paper": KgrSettings(selection="model", together=False, rounds=2)}

    def most_calls(self, options: int = 0) -> int:
        """The draft, and in each round extraction, selection, verification and mending."""
        settings = self.settings
        selecting = settings.claims * settings.chunks if settings.selection == "model" else 0
        verifying = 1 if settings.together else settings.claims
        return 1 + settings.rounds * (1 + selecting + verifying + 1)

    async def answered(self, run: Answering) -> Answer:
        """The answer of the mended draft."""
        return await _Retrofit(run, self.settings).answer()


class _Retrofit:
    """The retrofitting of one draft."""

    def __init__(self, run: Answering, settings: KgrSettings) -> None:
        self._run, self._settings = run, settings
        self._looked_up: dict[str, tuple[list[Statement], int]] = {}

    async def answer(self) -> Answer:
        """Draft, then mend until nothing is contradicted or the rounds are over."""
        run = self._run
        await run.link()
        reply = await run.prompter.ask(
            "draft",
            {"asked": request_lines(run.request)},
            schema=object_schema(draft={"type": "string", "minLength": 1}),
            temperature=self._settings.temperature,
            max_tokens=self._settings.max_tokens,
        )
        draft = str(reply["draft"]).strip()
        claims: list[Claim] = []
        mended, shown = ModelAnswer(), list[Statement]()
        for _ in range(self._settings.rounds):
            run.emit(TextDrafted(draft=draft))
            claims = await self._claims(draft)
            claims, shown = await self._verified(claims)
            run.emit(ClaimsVerified(claims=tuple(map(VerifiedClaim.of, claims))))
            mended = await self._mended(draft, claims, shown)
            draft = mended.thought or draft
            if not any(claim.verdict == "contradicted" for claim in claims):
                break
        verdicts = [
            {"claim": claim.text, "verdict": claim.verdict, "statements": [statement.id for statement in claim.cited]}
            for claim in claims
        ]
        return run.concluded(mended, shown=shown, trace={"claims": verdicts})

    async def _claims(self, draft: str) -> list[Claim]:
        """The claims of a draft, each with the statements that it is held against."""
        text = {"type": "string", "minLength": 1, "maxLength": _CLAIM}
        names = {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 8}
        entry = object_schema(claim=text, entities=names)
        schema = object_schema(claims={"type": "array", "items": entry, "maxItems": 3 * self._settings.claims})
        values = {"asked": request_lines(self._run.request), "draft": data(draft, _DRAFT)}
        reply = await self._try("claims", values, schema, "no claim is looked up")
        stated = [
            Claim(" ".join(entry["claim"].split()), tuple(entry["entities"]))
            for entry in (reply or {"claims": []})["claims"]
        ]
        distinct = list({claim.text: claim for claim in stated if claim.text}.values())[: self._settings.claims]
        return [await self._with_statements(claim) for claim in distinct]

    async def _with_statements(self, claim: Claim) -> Claim:
        run, settings = self._run, self._settings
        retriever = run.context.retriever
        if claim.text not in self._looked_up:
            self._looked_up[claim.text] = await asyncio.to_thread(
                look_up_claim, claim, run.context.graph, retriever.linker, retriever.embedder, settings
            )
        likest, candidates = self._looked_up[claim.text]
        chosen = likest if settings.selection == "similarity" else await self._selected(claim, likest)
        run.emit(StatementsRetrieved(query=claim.text, statements=tuple(chosen), candidates=candidates))
        return replace(claim, statements=tuple(chosen))

    async def _selected(self, claim: Claim, likest: Sequence[Statement]) -> list[Statement]:
        """Out of each chunk the statements that the model chooses."""
        chosen: list[Statement] = []
        for start in range(0, len(likest), self._settings.chunk):
            chunk = likest[start : start + self._settings.chunk]
            numbers = {"type": "array", "items": number_schema(len(chunk)), "maxItems": _MOST}
            values = {"claim": data(claim.text, _CLAIM), "statements": statement_lines(chunk)}
            reply = await self._try("select", values, object_schema(statements=numbers), "none of the chunk")
            chosen += [chunk[number - 1] for number in dict.fromkeys((reply or {"statements": []})["statements"])]
        return chosen[: self._settings.k]

    async def _verified(self, claims: Sequence[Claim]) -> tuple[list[Claim], list[Statement]]:
        """The claims with their verdicts, and the statements that were shown for any of them."""
        shown = list({statement.id: statement for claim in claims for statement in claim.statements}.values())
        with_statements = [place for place, claim in enumerate(claims) if claim.statements]
        verified = list(claims)
        for batch in [with_statements] if self._settings.together else [[place] for place in with_statements]:
            about = [claims[place] for place in batch]
            evidence = list({statement.id: statement for claim in about for statement in claim.statements}.values())
            for number, verdict in (await self._verdicts(about, evidence)).items():
                verified[batch[number - 1]] = about[number - 1].verified(verdict, evidence)
        return verified, shown

    async def _verdicts(self, claims: Sequence[Claim], shown: Sequence[Statement]) -> dict[int, dict[str, Any]]:
        """By the numbers of claims what the model says of them, where it says something."""
        if not claims:
            return {}
        entry = object_schema(
            claim=number_schema(len(claims)),
            verdict={"type": "string", "enum": _VERDICTS},
            statements={"type": "array", "items": number_schema(len(shown)), "maxItems": len(shown)},
            correction={"type": "string", "maxLength": _CLAIM},
        )
        schema = object_schema(verdicts={"type": "array", "items": entry, "maxItems": 2 * len(claims)})
        lines = [f"[{number}] {data(claim.text, _CLAIM)}" for number, claim in enumerate(claims, 1)]
        values = {"claims": "\n".join(lines), "statements": statement_lines(shown)}
        reply = await self._try("verify", values, schema, "what it was to verify stays unknown")
        return {entry["claim"]: entry for entry in (reply or {"verdicts": []})["verdicts"]}

    async def _mended(self, draft: str, claims: Sequence[Claim], shown: Sequence[Statement]) -> ModelAnswer:
        """The draft as it is mended, as a thought, and the answer that it gives."""
        lines = [f"[{number}] {claim.line}" for number, claim in enumerate(claims, 1)]
        values = {
            "draft": data(draft, _DRAFT),
            "verdicts": "\n".join(lines or ["(none)"]),
            "statements": statement_lines(shown),
        }
        settings = self._settings
        return await self._run.reply(
            step_of(self._run.request),
            values,
            shown=shown,
            thought=True,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )

    async def _try(self, step: str, values: Mapping[str, str], schema: Mapping[str, Any], instead: str) -> Any:
        """The reply to a step; None where there is no usable one, which an event tells."""
        settings = self._settings
        return await self._run.prompter.try_ask(
            step, values, instead, schema=schema, temperature=settings.temperature, max_tokens=settings.max_tokens
        )
