"""Settings of every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a test may import scipy or start a process, and the machine may be busy: no test is about time.
settings.register_profile("toulmin", deadline=None)
settings.load_profile("toulmin")

pytest_plugins = ["program_fixtures"]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the user: what is kept of an endpoint is kept by its address, and ports come again."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
