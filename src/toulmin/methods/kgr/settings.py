"""What KGR can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.methods.setting_checks import check_least, check_range

__all__ = ["KgrSettings"]


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
        if self.selection not in ("similarity", "model"):
            raise SettingsError(f"kgr: unknown selection {self.selection!r}: use similarity or model")
        check_range(self, "temperature", most=2, of="kgr: ")
