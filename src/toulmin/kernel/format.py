"""What a certificate is made of: nodes and statements, their bytes, and JSON that is of the shapes of format.json.

What is not so is refused in one line that says where."""

import json
import re
from base64 import b64decode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"


class KernelError(Exception):
    """What is given is no certificate, or goes beyond a limit: one line that says what and where."""


def refuse_if(is_so: object, why: str) -> None:
    """Raise a KernelError where something is so."""
    if is_so:
        raise KernelError(why)


class LiteralValue(NamedTuple):
    """A value with its kind; an entity is a ``str``, its id."""

    value: str
    kind: str
    unit: str | None = None
    precision: str | None = None
    lang: str | None = None
    calendar: str | None = None


Node = str | LiteralValue
Label = Callable[[str], str | None]  # the label of an entity, given its id


class GraphStatement(NamedTuple):
    """A statement of the graph at a place in the certificate's ``graphs``."""

    graph: int
    subject: str
    relation: str
    object: Node
    qualifiers: tuple[tuple[str, Node], ...]
    rank: str


def utf8(text: str) -> bytes:
    """The bytes by which texts are ordered."""
    return text.encode("utf-8", "surrogatepass")


def enc(*parts: str | bytes) -> bytes:
    """Texts one after another, each after its length in bytes: no two lists of texts have the same bytes."""
    encoded = [part if isinstance(part, bytes) else utf8(part) for part in parts]
    return b"".join(b"%d:%b" % (len(part), part) for part in encoded)


def key(node: Node) -> bytes:
    """The canonical form of an entity or literal."""
    return enc("e", node) if isinstance(node, str) else enc("l", *(field or "" for field in node))


def digest(statement: GraphStatement) -> bytes:
    """SHA-256 of all that a statement says; the order of qualifiers plays no part."""
    pairs = sorted((utf8(relation), key(value)) for relation, value in statement.qualifiers)
    parts = (part for pair in pairs for part in pair)
    return sha256(enc(statement.subject, statement.relation, key(statement.object), statement.rank, *parts)).digest()


def statement_id(statement: GraphStatement) -> str:
    """What people cite a statement by: 32 hexadecimal digits."""
    return digest(statement).hex()[:32]


FORMAT: dict[str, Any] = json.loads(Path(__file__).with_name("format.json").read_text("utf-8"))
MOST_BYTES, _DEEPEST, _MOST_MARKS = 100_000_000, 64, 10_000_000
_LONGEST = 1_000_000  # characters of one text, parts of one list
LONGEST_NUMBER = 1000  # characters
#: A whole text (or all that follows a quotation mark that nothing closes), or a bracket outside of one.
_TEXT_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


def one_line(text: str, longest: int = 300) -> str:
    """A text as a report shows it: one line that nothing in it can break, hide or turn around."""
    start = text[: 10 * longest]  # of a very long one no more is looked at
    kept = "".join(c for c in start if c.isspace() or c.isprintable() or c in "\u200c\u200d")
    line = " ".join(kept.split())
    return line if len(line) <= longest and start == text else f"{line[: longest - 1]}…"


def wrong(where: str, must: str) -> Any:
    """Refuse what stands somewhere."""
    raise KernelError(f"{where}: must be {must}")


def read(given: str | bytes) -> Any:
    """The value of a JSON text; KernelError if it is too long or deep, gives a field twice, or is not as JSON is."""
    refuse_if(len(given) > MOST_BYTES, f"longer than {MOST_BYTES:,} bytes")
    try:
        text = given.decode("utf-8") if isinstance(given, bytes) else given
        depth = 0  # looked at before anything is made of the text
        for count, match in enumerate(_TEXT_OR_BRACKET.finditer(text)):
            depth += _DEEPER.get(match[0], 0)
            if depth > _DEEPEST or count > _MOST_MARKS:
                raise KernelError(f"nests too deeply, or holds too much, at character {match.start()}")
        return json.loads(text, object_pairs_hook=_unique, **_NUMBERS)
    except ValueError as error:
        raise KernelError(f"not JSON in UTF-8: {one_line(str(error), 100)}") from None


_NUMBERS: dict[str, Any] = {
    "parse_constant": lambda name: wrong(name, "a number"),
    "parse_int": lambda digits: int(digits) if len(digits) <= 15 else wrong("a number", "of at most 15 digits"),
    "parse_float": lambda t: float(t) if len(t) <= 1000 else wrong("a number", "of at most 1,000 characters"),
}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise KernelError(f"the field {one_line(name, 60)!r} is given twice in one object")
        fields[name] = value
    return fields


