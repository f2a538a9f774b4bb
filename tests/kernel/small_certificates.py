"""Certificates over a graph of thirteen statements, each with what a kernel must say of it."""

from __future__ import annotations

from typing import Any

from trees import evidence

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
START, END = "http://www.wikidata.org/entity/P580", "http://www.wikidata.org/entity/P582"


def literal(value: str, kind: str = "string", **others: str) -> dict[str, str]:
    return {"value": value, "kind": kind, **others}


STATEMENTS: list[Any] = [
    ["alice", LABEL, literal("Alice Anders"), [], "normal"],
    ["bob", LABEL, literal("Bob"), [], "normal"],
    ["acme", LABEL, literal("Acme"), [], "normal"],
    ["manages", LABEL, literal("manages"), [], "normal"],
    ["alice", "manages", "acme", [[START, literal("1990", "time")], [END, literal("2000", "time")]], "normal"],
    ["bob", "manages", "acme", [[START, literal("2000", "time")]], "preferred"],
    ["alice", "born", literal("1960-03-04", "time"), [], "normal"],
    ["bob", "born", literal("1960", "time"), [], "normal"],
    ["acme", "income", literal("5", "quantity", unit="EUR"), [], "normal"],
    ["acme", "floor", literal("1.5", "quantity", unit="kilometre ** 2"), [], "normal"],
    ["acme", "owner", literal("", "no_value"), [], "normal"],
    ["acme", "seat", literal("", "unknown_value"), [], "normal"],
    ["bob", "spouse", literal("", "no_value"), [[END, literal("1990", "time")]], "normal"],
]
NODES = ("alice", "bob", "acme", "manages", "born")
RANGES = [("out", node, None) for node in NODES] + [("in", "acme", "manages"), ("out", "carol", "manages")]
ROOT, EVIDENCE = evidence(STATEMENTS, RANGES)


