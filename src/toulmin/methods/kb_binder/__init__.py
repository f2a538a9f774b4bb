"""KB-BINDER: drafts of a logical form, bound to the graph (Li et al., 2023)."""

from toulmin.methods.kb_binder.method import KBBinder
from toulmin.methods.kb_binder.settings import KBBinderSettings

__all__ = ["KBBinder", "KBBinderSettings"]
