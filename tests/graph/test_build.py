"""Building: what is counted and refused, and that a build is there whole or not at all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.errors import GraphError, SettingsError, SourceError
from toulmin.graph.build import BuildReport, RejectedLine, build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.store import open_graph
from toulmin.graph.types import Literal

OLD: list[Record] = [RawStatement("old", "r", "x")]
NEW: list[Record] = [RawStatement(f"new {number}", "r", f"x {number % 7}") for number in range(40)]


def make(out: Path, records: Iterable[Record], *, strict: bool = False) -> BuildReport:
    with build_directory(out) as work:
        return build_graph([("records", records)], work, name="test", strict=strict)


def fingerprint(out: Path) -> str:
    with open_graph(out) as graph:
        assert graph.query("ASK { ?s ?p ?o }").rows
        return graph.fingerprint


def test_everything_is_counted(tmp_path: Path) -> None:
    said = RawStatement("a", "r", "b", (("q", Literal("1")),))
    told: list[tuple[int, int | None, str]] = []
    with build_directory(tmp_path / "graph") as work:
        report = build_graph(
            [
                (
                    "one.tsv",
                    [said, said, Rejected(3, "no third column"), RawStatement("a", "r", "b", (), "deprecated")],
                ),
                (
                    "two.tsv",
                    [
                        said,
                        RawName("a", "A"),
                        RawName("r", "R"),
                        RawName("a", ""),
                        RawStatement("", "r", "b"),
                        RawStatement("a", "r", "b"),
                    ],
                ),
            ],
            work,
            name="test",
            progress=lambda done, total, message: told.append((done, total, message)),
        )
    assert report == BuildReport(
        statements=2,
        duplicates=2,
        deprecated=1,
        entities=2,
        literals=1,
        relations=2,
        names=2,
        rejected=3,
        first_rejected=(
            RejectedLine("one.tsv", 3, "no third column"),
            RejectedLine("two.tsv", None, "an empty label of 'a'"),
            RejectedLine("two.tsv", None, "an id is empty"),
        ),
        fingerprint=fingerprint(tmp_path / "graph"),
    )
    assert str(report.first_rejected[0]) == "one.tsv:3: no third column"
    assert told
    assert all(total is None or done <= total for done, total, _ in told)


def test_only_the_first_ten_rejected_lines_are_kept(tmp_path: Path) -> None:
    report = make(tmp_path / "graph", [*OLD, *(Rejected(line, "bad") for line in range(1, 31))])
    assert report.rejected == 30
    assert [line.line for line in report.first_rejected] == list(range(1, 11))


def test_strict_stops_at_the_first_and_says_where(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="records:2: bad"):
        make(tmp_path / "graph", [*OLD, Rejected(2, "bad"), Rejected(3, "worse")], strict=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", ["notes.txt", "mine/data.tsv", "arrays/copy.npy"])
def test_a_file_that_is_not_of_the_graph_is_not_lost(tmp_path: Path, kept: str) -> None:
    out = tmp_path / "graph"
    old = make(out, OLD).fingerprint
    (out / kept).parent.mkdir(exist_ok=True)
    (out / kept).write_text("mine")
    with pytest.raises(
        SettingsError, match=f"{kept}: is no file of the graph, .* move it out of {out} first"
    ) as raised:
        make(out, NEW)
    assert "\n" not in str(raised.value)
    assert (fingerprint(out), (out / kept).read_text()) == (old, "mine")
    (out / kept).unlink()
    assert make(out, NEW).statements == len(NEW)


class Interrupt(BaseException):
    """Like Ctrl-C."""


def failing(records: list[Record], after: int, error: BaseException) -> Iterator[Record]:
    yield from records[:after]
    raise error


@given(st.integers(0, len(NEW)), st.sampled_from([Interrupt(), KeyboardInterrupt(), SourceError("cut off", "x.gz", 7)]))
@settings(max_examples=10, deadline=None)
def test_an_error_among_the_records_leaves_the_old_graph(
    tmp_path_factory: pytest.TempPathFactory, after: int, error: BaseException
) -> None:
    folder = tmp_path_factory.mktemp("build")
    with pytest.raises(type(error)):
        make(folder / "graph", failing(NEW, after, error))
    assert list(folder.iterdir()) == []
    old = make(folder / "graph", OLD).fingerprint
    with pytest.raises(type(error)):
        make(folder / "graph", failing(NEW, after, error))
    assert [path.name for path in folder.iterdir()] == ["graph"]
    assert fingerprint(folder / "graph") == old


def test_an_interruption_while_the_store_is_loaded_leaves_the_old_graph(tmp_path: Path) -> None:
    old = make(tmp_path / "graph", OLD).fingerprint

    def interrupt(_done: int, _total: int | None, message: str) -> None:
        if message == "indexing labels":
            raise Interrupt

    with pytest.raises(Interrupt), build_directory(tmp_path / "graph") as work:
        build_graph([("records", NEW)], work, name="test", progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]
    assert fingerprint(tmp_path / "graph") == old


# Builds NEW, and kills itself at the n-th event of its interpreter that concerns files.
KILLED = """
import os, sys
from pathlib import Path
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawStatement
import pyoxigraph, rapidfuzz

