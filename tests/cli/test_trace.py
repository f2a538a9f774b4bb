"""Events as they are shown live, also those of methods that nobody here knows."""

from __future__ import annotations

import io

from rich.console import Console

from toulmin.cli.render import print_event
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.methods.protocol import Called, Event, WalkedPath
from toulmin.methods.r3.axioms.language import AxiomClause, Program
from toulmin.methods.r3.axioms.reasoning import ClauseResult

HEAT, MANN, DIRECTED = Entity("e:heat", "Heat"), Entity("e:mann", "Michael Mann"), Relation("r:d", "directed by")


class Told(Event):
    event: str = "told"
    axiom: Program
    path: WalkedPath
    statements: tuple[Statement, ...]
    entities: tuple[Entity, ...]
    clauses: tuple[ClauseResult, ...]
    call: Event
    numbers: tuple[int, ...]
    verdict: bool
    nothing: str | None = None


def printed(event: Event) -> list[str]:
    stream = io.StringIO()
    print_event(Console(file=stream, width=100), event)
    return stream.getvalue().splitlines()


def test_fields_are_shown_as_people_read_them() -> None:
    clause = AxiomClause(name="a", text="Heat has a director", op="words")
    event = Told(
        axiom=Program(text="Films are directed.", clauses=(clause,), direction="both"),
        path=WalkedPath(relations=((DIRECTED, "backward"),), score=0.5),
        statements=(Statement(HEAT, DIRECTED, MANN),) * 12,
        entities=(HEAT, MANN),
        clauses=(ClauseResult("a", "Heat has a director", None, "judged"),),
        call=Event(event="inner"),
        numbers=tuple(range(12)),
        verdict=True,
    )
    lines = printed(event)
    assert lines[:3] == ["told", "  axiom: Films are directed.", "  0.50  ◀──directed by── ?1"]
    assert lines.count("  Heat ──directed by──▶ Michael Mann") == 10
    assert "  … and 2 more statements" in lines
    assert "  entities: Heat; Michael Mann" in lines
    assert "  clauses: Heat has a director unknown (judged)" in lines
    assert '  call: {"event":"inner"}' in lines
    assert "  numbers: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9" in lines
    assert "  verdict: yes" in lines
    assert not [line for line in lines if "nothing" in line]


def test_a_call_says_what_it_cost_and_whether_it_was_of_use() -> None:
    call = Called(
        step="plan", prompt_tokens=1200, completion_tokens=7, seconds=0.25, called=False, problem=None, reply="{}"
    )
    assert printed(call) == ["asked the model for plan: 1,200 + 7 tokens, 0.25 s, from the cache or a replay", "  {}"]
    failed = call.model_copy(update={"called": True, "problem": "no JSON"})
    assert printed(failed)[1] == "  not usable: no JSON"
