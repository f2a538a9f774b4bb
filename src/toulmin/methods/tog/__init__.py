"""Think-on-Graph: a model explores the graph step by step (Sun et al., ICLR 2024)."""

from toulmin.methods.tog.method import ToG
from toulmin.methods.tog.settings import ToGSettings

__all__ = ["ToG", "ToGSettings"]
