"""Small certificates with evidence: a naive Merkle tree, from docs/certificate.md, over graphs of a few statements."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, cast

from toulmin.kernel.certificate import Source, read_certificate
from toulmin.kernel.evaluate import Evaluator, NodeSet
from toulmin.kernel.format import LABEL, GraphStatement, digest, enc, key, shaped
from toulmin.kernel.report import check

Plain = Any
Json = dict[str, Any]
_EDGES = ("out", "in")


def plain(value: Any) -> Plain:
    """A node as certificates write it."""
    if isinstance(value, str):
        return value
    return {name: part for name, part in value._asdict().items() if part is not None}


def string(text: str) -> Json:
    """A literal that is a text."""
    return {"value": text, "kind": "string"}


def year(digits: str) -> Json:
    """A literal that is a year."""
    return {"value": digits, "kind": "time", "precision": "year"}


def number(digits: str, unit: str | None = None) -> Json:
    """A literal that is a number."""
    return {"value": digits, "kind": "quantity", **({"unit": unit} if unit else {})}


class TinyGraph:
    """A graph of given statements and names, which notes what it is asked for."""

    def __init__(self, name: str, facts: Sequence[Sequence[Any]], names: dict[str, str]) -> None:
        self.name, self.asked = name, dict[tuple[str, bytes, str | None], tuple[str, Plain, str | None]]()
        rows = [[*fact, *([], "normal")[len(fact) - 3 :]] for fact in facts]
        rows += [[identifier, LABEL, string(text), [], "normal"] for identifier, text in names.items()]
        self.leaves = {edge: sorted((*self._key(edge, one), one) for one in map(self._read, rows)) for edge in _EDGES}
        self.hashes = {edge: [self._leaf(edge, *leaf[:3]) for leaf in self.leaves[edge]] for edge in _EDGES}
        self.size = len(rows)

    def roots(self) -> list[str]:
        """The one root."""
        out, into = (self._hash(edge, 0, self.size) for edge in _EDGES)
        return [sha256(enc("toulmin graph 1", str(self.size)) + out + into).hexdigest()]

    def range(self, graph: int, side: str, of: object, relation: str | None) -> list[Any]:
        """All statements of a range."""
        self.asked[side, key(shaped(of, "node", "asked")), relation] = (side, of, relation)
        begin, end = self._find(side, of, relation)
        return [
            [one.subject, one.relation, plain(one.object), [[r, plain(v)] for r, v in one.qualifiers], one.rank]
            for *_, one in self.leaves[side][begin:end]
        ]

    def document(self, source: str) -> str | None:
        """It holds none."""
        return None

    def evidence(self) -> Json:
        """All ranges that were asked for, with their proofs."""
        return {"size": self.size, **{edge: self._proof(edge) for edge in _EDGES}}

    @staticmethod
    def _read(row: list[Any]) -> GraphStatement:
        return cast(GraphStatement, shaped(row, "statement", "here"))

    @staticmethod
    def _key(edge: str, one: GraphStatement) -> tuple[bytes, bytes, bytes]:
        first = one.subject.encode() if edge == "out" else key(one.object)
        return first, one.relation.encode(), digest(one)

    @staticmethod
    def _leaf(edge: str, first: bytes, relation: bytes, said: bytes) -> bytes:
        return sha256((b"\0" if edge == "out" else b"\1") + enc(first, relation) + said).digest()

    def _hash(self, edge: str, begin: int, end: int) -> bytes:
        if end - begin < 2:
            return self.hashes[edge][begin] if end > begin else sha256(b"").digest()
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        return sha256(b"\2" + self._hash(edge, begin, middle) + self._hash(edge, middle, end)).digest()

    def _find(self, edge: str, of: object, relation: str | None) -> tuple[int, int]:
        first = of.encode() if edge == "out" and isinstance(of, str) else key(shaped(of, "node", "asked"))
        wanted = (first,) if relation is None else (first, relation.encode())
        places = [leaf[: len(wanted)] for leaf in self.leaves[edge]]
        return sum(place < wanted for place in places), sum(place <= wanted for place in places)

    def _proof(self, edge: str) -> Json:
        ranges, known, hashes = [], set[int](), list[bytes]()
        for side, of, relation in self.asked.values():
            if side == edge:
                begin, end = self._find(edge, of, relation)
                known |= set(range(max(begin - 1, 0), min(end + 1, self.size)))
                told = {"node": of, "relation": relation, "at": begin, "statements": self.range(0, side, of, relation)}
                beside = {"before": begin - 1 if begin else None, "after": end if end < self.size else None}
                ranges.append({**told, **{name: self._edge(edge, place) for name, place in beside.items()}})

        def walk(begin: int, end: int) -> None:
            if not known.intersection(range(begin, end)):
                hashes.append(self._hash(edge, begin, end))
            elif end - begin > 1:
                middle = begin + (1 << (end - begin - 1).bit_length() - 1)
                walk(begin, middle)
                walk(middle, end)

        if self.size:
            walk(0, self.size)
        root = self._hash(edge, 0, self.size).hex()
        return {"root": root, "hashes": b64encode(b"".join(hashes)).decode(), "ranges": ranges}

    def _edge(self, edge: str, place: int | None) -> list[str] | None:
        if place is None:
            return None
        first, relation, said, _ = self.leaves[edge][place]
        return [first.decode(), relation.decode(), said.hex()]


def certificate(question: str, graph: TinyGraph, program: list[Json], answer: Json, **further: Any) -> Json:
    """A certificate with all evidence that its check needs; an answer of nodes or rows without values gets them."""
    found: Json = {
        "format": "toulmin-certificate/1", "maker": "toulmin tests", "question": question,
        "graphs": [{"name": graph.name, "root": graph.roots()[0]}], "program": program,
        "reading": {"by": "the candidates' ranking", "score": 0.64}, "answer": answer, **further,
    }  # fmt: skip
    field = {"nodes": "values", "rows": "rows"}.get(answer["kind"])
    if field and field not in answer:
        given = read_certificate({**found, "answer": {"kind": "none", "reasons": [{"code": "other", "says": "-"}]}})
        evaluator = Evaluator(given.program, Source(graph), 1, question, 10)
        evaluator.run()
        value = evaluator.values[answer["of"]]
        if isinstance(value, NodeSet):
            answer |= {"values": [plain(one) for one in value.items], **({"at_least": True} if value.at_least else {})}
        elif isinstance(value, list):
            answer["rows"] = [[[plain(one) for one in cell] for cell in row] for row in value]
    check(found, graph)  # asks the graph for all that is needed
    return {**found, "evidence": [graph.evidence()]}


AWARD, TIME, WITH, FIELD, BORN, DIED, EMPLOYER, CHILD = "P166", "P585", "P1706", "P101", "P569", "P570", "P108", "P40"
_NAMES = {
    "Q7186": "Marie Curie", "Q37463": "Irène Joliot-Curie", "Q37071": "Ève Curie", "Q38104": "Nobel Prize in Physics",
    "Q44585": "Nobel Prize in Chemistry", "Q830": "Davy Medal", "Q831": "Matteucci Medal", "Q37": "Pierre Curie",
    "Q413": "physics", "Q2329": "chemistry", "Q209842": "University of Paris", "Q41": "Henri Becquerel",
    AWARD: "award received", TIME: "point in time", WITH: "together with", FIELD: "field of work",
    BORN: "date of birth", DIED: "date of death", EMPLOYER: "employer", CHILD: "child",
}  # fmt: skip
_FACTS: list[list[Any]] = [
    ["Q7186", AWARD, "Q38104", [[TIME, year("1903")], [WITH, "Q37"], [WITH, "Q41"]], "normal"],
    ["Q7186", AWARD, "Q44585", [[TIME, year("1911")]], "preferred"],
    ["Q7186", AWARD, "Q830", [[TIME, year("1903")]], "normal"],
    ["Q7186", AWARD, "Q831", [[TIME, year("1904")]], "normal"],
    ["Q7186", FIELD, "Q413"], ["Q7186", FIELD, "Q2329"], ["Q7186", EMPLOYER, "Q209842"],
    ["Q7186", CHILD, "Q37463"], ["Q7186", CHILD, "Q37071"], ["Q37463", AWARD, "Q44585"],
    ["Q7186", BORN, {"value": "1867-11-07", "kind": "time"}], ["Q7186", DIED, {"value": "1934-07-04", "kind": "time"}],
]  # fmt: skip


def curie(names: dict[str, str] | None = None) -> TinyGraph:
    """Marie Curie's awards, and some more."""
    return TinyGraph("people", _FACTS, {**_NAMES, **(names or {})})


