"""Abstentions, texts, what is shown."""

from __future__ import annotations

from typing import Any

from false.graphs import number, text, time
from false.writing import Program, Theme, nodes, none, rows, truth

_NOT = "the answer is not what follows"
_TRIED = "what was tried yields something"


def _abstentions(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("f:finn", words=[10, 14]), "f:award")
    asked = "What did Finn Berg win?"
    lacks = {"code": "lacks", "entity": "f:finn", "relation": "f:award", "direction": "forward"}
    t.true("nothing is listed", "family", p, none({"code": "nothing", "of": 1}, lacks, tried=[1]),
           "none: no statement says the award received of Finn Berg", question=asked)  # fmt: skip
    for rule, change, says in [
        ("A1: it is listed", {"program.0.id": "f:anna"}, "the reason 'nothing' is not so"),
        ("A1: of another it is listed", {"answer.reasons.1.entity": "f:anna"}, "the reason 'lacks' is not so"),
        ("A1: the other way it is listed", {"answer.reasons.1": {**lacks, "entity": "f:medal", "direction": "backward"}},
         "the reason 'lacks' is not so"),
        ("A1: what was tried is an answer", {"program.0.id": "f:anna", "answer.reasons": [{**lacks}]}, _TRIED),
        ("A1: what was tried is an answer, whatever is said", {"program.0.id": "f:anna", "answer.reasons": [
            {"code": "other", "says": "the month is missing"}]}, _TRIED),
        ("M2: a reason of the method excuses nothing", {"program.0.id": "f:anna", "answer.reasons": [
            {"code": "unusable", "times": 3}]}, _TRIED),
        ("to have stopped excuses nothing", {"program.0.id": "f:anna", "answer.reasons": [
            {"code": "stopped", "what": "calls"}]}, _TRIED),
        ("nothing is no unknown", {"program.0.id": "f:anna", "answer.reasons": [{"code": "unknown", "of": 1}]}, "'unknown' is not so"),
        ("nothing is no split", {"program.0.id": "f:anna", "answer.reasons": [{"code": "split", "of": 1}]}, "'split' is not so"),
    ]:  # fmt: skip
        t.false(rule, change, says)
    for rule, change, says in [
        ("A1: an abstention has a reason", {"answer.reasons": []}, "a list of 1 or more"),
        ("a reason has a code", {"answer.reasons.0.code": "absent"}, "a 'code' that is known"),
        (
            "a reason has its fields only",
            {"answer.reasons.0.says": "Ada was born in Paris"},
            "the field 'says' is not known",
        ),
        ("an abstention has no text", {"answer.text": "Finn won the Medal."}, "the field 'text' is not known"),
        ("an abstention has no values", {"answer.values": ["f:medal"]}, "the field 'values' is not known"),
        ("a reason is about a node", {"answer.reasons.0.of": 2}, "not there"),
        ("what was tried is there", {"answer.tried": [2]}, "not there"),
        ("a reason is an object", {"answer.reasons.0": "nothing"}, "a 'code' that is known"),
    ]:
        t.false(rule, change, says, 2)
    t.false("M2: words of the method are no proof", {"answer.reasons": [{"code": "other", "says": "Finn won the Medal"}]},
            "as the method says: “Finn won the Medal”", strict=True)  # fmt: skip
    t.false(
        "that the model failed is no proof",
        {"answer.reasons": [{"code": "unusable", "times": 2}]},
        "unverifiable",
        strict=True,
    )
    t.false("a relation that no graph has is not taken for one", {"program.1.relations": ["x/award received"],
            "answer.reasons": [{"code": "nothing", "of": 1}], "program.0.id": "f:anna"},
            "the ⟨x/award received⟩ of Anna Berg", strict=True)  # fmt: skip
    t.false("an entity that no graph has is not taken for one", {"program.0.id": "x/Anna Berg", "answer.reasons": [
            {"code": "nothing", "of": 1}]}, "the award received of ⟨x/Anna Berg⟩", strict=True)  # fmt: skip
    p = Program()
    carl = p.entity("f:carl")
    kin, kin2 = p.follow(carl, "f:child"), p.back(carl, "f:child")
    p.follow(carl, "f:spouse")
    t.true(
        "which way", "family", p, none({"code": "direction", "of": [kin, kin2]}, tried=[kin, kin2]), "it may ask for"
    )
    t.false("an excuse is about its own nodes", {"answer.tried": [1, 2, 3]}, _TRIED)
    t.false(
        "an excuse is about its own nodes",
        {"answer.reasons": [{"code": "unsure", "of": 3, "score": 0.2, "needed": 0.5}]},
        _TRIED,
    )
    t.false("two directions", {"answer.reasons.0.of": [1]}, "a list of 2", 2)
    p = Program()
    p.follow(p.entity("f:carl"), "f:child")
    t.true(
        "not near enough",
        "family",
        p,
        none({"code": "unsure", "of": 1, "score": 0.3, "needed": 0.5}, tried=[1]),
        "0.30, where 0.50 is needed",
    )
    t.false("near enough", {"answer.reasons.0.score": 0.7}, "the reason 'unsure' is not so")
    t.false("exactly near enough", {"answer.reasons.0.score": 0.5}, "the reason 'unsure' is not so")
    t.false("that it is not near is judged", {}, "judged", strict=True)
    p = Program()
    t.true(
        "no such name",
        "family",
        p,
        none({"code": "unnamed", "words": [8, 12]}),
        "the graph has no “Zora”",
        question="Who was Zora?",
    )
    t.false("a name that is there", {"question": "Who was Oslo?"}, "the reason 'unnamed' is not so")
    t.false(
        "another name that is there",
        {"question": "Where is Nan?", "answer.reasons.0.words": [9, 12]},
        "the reason 'unnamed' is not so",
    )
    t.false("words beyond the question", {"answer.reasons.0.words": [8, 99]}, "words beyond the question", 2)
    t.false("words not read beyond the question", {"answer.reasons": [{"code": "unread", "words": [[8, 99, "a name"]]}]},
            "words beyond the question", 2)  # fmt: skip
    t.false("words not read end after they begin", {"answer.reasons": [{"code": "unread", "words": [[3, 3, "a name"]]}]},
            "the start before the end", 2)  # fmt: skip
    t.false("words not read are some", {"answer.reasons": [{"code": "unread", "words": []}]}, "a list of 1 or more", 2)
    p = Program()
    two = p.add("exists", of=p.follow(p.entity("f:carl"), "f:award2"))
    chains: list[Any] = [{"text": "", "prediction": None, "sample": 0, "sentences": []}]
    p.add("vote", function="equal", chains=chains, yes_or_no=True)
    t.true(
        "not known",
        "family",
        p,
        none({"code": "unknown", "of": two}, {"code": "split", "of": 3}, tried=[2]),
        "do not agree",
    )
    t.false("it is known", {"program.1.relations": ["f:child"]}, "'unknown' is not so")
    t.false("known no is known", {"program.0.id": "f:finn", "program.1.relations": ["f:child"]}, "'unknown' is not so")
    t.false("they agree", {"program.3.chains.0.prediction": "no"}, "'split' is not so")
    t.true("it is lacking", "family", [], none(lacks), "passes: judged", question=asked)
    t.false("it is not", {"answer.reasons.0.relation": "f:born"}, "the reason 'lacks' is not so")
    untried = {"kind": "none", "reasons": [lacks]}
    t.true("it is lacking, and nothing was tried", "family", [], untried, "passes: judged", question=asked)
    t.false("it is not, and nothing was tried", {"answer.reasons.0.relation": "f:born"}, "the reason 'lacks' is not so")
    told = [{"side": "out", "node": "f:finn", "relation": "f:award", "statements": []}]
    t.true("it is lacking, as an endpoint said", "family", [], none(lacks), "passes: unverifiable", question=asked,
           graphs=[{"name": "world", "endpoint": "https://example.org"}], evidence=[{"ranges": told}])  # fmt: skip
    t.false("it is lacking, as nobody said", {"evidence": [{"ranges": []}]}, "does not pass: unverifiable", strict=True)
    t.true("stopped early", "family", [], none({"code": "stopped", "what": "calls"}), "passes: unverifiable")
    t.false("that it was stopped is no proof", {}, "does not pass: unverifiable", strict=True)
    p = Program()
    rowed = p.follow(p.entity("f:finn"), "f:award")
    p.add("table", of=rowed, it=p.it(rowed), columns=[])
    t.true("a table of nothing", "family", p, none({"code": "nothing", "of": 3}, tried=[3]), "nothing is listed")
    t.false("a table of something", {"program.0.id": "f:anna"}, "'nothing' is not so")


