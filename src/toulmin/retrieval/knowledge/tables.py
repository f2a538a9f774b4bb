"""Tables of keys and values about one thing, in sentences: "Nora Lind was born on 6 September 1972 in Oslo."

Read from INFOTABS' JSON ({"title": ["Nora Lind"], "Born": [...], ...}) or from CSV with two columns, key and value, in
which a key may come again and a row "title" names what the table is about; else the file's name does.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toulmin.errors import SourceError
from toulmin.graph.readers.stream import SourceStream, uncompressed_suffix
from toulmin.graph.times import parse_time
from toulmin.retrieval.knowledge.evidence import Evidence, ranked, wording
from toulmin.retrieval.passages.excerpts import Excerpt, IndexedPassage
from toulmin.retrieval.passages.indexing import decoded, joined

__all__ = ["FactTable", "TableKnowledge", "read_table"]

_TITLE = "title"
_LONGEST = 250  # characters of the values of one sentence

_ISO_DATE = re.compile(r"\s*\(\s*-?\d{1,4}(?:-\d\d){1,2}\s*\)")  # "(1972-09-06)" beside the date in words
_AGE = re.compile(r"\((?:aged?)\s*(\d+)(?:\s*[-–]\s*\d+)?\)")
_DATE = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\s+(?:\d{1,2},?\s+)?\d{3,4}(?:\s*BCE?)?|\b(?:c\.\s*)?\d{3,4}(?:\s*BCE?)?\b"
)
_SINCE = re.compile(r"(?:since\s+)?(\d{4})\s*(?:[-–—]|to)\s*(?:present|now|today)", re.IGNORECASE)
_SPAN = re.compile(r"(\d{4})\s*(?:[-–—]|to)\s*(\d{4})")
_PARTICIPLE = r"\w+ed|written|built|sung|shot|drawn|made|known|held|led|run|chosen|given"
_PLURALS = frozenset(["people", "men", "women", "children"])
_COUNT = re.compile(r"(\d+)\b(.*)")
_END = re.compile(r"\.+$")  # after an abbreviation
_SHORT_WORDS = {"m.": "married", "div.": "divorced", "sep.": "separated", "b.": "born", "d.": "died"}
_SHORT = re.compile(r"(?<=[(;])\s*(m\.|div\.|sep\.|b\.|d\.)(?=[\s\d])")


@dataclass(frozen=True, slots=True)
class FactTable:
    """Keys and values about one thing.

    Args:
        name: what it is found by again: its file's name without suffix.
        title: what it is about.
        rows: keys with their values, in the table's order.
    """

    name: str
    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sentences: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        sentences = dict.fromkeys(_END.sub(".", s) for key, values in self.rows for s in _row(self.title, key, values))
        object.__setattr__(self, "sentences", tuple(sentences))

    @property
    def premise(self) -> str:
        """The whole table in sentences, one a line."""
        return "\n".join(self.sentences)


def read_table(path: str | Path) -> FactTable:
    """Read a table.

    Raises:
        SourceError: the file is neither such JSON nor such CSV, or has no rows; with the line or field.
    """
    path = Path(path)
    rows = _json_rows(path) if uncompressed_suffix(path) == ".json" else _csv_rows(path)
    titles = [values for key, values in rows if key.casefold() == _TITLE]
    kept = tuple((key, values) for key, values in rows if key.casefold() != _TITLE and values)
    if not kept:
        raise SourceError("the table has no rows: give keys and values", path)
    name = path.name.split(".")[0]
    return FactTable(name, titles[0][0] if titles and titles[0] else name.replace("_", " "), kept)


def _json_rows(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    with SourceStream(path) as stream:
        data = stream.read()
    try:
        table = json.loads(data)
        json.dumps(table, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise SourceError("holds half of a surrogate pair, which is no text", path) from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is not JSON ({error}); give {{key: [values]}}", path) from None
    if not isinstance(table, dict):
        raise SourceError("is not a JSON object; give {key: [values]}", path)
    rows = []
    for key, values in table.items():
        several = values if isinstance(values, list) else [values]
        if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in several):
            raise SourceError("must be a text or a list of texts", path, field=key)
        rows.append((_key(key), tuple(text for value in several if (text := joined(str(value))))))
    return rows


def _csv_rows(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    by_key: dict[str, list[str]] = {}
    with SourceStream(path) as stream:
        for number, line in decoded(stream):
            if not line.strip():
                continue
            cells = next(csv.reader([line]))
            if len(cells) != 2 or not cells[0].strip():
                raise SourceError(f"{len(cells)} columns where two are expected: key and value", path, number)
            values = by_key.setdefault(_key(cells[0]), [])
            if value := joined(cells[1]):
                values.append(value)
    return [(key, tuple(values)) for key, values in by_key.items()]


def _key(text: str) -> str:
    return joined(text).rstrip(":").rstrip()


class TableKnowledge:
    """The sentences of a table, the most similar first.

    Args:
        table: the table.
        k: how many each sentence gets; None: all.
    """

    name = "table"

    def __init__(self, table: FactTable, *, k: int | None = None) -> None:
        self.table = table
        self._k = k
        document = IndexedPassage(table.name, table.premise, table.title)
        self._evidence: list[Evidence] = []
        start = 0
        for sentence in table.sentences:
            self._evidence.append(Evidence(sentence, Excerpt.of(document, start, start + len(sentence))))
            start += len(sentence) + 1

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The table's sentences; ``about`` plays no part."""
        return ranked(sentences, [self._evidence] * len(sentences), self._k)

    def document(self, source: str) -> str | None:
        """The table in sentences, one a line."""
        return self.table.premise if source == self.table.name else None


