"""Credentials of endpoints: from environment variables only, sent to one host only, never shown."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from toulmin.errors import SettingsError

__all__ = ["HOST", "PASSWORD", "TOKEN", "USER", "Credentials", "without_secrets"]

#: The host (``kg.example.org`` or ``kg.example.org:8890``) that the credentials are for. No other ever gets them.
HOST = "TOULMIN_ENDPOINT_HOST"
USER = "TOULMIN_ENDPOINT_USER"
PASSWORD = "TOULMIN_ENDPOINT_PASSWORD"  # noqa: S105
TOKEN = "TOULMIN_ENDPOINT_TOKEN"  # noqa: S105

_SECRET = re.compile(r"((?:^|[&;])[^=&;]*(?:key|token|secret|passw|pwd|auth|signature)[^=&;]*=)[^&;]+", re.IGNORECASE)


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
        host, user, token = os.environ.get(HOST), os.environ.get(USER), os.environ.get(TOKEN)
        if not user and not token:
            return cls()
        if not host:
            raise SettingsError(f"{USER if user else TOKEN} is set: set {HOST} to the one host that it may be sent to")
        if user and token:
            raise SettingsError(f"{USER} and {TOKEN} are both set: unset one")
        text = f"{user}:{os.environ.get(PASSWORD, '')}"
        header = f"Bearer {token}" if token else "Basic " + b64encode(text.encode()).decode("ascii")
        if not (header.isascii() and header.isprintable()):
            raise SettingsError(f"{TOKEN} holds a character that no HTTP header can: remove line breaks and the like")
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
                return f"{TOKEN} was sent: check it, and what it allows"
            return f"{USER} and {PASSWORD} were sent: check them, and what they allow"
        if self.header:
            return f"nothing was sent, since {HOST} is {self.host}: set it to {host}"
        return f"set {HOST} to {host}, and {TOKEN}, or {USER} and {PASSWORD}"

    def header_for(self, url: str) -> str | None:
        """The header for a request to ``url``; None for any host but the one named."""
        parts = urlsplit(url)
        named = (parts.hostname or "").lower()
        return self.header if self.header and self.host in (named, f"{named}:{parts.port}") else None


def without_secrets(url: str) -> str:
    """The address as it is shown and stored: values of parameters whose names speak of keys are left out."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=_SECRET.sub(r"\1…", parts.query)))
