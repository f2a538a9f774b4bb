"""How values are compared: two match iff their labels are equal after normalisation; no substrings, no near matches."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from decimal import Context, Decimal

from toulmin.graph.labels import normalise, readable_id
from toulmin.graph.types import Entity, Node

__all__ = ["plain_number", "squad_form", "value_id", "value_key", "value_keys", "value_label"]

_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_MINUS = re.compile(r"\s*[-\u2212]\s*(?=[0-9])")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def value_label(node: Node) -> str:
    """What is compared with a gold label: an entity's label (its readable id where it has none), a literal's value."""
    if isinstance(node, Entity):
        return node.label if node.label is not None else readable_id(node.id)
    return node.value


def value_id(node: Node) -> str:
    """What is compared with a gold id: an entity's id, a literal's value, of a number its shortest form."""
    return node.id if isinstance(node, Entity) else plain_number(node.value)


def plain_number(text: str) -> str:
    """A decimal number in its shortest form, to twelve digits (engines round otherwise); other texts as they are."""
    if not _DECIMAL.fullmatch(text):
        return text
    return f"{Decimal(text).normalize(Context(prec=12)):f}"


def value_key(label: str) -> str:
    """A label as it is compared: normalised (case, width, punctuation, underscores); the minus of a number counts."""
    minus = _MINUS.match(label)
    return "-" + normalise(label[minus.end() :]) if minus else normalise(label)


def value_keys(labels: Iterable[str]) -> set[str]:
    """``value_key`` of each."""
    return {value_key(label) for label in labels}


def squad_form(text: str) -> str:
    """A text as SQuAD 1.1 compares it: lower case, without ASCII punctuation and English articles, single blanks."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())
