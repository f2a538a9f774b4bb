"""The client against a server that misbehaves in every way that servers do."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import unquote

import pytest
from endpoint_servers import Reply, Request, ScriptedServer

from toulmin.errors import EndpointError, QueryError, SettingsError, ToulminError
from toulmin.graph.endpoint.client import SparqlClient, retry_after
from toulmin.graph.endpoint.settings import ClientSettings


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


QUICK = ClientSettings(timeout=5.0, backoff=0.001, retry_time=5.0)


def rows_of(*values: str) -> bytes:
    bindings = [{"x": {"type": "literal", "value": value}} for value in values]
    return json.dumps({"head": {"vars": ["x"]}, "results": {"bindings": bindings}}).encode()


def ask(server: ScriptedServer, settings: ClientSettings = QUICK, query: str = "SELECT ?x {}") -> list[str]:
    client = SparqlClient(server.url, settings)
    try:
        return [row["x"]["value"] for row in client.run(query).rows]
    finally:
        client.close()


def refusal(server: ScriptedServer, settings: ClientSettings = QUICK, blame: type[ToulminError] = EndpointError) -> str:
    client = SparqlClient(server.url, settings)
    try:
        with pytest.raises(blame) as caught:
            client.run("SELECT ?x {}", blame=blame)
    finally:
        client.close()
    message = str(caught.value)
    assert "\n" not in message
    assert server.url in message
    return message


def test_a_request_says_who_asks_and_for_what(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(body=rows_of("é\u2028"))]
    assert ask(scripted, query="SELECT ?x { ?x ?y 'é&%2B' }") == ["é\u2028"]
    (request,) = scripted.requests
    assert (request.method, request.query) == ("GET", "SELECT ?x { ?x ?y 'é&%2B' }")
    assert request.headers["accept"] == "application/sparql-results+json"
    assert request.headers["user-agent"].startswith("toulmin/")
    assert "authorization" not in request.headers


def test_long_queries_are_posted_as_a_form(scripted: ScriptedServer) -> None:
    query = "SELECT ?x { # é%2B&" + "a" * 3000 + "\n}"
    scripted.replies = [Reply(body=rows_of("form"))]
    assert ask(scripted, query=query) == ["form"]
    request = scripted.requests[-1]
    assert (request.method, request.query) == ("POST", query)
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"


def test_the_query_string_of_an_address_is_kept(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(body=rows_of())]
    client = SparqlClient(scripted.url + "?default-graph-uri=http%3A%2F%2Fexample.org%2F", QUICK)
    client.run("SELECT ?x {}")
    client.close()
    assert "default-graph-uri=http%3A%2F%2Fexample.org%2F" in scripted.requests[0].path
    assert "query=SELECT" in scripted.requests[0].path


def test_answers_are_remembered_within_bounds(scripted: ScriptedServer) -> None:
    scripted.answer = lambda request: Reply(body=rows_of(request.query * 50))
    client = SparqlClient(scripted.url, ClientSettings(cache_bytes=20_000))
    for _ in range(3):
        client.run("SELECT ?x { }")
    assert len(scripted.requests) == 1
    for number in range(100):
        client.run(f"SELECT ?x {{ {number} }}")
    client.run("SELECT ?x { }")
    assert len(scripted.requests) == 102
    client.close()
    forgetful = SparqlClient(scripted.url, ClientSettings(cache_bytes=0))
    for _ in range(3):
        forgetful.run("SELECT ?x { }")
    forgetful.close()
    assert len(scripted.requests) == 105


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_overloaded_server_is_asked_again(scripted: ScriptedServer, status: int) -> None:
    scripted.replies = [Reply(status), Reply(status, headers={"Retry-After": "0"}), Reply(body=rows_of("ok"))]
    assert ask(scripted) == ["ok"]
    assert len(scripted.requests) == 3


@pytest.mark.parametrize("form", ["seconds", "date", "asctime"])
def test_retry_after_is_obeyed(scripted: ScriptedServer, form: str) -> None:
    then = datetime.now(UTC) + timedelta(seconds=2)
    value = {
        "seconds": "1",
        "date": format_datetime(then, usegmt=True),
        "asctime": then.strftime("%a %b %d %H:%M:%S %Y"),
    }
    scripted.replies = [Reply(429, headers={"Retry-After": value[form]}), Reply(body=rows_of("ok"))]
    began = time.monotonic()
    assert ask(scripted) == ["ok"]
    assert time.monotonic() - began >= 0.9


@pytest.mark.parametrize("value", ["soon", "-5", "", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 99 Oct 2015 07:28:00 GMT"])
def test_a_retry_after_that_says_nothing_is_passed_over(scripted: ScriptedServer, value: str) -> None:
    scripted.replies = [Reply(503, headers={"Retry-After": value}), Reply(body=rows_of("ok"))]
    assert ask(scripted) == ["ok"]


def test_retry_after_as_a_date() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    later = retry_after({"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"})
    assert later is not None
    assert later > 1e6
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_retry_after_in_parts_of_a_second() -> None:
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after-ms": "200"}) == 0.2


def test_patience_is_bounded_in_count_and_in_time(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(503, b"<html><title>Down</title><p>for repairs</p></html>")]
    message = refusal(scripted, ClientSettings(backoff=0.001, retries=2))
    assert "HTTP 503: Down for repairs (tried 3 times)" in message
    assert len(scripted.requests) == 3
    scripted.replies = [Reply(429, b"slow down", {"Retry-After": "3600"})]
    message = refusal(scripted)
    assert "HTTP 429: slow down (would have to wait 3600 s)" in message
    assert len(scripted.requests) == 4


def test_500_is_an_error_at_once_and_429_then_ok_is_not(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(500, b"Internal\r\n\x00\x1b[31m trouble")]
    assert "HTTP 500: Internal [31m trouble" in refusal(scripted)
    assert len(scripted.requests) == 1


@pytest.mark.parametrize("blame", [EndpointError, QueryError])
def test_a_refused_query_is_blamed_on_whoever_made_it(scripted: ScriptedServer, blame: type[ToulminError]) -> None:
    scripted.replies = [Reply(400, b"Lexical error at line 1\nsecond line")]
    assert "HTTP 400: the server refuses the query: Lexical error at line 1 second line" in refusal(
        scripted, blame=blame
    )


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=b'{"head":{"vars":["n"]},"results":{"bindings":[The SPARQL operation has been cancelled'),
        Reply(body=b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","va'),
        Reply(body=rows_of("a")[:-1]),
        Reply(body=rows_of("a")[:-2] + b"\njava.util.concurrent.TimeoutException\n\tat com.bigdata"),
        Reply(body=rows_of("a")[:-4], length=100_000),
        Reply(headers={"X-SQL-State": "S1TAT", "X-SQL-Message": "RC...: Returning incomplete results"}),
        Reply(206, headers={"X-SQL-State": "S1TAT", "X-SQL-Message": "RC...: Returning incomplete results"}),
        Reply(206),
        Reply(500, b"java.util.concurrent.TimeoutException: Query deadline is expired."),
        Reply(500, b"Virtuoso 42000 Error The estimated execution time 5000 (sec) exceeds the limit of 400 (sec)."),
    ],
    ids=[
        "oxigraph",
        "in a string",
        "last brace",
        "blazegraph",
        "closed early",
        "virtuoso",
        "virtuoso 206",
        "206",
        "blazegraph 500",
        "virtuoso 500",
    ],
)
@pytest.mark.parametrize("blame", [EndpointError, QueryError])
def test_a_server_that_ran_out_of_time_is_recognised(
    scripted: ScriptedServer, reply: Reply, blame: type[ToulminError]
) -> None:
    scripted.replies = [reply]
    assert "the server's time limit ran out" in refusal(scripted, blame=blame)


def test_html_instead_of_results(scripted: ScriptedServer) -> None:
    page = b"<!doctype html><style>p {}</style><h1>Welcome &amp; hello</h1>" + b"<p>x</p>" * 1000
    scripted.replies = [Reply(body=page, content_type="text/html")]
    message = refusal(scripted)
    assert "HTTP 200 with this: Welcome" in message
    assert "is this a SPARQL endpoint?" in message
    assert len(message) < 400


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"null", b"[]", b'{"a": 1}', b'{"head": {}}', b"{" * 100_000, b"{not json", b"\xff\xfe"),
        b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": 3}]}}',
        b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"value": "a"}}]}}',
        b'{"head": {"vars": []}, "results": {"bindings": {"a": "b"}}}',
        b'{"head": {}, "results": {"bindings": []}}',
    ],
)
def test_json_that_is_no_result(scripted: ScriptedServer, body: bytes) -> None:
    scripted.replies = [Reply(body=body)]
    assert "HTTP 200" in refusal(scripted)


def test_slow_bytes_end_at_the_deadline(scripted: ScriptedServer) -> None:
    def drip() -> Iterator[bytes]:
        for byte in rows_of("a" * 5000):
            time.sleep(0.01)
            yield bytes([byte])

    scripted.replies = [Reply(parts=drip)]
    message = refusal(scripted, ClientSettings(timeout=0.3), QueryError)
    assert "no whole answer within 0.3 s" in message


def test_silence_ends_at_the_deadline(scripted: ScriptedServer) -> None:
    def silence() -> Iterator[bytes]:
        time.sleep(3)
        yield b"{}"

    scripted.replies = [Reply(parts=silence)]
    assert "no whole answer within 0.3 s" in refusal(scripted, ClientSettings(timeout=0.3), QueryError)


def test_endless_rows_end_at_the_bound(scripted: ScriptedServer) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"head": {"vars": ["x"]}, "results": {"bindings": ['
        while True:
            yield b'{"x": {"type": "literal", "value": "again"}},' * 1000

    scripted.replies = [Reply(parts=endless)]
    assert "more than 1,000,000 bytes" in refusal(scripted, ClientSettings(max_bytes=1_000_000))


def test_a_small_packed_answer_cannot_unpack_without_bound(scripted: ScriptedServer) -> None:
    body = gzip.compress(b" " * 50_000_000)
    scripted.replies = [Reply(body=body, headers={"Content-Encoding": "gzip"})]
    assert "more than 1,000,000 bytes" in refusal(scripted, ClientSettings(max_bytes=1_000_000))
    scripted.replies = [Reply(body=b"no gzip", headers={"Content-Encoding": "gzip"})]
    assert "cannot be unpacked" in refusal(scripted)


def capped(scripted: ScriptedServer, total: int, cap: int) -> None:
    """Answer like a server of ``total`` rows that sends at most ``cap`` at once."""

    def answer(request: Request) -> Reply:
        words = request.query.split()
        limit = int(words[words.index("LIMIT") + 1])
        offset = int(words[words.index("OFFSET") + 1]) if "OFFSET" in words else 0
        if offset and "ORDER" not in words:
            return Reply(400, b"pages without an order")
        last = min(total, offset + min(limit, cap))
        return Reply(
            body=rows_of(*(f"{number:06d}" for number in range(offset, last))).replace(
                b'"x"', b'"row"' if "?row" in words else b'"x"'
            )
        )

    scripted.answer = answer


@pytest.mark.parametrize(
    ("total", "cap"), [(0, 10**6), (49, 10**6), (99, 10**6), (100, 10**6), (350, 10**6), (350, 60), (60, 60), (59, 60)]
)
def test_pages_are_read_to_the_end(scripted: ScriptedServer, total: int, cap: int) -> None:
    capped(scripted, total, cap)
    client = SparqlClient(scripted.url, ClientSettings(page_size=100))
    found = [row["x"]["value"] for row in client.rows(["x"], "?x ?y ?z")]
    client.close()
    assert found == [f"{number:06d}" for number in range(total)]
    if total < 50:
        assert len(scripted.requests) == 1


def test_the_number_of_rows_is_bounded(scripted: ScriptedServer) -> None:
    capped(scripted, 10**9, 100)
    client = SparqlClient(scripted.url, ClientSettings(page_size=100, max_rows=500))
    with pytest.raises(EndpointError, match="more than 500 rows: ask with a limit"):
        client.rows(["x"], "?x ?y ?z")
    scripted.answer = lambda request: Reply(body=rows_of(*"a" * 100))
    with pytest.raises(EndpointError, match="ignores OFFSET"):
        client.rows(["x"], "?x ?y ?w")
    scripted.answer = lambda request: Reply(
        body=b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"y": {"type": "uri", "value": "a"}}]}}'
    )
    with pytest.raises(EndpointError, match="a row of the answer lacks one of x"):
        client.rows(["x"], "?x ?y ?v")
    client.close()


def test_ask(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(body=b'{"head": {}, "boolean": true}'), Reply(body=rows_of("true"))]
    client = SparqlClient(scripted.url, QUICK)
    assert client.ask("?s ?p ?o")
    with pytest.raises(EndpointError, match="answered an ASK query with rows"):
        client.ask("?s ?p ?q")
    client.close()


def host(server: ScriptedServer) -> str:
    return server.url.split("/")[2]


def test_credentials_come_from_the_environment_and_go_to_one_host(
    scripted: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.replies = [Reply(body=rows_of())]
    monkeypatch.setenv("TOULMIN_ENDPOINT_USER", "me")
    monkeypatch.setenv("TOULMIN_ENDPOINT_PASSWORD", "hunter2é")
    with pytest.raises(SettingsError, match="set TOULMIN_ENDPOINT_HOST"):
        SparqlClient(scripted.url)
    monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", host(scripted))
    ask(scripted)
    assert scripted.requests[-1].headers["authorization"] == "Basic bWU6aHVudGVyMsOp"
    monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", "example.org")
    ask(scripted)
    assert "authorization" not in scripted.requests[-1].headers
    monkeypatch.delenv("TOULMIN_ENDPOINT_USER")
    monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", "127.0.0.1")
    monkeypatch.setenv("TOULMIN_ENDPOINT_TOKEN", "secret")
    ask(scripted)
    assert scripted.requests[-1].headers["authorization"] == "Bearer secret"
    monkeypatch.setenv("TOULMIN_ENDPOINT_TOKEN", "a\r\nX-Evil: b")
    with pytest.raises(SettingsError, match="TOULMIN_ENDPOINT_TOKEN holds a character"):
        SparqlClient(scripted.url)


def test_a_refusal_of_access_names_the_variables_and_no_secret(
    scripted: ScriptedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TOULMIN_ENDPOINT_TOKEN", "secret")
    monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", "127.0.0.1")
    scripted.replies = [Reply(401, b"who are you?")]
    with caplog.at_level("DEBUG"):
        message = refusal(scripted)
    assert "HTTP 401: access refused (who are you?): TOULMIN_ENDPOINT_TOKEN was sent: check it" in message
    assert "secret" not in message + caplog.text
    assert "secret" not in repr(vars(SparqlClient(scripted.url)))
    monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", "example.org")
    assert f"since TOULMIN_ENDPOINT_HOST is example.org: set it to {host(scripted)}" in refusal(scripted)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_without_a_word_says_what_is_missing(scripted: ScriptedServer, status: int) -> None:
    scripted.replies = [Reply(status, b"", {"WWW-Authenticate": 'Basic realm="parts, internal"'})]
    message = refusal(scripted)
    assert f"HTTP {status}: access refused (realm parts, internal)" in message
    assert (
        f"set TOULMIN_ENDPOINT_HOST to {host(scripted)}, and TOULMIN_ENDPOINT_TOKEN, or TOULMIN_ENDPOINT_USER"
        in message
    )
    scripted.replies = [Reply(status, b"")]
    assert "access refused (no reason given)" in refusal(scripted)
    scripted.replies = [Reply(status, b"", {"WWW-Authenticate": 'Digest realm="SPARQL", nonce="x"'})]
    assert "asks for Digest credentials, and only Basic and Bearer can be sent" in refusal(scripted)


def test_keys_in_an_address_are_sent_and_not_shown(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(404, b"<h1>Not found</h1>")]
    client = SparqlClient(scripted.url + "?apikey=hunter2&default-graph-uri=urn:g", QUICK)
    with pytest.raises(EndpointError) as caught:
        client.run("SELECT ?x {}")
    client.close()
    assert "apikey=hunter2" in scripted.requests[0].path
    assert "hunter2" not in str(caught.value) + client.url and "default-graph-uri=urn:g" in client.url
    assert "HTTP 404: no SPARQL endpoint is at this address (Not found): check its path" in str(caught.value)


def test_what_speaks_no_tls(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(body=rows_of())]
    client = SparqlClient(scripted.url.replace("http:", "https:"), QUICK)
    with pytest.raises(EndpointError, match="speaks no TLS: give the address with http://"):
        client.run("SELECT ?x {}")
    client.close()


def test_a_server_that_decodes_forms_twice_gets_the_query_as_it_is(scripted: ScriptedServer) -> None:
    def answer(request: Request) -> Reply:
        form = request.headers.get("content-type") == "application/x-www-form-urlencoded"
        asked = unquote(request.query) if form else request.query
        return Reply(body=rows_of("A" if asked.startswith('SELECT ("A"') else asked))

    scripted.answer = answer
    query = "SELECT ?x { <http://example.org/caf%C3%A9> # " + "a" * 2000 + "\n}"
    assert ask(scripted, query=query) == [query]
    scripted.answer = lambda request: Reply(body=rows_of(request.query))
    scripted.requests.clear()
    assert ask(scripted, query=query) == [query]
    assert scripted.requests[-1].headers["content-type"] == "application/x-www-form-urlencoded"


def test_virtuoso_s_answers(scripted: ScriptedServer) -> None:
    none = b'{"head": {"link": [], "vars": ["__ASK_RETVAL"]}, "results": {"bindings": []}}'
    row = b'{"__ASK_RETVAL": {"type": "typed-literal", "value": "1"}}'
    scripted.replies = [Reply(body=none), Reply(body=none.replace(b"[]}}", b"[" + row + b"]}}"))]
    client = SparqlClient(scripted.url, QUICK)
    assert (client.ask("?s ?p ?o"), client.ask("?s ?p ?q")) == (False, True)
    scripted.replies = [Reply(body=rows_of("a", "b"), headers={"X-SPARQL-MaxRows": "2"})]
    assert client.run("SELECT ?x { 1 }").capped
    scripted.replies = [Reply(body=rows_of("a"), headers={"X-SPARQL-MaxRows": "2"})]
    assert not client.run("SELECT ?x { 2 }").capped
    client.close()


def test_redirects_are_followed_within_bounds(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(307, headers={"Location": scripted.url + "2?query=moved"}), Reply(body=rows_of("ok"))]
    assert ask(scripted) == ["ok"]
    assert scripted.requests[-1].query == "moved"
    scripted.replies = [Reply(302, headers={"Location": "/sparql"})]
    assert "redirected more than 5 times" in refusal(scripted)
    scripted.replies = [Reply(301, headers={"Location": "ftp://example.org/"})]
    assert "not followed: ftp://example.org" in refusal(scripted)


def test_a_posted_query_goes_along(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(308, headers={"Location": "/other"}), Reply(body=rows_of("ok"))]
    query = "SELECT ?x { #" + "a" * 3000 + "\n}"
    assert ask(scripted, query=query) == ["ok"]
    assert [(request.method, request.query) for request in scripted.requests] == [("POST", query)] * 2


def test_credentials_are_not_redirected(scripted: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer() as other:
        other.replies = [Reply(body=rows_of("stolen"))]
        scripted.replies = [Reply(307, headers={"Location": other.url})]
        assert ask(scripted) == ["stolen"]
        monkeypatch.setenv("TOULMIN_ENDPOINT_TOKEN", "secret")
        monkeypatch.setenv("TOULMIN_ENDPOINT_HOST", host(scripted))
        assert "where your credentials are not sent" in refusal(scripted)
        assert len(other.requests) == 1
