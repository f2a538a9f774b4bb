"""Operators of computations: arguments, a pure recomputation over the graph, and a canonical form."""
