"""Readers: from files to facts and names."""

from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.readers.registry import Reader, detect_format, formats, read
from toulmin.graph.readers.stream import ReadOptions

__all__ = ["RawName", "RawStatement", "ReadOptions", "Reader", "Record", "Rejected", "detect_format", "formats", "read"]
