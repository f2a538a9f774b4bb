"""Chat models: one small protocol, the ways to reach a model, and what is wrapped around it."""
