"""``r3:paper`` against numbers and truth tables worked out from eqs. 2 to 5 of papers/r3, on a graph of ten statements.

The cosines of the statements with the axiom are those of the table; vectors have unit length, so that the Euclidean
distance of eq. 4 is √(2 − 2 cos): 0.45 for 0.90, 0.63 for 0.80, 1.00 for 0.50, 1.34 for 0.10, in the same order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scripted_r3 import answer_of, asked, model, nodes_of, number_of, steps_of, surfaced
from tabled_vectors import TabledEmbedder, graph_of

import toulmin
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.protocol import Event, QuestionContext
from toulmin.methods.r3 import ABLATIONS, R3, R3Settings
from toulmin.methods.r3.axioms.language import axiom_in_words
from toulmin.methods.r3.outcomes import StatementsKept
from toulmin.program.answer import Answer
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import statement_words

QUESTION = "Is the drill safe in the rain?"
AXIOM = "A tool is safe in the rain if it is sealed and runs on a battery."
PREMISES = ("The drill is sealed.", "The drill runs on a battery.")
STATEMENTS = {
    ("drill", "made by", "Acme"): 0.90,
    ("drill", "made by", "Bolt"): 0.80,
    ("drill", "protection", "none"): 0.50,
    ("drill", "image", "a photograph"): 0.30,  # it only files a thing
    ("drill", "weight", "heavy"): 0.10,
    ("drill", "made by", "Cog"): 0.05,
    ("shed", "holds", "drill"): 0.95,  # not outgoing
    ("Acme", "product line", "indoor"): 0.60,
    ("Acme", "seat", "Lyon"): 0.40,
    ("Acme", "motto", "onward"): 0.20,
}
PAPER = replace(ABLATIONS["paper"], k=2, facts=0, breadth=1)


class Asked:
    """A run with the cosines of the table."""

    def __init__(self, scripted: ScriptedModel, settings: R3Settings = PAPER) -> None:
        self.model = scripted
        self.embedder = TabledEmbedder(AXIOM, {f"({', '.join(one)})": cosine for one, cosine in STATEMENTS.items()})
        with graph_of(tuple(STATEMENTS)) as graph:
            context = QuestionContext(graph, Retriever(graph, embedder=self.embedder), scripted)

            async def collected() -> list[Event]:
                return [event async for event in R3(settings).run(toulmin.Request(QUESTION), context)]

            self.events = asyncio.run(collected())
            self.report = self.answer.check(graph)

    @property
    def answer(self) -> Answer:
        return answer_of(self.events)

    @property
    def retrieved(self) -> list[list[tuple[str, ...]]]:
        """The statements that each look-up added, in their order."""
        seen = [event for event in self.events if isinstance(event, StatementsKept)]
        return [[statement_words(one) for one in event.statements] for event in seen]

    def lists(self, step: str) -> list[list[tuple[str, ...]]]:
        """The statements that each prompt of a step showed."""
        shown = [asked(request) for request in self.model.requests if request.step == f"r3/{step}"]
        inside = [prompt.split("<statements>\n")[1].split("\n</statements>")[0] for prompt in shown]
        return [[tuple(line.partition("] ")[2].split(" | ")) for line in some.splitlines()] for some in inside]


def judging(*decisions: str) -> Callable[[str], Any]:
    """Judges each premise by the first statement."""

    def judge(prompt: str) -> dict[str, Any]:
        said = [
            {"clause": f"c{number}", "decision": decision, "statements": [number_of(prompt, "drill")], "score": 1.0}
            for number, decision in enumerate(decisions, 1)
        ]
        return {"judgements": said}

    return judge


def words(join: str | None = None) -> dict[str, Any]:
    return surfaced({"text": AXIOM, "premises": list(PREMISES)} | ({"join": join} if join else {}))


def test_equation_4_keeps_the_top_k_and_what_the_model_picks() -> None:
    def pick(prompt: str) -> dict[str, Any]:
        return {"statements": [number_of(prompt, "protection")]}

    made = Asked(model(words=words(), pick=pick, judge=judging("no", "unknown")))
    # 0.90 and 0.80 are the top 2; the others stand before the model in the order 0.50, 0.30, 0.10, 0.05
    assert made.lists("pick") == [
        [
            ("drill", "protection", "none"),
            ("drill", "image", "a photograph"),
            ("drill", "weight", "heavy"),
            ("drill", "made by", "Cog"),
        ]
    ]
    kept = [("drill", "made by", "Acme"), ("drill", "made by", "Bolt"), ("drill", "protection", "none")]
    assert made.lists("judge") == [kept]
    assert made.retrieved == [kept]
    assert made.answer.verdict is False


def test_equation_4_is_asked_of_the_axiom_alone() -> None:
    made = Asked(model(words=words(), missing={"need": "who made it", "entity": 1}))
    assert AXIOM in made.embedder.embedded
    queries = {text for text in made.embedder.embedded if any(part in text for part in (*PREMISES, "who made it"))}
    assert queries == set()
    ours = Asked(
        model(words=words(), missing={"need": "who made it", "entity": 1}),
        R3Settings(axiom="words", pruning="similarity", k=2, breadth=1),
    )
    assert f"{AXIOM}; {'; '.join(PREMISES)}" in ours.embedder.embedded


def test_the_euclidean_order_is_that_of_the_cosines() -> None:
    """sim of eq. 4 over the table: ‖t − I‖ = √(2 − 2 cos)."""
    embedder = TabledEmbedder(AXIOM, {" ".join(one): cosine for one, cosine in STATEMENTS.items()})
    axiom, *vectors = embedder.embed([AXIOM, *map(" ".join, STATEMENTS)])
    distances = [float(np.linalg.norm(vector - axiom)) for vector in vectors]
    assert distances == pytest.approx([np.sqrt(2 - 2 * cosine) for cosine in STATEMENTS.values()], abs=1e-6)
    assert distances[:2] == pytest.approx([0.4472, 0.6325], abs=1e-4)


def test_what_ours_adds_to_equation_4() -> None:
    """A third maker beside two; five or fewer without asking; no image. None of it in the paper's form (above)."""
    made = Asked(
        model(words=words()), R3Settings(axiom="words", pruning="similarity", k=2, facts=0, breadth=1, depth=0)
    )
    assert "pick" not in steps_of(made.model)
    shown = made.retrieved[0]
    assert ("drill", "made by", "Cog") in shown
    assert ("drill", "image", "a photograph") not in shown


