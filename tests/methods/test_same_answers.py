"""One graph embedded, in memory and behind an endpoint gives the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import rdflib
from answer_sets import Ask, built, labels
from endpoint_servers import RdflibServer
from rdflib.namespace import RDF, RDFS, SKOS

from toulmin.graph.bundled import bundled_path
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers import RawName, RawStatement, Record, read
from toulmin.graph.types import Literal
from toulmin.graph.xsd import literal_to_rdf
from toulmin.methods.asker import Asker
from toulmin.methods.reader.settings import ReaderSettings

PART = [
    *("Spirited_Away", "Seven_Samurai", "Rashomon", "Throne_of_Blood", "Macbeth", "Tokyo", "Japan", "Mount_Fuji"),
    *("Hayao_Miyazaki", "Akira_Kurosawa", "Toshirō_Mifune", "Joe_Hisaishi", "Alan_Turing", "Alonzo_Church", "Danube"),
    *("William_Shakespeare", "Stratford-upon-Avon", "Qingdao"),
]
QUESTIONS = {
    "Who directed Spirited Away?": {"Hayao Miyazaki"},
    "When was Alan Turing born?": {"1912-06-23"},
    "How long is the Danube?": {"2850 kilometre"},
    "Which films did Akira Kurosawa direct?": {"Seven Samurai", "Rashomon", "Throne of Blood"},
    "Where was the director of Spirited Away born?": {"Tokyo"},
    "Who wrote the play that Throne of Blood is based on?": {"William Shakespeare"},
    "What is the capital of the country where Mount Fuji lies?": {"Tokyo"},
    "Which films star Toshirō Mifune?": {"Seven Samurai", "Rashomon", "Throne of Blood"},
}


def records() -> list[Record]:
    """The statements of a part of the bundled graph, and the names of all that they mention."""
    every = list(read(bundled_path(), strict=True))
    subjects = {f"world:{name}" for name in PART}
    facts = [record for record in every if isinstance(record, RawStatement) and record.subject in subjects]
    mentioned = {node for fact in facts for node in (fact.subject, fact.relation, fact.object)}
    mentioned |= {part for fact in facts for pair in fact.qualifiers for part in pair}
    return [*(one for one in every if isinstance(one, RawName) and one.id in mentioned), *facts]


def rdf(statements: list[Record]) -> rdflib.Graph:
    """The same as triples, qualifiers by reification."""
    graph = rdflib.Graph()

    def term(node: str | Literal) -> rdflib.URIRef | rdflib.Literal:
        if isinstance(node, str):
            return rdflib.URIRef(node)
        value, datatype, lang = literal_to_rdf(node)
        if lang:
            return rdflib.Literal(value, lang=lang)
        return rdflib.Literal(value, datatype=rdflib.URIRef(datatype), normalize=False)

    for number, record in enumerate(statements):
        if isinstance(record, RawName):
            tag = RDFS.label if record.kind == "label" else SKOS.altLabel
            graph.add((rdflib.URIRef(record.id), tag, rdflib.Literal(record.form, lang=record.lang)))
        elif isinstance(record, RawStatement) and record.rank != "deprecated":
            triple = term(record.subject), rdflib.URIRef(record.relation), term(record.object)
            graph.add(triple)
            if record.qualifiers:
                node = rdflib.URIRef(f"world:statement/{number}")
                graph.add((node, RDF.type, RDF.Statement))
                for part, value in zip((RDF.subject, RDF.predicate, RDF.object), triple, strict=True):
                    graph.add((node, part, value))
                for relation, qualifier in record.qualifiers:
                    graph.add((node, rdflib.URIRef(relation), term(qualifier)))
    return graph


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Graph]]:
    """The three of them."""
    part = records()
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))  # of the endpoint's schema
        server = stack.enter_context(RdflibServer())
        server.graph += rdf(part)
        embedded = built(tmp_path_factory.mktemp("graphs") / "part", part)
        stack.callback(embedded.close)
        memory = stack.enter_context(MemoryGraph.from_records(part))
        endpoint = open_endpoint(server.url)
        stack.callback(endpoint.close)
        yield {"embedded": embedded, "memory": memory, "endpoint": endpoint}


@pytest.fixture(scope="module")
def asked(graphs: dict[str, Graph]) -> dict[str, Ask]:
    return {
        name: Asker(graph, method="reader", settings=ReaderSettings(abstain_below=0)).ask
        for name, graph in graphs.items()
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_answers(graphs: dict[str, Graph], asked: dict[str, Ask], question: str) -> None:
    for name, graph in graphs.items():
        answer = asked[name](question)
        assert labels(answer) == QUESTIONS[question], name
        assert answer.check(graph).exit_code == 0, name


def test_an_answer_of_the_embedded_graph_checks_in_memory(graphs: dict[str, Graph], asked: dict[str, Ask]) -> None:
    answer = asked["embedded"]("Which films did Akira Kurosawa direct?")
    assert answer.check(graphs["memory"]).exit_code == 0
