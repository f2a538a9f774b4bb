"""The graph that comes with Toulmin: real people, places, works, organisations and events, in our own JSON lines."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["bundled_path"]


def bundled_path() -> Path:
    """The file of the bundled graph "world" (JSON lines, see ``docs/format.md``)."""
    return Path(str(files(__name__).joinpath("world.jsonl")))
