"""The kernel in JavaScript, called by node: many calls of one process."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

import toulmin.kernel
import toulmin.page
from toulmin.kernel.format import FORMAT

KERNEL = Path(toulmin.kernel.__file__).parent / "kernel.js"
EXPLORE = Path(toulmin.page.__file__).parent / "explore.js"


def called(cases: Iterable[dict[str, Any]]) -> list[Any]:
    """What the calls give, by the format as it is now; skips where there is no node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = Path(__file__).with_name("javascript.js")
    given = "".join(json.dumps(case) + "\n" for case in cases)
    shipped = json.loads(KERNEL.with_name("format.json").read_text("utf-8"))
    changed = [] if shipped == FORMAT else [json.dumps(FORMAT)]
    done = subprocess.run(
        [node, script, KERNEL, EXPLORE, *changed], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def checked(texts: Iterable[str], **options: Any) -> list[Any]:
    """The reports on certificates, held against the evidence that they hold."""
    return called({"call": "check", "arguments": [text, options]} for text in texts)


class Recorded:
    """A graph that notes what it is asked, so that JavaScript can be given the same."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.ranges: list[Any] = []
        self.documents: dict[str, str | None] = {}

    def roots(self) -> Sequence[str | None]:
        return cast("Sequence[str | None]", self.graph.roots())

    def range(self, graph: int, side: str, node: object, relation: str | None) -> Sequence[object]:
        found = list(self.graph.range(graph, side, node, relation))
        self.ranges.append([[graph, side, node, relation], found])
        return found

    def document(self, source: str) -> str | None:
        self.documents[source] = self.graph.document(source)
        return self.documents[source]

    def case(self, text: str, call: str = "check", **options: Any) -> dict[str, Any]:
        """The same check as a call of JavaScript."""
        graph = {"ranges": self.ranges, "roots": list(self.roots()), "documents": self.documents}
        return {"call": call, "arguments": [text, options], **graph}
