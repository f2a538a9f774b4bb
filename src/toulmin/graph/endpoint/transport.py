"""One request and its answer: redirects, time limit, size limit, credentials, and SPARQL JSON or what comes instead."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from toulmin.errors import EndpointError, ToulminError
from toulmin.graph.endpoint.settings import Credentials, without_secrets

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpReply", "SparqlResult", "Term", "Transport", "first_words", "read_result", "says_too_slow"]

#: A bound variable as the SPARQL JSON format has it: type, value, perhaps datatype or xml:lang.
Term = Mapping[str, Any]

#: Virtuoso 7.2 answers ASK with rows of this variable: a row, or none.
_VIRTUOSO_ASK = "__ASK_RETVAL"
_READ = 20_000  # bytes of an error page that are read
_MARKUP = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_TOO_SLOW = re.compile(
    r"time(?:d)?[ -]?out|timeoutexception|estimated execution time|exceeds? the limit|cancelled due to|S1TAT|S1T00",
    re.IGNORECASE,
)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 5
_LONGEST_GET = 1500  # characters of a query; longer ones are posted


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back.

    Args:
        status: None where the connection broke before one came.
        content: the body, decompressed.
        headers: by name, whatever its case.
    """

    status: int | None
    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Transport:
    """Sends queries over HTTP. Safe to use from several threads.

    Args:
        url: the endpoint.
        max_bytes: size of one answer, decompressed.

    Attributes:
        credentials: those of the environment.
        as_form: long queries are posted as a form, which every engine takes; else as they are.
    """

    def __init__(self, url: str, max_bytes: int) -> None:
        self._url, self._shown = url, without_secrets(url)
        self.max_bytes = max_bytes
        self.as_form = True
        self.credentials = Credentials.from_environment()

    @cached_property
    def _http(self) -> httpx.Client:
        import httpx  # 0.1 s

        headers = {"Accept": "application/sparql-results+json", "User-Agent": f"toulmin/{version('toulmin')}"}
        return httpx.Client(headers=headers, follow_redirects=False)

    def close(self) -> None:
        """Close the connections."""
        if "_http" in self.__dict__:
            self._http.close()

    @staticmethod
    def posts(query: str) -> bool:
        """Whether a query is too long for an address."""
        return len(query) > _LONGEST_GET

    def send(self, query: str, timeout: float, blame: type[ToulminError], *, post: bool | None = None) -> HttpReply:
        """The reply to one request.

        Args:
            post: None: where the query is too long for an address.

        Raises:
            EndpointError: the endpoint cannot be reached, or sends too much.
            ToulminError: ``blame``, where it takes too long.
        """
        import httpx

        deadline = time.monotonic() + timeout
        post = self.posts(query) if post is None else post
        try:
            url = httpx.URL(self._url)
            if not post:
                url = url.copy_merge_params({"query": query})
            for _ in range(_MAX_REDIRECTS + 1):
                with self._http.stream(**self._message(url, query if post else None, timeout)) as response:
                    status, moved = response.status_code, response.headers.get("Location")
                    if status not in _REDIRECTS or not moved:
                        return HttpReply(status, self._read(response, timeout, deadline, blame), response.headers)
                    url = self._redirected(url, url.join(moved))
                    post = post and status != 303
        except httpx.ConnectTimeout as error:
            raise EndpointError(f"{self._shown}: no connection within {min(10.0, timeout):g} s") from error
        except httpx.TimeoutException as error:
            raise self._too_slow(timeout, blame) from error
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            return HttpReply(None, f"the connection broke off ({str(error) or type(error).__name__})".encode())
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(f"{self._shown}: {_unreachable(error)}") from error
        raise EndpointError(f"{self._shown}: redirected more than {_MAX_REDIRECTS} times")

    def _message(self, url: httpx.URL, body: str | None, timeout: float) -> dict[str, Any]:
        import httpx

        header = self.credentials.header_for(str(url))
        headers = {"Authorization": header} if header else {}
        limits = httpx.Timeout(timeout, connect=min(10.0, timeout))
        message = {"method": "GET" if body is None else "POST", "url": url, "headers": headers, "timeout": limits}
        if body is None:
            return message
        if self.as_form:
            return message | {"data": {"query": body}}
        headers["Content-Type"] = "application/sparql-query"
        return message | {"content": body.encode()}

    def _redirected(self, old: httpx.URL, new: httpx.URL) -> httpx.URL:
        """The address to go on to. With credentials the host stays the same, and its protection."""
        if new.scheme not in ("http", "https") or new.userinfo:
            raise EndpointError(
                f"{self._shown}: redirects to an address that is not followed: {new.scheme}://{new.host}"
            )
        elsewhere = (old.host, old.port) != (new.host, new.port) and not (
            old.host == new.host and (old.scheme, new.scheme) == ("http", "https")
        )
        unprotected = (old.scheme, new.scheme) == ("https", "http")
        if (elsewhere or unprotected) and self.credentials.header_for(str(old)):
            raise EndpointError(
                f"{self._shown}: redirects to {new.scheme}://{new.host}, where your credentials are not sent: "
                "give that address instead"
            )
        return new

    def _read(self, response: httpx.Response, timeout: float, deadline: float, blame: type[ToulminError]) -> bytes:
        import httpx

        parts: list[bytes] = []
        size = 0
        try:
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > self.max_bytes:
                    raise EndpointError(
                        f"{self._shown}: HTTP {response.status_code}, more than {self.max_bytes:,} bytes: ask for less"
                    )
                if time.monotonic() > deadline:
                    raise self._too_slow(timeout, blame)
        except httpx.DecodingError as error:
            raise EndpointError(
                f"{self._shown}: HTTP {response.status_code} with a body that cannot be unpacked"
            ) from error
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            if response.status_code != 200:
                return b"".join(parts)
            raise _broken_off(self._shown, 200, size, "incomplete body", blame) from error
        # The header is Virtuoso's, of its "anytime" queries.
        partial = response.status_code == 206 or "X-SQL-State" in response.headers
        if partial and response.status_code < 300:
            why = first_words(response.headers.get("X-SQL-Message", "").encode()) or "incomplete results"
            raise _broken_off(self._shown, response.status_code, size, why, blame)
        return b"".join(parts)

    def _too_slow(self, timeout: float, blame: type[ToulminError]) -> ToulminError:
        return blame(
            f"{self._shown}: no whole answer within {timeout:g} s: ask for less, or raise the timeout (--kg-timeout)"
        )


