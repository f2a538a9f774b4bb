"""Canonical sentences: what a program says in English, by the templates of format.json.

Nothing in them is taken from the file but the graph's names and texts in quotation marks, each made one line."""

import re
from collections.abc import Sequence
from typing import Any

from .certificate import OpNode
from .format import ALIAS, FORMAT, LABEL, GraphStatement, Label, LiteralValue, Node, one_line, statement_id
from .quantities import currency, unit_named

_QUOTES, _BRACKETS = str.maketrans("“”", '""'), str.maketrans("", "", "⟨⟩")
LONGEST = 600  # characters of a sentence that others hold; a longer one stands at its own node alone
_MOST_PARTS = 100
_WHOLE = 100_000  # of what the file holds nothing is cut off
_OPTION = re.compile(r"\[(\w+)(?:=(\w+))?:((?:[^\[\]])*)\]")
_FIELD = re.compile(r"\{(\w+)\}")
_NAMES = {LABEL: "label", ALIAS: "other name"}
_ID_FIELDS = ("id", "relations", "sub", "disjoint", "entity", "relation")
_PLAIN = re.compile(r"[-+\d.,:eETZ]+|true|false", re.ASCII)
_FINE = (None, "microsecond", "second", "minute", "hour", "day")  # precisions that need not be shown


def name(identifier: str, label: Label) -> str:
    """What is shown for an entity or relation: its label, else its whole id, marked as one."""
    shown = one_line(label(identifier) or _NAMES.get(identifier, ""), 100)
    return shown or f"⟨{one_line(identifier.translate(_BRACKETS))}⟩"


def node_text(node: Node, label: Label, longest: int = 200) -> str:
    """What is shown for a node: of a literal all that it says."""
    if isinstance(node, str):
        return name(node, label)
    if node.kind in ("unknown_value", "no_value"):
        return node.kind.replace("_", " ")
    plain = node.kind != "string" and len(node.value) <= longest and _PLAIN.fullmatch(node.value)
    text = node.value if plain else quoted(node.value, longest)
    if node.unit:
        known = unit_named(node.unit) or currency(node.unit)
        text += f" {one_line(node.unit) if known else name(node.unit, label)}"
    notes = [node.precision if node.precision not in _FINE else None, node.lang]
    more = [one_line(note, 100) for note in (*notes, "julian" if node.calendar == "julian" else None) if note]
    return f"{text} ({', '.join(more)})" if more else text


def statement_text(statement: GraphStatement, label: Label) -> str:
    """A statement with its qualifiers and its id, in one line."""
    subject, relation = name(statement.subject, label), name(statement.relation, label)
    pairs = ", ".join(f"{name(via, label)}: {node_text(value, label)}" for via, value in statement.qualifiers)
    shown = f"{subject} — {relation} → {node_text(statement.object, label)}{f' ({pairs})' if pairs else ''}"
    return f"{shown} [{statement_id(statement)[:12]}]"


def quoted(text: str, longest: int = _WHOLE) -> str:
    """A text of the file, as one: in quotation marks that nothing in it can close."""
    return f"“{one_line(text.translate(_QUOTES), longest)}”"


def folded(text: str) -> str:
    """A text without case and with single spaces."""
    return " ".join(text.casefold().split())


def sentences(program: Sequence[OpNode], label: Label) -> list[str]:
    """What each node says."""
    variables = [place for place, node in enumerate(program) if node.op == "it"]
    texts, short = list[str](), list[str]()
    places = [f"node {place}" for place in range(len(program))]
    for place, node in enumerate(program):
        parts = short if len(node.parts) <= _MOST_PARTS else places
        text = filled(FORMAT["nodes"][node.op], node.data, parts, label)
        if node.op == "it" and len(variables) > 1:
            text = f"X{variables.index(place) + 1}"
        texts.append(text)
        short.append(text if len(text) <= LONGEST else places[place])
    return texts


def filled(spec: Any, data: dict[str, Any], texts: Sequence[str], label: Label, question: str = "") -> str:
    """A template with the fields of a node or reason in words."""
    shapes = {marked.rstrip("?"): shape for marked, shape in spec["fields"].items()}

    def chosen(match: re.Match[str]) -> str:
        value = data[match[1]]
        stands = str(value).lower() == match[2] if match[2] else value is not None and value is not False
        return match[3] if stands else ""

    def worded(field: str, shape: Any, value: Any) -> str:
        if isinstance(shape, list):
            between = ", " if field in ("keep", "qualified", "options", "words", "w") else spec.get("joint", " or ")
            return str(between).join(worded(field, shape[0], part) for part in value)
        if field == "window":
            return _window(value, label)
        if field == "options":
            return f"{node_text(value['option'], label, _WHOLE)} if ({texts[value['if']]})"
        if field == "qualified":
            return f"{_names(value['relations'], ' or ', label)} {node_text(value['is'], label, _WHOLE)}"
        if shape in ("span", "marked"):
            start, end, *what = value
            return quoted(question[start:end]) + "".join(f" ({one_line(text, 40)})" for text in what)
        if shape.startswith("@"):
            return str(texts[value])
        if shape in ("node", "literal") or field in _ID_FIELDS:
            text = node_text(value, label, _WHOLE)
            return quoted(text) if field.startswith("relation") and text.endswith(" of") else text  # "of" twice
        if shape == "statement":
            return statement_text(value, label)
        plain = f"{value:.2f}" if shape == "number" else str(value).replace("_", " ")
        return quoted(value) if shape == "text" else plain

    template = _OPTION.sub(chosen, spec["says"])
    return _FIELD.sub(lambda match: worded(match[1], shapes[match[1]], data[match[1]]), template)


def _names(identifiers: Sequence[str], joint: str, label: Label) -> str:
    return joint.join(name(identifier, label) for identifier in identifiers)


def _window(value: Any, label: Label) -> str:
    ends = [value["from"], value["to"]]
    bounds = ["any time" if end is None else node_text(_as_written(end), label, _WHOLE) for end in ends]
    span = f"in {bounds[0]}" if bounds[0] == bounds[1] != "any time" else f"from {' to '.join(bounds)}"
    words = {"start": "since", "end": "until", "point": "at"}
    roles = [f"{word} {_names(value[role], ', ', label)}" for role, word in words.items() if value[role]]
    roles += ["or of unknown time"] if value["unknown"] == "keep" else []
    return f"{span}; {'; '.join(roles)}"


def _as_written(time: LiteralValue) -> LiteralValue:
    """A time without a precision that its digits tell."""
    written = time.kind == "time" and {"year": 0, "month": 1}.get(str(time.precision)) == time.value[1:].count("-")
    return time._replace(precision=None) if written else time
