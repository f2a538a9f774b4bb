"""Kinds of values that a question asks for and that a path's ends show: times, roles and names of people.

"When" asks for a time, "who is X" for what X is by trade, "who killed X" for a name. Whether ends are such values is
seen from themselves (literals, capital letters) and WordNet, for no graph in particular.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal as Choice

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import NAMED, OCCUPATION, ROLE
from toulmin.graph.types import Literal, Node
from toulmin.methods.fidelis.outward_words import OutwardWords
from toulmin.methods.question.asked_for import is_content

__all__ = ["SAMPLE", "ValueKind", "asked_kind", "kind_score"]

ValueKind = Choice["time", "role", "name"]

SAMPLE = 8  # ends of a path that are looked at

_DATE = re.compile(r"-?\d{3,4}(-\d\d){0,2}(T[\d:.Z+-]+)?")
_DATED = re.compile(r"\b(1\d|20)\d\d\b")
_BY_NAME = 0.5  # what a name with a year in it ("2004 Harbury Regatta") says of when


def asked_kind(words: OutwardWords, answer_type: str | None, lexicon: Lexicon) -> ValueKind | None:
    """The kind of values that the question asks for; None where it says nothing of it."""
    if answer_type == "time":
        return "time"
    spoken = [word for side in (reversed(words.sides[0]), words.sides[1]) for word in side]
    content = [word for word in spoken if is_content(word)]
    what_does = spoken[:1] == ["what"] and OCCUPATION.issuperset(spoken[1:])
    if not content and (what_does or ROLE.issuperset(spoken)):
        return "role" if spoken else None
    return "name" if answer_type == "person" and words.question_word in NAMED else None


def kind_score(kind: ValueKind, nodes: Sequence[Node], lexicon: Lexicon) -> float:
    """How far nodes are values of a kind, up to 1; below 0 where they contradict it (no time, a role for a name)."""
    if not nodes:
        return 0.0
    share = sum(_likeness(kind, node, lexicon) for node in nodes) / len(nodes)
    if kind == "time":
        return 2 * share - 1
    return share - 1 if kind == "name" else share


def _likeness(kind: ValueKind, node: Node, lexicon: Lexicon) -> float:
    if isinstance(node, Literal):
        if kind == "time":
            return float(node.kind == "time" or (node.kind == "string" and bool(_DATE.fullmatch(str(node.value)))))
        text = str(node.value) if node.kind == "string" else ""
    else:
        text = getattr(node, "label", "") or ""
    if kind == "time":
        return 1.0 if _DATE.fullmatch(text) else _BY_NAME if _DATED.search(text) else 0.0
    if kind == "role":
        return float(_is_role(text, lexicon))
    return float(not text.islower())  # names are written with capitals


def _is_role(text: str, lexicon: Lexicon) -> bool:
    """Whether a text is a noun for people ("civil engineer"), not a name that WordNet knows ("Albert Einstein")."""
    return lexicon.is_a(text, "person") and text.split()[-1].lower() not in lexicon.synonyms(text)
