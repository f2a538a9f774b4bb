"""The example questions: the answer, recomputed by the check; and unknown where the graph is silent."""

from __future__ import annotations

import pytest
from small_axioms import clause, constant, entity, graph_of, of, ops, program, reason, said, status, term

from toulmin.methods.r3.axioms.meanings import Assumptions

FATE = program(
    "Two people suffered the same fate if they died of the same cause.",
    [
        entity("a", "Ivan Shuisky"),
        entity("b", "Benny Frey"),
        of("x", "cause of death", "a"),
        of("y", "cause of death", "b"),
    ],
    [clause("same", "=", "x", "y")],
)


def test_the_same_fate() -> None:
    question = "Did Ivan Shuisky suffer the same fate as Benny Frey?"
    poisoned = said("Ivan Shuisky", "cause of death", "carbon monoxide poisoning")
    graph = graph_of(poisoned, said("Benny Frey", "cause of death", "carbon monoxide poisoning"))
    answer, evaluation = reason(question, FATE, graph)
    assert answer.verdict is True
    assert not evaluation.judged
    assert status(answer, graph) == "judged"  # that this is the rule, and what the question means
    other = graph_of(poisoned, said("Benny Frey", "cause of death", "drowning"))
    answer, _ = reason(question, FATE, other)
    assert answer.verdict is False
    status(answer, other)
    silent = graph_of(poisoned, said("Benny Frey", "occupation", "lawyer"))
    answer, evaluation = reason(question, FATE, silent)
    assert answer.abstained
    assert "no statement says the cause of death of Benny Frey" in answer.text
    assert evaluation.missing[0].entities[0].label == "Benny Frey"
    status(answer, silent)


SILVER = program(
    "A couple celebrate a silver anniversary only if they were married for 25 years.",
    [
        entity("a", "Ilary Blasi"),
        entity("b", "Francesco Totti"),
        of("marriage", "spouse", "a", to="b"),
        term("start", "qualifier", "marriage", text="start time"),
        term("end", "qualifier", "marriage", text="end time"),
        term("years", "duration", "start", "end"),
        constant("silver", "25 years"),
    ],
    [clause("long", ">=", "years", "silver", "The marriage lasted 25 years.")],
    "necessary",
)


@pytest.mark.parametrize(
    ("qualifiers", "verdict"),
    [
        ({"start_time": "2005", "end_time": "2022"}, False),
        ({"start_time": "2005"}, None),
        ({"start_time": "1990-05-02", "end_time": "2015-05-02"}, None),  # a necessary condition that is met
        ({"start_time": "1990-05-02", "end_time": "2015-05-01"}, False),
    ],
)
def test_a_silver_anniversary(qualifiers: dict[str, str], verdict: bool | None) -> None:
    wedding = said("Ilary Blasi", "spouse", "Francesco Totti", **qualifiers)
    other = said("Ilary Blasi", "spouse", "Somebody Else", start_time="1950", end_time="1999")
    graph = graph_of(wedding, other)
    answer, _ = reason("Did Ilary Blasi celebrate a silver anniversary with Francesco Totti?", SILVER, graph)
    assert answer.verdict is verdict
    status(answer, graph)


COUNCIL = program(
    "Two people could have met as council members only if they were it at the same time.",
    [
        entity("a", "Virginia Raggi"),
        entity("b", "Liau Hiok-hian"),
        of("seat_a", "council member", "a"),
        of("seat_b", "council member", "b"),
        term("from_a", "qualifier", "seat_a", text="start time"),
        term("to_a", "qualifier", "seat_a", text="end time"),
        term("from_b", "qualifier", "seat_b", text="start time"),
        term("to_b", "qualifier", "seat_b", text="end time"),
        term("then_a", "interval", "from_a", "to_a"),
        term("then_b", "interval", "from_b", "to_b"),
    ],
    [clause("at_once", "overlaps", "then_a", "then_b", "They held the seats at the same time.")],
    "necessary",
)


@pytest.mark.parametrize(("start", "verdict"), [("2018-12-25", False), ("2014-12-25", None), (None, None)])
def test_two_councillors_at_once(start: str | None, verdict: bool | None) -> None:
    raggi = said("Virginia Raggi", "position held", "council member", start_time="2013-06-10", end_time="2015-10-30")
    times = {"start_time": start, "end_time": "2022-12-24"} if start else {}
    liau = said("Liau Hiok-hian", "position held", "Member of Yunlin County Council", **times)
    mayor = said("Virginia Raggi", "position held", "mayor of Rome", start_time="2016-06-22", end_time="2021-10-18")
    graph = graph_of(raggi, liau, mayor)
    cited = {
        "groundings": [
            {"term": "seat_a", "statements": [1], "only": True},
            {"term": "seat_b", "statements": [2], "only": True},
        ]
    }
    question = "Could Liau Hiok-hian and Virginia Raggi have met while they both held the position of council member?"
    answer, _ = reason(question, COUNCIL, graph, [raggi, liau, mayor], cited)
    assert answer.verdict is verdict
    status(answer, graph)


