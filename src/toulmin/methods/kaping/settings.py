"""What KAPING and the plain vector retriever can be told."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["KapingSettings", "PlainVectorsSettings"]

_DEMONSTRATIONS = 2  # that each prompt has


@dataclass(frozen=True, slots=True)
class KapingSettings:
    """The statements of the linked entities that are most like the question stand in the prompt (Baek et al. 2023).

    Args:
        k: statements in the prompt (the paper: 10).
        hops: from the linked entities up to which statements are candidates (the paper: 1). Nodes that have only a
            machine id count as no hop.
        limit: candidates of each entity and side (not stated).
        entities: linked entities, in the order of the question (not stated).
        demonstrations: examples in the prompt, at most the 2 that there are (the paper: none; with them a reply more
            often cites what it should).
        embedder: that statements and question are compared by (the paper: MPNet, fine-tuned on question and answer
            pairs): "minilm", "sentence-bert", "e5", "openai". None: the retriever's own.
        temperature: of the reply (not stated).
        max_tokens: of the reply.

    Raises:
        SettingsError: a setting out of range.
    """

    k: int = 10
    hops: int = 1
    limit: int = 300
    entities: int = 5
    demonstrations: int = 2
    embedder: str | None = None
    temperature: float = 0.0
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        _check("kaping", self)


@dataclass(frozen=True, slots=True)
class PlainVectorsSettings(KapingSettings):
    """The statements of the whole graph that are most like the question stand in the prompt.

    Args:
        k: statements in the prompt (papers/fidelis section 3.3 names no number; that of KAPING).
        largest: statements of a local graph up to which all of them are embedded, once, which takes a minute for some
            tens of thousands. Of a larger graph, an endpoint or several graphs, only what lies around the linked
            entities is a candidate. 0: always so.
        hops, limit, entities: of the candidates there, as KAPING has them.
        embedder: that statements and question are compared by. None: the retriever's own.

    Raises:
        SettingsError: a setting out of range.
    """

    hops: int = 2
    limit: int = 100
    largest: int = 50_000

    def __post_init__(self) -> None:
        _check("plain-vectors", self)
        if self.largest < 0:
            raise SettingsError(f"plain-vectors: largest is {self.largest}: give 0 or more")


def _check(method: str, settings: KapingSettings) -> None:
    for name in ("k", "hops", "limit", "entities", "max_tokens"):
        if getattr(settings, name) < 1:
            raise SettingsError(f"{method}: {name} is {getattr(settings, name)}: give 1 or more")
    if not 0 <= settings.demonstrations <= _DEMONSTRATIONS:
        raise SettingsError(
            f"{method}: demonstrations is {settings.demonstrations}: give a number from 0 to {_DEMONSTRATIONS}"
        )
    if not 0 <= settings.temperature <= 2:
        raise SettingsError(f"{method}: temperature is {settings.temperature}: give a number from 0 to 2")
