"""Passages of text: indexed, found for a sentence, and named in such a way that what rests on them can be checked."""
