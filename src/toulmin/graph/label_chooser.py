"""Which of an entity's names is its label, which are aliases, and which entities have no name for people.

Users add their own words for relations, classes and other things of a graph by a small TOML or JSON file::

    [manager]                              # a relation (else a class or another thing), by one of its names or its id
    also = ["reports to", "boss"]          # other names
    inverse = "leads"                      # what it is called from the other end; a text, or several
"""

from __future__ import annotations

import json
import re
import tomllib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SourceError
from toulmin.graph.csr import Ints
from toulmin.graph.label_index import NameKind, NameRow
from toulmin.graph.labels import (
    is_machine_id,
    is_machine_label,
    local_name,
    normalise,
    readable_id,
    readable_relation,
)
from toulmin.graph.readers.minting import clean_text, split_name
from toulmin.graph.readers.raw_statements import RawName, Rejected
from toulmin.registry import closest

__all__ = ["ChosenLabels", "LabelChooser", "UserWords", "language_rank", "no_inverse", "read_user_words"]

#: The standing of any name of a kind is above that of any name of the kind before; within it, the language decides.
_KINDS = {"label": 0, "alias": 1 << 16, "inverse": 2 << 16}
_LABEL, _ALIAS, _INVERSE = NameKind


@dataclass(frozen=True, slots=True)
class ChosenLabels:
    """Chosen labels and all names.

    Args:
        entities, relations: the label of each.
        rows: every name, for the label index.
        machine: bool[n_entities]: no name but a machine id.
    """

    entities: list[str]
    relations: list[str]
    rows: list[NameRow]
    machine: NDArray[np.bool_]


def language_rank(lang: str, preferred: Sequence[str]) -> int:
    """How far a language is from those preferred (best first); then none at all (""), "mul", and any other."""
    for place, wanted in enumerate(preferred):
        if lang == wanted or lang.startswith(wanted + "-"):
            return 2 * place + (lang != wanted)
    return 2 * len(preferred) + {"": 0, "mul": 1}.get(lang, 2)


