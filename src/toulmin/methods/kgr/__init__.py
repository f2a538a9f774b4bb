"""KGR: a draft whose claims are looked up, verified, and mended."""

from toulmin.methods.kgr.method import Kgr
from toulmin.methods.kgr.settings import KgrSettings

__all__ = ["Kgr", "KgrSettings"]
