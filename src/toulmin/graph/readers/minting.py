"""From the names a source uses to ids and labels.

Formats without ids of their own (delimited triples, names in JSON lines) get minted ones: ``urn:toulmin:e:…`` for
entities, ``urn:toulmin:r:…`` for relations, so that the same text is the same node in every file.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

__all__ = [
    "clean_text",
    "clean_value",
    "entity_label",
    "is_iri",
    "local_label",
    "mint_entity",
    "mint_relation",
    "plain_value",
    "relation_label",
    "split_name",
    "unslugged",
]

_ENTITY_PREFIX = "urn:toulmin:e:"
_RELATION_PREFIX = "urn:toulmin:r:"

_SAFE = "!$&'()*+,;=:@/-._~"  # what a URN may hold unescaped (RFC 8141)
_LAYOUT = re.compile("[\t-\r\x85\u2028\u2029]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_CONTROL_BUT_LAYOUT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]+")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+\Z")
_MACHINE_ID = re.compile(r"[mg]\.[0-9a-z_]+\Z")
_DOTTED = re.compile(r"\w+(?:\.\w+)+\Z")
# Of the shapes of a name's characters (upper case, lower case, a small s, digit): where a word begins in "hasPart" (not
# in "iPhone"), in "HTTPServer" and "Ward3North" (not in "URLs"), and after three letters in "Room101B" (not in "mp3").
_HUMP = re.compile(r"(?<=[ls])(?<!^[ls])(?=U)|(?<=[U0])(?=U[ls])(?!Us(?:[^ls]|\Z))|(?<=[Uls][ls][ls])(?=0)")
_SHORT = 3  # mean letters of the words below which they are none, but a code: "aB3xZ9Qk", "PhD"
_PLAIN = re.compile(r"[\w .,'’()&-]+\Z")
_SLUG = re.compile(r"[^\W_]+(?:-[^\W_]+)+\Z")
_CAMEL_AMONG_WORDS = re.compile(r"[a-z]{2,}[A-Z][A-Za-z]*\Z")
_SIGNED = re.compile(r"\+(?=\d)")
_WIKIDATA_TIME = re.compile(r"([+-]\d{4,}-\d\d-\d\d)T00:00:00Z\Z")


def clean_text(text: str) -> str:
    """A name on one line and in NFC, without control characters and lone surrogates, stripped of outer space."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return unicodedata.normalize("NFC", _CONTROL.sub("", _LAYOUT.sub(" ", text))).strip()


def clean_value(text: str) -> str:
    """The text of a literal as it is, but for control characters other than tabs and line breaks."""
    return text if text.isprintable() else _CONTROL_BUT_LAYOUT.sub("", text)


def is_iri(text: str) -> bool:
    """Whether ``text`` is an id already: a scheme, a colon and no space (``world:Paris``, ``http://…``), or ``_:x``."""
    return _IRI.match(text) is not None or (text.startswith("_:") and len(text) > 2 and " " not in text)


def plain_value(text: str) -> str:
    """Wikidata's numbers and times as people write them: ``+120`` is 120, ``+2008-00-00T00:00:00Z`` is 2008."""
    if text[:1] in "+-" and (match := _WIKIDATA_TIME.match(text)):
        text = match[1].removesuffix("-00").removesuffix("-00")
    return text[1:] if _SIGNED.match(text) else text


def mint_entity(text: str) -> str:
    """The id of the entity that a source calls ``text``."""
    return _ENTITY_PREFIX + quote(text, safe=_SAFE)


def mint_relation(text: str) -> str:
    """The id of the relation that a source calls ``text``."""
    return _RELATION_PREFIX + quote(text, safe=_SAFE)


def entity_label(text: str) -> str:
    """What people read for a name: underscores are spaces where they stand for them; machine ids stay as they are."""
    if "_" not in text or " " in text or _MACHINE_ID.match(text):
        return text
    return " ".join(text.replace("_", " ").split()) or text


def relation_label(text: str) -> str:
    """The words of a relation's name: ``place_of_birth`` and ``birthPlace`` are split, dotted names are kept."""
    if _DOTTED.match(text):
        return text
    words = entity_label(text).split()
    alone = len(words) == 1
    split = (_humps(word) if alone or _CAMEL_AMONG_WORDS.match(word) else [word] for word in words)
    return " ".join(" ".join(map(_lowered, parts)) if len(parts) > 1 else parts[0] for parts in split) or text


def local_label(text: str, *, common: bool = False) -> str:
    """What people read for the local part of an entity's IRI: its words, split at "_", at "-" in slugs, and at humps.

    Args:
        common: it names a kind of things, which is written small but for abbreviations: "battle imp", "HTTP server".
    """
    if _MACHINE_ID.match(text):
        return text
    label = split_name(unslugged(text))
    return " ".join(map(_lowered, label.split(" "))) if common else label


def unslugged(text: str) -> str:
    """``has-part`` as ``has part``; a name with a capital ("Jean-Paul") as it is."""
    return text.replace("-", " ") if text == text.lower() and _SLUG.match(text) else text


def split_name(text: str) -> str:
    """A name written in one piece ("BattleImp", "Battle_Imp") as words; others, and what is rather a code, as it is."""
    label = entity_label(text)
    if " " in text or not _PLAIN.match(label):
        return label
    words = [word for piece in label.split(" ") for word in _humps(piece)]
    written = [word for word in words if not word.isdigit()]
    return " ".join(words) if sum(map(len, written)) >= _SHORT * len(written) else label


def _humps(word: str) -> list[str]:
    """The words of a name in camel case."""
    shape = "".join(map(_shape, word))
    cuts = [match.start() for match in _HUMP.finditer(shape)]
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _shape(char: str) -> str:
    if char.isupper():
        return "U"
    return "s" if char == "s" else "l" if char.islower() else "0" if char.isdigit() else "."


def _lowered(word: str) -> str:
    """A word in lower case, but for abbreviations and codes."""
    return word.lower() if len(word) < 2 or word[1:].islower() else word
