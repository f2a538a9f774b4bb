"""The table of relations and of sentences that state them (``relations.txt``), and the wordings kept for testing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = [
    "GENERIC",
    "TEST_WORDINGS",
    "Relation",
    "broad",
    "negated",
    "relation_table",
    "relations_by_label",
    "stray_wordings",
]

#: For relations that the table lacks; the last is for testing.
GENERIC = ("The {r} of {s} is {o}.", "{o} is the {r} of {s}.", "{s}'s {r} is {o}.", "{o} is {s}'s {r}.")

#: One wording of each relation of the graph that is tested; none is in the table.
TEST_WORDINGS = {
    "place of birth": "{s} is a native of {o}.",
    "place of death": "{s} passed away in {o}.",
    "spouse": "{s}'s wife or husband was {o}.",
    "location": "{o} is where {s} is.",
    "religion": "The faith of {s} was {o}.",
    "parents": "{s} was born to {o}.",
    "children": "{s} had a child called {o}.",
    "profession": "{s} was a {o} by profession.",
    "nationality": "{s} had the nationality of {o}.",
    "gender": "The gender of {s} was {o}.",
    "cause of death": "{s}'s death was caused by {o}.",
    "ethnicity": "The ethnicity of {s} was {o}.",
    "institution": "{s} was educated at {o}.",
}

_BROADER = {
    kind: broader
    for broader, kinds in {
        "person": "man woman",
        "place": "country city island region river building mountain lake",
        "organisation": "company team university band league",
        "work": "film book song show album game",
        "time": "year day",
    }.items()
    for kind in kinds.split()
}

_AUXILIARY = re.compile(r"\b(is|was|are|were|has been|had been|does|did|can|should)\b(?! not)")
_OWNING = re.compile(r"^(\{[so]\}) (?:has|have) ")
_VERB = re.compile(r"^(\{[so]\}) (?=[a-z])")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation with its labels, the kinds of its ends, and its wordings (templates with ``{s}`` and ``{o}``).

    Args:
        single: a subject has one object.
        symmetric: it holds in both directions.
        family: relations of one family may follow from each other; empty: of none.
    """

    labels: tuple[str, ...]
    subjects: tuple[str, ...]
    object: str
    single: bool
    symmetric: bool
    family: str
    wordings: tuple[str, ...]


@lru_cache(maxsize=1)
def relation_table() -> tuple[Relation, ...]:
    """Every relation of ``relations.txt``."""
    lines = (Path(__file__).parent / "relations.txt").read_text("utf-8").splitlines()
    return tuple(_relation(line) for line in lines if line and not line.startswith("#"))


def _relation(line: str) -> Relation:
    labels, subjects, kind, values, family, wordings = (field.strip() for field in line.split("|"))
    templates = tuple(_template(one) for one in wordings.split(";"))
    return Relation(
        tuple(label.strip() for label in labels.split(",")),
        tuple(name.strip() for name in subjects.split(",")),
        kind,
        values[0] == "1",
        values.endswith("s"),
        family,
        templates,
    )


def broad(kind: str) -> str:
    """The kind that sentences fit: "person" of a man, "work" of a film."""
    return _BROADER.get(kind, kind)


@lru_cache(maxsize=64)
def stray_wordings(subject: str, object_: str) -> tuple[str, ...]:
    """Sentences about two things of such kinds (``broad``) that state no relation of the table."""
    lines = (Path(__file__).parent / "stray_wordings.txt").read_text("utf-8").splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]
    said = [wordings for s, o, wordings in rows if s in (subject, "*") and o == object_]
    return tuple(_template(one) for wordings in said for one in wordings.split(";"))


def _template(wording: str) -> str:
    return re.sub(r"\b[SO]\b", lambda end: f"{{{end[0].lower()}}}", wording.strip())


def relations_by_label(labels: Iterable[str]) -> dict[str, Relation]:
    """For each label that the table knows, the first relation with it."""
    known: dict[str, Relation] = {}
    for relation in relation_table():
        for label in relation.labels:
            known.setdefault(label, relation)
    return {label: known[label] for label in labels if label in known}


def negated(template: str) -> str | None:
    """The template denied, or None where no rule fits."""
    for pattern, replacement in ((_AUXILIARY, r"\1 not"), (_OWNING, r"\1 does not have "), (_VERB, r"\1 never ")):
        changed = pattern.sub(replacement, template, count=1)
        if changed != template:
            return changed
    return None
