"""Readers: from files to facts and names."""
