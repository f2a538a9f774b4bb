"""Nothing in the proof of an axiom's answer can be altered unnoticed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from axiom_worlds import BY, graph_of, linked, program, reason, said
from mutations import caught, leaf_mutations, survivors
from test_axiom_examples import COUNCIL, FATE, PLANT, SILVER, SINGLE
from test_axiom_reasoning import DISH

from toulmin.cli.axioms import axiom_lines
from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.union import UnionGraph
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.binder import Assumptions
from toulmin.proof.axioms.reasoning import Reasoner, choose
from toulmin.proof.axioms.replies import GroundingReply
from toulmin.proof.checker import check

POISON = "carbon monoxide poisoning"


def fate() -> tuple[Answer, MemoryGraph]:
    """Two causes of death, and another statement of each."""
    graph = graph_of(
        said("Ivan Shuisky", "cause of death", POISON),
        said("Ivan Shuisky", "occupation", "prince"),
        said("Benny Frey", "cause of death", "drowning"),
        said("Benny Frey", "medical condition", POISON),
    )
    return reason("Did Ivan Shuisky suffer the same fate as Benny Frey?", FATE, graph)[0], graph


def silver() -> tuple[Answer, MemoryGraph]:
    """A marriage with qualifiers, another one, and another relation between the same two."""
    graph = graph_of(
        said("Ilary Blasi", "spouse", "Francesco Totti", start_time="2005", end_time="2022"),
        said("Ilary Blasi", "spouse", "Somebody Else", start_time="1950", end_time="1999"),
        said("Ilary Blasi", "partner", "Francesco Totti", start_time="2002"),
    )
    return reason("Did Ilary Blasi celebrate a silver anniversary with Francesco Totti?", SILVER, graph)[0], graph


def council() -> tuple[Answer, MemoryGraph]:
    """Bindings to just some statements, which were cited."""
    listed = [
        said("Virginia Raggi", "position held", "council member", start_time="2013-06-10", end_time="2015-10-30"),
        said("Liau Hiok-hian", "position held", "Member of a Council", start_time="2018-12-25", end_time="2022-12-24"),
        said("Virginia Raggi", "position held", "mayor of Rome", start_time="2016-06-22", end_time="2021-10-18"),
    ]
    graph = graph_of(*listed)
    cited = [{"term": f"seat_{who}", "statements": [n], "only": True} for n, who in enumerate("ab", 1)]
    question = "Could Liau Hiok-hian and Virginia Raggi have met while both were council members?"
    return reason(question, COUNCIL, graph, listed, {"groundings": cited})[0], graph


def plant() -> tuple[Answer, MemoryGraph]:
    """Classes that are disjoint."""
    graph = graph_of(
        said("Abstang", "instance of", "horse breed"),
        said("horse breed", "subclass of", "animal"),
        said("rose", "subclass of", "plant"),
        said("animal", "disjoint with", "plant"),
    )
    return reason("Could an Abstang suffer from cytosporosis?", PLANT, graph)[0], graph


def single() -> tuple[Answer, MemoryGraph]:
    """An answer that rests on searches, under an assumption."""
    others = [said("Vilma", "spouse", "Wim"), said("Vilma", "unmarried partner", "Ola")]
    graph = graph_of(said("Emily", "occupation", "poet"), *others)
    known = Assumptions(complete=frozenset({"r:spouse", "r:unmarried_partner"}))
    return reason("Was Emily single all her life?", SINGLE, graph, assumptions=known)[0], graph


def silent() -> tuple[Answer, MemoryGraph]:
    """An abstention."""
    graph = graph_of(said("Ivan Shuisky", "cause of death", POISON), said("Benny Frey", "occupation", "lawyer"))
    return reason("Did Ivan Shuisky suffer the same fate as Benny Frey?", FATE, graph)[0], graph


def words() -> tuple[Answer, MemoryGraph]:
    """A clause that only a reader can judge, by a statement."""
    listed = [said("Lee Hyori", "lifestyle", "vegetarianism"), said("Lee Hyori", "genre", "pop music")]
    axiom = program(
        "Who eats no meat avoids barbecues.", [], [{"name": "c", "op": "words", "text": "She eats no meat."}]
    )
    reply = {"judgements": [{"clause": "c", "decision": "yes", "statements": [1], "score": 0.9}]}
    graph = graph_of(*listed)
    return reason("Does Lee Hyori avoid barbecues?", axiom, graph, listed, reply)[0], graph


def choice(*, silent: bool = False) -> tuple[Answer, UnionGraph]:
    """An option that is chosen after two that were rejected, or none, over two graphs and with a judgement."""
    recipes = graph_of(
        said("oyster soup", "ingredient", "oyster"),
        said("toast", "ingredient", "ham"),
        said("toast", "country of origin", "France"),
        said("curry", "ingredient", "carrot"),
        said("curry", "serving", "cold" if silent else "hot"),
        name="recipes",
    )
    personal = graph_of(
        said("Sam", "religion", "Islam"),
        said("Islam", "forbids", "ham"),
        said("Islam", "forbids", "oyster"),
        name="personal",
    )
    graph = UnionGraph([personal, recipes])
    known = Assumptions(complete=frozenset({"r:ingredient", "r:forbids"}))
    builder = linked("Sam wants a warm dish", graph)
    served = [one for some in graph.statements(["e:curry"]) for one in some if one.relation.label == "serving"]
    tried = []
    for option in ("toast", "a dish that no graph knows", "oyster soup", "curry"):
        reasoner = Reasoner(DISH, BY)
        said_of = [{"clause": "warm", "decision": "unknown" if silent else "yes", "statements": [1]}]
        reply = {"judgements": said_of if option == "curry" else []}
        reasoner.ground(GroundingReply.read(reply, DISH, 1), served)
        tried.append(reasoner.evaluate(builder, option=option, assumptions=known))
    assert [one.verdict for one in tried] == [False, None, False, None if silent else True]
    return builder.answer(choose(builder, tried, by=BY, score=1.0), method="by hand"), graph


def none_fits() -> tuple[Answer, UnionGraph]:
    """An abstention of a multiple choice."""
    return choice(silent=True)


@pytest.mark.parametrize(
    "made",
    [choice, none_fits, fate, silver, council, plant, single, silent, words],
    ids=lambda made: str(made.__name__),
)
def test_nothing_can_be_altered_unnoticed(made: Any) -> None:
    answer, graph = made()
    assert check(answer, graph).exit_code == 0
    assert survivors(answer, graph, limit=250) == []


@pytest.mark.parametrize("made", [choice, fate, silver, council, plant, words], ids=lambda made: str(made.__name__))
def test_the_axiom_and_its_bindings_above_all(made: Any) -> None:
    answer, graph = made()
    tampered = [
        one
        for one in leaf_mutations(answer, graph)
        if ("/axiom/" in one.place or "/binding/" in one.place) and not one.harmless
    ]
    assert len(tampered) > 30
    assert [(one.place, one.what) for one in tampered[::3] if not caught(one, answer, graph)] == []


def altered(answer: Answer, kind: str, change: Any) -> Answer | None:
    """The answer with every step of a kind changed; None where that is refused as input."""
    stored = json.loads(answer.to_json())
    for step in stored["proof"]["steps"]:
        if step["kind"] == kind:
            change(step)
    try:
        return Answer.from_json(json.dumps(stored))
    except InputError:
        return None


def fails(answer: Answer | None, graph: MemoryGraph) -> bool:
    return answer is None or check(answer, graph).status == "fails"


def test_another_direction_of_the_axiom() -> None:
    answer, graph = silver()
    assert fails(altered(answer, "axiom", lambda step: step["program"].update(direction="sufficient")), graph)


def test_another_clause() -> None:
    answer, graph = silver()
    assert fails(altered(answer, "axiom", lambda step: step["program"]["clauses"][0].update(op="<")), graph)


def test_a_dropped_qualifier() -> None:
    answer, graph = silver()
    assert fails(altered(answer, "fact", lambda step: step["statement"]["qualifiers"].pop()), graph)


def test_the_other_end_of_a_statement() -> None:
    answer, graph = fate()
    turn = {"object": "subject", "subject": "object"}
    assert fails(
        altered(answer, "binding", lambda step: step.update(position=turn.get(step["position"], "entity"))), graph
    )


def test_another_verdict_everywhere() -> None:
    answer, graph = fate()
    stored = json.loads(answer.to_json())
    stored.update(verdict=True, text="yes")
    for step in stored["proof"]["steps"]:
        if step["kind"] == "computation":
            step["output"]["verdict"] = True
        if step["kind"] == "conclusion":
            step["verdict"] = True
    assert fails(Answer.from_json(json.dumps(stored)), graph)


def shown(answer: Answer) -> str:
    return "\n".join(line.plain for line in axiom_lines(answer))


def test_an_axiom_about_another_relation_is_another_assumption() -> None:
    answer, graph = single()
    text = answer.to_json().replace("r:unmarried_partner", "r:spouse").replace("unmarried partner", "spouse")
    other = Answer.from_json(text)
    before, after = check(answer, graph), check(other, graph)
    assert after.status == before.status == "assumed" and check(other, graph, strict=True).exit_code == 1
    assert "“unmarried partner of Emily”" in shown(answer) and "unmarried partner" not in shown(other)


def test_a_statement_that_was_left_out() -> None:
    answer, _ = fate()
    more = said("Benny Frey", "cause of death", POISON)
    graph = graph_of(*(step.statement for step in answer.proof.steps if step.kind == "fact"), more)  # type: ignore[attr-defined]
    report = check(answer, graph)
    assert report.status == "stale"  # the graph has changed, and what was all there was is no longer
    assert any("2 such statements" in step.reason for step in report.steps)
