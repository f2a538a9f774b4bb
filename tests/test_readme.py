"""README and guide say what the program does: their code runs, their commands exist, their transcripts are real."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toulmin.cli.main import app

ROOT = Path(__file__).parents[1]
README, GUIDE = ROOT / "README.md", ROOT / "docs" / "guide.md"
BLOCKS = [
    block
    for page in (README, GUIDE)
    for block in re.findall(r"^```(\w*)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]
COMMANDS = [
    line.removeprefix("$ ")
    for language, block in BLOCKS
    if not language
    for line in block.splitlines()
    if line.removeprefix("$ ").startswith("toulmin ")
]


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def test_the_python_code_runs() -> None:
    (code,) = [block for language, block in BLOCKS if language == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    answer, report = done.stdout.splitlines()
    assert f"print(answer.text)  # {answer}\n" in code
    assert report == "judged the place of birth of the father of Ada Lovelace 0"


def test_the_commands_exist(tmp_path: Path) -> None:
    known = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert len(COMMANDS) >= 4
    for command in COMMANDS:
        assert shlex.split(command, comments=True)[1].replace("-", "_") in known


TRANSCRIPTS = [block for _, block in BLOCKS if block.startswith("$ ")]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda block: block.partition("\n")[0])
def test_the_transcripts_are_real(transcript: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores and times apart, the program still prints them."""
    monkeypatch.chdir(tmp_path)
    changing = re.compile(r"\d\.\d")
    for step in transcript.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        program, *arguments = (str(ROOT / one) if one.startswith("tests/") else one for one in shlex.split(command))
        if program == "cat":
            Path(arguments[0]).write_text(shown + "\n", "utf-8")
            continue
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0
        assert [line for line in shown.splitlines() if not changing.search(line)] == [
            line for line in result.stdout.splitlines() if not changing.search(line)
        ]


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) == 7


@pytest.mark.parametrize("page", [README, GUIDE, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_the_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = re.findall(
        r"^make ([a-z-]+)", README.read_text("utf-8") + (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    assert len(named) >= 6
    assert [target for target in named if not re.search(rf"^{target}:.*##", makefile, re.M)] == []
