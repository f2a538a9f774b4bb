"""Evidence: the statements that a certificate holds, and the proof that they are all there are.

Statements come from one of two sources, which are asked alike: ``Evidence``, out of the certificate, verified against
the graph's Merkle root; or a graph at hand. Both answer ``statements(graph, side, node, relation)``.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any, Protocol

from .encoding import LABEL, Statement, digest, enc, key
from .errors import KernelError
from .shapes import shaped, statement, text, wrong
from .values import Node

__all__ = ["Evidence", "Graph", "Missing", "Source"]

_HASH = 32
_MOST_STATEMENTS = 1_000_000


class Missing(Exception):  # noqa: N818  (it is no error: the check goes on)
    """What is asked for is not at hand: the check can go on, but not here."""


class Graph(Protocol):
    """The three calls by which a graph at hand is asked."""

    def roots(self) -> Sequence[str]:
        """The root of each of its graphs, or what else names their content, in the order of the certificate's."""

    def range(self, graph: int, side: Any, node: Any, relation: str | None) -> Any:
        """All statements of a range, in the form of certificates."""

    def document(self, source: str) -> str | None:
        """The text of a document; None where it is not at hand."""


class Source:
    """A graph at hand, each range of it asked for once."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self.roots = graph, graph.roots()
        self._known: dict[tuple[int, str, bytes, str | None], tuple[Statement, ...]] = {}

    def statements(self, graph: int, side: str, node: Node, relation: str | None) -> tuple[Statement, ...]:
        """All statements of a range."""
        place = (graph, side, key(node), relation)
        if place not in self._known:
            given = (
                node
                if isinstance(node, str)
                else {name: part for name, part in node._asdict().items() if part is not None}
            )
            if graph >= len(self.roots):
                raise Missing("this graph is not at hand")
            found = self._graph.range(graph, side, given, relation)
            self._known[place] = tuple(statement(one, "the graph", graph) for one in found)
        return self._known[place]

    def proved(self, graph: int) -> bool:
        """A graph at hand needs no proof."""
        return True

    def document(self, source: str) -> str | None:
        """The text of a document."""
        return self._graph.document(source)


class Evidence:
    """The ranges that a certificate holds, verified when they are read.

    Args:
        parts: the field ``evidence``.
        graphs: the field ``graphs``.

    Attributes:
        roots: of each graph the root that its proofs lead to; None where nothing is proved.

    Raises:
        KernelError: a range is not as the root has it.
    """

    def __init__(self, parts: Sequence[object], graphs: Sequence[Any]) -> None:
        if len(parts) != len(graphs):
            raise KernelError(f"evidence: of {len(parts)} graphs, and the certificate has {len(graphs)}")
        self.roots: list[str | None] = []
        self._ranges: dict[tuple[int, str, bytes, str | None], tuple[Statement, ...]] = {}
        self._count = 0
        for graph, part in enumerate(parts):
            where = f"evidence {graph}"
            if graphs[graph]["root"] is None:
                for number, told in enumerate(shaped(part, {"ranges": [_TOLD, 0]}, where)["ranges"]):
                    self._keep(graph, told["side"], told, f"{where} range {number}")
                self.roots.append(None)
            else:
                self.roots.append(self._proved(graph, shaped(part, _PROVED, where), where))

    def statements(self, graph: int, side: str, node: Node, relation: str | None) -> tuple[Statement, ...]:
        """All statements of a range.

        Raises:
            Missing: the certificate does not hold it.
        """
        place = (graph, side, key(node), relation)
        if place not in self._ranges:
            every = self._ranges.get((*place[:3], None))
            if every is None:
                raise Missing("the certificate does not hold these statements: give the graph")
            self._ranges[place] = tuple(statement for statement in every if statement.relation == relation)
        return self._ranges[place]

    def proved(self, graph: int) -> bool:
        """Whether a root proves that these are all statements."""
        return graph < len(self.roots) and self.roots[graph] is not None

    def document(self, source: str) -> str | None:
        """A certificate holds no documents."""
        return None

    def _proved(self, graph: int, part: Any, where: str) -> str:
        """The root of a graph that its evidence leads to."""
        roots = []
        for side in ("out", "in"):
            leaves: dict[int, bytes] = {}
            for number, ranged in enumerate(part[side]["ranges"]):
                self._place(graph, side, ranged, part["size"], leaves, f"{where} {side} range {number}")
            hashes = _hashes(part[side]["hashes"], f"{where} {side}")
            roots.append(_hex(part[side]["root"], f"{where} {side} root"))
            _verify(leaves, part["size"], hashes, roots[-1], f"{where} {side}")
        return sha256(enc("toulmin graph 1", str(part["size"])) + roots[0] + roots[1]).hexdigest()

    def _keep(self, graph: int, side: str, ranged: Any, where: str) -> tuple[Statement, ...]:
        """The statements of a range, each of its key."""
        found = tuple(statement(given, where, graph) for given in ranged["statements"])
        self._count += len(found)
        place = (graph, side, key(ranged["node"]), ranged["relation"])
        if self._count > _MOST_STATEMENTS or place in self._ranges:
            raise KernelError(f"{where}: given twice, or more than {_MOST_STATEMENTS:,} statements")
        for one in found:
            if (one.subject if side == "out" else one.object) != ranged["node"] or ranged["relation"] not in (
                None,
                one.relation,
            ):
                raise KernelError(f"{where}: holds a statement that is not of its key")
        self._ranges[place] = found
        return found

    def _place(self, graph: int, side: str, ranged: Any, size: int, leaves: dict[int, bytes], where: str) -> None:
        """Check the order and the edges of a range, and note the hashes of its leaves."""
        node, relation = ranged["node"], ranged["relation"]
        first = utf8(node) if side == "out" and isinstance(node, str) else key(node)
        least = (first,) if relation is None else (first, utf8(relation))
        found = [(first, utf8(one.relation), digest(one)) for one in self._keep(graph, side, ranged, where)]
        if any(entry >= following for entry, following in pairwise(found)):
            raise KernelError(f"{where}: its statements are not in order, each once")
        edges = (
            None if ranged[edge] is None else _entry(ranged[edge], f"{where} {edge}") for edge in ("before", "after")
        )
        before, after, at = *edges, ranged["at"]
        if (before is not None and not before[: len(least)] < least) or (
            after is not None and not after[: len(least)] > least
        ):
            raise KernelError(f"{where}: what stands beside it belongs into it, or elsewhere")
        if (before is None) != (at == 0) or (after is None) != (at + len(found) == size):
            raise KernelError(f"{where}: what stands beside it is left out")
        entries = [entry for entry in (before, *found, after) if entry is not None]
        for place, entry in enumerate(entries, at - (before is not None)):
            leaf = sha256((b"\0" if side == "out" else b"\1") + enc(entry[0], entry[1]) + entry[2]).digest()
            if place >= size or leaves.setdefault(place, leaf) != leaf:
                raise KernelError(f"{where}: another statement stands at its place")


def utf8(text: str) -> bytes:
    """The bytes by which texts are ordered."""
    return text.encode("utf-8", "surrogatepass")


def _entry(given: object, where: str) -> tuple[bytes, bytes, bytes]:
    first, relation, digits = (
        given if isinstance(given, list) and len(given) == 3 else wrong(where, "[first, relation, digest]")
    )
    return utf8(text(first, where)), utf8(text(relation, where)), _hex(digits, where)


def _hex(given: object, where: str) -> bytes:
    digits = text(given, where)
    return (
        bytes.fromhex(digits)
        if len(digits) == 64 and not digits.strip("0123456789abcdef")
        else wrong(where, "64 hexadecimal digits")
    )


_RANGE = {
    "node": "node",
    "relation?": "text",
    "at": "integer",
    "statements": ["anything", 0],
    "before?": "anything",
    "after?": "anything",
}
_TOLD = {"side": "=out|in", "node": "node", "relation?": "text", "statements": ["anything", 0]}
_TREE = {"root": "text", "hashes": "text", "ranges": [_RANGE, 0]}
_PROVED = {"size": "integer", "out": _TREE, "in": _TREE}


def _hashes(given: object, where: str) -> Iterator[bytes]:
    try:
        joined = b64decode(text(given, where), validate=True)
    except (Base64Error, ValueError):
        raise KernelError(f"{where}: hashes are not base64") from None
    if len(joined) % _HASH:
        raise KernelError(f"{where}: hashes are not whole")
    return iter([joined[at : at + _HASH] for at in range(0, len(joined), _HASH)])


def _verify(leaves: dict[int, bytes], size: int, hashes: Iterator[bytes], root: bytes, where: str) -> None:
    """Check that the known leaves, with the hashes of all other parts of the tree, make its root."""
    places = sorted(leaves)

    def made(begin: int, end: int, low: int, high: int) -> bytes:
        """The hash of the leaves from ``begin`` to ``end``, of which ``places[low:high]`` are known."""
        if low == high:
            found = next(hashes, None)
            if found is None:
                raise KernelError(f"{where}: the proof has too few hashes")
            return found
        if end - begin == 1:
            return leaves[begin]
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        cut = bisect_left(places, middle, low, high)
        return sha256(b"\2" + made(begin, middle, low, cut) + made(middle, end, cut, high)).digest()

    computed = made(0, size, 0, len(places)) if size else sha256(b"").digest()
    if next(hashes, None) is not None:
        raise KernelError(f"{where}: the proof has too many hashes")
    if computed != root:
        raise KernelError(f"{where}: the statements are not those of the root")


def label_of(source: Evidence | Source, graphs: Iterable[int], identifier: str) -> str | None:
    """The label of an entity or relation in the first graph that has one.

    Raises:
        Missing: the certificate does not hold it.
    """
    for graph in graphs:
        for found in source.statements(graph, "out", identifier, LABEL):
            if not isinstance(found.object, str):
                return found.object.value
    return None
