"""FiDeLiS (papers/fidelis): beam search over reasoning paths, scored by a language model or by embeddings."""

from __future__ import annotations

from toulmin.methods.fidelis.method import Fidelis
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.with_model.settings import GuidedSettings

__all__ = ["Fidelis", "FidelisSettings", "GuidedSettings"]
