"""Write docs/architecture.md from the code: its rooms, what imports what, and the way of a question through them.

    python scripts/architecture.py

What a folder or a function is for is the first sentence of its docstring. Which functions a question goes through is
chosen below, by name; that it goes through them, in this order, is seen by asking one.
"""

from __future__ import annotations

import ast
import difflib
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.program.answer import Answer

__all__ = ["LAYERS", "PAGE", "ROOT", "cycles", "imports_of", "markdown", "module_name", "modules"]

ROOT = Path(toulmin.__file__).parent
PAGE = Path(__file__).resolve().parents[1] / "docs" / "architecture.md"
REPLIES = Path(__file__).resolve().parents[1] / "tests" / "methods" / "replays" / "r3.jsonl"

_LABEL = 32  # characters of a line in the picture

#: What lies in ``toulmin/``, from the top: each may import what lies lower, and itself. Modules without a folder, too.
LAYERS = (
    ("cli", "server"),
    ("__init__",),
    ("opening",),
    ("evaluation",),
    ("methods",),
    ("check_text",),
    ("entailment",),
    ("llm",),
    ("program", "retrieval"),
    ("english",),
    ("graph", "page"),
    ("registry",),
    ("errors", "kernel"),
)

_HEAD = """# Architecture

Written by `python scripts/architecture.py` from the code; a test compares them. The first sentences of docstrings say
what folders and functions are for.

## The rooms

One folder of `src/toulmin/` for one concern. Imports go downwards only, and never in a circle. An arrow leads to what a
room imports, except where a longer way leads there as well.
"""
_FILES = """## Files beside the folders
"""
_WAYS = """## The way of a question

From the call to the answer, function by function; left out is what only helps these. Each was asked when this page was
written. `toulmin.ask` waits for `aask`, in notebooks too, and `check_text` for `acheck_text`. A method yields events as
it works, of which the last holds the answer: a certificate.
"""


def modules() -> list[Path]:
    """The files of the package."""
    return sorted(ROOT.rglob("*.py"))


