"""FiDeLiS by what there is: with a language model its model-scored form, without one the embedding-scored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from toulmin.errors import SettingsError
from toulmin.methods.fidelis.guided import GuidedFidelis, GuidedSettings
from toulmin.methods.fidelis.method import Fidelis
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.protocol import Context, Event

__all__ = ["AnyFidelis"]


class AnyFidelis:
    """FiDeLiS in the form that the settings say, or, by default, that the model allows.

    Args:
        settings: FidelisSettings: embedding-scored, also where there is a model. GuidedSettings: model-scored. None:
            model-scored where there is a model.

    Raises:
        SettingsError: settings of another type.
        MissingExtraError: an embedding model that is not installed.
    """

    name = "fidelis"

    def __init__(self, settings: Any = None) -> None:
        if settings is not None and not isinstance(settings, FidelisSettings | GuidedSettings):
            raise SettingsError(f"fidelis takes FidelisSettings or GuidedSettings, not {type(settings).__name__}")
        self._plain = Fidelis(settings) if not isinstance(settings, GuidedSettings) else None
        self._guided = GuidedFidelis(settings) if not isinstance(settings, FidelisSettings) else None

    @property
    def settings(self) -> Any:
        """The settings of the form that answers where there is no model, else of the only one."""
        chosen = self._plain or self._guided
        return chosen.settings if chosen is not None else None

    async def run(self, question: str, context: Context) -> AsyncIterator[Event]:
        """Answer a question; see the two forms.

        Raises:
            SettingsError: a claim without a model to decide it, or a multiple choice.
        """
        if context.options:
            raise SettingsError("fidelis chooses among no options: take the method r3, with a language model")
        guided = self._guided is not None and (self._plain is None or context.model is not None)
        if context.task == "claim" and not guided:
            raise SettingsError("fidelis decides claims with a language model only: give one, or ask a question")
        chosen = self._guided if guided else self._plain
        if chosen is not None:
            async for event in chosen.run(question, context):
                yield event
