"""What is linked, judged, chosen, voted for and told: it passes as what it is, and never as more."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from false.graphs import number, text
from false.writing import DROP, Program, Theme, nodes, none, rows, truth

_NOT = "the answer is not what follows"


def _links(t: Theme) -> None:
    p = Program()
    p.follow(p.entity("f:oslo", words=[24, 28], name="Oslo"), "f:country")
    t.true("a link that holds", "family", p, nodes(1, "f:norway"), "0 holds", question="Which country holds the Oslo?")
    t.false(
        "I9: a name that the graph does not have of it",
        {"program.0.name": "Bergen"},
        "the graph has no such name of it",
    )
    t.false("I8: a homoglyph", {"program.0.name": "Oslо"}, "the graph has no such name of it")
    t.false("I9: a name is not almost one", {"program.0.name": "Oslo "}, "the graph has no such name of it")
    t.false("M5: near is judged", {"program.0.words": [6, 13]}, "other words are taken for its name", strict=True)
    t.false("M4: another's words", {"program.0.words": [0, 5]}, "other words are taken for its name", strict=True)
    t.false(
        "words beyond the question are none",
        {"program.0.words": [100, 104]},
        "other words are taken for its name",
        strict=True,
    )
    t.false("words have a start before the end", {"program.0.words": [28, 24]}, "the start before the end", 2)
    t.false("words are two numbers", {"program.0.words": [23]}, "a list of 2", 2)
    t.false("words are two numbers, no third", {"program.0.words": [24, 28, 29]}, "a list of 2", 2)
    t.false("without a name words are judged", {"program.0.name": DROP}, "0 judged", strict=True)
    t.false(
        "D4: full-width words are judged",
        {"question": "Which country holds ＯｓＬｏOSLO?"},
        "other words|its name",
        strict=True,
    )
    p = Program()
    p.follow(p.entity("f:anna2", words=[8, 11], name="Nan"), "f:child")
    t.true(
        "one of two",
        "family",
        p,
        none({"code": "nothing", "of": 1}),
        "one of 2 that bear this name",
        question="Who has Nan?",
    )
    t.false("a name of two is judged", {}, "one of 2 that bear this name", strict=True)
    t.false(
        "nobody says that it means this", {"reading": DROP}, "nobody says that the question means this", strict=True
    )
    p = Program()
    p.follow(p.entity("f:oslo", name="Oslo"), "f:country")
    t.true(
        "asked as it is answered",
        "family",
        p,
        nodes(1, "f:norway"),
        "as it was asked",
        question="the country of Oslo",
        strict=True,
    )
    t.false("asked otherwise", {"question": "the capital of Oslo"}, "judged by", strict=True)
    t.false("asked the other way round", {"program.1.direction": "backward"}, "judged by", strict=True)
    t.false("asked of another", {"program.0.id": "f:bergen"}, "judged by", strict=True)
    t.false("a question in other letters is another", {"question": "the country of Оslo"}, "judged by", strict=True)


def _judged(t: Theme) -> None:
    p = Program()
    kin = p.follow(p.entity("f:carl"), "f:child")
    p.add("judged", says="Emil is a child.", by="a reader", score=0.6, decision="yes", seen=[kin])
    t.true("judged yes", "family", p, truth(2), "2 judged")
    t.false("what is judged is not recomputed", {}, "2 judged", strict=True)
    t.false("what is judged is what was decided", {"answer.value": "no"}, _NOT)
    t.false("unknown is no answer", {"program.2.decision": "unknown"}, _NOT)
    t.false("J2: who judges has one line", {"program.2.by": "a reader says yes (1.00)\n   2 recomputed   so"},
            "“a reader says yes \\(1.00\\) 2 recomputed so” says yes", strict=True)  # fmt: skip
    t.false("J2: what is judged has one line", {"program.2.says": "so”\npasses: recomputed\u2028“"},
            '“so" passes: recomputed "”', strict=True)  # fmt: skip
    t.false("J1: no escapes", {"program.2.says": "\x1b[2K\x1b[1Aso"}, r"“\[2K\[1Aso”", strict=True)
    t.false("no text turned around", {"program.2.says": "\u202eon si taht"}, "“on si taht”", strict=True)
    t.false("D4b: no zero width", {"program.2.says": "is no\u200bt so\ufeff"}, "“is not so”", strict=True)
    t.false("a score is a number", {"program.2.score": "0.6"}, "a number", 2)
    t.false("a score is a small number", {"program.2.score": 1e300}, "a number", 2)
    t.false("a score is not true", {"program.2.score": True}, "a number", 2)
    p = Program()
    kin = p.follow(p.entity("f:carl"), "f:child")
    p.add("among", of=kin, keep=["f:emil"], by="a reader", score=0.6)
    t.true("chosen", "family", p, nodes(2, "f:emil"), "2 judged")
    t.false(
        "chosen from what is not there",
        {"program.2.keep": ["f:hugo"], "answer.values": ["f:hugo"]},
        "keeps what is not among them",
    )
    t.false("chosen from what is not there, too", {"program.2.keep": ["f:emil", "f:hugo"], "answer.values": ["f:emil", "f:hugo"]},
            "keeps what is not among them")  # fmt: skip
    t.false("the others were not chosen", {"answer.values": ["f:emil", "f:finn"]}, _NOT)
    t.false("what is chosen is judged", {}, "chosen by “a reader”", strict=True)
    t.false("what is not needed does not count, but must not fail", {"program.2.keep": ["f:hugo"], "answer": nodes(1, "f:emil", "f:finn")},
            "keeps what is not among them")  # fmt: skip
    p = Program()
    yes = p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    p.add("rule", says="Who has a child is a parent.", by="a reader", of=yes, direction="sufficient")
    t.true("by a rule", "family", p, truth(3), "3 judged")
    t.false("necessary is not sufficient", {"program.3.direction": "necessary"}, _NOT)
    t.false("a rule says yes", {"answer.value": "no"}, _NOT)
    t.false("a rule that says no", {"program.3.if_true": "no"}, _NOT)
    t.false("of an unknown condition nothing follows", {"program.1.relations": ["f:award2"]}, _NOT)
    t.false("that it is the rule is judged", {}, "that this is the rule is said by “a reader”", strict=True)
    p = Program()
    no = p.add("exists", of=p.follow(p.entity("f:finn"), "f:child"))
    p.add("rule", says="A parent has a child.", by="a reader", of=no, direction="necessary")
    t.true("by a necessary rule", "family", p, truth(3, "no"), "3 judged")
    t.false("sufficient is not necessary", {"program.3.direction": "sufficient"}, _NOT)
    t.false("a necessary rule says no", {"answer.value": "yes"}, _NOT)
    p = Program()
    yes = p.add("exists", of=p.follow(p.entity("f:carl"), "f:child"))
    no = p.add("exists", of=p.follow(p.entity("f:finn"), "f:child"))
    p.add("choice", options=[{"option": text("a parent"), "if": yes}, {"option": text("no parent"), "if": no}])
    t.true("one of two options", "family", p, nodes(6, text("a parent")), "“a parent” if")
    t.false("the other", {"answer.values": [text("no parent")]}, _NOT)
    t.false("both", {"answer.values": [text("a parent"), text("no parent")]}, _NOT)
    t.false("what an option says is told", {}, "6 judged", strict=True)
    t.false("options change places", {"program.6.options.0.if": no, "program.6.options.1.if": yes}, _NOT)


def _stated(t: Theme) -> None:
    p = Program()
    stated = ["h:war", "h:not", "h:asa", [], "normal"]
    p.add("statement", graph=0, statement=stated)
    shown = r"^   0 holds        that graph 0 has Warfarin — must not be given with → Aspirin \["
    t.true("a statement", "hospital", p, truth(0), shown)
    for rule, change in [
        ("A1: a statement that is not there", {"program.0.statement.2": "h:ibu"}),
        ("a statement the other way round", {"program.0.statement": ["h:asa", "h:treats", "h:war", [], "normal"]}),
        ("a statement of another rank", {"program.0.statement.4": "preferred"}),
        ("a statement with a qualifier", {"program.0.statement.3": [["h:dose", number("1")]]}),
        ("a statement of a text", {"program.0.statement.2": text("h:asa")}),
    ]:
        t.false(rule, change, "the graph has no such statement")
    t.false("no by a statement", {"answer.value": "no"}, _NOT)
    source = "Aspirin must not be given with warfarin. It may be given with food."
    p = Program()
    p.add("passage", source="leaflet", sha256="49bd", start=0, end=40, text=source[:40])

    p[0]["sha256"] = sha256(source.encode()).hexdigest()
    t.true("a passage", "hospital", p, truth(0), "its source has this text there")
    for rule, change, says in [
        ("another text", {"program.0.text": "Aspirin must     be given with warfarin."}, "another text there"),
        ("another place", {"program.0.start": 1}, "another text there"),
        ("no text", {"program.0.text": "", "program.0.end": 0}, "another text there"),
        (
            "no text behind the end",
            {"program.0.text": "", "program.0.start": 900, "program.0.end": 901},
            "another text there",
        ),
        ("words left out", {"program.0.text": "Aspirin must be given with warfarin."}, "another text there"),
        ("another document", {"program.0.sha256": "0" * 64}, "its source is not as it was"),
    ]:
        t.false(rule, change, says)
    t.false("a source that is not at hand", {"program.0.source": "a letter"}, "its source is not at hand", strict=True)
    t.false("the file brings no documents", {"documents": {"leaflet": source}}, "the field 'documents' is not known", 2)
    p = Program()
    p.add("query", graph=0, text="SELECT ?x { <h:asa> <h:treats> ?x }", columns=["x"], rows=[["h:flu"], ["h:pain"]])
    t.true("a query", "hospital", p, rows(0, [["h:flu"]], [["h:pain"]]), "0 unverifiable")
    t.false("A2: a query is no computation of ours", {"program.0.text": "SELECT ?x { VALUES ?x { <h:bleed> } }",
            "program.0.rows": [["h:bleed"]], "answer.rows": [[["h:bleed"]]]}, "VALUES", strict=True)  # fmt: skip
    t.false("A2: what is out of sight is shown", {"program.0.text": "SELECT ?x { <h:asa> <h:treats> ?x #" + " pad" * 600 +
            "\n} VALUES ?x { <h:bleed> }"}, "VALUES", strict=True)  # fmt: skip
    t.false(
        "F2: a query is not run",
        {"program.0.text": "SELECT ?x { " + "?a ?b ?c . " * 3000 + "}"},
        "what SPARQL gave",
        strict=True,
    )
    t.false("F3: a query is not run", {"program.0.text": "SELECT ?x { ?a ?b ?c ; " + "(?p|!?p)* ?d ; " * 20 + "}"}, "what SPARQL gave",
            strict=True)  # fmt: skip
    t.false("its rows are those of the answer", {"answer.rows": [[["h:flu"]]]}, _NOT)
    t.false("no row is added", {"answer.rows.2": [["h:bleed"]]}, _NOT)
    t.false("L2: a query yields no number", {"answer": nodes(0, "h:flu")}, "yields something else", 2)
    t.false("L3: a query yields no truth", {"answer": truth(0)}, "yields something else", 2)
    t.false("L1: a query is not asked whether it yields", {"program.1": {"op": "exists", "of": 0}}, "yields rows", 2)


def _chain(prediction: str, sample: int, *sentences: tuple[float, float, float], **more: Any) -> dict[str, Any]:
    said: list[dict[str, Any]] = [
        {
            "text": f"S{n}.",
            "by": "a scorer",
            "entailment": e,
            "unknown": max(0, round(1 - e - c, 6)),
            "contradiction": c,
            "similarity": m,
        }
        for n, (e, m, c) in enumerate(sentences)
    ]
    return {
        "text": " ".join(one["text"] for one in said),
        "prediction": prediction,
        "sample": sample,
        "sentences": said,
        **more,
    }


def _votes(t: Theme) -> None:
    chains = [_chain("yes", 0, (0.9, 0.8, 0.0)), _chain("yes", 1, (0.2, 0.1, 0.0)), _chain("no", 2, (0.9, 0.9, 0.0))]
    p = Program()
    p.add("vote", function="equal", chains=chains, yes_or_no=True)
    t.true("two to one", "hospital", p, truth(0), "weighed by equal; yes or no")
    for rule, change in [
        ("the majority wins", {"answer.value": "no"}),
        ("one output changed", {"program.0.chains.1.prediction": "no"}),
        ("an output left out", {"program.0.chains.0": DROP, "program.0.ties": "no"}),
        ("the best alone decides", {"program.0.voting": False, "program.0.function": "f2"}),
        (
            "no output votes for anything",
            {
                "program.0.chains.0.prediction": None,
                "program.0.chains.1.prediction": "maybe",
                "program.0.chains.2.prediction": "perhaps",
            },
        ),
        ("words that are neither", {"program.0.chains.0.prediction": "Yes"}),
        ("a tie is no", {"program.0.chains.1.prediction": None}),
        ("a tie is no by majority, too", {"program.0.chains.1.prediction": None, "program.0.ties": "majority"}),
    ]:
        t.false(rule, change, _NOT)
    for rule, change, says in [
        ("a sample votes once", {"program.0.chains.1.sample": 0}, "a sample votes twice"),
        (
            "a sentence is one of its output",
            {"program.0.chains.0.sentences.0.text": "Another."},
            "does not stand in the text",
        ),
        (
            "sentences in order",
            {
                "program.0.chains.0.text": "S1. S0.",
                "program.0.chains.0.sentences": [*_chain("yes", 0, (1, 1, 0), (1, 1, 0))["sentences"]],
            },
            "does not stand in the text",
        ),
        ("a weight is a number", {"program.0.chains.0.base": "10"}, "a number"),
        ("no huge weight", {"program.0.chains.0.base": 1e308}, "a number"),
        ("a function that is known", {"program.0.function": "f4"}, "one of equal"),
        ("an output has a text", {"program.0.chains.0.text": DROP}, "'text' is missing"),
        ("three weights", {"program.0.w": [1, 0]}, "a list of 3"),
    ]:
        t.false(rule, change, says, 2)
    t.false("a vote is judged", {}, "the outputs and their scores are recorded", strict=True)


def _weighed(t: Theme, name: str, winner: str, chains: list[Any], says: str = "weighed by", **more: Any) -> None:
    p = Program()
    p.add("vote", chains=chains, **more)
    t.true(name, "hospital", p, nodes(0, text(winner)), says)
    other = {"A": "B", "B": "A", "yes": "no", "no": "yes"}[winner]
    t.false(f"{name}: the other", {"answer.values": [text(other)]}, _NOT)


def _undecided(t: Theme) -> None:
    p = Program()
    p.add("vote", function="equal", chains=[_chain("A", 0), _chain("B", 1)])
    p[0]["chains"][0]["prediction"] = p[0]["chains"][1]["prediction"] = None
    t.true("no output says anything", "hospital", p, none({"code": "split", "of": 0}, tried=[0]), "do not agree")
    t.false("one says something", {"program.0.chains.1.prediction": "B"}, "'split' is not so")


def _weights(t: Theme) -> None:
    """Each function, its thresholds and defaults, at their edges; B stands second and so wins by weight alone."""

    def change(rule: str, **fields: Any) -> None:
        t.false(rule, {f"program.0.{path.replace('__', '.')}": value for path, value in fields.items()}, _NOT)

    a = "chains__0__"
    score = f"{a}sentences__0__"
    _weighed(
        t,
        "equal: one each, the first",
        "A",
        [_chain("A", 0, (0.1, 0.1, 0.9)), _chain("B", 1, (0.9, 0.9, 0))],
        function="equal",
    )
    change("another function decides", function="f2")
    change("a vote that is not there", **{f"{a}prediction": None})
    pair = [_chain("A", 0, (0.5, 0.9, 0.1)), _chain("B", 1, (0.6, 0.2, 0.5), (0.3, 0.2, 0.5))]
    _weighed(t, "f3: E at its threshold", "B", pair, function="f3", T_c=0.6)
    change("E below its threshold", T_e=0.7)
    change("C at its threshold", T_c=0.5)
    change("E of the first above it", T_e=0.5, chains__1__sentences__0__entailment=0.45)
    _weighed(
        t,
        "f3: 0.6 and 0.99, if nothing is given",
        "B",
        [_chain("A", 0, (0.59, 0.9, 0)), _chain("B", 1, (0.6, 0.2, 0.989))],
        function="f3",
    )
    change("C at 0.99", chains__1__sentences__0__contradiction=0.99)
    change("E at 0.6", **{f"{score}entailment": 0.61})
    _weighed(
        t, "f1: M at its threshold", "B", [_chain("A", 0, (0.9, 0.5, 0)), _chain("B", 1, (0.1, 0.6, 0))], function="f1"
    )
    change("M below 0.5: E in its place", **{f"{score}similarity": 0.4})
    change("C counts against", chains__1__sentences__0__contradiction=0.2)
    change("M is not E", T_m=0.55)
    change("M at its threshold", **{f"{score}similarity": 0.65})
    _weighed(t, "f1: without M", "B", [_chain("A", 0, (0.2, 0, 0)), _chain("B", 1, (0.3, 0, 0))], function="f1")
    change("M of none is 0", **{f"{score}similarity": None, f"{score}entailment": 0.4})
    _weighed(t, "f2: E and M", "B", [_chain("A", 0, (0.4, 0.4, 0)), _chain("B", 1, (0.1, 0.8, 0.9))], function="f2")
    change("E counts", **{f"{score}entailment": 0.6})
    change("M counts", **{f"{score}similarity": 0.6})
    change("M that is not there is 0", chains__1__sentences__0__similarity=None)
    _weighed(
        t,
        "f2: every sentence",
        "B",
        [_chain("A", 0, (0.5, 0.5, 0)), _chain("B", 1, (0.3, 0.3, 0), (0.3, 0.3, 0))],
        function="f2",
    )
    change("another function: the mean", function="mean-entailment")
    _weighed(
        t,
        "mean entailment",
        "B",
        [_chain("A", 0, (0.6, 1, 0), (0.2, 1, 0)), _chain("B", 1, (0.5, 0, 0.5))],
        function="mean-entailment",
    )
    change("a base", **{f"{a}base": 1.2})
    change("a base of 0", chains__1__base=0)
    change("every sentence", **{f"{score}entailment": 0.9})
    change("all of them", function="f2")
    _weighed(
        t, "mean of no sentence is 0", "B", [_chain("A", 0), _chain("B", 1, (0.1, 0, 0))], function="mean-entailment"
    )
    change("a sentence more", chains__1__sentences=[], **{f"{a}base": 1.05})
    _weighed(
        t,
        "calibrated: E, if nothing is given",
        "B",
        [_chain("A", 0, (0.4, 1, 0), grounded=3), _chain("B", 1, (0.5, 0, 0), disputed=3)],
        function="calibrated",
    )
    t.false("weights are shown", {"program.0.w": [1, 0, 0.5], "program.0.words": [0.25, 0]},
            "calibrated; w 1.00, 0.00, 0.50; words 0.25, 0.00\\)", strict=True)  # fmt: skip
    change("M by its weight", w=[1, 1, 0])
    change("C by its weight", w=[1, 0, 1], **{f"{score}contradiction": 0.2})
    change("what is grounded by its weight", words=[0.1, 0])
    change("what is disputed by its weight", words=[0, -0.1])
    three = [_chain("A", 0, (0.9, 0, 0)), _chain("B", 1, (0.6, 0, 0)), _chain("B", 2, (0.6, 0, 0))]
    _weighed(t, "weights add up", "B", three, function="mean-entailment")
    change("the one of most weight decides", voting=False)
    _weighed(
        t,
        "the one of most weight",
        "A",
        three,
        "the one of most weight decides",
        function="mean-entailment",
        voting=False,
    )
    change("weights that add up decide", voting=True)
    change("nothing said: they add up", voting=None)
    level = [_chain("A", 0, (0.2, 0, 0), base=2), _chain("B", 1, (0.1, 0, 0)), _chain("B", 2, (0.1, 0, 0))]
    _weighed(t, "a tie: the first", "A", level, function="mean-entailment", ties="first")
    change("a tie by the number of outputs", ties="majority")
    change("nearly a tie is one", chains__1__base=1.0000001)
    _weighed(t, "a tie: most outputs", "B", level, "ties majority", function="mean-entailment", ties="majority")
    change("a tie: the first of them", ties="first")
    change("no tie: weight", **{f"{a}base": 2.1})
    sure = [_chain("yes", 0, (0.2, 0, 0)), _chain("no", 1, (0.2, 0, 0))]
    _weighed(t, "a tie is no, where it is among them", "no", sure, function="mean-entailment")
    change("a tie: the first of yes and no", ties="first")
    change("no tie is none", **{f"{a}base": 1.001})
    _weighed(
        t,
        "less than 10^-9 apart is a tie",
        "no",
        [_chain("yes", 0, (0, 0, 0), base=1.0000000005), sure[1] | {"base": 0.8}],
        function="mean-entailment",
    )
    change("more is none", **{f"{a}base": 1.00000001})
    p = Program()
    p.add("vote", function="equal", yes_or_no=True, chains=[_chain("yes", 0), _chain("maybe", 1), _chain("maybe", 2)])
    t.true("what is neither does not vote", "hospital", p, truth(0), "yes or no")
    t.false("it votes where anything may be said", {"program.0.yes_or_no": None, "answer": nodes(0, text("yes"))}, _NOT)
    t.false(
        "it is no tie with no", {"program.0.chains.1.prediction": "no", "program.0.chains.2.prediction": "no"}, _NOT
    )


def theme() -> Theme:
    """The file."""
    t = Theme()
    for part in (_links, _judged, _stated, _votes, _undecided, _weights):
        part(t)
    return t
