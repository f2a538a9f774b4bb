"""What is written about the program is so.

README and guide: their code runs, their commands exist, their transcripts are real. All pages: links lead somewhere,
and what they name by its module is there.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import toulmin
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


PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Of entry points; some are no modules.
GROUPS = frozenset(
    re.findall(r"`(toulmin\.[a-z]+)`", (ROOT / "docs" / "packages.md").read_text("utf-8").split("##")[0])
)


def heading_anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!http)([^)#\s]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
        led_to = page.parent / target if target else page
        assert led_to.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", led_to.read_text("utf-8"), re.MULTILINE)
            assert anchor in map(heading_anchor, headings), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_named_by_its_module_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for dotted in set(re.findall(r"(?<![/.\w])toulmin(?:\.[A-Za-z_]\w*)+", text)) - GROUPS:
        assert is_there(dotted), dotted
    for path in set(re.findall(r"`(?:src/toulmin/)?((?:[a-z_0-9]+/)+[a-z_0-9]+\.(?:py|js|json|md))`", text)):
        places = (ROOT / path, page.parent / path, ROOT / "src" / "toulmin" / path)
        assert any(one.exists() for one in places) or any((ROOT / "src").rglob(path)), path


def is_there(dotted: str) -> bool:
    """Whether it is a module of the package, or a name in one."""
    found: object = toulmin
    name = "toulmin"
    for part in dotted.split(".")[1:]:
        name = f"{name}.{part}"
        if not hasattr(found, part) and isinstance(found, ModuleType) and hasattr(found, "__path__"):
            try:
                import_module(name)
            except ModuleNotFoundError:
                return False
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = re.findall(
        r"^make ([a-z-]+)", README.read_text("utf-8") + (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    assert len(named) >= 6
    assert [target for target in named if not re.search(rf"^{target}:.*##", makefile, re.M)] == []
