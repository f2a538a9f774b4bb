"""Data sets by id: one module for each, and an explicit registry; and questions of one's own."""

from toulmin.evaluation.datasets.registry import dataset_ids, declared, load
from toulmin.evaluation.datasets.types import Dataset, Declared, Gold, GoldPath, PathRelation, Problem, Question

__all__ = [
    "Dataset",
    "Declared",
    "Gold",
    "GoldPath",
    "PathRelation",
    "Problem",
    "Question",
    "dataset_ids",
    "declared",
    "load",
]
