"""What the figures mean: the functions of the metrics, and their definitions (``metrics.toml``)."""

from toulmin.evaluation.metrics.answers import (
    exact_match,
    hits_at_k,
    legacy_contained,
    legacy_f1,
    legacy_hit,
    legacy_mean,
    plain_number,
    question_metrics,
    set_scores,
    token_f1,
    value_id,
    value_key,
    value_label,
    verdict_accuracy,
)
from toulmin.evaluation.metrics.declared import Metric, declared, metric
from toulmin.evaluation.metrics.grounds import citation_scores, faithfulness, passes_grounded, statement_scores
from toulmin.evaluation.metrics.paths import coverage_ratio, linking_success, mean_depth

__all__ = [
    "Metric",
    "citation_scores",
    "coverage_ratio",
    "declared",
    "exact_match",
    "faithfulness",
    "hits_at_k",
    "legacy_contained",
    "legacy_f1",
    "legacy_hit",
    "legacy_mean",
    "linking_success",
    "mean_depth",
    "metric",
    "passes_grounded",
    "plain_number",
    "question_metrics",
    "set_scores",
    "statement_scores",
    "token_f1",
    "value_id",
    "value_key",
    "value_label",
    "verdict_accuracy",
]
