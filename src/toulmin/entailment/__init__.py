"""Entailment: does this evidence support, leave open or contradict that sentence."""
