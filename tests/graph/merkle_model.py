"""Roots and proofs as docs/certificate.md defines them, written from that page alone: slow, and sharing no code."""

from __future__ import annotations

from base64 import b64decode
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

LABEL, ALIAS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"
INVERSE = "http://www.w3.org/2002/07/owl#inverseOf"
FIELDS = ("value", "kind", "unit", "precision", "lang", "calendar")


def enc(*texts: str | bytes) -> bytes:
    encoded = [text.encode() if isinstance(text, str) else text for text in texts]
    return b"".join(str(len(text)).encode() + b":" + text for text in encoded)


def key(node: Any) -> bytes:
    return enc("e", node) if isinstance(node, str) else enc("l", *(node.get(field) or "" for field in FIELDS))


def digest(statement: Sequence[Any]) -> bytes:
    subject, relation, value, qualifiers, rank = statement
    said = sorted((of.encode(), key(is_)) for of, is_ in qualifiers)
    return sha256(enc(subject, relation, key(value), rank, *(part for pair in said for part in pair))).digest()


def leaf_key(side: str, statement: Sequence[Any]) -> tuple[bytes, bytes, bytes]:
    first = statement[0].encode() if side == "out" else key(statement[2])
    return first, statement[1].encode(), digest(statement)


def leaf(side: str, entry: tuple[bytes, bytes, bytes]) -> bytes:
    return sha256((b"\0" if side == "out" else b"\1") + enc(entry[0], entry[1]) + entry[2]).digest()


def tree(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    cut = 1
    while 2 * cut < len(leaves):
        cut *= 2
    return sha256(b"\2" + tree(leaves[:cut]) + tree(leaves[cut:])).digest()


def top(size: int, out: bytes, into: bytes) -> str:
    return sha256(enc("toulmin graph 1", str(size)) + out + into).hexdigest()


def root(statements: Iterable[Sequence[Any]]) -> str:
    """The root of a graph of these statements, those of names included."""
    distinct = {digest(statement): statement for statement in statements}.values()
    trees = [
        tree([leaf(side, entry) for entry in sorted(leaf_key(side, s) for s in distinct)]) for side in ("out", "in")
    ]
    return top(len(distinct), *trees)


def proves(evidence: Any, wanted: str) -> bool:
    """Whether one element of ``evidence`` proves its ranges against a root."""
    try:
        roots = [_side(side, evidence[side], evidence["size"]) for side in ("out", "in")]
    except _WrongError:
        return False
    return top(evidence["size"], *roots) == wanted


class _WrongError(Exception):
    pass


def _require(*conditions: bool) -> None:
    if not all(conditions):
        raise _WrongError


def _side(side: str, given: Any, size: int) -> bytes:
    known: dict[int, bytes] = {}
    for one in given["ranges"]:
        entries = [leaf_key(side, statement) for statement in one["statements"]]
        node = one["node"]
        first = node.encode() if side == "out" and isinstance(node, str) else key(node)
        mine = (first,) if one["relation"] is None else (first, one["relation"].encode())
        _require(all(entry[: len(mine)] == mine for entry in entries))
        _require(all(low < high for low, high in pairwise(entries)))
        begin, end = one["at"], one["at"] + len(entries)
        _require(
            0 <= begin <= end <= size, (one["before"] is None) == (begin == 0), (one["after"] is None) == (end == size)
        )
        if one["before"] is not None:
            entry = _edge(one["before"])
            _require(entry[: len(mine)] < mine)
            begin, entries = begin - 1, [entry, *entries]
        if one["after"] is not None:
            entry = _edge(one["after"])
            _require(entry[: len(mine)] > mine)
            entries = [*entries, entry]
        for place, entry in enumerate(entries, begin):
            _require(known.setdefault(place, leaf(side, entry)) == leaf(side, entry))
    joined = b64decode(given["hashes"])
    hashes = [joined[at : at + 32] for at in range(0, len(joined), 32)]

    places = sorted(known)

    def made(begin: int, end: int) -> bytes:
        if bisect_left(places, begin) == bisect_left(places, end):
            _require(bool(hashes))
            return hashes.pop(0)
        if end - begin == 1:
            return known[begin]
        cut = 1
        while 2 * cut < end - begin:
            cut *= 2
        return sha256(b"\2" + made(begin, begin + cut) + made(begin + cut, end)).digest()

    found = made(0, size) if size else sha256(b"").digest()
    _require(not hashes, found.hex() == given["root"])
    return found


def _edge(given: Sequence[str]) -> tuple[bytes, bytes, bytes]:
    return given[0].encode(), given[1].encode(), bytes.fromhex(given[2])
