"""Knowledge by the names that a user gives it: folders and files, and what comes with Toulmin and its graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["knowledge_from"]

_KINDS = (
    "the folder of a passage index, a table (.json or .csv), given:FILE (a passage a line), temporal, lexical or "
    "lexical:CONCEPTNET.tsv"
)

_PASSAGES = 10  # of a sentence (4.2); which of them is laid before the scorer, a setting of the method says


def knowledge_from(names: Sequence[str], graph: Graph) -> Knowledge | None:
    """The knowledge of several names, joined; None where there is none.

    Args:
        names: "temporal": statements with a time of the graph. "lexical": WordNet, and ConceptNet's relations from a
            file where one is named. "given:FILE": evidence of high quality. Else a passage index, or a table.

    Raises:
        SettingsError: no such kind.
        SourceError: a file or folder that cannot be used.
    """
    from toulmin.retrieval.knowledge import Joined, TableKnowledge

    late = [name for name in names if name.partition(":")[0] == "lexical"]  # joins words of the tables with others
    found = {name: _one(name, graph) for name in names if name not in late}
    premise = "\n".join(one.table.premise for one in found.values() if isinstance(one, TableKnowledge))
    found |= {name: _one(name, graph, premise) for name in late}
    return None if not found else next(iter(found.values())) if len(found) == 1 else Joined(*found.values())


def _one(name: str, graph: Graph, premise: str = "") -> Knowledge:
    kind, colon, rest = name.partition(":")
    if name == "temporal":
        from toulmin.retrieval.knowledge import TemporalKnowledge

        return TemporalKnowledge(graph)
    if kind == "lexical" and (not colon or rest.strip()):
        from toulmin.retrieval.knowledge import LexicalKnowledge

        return LexicalKnowledge(premise=premise, conceptnet=_file(rest) if colon else None)
    if kind == "given" and rest.strip():
        from toulmin.retrieval.knowledge import GivenPassages

        file = _file(rest)
        return GivenPassages({f"{file.stem}#{number}": line for number, line in enumerate(_lines(file), 1)})
    path = Path(name).expanduser()
    if name.strip() and path.is_dir():
        from toulmin.retrieval.knowledge import PassageKnowledge
        from toulmin.retrieval.passages import PassageIndex

        return PassageKnowledge(PassageIndex.open(path), k=_PASSAGES)
    if path.is_file() and path.suffix in (".json", ".csv", ".gz"):
        from toulmin.retrieval.knowledge import TableKnowledge, read_table

        return TableKnowledge(read_table(path))
    raise SettingsError(f"no knowledge is called {name!r}, and no folder or table is there: give {_KINDS}")


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
