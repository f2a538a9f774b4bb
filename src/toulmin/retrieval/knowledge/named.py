"""Knowledge by the names that a user gives it: folders and files, kinds of ours, and those that packages bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.protocol import Graph
from toulmin.registry import Registry, known, with_argument, without_argument
from toulmin.retrieval.knowledge.evidence import GivenPassages, Knowledge, KnowledgeUnion, PassageKnowledge
from toulmin.retrieval.knowledge.lexical import LexicalKnowledge
from toulmin.retrieval.knowledge.tables import TableKnowledge, read_table
from toulmin.retrieval.knowledge.temporal import TemporalKnowledge
from toulmin.retrieval.passages.index import PassageIndex

__all__ = ["KnowledgeOptions", "knowledge_from"]

_PASSAGES = 10  # of a sentence (4.2); which of them is laid before the scorer, a setting of the method says


@dataclass(frozen=True, slots=True)
class KnowledgeOptions:
    """What a kind of knowledge may need beside its name; one that does not need it leaves it unused.

    Args:
        graph: the one that is asked.
        premise: the text of the tables that are given as well; empty where there are none.
        own: what the question of a data set brings.
    """

    graph: Graph
    premise: str = ""
    own: Knowledge | None = None


def _temporal(argument: str, options: KnowledgeOptions) -> Knowledge:
    without_argument("temporal", argument)
    return TemporalKnowledge(options.graph)


def _lexical(argument: str, options: KnowledgeOptions) -> Knowledge:
    return LexicalKnowledge(premise=options.premise, conceptnet=_file(argument) if argument else None)


def _given(argument: str, options: KnowledgeOptions) -> Knowledge:
    file = _file(with_argument("given", "FILE", argument))
    return GivenPassages({f"{file.stem}#{number}": line for number, line in enumerate(_lines(file), 1)})


def _own(argument: str, options: KnowledgeOptions) -> Knowledge:
    without_argument("own", argument)
    if options.own is None:
        raise SettingsError("'own' is what a question of a data set brings, and this one brings nothing")
    return options.own


_KINDS: Registry[Callable[[str, KnowledgeOptions], Knowledge]] = Registry(
    "kind of knowledge", "toulmin.knowledge", {"temporal": _temporal, "lexical": _lexical, "given": _given, "own": _own}
)


def knowledge_from(names: Sequence[str], graph: Graph, question_knowledge: Knowledge | None = None) -> Knowledge | None:
    """The knowledge of several names, joined; None where there is none.

    Args:
        names: "temporal": statements with a time of the graph. "lexical": WordNet, and ConceptNet's relations from a
            file where one is named. "given:FILE": evidence of high quality. "own": ``question_knowledge``. Else a
            passage index, or a table.
        question_knowledge: what the question of a data set brings.

    A kind of the entry-point group is a function from what follows the colon (a text, empty where nothing does) and
    ``KnowledgeOptions`` to a ``Knowledge``.

    Raises:
        SettingsError: no such kind, or one that cannot be loaded.
        SourceError: a file or folder that cannot be used.
    """
    kinds = _KINDS.names()
    parts = {name: _at(name, kinds) for name in names if name.partition(":")[0] not in kinds}
    beside = question_knowledge.parts if isinstance(question_knowledge, KnowledgeUnion) else (question_knowledge,)
    tables = (part.table.premise for part in (*parts.values(), *beside) if isinstance(part, TableKnowledge))
    options = KnowledgeOptions(graph, "\n".join(tables), question_knowledge)
    for name in names:
        if name not in parts:
            kind, _, argument = name.partition(":")
            parts[name] = _KINDS.get(kind)(argument, options)
    return None if not parts else next(iter(parts.values())) if len(parts) == 1 else KnowledgeUnion(*parts.values())


def _at(name: str, kinds: Sequence[str]) -> Knowledge:
    path = Path(name).expanduser()
    if name.strip() and path.is_dir():
        return PassageKnowledge(PassageIndex.open(path), k=_PASSAGES)
    if path.is_file() and path.suffix in (".json", ".csv", ".gz"):
        return TableKnowledge(read_table(path))
    raise SettingsError(
        f"no knowledge is called {name!r}: no folder of a passage index or table (.json, .csv) is there, and no kind "
        f"has this name{known(name.partition(':')[0], kinds)}"
    )


def _file(name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise SourceError("there is no such file", path)
    return path


def _lines(path: Path) -> list[str]:
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read as UTF-8: {error}", path) from None
    if not any(lines):
        raise SourceError("has no passage: give one a line", path)
    return [line for line in lines if line]
