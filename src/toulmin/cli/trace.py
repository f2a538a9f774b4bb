"""What a method does while it answers, event by event, on stderr."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from toulmin.cli.console import print_beside
from toulmin.cli.drawing import Pen
from toulmin.cli.wording import node_words, shorten
from toulmin.graph.types import Direction, Relation
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
        case _:  # of a method that others added
            console.print(Text(event.event, "bold"))
            print_beside(console, _MARGIN, Text(shorten(event.model_dump_json(exclude={"event"}))))


def _drawn(console: Console, path: WalkedPath) -> list[Text]:
    hops: list[tuple[Relation, Direction, str]] = [
        (relation, "backward" if direction == "backward" else "forward", f"?{number}")
        for number, (relation, direction) in enumerate(path.relations, 1)
    ]
    return Pen(console).chain(f"{path.score:.2f} ", hops, len(_MARGIN))
