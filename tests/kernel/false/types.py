"""Programs that are not well typed: places, kinds, variables, and what the question names taken for evidence."""

from __future__ import annotations

from false.graphs import POINT, number, text, time
from false.writing import DROP, Program, Theme, nodes, rows, truth


def every_op() -> Program:
    """Each kind of node once or more."""
    p = Program()
    carl = p.entity("f:carl", words=[0, 4])  # 0
    year = p.literal(time("1900"))  # 1
    children = p.follow(carl, "f:child")  # 2
    it = p.it(children)  # 3
    born = p.follow(it, "f:born")  # 4
    after = p.compare(born, ">", year)  # 5
    p.add("where", of=children, it=it, test=after)  # 6
    first = p.it(children)  # 7
    p.add("first", of=children, it=first, by=p.follow(first, "f:born"))  # 8, 9
    p.add("count", of=children)  # 10
    p.add("exists", of=children)  # 11
    p.add("and", of=[11, 11])  # 12
    p.add("not", of=12)  # 13
    p.add("union", of=[children, carl])  # 14
    p.add("intersection", of=[children, 14])  # 15
    p.add("difference", of=[children, 15])  # 16
    summed = p.it(children)  # 17
    p.add("mean", of=children, it=summed, by=p.follow(summed, "f:height"))  # 18, 19
    told = p.it(children)  # 20
    p.add("table", of=children, it=told, columns=[p.follow(told, "f:born")])  # 21, 22
    each, members = p.it(children), p.it(children)  # 23, 24
    by = p.follow(each, "f:birthplace")  # 25
    p.add("group", of=children, it=each, by=by, members=members, measures=[p.add("count", of=members)])  # 26, 27
    p.add("period", left=p.follow(carl, "f:born"), right=p.follow(carl, "f:died"))  # 28, 29, 30
    p.add("compare", do="overlaps", left=30, right=28)  # 31
    p.add("among", of=children, keep=["f:emil"], by="a reader", score=0.8)  # 32
    p.add("complete", of=children)  # 33
    p.add("named", of=children)  # 34
    p.add("qualifier", of=p.follow(carl, "f:award"), relations=["http://www.wikidata.org/entity/P585"])  # 35, 36
    p.add("arithmetic", do="duration", left=28, right=29)  # 37
    p.add("is_a", left=children, right=p.entity("h:drug"), relations=["h:is"])  # 38, 39
    p.add("instances", of=38, relations=["h:is"], sub=["h:sub"])  # 40
    test = p.it(children)  # 41
    p.add("every", of=children, it=test, test=p.add("exists", of=p.follow(test, "f:born")))  # 42, 43, 44
    p.add("judged", says="so", by="a reader", score=0.7, decision="yes", seen=[children, 32])  # 45
    p.add("rule", says="if so, so", by="a reader", of=11, direction="both")  # 46
    p.add("choice", options=[{"option": text("A"), "if": 11}])  # 47
    chains = [{"text": "So.", "prediction": "yes", "sample": 0, "sentences": []}]
    p.add("vote", function="equal", chains=chains, yes_or_no=True)  # 48
    p.add("query", graph=0, text="SELECT ?a WHERE {}", columns=["a"], rows=[["f:emil"]])  # 49
    p.add("statement", graph=0, statement=["f:carl", "f:child", "f:emil", [], "normal"])  # 50
    p.add("passage", source="leaflet", sha256="0" * 64, start=0, end=3, text="Asp")  # 51
    return p


