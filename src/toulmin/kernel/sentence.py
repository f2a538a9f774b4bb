"""Canonical sentences: what a program says in English, by the templates of format.json.

Nothing in them is taken from the file but the graph's names and texts in quotation marks, each made one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .certificate import Op
from .encoding import Statement, statement_id
from .shapes import FORMAT, one_line
from .values import Literal, Node, text_of

Label = Callable[[str], str | None]
_LONGEST = 600
_OPTION = re.compile(r"\[(\w+)(?:=(\w+))?:((?:[^\[\]])*)\]")
_FIELD = re.compile(r"\{(\w+)\}")
_ID_FIELDS = ("id", "relations", "sub", "disjoint", "entity", "relation")


def name(identifier: str, label: Label) -> str:
    """What is shown for an entity or relation: its label, else the end of its id."""
    found = label(identifier)
    return one_line(found if found else identifier.rstrip("/#").replace("#", "/").rpartition("/")[2] or identifier, 100)


def node_text(node: Node, label: Label) -> str:
    """What is shown for a node."""
    return one_line(text_of(node, label), 100) if isinstance(node, Literal) else name(node, label)


def statement_text(statement: Statement, label: Label) -> str:
    """A statement with its qualifiers and its id, in one line."""
    said = (
        f"{name(statement.subject, label)} — {name(statement.relation, label)} → {node_text(statement.object, label)}"
    )
    pairs = ", ".join(f"{name(relation, label)}: {node_text(value, label)}" for relation, value in statement.qualifiers)
    return f"{said}{f' ({pairs})' if pairs else ''} [{statement_id(statement)[:12]}]"


def quoted(text: str) -> str:
    """A text of the file, as one."""
    return f"“{one_line(text, 200)}”"


def sentences(program: Sequence[Op], label: Label) -> list[str]:
    """What each node says."""
    variables = [place for place, node in enumerate(program) if node.op == "it"]
    said: list[str] = []
    for place, node in enumerate(program):
        text = filled(FORMAT["nodes"][node.op], node.data, said, label)
        if node.op == "it" and len(variables) > 1:
            text = f"X{variables.index(place) + 1}"
        said.append(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
    return said


def filled(spec: Any, data: dict[str, Any], said: Sequence[str], label: Label, question: str = "") -> str:
    """A template with the fields of a node or reason in words."""
    shapes = {marked.rstrip("?"): shape for marked, shape in spec["fields"].items()}

    def chosen(match: re.Match[str]) -> str:
        value = data[match[1]]
        return match[3] if (value == match[2] if match[2] else value is not None and value is not False) else ""

    def word(match: re.Match[str]) -> str:
        return _worded(match[1], shapes[match[1]], data[match[1]], spec.get("joint", " or "), said, label, question)

    return _FIELD.sub(word, _OPTION.sub(chosen, spec["says"]))


def _worded(field: str, shape: Any, value: Any, joint: str, said: Sequence[str], label: Label, question: str) -> str:
    if isinstance(shape, list):
        between = ", " if field in ("keep", "qualified", "options", "words") else joint
        return between.join(_worded(field, shape[0], one, joint, said, label, question) for one in value)
    if isinstance(shape, dict):
        if field == "window":
            start, end = ("any time" if value[at] is None else node_text(value[at], label) for at in ("from", "to"))
            bounds = f"in {start}" if value["from"] == value["to"] is not None else f"from {start} to {end}"
            roles = [
                f"{word} {', '.join(name(one, label) for one in value[role])}"
                for role, word in (("start", "since"), ("end", "until"), ("point", "at"))
                if value[role]
            ]
            roles += ["or of unknown time"] if value["unknown"] == "keep" else []
            return f"{bounds} ({'; '.join(roles)})"
        if field == "options":
            return f"{node_text(value['option'], label)} if {said[value['if']]}"
        return f"{' or '.join(name(one, label) for one in value['relations'])} {node_text(value['is'], label)}"
    if shape.startswith("@"):
        return str(said[value])
    if field in _ID_FIELDS:
        return name(value, label)
    if shape in ("node", "literal"):
        return node_text(value, label)
    if shape == "statement":
        return statement_text(value, label)
    if shape in ("span", "marked"):
        start, end, *what = value
        return quoted(question[start:end]) + "".join(f" ({one_line(one, 40)})" for one in what)
    if shape == "number":
        return f"{value:.2f}"
    return quoted(value) if shape == "text" else str(value).replace("_", " ")
