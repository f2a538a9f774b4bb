"""Where the commands print: results on stdout, progress on stderr, JSON as it is; texts and numbers made fit for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from toulmin.graph.build import Progress

__all__ = [
    "busy",
    "counted",
    "error_console",
    "harmless",
    "print_beside",
    "print_json",
    "progress",
    "result_console",
    "shorten",
]

_LONGEST = 300  # characters of a text in a line


#: Characters that end a line.
_BREAKS = dict.fromkeys(map(ord, "\n\r\v\f\x85\u2028\u2029"), "\u23ce")

#: Characters that act on a terminal instead of being shown: controls but tab and line feed, and turns of direction.
_ACTING = dict.fromkeys(
    {*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)} - {ord("\t"), ord("\n")}, "\ufffd"
)


def harmless(text: str) -> str:
    """A text of the same length in which nothing can act on the terminal that it is printed on."""
    return text.translate(_ACTING)


def shorten(text: str, longest: int = _LONGEST) -> str:
    """A text in one line, cut off where it is very long."""
    line = " ".join(text.split())  # all of it first: blanks must not push out of sight what follows them
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def counted(number: int, noun: str) -> str:
    """``1 statement``, ``1,204 statements``, ``2 entities``, ``0 replies``."""
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun}"


def result_console(*, stderr: bool = False) -> Console:
    """A console on stdout; what it prints is text, not markup, and nothing in it acts on the terminal."""
    from rich.console import Console
    from rich.text import Text

    class Output(Console):
        def print(self, *objects: Any, **settings: Any) -> None:
            """Print names and texts of graphs and of stored answers, which anybody may have written."""
            shown = [harmless(item) if isinstance(item, str) else item for item in objects]
            for item in shown:
                if isinstance(item, Text):
                    item.plain = harmless(item.plain)
            super().print(*shown, **settings)

        def on_broken_pipe(self) -> None:
            """Left to ``failures.Commands``; rich would exit with 1, which means something else here."""
            self.quiet = True
            raise BrokenPipeError

    return Output(stderr=stderr, highlight=False, markup=False, emoji=False)


#: A console on stderr, which treats text in the same way.
error_console = partial(result_console, stderr=True)


def print_beside(console: Console, margin: Text, line: Text) -> None:
    """Print a line to the right of a margin, wrapped; nothing stands below the margin or the line's own indent.

    Line breaks in it, which labels and stored answers may hold, are shown as such: they make no line of their own.
    """
    from rich.text import Text

    margin.plain, line.plain = (text.plain.translate(_BREAKS) for text in (margin, line))
    lead = len(line.plain) - len(line.plain.lstrip(" "))
    indent = margin.cell_len + lead
    for number, piece in enumerate(line[lead:].wrap(console, max(console.width - indent, 20))):
        piece.rstrip()
        before = margin + Text(" " * lead) if number == 0 else Text(" " * indent)
        console.print(before + piece, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a value as JSON, which is all that a command with ``--json`` prints on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def busy(message: str) -> Iterator[Callable[[str], None]]:
    """A sign of life on stderr while something goes on that has no measure, where that is a terminal.

    What it yields changes the message.
    """
    console = error_console()
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(message) as status:
        yield status.update


@contextmanager
def progress() -> Iterator[Progress]:
    """A callback (how much is done, of how much, what is done) that moves a bar on stderr, where that is a terminal."""
    console = error_console()
    if not console.is_terminal:
        yield lambda done, total, message: None
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    bars = Bars(*columns, console=console, transient=True)
    task, shown = bars.add_task("", total=None), ""

    def tell(done: int, total: int | None, message: str) -> None:
        nonlocal task, shown
        if message != shown:
            bars.remove_task(task)
            task, shown = bars.add_task(message, completed=done, total=total), message
        elif total is not None:  # without a total it is a mere sign of life, and the bar stays as it is
            bars.update(task, completed=done, total=total)
        bars.start()  # only now: what is quick shows no bar

    try:
        yield tell
    finally:
        bars.stop()