def theme() -> Theme:
    """The file."""
    t = Theme()
    t.true("every kind of node", "family", every_op(), nodes(2, "f:emil", "f:finn"))
    for rule, change, says in [
        ("a node names an earlier one", {"program.2.of": 2}, "does not stand before"),
        ("a node names an earlier one", {"program.2.of": 50}, "does not stand before"),
        ("a place is a whole number", {"program.2.of": -1}, "a whole number"),
        ("a place is a whole number", {"program.2.of": 0.0}, "a whole number"),
        ("a place is a whole number", {"program.2.of": "0"}, "a whole number"),
        ("a place is a whole number", {"program.2.of": True}, "a whole number"),
        ("a set is followed, no truth", {"program.35.of": 13}, "yields truth"),
        ("a set is counted, no truth", {"program.10.of": 5}, "yields truth"),
        ("a set is counted, no rows", {"program.34.of": 22}, "yields rows"),
        ("a count is no set: it is not counted", {"program.34": {"op": "count", "of": 10}}, "a count is a number, and no set"),
        ("a count is no set: it is not joined", {"program.14.of": [2, 10]}, "a count is a number, and no set"),
        ("a count is no set: it does not exist", {"program.11.of": 10}, "a count is a number, and no set"),
        ("a truth is negated, no set", {"program.13.of": 10}, "yields nodes"),
        ("truths are joined, no sets", {"program.12.of": [11, 10]}, "yields nodes"),
        ("sets are joined, no truths", {"program.14.of": [2, 11]}, "yields truth"),
        ("no period in a set", {"program.33.of": 30, "program.33": {"op": "complete", "of": 30}}, "yields period"),
        ("a set exists, no period", {"program.44": {"op": "exists", "of": 30}}, "yields period"),
        ("a test is a truth", {"program.6.test": 4}, "yields nodes"),
        ("a key is a set", {"program.9.by": 5}, "yields truth"),
        ("an option has a truth", {"program.47.options.0.if": 10}, "yields nodes"),
        ("a rule is about a truth", {"program.46.of": 10}, "yields nodes"),
        ("a column is a set", {"program.22.columns": [11]}, "yields truth"),
        ("a measure is a set", {"program.27.measures": [11]}, "yields truth"),
        ("rows are not compared", {"program.31.left": 22}, "yields rows"),
        ("truths are not compared", {"program.31.left": 13}, "yields truth"),
        ("rows are not judged over as sets", {"program.43": {"op": "exists", "of": 22}}, "yields rows"),
        ("a side of a period is a set", {"program.30.left": 13}, "yields truth"),
        ("a side of a sum is a set", {"program.37.left": 30}, "yields period"),
        ("a class is a set", {"program.39.right": 11}, "yields truth"),
        ("two sets or more", {"program.14.of": [2]}, "a list of 2 or more"),
        ("two sets or more", {"program.16.of": [2]}, "a list of 2 or more"),
        ("nothing is no proof: and", {"program.12.of": []}, "a list of 1 or more"),
        ("nothing is no proof: or", {"program.12": {"op": "or", "of": []}}, "a list of 1 or more"),
        ("an option at least", {"program.47.options": []}, "a list of 1 or more"),
        ("a chain at least", {"program.48.chains": []}, "a list of 1 or more"),
        ("a relation at least", {"program.2.relations": []}, "a list of 1 or more"),
        ("something is kept", {"program.32.keep": []}, "a list of 1 or more"),
        ("a direction that is known", {"program.2.direction": "both"}, "one of forward|backward"),
        ("a direction is given", {"program.2.direction": DROP}, "'direction' is missing"),
        ("an operator that is known", {"program.5.do": "!="}, "one of ="),
        ("an operator is one text", {"program.5.do": "=|≠"}, "one of ="),
        ("an operator that is known", {"program.37.do": "power"}, "one of add"),
        ("a kind of node that is known", {"program.10.op": "total"}, "a 'op' that is known"),
        ("a kind of node is a text", {"program.10.op": ["count"]}, "a 'op' that is known"),
        ("a node is an object", {"program.10": [2]}, "a 'op' that is known"),
        ("no field beside those of the node", {"program.10.note": "exactly"}, "the field 'note' is not known"),
        ("no field of another node", {"program.10.it": 3}, "the field 'it' is not known"),
        ("a graph of the certificate", {"program.2.graph": 1}, "graph 1 is none of the certificate's"),
        ("a graph of the certificate", {"program.50.graph": 7}, "graph 7 is none of the certificate's"),
        ("a decision that is known", {"program.45.decision": "maybe"}, "one of yes|no|unknown"),
        ("a rule of a known direction", {"program.46.direction": "none"}, "one of sufficient"),
        ("a place is from 1 on", {"program.9.from": 0}, "1 or more"),
        ("scores of a sentence are shares", {"program.48.chains.0.sentences": [
            {"text": "So", "by": "m", "entailment": 1.5, "unknown": 0, "contradiction": 0}]}, "0 to 1"),
        # What was chosen
        ("what was chosen is not counted", {"program.34": {"op": "count", "of": 32}}, "was chosen"),
        ("what was chosen is not followed", {"program.35.of": 32}, "was chosen"),
        ("what was chosen is not compared", {"program.37": {"op": "compare", "do": "=", "left": 32, "right": 0}}, "was chosen"),
        ("what was chosen does not exist", {"program.44": {"op": "exists", "of": 32}}, "was chosen"),
        ("what was chosen is not joined", {"program.34": {"op": "union", "of": [32, 2]}}, "was chosen"),
        ("what was chosen is not wrapped", {"program.34.of": 32}, "was chosen"),
        ("what was chosen is not taken for all", {"program.33": {"op": "complete", "of": 32}}, "was chosen"),
        ("what was chosen is not chosen from again", {"program.33":
            {"op": "among", "of": 32, "keep": ["f:emil"], "by": "a reader", "score": 1}}, "was chosen"),
        # Variables
        ("a binder binds a variable", {"program.6.it": 4}, "is no variable"),
        ("a variable of this set", {"program.3.of": 0}, "belongs to another node, or to another set"),
        ("one variable, one binder", {"program.9.it": 3}, "belongs to another node, or to another set"),
        ("one variable, one binder", {"program.9.it": 3, "program.9.by": 4}, "belongs to another node, or to another set"),
        ("two variables of a group", {"program.27.members": 23}, "belongs to another node|one variable for two|not bound"),
        ("what is by node is not by group", {"program.27.measures": [23]}, "is used where it is not bound"),
        ("what is by group is not by node", {"program.27.by": 24}, "is used where it is not bound"),
        ("an answer depends on no variable", {"answer.of": 4}, "depends on a variable"),
        ("an answer depends on no variable", {"answer.of": 3}, "depends on a variable"),
        ("an answer is there", {"answer.of": 52}, "not there"),
        ("an answer of nodes is nodes", {"answer.of": 11}, "yields something else"),
        ("an answer of nodes is no period", {"answer.of": 30}, "yields something else"),
        ("an answer of truth is a truth", {"answer": truth(10)}, "yields something else"),
        ("an answer of rows is rows", {"answer": rows(2)}, "yields something else"),
        ("a vote of yes or no is a truth", {"answer.of": 48}, "yields something else"),
        ("an answer has values", {"answer.values": []}, "a list of 1 or more"),
        ("a truth is yes or no", {"answer": truth(11, "unknown")}, "one of yes|no"),
        ("a kind of answer that is known", {"answer.kind": "value"}, "a 'kind' that is known"),
        ("an answer has its fields only", {"answer.note": "surely"}, "the field 'note' is not known"),
        # G1 to G3: what the question names is no evidence
        ("what the question names is no answer", {"answer": nodes(0, "f:carl")}, "is no answer to it"),
        ("G1: a union with what is named is named", {"answer": nodes(14, "f:carl", "f:emil", "f:finn")}, "is no answer to it"),
        ("G2: what is named does not exist", {"program.11.of": 0}, "what the question names is no evidence"),
        ("G3: what is named is not counted", {"program.10.of": 0}, "what the question names is no evidence"),
        ("a union with it is not counted", {"program.34": {"op": "count", "of": 14}}, "what the question names is no evidence"),
        ("it is not counted in a wrapper", {"program.33": {"op": "named", "of": 0},
            "program.34": {"op": "count", "of": 33}}, "what the question names is no evidence"),
        ("it is not counted as complete", {"program.33.of": 0, "program.34": {"op": "count", "of": 33}},
            "what the question names is no evidence"),
        ("it is not counted as a difference", {"program.33": {"op": "difference", "of": [0, 2]},
            "program.34": {"op": "count", "of": 33}}, "what the question names is no evidence"),
        ("it is not counted as an intersection", {"program.33": {"op": "intersection", "of": [0, 14]},
            "program.34": {"op": "count", "of": 33}}, "what the question names is no evidence"),
        ("it is not tabled", {"program.20.of": 0, "program.22.of": 0}, "what the question names is no evidence"),
        ("it is not grouped", {"program.23.of": 0, "program.24.of": 0, "program.27.of": 0},
            "what the question names is no evidence"),
        ("no mean over it", {"program.17.of": 0, "program.19.of": 0}, "what the question names is no evidence"),
        ("no mean of it", {"program.19.by": 1}, "what the question names is no evidence"),
        ("no sum of it", {"program.19.by": 1, "program.19.op": "sum"}, "what the question names is no evidence"),
        ("no most of it", {"program.19.by": 1, "program.19.op": "max"}, "what the question names is no evidence"),
        ("no least of it", {"program.19.by": 1, "program.19.op": "min"}, "what the question names is no evidence"),
        ("no column of it", {"program.22.columns": [0]}, "what the question names is no evidence"),
        ("no groups by it", {"program.27.by": 1}, "what the question names is no evidence"),
        ("no measure of it", {"program.27.measures": [1]}, "what the question names is no evidence"),
        ("it is not compared with itself", {"program.31": {"op": "compare", "do": "=", "left": 0, "right": 0}},
            "both sides are what the question names"),
        ("two that are named are not compared", {"program.31": {"op": "compare", "do": "≠", "left": 0, "right": 1}},
            "both sides are what the question names"),
        ("periods of it are not compared", {"program.30.left": 1, "program.30.right": 1, "program.31.right": 1},
            "both sides are what the question names"),
        ("sums of it are not compared", {"program.37.left": 1, "program.37.right": 1,
            "program.39": {"op": "compare", "do": "=", "left": 37, "right": 1}}, "both sides are what the question names"),
        ("it stays so under a test about something else", {"program.3.of": 0, "program.6.of": 0,
            "program.6.it": 3, "program.5": {"op": "exists", "of": 2}, "answer": nodes(6, "f:carl")}, "is no answer to it"),
        ("it stays so in an order by nothing", {"program.7.of": 0, "program.9": {"op": "first", "of": 0, "it": 7},
            "answer": nodes(9, "f:carl")}, "is no answer to it"),
        ("it stays so where it is judged", {"program.41.of": 0, "program.43": {"op": "judged", "says": "so", "by": "me",
            "score": 1, "decision": "yes", "seen": []}, "program.44": {"op": "where", "of": 0, "it": 41, "test": 43},
            "answer": nodes(44, "f:carl")}, "is no answer to it"),
        ("not back over what was followed", {"program.36": {"op": "follow", "of": 2, "relations": ["f:child"],
            "direction": "forward", "not_back": True}}, "goes on from statements that were not followed"),
        ("not back over other relations", {"program.36": {"op": "follow", "of": 2, "relations": ["f:father"],
            "direction": "backward", "not_back": True}}, "goes on from statements that were not followed"),
        ("qualifiers of statements followed, not of what is joined", {"program.36.of": 14}, "from statements that were not"),
        ("qualifiers of statements followed, not of a variable", {"program.36.of": 3}, "from statements that were not"),
        ("qualifiers of statements followed, not of a class", {"program.36": {"op": "instances", "of": 0, "relations": ["h:is"]},
            "program.37": {"op": "qualifier", "of": 36, "relations": ["f:child"]}}, "from statements that were not"),
        ("qualifiers of statements followed, not of what is taken away", {"program.36.of": 16}, "from statements that were not"),
        ("not back over what is named", {"program.36": {"op": "follow", "of": 0, "relations": ["f:child"],
            "direction": "backward", "not_back": True}}, "goes on from statements that were not followed"),
    ]:  # fmt: skip
        t.false(rule, change, says, 2)
    p = Program()
    won = p.follow(p.entity("f:anna"), "f:award")
    it = p.it(won)
    dated = p.add("where", of=won, it=it, test=p.add("exists", of=p.back(it, "f:award")))
    it = p.it(dated)
    p.add("qualifier", of=p.add("last", of=dated, it=it, by=p.back(it, "f:award")), relations=[POINT])
    p.add("qualifier", of=p.add("named", of=p.add("complete", of=dated)), relations=[POINT])
    t.true("what is noted with some of what was followed", "family", p, nodes(12, time("1911-12-10"), time("1903")))
    t.false("it is noted with all of them", {"answer.values": [time("1903")]}, "the answer is not what follows")
    nested = Program()
    place = nested.follow(nested.entity("f:carl"), "f:child")
    for _ in range(8):
        variable = nested.it(place)
        place = nested.follow(variable, "f:father", "f:child")
    test = nested.add("exists", of=place)
    for depth in range(8, 0, -1):
        of, it = (2 * depth - 1, 2 * depth)
        test = nested.add("some", of=of, it=it, test=test)
    t.true("eight binders within each other", "family", nested, truth(test))
    deeper = Program(nested[:18])
    variable = deeper.it(17)
    test = deeper.add("exists", of=deeper.follow(variable, "f:father"))
    for depth in range(9, 0, -1):
        test = deeper.add("some", of=2 * depth - 1, it=2 * depth, test=test)
    t.false(
        "at most eight binders within each other",
        {"program": list(deeper), "answer.of": test},
        "8 (variables|binders)",
        2,
    )
    t.true("a number beside", "family", Program([{"op": "entity", "id": "f:carl"}, {"op": "follow", "of": 0,
           "relations": ["f:height"], "direction": "forward"}]), nodes(1, number("1.81", "metre")))  # fmt: skip
    return t
