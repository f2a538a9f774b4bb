"""Range proofs as docs/certificate.md describes them, as naively as can be: whole trees of lists, no code of ours."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

Statement = Sequence[Any]  # [subject, relation, object, qualifiers, rank], as in certificates
Leaf = tuple[bytes, bytes, bytes]  # first, relation, digest


def enc(*parts: str | bytes) -> bytes:
    """Texts one after another, each after its length in bytes."""
    encoded = [part if isinstance(part, bytes) else part.encode() for part in parts]
    return b"".join(str(len(part)).encode() + b":" + part for part in encoded)


def key(node: Any) -> bytes:
    """The canonical form of an entity or literal."""
    if isinstance(node, str):
        return enc("e", node)
    return enc("l", *(node.get(name) or "" for name in ("value", "kind", "unit", "precision", "lang", "calendar")))


def digest(statement: Statement) -> bytes:
    """SHA-256 of all that a statement says."""
    subject, relation, value, qualifiers, rank = statement
    pairs = sorted((name.encode(), key(part)) for name, part in qualifiers)
    return sha256(enc(subject, relation, key(value), rank, *(part for pair in pairs for part in pair))).digest()


def leaf(side: str, statement: Statement) -> Leaf:
    """What stands in a tree for a statement, and by what it is sorted."""
    first = statement[0].encode() if side == "out" else key(statement[2])
    return first, statement[1].encode(), digest(statement)


def leaf_hash(side: str, entry: Leaf) -> bytes:
    """The hash of a leaf."""
    return sha256((b"\0" if side == "out" else b"\1") + enc(entry[0], entry[1]) + entry[2]).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The hash over leaves (RFC 6962, but for the bytes before)."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"").digest()
    middle = 1
    while middle * 2 < len(hashes):
        middle *= 2
    return sha256(b"\2" + root_of(hashes[:middle]) + root_of(hashes[middle:])).digest()


def left_out(hashes: Sequence[bytes], known: set[int], begin: int = 0) -> list[bytes]:
    """The hashes of the parts without a known leaf, from left to right."""
    if not known.intersection(range(begin, begin + len(hashes))):
        return [root_of(hashes)]
    if len(hashes) == 1:
        return []
    middle = 1
    while middle * 2 < len(hashes):
        middle *= 2
    return left_out(hashes[:middle], known, begin) + left_out(hashes[middle:], known, begin + middle)


def graph_root(statements: Sequence[Statement]) -> str:
    """The root of a graph."""
    roots = [root_of([leaf_hash(side, one) for one in sorted(leaf(side, s) for s in statements)]) for side in _SIDES]
    return sha256(enc("toulmin graph 1", str(len(statements))) + roots[0] + roots[1]).hexdigest()


def range_of(statements: Iterable[Statement], side: str, node: Any, relation: str | None) -> list[Statement]:
    """All statements of a range, in order."""
    found = [one for one in statements if (one[0] if side == "out" else one[2]) == node and relation in (None, one[1])]
    return sorted(found, key=lambda one: leaf(side, one))


def prove(statements: Sequence[Statement], asked: Iterable[tuple[str, Any, str | None]]) -> dict[str, Any]:
    """An element of ``evidence``: the ranges that are asked for, (side, node, relation), with a proof for each side."""
    wanted = list(asked)
    proof: dict[str, Any] = {"size": len(statements)}
    for side in _SIDES:
        entries = sorted(leaf(side, one) for one in statements)
        hashes = [leaf_hash(side, one) for one in entries]
        ranges, known = [], set[int]()
        for _, node, relation in (one for one in wanted if one[0] == side):
            found = range_of(statements, side, node, relation)
            first = node.encode() if side == "out" and isinstance(node, str) else key(node)
            least = (first,) if relation is None else (first, relation.encode())
            at = sum(entry[: len(least)] < least for entry in entries)
            end = at + len(found)
            known |= set(range(max(at - 1, 0), min(end + 1, len(entries))))
            edges = [_written(entries[place]) if 0 <= place < len(entries) else None for place in (at - 1, end)]
            ranges.append({
                "node": node, "relation": relation, "at": at, "statements": found,
                "before": edges[0], "after": edges[1],
            })  # fmt: skip
        proof[side] = {
            "root": root_of(hashes).hex(),
            "hashes": b64encode(b"".join(left_out(hashes, known) if hashes else [])).decode(),
            "ranges": ranges,
        }
    return proof


def _written(entry: Leaf) -> list[str]:
    return [entry[0].decode(), entry[1].decode(), entry[2].hex()]


_SIDES = ("out", "in")
