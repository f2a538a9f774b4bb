"""Certificates as HTML: the proof page, which checks itself, and the short form for notebooks."""
