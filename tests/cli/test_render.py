"""Answers, with what the kernel found of them, on consoles of several widths and encodings."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from toulmin.cli.options import SHOWN
from toulmin.cli.render import print_answer, print_checked
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.nodes import Window
from toulmin.program.reasons import Nothing

LONG = "The Fabulous Baron Munchausen, or How to Build a Title Too Long for a Line of Eighty Columns"
DIRECTED, GENRE, AWARD, MADE = (
    Relation("r:directed", "directed by"),
    Relation("r:genre", "genre"),
    Relation("r:award", "award"),
    Relation("r:made", "made in"),
)
POINT = Relation("r:point", "point in time")
HU, DRAGON, PRIZE, DRAMA = (
    Entity("e:hu", "胡金銓"),
    Entity("e:dragon", "龍門客棧"),
    Entity("e:prize", "Prize"),
    Entity("e:d", "Drama"),
)
FILMS = [DRAGON, Entity("e:long", LONG), *(Entity(f"e:z{n:02}", f"Film {n}") for n in range(20))]
YEAR = Literal("1967", "time")


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    statements = [Statement(film, DIRECTED, HU) for film in FILMS]
    statements += [Statement(film, GENRE, DRAMA) for film in FILMS[:2]]
    statements += [Statement(film, MADE, Literal(str(1960 + n), "time")) for n, film in enumerate(FILMS)]
    statements.append(Statement(HU, AWARD, PRIZE, (Qualifier(POINT, YEAR),)))
    return MemoryGraph.from_statements(statements)


def made(question: str, graph: MemoryGraph, start: Entity, program: Callable[[Builder, int], int]) -> Answer:
    """What a program yields from an entity whose label is in the question; an abstention where it is nothing."""
    builder, label = Builder(question, graph), start.label or ""
    at = question.index(label)
    place = program(builder, builder.entity(start, (at, at + len(label)), label))
    told: dict[str, Any] = {"by": "embedder", "score": 0.5, "method": "by hand", "confidence": 0.75}
    if not builder.nodes(place):
        return builder.abstain(Nothing(of=place), tried=(place,), **told)
    return builder.answer(place, **told)


def films(graph: MemoryGraph) -> Answer:
    return made("films by 胡金銓?", graph, HU, lambda b, it: b.follow(it, DIRECTED, "backward"))


def maker(graph: MemoryGraph) -> Answer:
    return made("who made 龍門客棧?", graph, DRAGON, lambda b, it: b.follow(it, DIRECTED))


def printed(answer: Answer, graph: MemoryGraph, *, width: int = 80, everything: bool = False) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    report = answer.check(graph, shown=1_000 if everything else SHOWN)
    print_answer(console, answer, report, everything=everything)
    return stream.getvalue().splitlines()


def words(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def test_the_question_the_reading_the_answer_the_program_and_the_check_are_shown(graph: MemoryGraph) -> None:
    lines = printed(maker(graph), graph)
    assert lines[:6] == [
        "Question      who made 龍門客棧?",
        "Read as       the directed by of 龍門客棧  (judged by “embedder”, 0.50)",
        "",
        "Answer        胡金銓",
        "              confidence 0.75, method by hand",
        "",
    ]
    assert lines[6:9] == [
        "Program       [0] holds        “龍門客棧” is 龍門客棧 ⟨e:dragon⟩",
        "                  its name",
        "              [1] recomputed   the directed by of 龍門客棧",
    ]
    assert lines[9].startswith("                  龍門客棧 — directed by → 胡金銓 [")
    assert lines[11].startswith("Checked       graph 0, which the certificate calls “memory”: held against the")
    assert lines[-1] == "              passes: judged"


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("everything", [False, True])
def test_nothing_is_wider_than_the_console(graph: MemoryGraph, width: int, everything: bool) -> None:
    lines = printed(films(graph), graph, width=width, everything=everything)
    assert max(cell_len(line) for line in lines) <= width
    assert all(line == line.rstrip() for line in lines)
    assert LONG in words(lines)
    assert "龍門客棧" in words(lines)


def test_long_lists_are_capped_unless_all_is_asked_for(graph: MemoryGraph) -> None:
    few, everything = (printed(films(graph), graph, everything=asked) for asked in (False, True))
    assert words(few).count("… and 12 more") == 2  # of the answer, and of the statements
    assert "more" not in words(everything)
    assert words(everything).count("— directed by → 胡金銓") == len(FILMS)
    assert "22 answers, confidence 0.75, method by hand" in words(few)


def test_values_are_told_as_people_write_them(graph: MemoryGraph) -> None:
    years = made("years of 胡金銓?", graph, HU, lambda b, it: b.follow(b.follow(it, DIRECTED, "backward"), MADE))
    few, everything = (printed(years, graph, everything=asked) for asked in (False, True))
    assert "Answer        1960 · 1961 · 1962" in "\n".join(few)
    assert "              … and 12 more (--all shows them)" in few
    assert "1981" in words(everything)


def test_statements_come_with_their_qualifiers(graph: MemoryGraph) -> None:
    window = Window(from_=YEAR, to=YEAR, point=(POINT.id,))
    answer = made("what did 胡金銓 win in 1967?", graph, HU, lambda b, it: b.follow(it, AWARD, window=window))
    shown = words(printed(answer, graph))
    assert "胡金銓 — award → Prize (point in time: 1967) [" in shown
    assert "1967" in shown.partition("Answer")[0].partition("Read as")[2]


def test_counts_and_restrictions_are_shown_and_variables_have_no_line(graph: MemoryGraph) -> None:
    def dramas(builder: Builder, it: int) -> int:
        drama = builder.entity(DRAMA, (9, 14), "Drama")
        made = builder.follow(it, DIRECTED, "backward")
        return builder.count(builder.where(made, lambda film: builder.compare("=", builder.follow(film, GENRE), drama)))

    lines = printed(made("how many Drama by 胡金銓?", graph, HU, dramas), graph)
    assert "Answer        at least 2" in lines
    shown = words(lines)
    assert "“Drama” is Drama ⟨e:d⟩ its name" in shown
    assert "the number of" in shown and "the genre of it = Drama" in shown
    assert not [line for line in lines if line.endswith((" recomputed   it", " recomputed   X1"))]


def test_a_word_alone_is_told_and_what_saw_a_statement_is_not(graph: MemoryGraph) -> None:
    builder = Builder("Did King Hu direct it?", graph)
    told: dict[str, Any] = {"by": "reader", "score": 1.0}
    alone = builder.judged("it", decision="yes", **told)
    assert "nothing in the graph was cited" in words(printed(builder.answer(alone, method="by hand", **told), graph))
    seen = builder.judged("it", decision="yes", seen=[builder.statement(Statement(DRAGON, DIRECTED, HU))], **told)
    assert "cited" not in words(printed(builder.answer(seen, method="by hand", **told), graph))


def test_an_abstention_says_what_is_missing_and_what_was_tried(graph: MemoryGraph) -> None:
    answer = made("genre of 胡金銓?", graph, HU, lambda b, it: b.follow(it, GENRE))
    assert answer.abstained
    shown = words(printed(answer, graph))
    assert "Read as the genre of 胡金銓 (judged by “embedder”, 0.50) Answer Not answerable from this graph: " in shown
    assert "the genre of 胡金銓" in shown.partition("Not answerable")[2]


def test_what_fails_is_shown_with_its_reason(graph: MemoryGraph) -> None:
    stored = json.loads(maker(graph).to_json())
    stored["answer"]["values"] = [PRIZE.id]
    stored["trace"]["labels"] = {PRIZE.id: "胡金銓"}  # what it says of its own labels is not shown
    lines = printed(Answer(stored), graph)
    assert "Answer        Prize" in lines
    assert lines[-2:] == [
        "              the answer is not what follows from the program",
        "              does not pass: fails",
    ]
    other = MemoryGraph.from_statements([Statement(DRAGON, GENRE, DRAMA)])
    assert printed(maker(graph), other)[-1] == "              does not pass: stale"


def test_the_sentences_of_a_text_come_with_their_verdicts_and_claims(graph: MemoryGraph) -> None:
    text = "胡金銓 won a Prize. He was tall. He directed Heat and 龍門客棧. Was he?"
    builder = Builder(text, graph)
    hu = builder.entity(HU, (0, 3), "胡金銓")
    prize = builder.entity(PRIZE, (text.index("Prize"), text.index("Prize.") + 5), "Prize")
    dragon = builder.entity(DRAGON, (text.index("龍"), text.index("棧") + 1), "龍門客棧")
    (won,), (directed,) = (
        graph.statements([HU.id], side="outgoing")[0],
        graph.statements([DRAGON.id], relations=[DIRECTED.id])[0],
    )
    told: dict[str, Any] = {"by": "a reader", "score": 0.9}
    claims = [
        builder.judged("胡金銓 won a Prize.", decision="yes", seen=[builder.statement(won), hu, prize], **told),
        builder.judged("He was tall.", decision="unknown", seen=[hu], **told),
        builder.judged("胡金銓 directed Heat.", decision="no", seen=[builder.statement(directed), hu], **told),
        builder.judged(
            "胡金銓 directed 龍門客棧.", decision="yes", seen=[builder.statement(directed), hu, dragon], **told
        ),
    ]
    ends = [text.index(mark) + len(mark) for mark in ("Prize.", "tall.", "龍門客棧.", "he?")]
    starts = [0, *(end + 1 for end in ends[:-1])]
    given = [claims[:1], claims[1:2], claims[2:], []]
    sentences = [
        (start, end, places, None if places else "a question")
        for start, end, places in zip(starts, ends, given, strict=True)
    ]
    answer = builder.text(sentences, method="by hand", **told)
    stream = io.StringIO()
    console = Console(file=stream, width=100, highlight=False, markup=False, emoji=False)
    print_checked(console, answer, answer.check(graph), heading="a")
    lines = stream.getvalue().splitlines()
    assert lines[:2] == ["[a]", "✓ 胡金銓 won a Prize.  supported 0.90"]
    assert "胡金銓 — award → Prize (point in time: 1967) [" in lines[2]
    assert lines[3:5] == ["? He was tall.  not in the graph 0.90", "    the graph does not say this of 胡金銓"]
    assert lines[5:7] == ["✗ He directed Heat and 龍門客棧.  contradicted 0.90", "    ✗ 胡金銓 directed Heat.  0.90"]
    assert lines[8] == "    ✓ 胡金銓 directed 龍門客棧.  0.90"
    assert lines[10:12] == ["– Was he?  not checked", "    a question"]
    assert lines[12].startswith("4 sentences, 4 facts: 1 supported, 1 contradicted, 1 not in the graph, 1 not checked")
    assert "its certificate checks" in words(lines[12:])


def test_a_console_without_unicode_tells_values_apart(graph: MemoryGraph) -> None:
    years = made("years of 胡金銓?", graph, HU, lambda b, it: b.follow(b.follow(it, DIRECTED, "backward"), MADE))
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="backslashreplace")
    print_answer(Console(file=stream, width=100), years, years.check(graph))
    stream.flush()
    assert "1960 | 1961 | 1962" in raw.getvalue().decode("ascii")


def test_colours_are_left_out_on_request(graph: MemoryGraph) -> None:
    answer, shown = maker(graph), {}
    report = answer.check(graph)
    for no_color in (False, True):
        stream = io.StringIO()
        console = Console(file=stream, width=80, force_terminal=True, color_system="standard", no_color=no_color)
        print_answer(console, answer, report)
        shown[no_color] = stream.getvalue()
    assert "\x1b[1;32m胡金銓" in shown[False]
    assert "\x1b[1m胡金銓" in shown[True]
    assert ";32m" not in shown[True]
