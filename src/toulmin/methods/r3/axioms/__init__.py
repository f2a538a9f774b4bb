"""Axioms: the language a model fills, what its terms are in a graph, and the program that follows."""
