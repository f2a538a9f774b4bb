"""The confidence: that every signal speaks for an answer, and what is refused."""

from __future__ import annotations

import numpy as np

from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import FidelisSettings
from toulmin.methods.fidelis.without_model.method import Signals, confidence, least_confidence

pytest_plugins = ("asked_graphs",)

SIGNALS = [Signals(score, margin, whole) for score in (-0.5, 0.5, 1.5, 2.5) for margin in (0, 1) for whole in (0, 0.5)]

UNANSWERABLE = """What is the phone number of Ada Lovelace?
What is the shoe size of Alan Turing?
What is the favourite colour of Isaac Newton?
What did Frida Kahlo eat for breakfast?
Who is the hairdresser of Ada Lovelace?
What is the melting point of radium?
What is the motto of Canada?
Who directed Alan Turing?
What is the currency of Hayao Miyazaki?
Who composed the music of Neptune?
What is the atomic number of Paris, Texas?
Who is the mother of the Danube?
Which team does Marie Curie play for?
What is the blood type of Pablo Picasso?
Who is the dentist of Nelson Mandela?
How much did Titanic earn at the box office?
What is the wingspan of Pluto?
What is the ISBN of Don Quixote?
Who is the CEO of the Beatles?
Which political party does Angela Merkel belong to?
What is the airport of Tbilisi?
What is the zip code of Springfield?
Who translated the Odyssey?
What does Ringo Starr drink?
Which car did John Lennon drive?
What is the eye colour of Cleopatra?
What religion did Plato follow?
Who illustrated The Hobbit?
What instrument does Norah Jones play?
What is the salary of Barack Obama?
Who is the patron saint of Georgia?
What pet did Queen Victoria keep?
What is the boiling point of Polonium?
What is the telephone code of Ottawa?
Which hotel did Humphrey Bogart stay in?
What is the national animal of Canada?
Who is the landlord of Mary Shelley?
Who painted Kilimanjaro?
What is the half-life of radium?
Who taught Ludwig van Beethoven to swim?""".splitlines()

ANSWERABLE = (
    "Who directed Spirited Away?",
    "Where was Ada Lovelace born?",
    "What currency is used in Sweden?",
    "Who founded Google?",
    "Who composed The Magic Flute?",
    "When did Marie Curie die?",
    "How high is Kilimanjaro?",
    "Which films did Akira Kurosawa direct?",
    "Who was a student of Plato?",
    "Where did the painter of Guernica die?",
)


def test_every_signal_speaks_for_an_answer() -> None:
    for one in SIGNALS:
        better = (Signals(one.score + 1, 1, one.whole), Signals(one.score, 1, one.whole + 0.3))
        assert all(confidence(one) <= confidence(other) for other in better)
        assert 0 < confidence(one) < 1


def test_the_more_is_to_be_refused_the_higher_the_least_confidence() -> None:
    least = [least_confidence(refused) for refused in np.linspace(0, 1, 21)]
    assert least[0] == 0
    assert least == sorted(least)
    assert least_confidence(1) < 1


def test_hand_made_questions_that_the_graph_cannot_answer(world: EmbeddedGraph) -> None:
    """More than half are refused, and next to none of those that it can answer."""
    ask = Asker(world).ask
    assert len(UNANSWERABLE) >= 30
    assert np.mean([ask(question).abstained for question in UNANSWERABLE]) > 0.5
    assert sum(ask(question).abstained for question in ANSWERABLE) <= 1


def test_what_is_to_be_refused_decides_what_is_answered(world: EmbeddedGraph) -> None:
    shares = []
    for refused in (0.0, 0.4, 1.0):
        ask = Asker(world, method="fidelis", settings=FidelisSettings(abstain_below=refused)).ask
        shares.append(np.mean([ask(question).abstained for question in UNANSWERABLE[:12]]))
    assert shares == sorted(shares)
    assert shares[0] < 0.5 < shares[-1]
