"""The rule that decided: every verdict has one, and telling it changes none."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest

import toulmin
from toulmin.check_text.checking import CheckSettings, TextChecker
from toulmin.check_text.judge.verdicts import JudgeSettings
from toulmin.check_text.rules import VerdictRule, rule_of_reason
from toulmin.check_text.split.atomic import why_unchecked
from toulmin.check_text.split.tagged_words import read_words
from toulmin.graph.protocol import Graph
from toulmin.retrieval.knowledge import GivenPassages


@pytest.fixture(scope="module")
def world() -> Graph:
    return toulmin.open("bundled")


def rules(text: str, graph: Graph, **settings: Any) -> list[list[str]]:
    chosen = CheckSettings(explain=True, **settings)
    answer = asyncio.run(TextChecker(graph, settings=chosen).check(text))
    found: list[list[str]] = answer.certificate["trace"]["rules"]
    assert [len(one.claims) or 1 for one in answer.sentences] == list(map(len, found))
    return found


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Ada Lovelace was born in London.", VerdictRule.WORDS),
        ("Byron was the father of Ada Lovelace.", VerdictRule.WORDS),
        ("Ada Lovelace died in Paris.", VerdictRule.ANOTHER_VALUE),
        ("Lord Byron was the son of Ada Lovelace.", VerdictRule.EXCHANGED),
        ("Ada Lovelace was not born in London.", VerdictRule.DENIED),
        ("Ada Lovelace was not born in Paris.", VerdictRule.DENIAL),
        ("Ada Lovelace owned a parrot.", VerdictRule.NOT_STATED),
        ("Mr Smith was born in Little Whinging.", VerdictRule.NO_NAME),
        ("Ada Lovelace was almost born in London.", VerdictRule.UNDONE),
        ("Was Ada Lovelace happy?", VerdictRule.QUESTION),
        ("Perhaps Ada Lovelace was born in London.", VerdictRule.HEDGED),
        ("A heading without a verb", VerdictRule.NO_STATEMENT),
    ],
)
def test_each_verdict_has_its_rule(text: str, rule: VerdictRule, world: Graph) -> None:
    assert rules(text, world) == [[rule]]


def test_what_is_not_sure_enough_has_that_rule(world: Graph) -> None:
    found = rules("Ada Lovelace was born in London.", world, judge=JudgeSettings(sure=1.0))
    assert found == [[VerdictRule.NOT_SURE]]


def test_what_a_passage_says_has_that_rule(world: Graph) -> None:
    knowledge = GivenPassages(["Ada Lovelace owned a parrot."])
    checker = TextChecker(world, knowledge=knowledge, settings=CheckSettings(explain=True))
    answer = asyncio.run(checker.check("Ada Lovelace owned a parrot."))
    assert answer.certificate["trace"]["rules"] == [[VerdictRule.PASSAGE_SAYS]]


def test_what_was_not_reached_has_that_rule(world: Graph) -> None:
    begun = TextChecker(world, settings=CheckSettings(explain=True)).start("Ada Lovelace was born in London.")
    assert begun.answer().certificate["trace"]["rules"] == [[VerdictRule.NOT_REACHED]]


def test_to_explain_changes_nothing_else(world: Graph) -> None:
    text = "Ada Lovelace, a mathematician, was born in London and died in Paris. Was she happy?"
    plain, explained = (
        asyncio.run(TextChecker(world, settings=CheckSettings(explain=explain)).check(text)).certificate
        for explain in (False, True)
    )
    assert explained["trace"].pop("rules") and "rules" not in plain["trace"]
    for one in (plain, explained):
        one.pop("usage")
    assert plain == explained


def test_the_command_names_the_rules(world: Graph) -> None:
    command = [sys.executable, "-m", "toulmin.cli.main", "check-text", "Ada Lovelace died in Paris.", "--explain"]
    told = subprocess.run([*command, "--kg", "bundled", "--json"], capture_output=True, text=True, check=True)
    certificate = json.loads(told.stdout)
    assert certificate["trace"]["rules"] == [["another value"]]
    assert toulmin.check(toulmin.Answer.from_json(told.stdout), world).exit_code == 0


def test_names_and_meanings_differ() -> None:
    assert len({str(rule) for rule in VerdictRule}) == len({rule.meaning for rule in VerdictRule}) == len(VerdictRule)


@pytest.mark.parametrize(
    "text",
    [
        "Is she happy?",
        "Please note that.",
        "I think so.",
        "It is false that Ada died.",
        "She is older than Byron.",
        "Heat is beautiful.",
        "\u202eHeat is a film.",
    ],
)
def test_a_reason_has_a_rule_of_its_own(text: str) -> None:
    reason = why_unchecked(text, read_words(text, 0, len(text)))
    assert reason is not None and rule_of_reason(reason) is not VerdictRule.NO_STATEMENT