Places = list[tuple[int, str]]


def shaped(given: Any, shape: Any, where: str, named: Places | None = None) -> Any:
    """What is given, if it is of a shape (else KernelError): lists as tuples, absent optional fields as None.
    The nodes of the program that it names are added to ``named``, each with what it must yield."""
    if isinstance(shape, str):
        return _of_type(given, shape, where, named)
    if isinstance(shape, list) and isinstance(shape[1], int):
        part, least, most = (*shape, _LONGEST)[:3]
        if not isinstance(given, list) or not least <= len(given) <= most:
            wrong(where, f"a list of {least} or more, at most {most:,}")
        return tuple(shaped(value, part, f"{where} {place}", named) for place, value in enumerate(given))
    if isinstance(shape, list):
        if not isinstance(given, list) or len(given) != len(shape):
            wrong(where, f"a list of {len(shape)}")
        return tuple(shaped(value, part, where, named) for value, part in zip(given, shape, strict=True))
    names, fields = {marked.rstrip("?"): marked for marked in shape}, {}
    for name in given if isinstance(given, dict) else wrong(where, "an object"):
        if name not in names:
            raise KernelError(f"{where}: the field {one_line(name, 60)!r} is not known")
    for name, marked in names.items():
        value = given.get(name)
        if value is None and marked == name:
            raise KernelError(f"{where}: the field {name!r} is missing")
        fields[name] = None if value is None else shaped(value, shape[marked], f"{where} {name}", named)
    return fields


def tagged(given: Any, tag: str, table: str, where: str, named: Places | None = None) -> Any:
    """An object of which one field says which entry of a table of format.json has its other fields."""
    entry = given.get(tag) if isinstance(given, dict) else None
    if not isinstance(entry, str) or entry not in FORMAT[table]:
        wrong(where, f"an object with a {tag!r} that is known")
    return shaped(given, {tag: "text", **FORMAT[table][entry]["fields"]}, where, named)


def _of_type(given: Any, name: str, where: str, named: Places | None) -> Any:
    wanted = ""
    if name not in _FITS:
        if name.startswith("="):
            return given if given in name[1:].split("|") else wrong(where, f"one of {name[1:]}")
        if name == "reason":
            return tagged(given, "code", "reasons", where, named)
        if name == "cell" and given is None:
            return None
        if name in ("node", "cell"):
            name = "text" if isinstance(given, str) else "literal"
        name, _, wanted = name.partition("@")
        name = name or "integer"
    value = shaped(given, FORMAT["types"][name], where) if name in FORMAT["types"] else given
    if name in _FITS and not _FITS[name](value):
        wrong(where, FORMAT["must"][name])
    if wanted and named is not None:
        named.append((value, wanted))
    return _MADE[name](value) if name in _MADE else value


def _is_literal(fields: dict[str, Any]) -> bool:
    numbers = (fields["value"], *(fields["precision"] or "").split("..")) if fields["kind"] == "quantity" else ()
    long = any(len(text or "") > 100_000 for text in fields.values()) or any(len(n) > LONGEST_NUMBER for n in numbers)
    return not long and all(text != "" or name == "value" for name, text in fields.items())


#: Rules that have a name in format.json, which says what they ask for ...
_FITS: dict[str, Callable[[Any], object]] = {
    "text": lambda t: (
        isinstance(t, str) and len(t) <= _LONGEST and (t.isascii() or not re.search("[\ud800-\udfff]", t))
    ),
    "question": lambda text: len(text) <= 100_000,
    "integer": lambda n: type(n) is int and n >= 0,
    "positive": lambda n: n > 0,
    "number": lambda n: type(n) in (int, float) and abs(n) <= 1e12,  # sums of them do not overflow
    "share": lambda n: 0 <= n <= 1,
    "boolean": lambda value: isinstance(value, bool),
    "span": lambda words: words[0] < words[1],
    "marked": lambda words: words[0] < words[1],
    "graph": lambda graph: (graph["root"] is None) != (graph["endpoint"] is None),
    "literal": _is_literal,
    "hash": re.compile("[0-9a-f]{64}").fullmatch,
    "hashes": lambda t: re.fullmatch("[A-Za-z0-9+/]*={0,2}", t) and not len(t) % 4 and not len(b64decode(t)) % 32,
}
#: ... and what is made of what is of a shape.
_MADE: dict[str, Callable[[Any], Any]] = {
    "number": float, "bytes": utf8, "hash": bytes.fromhex, "hashes": b64decode,
    "literal": lambda fields: LiteralValue(**fields), "statement": lambda parts: GraphStatement(0, *parts),
}  # fmt: skip
