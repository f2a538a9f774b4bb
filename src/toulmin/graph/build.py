"""Building a graph directory from records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from toulmin.errors import GraphError, SourceError
from toulmin.graph.assemble import Assembler, Assembly
from toulmin.graph.label_chooser import UserWords
from toulmin.graph.label_index import LabelIndex
from toulmin.graph.merkle import Content, growing
from toulmin.graph.rdf_store import build_store, count_quads
from toulmin.graph.readers.raw_statements import RawName, Record
from toulmin.graph.store import LABELS, MANIFEST, SPARQL, GraphManifest, save, save_trees

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
                assembler.take(record)
                n_names += isinstance(record, RawName)
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
    of_graph = manifest.model_dump(include={"statements", "entities", "literals", "relations", "fingerprint"})
    counts = of_graph | assembly.counts
    return BuildReport(names=n_names, rejected=n_rejected, first_rejected=tuple(rejected), **counts)


def _write(
    assembly: Assembly, work: Path, name: str, sources: Sequence[str], languages: tuple[str, ...], tell: Progress
) -> GraphManifest:
    tables = assembly.tables
    try:
        content = Content.of(tables, assembly.names, assembly.digests)
        with growing(content) as grown, _loading(work / SPARQL, assembly, tell) as finish_loading:
            save(tables, work)
            tell(0, None, "indexing labels")
            LabelIndex.build(assembly.names, work / LABELS).close()
            tell(0, None, "hashing statements")
            trees = grown()
            save_trees(trees, work)
            finish_loading()
        manifest = GraphManifest(
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


@contextmanager
def _loading(path: Path, assembly: Assembly, tell: Progress) -> Iterator[Callable[[], None]]:
    """Loads the SPARQL store in a thread, since the engine leaves the interpreter free meanwhile.

    Yields:
        What waits until all is loaded, telling how far it is.
    """
    done, total, stopped = 0, count_quads(assembly.tables, assembly.names), Event()

    def loaded(quads: int) -> bool:
        nonlocal done
        done += quads
        return not stopped.is_set()

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(build_store, path, assembly.tables, assembly.names, loaded)

        def finish() -> None:
            while wait([future], timeout=0.2).not_done:
                tell(done, total, "loading the SPARQL store")
            future.result()
            tell(total, total, "loading the SPARQL store")

        try:
            yield finish
        finally:
            stopped.set()  # on an error, do not go on loading what will be thrown away
