"""The reader: a grammar over the graph's schema says what a question may mean, a small network reads which."""

from __future__ import annotations

from toulmin.methods.reader.method import Reader
from toulmin.methods.reader.settings import ReaderSettings

__all__ = ["Reader", "ReaderSettings"]
