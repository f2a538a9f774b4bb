"""docs/licences.md says of everything that ships where it is from, and is what its table gives."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TABLE = tomllib.loads((ROOT / "docs" / "licences.toml").read_text("utf-8"))


def files_of(section: str) -> Counter[Path]:
    """How many entries of a section each file falls under."""
    return Counter(path for entry in TABLE[section] for pattern in entry["files"] for path in ROOT.glob(pattern))


def test_every_asset_of_the_package_stands_in_one_row() -> None:
    assets = {
        path
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and ".egg-info" not in str(path)
    }
    found = files_of("package")
    assert {path for path in assets if found[path] != 1} == set()
    assert set(found) <= assets


def test_every_text_for_training_and_measuring_stands_in_one_row() -> None:
    texts = {
        path
        for folder in ("training", "benchmarks", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".tsv", ".txt", ".json", ".jsonl"} and "__pycache__" not in path.parts
    }
    found = files_of("repository")
    assert {path for path in texts if found[path] != 1} == set()


@pytest.mark.parametrize("entry", [*TABLE["package"], *TABLE["repository"]], ids=lambda entry: entry["files"][0])
def test_every_row_is_of_something(entry: dict[str, list[str]]) -> None:
    assert all(any(ROOT.glob(pattern)) for pattern in entry["files"])


def test_the_document_is_what_the_table_gives(tmp_path: Path) -> None:
    for name in ("scripts", "docs"):
        (tmp_path / name).mkdir()
    (tmp_path / "scripts" / "licences.py").write_bytes((ROOT / "scripts" / "licences.py").read_bytes())
    (tmp_path / "docs" / "licences.toml").write_bytes((ROOT / "docs" / "licences.toml").read_bytes())
    subprocess.run([sys.executable, tmp_path / "scripts" / "licences.py"], check=True)
    written = (tmp_path / "docs" / "licences.md").read_text("utf-8")
    assert written == (ROOT / "docs" / "licences.md").read_text("utf-8"), "run python scripts/licences.py"
