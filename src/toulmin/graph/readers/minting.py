"""From the names a source uses to ids and labels.

Formats without ids of their own (delimited triples, names in JSON lines) get minted ones: ``urn:toulmin:e:…`` for
entities, ``urn:toulmin:r:…`` for relations, so that the same text is the same node in every file.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

__all__ = [
    "ENTITY_PREFIX",
    "RELATION_PREFIX",
    "clean_text",
    "clean_value",
    "entity_label",
    "is_iri",
    "mint_entity",
    "mint_relation",
    "plain_value",
    "relation_label",
]

ENTITY_PREFIX = "urn:toulmin:e:"
RELATION_PREFIX = "urn:toulmin:r:"

_SAFE = "!$&'()*+,;=:@/-._~"  # what a URN may hold unescaped (RFC 8141)
_LAYOUT = re.compile("[\t-\r\x85\u2028\u2029]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_CONTROL_BUT_LAYOUT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]+")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+\Z")
_MACHINE_ID = re.compile(r"[mg]\.[0-9a-z_]+\Z")
_DOTTED = re.compile(r"\w+(?:\.\w+)+\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
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
    return ENTITY_PREFIX + quote(text, safe=_SAFE)


def mint_relation(text: str) -> str:
    """The id of the relation that a source calls ``text``."""
    return RELATION_PREFIX + quote(text, safe=_SAFE)


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
    return " ".join(_split_humps(word) if alone or _CAMEL_AMONG_WORDS.match(word) else word for word in words) or text


def _split_humps(word: str) -> str:
    parts = _HUMP.split(word)
    if len(parts) == 1:
        return word
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in parts)
