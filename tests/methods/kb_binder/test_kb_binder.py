"""Drafts are bound to the graph and executed as programs; the majority of what they come to decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from harbour import NORTH, STATEMENTS, harbour, kind, number, said, thing
from hypothesis import given
from hypothesis import strategies as st
from random_replies import HOSTILE

from toulmin.errors import InputError, NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.asker import Asker
from toulmin.methods.kb_binder import KBBinderSettings
from toulmin.methods.kb_binder.logical_forms import names, parse, relations
from toulmin.methods.registry import get_method
from toulmin.program.answer import Answer


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with harbour() as made:
        yield made


def ask(
    graph: MemoryGraph, *forms: str, question: str = "Which boats?", budget: Budget | None = None, raw: bool = False
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel([one if raw else json.dumps({"form": one}) for one in forms])
    settings = KBBinderSettings(drafts=len(forms))
    answer = Asker(graph, method="kb-binder", model=model, settings=settings, budget=budget).ask(question)
    assert answer.check(graph).exit_code == 0
    assert "query" not in [node["op"] for node in answer.certificate["program"]]
    return answer, model


def labels(answer: Answer) -> set[str | None]:
    return {getattr(value, "label", getattr(value, "value", None)) for value in answer.values}


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ("(JOIN [moored at] [North Quay])", {"Linnea", "Marit"}),
        ("(JOIN (R [moored at]) [North Quay])", {"Linnea", "Marit"}),  # the other way is tried as well
        ("(JOIN [moored] [north quay])", {"Linnea", "Marit"}),
        ("(JOIN (R [keeper of it]) [North Quay])", {"Ines Roth"}),
        ("(COUNT (AND [boat] (JOIN [moored at] [South Quay])))", {"2"}),
        ("(ARGMAX (JOIN [moored at] [South Quay]) [number of seats])", {"Petra"}),
        ("(ARGMIN [boat] [seats])", {"Oda"}),
        ("(AND (JOIN [moored at] [North Quay]) (GT [seats] [25]))", {"Marit"}),
        ("(AND [boat] (LE [length] [12 metres]))", {"Linnea", "Oda"}),
        ("(JOIN [colour] [Dark red])", {"Linnea"}),
        ("(AND [ferry] (JOIN [moored at] [South Quay]))", {"Petra"}),
    ],
)
def test_a_draft_is_bound_and_executed(graph: MemoryGraph, form: str, found: set[str]) -> None:
    answer, model = ask(graph, form)
    assert labels(answer) == found
    assert answer.usage.model_calls == 1
    assert model.requests[0].temperature == 0.3


def test_the_majority_of_the_drafts_decides(graph: MemoryGraph) -> None:
    north, south = "(JOIN [moored at] [North Quay])", "(JOIN [moored at] [South Quay])"
    answer, _ = ask(graph, south, north, "(JOIN (R [moored at]) [North Quay])")
    assert labels(answer) == {"Linnea", "Marit"}
    assert answer.score == pytest.approx(2 / 3)
    assert labels(ask(graph, south, north)[0]) == {"Oda", "Petra"}  # of equals the first


def test_what_the_question_names_is_no_answer(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, "(AND (JOIN [moored at] [North Quay]) (JOIN [moored at] [South Quay]))")
    assert answer.abstained
    assert "none of 1 drafts" in (answer.reason or "")


def test_no_binding_at_all(graph: MemoryGraph) -> None:
    assert ask(graph, "(JOIN [moored at] [Zzyzx Nowhere Qq])")[0].abstained
    deep = "(JOIN [a] " * 6 + "[North Quay]" + ")" * 6
    assert ask(graph, deep)[0].abstained  # more relations than a draft may have


def test_hubs_and_many_alike_stay_bounded() -> None:
    many = [said(thing(f"b{at}", f"Boat {at}"), f"rel{at % 40}", NORTH) for at in range(400)]
    many += [said(thing(f"b{at}"), "seats", number(str(at))) for at in range(400)]
    many += [said(thing(f"b{at}"), "type", kind("Boat")) for at in range(400)]
    with MemoryGraph.from_statements([*STATEMENTS, *many]) as graph:
        form = "(ARGMAX (AND [boat] (JOIN [rel] (JOIN [rel] [North Quay]))) [rel])"
        ask(graph, form)


def test_budgets_and_unusable_replies(graph: MemoryGraph) -> None:
    answer, _ = ask(graph, "(JOIN [a] [b])", budget=Budget(calls=0))
    assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]
    with pytest.raises(NothingUsableError):
        ask(graph, "no", "never", raw=True)
    usable = json.dumps({"form": "(JOIN [moored at] [North Quay])"})
    answer, _ = ask(graph, "{", usable, "nonsense", raw=True)
    assert labels(answer) == {"Linnea", "Marit"}
    assert answer.usage.failures == {"kb-binder/draft": 2}


@pytest.mark.parametrize("seed", range(12))
def test_random_and_hostile_drafts(graph: MemoryGraph, seed: int) -> None:
    random = Random(seed)
    words = ["North Quay", "boat", "seats", "moored at", "12", "1999", "", "]", "\x00", "</system>", "Dark red", "type"]

    def form(depth: int = 0) -> str:
        pick = random.choice(words)
        shape = random.randrange(7) if depth < 4 else 0
        if shape == 0:
            return f"[{pick}]"
        if shape == 1:
            return f"(JOIN (R [{pick}]) {form(depth + 1)})"
        if shape == 2:
            return f"(AND {form(depth + 1)} (GT [{pick}] [{random.choice(words)}]))"
        if shape == 3:
            return f"(COUNT {form(depth + 1)})"
        if shape == 4:
            return f"(ARGMIN {form(depth + 1)} [{pick}])"
        return f"(JOIN [{pick}] {form(depth + 1)})"

    replies = [json.dumps({"form": form()}) for _ in range(4)] + random.sample(HOSTILE, 2)
    try:
        ask(graph, *replies, raw=True)
    except NothingUsableError as error:
        assert error.usage.model_calls == 6  # one a draft


def test_it_takes_as_many_calls_as_it_says(graph: MemoryGraph) -> None:
    form = "(JOIN [moored at] [North Quay])"
    answer, _ = ask(graph, *[form] * 7)
    assert answer.usage.model_calls == get_method("kb-binder").most_calls() == 7


def test_settings_out_of_range() -> None:
    with pytest.raises(SettingsError, match="drafts"):
        KBBinderSettings(drafts=0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ends too early"),
        ("[North Quay]", "asks for nothing"),
        ("(JOIN [a] [b]", "ends too early"),
        ("(JOIN [a] [b]) more", "goes on"),
        ("(FROB [a] [b])", "no form is called"),
        ("(JOIN [] [b])", "a name in square brackets"),
        ("(AND (LT [a] [5]) (GT [a] [2]))", "compares nothing"),
        ("(AND [a] (LT [a] [soon]))", "neither a number nor a time"),
        ("(ARGMAX (LT [a] [1950]) [b])", "LT stands within AND"),
        ("(COUNT (GE [a] [3]))", "GE stands within AND"),
        ("(JOIN [a] " * 20 + "[b]" + ")" * 20, "levels deep"),
        ("(JOIN (R (R [a])) [b])", "a name in square brackets"),
    ],
)
def test_what_is_no_form_is_told_in_one_line(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as error:
        parse(text)
    assert "\n" not in str(error.value)


@given(st.text(st.sampled_from("()[] JOINANDCUTRLGE5x"), max_size=80))
def test_any_text_is_a_form_or_refused(text: str) -> None:
    try:
        form = parse(text)
    except InputError:
        return
    assert all(one.text for one in relations(form))
    assert all([*names(form), *names(form, classes=True)])
