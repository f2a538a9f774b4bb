"""One module or package per method: question + graph -> Answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toulmin.methods.trace import answer_from

__all__ = ["answer_from"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from toulmin.methods import trace  # here, since it is heavy

    return getattr(trace, name)
