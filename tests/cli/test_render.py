"""Answers with their proofs on consoles of several widths and encodings."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from rich.console import Console

from toulmin.cli.render import AnswerPrinter, print_report
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Direction, Entity, Literal, Qualifier, Relation, Statement
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import check
from toulmin.proof.operators.paths import Constraint, Hop, PathEnds
from toulmin.proof.operators.sets import Count
from toulmin.proof.operators.times import RestrictTime

LONG = "The Fabulous Baron Munchausen, or How to Build a Film Title That Does Not Fit on One Line of Eighty Columns"
DIRECTED, GENRE, AWARD = (
    Relation("r:directed", "directed by"),
    Relation("r:genre", "genre"),
    Relation("r:award", "award"),
)
POINT = Relation("r:point", "point in time")
HU, DRAGON, PRIZE, DRAMA = (
    Entity("e:hu", "胡金銓"),
    Entity("e:dragon", "龍門客棧"),
    Entity("e:prize", "Prize"),
    Entity("e:d", "Drama"),
)
FILMS = [DRAGON, Entity("e:long", LONG), *(Entity(f"e:z{n:02}", f"Film {n}") for n in range(20))]


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    year = Literal("1967", "time")
    statements = [Statement(film, DIRECTED, HU) for film in FILMS]
    statements += [Statement(film, GENRE, DRAMA) for film in FILMS[:2]]
    statements.append(Statement(HU, AWARD, PRIZE, (Qualifier(POINT, year),)))
    return MemoryGraph.from_statements(statements)


def made(
    question: str,
    graph: MemoryGraph,
    start: Entity,
    hops: Sequence[tuple[Relation, Direction]],
    *,
    genre: Entity | None = None,
    year: str | None = None,
    count: bool = False,
    abstain: str | None = None,
) -> Answer:
    """An answer of the pattern from the start entity, whose label is in the question."""
    builder = ProofBuilder(question, graph)

    def link(entity: Entity) -> str:
        label = entity.label or ""
        at = question.index(label)
        return builder.add_link(at, at + len(label), entity, label, 1.0, "exact")

    pattern = tuple(Hop(relation=relation, direction=direction) for relation, direction in hops)
    constraints = (Constraint(position=1, relation=GENRE, direction="forward", entity=link(genre)),) if genre else ()
    of = builder.add_computation("path_ends", PathEnds(start=(link(start),), pattern=pattern, constraints=constraints))
    if year:
        time = Literal(year, "time")
        window = RestrictTime(of=of, first=time, last=time, starts=(), ends=(), points=(POINT,))
        of = builder.add_computation("restrict_time", window)
    if count:
        of = builder.add_computation("count", Count(of=of))
    reading = builder.add_reading(of, by="embedder", score=0.5, decision="no" if abstain else "yes")
    if abstain:
        return builder.answer(builder.abstain(abstain, of, reading), method="by hand")
    proof = builder.conclude(of, reading, *builder.add_witnesses(of), confidence=0.75)
    return builder.answer(proof, method="by hand")


def printed(answer: Answer, graph: MemoryGraph, *, width: int = 80, everything: bool = False) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    AnswerPrinter(console, answer, everything=everything).print(check(answer, graph))
    return stream.getvalue().splitlines()


def test_a_path_is_drawn_with_the_arrow_of_a_backward_relation_reversed(graph: MemoryGraph) -> None:
    answer = made("who made 龍門客棧?", graph, DRAGON, [(DIRECTED, "forward")])
    assert "Path        龍門客棧 ──directed by──▶ 胡金銓" in printed(answer, graph)
    backward = made("films by 胡金銓?", graph, HU, [(DIRECTED, "backward")])
    assert "Paths       胡金銓 ◀──directed by── 龍門客棧" in printed(backward, graph, everything=True)
    assert "Computed    [s2] every ?1 of 胡金銓 ◀──directed by── ?1" in printed(backward, graph)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("everything", [False, True])
def test_nothing_is_wider_than_the_console(graph: MemoryGraph, width: int, everything: bool) -> None:
    answer = made("films by 胡金銓?", graph, HU, [(DIRECTED, "backward")])
    lines = printed(answer, graph, width=width, everything=everything)
    assert max(cell_len(line) for line in lines) <= width
    assert all(line == line.rstrip() for line in lines)
    words = " ".join(line.strip() for line in lines)
    assert LONG in words
    assert "龍門客棧" in words


def test_long_lists_are_capped_unless_all_is_asked_for(graph: MemoryGraph) -> None:
    answer = made("films by 胡金銓?", graph, HU, [(DIRECTED, "backward")])
    few, everything = printed(answer, graph), printed(answer, graph, everything=True)
    assert [line.strip() for line in few if "more (--all" in line] == [
        "… and 12 more (--all shows them)",
        "… and 17 more (--all shows them)",
        "… and 12 more (--all shows them)",
    ]
    assert not [line for line in everything if "--all" in line]
    assert sum("◀──directed by──" in line for line in everything) == len(FILMS) + 1
    assert "            22 answers, confidence 0.75, method by hand" in few


def test_statements_come_with_their_qualifiers(graph: MemoryGraph) -> None:
    answer = made("what did 胡金銓 win in 1967?", graph, HU, [(AWARD, "forward")], year="1967")
    lines = printed(answer, graph)
    assert any("胡金銓 ──award──▶ Prize  (point in time: 1967)" in line for line in lines)
    assert "            [s3] restrict time of s2 to 1967 (at point in time): Prize" in lines


def test_constraints_counts_and_links_are_shown(graph: MemoryGraph) -> None:
    answer = made("how many Drama by 胡金銓?", graph, HU, [(DIRECTED, "backward")], genre=DRAMA, count=True)
    lines = printed(answer, graph)
    assert "            “胡金銓” is 胡金銓 ⟨e:hu⟩ (its name)" in lines
    assert "Answer      at least 2" in lines
    assert "                 where ?1 ──genre──▶ Drama" in lines
    assert "            [s4] count of s3: at least 2" in lines


def test_an_abstention_says_what_is_missing_and_what_was_tried(graph: MemoryGraph) -> None:
    answer = made("budget of 胡金銓?", graph, HU, [(AWARD, "forward")], abstain="no relation means 'budget'")
    lines = printed(answer, graph)
    assert "Answer      Not answerable from this graph: no relation means 'budget'" in lines
    assert "Judged      that s2 is what the question asks for: no (by embedder, 0.50)" in lines


def test_what_fails_is_shown_with_its_reason(graph: MemoryGraph) -> None:
    answer = made("who made 龍門客棧?", graph, DRAGON, [(DIRECTED, "forward")])
    altered = Answer.from_json(answer.to_json().replace("directed by", "written by"))
    lines = printed(altered, graph)
    assert "            does not pass" in lines
    assert any("(fact) fails: " in line for line in lines)
    stream = io.StringIO()
    print_report(Console(file=stream, width=80), check(altered, graph))
    assert "fails" in stream.getvalue()


def test_the_report_of_a_long_proof_shows_what_is_weak_first(graph: MemoryGraph) -> None:
    answer = made("films by 胡金銓?", graph, HU, [(DIRECTED, "backward")])
    report = check(answer, graph)
    stream = io.StringIO()
    print_report(Console(file=stream, width=80), report)
    lines = stream.getvalue().splitlines()
    assert "  s3   judgement    judged       embedder says yes (0.50)" in lines
    assert f"  … and {len(report.steps) - 1} more (--all shows them)" in lines
    stream = io.StringIO()
    print_report(Console(file=stream, width=80), report, everything=True)
    assert sum(line.startswith("  s") for line in stream.getvalue().splitlines()) == len(report.steps)


def test_a_console_without_unicode_gets_arrows_of_its_own(graph: MemoryGraph) -> None:
    answer = made("films by 胡金銓?", graph, HU, [(DIRECTED, "backward")])
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="backslashreplace")
    AnswerPrinter(Console(file=stream, width=100), answer, everything=True).print()
    stream.flush()
    text = raw.getvalue().decode("ascii")
    assert "<--directed by-- Film 3" in text
    assert "Film 3 --directed by--> " in text


def test_colours_are_left_out_on_request(graph: MemoryGraph) -> None:
    answer = made("who made 龍門客棧?", graph, DRAGON, [(DIRECTED, "forward")])
    shown = {}
    for no_color in (False, True):
        stream = io.StringIO()
        console = Console(file=stream, width=80, force_terminal=True, color_system="standard", no_color=no_color)
        AnswerPrinter(console, answer).print()
        shown[no_color] = stream.getvalue()
    assert "\x1b[1;32m胡金銓" in shown[False]
    assert "\x1b[1m胡金銓" in shown[True]
    assert ";32m" not in shown[True]
