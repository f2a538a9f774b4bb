"""KGR: a draft whose claims are looked up, verified, and mended."""

from toulmin.methods.kgr.method import Kgr, KgrSettings

__all__ = ["Kgr", "KgrSettings"]
