"""Entailment scorers by name: ours, and those of the entry-point group ``toulmin.entailment``.

``shipped``; ``onnx:FOLDER``, what ``training/export_onnx.py`` wrote; ``transformers:NAME_OR_PATH``, a cross-encoder of
Hugging Face; ``chat``, a chat model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.entailment.protocol import Scorer
    from toulmin.llm.budget import Budget
    from toulmin.llm.protocol import Model

__all__ = ["DEFAULT_SCORER", "ScorerOptions", "get_scorer", "scorer_names"]

#: The scorer where none is named.
DEFAULT_SCORER = "shipped"

_ENTRY_POINTS = "toulmin.entailment"


@dataclass(frozen=True, slots=True)
class ScorerOptions:
    """What a scorer may need beside its name; one that does not need it leaves it unused.

    Args:
        model: a chat model.
        budget: of all that the scorer asks of it.
        threads: of the processor; 0: the scorer's default.
    """

    model: Model | None = None
    budget: Budget | None = None
    threads: int = 0


def _shipped(argument: str, options: ScorerOptions) -> Scorer:
    _none("shipped", argument)
    from toulmin.entailment.onnx_scorer import shipped_scorer

    return shipped_scorer(threads=options.threads)


def _onnx(argument: str, options: ScorerOptions) -> Scorer:
    from toulmin.entailment.onnx_scorer import OnnxScorer

    return OnnxScorer(Path(_some("onnx", "FOLDER", argument)).expanduser(), threads=options.threads)


def _transformers(argument: str, options: ScorerOptions) -> Scorer:
    from toulmin.entailment.cross_encoder import TransformersScorer

    return TransformersScorer(_some("transformers", "NAME_OR_PATH", argument), threads=options.threads)


def _chat(argument: str, options: ScorerOptions) -> Scorer:
    _none("chat", argument)
    if options.model is None:
        raise SettingsError("the scorer 'chat' needs a language model: name one (--model KIND:NAME)")
    from toulmin.entailment.chat import ChatScorer

    return ChatScorer(options.model, budget=options.budget)


_SCORERS: Mapping[str, Callable[[str, ScorerOptions], Scorer]] = {
    "shipped": _shipped,
    "onnx": _onnx,
    "transformers": _transformers,
    "chat": _chat,
}


def scorer_names() -> tuple[str, ...]:
    """The names that ``get_scorer`` knows, without what follows a colon."""
    return (*_SCORERS, *sorted({point.name for point in entry_points(group=_ENTRY_POINTS)} - _SCORERS.keys()))


def get_scorer(
    name: str = DEFAULT_SCORER, *, model: Model | None = None, budget: Budget | None = None, threads: int = 0
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
    return _maker(kind)(argument, ScorerOptions(model, budget, threads))


def _maker(kind: str) -> Callable[[str, ScorerOptions], Scorer]:
    if kind in _SCORERS:
        return _SCORERS[kind]
    for point in entry_points(group=_ENTRY_POINTS):
        if point.name == kind:
            try:
                make: Callable[[str, ScorerOptions], Scorer] = point.load()
            except (ImportError, AttributeError) as error:
                distribution = point.dist.name if point.dist else point.module
                raise SettingsError(f"scorer {kind!r} of {distribution} cannot be loaded ({error})") from error
            return make
    close = get_close_matches(kind, scorer_names(), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise SettingsError(f"no entailment scorer is called {kind!r}{hint} (known: {', '.join(scorer_names())})")


def _some(kind: str, what: str, argument: str) -> str:
    if not argument.strip():
        raise SettingsError(f"scorer {kind!r}: write {kind}:{what}")
    return argument


def _none(kind: str, argument: str) -> None:
    if argument:
        raise SettingsError(f"scorer {kind!r} takes nothing after its name: leave {argument!r} out")
