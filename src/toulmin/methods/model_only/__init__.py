"""A model alone: zero-shot, few-shot, chain of thought, self-consistency."""

from toulmin.methods.model_only.method import ModelOnly, ModelOnlySettings

__all__ = ["ModelOnly", "ModelOnlySettings"]
