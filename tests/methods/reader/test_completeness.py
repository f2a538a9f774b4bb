"""Which words of a question a reading leaves unread: denials, bounds, names, "when", classes, aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from reader_worlds import PARTS, WARD, world

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables import table_graph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.methods.reader.completeness import Completeness
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Counted
from toulmin.methods.reader.grammar import Grammar
from toulmin.methods.reader.mentions import read_question
from toulmin.methods.reader.operators import shipped_operators
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring, Weights
from toulmin.methods.reader.utterances import utterance
from toulmin.retrieval.retriever import Retriever

IS_A = Relation("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type")
Drafts = Callable[[str], tuple[Completeness, dict[str, Draft]]]


def _drafts(text: str) -> Drafts:
    return _drafts_over(MemoryGraph.from_statements(world(text).statements))


def _drafts_over(graph: MemoryGraph) -> Drafts:
    retriever = Retriever(graph)
    subgraph, _ = retriever.around([], 0)
    schema = ReaderSchema(subgraph, retriever.embedder)

    def drafts(question: str) -> tuple[Completeness, dict[str, Draft]]:
        asked = read_question(question, retriever.linker, schema, retriever.embedder)
        likely = shipped_operators().likely(question)
        scoring = Scoring(asked, schema, retriever.embedder, likely, Weights())
        grammar = Grammar(asked, schema, scoring)
        return Completeness(scoring, retriever.lexicon), {utterance(draft.form): draft for draft in grammar.drafts()}

    return drafts


_FERRIES = (("Wren", "Skerry", "true"), ("Heron", "Skerry", "false"), ("Dunlin", "Mainland", "true"))


@pytest.fixture(scope="module")
def ferries() -> Drafts:
    def of(name: str, kind: str) -> Statement:
        return Statement(Entity(f"e:{name}", name), IS_A, Entity(f"c:{kind}", kind))

    berths, sailed_by, port, chartered = (
        Relation(f"r:{name}", name) for name in ("berths", "sailed by", "home port", "chartered")
    )
    statements = list[Statement]()
    for number, (name, home, is_chartered) in enumerate(_FERRIES):
        ferry, voyage = Entity(f"e:{name}", name), Entity(f"e:V{number}", f"V{number}")
        statements += [of(name, "ferry"), of(f"V{number}", "voyage"), of(home, "harbour")]
        statements.append(Statement(voyage, sailed_by, ferry))
        statements.append(Statement(ferry, port, Entity(f"e:{home}", home)))
        statements.append(Statement(ferry, berths, Literal(str(60 + number), "quantity")))
        statements.append(Statement(ferry, chartered, Literal(is_chartered, "boolean")))
    return _drafts_over(MemoryGraph.from_statements(statements))


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("Which voyages use a chartered ferry?", ["voyages"]),
        ("Voyages with a chartered ferry", ["Voyages"]),
        ("Please show me all our voyages sailing with chartered ferries.", ["voyages"]),
        ("Which ferries are chartered?", []),
        ("What voyage number has a chartered ferry?", []),  # it is the number that is asked for
        ("Which chartered ferries sail?", []),
        ("On which voyages is a chartered ferry used", ["voyages"]),
        ("Which early Sunday voyages have a chartered ferry?", ["voyages"]),
        ("In which harbour is a chartered ferry?", ["harbour"]),
    ],
)
def test_the_class_that_is_asked_for_is_that_of_the_answers(ferries: Drafts, question: str, unread: list[str]) -> None:
    completeness, drafts = ferries(question)
    of_ferries = drafts["ferry whose chartered is yes"]
    spans = completeness.left_out(of_ferries, [Entity("e:Wren", "Wren"), Entity("e:Dunlin", "Dunlin")])
    assert [question[start:end] for start, end in spans] == unread


def test_a_relation_that_is_asked_for_by_its_name_is_read() -> None:
    rows = "Oak|lies in|North Wing\nNorth Wing|site|Hill House\nElm|lies in|South Wing\nSouth Wing|site|Hill House\n"
    triples = [row.split("|") for row in rows.splitlines()]
    entities = {name: Entity(f"e:{name}", name) for row in triples for name in (row[0], row[2])}
    statements = [Statement(entities[a], Relation(f"r:{r}", r), entities[b]) for a, r, b in triples]
    completeness, drafts = _drafts_over(MemoryGraph.from_statements(statements))("On which site is Oak?")
    assert completeness.left_out(drafts["lies in of Oak"], [entities["North Wing"]]) == [(9, 13)]
    assert completeness.left_out(drafts["site of lies in of Oak"], [entities["Hill House"]]) == []


def test_what_is_counted_is_of_the_class_that_is_named(ferries: Drafts) -> None:
    question = "How many ferries are there in Skerry?"
    completeness, drafts = ferries(question)
    counted = drafts["number of ferry whose home port is Skerry"]
    assert completeness.left_out(counted, [Literal("2", "quantity")]) == []
    question = "How many voyages are there in Skerry?"
    completeness, _ = ferries(question)
    spans = completeness.left_out(counted, [Literal("2", "quantity")])
    assert [question[start:end] for start, end in spans] == ["voyages"]


def test_a_total_is_no_count_and_no_mean(ferries: Drafts) -> None:
    question = "total berths of the ferries from Skerry"
    assert _unread(ferries, question, "total berths of ferry whose home port is Skerry") == []
    completeness, drafts = ferries(question)
    counted = drafts["total berths of ferry whose home port is Skerry"].grown(
        Counted(drafts["ferry whose home port is Skerry"].form), does={"count"}
    )
    assert [word.text for word in completeness.unread(counted, "number")] == ["total"]
    question = "How many ferries from Skerry are there altogether?"
    assert _unread(ferries, question, "number of ferry whose home port is Skerry") == []
    question = "What is the total number of ferries from Skerry?"
    assert _unread(ferries, question, "number of ferry whose home port is Skerry") == []


@pytest.fixture(scope="module")
def ward() -> Drafts:
    return _drafts(WARD)


@pytest.fixture(scope="module")
def parts() -> Drafts:
    return _drafts(PARTS)


def _unread(drafts: Drafts, question: str, reading: str) -> list[str]:
    completeness, all_drafts = drafts(question)
    assert reading in all_drafts, sorted(all_drafts)
    return [word.text for word in completeness.unread(all_drafts[reading], all_drafts[reading].kind)]


@pytest.mark.parametrize(
    ("reading", "unread"),
    [
        ("part whose price is smaller than 10 EUR and whose weight is larger than 100 g", []),
        ("part whose price is larger than 10 EUR and whose weight is smaller than 100 g", ["under", "more"]),
        ("part whose price is smaller than 10 EUR and whose weight is smaller than 100 g", ["more"]),
        ("part whose price is 10 EUR and whose weight is larger than 100 g", ["under"]),
    ],
)
def test_each_bound_stands_at_its_number(parts: Drafts, reading: str, unread: list[str]) -> None:
    assert _unread(parts, "Which parts under 10 EUR weigh more than 100 g?", reading) == unread


def test_a_bound_behind_its_number(ward: Drafts) -> None:
    question = "Which nurses have a salary of 3700 EUR or more?"
    assert _unread(ward, question, "nurse whose salary is at least 3700 EUR") == []
    assert _unread(ward, question, "nurse whose salary is 3700 EUR") == ["more"]


def test_a_denied_bound_is_the_opposite_one(ward: Drafts) -> None:
    question = "Which nurses have a salary of no more than 3700 EUR?"
    assert _unread(ward, question, "nurse whose salary is at most 3700 EUR") == []
    assert "more" in _unread(ward, question, "nurse whose salary is at least 3700 EUR")


def test_a_denial_may_turn_a_bound_that_stands_farther_on(ward: Drafts) -> None:
    question = "Which nurses have no salary of more than 3700 EUR?"
    assert _unread(ward, question, "nurse whose salary is at most 3700 EUR") == []
    assert _unread(ward, question, "nurse whose salary is larger than 3700 EUR") == ["no"]


def test_each_denial_is_counted(ward: Drafts) -> None:
    question = "Which patients are not on the South Ward?"
    assert _unread(ward, question, "patient whose lies on is not South Ward") == []
    assert _unread(ward, question, "patient whose lies on is South Ward") == ["not"]


def test_names_and_when_are_left_out(ward: Drafts) -> None:
    completeness, drafts = ward("When was the patient of Marek Dorn on the South Ward admitted?")
    draft = drafts["admitted of patient whose treated by is Marek Dorn"]
    assert [mention.named.text for mention in completeness.names_left_out(draft)] == ["South Ward"]
    assert completeness.when == (0, 4)


@pytest.mark.parametrize(
    ("question", "reading", "unread"),
    [
        # "or more" stands behind the second value
        (
            "Which parts under 10 EUR weigh 100 g or more?",
            "price is smaller than 10 EUR and whose weight is at least 100 g",
            [],
        ),
        ("Which parts cost not more than 7.50 EUR?", "price is at most 7.50 EUR", []),
        ("Which parts cost not more than 7.50 EUR?", "price is smaller than 7.50 EUR", ["not"]),
        (
            "Which non-steel parts cost under 10 EUR?",
            "material is not steel and whose price is larger than 10 EUR",
            ["under"],
        ),
    ],
)
def test_which_value_a_bound_and_a_denial_belong_to(
    parts: Drafts, question: str, reading: str, unread: list[str]
) -> None:
    assert _unread(parts, question, f"part whose {reading}") == unread


def test_a_year_after_another_is_not_that_year(parts: Drafts) -> None:
    question = "Which supplier was founded before 1970?"
    assert _unread(parts, question, "supplier whose founded is smaller than 1970") == []
    assert _unread(parts, question, "supplier whose founded is 1970") == ["before"]


@pytest.fixture(scope="module")
def rooms() -> Iterator[Drafts]:
    rows = [["Blue", "10", "5", "2"], ["Hall", "5", "10", "9"], ["Red", "10", "4", "7"]]
    with table_graph("room", ["Room", "Maximum", "Rank", "Chairs"], rows) as graph:
        yield _drafts_over(graph)


def test_a_column_may_be_called_as_a_bound_is(rooms: Drafts) -> None:
    assert _unread(rooms, "Which rooms have a maximum of 10?", "room whose maximum is 10") == []


def test_above_says_nothing_of_a_rank(rooms: Drafts) -> None:
    question = "Which rooms rank above 5?"
    assert _unread(rooms, question, "room whose rank is smaller than 5") == []
    assert _unread(rooms, question, "room whose rank is larger than 5") == []


def test_a_bound_by_another_value_of_the_same_thing(rooms: Drafts) -> None:
    question = "Which rooms have fewer chairs than their rank?"
    assert _unread(rooms, question, "room whose chairs is smaller than its rank") == []
    assert _unread(rooms, question, "room whose chairs is larger than its rank") == ["fewer"]


def test_number_of_is_read_by_a_value_that_is_called_so(ward: Drafts) -> None:
    question = "Which is the largest ward by number of beds?"
    assert _unread(ward, question, "ward with the largest beds") == []
    assert _unread(ward, question, "ward with the largest floor") == ["number of"]


@pytest.fixture(scope="module")
def editions() -> Iterator[Drafts]:
    rows = [["Ormsk 2019", "", "Rauma"], ["Ormsk 2020", "Ormsk 2019", "Tveit"], ["Ormsk 2021", "Ormsk 2020", "Rauma"]]
    with table_graph("edition", ["Edition", "Follows", "Host"], rows) as graph:
        yield _drafts_over(graph)


def test_what_is_next_is_read_by_a_relation_to_what_follows(editions: Drafts) -> None:
    question = "Which was the next edition after Ormsk 2019?"
    assert _unread(editions, question, "edition whose follows is Ormsk 2019") == []
    assert _unread(editions, question, "host of Ormsk 2019") == ["next", "after"]


def test_what_comes_after_a_thing_is_another_of_its_class(cranes: Drafts) -> None:
    question = "Which crane came before Kite Hoist?"
    assert _unread(cranes, question, "took over from of Kite Hoist") == []
    assert _unread(cranes, question, "crew of Kite Hoist") == ["before"]
    assert _unread(cranes, "Which crane was built before Kite Hoist?", "took over from of Kite Hoist") == ["before"]


def test_the_word_for_a_class_is_no_text_beside_it(cranes: Drafts) -> None:
    completeness, drafts = cranes("Which crane came before Kite Hoist?")
    assert completeness.left_out(drafts["took over from of Kite Hoist"], [Entity("e", "Old Hoist")]) == []


@pytest.fixture(scope="module")
def cranes() -> Iterator[Drafts]:
    rows = [
        ["Kite Hoist", "Old Hoist", "Cranes"],
        ["Old Hoist", "Derrick", "Cranes"],
        ["Derrick", "Rope", "Yard"],
        ["Rope", "", "Yard"],
    ]
    with table_graph("crane", ["Crane", "Took over from", "Crew"], rows) as graph:
        yield _drafts_over(graph)


def test_no_lower_than_is_one_bound(ward: Drafts) -> None:
    question = "Which nurses have a salary no lower than 3700 EUR?"
    assert _unread(ward, question, "nurse whose salary is at least 3700 EUR") == []


def test_a_qualifier_that_is_a_number_says_how_many() -> None:
    graph = MemoryGraph.from_statements(
        world(
            """
class player, club
qualifier goals: number
relation played for: player -> club
thing Rovers: club
thing Ada Lind: player | played for = Rovers [goals=12]
"""
        ).statements
    )
    completeness, drafts = _drafts_over(graph)("How many goals did Ada Lind score for Rovers?")
    draft = drafts["goals noted with played for of Ada Lind being Rovers"]
    assert completeness.restricting(draft, [Literal("12", "quantity")]) == []
    assert [word.text for word in completeness.restricting(draft, [Literal("a dozen")])] == ["How many"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the salary of Eva Strand?", "50000"),
        ("Which salary is paid to Mary Holm?", "55000"),
        ("What is the highest salary?", "72000"),
    ],
)
def test_a_class_called_as_a_relation_is_answered_by_its_number(question: str, answer: str) -> None:
    rows = [["Eva Strand", "50000"], ["Mary Holm", "55000"], ["Henry Tudor", "72000"]]
    graph = table_graph("salary", ["person", "salary"], rows)
    given = toulmin.ask(graph, question, method="reader")
    assert not given.abstained
    assert given.text == answer
