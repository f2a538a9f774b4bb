"""Planning by relation paths: only paths that the graph has are proposed, and what they lead to is the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from answer_sets import labels, named, walked
from random_replies import HOSTILE

from drawn import RandomModel
from toulmin.errors import NothingUsableError, SettingsError, SourceError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.store import EmbeddedGraph
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.asker import Asker
from toulmin.methods.registry import get_method, settings_from
from toulmin.methods.relation_plans import PlanSettings
from toulmin.program.answer import Answer

pytest_plugins = ("asked_graphs",)

LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
VALUE = re.compile(r"#(\d+) ([^;(…\n]*[^;(…\n ])")
TRIPLES = [
    ("Pim Tallow", "apprentice of", "Greta Wick"),
    ("Greta Wick", "apprentice of", "Old Sconce"),
    ("Jan Tallow", "apprentice of", "Greta Wick"),
    ("Pim Tallow", "workshop", "Lantern Yard"),
    ("Greta Wick", "workshop", "Snuff Lane"),
    ("Lantern Yard", "street", "Mill Street"),
    ("Lantern Yard", "guild", "Chandlers"),
    ("Snuff Lane", "guild", "Chandlers"),
    ("Pim Tallow", "sells", "beeswax candles"),
    ("Pim Tallow", "sells", "rushlights"),
    ("Jan Tallow", "sells", "rushlights"),
]


@pytest.fixture(scope="module")
def yard() -> MemoryGraph:
    return named(TRIPLES)


class Chooser:
    """A model that chooses the lines that hold certain pieces, and values by their names.

    Args:
        plans: pieces of paths; of "extend" those that end with one are complete, those that it begins are onward.
    """

    def __init__(self, plans: Sequence[str], values: Sequence[str] = (), paths: Sequence[str] = ()) -> None:
        self.plans, self.values, self.paths = plans, values, paths
        self.model = ScriptedModel(self.reply)

    def reply(self, request: ModelRequest) -> str:
        text, step = request.messages[-1].content, request.step
        lines = {int(number): line for number, line in LINE.findall(text)}
        bare = {number: line.replace(" ? ", " ") for number, line in lines.items()}

        def numbers(fits: Callable[[str, str], bool], pieces: Sequence[str]) -> list[int]:
            return [number for piece in pieces for number, line in bare.items() if fits(line, piece)]

        made: Mapping[str, Any]
        if step == "plan/propose":
            made = {"plans": numbers(lambda line, piece: line == piece, self.plans)}
        elif step == "plan/extend":
            onward = numbers(lambda line, piece: piece.startswith(line + " "), self.plans)
            made = {"complete": numbers(lambda line, piece: line == piece, self.plans), "onward": onward[:3]}
        elif step == "plan/write":
            return "\n".join(self.plans)
        else:
            shown = VALUE.findall(text)
            chosen = [int(number) for number, name in shown if name in self.values]
            made = {"thought": "so it is", "values": chosen, "paths": numbers(str.__contains__, self.paths)}
        return json.dumps(made)


def ask(graph: Any, model: Any, question: str, budget: Budget | None = None, **settings: Any) -> Answer:
    answer = Asker(graph, method="plan", settings=PlanSettings(**settings), model=model, budget=budget).ask(question)
    report = Answer.from_json(answer.to_json()).check(graph)
    assert report.exit_code == 0, (report.problems, report.nodes)
    return answer


QUESTION = "Which guild does the workshop of the master of Pim Tallow belong to?"
PATH = "Pim Tallow —apprentice of→ —workshop→ —guild→"


@pytest.mark.parametrize("listed", [1, 500])
def test_what_is_proposed_from_the_list_or_hop_by_hop_is_walked(yard: MemoryGraph, listed: int) -> None:
    chooser = Chooser([PATH])
    answer = ask(yard, chooser.model, QUESTION, listed=listed if listed > 1 else 8)
    assert labels(answer) == {"Chandlers"}
    assert walked(answer) == [("apprentice of", "workshop", "guild")]
    steps = [request.step for request in chooser.model.requests]
    assert steps == (["plan/propose"] if listed > 1 else ["plan/extend"] * 3)


def test_every_number_that_a_schema_allows_is_a_path_of_the_graph_and_no_other(yard: MemoryGraph) -> None:
    chooser = Chooser([PATH])
    ask(yard, chooser.model, QUESTION, listed=500)
    (request,) = chooser.model.requests
    assert request.schema is not None
    numbers = request.schema["properties"]["plans"]["items"]["enum"]
    lines = LINE.findall(request.messages[-1].content)
    assert numbers == [int(number) for number, _ in lines]
    asked = {line.replace(" ? ", " ") for _, line in lines}
    assert PATH in asked
    assert "Pim Tallow —guild→" not in asked
    assert "Pim Tallow —apprentice of→ ←apprentice of—" in asked


def test_a_model_that_takes_a_grammar_writes_the_paths(yard: MemoryGraph) -> None:
    chooser = Chooser([PATH, "Pim Tallow —sells→"])
    chooser.model.takes_grammar = True
    answer = ask(yard, chooser.model, QUESTION)
    (request,) = chooser.model.requests
    assert request.schema is None
    assert request.grammar is not None
    assert request.grammar.startswith("root ::= path")
    assert '"Pim Tallow"' in request.grammar
    assert labels(answer) == {"Chandlers"}  # the first path weighs more, and none leads there with it


def test_what_no_grammar_could_say_is_sent_back_once_and_is_then_an_error(yard: MemoryGraph) -> None:
    chooser = Chooser(["Pim Tallow —guild→"])
    chooser.model.takes_grammar = True
    with pytest.raises(NothingUsableError, match="no path that the graph has"):
        ask(yard, chooser.model, QUESTION)
    assert len(chooser.model.requests) == 2


def test_a_grammar_is_wanted_of_a_model_that_takes_none(yard: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="takes no grammar: use constraint=schema"):
        ask(yard, Chooser([PATH]).model, QUESTION, constraint="grammar")


def test_what_several_paths_agree_on_weighs_more_than_one_of_them(yard: MemoryGraph) -> None:
    paths = ["Pim Tallow —sells→", "Pim Tallow —apprentice of→ ←apprentice of— —sells→"]
    for take, said in (
        ("first", {"beeswax candles", "rushlights"}),
        ("agreed", {"rushlights"}),
        ("all", {"beeswax candles", "rushlights"}),
    ):
        assert labels(ask(yard, Chooser(paths).model, "What does Pim Tallow sell?", take=take)) == said


def test_the_model_chooses_among_what_the_paths_lead_to(yard: MemoryGraph) -> None:
    paths, question = ["Pim Tallow —sells→", "Pim Tallow —workshop→"], "What does Pim Tallow sell that drips?"
    some = ask(yard, Chooser(paths, values=["beeswax candles"]).model, question, answering="model")
    assert labels(some) == {"beeswax candles"}
    assert some.certificate["trace"]["thought"] == "so it is"
    both = ask(yard, Chooser(paths, ["beeswax candles", "Lantern Yard"]).model, question, answering="model")
    assert labels(both) == {"beeswax candles", "Lantern Yard"}
    whole = ask(yard, Chooser(paths, paths=["sells"]).model, question, answering="model", shown=1)
    assert labels(whole) == {"beeswax candles", "rushlights"}
    none = ask(yard, Chooser(paths).model, question, answering="model")
    assert none.abstained


def test_no_path_is_an_abstention(yard: MemoryGraph) -> None:
    assert "proposes no relation path" in str(ask(yard, Chooser([]).model, QUESTION).reason)
    assert "names nothing in the graph" in str(ask(yard, Chooser([]).model, "how high is it").reason)


def test_the_budget_is_kept(yard: MemoryGraph) -> None:
    answer = ask(yard, Chooser([PATH]).model, QUESTION, Budget(calls=1), listed=8)
    assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]
    assert ask(yard, Chooser([PATH]).model, QUESTION, Budget(calls=0)).abstained


# -- recorded plans ----------------------------------------------------------------------------------------------------


def recorded(folder: Path, *records: Any) -> str:
    path = folder / "plans.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return str(path)


def test_recorded_plans_take_the_place_of_the_model(yard: MemoryGraph, tmp_path: Path) -> None:
    plans = recorded(
        tmp_path,
        {"question": "who else learned from Pim Tallow's master?", "plans": [["apprentice of", "apprentice of"]]},
        {"question": "who taught pim tallow", "plans": [["^apprentice of"], ["apprentice of"]], "scores": [0.7, 0.2]},
        {
            "question": "what is sold there",
            "rog_predicted_relation_paths": [["workshop"], ["sells"]],
            "rog_scores": [0.6, 0.3, 0.1],
            "path_start_entities": ["Jan Tallow"],
        },
    )
    either = ask(yard, None, "Who else learned from Pim Tallow's master", plans=plans)
    assert labels(either) == {"Jan Tallow", "Old Sconce"}
    assert ("apprentice of", "^apprentice of") in walked(either)
    one_way = ask(yard, None, "who taught Pim Tallow?", plans=plans)
    assert labels(one_way) == {"Greta Wick"}  # nobody learned from Pim
    assert one_way.certificate["reading"] == {"by": "plans recorded in plans.jsonl", "score": pytest.approx(2 / 9)}
    assert ask(yard, None, "what is sold there", plans=plans).abstained
    assert labels(ask(yard, None, "what is sold there", plans=plans, topic="recorded")) == {"rushlights"}
    assert "has no plan for this question" in str(ask(yard, None, "What does Pim Tallow sell?", plans=plans).reason)


def test_recorded_plans_that_lead_nowhere_are_named(yard: MemoryGraph, tmp_path: Path) -> None:
    question = "Where was Pim Tallow born?"
    plans = recorded(tmp_path, {"question": question, "plans": [["born in"], ["sells", "street"]]})
    answer = ask(yard, None, question, plans=plans)
    assert answer.abstained
    assert "no relation born in" in str(answer.reason)
    assert [one["code"] for one in answer.certificate["answer"]["reasons"]] == ["other", "nothing"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no plan"),
        ("{", "is no JSON object"),
        ('{"plans": []}', "field 'question'"),
        ('{"question": "a", "plans": [[1]]}', "field 'plans'"),
        ('{"question": "a", "plans": [["x"]], "scores": [0]}', "field 'scores'"),
        ('{"question": "a", "plans": [["x"]], "starts": "b"}', "field 'starts'"),
        ('{"question": "a", "plans": [["x"]]}\n{"question": "A?", "plans": [["y"]]}', "other plans"),
    ],
)
def test_a_file_that_holds_no_plans_is_refused_with_the_line(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "plans.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=problem):
        get_method("plan", PlanSettings(plans=str(path)))


def test_settings_come_as_texts_and_what_a_model_is_needed_for_is_known(tmp_path: Path) -> None:
    plans = recorded(tmp_path, {"question": "a", "plans": [["x"]]})
    _, settings = settings_from("plan:paper", {"plans": plans, "width": "2"})
    assert (settings.width, get_method("plan", settings).needs_model) == (2, True)
    assert get_method("plan", settings).most_calls() == 1
    assert not get_method("plan", PlanSettings(plans=plans)).needs_model
    with pytest.raises(SettingsError, match="take is 'some'"):
        settings_from("plan", {"take": "some"})


# -- whatever a model replies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["walk", "paper", "hops", "grammar"])
def test_random_replies(world: EmbeddedGraph, form: str) -> None:
    settings: dict[str, Any] = {"answering": "model"} if form == "paper" else {"listed": 20} if form == "hops" else {}
    questions = ("Where was the father of Ada Lovelace born?", "Who directed Metropolis?", "What borders Germany?")
    answered = 0
    for seed in range(12):
        model = RandomModel(seed)
        model.takes_grammar = form == "grammar"  # type: ignore[attr-defined]
        budget = Budget(calls=seed % 4) if seed % 3 == 2 else None
        try:
            answered += not ask(world, model, questions[seed % 3], budget, **settings).abstained
        except NothingUsableError:
            continue
    assert answered > 0 or form == "grammar"  # what is drawn there is never a path


@pytest.mark.parametrize("reply", HOSTILE)
def test_hostile_replies_are_the_models_failure(yard: MemoryGraph, reply: str) -> None:
    with pytest.raises(NothingUsableError):
        ask(yard, ScriptedModel(lambda _: reply), QUESTION)
