"""What the figures mean: the functions of the metrics, and their definitions (``metrics.toml``)."""

from toulmin.evaluation.metrics.answers import passes_grounded

__all__ = ["passes_grounded"]
