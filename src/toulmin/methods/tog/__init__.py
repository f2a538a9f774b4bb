"""Think-on-Graph: a model explores the graph step by step (Sun et al., ICLR 2024)."""

from toulmin.methods.tog.explorer import ToGSettings
from toulmin.methods.tog.method import ToG

__all__ = ["ToG", "ToGSettings"]
