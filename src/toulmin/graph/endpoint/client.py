"""A well-behaved HTTP client of a SPARQL endpoint: timeouts, retries, paging, bounds, a cache."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock

from toulmin.errors import EndpointError, ToulminError
from toulmin.graph.endpoint.credentials import HOST, PASSWORD, TOKEN, USER
from toulmin.graph.endpoint.results import Answer, Term, first_words, read_answer, says_too_slow
from toulmin.graph.endpoint.settings import ClientSettings, check_url
from toulmin.graph.endpoint.transport import Transport

__all__ = ["SparqlClient"]

_RETRIED = frozenset({429, 502, 503, 504})
_SMALLEST_CAP = 50  # rows; no server cuts answers off below


class SparqlClient:
    """Sends queries to one endpoint. Safe to use from several threads.

    Args:
        url: http(s) address; a query string such as ``?default-graph-uri=…`` is kept.
        settings: how to treat the server.

    Raises:
        SettingsError: not such an address, or it holds a user name.
    """

    def __init__(self, url: str, settings: ClientSettings | None = None) -> None:
        check_url(url)
        self.url = url
        self.settings = settings or ClientSettings()
        self._cache: OrderedDict[str, tuple[Answer, int]] = OrderedDict()
        self._cached_bytes = 0
        self._lock = Lock()
        self._transport = Transport(url, self.settings.max_bytes)
        self._row_cap: int | None = None

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def run(self, query: str, *, timeout: float | None = None, blame: type[ToulminError] = EndpointError) -> Answer:
        """Send one query as it is.

        Args:
            timeout: seconds; None: as the settings say.
            blame: the error where the query itself is at fault: refused, or too slow.

        Raises:
            EndpointError: the server cannot be reached, is overloaded, refuses access, or answers something unusable.
            ToulminError: ``blame``.
        """
        with self._lock:
            known = self._cache.get(query)
            if known is not None:
                self._cache.move_to_end(query)
                return known[0]
        status, content = self._fetch(query, timeout or self.settings.timeout, blame)
        answer = read_answer(self.url, status, content, blame)
        self._remember(query, answer, len(content))
        return answer

    def ask(self, pattern: str, *, blame: type[ToulminError] = EndpointError) -> bool:
        """Whether a pattern matches anything."""
        answer = self.run(f"ASK {{ {pattern} }}", blame=blame)
        if answer.boolean is None:
            raise EndpointError(f"{self.url}: answered an ASK query with rows: is this a SPARQL endpoint?")
        return answer.boolean

    def rows(self, required: Sequence[str], pattern: str, optional: Sequence[str] = ()) -> list[Mapping[str, Term]]:
        """All rows of ``SELECT required optional { pattern }``, page by page where one answer does not hold them.

        Args:
            required: variables that every row binds. Rows that bind nothing are left out (rdflib groups nothing so).

        Raises:
            EndpointError: see ``run``; also more than ``max_rows``, or a server that ignores OFFSET.
        """
        page, names = self.settings.page_size, " ".join(f"?{name}" for name in (*required, *optional))
        first = self._page(required, f"SELECT {names} WHERE {{ {pattern} }} LIMIT {page}")
        if not self._may_be_cut(len(first)):
            return [row for row in first if row]
        # Pages fit together only in a fixed order. It was not asked for before, since sorting costs the server.
        found: list[Mapping[str, Term]] = []
        last: tuple[Mapping[str, Term], ...] = ()
        while len(found) <= self.settings.max_rows:
            rows = self._page(
                required, f"SELECT {names} WHERE {{ {pattern} }} ORDER BY {names} LIMIT {page} OFFSET {len(found)}"
            )
            if rows and rows == last:
                raise EndpointError(f"{self.url}: the server ignores OFFSET, so its answers cannot be read to the end")
            found.extend(rows)
            last = rows
            if not self._may_be_cut(len(rows)):
                return [row for row in found if row]
        raise EndpointError(f"{self.url}: more than {self.settings.max_rows:,} rows: ask with a limit")

    def _page(self, required: Sequence[str], query: str) -> tuple[Mapping[str, Term], ...]:
        rows = self.run(query).rows
        for row in rows:
            if row and not all(name in row for name in required):
                raise EndpointError(f"{self.url}: a row of the answer lacks one of {', '.join(required)}")
        return rows

    def _may_be_cut(self, count: int) -> bool:
        """Whether an answer of so many rows may lack some: it fills the page, or the server's own limit."""
        if count >= self.settings.page_size:
            return True
        if count < _SMALLEST_CAP:
            return False
        if self._row_cap is None:  # found out once: what a server sends at most where there is more
            probe = f"SELECT (1 AS ?row) WHERE {{ ?s ?p ?o }} LIMIT {self.settings.page_size}"
            self._row_cap = len(self.run(probe).rows)
        return count == self._row_cap

    def _remember(self, query: str, answer: Answer, size: int) -> None:
        size += len(query)
        if size > self.settings.cache_bytes // 4:
            return
        with self._lock:
            if query not in self._cache:
                self._cache[query] = (answer, size)
                self._cached_bytes += size
            while self._cached_bytes > self.settings.cache_bytes:
                _, (_, freed) = self._cache.popitem(last=False)
                self._cached_bytes -= freed

    def _fetch(self, query: str, timeout: float, blame: type[ToulminError]) -> tuple[int, bytes]:
        """Status and body of the first usable answer; waits and tries again where the server asks for patience."""
        began, attempt = time.monotonic(), 0
        while True:
            status, content, retry_after = self._transport.send(query, timeout, blame)
            if status == 415 and not self._transport.as_form:
                self._transport.as_form = True
            elif status not in _RETRIED and status is not None:
                self._check(status, content, blame)
                return status, content
            else:
                attempt += 1
                asked = _retry_after(retry_after)
                jittered = self.settings.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311
                wait = jittered if asked is None else asked
                left = self.settings.retry_time - (time.monotonic() - began)
                said = f"HTTP {status}: " if status else ""
                problem = f"{self.url}: {said}{first_words(content) or 'no reason given'}"
                if attempt > self.settings.retries:
                    raise EndpointError(f"{problem} (tried {attempt} times): try again later")
                if wait > left:
                    raise EndpointError(f"{problem} (would have to wait {wait:.0f} s): try again later")
                time.sleep(wait)

    def _check(self, status: int, content: bytes, blame: type[ToulminError]) -> None:
        """Raise for every status but 200."""
        if status == 200:
            return
        words = first_words(content)
        if status in (401, 403):
            raise EndpointError(
                f"{self.url}: HTTP {status}: access refused ({words}): set {HOST} and {TOKEN}, or {USER} and {PASSWORD}"
            )
        if says_too_slow(content):
            raise blame(f"{self.url}: HTTP {status}: the server's time limit ran out ({words}): ask for less")
        if status in (400, 413, 414, 422):
            raise blame(f"{self.url}: HTTP {status}: the server refuses the query: {words or 'no reason given'}")
        raise EndpointError(f"{self.url}: HTTP {status}: {words or 'no reason given'}")


def _retry_after(text: str | None) -> float | None:
    """Seconds to wait: Retry-After as seconds or as a date (RFC 9110, 10.2.3); None where it says neither."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
