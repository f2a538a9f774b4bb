"""Credentials of endpoints: from environment variables only, sent to one host only, never shown."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from toulmin.errors import SettingsError

__all__ = ["HOST", "PASSWORD", "TOKEN", "USER", "Credentials"]

#: The host (``kg.example.org`` or ``kg.example.org:8890``) that the credentials are for. No other ever gets them.
HOST = "TOULMIN_ENDPOINT_HOST"
USER = "TOULMIN_ENDPOINT_USER"
PASSWORD = "TOULMIN_ENDPOINT_PASSWORD"  # noqa: S105
TOKEN = "TOULMIN_ENDPOINT_TOKEN"  # noqa: S105


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

    def header_for(self, url: str) -> str | None:
        """The header for a request to ``url``; None for any host but the one named."""
        parts = urlsplit(url)
        named = (parts.hostname or "").lower()
        return self.header if self.header and self.host in (named, f"{named}:{parts.port}") else None