def _unreachable(error: Exception) -> str:
    """What to say, and to do, where no connection came about."""
    reason = " ".join(str(error).split()) or type(error).__name__
    if "WRONG_VERSION_NUMBER" in reason:
        return "speaks no TLS: give the address with http:// if it is meant to be unprotected"
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        why = reason.split("verify failed: ")[-1].split(" (_ssl")[0]
        return f"its certificate is not trusted ({why}): set SSL_CERT_FILE to the certificates that sign it"
    if "SSL" in reason:
        return f"TLS failed ({reason}): check the address"
    if "refused" in reason:
        return "cannot be reached (connection refused): check that the server runs, and its port"
    if "Name or service not known" in reason or "getaddrinfo" in reason or "nodename nor servname" in reason:
        return "cannot be reached (no such host): check the address and the network"
    return f"cannot be reached ({reason}): check the address and the network"


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """The rows of a SELECT, or the truth of an ASK. Shared through the cache: do not change it.

    Args:
        capped: the server says that it sends no more rows than these, whether there are more or not.
    """

    variables: tuple[str, ...]
    rows: tuple[Mapping[str, Term], ...]
    boolean: bool | None = None
    capped: bool = False


def first_words(content: bytes, limit: int = 160) -> str:
    """The beginning of an error page as one line without markup and control characters."""
    text = _MARKUP.sub(" ", content[:_READ].decode("utf-8", "replace"))
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= limit else line[:limit].rstrip() + " …"


def says_too_slow(content: bytes) -> bool:
    """Whether an error's text is about a time limit (Blazegraph and Virtuoso answer 500 then)."""
    return _TOO_SLOW.search(content[:_READ].decode("utf-8", "replace")) is not None


def read_result(url: str, status: int, content: bytes, blame: type[ToulminError]) -> SparqlResult:
    """Parse ``application/sparql-results+json``.

    Args:
        blame: the error to raise where the query took too long.

    Raises:
        EndpointError: not SPARQL JSON results.
        ToulminError: ``blame``, if the server stopped in the middle of them.
    """
    text = content.strip()
    if not text.startswith(b"{"):
        what = "an empty answer" if not text else f"this: {first_words(content)}"
        raise EndpointError(
            f"{url}: HTTP {status} with {what}. SPARQL JSON results were asked for: is this a SPARQL endpoint?"
        )
    try:
        document = json.loads(text, strict=False)  # some servers leave control characters in strings
    except (ValueError, RecursionError) as error:
        if b'"head"' in text[:1000]:  # it began as a result; oxigraph breaks it off so, with a word on why or without
            raise _broken_off(url, status, len(content), first_words(content[-60:]), blame) from error
        raise EndpointError(f"{url}: HTTP {status} with JSON that cannot be read: {error}") from error
    try:
        head, boolean = document["head"], document.get("boolean")
        if isinstance(boolean, bool):
            return SparqlResult((), (), boolean)
        rows = tuple(document["results"]["bindings"])
        if head["vars"] == [_VIRTUOSO_ASK]:
            return SparqlResult((), (), bool(rows))
        if not all(term["type"] and isinstance(term["value"], str | dict) for row in rows for term in row.values()):
            raise TypeError("a term without a type")  # noqa: TRY301
        return SparqlResult(tuple(head["vars"]), rows)
    except (KeyError, TypeError, AttributeError) as error:
        raise EndpointError(
            f"{url}: HTTP {status} with JSON that is no SPARQL result: {first_words(content)}"
        ) from error


def _broken_off(url: str, status: int, size: int, end: str, blame: type[ToulminError]) -> ToulminError:
    """The error for an answer that stops in the middle: a server whose time limit ran out had said HTTP 200 before."""
    return blame(
        f"{url}: HTTP {status}, but the answer breaks off after {size:,} bytes ({end}): "
        "the server's time limit ran out; ask for less, or raise that limit"
    )
