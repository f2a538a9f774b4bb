"""Groups of options that a command takes as one value."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from toulmin.cli.models import NO_MODEL, ModelAlone, ModelChoice
from toulmin.cli.options import takes_groups

Name = Annotated[str, typer.Option("--name")]
GOT: list[tuple[str, ModelChoice]] = []


@takes_groups
def whole(name: Name = "x", choice: ModelChoice = NO_MODEL, last: Name = "y") -> None:
    """Takes all options."""
    GOT.append((name, choice))


@takes_groups
def alone(choice: ModelAlone = NO_MODEL) -> None:
    """Takes those without money."""


def test_the_options_of_a_group_stand_in_its_place() -> None:
    names = list(inspect.signature(whole).parameters)
    assert names[:3] == ["name", "model", "base_url"]
    assert names[-2:] == ["budget_cost", "last"]
    assert list(inspect.signature(alone).parameters) == ["model", "base_url", "cache", "record", "replay"]


def test_a_command_gets_the_group_whole() -> None:
    app = typer.Typer()
    app.command()(whole)
    result = CliRunner().invoke(app, ["--model", "openai:m", "--cache", "kept", "--budget-calls", "3"])
    assert result.exit_code == 0, result.output
    assert [("x", ModelChoice("openai:m", cache=Path("kept"), budget_calls=3))] == GOT
