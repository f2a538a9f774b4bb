"""The label index: an SQLite file of every label and alias, looked up by normal form and searched by words.

Search is bounded at every step: rare words first, misspelt words through the vocabulary, a few hundred candidates, and
only these are compared letter by letter.
"""

from __future__ import annotations

import math
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from toulmin.errors import GraphError
from toulmin.graph.labels import normalise

__all__ = ["LabelIndex", "NameKind", "NameMatch", "NameRow"]

_SCHEMA = """
CREATE TABLE name (owner INTEGER NOT NULL, norm TEXT NOT NULL, form TEXT NOT NULL, alias INTEGER NOT NULL,
                   weight INTEGER NOT NULL);  -- alias: a NameKind
CREATE VIRTUAL TABLE phrase USING fts5 (norm, content = '',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* S* Co' tokenchars '#%@'");
CREATE VIRTUAL TABLE phrase_word USING fts5vocab (phrase, row);
CREATE TABLE word (word TEXT PRIMARY KEY, backward TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
"""
_INDICES = (
    "CREATE INDEX name_norm ON name (norm)",
    "CREATE INDEX name_owner ON name (owner)",
    "CREATE INDEX word_backward ON word (backward)",
)

_MANY = 400  # values of one IN (…)
_MOST_WORDS = 24  # of a text to search for
_BUDGET = 4000  # names that the words of one search may touch
_CANDIDATES = 300  # names compared letter by letter
_VARIANTS = 4  # spellings taken for one unknown word
_SPELLINGS = 3000  # words compared for one unknown word
_INEXACT = 0.99  # times how alike they are: no other name scores as the name itself, which is 1


class NameKind(IntEnum):
    """What a name is to its owner: the label, another name, or (of a relation) a name for walking it backward."""

    LABEL = 0
    ALIAS = 1
    INVERSE = 2


class NameRow(NamedTuple):
    """One name. ``owner``: a node number, or -1 - a relation's number; ``weight``: its number of statements."""

    owner: int
    form: str
    kind: NameKind
    weight: int


class NameMatch(NamedTuple):
    """A name that matches a text, with a score from 0 to 1."""

    owner: int
    form: str
    alias: bool
    score: float


