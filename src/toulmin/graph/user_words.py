"""A user's own words for relations, classes and other things of a graph, from a small TOML or JSON file.

[manager]                              # a relation (else a class or another thing), by one of its names or its id
also = ["reports to", "boss"]          # other names
inverse = "leads"                      # what it is called from the other end; a text, or several
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.graph.label_index import NameKind, NameRow
from toulmin.graph.labels import normalise
from toulmin.graph.readers.minting import clean_text
from toulmin.graph.readers.raw_statements import Rejected
from toulmin.registry import closest

__all__ = ["UserWords", "no_inverse", "read_user_words"]

_FIELDS = {"also": NameKind.ALIAS, "inverse": NameKind.INVERSE}
_LINE = re.compile(r" \(at line (\d+), column \d+\)\Z")


@dataclass(frozen=True, slots=True)
class UserWords:
    """What a file of words says.

    Args:
        source: the file, as messages name it.
        names: for each name or id of what is in the graph, the further names by their kind.
    """

    source: str
    names: Mapping[str, Mapping[NameKind, tuple[str, ...]]]

    def rows(self, known: Sequence[NameRow], but: Container[str]) -> Iterator[NameRow | Rejected]:
        """The further names of what is given by its name, as rows of the index; ``Rejected`` what fits nothing.

        Args:
            known: all names of the graph.
            but: what is left out, since the graph knows it by its id.
        """
        given = {name: words for name, words in self.names.items() if name not in but}
        wanted = {normalise(name) for name in given}
        bearers: dict[str, dict[int, int]] = {}  # of each name, with their weights
        for row in known:
            if row.kind is not NameKind.INVERSE and (norm := normalise(row.form)) in wanted:
                bearers.setdefault(norm, {})[row.owner] = row.weight
        owners = {owner for weights in bearers.values() for owner in weights}
        taken = {(row.owner, row.form, row.kind is NameKind.INVERSE) for row in known if row.owner in owners}
        for name, words in given.items():
            weights = bearers.get(normalise(name), {})
            relations = {owner: weight for owner, weight in weights.items() if owner < 0}
            if not weights:
                near = closest(name, list({row.form for row in known if row.owner < 0}))
                yield Rejected(None, f"{name!r}: nothing in the graph has this name or id{near}")
            elif not relations and len(weights) > 1:
                yield Rejected(None, f"{name!r}: {len(weights)} things have this name: give the id of one of them")
            elif not relations and words.get(NameKind.INVERSE):
                yield Rejected(None, no_inverse(name))
            else:
                pairs = [(kind, form) for kind, forms in words.items() for form in forms]
                for (owner, weight), (kind, form) in product((relations or weights).items(), pairs):
                    if (key := (owner, form, kind is NameKind.INVERSE)) not in taken:
                        taken.add(key)
                        yield NameRow(owner, form, kind, weight)


def no_inverse(name: str) -> str:
    """What is wrong with an inverse of what is no relation."""
    return f"{name!r}: is no relation, and only a relation has an inverse"


def read_user_words(path: Path) -> UserWords:
    """Read a file of words: JSON where its name ends so, else TOML.

    Raises:
        SourceError: not such a file.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise SourceError("no such file", path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read: {error}", path) from None
    try:
        document = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(f"not JSON: {error.msg}", path, error.lineno) from None
    except tomllib.TOMLDecodeError as error:
        at = _LINE.search(str(error))
        problem = _LINE.sub("", str(error))
        raise SourceError(
            f"not TOML: {problem} (names with spaces or dots stand in quotes)", path, int(at[1]) if at else None
        ) from None
    if not isinstance(document, dict):
        raise SourceError("must be an object: of each name its other names", path)
    return UserWords(str(path), {name: dict(_entry(name, entry, path)) for name, entry in document.items()})


def _entry(name: str, entry: Any, path: Path) -> Iterator[tuple[NameKind, tuple[str, ...]]]:
    if not isinstance(entry, dict):
        raise SourceError(f"must be a table with {' and '.join(_FIELDS)}", path, field=name)
    for field, value in entry.items():
        if field not in _FIELDS:
            raise SourceError(
                f"unknown: use {' or '.join(_FIELDS)} (and put a name with dots in quotes)",
                path,
                field=f"{name}.{field}",
            )
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) and clean_text(text) for text in texts):
            raise SourceError("must be a text, or a list of texts, none of them empty", path, field=f"{name}.{field}")
        yield _FIELDS[field], tuple(map(clean_text, texts))
