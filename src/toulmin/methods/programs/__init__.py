"""A program that the model writes, as steps over the graph's schema (ours)."""

from __future__ import annotations

from toulmin.methods.programs.method import Programs, ProgramsSettings

__all__ = ["Programs", "ProgramsSettings"]
