"""Chromium without a window, told what to do over a pipe (the DevTools protocol, without a library)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

__all__ = ["CHROMIUM", "Browser", "browser"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe"),
)


class Browser:
    """One page of a browser.

    Attributes:
        errors: what the page's console and log said that is a warning or worse, and what was thrown.
        requests: the URLs that were asked for.
    """

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._count, self._rest = read, write, 0, b""
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **given: Any) -> Any:
        """The result of a call of the protocol.

        Raises:
            RuntimeError: the browser refuses, or says nothing for half a minute.
        """
        self._count += 1
        number = self._count
        session = {"sessionId": self._session} if self._session else {}
        os.write(self._write, json.dumps({"id": number, "method": method, "params": given, **session}).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def look(self, width: int, height: int, scheme: str = "light") -> None:
        """The size of the window, and whether the reader likes it dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path: Path) -> None:
        """Open a file, and wait until its script says that it is ready."""
        self.call("Page.navigate", url=path.as_uri())
        end = monotonic() + 30
        while self.value("document.documentElement?.dataset.ready") != "true":
            if monotonic() > end:
                raise RuntimeError(f"{path.name} does not get ready: {self.errors}")

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives in the page, as JSON."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press a key: "Tab", "Enter", "ArrowUp", " "."""
        code = {"Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}[key]
        typed = text or {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, text=typed)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Write what the page looks like to a file."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(b64decode(data))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select([self._read], [], [], 30)[0]:
                raise RuntimeError("the browser says nothing")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(line))

    def _note(self, message: dict[str, Any]) -> None:
        given = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                self.errors.append(str(given["args"]))
            case "Runtime.exceptionThrown":
                self.errors.append(str(given["exceptionDetails"]))
            case "Log.entryAdded":
                self.errors.append(given["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(given["request"]["url"])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with a profile of its own in a folder.

    Raises:
        RuntimeError: there is none.
    """
    if CHROMIUM is None:
        raise RuntimeError("no Chromium")
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    script = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
    process = subprocess.Popen(
        ["bash", "-c", script, CHROMIUM, *_FLAGS, f"--user-data-dir={folder}"],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield (made := Browser(ours_in, ours_out))
        made._session = None
        with suppress(RuntimeError):
            made.call("Browser.close")
    finally:
        for end in (ours_in, ours_out):
            os.close(end)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
