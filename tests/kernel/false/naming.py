"""What names mean: of one thing or of several, as they are written, and of what a judgement on a text is about."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from false.graphs import text, time
from false.writing import DROP, Program, Theme, nodes, none

_ABOUT = "judged by a statement about something that it does not name"
_ASKED = "judged by “a reader”"


def _asked(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("n:yard"), "n:keeper")
    t.true("each name is of one thing", "harbour", p, nodes(1, "n:bob"), "as it was asked", strict=True,
           question="the keeper of North Yard")  # fmt: skip
    for rule, relation, asked, value in [
        ("a relation that has its name with another", "n:head", "the head of North Yard", "n:ann"),
        ("and the other one", "n:head2", "the head of North Yard", "n:bob"),
        ("a relation whose name is another name of one", "n:owner", "the owner of North Yard", "n:ann"),
        ("a name that is shown in other letters", "n:built", "the built by of North Yard", "n:ann"),
        ("an id that is shown in other letters", "n:odd  one", "the ⟨n:odd one⟩ of North Yard", "n:bob"),
        ("the name of what says names", "http://www.w3.org/2000/01/rdf-schema#label", "the label of North Yard", text("North Yard")),
    ]:  # fmt: skip
        t.false(
            rule, {"program.1.relations": [relation], "question": asked, "answer.values": [value]}, _ASKED, strict=True
        )
    t.false("who looks like it", {"program.0.id": "n:hidden", "answer.values": ["n:ann"]}, _ASKED, strict=True)
    t.false("one of two of a name, by a name of its own", {"program.0": {"op": "entity", "id": "n:mill", "name": "Corn Mill"},
            "question": "the keeper of Mill", "answer.values": ["n:ann"]}, _ASKED, strict=True)  # fmt: skip
    t.false("one of two of a name, by its id", {"program.0.id": "n:mill2", "question": "the keeper of Mill"},
            _ASKED, strict=True)  # fmt: skip
    t.false("in other words it is a reading", {"question": "the keeper of north yard"}, _ASKED, strict=True)
    p[1]["relations"] = ["n:odd"]
    t.true("an id is of one thing", "harbour", p, nodes(1, "n:ann"), "as it was asked", strict=True,
           question="the ⟨n:odd⟩ of North Yard")  # fmt: skip
    p[1]["relations"] = ["n:crane"]
    t.true("one thing that is entity and relation", "harbour", p, nodes(1, "n:crane"), "as it was asked", strict=True,
           question="the crane of North Yard")  # fmt: skip
    p[1]["relations"] = ["n:keeper"]
    t.true("names whose bearers are at hand", "harbour", p, nodes(1, "n:bob"), "as it was asked", strict=True,
           question="the keeper of North Yard", evidence=True)  # fmt: skip
    t.true(
        "names whose bearers are not at hand",
        "harbour",
        p,
        nodes(1, "n:bob"),
        _ASKED,
        question="its keeper",
        evidence=True,
    )
    t.false("who bears a name is not at hand", {"question": "the keeper of North Yard"}, _ASKED, strict=True)


def _unnamed(t: Theme) -> None:
    def asked(question: str, start: int, end: int) -> dict[str, Any]:
        return {"question": question, "answer.reasons.0.words": [start, end]}

    t.true("nobody is called so", "harbour", [], none({"code": "unnamed", "words": [13, 22]}), "the graph has no “West Gate”",
           question="Who runs the West Gate?")  # fmt: skip
    wrong = "the reason 'unnamed' is not so"
    for rule, change in [
        ("as it is written", asked("Who runs the Mill?", 13, 17)),
        ("as its other name is written", asked("Who runs the Corn Mill?", 13, 22)),
        ("as a relation is called", asked("Who is the keeper?", 11, 17)),
        ("in small letters", asked("Who runs the north yard?", 13, 23)),
        ("in large letters", asked("Who runs the NORTH YARD?", 13, 23)),
        ("in turned letters", asked("Who runs the nORTH yARD?", 13, 23)),
        ("with spaces between", asked("Who runs the North \n\t Yard?", 13, 26)),
        ("with spaces around", asked("Who runs the  North Yard ?", 13, 25)),
        ("what is written small", asked("Who runs the Grand Port?", 13, 23)),
        ("what is written large", asked("Who runs the Depot?", 13, 18)),
    ]:
        t.false(f"a name is one {rule}", change, wrong)


def _about(t: Theme) -> None:
    said = "Carl Berg was born in Oslo. He is a Norwegian. Ben Berg was not."
    p = Program()
    carl, oslo = p.entity("f:carl", words=[0, 9], name="Carl Berg"), p.entity("f:oslo", words=[22, 26], name="Oslo")
    born = p.add("statement", graph=0, statement=["f:carl", "f:birthplace", "f:oslo", [], "normal"])
    p.add(
        "judged", says="Carl Berg was born in Oslo.", by="a reader", score=0.9, decision="yes", seen=[carl, oslo, born]
    )
    p.entity("f:ben", words=[47, 55], name="Ben Berg")
    rest = {"start": 28, "end": len(said), "claims": [], "unchecked": "an opinion"}
    first = {"start": 0, "end": 27, "claims": [{"of": 3}]}
    answer = {"kind": "text", "sentences": [first, rest]}
    t.true("judged by what it names", "family", p, answer, "supported: “Carl Berg was born in Oslo.”", question=said)
    other = ["f:ben", "f:birthplace", "f:bergen", [], "normal"]
    for rule, change in [
        ("another's birth", {"program.2.statement": other}),
        ("another place of birth", {"program.2.statement": ["f:emil", "f:birthplace", "f:bergen", [], "normal"]}),
        ("a place that is not named", {"program.3.seen": [0, 2]}),
        ("somebody who is not named", {"program.3.seen": [1, 2]}),
        ("a name by no words", {"program.1.words": DROP}),
        ("words by no name", {"program.1.name": DROP}),
        ("a name of a later sentence", {"program.1": {"op": "entity", "id": "f:ben", "words": [47, 55], "name": "Ben Berg"},
            "program.2.statement": ["f:ben", "f:child", "f:carl", [], "normal"]}),
        ("another that is listed", {"program.2": {"op": "follow", "of": 0, "relations": ["f:child"], "direction": "forward"}}),
        ("another beside it", {"program.4": {"op": "statement", "graph": 0, "statement": other},
            "program.5": {"op": "judged", "says": "so", "by": "me", "score": 1, "decision": "yes", "seen": [0, 1, 2, 4]},
            "answer.sentences.0.claims.0.of": 5}),
        ("another, and joined", {"program.2.statement": other, "program.4": {"op": "and", "of": [3]},
            "answer.sentences.0.claims.0.of": 4}),
        ("no by another", {"program.2.statement": other, "program.3.decision": "no"}),
        ("voted for by another", {"program.2.statement": other, "program.3": {"op": "vote", "function": "equal",
            "yes_or_no": True, "chains": [{"text": "So.", "prediction": "yes", "sample": 0, "sentences": [{"text": "So.",
            "by": "m", "entailment": 1, "unknown": 0, "contradiction": 0, "seen": [0, 1, 2]}]}]}}),
    ]:  # fmt: skip
        t.false(f"judged by {rule}", change, _ABOUT)
    t.false("judged by names alone", {"program.3.seen": [0, 1]}, "judged by nothing that a statement or passage says")
    t.false("other words for a name are shown", {"program.1": {"op": "entity", "id": "f:bergen", "words": [22, 26],
            "name": "Bergen"}, "program.2.statement": ["f:ben", "f:birthplace", "f:bergen", [], "normal"],
            "program.0": {"op": "entity", "id": "f:ben", "words": [0, 9], "name": "Ben Berg"}},
            "other words are taken for its name: “Carl Berg”", strict=True)  # fmt: skip
    p[3] |= {"says": "Carl Berg was born in Bergen.", "decision": "no", "seen": [carl, born]}
    sentences = [{"start": 0, "end": 29, "claims": [{"of": 3}]}]
    t.true("no by one end that it names", "family", p, {"kind": "text", "sentences": sentences},
           "contradicted: “Carl Berg was born in Bergen.”", question="Carl Berg was born in Bergen.")  # fmt: skip
    t.false("yes by one end", {"program.3.decision": "yes"}, _ABOUT)
    t.false("no by no end", {"program.3.seen": [2]}, _ABOUT)
    p = Program()
    carl = p.entity("f:carl", words=[0, 9], name="Carl Berg")
    p.add("statement", graph=0, statement=["f:carl", "f:birthplace", "f:oslo", [], "normal"])
    p.entity("f:oslo", words=[30, 34], name="Oslo")
    p.add("judged", says="Carl  berg was born in Oslo.", by="a reader", score=0.9, decision="yes", seen=[carl, 1, 2])
    said = "Carl Berg lived. He was born \tOslo. Ben."
    sentences = [{"start": 0, "end": 16, "claims": [], "unchecked": "nothing is said"},
                 {"start": 17, "end": 35, "claims": [{"of": 3}]}, {"start": 36, "end": 40, "claims": [], "unchecked": "no"}]  # fmt: skip
    t.true("a name of an earlier sentence that the claim says", "family", p, {"kind": "text", "sentences": sentences},
           "supported: “He was born Oslo.”", question=said)  # fmt: skip
    t.false("a name of an earlier sentence that nobody says", {"program.3.says": "He was born in Oslo."}, _ABOUT)
    t.false(
        "its claim in an earlier sentence",
        {"answer.sentences.0": {"start": 0, "end": 16, "claims": [{"of": 3}]}},
        _ABOUT,
    )
    t.true("by another name that the claim says", "family", [{**p[0], "words": [17, 19]}, *p[1:]],
           {"kind": "text", "sentences": sentences}, "other words are taken for its name: “He”", question=said)  # fmt: skip
    p[3]["decision"] = "unknown"
    p[1]["statement"] = other
    t.true("who knows nothing may have seen anything", "family", p, {"kind": "text", "sentences": sentences},
           "not in the graph: “He was born Oslo.”", question=said)  # fmt: skip
    t.false("who knows it may not", {"program.3.decision": "no"}, _ABOUT)
    p = Program()
    p.entity("f:carl", words=[0, 9], name="Carl Berg")
    p.add("statement", graph=0, statement=["f:carl", "f:born", time("1903-04-12"), [], "normal"])
    p.add("judged", says="He was born in 1903.", by="a reader", score=0.9, decision="yes", seen=[0, 1])
    t.true("a date has no name", "family", p, {"kind": "text", "sentences": [{"start": 0, "end": 27, "claims": [{"of": 2}]}]},
           "supported: “Carl Berg was born in 1903.”", question="Carl Berg was born in 1903.")  # fmt: skip
    t.false("who was born has one", {"program.2.seen": [1]}, _ABOUT)
    t.false("a text is taken for what it may not say", {}, "does not pass: judged", strict=True)
    source = "Aspirin must not be given with warfarin. It may be given with food."
    p = Program()
    p.add("passage", source="leaflet", sha256=sha256(source.encode()).hexdigest(), start=0, end=40, text=source[:40])
    p.add("judged", says="Never both.", by="a reader", score=0.9, decision="yes", seen=[0])
    t.true("judged by a passage", "hospital", p, {"kind": "text", "sentences": [{"start": 0, "end": 11, "claims": [{"of": 1}]}]},
           "supported: “Never both.”", question="Never both.")  # fmt: skip
    t.false("judged by another passage", {"program.0.text": "It may be given."}, "its source has another text there")
    t.false("nobody says that it says this", {"reading": DROP}, "does not pass: unverifiable", strict=True)


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_asked, _unnamed, _about):
        part(t)
    return t
