"""Mutation testing of the kernel: small changes to a module that the corpus and tests/kernel must notice.

    PYTHONPATH=src:tests/kernel:tests/kernel/vectors python scripts/mutants.py certificate [--part 1/2] [--list]

Prints the share killed for each module, and the survivors. The corpus comes first, only those lines of it that run the
changed line; then the tests. A mutant that runs for too long is killed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "src" / "toulmin" / "kernel"
SECONDS = 120  # for the lines of the corpus, and again for the tests
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}  # fmt: skip
_RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def mutants(source: str) -> Iterator[tuple[int, str, Callable[[], str]]]:
    """Line, what was changed, and what makes the source, of each mutant."""
    tree = ast.parse(source)
    ignored = _ignored(tree)
    for place, node in enumerate(ast.walk(tree)):
        if node in ignored:
            continue
        for told, make in _changes(node):

            def changed(place: int = place, make: Callable[[Any], object] = make) -> str:
                copied = copy.deepcopy(tree)
                make(next(one for at, one in enumerate(ast.walk(copied)) if at == place))
                return ast.unparse(ast.fix_missing_locations(copied))

            yield getattr(node, "lineno", 0), told, changed


def _ignored(tree: ast.AST) -> set[ast.AST]:
    """Types, docstrings, imports and what only words a message."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            parts = [
                node.returns,
                *(arg.annotation for arg in node.args.args + node.args.kwonlyargs),
                *node.decorator_list,
            ]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("dict", "list", "set", "tuple")
        ):
            parts = [node]
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            parts.append(node.body[0])
        found |= {below for part in parts if part is not None for below in ast.walk(part)}
    return found


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """What can be changed of a node: in words, and a function that changes it."""
    text = ast.unparse(node)[:70].replace("\n", " ") if isinstance(node, (ast.expr, ast.stmt)) else ""
    if isinstance(node, ast.Compare):
        for number, op in enumerate(node.ops):
            for other in _COMPARED.get(type(op), ()):
                yield f"{text}: {other.__name__}", lambda one, n=number, o=other: one.ops.__setitem__(n, o())
    elif isinstance(node, ast.BoolOp):
        flipped = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{text}: {flipped.__name__}", lambda one: setattr(one, "op", flipped())
        for number in range(len(node.values)):
            yield (
                f"{text}: without part {number}",
                lambda one, n=number: one.values.pop(n) if len(one.values) > 2 else _only(one, n),
            )
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield (
            f"{text}: without it",
            lambda one: setattr(one, "op", ast.UAdd() if isinstance(one.op, ast.USub) else _yes(one)),
        )
    elif (isinstance(node, ast.BinOp) and type(node.op) in _RECKONED) or (
        isinstance(node, ast.AugAssign) and type(node.op) in _RECKONED
    ):
        yield f"{text}: other operator", lambda one: setattr(one, "op", _RECKONED[type(one.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{text}: turned", lambda one: setattr(one, "value", not one.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield f"{text}: one more", lambda one: setattr(one, "value", one.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value and " " not in node.value:
        yield f"{text!r}: another text", lambda one: setattr(one, "value", one.value + "X")
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield f"if {ast.unparse(node.test)[:60]}: always", lambda one: setattr(one, "test", ast.Constant(True))
        yield f"if {ast.unparse(node.test)[:60]}: never", lambda one: setattr(one, "test", ast.Constant(False))
    elif isinstance(node, ast.comprehension):
        for number, test in enumerate(node.ifs):
            yield f"for … if {ast.unparse(test)[:60]}: always", lambda one, n=number: one.ifs.pop(n)
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield (
            f"{text}: the other",
            lambda one: _become(one, ast.Break() if isinstance(one, ast.Continue) else ast.Continue()),
        )
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield f"{text}: None", lambda one: setattr(one, "value", ast.Constant(None))
    elif isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise)):
        yield f"{text}: left out", lambda one: _become(one, ast.Pass())


def _yes(node: ast.UnaryOp) -> ast.unaryop:
    node.operand = ast.UnaryOp(ast.Not(), node.operand)  # not not
    return ast.Not()


def _only(node: ast.BoolOp, number: int) -> None:
    kept = node.values[1 - number]
    node.values = [kept, kept]


def _become(node: ast.AST, other: ast.AST) -> None:
    node.__class__ = other.__class__


class _Overlay(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives a module of the kernel by another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        file = str(KERNEL / f"{fullname.rpartition('.')[2]}.py")
        return importlib.util.spec_from_file_location(fullname, file, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, str(module.__file__), "exec"), module.__dict__)  # noqa: S102


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith("toulmin.kernel") or name == "false_corpus"]:
        del sys.modules[name]


