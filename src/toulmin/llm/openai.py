"""Any endpoint that speaks OpenAI's chat completions: hosted ones, vLLM, Ollama, llama.cpp's server."""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from toulmin.errors import ModelError, SettingsError
from toulmin.graph.endpoint.client import retry_after
from toulmin.llm.protocol import Completion, ModelRequest, Reply, Tokens, in_parts
from toulmin.llm.wire import Dialect, completions, counted, error_of, payload

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["DEFAULT_BASE_URL", "KEY", "OPENAI_KEY", "TRANSIENT", "OpenAIModel", "Prices", "Retries"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
KEY = "TOULMIN_API_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
_KNOCKS = 2  # tries to connect to an endpoint that was never there


@dataclass(frozen=True, slots=True)
class Prices:
    """Money per million tokens, in any one currency."""

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        if not (self.prompt >= 0 and self.completion >= 0):
            raise SettingsError(f"prices of {self.prompt} and {self.completion}: give 0 or more")

    def of(self, prompt: int, completion: int) -> float:
        """What so many tokens cost."""
        return (prompt * self.prompt + completion * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class _Received:
    """What came back: status (None: nothing did, ``message`` says why), body, and the wait that is asked for."""

    status: int | None
    body: dict[str, Any]
    message: str
    parameter: str | None = None
    code: str = ""
    wait: float | None = None
    connected: bool = True


@dataclass(slots=True)
class _Connection:
    """What belongs to one event loop."""

    client: AsyncOpenAI
    places: asyncio.Semaphore
    resume: float = 0.0  # no request before this time of the monotonic clock
    was_there: bool = False


class OpenAIModel:
    """A chat model behind an OpenAI-compatible endpoint.

    The key comes from the environment only: TOULMIN_API_KEY for any endpoint; OPENAI_API_KEY for api.openai.com and for
    the address in OPENAI_BASE_URL. It is in no message, name, key of a cache or trace.

    Args:
        model: the endpoint's name for it.
        base_url: of the endpoint, up to and including ``/v1``; None: OPENAI_BASE_URL, else OpenAI's.
        prices: None: costs are unknown.
        concurrency: the most requests in flight.
        timeout: seconds for one request, from sending it to the last byte of its reply.
        retries: after rate limits, server errors, broken connections and timeouts.

    Raises:
        SettingsError: an address or number that cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        prices: Prices | None = None,
        concurrency: int = 8,
        timeout: float = 120.0,
        retries: Retries | None = None,
    ) -> None:
        if not model or concurrency < 1 or not timeout > 0:
            raise SettingsError("a model of an endpoint needs a name, a concurrency of 1 or more, a timeout above 0 s")
        self._model = model
        self._base_url = _address(base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL)
        self._prices = prices
        self._concurrency = concurrency
        self._timeout = timeout
        self._retries = retries or Retries()
        self._dialect = Dialect()
        self._key = _key_for(self._base_url)
        # A client's connections belong to the event loop they were made in, and a script may run several in turn.
        self._connections: WeakKeyDictionary[asyncio.AbstractEventLoop, _Connection] = WeakKeyDictionary()

    @property
    def name(self) -> str:
        """``openai:NAME``."""
        return f"openai:{self._model}"

    @property
    def identity(self) -> str:
        """Name and address: what a cached reply belongs to."""
        return f"{self.name} {self._base_url}"

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``. Endpoints that give one completion per request are asked several times.

        Raises:
            ModelError: no reply can be had.
            SettingsError: it should keep to a grammar.
        """
        return await in_parts(request, self.part)

    async def part(self, request: ModelRequest) -> Reply:
        """What one request to the endpoint brings: all completions that are asked for, or one of them."""
        if request.grammar is not None:
            raise SettingsError(f"{self.name}: an endpoint takes no grammar: constrain its replies by a schema")
        sent = request if self._dialect.takes("n") else replace(request, n=1)
        received, prompt, completion = await self._request(sent)
        cost = None if self._prices is None else self._prices.of(prompt, completion)
        return Reply(tuple(received[: request.n]), Tokens(prompt, completion, cost))

    async def close(self) -> None:
        """Close the connections of this event loop."""
        connection = self._connections.pop(asyncio.get_running_loop(), None)
        if connection is not None:
            await connection.client.close()

    async def _request(self, request: ModelRequest) -> tuple[list[Completion], int, int]:
        """Completions, prompt tokens and completion tokens, in the endpoint's dialect."""
        dialect = self._dialect
        how = dialect.format_for(request.schema)
        while True:
            body = dialect.body(self._model, request, how)
            received = await self._send(body)
            if received.status == 200:
                dialect.accepted(how, request.schema)
                return self._read(received.body, body)
            if "content_filter" in received.code:  # the endpoint refused the prompt itself
                return [Completion(received.message, "refusal")] * request.n, 0, 0
            if received.status not in (400, 422):
                raise self._failure(received)
            if dialect.learn(body, received.message, received.parameter):
                continue
            lower = dialect.lower(how, request, received.message)
            if lower is None:
                raise self._failure(received)
            how = lower

    def _read(self, reply: dict[str, Any], sent: dict[str, Any]) -> tuple[list[Completion], int, int]:
        read = completions(reply)
        usage = counted(reply)
        if usage is None:  # estimated, so that a budget of tokens holds
            characters = sum(len(message["content"]) for message in sent["messages"])
            usage = characters // 4, sum(len(completion.text) for completion in read) // 4
        return read, *usage

    async def _send(self, body: dict[str, Any]) -> _Received:
        """Send until something other than a passing failure comes back, or patience ends."""
        connection, failures = self._connection(), 0
        while True:
            async with connection.places:
                while (pause := connection.resume - time.monotonic()) > 0:
                    await asyncio.sleep(pause)
                received = await self._once(connection.client, body)
            passing = received.status is None or received.status in TRANSIENT
            if not passing or received.code in ("insufficient_quota", "billing_hard_limit_reached"):
                connection.was_there = True
                return received
            failures += 1
            connection.was_there |= received.connected
            nobody = not connection.was_there and failures >= _KNOCKS  # mostly a wrong address: said at once
            wait = None if nobody else self._retries.wait(failures, received.wait)
            if wait is None:
                tries = f", after {failures} tries" if failures > 1 else ""
                asks = f"; it asks to wait {received.wait:g} s" if received.wait is not None else ""
                return replace(received, message=f"{received.message}{asks}{tries}")
            if received.wait is not None:  # all requests wait for what the endpoint asks
                connection.resume = max(connection.resume, time.monotonic() + received.wait)
            await asyncio.sleep(wait)

    async def _once(self, client: AsyncOpenAI, body: dict[str, Any]) -> _Received:
        """One HTTP request."""
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        late = f"no whole reply within {self._timeout:g} s"
        try:
            async with asyncio.timeout(self._timeout):  # the client's own limit is per chunk
                raw = await client.chat.completions.with_raw_response.create(**body)
        except (TimeoutError, APITimeoutError):
            return _Received(None, {}, late)
        except APIConnectionError as error:
            cause = error.__cause__
            reason = f"cannot be reached ({str(cause or '') or type(cause or error).__name__})"
            # By name: the client's versions take it from different packages.
            return _Received(None, {}, reason, connected=type(cause).__name__ != "ConnectError")
        except APIStatusError as error:
            content, wait = error.response.content, retry_after(error.response.headers)
            return _Received(error.status_code, {}, *error_of(payload(content), content), wait)
        content = raw.http_response.content
        reply = payload(content)
        if completions(reply):
            return _Received(200, reply, "")
        if reply.get("error"):  # some send errors with status 200
            message, parameter, code = error_of(reply, content)
            status = int(code) if re.fullmatch("[45][0-9][0-9]", code) else 502
            return _Received(status, {}, message, parameter, code)
        return _Received(None, {}, "its reply is cut off or no chat completion")

    def _connection(self) -> _Connection:
        loop = asyncio.get_running_loop()
        if loop not in self._connections:
            from openai import AsyncOpenAI, Timeout  # 0.7 s

            client = AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self._base_url,
                max_retries=0,
                timeout=Timeout(self._timeout, connect=min(10.0, self._timeout)),
            )
            self._connections[loop] = _Connection(client, asyncio.Semaphore(self._concurrency))
        return self._connections[loop]

    def _failure(self, received: _Received) -> ModelError:
        status = "" if received.status is None else f"HTTP {received.status}: "
        message = received.message.replace(self._key, "***") if self._key else received.message
        hint = ""
        if received.status in (401, 403):
            hint = f" (the key in {KEY} was sent)" if self._key else f" (set {KEY} to the key for this endpoint)"
        return ModelError(f"{self.name} at {self._base_url}: {status}{message}{hint}")


def _address(base_url: str) -> str:
    """A base URL that can be shown.

    Raises:
        SettingsError: no HTTP address, or one with a password or a query, where secrets would be shown.
    """
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError(f"base URL {base_url!r} is no http or https address")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SettingsError(f"the base URL of a model holds no user, password or query: put the key into {KEY}")
    return base_url.rstrip("/")


def _key_for(base_url: str) -> str | None:
    """The key for an endpoint: OpenAI's own key goes nowhere but to OpenAI or where the environment says.

    Raises:
        SettingsError: a key that no header can hold.
    """
    openai = {DEFAULT_BASE_URL, os.environ.get("OPENAI_BASE_URL", "").rstrip("/")}
    variable = KEY if os.environ.get(KEY) or base_url not in openai else OPENAI_KEY
    key = os.environ.get(variable)
    if key and not (key.isascii() and key.isprintable()):
        raise SettingsError(f"{variable} holds a character that no HTTP header can: remove line breaks and the like")
    return key or None


#: HTTP statuses after which the same request may succeed.
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently.

    Args:
        attempts: calls in all, the first included.
        base: seconds before the second one; doubled before each further one.
        longest: the most seconds to wait before one; an endpoint that asks for more is given up.

    Raises:
        SettingsError: out of range.
    """

    attempts: int = 6
    base: float = 0.5
    longest: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or not self.base >= 0 or not self.longest >= 0:
            raise SettingsError(f"{self}: give at least 1 attempt, and waits of 0 s or more")

    def wait(self, failures: int, retry_after: float | None) -> float | None:
        """Seconds to wait after so many failures (1 or more); None: give up.

        Args:
            retry_after: what the endpoint asks for in Retry-After.
        """
        if failures >= self.attempts or (retry_after is not None and retry_after > self.longest):
            return None
        # Half of it is random, so that callers that failed together do not come back together.
        backoff: float = min(self.longest, self.base * 2 ** (failures - 1)) * random.uniform(0.5, 1.0)  # noqa: S311
        return max(retry_after or 0.0, backoff)