RAMADAN = program(
    "Only a Muslim is likely to fast during Ramadan.",
    [
        entity("film", "Demitri Cantemir"),
        entity("islam", "Islam"),
        of("who", "director", "film"),
        of("faith", "religion", "who"),
    ],
    [clause("muslim", "=", "faith", "islam", "The director's religion is Islam.")],
    "necessary",
)


def test_the_directors_religion() -> None:
    question = "Is it likely for the director of Demitri Cantemir to fast during Ramadan?"
    directed = said("Demitri Cantemir", "director", "Vlad Ioviță")
    faith = said("Vlad Ioviță", "religion or worldview", "Eastern Orthodox Church")
    graph = graph_of(directed, faith, said("Ramadan", "part of", "Islam"))
    cited = {"groundings": [{"term": "who", "statements": [1]}, {"term": "faith", "statements": [2]}]}
    answer, evaluation = reason(question, RAMADAN, graph, [directed, faith], cited)
    assert answer.verdict is False
    assert not evaluation.judged
    status(answer, graph)
    unnamed = graph_of(directed, faith)  # no entity is called Islam: it may be there under another name
    answer, _ = reason(question, RAMADAN, unnamed, [directed, faith], cited)
    assert answer.abstained
    assert "nothing in the graph is called 'Islam'" in answer.text
    status(answer, unnamed)
    answer, _ = reason(question, RAMADAN, unnamed, [directed, faith], cited, Assumptions(closed_world=True))
    assert answer.verdict is False
    status(answer, unnamed)
    silent = graph_of(directed, said("Ramadan", "part of", "Islam"))
    answer, evaluation = reason(question, RAMADAN, silent, [directed], {"groundings": cited["groundings"][:1]})
    assert answer.abstained
    assert [one.label for one in evaluation.missing[0].entities] == ["Vlad Ioviță"]
    status(answer, silent)


POLO = program(
    "Somebody's former wives can form a water polo team if there are at least seven of them.",
    [entity("a", "Naser"), of("wives", "spouse", "a"), term("number", "count", "wives"), constant("team", "7")],
    [clause("enough", ">=", "number", "team", "There are at least seven.")],
)


@pytest.mark.parametrize(("wives", "verdict"), [(7, True), (9, True), (6, None)])
def test_wives_and_a_water_polo_team(wives: int, verdict: bool | None) -> None:
    statements = [said("Naser", "spouse", f"Wife {letter}") for letter in "ABCDEFGHI"[:wives]]
    twice = said("Naser", "spouse", "Wife A", start_time="1850")
    graph = graph_of(*statements, twice)
    question = "Did Naser have enough wives to form a water polo team?"
    answer, _ = reason(question, POLO, graph)
    assert answer.verdict is verdict
    status(answer, graph)
    complete = Assumptions(complete=frozenset({"r:spouse"}))
    answer, _ = reason(question, POLO, graph, assumptions=complete)
    assert answer.verdict is (wives >= 7)
    assert status(answer, graph) == ("judged" if wives >= 7 else "assumed")


SINGLE = program(
    "Somebody was single all her life if she never had a spouse or a partner.",
    [entity("a", "Emily"), of("spouse", "spouse", "a"), of("partner", "unmarried partner", "a")],
    [clause("married", "exists", "spouse"), clause("partnered", "exists", "partner")],
    formula="not (married or partnered)",
)


def test_single_all_her_life() -> None:
    question = "Was Emily single all her life?"
    others = [said("Vilma", "spouse", "Wim"), said("Vilma", "unmarried partner", "Ola")]
    graph = graph_of(said("Emily", "occupation", "poet"), *others)
    answer, _ = reason(question, SINGLE, graph)
    assert answer.abstained  # an open world: that nothing is said proves nothing
    assert "no statement says the spouse of Emily" in answer.text
    status(answer, graph)
    answer, _ = reason(question, SINGLE, graph, assumptions=Assumptions(closed_world=True))
    assert answer.verdict is True
    assert ops(answer).count("complete") == 2
    assert status(answer, graph) == "assumed"
    married = graph_of(said("Emily", "spouse", "Wim"), *others)
    answer, _ = reason(question, SINGLE, married)
    assert answer.verdict is False
    status(answer, married)


