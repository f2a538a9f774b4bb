"""``import toulmin``: open, ask, check and the core types."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any, cast

import pytest

import toulmin
from toulmin.errors import GraphError, InputError, SettingsError
from toulmin.methods.asker import Asker
from toulmin.opening import bundled_directory


def test_names_load_when_they_are_used() -> None:
    for name in toulmin.__all__:
        assert getattr(toulmin, name).__name__ == name
    assert set(toulmin.__all__) <= set(dir(toulmin))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = toulmin.nothing


def test_what_is_awaited_and_what_waits_have_one_signature_and_one_text() -> None:
    for waits, awaited in ((toulmin.ask, toulmin.aask), (toulmin.check_text, toulmin.acheck_text)):
        assert inspect.signature(waits) == inspect.signature(awaited)
        assert waits.__doc__ == awaited.__doc__
        assert inspect.iscoroutinefunction(awaited)
        assert not inspect.iscoroutinefunction(waits)
    assert inspect.signature(toulmin.events).parameters == inspect.signature(toulmin.aask).parameters
    assert inspect.signature(Asker.ask) == inspect.signature(Asker.aask)


def test_open_ask_check(world: toulmin.Graph) -> None:
    answer = toulmin.ask(world, "Who is the father of Ada Lovelace?")
    assert answer.values == (toulmin.Entity("world:Lord_Byron", "Lord Byron"),)
    report = toulmin.check(answer, world)
    assert isinstance(report, toulmin.Report)
    assert report.exit_code == 0
    assert toulmin.check(answer, world, strict=True).exit_code == 1
    assert answer.check(world) == report
    assert toulmin.check(answer, world, root=world.fingerprint).exit_code == 0
    assert toulmin.check(answer, world, root="0" * 64).exit_code == 1
    assert toulmin.check(answer).status == "unverifiable"  # no graph, and no evidence
    assert "Lord Byron" in answer._repr_html_()
    with pytest.raises(SettingsError, match="no method"):
        toulmin.ask(world, "Who?", method="oracle")


@pytest.mark.parametrize("graph", [None, 123, b"films", ["films"], "", " "])
def test_what_names_no_graph_is_told_in_one_line(graph: Any) -> None:
    with pytest.raises(InputError, match=r"^the name of the graph is (of type \w+|empty): give the directory of .*$"):
        toulmin.open(graph)


def test_what_is_no_graph_and_no_answer_is_told_in_one_line(world: toulmin.Graph) -> None:
    answer, nothing, number = (
        toulmin.ask(world, "Who is the father of Ada Lovelace?"),
        cast("Any", None),
        cast("Any", 7),
    )
    for call in (
        lambda: toulmin.ask(nothing, "Who?"),
        lambda: toulmin.check(answer, number),
        lambda: answer.check(number),
        lambda: toulmin.check_text(nothing, "Ada Lovelace died."),
    ):
        with pytest.raises(InputError, match=r"^the graph is of type \w+: give one that toulmin\.open returned$"):
            call()
    with pytest.raises(InputError, match=r"^the answer is of type NoneType: give what toulmin\.ask returned"):
        toulmin.check(nothing, world)


def test_an_answer_is_printed_and_travels(world: toulmin.Graph, tmp_path: Path) -> None:
    answer = toulmin.ask(world, "Who is the father of Ada Lovelace?")
    assert str(answer).startswith("Who is the father of Ada Lovelace?\nLord Byron\n")
    assert len(repr(answer)) < 300
    travelled = pickle.loads(pickle.dumps(answer))  # noqa: S301
    assert travelled == answer
    assert toulmin.check(travelled, world) == toulmin.check(answer, world)
    stored = tmp_path / "answer.json"
    stored.write_text(answer.to_json(), "utf-8")
    assert toulmin.Answer.read(str(stored)) == answer


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
