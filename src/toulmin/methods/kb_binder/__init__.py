"""KB-BINDER: drafts of a logical form, bound to the graph (Li et al., 2023)."""

from toulmin.methods.kb_binder.draft_binder import KBBinderSettings
from toulmin.methods.kb_binder.method import KBBinder

__all__ = ["KBBinder", "KBBinderSettings"]
