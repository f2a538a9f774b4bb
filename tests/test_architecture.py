"""The map of the code: imports go downwards and in no circle, a name stands for one thing, starting stays quick."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import architecture
from architecture import LAYERS, ROOT, cycles, imports_of, module_name, room_of

PATHS = architecture.modules()
MODULES = {module_name(path): path for path in PATHS}
LINES = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
IMPORTS = {name: [other for _, other in imports_of(path, MODULES)] for name, path in MODULES.items()}
HEAVY = (
    *("bm25s", "httpx", "jsonschema", "numpy", "onnxruntime", "openai", "pint", "pydantic", "pyoxigraph", "rapidfuzz"),
    *("scipy", "tokenizers", "xllamacpp"),
)

SLIVER = 100
#: Short files with one importer that are files of their own for a reason.
SLIVERS = {
    "toulmin.cli.main": "the entry point",
    "toulmin.graph.query_worker": "runs in a process of its own, which imports nothing else",
    "toulmin.kernel.__main__": "run by python -m",
    "toulmin.llm.scripted": "a model for tests, also those of other packages",
}

LONG = 500
#: Longer modules that were looked at, and why each is one piece.
LONG_MODULES = {"toulmin.kernel.evaluate": "what every node means, to be read from top to bottom by who trusts nobody"}

#: Base names of modules that say which part of their folder they are, and so may occur in every folder.
PARTS = frozenset({"__init__", "settings", "method", "protocol", "types", "registry"})


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"), str(module))


def in_kernel(module: Path) -> bool:
    return room_of(module_name(module)) == "kernel"


@pytest.mark.parametrize("module", PATHS, ids=name_of)
def test_imports_go_downwards(module: Path) -> None:
    rank = {room: number for number, layer in enumerate(LAYERS) for room in layer}
    own = room_of(module_name(module))
    upwards = [
        f"line {line}: {other}"
        for line, other in imports_of(module, MODULES)
        if room_of(other) != own and rank[room_of(other)] <= rank[own]
    ]
    assert not upwards


@pytest.mark.parametrize("module", [path for path in PATHS if not in_kernel(path)], ids=name_of)
def test_imports_name_the_whole_path(module: Path) -> None:
    relative = [node.lineno for node in ast.walk(tree_of(module)) if isinstance(node, ast.ImportFrom) and node.level]
    assert not relative


def test_no_imports_go_in_a_circle() -> None:
    assert cycles(IMPORTS) == []


def test_short_files_have_more_than_one_importer() -> None:
    """A short file that one other uses belongs into it; data sets and what a registry loads by its name do not."""
    importers: dict[str, set[str]] = defaultdict(set)
    for name, imported in IMPORTS.items():
        for other in imported:
            importers[other].add(name)
    loaded_by_name = {
        node.value.partition(":")[0]
        for path in PATHS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    slivers = {
        name: sorted(importers[name])
        for name, lines in LINES.items()
        if lines < SLIVER
        and len(importers[name]) <= 1
        and MODULES[name].name != "__init__.py"
        and not name.startswith("toulmin.evaluation.datasets.")
        and name not in SLIVERS
        and name not in loaded_by_name
    }
    assert slivers == {}
    assert [name for name in SLIVERS if LINES.get(name, SLIVER) >= SLIVER] == []


def test_long_modules_were_looked_at() -> None:
    assert {name: lines for name, lines in LINES.items() if lines > LONG and name not in LONG_MODULES} == {}
    assert [name for name in LONG_MODULES if LINES.get(name, 0) <= LONG] == []


def test_a_class_name_stands_for_one_thing() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, path in MODULES.items():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(name)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_base_name_occurs_at_most_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in PATHS:
        if path.stem not in PARTS:
            places[path.stem].append(name_of(path))
    assert {name: files for name, files in places.items() if len(files) > 2} == {}


def test_the_page_is_what_the_script_writes() -> None:
    code = "import sys; sys.path.insert(0, 'scripts'); import architecture; sys.stdout.write(architecture.markdown())"
    written = subprocess.run(
        [sys.executable, "-c", code], cwd=architecture.PAGE.parents[1], capture_output=True, check=False
    )
    assert written.stderr == b""
    assert written.stdout.decode("utf-8") == architecture.PAGE.read_text("utf-8"), "run make docs"


KERNEL = [module for module in PATHS if in_kernel(module)]


@pytest.mark.parametrize("module", KERNEL, ids=name_of)
def test_the_kernel_imports_the_standard_library_alone(module: Path) -> None:
    """It shares no code with what makes certificates, and runs wherever its folder is copied."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level < 2, f"{name_of(module)}:{node.lineno}: out of the kernel"
            names = [] if node.level else [node.module or ""]
        else:
            continue
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_kernel_runs_where_its_folder_is_copied(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "kernel", tmp_path / "copied", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import copied; print(copied.check('{}').problems)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "certificate" in done.stdout


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("module", PATHS, ids=name_of)
def test_public_names_have_docstrings(module: Path) -> None:
    tree = tree_of(module)
    bare = [] if ast.get_docstring(tree) or not tree.body else ["the module"]
    for node in public(tree.body):
        members = list(public(node.body)) if isinstance(node, ast.ClassDef) else []
        bare += [f"line {one.lineno}: {one.name}" for one in [node, *members] if not ast.get_docstring(one)]
    assert not bare


def exported(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["__all__"]:
            names = ast.literal_eval(node.value)
            assert isinstance(names, list)
            return names
    return None


@pytest.mark.parametrize("module", PATHS, ids=name_of)
def test_all_is_exact(module: Path) -> None:
    """Each module names every public function and class that it defines, and nothing that it does not have."""
    tree = tree_of(module)
    names = exported(tree) or []
    if in_kernel(module) and module.name != "__init__.py":
        return  # what the kernel offers stands in one place
    assert len(names) == len(set(names))
    assert [node.name for node in public(tree.body) if node.name not in names] == []
    loaded = import_module(module_name(module))
    assert [name for name in names if not hasattr(loaded, name)] == []


@pytest.mark.parametrize("target", ["toulmin", "toulmin.cli.main"])
def test_import_is_light(target: str) -> None:
    code = f"import sys, {target}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom toulmin.cli.main import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print('heavy:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == ["heavy:"]
    assert "evaluate" in done.stdout
