"""Drafts: logical forms with what speaks for them, while the grammar grows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toulmin.graph.csr import Ints
from toulmin.methods.reader.forms import Form
from toulmin.methods.reader.schema import ValueKind

__all__ = ["Draft"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A form with what speaks for it.

    Args:
        kind: what it yields: things and values as they are in the graph, "truth", "rows".
        parts: the numbers of hops (as in the schema) and classes (2R + their place) it uses.
        mask: a bit for each word of what it names.
        operators: what it does beside following hops.
        nodes: what it yields, or a set that holds what it yields; None: nothing is known.
        key: names the set for ``ReaderSchema.ways``.
        link: how surely its names are meant.
        hops: how many it follows, those of conditions and keys included.
    """

    form: Form
    kind: ValueKind | str
    parts: tuple[int, ...] = ()
    mask: int = 0
    operators: frozenset[str] = frozenset()
    nodes: Ints | None = None
    key: object = None
    link: float = 1.0
    hops: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether it is known to yield nothing."""
        return self.nodes is not None and not len(self.nodes)

    def grown(self, form: Form, **changes: Any) -> Draft:
        """The same with another form and changed fields; new ``nodes`` drop the ``key``."""
        get = changes.get  # thousands for a question: ``dataclasses.replace`` takes three times as long
        return Draft(
            form,
            get("kind", self.kind),
            get("parts", self.parts),
            get("mask", self.mask),
            get("operators", self.operators),
            get("nodes", self.nodes),
            None if "nodes" in changes else self.key,
            get("link", self.link),
            get("hops", self.hops),
        )
