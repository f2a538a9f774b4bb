"""FiDeLiS with a language model (papers/fidelis sections 2.1-2.2, algorithms 1-2, appendix F)."""

from toulmin.methods.fidelis.with_model.method import GuidedFidelis
from toulmin.methods.fidelis.with_model.settings import GuidedSettings

__all__ = ["GuidedFidelis", "GuidedSettings"]