class LabelIndex:
    """Names by owner, by normal form, and by words. Opened read-only; safe to share among threads."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()
        self._n_names: int | None = None

    @classmethod
    def build(cls, names: Iterable[NameRow], path: Path | None = None) -> LabelIndex:
        """Index names, in a new file or (``path`` None) in memory."""
        connection = sqlite3.connect(path if path else ":memory:", isolation_level=None, check_same_thread=False)
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
        connection.executescript(_SCHEMA)
        connection.execute("BEGIN")
        # In order of weight, so that a bounded search meets the most connected entities first.
        named = [(name, normalise(name.form)) for name in sorted(names, key=lambda name: -name.weight)]
        connection.executemany(
            "INSERT INTO name VALUES (?, ?, ?, ?, ?)",
            ((name.owner, norm, name.form, int(name.kind), name.weight) for name, norm in named),
        )
        connection.executemany(
            "INSERT INTO phrase (rowid, norm) VALUES (?, ?)",
            ((row, norm) for row, (name, norm) in enumerate(named, 1) if name.owner >= 0),
        )
        # The full-text index cuts very long words off at some byte.
        connection.text_factory = lambda term: term.decode("utf-8", "ignore")
        words = connection.execute("SELECT term, doc FROM phrase_word").fetchall()
        connection.text_factory = str
        counts = ((word, word[::-1], count) for word, count in words if word)
        connection.executemany("INSERT OR IGNORE INTO word VALUES (?, ?, ?)", counts)
        for index in _INDICES:
            connection.execute(index)
        connection.execute("COMMIT")
        return cls(connection)

    @classmethod
    def open(cls, path: Path) -> LabelIndex:
        """Open a built index.

        Raises:
            sqlite3.Error: not an index, or damaged.
        """
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("SELECT owner FROM name LIMIT 1").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
        return cls(connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise GraphError(f"the index of names is damaged ({error}): build the graph again") from None

    def _rows_among(self, sql: str, values: Sequence[object]) -> Iterator[tuple[object, ...]]:
        """The rows of a query where something is ``IN ?``: among these values, asked for some at a time."""
        for start in range(0, len(values), _MANY):
            some = values[start : start + _MANY]
            yield from self._rows(sql.replace("IN ?", f"IN ({', '.join('?' * len(some))})"), some)

    def forms(self, owners: Sequence[int], *, backward: bool = False) -> dict[int, list[str]]:
        """The names of each owner, its label first; or those of each relation walked backward."""
        kinds = f"alias {'=' if backward else '<'} {NameKind.INVERSE}"
        forms: dict[int, list[str]] = {owner: [] for owner in owners}
        sql = f"SELECT owner, form FROM name WHERE owner IN ? AND {kinds} ORDER BY alias, rowid"  # noqa: S608
        for owner, form in self._rows_among(sql, list(forms)):
            forms[owner].append(form)  # type: ignore[index,arg-type]
        return forms

    def rows(self, numbers: Sequence[int]) -> list[NameRow]:
        """The names with these numbers: their places in order of weight, as they were given."""
        rows: dict[int, NameRow] = {}
        sql = "SELECT rowid, owner, form, alias, weight FROM name WHERE rowid IN ?"
        for row, owner, form, kind, weight in self._rows_among(sql, [number + 1 for number in numbers]):
            rows[row - 1] = NameRow(owner, form, NameKind(kind), weight)  # type: ignore[arg-type,operator]
        if len(rows) < len(set(numbers)):
            raise GraphError("the index of names is damaged (a name is missing): build the graph again")
        return [rows[number] for number in numbers]

    def lookup(self, forms: Sequence[str]) -> list[list[NameMatch]]:
        """Per form the entities named so but for spelling: labels before aliases, the most connected first."""
        norms = [normalise(form) for form in forms]
        matches: dict[str, dict[int, NameMatch]] = {norm: {} for norm in norms if norm}
        order = "ORDER BY alias, weight DESC, owner"
        sql = f"SELECT norm, owner, form, alias FROM name WHERE norm IN ? AND owner >= 0 {order}"  # noqa: S608
        for norm, owner, form, alias in self._rows_among(sql, list(matches)):
            matches[norm].setdefault(owner, NameMatch(owner, form, bool(alias), 1.0))  # type: ignore[index,arg-type]
        return [list(matches.get(norm, {}).values()) for norm in norms]

    def search(self, text: str, limit: int) -> list[NameMatch]:
        """The entities whose names share words with ``text`` or are spelt nearly like it, best first."""
        norm = normalise(text)
        words = list(dict.fromkeys(_fold(norm).split()))[:_MOST_WORDS]
        best = {match.owner: (match, 0) for match in self.lookup([text])[0]}
        known = self._counts(words)
        # for each word the words of the vocabulary that it may stand for, with how alike they are
        spellings = {word: {word: 1.0} if word in known else self._near_words(word) for word in words}
        rows = self._candidates(spellings)
        if rows:
            from rapidfuzz import fuzz

            weigh = self._weights({word for row in rows for word in _fold(row[1]).split()} | set(words))
            for word, variants in spellings.items():
                if word not in variants and variants:  # a misspelt word is as rare as what it stands for
                    weigh[word] = max(weigh.get(spelling, 0.0) for spelling in variants)
            for owner, name_norm, form, alias, weight in rows:
                letters = max(fuzz.ratio(norm, name_norm), fuzz.token_sort_ratio(norm, name_norm)) / 100
                score = _INEXACT * max(letters, _shared(words, _fold(name_norm).split(), spellings, weigh))
                if owner not in best or score > best[owner][0].score:
                    best[owner] = NameMatch(owner, form, bool(alias), score), -weight
        ranked = sorted(best.values(), key=lambda item: (-item[0].score, item[0].alias, item[1], item[0].owner))
        return [match for match, _ in ranked[:limit]]

    def _near_words(self, word: str) -> dict[str, float]:
        """Words within 1 edit (2 from six letters on), which leave the first or the last third of a word as it is."""
        if len(word) < 3:
            return {}
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        edits = 1 if len(word) < 6 else 2
        kept = max(len(word) // 3, 2)
        between = f"length(word) BETWEEN {len(word) - edits} AND {len(word) + edits} LIMIT {_SPELLINGS}"
        near: dict[str, int] = {}
        for column, end in (("word", word[:kept]), ("backward", word[::-1][:kept])):
            sql = f"SELECT word, count FROM word WHERE {column} >= ? AND {column} < ? AND {between}"  # noqa: S608
            near.update(self._rows(sql, (end, end + "\U0010ffff")))  # type: ignore[arg-type]
        matches = process.extract(word, list(near), scorer=OSA.distance, score_cutoff=edits, limit=None)
        matches.sort(key=lambda item: (item[1], -near[item[0]], item[0]))
        return {spelling: 1 - distance / max(len(word), len(spelling)) for spelling, distance, _ in matches[:_VARIANTS]}

    def _counts(self, words: Iterable[str]) -> dict[str, int]:
        """In how many names of entities each word is; unknown words are left out."""
        return dict(self._rows_among("SELECT word, count FROM word WHERE word IN ?", list(words)))  # type: ignore[arg-type]

    def _weights(self, words: set[str]) -> dict[str, float]:
        """Inverse document frequency of each word."""
        if self._n_names is None:
            self._n_names = int(self._rows("SELECT count(*) FROM name")[0][0])  # type: ignore[call-overload]
        counts = self._counts(words)
        return {word: math.log1p(self._n_names / (1 + counts.get(word, 0))) for word in words}

    def _candidates(self, spellings: dict[str, dict[str, float]]) -> list[tuple[int, str, str, int, int]]:
        """Rows (owner, norm, form, alias, weight) of names that hold all words, or the rarer ones of them."""
        groups = [list(variants) for variants in spellings.values() if variants]
        if not groups:
            return []
        counts = self._counts({word for group in groups for word in group})
        sizes = [sum(counts.get(word, 0) for word in group) for group in groups]
        rare: list[str] = []
        spent = 0
        for size, group in sorted(zip(sizes, groups, strict=True)):
            spent += size
            if spent <= _BUDGET:
                rare += group
        alternatives = [" OR ".join(map(_quote, group)) for group in groups]
        together = " AND ".join(f"({alternative})" for alternative in alternatives)
        rowids = self._rows(f"SELECT rowid FROM phrase WHERE phrase MATCH ? LIMIT {_CANDIDATES}", (together,))  # noqa: S608
        if rare:
            sql = f"SELECT rowid FROM phrase WHERE phrase MATCH ? ORDER BY rank LIMIT {_CANDIDATES}"  # noqa: S608
            rowids += self._rows(sql, (" OR ".join(map(_quote, rare)),))
        sql = "SELECT owner, norm, form, alias, weight FROM name WHERE rowid IN ?"
        return list(self._rows_among(sql, list({rowid for (rowid,) in rowids})))  # type: ignore[arg-type]


def _shared(
    words: Sequence[str], name: Sequence[str], spellings: dict[str, dict[str, float]], weigh: dict[str, float]
) -> float:
    """Cosine of two bags of words weighed by rarity; a misspelt word counts by how alike it is."""
    common = 0.0
    for word in words:
        alike = max((likeness for spelling, likeness in spellings[word].items() if spelling in name), default=0.0)
        common += alike * weigh[word] ** 2
    if not common:
        return 0.0
    text_length = math.sqrt(sum(weigh[word] ** 2 for word in words))
    return min(common / (text_length * math.sqrt(sum(weigh[word] ** 2 for word in set(name)))), 1.0)


def _fold(norm: str) -> str:
    """Without accents, as the full-text index has it."""
    if norm.isascii():
        return norm
    bare = "".join(char for char in unicodedata.normalize("NFD", norm) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare)


def _quote(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
