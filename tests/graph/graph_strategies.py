"""Random records, and a plain model of what a graph of them must answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement, node_key

IDS = (
    "http://example.org/a", "http://example.org/b#c", "urn:toulmin:e:The%20Matrix", "Amélie", "東京", "two words",
    "_:b0", "m.0abc1", "http://www.wikidata.org/entity/Q42", "100%", "a<b>\"c\"", "🦆", "-1", "a/b", "..",
)  # fmt: skip
RELATIONS = ("http://example.org/knows", "directed_by", "http://example.org/birthPlace", "http://example.org/a")

ids = st.sampled_from(IDS)
relation_ids = st.sampled_from(RELATIONS)
texts = st.text(st.characters(codec="utf-8"), max_size=6)
optional = st.none() | st.sampled_from(["metre", "http://example.org/a", "x"])
literals = st.one_of(
    st.builds(Literal, texts),
    st.builds(Literal, texts, lang=st.sampled_from(["en", "de-AT"])),
    st.builds(Literal, st.sampled_from(["1.50", "1.5", "-3", "1e3"]), st.just("quantity"), unit=optional),
    st.builds(
        Literal,
        st.sampled_from(["1995", "1995-03", "-0044-03-15", "2009-00-00"]),
        st.just("time"),
        precision=st.none() | st.sampled_from(["decade", "century"]),
        calendar=st.none() | st.just("julian"),
    ),
    st.sampled_from([Literal("", "unknown_value"), Literal("", "no_value"), Literal("true", "boolean")]),
    st.just(Literal("48.85,2.35", "coordinate")),
)
nodes = ids | literals
qualifiers = st.lists(st.tuples(relation_ids, nodes), max_size=3).map(tuple)
facts = st.builds(
    RawStatement, ids, relation_ids, nodes, qualifiers, st.sampled_from(["normal", "normal", "preferred", "deprecated"])
)
forms = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(str.strip)
names = st.builds(
    RawName,
    st.sampled_from(IDS[:8] + RELATIONS),
    forms,
    st.sampled_from(["label", "alias", "inverse"]),
    st.none() | st.sampled_from(["en", "en-GB", "fr"]),
)
records = st.lists(facts | names, max_size=25)


def statement_of(fact: RawStatement) -> Statement:
    """The statement that a fact says, without labels."""

    def node(value: str | Literal) -> Node:
        return Entity(value) if isinstance(value, str) else value

    said = tuple(Qualifier(Relation(relation), node(value)) for relation, value in dict.fromkeys(fact.qualifiers))
    return Statement(Entity(fact.subject), Relation(fact.relation), node(fact.object), said, fact.rank)


def model(found: Iterable[Record]) -> dict[str, Statement]:
    """The distinct statements that a graph of these records holds, by id."""
    statements = [statement_of(fact) for fact in found if isinstance(fact, RawStatement) and fact.rank != "deprecated"]
    return {statement.id: statement for statement in statements}


def content(statements: Iterable[Statement]) -> list[tuple[object, ...]]:
    """What statements say, without labels and in any order."""
    return sorted(
        (
            s.subject.id,
            s.relation.id,
            node_key(s.object),
            tuple(sorted((q.relation.id, node_key(q.value)) for q in s.qualifiers)),
            s.rank,
        )
        for s in statements
    )


def entities(found: Sequence[Record]) -> set[str]:
    """The ids of the entities that a graph of these records holds."""
    used: set[str] = set()
    relations: set[str] = set()
    for statement in model(found).values():
        values = [statement.subject, statement.object, *(q.value for q in statement.qualifiers)]
        used |= {value.id for value in values if isinstance(value, Entity)}
        relations |= {statement.relation.id, *(q.relation.id for q in statement.qualifiers)}
    return used | {
        name.id for name in found if isinstance(name, RawName) and name.kind != "inverse" and name.id not in relations
    }