def test_equation_2_takes_outgoing_statements() -> None:
    made = Asked(model(words=words()))
    assert ("shed", "holds", "drill") not in [one for some in (*made.retrieved, *made.lists("pick")) for one in some]


def test_missing_evidence_is_pruned_by_the_axiom_for_its_entity() -> None:
    """Section 3.2.5: Acme joins E, and the top 2 of its statements by the axiom are 0.60 and 0.40."""

    def missing(prompt: str) -> dict[str, Any]:
        return {"need": "what its maker makes", "entity": number_of(prompt, "Acme", block="entities")}

    made = Asked(model(words=words(), missing=missing), replace(PAPER, depth=1))
    assert made.retrieved[1] == [("Acme", "product line", "indoor"), ("Acme", "seat", "Lyon")]
    assert made.lists("pick")[1] == [("Acme", "motto", "onward")], (
        "a single one is not shown without the model's choice"
    )


@pytest.mark.parametrize(
    ("join", "decisions", "verdict"),
    [
        # eq. 3 is a conjunction: yes where all premises are satisfied, no where one is not (section 3.2.4)
        (None, ("yes", "yes"), True),
        ("and", ("yes", "no"), False),
        ("and", ("unknown", "no"), False),
        ("and", ("yes", "unknown"), None),
        # a disjunction: yes as soon as one of them is satisfied, no where none can be
        ("or", ("yes", "unknown"), True),
        ("or", ("no", "yes"), True),
        ("or", ("no", "no"), False),
        ("or", ("no", "unknown"), None),
    ],
)
def test_premises_are_a_conjunction_or_a_disjunction(
    join: str | None, decisions: tuple[str, str], verdict: bool | None
) -> None:
    made = Asked(model(words=words(join), judge=judging(*decisions)), replace(PAPER, depth=0))
    assert made.answer.verdict is verdict
    assert made.answer.abstained is (verdict is None)
    assert made.report.exit_code == 0
    prompt = asked(next(request for request in made.model.requests if request.step == "r3/judge"))
    assert ("Any one of these is enough:" in prompt) is (join == "or")
    (rule,) = nodes_of(made.answer, "rule")
    assert made.answer.certificate["program"][rule["of"]]["op"] == ("or" if join == "or" else "and")
    assert sorted(node["decision"] for node in nodes_of(made.answer, "judged")) == sorted(decisions)


def test_a_disjunction_of_one_premise_is_that_premise() -> None:
    assert axiom_in_words("A rule.", ("It is so.",), join="or").formula == ""
    assert axiom_in_words("A rule.", ("It is.", "It was."), join="or").formula == "c1 or c2"


@pytest.mark.parametrize("window", [1, 7, 13, 20, 26, 33, 40, 2000])
def test_truncation_fills_the_context(window: int) -> None:
    """Table 7: as many of the first statements as fit into the window (4 bytes a token), and no choice of a model's."""
    made = Asked(model(words=words()), replace(ABLATIONS["truncation"], window=window, facts=0, breadth=1, depth=0))
    with graph_of(tuple(STATEMENTS)) as graph:
        every = [statement_words(one) for one in graph.statements(["id:drill"], side="outgoing")[0]]
    sizes = [len(f"[{n}] {' | '.join(one)}\n".encode()) for n, one in enumerate(every, 1)]
    fitting = sum(sum(sizes[: n + 1]) <= 4 * window for n in range(len(sizes)))
    assert {1: 0, 2000: 6}.get(window, fitting) == fitting
    assert made.retrieved == [every[:fitting]]
    assert "pick" not in steps_of(made.model)


def test_the_defaults_that_the_paper_states() -> None:
    paper = ABLATIONS["paper"]
    assert (paper.depth, paper.side, paper.pruning, paper.axiom) == (2, "outgoing", "similarity", "words")
    assert [ABLATIONS[f"depth {depth}"].depth for depth in (0, 1, 3)] == [0, 1, 3]
    assert paper.options_at_once == 1  # option after option, until one satisfies all premises
