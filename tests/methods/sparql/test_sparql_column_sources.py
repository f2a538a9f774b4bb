"""A query has to ask the graph: what it says by itself is no answer of the store."""

from __future__ import annotations

import pytest

from toulmin.errors import QueryError
from toulmin.graph.sparql import check_read_only
from toulmin.methods.sparql.column_sources import check_grounded

_PREFIX = "PREFIX e: <http://harbour.example/> "


@pytest.mark.parametrize(
    "text",
    [
        'SELECT ("Copenhagen" AS ?x) {}',
        'SELECT ?x { VALUES ?x { "Copenhagen" } }',
        "SELECT ?x { BIND(e:north AS ?x) }",
        "SELECT (42 AS ?n) { ?a e:mooredAt ?b }",
        "SELECT (COUNT(*) AS ?n) { }",
        "SELECT (COUNT(?x) AS ?n) { VALUES ?x { 1 2 3 } ?a e:mooredAt ?b }",
        "SELECT (SUM(1) AS ?n) { ?a e:mooredAt ?b }",
        "SELECT (COUNT(*) AS ?n) { VALUES ?x { 1 2 3 } OPTIONAL { ?a e:nothing ?b } }",
        "ASK { }",
        "ASK { FILTER(1 = 1) }",
        "ASK { VALUES ?x { 1 } }",
        "SELECT ?x { ?a e:mooredAt ?b } VALUES ?x { e:north }",
        "SELECT ?x ?b { ?a e:mooredAt ?b . BIND(CONCAT('a', 'b') AS ?x) }",
        "SELECT * { ?a e:mooredAt ?b . BIND(1 AS ?x) }",
        "SELECT ?x { { ?x a e:Quay } UNION { VALUES ?x { e:north } } }",
        "SELECT ?x { VALUES ?x { e:north } OPTIONAL { ?x e:nothing ?y } }",
        "SELECT ?x { VALUES ?x { e:north } FILTER NOT EXISTS { ?x e:nothing ?y } }",
        "SELECT ?x { VALUES ?x { e:north } MINUS { ?x e:nothing ?y } }",
        "SELECT ?y { BIND(e:north AS ?x) BIND(?x AS ?y) ?a e:mooredAt ?b }",
        "SELECT ?x { BIND(COALESCE(?n, 'Copenhagen') AS ?x) ?a e:seats ?n }",
        "SELECT (COALESCE(?none, 'Copenhagen') AS ?x) { ?a e:seats ?n }",
        "SELECT ?x { ?a e:seats ?n { SELECT (e:north AS ?x) { ?c e:seats ?d } } }",
        "SELECT ?x { ?a e:seats ?n { SELECT ?x { VALUES ?x { e:north } } } }",
        "SELECT ?x { ?x e:mooredAt* e:north }",
        "SELECT ?x { e:north (e:mooredAt|^e:seats?)* ?x }",
        "SELECT ?x { BIND(e:north AS ?x) ?x e:mooredAt* ?y }",
        "ASK { e:north e:mooredAt* e:north }",
        "SELECT ?k (COUNT(?a) AS ?n) { ?a e:seats ?b } GROUP BY ('all' AS ?k)",
        "SELECT (NOW() AS ?x) { ?a e:seats ?n }",
    ],
)
def test_what_a_query_says_by_itself_is_refused(text: str) -> None:
    check_read_only(_PREFIX + text)
    with pytest.raises(QueryError, match=r"does not come from the graph|no triple pattern") as caught:
        check_grounded(_PREFIX + text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?a ?b ?c }",
        "BASE <http://a/> SELECT DISTINCT ?x WHERE { ?x a e:Quay ; FILTER(STR(?x) != 'VALUES ?x') } LIMIT 3",
        "SELECT ?x { VALUES ?x { e:north e:south } ?x a e:Quay }",
        "SELECT ?x { ?x a e:Quay } VALUES ?x { e:north }",
        "SELECT ?x { VALUES ?x { e:north } FILTER EXISTS { ?x e:keeper [] } }",
        "SELECT (COUNT(*) AS ?n) { ?a e:mooredAt ?b BIND(100 AS ?most) FILTER(?n < ?most) }",
        "SELECT (COUNT(DISTINCT *) AS ?n) { e:north e:keeper e:ines }",
        "SELECT (SUM(?n) * 2 AS ?m) (GROUP_CONCAT(?a; separator=', ') AS ?all) { ?a e:seats ?n }",
        "SELECT ?b (AVG(?n) AS ?m) { ?a e:mooredAt ?b ; e:seats ?n , ?k } GROUP BY ?b HAVING (COUNT(*) > 1)",
        "SELECT ?half { ?a e:seats ?n . BIND(?n / 2 AS ?half) }",
        "SELECT ?z { VALUES ?x { e:north } BIND(?x AS ?z) ?x a e:Quay }",
        "SELECT ?x ?n { ?x a e:Boat OPTIONAL { ?x e:seats ?n } }",
        "SELECT ?x { { ?x a e:Boat } UNION { ?y e:mooredAt ?x } UNION { ?x a/e:sub* e:Boat } }",
        "SELECT ?x { ?x e:sub+ e:Boat . ?x !(e:a|^e:b) ?y }",
        "SELECT ?c { ?x a ?c . ?c e:sub* e:Boat }",
        "SELECT ?a ?n { { SELECT ?a (MAX(?k) AS ?n) { ?a e:seats ?k } GROUP BY ?a } MINUS { ?a a e:Ferry } }",
        "SELECT ?g { GRAPH ?g { ?s ?p -5 , +1.5, 'x'@en, \"3\"^^<http://a/b>, true . } }",
        "SELECT ?v { GRAPH e:qualifiers { ?s ?p ?o {| ?q ?v |} } }",
        "SELECT ?v { ?r e:reifies <<( ?s ?p ?v )>> . << ?s ?p ?o ~ ?r >> e:since ?t }",
        "SELECT ?x { [ e:seats ?x ; e:mooredAt ( ?a e:north ) ] FILTER(?x > 2 && EXISTS { ?y e:seats ?x }) }",
        "ASK { e:oda e:mooredAt e:south }",
        "ASK { FILTER NOT EXISTS { ?x e:mooredAt e:south } }",
        "ASK { { SELECT (COUNT(?x) AS ?n) { ?x e:mooredAt e:south } } FILTER(?n > 3) }",
        "ASK { e:Ferry e:sub* e:Boat }",
        "SELECT ?nothing { ?a e:seats ?n }",
        "SELECT (EXISTS { ?a e:seats 3 } AS ?x) ?n { ?a e:seats ?n }",
    ],
)
def test_what_comes_from_statements_passes(text: str) -> None:
    text = (
        text.replace("BASE <http://a/> ", "BASE <http://a/> " + _PREFIX) if text.startswith("BASE") else _PREFIX + text
    )
    check_read_only(text)
    check_grounded(text)