def module_name(path: Path) -> str:
    """ "toulmin.graph.store"; of ``__init__.py`` the folder's."""
    return ".".join(("toulmin", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imports_of(path: Path, known: Mapping[str, Path]) -> Iterator[tuple[int, str]]:
    """Line and name of each module of ours that a file imports, also inside functions and for type checking."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            found = [deeper if (deeper := f"{base}.{alias.name}") in known else base for alias in node.names]
        else:
            continue
        for one in found:
            if one in known and one != name:
                yield node.lineno, one


def cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    components: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in graph[name]:
            if other not in number:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], number[other])
        if lowest[name] == number[name]:
            start = stack.index(name)
            component = stack[start:]
            del stack[start:]
            if len(component) > 1:
                components.append(sorted(component))

    for name in graph:
        if name not in number:
            visit(name)
    return components


def first_sentence(docstring: str | None) -> str:
    """Without its full stop; names in `code`, as Markdown has it."""
    if not docstring:
        return ""
    paragraph = " ".join(docstring.split("\n\n")[0].split()).replace("``", "`")
    return paragraph.split(". ")[0].removesuffix(".")


def docstring_of(path: Path, function: str | None = None) -> str | None:
    """That of a file, or of a function or class in it ("Class.method"); of a class's method else that of the class."""
    node: Any = ast.parse(path.read_text("utf-8"))
    told = ast.get_docstring(node)
    for part in function.split(".") if function else ():
        node = next(one for one in node.body if getattr(one, "name", None) == part)
        told = ast.get_docstring(node) or told
    return told


# The picture -----------------------------------------------------------------------------------------------------


def room_of(module: str) -> str:
    """The folder of ``toulmin/`` that a module lies in, or its own name."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def rooms() -> dict[str, set[str]]:
    """What each room imports."""
    known = {module_name(path): path for path in modules()}
    uses: dict[str, set[str]] = {}
    for name, path in known.items():
        own = uses.setdefault(room_of(name), set())
        own |= {room_of(other) for _, other in imports_of(path, known)} - {room_of(name)}
    return uses


def picture() -> str:
    """The rooms and their imports in Mermaid's language, without those that longer ways imply."""
    uses = rooms()
    uses = {room: {other for other in others if is_drawn(other)} for room, others in uses.items() if is_drawn(room)}
    reached = {room: reachable(uses, room) for room in uses}
    lines = ["```mermaid", "flowchart TD"]
    order = [room for layer in LAYERS for room in layer if room in uses]
    lines += [f'    {room}["<b>{room}</b><br>{room_purpose(room)}"]' for room in order]
    for room in order:
        direct = [other for other in uses[room] if not any(other in reached[third] for third in uses[room])]
        lines += [f"    {room} --> {other}" for other in order if other in direct]
    return "\n".join([*lines, "```", ""])


def is_drawn(room: str) -> bool:
    """Whether it is a folder."""
    return (ROOT / room).is_dir()


def reachable(uses: Mapping[str, set[str]], room: str) -> set[str]:
    """What a room imports by way of others or itself, without itself."""
    found: set[str] = set()
    left = list(uses[room])
    while left:
        if (other := left.pop()) not in found:
            found.add(other)
            left += uses[other]
    return found


def room_purpose(room: str) -> str:
    """Its first sentence in lines, for the picture."""
    sentence = first_sentence(docstring_of(ROOT / room / "__init__.py")).replace('"', "'").replace("`", "")
    return "<br>".join(textwrap.wrap(sentence, _LABEL))


def tree() -> str:
    """Each folder with its line and, of a room, all rooms that it imports."""
    rows = ["| folder | what it holds | imports |", "| --- | --- | --- |"]
    uses = rooms()
    order = [room for layer in LAYERS for room in layer]
    for room in filter(is_drawn, order):
        for path in sorted((ROOT / room).rglob("__init__.py")):
            parts = path.parent.relative_to(ROOT).parts
            imports = ", ".join(other for other in order if other in uses[room]) if len(parts) == 1 else ""
            shown = f"**`{room}/`**" if len(parts) == 1 else f"`{'/'.join(parts)}/`"
            rows.append(f"| {shown} | {first_sentence(docstring_of(path))} | {imports} |")
    return "\n".join([*rows, ""])


def files() -> str:
    """Each module that lies beside the folders, with its line."""
    rows = ["| file | what it holds |", "| --- | --- |"]
    rows += [f"| `{path.name}` | {first_sentence(docstring_of(path))} |" for path in sorted(ROOT.glob("*.py"))]
    return "\n".join([*rows, ""])


# The way of a question -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """A question that is asked, and functions that it goes through, in this order."""

    title: str
    about: str
    ask: Callable[[Graph], object]
    functions: Sequence[str]


def _with_model(graph: Graph) -> Answer:
    from toulmin.methods.r3 import R3Settings

    settings = R3Settings(pruning="truncation", k=30)  # as the replies were recorded
    return toulmin.ask(graph, "Did Marie Curie outlive her husband?", settings=settings, model=f"replay:{REPLIES}")


_QUESTION = "Where was the father of Ada Lovelace born?"
_TEXT = "Ada Lovelace was born in London. She died in Paris."

WAYS = (
    Way(
        "Without a model",
        f'`toulmin.ask(graph, "{_QUESTION}")`: the reader writes down what the question may mean, and a small network '
        "ranks that.",
        lambda graph: toulmin.ask(graph, _QUESTION),
        (
            "aask",
            "Asker.aask",
            "Request.of",
            "check_request",
            "Auto.answer",
            "Reader.answer",
            "QuestionReader.read",
            "read_question",
            "EntityLinker.link",
            "Grammar.drafts",
            "utterance",
            "ReadingNetwork.probabilities",
            "QuestionReader.run",
            "Builder.add",
            "Builder.value",
            "Completeness.restricting",
            "Builder.answer",
        ),
    ),
    Way(
        "Without a model, by FiDeLiS",
        f'`toulmin.ask(graph, "{_QUESTION}", method="fidelis")`: Path-RAG proposes relation paths, and the reader\'s '
        "network verifies them.",
        lambda graph: toulmin.ask(graph, _QUESTION, method="fidelis"),
        (
            "aask",
            "Asker.aask",
            "Fidelis.answer",
            "PathAnswerer.answered",
            "EntityLinker.link",
            "named_mentions",
            "Start.likely",
            "CandidateScorers.step_scorer",
            "Grower.grown",
            "informative",
            "utterance",
            "ReadingNetwork.log_odds",
            "walk",
            "end_set",
            "unread_words",
            "Builder.answer",
        ),
    ),
    Way(
        "With a model",
        "R³ on a question of commonsense, with recorded replies.",
        _with_model,
        (
            "aask",
            "get_model",
            "Asker.aask",
            "_R3Run.answered",
            "EntityLinker.link",
            "Pruner.truncation",
            "AxiomPrompter.axioms",
            "Session.ask",
            "read_reply",
            "Program.read",
            "Branch.run",
            "Reasoner.evaluate",
            "TermBinder.bind",
            "Compiler.formula",
            "Outcome.settle",
            "Builder.answer",
        ),
    ),
    Way(
        "A text",
        f'`toulmin.check_text(graph, "{_TEXT}")`.',
        lambda graph: toulmin.check_text(graph, _TEXT),
        (
            "acheck_text",
            "shipped_scorer",
            "TextChecker.check",
            "split_sentences",
            "split_facts",
            "judge",
            "EntityLinker.link",
            "find_mentions",
            "ranked_hypotheses",
            "premise_of",
            "OnnxScorer.score",
            "decide",
            "TextCheck.answer",
            "Builder.text",
        ),
    ),
    Way(
        "The check",
        "`answer.check(graph)`: the kernel, which imports nothing of the rest, is handed what it asks the graph by.",
        lambda graph: toulmin.ask(graph, _QUESTION).check(graph),
        (
            "Answer.check",
            "check",
            "read_certificate",
            "Evaluator.run",
            "Evaluator.step",
            "GraphRanges.range",
            "LocalGraph.ranges",
            "sentences",
        ),
    ),
)


def called(way: Way, graph: Graph) -> list[tuple[Path, str]]:
    """Functions of ours that are called from its first one on, in the order of their first calls: file and name."""
    found: dict[tuple[str, str], None] = {}

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            name = frame.f_code.co_qualname
            if found or name == way.functions[0]:
                found.setdefault((frame.f_code.co_filename, name))

    threading.setprofile(record)
    sys.setprofile(record)
    try:
        way.ask(graph)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return [(Path(file), name) for file, name in found]


def steps(way: Way, graph: Graph) -> Iterator[tuple[str, str, str]]:
    """Room, function and purpose of each step.

    Raises:
        ValueError: a function is not called, or not after the ones before it.
    """
    calls = called(way, graph)
    left = iter(calls)
    for function in way.functions:
        path = next((path for path, name in left if name == function), None)
        if path is None:
            near = difflib.get_close_matches(function, [name for _, name in calls], n=5, cutoff=0.3)
            raise ValueError(
                f"{way.title}: {function} is not called, or not after the functions before it; called are, among "
                f"others, {', '.join(near)}: mend WAYS in scripts/architecture.py"
            )
        shown = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        yield shown, function, first_sentence(docstring_of(path, function))


def ways() -> str:
    """A table for each way."""
    graph = toulmin.open("bundled")
    parts = []
    for way in WAYS:
        rows = ["| | where | function | what it does |", "| --- | --- | --- | --- |"]
        for number, (where, function, purpose) in enumerate(steps(way, graph), 1):
            rows.append(f"| {number} | `{where}` | `{function}` | {purpose} |")
        parts += [f"### {way.title}\n", f"{way.about}\n", "\n".join(rows) + "\n"]
    return "\n".join(parts)


def markdown() -> str:
    """The document."""
    return "\n".join([_HEAD, picture(), tree(), _FILES, files(), _WAYS, ways()])


if __name__ == "__main__":
    PAGE.write_text(markdown(), "utf-8")
