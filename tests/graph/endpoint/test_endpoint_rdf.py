"""Plain RDF at an independent engine: the endpoint answers what a graph in memory answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import rdflib
from endpoint_servers import RdflibServer
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rdflib.namespace import RDF, RDFS, SKOS

from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.endpoint.settings import ClientSettings
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph, Side
from toulmin.graph.readers.raw_statements import RawName, RawStatement
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.xsd import literal_to_rdf

E, R = "http://example.org/e/", "http://example.org/r/"
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)  # each example takes many requests
UNCACHED = ClientSettings(cache_bytes=0)


@pytest.fixture(scope="module")
def server() -> Iterator[RdflibServer]:
    with RdflibServer() as running:
        yield running


def node_term(node: Node) -> rdflib.URIRef | rdflib.Literal:
    if isinstance(node, Entity):
        return rdflib.URIRef(node.id)
    value, datatype, lang = literal_to_rdf(node)
    if lang:
        return rdflib.Literal(value, lang=lang)
    return rdflib.Literal(value, datatype=rdflib.URIRef(datatype), normalize=False)


def put(graph: rdflib.Graph, statements: Sequence[Statement], labels: dict[str, str], aliases: dict[str, str]) -> None:
    """Write statements as triples, qualifiers by RDF 1.0 reification."""
    graph.remove((None, None, None))
    for number, statement in enumerate(statements):
        subject, predicate = rdflib.URIRef(statement.subject.id), rdflib.URIRef(statement.relation.id)
        graph.add((subject, predicate, node_term(statement.object)))
        if statement.qualifiers:
            reifier = rdflib.URIRef(f"http://example.org/statement/{number}")
            graph.add((reifier, RDF.type, RDF.Statement))
            graph.add((reifier, RDF.subject, subject))
            graph.add((reifier, RDF.predicate, predicate))
            graph.add((reifier, RDF.object, node_term(statement.object)))
            for qualifier in statement.qualifiers:
                graph.add((reifier, rdflib.URIRef(qualifier.relation.id), node_term(qualifier.value)))
    for identifier, label in labels.items():
        graph.add((rdflib.URIRef(identifier), RDFS.label, rdflib.Literal(label)))
    for identifier, alias in aliases.items():
        graph.add((rdflib.URIRef(identifier), SKOS.altLabel, rdflib.Literal(alias, lang="en")))


entities = st.sampled_from([*(Entity(E + name) for name in "abcdef"), Entity(E + "m.01x"), Entity(E + "é%20b")])
relations = st.sampled_from([Relation(R + name) for name in ("knows", "bornIn", "part_of")])
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029"), max_size=8)
literals = st.one_of(
    st.builds(Literal, texts),
    st.builds(Literal, texts, lang=st.sampled_from(["en", "pt-br"])),
    st.integers(-999, 999).map(lambda number: Literal(str(number), "quantity")),
    st.sampled_from(["1.5", "-0.25", "1.50"]).map(lambda number: Literal(number, "quantity")),
    st.sampled_from(["0044", "-0043", "1995-03", "1995-03-12"]).map(lambda time: Literal(time, "time")),
    st.just(Literal("5", "quantity", "metre")),
    st.just(Literal("1990", "time", precision="decade")),
    st.just(Literal("48.85,2.35", "coordinate")),
    st.just(Literal("", "no_value")),
)
nodes = st.one_of(entities, literals)
qualifiers = st.lists(st.builds(Qualifier, relations, nodes), max_size=2, unique=True).map(tuple)
descriptions = st.builds(
    Statement, entities, st.just(Relation(DESCRIPTION)), st.builds(Literal, texts, lang=st.just("en"))
)
plain = st.builds(Statement, entities, relations, nodes, qualifiers)
#: A triple is plain or annotated: RDF cannot say "once with and once without".
contents = st.lists(
    st.one_of(plain, descriptions), max_size=14, unique_by=lambda s: (s.subject, s.relation.id, s.object)
)
names = st.dictionaries(
    entities.map(lambda entity: entity.id), st.sampled_from(["Anna", "Bob Dylan", "Zoë of York", "m.01x"])
)
#: Not for the machine's id: at an endpoint an entity without a label is shown by its id, whatever its aliases.
alias_names = st.dictionaries(st.sampled_from([E + name for name in "abc"]), st.sampled_from(["Anna", "Zoë of York"]))
relation_names = st.dictionaries(relations.map(lambda relation: relation.id), st.sampled_from(["is friend of", "Anna"]))


def facts(statements: Sequence[Statement]) -> list[str]:
    """Every field of the statements, in a fixed order."""
    return sorted(
        f"{s.id} {s.subject} {s.relation} {s.object} {s.rank} {sorted(map(str, s.qualifiers))}" for s in statements
    )


IDS = [
    *(E + name for name in "abcdef"),
    E + "m.01x",
    E + "é%20b",
    R + "knows",
    R + "bornIn",
    E + "nobody",
    "no iri",
    "_:b",
]


@settings(
    max_examples=40, deadline=None, phases=NO_SHRINKING, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(contents, names, relation_names, alias_names, st.data())
def test_the_endpoint_is_the_graph_in_memory(
    server: RdflibServer,
    statements: list[Statement],
    labels: dict[str, str],
    relation_labels: dict[str, str],
    aliases: dict[str, str],
    data: st.DataObject,
) -> None:
    put(server.graph, statements, labels | relation_labels, aliases)
    memory = in_memory(statements, labels | relation_labels, aliases)
    remote = open_endpoint(server.url, batch_size=data.draw(st.sampled_from([4, 50])), settings=UNCACHED)
    with memory, remote:
        assert remote.dialect.name == "rdf"
        side: Side = data.draw(st.sampled_from(["outgoing", "incoming", "both"]))
        only = data.draw(st.none() | st.just([R + "knows", DESCRIPTION, "no iri"]) | st.just([]))
        for found, expected in zip(
            remote.statements(IDS, side=side, relations=only),
            memory.statements(IDS, side=side, relations=only),
            strict=True,
        ):
            assert facts(found) == facts(expected)
        asked = data.draw(st.lists(st.one_of(plain, descriptions, st.sampled_from(statements or [WRONG])), max_size=6))
        assert remote.contains(asked) == memory.contains(asked)
        assert remote.contains(statements) == [True] * len(statements)
        for one, other in zip(remote.describe(IDS), memory.describe(IDS), strict=True):
            assert (one is None) == (other is None)
            if one and other:
                assert (one.entity, sorted(one.aliases)) == (other.entity, sorted(other.aliases))
                assert one.description in {s.object.value for s in statements if isinstance(s.object, Literal)} | {None}
                assert (one.description is None) == (other.description is None)
        assert remote.relations() == memory.relations()
        forms = ["Anna", "anna", "bob dylan", "zoë of york", "nobody", ""]
        for found_names, expected_names in zip(remote.lookup(forms), memory.lookup(forms), strict=True):
            assert {(m.id, m.form, m.score) for m in found_names} == {(m.id, m.form, m.score) for m in expected_names}
        for text in ("Anna", "dylan"):
            expected_ids = {m.id for m in memory.search(text, 50) if text.lower() in m.form.lower()}
            assert {m.id for m in remote.search(text, 50)} == expected_ids, text
        same_subgraph(remote, memory, data.draw(st.integers(0, 3)))


WRONG = Statement(Entity(E + "a"), Relation(R + "knows"), Literal("nobody"))


def in_memory(statements: Sequence[Statement], labels: dict[str, str], aliases: dict[str, str]) -> MemoryGraph:
    def plain_node(node: Node) -> str | Literal:
        return node.id if isinstance(node, Entity) else node

    records: list[RawStatement | RawName] = [RawName(identifier, form) for identifier, form in labels.items()]
    records += [RawName(identifier, form, "alias", "en") for identifier, form in aliases.items()]
    for s in statements:
        pairs = tuple((q.relation.id, plain_node(q.value)) for q in s.qualifiers)
        records.append(RawStatement(s.subject.id, s.relation.id, plain_node(s.object), pairs, s.rank))
    return MemoryGraph.from_records(records)


def same_subgraph(remote: Graph, memory: Graph, hops: int) -> None:
    """What the hops lead to, through entities, has been fetched, and nothing that is not in the graph."""
    near, whole = remote.subgraph([E + "a"], hops), memory.subgraph([E + "a"], hops)
    fetched = {statement.id for statement in near.statements(range(near.n_statements))}
    assert fetched <= {statement.id for statement in whole.statements(range(whole.n_statements))}
    level = {E + "a"}
    for _ in range(hops):
        statements = [statement for some in memory.statements(sorted(level)) for statement in some]
        assert {statement.id for statement in statements} <= fetched
        level |= {node.id for s in statements for node in (s.subject, s.object) if isinstance(node, Entity)}
