"""What has to be closed is closed at the end of a ``with`` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

__all__ = ["Closing"]


class Closing(ABC):
    """Base of what holds files or connections."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Release files and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
