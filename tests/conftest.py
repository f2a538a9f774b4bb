"""Settings of every test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
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


@pytest.fixture
def distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str, str, str, Sequence[str]], None]]:
    """Installs distributions of one module for the test: by name, with its code, group and entry points.

    ``distribution("maps-extra", code, "toulmin.readers", ["gpx = read"])`` has the module ``maps_extra``.
    """
    modules: list[str] = []

    def install(name: str, code: str, group: str, points: Sequence[str]) -> None:
        modules.append(name.replace("-", "_"))
        site = tmp_path / "site" / name
        info = site / f"{modules[-1]}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{modules[-1]}.py").write_text(code, "utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        lines = [point.replace("= ", f"= {modules[-1]}:") for point in points]
        (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]), "utf-8")
        monkeypatch.syspath_prepend(str(site))

    yield install
    for module in modules:
        sys.modules.pop(module, None)
