"""Graphs that lie, on purpose (docs/perturbation.md): what is altered is known, statement by statement."""

from toulmin.evaluation.perturbation.edits import CHANGES, false_statements, read_changes
from toulmin.evaluation.perturbation.kinds import KINDS
from toulmin.evaluation.perturbation.perturbing import Change, Perturbation, perturbed

__all__ = ["CHANGES", "KINDS", "Change", "Perturbation", "false_statements", "perturbed", "read_changes"]
