"""Evidence: the statements that a certificate holds, and the proof that they are all there are.

Statements come from one of two sources, which are asked alike: ``Evidence``, out of the certificate, verified against
the graph's Merkle root; or a graph at hand.
"""

from base64 import b64decode
from binascii import Error as Base64Error
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any, Protocol

from .encoding import LABEL, KernelError, Node, Statement, digest, enc, key, refuse_if, utf8
from .shapes import shaped, statement, text, wrong

_MOST_STATEMENTS = 1_000_000


NOT_HELD = "the certificate does not hold these statements: give the graph"
AWAY = "this graph is not at hand"


class Missing(Exception):  # noqa: N818  (it is no error: the check goes on)
    """What is asked for is not at hand: the check can go on, but not here."""


class Graph(Protocol):
    """The three calls by which graphs at hand are asked."""

    def roots(self) -> Sequence[str | None]:
        """Of each of the certificate's graphs the root, or what else names its content; None: it is not at hand."""

    def range(self, graph: int, side: Any, node: Any, relation: str | None) -> Any:
        """All statements of a range, in the form of certificates."""

    def document(self, source: str) -> str | None:
        """The text of a document; None where it is not at hand."""

    # It may have a fourth, ``query(graph, text, limit)``: what SPARQL gives, {columns, rows}, or why it was not run.


class Source:
    """A graph at hand, each range of it asked for once."""

    def __init__(self, graph: Graph | None) -> None:
        self._graph = graph
        self.roots: list[str | None] = [] if graph is None else [*graph.roots()]  # None where nothing is proved
        self.at_hand = {place for place, root in enumerate(self.roots) if root is not None}
        self._known: dict[tuple[int, str, bytes, str | None], tuple[Statement, ...]] = {}

    def statements(self, graph: int, side: str, node: Node, relation: str | None) -> tuple[Statement, ...]:
        """All statements of a range; Missing where they are not at hand."""
        place = (graph, side, key(node), relation)
        if place not in self._known:
            self._known[place] = tuple(self._find(graph, side, node, relation))
        return self._known[place]

    def _find(self, graph: int, side: str, node: Node, relation: str | None) -> Iterable[Statement]:
        if self._graph is None or graph not in self.at_hand:
            raise Missing(AWAY)
        given = node if isinstance(node, str) else {k: v for k, v in node._asdict().items() if v is not None}
        return (statement(one, "the graph", graph) for one in self._graph.range(graph, side, given, relation))

    def proved(self, graph: int) -> bool:
        """Whether these are surely all statements: a graph at hand needs no proof."""
        return True

    def document(self, source: str) -> str | None:
        """The text of a document; None where it is not at hand."""
        return None if self._graph is None else self._graph.document(source)

    def again(self, graph: int, text: str, limit: int) -> Any:
        """What SPARQL gives now, or why it was not run; None where there is nothing that runs it."""
        run = getattr(self._graph, "query", None)
        return None if run is None or graph not in self.at_hand else run(graph, text, limit)


