"""``fidelis:paper`` against numbers worked out from eqs. 1 to 6 of papers/fidelis on a graph of eight statements.

    pump ──supplier──▶ Acme ──based in──▶ Lyon
    pump ──part of──▶ engine ──made in──▶ Nice
    pump ──colour──▶ red

K is "supplier town", z(K) = (1, 0, 0), and these are the cosines with it:

    S_rel: supplier 0.60, based in 0.50, made in 0.40, colour 0.35, part of 0.10
    S_ent: Lyon 0.70, Nice 0.65, pump 0.30, red 0.25, Acme 0.20, engine 0.10

With m = 2 eq. 2 retrieves supplier and based in, Lyon and Nice; whatever else has the score 0.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from answer_sets import labels
from guided_models import Guide, lines
from tabled_vectors import TabledEmbedder, graph_of

import toulmin
from relation_paths import step_candidates
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.fidelis import Fidelis, GuidedSettings
from toulmin.methods.fidelis.with_model.searching import DeductionsVerified, Selected
from toulmin.methods.protocol import Answered, Event, QuestionContext
from toulmin.methods.registry import method_class
from toulmin.program.answer import Answer
from toulmin.retrieval.path_rag import PathRag, PathRagSettings
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.vectors import LazyVectors

QUESTION = "In which town is the supplier of the pump?"
KEYWORDS = ["supplier", "town"]
PLAN = {
    "keywords": KEYWORDS,
    "plan": ["to its supplier", "to the town"],
    "statement": "The supplier of the pump is in *placeholder*.",
}
COSINES = {
    **{"supplier": 0.60, "based in": 0.50, "made in": 0.40, "colour": 0.35, "part of": 0.10},
    **{"Lyon": 0.70, "Nice": 0.65, "pump": 0.30, "red": 0.25, "Acme": 0.20, "engine": 0.10},
}
EDGES = (
    ("pump", "supplier", "Acme"),
    ("pump", "part of", "engine"),
    ("pump", "colour", "red"),
    ("Acme", "based in", "Lyon"),
    ("engine", "made in", "Nice"),
)
FORM = GuidedSettings.paper(retrieved=2)
ACME, ENGINE, RED = "pump —supplier→ Acme", "pump —part of→ engine", "pump —colour→ red"
LYON, NICE = "pump —supplier→ Acme —based in→ Lyon", "pump —part of→ engine —made in→ Nice"


def tabled() -> TabledEmbedder:
    return TabledEmbedder("supplier town", COSINES)


def scores_from_pump(settings: PathRagSettings) -> dict[str, float]:
    with graph_of(EDGES) as graph:
        subgraph = graph.subgraph([], 0)
        rag = PathRag(subgraph, LazyVectors(subgraph, tabled()), settings)
        pump = subgraph.index("id:pump")
        assert pump is not None
        steps, scores = step_candidates(subgraph, rag.query(KEYWORDS), pump)
        assert np.all(np.diff(scores) <= 0)
        return dict(zip(subgraph.labels(steps.neighbour), scores.tolist(), strict=True))


@pytest.mark.parametrize(
    ("alpha", "wanted"),
    [
        # S((supplier, Acme)) = 0.60 + 0    + α max {(based in, Lyon): 0.50 + 0.70, (supplier, pump): 0.60 + 0}
        # S((part of, engine)) = 0   + 0    + α max {(made in, Nice): 0 + 0.65, (part of, pump): 0 + 0}
        # S((colour, red))     = 0   + 0    + α max {(colour, pump): 0 + 0}
        (0.0, {"Acme": 0.60, "engine": 0.0, "red": 0.0}),
        (0.3, {"Acme": 0.96, "engine": 0.195, "red": 0.0}),  # 0.60 + 0.3 × 1.20; 0.3 × 0.65
        (1.0, {"Acme": 1.80, "engine": 0.65, "red": 0.0}),
    ],
)
def test_equations_2_and_3_of_what_is_retrieved(alpha: float, wanted: dict[str, float]) -> None:
    found = scores_from_pump(PathRagSettings(alpha=alpha, m=2, outside="zero", looks_back=True))
    assert found == pytest.approx(wanted, abs=1e-6)
    assert max(found, key=lambda name: found[name]) == "Acme"


def test_equation_3_where_eq_2_retrieves_everything() -> None:
    """N(red) holds nothing but the way back, which eq. 3 counts: 0.35 + 0.25 + 0.3 × (0.35 + 0.30) = 0.795."""
    found = scores_from_pump(PathRagSettings(alpha=0.3, m=100, outside="zero", looks_back=True))
    # Acme: 0.60 + 0.20 + 0.3 × 1.20; engine: 0.10 + 0.10 + 0.3 × (0.40 + 0.65)
    assert found == pytest.approx({"Acme": 1.16, "red": 0.795, "engine": 0.515}, abs=1e-6)
    assert list(found) == ["Acme", "red", "engine"]
    ours = scores_from_pump(PathRagSettings(alpha=0.3))  # without the way back: 0.35 + 0.25
    assert ours == pytest.approx({"Acme": 1.16, "red": 0.60, "engine": 0.515}, abs=1e-6)


class Asked:
    """A run of the paper's form on a graph, with the cosines of the table."""

    def __init__(
        self,
        guide: Guide,
        settings: GuidedSettings = FORM,
        *,
        edges: Sequence[tuple[str, str, str]] = EDGES,
        question: str = QUESTION,
    ) -> None:
        self.model = ScriptedModel(guide)
        with graph_of(edges) as graph:
            context = QuestionContext(graph, Retriever(graph, embedder=tabled()), self.model)

            async def collected() -> list[Event]:
                return [event async for event in Fidelis(settings).run(toulmin.Request(question), context)]

            self.events = asyncio.run(collected())
            self.report = self.answer.check(graph)

    @property
    def answer(self) -> Answer:
        last = self.events[-1]
        assert isinstance(last, Answered)
        return last.answer

    @property
    def calls(self) -> list[tuple[str, list[str]]]:
        """Each call after the plan: its step, and the paths that it showed."""
        return [(step_of(request), list(lines(request).values())) for request in self.model.requests[1:]]

    @property
    def kept(self) -> list[list[tuple[str, float]]]:
        """What each selection kept: the last relation, and the score."""
        return [
            [(str(path.relations[-1][0].label), path.score) for path in event.paths]
            for event in self.events
            if isinstance(event, Selected)
        ]


