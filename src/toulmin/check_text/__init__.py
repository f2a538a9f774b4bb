"""A text against a graph: its sentences, the atomic facts that they state, and what a graph says to each."""
