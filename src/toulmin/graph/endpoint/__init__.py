"""SPARQL endpoints as graphs."""
