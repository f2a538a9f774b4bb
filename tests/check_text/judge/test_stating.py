"""A verdict needs the relation that the sentence states: likeness neither absolves nor accuses."""

from __future__ import annotations

import pytest

import toulmin
from toulmin.check_text.checking import TextChecker
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement

STAFF = {"Ann Roe": ("Bob Low", "Sales"), "Bob Low": ("Cid Fay", "Sales"), "Dee Orr": ("Cid Fay", "Stores")}


def entity(name: str) -> Entity:
    return Entity(f"e:{name}", name)


def statement(subject: str, relation: str, value: str, **when: str) -> Statement:
    qualifiers = tuple(
        Qualifier(Relation(f"r:{name}", name.replace("_", " ")), Literal(year, "time")) for name, year in when.items()
    )
    return Statement(entity(subject), Relation(f"r:{relation}", relation), entity(value), qualifiers)


@pytest.fixture(scope="module")
def checker() -> TextChecker:
    statements = [statement(name, "manager", manager) for name, (manager, _) in STAFF.items()]
    statements += [statement(name, "department", department) for name, (_, department) in STAFF.items()]
    statements += [
        statement("Zedol", "treats", "cramp"),
        statement("Zedol", "contraindicated in", "gout"),
        statement("Zedol", "side effect", "itching"),
        statement("Alder Mill", "repaired at", "East Yard", point_in_time="2004"),
        statement("Ann Roe", "prize", "Silver Leaf", point_in_time="2011"),
        statement("Ann Roe", "member of", "Rowing Club", start_time="2001", end_time="2009"),
        statement("Ann Roe", "influenced", "Dee Orr"),
        statement("Ann Roe", "place of death", "Bonn"),
        statement("Dee Orr", "speaks", "Dutch"),
        statement("Cid Fay", "takes", "Zedol"),
        statement("Cid Fay", "spouse", "Eve Ode"),
        statement("Cid Fay", "place of birth", "Lyon"),
    ]
    return TextChecker(MemoryGraph.from_statements(statements), scorer=get_scorer())


def verdict(checker: TextChecker, text: str) -> str | None:
    return toulmin.check_text(checker.graph, text).sentences[0].verdict


@pytest.mark.parametrize(
    "text",
    [
        "Zedol is used to treat cramp.",
        "Bob Low manages Ann Roe.",
        "Itching is a side effect of Zedol.",
        "Alder Mill was repaired at East Yard in 2004.",
        "Ann Roe was a member of the Rowing Club until 2009.",
    ],
)
def test_other_words_for_a_statement_are_supported(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Zedol causes cramp.",
        "Zedol is safe in gout.",
        "Zedol is recommended in gout.",
        "Zedol relieves itching.",
        "Alder Mill was destroyed at East Yard.",
        "Ann Roe lived in Bonn.",
        "Ann Roe was influenced by Dee Orr.",
        "Ann Roe manages Bob Low.",
        "Bob Low met Ann Roe.",
        "Alder Mill was repaired at East Yard in 2007.",
        "Ann Roe won the Silver Leaf in 2012.",
        "Ann Roe was a member of the Rowing Club until 2001.",
    ],
)
def test_another_relation_role_or_time_is_not(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) != "supported"


@pytest.mark.parametrize("text", ["Cid Fay takes Zedol.", "Cid Fay married Eve Ode.", "Cid Fay was born in Lyon."])
def test_what_is_done_is_supported(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Cid Fay wants to marry Eve Ode.",
        "Cid Fay hoped to marry Eve Ode.",
        "Cid Fay refused to marry Eve Ode.",
        "Cid Fay tried to manage Dee Orr.",
        "Dee Orr plans to manage Cid Fay.",
        "Cid Fay stopped taking Zedol.",
        "Cid Fay gave up taking Zedol.",
        "Cid Fay ceased to take Zedol.",
        "Cid Fay nearly takes Zedol.",
        "Cid Fay was almost born in Lyon.",
    ],
)
def test_what_is_undone_is_neither_supported_nor_contradicted(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) == "not in the graph"


@pytest.mark.parametrize(
    "text",
    [
        "Ann Roe likes chess.",
        "Ann Roe works with a hammer.",
        "Ann Roe lived in Lyon.",
        "Dee Orr speaks Frisian.",  # a verb may have another object
        "Zedol treats headache.",
        "Ann Roe visited Stores.",
    ],
)
def test_what_the_graph_does_not_speak_of_is_not_contradicted(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) == "not in the graph"


@pytest.mark.parametrize(
    "text", ["Dee Orr is managed by Bob Low.", "Ann Roe is managed by Dee Orr.", "Ann Roe died in Lyon."]
)
def test_another_value_of_what_is_stated_is_contradicted(checker: TextChecker, text: str) -> None:
    assert verdict(checker, text) == "contradicted"


#: Of each thing one number is known.
SIZES = {
    "weight": {"Bob Low": "80", "Cid Fay": "64", "Dee Orr": "71"},
    "price": {"Alder House": "300000", "Birch House": "250000", "Cedar House": "410000"},
    "population": {"Lund": "3400", "Malmo": "9000", "Gavle": "5000"},
    "number of beds": {"Elm Clinic": "120", "Fir Clinic": "80", "Oak Clinic": "45"},
}


@pytest.fixture(scope="module")
def sizes() -> TextChecker:
    statements = [
        Statement(entity(name), Relation(f"r:{label}", label), Literal(number, "quantity"))
        for label, numbers in SIZES.items()
        for name, number in numbers.items()
    ]
    return TextChecker(MemoryGraph.from_statements(statements), scorer=get_scorer())


@pytest.mark.parametrize("text", ["Bob Low is 182 cm tall.", "Bob Low has 3 children.", "Alder House has 5 rooms."])
def test_a_number_alone_says_no_relation(sizes: TextChecker, text: str) -> None:
    assert verdict(sizes, text) == "not in the graph"


@pytest.mark.parametrize(
    "text", ["The weight of Bob Low is 82.", "The price of Alder House is 5000.", "Elm Clinic has 95 beds."]
)
def test_another_number_of_what_is_said_is_contradicted(sizes: TextChecker, text: str) -> None:
    assert verdict(sizes, text) == "contradicted"


@pytest.mark.parametrize(
    "text",
    [
        "Elm Clinic has at least 100 beds.",
        "Elm Clinic has more than 100 beds.",
        "Elm Clinic has more than 120 beds.",
        "Elm Clinic has fewer than 150 beds.",
        "Elm Clinic has up to 150 beds.",
        "Elm Clinic has no more than 150 beds.",
        "Elm Clinic has about 100 beds.",
        "The price of Alder House is over 250000.",
    ],
)
def test_a_bound_does_not_contradict(sizes: TextChecker, text: str) -> None:
    assert verdict(sizes, text) == "not in the graph"


@pytest.mark.parametrize(
    "text", ["Elm Clinic has 120 beds.", "Elm Clinic has at most 120 beds.", "Elm Clinic has no more than 120 beds."]
)
def test_a_bound_that_is_the_number_is_supported(sizes: TextChecker, text: str) -> None:
    assert verdict(sizes, text) == "supported"


def test_what_a_number_counts_may_say_the_relation(sizes: TextChecker) -> None:
    assert verdict(sizes, "Lund has 3400 inhabitants.") == "supported"