def step_of(request: ModelRequest) -> str:
    return request.step.rpartition("/")[2]


def guide(*, select: Sequence[str], follows: Sequence[str]) -> Guide:
    """A reader that selects some paths, takes some to complete the statement, and answers with these."""

    class Paths(Guide):
        def __call__(self, request: ModelRequest) -> str:
            ends = [piece[: piece.rindex("→") + 1] for piece in follows]  # there the ends have numbers
            self.wanted = select if step_of(request) == "select" else ends
            return super().__call__(request)

    return Paths(plan=PLAN, follows=follows)


def test_each_candidate_is_verified_in_the_order_of_eq_3() -> None:
    made = Asked(guide(select=[ACME, ENGINE], follows=[LYON]))
    # Second round: (based in, Lyon) 0.50 + 0.70 + 0.3 × (based in, Acme) 0.50 = 1.35;
    # (made in, Nice) 0 + 0.65 + 0.3 × (made in, engine) 0 = 0.65. It is no mean over the path, nor less for its length.
    assert made.calls == [
        ("verify", [ACME]),
        ("verify", [ENGINE]),
        ("verify", [RED]),
        ("select", [ACME, ENGINE, RED]),
        ("verify", [LYON]),
        ("verify", [NICE]),
        ("answer", ["pump —supplier→ Acme —based in→ #1 Lyon"]),
    ]
    assert [event.follows for event in made.events if isinstance(event, DeductionsVerified)] == [(), (0,)]
    assert [[name for name, _ in some] for some in made.kept] == [["supplier", "part of"], ["based in"]]
    assert [score for some in made.kept for _, score in some] == pytest.approx([0.96, 0.195, 1.35], abs=1e-6)
    assert made.answer.text == "Lyon"
    assert made.report.exit_code == 0


def test_equation_5_is_asked_of_the_statement_and_one_path() -> None:
    made = Asked(guide(select=[ACME], follows=[LYON]))
    asked = [request for request in made.model.requests if step_of(request) == "verify"]
    for request in asked:
        assert request.messages[-1].content.startswith(f"Statement: {PLAN['statement']}\n[1] pump —")
        assert request.schema is not None
        assert request.schema["properties"]["follows"]["items"]["enum"] == [1]


def test_candidates_are_the_top_m_of_eq_3() -> None:
    made = Asked(guide(select=[ACME], follows=[LYON]), GuidedSettings.paper(retrieved=2, shown=2))
    assert [shown for step, shown in made.calls if step == "select"] == [[ACME, ENGINE]]


def test_equation_6_selects_among_those_from_which_it_follows() -> None:
    """Three follow, and the model selects two of these. Where no more follow than the beam is wide, all are kept."""
    both = Asked(
        guide(select=[RED, ACME], follows=[ACME, ENGINE, RED]), GuidedSettings.paper(retrieved=2, beam_width=2)
    )
    assert [step for step, _ in both.calls] == ["verify", "verify", "verify", "select", "answer"]
    assert [[name for name, _ in some] for some in both.kept] == [["colour", "supplier"]]
    all_ = Asked(guide(select=[], follows=[ENGINE, RED]))
    assert [step for step, _ in all_.calls] == ["verify", "verify", "verify", "answer"]
    assert [[name for name, _ in some] for some in all_.kept] == [["part of", "colour"]]


