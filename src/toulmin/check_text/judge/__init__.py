"""Atomic facts against a graph: what their words may mean, what the graph says to each meaning, and the verdict."""