class Evidence(Source):
    """The ranges that a certificate holds, verified when they are read; KernelError if the root has them otherwise.

    Of a graph that is at hand they are not looked at: it is asked.
    """

    def __init__(self, parts: Sequence[object], graphs: Sequence[Any], at_hand: Graph | None = None) -> None:
        fits = len(parts) == len(graphs)
        refuse_if(not fits, f"evidence: of {len(parts)} graphs, and the certificate has {len(graphs)}")
        super().__init__(at_hand)
        self._count, self._held = 0, len(parts)
        self.roots += [None] * (len(parts) - len(self.roots))
        for graph, part in enumerate(parts):
            where = f"evidence {graph}"
            if graph in self.at_hand:
                continue
            if graphs[graph]["root"] is not None:
                self.roots[graph] = self._root(graph, shaped(part, _PROVED, where), where)
                continue
            for number, told in enumerate(shaped(part, {"ranges": [_TOLD, 0]}, where)["ranges"]):
                self._keep(graph, told["side"], told, f"{where} range {number}")

    def proved(self, graph: int) -> bool:
        """Whether a root proves that these are all statements, or the graph is at hand."""
        return graph < len(self.roots) and self.roots[graph] is not None

    def _find(self, graph: int, side: str, node: Node, relation: str | None) -> Iterable[Statement]:
        if graph in self.at_hand:
            return super()._find(graph, side, node, relation)
        every = self._known.get((graph, side, key(node), None))
        if every is None:
            raise Missing(NOT_HELD if graph < self._held or not self.at_hand else AWAY)
        return (statement for statement in every if statement.relation == relation)

    def _root(self, graph: int, part: Any, where: str) -> str:
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
        node, relation = ranged["node"], ranged["relation"]
        place = (graph, side, key(node), relation)
        too_many = self._count > _MOST_STATEMENTS or place in self._known
        refuse_if(too_many, f"{where}: given twice, or more than {_MOST_STATEMENTS:,} statements")
        self._known[place] = found
        ends = ((one.subject if side == "out" else one.object, one.relation) for one in found)
        wanted = all(end == node and relation in (None, said) for end, said in ends)
        refuse_if(not wanted, f"{where}: holds a statement that is not of its key")
        return found

    def _place(self, graph: int, side: str, ranged: Any, size: int, leaves: dict[int, bytes], where: str) -> None:
        """Check the order and the edges of a range, and note the hashes of its leaves."""
        node, relation = ranged["node"], ranged["relation"]
        first = utf8(node) if side == "out" and isinstance(node, str) else key(node)
        least = (first,) if relation is None else (first, utf8(relation))
        found = [(first, utf8(one.relation), digest(one)) for one in self._keep(graph, side, ranged, where)]
        in_order = all(entry < following for entry, following in pairwise(found))
        refuse_if(not in_order, f"{where}: its statements are not in order, each once")
        before, after = (_entry(ranged[edge], f"{where} {edge}") for edge in ("before", "after"))
        apart = (not before or before[: len(least)] < least) and (not after or after[: len(least)] > least)
        refuse_if(not apart, f"{where}: what stands beside it belongs into it, or elsewhere")
        at, end = ranged["at"], ranged["at"] + len(found)
        left_out = (not before) != (at == 0) or (not after) != (end == size)
        refuse_if(left_out, f"{where}: what stands beside it is left out")
        entries = [entry for entry in (before, *found, after) if entry]
        for place, entry in enumerate(entries, at - bool(before)):
            leaf = sha256((b"\0" if side == "out" else b"\1") + enc(entry[0], entry[1]) + entry[2]).digest()
            another = place >= size or leaves.setdefault(place, leaf) != leaf
            refuse_if(another, f"{where}: another statement stands at its place")


def _entry(given: object, where: str) -> tuple[bytes, bytes, bytes] | None:
    if given is None:
        return None
    parts = given if isinstance(given, list) and len(given) == 3 else wrong(where, "[first, relation, digest]")
    return utf8(text(parts[0], where)), utf8(text(parts[1], where)), _hex(parts[2], where)


def _hex(given: object, where: str) -> bytes:
    digits = text(given, where)
    fits = len(digits) == 64 and not digits.strip("0123456789abcdef")
    return bytes.fromhex(digits) if fits else wrong(where, "64 hexadecimal digits")


_EDGES = {"before?": "anything", "after?": "anything"}
_RANGE = {"node": "node", "relation?": "text", "at": "integer", "statements": ["anything", 0], **_EDGES}
_TOLD = {"side": "=out|in", "node": "node", "relation?": "text", "statements": ["anything", 0]}
_TREE = {"root": "text", "hashes": "text", "ranges": [_RANGE, 0]}
_PROVED = {"size": "integer", "out": _TREE, "in": _TREE}


def _hashes(given: object, where: str) -> Iterator[bytes]:
    try:
        joined = b64decode(text(given, where), validate=True)
    except (Base64Error, ValueError):
        raise KernelError(f"{where}: hashes are not base64") from None
    refuse_if(len(joined) % 32, f"{where}: hashes are not whole")
    return iter([joined[at : at + 32] for at in range(0, len(joined), 32)])


def _verify(leaves: dict[int, bytes], size: int, hashes: Iterator[bytes], root: bytes, where: str) -> None:
    """Check that the known leaves, with the hashes of all other parts of the tree, make its root."""
    places = sorted(leaves)

    def made(begin: int, end: int, low: int, high: int) -> bytes:
        """The hash of the leaves from ``begin`` to ``end``, of which ``places[low:high]`` are known."""
        if low == high:
            found = next(hashes, b"")
            refuse_if(not found, f"{where}: the proof has too few hashes")
            return found
        if end - begin == 1:
            return leaves[begin]
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        cut = bisect_left(places, middle, low, high)
        return sha256(b"\2" + made(begin, middle, low, cut) + made(middle, end, cut, high)).digest()

    computed = made(0, size, 0, len(places)) if size else sha256(b"").digest()
    refuse_if(next(hashes, None), f"{where}: the proof has too many hashes")
    refuse_if(computed != root, f"{where}: the statements are not those of the root")


def label_of(read: Callable[[int, str, Node, str], Any], graphs: Iterable[int], identifier: str) -> str | None:
    """The label of an entity or relation in the first graph that has one; Missing where that is not at hand."""
    for graph in graphs:
        for found in read(graph, "out", identifier, LABEL):
            if not isinstance(found.object, str):
                return str(found.object.value)
    return None