def _row(title: str, key: str, values: Sequence[str]) -> Iterator[str]:
    """The sentences of one row."""
    lowered = key.casefold()
    plain = [_plain(value) for value in values]
    if lowered in ("born", "died"):
        yield from _life(title, lowered, _listed(values))
    elif lowered in ("years active", "active"):
        yield f"{title} has been active {_years(_listed(plain))}."
    elif sentence := next((said for like, said in wording("rows").items() if re.fullmatch(like, lowered)), None):
        yield from (sentence.format(title=title, part=part) for part in _chunks(plain))
    elif lowered == "children" and len(plain) == 1 and (count := _COUNT.fullmatch(plain[0])):
        yield f"{title} has {count[1]} {'child' if count[1] == '1' else 'children'}{count[2]}."
    elif lowered.startswith("release date"):
        yield from (f"{title} was released {_when(value)}." for value in plain)
    elif re.fullmatch(_PARTICIPLE, lowered) or lowered.startswith("in "):
        yield from (f"{title} was {lowered} {_when(value)}." for value in plain)
    elif lowered.endswith((" by", " in", " at", " to")) and re.match(rf"(?:{_PARTICIPLE})\b", lowered):
        yield from (f"{title} was {_lower(key)} {part}." for part in _chunks(plain))
    elif lowered.endswith(" by"):
        yield from (f"The {_lower(key)[:-3]} of {title} is by {part}." for part in _chunks(plain))
    else:
        # A key with an ending in brackets, as its values ask for: "spouse(s)" -> "spouse" or "spouses".
        name = re.sub(r"\((s|es|ies)\)", r"\1" if len(plain) > 1 else "", _lower(key))
        parts = list(_chunks(plain))
        for part in parts:
            verb = "include" if len(parts) > 1 else "are" if _is_plural(name) else "is"
            yield f"The {name} of {title} {verb} {part}."


def _life(title: str, event: str, value: str) -> Iterator[str]:
    """Birth or death: the date, the place, the age, and the name that stands before a date of birth."""
    verb = "was born" if event == "born" else "died"
    age = _AGE.search(value)
    plain = " ".join(_AGE.sub(" ", _ISO_DATE.sub(" ", value)).split())
    date = _DATE.search(plain)
    before, after = (plain[: date.start()], plain[date.end() :]) if date else ("", plain)
    name, place = before.strip(" ,;()"), after.strip(" ,;")
    when = f" {_when(date[0])}" if date else ""
    where = f" in {place}" if place else ""
    aged = f", aged {age[1]}" if age and event == "died" else ""
    yield f"{title} {verb}{when}{where}{aged}."
    if name and event == "born" and name.casefold() != title.casefold():
        yield f"The name of {title} at birth was {name}."
    if age and event == "born":
        yield f"{title} is {age[1]} years old."


def _when(value: str) -> str:
    """A time with its preposition: "on 6 September 1972", "in 1972 (Venice)", "since 1990"; else "in" what it is."""
    if _SINCE.fullmatch(value) or _SPAN.fullmatch(value):
        return _years(value)
    date = _DATE.match(value)
    interval = parse_time(date[0]) if date else None
    return f"{'on' if interval is not None and interval.precision == 'day' else 'in'} {value}"


def _years(value: str) -> str:
    if match := _SINCE.fullmatch(value):
        return f"since {match[1]}"
    if match := _SPAN.fullmatch(value):
        return f"from {match[1]} to {match[2]}"
    return f"in {value}"


def _plain(value: str) -> str:
    """A value without dates said twice, and with its abbreviations written out."""
    bare = _ISO_DATE.sub("", value)
    text = _SHORT.sub(lambda match: f" {_SHORT_WORDS[match[1]]}", bare if _DATE.search(bare) else value)
    return re.sub(r"\s+([,;)])", r"\1", re.sub(r"\(\s+", "(", text)).strip(" ,;")


def _listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def _chunks(values: Sequence[str]) -> Iterator[str]:
    """The values listed, in as many parts as their length asks for."""
    held: list[str] = []
    for value in values:
        if held and sum(map(len, held)) + len(value) > _LONGEST:
            yield _listed(held)
            held = []
        held.append(value)
    if held:
        yield _listed(held)


def _lower(key: str) -> str:
    """A key within a sentence: "Years active" -> "years active"; "GDP" and "Vice President" stay."""
    return key if key[1:] != key[1:].lower() else key.lower()


def _is_plural(key: str) -> bool:
    """Whether the noun that a key is about, before "of" or brackets, has the ending of a plural."""
    words = re.split(r"\s+(?:of|in|by|at|for|on)\s|\s*\(", key)[0].split()
    noun = words[-1].casefold() if words else ""
    return noun in _PLURALS or (noun.endswith("s") and not noun.endswith(("ss", "us", "is", "ics")))
