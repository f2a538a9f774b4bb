"""Retrieval for open-ended questions (papers/okgqa, section 4.1): triples, paths or a sub-graph, by prizes."""
