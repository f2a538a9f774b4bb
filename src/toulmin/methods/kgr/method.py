"""The method: draft, extract claims, look each up, verify, mend, and answer by what the mended draft rests on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, get_args
from typing import Literal as Choice

from pydantic import Field

from toulmin.graph.labels import normalise
from toulmin.graph.types import Statement
from toulmin.llm.prompts import data
from toulmin.methods.answering import Answering, AnsweringMethod, StatementsRetrieved, step_of
from toulmin.methods.grounding import nearly_named
from toulmin.methods.model_answers import ModelAnswer, request_lines, statement_lines
from toulmin.methods.prompting import number_schema, object_schema
from toulmin.methods.protocol import Event
from toulmin.methods.setting_checks import check_choices, check_least, check_range
from toulmin.program.answer import Answer
from toulmin.program.json_forms import CertificateModel
from toulmin.retrieval.triples import around, nearest

__all__ = ["ClaimsVerified", "Kgr", "KgrSettings", "TextDrafted", "Verdict", "VerifiedClaim"]

Verdict = Choice["supported", "contradicted", "unknown"]

_LINE = 300  # characters of a claim or a correction in a prompt
_DRAFT, _CLAIM = 4000, 400  # characters of a draft, and of a claim in it
_MOST = 10  # statements that the model selects out of one chunk


@dataclass(frozen=True, slots=True)
class KgrSettings:
    """A draft is split into claims, each is held against statements of its entities, and the draft is mended.

    The paper (Guan et al. 2023) states none of the numbers that are marked "not stated".

    Args:
        rounds: of extracting, verifying and mending, at most; the last is the one after which nothing was contradicted
            (the paper: several turns, as many as are wanted).
        claims: of a draft, at most (not stated).
        entities: of a claim that are looked up, at most (not stated).
        hops: from the entities up to which statements are looked up (the paper: 1).
        limit: statements of each entity and side (not stated).
        selection: of the statements for a claim. "similarity" (ours): the likest to it. "model": the model chooses
            them, chunk by chunk (the paper).
        k: statements for a claim, at most (not stated).
        chunk, chunks: statements in a chunk, and chunks that the model is shown for a claim, the likest first (not
            stated).
        together: whether all claims are verified in one call; else one call for each (the paper).
        temperature: of all calls (not stated).
        max_tokens: of a reply.

    Raises:
        SettingsError: a setting out of range.
    """

    rounds: int = 1
    claims: int = 6
    entities: int = 2
    hops: int = 1
    limit: int = 200
    selection: Choice["similarity", "model"] = "similarity"
    k: int = 6
    chunk: int = 40
    chunks: int = 2
    together: bool = True
    temperature: float = 0.0
    max_tokens: int = 1536

    def __post_init__(self) -> None:
        counts = ("rounds", "claims", "entities", "hops", "limit", "k", "chunk", "chunks", "max_tokens")
        check_least(self, *counts, of="kgr: ")
        check_choices(self, "kgr: unknown {name} {value}: use {known}", between=" or ")
        check_range(self, "temperature", most=2, of="kgr: ")


class VerifiedClaim(CertificateModel):
    """A fact that a draft states, and what the model finds of it, by which statements.

    Args:
        names: of what it is about, as the model gives them; no event tells them.
        shown: the statements that it is held against; no event tells them.
    """

    text: str
    verdict: Verdict = "unknown"
    statements: tuple[Statement, ...] = ()
    correction: str = ""
    names: tuple[str, ...] = Field(default=(), exclude=True)
    shown: tuple[Statement, ...] = Field(default=(), exclude=True)

    def verified(self, verdict: dict[str, Any], shown: Sequence[Statement]) -> VerifiedClaim:
        """With the verdict of a reply; one that cites nothing decides nothing."""
        cited = tuple(shown[number - 1] for number in dict.fromkeys(verdict["statements"]))
        if not cited or verdict["verdict"] == "unknown":
            return self
        correction = " ".join(verdict["correction"].split()) if verdict["verdict"] == "contradicted" else ""
        found = {"verdict": verdict["verdict"], "statements": cited, "correction": correction}
        return self.model_copy(update=found)

    @property
    def line(self) -> str:
        """The claim with its verdict, as a prompt shows it."""
        correction = f": {data(self.correction, _LINE)}" if self.correction else ""
        return f"{data(self.text, _LINE)} - {self.verdict}{correction}"


class TextDrafted(Event):
    """The draft, and the one that every round of mending makes of it."""

    event: str = "text drafted"
    draft: str


class ClaimsVerified(Event):
    """The claims of a draft were held against the graph."""

    event: str = "verified"
    claims: tuple[VerifiedClaim, ...]


@dataclass(slots=True)
class _Retrofit(Answering):
    """The retrofitting of one draft."""

    settings: KgrSettings
    _looked_up: dict[str, tuple[list[Statement], int]] = field(default_factory=dict)

    async def answered(self) -> Answer:
        """Draft, then mend until nothing is contradicted or the rounds are over."""
        await self.link()
        reply = await self.prompter.ask(
            "draft",
            {"asked": request_lines(self.request)},
            schema=object_schema(draft={"type": "string", "minLength": 1}),
            temperature=self.settings.temperature,
        )
        draft = str(reply["draft"]).strip()
        claims: list[VerifiedClaim] = []
        mended, shown = ModelAnswer(), list[Statement]()
        for _ in range(self.settings.rounds):
            self.emit(TextDrafted(draft=draft))
            claims = await self._claims(draft)
            claims, shown = await self._verified(claims)
            self.emit(ClaimsVerified(claims=tuple(claims)))
            mended = await self._mended(draft, claims, shown)
            draft = mended.thought or draft
            if not any(claim.verdict == "contradicted" for claim in claims):
                break
        verdicts = [
            {
                "claim": claim.text,
                "verdict": claim.verdict,
                "statements": [statement.id for statement in claim.statements],
            }
            for claim in claims
        ]
        return self.concluded(mended, shown=shown, trace={"claims": verdicts})

    async def _claims(self, draft: str) -> list[VerifiedClaim]:
        """The claims of a draft, each with the statements that it is held against."""
        text = {"type": "string", "minLength": 1, "maxLength": _CLAIM}
        names = {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 8}
        entry = object_schema(claim=text, entities=names)
        schema = object_schema(claims={"type": "array", "items": entry, "maxItems": 3 * self.settings.claims})
        values = {"asked": request_lines(self.request), "draft": data(draft, _DRAFT)}
        entries = await self._listed("claims", "claims", values, schema, "no claim is looked up")
        stated = [
            VerifiedClaim(text=" ".join(entry["claim"].split()), names=tuple(entry["entities"])) for entry in entries
        ]
        distinct = list({claim.text: claim for claim in stated if claim.text}.values())[: self.settings.claims]
        return [await self._with_statements(claim) for claim in distinct]

    async def _with_statements(self, claim: VerifiedClaim) -> VerifiedClaim:
        if claim.text not in self._looked_up:
            self._looked_up[claim.text] = await asyncio.to_thread(self._look_up, claim)
        likest, candidates = self._looked_up[claim.text]
        chosen = likest if self.settings.selection == "similarity" else await self._selected(claim, likest)
        self.emit(StatementsRetrieved(query=claim.text, statements=tuple(chosen), candidates=candidates))
        return claim.model_copy(update={"shown": tuple(chosen)})

    def _look_up(self, claim: VerifiedClaim) -> tuple[list[Statement], int]:
        """The statements around the entities of a claim, those most like it first, and how many there are."""
        settings, entities = self.settings, self._entities(claim)[: self.settings.entities]
        statements = around(self.context.graph, entities, hops=settings.hops, limit=settings.limit)
        most = settings.k if settings.selection == "similarity" else settings.chunk * settings.chunks
        return nearest(claim.text, statements, most, self.context.retriever.embedder), len(statements)

    def _entities(self, claim: VerifiedClaim) -> list[str]:
        """The entities of the names that the model gives; where the graph has none of them, those that are linked."""
        graph, linker = self.context.graph, self.context.retriever.linker
        names = [name for name in dict.fromkeys(claim.names) if normalise(name)]
        ids: dict[str, None] = {}
        for name, exact in zip(names, graph.lookup(names) if names else [], strict=True):
            match = exact[0] if exact else nearly_named(name, graph)
            ids |= {match.id: None} if match else {}
        return list(ids) or [m.candidates[0].entity.id for m in linker.link(claim.text) if m.candidates]

    async def _selected(self, claim: VerifiedClaim, likest: Sequence[Statement]) -> list[Statement]:
        """Out of each chunk the statements that the model chooses."""
        chosen: list[Statement] = []
        for start in range(0, len(likest), self.settings.chunk):
            chunk = likest[start : start + self.settings.chunk]
            numbers = {"type": "array", "items": number_schema(len(chunk)), "maxItems": _MOST}
            values = {"claim": data(claim.text, _CLAIM), "statements": statement_lines(chunk)}
            schema = object_schema(statements=numbers)
            selected = await self._listed("select", "statements", values, schema, "none of the chunk")
            chosen += [chunk[number - 1] for number in dict.fromkeys(selected)]
        return chosen[: self.settings.k]

    async def _verified(self, claims: Sequence[VerifiedClaim]) -> tuple[list[VerifiedClaim], list[Statement]]:
        """The claims with their verdicts, and the statements that were shown for any of them."""
        shown = list({statement.id: statement for claim in claims for statement in claim.shown}.values())
        with_statements = [place for place, claim in enumerate(claims) if claim.shown]
        verified = list(claims)
        for batch in [with_statements] if self.settings.together else [[place] for place in with_statements]:
            about = [claims[place] for place in batch]
            evidence = list({statement.id: statement for claim in about for statement in claim.shown}.values())
            for number, verdict in (await self._verdicts(about, evidence)).items():
                verified[batch[number - 1]] = about[number - 1].verified(verdict, evidence)
        return verified, shown

    async def _verdicts(self, claims: Sequence[VerifiedClaim], shown: Sequence[Statement]) -> dict[int, dict[str, Any]]:
        """By the numbers of claims what the model says of them, where it says something."""
        if not claims:
            return {}
        entry = object_schema(
            claim=number_schema(len(claims)),
            verdict={"type": "string", "enum": list(get_args(Verdict))},
            statements={"type": "array", "items": number_schema(len(shown)), "maxItems": len(shown)},
            correction={"type": "string", "maxLength": _CLAIM},
        )
        schema = object_schema(verdicts={"type": "array", "items": entry, "maxItems": 2 * len(claims)})
        lines = [f"[{number}] {data(claim.text, _CLAIM)}" for number, claim in enumerate(claims, 1)]
        values = {"claims": "\n".join(lines), "statements": statement_lines(shown)}
        instead = "what it was to verify stays unknown"
        return {entry["claim"]: entry for entry in await self._listed("verify", "verdicts", values, schema, instead)}

    async def _mended(self, draft: str, claims: Sequence[VerifiedClaim], shown: Sequence[Statement]) -> ModelAnswer:
        """The draft as it is mended, as a thought, and the answer that it gives."""
        lines = [f"[{number}] {claim.line}" for number, claim in enumerate(claims, 1)]
        values = {
            "draft": data(draft, _DRAFT),
            "verdicts": "\n".join(lines or ["(none)"]),
            "statements": statement_lines(shown),
        }
        return await self.reply(
            step_of(self.request), values, shown=shown, thought=True, temperature=self.settings.temperature
        )

    async def _listed(
        self, step: str, field: str, values: Mapping[str, str], schema: Mapping[str, Any], instead: str
    ) -> list[Any]:
        """What a reply lists in a field; nothing where there is no usable reply, which an event tells."""
        reply = await self.prompter.try_ask(step, values, instead, schema=schema, temperature=self.settings.temperature)
        return list(reply[field]) if reply is not None else []


class Kgr(AnsweringMethod):
    """KGR, for questions, claims and multiple choice."""

    name: ClassVar[str] = "kgr"
    title: ClassVar[str] = "A draft whose claims are verified by statements, and mended"
    source: ClassVar[str] = "KGR (Guan et al., 2023)"
    takes = frozenset({"claim", "options"})
    answering = _Retrofit
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
