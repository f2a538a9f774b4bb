"""Prompts are files: a folder ``prompts/`` beside the code of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Prompt"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: what the model is told, examples of ours, and the user message with its fields."""

    name: str
    system: str
    demonstrations: tuple[tuple[str, str], ...]
    template: str
    schema: Mapping[str, Any] | None
