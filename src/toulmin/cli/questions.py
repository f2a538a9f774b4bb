"""The commands about open-ended questions: generate, what a set is like, what people say of it, better instructions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from toulmin.cli.console import error_console, print_json, progress, result_console
from toulmin.cli.graphs import NO_GRAPH, KgAlone
from toulmin.cli.models import NO_MODEL, ModelAlone, ModelChoice, PricedModel, replies_beside
from toulmin.cli.options import Json, argument, flag, option, takes_groups
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from toulmin.evaluation.generation.generating import Generator
    from toulmin.llm.protocol import Model

__all__ = ["commands", "generate", "rate", "score", "sheet", "stats", "tune"]

T = TypeVar("T")
_TOLD = 5  # candidates that were left out, told in full
_BARREN = "the graph bears no question of these types: docs/okgqa.md says what each of them needs"
_REPLY = 80  # tokens of a reply, where an estimate is asked for

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look at a set of generated questions, take in what people say of it, and better its instructions.",
)


@takes_groups
def generate(
    out: Annotated[Path, option("FILE", "The questions, as JSON lines; an unfinished set goes on.")],
    n: Annotated[int, option("N", "How many questions.", min=1)] = 50,
    graph_choice: KgAlone = NO_GRAPH,
    types: Annotated[str | None, option("A,B", "Types of questions; default: all ten (docs/okgqa.md).")] = None,
    seed: Annotated[int, option("S", "Of the order of entities.", min=0)] = 0,
    least: Annotated[int, option("1-10", "Least score of each axis; 1 keeps all.", min=1, max=10)] = 4,
    instruction: Annotated[Path | None, option("FILE", "For writing; of `toulmin questions tune`.")] = None,
    scoring: Annotated[Path | None, option("FILE", "For scoring; of `toulmin questions tune`.")] = None,
    choice: PricedModel = NO_MODEL,
    calls: Annotated[int | None, option("N", "Calls in all.", "--budget-calls", min=0)] = None,
    cost: Annotated[float | None, option("X", "Money in all.", "--budget-cost", min=0)] = None,
    concurrency: Annotated[int, option("N", "Questions written at a time.", min=1)] = 4,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would be asked and what that takes; ask no model.")] = False,
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
    from toulmin.llm.session import BudgetedModel
    from toulmin.retrieval.statement_words import node_words

    settings = GenerationSettings(n, types_named(types.split(",") if types else []), seed, least=least)
    instructions = Instructions.read(write=instruction, score=scoring)
    choice = replace(choice, cache=replies_beside(out, choice), budget_calls=calls, budget_cost=cost)
    budget = choice.budget()
    with graph_choice.opened() as graph, progress() as tell:
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

        try:
            questions, left_out = _waited(model, write_set(generator, out, concurrency, advance))
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


def _waited(model: Model, work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; the model is closed at its end, in the same event loop."""
    from asyncio import run

    async def closing() -> T:
        try:
            return await work
        finally:
            await model.close()

    return run(closing())


def _plan(generator: Generator, choice: ModelChoice, *, json: bool) -> None:
    """Tell what would be asked: candidates by type, calls, tokens (estimated at four characters each), cost."""
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


_Instruction = StrEnum("_Instruction", {"write": "write", "score": "score"})
Questions = Annotated[Path, argument("FILE", "Questions of `toulmin generate`.")]


@commands.command()
def stats(
    questions: Questions,
    picture: Annotated[Path | None, option("FILE", "Draw the set into this .svg, .png or .pdf.")] = None,
    json: Json = False,
) -> None:
    """Say what a set is like: types, lengths, sub-graphs, scores, and how model and people agree.

    \b
    Example:
      toulmin questions stats questions.jsonl --picture questions.svg
    """
    from toulmin.evaluation.generation.describing import described, draw
    from toulmin.evaluation.generation.question_file import read_questions

    records = read_questions(questions)
    figures = described(records)
    if picture is not None:
        draw(records, picture)
    if json:
        print_json(figures)
        return
    from rich.table import Table

    console = result_console()
    words, sizes = figures["words"], figures["subgraph"]
    console.print(
        f"{figures['questions']} questions about {figures['entities']['distinct']} entities, {words['least']} to "
        f"{words['most']} words (mean {words['mean']:.1f}), each resting on {figures['rests_on']:.1f} statements"
    )
    if sizes:
        console.print(
            f"within two hops (medians): {sizes['nodes']:,g} nodes and {sizes['statements']:,g} statements; "
            f"after pruning {sizes['kept_nodes']:,g} and {sizes['kept_statements']:,g}"
        )
    for name in ("types", "groups", "difficulty", "naturalness"):
        console.print(f"{name}: " + ", ".join(f"{kind} {count}" for kind, count in figures[name].items()))
    table = Table("axis", "score by the model", "Pearson with people", "of the half kept back", box=None)
    for axis, score in figures["scores"].items():
        table.add_row(axis, *map(_words, (score, figures["pearson"].get(axis), figures["pearson_kept_back"].get(axis))))
    console.print(table)
    for kappa in figures["kappa"]:
        pair = Table(" & ".join(kappa["raters"]), "kappa", "with quadratic weights", box=None)
        for axis, both in kappa.items():
            if axis != "raters":
                pair.add_row(axis, _words(both["plain"]), _words(both["quadratic"]))
        console.print(pair)


