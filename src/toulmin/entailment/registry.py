"""Entailment scorers by name: ours, and those of the entry-point group ``toulmin.entailment``.

``shipped``; ``onnx:FOLDER``, what ``training/export_onnx.py`` wrote; ``transformers:NAME_OR_PATH``, a cross-encoder of
Hugging Face; ``chat``, a chat model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toulmin.entailment.protocol import Scorer
from toulmin.errors import SettingsError
from toulmin.llm.protocol import Model
from toulmin.llm.session import Budget, Meter
from toulmin.registry import Registry, with_argument, without_argument

__all__ = ["DEFAULT_SCORER", "ScorerOptions", "get_scorer"]

#: The scorer where none is named.
DEFAULT_SCORER = "shipped"


@dataclass(frozen=True, slots=True)
class ScorerOptions:
    """What a scorer may need beside its name; one that does not need it leaves it unused.

    Args:
        model: a chat model.
        budget: of all that the scorer asks of it; a meter: of all that share it.
        threads: of the processor; 0: the scorer's default.
    """

    model: Model | None = None
    budget: Budget | Meter | None = None
    threads: int = 0


def _shipped(argument: str, options: ScorerOptions) -> Scorer:
    without_argument("shipped", argument)
    from toulmin.entailment.onnx_scorer import shipped_scorer

    return shipped_scorer(threads=options.threads)


def _onnx(argument: str, options: ScorerOptions) -> Scorer:
    from toulmin.entailment.onnx_scorer import OnnxScorer

    return OnnxScorer(Path(with_argument("onnx", "FOLDER", argument)).expanduser(), threads=options.threads)


def _transformers(argument: str, options: ScorerOptions) -> Scorer:
    from toulmin.entailment.cross_encoder import TransformersScorer

    return TransformersScorer(with_argument("transformers", "NAME_OR_PATH", argument), threads=options.threads)


def _chat(argument: str, options: ScorerOptions) -> Scorer:
    without_argument("chat", argument)
    if options.model is None:
        raise SettingsError("the scorer 'chat' needs a language model: name one (--model KIND:NAME)")
    from toulmin.entailment.chat import ChatScorer

    return ChatScorer(options.model, budget=options.budget)


_SCORERS: Registry[Callable[[str, ScorerOptions], Scorer]] = Registry(
    "entailment scorer",
    "toulmin.entailment",
    {"shipped": _shipped, "onnx": _onnx, "transformers": _transformers, "chat": _chat},
)


def get_scorer(
    name: str = DEFAULT_SCORER, *, model: Model | None = None, budget: Budget | Meter | None = None, threads: int = 0
) -> Scorer:
    """A scorer by its name.

    Args:
        name: ``NAME``, or ``NAME:WHICH`` where it needs to know which.
        model, budget, threads: see ``ScorerOptions``.

    A scorer of the entry-point group is a function from what follows the colon (a text, empty where nothing does) and
    ``ScorerOptions`` to a scorer.

    Raises:
        SettingsError: no such scorer or model, or one that cannot be loaded.
        MissingExtraError: it needs an extra that is not installed.
    """
    kind, _, argument = name.partition(":")
    return _SCORERS.get(kind)(argument, ScorerOptions(model, budget, threads))
