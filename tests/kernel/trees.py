"""Merkle trees of a few statements, written from docs/certificate.md: evidence for tests, naive and whole."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from toulmin.kernel.format import GraphStatement, LiteralValue, Node, digest, enc, key, shaped

Leaf = tuple[bytes, bytes, bytes]


def _leaf(side: str, one: GraphStatement) -> Leaf:
    return one.subject.encode() if side == "out" else key(one.object), one.relation.encode(), digest(one)


def _hash(side: str, leaves: Sequence[Leaf]) -> bytes:
    if len(leaves) == 1:
        first, relation, content = leaves[0]
        return sha256((b"\0" if side == "out" else b"\1") + enc(first, relation) + content).digest()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\2" + _hash(side, leaves[:half]) + _hash(side, leaves[half:])).digest()


def _others(side: str, leaves: Sequence[Leaf], begin: int, known: set[int]) -> bytes:
    """The hashes of all parts without a known leaf, left to right."""
    if not any(begin <= place < begin + len(leaves) for place in known):
        return _hash(side, leaves)
    if len(leaves) == 1:
        return b""
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return _others(side, leaves[:half], begin, known) + _others(side, leaves[half:], begin + half, known)


def evidence(given: Sequence[Any], ranges: Sequence[tuple[str, Any, str | None]]) -> tuple[str, dict[str, Any]]:
    """The root of the graph of some statements, and the evidence for ranges (side, node, relation) of it."""
    statements = [shaped(one, "statement", "test") for one in given]
    found: dict[str, Any] = {"size": len(statements)}
    roots = b""
    for side in ("out", "in"):
        places = sorted(range(len(statements)), key=lambda place: _leaf(side, statements[place]))
        leaves = [_leaf(side, statements[place]) for place in places]
        root = _hash(side, leaves) if leaves else sha256(b"").digest()
        known: set[int] = set()
        told = []
        for _, node, relation in (wanted for wanted in ranges if wanted[0] == side):
            first = node.encode() if side == "out" and isinstance(node, str) else key(_node(node))
            least = (first,) if relation is None else (first, relation.encode())
            inside = [place for place, leaf in enumerate(leaves) if leaf[: len(least)] == least]
            at = inside[0] if inside else sum(leaf[: len(least)] < least for leaf in leaves)
            edges = {"before": at - 1, "after": at + len(inside)}
            known |= {place for place in (*inside, *edges.values()) if 0 <= place < len(leaves)}
            told.append(
                {"node": node, "relation": relation, "at": at, "statements": [given[places[place]] for place in inside]}
                | {name: _edge(leaves[place]) if 0 <= place < len(leaves) else None for name, place in edges.items()}
            )
        hashes = _others(side, leaves, 0, known) if leaves else b""
        found[side] = {"root": root.hex(), "hashes": b64encode(hashes).decode(), "ranges": told}
        roots += root
    return sha256(enc("toulmin graph 1", str(len(statements))) + roots).hexdigest(), found


def _edge(leaf: Leaf) -> list[str]:
    return [leaf[0].decode(), leaf[1].decode(), leaf[2].hex()]


def _node(given: Any) -> Node:
    return given if isinstance(given, str) else LiteralValue(**given)
