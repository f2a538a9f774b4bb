"""FiDeLiS without a language model: the words of a question are aligned with relation paths (papers/fidelis C)."""

from __future__ import annotations

from toulmin.methods.fidelis.without_model.method import EmbeddingFidelis

__all__ = ["EmbeddingFidelis"]