left = int(sys.argv[2])
def watch(event, arguments):
    global left
    if event.split(".")[0] in {"open", "os", "shutil", "sqlite3"} or event == "ctypes.dlsym":
        left -= 1
        if left < 0:
            os._exit(9)

records = [RawStatement(f"new {number}", "r", f"x {number % 7}") for number in range(40)]
sys.addaudithook(watch)
with build_directory(Path(sys.argv[1])) as work:
    build_graph([("records", records)], work, name="test")
print(left, flush=True)
os._exit(0)
"""


def killed_build(out: Path, events: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(out), str(events)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_killed_build_leaves_the_old_graph_or_the_new_one(tmp_path: Path) -> None:
    new = make(tmp_path / "graph", NEW).fingerprint
    enough = 100_000
    finished = killed_build(tmp_path / "graph", enough)
    assert finished.returncode == 0, finished.stderr
    events = enough - int(finished.stdout)
    old = make(tmp_path / "graph", OLD).fingerprint
    seen = set()
    # A few points while the files are written, and every one around the swap and the removal of the old graph.
    points = [*range(0, events - 60, max(events // 5, 1)), *range(events - 60, events + 1, 5)]
    for point in points:
        assert killed_build(tmp_path / "graph", point).returncode in (0, 9)
        seen.add(fingerprint(tmp_path / "graph"))
        if fingerprint(tmp_path / "graph") == new:
            make(tmp_path / "graph", OLD)
        assert seen <= {old, new}
    assert seen == {old, new}
    make(tmp_path / "graph", OLD)
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]  # left-overs of the dead are gone


def test_left_overs_of_the_living_stay(tmp_path: Path) -> None:
    host = socket.gethostname()
    living = tmp_path / f".graph.building-{host}-{os.getpid()}-00000000"
    elsewhere = tmp_path / ".graph.building-another.host-1-00000000"
    other = tmp_path / f".other.building-{host}-{dead_pid()}-00000000"
    dead = tmp_path / f".graph.building-{host}-{dead_pid()}-00000000"
    for path in (living, elsewhere, other, dead):
        path.mkdir()
    make(tmp_path / "graph", OLD)
    assert {path.name for path in tmp_path.iterdir()} == {"graph", living.name, elsewhere.name, other.name}


def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_where_directories_cannot_be_swapped_the_old_graph_is_moved_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "elsewhere")
    make(tmp_path / "graph", OLD)
    new = make(tmp_path / "graph", NEW).fingerprint
    assert fingerprint(tmp_path / "graph") == new
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_a_graph_left_aside_between_two_renames_comes_back(tmp_path: Path) -> None:
    old = make(tmp_path / "graph", OLD).fingerprint
    (tmp_path / "graph").rename(tmp_path / f".graph.building-{socket.gethostname()}-{dead_pid()}-00000000.old")
    with pytest.raises(Interrupt):
        make(tmp_path / "graph", failing(NEW, 3, Interrupt()))
    assert fingerprint(tmp_path / "graph") == old


def test_what_is_no_graph_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("notes", "file"):
        with pytest.raises(SettingsError, match="not a Toulmin graph"):
            make(tmp_path / name, OLD)
    assert (tmp_path / "notes" / "a.txt").read_text() == "mine"
    with pytest.raises(SettingsError, match="no such directory"):
        make(tmp_path / "missing" / "graph", OLD)
    (tmp_path / "empty").mkdir()
    make(tmp_path / "empty", OLD)
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    new = make(tmp_path / "link", NEW).fingerprint
    assert fingerprint(tmp_path / "empty") == new
    assert (tmp_path / "link").is_symlink()


def test_a_block_that_builds_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="nothing was built"), build_directory(tmp_path / "graph"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_others_add_to_the_work_directory_comes_with_it(tmp_path: Path) -> None:
    with build_directory(tmp_path / "graph") as work:
        build_graph([("records", OLD)], work, name="test")
        (work / "vectors").mkdir()
    assert (tmp_path / "graph" / "vectors").is_dir()


def test_a_disk_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="cannot be written") as caught, build_directory(tmp_path / "graph") as work:
        (work / "arrays").write_text("in the way")
        build_graph([("records", OLD)], work, name="test")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
