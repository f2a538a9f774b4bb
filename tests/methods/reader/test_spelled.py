"""The question as the network is shown it: slips mended, nouns for values with their class, "unpaid" as "not paid"."""

from __future__ import annotations

import pytest
from reader_worlds import DOGS

from toulmin.graph.readers.tables import table_graph
from toulmin.methods.reader.mentions import read_question
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.retrieval.retriever import Retriever

RETRIEVER = Retriever(table_graph("dog", DOGS[0], DOGS[1:]))
SCHEMA = ReaderSchema(RETRIEVER.subgraph([], 0), RETRIEVER.embedder)


@pytest.mark.parametrize(
    ("question", "spelled"),
    [
        ("how many spaniels are there", "how many spaniel dogs are there"),
        ("which spaniels does Ilse Ahorn own?", "which spaniel dogs does Ilse Ahorn own?"),
        ("the oldest whippet", "the oldest whippet dog"),
        ("which dogs are spaniels", "which dogs are spaniels"),  # the class is named
        ("is Bruno a spaniel", "is Bruno a spaniel"),
        ("the spaniel's owner", "the spaniel's owner"),
        ("the lightest poodle", "the lightest poodle dog"),  # no slip of "highest"
        ("the highets weight", "the highest weight"),
        ("unvaccinated dogs", "not vaccinated dogs"),
        ("vaccinated dogs", "vaccinated dogs"),
    ],
)
def test_the_network_is_shown(question: str, spelled: str) -> None:
    assert read_question(question, RETRIEVER.linker, SCHEMA, RETRIEVER.embedder).spelled == spelled
