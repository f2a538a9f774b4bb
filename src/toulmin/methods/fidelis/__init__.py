"""FiDeLiS (papers/fidelis): beam search over reasoning paths, scored by a language model or by embeddings."""

from __future__ import annotations

from toulmin.methods.fidelis.guided.settings import GuidedSettings
from toulmin.methods.fidelis.method import Fidelis
from toulmin.methods.fidelis.settings import FidelisSettings

__all__ = ["Fidelis", "FidelisSettings", "GuidedSettings"]
