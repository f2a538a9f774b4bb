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
    "label_wordings",
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

_NO_NOUN = re.compile(  # labels that are no nouns: "directed by", "wrote", "deep"
    r"""^(?:has|is|was|in|on|used|held|plays|wrote|contains|causes|located|lives|died|made|owns|makes|runs|won|stars|about
    |consists|instance|belongs|from|films|(?:member|part|participant|next|previous)[ ](?:of|in)[ ]\w+)\b
    |\b(?:by|in|at|for|to|on|with|from|after|as|into|through|here|a|since|began|\w+(?<!spe)ed)$
    |^(?:born|built|sang|taught|deep|wide|tall|starring|features|shows|depicts|portrays|treats|leads|employs|speaks|follows
    |borders|adjoins|crosses|traverses|includes|serves|operates|orbits|commemorates|manufactures|defunct|began|end)$""",
    re.VERBOSE,
)
_INVERSE = re.compile(r"^(?P<noun>.+) of$")
_BE = r"is|was|are|were|does|did|can|should"
_APPOSITION = r"the|a|one|born|\w+ed by|\w+ed in|written by|led by|\{o\}'s"
_DENIALS = [  # the first that fits; "S, the capital of O, is known" is denied in its apposition
    (re.compile(rf"^(\{{[so]\}}), (?=(?:{_APPOSITION}) )"), r"\1, not "),
    (re.compile(rf"^(\{{[so]\}}, who) (?!(?:{_BE}|has|had|have)\b)"), r"\1 never "),
    (re.compile(r"^(\{[so]\}, who) has "), r"\1 does not have "),
    (re.compile(r"\b(has|had|have) been\b"), r"\1 not been"),
    (re.compile(rf"\b({_BE})\b(?! not)"), r"\1 not"),
    (re.compile(r"^(\{[so]\}) has (?=[a-z]+ed |won |written |found )"), r"\1 has not "),
    (re.compile(r"^(\{[so]\}) (?:has|have) "), r"\1 does not have "),
    (re.compile(r"^(\{[so]\}(?: and \{[so]\})?) (?!and )(?=[a-z])"), r"\1 never "),
]
_UNDENIABLE = re.compile(r"(?:One of|No|Among|Whoever|Those) ")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation with its labels, the kinds of its ends, and its wordings (templates with ``{s}`` and ``{o}``).

    Args:
        single: a subject has one object.
        symmetric: it holds in both directions.
        families: relations that share one may follow from each other.
        implied: families of what follows from it, but not the other way round.
    """

    labels: tuple[str, ...]
    subjects: tuple[str, ...]
    object: str
    single: bool
    symmetric: bool
    families: frozenset[str]
    implied: frozenset[str]
    wordings: tuple[str, ...]

    def may_entail(self, other: Relation) -> bool:
        """Whether a statement of it may entail the other relation of the same two ends."""
        return other == self or not other.families.isdisjoint(self.families | self.implied)


@lru_cache(maxsize=1)
def relation_table() -> tuple[Relation, ...]:
    """Every relation of ``relations.txt``."""
    lines = (Path(__file__).parent / "relations.txt").read_text("utf-8").splitlines()
    return tuple(_relation(line) for line in lines if line and not line.startswith("#"))


def _relation(line: str) -> Relation:
    labels, subjects, kind, values, families, wordings = (field.strip() for field in line.split("|"))
    templates = tuple(_template(one) for one in wordings.split(";"))
    return Relation(
        tuple(label.strip() for label in labels.split(",")),
        tuple(name.strip() for name in subjects.split(",")),
        kind,
        values[0] == "1",
        values.endswith("s"),
        frozenset(name for name in families.split() if not name.startswith(">")),
        frozenset(name[1:] for name in families.split() if name.startswith(">")),
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


def label_wordings(label: str) -> tuple[str, ...]:
    """Wordings made of a relation's label, none where it is no noun; "capital of" is read from its object's side."""
    if _NO_NOUN.search(label):
        return ()
    inverse = _INVERSE.match(label)
    if inverse is None:
        return GENERIC[:-1]
    ends = {"r": inverse["noun"], "s": "{o}", "o": "{s}"}
    return tuple(wording.format_map(ends) for wording in GENERIC)


def relations_by_label(labels: Iterable[str]) -> dict[str, Relation]:
    """For each label that the table knows, the first relation with it."""
    known: dict[str, Relation] = {}
    for relation in relation_table():
        for label in relation.labels:
            known.setdefault(label, relation)
    return {label: known[label] for label in labels if label in known}


def negated(template: str) -> str | None:
    """The template denied, or None where no rule fits."""
    if _UNDENIABLE.match(template):
        return None
    for pattern, replacement in _DENIALS:
        changed = pattern.sub(replacement, template, count=1)
        if changed != template:
            return changed
    return None
