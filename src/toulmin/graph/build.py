"""Building a graph directory from records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from toulmin.errors import GraphError, SourceError
from toulmin.graph.assemble import Assembler, Assembly
from toulmin.graph.closing import Closing
from toulmin.graph.label_index import LabelIndex
from toulmin.graph.merkle import Content, TreeProcess
from toulmin.graph.rdf_store import build_store, count_quads
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import FORMAT, KIND, LABELS, MANIFEST, SPARQL, GraphManifest, save, save_trees
from toulmin.graph.user_words import UserWords

__all__ = ["BuildReport", "Progress", "RejectedLine", "build_graph"]

#: Called with how much is done, of how much (None: unknown), and what is being done.
Progress = Callable[[int, int | None, str], None]

_SHOWN = 10  # rejected lines told in full
_EVERY = 10_000  # records between two calls of the progress callback


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A record that could not be used. ``line`` is None where its number is not known."""

    source: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build took in.

    Args:
        statements: distinct statements in the graph.
        duplicates, deprecated: statements merged with an equal one; dropped for their rank.
        names: labels and aliases taken in.
        schema: statements of an ontology's own language, left out; derived: those added the other way round, of
            symmetric and inverse properties (``Assembler``).
        rejected: how many records could not be used; ``first_rejected``: the first ten of them.
    """

    statements: int
    duplicates: int
    deprecated: int
    entities: int
    literals: int
    relations: int
    names: int
    rejected: int
    first_rejected: tuple[RejectedLine, ...]
    fingerprint: str
    schema: int = 0
    derived: int = 0


def build_graph(
    sources: Iterable[tuple[str, Iterable[Record]]],
    work: Path,
    *,
    name: str,
    strict: bool = False,
    languages: tuple[str, ...] = ("en",),
    words: UserWords | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Write a graph into the empty directory ``work`` (of ``build_directory``).

    Args:
        sources: for each source its name, as it is to be told in messages, and its records.
        name: the graph's name.
        strict: stop at the first rejected record.
        languages: preferred languages of labels.
        words: a user's own; those that fit nothing in the graph are rejected.

    Raises:
        SourceError: a source is unusable as a whole; or, if ``strict``, a record was rejected.
    """
    tell = progress or (lambda _done, _total, _message: None)
    assembler = Assembler(languages)
    names: list[str] = []
    rejected: list[RejectedLine] = []
    n_rejected = n_names = done = 0

    def reject(source: str, line: int | None, reason: str) -> None:
        nonlocal n_rejected
        if strict:
            raise SourceError(reason, source, line) from None
        n_rejected += 1
        if len(rejected) < _SHOWN:
            rejected.append(RejectedLine(source, line, reason))

    for source, records in sources:
        names.append(source)
        message = f"reading {source}"
        for record in records:
            try:
                if isinstance(record, RawStatement):
                    assembler.add(record)
                elif isinstance(record, RawName):
                    assembler.name(record)
                    n_names += 1
                else:
                    reject(source, record.line, record.reason)
            except SourceError as error:
                if error.path is not None:
                    raise
                reject(source, error.line, error.problem)
            done += 1
            if done % _EVERY == 0:
                tell(done, None, message)
    tell(done, done, "sorting statements")
    assembler.add_inverses()
    assembly = assembler.finish(words)
    for unfit in assembly.unfit:
        reject(words.source if words else "", unfit.line, unfit.reason)
    del assembler
    manifest = _write(assembly, work, name, names, languages, tell)
    return BuildReport(
        statements=manifest.statements,
        duplicates=assembly.duplicates,
        deprecated=assembly.deprecated,
        entities=manifest.entities,
        literals=manifest.literals,
        relations=manifest.relations,
        names=n_names,
        rejected=n_rejected,
        first_rejected=tuple(rejected),
        fingerprint=manifest.fingerprint,
        schema=assembly.schema,
        derived=assembly.derived,
    )


def _write(
    assembly: Assembly, work: Path, name: str, sources: Sequence[str], languages: tuple[str, ...], tell: Progress
) -> GraphManifest:
    tables = assembly.tables
    try:
        content = Content.of(tables, assembly.names, assembly.digests)
        with TreeProcess(content) as hashing, _Loading(work / SPARQL, assembly) as loading:
            save(tables, work)
            tell(0, None, "indexing labels")
            LabelIndex.build(assembly.names, work / LABELS).close()
            tell(0, None, "hashing statements")
            trees = hashing.trees()
            save_trees(trees, work)
            loading.wait(tell)
        manifest = GraphManifest(
            kind=KIND,
            format=FORMAT,
            name=name,
            fingerprint=trees.root,
            leaves=trees.size,
            hashes=trees.checksums,
            entities=tables.n_entities,
            literals=tables.n_nodes - tables.n_entities,
            statements=tables.n_statements,
            relations=len(tables.relations),
            qualifiers=len(tables.qualifier_value),
            names=len(assembly.names),
            sources=tuple(sources),
            languages=assembly.languages,
            preferred_languages=languages,
        )
        text = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=1)
        (work / MANIFEST).write_text(text, "utf-8")
    except (OSError, sqlite3.Error) as error:
        raise GraphError(f"{work.parent}: the graph cannot be written ({error}): is there space?") from error
    return manifest


class _Loading(Closing):
    """Loads the SPARQL store in a thread, since the engine leaves the interpreter free meanwhile."""

    def __init__(self, path: Path, assembly: Assembly) -> None:
        self._done, self._stopped = 0, Event()
        self._pool = ThreadPoolExecutor(1)
        self._total = count_quads(assembly.tables, assembly.names)
        self._future = self._pool.submit(build_store, path, assembly.tables, assembly.names, self._loaded)

    def _loaded(self, quads: int) -> bool:
        self._done += quads
        return not self._stopped.is_set()

    def wait(self, tell: Progress) -> None:
        """Until all is loaded, telling how far it is."""
        while wait([self._future], timeout=0.2).not_done:
            tell(self._done, self._total, "loading the SPARQL store")
        self._future.result()
        tell(self._total, self._total, "loading the SPARQL store")

    def close(self) -> None:
        """End the thread."""
        self._stopped.set()  # on an error, do not go on loading what will be thrown away
        self._pool.shutdown()
