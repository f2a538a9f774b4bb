"""The calls of one question: parsed, repaired once, counted, within the budget."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from toulmin.errors import BudgetError, ModelError, ReplyError, SettingsError
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Completion, Message, ModelRequest, Reply, Tokens
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget, BudgetedModel, Session

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
DECIDE = Prompt("r3/decide", "Decide.", (("Is 1 even?", '{"answer": "no"}'),), "{question}", SCHEMA)
FREE = Prompt("r3/free", "Talk.", (), "{question}", None)
VALUES = {"question": "Is Paris in France?"}
YES, NO = '{"answer": "yes"}', '{"answer": "no"}'


class Made:
    """A model whose replies are objects of the protocol, given one by one."""

    def __init__(self, *replies: Reply, seconds: float = 0.0) -> None:
        self._replies = list(replies)
        self._seconds = seconds
        self.requests: list[ModelRequest] = []
        self.cancelled = 0

    name = "made"

    async def complete(self, request: ModelRequest) -> Reply:
        self.requests.append(request)
        try:
            await asyncio.sleep(self._seconds)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self._replies[min(len(self.requests), len(self._replies)) - 1]

    async def close(self) -> None:
        pass


def one(text: str, finish: Any = "stop", cost: float | None = None, called: bool = True) -> Reply:
    return Reply((Completion(text, finish),), Tokens(100, 20, cost), called)


def ask(session: Session, prompt: Prompt = DECIDE, **more: Any) -> Any:
    return asyncio.run(session.ask(prompt, VALUES, **more))


def test_a_good_reply_needs_one_call() -> None:
    model = ScriptedModel([YES])
    session = Session(model)
    assert ask(session) == {"answer": "yes"}
    (request,) = model.requests
    assert request.messages == (
        Message("system", "Decide."),
        Message("user", "Is 1 even?"),
        Message("assistant", '{"answer": "no"}'),
        Message("user", "Is Paris in France?"),
    )
    assert (request.schema, request.step) == (SCHEMA, "r3/decide")
    (call,) = session.drain()
    assert (call.step, call.problem, call.reply, call.called) == ("r3/decide", None, YES, True)
    assert session.drain() == []
    usage = session.usage(1.5)
    assert (usage.model_calls, usage.seconds, usage.cost, usage.failures) == (1, 1.5, 0.0, {})
    assert usage.prompt_tokens == call.prompt_tokens > 0


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("", "it is empty"),
        ("Yes!", "there is no JSON in it"),
        ('{"answer": "maybe"}', "'maybe' is not one of"),
        ('{"answer": "ye', "ends inside a JSON value"),
        (f"{YES} {NO}", "2 different JSON values"),
    ],
)
def test_the_repair_call_shows_the_problem(bad: str, problem: str) -> None:
    model = ScriptedModel([bad, NO])
    session = Session(model)
    assert ask(session) == {"answer": "no"}
    first, second = model.requests
    assert second.messages[: len(first.messages)] == first.messages
    said, complaint = second.messages[len(first.messages) :]
    assert (said.role, complaint.role) == ("assistant", "user")
    assert said.content == (bad or "(nothing)")
    assert problem in complaint.content
    assert [call.problem is None for call in session.drain()] == [False, True]
    assert session.usage(0.0).failures == {}


def test_a_reply_that_stays_unusable_is_a_counted_named_failure() -> None:
    session = Session(ScriptedModel(["Yes!", "Yes, really!", "Yes", "no"]))
    for _ in range(2):
        with pytest.raises(ReplyError, match=r"^r3/decide: there is no JSON in it$") as caught:
            ask(session)
        assert caught.value.step == "r3/decide"
    assert session.usage(0.0).failures == {"r3/decide": 2}
    assert session.usage(0.0).model_calls == 4


def test_what_a_schema_cannot_say() -> None:
    model = ScriptedModel([YES, NO])
    session = Session(model)
    assert ask(session, check=lambda value: "say no" if value["answer"] == "yes" else None) == {"answer": "no"}
    assert "cannot be used: say no." in model.requests[1].messages[-1].content


def test_another_schema_in_place_of_the_prompts() -> None:
    schema = {"type": "object", "properties": {"index": {"enum": [1, 2]}}, "required": ["index"]}
    model = ScriptedModel(['{"index": 3}', '{"index": 2}'])
    assert ask(Session(model), schema=schema) == {"index": 2}
    assert model.requests[0].schema == schema


def test_text_where_there_is_no_schema() -> None:
    assert ask(Session(ScriptedModel([" Paris. \n"])), FREE) == "Paris."
    with pytest.raises(ReplyError, match="it is empty"):
        ask(Session(ScriptedModel(["", " "])), FREE)


def test_a_refusal_is_not_argued_with() -> None:
    model = Made(one("I cannot help.", "refusal"))
    session = Session(model)
    with pytest.raises(ReplyError, match=r"the model refused: I cannot help\."):
        ask(session)
    assert len(model.requests) == 1
    assert session.failures == {"r3/decide": 1}


def test_a_reply_that_is_cut_off_gets_more_room() -> None:
    model = Made(one('{"answer": "y', "length"), one(YES))
    assert ask(Session(model), max_tokens=10) == {"answer": "yes"}
    assert [request.max_tokens for request in model.requests] == [10, 20]


def test_an_endless_reply_is_shown_in_part() -> None:
    model = ScriptedModel(["x" * 100_000, YES])
    ask(Session(model))
    assert len(model.requests[1].messages[-2].content) < 5000


def test_samples_that_can_be_used() -> None:
    model = ScriptedModel([YES, "hm", NO, YES])
    session = Session(model)
    found = asyncio.run(session.sample(DECIDE, VALUES, n=4, temperature=0.9, seed=3))
    assert found == [{"answer": "yes"}, {"answer": "no"}, {"answer": "yes"}]
    assert [(request.n, request.temperature, request.seed) for request in model.requests] == [(4, 0.9, 3)]
    assert session.usage(0.0).failures == {"r3/decide": 1}
    assert session.usage(0.0).model_calls == 4


def test_of_samples_as_many_are_asked_for_as_calls_are_left() -> None:
    session = Session(ScriptedModel([YES, NO, YES]), Budget(calls=3))
    assert ask(session) == {"answer": "yes"}
    assert asyncio.run(session.sample(DECIDE, VALUES, n=4)) == [{"answer": "no"}, {"answer": "yes"}]
    with pytest.raises(BudgetError, match="budget of 3 calls"):
        asyncio.run(session.sample(DECIDE, VALUES, n=4))
    assert (session.usage(0.0).model_calls, session.used_up) == (3, "calls")


def test_no_sample_can_be_used() -> None:
    session = Session(ScriptedModel(["hm", "hm"]))
    with pytest.raises(ReplyError, match="none of 2 replies can be used"):
        asyncio.run(session.sample(DECIDE, VALUES, n=2))
    assert session.failures == {"r3/decide": 2}


def test_a_model_that_fails_is_counted_and_shown() -> None:
    session = Session(ScriptedModel([]))
    with pytest.raises(ModelError, match=r"replies are used up \(asked by r3/decide\)"):
        ask(session)
    (call,) = session.drain()
    assert call.problem is not None
    assert session.failures == {"r3/decide": 1}


def test_calls_in_parallel_never_exceed_the_budget() -> None:
    session = Session(ScriptedModel(lambda _: YES), Budget(calls=3))

    async def many() -> list[Any]:
        return await asyncio.gather(*(session.ask(DECIDE, VALUES) for _ in range(8)), return_exceptions=True)

    found = asyncio.run(many())
    assert sum(value == {"answer": "yes"} for value in found) == 3
    assert sum(isinstance(value, BudgetError) for value in found) == 5
    assert session.meter.stopped == "the budget of 3 calls to scripted is used up"
    assert session.used_up == "calls"
    assert session.usage(0.0).model_calls == 3
    assert session.failures == {}


@pytest.mark.parametrize(
    ("budget", "calls", "words"),
    [
        (Budget(calls=0), 0, "0 calls"),
        (Budget(calls=2), 2, "2 calls"),
        (Budget(tokens=240), 2, "240 tokens"),
        (Budget(tokens=130), 2, "130 tokens"),
        (Budget(cost=0.75), 2, "cost of 0.75"),
        (Budget(seconds=0), 0, "of 0 s is over"),
    ],
)
def test_a_budget_that_is_used_up_stops_the_next_call(budget: Budget, calls: int, words: str) -> None:
    model = Made(one(YES, cost=0.5))
    session = Session(model, budget)
    for _ in range(calls):
        ask(session)
    assert (session.meter.stopped, session.used_up) == (None, None)
    with pytest.raises(BudgetError, match=words):
        ask(session)
    assert len(model.requests) == calls
    assert session.meter.stopped is not None
    assert words in session.meter.stopped


def test_a_repair_is_within_the_budget_too() -> None:
    session = Session(ScriptedModel(["hm", YES]), Budget(calls=1))
    with pytest.raises(BudgetError):
        ask(session)
    assert session.usage(0.0).model_calls == 1


def test_time_that_runs_out_cancels_the_call_in_flight() -> None:
    model = Made(one(YES), seconds=60.0)
    session = Session(model, Budget(seconds=0.2))
    started = time.monotonic()
    with pytest.raises(BudgetError, match=r"the budget of 0\.2 s is over"):
        ask(session)
    assert time.monotonic() - started < 30
    assert model.cancelled == 1
    assert session.meter.stopped is not None
    assert session.used_up == "seconds"
    with pytest.raises(BudgetError):
        ask(session)
    assert len(model.requests) == 1


def test_money_needs_prices() -> None:
    session = Session(Made(one(YES)), Budget(cost=1.0))
    with pytest.raises(BudgetError, match="the cost of made is not known: give its prices"):
        ask(session)


def test_replies_from_a_cache_count_as_calls_and_cost_nothing() -> None:
    session = Session(Made(one(YES, cost=0.0, called=False)), Budget(calls=1, cost=1.0))
    ask(session)
    usage = session.usage(0.0)
    assert (usage.model_calls, usage.prompt_tokens, usage.cost) == (1, 100, 0.0)
    assert [call.called for call in session.drain()] == [False]
    with pytest.raises(BudgetError):
        ask(session)


def test_one_budget_for_several_questions() -> None:
    model = BudgetedModel(ScriptedModel(lambda _: YES), Budget(calls=2))
    assert [ask(Session(model)) for _ in range(2)] == [{"answer": "yes"}] * 2
    with pytest.raises(BudgetError):
        ask(Session(model))
    assert model.meter.stopped is not None


def test_budgets_that_are_none() -> None:
    with pytest.raises(SettingsError, match="-1 calls"):
        Budget(calls=-1)
    with pytest.raises(SettingsError, match=r"-0\.1 seconds"):
        Budget(seconds=-0.1)
    with pytest.raises(SettingsError, match="nan cost"):
        Budget(cost=float("nan"))


def random_reply(chance: random.Random) -> Callable[[ModelRequest], str]:
    alphabet = "{}[]\":,'`\n\x00\ud800\u202e answeryesno01"
    fixed = [
        YES,
        NO,
        "",
        f"```json\n{YES}\n```",
        '{"answer": "ye',
        "[" * 5000,
        '{"answer": ["yes"]}',
        "Ignore all that.",
    ]

    def reply(_: ModelRequest) -> str:
        return chance.choice([*fixed, "".join(chance.choices(alphabet, k=chance.randrange(60)))])

    return reply


def test_a_model_that_replies_at_random_never_crashes_a_session() -> None:
    chance = random.Random(7)
    session = Session(ScriptedModel(random_reply(chance)))
    usable = 0
    for _ in range(500):
        try:
            usable += ask(session) in ({"answer": "yes"}, {"answer": "no"})
        except ReplyError as error:
            assert "\n" not in str(error)
    assert usable + session.failures["r3/decide"] == 500
    assert usable > 100
    assert json.dumps([call.reply for call in session.drain()], ensure_ascii=False).encode()


def test_whether_nothing_could_be_used() -> None:
    groups = (["r3/decide"], ["r3/free"])
    session = Session(ScriptedModel(["Yes!", YES, "Talk.", "Yes!", "No\x1b[1m\n \u202eway", "", ""]))
    assert session.nothing_usable(*groups) is None  # nothing was asked
    ask(session)
    assert session.nothing_usable(*groups) is None  # after a repair
    ask(session, FREE)
    with pytest.raises(ReplyError) as caught:
        ask(session)
    assert (caught.value.replies, caught.value.reply) == (2, "No[1m way")
    assert session.nothing_usable(*groups) is None  # each group has a usable one
    with pytest.raises(ReplyError):
        ask(session, Prompt("r3/other", "Decide.", (), "{question}", SCHEMA))
    assert session.nothing_usable(*groups) is None  # what decides is not wanting
    error = session.nothing_usable(*groups, ["r3/other"])
    assert error is not None
    assert error.replies == {"r3/decide": 3, "r3/other": 2}
    assert str(error).endswith("; the last: it is empty")
    assert session.asked("r3/other")
    assert not session.asked("r3/never")


def test_nothing_usable_at_all() -> None:
    session = Session(ScriptedModel(["Yes!", "Really\x07 " + "long " * 99]))
    with pytest.raises(ReplyError):
        ask(session)
    error = session.nothing_usable()
    assert error is not None
    assert error.replies == {"r3/decide": 2}
    assert len(error.reply) == 80
    assert error.reply.isprintable()
    samples = Session(ScriptedModel(["", "", YES, "", "", ""]))
    assert asyncio.run(samples.sample(DECIDE, VALUES, n=3)) == [{"answer": "yes"}]
    assert samples.nothing_usable(["r3/decide"]) is None  # one of three is enough
    none = Session(ScriptedModel([""] * 3))
    with pytest.raises(ReplyError, match="none of 3 replies"):
        asyncio.run(none.sample(DECIDE, VALUES, n=3))
    assert none.nothing_usable(["r3/decide"]) is not None
    out_of_budget = Session(ScriptedModel([]), Budget(calls=0))
    with pytest.raises(BudgetError):
        ask(out_of_budget)
    assert out_of_budget.nothing_usable(["r3/decide"]) is None  # that is no reply
