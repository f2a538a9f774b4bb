"""Questions for rows: all things of a class of a made-up world, or those with one value, with one to three columns.

People who write questions for worlds write few of these, and the network takes "with their price" for the prices.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from domains import Domain
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import Condition, Constant, Form, Hop, Join, Key, Kind, Restricted, Tabled, Things
from toulmin.retrieval.statement_words import relation_text

__all__ = ["listed_questions", "mistaken_rows"]

_OF_ALL = (
    *("list all {many} with their {columns}", "{many} and their {columns}", "name every {one} and its {columns}"),
    *("give me each {one} with its {columns}", "for every {one} the {columns}", "all {many} together with {columns}"),
    *("overview of the {many}: {columns}", "show me the {many} along with {columns}", "{many} with {columns}"),
    *("what are the {many}, and what is the {columns} of each?", "a table of {many} with {columns}, please"),
    *("list the {many}, each with the {columns}", "every {one} plus its {columns}", "all our {many} with {columns}?"),
)
_BY_VERB = (
    *("list all {many} and who or what they are {verb}", "{many} and what each is {verb}"),
    "for each {one}, what is it {verb}?",
)
_WHOSE = ("{many} whose {relation} is {value}", "{many} with {value} as {relation}", "{many} with {relation} {value}")
_VERBAL = ("by", "at", "in", "to", "of", "for", "from", "on", "with", "under", "since")
_COLUMNS = (1, 1, 1, 2, 2, 3)
_RESTRICTED = 0.4  # of the questions


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _joined(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def listed_questions(domain: Domain, rng: random.Random) -> Iterator[tuple[str, Tabled]]:
    """Questions without end, each with the form that it means; of a class with two relations and more."""
    of: dict[str, list[Hop]] = {}
    for row in domain.relations.values():
        far = row.range if row.range in domain.classes else ""
        of.setdefault(row.domain, []).append(Hop(relation_text(row.label), False, (row.label,), row.domain, far))
    kinds = [kind for kind, hops in of.items() if len(hops) > 1 and kind in domain.classes]
    while kinds:
        kind = rng.choice(kinds)
        chosen = rng.sample(of[kind], min(rng.choice(_COLUMNS), len(of[kind])))
        many, things = _plural(kind), Things(Kind(kind, Entity(kind, kind)))
        base: Form = things
        if rng.random() < _RESTRICTED:
            values = [s for s in domain.statements if domain.things.get(s.subject.label or "") == kind]
            said = [s for s in values if s.relation.id not in {hop.ids[0] for hop in chosen}]
            if not said:
                continue
            statement = rng.choice(said)
            hop = next((hop for hop in of[kind] if hop.ids[0] == statement.relation.id), None)
            if hop is None or (isinstance(statement.object, Literal) and statement.object.kind != "string"):
                continue
            node = statement.object
            text = node.value if isinstance(node, Literal) else node.label or node.id
            base = Restricted(things, (Condition(Key((hop,)), "=", (Constant(text, node, name=text),)),))
            many = rng.choice(_WHOSE).format(many=many, relation=hop.label, value=text)
        labels = [hop.label for hop in chosen]
        form = Tabled(base, tuple(Key((hop,)) for hop in rng.sample(chosen, len(chosen))))
        verbal = len(labels) == 1 and labels[0].split()[-1] in _VERBAL
        pattern = rng.choice(_BY_VERB if verbal else _OF_ALL)
        if "{one}" in pattern and base is not things:
            continue
        yield pattern.format(many=many, one=kind, columns=_joined(labels), verb=labels[0]), form


def mistaken_rows(form: Tabled, hops: Sequence[Hop], rng: random.Random) -> Iterator[Form]:
    """What rows are mistaken for: the values of a column, and rows with one column less, more, or another.

    Args:
        hops: of the class.
    """
    columns = form.columns
    yield Join(form.of, columns[0].path[0])
    others = [Key((hop,)) for hop in hops if Key((hop,)) not in columns]
    for other in rng.sample(others, min(3, len(others))):
        yield replace(form, columns=(*columns, other))
        yield replace(form, columns=(*columns[1:], other))
    if len(columns) > 1:
        yield replace(form, columns=columns[1:])
    if isinstance(form.of, Restricted):
        yield replace(form, of=form.of.of)
