"""The model of a question: one that is given, or one that is opened by its name for as long as it is needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from toulmin.errors import SettingsError
from toulmin.llm.protocol import Model

__all__ = ["given"]


@asynccontextmanager
async def given(model: Model | str | None, *, base_url: str | None = None) -> AsyncIterator[Model | None]:
    """A model; one that is opened here, since it is given by its name, is closed at the end.

    Raises:
        SettingsError: no such model, what is no model, or an address for what takes none.
    """
    if base_url is not None and not isinstance(model, str):
        raise SettingsError("base_url is of a model given by its name: openai:NAME")
    if not isinstance(model, str):
        if model is not None and not callable(getattr(model, "complete", None)):
            raise SettingsError(
                f"the model is of type {type(model).__name__}: give a model, or the name of one, such as openai:NAME"
            )
        yield model
        return
    from toulmin.llm.registry import get_model

    opened = get_model(model, base_url=base_url)
    try:
        yield opened
    finally:
        await opened.close()
