"""How the client treats a server, and what counts as an endpoint's address."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from toulmin.errors import SettingsError
from toulmin.graph.endpoint.credentials import HOST, PASSWORD, USER

__all__ = ["ClientSettings", "check_url"]


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """How the client treats a server.

    Args:
        timeout: seconds for one request, from sending it to the last byte.
        retries: further attempts after 429, 502, 503, 504 or a dropped connection.
        retry_time: seconds within which all attempts and waits must lie; a longer Retry-After is an error at once.
        backoff: seconds before the first further attempt where the server names none; doubles, with jitter.
        page_size: rows asked for at once.
        max_rows: rows of one look-up over all pages.
        max_bytes: size of one answer, decompressed.
        cache_bytes: size of all remembered answers; 0 remembers none.
    """

    timeout: float = 30.0
    retries: int = 4
    retry_time: float = 90.0
    backoff: float = 0.5
    page_size: int = 10_000
    max_rows: int = 1_000_000
    max_bytes: int = 64 * 1024 * 1024
    cache_bytes: int = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        for name in ("timeout", "retry_time", "page_size", "max_rows", "max_bytes"):
            if not getattr(self, name) > 0:
                raise SettingsError(f"endpoint setting {name} is {getattr(self, name)}: must be more than 0")
        for name in ("retries", "backoff", "cache_bytes"):
            if getattr(self, name) < 0:
                raise SettingsError(f"endpoint setting {name} is {getattr(self, name)}: must not be negative")


def check_url(url: str) -> None:
    """Raise SettingsError unless ``url`` is an http(s) address without a user name."""
    try:
        parts = urlsplit(url)
        host, named = parts.hostname, "@" in parts.netloc
        _ = parts.port
    except ValueError as error:
        raise SettingsError(f"not the address of an endpoint: {error}") from error
    if named:  # the address is not repeated: it may hold a password
        raise SettingsError(f"the endpoint's address holds a user name: set {HOST}, {USER} and {PASSWORD} instead")
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise SettingsError(f"not the address of an endpoint: {url[:200]!r}; give http://… or https://…")
