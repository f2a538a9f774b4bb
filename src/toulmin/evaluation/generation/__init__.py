"""Open-ended questions from any graph (papers/okgqa, sections 3.1 and A.4): picked by code, written by a model."""
