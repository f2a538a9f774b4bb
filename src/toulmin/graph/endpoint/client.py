"""A well-behaved HTTP client of a SPARQL endpoint: timeouts, retries, paging, bounds, a cache."""

from __future__ import annotations

import math
import random
import re
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from threading import Lock

from toulmin.errors import EndpointError, ToulminError
from toulmin.graph.endpoint.settings import ClientSettings, check_url, without_secrets
from toulmin.graph.endpoint.transport import (
    HttpReply,
    SparqlResult,
    Term,
    Transport,
    first_words,
    read_result,
    says_too_slow,
)

__all__ = ["SparqlClient", "retry_after"]

_RETRIED = frozenset({429, 502, 503, 504})
_SMALLEST_CAP = 50  # rows; no server cuts answers off below


class SparqlClient:
    """Sends queries to one endpoint. Safe to use from several threads.

    Args:
        url: http(s) address; a query string such as ``?default-graph-uri=…`` is kept.
        settings: how to treat the server.

    Attributes:
        url: the address as it may be shown, without keys.
        is_virtuoso: whether the server said so in its last answer.

    Raises:
        SettingsError: not such an address, or it holds a user name.
    """

    def __init__(self, url: str, settings: ClientSettings | None = None) -> None:
        check_url(url)
        self.url, self._sent_to = without_secrets(url), url
        self.settings = settings or ClientSettings()
        self._cache: OrderedDict[str, tuple[SparqlResult, int]] = OrderedDict()
        self._cached_bytes = 0
        self._lock = Lock()
        self._transport = Transport(url, self.settings.max_bytes)
        self._most_rows = 0  # that came in one answer: so many the server sends
        self.is_virtuoso = False

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def run(
        self,
        query: str,
        *,
        timeout: float | None = None,
        blame: type[ToulminError] = EndpointError,
        anew: bool = False,
    ) -> SparqlResult:
        """Send one query as it is.

        Args:
            timeout: seconds; None: as the settings say.
            blame: the error where the query itself is at fault: refused, or too slow.
            anew: ask though the answer is known.

        Raises:
            EndpointError: the server cannot be reached, is overloaded, refuses access, or answers something unusable.
            ToulminError: ``blame``.
        """
        with self._lock:
            known = None if anew else self._cache.get(query)
            if known is not None:
                self._cache.move_to_end(query)
                return known[0]
        if "%" in query and self._transport.posts(query):
            self._transport.as_form = self._reads_forms
        reply = self._fetch(query, timeout or self.settings.timeout, blame)
        answer = read_result(self.url, reply.status or 0, reply.content, blame)
        # Virtuoso sends this header where an answer reaches the number of rows at which it stops without another word.
        if reply.headers.get("X-SPARQL-MaxRows", "").isdecimal():
            answer = replace(answer, capped=len(answer.rows) >= int(reply.headers["X-SPARQL-MaxRows"]))
        self.is_virtuoso = reply.headers.get("Server", "").startswith("Virtuoso")
        self._most_rows = max(self._most_rows, len(answer.rows))
        self._remember(query, answer, len(reply.content))
        return answer

    @cached_property
    def _reads_forms(self) -> bool:
        """Whether the server decodes forms once: rdflib-endpoint does it twice, and reads %41 as A."""
        reply = self._transport.send('SELECT ("%41" AS ?text) {}', self.settings.timeout, EndpointError, post=True)
        return re.search(rb'"value"\s*:\s*"A"', reply.content) is None

    def ask(self, pattern: str, *, blame: type[ToulminError] = EndpointError) -> bool:
        """Whether a pattern matches anything."""
        answer = self.run(f"ASK {{ {pattern} }}", blame=blame)
        if answer.boolean is None:
            raise EndpointError(f"{self.url}: answered an ASK query with rows: is this a SPARQL endpoint?")
        return answer.boolean

    def matching(self, patterns: Sequence[str]) -> list[bool]:
        """Whether each pattern matches anything, in one request. No pattern may use the variable ``?place``."""
        if not patterns:
            return []
        parts = [f"{{ SELECT ({at} AS ?place) WHERE {{ {pattern} }} LIMIT 1 }}" for at, pattern in enumerate(patterns)]
        answer = self.run(f"SELECT ?place WHERE {{ {' UNION '.join(parts)} }}")
        matched = {row["place"]["value"] for row in answer.rows if "place" in row}
        return [str(at) in matched for at in range(len(patterns))]

    def rows(self, required: Sequence[str], pattern: str, optional: Sequence[str] = ()) -> list[Mapping[str, Term]]:
        """All rows of ``SELECT required optional { pattern }``, page by page where one answer does not hold them.

        Args:
            required: variables that every row binds. Rows that bind nothing are left out (rdflib groups nothing so).

        Raises:
            EndpointError: see ``run``; also more than ``max_rows``, or a server that ignores OFFSET.
        """
        first, whole = self.first(required, pattern, optional)
        if whole:
            return first
        # Pages fit together only in a fixed order. It was not asked for before, since sorting costs the server.
        page, names = self.settings.page_size, " ".join(f"?{name}" for name in (*required, *optional))
        body = f"SELECT {names} WHERE {{ {pattern} }} ORDER BY {names}"
        if self.is_virtuoso:  # which sorts no more rows than it sends, but for those of a query within another
            body = f"SELECT {names} WHERE {{ {{ {body} }} }}"
        rows: list[Mapping[str, Term]] = []
        last: tuple[Mapping[str, Term], ...] = ()
        while len(rows) <= self.settings.max_rows:
            answer = self._page(required, f"{body} LIMIT {page} OFFSET {len(rows)}")
            if answer.rows and answer.rows == last:
                raise EndpointError(f"{self.url}: the server ignores OFFSET, so its answers cannot be read to the end")
            rows.extend(answer.rows)
            last = answer.rows
            if not self._may_be_cut(answer):
                return [row for row in rows if row]
        raise EndpointError(f"{self.url}: more than {self.settings.max_rows:,} rows: ask with a limit")

    def first(
        self, required: Sequence[str], pattern: str, optional: Sequence[str] = (), *, most: int | None = None
    ) -> tuple[list[Mapping[str, Term]], bool]:
        """As ``rows``, what one answer holds; and whether that is all.

        Args:
            most: rows to ask for; None: as many as one page.
        """
        names, limit = " ".join(f"?{name}" for name in (*required, *optional)), most or self.settings.page_size
        limit = min(limit, self.settings.page_size)
        answer = self._page(required, f"SELECT {names} WHERE {{ {pattern} }} LIMIT {limit}")
        whole = len(answer.rows) < limit and not self._may_be_cut(answer)
        return [row for row in answer.rows if row], whole

    def _page(self, required: Sequence[str], query: str) -> SparqlResult:
        answer = self.run(query)
        for row in answer.rows:
            if row and not all(name in row for name in required):
                raise EndpointError(f"{self.url}: a row of the answer lacks one of {', '.join(required)}")
        return answer

    def _may_be_cut(self, answer: SparqlResult) -> bool:
        """Whether an answer may lack rows: it fills the page, or it is as long as the server's answers get."""
        count = len(answer.rows)
        if count >= self.settings.page_size or answer.capped:
            return True
        if self.is_virtuoso or count < max(_SMALLEST_CAP, self._most_rows):
            return False
        # No answer was longer: whether one can be is seen from any that should be.
        more = min(self.settings.page_size, 4 * count)
        return len(self.run(f"SELECT (1 AS ?row) WHERE {{ ?s ?p ?o }} LIMIT {more}").rows) <= count

    def _remember(self, query: str, answer: SparqlResult, size: int) -> None:
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

    def _fetch(self, query: str, timeout: float, blame: type[ToulminError]) -> HttpReply:
        """The first usable reply; waits and tries again where the server asks for patience."""
        began, attempt = time.monotonic(), 0
        while True:
            reply = self._transport.send(query, timeout, blame)
            if reply.status not in _RETRIED and reply.status is not None:
                self._check(reply, blame)
                return reply
            attempt += 1
            asked = retry_after(reply.headers)
            jittered = self.settings.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311
            wait = jittered if asked is None else asked
            left = self.settings.retry_time - (time.monotonic() - began)
            status = f"HTTP {reply.status}: " if reply.status else ""
            problem = f"{self.url}: {status}{first_words(reply.content) or 'no reason given'}"
            if attempt > self.settings.retries:
                raise EndpointError(f"{problem} (tried {attempt} times): try again later")
            if wait > left:
                raise EndpointError(f"{problem} (would have to wait {wait:.0f} s): try again later")
            time.sleep(wait)

    def _check(self, reply: HttpReply, blame: type[ToulminError]) -> None:
        """Raise for every status but 200."""
        status, words = reply.status, first_words(reply.content)
        if status == 200:
            return
        problem = f"{self.url}: HTTP {status}"
        if status in (401, 403, 407):
            challenge = reply.headers.get("WWW-Authenticate")
            realm = re.search(r'realm="([^"]+)', challenge or "")
            why = "; ".join(filter(None, [realm and f"realm {first_words(realm[1].encode(), 60)}", words]))
            refused = f"{problem}: access refused ({why or 'no reason given'})"
            raise EndpointError(f"{refused}: {self._transport.credentials.advice(self._sent_to, challenge)}")
        if status in (404, 405, 410):
            raise EndpointError(
                f"{problem}: no SPARQL endpoint is at this address ({words or 'no reason given'}): check its path, "
                "often /sparql, /query, or /repositories/NAME"
            )
        if says_too_slow(reply.content):
            raise blame(f"{problem}: the server's time limit ran out ({words}): ask for less")
        if status in (400, 413, 414, 422):
            raise blame(f"{problem}: the server refuses the query: {words or 'no reason given'}")
        raise EndpointError(f"{problem}: {words or 'no reason given'}: its own log may say more")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` (seconds or a date: RFC 9110, 10.2.3) or ``retry-after-ms`` ask for, or None."""
    value = headers.get("retry-after", "").strip()
    for text, unit in ((headers.get("retry-after-ms", ""), 1000), (value, 1)):
        with suppress(ValueError):
            if 0 <= (seconds := float(text) / unit) < math.inf:
                return seconds
    with suppress(ValueError):
        then = parsedate_to_datetime(value)
        return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return None
