"""A chat model as entailment scorer: it names a verdict per pair; code makes the probabilities."""

from __future__ import annotations

import asyncio
import re
import time
from bisect import bisect_right
from collections.abc import Coroutine, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache, partial
from itertools import accumulate
from math import exp
from threading import Thread, current_thread
from typing import Any, TypeVar
from weakref import finalize

import numpy as np

from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair, Scores
from toulmin.entailment.value_check import corrected
from toulmin.errors import ReplyError, SettingsError
from toulmin.graph.closing import Closing
from toulmin.llm.prompts import block, data, prompts_of
from toulmin.llm.protocol import Completion, Model, gathered
from toulmin.llm.session import Budget, Meter, Session
from toulmin.program.answer import Usage

__all__ = ["ChatScorer"]

T = TypeVar("T")

_prompts = partial(prompts_of, "toulmin.entailment")
_COLUMNS: Mapping[str, int] = {"supports": ENTAIL, "leaves open": UNKNOWN, "contradicts": CONTRADICT}
_VERDICT = re.compile(r"""["']verdict["']\s*:\s*["'](supports|leaves open|contradicts)["']""")
_LEAST = 0.34  # the likeliest of three verdicts has more than a third
_LONGEST_PREMISE, _LONGEST_HYPOTHESIS = 2_000, 600  # characters that are shown


class ChatScorer(Closing):
    """A chat model that judges pairs, several per call.

    The probability of its verdict is that of the verdict's first token where the model gives log-probabilities, else
    the one it states; the two other verdicts share the rest equally. A reply that stays unusable after the repair call
    is asked for again in halves, and with half as many pairs per call from then on.

    ``score`` may be called anywhere, also where an event loop is running: the calls are made in a thread of the
    scorer's own. That thread ends with ``close``, which also closes the model there.

    Args:
        model: the chat model.
        budget: of all that this scorer asks; its time runs from here. A meter: of all that share it. None: no bounds.
        pairs_per_call: the most pairs that one request shows.
        logprobs: whether log-probabilities are asked for; an endpoint that refuses is asked without them.
        compare_values: whether code overrules the model where a number or date of the sentence conflicts with the
            evidence's.

    Raises:
        SettingsError: fewer than 1 pair per call.
    """

    def __init__(
        self,
        model: Model,
        *,
        budget: Budget | Meter | None = None,
        pairs_per_call: int = 8,
        logprobs: bool = True,
        compare_values: bool = True,
    ) -> None:
        if pairs_per_call < 1:
            raise SettingsError(f"{pairs_per_call} pairs per call: give 1 or more")
        self._model, self._session = model, Session(model, budget)
        self._most, self._logprobs, self._compare_values = pairs_per_call, logprobs, compare_values
        self.name = f"chat:{model.name}@{_prompts().digest[:8]}" + ("+values" if compare_values else "")
        self._seconds = 0.0
        self._loop = _Loop()
        self._end = finalize(self, self._loop.close)

    @property
    def usage(self) -> Usage:
        """What the calls so far cost; the seconds are those spent waiting for them."""
        return self._session.usage(self._seconds)

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities float32[n, 3]: entailment, unknown, contradiction. Equal pairs are asked once.

        Raises:
            ReplyError: the reply about a pair stays unusable after the repair call, or the model refused.
            BudgetError: the budget is used up.
            ModelError: no reply can be had.
        """
        if not pairs:
            return np.zeros((0, 3), dtype=np.float32)
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        started = time.monotonic()
        try:
            rows = np.array(self._loop.wait(self._judged(list(places))), dtype=np.float32)
        finally:
            self._seconds += time.monotonic() - started
            self._session.drain()
        scores: Scores = rows[[places[pair] for pair in pairs]]
        return corrected(pairs, scores) if self._compare_values else scores

    def close(self) -> None:
        """Close the model (of an endpoint: the connections of this scorer) and end the thread."""
        if self._end.alive:
            self._loop.wait(self._model.close())
            self._end()

    async def _judged(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """A row per pair."""
        batches = [pairs[start : start + self._most] for start in range(0, len(pairs), self._most)]
        return [row for rows in await gathered(map(self._batch, batches)) for row in rows]

    async def _batch(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """A row per pair, from one request; from two with half of them each where its reply cannot be used."""
        prompt = _prompts()["judge"]
        count = "1 verdict" if len(pairs) == 1 else f"{len(pairs)} verdicts"
        values = {"pairs": block("pairs", _lines(pairs)), "count": count}
        try:
            value, completion = await self._session.reply(
                prompt,
                values,
                schema=_schema(len(pairs)),
                check=lambda value: _misnumbered(value, len(pairs)),
                logprobs=self._logprobs,
            )
        except ReplyError as error:
            if len(pairs) == 1:
                shown = f"evidence {data(pairs[0][0], 60)!r}, sentence {data(pairs[0][1], 60)!r}"
                raise ReplyError(
                    error.step, f"{error.problem} ({shown})", replies=error.replies, reply=error.reply
                ) from None
            half = len(pairs) // 2
            self._most = min(self._most, len(pairs) - half)
            return [*await self._batch(pairs[:half]), *await self._batch(pairs[half:])]
        return _rows(value["verdicts"], completion)


def _lines(pairs: Sequence[Pair]) -> list[str]:
    lines = []
    for number, (premise, hypothesis) in enumerate(pairs, start=1):
        lines.append(f"[{number}] evidence: {data(premise, _LONGEST_PREMISE) or '(none)'}")
        lines.append(f"[{number}] sentence: {data(hypothesis, _LONGEST_HYPOTHESIS) or '(none)'}")
    return lines


@lru_cache(maxsize=64)
def _schema(pairs: int) -> Mapping[str, Any]:
    """The prompt's schema for so many pairs: a decoder that keeps to a schema cannot lose count."""
    schema: dict[str, Any] = deepcopy(dict(_prompts()["judge"].schema or {}))
    verdicts = schema["properties"]["verdicts"]
    verdicts["minItems"] = verdicts["maxItems"] = pairs
    verdicts["items"]["properties"]["pair"] = {"enum": list(range(1, pairs + 1))}
    return schema


