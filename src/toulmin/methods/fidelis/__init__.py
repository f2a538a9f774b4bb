"""FiDeLiS (papers/fidelis): beam search over reasoning paths. Here its embedding-scored form, which calls no model."""

from __future__ import annotations

from toulmin.methods.fidelis.method import Fidelis
from toulmin.methods.fidelis.settings import FidelisSettings

__all__ = ["Fidelis", "FidelisSettings"]
