"""Verdicts that are given only where they are sure enough."""

from __future__ import annotations

import pytest

import toulmin
from toulmin.check_text.checking import CheckSettings, TextChecker
from toulmin.check_text.judge.verdicts import JudgeSettings
from toulmin.errors import SettingsError
from toulmin.graph.protocol import Graph
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge import GivenPassages

TEXT = (
    "Ada Lovelace was born in London. Ada Lovelace died in Paris. Paris lies on the Seine. "
    "Charles Darwin was a geologist. The Eiffel Tower stands near the Seine. Ada Lovelace owned a parrot."
)


@pytest.fixture(scope="module")
def world() -> Graph:
    return toulmin.open("bundled")


def checked(world: Graph, sure: float, text: str = TEXT, knowledge: GivenPassages | None = None) -> Answer:
    settings = CheckSettings(judge=JudgeSettings(sure=sure))
    return toulmin.check_text(world, text, settings=settings, knowledge=knowledge)


@pytest.mark.parametrize("sure", [0.5, 0.7, 0.9, 1.0])
def test_what_is_less_sure_is_not_in_the_graph_and_the_rest_stays(world: Graph, sure: float) -> None:
    plain, careful = checked(world, 0.0).sentences, checked(world, sure).sentences
    for one, other in zip(plain, careful, strict=True):
        assert one.score is not None and other.score is not None
        given = one.verdict == "not in the graph" or one.score >= sure
        assert other.verdict == (one.verdict if given else "not in the graph")
        assert other.score == pytest.approx(one.score if given else 1 - one.score)
        assert other.statements == (one.statements if given else ())


def test_what_is_not_given_is_told_and_the_proof_checks(world: Graph) -> None:
    answer = checked(world, 1.0, "Ada Lovelace died in Paris.")
    (judged,) = (node for node in answer.certificate["program"] if node["op"] == "judged")
    assert judged["by"].startswith("rules: contradicted at 0.9")
    assert toulmin.check(answer, world).exit_code == 0


def test_a_passage_decides_what_the_graph_is_not_sure_of(world: Graph) -> None:
    known = GivenPassages({"guide": "Charles Darwin was an English geologist and naturalist."})
    text = "Charles Darwin was a geologist."
    assert [one.verdict for one in checked(world, 0.8, text, known).sentences] == ["supported"]
    assert [one.verdict for one in checked(world, 1.0, text, known).sentences] == ["not in the graph"]


@pytest.mark.parametrize("sure", [-0.1, 1.1, float("nan")])
def test_sure_is_a_share(world: Graph, sure: float) -> None:
    with pytest.raises(SettingsError, match="from 0 to 1"):
        TextChecker(world, settings=CheckSettings(judge=JudgeSettings(sure=sure)))