class LabelChooser:
    """Collects labels and aliases of ids, given by number.

    Args:
        languages: preferred languages of labels, best first; then labels without a language, then any.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._preferred = [language.casefold() for language in languages]
        self._owner, self._form = array("i"), list[str]()
        self._standing = array("i")  # less is better
        self._rank: dict[str, int] = {}
        self.languages: dict[str, int] = {}

    def add(self, owner: int, name: RawName) -> None:
        """Take in one name of the id numbered ``owner``.

        Raises:
            SourceError: the form is empty.
        """
        form = name.form.strip()
        if not form:
            raise SourceError(f"an empty {name.kind} of {name.id[:80]!r}")
        lang = name.lang or ""
        if lang not in self._rank:
            self._rank[lang] = language_rank(lang.casefold(), self._preferred)
        self.languages[lang] = self.languages.get(lang, 0) + 1
        self._owner.append(owner)
        self._form.append(form)
        self._standing.append(self._rank[lang] + _KINDS[name.kind])

    def owners(self) -> Ints:
        """The number of each name's id, but for names of inverses."""
        standing = np.array(self._standing, dtype=np.int32)
        return np.array(self._owner, dtype=np.int32)[standing < _KINDS["inverse"]]

    def choose(
        self,
        ids: Sequence[str],
        entity_of: Ints,
        relation_of: Ints,
        weight: NDArray[np.int64],
        is_property: NDArray[np.bool_],
        inverses: Mapping[int, Sequence[int]],
        find_classes: Callable[[Sequence[str]], NDArray[np.bool_]],
    ) -> ChosenLabels:
        """Labels of all entities and relations; where none was given, one made of the id.

        Args:
            ids: the ids by number.
            entity_of, relation_of: the entity and the relation of each id, -1 where it is none.
            weight: of each entity, for the index.
            is_property: whether each id is a relation, or was declared to be one, and so is no thing that has a name.
            inverses: for some ids those of their inverses, whose names are how the relation is called backward.
            find_classes: from the relations' labels to bool[n_entities]: which entities are classes.
        """
        n_entities = int(entity_of.max(initial=-1)) + 1
        entities, relations = [""] * n_entities, [""] * (int(relation_of.max(initial=-1)) + 1)
        machine = np.zeros(n_entities, dtype=np.bool_)
        rows: list[NameRow] = []
        called: dict[int, list[str]] = {other: [] for others in inverses.values() for other in others}
        backward: dict[int, list[str]] = {number: [] for number in inverses}

        def put(owner: int, forms: Sequence[str], owed: int) -> None:
            rows.extend(NameRow(owner, form, _ALIAS if place else _LABEL, owed) for place, form in enumerate(forms))

        for number, forms, labelled, inverse in self._by_owner():
            identifier, entity, relation = ids[number], int(entity_of[number]), int(relation_of[number])
            if inverse:
                backward.setdefault(number, []).extend(inverse)
            if is_property[number]:
                entity = -1  # what names a relation names no thing, though something may be said of the relation
            telling = [form for form in forms if not (identifier.endswith(form) and is_machine_label(form))]
            if telling and not labelled and not is_machine_id(identifier):  # of aliases only, the id reads better
                telling.insert(0, readable_id(identifier) if entity >= 0 else readable_relation(identifier))
            chosen = list(dict.fromkeys(telling or forms))
            if entity >= 0 and len(chosen) == 1:
                chosen += _other(split_name(chosen[0]), chosen[0])
            if not chosen:
                continue
            if number in called:
                called[number] = chosen if telling else []
            if entity >= 0:
                entities[entity], machine[entity] = chosen[0], not telling
                if telling:
                    put(entity, chosen, int(weight[entity]))
            if relation >= 0:
                relations[relation] = chosen[0]
                put(-1 - relation, chosen, 0)
        columns = ids, entity_of.tolist(), relation_of.tolist(), is_property.tolist()
        for identifier, _, relation, _ in zip(*columns, strict=True):
            if relation >= 0 and not relations[relation]:
                relations[relation] = readable_relation(identifier)
                put(-1 - relation, [relations[relation]], 0)
        common = find_classes(relations).tolist()
        for identifier, entity, relation, declared in zip(*columns, strict=True):
            if entity >= 0 and not entities[entity]:
                named = relations[relation] if relation >= 0 else ""
                label = entities[entity] = named or readable_id(identifier, common=common[entity])
                # A relation is no thing that has a name, yet a class may be called as a relation to it is.
                machine[entity] = (declared and not common[entity]) or is_machine_id(identifier)
                if not machine[entity]:
                    put(entity, [label, *_other(local_name(identifier), label)], int(weight[entity]))
        for number, others in inverses.items():
            for other in others:
                unnamed = [] if is_machine_id(ids[other]) else [readable_relation(ids[other])]
                backward[number] += called[other] or unnamed
        for number, forms in backward.items():
            if (relation := int(relation_of[number])) >= 0:
                rows.extend(NameRow(-1 - relation, form, _INVERSE, 0) for form in dict.fromkeys(forms))
        return ChosenLabels(entities, relations, rows, machine)

    def _by_owner(self) -> Iterator[tuple[int, list[str], bool, list[str]]]:
        """For each named id: its number, forms best first, whether the first is a label, and names of its inverse."""
        owner = np.array(self._owner, dtype=np.int32)
        standing = np.array(self._standing, dtype=np.int32)
        order = np.lexsort((standing, owner))
        bounds = np.flatnonzero(np.diff(owner[order], prepend=-1, append=-1)).tolist()
        for start, end in pairwise(bounds):
            places = order[start:end].tolist()
            split = bisect_left(places, _KINDS["inverse"], key=self._standing.__getitem__)
            forms = [self._form[place] for place in places]
            yield int(owner[places[0]]), forms[:split], self._standing[places[0]] < _KINDS["alias"], forms[split:]


def _other(form: str, label: str) -> list[str]:
    """The form, where it is another name than the label."""
    return [form] if form != label and normalise(form) != normalise(label) else []


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
