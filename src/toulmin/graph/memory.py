"""A graph in memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Self
from weakref import finalize

from toulmin.errors import SourceError
from toulmin.graph.assemble import Assembler, Assembly
from toulmin.graph.label_chooser import UserWords
from toulmin.graph.label_index import LabelIndex
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import Content, grow
from toulmin.graph.rdf_store import build_store
from toulmin.graph.readers.raw_statements import Record
from toulmin.graph.types import Statement

__all__ = ["MemoryGraph"]


class MemoryGraph(LocalGraph):
    """A graph in memory; make one with ``from_records`` or ``from_statements``.

    The first SPARQL query writes the graph to a temporary store, since only a process of its own can be stopped.
    """

    def __init__(self, assembly: Assembly, name: str, languages: tuple[str, ...]) -> None:
        trees = cache(lambda: grow(Content.of(assembly.tables, assembly.names, assembly.digests)))
        super().__init__(assembly.tables, LabelIndex.build(assembly.names), name, languages, trees)
        self._names = assembly.names
        self._directory: Path | None = None
        self._remove: finalize[..., MemoryGraph] | None = None

    @classmethod
    def from_records(
        cls,
        records: Iterable[Record],
        *,
        name: str = "memory",
        languages: tuple[str, ...] = ("en",),
        words: UserWords | None = None,
    ) -> Self:
        """A graph of what a reader yields.

        Args:
            words: a user's own, for what is in the graph.

        Raises:
            SourceError: a record is ``Rejected`` or cannot be stored, or words fit nothing in the graph.
        """
        assembler = Assembler(languages)
        for record in records:
            assembler.take(record)
        assembler.add_inverses()
        assembly = assembler.finish(words)
        if words is not None and assembly.unfit:
            raise SourceError(assembly.unfit[0].reason, words.source)
        return cls(assembly, name, languages)

    @classmethod
    def from_statements(cls, statements: Iterable[Statement], *, name: str = "memory") -> Self:
        """A graph of statements with the labels they carry; their ``graph`` is dropped.

        Raises:
            SourceError: an id is empty or a text cannot be stored.
        """
        assembler = Assembler()
        assembler.add_statements(statements, {}, keep_graph=False)
        return cls(assembler.finish(), name, ("en",))

    def _store(self) -> Path:
        if self._directory is None:
            self._directory = Path(mkdtemp(prefix="toulmin-"))
            self._remove = finalize(self, rmtree, self._directory, ignore_errors=True)
            build_store(self._directory / "sparql", self._tables, self._names)
        return self._directory / "sparql"

    def close(self) -> None:
        """Free the label index, stop the query process and remove its store."""
        super().close()
        if self._remove is not None:
            self._remove()
