"""Toulmin: question answering over knowledge graphs with proofs that a program can check."""
