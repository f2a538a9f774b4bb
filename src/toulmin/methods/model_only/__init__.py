"""A model alone: zero-shot, few-shot, chain of thought, self-consistency."""

from __future__ import annotations

from toulmin.methods.model_only.method import ModelOnly, ModelOnlySettings

__all__ = ["ModelOnly", "ModelOnlySettings"]
