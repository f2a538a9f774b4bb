"""Drafts: logical forms with what speaks for them, while the grammar grows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import EllipsisType

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

    def grown(
        self,
        form: Form,
        parts: Iterable[int] = (),
        does: Iterable[str] = (),
        *,
        kind: ValueKind | str | None = None,
        mask: int = 0,
        link: float = 1.0,
        hops: int | None = None,
        nodes: Ints | EllipsisType | None = ...,
    ) -> Draft:
        """The draft of a form that a step makes of this one.

        Args:
            parts, does, mask, link: what the step adds to its parts, operators ("=" is none), words and ``link``.
            kind: what it yields; None: what this one does.
            hops: how many the step follows; None: one for each part.
            nodes: as of this one, ``key`` included, if they are left out.
        """
        added = tuple(parts)
        return Draft(
            form,
            kind or self.kind,
            self.parts + added,
            self.mask | mask,
            self.operators.union(operator for operator in does if operator != "=") if does else self.operators,
            self.nodes if isinstance(nodes, EllipsisType) else nodes,
            self.key if isinstance(nodes, EllipsisType) else None,
            self.link * link,
            self.hops + (len(added) if hops is None else hops),
        )

    def beside(self, other: Draft) -> Draft:
        """Two together, before a form is made of theirs."""
        return self.grown(
            self.form, other.parts, other.operators, mask=other.mask, link=other.link, hops=other.hops, nodes=None
        )
