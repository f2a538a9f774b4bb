"""A graph's schema as a model is shown it: classes, relations, how to query them, and what a question names."""
