"""A small graph, and a scripted model that writes and scores questions about it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from toulmin.graph.local import LocalGraph
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.llm.protocol import ModelRequest

PEOPLE = ("Ilse Korn", "Matthis Reuel", "Tilda Brask", "Jonas Adler", "Odo Lenz", "Nils Brandt")
HALLS = ("Quay Hall", "Mill Hall", "Tallow Hall")
GOOD = {"naturalness": 8, "relevance": 9, "specificity": 7, "novelty": 6, "actionability": 8, "remark": ""}

Reply = Callable[[str, list[str], int], dict[str, Any]]


def said(
    subject: str, relation: str, value: str | Node, since: str | None = None, *, label: str | None = None
) -> Statement:
    node = Entity(f"w:{value}", value) if isinstance(value, str) else value
    qualifiers = (Qualifier(Relation("w:start time", "start time"), Literal(since, "time")),) if since else ()
    return Statement(Entity(f"w:{subject}", label or subject), Relation(f"w:{relation}", relation), node, qualifiers)


def described(subject: str, text: str, *, label: str | None = None) -> Statement:
    return Statement(
        Entity(f"w:{subject}", label or subject), Relation(DESCRIPTION, "description"), Literal(text, lang="en")
    )


def statements() -> list[Statement]:
    """Binders, the halls they worked in, and two fairs."""
    found = []
    for number, name in enumerate(PEOPLE):
        hall, master = HALLS[number % 3], PEOPLE[number - 1]
        found += [
            said(name, "instance of", "human"),
            described(name, "bookbinder of the coast"),
            said(name, "date of birth", Literal(f"18{30 + number}-02-03", "time")),
            said(name, "occupation", "bookbinder"),
            said(name, "place of work", hall, f"18{60 + number}"),
            said(name, "student of", master, f"18{50 + number}"),
            said(name, "notable work", f"Bindings of {1860 + number}"),
            said(name, "award received", "Guild Medal", f"18{70 + number}"),
        ]
    for number, hall in enumerate(HALLS):
        found += [
            said(hall, "instance of", "workshop"),
            said(hall, "inception", Literal(f"17{90 + number}", "time")),
            said(hall, "product", "bindings"),
            said(hall, "owner", "Guild of Binders", f"18{10 + number}"),
        ]
    for year in ("1871", "1883"):
        fair = f"Fair of {year}"
        found += [
            said(fair, "instance of", "fair"),
            described(fair, f"competition of bookbinders in {year}"),
            said(fair, "point in time", Literal(year, "time")),
            said(fair, "location", "Quay Hall"),
            said(fair, "winner", "Ilse Korn" if year == "1871" else "Tilda Brask"),
        ]
    return found


def graph(more: list[Statement] | None = None) -> LocalGraph:
    return MemoryGraph.from_statements([*statements(), *(more or [])])


def plain(kind: str, names: list[str], count: int) -> dict[str, Any]:
    """A question that names what it is about, and rests on the first two statements."""
    return {
        "question": f"In the matter of {kind}, what is there to tell about {' and '.join(names)}?",
        "statements": list(range(1, min(count, 2) + 1)),
        "difficulty": "medium",
        "why": "Two statements tell of it.",
    }


def replies(write: Reply = plain, score: Callable[[str], dict[str, Any]] = lambda question: GOOD) -> Any:
    """What a scripted model replies: from the type and the names that a prompt shows, or from the question."""

    def reply(request: ModelRequest) -> str:
        asked = next(one.content for one in reversed(request.messages) if one.content.startswith("Type: "))
        lines = asked.splitlines()
        names = next(line for line in lines if line.startswith("About: "))[7:].split("; ")
        if request.step.endswith("/score"):
            return json.dumps(score(next(line for line in lines if line.startswith("Question: "))[10:]))
        return json.dumps(write(lines[0][6:].partition(".")[0], names, len(re.findall(r"^\[\d+\]", asked, re.M))))

    return reply
