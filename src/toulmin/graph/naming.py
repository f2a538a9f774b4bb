"""Which of an entity's names is its label, which are aliases, and which entities have no name for people."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SourceError
from toulmin.graph.csr import Ints
from toulmin.graph.label_index import NameRow
from toulmin.graph.labels import is_machine_id, is_machine_label, readable_id, readable_relation
from toulmin.graph.readers.protocol import Name

__all__ = ["Named", "Names"]

_ALIAS = 1 << 16  # the standing of any alias, above that of any label


@dataclass(frozen=True, slots=True)
class Named:
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


class Names:
    """Collects labels and aliases of ids, given by number.

    Args:
        languages: preferred languages of labels, best first; then labels without a language, then any.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._preferred = [language.casefold() for language in languages]
        self._owner, self._form = array("i"), list[str]()
        self._standing = array("i")  # less is better; aliases from _ALIAS on
        self._rank: dict[str, int] = {}
        self.languages: dict[str, int] = {}

    def add(self, owner: int, name: Name) -> None:
        """Take in one name of the id numbered ``owner``.

        Raises:
            SourceError: the form is empty.
        """
        form = name.form.strip()
        if not form:
            raise SourceError(f"an empty {name.kind} of {name.id[:80]!r}")
        lang = name.lang or ""
        if lang not in self._rank:
            self._rank[lang] = self._language_rank(lang.casefold())
        self.languages[lang] = self.languages.get(lang, 0) + 1
        self._owner.append(owner)
        self._form.append(form)
        self._standing.append(self._rank[lang] + (_ALIAS if name.kind == "alias" else 0))

    def _language_rank(self, lang: str) -> int:
        for place, preferred in enumerate(self._preferred):
            if lang == preferred:
                return 2 * place
            if lang.startswith(preferred + "-"):
                return 2 * place + 1
        return 2 * len(self._preferred) + {"": 0, "mul": 1}.get(lang, 2)

    def owners(self) -> Ints:
        """The number of each name's id."""
        return np.array(self._owner, dtype=np.int32)

    def choose(self, ids: Sequence[str], entity_of: Ints, relation_of: Ints, weight: NDArray[np.int64]) -> Named:
        """Labels of all entities and relations; where none was given, one made of the id.

        Args:
            ids: the ids by number.
            entity_of, relation_of: the entity and the relation of each id, -1 where it is none.
            weight: of each entity, for the index.
        """
        n_entities = int(entity_of.max(initial=-1)) + 1
        entities, relations = [""] * n_entities, [""] * (int(relation_of.max(initial=-1)) + 1)
        machine = np.zeros(n_entities, dtype=np.bool_)
        rows: list[NameRow] = []

        def put(owner: int, forms: Sequence[str], owed: int) -> None:
            rows.extend(NameRow(owner, form, place > 0, owed) for place, form in enumerate(forms))

        for number, forms, labelled in self._by_owner():
            identifier, entity, relation = ids[number], int(entity_of[number]), int(relation_of[number])
            if relation >= 0:
                entity = -1  # what names a relation names no thing, though something may be said of the relation
            telling = [form for form in forms if not (identifier.endswith(form) and is_machine_label(form))]
            if telling and not labelled and not is_machine_id(identifier):
                telling.insert(0, readable_id(identifier))  # where there are aliases only, the id reads better
            chosen = list(dict.fromkeys(telling or forms))
            if entity >= 0:
                entities[entity], machine[entity] = chosen[0], not telling
                if telling:
                    put(entity, chosen, int(weight[entity]))
            if relation >= 0:
                relations[relation] = chosen[0]
                put(-1 - relation, chosen, 0)
        for identifier, entity, relation in zip(ids, entity_of.tolist(), relation_of.tolist(), strict=True):
            if entity >= 0 and not entities[entity]:
                named = relations[relation] if relation >= 0 else ""
                entities[entity] = named or readable_id(identifier)
                machine[entity] = relation >= 0 or is_machine_id(identifier)
                if not machine[entity]:
                    put(entity, [entities[entity]], int(weight[entity]))
            if relation >= 0 and not relations[relation]:
                relations[relation] = readable_relation(identifier)
                put(-1 - relation, [relations[relation]], 0)
        return Named(entities, relations, rows, machine)

    def _by_owner(self) -> Iterator[tuple[int, list[str], bool]]:
        """For each named id: its number, its forms best first, and whether the first is a label."""
        owner = self.owners()
        standing = np.array(self._standing, dtype=np.int32)
        order = np.lexsort((standing, owner))
        bounds = np.flatnonzero(np.diff(owner[order], prepend=-1, append=-1)).tolist()
        for start, end in pairwise(bounds):
            places = order[start:end].tolist()
            yield int(owner[places[0]]), [self._form[place] for place in places], self._standing[places[0]] < _ALIAS