def _words(interval: dict[str, Any] | None) -> str:
    return "" if interval is None else f"{interval['estimate']:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"


@commands.command()
def sheet(
    questions: Questions,
    out: Annotated[Path, option("CSV", "Where to write the sheet.")],
    rater: Annotated[str, option("NAME", "Who is going to score.")],
) -> None:
    """Write a sheet (CSV) in which a person scores the questions on the five axes, 1 to 10.

    \b
    Example:
      toulmin questions sheet questions.jsonl --rater ines --out ines.csv
    """
    from toulmin.evaluation.generation.people import sheet as written
    from toulmin.evaluation.generation.question_file import read_questions

    text = written(read_questions(questions), rater)
    try:
        with out.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{out} is there already, and may hold scores: name another file, or remove it") from None
    except OSError as error:
        raise SettingsError(f"{out} cannot be written: {error.strerror}") from None
    result_console().print(f"{out}: fill in the five columns, then `toulmin questions rate`", soft_wrap=True)


@commands.command()
def rate(
    questions: Questions,
    scores: Annotated[list[Path], option("CSV", "A filled sheet; repeat it.")],
    scale: Annotated[str, option("LOW,HIGH", "That people scored on.")] = "1,10",
) -> None:
    """Take in the scores of filled sheets: they are kept with the questions.

    \b
    Example:
      toulmin questions rate questions.jsonl --scores ines.csv --scores odo.csv
    """
    from toulmin.evaluation.generation.people import with_human_scores
    from toulmin.evaluation.generation.question_file import read_questions, write_questions

    try:
        low, high = (float(bound) for bound in scale.split(","))
    except ValueError:
        raise SettingsError(f"--scale {scale!r}: write two numbers, for example 1,5") from None
    records, lines = read_questions(questions), []
    for path in scores:
        records, count = with_human_scores(records, path, (low, high))
        lines.append(f"{path}: {count} questions")
    write_questions(questions, records)
    result_console().print("\n".join(lines), soft_wrap=True)


@commands.command()
@takes_groups
def tune(
    questions: Questions,
    of: Annotated[_Instruction, typer.Option(help="Which instruction.")],
    versions: Annotated[Path, option("DIR", "Where its versions are kept.")],
    worst: Annotated[int, option("N", "Cases shown.", min=1, max=50)] = 8,
    choice: ModelAlone = NO_MODEL,
) -> None:
    """Have a model rewrite an instruction, from the questions that people were least content with.

    For writing: the worst-rated questions, with what people said. For scoring: the scores farthest from people's. Half
    of the questions are never shown, so that `stats` tells a gain from learning by heart.

    \b
    Example:
      toulmin questions tune questions.jsonl --of score --versions versions --model openai:NAME
    """
    from toulmin.evaluation.generation.people import tuned
    from toulmin.evaluation.generation.question_file import read_questions

    records = read_questions(questions)
    model = choice.required()

    path, changes = _waited(model, tuned(model, records, of.value, versions, worst))
    result_console().print(f"{path}: {changes}", soft_wrap=True)


@commands.command()
@takes_groups
def score(
    questions: Questions,
    scoring: Annotated[Path, option("FILE", "The instruction, of `tune --of score`.")],
    out: Annotated[Path, option("FILE", "The questions with their new scores.")],
    choice: PricedModel = NO_MODEL,
    concurrency: Annotated[int, option("N", "Calls at a time.", min=1)] = 4,
) -> None:
    """Score the questions anew, by another instruction; people's scores stay beside them. Replies are kept in
    OUT.replies: the same command goes on where it was stopped.

    \b
    Example:
      toulmin questions score questions.jsonl --scoring versions/score-1.md --out round-2.jsonl --model openai:NAME
    """
    from asyncio import Semaphore

    from toulmin.evaluation.generation.people import rescored
    from toulmin.evaluation.generation.question_file import Record as Question
    from toulmin.evaluation.generation.question_file import read_questions, write_questions
    from toulmin.evaluation.generation.writing import Instructions, Writer
    from toulmin.llm.protocol import gathered

    records = read_questions(questions)
    instructions = Instructions.read(score=scoring)
    model = replace(choice, cache=replies_beside(out, choice)).required(concurrency)
    writer, gate, done = Writer(model, instructions), Semaphore(concurrency), 0

    with progress() as tell:

        async def rescore(question: Question) -> Question:
            nonlocal done
            async with gate:
                scored = await rescored(writer, question)
            done += 1
            tell(done, len(records), "scoring questions")
            return scored

        write_questions(out, _waited(model, gathered(map(rescore, records))))
    result_console().print(f"{len(records)} questions in {out}", soft_wrap=True)
