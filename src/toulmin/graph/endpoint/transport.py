"""One request and its answer: redirects, time limit, size limit, credentials."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from toulmin.errors import EndpointError, ToulminError
from toulmin.graph.endpoint.results import broken_off, first_words
from toulmin.graph.endpoint.settings import Credentials, without_secrets

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpReply", "Transport"]

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
        try:
            return self._request(query, timeout, deadline, blame, self.posts(query) if post is None else post)
        except httpx.ConnectTimeout as error:
            raise EndpointError(f"{self._shown}: no connection within {min(10.0, timeout):g} s") from error
        except httpx.TimeoutException as error:
            raise self._too_slow(timeout, blame) from error
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            return HttpReply(None, f"the connection broke off ({str(error) or type(error).__name__})".encode())
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(f"{self._shown}: {_unreachable(error)}") from error

    def _request(self, query: str, timeout: float, deadline: float, blame: type[ToulminError], post: bool) -> HttpReply:
        import httpx

        url = httpx.URL(self._url)
        if not post:
            url = url.copy_merge_params({"query": query})
        for _ in range(_MAX_REDIRECTS + 1):
            with self._http.stream(**self._message(url, query if post else None, timeout)) as response:
                status, moved = response.status_code, response.headers.get("Location")
                if status not in _REDIRECTS or not moved:
                    content = self._read(response, timeout, deadline, blame)
                    return HttpReply(status, content, response.headers)
                url = self._redirected(url, url.join(moved))
                post = post and status != 303
        raise EndpointError(f"{self._shown}: redirected more than {_MAX_REDIRECTS} times")

    def _message(self, url: httpx.URL, body: str | None, timeout: float) -> dict[str, Any]:
        import httpx

        header = self.credentials.header_for(str(url))
        headers = {"Authorization": header} if header else {}
        limits = httpx.Timeout(timeout, connect=min(10.0, timeout))
        if body is None:
            return {"method": "GET", "url": url, "headers": headers, "timeout": limits}
        if self.as_form:
            return {"method": "POST", "url": url, "headers": headers, "timeout": limits, "data": {"query": body}}
        headers["Content-Type"] = "application/sparql-query"
        return {"method": "POST", "url": url, "headers": headers, "timeout": limits, "content": body.encode()}

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
            raise broken_off(self._shown, 200, size, "incomplete body", blame) from error
        partial = (
            response.status_code == 206 or "X-SQL-State" in response.headers
        )  # Virtuoso's, of its "anytime" queries
        if partial and response.status_code < 300:
            why = first_words(response.headers.get("X-SQL-Message", "").encode()) or "incomplete results"
            raise broken_off(self._shown, response.status_code, size, why, blame)
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
