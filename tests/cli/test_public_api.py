"""``import toulmin``: open, ask, check and the core types."""

from __future__ import annotations

from pathlib import Path

import pytest

import toulmin
from toulmin.errors import GraphError, SettingsError
from toulmin.opening import bundled_directory


def test_names_load_when_they_are_used() -> None:
    for name in toulmin.__all__:
        assert getattr(toulmin, name).__name__ == name
    assert set(toulmin.__all__) <= set(dir(toulmin))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = toulmin.nothing


def test_open_ask_check(world: toulmin.Graph) -> None:
    answer = toulmin.ask(world, "Who is the father of Ada Lovelace?")
    assert answer.values == (toulmin.Entity("world:Lord_Byron", "Lord Byron"),)
    report = toulmin.check(answer, world)
    assert isinstance(report, toulmin.CheckReport)
    assert report.exit_code == 0
    assert toulmin.check(answer, world, strict=True).exit_code == 1
    assert answer.proof.check(world) == report
    assert "Lord Byron" in answer._repr_html_()
    with pytest.raises(SettingsError, match="no method"):
        toulmin.ask(world, "Who?", method="oracle")


def test_the_bundled_graph_is_built_once(world: toulmin.Graph) -> None:
    built = (bundled_directory() / "manifest.json").stat().st_mtime_ns
    again = toulmin.open("bundled")
    assert again.fingerprint == world.fingerprint
    again.close()
    assert (bundled_directory() / "manifest.json").stat().st_mtime_ns == built


def test_a_damaged_cache_is_built_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, world: toulmin.Graph) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said: list[str] = []
    toulmin.open("bundled", progress=lambda done, total, message: said.append(message)).close()
    (bundled_directory() / "relations.json").write_text("[[", "utf-8")
    graph = toulmin.open("bundled")
    assert graph.fingerprint == world.fingerprint
    graph.close()
    assert "embedding labels" in said


def test_a_cache_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "toulmin").write_text("a file where a directory should be", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(GraphError, match="set XDG_CACHE_HOME"):
        toulmin.open("bundled")


def test_a_path_is_never_taken_for_an_endpoint_or_the_bundled_graph() -> None:
    for path in (Path("http://example.org"), Path("bundled")):
        with pytest.raises(GraphError, match="no such directory"):
            toulmin.open(path)
