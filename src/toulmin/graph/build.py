"""Building a graph directory from records, atomically."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.assemble import Assembler, Assembly
from toulmin.graph.label_index import LabelIndex
from toulmin.graph.rdf_store import build_store
from toulmin.graph.readers.protocol import Fact, Name, Record
from toulmin.graph.store import FORMAT, LABELS, MANIFEST, SPARQL, Manifest, is_graph, save

__all__ = ["BuildReport", "Progress", "RejectedLine", "build_graph", "building"]

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


def build_graph(
    sources: Iterable[tuple[str, Iterable[Record]]],
    work: Path,
    *,
    name: str,
    strict: bool = False,
    languages: tuple[str, ...] = ("en",),
    progress: Progress | None = None,
) -> BuildReport:
    """Write a graph into the empty directory ``work`` (of ``building``).

    Args:
        sources: for each source its name, as it is to be told in messages, and its records.
        name: the graph's name.
        strict: stop at the first rejected record.
        languages: preferred languages of labels.

    Raises:
        SourceError: a source is unusable as a whole; or, if ``strict``, a record was rejected.
    """
    tell = progress or (lambda _done, _total, _message: None)
    assembler = Assembler(languages)
    names: list[str] = []
    rejected: list[RejectedLine] = []
    n_rejected = n_names = done = 0
    for source, records in sources:
        names.append(source)
        message = f"reading {source}"
        for record in records:
            try:
                if isinstance(record, Fact):
                    assembler.add(record)
                elif isinstance(record, Name):
                    assembler.name(record)
                    n_names += 1
                else:
                    raise SourceError(record.reason, line=record.line)  # noqa: TRY301
            except SourceError as error:
                if strict:
                    raise SourceError(error.problem, source, error.line) from None
                n_rejected += 1
                if len(rejected) < _SHOWN:
                    rejected.append(RejectedLine(source, error.line, error.problem))
            done += 1
            if done % _EVERY == 0:
                tell(done, None, message)
    tell(done, done, "sorting statements")
    assembly = assembler.finish()
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
    )


def _write(
    assembly: Assembly, work: Path, name: str, sources: Sequence[str], languages: tuple[str, ...], tell: Progress
) -> Manifest:
    tables = assembly.tables
    with ThreadPoolExecutor(1) as pool:  # the loader of the SPARQL store leaves the interpreter free
        tell(0, None, "loading the SPARQL store and indexing labels")
        loading = pool.submit(build_store, work / SPARQL, tables, assembly.names)
        save(tables, work)
        LabelIndex.build(assembly.names, work / LABELS).close()
        loading.result()
    manifest = Manifest(
        kind="toulmin graph",
        format=FORMAT,
        name=name,
        fingerprint=tables.fingerprint,
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
    (work / MANIFEST).write_text(json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=1), "utf-8")
    return manifest


@contextmanager
def building(out: str | Path) -> Iterator[Path]:
    """A new directory beside ``out`` that takes its place when the block ends; on any error ``out`` stays as it was.

    Left-overs of builds whose process is gone are removed.

    Raises:
        SettingsError: ``out`` exists and is no Toulmin graph, or its parent directory does not exist.
    """
    out = Path(out).resolve()
    if not out.parent.is_dir():
        raise SettingsError(f"{out.parent}: no such directory; create it first")
    if out.exists() and not is_graph(out):
        raise SettingsError(f"{out}: exists and is not a Toulmin graph; choose another directory or remove it")
    _clean(out)
    work = out.with_name(f".{out.name}.building-{socket.gethostname()}-{os.getpid()}-{token_hex(4)}")
    work.mkdir()
    try:
        yield work
        _swap(work, out)
    finally:
        # what is left at this place: a build that was interrupted, or the graph that was replaced
        shutil.rmtree(work, ignore_errors=True)


def _clean(out: Path) -> None:
    pattern = re.compile(re.escape(f".{out.name}.building-{socket.gethostname()}-") + r"(\d+)-[0-9a-f]{8}")
    for entry in out.parent.iterdir():
        match = pattern.fullmatch(entry.name)
        if match and not _alive(int(match[1])):
            shutil.rmtree(entry, ignore_errors=True)


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # no harmless way to ask; left-overs stay
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _swap(work: Path, out: Path) -> None:
    """Put ``work`` in the place of ``out``; the old graph, if any, is then at ``work``."""
    if not out.exists():
        work.rename(out)
    elif not _exchange(work, out):
        old = work.with_name(work.name + ".old")
        out.rename(old)
        try:
            work.rename(out)
        except BaseException:
            old.rename(out)
            raise
        old.rename(work)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two directories in one step; False where the system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    at_cwd, exchange = -100, 2
    return bool(libc.renameat2(at_cwd, os.fsencode(one), at_cwd, os.fsencode(other), exchange) == 0)
