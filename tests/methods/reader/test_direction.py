"""Which way a question asks over a relation whose ends are of one kind."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels, named

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.reader.settings import ReaderSettings

pytest_plugins = ("asked_graphs",)

SURE_OF_ANYTHING = ReaderSettings(abstain_below=0)


def test_what_the_graph_says_only_the_other_way_round_is_no_answer(world: EmbeddedGraph, ask_world: Ask) -> None:
    answer = ask_world("Who is the father of Lord Byron?")
    assert answer.abstained
    assert answer.reason == (
        "nothing is listed for: the father of Lord Byron; "
        "the graph says only the other way round: everything whose father is Lord Byron"
    )
    assert answer.check(world).exit_code == 0
    assert labels(ask_world("Who is the father of Ada Lovelace?")) == {"Lord Byron"}
    assert labels(ask_world("Whose father is Lord Byron?")) == {"Ada Lovelace"}


STAFF = [
    ("Alma Voss", "manager", "Bruno Lindt"),
    ("Bruno Lindt", "manager", "Carla Mendes"),
    ("Carla Mendes", "manager", "Dario Silva"),
    ("Alma Voss", "works on", "Heron"),
    ("Dario Silva", "works on", "Heron"),
    ("Bruno Lindt", "works on", "Tern"),
    ("Alma Voss", "office", "Ulm"),
    ("Bruno Lindt", "office", "Ulm"),
    ("Carla Mendes", "office", "Ulm"),
]
ASKED = {
    "Who is the manager of the manager of Alma Voss?": {"Carla Mendes"},
    "Who is managed by the people that Dario Silva manages?": {"Bruno Lindt"},
    "Who is managed by the people whose manager is Dario Silva?": {"Bruno Lindt"},
}


@pytest.mark.parametrize(("question", "expected"), ASKED.items())
def test_each_hop_has_its_direction_and_who_asks_for_people(question: str, expected: set[str]) -> None:
    with named(STAFF) as graph:
        answer = toulmin.ask(graph, question, settings=SURE_OF_ANYTHING)
        assert labels(answer) == expected
        assert answer.check(graph).exit_code == 0


def test_two_relations_of_one_name_are_asked_for_together() -> None:
    names = {"e:a": "Osier Mills", "e:b": "Tarn Wool", "e:c": "Verity Dyes", "r:1": "supplier", "r:2": "supplier"}
    facts = [RawStatement("e:a", "r:1", "e:b"), RawStatement("e:a", "r:2", "e:c")]
    with MemoryGraph.from_records([*(RawName(key, name) for key, name in names.items()), *facts]) as graph:
        answer = toulmin.ask(graph, "Who is the supplier of Osier Mills?")
        assert labels(answer) == {"Tarn Wool", "Verity Dyes"}
        assert answer.check(graph).exit_code == 0
