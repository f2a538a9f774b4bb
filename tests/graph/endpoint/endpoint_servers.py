"""Servers on the loopback: three independent SPARQL engines, and one that misbehaves as it is told."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import rdflib
import uvicorn
from rdflib_endpoint import SparqlEndpoint


class RdflibServer:
    """rdflib-endpoint over one rdflib graph, whose content can be changed meanwhile."""

    def __init__(self) -> None:
        self.graph = rdflib.Graph()
        app = SparqlEndpoint(graph=self.graph)
        self._server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 30
        while not self._server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"

    def load(self, turtle: str, syntax: str = "turtle") -> None:
        self.graph.remove((None, None, None))
        self.graph.parse(data=turtle, format=syntax)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)


_FOUND = Path(sys.executable).with_name("oxigraph")
#: The oxigraph server (``pip install oxigraph``) and Virtuoso (``apt-get install virtuoso-opensource-7-bin``), where
#: they are installed.
OXIGRAPH = str(_FOUND) if _FOUND.exists() else shutil.which("oxigraph")
VIRTUOSO, ISQL = shutil.which("virtuoso-t"), shutil.which("isql-vt")

#: Rows that the Virtuoso of the tests sends at most.
VIRTUOSO_ROWS = 100

_VIRTUOSO = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
[TempDatabase]
DatabaseFile = {folder}/temporary.db
TransactionFile = {folder}/temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
ServerThreads = 6
CheckpointInterval = 0
NumberOfBuffers = 2000
MaxDirtyBuffers = 1500
DirsAllowed = {folder}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryCostEstimationTime = 400
MaxQueryExecutionTime = 60
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], *ports: int) -> Iterator[None]:
    """A process, for as long as it is needed, from when it listens."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        for port in ports:
            while True:
                assert process.poll() is None, f"{command[0]} has ended"
                assert time.monotonic() < deadline, f"{command[0]} does not listen"
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.02)
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def oxigraph_serves(directory: Path, *options: str) -> Iterator[str]:
    """The address of an oxigraph server over a store."""
    port = free_port()
    command = [str(OXIGRAPH), "serve-read-only", "-l", str(directory), "-b", f"127.0.0.1:{port}", *options]
    with running(command, port):
        yield f"http://127.0.0.1:{port}/query"


def oxigraph_store(directory: Path, turtle: str) -> Path:
    """A store that holds these triples."""
    file = directory / "data.ttl"
    file.write_text(turtle, encoding="utf-8")
    store = directory / "store"
    command = [str(OXIGRAPH), "load", "-l", str(store), "-f", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return store


@contextmanager
def virtuoso_serves(directory: Path, turtle: str) -> Iterator[str]:
    """The address of a small Virtuoso that holds these triples in a graph of its own."""
    sql, http = free_port(), free_port()
    settings = directory / "virtuoso.ini"
    settings.write_text(_VIRTUOSO.format(folder=directory, sql=sql, http=http, rows=VIRTUOSO_ROWS), encoding="utf-8")
    (directory / "data.ttl").write_text(turtle, encoding="utf-8")
    with running([str(VIRTUOSO), "+foreground", "+configfile", str(settings)], sql, http):
        load = f"DB.DBA.TTLP(file_to_string_output('{directory}/data.ttl'), '', 'http://example.org/graph', 0);"
        command = [str(ISQL), f"127.0.0.1:{sql}", "dba", "dba", f"exec={load}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        assert "Error" not in done.stderr, done.stderr
        yield f"http://127.0.0.1:{http}/sparql?default-graph-uri=http%3A%2F%2Fexample.org%2Fgraph"


@dataclass
class Reply:
    """One answer of the scripted server."""

    status: int = 200
    body: bytes = b'{"head": {"vars": ["x"]}, "results": {"bindings": []}}'
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/sparql-results+json"
    length: int | None = None  # what it claims as Content-Length
    parts: Callable[[], Iterator[bytes]] | None = None  # sent bit by bit, until the client goes away


@dataclass
class Request:
    """What the scripted server was asked."""

    method: str
    query: str
    headers: dict[str, str]
    path: str


class ScriptedServer:
    """Gives the replies one after the other, the last one again and again."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.requests: list[Request] = []
        self.answer: Callable[[Request], Reply] | None = None
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                scripted.reply(self, "")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
                form = "x-www-form-urlencoded" in self.headers.get("Content-Type", "")
                scripted.reply(self, parse_qs(body)["query"][0] if form else body)

            def log_message(self, format: str, *args: Any) -> None:
                """Keep quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/sparql"

    def reply(self, handler: BaseHTTPRequestHandler, body: str) -> None:
        query = body or parse_qs(urlsplit(handler.path).query).get("query", [""])[0]
        request = Request(handler.command, query, {k.lower(): v for k, v in handler.headers.items()}, handler.path)
        self.requests.append(request)
        if self.answer is not None:
            reply = self.answer(request)
        else:
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        handler.send_response(reply.status)
        handler.send_header("Content-Type", reply.content_type)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if reply.parts is None:
            handler.send_header("Content-Length", str(len(reply.body) if reply.length is None else reply.length))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        try:
            if reply.parts is None:
                handler.wfile.write(reply.body)
                return
            for part in reply.parts():
                handler.wfile.write(part)
                handler.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
