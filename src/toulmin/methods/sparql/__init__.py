"""A model writes a query over the graph's schema, sees what it gives, and mends it."""

from toulmin.methods.sparql.method import Sparql, SparqlSettings

__all__ = ["Sparql", "SparqlSettings"]
