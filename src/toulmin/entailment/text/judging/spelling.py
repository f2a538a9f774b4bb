"""How a name may be written, and what is known to be another name: "Iraq" is not "Iran" misspelt."""

from __future__ import annotations

import re
from functools import lru_cache

from toulmin.graph.labels import similarity
from toulmin.retrieval.lexicon import get_lexicon
from toulmin.retrieval.linking.words import (
    FUNCTION_WORDS,
    bare_words,
    information,
    is_common,
    is_dictionary_word,
    words_of,
)

__all__ = ["have_same_initials", "is_another_name", "is_another_word", "is_place", "main_part", "says_no_more"]

_RELATED = 0.8  # of two words of the lexicon, from which on one may say the other: "Austrian", "Austria"
_MISSPELT = 0.75  # likeness of two words from which on they may be one
_SOUNDS = (("ph", "f"), ("ck", "k"), ("ch", "k"), ("c", "k"), ("q", "k"), ("z", "s"), ("w", "v"), ("x", "ks"))
_SEVERAL = 3
_AFTER = 2
_NUMERAL = re.compile(r"x{0,3}(?:ix|iv|v?i{1,3}|v)|x{1,3}")
_COMPASS = frozenset("north south east west northern southern eastern western".split())
_AFTER_NAMES = frozenset("inc ltd co corp jr sr plc llc gmbh ag sa fc sc ac cf".split())
_INITIALS = re.compile(r"\.\s+(?=\w\.)")  # between initials
_TAIL = re.compile(r"\s*(?:,\s.*|\([^()]*\)\s*)$")
_SILENT = re.compile(r"[aeiouyhj]|(.)(?=\1)")


@lru_cache(maxsize=200_000)
def main_part(name: str) -> str:
    """A name without what tells it from its namesakes: "Austin, Texas" -> "Austin", "Heat (film)" -> "Heat"."""
    short = _TAIL.sub("", name)
    return short if short and short != name else name


@lru_cache(1 << 14)
def is_another_word(said: str, name: str, among: int = 1) -> bool:
    """Whether a bare word that may be taken for a word of a name, misspelt or short, is known to be another one.

    Two words that the lexicon knows are two where it does not relate them; a short form ("Ben" for "Benjamin") is one
    unless they are places. A frequent word that the lexicon lacks, as many names are, is another one where its
    consonants differ ("Grayson" is not "Graydon", but "Katherine" is "Catherine"), or where the name is of a place.

    Args:
        among: words of the name. Of several, a common one is misspelt rather: "Andrews Country Airport".
    """
    if said == name or not (said.isalpha() and name.isalpha()) or (among >= _SEVERAL and is_common(said)):
        return False
    lexicon = get_lexicon()
    ours, theirs = lexicon.lemmas(said), lexicon.lemmas(name)
    if not set(ours).isdisjoint(theirs):
        return False
    short, long = sorted((said, name), key=len)
    places = is_place(said) or is_place(name)
    if ours and theirs:
        is_short = long == name and long.startswith(short)
        return lexicon.relatedness(said, name) < _RELATED and (places or not is_short)
    if information(said) == 1.0 or long.startswith(short):
        return False
    return is_place(name) or _consonants(said) != _consonants(name)


@lru_cache(1 << 14)
def is_another_name(said: str, name: str) -> bool:
    """Whether words that share some with a name are known to be another: "Henry VII", "Guinea" for "Guinea-Bissau".

    Their Roman numerals or points of the compass differ; or the words go on where the name ends ("Santiago de Cuba");
    or the lexicon has both and does not relate them, as names of places or of more than one word. A surname says the
    person, and "Paris" says "Paris, Texas".
    """
    ours, theirs = bare_words(said), bare_words(name)
    if ours in (theirs, bare_words(main_part(name))):
        return False
    numerals = [{word for word in words if _NUMERAL.fullmatch(word)} for words in (ours, theirs)]
    if all(numerals) and numerals[0] != numerals[1]:
        return True
    differ = set(ours) ^ set(theirs)
    if (differ and differ <= _COMPASS) or _goes_on(said, theirs):
        return True
    lexicon = get_lexicon()
    known = [_INITIALS.sub(".", one.lower()) for one in (said, name)]
    if not all(map(lexicon.lemmas, known)) or lexicon.relatedness(*known) >= _RELATED:
        return False
    return is_place(name) or all(" " in one for one in known)


def _goes_on(said: str, name: list[str]) -> bool:
    """Whether one or two capitalised words follow a name that are no nouns, and so make another name of it."""
    words = words_of(said)
    ours = [word.bare for word in words]
    at = next((place for place in range(len(ours)) if ours[place : place + len(name)] == name), None)
    rest = words[at + len(name) :] if at is not None and name else []
    return len(rest) <= _AFTER and any(
        _NUMERAL.fullmatch(word.bare) or (word.text.istitle() and _is_proper(word.bare)) for word in rest
    )


def _is_proper(word: str) -> bool:
    """Whether a known word is one of names: no noun, or that of a place; no misspelling, and no "Inc"."""
    if is_dictionary_word(word):
        return is_place(word) and not is_common(word)
    return information(word) < 1.0 and word not in _AFTER_NAMES


def have_same_initials(said: str, name: str) -> bool:
    """Whether two names differ only in that one has initials where the other has words."""
    ours, theirs = bare_words(said), bare_words(name)
    return len(ours) == len(theirs) > 1 and all(
        one == other or (min(len(one), len(other)) == 1 and one[0] == other[0] and not _NUMERAL.fullmatch(one))
        for one, other in zip(ours, theirs, strict=True)
    )


def is_place(name: str) -> bool:
    """Whether the lexicon has a name as that of a place."""
    return get_lexicon().coarse_type(name.lower()) == "location"


def _consonants(word: str) -> str:
    """What is left of a word without vowels, for names of one sound in several spellings."""
    for written, sound in _SOUNDS:
        word = word.replace(written, sound)
    return _SILENT.sub("", word)


def says_no_more(said: str, name: str) -> bool:
    """Whether each word that is said is one of the name, as it is or misspelt."""
    known = bare_words(name)
    return all(
        any(
            word == other
            or (
                len(word) > 3
                and word.isalpha()
                and similarity(word, other) >= _MISSPELT
                and not is_another_word(word, other, len(known))
            )
            for other in known
        )
        for word in bare_words(said)
        if word not in FUNCTION_WORDS
    )
