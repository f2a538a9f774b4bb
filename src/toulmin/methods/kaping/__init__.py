"""KAPING and the plain vector retriever: statements like the question are put into the prompt."""

from toulmin.methods.kaping.method import Kaping, KapingSettings, PlainVectors, PlainVectorsSettings

__all__ = ["Kaping", "KapingSettings", "PlainVectors", "PlainVectorsSettings"]