def _texts(t: Theme) -> None:
    said = "Carl was born in Oslo. He has no child."
    p = Program()
    born = p.compare(p.follow(p.entity("f:carl"), "f:birthplace"), "=", p.entity("f:oslo"))
    child = p.add("exists", of=p.follow(0, "f:child"))
    childless = p.add("not", of=child)
    p.add("judged", says=said[23:], by="a reader", score=0.9, decision="no", seen=[4])
    sentences = [{"start": 0, "end": 22, "claims": [{"of": born, "words": [0, 21]}]},
                 {"start": 23, "end": 39, "claims": [{"of": childless}]}]  # fmt: skip
    t.true(
        "a text",
        "family",
        p,
        {"kind": "text", "sentences": sentences},
        "supported: “Carl was born in Oslo.”; taken for: the place of birth of Carl Berg = Oslo",
        question=said,
    )
    t.lines[-1]["expect"]["says"] = "contradicted: “He has no child.”; taken for: not"
    for rule, change, says in [
        ("D2b: words that no sentence covers", {"answer.sentences": sentences[:1]}, "leave out, or take twice"),
        ("D2b: words at the front", {"answer.sentences.0.start": 5}, "leave out, or take twice"),
        ("D2b: words between", {"answer.sentences.0.end": 16, "answer.sentences.0.claims.0.words": [0, 16]}, "leave out, or take twice"),
        ("D2: words taken twice", {"answer.sentences.1.start": 20}, "leave out, or take twice"),
        ("sentences in order", lambda c: c["answer"]["sentences"].reverse(), "leave out, or take twice"),
        ("a sentence ends in the text", {"answer.sentences.1.end": 400}, "leave out, or take twice"),
        ("a sentence has a start before its end", {"answer.sentences.1.start": 39, "answer.sentences.1.end": 38}, "leave out, or take twice"),
        ("D3: a claim is of its own sentence", {"answer.sentences.0.claims.0.words": [23, 39]}, "words that are not of its sentence"),
        ("D3: a claim is of its own sentence, whole", {"answer.sentences.0.claims.0.words": [0, 39]}, "words that are not of its sentence"),
        ("M6: judged by nothing", {"answer.sentences.1.claims.0.of": 7, "program.7.seen": []}, "judged by nothing"),
        ("M6: judged by what is named", {"answer.sentences.1.claims.0.of": 7, "program.7.seen": [0]}, "judged by nothing"),
        ("M6: judged by nothing that is listed", {"answer.sentences.1.claims.0.of": 7, "program.4.relations": ["f:pet"]}, "judged by nothing"),
        ("M6: judged by nothing, and negated", {"program.6": {"op": "judged", "says": "x", "by": "me", "score": 1, "decision": "yes",
            "seen": []}, "program.7": {"op": "not", "of": 6}, "answer.sentences.1.claims.0.of": 7}, "judged by nothing"),
        ("M6: voted for by nothing", {"program.6": {"op": "vote", "function": "equal", "yes_or_no": True, "chains": [
            {"text": "x", "prediction": "yes", "sample": 0, "sentences": []}]}, "program.7": {"op": "not", "of": 6},
            "answer.sentences.1.claims.0.of": 7}, "judged by nothing"),
        ("M6: judged by nothing, and joined", {"program.6": {"op": "judged", "says": "x", "by": "me", "score": 1, "decision": "yes",
            "seen": []}, "program.7": {"op": "and", "of": [5, 6]}, "answer.sentences.1.claims.0.of": 7}, "judged by nothing"),
    ]:  # fmt: skip
        t.false(rule, change, says)
    for rule, change, says in [
        ("a claim is a truth", {"answer.sentences.0.claims.0.of": 1}, "yields something else"),
        ("a verdict is the kernel's", {"answer.sentences.0.verdict": "supported"}, "the field 'verdict' is not known"),
        ("a text has sentences", {"answer.sentences": []}, "a list of 1 or more"),
        ("a claim is there", {"answer.sentences.0.claims.0.of": 99}, "not there"),
        (
            "words have a start before the end",
            {"answer.sentences.0.claims.0.words": [5, 5]},
            "the start before the end",
        ),
    ]:
        t.false(rule, change, says, 2)
    for rule, change, says in [
        ("D2: two sentences in one are shown as one", {"answer.sentences": [{**sentences[0], "end": 39}]},
         "supported: “Carl was born in Oslo. He has no child.”; taken for: the place of birth of Carl Berg = Oslo"),
        ("M6: an opinion is judged", {"answer.sentences.1": {"start": 23, "end": 39, "claims": [], "unchecked": "an opinion"}},
         "not checked \\(“an opinion”, judged\\)"),
        ("of no claims nothing follows", {"answer.sentences.1.claims": []}, "not in the graph: “He has no child.”"),
        ("an unknown claim is not in the graph", {"program.4.relations": ["f:pet"]}, "not in the graph: “He has no child.”"),
        ("another place contradicts it", {"program.2.id": "f:bergen"}, "contradicted: “Carl was born in Oslo.”"),
        ("D4d: a hedge is shown beside", {"question": said.replace(". He has no", ". May've a")},
         "contradicted: “ May've a child.?”|contradicted: “May've a child"),
        ("D3b: a number in a name is shown", {"question": said.replace("Carl was", "Carl 5th")}, "“Carl 5th born in Oslo.”"),
        ("the other way round it is supported", {"answer.sentences.1.claims.0.of": 5}, "supported: “He has no child.”; taken for: there is the child"),
    ]:  # fmt: skip
        t.false(rule, change, says, 1, strict=True)


