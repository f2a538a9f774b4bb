"""FiDeLiS (papers/fidelis): beam search over reasoning paths, chosen by a language model or by the trained reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from toulmin.llm.prompts import Prompts
from toulmin.llm.session import Budget
from toulmin.methods.answering import AnsweringMethod
from toulmin.methods.fidelis.with_model.method import GuidedFidelis
from toulmin.methods.fidelis.with_model.path_prompter import prompts
from toulmin.methods.fidelis.with_model.searching import CandidateScorers
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.fidelis.without_model import FidelisSettings, PathAnswerer
from toulmin.methods.protocol import Emit, QuestionContext
from toulmin.methods.request import Request
from toulmin.program.answer import Answer

__all__ = ["Fidelis", "FidelisSettings", "GuidedSettings"]


class Fidelis(AnsweringMethod):
    """FiDeLiS: with a language model by ``GuidedSettings``, without one by ``FidelisSettings``.

    Args:
        settings: None: those of the form without a language model.

    Raises:
        SettingsError: settings of another type, or a scorer that is not known.
        MissingExtraError: an embedding model that is not installed.
    """

    name: ClassVar[str] = "fidelis"
    title: ClassVar[str] = "Relation paths from the question's entities, found by beam search and verified"
    source: ClassVar[str] = "FiDeLiS (Sui et al., 2024)"

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.needs_model = isinstance(self.settings, GuidedSettings)
        scorers = CandidateScorers(self.settings if self.needs_model else GuidedSettings())
        self.answering = partial(GuidedFidelis if self.needs_model else PathAnswerer, scorers=scorers)
        self.takes = frozenset({"claim"}) if self.needs_model else frozenset()

    @classmethod
    def forms(cls) -> Mapping[str, Any]:
        """By embeddings and a small network (appendix C), by a model, as the paper has it, and with two calls."""
        return {
            "embedding": FidelisSettings(),
            "model": GuidedSettings(),
            "paper": GuidedSettings.paper(),
            "frugal": GuidedSettings.frugal(),
        }

    @classmethod
    def default_form(cls, *, model: bool) -> str:
        """Model-scored where there is a model."""
        return "model" if model else "embedding"

    def most_calls(self, options: int = 0) -> int | None:
        """Of the model-scored forms what their settings allow; without a model none."""
        return self.settings.most_calls() if self.needs_model else 0

    def prompts(self) -> Prompts:
        """Those of the model-scored forms."""
        return prompts()

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """See ``AnsweringMethod.answer``; the settings bound the calls, too."""
        if self.needs_model:
            budget = context.budget or Budget()
            bounds = [bound for bound in (budget.calls, self.settings.calls) if bound is not None]
            context = replace(context, budget=replace(budget, calls=min(bounds, default=None)))
        return await super().answer(request, context, emit)
