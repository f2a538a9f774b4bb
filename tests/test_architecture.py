"""The map of the code: imports go downwards, modules stay small and documented, starting stays quick."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import toulmin

ROOT = Path(toulmin.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
LONGEST = 400

#: A package may import those of lower rank, and itself. The modules beside the packages have ranks of their own.
RANKS = {
    "kernel": 0,
    "errors": 0,
    "registry": 1,
    "graph": 2,
    "page": 2,
    "english": 3,
    "program": 4,
    "retrieval": 4,
    "llm": 5,
    "entailment": 6,
    "check_text": 7,
    "methods": 8,
    "evaluation": 9,
    "opening": 10,
    "__init__": 11,
    "cli": 12,
    "server": 12,
}
HEAVY = (
    *("bm25s", "httpx", "jsonschema", "numpy", "onnxruntime", "openai", "pint", "pydantic", "pyoxigraph", "rapidfuzz"),
    *("scipy", "tokenizers", "xllamacpp"),
)


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"), str(module))


def package_of(module: Path) -> str:
    first = module.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imported(module: Path) -> Iterator[tuple[int, str]]:
    """Line and package of every import of ours, also of those inside functions and for type checking."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level and package_of(module) == "kernel":
                assert node.level == 1, f"{name_of(module)}:{node.lineno}: out of the kernel"
                continue
            assert node.level == 0, f"{name_of(module)}:{node.lineno}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, *rest = name.split(".")
            if top == "toulmin":
                yield node.lineno, rest[0] if rest and rest[0] in RANKS else "__init__"


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_go_downwards(module: Path) -> None:
    own = package_of(module)
    upwards = [f"line {line}: {to}" for line, to in imported(module) if to != own and RANKS[to] >= RANKS[own]]
    assert not upwards


KERNEL = [module for module in MODULES if package_of(module) == "kernel"]


@pytest.mark.parametrize("module", KERNEL, ids=name_of)
def test_the_kernel_imports_the_standard_library_alone(module: Path) -> None:
    """It shares no code with what makes certificates, and runs wherever its folder is copied."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
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


@pytest.mark.parametrize("module", [module for module in MODULES if module not in KERNEL], ids=name_of)
def test_modules_stay_small(module: Path) -> None:
    assert len(module.read_text("utf-8").splitlines()) <= LONGEST


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("module", MODULES, ids=name_of)
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


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_all_is_exact(module: Path) -> None:
    """Each module names every public function and class that it defines, and nothing that it does not have."""
    tree = tree_of(module)
    names = exported(tree) or []
    if package_of(module) == "kernel" and module.name != "__init__.py":
        return  # what the kernel offers stands in one place
    assert len(names) == len(set(names))
    assert [node.name for node in public(tree.body) if node.name not in names] == []
    dotted = ".".join(("toulmin", *module.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    loaded = import_module(dotted)
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
