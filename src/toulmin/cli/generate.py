"""The command that draws open-ended questions from a graph: generate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import error_console, print_json, progress, result_console
from toulmin.cli.graphs import Kg, opened
from toulmin.cli.models import NO_MODEL, ModelChoice, PricedModel, replies_beside
from toulmin.cli.options import Json, takes_groups
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.evaluation.generation.generating import Generator

__all__ = ["generate"]

_TOLD = 5  # candidates that were left out, told in full
_BARREN = "the graph bears no question of these types: docs/okgqa.md says what each of them needs"
_REPLY = 80  # tokens of a reply, where an estimate is asked for


@takes_groups
def generate(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The questions, as JSON lines; an unfinished set goes on.")],
    n: Annotated[int, typer.Option(min=1, metavar="N", help="How many questions.")] = 50,
    kg: Kg = None,
    types: Annotated[
        str | None, typer.Option(metavar="A,B", help="Types of questions; default: all ten (docs/okgqa.md).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Of the order of entities.")] = 0,
    least: Annotated[
        int, typer.Option(min=1, max=10, metavar="1-10", help="Least score of each axis; 1 keeps all.")
    ] = 4,
    instruction: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For writing; of `toulmin questions tune`.")
    ] = None,
    scoring: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For scoring; of `toulmin questions tune`.")
    ] = None,
    choice: PricedModel = NO_MODEL,
    calls: Annotated[int | None, typer.Option("--budget-calls", min=0, metavar="N", help="Calls in all.")] = None,
    cost: Annotated[float | None, typer.Option("--budget-cost", min=0, metavar="X", help="Money in all.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, metavar="N", help="Questions written at a time.")] = 4,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what that takes; ask no model.")
    ] = False,
    json: Json = False,
) -> None:
    """Write open-ended questions about the entities of a graph, with a model (OKGQA).

    Code picks entities that can bear a type of question; the model sees their statements and writes; a question is
    kept whose names are linked back to its entities, that scores well enough and is no near-duplicate. Replies are
    kept in FILE.replies: the same command goes on where it was stopped.

    \b
    Example:
      toulmin generate --kg bundled --n 50 --model openai:NAME --out questions.jsonl
    """
    import asyncio

    from toulmin.evaluation.generation.candidates import types_named
    from toulmin.evaluation.generation.generating import (
        GenerationSettings,
        Generator,
        LeftOut,
        shortfall,
        write_set,
    )
    from toulmin.evaluation.generation.question_file import Record as Question
    from toulmin.evaluation.generation.writing import Instructions, Writer
    from toulmin.llm.budget import BudgetedModel
    from toulmin.retrieval.statement_words import node_words

    settings = GenerationSettings(n, types_named(types.split(",") if types else []), seed, least=least)
    instructions = Instructions.read(write=instruction, score=scoring)
    cache = choice.cache if choice.replay is not None else replies_beside(out, choice)
    choice = replace(choice, cache=cache, budget_calls=calls, budget_cost=cost)
    budget = choice.budget()
    with opened(kg) as graph, progress() as tell:
        if dry_run:
            _plan(Generator(graph, None, settings), choice, json=json)
            return
        model = choice.open(concurrency=concurrency)
        if model is None:
            raise SettingsError("questions are written by a language model: give one by --model, or --dry-run")
        budgeted = BudgetedModel(model, budget) if budget else model
        generator = Generator(graph, Writer(budgeted, instructions), settings)
        done = 0

        def advance(outcome: Question | LeftOut) -> None:
            nonlocal done
            done += not isinstance(outcome, LeftOut)
            tell(done, n, "writing questions")

        async def written() -> tuple[list[Question], list[LeftOut]]:
            try:
                return await write_set(generator, out, concurrency, advance)
            finally:
                await model.close()

        try:
            questions, left_out = asyncio.run(written())
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted; {out} has what is written, and the same command goes on") from None
    if not questions and not left_out:
        raise SettingsError(_BARREN)
    short = shortfall(settings, questions)
    if json:
        outs = [
            {"type": o.candidate.type.name, "entities": [e.id for e in o.candidate.entities], "why": o.why}
            for o in left_out
        ]
        print_json({"kept": len(questions), "fewer": short, "left_out": outs})
    else:
        notes = error_console()
        for loss in left_out[:_TOLD]:
            names = ", ".join(map(node_words, loss.candidate.entities))
            notes.print(f"left out: {loss.candidate.type.name} of {names}: {loss.why}", soft_wrap=True)
        result_console().print(
            f"{len(questions)} questions in {out}; {len(left_out)} candidates left out", soft_wrap=True
        )
        for name, count in short.items():
            result_console().print(f"{name}: {count} fewer than its share")
    if not questions:
        raise typer.Exit(1)


def _plan(generator: Generator, choice: ModelChoice, *, json: bool) -> None:
    """Tell what would be asked: candidates by type, calls, tokens (estimated at four characters each), cost."""
    from collections import Counter

    from toulmin.evaluation.generation.writing import Instructions

    planned = generator.planned()
    if not planned:
        raise SettingsError(_BARREN)
    counts = Counter(candidate.type.name for candidate in planned)
    fixed = {name: Instructions().prompt(name) for name in ("write", "score")}
    overhead = sum(len(p.system) + sum(map(len, sum(p.demonstrations, ()))) for p in fixed.values())
    shown = [len("".join(generator.values(candidate).values())) for candidate in planned]
    tokens = sum(overhead + 2 * length for length in shown) // 4
    plan = {
        "questions": len(planned),
        "by_type": dict(sorted(counts.items())),
        "calls": 2 * len(planned),
        "prompt_tokens": tokens,
        "completion_tokens": 2 * _REPLY * len(planned),
    }
    if (prices := choice.price_list()) is not None:
        plan["cost"] = round(prices.of(tokens, 2 * _REPLY * len(planned)), 4)
    if json:
        print_json(plan)
        return
    console = result_console()
    for name, count in sorted(counts.items()):
        console.print(f"{count:6,}  {name}")
    console.print(
        f"{len(planned)} questions: {plan['calls']} calls or more (what is left out is written anew), "
        f"about {tokens:,} prompt tokens" + (f", cost about {plan['cost']}" if "cost" in plan else "")
    )
