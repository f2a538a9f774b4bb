"""Path-RAG against a straight-line reading of the formulas of papers/fidelis, section 2.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relation_paths import rank_relation_paths, step_candidates
from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Hop, Steps, Subgraph, find_steps
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.path_rag import GraphIndex, PathRag, PathRagSettings
from toulmin.retrieval.scorers import TextIndex, get_text_scorer
from toulmin.retrieval.statement_words import relation_text
from toulmin.retrieval.vectors import LazyVectors

NAMES = ("Inception", "Christopher Nolan", "London", "film", "1970", "actor")
RELATIONS = ("directed by", "born in", "genre", "film.actor.film")
_ALIKE = 2e-5  # of scores: they are float32
KEYWORDS = ("director", "film", "born", "London")
NODES: list[Node] = [
    *(Entity(f"e:{place}", name) for place, name in enumerate(NAMES)),
    *(Entity(f"m.0x{place}") for place in range(3)),
    Literal("1970-07-30", "time"),
]
statements = st.lists(
    st.builds(
        Statement,
        st.sampled_from([node for node in NODES if isinstance(node, Entity)]),
        st.sampled_from([Relation(f"r:{label}", label) for label in RELATIONS]),
        st.sampled_from(NODES),
    ),
    min_size=1,
    max_size=14,
)


def is_machine(node: Node) -> bool:
    return isinstance(node, Entity) and node.id.startswith("m.")


Leg = tuple[str, bool]  # relation, walked backward
Step = tuple[tuple[Leg, ...], Node]


class PlainPathRag:
    """Eq. 2 and 3 with lists and loops, on statements instead of arrays."""

    def __init__(self, graph: list[Statement], keywords: list[str], options: PathRagSettings, scorer: str) -> None:
        self.graph, self.options, self.scorer = graph, options, scorer
        entities = sorted({n.id: n for s in graph for n in (s.subject, s.object) if isinstance(n, Entity)}.items())
        self.words = [(key, "" if is_machine(node) else str(node.label)) for key, node in entities]
        self.relations = sorted({s.relation.id: relation_text(str(s.relation.label)) for s in graph}.items())
        texts = keywords if options.keywords == "one_by_one" else [" ".join(keywords)]
        self.tied = False  # whether it is left open which of equal ones are among the top m
        self.scores = [(self.similar(text, self.relations), self.similar(text, self.words)) for text in texts]

    def similar(self, query: str, texts: list[tuple[str, str]]) -> dict[str, float]:
        """Eq. 2: S of each; texts that say nothing have 0."""
        found = get_text_scorer(self.scorer).fit([text for _, text in texts]).scores(query).tolist()
        scores = {key: score if text else 0.0 for (key, text), score in zip(texts, found, strict=True)}
        if self.options.outside == "zero":
            last, *next_ = sorted(scores.values(), reverse=True)[self.options.m - 1 : self.options.m + 1] or [0.0]
            self.tied |= any(last and abs(last - one) < _ALIKE for one in next_)
            kept = sorted(scores, key=lambda key: -scores[key])[: self.options.m]
            scores = {key: scores[key] if key in kept else 0.0 for key in scores}
        return scores

    def edges(self, node: Node) -> Iterator[tuple[Leg, Node]]:
        for statement in self.graph:
            if statement.subject == node:
                yield (statement.relation.id, False), statement.object
            if statement.object == node:
                yield (statement.relation.id, True), statement.subject

    def steps(self, node: Node) -> Iterator[Step]:
        for leg, near in self.edges(node):
            if not is_machine(near):
                yield (leg,), near
                continue
            for other, end in self.edges(near):
                if not is_machine(end) and end != node:
                    yield (leg, other), end

    def plain(self, step: Step, view: int) -> float:
        """S_rel + S_ent."""
        legs, end = step
        relations, entities = self.scores[view]
        relation = sum(relations[name] for name, _ in legs) / len(legs)
        return relation + (entities[end.id] if isinstance(end, Entity) else 0.0)

    def score(self, start: Node, step: Step) -> float:
        """Eq. 3."""
        found = []
        for view in range(len(self.scores)):
            back = self.options.looks_back
            ahead = [self.plain(other, view) for other in self.steps(step[1]) if back or other[1] != start]
            found.append(self.plain(step, view) + self.options.alpha * max(ahead, default=0.0))
        return max(found)

    def relation_paths(self, start: Node, hops: int) -> dict[tuple[tuple[Leg, ...], ...], float]:
        """Every relation path of up to ``hops`` hops with its score, by exhaustive search."""
        found: dict[tuple[tuple[Leg, ...], ...], float] = {}
        level: dict[tuple[tuple[Leg, ...], ...], tuple[set[Node], float]] = {(): ({start}, 0.0)}
        for _ in range(hops):
            longer = {}
            for path, (nodes, walked) in level.items():
                groups: dict[tuple[Leg, ...], list[tuple[Node, Step]]] = {}
                for node in nodes:
                    for step in self.steps(node):
                        if step[1] != start:
                            groups.setdefault(step[0], []).append((node, step))
                for legs, steps in groups.items():
                    new = (*path, legs)
                    plain = fmean(max(self.plain(step, view) for view in range(len(self.scores))) for _, step in steps)
                    ended = fmean(self.score(node, step) for node, step in steps)
                    found[new] = (walked + ended) / len(new)
                    longer[new] = ({step[1] for _, step in steps}, walked + plain)
            level = longer
        return found


options = st.builds(
    PathRagSettings,
    alpha=st.sampled_from([0.0, 0.3, 1.0]),
    m=st.sampled_from([1, 2, 100]),
    outside=st.sampled_from(["cosine", "zero"]),
    keywords=st.sampled_from(["concatenated", "one_by_one"]),
    looks_back=st.booleans(),
)
keyword_lists = st.lists(st.sampled_from(KEYWORDS), min_size=1, max_size=3, unique=True)


def node_text(node: Node) -> str:
    return node.id if isinstance(node, Entity) else node.value


def described(subgraph: Subgraph, steps: Steps) -> list[tuple[tuple[Leg, ...], str]]:
    """Steps by ids, as the plain implementation names them."""
    found = []
    for slot, beyond, end in zip(steps.slot.tolist(), steps.beyond.tolist(), steps.neighbour.tolist(), strict=True):
        legs = [slot] if beyond < 0 else [slot, beyond]
        names = tuple((subgraph.relations[leg >> 1].id, bool(leg & 1)) for leg in legs)
        found.append((names, node_text(subgraph.node(end))))
    return found


def path_of(subgraph: Subgraph, hops: Sequence[Hop]) -> tuple[tuple[Leg, ...], ...]:
    """A relation path by ids."""
    return tuple(tuple((subgraph.relations[slot >> 1].id, bool(slot & 1)) for slot in hop if slot >= 0) for hop in hops)


def index_of(subgraph: Subgraph, scorer: str) -> GraphIndex:
    if scorer == "bm25":
        return TextIndex(subgraph, get_text_scorer(scorer))
    return LazyVectors(subgraph, get_embedder())


@settings(max_examples=150, deadline=None)
@given(statements, keyword_lists, options, st.sampled_from(["minilm", "bm25"]))
def test_candidates_are_those_of_the_formulas(
    graph: list[Statement], keywords: list[str], chosen: PathRagSettings, scorer: str
) -> None:
    graph = list(dict.fromkeys(graph))
    subgraph = Subgraph.from_statements(graph)
    plain = PlainPathRag(graph, keywords, chosen, scorer)
    assume(not plain.tied)
    rag = PathRag(subgraph, index_of(subgraph, scorer), chosen)
    query = rag.query(keywords)
    for start in {statement.subject: None for statement in graph}:
        number = subgraph.index(start.id)
        assert number is not None
        found, scores = step_candidates(subgraph, query, number)
        steps = sorted(zip(described(subgraph, found), scores.tolist(), strict=True))
        wanted = sorted(((legs, node_text(end)), plain.score(start, (legs, end))) for legs, end in plain.steps(start))
        assert [step for step, _ in steps] == [step for step, _ in wanted]
        assert np.allclose([score for _, score in steps], [score for _, score in wanted], atol=_ALIKE)
        assert np.all(np.diff(scores) <= 0)
        assert np.array_equal(step_candidates(subgraph, query, number, limit=2)[1], scores[:2])


@settings(max_examples=60, deadline=None)
@given(statements, keyword_lists, options, st.sampled_from(["minilm", "bm25"]), st.integers(1, 3))
def test_relation_paths_are_those_of_an_exhaustive_search(
    graph: list[Statement], keywords: list[str], chosen: PathRagSettings, scorer: str, hops: int
) -> None:
    graph = list(dict.fromkeys(graph))
    subgraph = Subgraph.from_statements(graph)
    plain = PlainPathRag(graph, keywords, chosen, scorer)
    assume(not plain.tied)
    rag = PathRag(subgraph, index_of(subgraph, scorer), chosen)
    start = graph[0].subject
    number = subgraph.index(start.id)
    assert number is not None
    query = rag.query(keywords)
    found = rank_relation_paths(subgraph, number, query, hops=hops, k=10_000, beam=10_000, followed=100)
    wanted = plain.relation_paths(start, hops)
    scores = {path_of(subgraph, path.hops): path.score for path in found}
    assert len(scores) == len(found) and scores == pytest.approx(wanted, abs=3e-5)
    assert [path.score for path in found] == sorted(scores.values(), reverse=True)
    ranked = rank_relation_paths(subgraph, number, query, hops=hops, k=3)
    if len(wanted) <= 20:  # the beam holds them all
        assert [path.score for path in ranked] == [path.score for path in found[:3]]


def test_a_narrow_beam_follows_the_best() -> None:
    """Of two relations only the better is walked on from, and from the better of its two entities."""
    film, nolan, wally, london, bath = (Entity(f"e:{n}", n) for n in ("Inception", "Nolan", "Wally", "London", "Bath"))
    directed, genre, born, tag = (Relation(f"r:{n}", n) for n in ("directed by", "genre", "born in", "tag"))
    subgraph = Subgraph.from_statements(
        [
            Statement(film, directed, nolan),
            Statement(film, directed, wally),
            Statement(film, genre, london),
            Statement(nolan, born, bath),
            Statement(wally, tag, bath),
            Statement(london, tag, wally),
        ]
    )
    number = subgraph.index(film.id)
    assert number is not None
    query = PathRag(subgraph, index_of(subgraph, "minilm")).query(["director Nolan"])
    found = rank_relation_paths(subgraph, number, query, hops=2, k=10, beam=1, followed=1)
    paths = {" ".join(name for hop in path_of(subgraph, one.hops) for name, _ in hop) for one in found}
    assert paths == {"r:directed by", "r:genre", "r:directed by r:born in"}


@settings(max_examples=60, deadline=None)
@given(statements)
def test_steps_are_statements_and_end_in_nodes_with_names(graph: list[Statement]) -> None:
    subgraph = Subgraph.from_statements(graph)
    nodes = np.arange(subgraph.n_nodes)
    steps = find_steps(subgraph, nodes)
    assert np.all(np.diff(steps.origin) >= 0)
    assert not subgraph.machine[steps.neighbour].any()
    legs = (
        (steps.origin, steps.slot, steps.statement, np.where(steps.via < 0, steps.neighbour, steps.via)),
        (steps.via, steps.beyond, steps.statement_beyond, steps.neighbour),
    )
    tables = subgraph.tables
    for source, slot, row, end in legs:
        there = slot >= 0
        backward, row = (slot[there] & 1).astype(bool), row[there]
        assert np.array_equal(np.where(backward, tables.object[row], tables.subject[row]), source[there])
        assert np.array_equal(np.where(backward, tables.subject[row], tables.object[row]), end[there])
        assert np.array_equal(tables.relation[row], slot[there] >> 1)
    assert subgraph.machine[steps.via[steps.via >= 0]].all()
    each = [find_steps(subgraph, nodes[[node]]) for node in nodes]
    assert sorted(np.concatenate([some.neighbour for some in each]).tolist()) == sorted(steps.neighbour.tolist())


def test_the_node_one_comes_from_is_not_looked_at_again() -> None:
    """Otherwise each candidate would look back at the start, which the question names, and all would look alike."""
    inception, nolan, london = (Entity(f"e:{place}", name) for place, name in enumerate(NAMES[:3]))
    directed, born = Relation("r:directed", "directed by"), Relation("r:born", "born in")
    subgraph = Subgraph.from_statements(
        [Statement(inception, directed, nolan), Statement(nolan, born, london), Statement(inception, born, london)]
    )
    rag = PathRag(subgraph, LazyVectors(subgraph, get_embedder()), PathRagSettings(alpha=1.0))
    query = rag.query(["directed by"])
    number = {name: subgraph.index(f"e:{place}") for place, name in enumerate(NAMES[:3])}
    plain = {name: float(query.views[0].entities(np.array([number[name]]))[0]) for name in number}
    relation = dict(zip([r.id for r in subgraph.relations], query.views[0].relations.tolist(), strict=True))
    assert number["Inception"] is not None
    found, found_scores = step_candidates(subgraph, query, number["Inception"])
    scores = dict(zip(subgraph.labels(found.neighbour), found_scores.tolist(), strict=True))
    to_nolan = relation["r:directed"] + plain["Christopher Nolan"] + relation["r:born"] + plain["London"]
    to_london = 2 * relation["r:born"] + plain["London"] + plain["Christopher Nolan"]
    assert scores == pytest.approx({"Christopher Nolan": to_nolan, "London": to_london}, abs=1e-5)
    assert (found.slot & 1).astype(bool).tolist() == [False, False]
    assert [subgraph.relations[r].id for r in (found.slot >> 1).tolist()] == ["r:directed", "r:born"]


def test_a_question_without_keywords_and_settings_out_of_range() -> None:
    subgraph = Subgraph.from_statements([Statement(Entity("e:0", "film"), Relation("r:0", "genre"), Literal("1"))])
    with pytest.raises(SettingsError, match="at least one keyword"):
        PathRag(subgraph, index_of(subgraph, "bm25")).query([])
    with pytest.raises(SettingsError, match="alpha is 2"):
        PathRagSettings(alpha=2)
    with pytest.raises(SettingsError, match="m is 0"):
        PathRagSettings(m=0)
    with pytest.raises(SettingsError, match="unknown outside 'none': use cosine or zero"):
        PathRagSettings(outside="none")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="use concatenated or one_by_one"):
        PathRagSettings(keywords="all")  # type: ignore[arg-type]
    rag = PathRag(subgraph, index_of(subgraph, "bm25"))
    with pytest.raises(SettingsError, match="hops, beam and followed are 0, 64 and 32"):
        rank_relation_paths(subgraph, 0, rag.query(["film"]), hops=0, k=1)