def follow(of: int, relation: str, direction: str = "forward", **further: Any) -> Json:
    """A node that goes over one relation."""
    return {"op": "follow", "of": of, "relations": [relation], "direction": direction, **further}


def shared(names: dict[str, str] | None = None, question: str | None = None) -> Json:
    """Five nodes: what two people received both."""
    named = {**_NAMES, **(names or {})}["Q7186"]
    question = question or f"Which awards did {named} and her child both receive?"
    program = [
        {"op": "entity", "id": "Q7186", "words": [17, 17 + len(named)], "name": named},
        follow(0, AWARD),
        follow(0, CHILD),
        follow(2, AWARD),
        {"op": "intersection", "of": [1, 3]},
    ]
    further = {"method": "candidates", "confidence": 0.71, "usage": {"calls": 0, "seconds": 0.021}}
    return certificate(question, curie(names), program, {"kind": "nodes", "of": 4}, **further)


def counted() -> Json:
    """A number over what is assumed to be complete."""
    window = {"from": None, "to": year("1909"), "start": [], "end": [], "point": [TIME], "unknown": "drop"}
    program = [
        {"op": "entity", "id": "Q7186", "words": [20, 31], "name": "Marie Curie"},
        follow(0, AWARD, window=window),
        {"op": "complete", "of": 1},
        {"op": "count", "of": 2},
    ]
    return certificate("How many awards had Marie Curie before 1910?", curie(), program, {"kind": "nodes", "of": 3})


