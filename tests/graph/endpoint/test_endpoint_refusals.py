"""What the client refuses before it asks anything, and an address where nobody is."""

from __future__ import annotations

import pytest

from toulmin.errors import EndpointError, SettingsError
from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.settings import ClientSettings

QUICK = ClientSettings(timeout=5.0, backoff=0.001, retry_time=5.0)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "example.org/sparql",
        "http://",
        "http://a b/",
        "http://[::1/",
        "http://a:x/",
    ],
)
def test_what_is_no_endpoint(url: str) -> None:
    with pytest.raises(SettingsError, match="not the address of an endpoint"):
        SparqlClient(url)


def test_nobody_is_there() -> None:
    client = SparqlClient("http://127.0.0.1:9/sparql", QUICK)
    with pytest.raises(
        EndpointError, match=r"http://127\.0\.0\.1:9/sparql: cannot be reached \(connection refused\): check"
    ):
        client.run("SELECT ?x {}")
    client.close()


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        SparqlClient("http://me:hunter2@example.org/")
    assert "hunter2" not in str(caught.value)
    assert "TOULMIN_ENDPOINT_PASSWORD" in str(caught.value)


@pytest.mark.parametrize(
    "setting", [{"timeout": 0}, {"timeout": float("nan")}, {"retries": -1}, {"page_size": 0}, {"cache_bytes": -1}]
)
def test_settings_out_of_range(setting: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match=next(iter(setting))):
        ClientSettings(**setting)  # type: ignore[arg-type]
