"""RR, "Rethinking with Retrieval": sampled chains of thought, weighed by what knowledge bears out (papers/rr)."""

from toulmin.methods.rr.method import RR
from toulmin.methods.rr.settings import FORMS, RRSettings

__all__ = ["FORMS", "RR", "RRSettings"]
