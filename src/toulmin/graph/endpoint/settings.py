"""How the client treats a server, what counts as an endpoint's address, and the credentials for one.

These are from environment variables only, sent to one host only, never shown.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from toulmin.errors import SettingsError

__all__ = ["ClientSettings", "Credentials", "check_url", "without_secrets"]

#: The host (``kg.example.org`` or ``kg.example.org:8890``) that the credentials are for. No other ever gets them.
_HOST = "TOULMIN_ENDPOINT_HOST"
_USER = "TOULMIN_ENDPOINT_USER"
_PASSWORD = "TOULMIN_ENDPOINT_PASSWORD"  # noqa: S105
_TOKEN = "TOULMIN_ENDPOINT_TOKEN"  # noqa: S105

_SECRET = re.compile(r"((?:^|[&;])[^=&;]*(?:key|token|secret|passw|pwd|auth|signature)[^=&;]*=)[^&;]+", re.IGNORECASE)


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
        raise SettingsError(f"the endpoint's address holds a user name: set {_HOST}, {_USER} and {_PASSWORD} instead")
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise SettingsError(f"not the address of an endpoint: {url[:200]!r}; give http://… or https://…")


@dataclass(frozen=True, slots=True)
class Credentials:
    """The Authorization header of requests to one host, where there is one."""

    host: str | None = None
    header: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls) -> Credentials:
        """Read the four variables.

        Raises:
            SettingsError: a user or token without the host that it is for, or both kinds at once.
        """
        host, user, token = os.environ.get(_HOST), os.environ.get(_USER), os.environ.get(_TOKEN)
        if not user and not token:
            return cls()
        if not host:
            raise SettingsError(
                f"{_USER if user else _TOKEN} is set: set {_HOST} to the one host that it may be sent to"
            )
        if user and token:
            raise SettingsError(f"{_USER} and {_TOKEN} are both set: unset one")
        text = f"{user}:{os.environ.get(_PASSWORD, '')}"
        header = f"Bearer {token}" if token else "Basic " + b64encode(text.encode()).decode("ascii")
        if not (header.isascii() and header.isprintable()):
            raise SettingsError(f"{_TOKEN} holds a character that no HTTP header can: remove line breaks and the like")
        return cls(host.lower(), header)

    def advice(self, url: str, challenge: str | None) -> str:
        """What to do where a request to ``url`` was refused for want of rights.

        Args:
            challenge: the server's WWW-Authenticate, where it sent one.
        """
        scheme = (challenge or "").split(" ")[0]
        if scheme and scheme.lower() not in ("basic", "bearer", "negotiate"):
            return f"it asks for {scheme} credentials, and only Basic and Bearer can be sent: ask for another address"
        parts = urlsplit(url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
        if self.header_for(url):
            if self.header and self.header.startswith("Bearer"):
                return f"{_TOKEN} was sent: check it, and what it allows"
            return f"{_USER} and {_PASSWORD} were sent: check them, and what they allow"
        if self.header:
            return f"nothing was sent, since {_HOST} is {self.host}: set it to {host}"
        return f"set {_HOST} to {host}, and {_TOKEN}, or {_USER} and {_PASSWORD}"

    def header_for(self, url: str) -> str | None:
        """The header for a request to ``url``; None for any host but the one named."""
        parts = urlsplit(url)
        named = (parts.hostname or "").lower()
        return self.header if self.header and self.host in (named, f"{named}:{parts.port}") else None


def without_secrets(url: str) -> str:
    """The address as it is shown and stored: values of parameters whose names speak of keys are left out."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=_SECRET.sub(r"\1…", parts.query)))