OLDER = program(
    "An album is older than another if it was published before it.",
    [
        entity("a", "It's Hyorish"),
        entity("b", "Nasime Vasl"),
        of("x", "publication date", "a"),
        of("y", "publication date", "b"),
    ],
    [clause("before", "<", "x", "y", "It came out earlier.")],
)


@pytest.mark.parametrize(("first", "second", "verdict"), [
    ("2008", "2003-05-21", False), ("2001", "2003-05-21", True), ("2003", "2003-05-21", None),
])  # fmt: skip
def test_an_album_older_than_another(first: str, second: str, verdict: bool | None) -> None:
    graph = graph_of(said("It's Hyorish", "publication date", first), said("Nasime Vasl", "publication date", second))
    answer, _ = reason("Is It's Hyorish an older album than Nasime Vasl ?", OLDER, graph)
    assert answer.verdict is verdict
    status(answer, graph)


DECADE = program(
    "Somebody's life began in the third decade of the 20th century if that is when they were born.",
    [
        entity("a", "Jamshid Amouzegar"),
        of("born", "date of birth", "a"),
        term("decade", "decade_of_century", "born"),
        term("century", "century", "born"),
        constant("three", "3"),
        constant("twenty", "20"),
    ],
    [clause("third", "=", "decade", "three"), clause("twentieth", "=", "century", "twenty")],
)


@pytest.mark.parametrize(
    ("born", "verdict"), [("1923-06-25", True), ("1919-12-31", False), ("1823", False), ("20th century", None)]
)
def test_born_in_the_third_decade_of_a_century(born: str, verdict: bool | None) -> None:
    graph = graph_of(said("Jamshid Amouzegar", "date of birth", born))
    answer, _ = reason("Did Jamshid Amouzegar 's life begin in the third decade of the 20th century?", DECADE, graph)
    assert answer.verdict is verdict
    status(answer, graph)


PROFESSION = program(
    "Two people share a profession if one of the one's is one of the other's.",
    [
        entity("a", "Ann"),
        entity("b", "Bob"),
        of("x", "occupation", "a", take="some"),
        of("y", "occupation", "b", take="some"),
    ],
    [clause("same", "=", "x", "y")],
)


def test_a_shared_profession() -> None:
    question = "Do Ann and Bob share a profession?"
    mine = [said("Ann", "occupation", "poet"), said("Ann", "occupation", "spy")]
    graph = graph_of(*mine, said("Bob", "occupation", "spy"))
    answer, _ = reason(question, PROFESSION, graph)
    assert answer.verdict is True
    status(answer, graph)
    other = graph_of(*mine, said("Bob", "occupation", "cook"))
    answer, _ = reason(question, PROFESSION, other)
    assert answer.abstained  # there may be more of them
    status(answer, other)
    answer, _ = reason(question, PROFESSION, other, assumptions=Assumptions(complete=frozenset({"r:occupation"})))
    assert answer.verdict is False
    status(answer, other)


PLANT = program(
    "Only a plant can suffer from cytosporosis.",
    [entity("a", "Abstang"), entity("plant", "plant")],
    [clause("is_plant", "member_of", "a", "plant", "It is a plant.")],
    "necessary",
)


def test_an_entity_of_a_class() -> None:
    question = "Could an Abstang suffer from cytosporosis?"
    up = [said("Abstang", "instance of", "horse breed"), said("horse breed", "subclass of", "animal")]
    plants = said("rose", "subclass of", "plant")
    silent = graph_of(*up, plants)
    answer, _ = reason(question, PLANT, silent)
    assert answer.abstained
    status(answer, silent)
    answer, _ = reason(question, PLANT, silent, assumptions=Assumptions(closed_world=True))
    assert answer.verdict is False
    status(answer, silent)
    disjoint = graph_of(*up, plants, said("animal", "disjoint with", "plant"))
    answer, evaluation = reason(question, PLANT, disjoint)
    assert answer.verdict is False
    assert not evaluation.judged
    status(answer, disjoint)
    grown = graph_of(said("Abstang", "instance of", "rose"), plants)
    answer, evaluation = reason(question, PLANT, grown)
    assert answer.abstained  # a plant, of which the necessary condition says nothing
    assert evaluation.truth is True
    status(answer, grown)
