"""The commands about a set of generated questions: what it is like, what people say of it, better instructions."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from toulmin.cli.console import print_json, progress, result_console
from toulmin.cli.models import NO_MODEL, ModelAlone, PricedModel, replies_beside
from toulmin.cli.options import Json, takes_groups
from toulmin.errors import SettingsError

__all__ = ["commands", "rate", "score", "sheet", "stats", "tune"]

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look at a set of generated questions, take in what people say of it, and better its instructions.",
)


class _Instruction(StrEnum):
    WRITE = "write"
    SCORE = "score"


Questions = Annotated[Path, typer.Argument(metavar="FILE", help="Questions of `toulmin generate`.")]


@commands.command()
def stats(
    questions: Questions,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the set into this .svg, .png or .pdf.")
    ] = None,
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
    out: Annotated[Path, typer.Option(metavar="CSV", help="Where to write the sheet.")],
    rater: Annotated[str, typer.Option(metavar="NAME", help="Who is going to score.")],
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
    scores: Annotated[list[Path], typer.Option(metavar="CSV", help="A filled sheet; repeat it.")],
    scale: Annotated[str, typer.Option(metavar="LOW,HIGH", help="That people scored on.")] = "1,10",
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
    versions: Annotated[Path, typer.Option(metavar="DIR", help="Where its versions are kept.")],
    worst: Annotated[int, typer.Option(min=1, max=50, metavar="N", help="Cases shown.")] = 8,
    choice: ModelAlone = NO_MODEL,
) -> None:
    """Have a model rewrite an instruction, from the questions that people were least content with.

    For writing: the worst-rated questions, with what people said. For scoring: the scores farthest from people's. Half
    of the questions are never shown, so that `stats` tells a gain from learning by heart.

    \b
    Example:
      toulmin questions tune questions.jsonl --of score --versions versions --model openai:NAME
    """
    import asyncio

    from toulmin.evaluation.generation.people import tuned
    from toulmin.evaluation.generation.question_file import read_questions

    records = read_questions(questions)
    model = choice.required()

    async def run() -> tuple[Path, str]:
        try:
            return await tuned(model, records, of.value, versions, worst)
        finally:
            await model.close()

    path, changes = asyncio.run(run())
    result_console().print(f"{path}: {changes}", soft_wrap=True)


@commands.command()
@takes_groups
def score(
    questions: Questions,
    scoring: Annotated[Path, typer.Option(metavar="FILE", help="The instruction, of `tune --of score`.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The questions with their new scores.")],
    choice: PricedModel = NO_MODEL,
    concurrency: Annotated[int, typer.Option(min=1, metavar="N", help="Calls at a time.")] = 4,
) -> None:
    """Score the questions anew, by another instruction; people's scores stay beside them. Replies are kept in
    OUT.replies: the same command goes on where it was stopped.

    \b
    Example:
      toulmin questions score questions.jsonl --scoring versions/score-1.md --out round-2.jsonl --model openai:NAME
    """
    import asyncio

    from toulmin.evaluation.generation.people import rescored
    from toulmin.evaluation.generation.question_file import Record as Question
    from toulmin.evaluation.generation.question_file import read_questions, write_questions
    from toulmin.evaluation.generation.writing import Instructions, Writer

    records = read_questions(questions)
    instructions = Instructions.read(score=scoring)
    model = replace(choice, cache=replies_beside(out, choice)).required(concurrency)
    writer, done = Writer(model, instructions), 0

    with progress() as tell:

        async def rescore(gate: asyncio.Semaphore, question: Question) -> Question:
            nonlocal done
            async with gate:
                scored = await rescored(writer, question)
            done += 1
            tell(done, len(records), "scoring questions")
            return scored

        async def run() -> list[Question]:
            gate = asyncio.Semaphore(concurrency)
            try:
                return list(await asyncio.gather(*(rescore(gate, question) for question in records)))
            finally:
                await model.close()

        write_questions(out, asyncio.run(run()))
    result_console().print(f"{len(records)} questions in {out}", soft_wrap=True)
