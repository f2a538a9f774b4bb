"""Open-ended questions: a paragraph whose every sentence cites statements (papers/okgqa, section 4)."""

from toulmin.methods.open_ended.method import OpenEnded
from toulmin.methods.open_ended.settings import OpenEndedSettings

__all__ = ["OpenEnded", "OpenEndedSettings"]
