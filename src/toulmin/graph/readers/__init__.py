"""Readers: from files to facts and names."""

from toulmin.graph.readers.options import ReadOptions
from toulmin.graph.readers.protocol import Fact, Name, Record, Rejected
from toulmin.graph.readers.registry import Reader, detect_format, formats, read

__all__ = ["Fact", "Name", "ReadOptions", "Reader", "Record", "Rejected", "detect_format", "formats", "read"]