def _shown(t: Theme) -> None:
    """Programs that differ are shown to differ: the false one is refused as it is not what was asked, word by word."""
    p = Program()
    people = p.back(p.entity("f:oslo", name="Oslo"), "f:birthplace")
    it = p.it(people)
    p.follow(p.add("where", of=people, it=it, test=p.add("exists", of=p.follow(it, "f:spouse"))), "f:child")
    t.true("children of those who married", "family", p, nodes(6, "f:carl", "f:emil", "f:finn"), "as it was asked", strict=True,
           question="the child of (everything whose place of birth is Oslo, only it for which there is the spouse of it)")  # fmt: skip
    outer = Program(p[:2])
    kids = outer.follow(1, "f:child")
    it = outer.it(kids)
    outer.add("where", of=kids, it=it, test=outer.add("exists", of=outer.follow(it, "f:spouse")))
    t.false("C1: a test of the children, not of the parents", {"program": list(outer), "answer": nodes(6, "f:carl", "f:emil")},
            r"\(the child of everything whose place of birth is Oslo, only it for which", strict=True)  # fmt: skip
    p = Program()
    p.follow(
        p.follow(
            p.entity("f:anna"),
            "f:award",
            qualified=[{"relations": ["http://www.wikidata.org/entity/P585"], "is": time("1903")}],
        ),
        "f:country",
    )
    t.true(
        "a qualifier within",
        "family",
        p,
        none({"code": "nothing", "of": 2}),
        r"for: the country of the award received \(only with",
    )
    p = Program()
    ben = p.follow(p.entity("f:ben", name="Ben Berg"), "f:died")
    p.compare(ben, "<", p.follow(p.entity("f:anna", name="Anna Berg"), "f:died"))
    t.true("Ben died first", "family", p, truth(4), "as it was asked", strict=True,
           question="whether the date of death of Ben Berg < the date of death of Anna Berg")  # fmt: skip
    for rule, change, says in [
        ("C1: another operator", {"program.4.do": ">", "answer.value": "no"}, "of Ben Berg > the date of death"),
        ("C2: sides change places", {"program.4.left": 3, "program.4.right": 1, "answer.value": "no"}, "of Anna Berg < the date"),
        ("N1: another relation", {"program.1.relations": ["f:born"], "program.3.relations": ["f:died"]}, "date of birth of Ben Berg"),
        ("N1: a second relation", {"program.3.relations": ["f:died", "f:born"], "answer.value": "yes", "program.1.relations": ["f:born"]}, "date of death or date of birth"),
        ("C3: a graph of its own", {"program.1.graph": 0}, "in graph 0"),
        ("C2: a text is no statement", {"program.3": {"op": "literal", "value": text("the date of death of Anna Berg")}}, _NOT),
    ]:  # fmt: skip
        t.false(rule, change, says, 1, strict=True)
    p = Program()
    p.compare(p.follow(p.entity("f:carl"), "f:born"), "within", p.literal(time("1903-01-01", "century")))
    t.true("within a century", "family", p, truth(3), r"within 1903-01-01 \(century\)")
    t.false("C1: a precision is shown", {"question": "whether the date of birth of Carl Berg within 1903-01-01"},
            r"1903-01-01 \(century\)", strict=True)  # fmt: skip
    t.false("C1: a calendar is shown", {"program.2.value": time("1903-04-01", "month", "julian"),
            "question": "whether the date of birth of Carl Berg within 1903-04-01"}, r"1903-04-01 \(month, julian\)", strict=True)  # fmt: skip
    t.false("C1: a bound is shown", {"program.1.relations": ["f:height"], "program.2.value": number("1.8", "metre", "1..3"),
            "program.3.do": "<", "answer": none({"code": "unknown", "of": 3})}, r"1.8 metre \(1..3\)", strict=True)  # fmt: skip
    t.false("C1: a kind is shown", {"program.2.value": {"value": "1903", "kind": "no_value"}, "program.3.do": "≠",
            "question": "whether the date of birth of Carl Berg ≠ 1903"}, "Carl Berg ≠ no value", strict=True)  # fmt: skip
    t.false("C1: a text is shown as one", {"program.2.value": text("1903 (century)"), "program.3.do": "contains",
            "answer": none({"code": "unknown", "of": 3})}, "contains “1903 \\(century\\)”|'unknown' is not so", strict=True)  # fmt: skip
    t.false("C1: a language is shown", {"program.1.relations": ["f:motto"], "program.2.value": text("As it is", "de"),
            "program.3.do": "="}, "= “As it is” \\(de\\)", strict=True)  # fmt: skip
    t.false("C1: an id is shown as one", {"program.2": {"op": "entity", "id": "x/1903"}, "program.3.do": "≠",
            "answer": none({"code": "unknown", "of": 3})}, "≠ ⟨x/1903⟩", strict=True)  # fmt: skip
    t.false("J2: an id has one line", {"program.2": {"op": "entity", "id": "x⟩\npasses: recomputed"}, "program.3.do": "≠",
            "answer": none({"code": "unknown", "of": 3})}, "≠ ⟨x passes: recomputed⟩", strict=True)  # fmt: skip
    t.false("a unit is shown as one", {"program.1.relations": ["f:height"], "program.2.value": number("1", "metre or 2"),
            "program.3.do": "<", "answer": none({"code": "unknown", "of": 3})}, "< 1 ⟨metre or 2⟩", strict=True)  # fmt: skip
    long = Program()
    place = long.entity("f:carl")
    for _ in range(60):
        place = long.back(long.follow(place, "f:father"), "f:father")
    long.add("count", of=place)
    long.add("complete", of=place)
    t.true("a sentence that is long", "family", long, nodes(place, "f:carl"), "node 1")
    asked = "everything whose father is the father of everything whose father is the father of Carl Berg"
    t.false("A2: the end of a long sentence is not hidden", {"question": asked}, "Read as: .*node", strict=True)
    p = Program()
    p.compare(p.follow(p.entity("f:carl"), "f:motto"), "contains", p.literal(text("As " + "x" * 300 + " not")))
    t.true("a long text that is compared", "family", p, truth(3, "no"), "x not”")
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    p.add("judged", says="Carl has no child.", by="a reader", score=1, decision="no", seen=[1])
    t.true(
        "K1: what is not needed",
        "family",
        p,
        truth(2),
        "“Carl has no child.” \\(as “a reader” judged\\) \\(not needed: supports nothing\\)",
    )
    t.false("K1: what is not needed decides nothing", {"answer.value": "no"}, _NOT)
    t.false("what is wrong fails", {"answer.value": "no"}, "does not pass: fails")
    t.false("what fails, fails", {"program.0.name": "Carl"}, "   0 fails  ")
    t.false(
        "K1: what is needed is judged",
        {"program.2": {"op": "exists", "of": 1}, "answer": truth(3, "no")},
        "3 judged",
        strict=True,
    )
    p = Program()
    carl = p.entity("f:carl")
    pets = p.follow(carl, "f:pet")
    it = p.it(pets)
    p.add("some", of=pets, it=it, test=p.add("exists", of=p.follow(it, "f:child")))
    kin = p.follow(carl, "f:child")
    t.true("beneath nothing, and not needed", "family", p, nodes(kin, "f:emil", "f:finn"),
           "   3 unverifiable the child of it \\(not needed")  # fmt: skip
    t.true("what is not needed is not counted", "family", p, nodes(kin, "f:emil", "f:finn"),
           r"^passes: judged \(1 holds, 1 recomputed\)$")  # fmt: skip
    t.false("it is counted where it is needed", {"answer": none({"code": "unknown", "of": 5})},
            r"^does not pass: judged \(1 holds, 5 recomputed\)$", strict=True)  # fmt: skip
    t.false("beneath nothing, and needed", {"answer": none({"code": "unknown", "of": 5}), "question": "whether it is so"},
            "   3 recomputed   the child of it$", strict=True)  # fmt: skip
    p = Program()
    kin = p.follow(p.entity("f:carl"), "f:child")
    it = p.it(kin)
    p.add("table", of=kin, it=it, columns=[p.follow(it, "f:born")])
    t.true("a table that is not at hand", "family", p, rows(4, [["f:emil"], [time("1926-01-30")]], [["f:finn"],
                  [time("1929-11-05")]]), "   4 recomputed", evidence=True)  # fmt: skip
    graph = {"name": "family", "endpoint": "https://example.org"}
    t.false(
        "a table that is not at hand",
        {"graphs": [graph], "evidence": [{"ranges": []}]},
        "   4 unverifiable",
        strict=True,
    )
    p = Program()
    p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    said = "what the claims of this text say"
    t.true("a text that is its own sentence", "family", p, {"kind": "text", "sentences": [{"start": 0, "end": 32,
           "claims": [{"of": 2}]}]}, "Read as: what the claims of this text say; judged by", question=said)  # fmt: skip
    t.false("a text is judged to say this", {}, "text say; judged by", strict=True)
    t.false("what is checked is not unchecked", {"answer.sentences.0.unchecked": "an opinion"},
            "supported: “what the claims", strict=True)  # fmt: skip


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_abstentions, _texts, _shown):
        part(t)
    return t