def tabled() -> Json:
    """Rows: awards with their years."""
    program = [
        {"op": "entity", "id": "Q7186", "words": [0, 11], "name": "Marie Curie"},
        follow(0, AWARD),
        {"op": "it", "of": 1},
        {"op": "it", "of": 1},
        {"op": "compare", "do": "=", "left": 3, "right": 2},
        {"op": "where", "of": 1, "it": 3, "test": 4},
        {"op": "qualifier", "of": 5, "relations": [TIME]},
        {"op": "table", "of": 1, "it": 2, "columns": [6]},
    ]
    return certificate("Marie Curie's awards, and when?", curie(), program, {"kind": "rows", "of": 7})


def abstained() -> Json:
    """No answer, with reasons."""
    question = "Which awards did Marie Curie decline in Stockholm?"
    program = [{"op": "entity", "id": "Q7186", "words": [17, 28], "name": "Marie Curie"}, follow(0, AWARD)]
    reasons: list[Json] = [
        {"code": "unread", "words": [[29, 36, "no relation says this"], [40, 49, "unknown name"]]},
        {"code": "unsure", "of": 1, "score": 0.31, "needed": 0.5},
        {"code": "unnamed", "words": [40, 49]},
    ]
    return certificate(question, curie(), program, {"kind": "none", "reasons": reasons, "tried": [1]})


def checked_text() -> Json:
    """Three sentences of a text, each with its verdict."""
    parts = ["Marie Curie was born in 1867.", "She died before 1930.", "She loved cycling."]
    text = " ".join(parts)
    program = [
        {"op": "entity", "id": "Q7186", "words": [0, 11], "name": "Marie Curie"},
        follow(0, BORN),
        {"op": "literal", "value": year("1867"), "words": [24, 28]},
        {"op": "compare", "do": "within", "left": 1, "right": 2},
        follow(0, DIED),
        {"op": "literal", "value": year("1930")},
        {"op": "compare", "do": "<", "left": 4, "right": 5},
    ]
    starts = [0, 30, 52]
    claims = [[{"of": 3, "words": [12, 28]}], [{"of": 6}], []]
    sentences = [
        {"start": start, "end": start + len(part), "claims": claim}
        for start, part, claim in zip(starts, parts, claims, strict=True)
    ]
    return certificate(text, curie(), program, {"kind": "text", "sentences": sentences})


def wide(conditions: int = 9) -> Json:
    """About forty nodes: a rule over many conditions, some judged, one not needed."""
    facts: list[list[Any]] = []
    names = {
        "town": "Harbour Town",
        "rule": "rule",
        "cls": "seaside resort",
        "P31": "instance of",
        "P279": "subclass of",
    }
    program: list[Json] = [{"op": "entity", "id": "town", "words": [3, 15], "name": "Harbour Town"}]
    tests = []
    kinds = [
        "visitors a year",
        "hotels",
        "beds",
        "beach",
        "nights",
        "guests from abroad",
        "spas",
        "trains a day",
        "parks",
    ]
    for place in range(conditions):
        relation = f"R{place}"
        names[relation] = kinds[place % len(kinds)]
        facts.append(["town", relation, number(str(1000 + 75 * place)), [[TIME, year(str(2010 + place))]], "normal"])
        first = len(program)
        program += [
            follow(0, relation),
            {"op": "literal", "value": number(str(900 + 50 * place))},
            {"op": "arithmetic", "do": "multiply", "left": first, "right": first + 1},
            {"op": "compare", "do": ">", "left": first + (2 if place % 3 == 0 else 0), "right": first + 1},
        ]
        tests.append(first + 3)
    facts += [["town", "P31", "cls"], ["cls", "P279", "kind"]]
    names |= {"kind": "settlement", TIME: "point in time"}
    judged = len(program)
    program += [
        {"op": "judged", "says": "A town with that many hotels lives on its visitors.", "by": "a reader", "score": 0.83,
         "decision": "yes", "seen": [1, 5]},
        {"op": "and", "of": [*tests, judged]},
        {"op": "rule", "says": "What has many visitors and hotels is a resort.", "by": "a reader", "of": judged + 1,
         "direction": "sufficient"},
    ]  # fmt: skip
    graph = TinyGraph("towns", facts, names)
    question = "Is Harbour Town a place that people go to for their holidays, going by its own figures?"
    return certificate(question, graph, program, {"kind": "truth", "of": judged + 2, "value": "yes"})


#: Each kind of answer.
EXAMPLES: dict[str, Callable[[], Json]] = {
    "nodes": shared, "count": counted, "rows": tabled, "none": abstained, "text": checked_text, "truth": wide,
}  # fmt: skip