def certificate(program: list[Any], answer: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {
        "format": "toulmin-certificate/1",
        "maker": "a test",
        "question": "Who manages Acme?",
        "graphs": [{"name": "small", "root": ROOT}],
        "program": program,
        "answer": answer,
        "reading": {"by": "a reader", "score": 0.645},
        "evidence": [EVIDENCE],
        **others,
    }


def op(name: str, **fields: Any) -> dict[str, Any]:
    return {"op": name, **fields}


def follow(of: int, relation: str, direction: str = "forward", **others: Any) -> dict[str, Any]:
    return op("follow", of=of, relations=[relation], direction=direction, **others)


def nodes(of: int, *values: Any, **others: Any) -> dict[str, Any]:
    return {"kind": "nodes", "of": of, "values": list(values), **others}


ALICE, ACME = op("entity", id="alice"), op("entity", id="acme")
MANAGERS = [ACME, follow(0, "manages", "backward")]
WINDOW: dict[str, Any] = {
    "from": literal("1995", "time"),
    "to": literal("1996", "time"),
    "start": [START],
    "end": [END],
    "point": [],
}
NAMED_BY = "⟨http://www.wikidata.org/entity/{}⟩"
ROLES = f"since {NAMED_BY.format('P580')}; until {NAMED_BY.format('P582')}"


def in_window(**others: Any) -> list[Any]:
    return [ACME, follow(0, "manages", "backward", window={**WINDOW, **others})]


def read_as(program: list[Any], how: str) -> tuple[dict[str, Any], int, str, str]:
    """The managers of Acme, and the whole of what the program says of how they are asked for."""
    made = certificate(program, nodes(1, "alice"))
    return made, 0, "judged", f'"read_as": "everything whose manages ({how}) is Acme"'


BORN_BEFORE = op("compare", do="<", left=3, right=4)

#: name: (certificate, exit code, status, a part of what is told)
CASES: dict[str, tuple[dict[str, Any], int, str, str]] = {
    "managers": (certificate(MANAGERS, nodes(1, "alice", "bob")), 0, "judged", "Alice Anders, Bob"),
    "another answer": (certificate(MANAGERS, nodes(1, "alice")), 1, "fails", "not what follows"),
    "another order": (certificate(MANAGERS, nodes(1, "bob", "alice")), 1, "fails", "not what follows"),
    "in a window": (
        certificate([ACME, follow(0, "manages", "backward", window=WINDOW)], nodes(1, "alice")),
        0,
        "judged",
        "1995 to 1996",
    ),
    "dates that are not known are left out": read_as(
        in_window(unknown="drop"), f"at some time from 1995 to 1996; {ROLES}"
    ),
    "dates that are not known are kept": read_as(
        in_window(unknown="keep"), f"at some time from 1995 to 1996; {ROLES}; or of unknown time"
    ),
    "precisions that digits tell, and another calendar": read_as(
        in_window(
            **{"from": literal("1995", "time", precision="year")},
            to=literal("1996-02", "time", precision="month", calendar="julian"),
        ),
        f"at some time from 1995 to 1996-02 (julian); {ROLES}",
    ),
    "precisions that digits do not tell": read_as(
        in_window(
            **{"from": literal("1995", "time", precision="decade")}, to=literal("1996", "time", precision="month")
        ),
        f"at some time from 1995 (decade) to 1996 (month); {ROLES}",
    ),
    "two qualifiers": read_as(
        [
            ACME,
            follow(
                0,
                "manages",
                "backward",
                qualified=[
                    {"relations": [END, START], "is": literal("1990", "time")},
                    {"relations": [END], "is": literal("2000", "time")},
                ],
            ),
        ],
        f"only with {NAMED_BY.format('P582')} or {NAMED_BY.format('P580')} 1990, {NAMED_BY.format('P582')} 2000",
    ),
    "a number is no yes": (
        certificate([ACME, follow(0, "manages", "backward", not_back=1)], nodes(1, "alice")),
        2,
        "fails",
        "node 1 not_back: must be true or false",
    ),
    "a span of three": (
        certificate([op("entity", id="acme", words=[0, 3, 4]), MANAGERS[1]], nodes(1, "alice", "bob")),
        2,
        "fails",
        "node 0 words: must be a list of 2",
    ),
    "a statement of four": (
        certificate(
            [op("statement", statement=["alice", "manages", "acme", []], graph=0)],
            {"kind": "truth", "of": 0, "value": "yes"},
        ),
        2,
        "fails",
        "must be a list of 5",
    ),
    "what is named": (certificate([ACME], nodes(0, "acme")), 2, "fails", "what the question names"),
    "named in a union": (
        certificate([*MANAGERS, op("union", of=[0, 1])], nodes(2, "acme", "alice", "bob")),
        2,
        "fails",
        "names",
    ),
    "and of nothing": (certificate([op("and", of=[])], {"kind": "truth", "of": 0, "value": "yes"}), 2, "fails", "list"),
    "every of nothing that is named": (
        certificate(
            [
                ALICE,
                op("difference", of=[0, 0]),
                op("it", of=1),
                follow(2, "born"),
                op("exists", of=3),
                op("every", of=1, it=2, test=4),
            ],
            {"kind": "truth", "of": 5, "value": "yes"},
        ),
        1,
        "fails",
        "not what follows",
    ),
    "count": (
        certificate([*MANAGERS, op("count", of=1)], nodes(2, literal("2", "quantity"), at_least=True)),
        0,
        "judged",
        "at least 2",
    ),
    "count as if all": (
        certificate([*MANAGERS, op("count", of=1)], nodes(2, literal("2", "quantity"))),
        1,
        "fails",
        "not what follows",
    ),
    "count of all": (
        certificate([*MANAGERS, op("complete", of=1), op("count", of=2)], nodes(3, literal("2", "quantity"))),
        0,
        "assumed",
        "that the graph lists all there are",
    ),
    "no value": (
        certificate([ACME, follow(0, "owner"), op("exists", of=1)], {"kind": "truth", "of": 2, "value": "no"}),
        0,
        "judged",
        "there is the ⟨owner⟩ of Acme",
    ),
    "no value once": (
        certificate(
            [op("entity", id="bob"), follow(0, "spouse"), op("exists", of=1)], {"kind": "truth", "of": 2, "value": "no"}
        ),
        1,
        "fails",
        "not what follows",
    ),
    "unknown value": (
        certificate(
            [ACME, follow(0, "seat")], {"kind": "none", "reasons": [{"code": "nothing", "of": 1}], "tried": [1]}
        ),
        0,
        "judged",
        "nothing is listed",
    ),
    "a year is no day": (
        certificate(
            [
                op("entity", id="bob"),
                follow(0, "born"),
                op("literal", value=literal("1960-03-04", "time")),
                op("compare", do="=", left=1, right=2),
            ],
            {"kind": "truth", "of": 3, "value": "yes"},
        ),
        1,
        "fails",
        "not what follows",
    ),
    "area": (
        certificate(
            [
                ACME,
                follow(0, "floor"),
                op("literal", value=literal("1", "quantity", unit="hectare")),
                op("arithmetic", do="convert", left=1, right=2),
            ],
            nodes(3, literal("150", "quantity", unit="hectare")),
        ),
        0,
        "judged",
        "150 hectare",
    ),
    "currencies": (
        certificate(
            [
                ACME,
                follow(0, "income"),
                op("literal", value=literal("4", "quantity", unit="USD")),
                op("compare", do=">", left=1, right=2),
            ],
            {"kind": "truth", "of": 3, "value": "yes"},
        ),
        1,
        "fails",
        "not what follows",
    ),
    "where": (
        certificate(
            [
                *MANAGERS,
                op("it", of=1),
                follow(2, "born"),
                op("literal", value=literal("1960-06", "time")),
                BORN_BEFORE,
                op("where", of=1, it=2, test=5),
            ],
            nodes(6, "alice"),
        ),
        0,
        "judged",
        "Alice Anders",
    ),
    "not in the evidence": (
        certificate([op("entity", id="carol"), follow(0, "born")], nodes(1, "x")),
        1,
        "unverifiable",
        "does not hold",
    ),
    "nothing there": (
        certificate(
            [op("entity", id="carol"), follow(0, "manages")],
            {"kind": "none", "reasons": [{"code": "nothing", "of": 1}], "tried": [1]},
        ),
        0,
        "judged",
        "nothing",
    ),
    "lacks, wrongly": (
        certificate(
            [ALICE, follow(0, "born")],
            {
                "kind": "none",
                "reasons": [{"code": "lacks", "entity": "alice", "relation": "born", "direction": "forward"}],
            },
        ),
        1,
        "fails",
        "the reason 'lacks' is not so",
    ),
    "an abstention with an answer at hand": (
        certificate(MANAGERS, {"kind": "none", "reasons": [{"code": "other", "says": "no"}], "tried": [1]}),
        1,
        "fails",
        "was tried yields something",
    ),
    "chosen": (
        certificate([*MANAGERS, op("among", of=1, keep=["bob"], by="m", score=0.5)], nodes(2, "bob")),
        0,
        "judged",
        "as “m” chose",
    ),
    "from what was chosen": (
        certificate(
            [*MANAGERS, op("among", of=1, keep=["bob"], by="m", score=0.5), follow(2, "born")],
            nodes(3, literal("1960", "time")),
        ),
        2,
        "fails",
        "was chosen",
    ),
    "a statement": (
        certificate([op("statement", graph=0, statement=STATEMENTS[6])], {"kind": "truth", "of": 0, "value": "yes"}),
        0,
        "judged",
        "1960-03-04",
    ),
    "another statement": (
        certificate(
            [op("statement", graph=0, statement=[*STATEMENTS[6][:4], "preferred"])],
            {"kind": "truth", "of": 0, "value": "yes"},
        ),
        1,
        "fails",
        "no such statement",
    ),
    "a text": (
        certificate(
            [ALICE, follow(0, "born"), op("exists", of=1)],
            {"kind": "text", "sentences": [{"start": 0, "end": 17, "claims": [{"of": 2}]}]},
        ),
        0,
        "judged",
        "supported",
    ),
    "half a text": (
        certificate(
            [ALICE, follow(0, "born"), op("exists", of=1)],
            {"kind": "text", "sentences": [{"start": 0, "end": 10, "claims": [{"of": 2}]}]},
        ),
        1,
        "fails",
        "leave out",
    ),
    "table": (
        certificate(
            [*MANAGERS, op("it", of=1), follow(2, "born"), op("table", of=1, it=2, columns=[3])],
            {
                "kind": "rows",
                "of": 4,
                "rows": [[["alice"], [literal("1960-03-04", "time")]], [["bob"], [literal("1960", "time")]]],
            },
        ),
        0,
        "judged",
        "Bob | 1960",
    ),
    "another root": (
        certificate(MANAGERS, nodes(1, "alice", "bob"), graphs=[{"name": "small", "root": "0" * 64}]),
        1,
        "fails",
        "root",
    ),
    "a link turned around": (
        certificate([ACME, follow(1, "manages")], nodes(1, "bob")),
        2,
        "fails",
        "does not stand before",
    ),
}
