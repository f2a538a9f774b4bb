"""RoG's recorded plans in the union graph: equal to a walk with dictionaries, from the file itself (``plain_walk``)."""

from __future__ import annotations

import json
from random import Random
from typing import Any, get_args

import pytest

from evaluated_sets import SHARED
from plain_walk import PlainGraph, plain_answer
from toulmin.evaluation.metrics.answers import hits_at_k, set_scores, value_key, value_label
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import read
from toulmin.graph.readers.minting import mint_entity
from toulmin.methods.asker import Asker
from toulmin.methods.relation_plans import PlanSettings
from toulmin.methods.relation_plans.method import Take

FOLDER = SHARED / "freebase_union"
QUESTIONS = FOLDER / "webqsp_questions.jsonl"
SAMPLE = 60

pytestmark = pytest.mark.skipif(not QUESTIONS.is_file(), reason="the evaluation data is not beside the repository")


@pytest.fixture(scope="module")
def union() -> MemoryGraph:
    return MemoryGraph.from_records(read(FOLDER / "webqsp_kg.tsv"))


@pytest.fixture(scope="module")
def plain() -> PlainGraph:
    return PlainGraph(FOLDER / "webqsp_kg.tsv")


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    every = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    return Random(17).sample([one for one in every if one["path_start_entities"]], SAMPLE)


@pytest.mark.parametrize("take", get_args(Take))
def test_answers_and_figures_are_those_of_the_plain_walk(
    union: MemoryGraph, plain: PlainGraph, records: list[dict[str, Any]], take: Take
) -> None:
    asker = Asker(union, method="plan", settings=PlanSettings(plans=str(QUESTIONS), topic="recorded", take=take))
    figures, recomputed = [0.0, 0.0], [0.0, 0.0]
    answered = 0
    for record in records:
        answer = asker.ask(record["question"])
        said = [value_label(one) for one in answer.values]
        expected = plain_answer(plain, record, record["path_start_entities"], take)
        assert set(said) == expected, record["question"]
        assert answer.abstained == (not expected)
        answered += not answer.abstained
        figures[0] += hits_at_k(said, record["answers"])
        figures[1] += set_scores(said, record["answers"]).f1
        gold = {value_key(one) for one in record["answers"]}
        ordered = sorted(expected, key=lambda name: mint_entity(name).encode())
        keys = {value_key(one) for one in expected}
        recomputed[0] += bool(ordered) and value_key(ordered[0]) in gold
        recomputed[1] += 2 * len(keys & gold) / (len(keys) + len(gold))
    assert figures == pytest.approx(recomputed)
    assert answered > SAMPLE / 2


def test_answers_check(union: MemoryGraph, records: list[dict[str, Any]]) -> None:
    asker = Asker(union, method="plan", settings=PlanSettings(plans=str(QUESTIONS), topic="recorded"))
    for record in records[:12]:
        assert asker.ask(record["question"]).check(union).exit_code == 0
