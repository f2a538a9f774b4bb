"""A chat-completions endpoint on the loopback that misbehaves as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["ModelServer", "Sent", "chat", "error"]


@dataclass(frozen=True)
class Sent:
    """What the server sends.

    Args:
        cut: close the connection before the last so many bytes, though Content-Length promises them.
        drip: seconds before each byte.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0
    drip: float = 0.0


def chat(*texts: str | None, finish: str = "stop", usage: tuple[int, int] | None = (10, 5), **message: Any) -> Sent:
    """A chat completion with one choice per text."""
    choices = [
        {"index": index, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        for index, text in enumerate(texts)
    ]
    body: dict[str, Any] = {"id": "1", "object": "chat.completion", "model": "m", "choices": choices}
    if usage is not None:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return Sent(body=json.dumps(body).encode())


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: Any) -> Sent:
    """An error as OpenAI words it."""
    return Sent(status, json.dumps({"error": {"message": message, **more}}).encode(), headers or {})


class ModelServer:
    """Answers each request with the next of ``plan`` (the last one again and again), or with what a function says.

    Attributes:
        bodies, headers: of the requests so far.
        most: the most requests that were being answered at the same time.
    """

    def __init__(self, plan: list[Sent] | Callable[[dict[str, Any]], Sent]) -> None:
        self.plan = plan
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                """Silent."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.answer(self, body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        """Answer one request."""
        with self._lock:
            number = len(self.bodies)
            self.bodies.append(body)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self._now += 1
            self.most = max(self.most, self._now)
        sent = self.plan(body) if callable(self.plan) else self.plan[min(number, len(self.plan) - 1)]
        with self._lock:
            self._now -= 1
        try:
            self._send(handler, sent)
        except OSError:
            handler.close_connection = True  # the client has gone, as it should when a call is given up

    def _send(self, handler: BaseHTTPRequestHandler, sent: Sent) -> None:
        handler.send_response(sent.status)
        for name, value in {"Content-Type": "application/json", **sent.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(sent.body)))
        handler.end_headers()
        body = sent.body[: len(sent.body) - sent.cut]
        if not sent.drip:
            handler.wfile.write(body)
        else:
            for byte in body:
                if self._closing.wait(sent.drip):
                    break
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
        if sent.cut or self._closing.is_set():
            handler.close_connection = True

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
