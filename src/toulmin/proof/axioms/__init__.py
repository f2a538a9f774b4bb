"""Axioms as programs: their language, the grounding of their terms, and their evaluation, which a check repeats."""
