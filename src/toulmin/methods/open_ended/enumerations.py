"""A sentence as a whole, held against statements one by one: several names in a row are read one after the other.

"Bram and Odd Sand were born in Grey Port" says of each of the two where he was born, as "The ferry calls at Vik, Lund
and Moss" says of each harbour that the ferry calls there: one statement each. Which words are names, the statements
tell that the sentence cites, so that no grammar is needed, and a row is read where names have commas or points of their
own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.linking.mention_words import bare_words, is_common, words_of
from toulmin.retrieval.statement_words import statement_words

__all__ = ["Part", "parts_of"]

_SMALL = r"(?:(?:a|an|the|in|at|on|by|to|of|from|for|with)\s+)*"  # what may stand again before each name in a row
_BETWEEN = rf"(?:,\s+(?:and|or)\s+|,\s+|\s+and\s+|\s+or\s+){_SMALL}"


@dataclass(frozen=True, slots=True)
class Part:
    """What a sentence says of one name, or the whole of it, and the statements one of which has to bear it out."""

    says: str
    statements: tuple[Statement, ...]


def parts_of(sentence: str, statements: Sequence[Statement]) -> list[Part]:
    """The parts that a sentence comes to; none where a name of it is in no statement that could bear it out."""
    parts = [Part(sentence, tuple(statements))]
    rows = [row for group in _alike(statements) for row in _rows(sentence, group)]
    if len(rows) == 1:
        start, end, row = rows[0]
        parts = [Part(f"{sentence[:start]}{name}{sentence[end:]}", (said,)) for name, said in row.items()]
    held = [Part(one.says, tuple(said for said in one.statements if _names_all(one.says, said))) for one in parts]
    return held if all(one.statements for one in held) else []


def _alike(statements: Sequence[Statement]) -> Iterator[dict[str, Statement]]:
    """Statements of one relation and one subject by what their objects are called, and of one object by subjects."""
    groups: dict[tuple[object, ...], dict[str, Statement]] = {}
    for one in statements:
        for side, end, other in ((0, one.subject, one.object), (1, one.object, one.subject)):
            if isinstance(end, Entity) and end.label:
                groups.setdefault((side, one.relation.id, other), {})[end.label] = one
    return (group for group in groups.values() if len(group) > 1)


def _rows(sentence: str, names: Mapping[str, Statement]) -> Iterator[tuple[int, int, dict[str, Statement]]]:
    """Where names stand in a row, from the first to the last of them, and the statement of each."""
    name = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    for found in re.finditer(rf"(?<!\w)(?:{name})(?:{_BETWEEN}(?:{name}))+(?!\w)", sentence):
        row = {one: names[one] for one in re.findall(rf"(?<!\w)(?:{name})(?!\w)", found[0])}
        yield found.start(), found.end(), row


def _names_all(sentence: str, statement: Statement) -> bool:
    """Whether every word that is written as a name is one of a statement."""
    said = {word for part in statement_words(statement) for word in bare_words(part)}
    return all(
        word.bare in said
        for place, word in enumerate(words_of(sentence))
        if word.text != word.lower and not (place == 0 and (word.lower in FUNCTION_WORDS or is_common(word.lower)))
    )
