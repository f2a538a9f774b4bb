"""What a method does while it answers, event by event, on stderr."""

from __future__ import annotations

from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

from toulmin.cli.console import print_beside
from toulmin.cli.drawing import Pen
from toulmin.cli.phrases import node_words, shorten
from toulmin.graph.types import Direction, Entity, Relation, Statement
from toulmin.methods.protocol import Answered, Called, Event, Linked, Searched, WalkedPath

__all__ = ["print_event"]

_PATHS = 10  # the best of a search
_MARGIN = Text("  ")


def print_event(console: Console, event: Event) -> None:
    """Print one event; the last, which holds the answer, is left to those who print answers."""
    match event:
        case Answered():
            return
        case Linked():
            console.print(Text("linked", "bold"))
            for one in event.entities:
                words = f"{one.score:.2f}  “{one.text}” is {node_words(one.entity)} ⟨{one.entity.id}⟩ ({one.how})"
                print_beside(console, _MARGIN, Text(words))
        case Searched():
            console.print(Text(f"searched from {node_words(event.start)}", "bold"))
            for path in event.paths[:_PATHS]:
                for line in _drawn(console, path):
                    print_beside(console, _MARGIN, line)
        case Called():
            how = "" if event.called else ", from the cache or a replay"
            tokens = f"{event.prompt_tokens:,} + {event.completion_tokens:,} tokens"
            console.print(
                Text.assemble(("asked the model", "bold"), f" for {event.step}: {tokens}, {event.seconds:.2f} s{how}")
            )
            said = f"not usable: {event.problem}" if event.problem else event.reply
            print_beside(console, _MARGIN, Text(shorten(said)))
        case _:  # of one method only
            console.print(Text(event.event, "bold"))
            for field in type(event).model_fields:
                if field != "event":
                    for line in _field(console, field, getattr(event, field)):
                        print_beside(console, _MARGIN, line)


def _field(console: Console, name: str, value: object) -> list[Text]:
    """A field of an event: paths and statements drawn, names and texts as they are, all else as JSON."""
    items = value if isinstance(value, tuple) else (value,)
    if value is None or value == "" or not items:
        return []
    lines: list[Text] = []
    words: list[str] = []
    for item in items[:_PATHS]:
        if isinstance(item, WalkedPath):
            lines += _drawn(console, item)
        elif isinstance(item, Statement):
            lines += Pen(console).statement(item, len(_MARGIN))
        else:
            words.append(_words(item))
    if words:
        lines.append(Text(f"{name}: {'; '.join(words)}"))
    if len(items) > _PATHS:
        lines.append(Text(f"… and {len(items) - _PATHS:,} more {name}", "dim"))
    return lines


def _words(value: object) -> str:
    """A text, a name, an axiom by its sentence, a clause with its truth, a number; else JSON."""
    match value:
        case bool() | None:
            return {True: "yes", False: "no", None: "unknown"}[value]
        case str() | int() | float():
            return shorten(str(value))
        case Entity():
            return node_words(value)
        case BaseModel():
            words = getattr(value, "words", getattr(value, "text", None))
            return shorten(words) if isinstance(words, str) else shorten(value.model_dump_json(exclude_defaults=True))
    if (text := getattr(value, "text", None)) is not None:  # a clause with its truth
        truth = [_words(value.truth)] if hasattr(value, "truth") else []
        how = [f"({shorten(value.how)})"] if hasattr(value, "how") else []
        return " ".join([shorten(text), *truth, *how])
    return shorten(str(value))


def _drawn(console: Console, path: WalkedPath) -> list[Text]:
    hops: list[tuple[Relation, Direction, str]] = [
        (relation, "backward" if direction == "backward" else "forward", f"?{number}")
        for number, (relation, direction) in enumerate(path.relations, 1)
    ]
    return Pen(console).chain(f"{path.score:.2f} ", hops, len(_MARGIN))
