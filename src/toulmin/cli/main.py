"""The program ``toulmin``. Each command imports what it needs when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from toulmin.cli.answer import ask, check
from toulmin.cli.browse import find, info, show
from toulmin.cli.build import build
from toulmin.cli.check_text import check_text
from toulmin.cli.choices import datasets, methods
from toulmin.cli.entail import entail
from toulmin.cli.evaluate import evaluate, perturb
from toulmin.cli.failures import INTERRUPTED, Commands
from toulmin.cli.figures import compare, judge, metrics, report
from toulmin.cli.passages import commands as passages
from toulmin.cli.questions import commands as questions
from toulmin.cli.questions import generate

__all__ = ["app", "main"]

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for _command in (
    build,
    info,
    find,
    show,
    ask,
    check,
    check_text,
    entail,
    evaluate,
    judge,
    perturb,
    compare,
    report,
    datasets,
    generate,
    methods,
    metrics,
):
    app.command()(_command)
app.add_typer(passages, name="passages")
app.add_typer(questions, name="questions")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"toulmin {version('toulmin')}")
        raise typer.Exit


@app.callback()
def _toulmin(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Answer questions over a knowledge graph, with answers that are checked without a language model.

    \b
    Example:
      toulmin ask "Where was the father of Ada Lovelace born?" --kg bundled
      toulmin build films.tsv --out films
      toulmin ask "Who directed Heat?" --kg films --out answer.json
      toulmin check answer.json --kg films
    """


def main() -> None:
    """Run the program with the arguments of the process."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names that the terminal cannot show must not end the program
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="toulmin")
    except KeyboardInterrupt:  # outside a command: while importing, or at the very end
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
