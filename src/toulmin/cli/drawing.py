"""Nodes and relations as people read them, and paths and statements of them drawn on lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from toulmin.cli.console import shorten
from toulmin.graph.labels import readable_id, readable_relation
from toulmin.graph.types import Direction, Entity, Literal, Node, Relation, Statement
from toulmin.graph.values import literal_words as plain_words

__all__ = ["Pen", "literal_words", "node_words", "relation_words"]

_NODE, _RELATION, _QUALIFIER = "bold", "cyan", "dim"
_Hops = Iterable[tuple[Relation, Direction, str]]


def node_words(node: Node) -> str:
    """An entity's label, or a literal in words."""
    return literal_words(node) if isinstance(node, Literal) else shorten(node.label or readable_id(node.id))


def relation_words(relation: Relation | Entity) -> str:
    """A relation's label."""
    return shorten(relation.label or readable_relation(relation.id))


def literal_words(literal: Literal) -> str:
    """A literal in words: ``10 December 1815``, ``8,848.86 metre``, ``48.8567° N, 2.3522° E``."""
    return shorten(plain_words(literal))


class Pen:
    """Draws for one console: as wide as it is, with arrows that its encoding has."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._plain = not console.encoding.lower().replace("-", "").startswith("utf")

    def arrow(self, relation: Relation, direction: Direction) -> Text:
        """``──directed by──▶``, or ``◀──directed by──`` where the relation is walked from object to subject."""
        line, right, left = ("--", ">", "<") if self._plain else ("──", "▶", "◀")
        before, after = (line, line + right) if direction == "forward" else (left + line, line)
        return Text.assemble(before, (relation_words(relation), _RELATION), after)

    def chain(self, start: str, hops: _Hops, indent: int) -> list[Text]:
        """Words joined by arrows, on lines that fit beside ``indent`` columns; they break before an arrow."""
        width = self._width(indent)
        lines = [Text(start, _NODE)]
        for relation, direction, word in hops:
            link = Text.assemble(" ", self.arrow(relation, direction), " ", (word, _NODE))
            if lines[-1].cell_len + link.cell_len > width:
                link = Text("   ") + link
                lines.append(link)
            else:
                lines[-1].append_text(link)
        return lines

    def row(self, words: Iterable[str], style: str, indent: int) -> list[Text]:
        """Words with dots between them, on lines that fit beside ``indent`` columns; none is torn that fits on one."""
        dot = " | " if self._plain else " · "
        lines: list[Text] = []
        for word in words:
            text = Text(word, style)
            if lines and lines[-1].cell_len + len(dot) + text.cell_len <= self._width(indent):
                lines[-1].append(dot).append_text(text)
            else:
                lines.append(text)
        return lines

    def statement(self, statement: Statement, indent: int) -> list[Text]:
        """A statement with its qualifiers, which go on a line of their own where they do not fit."""
        hops: _Hops = [(statement.relation, "forward", node_words(statement.object))]
        return self.append(self.chain(node_words(statement.subject), hops, indent), self.qualifiers(statement), indent)

    def qualifiers(self, statement: Statement) -> Text:
        """What qualifies a statement, in parentheses; also a preferred rank, and which graph of a union holds it."""
        parts = [
            f"{relation_words(qualifier.relation)}: {node_words(qualifier.value)}" for qualifier in statement.qualifiers
        ]
        parts += ["preferred"] if statement.rank == "preferred" else []
        parts += [f"in {statement.graph}"] if statement.graph else []
        return Text(f"({'; '.join(parts)})" if parts else "", _QUALIFIER)

    def append(self, lines: Sequence[Text], words: Text, indent: int) -> list[Text]:
        """Lines with some words after the last, on a new line where they do not fit."""
        if not words:
            return list(lines)
        joined = Text.assemble(lines[-1], "  ", words)
        if joined.cell_len <= self._width(indent):
            return [*lines[:-1], joined]
        return [*lines, Text("     ") + words]

    def _width(self, indent: int) -> int:
        return max(self._console.width - indent, 20)
