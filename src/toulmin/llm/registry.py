"""Models by specification: ours, and those of the entry-point group ``toulmin.models``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from toulmin.errors import SettingsError
from toulmin.registry import Registry

if TYPE_CHECKING:
    from toulmin.llm.openai import Prices
    from toulmin.llm.protocol import Model

__all__ = ["ModelOptions", "get_model", "is_remote"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a kind of model may need beside its name; None: the kind's default.

    Args:
        base_url, prices, timeout: of an endpoint (``OpenAIModel``).
        concurrency: the most requests at once: in flight to an endpoint, slots of a GGUF model.
        context, threads: of a GGUF model: tokens of one request with its reply; processor threads.
    """

    base_url: str | None = None
    prices: Prices | None = None
    timeout: float | None = None
    concurrency: int | None = None
    context: int | None = None
    threads: int | None = None

    def only(self, kind: str, *names: str) -> dict[str, object]:
        """The options that are set, by name.

        Raises:
            SettingsError: one that this kind of model does not have.
        """
        chosen = {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}
        for name in chosen:
            if name not in names:
                raise SettingsError(f"{kind}: models have no {name.replace('_', ' ')}: leave it out")
        return chosen


def _ours(kind: str, where: str, *takes: str) -> Callable[[str, ModelOptions], Model]:
    """What makes the models of a class of ours, of the options that it takes."""

    def made(name: str, options: ModelOptions) -> Model:
        model: Model = resolve_name(where)(name, **options.only(kind, *takes))
        return model

    return made


_KINDS: Registry[Callable[[str, ModelOptions], Model]] = Registry(
    "kind of model",
    "toulmin.models",
    {
        "openai": _ours("openai", "toulmin.llm.openai:OpenAIModel", "base_url", "prices", "timeout", "concurrency"),
        "gguf": _ours("gguf", "toulmin.llm.gguf:GgufModel", "concurrency", "context", "threads"),
        "replay": _ours("replay", "toulmin.llm.stored_replies:ReplayModel"),
    },
)


def is_remote(spec: str) -> bool:
    """Whether a model is asked over the network, so that several requests may be in flight."""
    return spec.partition(":")[0] == "openai"


def get_model(
    spec: str,
    *,
    base_url: str | None = None,
    prices: Prices | None = None,
    timeout: float | None = None,
    concurrency: int | None = None,
    context: int | None = None,
    threads: int | None = None,
    cache: str | Path | None = None,
    record: str | Path | None = None,
) -> Model:
    """A model by its specification, ``KIND:NAME``.

    Args:
        base_url, prices, timeout, concurrency, context, threads: see ``ModelOptions``.
        cache: an SQLite file in which replies are kept.
        record: a file of JSON lines to which every exchange is appended, those from the cache too.

    A kind of the entry-point group is a function from the name and ``ModelOptions`` to a model.

    Raises:
        SettingsError: no such kind, one that cannot be loaded, or an option that it does not have.
        SourceError: a file that cannot be used.
        MissingExtraError: the kind needs an extra that is not installed.
        ModelError: a model file that cannot be loaded.
    """
    kind, colon, name = spec.partition(":")
    if not colon or not name.strip():
        raise SettingsError(f"model {spec!r}: write KIND:NAME, for example openai:NAME, gguf:PATH or replay:FILE")
    options = ModelOptions(base_url, prices, timeout, concurrency, context, threads)
    model = _KINDS.get(kind)(name, options)
    if cache is not None or record is not None:
        from toulmin.llm.stored_replies import CachedModel, RecordingModel

        model = CachedModel(model, cache) if cache is not None else model
        model = RecordingModel(model, record) if record is not None else model
    return model