def _misnumbered(value: Any, pairs: int) -> str | None:
    numbers = [verdict["pair"] for verdict in value["verdicts"]]
    if numbers == list(range(1, pairs + 1)):
        return None
    order = ", ".join(map(str, numbers))
    return f"verdicts has the pairs {order}: give each of the pairs 1 to {pairs} once, in this order"


def _rows(verdicts: Sequence[Mapping[str, Any]], completion: Completion) -> list[list[float]]:
    """Probabilities of each verdict and, shared, of the two others."""
    of_tokens = _token_probabilities([verdict["verdict"] for verdict in verdicts], completion)
    rows = []
    for place, verdict in enumerate(verdicts):
        probability = float(verdict["probability"]) if of_tokens is None else of_tokens[place]
        row = [(1.0 - probability) / 2.0] * 3
        row[_COLUMNS[verdict["verdict"]]] = probability
        rows.append(row)
    return rows


def _token_probabilities(verdicts: Sequence[str], completion: Completion) -> list[float] | None:
    """The probability of each verdict's first token; None: the tokens do not tell."""
    if not completion.tokens:
        return None
    text = "".join(token.text for token in completion.tokens)
    # Thoughts before the JSON may hold such words as well.
    matches = list(_VERDICT.finditer(text))[-len(verdicts) :]
    if [match[1] for match in matches] != list(verdicts):
        return None
    ends = list(accumulate(len(token.text) for token in completion.tokens))
    tokens = [completion.tokens[bisect_right(ends, match.start(1))] for match in matches]
    # Where a grammar forces the verdict, the token may have been an unlikely one: then it is a guess.
    return [min(1.0, max(_LEAST, exp(min(0.0, token.logprob)))) for token in tokens]


class _Loop:
    """An event loop in a thread of its own: connections outlive a call, and a loop that runs is in nobody's way."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="entailment", daemon=True)
        self._thread.start()

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns; it is cancelled where the wait is interrupted."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()  # does nothing to one that has ended

    def close(self) -> None:
        """End the thread."""
        if current_thread() is self._thread:
            self._loop.stop()
            return
        self.wait(self._loop.shutdown_default_executor())  # there: a loop may be running here
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
