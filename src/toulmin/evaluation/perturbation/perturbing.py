"""A perturbed copy of a built graph, and the list of what was changed in it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from toulmin.errors import SettingsError
from toulmin.evaluation.perturbation.edits import CHANGES, Edits, changes
from toulmin.evaluation.perturbation.kinds import KINDS
from toulmin.graph.build import Progress, build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.readers.raw_statements import RawName, Record
from toulmin.graph.store import EmbeddedGraph, open_graph

__all__ = ["Change", "Perturbation", "perturbed"]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """How to perturb a graph. The same one changes the same statements; a higher level changes more of them.

    Args:
        kind: one of ``KINDS``.
        level: the share of what the kind can change, from 0 to 1.
        seed: of the choice.

    Raises:
        SettingsError: no such kind, or a level or seed out of range.
    """

    kind: str
    level: float
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"no perturbation is called {self.kind!r}: use one of {', '.join(KINDS)}")
        if not (math.isfinite(self.level) and 0.0 <= self.level <= 1.0):
            raise SettingsError(f"the level of {self.kind} is {self.level:g}: give a share from 0 to 1")
        if self.seed < 0:
            raise SettingsError(f"the seed of {self.kind} is {self.seed}: give 0 or more")

    @classmethod
    def parse(cls, text: str, seed: int = 0) -> Self:
        """The perturbation of a text such as ``edge-deletion:0.3``.

        Raises:
            SettingsError: it is none.
        """
        kind, colon, level = text.partition(":")
        try:
            return cls(kind, float(level), seed)
        except ValueError:
            problem = f"the level {level!r} is no number" if colon else "there is no level"
            raise SettingsError(f"{text!r}: {problem}; write it like edge-deletion:0.3") from None

    @property
    def name(self) -> str:
        """``edge-deletion-0.3``, as folders of runs have it."""
        return f"{self.kind}-{self.level:g}"


@dataclass(frozen=True, slots=True)
class Change:
    """What a perturbation has done.

    Args:
        out: the perturbed graph.
        possible: how many things the kind could have changed; the level is a share of them.
        added, removed, altered: statements.
        renamed, merged: entities with another label; entities that are taken for another one.
        before, after: how many statements there are.
    """

    perturbation: Perturbation
    out: Path
    possible: int
    added: int
    removed: int
    altered: int
    renamed: int
    merged: int
    before: int
    after: int


def perturbed(
    source: str | Path, perturbation: Perturbation, out: str | Path, *, progress: Progress | None = None
) -> Change:
    """Build a perturbed copy of a graph, with ``changes.jsonl`` (docs/perturbation.md) beside its files.

    Parallel statements and qualifiers stay, and nothing is changed into what the graph states anyway. Vectors are made
    where the source has them.

    Args:
        source: the directory of a built graph.
        out: the directory of the new one; an older graph is replaced.

    Raises:
        GraphError: ``source`` cannot be opened, or ``out`` not be written.
        SettingsError: ``out`` is something else, or ``source`` itself.
        InputError: the graph holds nothing that could be perturbed so.
    """
    source, out = Path(source), Path(out)
    if source.resolve() == out.resolve():
        raise SettingsError(f"{out}: is the graph itself; give another directory")
    with open_graph(source) as graph, build_directory(out) as work:
        edits = Edits(graph.subgraph([], 0).tables)
        tell = progress or (lambda _done, _total, _message: None)
        tell(0, None, perturbation.kind.replace("-", " "))
        number = list(KINDS).index(perturbation.kind)
        possible = KINDS[perturbation.kind](
            edits, perturbation.level, np.random.default_rng([perturbation.seed, number])
        )
        origin = f"{source}, perturbed: {perturbation.kind} {perturbation.level:g}, seed {perturbation.seed}"
        report = build_graph(
            [(origin, _records(graph, edits))],
            work,
            name=f"{graph.name}@{perturbation.name}",
            strict=True,
            languages=graph.manifest.preferred_languages,
            progress=progress,
        )
        with (work / CHANGES).open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(change, ensure_ascii=False) + "\n" for change in changes(edits))
        _index(graph, work, progress)
    added, removed, altered = len(edits.added), len(edits.removed), len(edits.altered)
    named = len(edits.renamed), len(edits.merged)
    before, after = graph.manifest.statements, report.statements
    return Change(perturbation, out, possible, added, removed, altered, *named, before, after)


def _records(graph: EmbeddedGraph, edits: Edits) -> Iterator[Record]:
    """The names and statements of the perturbed graph."""
    tables = edits.tables
    rows = np.flatnonzero(edits.kept)
    entities = np.flatnonzero(~tables.machine[: tables.n_entities])
    ids = tables.keys.many(entities)
    targets = tables.keys.many(np.fromiter(edits.merged.values(), dtype=np.int64, count=len(edits.merged)))
    merged_into = dict(zip(edits.merged, targets, strict=True))
    for number, identifier, info in zip(entities.tolist(), ids, graph.describe(ids), strict=True):
        if info is None or info.entity.label is None:
            continue
        forms = [info.entity.label, *info.aliases]
        if number in merged_into:
            yield from (RawName(merged_into[number], form, "alias") for form in forms)
            continue
        new = edits.renamed.get(number)
        yield RawName(identifier, new or forms[0])
        yield from (RawName(identifier, form, "alias") for form in (forms if new else forms[1:]))
    used = np.zeros(len(tables.relations), dtype=np.bool_)
    used[edits.relation[rows]] = True
    stated = np.zeros(tables.n_statements, dtype=np.bool_)
    stated[edits.origin[rows]] = True
    used[tables.qualifier_relation[np.repeat(stated, np.diff(tables.qualifier_start)) & edits.qualifier_kept]] = True
    # A relation that no statement has any more would be an entity if it had a name.
    used_relations = [tables.relations[number].id for number in np.flatnonzero(used).tolist()]
    for relation, inverse in graph.inverse_names(used_relations).items():
        yield from (RawName(relation, form, "inverse") for form in inverse)
    for relation, info in zip(used_relations, graph.describe(used_relations), strict=True):
        if info is not None and info.entity.label is not None:
            yield RawName(relation, info.entity.label)
            yield from (RawName(relation, form, "alias") for form in info.aliases)
    yield from edits.facts(rows)


def _index(graph: EmbeddedGraph, work: Path, progress: Progress | None) -> None:
    """Vectors as the source has them, since an unchanged label has the same one."""
    from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
    from toulmin.retrieval.retriever import build_index
    from toulmin.retrieval.vectors import FOLDER, StoredVectors

    directory = graph.directory()
    if not (directory / FOLDER).is_dir():
        return
    embedder = get_embedder()
    stored = StoredVectors(directory, embedder, graph.fingerprint)
    tables = graph.subgraph([], 0).tables
    numbers = np.flatnonzero(~tables.machine[: tables.n_entities])
    place = dict(zip(tables.labels.many(numbers), numbers.tolist(), strict=True))

    class Known:
        """The embedder, which remembers the labels of the source."""

        name, dimension = embedder.name, embedder.dimension

        def embed(self, texts: Sequence[str]) -> Vectors:
            """Vectors of unit length, float32[len(texts), d]."""
            vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
            places = np.array([place.get(text, -1) for text in texts], dtype=np.int64)
            vectors[places >= 0] = stored.entity_vectors(places[places >= 0])
            new = np.flatnonzero(places < 0).tolist()
            if new:
                vectors[new] = embedder.embed([texts[at] for at in new])
            return vectors

    model: Embedder = Known()
    with open_graph(work) as copy:
        build_index(work, copy, embedder=model, progress=progress)
