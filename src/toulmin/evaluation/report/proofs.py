"""The certificates of a report, packed for its page, and the evidence that makes proofs of them."""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

from toulmin.errors import InputError, SettingsError
from toulmin.evaluation.report.read_runs import ReportedQuestion
from toulmin.graph.protocol import Graph
from toulmin.program.answer import Answer
from toulmin.program.evidence import attach

__all__ = ["Certificates", "packed"]

_CHUNK = 128_000  # characters of certificates that are packed and unpacked together


def packed(value: object) -> str:
    """A value as JSON, by gzip and base64."""
    text = json.dumps(value, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


class Certificates:
    """Certificates in chunks, of which a page unpacks only those that somebody opens."""

    def __init__(self) -> None:
        self._chunks: list[list[Any]] = []
        self._size = 0
        self._answers: list[tuple[ReportedQuestion, list[int]]] = []

    def add(self, one: ReportedQuestion) -> list[int] | None:
        """Add the certificate of an answer, and give its place: chunk, and number in it; None where there is none."""
        if one.certificate is None:
            return None
        text = zlib.decompress(one.certificate)
        if not self._chunks or self._size + len(text) > _CHUNK:
            self._chunks.append([])
            self._size = 0
        self._chunks[-1].append(json.loads(text))
        self._size += len(text)
        place = [len(self._chunks) - 1, len(self._chunks[-1]) - 1]
        self._answers.append((one, place))
        return place

    @property
    def packed(self) -> list[str]:
        """The chunks."""
        return [packed(chunk) for chunk in self._chunks]

    def evidence(
        self, graphs: Mapping[str, Graph], room: int, tell: Callable[[int, int | None, str], None] | None = None
    ) -> dict[str, Any]:
        """Evidence for as many answers as there is room for: what is not right first, then in order.

        Args:
            graphs: by their fingerprints; those that the answers were made on.
            room: characters at most.
            tell: called with how many answers were looked at, of how many, and a message.

        Returns:
            ``packs``, each the evidence of one answer or of several that have the same, and ``of``: by the place of a
            certificate ("chunk.number") the number of its pack.

        Raises:
            SettingsError: no answer was made on one of the graphs.
            GraphError, QueryError: a graph cannot be asked.
        """
        packs: dict[str, int] = {}
        of: dict[str, int] = {}
        met = False
        ordered = sorted(self._answers, key=lambda one: one[0].right is True)
        for number, (_, (chunk, place)) in enumerate(ordered):
            if tell is not None:
                tell(number, len(ordered), "taking statements from the graph")
            try:
                answer = Answer.from_json(json.dumps(self._chunks[chunk][place]))
            except InputError:  # what is no certificate has no evidence: its proof says so
                continue
            graph = graphs.get(answer.graph_fingerprint)
            if graph is None:
                continue
            met = True
            pack = packed(attach(answer, graph).certificate["evidence"])
            if pack not in packs:
                if len(pack) > room:
                    continue
                room -= len(pack)
                packs[pack] = len(packs)
            of[f"{chunk}.{place}"] = packs[pack]
        if not met:
            raise SettingsError("no answer of these runs was made on the graph that --kg names")
        return {"packs": list(packs), "of": of}