def test_algorithm_2_as_it_is_written_keeps_only_what_follows() -> None:
    """A question of two hops is lost at the first: nothing follows from one hop, and H_1 is empty."""
    form = GuidedSettings.paper(retrieved=2, verifier="filter")
    lost = Asked(guide(select=[ACME], follows=[LYON]), form)
    assert [step for step, _ in lost.calls] == ["verify", "verify", "verify"]
    assert lost.answer.abstained
    found = Asked(guide(select=[], follows=[ACME, LYON]), form)  # a lenient reader: each step follows
    assert [event.follows for event in found.events if isinstance(event, DeductionsVerified)] == [(0,), (0,)]
    assert found.answer.text == "Lyon"


def test_calls_of_the_papers_form() -> None:
    """D (m + 1) + C calls where each candidate is verified, N·D + D + C where what was chosen is (appendix C)."""

    def longest(settings: GuidedSettings) -> int:
        edges = [(f"n{a}", f"r{b}", f"n{b}") for a in range(12) for b in range(12) if a != b]

        class First(Guide):
            def __call__(self, request: ModelRequest) -> str:
                if step_of(request) == "select":
                    return json.dumps({"chosen": list(lines(request))[:4]})
                return super().__call__(request)

        made = Asked(First(plan=PLAN, follows=[]), settings, edges=edges, question="Where does n0 lead?")
        assert all((request.temperature, request.top_p) == (0.3, 1.0) for request in made.model.requests)
        assert all(len(request.messages) == 12 for request in made.model.requests), "5 demonstrations"
        return made.answer.usage.model_calls

    n, d, m, c = 4, 4, 30, 2
    first = 22  # the first round has no more: 11 neighbours, there and back
    assert longest(GuidedSettings.paper()) == first + (d - 1) * m + d + c
    assert longest(GuidedSettings.paper(verified="chosen")) == n * (d - 1) + d + c  # at depth D nothing is left to stop


def test_nothing_is_cut_or_shared_among_mentions() -> None:
    """50 steps from one mention, all better than those from the other, fill all 40 places."""
    near = [("pump", "supplier", f"firm {n:02}") for n in range(50)]
    far = [("engine", "colour", "red"), ("engine", "part of", "car")]
    made = Asked(
        guide(select=["pump —supplier→ firm 00"], follows=[]),
        GuidedSettings.paper(retrieved=1, shown=40, depth=1),
        edges=[*near, *far],
        question="Which firm supplies the pump of the engine?",
    )
    shown = next(shown for step, shown in made.calls if step == "select")
    assert len(shown) == 40
    assert all(line.startswith("pump —supplier→ firm") for line in shown)


def test_exploration_lists_every_step_that_leads_on() -> None:
    """As Think-on-Graph does: more than is shown of scored candidates, unscored, at every depth."""
    edges = [*(("pump", "supplier", f"firm {n:02}") for n in range(50)), ("firm 07", "based in", "Lyon")]
    for form in (GuidedSettings.paper(candidates="explore"), GuidedSettings(candidates="explore", reader=False)):
        made = Asked(
            guide(select=["pump —supplier→ firm 07", "pump —supplier→"], follows=[]),
            replace(form, verifier="none", depth=2),
            edges=edges,
        )
        first, second = (shown for step, shown in made.calls if step == "select")
        assert len(first) == (50 if form.unit == "entity" else 1)
        assert all(score == 0 for some in made.kept for _, score in some)
        if form.unit == "relation":
            assert any("—based in→ Lyon" in line for line in second), "from the 8th of 50 firms"


def test_the_answer_is_where_the_chosen_paths_end() -> None:
    """Of three suppliers over one relation those whose paths were chosen; our form answers with all."""
    edges = [("pump", "supplier", "Acme"), ("pump", "supplier", "Bolt"), ("pump", "supplier", "Cog")]
    chosen = ["pump —supplier→ Acme", "pump —supplier→ Cog"]
    made = Asked(guide(select=chosen, follows=chosen), edges=edges)
    assert labels(made.answer) == {"Acme", "Cog"}
    assert made.report.exit_code == 0
    ours = Asked(guide(select=["pump —supplier→"], follows=["pump —supplier→"]), GuidedSettings(), edges=edges)
    assert labels(ours.answer) == {"Acme", "Bolt", "Cog"}


def test_the_defaults_that_the_paper_states() -> None:
    form = method_class("fidelis").forms()["paper"]
    stated = (form.beam_width, form.depth, form.alpha, form.temperature, form.top_p, form.demonstrations)
    assert stated == (4, 4, 0.3, 0.3, 1.0, 5)
