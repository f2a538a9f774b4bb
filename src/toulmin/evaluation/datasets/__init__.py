"""Data sets by id: one module for each, and an explicit registry."""

from toulmin.evaluation.datasets.registry import dataset_ids, load
from toulmin.evaluation.datasets.types import Dataset, GoldPath, PathRelation, Problem, Question

__all__ = ["Dataset", "GoldPath", "PathRelation", "Problem", "Question", "dataset_ids", "load"]
