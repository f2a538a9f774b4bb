"""RR, "Rethinking with Retrieval": sampled chains of thought, weighed by what knowledge bears out (papers/rr)."""
