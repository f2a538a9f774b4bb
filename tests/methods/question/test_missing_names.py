"""Names that a question may start from: misspelt and shortened ones are meant, others that are like them are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from answer_sets import Ask, built, labels
from hypothesis import assume, given
from hypothesis import strategies as st

from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import FidelisSettings

TRIPLES = [
    ("Amoxicillin", "discoverer", "Beecham Laboratories"),
    ("Ibuprofen", "discoverer", "Stewart Adams"),
    ("United Kingdom", "regulator", "MHRA"),
    ("Eiffel Tower", "designer", "Stephen Sauvestre"),
    ("Eiffel Tower", "city", "Paris"),
    ("Mary Jones", "manager", "Anna Schmidt"),
    ("Anna Schmidt", "manager", "Jorge Silva"),
    ("Paul Becker", "manager", "Anna Weber"),
    ("Danube", "mouth", "Black Sea"),
    ("New York Tower", "street", "Broadway"),
    ("Canal Survey II", "editor", "Otto Brandt"),
    ("Upper Mill Lane", "length", "Two Miles"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGraph]:
    """With vectors, which find names that are only alike."""
    names = [RawName(f"e:{name}", name) for name in dict.fromkeys(end for s, _, o in TRIPLES for end in (s, o))]
    relations = [RawName(f"r:{relation}", relation) for relation in dict.fromkeys(r for _, r, _ in TRIPLES)]
    facts = [RawStatement(f"e:{s}", f"r:{r}", f"e:{o}") for s, r, o in TRIPLES]
    directory: Path = tmp_path_factory.mktemp("graphs") / "names"
    opened = built(directory, [RawName("e:United Kingdom", "Britain", "alias"), *names, *relations, *facts])
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ask(graph: EmbeddedGraph) -> Ask:
    return Asker(graph, method="fidelis", settings=FidelisSettings(abstain_below=0)).ask


MEANT = {
    "Who discovered amoxicilin?": {"Beecham Laboratories"},
    "who discovered ibuprofin": {"Stewart Adams"},
    "what is the regulator in the uk": {"MHRA"},
    "Who is the regulator of Britain?": {"MHRA"},
    "Who is the manager of Mary Jonse?": {"Anna Schmidt"},
    "Who is the manager of Anna Schmitt?": {"Jorge Silva"},
    "who is the manager of anna schmidt": {"Jorge Silva"},
    "Who is Becker's manager?": {"Anna Weber"},
    "Who is the manager of Mr. Becker?": {"Anna Weber"},
    "Who is the manager of Paul R. Becker?": {"Anna Weber"},
    "who is the manager of paul r becker": {"Anna Weber"},
    "What is the street of the NY Tower?": {"Broadway"},
    "What is the mouth of the Danube River?": {"Black Sea"},
    "Who is the designer of the tower in Paris?": {"Stephen Sauvestre"},
}

LACKING = {
    "Who discovered penicillin?": ("penicillin", "Amoxicillin"),
    "who discovered penicillin": ("penicillin", "Amoxicillin"),
    "Who discovered ampicillin?": ("ampicillin", "Amoxicillin"),
    "Who is the editor of Canal Survey III?": ("Canal Survey III", "Canal Survey II"),
    "What is the length of Lower Mill Lane?": ("Lower Mill Lane", ""),
    "Who is the manager of Mark Jones?": ("Mark Jones", "Mary Jones"),
    "Who is the manager of Peter Becker?": ("Peter Becker", "Paul Becker"),
    "who is the manager of anna krzyzewski": ("anna krzyzewski", "Anna"),
    "Who is the manager of Anna Keller?": ("Anna Keller", "Anna"),
}


@pytest.mark.parametrize(("question", "expected"), MEANT.items())
def test_misspelt_shortened_and_other_names_are_found(
    graph: EmbeddedGraph, ask: Ask, question: str, expected: set[str]
) -> None:
    answer = ask(question)
    assert labels(answer) == expected
    assert answer.check(graph).exit_code == 0


@pytest.mark.parametrize(("question", "told"), LACKING.items())
def test_another_name_is_not_answered_for(graph: EmbeddedGraph, ask: Ask, question: str, told: tuple[str, str]) -> None:
    answer = ask(question)
    assert answer.abstained
    assert (answer.reason or "").startswith(f"the graph has no “{told[0]}” (nearest: {told[1]}")
    assert answer.check(graph).exit_code == 0


@given(st.text("bcdfgklmnprstvwz", min_size=5, max_size=10))
def test_a_family_name_that_the_graph_lacks_is_never_left_out(ask: Ask, name: str) -> None:
    assume(name not in ("schmidt", "weber"))
    answer = ask(f"Who is the manager of Anna {name.capitalize()}?")
    assert answer.abstained
    assert name.capitalize() in (answer.reason or "")
