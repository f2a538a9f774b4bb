"""Which way a question asks over a relation whose ends are of one kind."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels, named

import toulmin
from toulmin.english.lexicon import get_lexicon
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.question.direction import QuestionWording
from toulmin.methods.question.label_roles import Label
from toulmin.methods.reader.settings import ReaderSettings
from toulmin.retrieval.retriever import Retriever

pytest_plugins = ("asked_graphs",)

SURE_OF_ANYTHING = ReaderSettings(abstain_below=0)

LABELS = {  # whether the object holds the role, or does what the verb says
    "father": ("noun", True),
    "has father": ("noun", True),
    "line manager": ("noun", True),
    "parent company": ("noun", True),
    "place of birth": ("noun", True),
    "dependency": ("noun", True),
    "father of": ("noun", False),
    "is a member of": ("noun", False),
    "successor to": ("noun", False),
    "cites": ("verb", False),
    "cites work": ("verb", False),
    "references": ("verb", False),
    "dependsOn": ("verb", False),
    "acquired": ("verb", False),
    "award received": ("verb", False),
    "acquired company": ("verb", False),
    "citing paper": ("verb", True),
    "managedBy": ("verb", True),
    "is cited by": ("verb", True),
    "based on": ("verb", True),
}


@pytest.mark.parametrize(("text", "expected"), LABELS.items())
def test_a_label_says_which_end_plays_its_role(text: str, expected: tuple[str, bool]) -> None:
    label = Label.read(text, get_lexicon())
    assert label is not None
    assert (label.part, label.of_object) == expected


@pytest.mark.parametrize("text", ["qzx", "", "of", "42"])
def test_a_label_of_unknown_words_says_nothing(text: str) -> None:
    assert Label.read(text, get_lexicon()) is None


# Of each pair of labels the first leads from X to what "up" asks for, the second the other way.
STYLES = {
    "father": (["father", "hasFather"], ["father of", "is father of"]),
    "manager": (["manager", "managed by", "supervisor"], ["manages", "manager of"]),
    "cite": (["cites", "references", "cites work"], ["cited by", "isCitedBy"]),
    "depend": (["depends on", "dependency"], ["dependent"]),
    "acquire": (["acquired by", "acquirer"], ["acquired", "acquisition"]),
}
UP = {
    "father": [
        "Who is the father of {}?",
        "{}'s father?",
        "who fathered {}",
        "Who does {} have as father?",
        "By whom was {} fathered?",
        "What is the name of {}’s dad?",
    ],
    "manager": [
        "Who manages {}?",
        "tell me who {} is managed by",
        "Which manager does {} have?",
        "To whom does {} report?",
        "{} was managed by whom?",
        "the person managing {}",
    ],
    "cite": [
        "What does {} cite?",
        "Which papers are cited by {}?",
        "papers that {} cites",
        "{} cites what?",
        "The papers cited in {}",
        "Which papers has {} cited?",
    ],
    "depend": [
        "What does {} depend on?",
        "On which packages does {} depend?",
        "List {}'s dependencies.",
        "dependencies of {}",
        "the packages {} depends on",
    ],
    "acquire": [
        "Who acquired {}?",
        "Which company was {} acquired by?",
        "By which firm was {} bought?",
        "Name the firm that bought {}",
        "the acquirer of {}",
    ],
}
DOWN = {
    "father": [
        "Whose father is {}?",
        "{} is the father of whom?",
        "Who is {} the father of?",
        "Of whom is {} the father?",
        "Who has {} as their father?",
        "people with {} as father",
        "Who calls {} father?",
        "Name the children of {}.",
        "{} is whose father?",
    ],
    "manager": [
        "Whom does {} manage?",
        "Who is managed by {}?",
        "everyone whose manager is {}",
        "Who reports to {}?",
        "Which people have {} for a manager?",
        "the people {} manages",
    ],
    "cite": [
        "What cites {}?",
        "Which papers cite {}?",
        "In which papers is {} cited?",
        "What is {} cited by?",
        "papers citing {}",
        "Show the papers that cite {}",
    ],
    "depend": [
        "What depends on {}?",
        "packages depending on {}",
        "Which packages have {} as a dependency?",
        "dependents of {}",
        "For which packages is {} a dependency?",
    ],
    "acquire": [
        "What did {} acquire?",
        "Which firms were acquired by {}?",
        "companies acquired by {}",
        "{} bought which firms?",
        "the firms that {} has acquired",
        "{}'s acquisitions",
    ],
}


@pytest.mark.parametrize("family", STYLES)
@pytest.mark.parametrize("turned", [False, True])
def test_the_wording_decides_whatever_form_the_label_has(family: str, turned: bool) -> None:
    for label in STYLES[family][turned]:
        with named([("Aldus", label, "Borin"), ("Borin", label, "Cador")]) as graph:
            retriever = Retriever(graph)
            _, schema = retriever.around([], 0)
            for down, questions in ((False, UP[family]), (True, DOWN[family])):
                for question in questions:
                    asked = question.format("Borin")
                    start = asked.index("Borin")
                    wording = QuestionWording(asked, start, start + 5, schema, retriever.lexicon)
                    found = wording.asked(0, label)
                    assert found.backward == (down != turned), (label, question)


@pytest.mark.parametrize("question", ["father Borin", "Borin father"])
def test_a_bare_noun_decides_nothing(question: str) -> None:
    with named([("Aldus", "father", "Borin"), ("Borin", "father", "Cador")]) as graph:
        retriever = Retriever(graph)
        _, schema = retriever.around([], 0)
        start = question.index("Borin")
        found = QuestionWording(question, start, start + 5, schema, retriever.lexicon).asked(0, "father")
        assert found.named
        assert found.backward is None


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
