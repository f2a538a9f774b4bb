"""What names look like: the normal form under which labels are compared, readable ids, and ids meant for machines."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from toulmin.graph.readers.minting import clean_text, entity_label, local_label, relation_label, unslugged

__all__ = [
    "is_machine_id",
    "is_machine_label",
    "is_nameless",
    "is_unicode",
    "local_name",
    "normalise",
    "readable_id",
    "readable_relation",
    "similarity",
]

_KEPT_PUNCTUATION = frozenset("#%@")  # part of names: "C#", "100%", "@midnight"
_DROPPED = {"Cf"}  # soft hyphens, zero-width and directional marks
_FRACTION_SLASH = "\u2044"
_SURROGATE = re.compile("[\ud800-\udfff]+")  # halves of pairs, as undecodable command-line arguments have them
_VULGAR_FRACTION = re.compile("(?<=[0-9])(?=[\u00bc-\u00be\u2150-\u215e])")


class _Folding(dict[int, str]):
    """Code point -> itself where it carries meaning (letters, marks, digits, symbols), else a space; filled as met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        if char == "&":
            folded = " and "
        elif char == _FRACTION_SLASH or char == "`":
            folded = " "
        elif char in _KEPT_PUNCTUATION or category[0] in "LMNS" or category in {"Co", "Cn"}:
            folded = char
        else:
            folded = "" if category in _DROPPED else " "
        self[code] = folded
        return folded


_FOLDING = _Folding()


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which JSON and command lines can hold and nothing can store or send."""
    return text.isascii() or _SURROGATE.search(text) is None


def normalise(text: str) -> str:
    """The form under which two spellings of a name are the same; idempotent.

    NFKC, case-folded; punctuation, dashes, quotes and underscores become spaces and "&" becomes "and"; letters, marks,
    digits and symbols of every script stay ("$9.99" is "$9 99"). Where nothing would remain ("!!!"), punctuation stays.
    """
    if text.isascii():
        folded = text.lower()
    else:
        folded = _VULGAR_FRACTION.sub(" ", _SURROGATE.sub(" ", text))
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
    words = " ".join(folded.translate(_FOLDING).split())
    return words or " ".join(folded.split())


def similarity(text: str, form: str) -> float:
    """How alike two spellings are, 0 to 1: 1 minus the normalised indel distance of their normal forms."""
    from rapidfuzz import fuzz

    return fuzz.ratio(normalise(text), normalise(form)) / 100


_MACHINE_ID = re.compile(
    r"""
      /?[mg][./][01][0-9a-z_]+                                    # Freebase: m.0abc, g.11abc, /m/0abc
    | [QPL][1-9][0-9]*(?:-[FS][1-9][0-9]*)?                       # Wikidata items, properties, lexemes
    | (?:s/)?[QPLqpl][1-9][0-9]*[-$][0-9A-Fa-f]{8}-[0-9A-Fa-f-]+  # Wikidata statements
    | _:.+                                                        # blank nodes
    | (?:urn:uuid:)?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}
    | (?=[A-Fa-f]*[0-9])(?:[0-9a-f]{16,}|[0-9A-F]{16,})           # digests and other long hexadecimal ids
    """,
    re.VERBOSE,
)
_SHORT_CODE = re.compile(r"Q[0-9]{1,3}|[PL][0-9]+")
_BLANK_IRI = re.compile(r"/\.well-known/genid/|/bnode[_/]?", re.IGNORECASE)


def local_name(identifier: str) -> str:
    """What follows the last "#", "/" or (in a URN) ":" of an IRI; any other id as it is."""
    if "://" in identifier:
        tail = re.split(r"[/#]", identifier.rstrip("/#"))[-1]
        return clean_text(unquote(tail)) or identifier
    if identifier.startswith("urn:"):
        return clean_text(unquote(identifier.rsplit(":", 1)[-1])) or identifier
    return identifier


def is_machine_id(text: str) -> bool:
    """Whether an id or label says nothing to a person: a Freebase mid, Wikidata id, blank node, UUID or digest."""
    return _MACHINE_ID.fullmatch(local_name(text)) is not None or _BLANK_IRI.search(text) is not None


def is_machine_label(label: str) -> bool:
    """Whether a label given on purpose is a machine id all the same. "Q7" may be a name; "Q1234" hardly."""
    return is_machine_id(label) and _SHORT_CODE.fullmatch(label) is None


def is_nameless(identifier: str, label: str | None) -> bool:
    """Whether an entity has no name but a machine id: then it is walked through, and never an answer.

    Args:
        label: what the graph reads it as; None or made of the id where no name was given.
    """
    if label is None or label == readable_id(identifier):
        return is_machine_id(identifier)
    return identifier.endswith(label) and is_machine_label(label)


def readable_id(identifier: str, *, common: bool = False) -> str:
    """What to show for an entity without a label: the words of an IRI's local part; machine ids as they are.

    Args:
        common: it is a class, and so no proper name.
    """
    local = local_name(identifier)
    if _MACHINE_ID.fullmatch(local):
        return local
    return entity_label(local) if local == identifier else local_label(local, common=common)


def readable_relation(identifier: str) -> str:
    """What to show for a relation without a label; ``birthPlace`` is read "birth place"."""
    local = local_name(identifier)
    if _MACHINE_ID.fullmatch(local):
        return local
    return relation_label(local if local == identifier else unslugged(local))