def covered(module: str) -> dict[int, list[int]]:
    """By which lines of the corpus each line of a module is run."""
    import false_corpus

    file = str(KERNEL / f"{module}.py")
    found: dict[int, list[int]] = {}
    for number, line in enumerate(false_corpus.lines()):
        begun = time.monotonic()
        if false_corpus.checked(line) and time.monotonic() - begun > 2:  # what tests limits takes its time
            continue
        seen: set[int] = set()

        def trace(frame: FrameType, event: str, _: object, seen: set[int] = seen) -> Any:
            if frame.f_code.co_filename != file:
                return None
            seen.add(frame.f_lineno)
            return trace

        sys.settrace(trace)
        try:
            false_corpus.checked(line)
        finally:
            sys.settrace(None)
        for at in seen:
            found.setdefault(at, []).append(number)
    return found


def _noticed(module: str, source: str, every: Sequence[Any], lines: Sequence[int], tests: Sequence[str]) -> str | None:
    """By what a mutant is noticed: run in a process of its own, which ends after this."""
    _forget()
    sys.meta_path.insert(0, _Overlay(f"toulmin.kernel.{module}", source))
    try:
        import false_corpus

        for number in lines:
            report = false_corpus.checked(every[number])
            if false_corpus.disagreement(every[number], report.exit_code, str(report)):
                return f"corpus: {every[number]['name']}"
    except Exception as error:  # noqa: BLE001  (whatever it is, it is noticed)
        return f"corpus: {type(error).__name__}"
    if not tests:
        return None
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    return None if code == 0 else "tests"


def _run(module: str, source: str, every: Sequence[Any], lines: Sequence[int], tests: Sequence[str]) -> str | None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.alarm(SECONDS)
        try:
            told = _noticed(module, source, every, lines, tests)
        except BaseException as error:  # noqa: BLE001
            told = f"import: {type(error).__name__}"
        os.write(write, (told or "").encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as given:
        told = given.read().decode()
    _, status = os.waitpid(child, 0)
    return told or ("time" if status else None)


def main() -> None:
    """Test the modules that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+", help="of the kernel: format, certificate, …")
    parser.add_argument("--part", default="1/1", help="1/2: the first half of the mutants")
    parser.add_argument(
        "--tests", nargs="*", default=["tests/kernel/test_kernel_values.py"], help="what else may notice"
    )
    parser.add_argument("--sample", type=int, help="so many mutants of a module, drawn at random, instead of all")
    parser.add_argument("--list", action="store_true", help="show the mutants only")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    os.chdir(ROOT)
    for module in options.modules:
        source = (KERNEL / f"{module}.py").read_text("utf-8")
        made = list(mutants(source))
        if options.sample and options.sample < len(made):
            made = random.Random(7).sample(made, options.sample)  # noqa: S311  (no secret)
        made = made[part - 1 :: parts]
        if options.list:
            print("\n".join(f"{module}:{line}: {told}" for line, told, _ in made))
            continue
        by, begun, survivors = covered(module), time.monotonic(), []
        everywhere = sorted({number for numbers in by.values() for number in numbers})
        every = importlib.import_module("false_corpus").lines()
        for line, told, changed in made:
            spread = list(by.get(line, everywhere))
            random.shuffle(spread)  # neighbours are noticed by the same
            if _run(module, changed(), every, spread, options.tests) is None:
                survivors.append(f"{module}:{line}: {told}")
                print(f"  survives {survivors[-1]}", flush=True)
        killed = len(made) - len(survivors)
        share = killed / len(made) if made else 1.0
        print(
            f"{module} ({options.part}): {killed} of {len(made)} killed ({share:.1%}), {time.monotonic() - begun:.0f}s",
            flush=True,
        )


if __name__ == "__main__":
    main()
