"""The question as the network is shown it: slips mended, nouns for values with their class, "unpaid" as "not paid"."""

from __future__ import annotations

import pytest

from toulmin.graph.readers.tables import table_graph
from toulmin.methods.reader.mentions import read_question
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.retrieval.retriever import Retriever

HEADER = ["name", "breed", "weight", "vaccinated", "trainer"]
ROWS = [
    ["Bruno", "spaniel", "14 kg", "yes", "Ilse Ahorn"],
    ["Wolke", "spaniel", "12 kg", "no", "Ilse Ahorn"],
    ["Kuno", "whippet", "11 kg", "yes", "Milan Hruby"],
    ["Asta", "whippet", "13 kg", "yes", "Milan Hruby"],
    ["Lotte", "poodle", "6 kg", "no", "Ilse Ahorn"],
    ["Pan", "poodle", "7 kg", "yes", "Milan Hruby"],
]
RETRIEVER = Retriever(table_graph("dog", HEADER, ROWS))
SCHEMA = ReaderSchema(RETRIEVER.subgraph([], 0), RETRIEVER.embedder)


@pytest.mark.parametrize(
    ("question", "spelled"),
    [
        ("how many spaniels are there", "how many spaniel dogs are there"),
        ("which spaniels does Ilse Ahorn train?", "which spaniel dogs does Ilse Ahorn train?"),
        ("the oldest whippet", "the oldest whippet dog"),
        ("which dogs are spaniels", "which dogs are spaniels"),  # the class is named
        ("is Bruno a spaniel", "is Bruno a spaniel"),
        ("the spaniel's trainer", "the spaniel's trainer"),
        ("the lightest poodle", "the lightest poodle dog"),  # no slip of "highest"
        ("the highets weight", "the highest weight"),
        ("unvaccinated dogs", "not vaccinated dogs"),
        ("vaccinated dogs", "vaccinated dogs"),
    ],
)
def test_the_network_is_shown(question: str, spelled: str) -> None:
    assert read_question(question, RETRIEVER.linker, SCHEMA, RETRIEVER.embedder).spelled == spelled
